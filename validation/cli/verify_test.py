#!/usr/bin/env python3
"""What `verify` and `models` promise on the command line: exit codes, sentences, and the shape of the JSON."""
import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import unittest

import robots

PROGRAM = sys.argv.pop(1)
ROW = {"key", "paper", "section", "kind", "chapter", "ground", "claim", "statement", "clauses", "symbol", "status",
       "identities", "erratum"}
IDENTITY = {"name", "method", "residual_double", "tolerance_double", "residual_50", "tolerance_50", "kappa", "clauses",
            "rivals", "passed"}
STATUSES = ["verified", "definition", "setting", "reproduced", "not_reproduced", "unrecoverable", "open",
            "not_applicable", "not_measurable", "failed"]


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)


class Verify(unittest.TestCase):
    def ledger(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ledger.json")
            result = run("verify", *arguments, "--json", path)
            with open(path) as file:
                return result, json.load(file)

    def test_the_json_has_every_row_with_its_residuals(self):
        result, ledger = self.ledger("--model", "ur5", "--states", "2", "--seed", "7")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(ledger["rows"]), 516)
        self.assertEqual((ledger["model"], ledger["states"], ledger["seed"]), ("ur5", 2, 7))
        self.assertIn("twist", " ".join(ledger["conventions"]))
        for row in ledger["rows"]:
            self.assertEqual(set(row), ROW)
            self.assertIn(row["status"], STATUSES)
            if row["status"] in ("verified", "setting", "reproduced"):
                compared = {key for identity in row["identities"] for key in identity["clauses"]}
                self.assertEqual(compared, {clause["key"] for clause in row["clauses"]})
            for identity in row["identities"]:
                self.assertEqual(set(identity), IDENTITY)
                self.assertTrue(identity["passed"])
                self.assertLessEqual(identity["residual_double"], identity["tolerance_double"])
                self.assertLessEqual(identity["residual_50"], identity["tolerance_50"])
        for status in STATUSES:
            counted = sum(row["status"] == status for row in ledger["rows"])
            self.assertEqual(ledger["summary"][status], counted)
        self.assertEqual(ledger["summary"]["rows"], 516)
        self.assertEqual(sum(map(int, re.findall(r"^  \w+ +(\d+) rows: \d+", result.stdout, re.M))), 516)

    def test_quick_measures_kappa_only_where_a_comparison_does_not_hold_with_one(self):
        def kappas(*options):
            _, ledger = self.ledger("--model", "planar_arm:2", "--states", "1", *options)
            return [identity["kappa"] for row in ledger["rows"] for identity in row["identities"]]

        every, some = kappas(), kappas("--quick")
        self.assertEqual(len(every), len(some))
        self.assertLess(every.count(1), len(every) / 2)
        self.assertGreater(some.count(1), len(some) / 2)

    def test_a_robot_without_joints_verifies_nothing(self):
        fixed = """<robot name="post"><link name="a"/><link name="b"><inertial><mass value="1"/>
            <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
            <joint name="weld" type="fixed"><parent link="a"/><child link="b"/></joint></robot>"""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "post.urdf")
            with open(path, "w") as file:
                file.write(fixed)
            result, ledger = self.ledger("--model", path, "--states", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        status = {row["key"]: row["status"] for row in ledger["rows"]}
        for key in ("kim:S_i", "kim:T2", "kim:T3", "kim:31", "kim:41", "kim:50", "park:23"):
            self.assertEqual(status[key], "not_applicable", key)
        self.assertNotIn("verified", status.values())

    def test_figures_of_an_erratum_stand_only_where_they_were_measured(self):
        _, ledger = self.ledger("--model", "forked_arm", "--states", "1")
        rows = {row["key"]: row for row in ledger["rows"]}
        self.assertIsNone(rows["kim:54"]["erratum"]["printed_residual"])
        self.assertGreater(rows["kim:T3"]["erratum"]["printed_residual"], 1e-6)

    def test_the_page_shows_every_row_and_escapes_what_is_in_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ledger.html")
            result = run("verify", "--model", "park_2r", "--states", "1", "--html", path)
            with open(path, encoding="utf-8") as file:
                page = file.read()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sum(page.count(f'class="{status}"') for status in STATUSES), 516)
        self.assertIn("forward_dynamics_undoes_inverse_dynamics", page)
        self.assertNotIn("<script", page)
        rows = [line for line in page.splitlines() if line.startswith("<tr><td>")]
        for row in rows:
            self.assertEqual(row.count("<td"), row.count("</td>"), row)

    def test_odd_options_get_one_sentence(self):
        for arguments, words in [(("--seed", "-1"), "--seed"), (("--seed", "1e3"), "whole number"),
                                 (("--states", "abc"), "--states"), (("--states", "0"), "at least 1"),
                                 (("--states", "99999999999"), "--states"), (("--model="), "--model"),
                                 (("--model", ""), "--model"), (("--modle", "ur5"), "--modle"),
                                 (("--json", "no/such/folder/x"), "no/such/folder/x"), (("--json", "/"), "directory")]:
            result = run("verify", *([arguments] if isinstance(arguments, str) else arguments))
            self.assertNotEqual(result.returncode, 0, arguments)
            self.assertEqual(result.stdout, "", arguments)
            self.assertRegex(result.stderr, r"\Aarticulate: [^\n]+\n\Z", arguments)
            self.assertIn(words, result.stderr)

    def test_errata_carry_both_residuals(self):
        _, ledger = self.ledger("--model", "forked_arm", "--states", "1")
        proved = {e["id"]: e for e in ledger["errata"] if e["printed_residual"] is not None}
        self.assertLessEqual({"E-kim-1", "E-kim-3", "E-kim-4", "E-kim-12", "E-park-1", "E-park-7", "E-park-8"}, set(proved))
        for erratum in proved.values():
            self.assertGreater(erratum["printed_residual"], 1e-6)
            # E-ma-3 and E-ma-9 compare rounded prints: 223 stands for 222.5 to 223.5.
            self.assertLess(erratum["corrected_residual"], 0.5 / 223 if erratum["id"] in ("E-ma-3", "E-ma-9") else 1e-11)

    def test_the_same_seed_gives_the_same_ledger_and_another_seed_another(self):
        first, again, other = (
            self.ledger("--model", "park_2r", "--states", "1", "--seed", seed)[1]["rows"] for seed in ("3", "3", "4"))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_the_seed_is_printed(self):
        self.assertIn("seed 12345", run("verify", "--model", "park_2r", "--states", "1", "--seed", "12345").stdout)

    def first_line(self, *arguments):
        """What `verify` says before it proves anything; a terminal gets each line at once."""
        master, slave = pty.openpty()
        with subprocess.Popen([PROGRAM, "verify", *arguments], stdout=slave, stderr=slave, stdin=subprocess.DEVNULL) as process:
            os.close(slave)
            with open(master) as terminal:
                line = terminal.readline()
            process.kill()
        return line

    def test_large_models_are_proved_in_two_states_and_others_in_ten(self):
        # An arm has a base, too: the first has 60 links, the second 61.
        for model, states in (("planar_arm:59", 10), ("planar_arm:60", 2)):
            self.assertIn(f"{states} random states on each of 1 model", self.first_line("--model", model))
        self.assertIn("3 random states", self.first_line("--model", "planar_arm:60", "--states", "3"))

    def test_it_says_what_it_leaves_out_on_long_robots(self):
        said = run("verify", "--model", "planar_arm:61", "--states", "1").stdout
        self.assertIn("warning: planar_arm:61 has 61 joint rates; matrices with six rows", said)
        self.assertIn("compared on models of at most 60.", said)

    def test_a_floating_base_is_proved_too(self):
        result, ledger = self.ledger("--model", "planar_arm:2", "--floating-base", "--states", "1")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertTrue(ledger["floating_base"])

    def test_axes_that_line_up_and_links_without_moments_are_proved_too(self):
        with tempfile.TemporaryDirectory() as folder:
            for made, kinds in ((robots.aligned, robots.ALIGNED), (robots.hand, robots.FINGERS)):
                for kind in kinds:
                    path = os.path.join(folder, kind.replace(" ", "_") + ".urdf")
                    with open(path, "w") as file:
                        file.write(made(kind))
                    with self.subTest(kind):
                        result = run("verify", "--quick", "--model", path, "--states", "2")
                        self.assertEqual(result.returncode, 0, result.stdout)

    def test_axes_through_the_origin_and_wide_links_are_proved_too(self):
        arm = ('<robot name="one"><link name="floor"/><link name="arm"><inertial><origin xyz="0.3 0.1 0.2"/>{}</inertial></link>'
               '<joint name="j" type="continuous"><parent link="floor"/><child link="arm"/><origin xyz="{}"/><axis xyz="0 0 1"/>'
               '</joint></robot>')
        heavy = '<mass value="2"/><inertia ixx="0.1" iyy="0.2" izz="0.15" ixy="0" ixz="0" iyz="0"/>'
        wide = '<mass value="0.01"/><inertia ixx="10" iyy="12" izz="13" ixy="0" ixz="0" iyz="0"/>'
        for place, weight in (("0 0 0", heavy), ("0.1 0.4 0", wide)):
            with self.subTest(place), tempfile.NamedTemporaryFile("w", suffix=".urdf") as file:
                file.write(arm.format(weight, place))
                file.flush()
                result = run("verify", "--model", file.name, "--states", "2")
                self.assertEqual(result.returncode, 0, result.stdout)

    def test_strict_passes_because_no_row_is_open(self):
        result = run("verify", "--model", "park_2r", "--states", "1", "--strict")
        self.assertRegex(result.stdout, r"516 rows: \d+ verified, .*\b0 open")
        self.assertEqual(result.returncode, 0)

    def test_bad_input_gets_one_sentence(self):
        for arguments, pieces in [
            (["--model", "nobody"], ["nobody"]),
            (["--model", "missing.urdf"], ["missing.urdf"]),
            (["--model", "ur5", "--states", "0"], ["--states", "0", "at least 1"]),
        ]:
            result = run("verify", *arguments)
            self.assertEqual(result.returncode, 1, arguments)
            self.assertEqual(result.stderr.strip().count("\n"), 0, result.stderr)
            for piece in pieces:
                self.assertIn(piece, result.stderr)

    def test_two_outputs_are_two_files_and_none_is_the_model(self):
        with tempfile.TemporaryDirectory() as folder:
            model, page = os.path.join(folder, "a.urdf"), os.path.join(folder, "page")
            with open(model, "w") as file:
                file.write('<robot name="a"><link name="a"/></robot>')
            for options, words in ((("--json", page, "--html", page), "--html would overwrite what --json writes"),
                                   (("--json", model), "--json would overwrite what --model reads")):
                result = run("verify", "--model", model, "--states", "1", *options)
                self.assertEqual((result.returncode, result.stdout), (1, ""))
                self.assertIn(words, result.stderr)

    def test_options_and_the_model_can_be_checked_without_a_proof(self):
        good = run("verify", "--check-only", "--model", "ur5", "--states", "3")
        self.assertEqual((good.returncode, good.stdout, good.stderr), (0, "", ""))
        for arguments in (["--model", "nobody"], ["--states", "0"], ["--json", "/nonexistent/folder/ledger.json"]):
            self.assertEqual(run("verify", "--check-only", *arguments).returncode, 1, arguments)

    def test_an_unwritable_target_leaves_nothing(self):
        result = run("verify", "--model", "park_2r", "--states", "1", "--json", "/nonexistent/folder/ledger.json")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("/nonexistent/folder/ledger.json", result.stderr)

    def test_unknown_options_and_numbers_that_are_none_are_refused(self):
        for arguments in (["--frob"], ["--states", "many"], ["--seed", "-1.5"]):
            self.assertNotEqual(run("verify", *arguments).returncode, 0, arguments)

    def test_models_are_listed_with_a_line_each(self):
        result = run("models")
        self.assertEqual(result.returncode, 0)
        for name in ("park_2r", "puma560", "ur5", "panda", "planar_arm:4", "tree:3x4"):
            self.assertIn("\n" + name if not result.stdout.startswith(name) else name, result.stdout)


if __name__ == "__main__":
    unittest.main()
