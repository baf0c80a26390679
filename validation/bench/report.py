#!/usr/bin/env python3
"""The ratios of a comparison of speed: reads what the bench programs write, prints a table, writes the numbers.

usage: report.py RUN.json... --output BENCH.json [--compare OLD.json]

Each RUN.json is the --benchmark_out of one program, so one compiler with one set of flags. A ratio divides the median
time of ours by the median time of a peer of the same run: nanoseconds say more about the machine and stay in the JSON. Of a peer
with several algorithms the fastest counts. What is built on a recursion, whole Jacobians or constrained motion, is told
in runs of that recursion. The cost of a chain of n bodies is fitted by time = c n^p, by least squares in logarithms.

The repetitions of all take turns, so that each median has an interval that holds with 95 % for any law of noise: between
two repetitions counted from either end, by the coin tosses of the sign test. Where the intervals of two times overlap,
the machine was too noisy to tell which is shorter.

OLD.json is what an earlier run wrote. The peers have not changed since, so what became of their times tells how fast the
machine was and how far noise goes: a change of ours that is no larger than one of theirs is not told.
"""
import argparse
import json
import math
import os
import statistics
from collections import defaultdict

OURS = {
    "inverse": "articulate InverseDynamics",
    "forward": "articulate ForwardDynamics",
    "mass": "articulate CompositeBodies",
}
# The same for several states at once, in the lanes of the processor: the time per state.
BATCHED = {problem: f"articulate Batch {problem}" for problem in OURS}
# What is built on these, with the run of its recursion.
EXTENSIONS = [
    "articulate InverseDynamicsJacobians",
    "articulate CoriolisMatrix",
    "articulate ReferenceDynamics",
    "articulate Regressor",
    "articulate HybridDynamicsJacobians",
    "articulate ConstrainedDynamics, 3 rows",
    *BATCHED.values(),
    "articulate Batch Jacobians of inverse",
    "articulate Batch Jacobians of forward",
]
CHAIN = "planar_arm:"
COMPLEXITY = {
    "articulate InverseDynamics": "recursive Newton-Euler, O(n)",
    "articulate ForwardDynamics": "articulated bodies, O(n)",
    "articulate CompositeBodies": "mass matrix by composite bodies, O(n^2) on a chain",
    "articulate CoriolisMatrix": "Coriolis matrix by composite bodies, O(n^2) on a chain",
    "articulate ReferenceDynamics": "recursive Newton-Euler with a second twist, O(n)",
    "articulate Regressor": "ten columns of each body carried to the base, O(n^2) on a chain",
    "articulate InverseDynamicsJacobians": "all three matrices by composite bodies, O(n^2) on a chain",
    "articulate HybridDynamicsJacobians": "the same, n halves of responses, and sums over the joints that two degrees share, O(n^2 d), O(n^3) on a chain",
    "articulate ConstrainedDynamics, 3 rows": "articulated bodies and three short responses, O(n)",
    "articulate Batch inverse": "the same sweeps, several states at once, per state",
    "articulate Batch forward": "the same",
    "articulate Batch mass": "the same",
    "articulate Batch Jacobians of inverse": "the same",
    "articulate Batch Jacobians of forward": "the same",
    "DART computeInverseDynamics": "recursive Newton-Euler, O(n)",
    "DART computeForwardDynamics": "articulated bodies, O(n)",
    "DART getMassMatrix": "mass matrix by columns, O(n^2)",
    "MuJoCo mj_rne": "recursive Newton-Euler, O(n)",
    "MuJoCo mj_crb, mj_factorM, mj_rne, mj_solveM": "composite bodies and sparse L^T D L, O(n d^2)",
    "MuJoCo mj_crb, mj_fullM": "mass matrix by composite bodies, O(n d)",
    "Bullet btMultiBody": "articulated bodies, O(n)",
    "Simbody calcResidualForce": "recursive Newton-Euler, O(n)",
    "Simbody calcAcceleration": "articulated bodies, O(n)",
    "Simbody calcM": "mass matrix by columns, O(n^2)",
    "KDL TreeIdSolver_RNE": "recursive Newton-Euler, body by body through maps of names, O(n log n)",
    "KDL ChainIdSolver_RNE": "recursive Newton-Euler, O(n)",
    "KDL ChainDynParam::JntToMass": "composite-body mass matrix O(n^2)",
    "KDL ChainFdSolver_RNE": "composite-body mass matrix O(n^2), dense LDL^T O(n^3)",
    "KDL ChainHdSolver_Vereshchagin": "articulated bodies with one void constraint, O(n)",
}


def interval_of_median(times):
    """Between which of the repetitions the median of their law is, with 95 %: each is below it like a coin's head."""
    times, n = sorted(times), len(times)
    tail, k = 0, 0
    while (tail := tail + math.comb(n, k) / 2**n) <= 0.025:
        k += 1
    return (times[k - 1], times[n - k]) if k else (0, math.inf)


