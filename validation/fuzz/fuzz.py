#!/usr/bin/env python3
"""Lets libFuzzer look for texts that the readers do not refuse in a sentence, or read, but crash, leak or hang at.

usage: fuzz.py FOLDER [--seconds S] [--only NAME[,NAME...]] [--jobs N] [--keep]

FOLDER is a build folder with -DARTICULATE_FUZZERS=ON in which the target articulate-fuzzers is built. Each fuzzer begins
with its folder of corpus/, with what this repository has in its format, and with what it found before in FOLDER. A text
that it fails at is left in FOLDER/findings. --keep adds to corpus/ what reaches code that nothing there does, small first.
"""
import argparse
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
VALIDATION = HERE.parent
# {fuzzer: further folders whose files are in its format}
FUZZERS = {
    "urdf": ["models", "model/bad_urdf"],
    "mjcf": [],
    "state": ["cli/good_states", "cli/bad_states"],
    "loops": [],
    "numbers": [],
    "merge": [],
    "certified_case": [],
    "protocol": [],
}
# A text may take 10 s and 1 GB, a hundred times what any of corpus/ takes; and a single request for memory 256 MB.
LIMITS = ["-timeout=10", "-rss_limit_mb=1024", "-malloc_limit_mb=256", "-max_len=20000"]
LONGEST_KEPT = 1000  # bytes of a text in corpus/


def run(folder, name, *options):
    """libFuzzer's own words, and whether it ended well."""
    done = subprocess.run([folder / "fuzzers" / name, "-close_fd_mask=1", *LIMITS, *options], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    return done.stderr, done.returncode == 0


def search(folder, name, seconds):
    """Whether there was no finding in this time."""
    grown, findings = folder / "grown" / name, folder / "findings"
    for needed in (grown, findings):
        needed.mkdir(parents=True, exist_ok=True)
    seeds = [HERE / "corpus" / name, *(VALIDATION / other for other in FUZZERS[name])]
    said, good = run(folder, name, f"-max_total_time={seconds}", f"-artifact_prefix={findings / name}-",
                     "-print_final_stats=1", grown, *seeds)
    tried = re.search(r"number_of_executed_units: (\d+)", said)
    reached = re.findall(r"cov: (\d+)", said)
    print(f"{name}: {tried[1] if tried else 'no'} texts, {reached[-1] if reached else 'no'} places reached", flush=True)
    if not good:
        print(said[-6000:], flush=True)
    return good


def keep(folder, name):
    """What has been found, added to corpus/ where it reaches another place; small texts are tried first."""
    corpus = HERE / "corpus" / name
    said, good = run(folder, name, "-merge=1", "-use_counters=0", f"-max_len={LONGEST_KEPT}", corpus, folder / "grown" / name)
    if not good:
        print(said[-6000:])
    return good


def main():
    usage = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    usage.add_argument("folder", type=Path)
    usage.add_argument("--seconds", type=int, default=600)
    usage.add_argument("--only", type=lambda names: names.split(","), default=list(FUZZERS))
    usage.add_argument("--jobs", type=int, default=1)
    usage.add_argument("--keep", action="store_true")
    given = usage.parse_args()
    folder = given.folder.resolve()
    with ThreadPoolExecutor(given.jobs) as pool:
        good = list(pool.map(lambda name: search(folder, name, given.seconds), given.only))
    if given.keep:
        good += [keep(folder, name) for name in given.only]
    print(f"{good.count(False)} tests failed out of {len(good)}")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
