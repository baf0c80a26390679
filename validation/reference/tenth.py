"""A tenth of the certified cases, drawn: made once more, held against the sums of the catalogue, and proved from their files.

usage: tenth.py PROGRAM SEED [--jobs N]
"""
import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CATALOGUE = Path(__file__).parent / "catalogue.json"


def failure(program, folder, case):
    """What is wrong with a case, in words; nothing when it is right."""
    name, file = case["case"], Path(folder) / (case["case"] + ".json")
    made = subprocess.run([program, "generate", folder, "--case", name], capture_output=True, text=True, check=False)
    if made.returncode:
        return made.stderr
    if hashlib.sha256(file.read_bytes()).hexdigest() != case["sha256"]:
        return f"{name}: the bytes are not those whose sum is in {CATALOGUE.name}.\n"
    proved = subprocess.run([program, "check", str(file)], capture_output=True, text=True, check=False)
    return proved.stderr if proved.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("seed", type=int)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    cases = json.loads(CATALOGUE.read_text(encoding="utf-8"))["cases"]
    drawn = random.Random(given.seed).sample(cases, len(cases) // 10)
    drawn.sort(key=lambda case: -case["numbers"])  # the longest first, so that all processors end together
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(given.jobs) as pool:
        failures = [text for text in pool.map(lambda case: failure(given.program, folder, case), drawn) if text]
    print("".join(failures), end="", file=sys.stderr)
    names = ", ".join(case["case"] for case in drawn)
    print(f"reference: {len(drawn) - len(failures)} of {len(drawn)} cases are made and proved as they are: {names}")
    return 1 if failures else 0


sys.exit(main())
