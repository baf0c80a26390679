#!/usr/bin/env python3
"""How much work peers need for how many digits, on six machines whose true motion is known.

usage: work_precision.py PROGRAM [PROBLEM...] [--check] [--jobs N]

PROGRAM is articulate-work-precision. Each peer moves each machine at several settings; where it ends is compared with
equations of the machine's own, see validation/cli/motions.py, and work is how often it asked for accelerations. The
result is work_precision.json in this folder, which the notebook of chapter motion draws beside our own steps. With
--check that file stays, and what it says is compared with what is found. numpy is needed.

Where a control of steps decides by the last bits, as it does where rounding turns a motion, a processor with other
fused operations gets other steps. What may change with them is measured: each tolerance is tried nine times, changed by
some millionths. The middle of the nine is told, and how far they lie apart.
"""
import argparse
import concurrent.futures
import json
import math
import os
import statistics
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
NEIGHBOURS = [1 + k * 1e-6 for k in range(-4, 5)]


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


def neighbours(setting):
    """Tolerances beside that one; a number of equal steps is what it is."""
    return [setting] if isinstance(setting, int) else [setting * factor for factor in NEIGHBOURS]


def measure(program, names, jobs):
    """{problem: seconds, truth, doubt of the truth, and of each peer what `of_peer` says}."""
    machines, found = motions.problems(), {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name in names:
            problem = machines[name]
            true, doubt = truth(problem)
            found[name] = {"seconds": problem.seconds, "truth": true, "doubt": doubt, "peers": {}}
            for peer, settings in SETTINGS.items():
                tried = [(setting, near) for setting in settings for near in neighbours(setting)]
                ends = list(pool.map(lambda pair: run(program, problem, peer, pair[1]), tried))
                told = found[name]["peers"][peer] = of_peer(tried, ends, true)
                best = min((point[2] for point in told["points"]), default=math.inf)
                print(f"{name} {peer}: {len(told['points'])} points, best {best:.1e}", flush=True)
    return found


def of_peer(tried, ends, true):
    """Where most neighbours end: points (setting, evaluations, error), their middles. Of each setting how many neighbours
    end, with the least and the most evaluations and errors, and what those that do not end say."""
    told = {"points": [], "ranges": {}, "refused": {}}
    for setting in dict.fromkeys(setting for setting, _ in tried):
        here = [end for (of, _), end in zip(tried, ends) if of == setting]
        good = [(end[0], motions.distance([end[1]], [true])) for end in here if not isinstance(end, str)]
        evaluations, errors = [sorted(column) for column in zip(*good)] or ([], [])
        if 2 * len(good) > len(here):
            told["points"].append([setting, statistics.median_low(evaluations), statistics.median_low(errors)])
        else:
            told["refused"][f"{setting:g}"] = next(end for end in here if isinstance(end, str))
        apart = [evaluations[0], evaluations[-1], errors[0], errors[-1]] if good else []
        told["ranges"][f"{setting:g}"] = [len(good), len(here), *apart]
    return told


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


def agree(theirs, ours, least):
    """Whether what two machines found of one setting overlaps: counts but for 5 %, errors but for a factor of 2 or their
    own rounding, and a peer that always ends here may end there."""
    if min(theirs[0], ours[0]) == 0:
        return theirs[0] < theirs[1] and ours[0] < ours[1]
    (few, many, small, large), (few_here, many_here, small_here, large_here) = theirs[2:], ours[2:]
    counts = few <= 1.05 * many_here and few_here <= 1.05 * many
    return counts and small <= max(2 * large_here, least) and small_here <= max(2 * large, least)


def check(found):
    """Whether the file says what is found."""
    told = json.loads(RESULT.read_text(encoding="utf-8"))["problems"]
    failed = count = 0
    for name, problem in found.items():
        least = max(1e-12, 10 * problem["doubt"])
        for peer, of in problem["peers"].items():
            for setting, ours in of["ranges"].items():
                theirs = told[name]["peers"][peer]["ranges"][setting]
                count += 1
                if not agree(theirs, ours, least):
                    failed += 1
                    print(f"FAILED {name}, {peer} at {setting}: {theirs} in the file, {ours} found")
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