def read_times(path):
    """The context of a run, and what was timed, by the parts of its name: its size, times and their spread."""
    with open(path) as file:
        run = json.load(file)
    repetitions, sizes = defaultdict(list), {}
    for entry in run["benchmarks"]:
        if entry["run_type"] == "iteration":
            name = tuple(entry["run_name"].split("/"))
            repetitions[name].append(entry["cpu_time"] / entry.get("states", 1))
            sizes[name] = int(entry["n"])
    timed = {}
    for name, times in repetitions.items():
        median = statistics.median(times)
        quarters = statistics.quantiles(times, n=4) if len(times) > 1 else [median] * 3
        timed[name] = {"n": sizes[name], "repetitions": len(times), "median_ns": median,
                       "interval_ns": interval_of_median(times), "spread": (quarters[2] - quarters[0]) / median}
    return run["context"], timed


def read_run(path):
    """The context of a run, and what was timed: {(model, problem): {algorithm: its numbers}}."""
    context, times = read_times(path)
    timed = defaultdict(dict)
    for (model, problem, algorithm), numbers in times.items():
        timed[model, problem][algorithm] = numbers
    return context, timed


def exponent(points):
    """The p of time = c n^p through the points (n, time)."""
    x, y = [math.log(n) for n, _ in points], [math.log(time) for _, time in points]
    x_mean, y_mean = statistics.fmean(x), statistics.fmean(y)
    return sum((a - x_mean) * (b - y_mean) for a, b in zip(x, y)) / sum((a - x_mean) ** 2 for a in x)


def size(algorithms):
    """The n of a model, from what was timed on it."""
    return max(numbers["n"] for numbers in algorithms.values())


def is_ours(algorithm):
    return algorithm.startswith("articulate ")


def overlap(a, b):
    return a[0] <= b[1] and b[0] <= a[1]


def widest(a, b):
    """The factor up and down within which a ratio is known, if each median may be anywhere in its interval."""
    return math.sqrt(a[1] / a[0] * b[1] / b[0]) if a[0] and b[0] else math.inf


def digest(path):
    """All that is known of one run, ready for the JSON."""
    context, timed = read_run(path)
    times, ratios, multiples, chains = [], [], [], defaultdict(list)
    # Run in random order, told in this one: the robots, then the family of chains by size, inverse dynamics first.
    order = lambda key: (key[0].startswith(CHAIN), size(timed[key]), list(OURS).index(key[1]))
    for model, problem in sorted(timed, key=order):
        algorithms = timed[model, problem]
        ours = algorithms[OURS[problem]]
        for algorithm, numbers in sorted(algorithms.items()):
            times.append({"model": model, "problem": problem, "algorithm": algorithm, **numbers})
            if model.startswith(CHAIN):
                chains[algorithm].append((numbers["n"], numbers["median_ns"]))
            if is_ours(algorithm):
                continue
            for who in (OURS[problem], BATCHED[problem]):
                if one := algorithms.get(who):
                    ratios.append({"model": model, "problem": problem, "n": ours["n"], "ours": who, "peer": algorithm,
                                   "ours_over_peer": one["median_ns"] / numbers["median_ns"],
                                   "within": widest(one["interval_ns"], numbers["interval_ns"]),
                                   "told": not overlap(one["interval_ns"], numbers["interval_ns"])})
        for algorithm in EXTENSIONS:
            if algorithm in algorithms:
                multiples.append({"model": model, "n": ours["n"], "algorithm": algorithm, "recursion": OURS[problem],
                                  "runs_of_recursion": algorithms[algorithm]["median_ns"] / ours["median_ns"]})
    return {
        "flags": context["flags"],
        "compiler": context["compiler"],
        "peer": context["peer"],
        "limits": context["limits"],
        "date": context["date"],
        "processors": context["num_cpus"],
        "load_average": context["load_avg"],
        "times": times,
        "ratios": ratios,
        "multiples": multiples,
        "exponents": {algorithm: exponent(points) for algorithm, points in chains.items() if len(points) > 1},
    }


def changes(old, run):
    """Two runs: by which factor the peers' times changed, how far one of them strays from that, and the factors of ours."""
    name = lambda row: (row["model"], row["problem"], row["algorithm"])
    then = {name(row): row["median_ns"] for row in old["times"]}
    factors = {name(row): row["median_ns"] / then[name(row)] for row in run["times"] if name(row) in then}
    peers = [factor for key, factor in factors.items() if not is_ours(key[2])]
    if not peers:
        raise SystemExit("bench: the two runs have no peer in common, so a change cannot be told from a slower machine")
    machine = statistics.median(peers)
    noise = max(max(factor / machine, machine / factor) for factor in peers)
    return machine, noise, {key: factor / machine for key, factor in factors.items() if is_ours(key[2])}


