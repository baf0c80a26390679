#!/usr/bin/env python3
"""What the report of a comparison of speed says of two runs, on runs made up."""
import contextlib
import io
import json
import math
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import report

INVERSE, FORWARD, KDL = "articulate InverseDynamics", "articulate ForwardDynamics", "KDL ChainIdSolver_RNE"


def run(times, flags="-O2", peer="KDL 1.5.1", compiler="g++ 12"):
    """A run of (model, problem, algorithm): time."""
    return {"flags": flags, "peer": peer, "compiler": compiler,
            "times": [{"model": model, "problem": problem, "algorithm": algorithm, "median_ns": time}
                      for (model, problem, algorithm), time in times.items()]}


def said(old_runs, runs):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        report.print_changes(old_runs, runs)
    return out.getvalue()


class Changes(unittest.TestCase):
    old = {("ur5", "inverse", INVERSE): 100, ("ur5", "forward", FORWARD): 200, ("ur5", "inverse", KDL): 400,
           ("panda", "inverse", KDL): 500, ("puma560", "inverse", KDL): 600}

    def test_a_slower_machine_is_no_change(self):
        machine, noise, ours = report.changes(run(self.old), run({key: 3 * time for key, time in self.old.items()}))
        self.assertAlmostEqual(machine, 3)
        self.assertAlmostEqual(noise, 1)
        for factor in ours.values():
            self.assertAlmostEqual(factor, 1)

    def test_only_ours_counts_as_ours(self):
        new = self.old | {("ur5", "inverse", INVERSE): 50}
        _, _, ours = report.changes(run(self.old), run(new))
        self.assertEqual(ours, {("ur5", "inverse", INVERSE): 0.5, ("ur5", "forward", FORWARD): 1})

    def test_a_change_as_large_as_one_of_a_peer_is_not_told(self):
        new = self.old | {("ur5", "inverse", INVERSE): 120, ("ur5", "forward", FORWARD): 100,
                          ("panda", "inverse", KDL): 400}
        text = said([run(self.old)], [run(new)])
        self.assertRegex(text, r"ur5 +ForwardDynamics +0\.50\n")
        self.assertNotIn("InverseDynamics", text)
        self.assertIn("1.00 of their time, one of them 1.25 times", text)
        self.assertIn("too noisy to tell whether 1 of our 2 times changed", text)

    def test_other_flags_compilers_and_peers_are_not_compared(self):
        for other in (run(self.old, flags="-O3"), run(self.old, peer="KDL 1.4"), run(self.old, compiler="clang++ 14")):
            self.assertIn("it has none by this compiler with these flags beside KDL 1.5.1", said([other], [run(self.old)]))

    def test_without_a_peer_nothing_is_told(self):
        new = {("ur5", "inverse", INVERSE): 50, ("ur5", "inverse", "KDL, another"): 400}
        with self.assertRaisesRegex(SystemExit, "no peer in common"):
            report.changes(run(self.old), run(new))

    def test_the_file_compared_with_may_be_overwritten(self):
        with tempfile.TemporaryDirectory() as folder:
            raw, bench = pathlib.Path(folder, "raw.json"), pathlib.Path(folder, "bench.json")
            measured = self.measuring(raw, bench)
            self.assertNotIn("Since the earlier run", measured(100))
            self.assertRegex(measured(30), r"Since the earlier run, g\+\+ 12, -O2:\n(.*\n)*  ur5 +InverseDynamics +0\.30\n")
            result = json.loads(bench.read_text())["runs"][0]
            self.assertEqual([row["ours_over_peer"] for row in result["ratios"]], [30 / 400, 50 / 400, 30 / 500, 50 / 500])
            self.assertEqual(result["multiples"][0]["runs_of_recursion"], 50 / 30)
            self.assertEqual([row["median_ns"] for row in result["times"]], [400, 500, 50, 30])  # of one state

    def test_one_table_has_the_fastest_algorithm_of_each_peer_alone_and_in_a_batch(self):
        with tempfile.TemporaryDirectory() as folder:
            text = self.measuring(pathlib.Path(folder, "raw.json"), pathlib.Path(folder, "bench.json"))(30)
        self.assertRegex(text, r"\nmodel +n +problem +KDL +DART\nur5 +6 +inverse +0\.075 +- *\n"
                               r"ur5 +6 +inverse, batch +0\.125 +- *\nDART is not asked\.\n")
        self.assertIn("too noisy to tell who is faster in 0 of 4 comparisons.", text)
        # The intervals are 1 ns up and down: 400 and 500 ns beside 30 and 50.
        self.assertIn("Half of the ratios are known to a factor of 1.03, all to one of 1.04.", text)

    def test_times_that_overlap_do_not_tell_who_is_faster(self):
        with tempfile.TemporaryDirectory() as folder:
            text = self.measuring(pathlib.Path(folder, "raw.json"), pathlib.Path(folder, "bench.json"))(399.5)
        self.assertRegex(text, r"inverse +0\.999\? ")
        self.assertIn("too noisy to tell who is faster in 1 of 4 comparisons, those with a ?.", text)

    def test_the_interval_of_a_median_is_that_of_the_sign_test(self):
        # Of 15 tosses 3 or fewer are heads with 1.8 %, 4 or fewer with 5.9 %: the tables of the sign test have 3.
        self.assertEqual(report.interval_of_median(range(15, 0, -1)), (4, 12))
        self.assertEqual(report.interval_of_median(range(6)), (0, 5))
        self.assertEqual(report.interval_of_median(range(5)), (0, math.inf))  # not even all of them are enough

    def measuring(self, raw, bench):
        """A function that reports of a run in which ours takes a given time, beside one that wrote the file before it."""
        context = {"flags": "-O2", "compiler": "g++ 12", "peer": "KDL 1.5.1, DART 6", "limits": "DART is not asked.",
                   "date": "today", "num_cpus": 2, "load_avg": [1]}

        def measured(ours):
            times = {"inverse/" + INVERSE: ours, "inverse/" + KDL: 400, "inverse/KDL slow": 500,
                     "inverse/articulate Batch inverse": 50}
            raw.write_text(json.dumps({"context": context, "benchmarks": [
                {"run_type": "iteration", "run_name": "ur5/" + name, "cpu_time": 8 * (time + move), "n": 6, "states": 8}
                for name, time in times.items() for move in (-1, -1, 0, 0, 0, 1, 1)]}))
            compare = ["--compare", str(bench)] if bench.exists() else []
            with mock.patch.object(sys, "argv", ["report.py", str(raw), "--output", str(bench), *compare]), \
                    contextlib.redirect_stdout(io.StringIO()) as out:
                report.main()
            return out.getvalue()
        return measured


if __name__ == "__main__":
    unittest.main()
