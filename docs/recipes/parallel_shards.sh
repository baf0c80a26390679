#!/bin/sh
# A campaign in shards by GNU parallel, on this machine or, with --sshlogin, on others that see the same folder.
#
# usage: parallel_shards.sh SHARDS FOLDER CHECK ARGUMENT...
#   such as: parallel_shards.sh 20 scores build/release/bin/articulate-check numbers.jsonl --model ur5
#
# A shard that is ended is begun again by the same command and goes on where it stopped. Exit code 1 says that digits are
# missing, and is no failure here.
set -eu
shards=$1 folder=$2 check=$3
shift 3
mkdir -p "$folder"
export shards folder check
seq "$shards" | parallel --halt soon,fail=1 \
  "$check check $* --no-diagnose --shard {}/$shards --output $folder/{}.scores >/dev/null || test \$? -eq 1"
"$check" check merge "$folder"/*.scores