def print_changes(old_runs, runs):
    """What became of our times since an earlier run, flags by flags."""
    for run in runs:
        print(f"\nSince the earlier run, {run['compiler']}, {run['flags']}:")
        built = lambda run: (run["compiler"].split()[0], run["flags"], run["peer"])
        old = next((old for old in old_runs if built(old) == built(run)), None)
        if old is None:
            print(f"  it has none by this compiler with these flags beside {run['peer']}.")
            continue
        machine, noise, ours = changes(old, run)
        told = {key: factor for key, factor in ours.items() if max(factor, 1 / factor) > noise}
        print(f"  The peers, which are the same, take {machine:.2f} of their time, one of them {noise:.2f} times more or "
              "less than that.")
        for (model, _, algorithm), factor in told.items():
            print(f"  {model:24} {algorithm.removeprefix('articulate '):30}{factor:7.2f}")
        print(f"  The machine was too noisy to tell whether {len(ours) - len(told)} of our {len(ours)} times changed.")


def fastest_of_peers(run):
    """{(model, problem, ours or batch): {peer: (ratio, whether it is told)}}, each peer by its fastest algorithm."""
    rows = defaultdict(dict)
    for row in run["ratios"]:
        peer = row["peer"].split()[0]
        cells = rows[row["model"], row["n"], row["problem"], row["ours"]]
        cells[peer] = max(cells.get(peer, (0, True)), (row["ours_over_peer"], row["told"]))
    return rows


def print_table(runs):
    """One line for each problem on a model, alone and in a batch, one column of ratios for each peer and run."""
    print(f"{runs[0]['peer']}. Time of ours divided by time of the peer, medians of one run:")
    for number, run in enumerate(runs, 1):
        print(f"  ({number}) {run['compiler']}, {run['flags']}")
    tables = [fastest_of_peers(run) for run in runs]
    peers = [name.split()[0] for name in runs[0]["peer"].split(", ")]
    heads = "".join(f"{peer if number == 1 else f'({number})':>9}" for peer in peers for number in range(1, len(runs) + 1))
    print(f"\n{'model':22} {'n':>3}  {'problem':14}{heads}")
    for model, n, problem, ours in tables[0]:
        cells = ""
        for peer in peers:
            for table in tables:
                ratio, told = table[model, n, problem, ours].get(peer, (math.nan, True))
                cells += f"{'-':>9}" if math.isnan(ratio) else f"{ratio:8.3f}{' ' if told else '?'}"
        print(f"{model:22} {n:3}  {problem + (', batch' if ours == BATCHED[problem] else ''):14}{cells}")
    print(runs[0]["limits"])
    print("A batch solves eight states at once; its time is that of one. On floating bases nobody is compared.")
    ratios = [row for run in runs for row in run["ratios"]]
    unknown = sum(not row["told"] for row in ratios)
    print(f"The machine was too noisy to tell who is faster in {unknown} of {len(ratios)} comparisons"
          f"{', those with a ?' if unknown else ''}.")
    within = [row["within"] for row in ratios]
    print(f"Half of the ratios are known to a factor of {statistics.median(within):.2f}, all to one of {max(within):.2f}.")
    print("\nWhat is built on a recursion, its run included, in units of that run:")
    columns = [{(row["model"], row["algorithm"]): row["runs_of_recursion"] for row in run["multiples"]} for run in runs]
    for row in runs[0]["multiples"]:
        cells = "".join(f"{column.get((row['model'], row['algorithm']), math.nan):7.2f}" for column in columns)
        print(f"{row['model']:24} {row['n']:3}  {row['algorithm'].removeprefix('articulate '):30}"
              f"{row['recursion'].removeprefix('articulate '):16}{cells}")
    print("\nCost of a chain of n bodies, time = c n^p:")
    for algorithm, text in COMPLEXITY.items():
        powers = "".join(f"{run['exponents'][algorithm]:7.2f}" for run in runs if algorithm in run["exponents"])
        if powers:
            print(f"  {algorithm:40}{powers}   {text}")
    spreads = [row["spread"] for run in runs for row in run["times"]]
    print(f"\nThe middle half of the repetitions spans {statistics.median(spreads):.0%} of the median, "
          f"at worst {max(spreads):.0%}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="RUN.json")
    parser.add_argument("--output", required=True, metavar="BENCH.json")
    parser.add_argument("--compare", metavar="OLD.json")
    options = parser.parse_args()
    old_runs = []
    if options.compare:
        with open(options.compare) as file:  # now: it may be what is overwritten below
            old_runs = json.load(file)["runs"]
    runs = [digest(path) for path in options.runs]
    print_table(runs)
    if options.compare:
        print_changes(old_runs, runs)
    with open(options.output + ".part", "w") as file:
        json.dump({"algorithms": COMPLEXITY, "runs": runs}, file, indent=1)
    os.replace(options.output + ".part", options.output)


if __name__ == "__main__":
    main()
