#!/usr/bin/env python3
"""Derivatives of any order against their order and the number of bodies: reads what the bench program writes.

usage: higher_order_report.py RUN.json... --output BENCH.json

Each RUN.json is the --benchmark_out of one program, so one set of compiler flags. What is printed are ratios of the
medians of one run, and what they grow like: the p of time = c n^p over all sizes, the p of time = c r^p over the upper
half of the orders, the a + b r + c r^2 through all orders, the factor of one more order.
"""
import argparse
import json
import math
import os
import statistics
from collections import defaultdict

from report import exponent, read_times

FAST, BATCH, SPATIAL, DENSE = "BodyForm", "Batch", "SpatialForm", "SpatialForm, dense"
TAYLOR, NESTED = "Taylor-mode AD", "nested AD"
PLAIN = {"inverse": "InverseDynamics", "forward": "ForwardDynamics"}
BARS_OF_SPATIAL = {"inverse": 3, "forward": 2.5}


def parabola(points):
    """The a, b, c of y = a + b x + c x^2 by least squares, by elimination in the normal equations."""
    rows = [[sum(x ** (i + j) for x, _ in points) for j in range(3)] + [sum(y * x**i for x, y in points)]
            for i in range(3)]
    for i in range(3):
        for k in range(i + 1, 3):
            factor = rows[k][i] / rows[i][i]
            rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
    solution = [0.0] * 3
    for i in (2, 1, 0):
        solution[i] = (rows[i][3] - sum(rows[i][j] * solution[j] for j in range(i + 1, 3))) / rows[i][i]
    return solution


def growth(points):
    """The factor a of time = c a^r."""
    slope = statistics.linear_regression([r for r, _ in points], [math.log(time) for _, time in points]).slope
    return math.exp(slope)


def digest(path):
    """All that is known of one run, ready for the JSON."""
    context, timed = read_times(path)
    by_size, by_order = defaultdict(list), defaultdict(list)
    tree = next(name[0] for name in timed if name[2] == NESTED)
    for (name, problem, algorithm, order), numbers in timed.items():
        if name == tree:
            by_order[problem, algorithm].append((int(order), numbers["median_ns"]))
    orders_of_sizes = {int(name[3]) for name in timed if name[0] != tree}
    for (name, problem, algorithm, order), numbers in timed.items():
        if int(order) in orders_of_sizes and (tree != name or algorithm in (FAST, BATCH, SPATIAL, DENSE)):
            by_size[problem, algorithm].append((numbers["n"], numbers["median_ns"]))
    return {
        "flags": context["flags"],
        "compiler": context["compiler"],
        "date": context["date"],
        "processors": context["num_cpus"],
        "load_average": context["load_avg"],
        "tree": tree,
        "n": next(numbers["n"] for name, numbers in timed.items() if name[0] == tree),
        "order_of_sizes": min(orders_of_sizes),
        "by_order": {f"{problem}/{algorithm}": sorted(points) for (problem, algorithm), points in by_order.items()},
        "by_size": {f"{problem}/{algorithm}": sorted(points) for (problem, algorithm), points in by_size.items()},
        "spread": {"/".join(name): numbers["spread"] for name, numbers in timed.items()},
    }


def print_orders(run, problem):
    """Times at each order in units of one run of the plain recursion, and what they grow like."""
    times = {name.split("/", 1)[1]: dict(points) for name, points in run["by_order"].items()
             if name.startswith(problem)}
    unit = times[PLAIN[problem]][0]
    columns = [FAST, BATCH, SPATIAL, DENSE, TAYLOR, NESTED]
    print(f"\n{problem} dynamics of {run['tree']}, N = {run['n']}, by order, in runs of {PLAIN[problem]}:")
    print(f"{'r':>3}" + "".join(f"{column:>20}" for column in columns))
    for r in sorted(times[FAST]):
        cells = "".join(f"{times[c][r] / unit:20.2f}" if r in times[c] else f"{'':20}" for c in columns)
        print(f"{r:3}{cells}")
    for column in columns[:-1]:
        points = sorted((r, time / unit) for r, time in times[column].items())
        upper = [point for point in points if point[0] >= max(times[column]) / 2]
        a, b, c = parabola(points)
        print(f"  {column:20} ~ r^{exponent(upper):.2f} from r = {upper[0][0]}; {a:.2f} {b:+.2f} r {c:+.3f} r^2")
    nested = sorted(times[NESTED].items())
    print(f"  {NESTED:20} ~ {growth(nested):.2f}^r")
    return times, unit


def print_bars(run):
    """What the fast form is measured by."""
    r, last = run["order_of_sizes"], None
    for problem in PLAIN:
        times, unit = print_orders(run, problem)
        last = max(times[NESTED])
        fast = times[FAST]
        print(f"  the fast form is {times[SPATIAL][r] / fast[r]:.2f} times as fast as the spatial form at r = {r} "
              f"(bar {BARS_OF_SPATIAL[problem]}), {times[DENSE][r] / fast[r]:.2f} times as fast as the dense one;")
        print(f"  of eight states at once each takes {times[BATCH][r] / fast[r]:.2f} of one alone (bar 0.45);")
        print(f"  at r = 0 it takes {fast[0] / unit:.2f} of {PLAIN[problem]} (bar 1.2); nested differentiation takes "
              f"{times[NESTED][last] / fast[last]:.0f} times as long at r = {last} (bar 100), Taylor mode "
              f"{times[TAYLOR][last] / fast[last]:.1f} times.")


def print_sizes(run):
    """Times at each number of bodies, and what they grow like."""
    print(f"\nBy number of bodies N at r = {run['order_of_sizes']}, in time of the smallest tree's fast form:")
    for problem in PLAIN:
        unit = run["by_size"][f"{problem}/{FAST}"][0][1]
        for algorithm in (FAST, BATCH, SPATIAL, DENSE):
            points = run["by_size"][f"{problem}/{algorithm}"]
            cells = "".join(f"{f'N={n}':>8} {time / unit:7.2f}" for n, time in points)
            print(f"  {problem} {algorithm:20} ~ N^{exponent(points):.2f}{cells}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="RUN.json")
    parser.add_argument("--output", required=True, metavar="BENCH.json")
    options = parser.parse_args()
    runs = [digest(path) for path in options.runs]
    for number, run in enumerate(runs, 1):
        print(f"{'' if number == 1 else chr(10)}Derivatives of any order, {run['compiler']}, {run['flags']}")
        print_bars(run)
        print_sizes(run)
        spreads = run["spread"].values()
        print(f"\nThe middle half of the repetitions spans {statistics.median(spreads):.0%} of the median, "
              f"at worst {max(spreads):.0%}.")
    with open(options.output + ".part", "w") as file:
        json.dump({"runs": runs}, file, indent=1)
    os.replace(options.output + ".part", options.output)


if __name__ == "__main__":
    main()
