#!/bin/sh
#SBATCH --job-name=articulate-check
#SBATCH --array=1-20
#SBATCH --ntasks=1
#SBATCH --requeue
# A campaign in shards by Slurm: one task of the array is one shard. A task that is requeued goes on where it stopped.
#
# usage: sbatch slurm_shards.sh FOLDER CHECK ARGUMENT...
#   such as: sbatch slurm_shards.sh scores build/release/bin/articulate-check numbers.jsonl --model ur5
# and when all are done: CHECK check merge FOLDER/*.scores
set -eu
folder=$1 check=$2
shift 2
mkdir -p "$folder"
"$check" check "$@" --no-diagnose --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
  --output "$folder/$SLURM_ARRAY_TASK_ID.scores" || test $? -eq 1
