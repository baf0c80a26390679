#!/usr/bin/env python3
"""What the report of a comparison of speed says of two runs, on runs made up."""
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import report

INVERSE, FORWARD, KDL = "articulate InverseDynamics", "articulate ForwardDynamics", "KDL ChainIdSolver_RNE"


def run(times, flags="-O2", peer="KDL 1.5.1"):
    """A run of (model, problem, algorithm): time."""
    return {"flags": flags, "peer": peer,
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
        self.assertIn("1.00 of its time, one of its algorithms 1.25 times", text)
        self.assertIn("too noisy to tell whether 1 of our 2 times changed", text)

    def test_other_flags_and_other_peers_are_not_compared(self):
        for other in (run(self.old, flags="-O3"), run(self.old, peer="KDL 1.4")):
            self.assertIn("it has none with these flags beside KDL 1.5.1", said([other], [run(self.old)]))

    def test_without_a_peer_nothing_is_told(self):
        new = {("ur5", "inverse", INVERSE): 50, ("ur5", "inverse", "KDL, another"): 400}
        with self.assertRaisesRegex(SystemExit, "no peer in common"):
            report.changes(run(self.old), run(new))

    def test_the_file_compared_with_may_be_overwritten(self):
        with tempfile.TemporaryDirectory() as folder:
            raw, bench = pathlib.Path(folder, "raw.json"), pathlib.Path(folder, "bench.json")
            context = {"flags": "-O2", "compiler": "g++ 12", "peer": "KDL 1.5.1", "date": "today", "num_cpus": 2,
                       "load_avg": [1]}

            def measured(ours):
                times = {"inverse/" + INVERSE: ours, "inverse/" + KDL: 400, "inverse/articulate Batch inverse": 50}
                raw.write_text(json.dumps({"context": context, "benchmarks": [
                    {"run_type": "iteration", "run_name": "ur5/" + name, "cpu_time": time, "n": 6}
                    for name, time in times.items()]}))
                compare = ["--compare", str(bench)] if bench.exists() else []
                with mock.patch.object(sys, "argv", ["report.py", str(raw), "--output", str(bench), *compare]), \
                        contextlib.redirect_stdout(io.StringIO()) as out:
                    report.main()
                return out.getvalue()

            self.assertNotIn("Since the earlier run", measured(100))
            self.assertRegex(measured(30), r"Since the earlier run, -O2:\n(.*\n)*  ur5 +InverseDynamics +0\.30\n")
            result = json.loads(bench.read_text())["runs"][0]
            self.assertEqual(len(result["ratios"]), 1)  # a batch of ours is no peer
            self.assertEqual(result["ratios"][0]["ours_over_peer"], 30 / 400)
            self.assertEqual(result["ratios"][0]["batched_over_peer"], 50 / 400)
            self.assertEqual(result["multiples"][0]["runs_of_recursion"], 50 / 30)
            self.assertRegex(measured(30), r"time per state divided by time of the peer:\nur5 .* 0\.125\n")


if __name__ == "__main__":
    unittest.main()
