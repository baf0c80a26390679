#!/usr/bin/env python3
"""How much work peers need for how many digits, on six machines whose true motion is known.

usage: work_precision.py PROGRAM [PROBLEM...] [--check] [--jobs N]

PROGRAM is articulate-work-precision. Each peer moves each machine at several settings; where it ends is compared with
equations of the machine's own, see validation/cli/motions.py, and work is how often it asked for accelerations. The
result is work_precision.json in this folder, which the notebook of chapter motion draws beside our own steps. With
--check that file stays, and what it says is compared with what is found. numpy is needed.
"""
import argparse
import concurrent.futures
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
import motions  # noqa: E402

RESULT = HERE / "work_precision.json"
LIMIT = 60  # s for a run
PACKAGES = ("libboost-dev", "libsundials-dev", "libsimbody-dev", "libmujoco-dev")
TOLERANCES = [10.0**-k for k in range(3, 12)]
SETTINGS = {
    "odeint": TOLERANCES,
    "odeint_closed": TOLERANCES,
    "cvode": TOLERANCES,
    "cvode_closed": TOLERANCES,
    "simbody": TOLERANCES,
    "mujoco": [1000 * 2**k for k in range(5)],
    "mujoco_stiff": [1000 * 2**k for k in range(5)],
}


def truth(problem):
    """The coordinates at the end, and how far a solution with steps of twice the length is from them."""
    rough, fine = ([problem.reads(y) for y in problem.solve(problem.start, [problem.seconds], n)] for n in (1, 2))
    return fine[0], motions.distance(rough, fine)


def run(program, problem, peer, setting):
    """(evaluations, coordinates), or why there are none."""
    loops = problem.loops[1] if problem.loops else "-"
    command = [program, problem.model, problem.state, loops, problem.seconds, peer, setting]
    try:
        done = subprocess.run(
            [str(word) for word in command], capture_output=True, text=True, timeout=LIMIT, check=False,
            cwd=tempfile.gettempdir(),  # where MuJoCo may leave its log
        )
    except subprocess.TimeoutExpired:
        return f"takes more than {LIMIT} s"
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"ends with {done.returncode}"]
        return said[-1].replace(f"{motions.MACHINES}/", "")
    found = json.loads(done.stdout)
    return found["evaluations"], found["q"]


def measure(program, names, jobs):
    """{problem: seconds, truth, doubt of the truth, and of each peer points (setting, evaluations, error)}."""
    machines, found = motions.problems(), {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name in names:
            problem = machines[name]
            true, doubt = truth(problem)
            found[name] = {"seconds": problem.seconds, "truth": true, "doubt": doubt, "peers": {}}
            for peer, settings in SETTINGS.items():
                ends = list(pool.map(lambda setting: run(program, problem, peer, setting), settings))
                points = [
                    [setting, end[0], motions.distance([end[1]], [true])]
                    for setting, end in zip(settings, ends)
                    if not isinstance(end, str)
                ]
                refused = {f"{setting:g}": end for setting, end in zip(settings, ends) if isinstance(end, str)}
                found[name]["peers"][peer] = {"points": points, "refused": refused}
                best = min((point[2] for point in points), default=math.inf)
                print(f"{name} {peer}: {len(points)} runs, best {best:.1e}; {len(refused)} refused", flush=True)
    return found


def versions():
    shown = subprocess.run(
        ["dpkg-query", "--show", "--showformat", "${Package} ${Version}\n", *PACKAGES],
        capture_output=True, text=True, check=False,
    )
    return dict(line.split() for line in shown.stdout.splitlines())


def commit():
    words = ["git", "-C", str(HERE), "rev-parse", "HEAD"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def written(told):
    """JSON with a line for each peer's points."""
    lines = []
    for name, problem in told["problems"].items():
        peers = ",\n".join(f"        {json.dumps(peer)}: {json.dumps(of)}" for peer, of in problem["peers"].items())
        rest = ", ".join(f"{json.dumps(key)}: {json.dumps(of)}" for key, of in problem.items() if key != "peers")
        lines.append(f'    {json.dumps(name)}: {{{rest},\n      "peers": {{\n{peers}}}}}')
    head = ",\n".join(f"  {json.dumps(key)}: {json.dumps(of)}" for key, of in told.items() if key != "problems")
    return f'{{\n{head},\n  "problems": {{\n' + ",\n".join(lines) + "}}\n"


def check(found):
    """Whether the file says what is found: counts within 5 %, errors within a factor of 2 or of their own rounding."""
    told = json.loads(RESULT.read_text(encoding="utf-8"))["problems"]
    failed = count = 0
    for name, problem in found.items():
        least = max(1e-12, 10 * problem["doubt"])
        for peer, of in problem["peers"].items():
            count += 1
            theirs, ours = told[name]["peers"][peer]["points"], of["points"]
            same = [a[0] for a in theirs] == [b[0] for b in ours] and all(
                abs(a[1] - b[1]) <= 0.05 * a[1] and (max(a[2], b[2]) <= max(2 * min(a[2], b[2]), least))
                for a, b in zip(theirs, ours)
            )
            failed += not same
            if not same:
                print(f"FAILED {name}, {peer}: {theirs} in the file, {ours} found")
    print(f"{failed} tests failed out of {count}")
    return failed == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("problems", nargs="*", metavar="PROBLEM")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    known = list(motions.problems())
    unknown = [name for name in arguments.problems if name not in known]
    if unknown:
        parser.error(f"there is no problem '{unknown[0]}'; the problems are {', '.join(known)}")
    found = measure(Path(arguments.program).resolve(), arguments.problems or known, arguments.jobs)
    if arguments.check:
        return 0 if check(found) else 1
    told = json.loads(RESULT.read_text(encoding="utf-8")) if RESULT.exists() else {"problems": {}}
    problems = {name: found.get(name) or told["problems"].get(name) for name in known}
    problems = {name: of for name, of in problems.items() if of}
    command = "validation/peers/work_precision.py articulate-work-precision"
    RESULT.write_text(
        written({"command": command, "commit": commit(), "packages": versions(), "problems": problems}), encoding="utf-8"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
