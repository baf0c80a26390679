"""A campaign in shards over a cluster of Dask: each shard is a task, and one that a lost worker had is done once more.

usage: dask_shards.py SHARDS FOLDER CHECK ARGUMENT...     such as  dask_shards.py 20 scores ./articulate-check numbers.jsonl --model ur5

FOLDER is one that all workers see. CHECK is the program that `./articulate check` builds. Then
`./articulate check merge FOLDER/*` says what one run would have said. With the address of a scheduler in DASK_SCHEDULER
its workers do it; without one two local workers, which only this machine can reach.
"""
import os
import subprocess
import sys
from pathlib import Path

from distributed import Client, LocalCluster, as_completed


def shard(k, count, folder, command):
    """Scores of the k-th part. The name of the file is the shard's own: a second try goes on where the first stopped."""
    done = subprocess.run([*command, "--no-diagnose", "--shard", f"{k}/{count}", "--output", str(Path(folder) / f"{k}.scores")],
                          stdout=subprocess.DEVNULL, check=False)
    if done.returncode not in (0, 1):  # 1: digits are missing, as merge will say
        raise RuntimeError(f"shard {k} of {count}: exit code {done.returncode}")
    return k


def run(client, count, folder, command, task=shard):
    Path(folder).mkdir(parents=True, exist_ok=True)
    tasks = [client.submit(task, k, count, folder, command, pure=False, retries=2) for k in range(1, count + 1)]
    for done in as_completed(tasks):
        print(f"shard {done.result()} of {count} is done", file=sys.stderr)


if __name__ == "__main__":
    count, folder, check, *arguments = sys.argv[1:]
    address = os.environ.get("DASK_SCHEDULER")
    cluster = None if address else LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None)
    with Client(address or cluster) as client:
        run(client, int(count), folder, [check, "check", *arguments])
