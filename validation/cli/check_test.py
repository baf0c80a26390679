"""Drives `check`: right and wrong numbers, streams, shards, and engines that answer, cannot, or do what none should.

usage: check_test.py PROGRAM     where PROGRAM is the built command line; the one that checks is beside it
"""
import json
import math
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree
from pathlib import Path

import numpy as np
from command import PROGRAM, answers

HERE = Path(__file__).resolve().parent
CHECK = str(Path(PROGRAM[0]).with_name("articulate-check"))
ENGINE = f"'{sys.executable}' '{HERE / 'engines.py'}' "
UR5 = ["--model", "ur5"]


def check(*arguments, given=b"", timeout=120):
    given = given.encode() if isinstance(given, str) else given
    return subprocess.run([CHECK, "check", *map(str, arguments)], input=given, capture_output=True, timeout=timeout, check=False)


def states(count, joints=6, seed=1):
    draw = random.Random(seed)
    return [{key: [draw.uniform(-2, 2) for _ in range(joints)] for key in ("q", "qd", "qdd", "tau")} for _ in range(count)]


def claims(count=5, model="ur5", options=()):
    """States with what `compute` answers."""
    given = states(count)
    return [
        {"state": s, "answers": {"inverse_dynamics": x["inverse_dynamics"]["tau"], "mass_matrix": x["mass_matrix"]}}
        for s, x in zip(given, answers([model, *options], given))
    ]


def lines(objects):
    return "".join(json.dumps(one) + "\n" for one in objects)


def table(objects, header=None):
    """The same as CSV: tau beside qdd is what inverse dynamics answers."""
    names = header or [f"{key}[{i}]" for key in ("q", "qd", "qdd", "tau") for i in range(6)]
    rows = [[*o["state"]["q"], *o["state"]["qd"], *o["state"]["qdd"], *o["answers"]["inverse_dynamics"]] for o in objects]
    return "".join(",".join(map(str, row)) + "\n" for row in [names, *rows])


PIN = {"name": "pin", "joint": "revolute", "first": {"link": "left_tip"}, "second": {"link": "right_tip"}}


def spoiled(objects, factor=1.001):
    for k, one in enumerate(objects):
        if k % 3 == 1:
            one["answers"]["inverse_dynamics"][2] *= factor
    return objects


def json_report(*arguments, given=b""):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.json"
        done = check(*arguments, "--json", path, given=given)
        return done, json.loads(path.read_text()) if path.exists() else None


class LoopsTest(unittest.TestCase):
    """A five-bar: five rows of rank two, so that its multipliers are many."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "loops.json"
        self.file.write_text(json.dumps({"loops": [PIN], "held": ["left_drive", "right_drive"]}))
        self.options = ["--model", "five_bar", "--loops", self.file]

    def claims(self):
        guesses = [{"q": [0.3 + 0.1 * k, 0.6, 0.9, 1.2], "qd": [1, 0, 1 - k, 0], "tau": [0.3, -0.2 * k, 0.5, 0.1]} for k in range(3)]
        for guess, x in zip(guesses, answers(["five_bar"], guesses, "--loops", self.file, "--assemble")):
            closed = x["constrained"]
            state = {**guess, **closed["assembled"]}
            motion = closed["forward_dynamics"]
            A = np.array(closed["A"])
            # Any multiplier that does nothing may be added.
            idle = np.linalg.svd(A.T)[2][2:].T @ np.array([3.0, -2.0, 1.0])
            many = (np.array(motion["lambda"]) + idle).tolist()
            yield {"state": state, "answers": {"closed_forward_dynamics": motion["qdd"], "multipliers": many}}

    def test_multipliers_of_redundant_rows_are_compared_as_forces(self):
        claimed = list(self.claims())
        done = check("-", *self.options, given=lines(claimed))
        self.assertEqual(done.returncode, 0, done.stdout.decode() + done.stderr.decode())
        self.assertIn("constraint_force", done.stdout.decode())
        for one in claimed:
            one["answers"]["multipliers"] = [-x for x in one["answers"]["multipliers"]]
        done = check("-", *self.options, given=lines(claimed))
        self.assertEqual(done.returncode, 1)
        self.assertIn("cause: sign/constraint_force", done.stdout.decode())

    def test_an_engine_is_told_of_loops_as_a_loop_file_has_them(self):
        done, report = json_report("--engine", ENGINE + f"closing '{PROGRAM[0]}'", *self.options, "--states", 5)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        quantities = report["scores"]["quantities"]
        self.assertEqual((quantities["closed_forward_dynamics"]["states"], quantities["constraint_force"]["states"]), (5, 5))
        done, report = json_report("--engine", ENGINE + f"open '{PROGRAM[0]}'", *self.options, "--states", 5)
        self.assertEqual((done.returncode, report["scores"]["quantities"]["closed_forward_dynamics"]["lacking"]), (1, 5))

    def test_loops_that_cannot_be_closed_by_chance_are_told(self):
        far = {**PIN, "first": {"link": "left_tip", "position": [100, 0, 0]}}
        self.file.write_text(json.dumps({"loops": [far]}))
        done = check("--engine", ENGINE + f"closing '{PROGRAM[0]}'", *self.options)
        self.assertEqual(done.returncode, 2)
        self.assertIn("give states with --state", done.stderr.decode())

    def test_an_engine_that_cannot_be_told_of_loops_is_asked_about_the_tree(self):
        done, report = json_report("--engine", ENGINE + f"good '{PROGRAM[0]}'", *self.options, "--states", 3)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(set(report["scores"]["quantities"]), {"inverse_dynamics", "mass_matrix", "kinetic_energy", "forward_dynamics"})
        [note] = [note for note in report["scores"]["notes"] if "loops" in note]
        self.assertIn("closed_forward_dynamics and constraint_force are not asked", note)
        self.assertEqual(report["campaign"]["loops"], "1")

    def test_what_cannot_be_meant_of_loops_is_refused(self):
        claimed = list(self.claims())
        claimed[1]["state"]["q"][0] += 1e-6
        out = check("-", *self.options, given=lines(claimed)).stdout.decode()
        self.assertRegex(out, r"refused: standard input, line 2: loop 'pin' is open by [0-9.e-]+ where 1e-09 is allowed; [^\n]*\n")
        without = check("-", "--model", "five_bar", given=lines(claimed[:1])).stderr.decode()
        self.assertIn("add --loops FILE", without)
        claimed[0]["answers"]["multipliers"].pop()
        few = check("-", *self.options, given=lines(claimed[:1])).stderr.decode()
        self.assertIn("multipliers has 4", few)
        table = check("-", *self.options, given="q[0],q[1]\n").stderr.decode()
        self.assertIn("a table has no room for loops", table)


class CheckTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def assert_refused(self, done, *pieces):
        """Bad input: one sentence on standard error, exit code 2."""
        text = done.stderr.decode()
        self.assertEqual(done.returncode, 2, text + done.stdout.decode())
        self.assertRegex(text, r"\Aarticulate: [^\n]+\.\n\Z")
        for piece in pieces:
            self.assertIn(piece, text)


class Numbers(CheckTest):
    def test_right_numbers_agree_in_every_format(self):
        good = claims()
        names = [f"{key}.{joint}" for key in ("q", "qd", "qdd", "tau") for joint in (
            "shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_1_joint", "wrist_2_joint", "wrist_3_joint")]
        for name, text in (
            ("one.json", json.dumps(good[0])), ("all.json", json.dumps(good)), ("all.jsonl", lines(good)),
            ("all.csv", table(good)), ("names.csv", table(good, names)), ("all.txt", lines(good)), ("table.txt", table(good)),
            ("marked.csv", "\ufeff" + table(good).replace("\n", "\r\n")),
        ):
            done = check(self.file(name, text), *UR5)
            self.assertEqual((done.returncode, done.stderr), (0, b""), (name, done.stdout))
            self.assertIn(b"All digits", done.stdout)
            done = check("-", *UR5, given=text) if name.endswith(".jsonl") or name.endswith(".csv") else done
            self.assertEqual(done.returncode, 0, name)

    def test_wrong_numbers_are_found_where_they_are(self):
        done, report = json_report("-", *UR5, "--no-diagnose", given=lines(spoiled(claims(9))))
        self.assertEqual((done.returncode, report["agrees"]), (1, False), done.stderr)
        quantities = report["scores"]["quantities"]
        self.assertEqual((quantities["mass_matrix"]["lacking"], quantities["inverse_dynamics"]["lacking"]), (0, 3))
        worst = quantities["inverse_dynamics"]["worst"]
        self.assertEqual(worst["entry"], "[2] (elbow_joint)")
        self.assertIn(worst["state"], (1, 4, 7))
        self.assertAlmostEqual(worst["theirs"] / worst["ours"], 1.001)
        self.assertLess(worst["digits"], 8)
        self.assertGreater(worst["attainable"], 13)
        self.assertIn(f"in line {worst['state'] + 1}\n", done.stdout.decode())

    def test_a_cause_is_named(self):
        reversed_gravity = claims()
        for one in reversed_gravity:
            one["state"]["gravity"] = [0, 0, 9.81]  # theirs were made with -9.81
        done, report = json_report("-", *UR5, given=lines(reversed_gravity))
        self.assertEqual(done.returncode, 1)
        self.assertIn("gravity", done.stdout.decode())
        self.assertTrue(report["diagnoses"][0]["findings"])

    def test_friction_is_as_smooth_as_that_of_compute(self):
        """Our own numbers agree; of friction that jumps, and of another width, this is said."""
        robot = """<robot name="rod"><link name="world"/><link name="rod">
            <inertial><origin xyz="0.3 0.1 0"/><mass value="2"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
            <joint name="hinge" type="continuous"><parent link="world"/><child link="rod"/><axis xyz="0 1 0"/>
            <dynamics friction="0.7"/></joint></robot>"""
        file = self.file("rod.urdf", robot)
        model = ["--model", file, "--with", "friction"]
        given = states(6, joints=1)

        def numbers(*options):
            return lines({"state": s, "answers": {"inverse_dynamics": x["inverse_dynamics"]["tau"]}}
                         for s, x in zip(given, answers([str(file), "--with", "friction", *options], given)))

        self.assertEqual(check("-", *model, given=numbers()).returncode, 0)
        self.assertEqual(check("-", *model, "--friction-width", 0.5, given=numbers("--friction-width", "0.5")).returncode, 0)
        for options, theirs, cause in (([], ["--friction-width", "1e-15"], "friction/sharp"),
                                       (["--friction-width", "0"], [], "friction/smooth")):
            findings = json_report("-", *model, *options, given=numbers(*theirs))[1]["diagnoses"][0]["findings"]
            self.assertEqual([finding["cause"] for finding in findings], [cause])
        self.assertEqual(check("-", *UR5, "--friction-width", 0.5, given=lines(claims())).returncode, 2)

    def test_answers_of_the_state_before_are_named_in_a_long_file(self):
        """The states that are looked at are few, and not neighbours; each is compared with the one before it."""
        right = claims(30)
        stale = [{"state": one["state"], "answers": before["answers"]} for before, one in zip(right, right[1:])]
        report = json_report("-", *UR5, given=lines([right[0], *stale]))[1]
        findings = report["diagnoses"][0]["findings"]
        self.assertEqual([finding["cause"] for finding in findings], ["stale/all"])
        self.assertRegex(report["diagnoses"][0]["words"], r"This rests on line \d+, .* and line \d+, of 29 given states")

    def test_a_bad_state_that_is_not_looked_at_leaves_no_word_on_the_others(self):
        """Behind a refused line there is no state before, with which a bad one could be compared."""
        *right, bad = claims(8)
        bad["answers"]["inverse_dynamics"][2] *= 1.001
        report = json_report("-", *UR5, given=lines(right) + "{}\n" + lines([bad]))[1]
        self.assertEqual(report["diagnoses"], [])

    def test_reports_can_be_read(self):
        files = {key: self.folder / key for key in ("--json", "--junit", "--html")}
        options = [x for pair in files.items() for x in pair]
        done = check("-", *UR5, *options, given=lines(spoiled(claims())))
        self.assertEqual(done.returncode, 1)
        suites = xml.etree.ElementTree.parse(files["--junit"]).getroot()
        self.assertEqual((suites.get("tests"), suites.get("failures")), ("2", "1"))
        failed = [case.get("name") for case in suites.iter("testcase") if case.find("failure") is not None]
        self.assertEqual(failed, ["inverse_dynamics"])
        page = files["--html"].read_text()
        self.assertIn("<svg", page)
        self.assertNotIn("http", page)
        self.assertIn("1 of 2 quantities differs", page)

    def test_lines_that_cannot_be_meant_are_counted(self):
        good = claims(3)
        good[1]["answers"]["inverse_dynamics"] = [1.0]
        done, report = json_report("-", *UR5, given=lines(good) + '{"state": {}}\nnonsense\n' + "[" * 100000 + "\n")
        self.assertEqual((done.returncode, report["scores"]["states"], report["scores"]["refused"]), (1, 6, 4))
        said = [one["sentence"] for one in report["scores"]["refusals"]]
        for sentence, piece in zip(said, ("inverse_dynamics has 1 entry", "answers is missing", "not JSON", "deep")):
            self.assertIn(piece, sentence)
            self.assertRegex(sentence, r"\Astandard input, line \d: [^\n]+\.\Z")

    def test_bad_files_are_refused(self):
        good = claims(2)
        head, *rest = table(good).splitlines()
        for name, text, pieces in (
            ("a.json", "", ["the file is empty"]), ("b.json", "[]", ["there is no state"]),
            ("c.json", '{"state": {"q": [NaN]}}', ["not JSON"]), ("d.csv", "", ["the table is empty"]),
            ("e.csv", head.replace("q[5]", "q[6]", 1) + "\n", ["q[6] is beyond the model, which has 6"]),
            ("f.csv", ",".join(c for c in head.split(",") if c != "qd[3]") + "\n", ["lacks the column qd[3] (qd.wrist_1_joint)"]),
            ("g.csv", head + ",q[0]\n", ["q[0] is there a second time"]), ("h.csv", head + ",torque\n", ["'torque' is unknown"]),
            ("i.csv", head + ",q.knee\n", ["q.knee names no joint"]), ("j.csv", "q[0]\n", ["lacks the columns of qd"]),
            ("n.csv", head + "\n", ["n.csv: there is no state"]), ("o.jsonl", "", ["o.jsonl: there is no state"]),
            ("k.csv", head + "\n" + rest[0].replace(rest[0].split(",")[2], "nan", 1) + "\n", ["q[2] is 'nan'"]),
            ("l.csv", head + "\n1,2\n", ["there are 2 cells where the header has 24"]),
            ("m.jsonl", '{"state": {"q": [0,0,0,0,0,0], "qd": [0,0,0,0,0,0]}, "answers": {"inverse_dynamics": [0,0,0,0,0,0]}}\n',
             ["does not give the qdd"]),
        ):
            self.assert_refused(check(self.file(name, text), *UR5), *pieces)
        self.assert_refused(check(self.folder / "nothing.csv", *UR5), "there is no such file")
        self.assert_refused(check(self.folder, *UR5), "this is a directory")
        path = self.file("kept.csv", table(good))
        for option in ("--json", "--junit", "--html", "--output"):
            self.assert_refused(check(path, *UR5, option, path), f"{option} would overwrite what the file of numbers reads")
            self.assert_refused(check(path, *UR5, option, self.folder / "no" / "where"), "cannot be written")
        self.assertEqual(path.read_text(), table(good))
        self.assert_refused(check("-", "--model", "-"), "both ask for standard input")
        self.assert_refused(check("-", *UR5, "--shard", "3/2", given=lines(good)), "--shard is '3/2'")
        self.assert_refused(check("-", "--model", "nothing", given=lines(good)), "nothing")

    def test_a_state_whose_results_overflow_is_named(self):
        (bad,) = claims(1)
        bad["state"]["qd"] = [1e200] * 6
        self.assert_refused(check("-", *UR5, given=lines([bad])), "standard input, line 1: inverse_dynamics of this state is not finite")
        path = self.file("two.jsonl", lines([*claims(1), bad]))
        said = json_report(path, *UR5)[1]["scores"]["refusals"][0]["sentence"]
        self.assertTrue(said.startswith(f"{path}, line 2: inverse_dynamics of this state is not finite"), said)

    def test_numbers_that_differ_are_printed_with_digits_that_differ(self):
        good = claims(1)
        good[0]["answers"] = {"mass_matrix": good[0]["answers"]["mass_matrix"]}
        good[0]["answers"]["mass_matrix"][5][5] *= 1 + 1e-11
        good[0]["answers"]["mass_matrix"][0][0] *= 1 + 1e-11
        said = check("-", *UR5, given=lines(good)).stdout.decode()
        theirs, ours = re.search(r"is (\S+) where ours is ([^ ,]+),", said).groups()
        self.assertNotEqual(theirs, ours)
        self.assertLessEqual(len(theirs.replace(".", "")), 14)

    def test_a_gigabyte_of_brackets_takes_little_memory(self):
        size = 2**30 if os.environ.get("ARTICULATE_LONG_TESTS") == "ON" else 2**26
        process = subprocess.Popen([CHECK, "check", "-", *UR5], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2**28, 2**28)))
        process.stdin.write(b"{")
        for _ in range(size // 2**20):
            process.stdin.write(b"[" * 2**20)
        said = process.communicate()[1].decode()
        self.assertEqual(process.returncode, 2, said)
        self.assertRegex(said, r"\Aarticulate: standard input, line 1: there are more than \d+ bytes; [^\n]+\.\n\Z")

    def test_many_states_take_no_more_memory_than_few(self):
        good = lines(claims(100)).encode()

        def most(repeats):
            process = subprocess.Popen([CHECK, "check", "-", *UR5], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            for _ in range(repeats):
                process.stdin.write(good)
            process.stdin.close()
            self.assertIn(b"All digits", process.stdout.read())
            process.stdout.close()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
            self.assertEqual(status, 0)
            return usage.ru_maxrss

        self.assertLess(most(100), most(10) + 2000)  # kB

    def test_a_stream_takes_at_most_three_times_what_compute_does(self):
        """Processor time of both in one run: to read, to compute and to compare against to read, to compute and to write."""
        good = claims(200) * 10

        def seconds(command, given):
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            subprocess.run(command, input=given, stdout=subprocess.DEVNULL, text=True, check=True)
            return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

        computing = seconds([*PROGRAM, "compute", *UR5, "--state", "-", "--only", "inverse_dynamics,mass_matrix"],
                            lines(one["state"] for one in good))
        self.assertLess(seconds([CHECK, "check", "-", *UR5], lines(good)), 3 * computing)

    def test_a_floating_base_has_names_in_a_table(self):
        model = ["--model", "quadruped"]
        draw = random.Random(3)
        x = {key: [draw.uniform(-1, 1) for _ in range(18)] for key in ("qd", "qdd")}
        base = {"position": [0.1, 0.2, 0.3], "quaternion_xyzw": [0.5, -0.5, 0.5, 0.5]}
        q = [draw.uniform(-1, 1) for _ in range(12)]
        computed = answers("quadruped", [{"base": base, "q": q, **x}])[0]
        tau, joints = computed["inverse_dynamics"]["tau"], computed["joints"]
        coordinates = [f"q.base.{part}" for part in "px py pz qx qy qz qw".split()] + [f"q.{joint}" for joint in joints]
        rates = [f"base.{part}" for part in "ax ay az lx ly lz".split()] + joints
        header = coordinates + [f"{key}.{name}" for key in ("qd", "qdd", "tau") for name in rates]
        row = [*base["position"], *base["quaternion_xyzw"], *q, *x["qd"], *x["qdd"], *tau]
        text = ",".join(header) + "\n" + ",".join(map(str, row)) + "\n"
        done = check("-", *model, given=text)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        row[3] = 0.6
        self.assert_refused(check("-", *model, given=",".join(header) + "\n" + ",".join(map(str, row)) + "\n"), "has not length 1")
        row[3] = 0.5
        for first in (19, 37, 55):  # of qd, qdd and tau the base's: linear, then angular
            row[first : first + 6] = [*row[first + 3 : first + 6], *row[first : first + 3]]
        done = check("-", *model, given=",".join(header) + "\n" + ",".join(map(str, row)) + "\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cause: base_velocity", done.stdout.decode())

    def test_coriolis_matrices_are_not_unique(self):
        given = states(2)
        for family, is_skew in (("christoffel", True), ("newton_euler", None), ("ploen", None)):
            computed = answers("ur5", given, "--coriolis", family)
            said = [{"state": s, "answers": {"coriolis_matrix": x["coriolis_matrix"]["matrix"]}} for s, x in zip(given, computed)]
            done = check("-", *UR5, given=lines(said))
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn("coriolis_matrix times qd", done.stdout.decode())
            self.assertRegex(done.stdout.decode(), f"it is that of .*{family}")
            wrong = [{"state": o["state"], "answers": {"coriolis_matrix": [[-x for x in row] for row in o["answers"]["coriolis_matrix"]]}} for o in said]
            done = check("-", *UR5, given=lines(wrong))
            self.assertEqual(done.returncode, 1)
            self.assertNotIn("agree in all digits", done.stdout.decode())
            done = check("-", *UR5, given=lines(said))
            if is_skew:
                self.assertIn("dM/dt - 2 C is skew-symmetric (2 states)", done.stdout.decode())
            for claimed, code in ((family, 0), ("bracket" if family != "bracket" else "ploen", 1)):
                named = [{"state": o["state"], "answers": {"coriolis_matrix": {"matrix": o["answers"]["coriolis_matrix"], "family": claimed}}} for o in said]
                done = check("-", *UR5, "--no-diagnose", given=lines(named))
                self.assertEqual(done.returncode, code, done.stdout)

    def test_what_rounding_takes_from_a_right_coriolis_matrix_is_no_difference(self):
        """A hair on a beam: the forces of the beam cancel but for those of the hair, and in C they do not stand at all."""
        link = """<link name="{0}"><inertial><origin xyz="0.3 0.1 0.2"/><mass value="{1}"/>
            <inertia ixx="{1}" ixy="0" ixz="0" iyy="{1}" iyz="0" izz="{1}"/></inertial></link>"""
        joint = """<joint name="to_{1}" type="continuous"><parent link="{0}"/><child link="{1}"/><origin xyz="0 0.1 0.4"
            rpy="0.4 0.3 0.2"/><axis xyz="0.6 0.8 0"/></joint>"""
        chain = ["world", "beam", "hair", "tip"]
        robot = '<robot name="needle"><link name="world"/>' + "".join(
            link.format(name, mass) for name, mass in zip(chain[1:], ("5", "1e-7", "1e-7"))) + "".join(
            joint.format(*pair) for pair in zip(chain, chain[1:])) + "</robot>"
        file = self.file("needle.urdf", robot)
        given = states(4, joints=3)
        numbers = []
        for state, answer in zip(given, answers([str(file)], given, "--coriolis", "christoffel")):
            C, v = np.array(answer["coriolis_matrix"]["matrix"]), np.array(state["qd"])
            weights = np.abs(C).max() * np.arange(9.0).reshape(3, 3) / 8
            other = C + weights - np.outer(weights @ v, v) / (v @ v)
            numbers.append({"state": state, "answers": {"coriolis_matrix": other.tolist()}})
        self.assertEqual(check("-", "--model", file, given=lines(numbers)).returncode, 0)

    def test_a_wrong_coriolis_matrix_is_heard_beside_a_right_force(self):
        given = states(3)
        said = [
            {"state": s, "answers": {"coriolis_force": x["coriolis_force"], "coriolis_matrix": x["coriolis_matrix"]["matrix"]}}
            for s, x in zip(given, answers("ur5", given, "--coriolis", "christoffel"))
        ]
        self.assertEqual(check("-", *UR5, given=lines(said)).returncode, 0)
        for one in said:
            one["answers"]["coriolis_matrix"] = [[-x for x in row] for row in one["answers"]["coriolis_matrix"]]
        done = check("-", *UR5, given=lines(said))
        self.assertEqual(done.returncode, 1)
        # C of negated rates is -C: the two are one class.
        self.assertIn("cause: state/qd_negated", done.stdout.decode())
        self.assertIn("these states do not tell it from: sign/coriolis_matrix times qd", done.stdout.decode())
        self.assertNotIn("agree in all digits", done.stdout.decode())

    def test_a_coriolis_matrix_of_another_family_than_its_name_says_is_told_so(self):
        given = states(2)
        said = [
            {"state": s, "answers": {"coriolis_matrix": {"matrix": x["coriolis_matrix"]["matrix"], "family": "bracket"}}}
            for s, x in zip(given, answers("ur5", given, "--coriolis", "ploen"))
        ]
        done = check("-", *UR5, given=lines(said))
        self.assertEqual(done.returncode, 1)
        self.assertIn("cause: coriolis_matrix/ploen", done.stdout.decode())


class Shards(CheckTest):
    def scores(self, report):
        report["campaign"].pop("numbers", None)
        return report["scores"]

    def test_shards_in_any_order_say_what_one_run_says(self):
        path = self.file("all.jsonl", lines(spoiled(claims(50))))
        _, whole = json_report(path, *UR5, "--chunk", 7, "--no-diagnose", "--output", self.folder / "whole")
        shards = []
        for k in (1, 2, 3):
            shards.append(self.folder / f"shard{k}")
            check(path, *UR5, "--chunk", 7, "--shard", f"{k}/3", "--output", shards[-1], "--no-diagnose")
        self.assertEqual(sum(whole["scores"]["quantities"]["inverse_dynamics"]["states_by_whole_digits"]), 50)
        self.assertEqual(whole["scores"]["quantities"]["inverse_dynamics"]["lacking"], 17)
        for order in (shards, shards[::-1], [*shards, shards[0], shards[2]], [self.folder / "whole", shards[1]]):
            done, merged = json_report("merge", *order)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertEqual(self.scores(merged), self.scores(whole))
            self.assertEqual(merged["remarks"], [])
        done, merged = json_report("merge", *shards[:2])
        self.assertEqual(done.returncode, 1)
        self.assertIn("2 chunks are missing, the first of them is 2", merged["remarks"][0])

    def test_an_interrupted_run_goes_on_without_loss(self):
        path, output = self.file("all.jsonl", lines(claims(40))), self.folder / "scores"
        options = [path, *UR5, "--chunk", 5, "--output", output]
        _, whole = json_report(*options)
        text = output.read_text()
        for cut in (len(text) // 3, len(text) - 30, text.index("\n") + 1, 10):
            output.write_text(text[:cut])
            done, again = json_report(*options)
            self.assertEqual((done.returncode, again["scores"]), (0, whole["scores"]))
            self.assertEqual(output.read_text(), text)

    def test_what_does_not_belong_together_is_refused(self):
        path, output = self.file("all.jsonl", lines(claims(10))), self.folder / "scores"
        options = [path, *UR5, "--chunk", 5, "--output", output]
        check(*options)
        path.write_text(lines(claims(10)[::-1]))
        self.assert_refused(check(*options), "the states of chunk 0 have changed")
        self.assert_refused(check(path, "--model", "puma560", *options[3:]), "of another campaign")
        check(path, *UR5, "--chunk", 5, "--output", self.folder / "other")
        self.assert_refused(check("merge", output, self.folder / "other"), "chunk 0 is of other states")
        check(path, *UR5, "--chunk", 2, "--output", self.folder / "another")
        self.assert_refused(check("merge", output, self.folder / "another"), "another campaign")
        self.assert_refused(check("merge", self.file("x", '{"format": "y"}\n')), "the format is not")
        self.assert_refused(check("merge", self.file("x", "[[[\n")), "x: this is no file that `check --output` wrote")
        self.assert_refused(check("merge", "/dev/zero"), "/dev/zero: this is no file that `check --output` wrote")

    def test_a_foreign_file_is_left_as_it_is(self):
        path = self.file("good.jsonl", lines(claims(3)))
        for text in ('{"precious": 1}', '{"precious": 1}\n', "precious", "\n", "[1]\n[2]", '{"format":"articulate check scores 2"'):
            foreign = self.file("foreign.json", text)
            self.assert_refused(check(path, *UR5, "--output", foreign), "foreign.json: this is no file that `check --output` wrote")
            self.assertEqual(foreign.read_text(), text)

    def test_scores_go_to_files_alone(self):
        path, pipe = self.file("good.jsonl", lines(claims(3))), self.folder / "pipe"
        os.mkfifo(pipe)
        for output in ("/dev/full", "/dev/zero", pipe, self.folder):
            self.assert_refused(check(path, *UR5, "--output", output, timeout=20), f"{output}: this is a folder, a device or a pipe")


class Engines(CheckTest):
    def test_an_engine_is_told_of_a_floating_base_once(self):
        model, heard = self.folder / "drone.urdf", self.folder / "heard"
        subprocess.run([*PROGRAM, "models", "--export", "urdf", "--model", "drone_arm", "--output", model], check=True)
        engine = f"sh -c \"tee '{heard}' | {ENGINE}good '{PROGRAM[0]}'\""
        done = check("--engine", engine, "--model", model, "--states", 2)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        (told,) = (line for line in map(json.loads, heard.read_text().splitlines()) if line["message"] == "model")
        self.assertTrue(told["floating_base"])
        self.assertNotIn("floating", told["text"])
        self.assertIn('<link name="world"/>', model.read_text())

    def ask(self, kind, *options, seconds=20, extra=""):
        return json_report("--engine", ENGINE + f"{kind} '{PROGRAM[0]}' {extra}", *UR5, "--states", 4, "--seconds", seconds, "--no-diagnose", *options)

    def test_an_engine_that_is_right_agrees(self):
        for model in (UR5, ["--model", "quadruped"], ["--model", "every_joint"]):
            done, report = json_report("--engine", ENGINE + f"good '{PROGRAM[0]}'", *model, "--states", 5)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(set(report["scores"]["quantities"]), {"inverse_dynamics", "forward_dynamics", "mass_matrix", "kinetic_energy"})
            self.assertEqual(report["campaign"]["engine"]["name"], "compute")
        given = self.file("states.jsonl", lines(states(3)))
        done, report = json_report("--engine", ENGINE + f"good '{PROGRAM[0]}'", *UR5, "--state", given, "--only", "mass_matrix")
        self.assertEqual((done.returncode, report["scores"]["states"]), (0, 3))
        self.assertEqual(list(report["scores"]["quantities"]), ["mass_matrix"])

    def test_what_is_wrong_with_an_answer_is_said(self):
        for kind, piece in (
            ("nan", "JSON has no NaN"), ("null", "inverse_dynamics[1] is null"), ("short", "mass_matrix has 5 rows"),
            ("missing", "mass_matrix is asked for"), ("joint", "lacks the joint 'shoulder_pan_joint'"),
            ("number", "answers number 1 where 0 is asked"), ("deep", "deep"), ("brackets", "a line of more than"),
            ("crashes", "signal 11"), ("blank", "the engine writes a blank line"),
            ("chatty", "the engine writes the line 'hello [31m, I am here': the text is not JSON"),
            ("other", "the engine writes the line '{\"message\": \"hello\"}', which is no object whose message is 'answer'"),
        ):
            done, report = self.ask(kind)
            self.assertEqual(done.returncode, 1, (kind, done.stderr))
            sentence = report["scores"]["refusals"][0]["sentence"]
            self.assertRegex(sentence, r"\Arandom state 0: [^\n]+[^.]\.\Z")
            self.assertIn(piece, sentence)
            self.assertIn("Nothing could be compared", report["verdict"])

    def test_limits_hold(self):
        for kind, options, piece in (
            ("hang", [], "did not answer within 0.5 s"), ("flood", [], "did not answer within 0.5 s"),
            ("forks", ["--seconds", 5], "more than 64 processes"), ("memory", ["--memory", 90, "--seconds", 5], "took more than 90 MB"),
        ):
            start = time.monotonic()
            done, report = self.ask(kind, *options, seconds=0.5) if not options else self.ask(kind, *options[:-2], seconds=options[-1])
            self.assertLess(time.monotonic() - start, 30, kind)
            self.assertEqual(done.returncode, 1, (kind, done.stderr))
            self.assertIn(piece, report["scores"]["refusals"][0]["sentence"])
            self.assertIn("failed 3 times in a row", report["remarks"][0])
            self.assertEqual(self.left(), [], kind)

    def left(self):
        """The engines that run."""
        found = []
        for process in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                command = process.read_bytes()
            except (FileNotFoundError, ProcessLookupError):
                continue  # it ended meanwhile
            if os.fsencode(HERE / "engines.py") in command and not command.startswith(os.fsencode(CHECK)):
                found.append(command)
        return found

    def test_all_end_with_check(self):
        for signal, kind in ((15, "forks"), (2, "hang"), (9, "hang")):
            process = subprocess.Popen([CHECK, "check", "--engine", ENGINE + f"{kind} '{PROGRAM[0]}'", *UR5, "--states", "4"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            deadline = time.monotonic() + 20
            while time.monotonic() < deadline and not Path("/proc", str(process.pid), "task", str(process.pid), "children").read_text():
                time.sleep(0.01)
            process.send_signal(signal)
            self.assertEqual(process.wait(20), -signal)
            process.stderr.close()
            while time.monotonic() < deadline and self.left():
                time.sleep(0.01)
            self.assertEqual(self.left(), [], kind)

    def test_a_crash_is_survived(self):
        done, report = self.ask("dies")
        self.assertEqual((done.returncode, report["scores"]["refused"]), (1, 1))
        self.assertEqual(report["scores"]["quantities"]["mass_matrix"]["states"], 3)
        self.assertIn("exit code 3 instead of answering; the last that it said is: out of luck.", report["scores"]["refusals"][0]["sentence"])

    def test_cannot_is_an_answer(self):
        done, report = self.ask("cannot")
        mass_matrix = report["scores"]["quantities"]["mass_matrix"]
        self.assertEqual((done.returncode, mass_matrix["states"], mass_matrix["cannot"]), (0, 3, 1))
        self.assertEqual(mass_matrix["reason"], "no mass matrices on the first day")
        self.assertRegex(done.stdout.decode(), r"mass_matrix .* agrees; in 1 state not answered: no mass matrices on the first day\n")

    def test_the_jacobian_of_every_link_is_asked_for(self):
        for kind, wrong, rows, code in (
            ("jacobians", "", {"jacobian:": 0}, 0), ("jacobians", "upper_arm_link,forearm_link", {"jacobian:": 4}, 1),
            ("one_jacobian", "", {"jacobian:forearm_link": 0}, 0), ("one_jacobian", "forearm_link", {"jacobian:forearm_link": 4}, 1),
        ):
            done, report = self.ask(kind, extra=f"'{wrong}'")
            found = {name: one for name, one in report["scores"]["quantities"].items() if ":" in name}
            self.assertEqual((done.returncode, {name: one["lacking"] for name, one in found.items()}), (code, rows), done.stdout + done.stderr)
            self.assertTrue(all(one["states"] == 4 for one in found.values()))
            if wrong:
                self.assertRegex(done.stdout.decode(), r"\njacobian:(upper_arm|forearm)_link\[\d\]\[\d\] \(\w+ [xyz]; \w+_joint\) is ")
        for link, code in (("forearm_link", 1), ("wrist_3_link", 0)):
            done, report = self.ask("jacobians", "--only", f"jacobian:{link}", extra="forearm_link")
            self.assertEqual((done.returncode, list(report["scores"]["quantities"])), (code, [f"jacobian:{link}"]), done.stderr)

    def test_links_of_a_large_machine_take_turns(self):
        link = """<link name="{0}"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>"""
        joint = """<joint name="to_{1}" type="continuous"><parent link="{0}"/><child link="{1}"/><origin xyz="0 0.1 0.4"/><axis xyz="0.6 0.8 0"/></joint>"""
        chain = ["world", *(f"link_{k}" for k in range(1, 70))]
        model = self.file("chain.urdf", '<robot name="chain"><link name="world"/>' + "".join(map(link.format, chain[1:])) +
                          "".join(joint.format(*pair) for pair in zip(chain, chain[1:])) + "</robot>")
        for states, code in ((1, 0), (2, 1)):
            done, report = json_report("--engine", ENGINE + f"jacobians '{PROGRAM[0]}' link_50", "--model", model, "--states", states,
                                       "--only", "jacobian:", "--no-diagnose")
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            self.assertEqual(report["scores"]["notes"], {"jacobian: is asked for 32 links in each state, for all 70 in 3 states": states})
        self.assertEqual(report["scores"]["quantities"]["jacobian:"]["lacking"], 1)
        self.assertTrue(report["scores"]["quantities"]["jacobian:"]["worst"]["entry"].startswith("link_50["))

    def test_names_that_are_not_known_are_refused_or_told(self):
        for only, piece in (
            ("mass_matrix,forward_dynamic", "'forward_dynamic', which is no quantity"), ("massmatrix", "'massmatrix', which is no quantity"),
            ("jacobian", "'jacobian', which is no quantity"), ("mass_matrix,jacobian:nolink", "'jacobian:nolink', but the model has no such link"),
            ("bias", "lists none of 'bias', which --only names; it lists 'inverse_dynamics',"),
        ):
            self.assert_refused(self.ask("good", "--only", only)[0], piece)
        self.assert_refused(self.ask("nothing")[0], "no quantity that it can be asked for here; it lists 'massmatrix'")
        states_alone = self.file("states.jsonl", lines({"q": one["q"], "qd": one["qd"]} for one in states(3)))
        for kind, options, notes in (
            ("good", ["--only", "mass_matrix,bias"], {"bias is not asked: the engine does not list it": 4}),
            ("typos", [], {"the engine lists 'massmatrix' and 'jacobian:nolink', which are no quantities of this model": 4}),
        ):
            done, report = self.ask(kind, *options)
            self.assertEqual((done.returncode, report["scores"]["notes"]), (0, notes), done.stderr)
            self.assertIn(next(iter(notes)), done.stdout.decode())
        done, report = json_report("--engine", ENGINE + f"good '{PROGRAM[0]}'", *UR5, "--state", states_alone, "--only", "mass_matrix,forward_dynamics")
        self.assertEqual(report["scores"]["notes"], {"forward_dynamics is not asked: it needs tau, and a mass that every joint moves": 3})

    def test_nothing_that_others_write_steers_the_terminal(self):
        done, report = self.ask("escapes")
        self.assertEqual(report["scores"]["quantities"]["mass_matrix"]["reason"], "no [31m mass matrices  7m")
        (one,) = claims(1)
        one["answers"]["mass_matrix"] = {"cannot": "no\x1b[31m mass\nmatrices\x9b7m" + 1000 * "\u00e9"}
        for said in (done.stdout.decode(), check("-", *UR5, given=lines([one])).stdout.decode()):
            self.assertRegex(said, r"\nmass_matrix +0 +not answered: no \[31m mass matrices  7m(\u00e9* \.\.\.)?\n")
            self.assertNotRegex(said, r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")

    def test_orphans_end_with_it(self):
        done, _ = self.ask("orphan", extra=f"'{self.folder / 'orphan'}'")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse(Path("/proc", (self.folder / "orphan").read_text()).exists())

    def test_engines_that_cannot_start_are_refused(self):
        for command, piece in (
            ("/nowhere/engine", "cannot be started: No such file"), ("'python3", "a quote ' that does not end"), ("  ", "is empty"),
            (ENGINE + f"silent '{PROGRAM[0]}'", "starts without its name"), ("true", "the engine ended by itself with exit code 0"),
        ):
            self.assert_refused(check("--engine", command, *UR5), piece)

    def test_no_shell_reads_the_command(self):
        check("--engine", f"echo $HOME; touch {self.folder / 'touched'} | cat > {self.folder / 'touched'}", *UR5)
        self.assertFalse((self.folder / "touched").exists())


def both(x):
    """A number, or a list of them, in the two forms of a certified case."""
    return {"decimal": x, "hexadecimal": [k.hex() for k in x] if isinstance(x, list) else x.hex()}


def pendulum(name, **answers_of_it):
    """A certified case of a body on a hinge along y, whose equations fill a line, with these answers."""
    link = lambda name, mass: {"name": name, "mass": both(mass), "center_of_mass": both([0.0, 0.0, -0.5]), "inertial_quaternion_xyzw": both([0.0, 0.0, 0.0, 1.0]),
                               "inertia_xx_xy_xz_yy_yz_zz": both([0.1, 0.0, 0.0, 0.1, 0.0, 0.1])}
    return {
        "format": "articulate reference case 1", "case": name, "tier": "lower", "title": "a body on a hinge", "conventions": {},
        "machine": {"name": name, "floating_base": False, "gravity": both([0.0, 0.0, -9.81]), "loops": [],
                    "links": [link("wall", 0.0), link("bob", 2.0)],
                    "joints": [{"name": "hinge", "type": "revolute", "parent": "wall", "child": "bob", "position": both([0.0, 0.0, 0.0]),
                                "quaternion_xyzw": both([0.0, 0.0, 0.0, 1.0]), "axis": both([0.0, 1.0, 0.0]), "pitch": both(0.0)}]},
        "state": {"q": both([0.3]), "qd": both([0.7]), "qdd": both([-1.25]), "tau": both([2.0]), "independent": [], "external_wrenches": {}},
        "answers": {key: {"value": [[f"{value:.17e}"]], "double_digits": [[15.5]]} for key, value in answers_of_it.items()},
    }


def bead(slope=0.4, way=0.7, speed=-1.3, masses=(2.0, 3.0), tau=(1.5, -0.5), gravity=(0.5, -9.81)):
    """A certified case of a bead that slides along y of a car, which goes along x, and along a slope: by Newton's law."""
    along = np.array([math.cos(slope), math.sin(slope)])
    carried, weight = np.array([sum(masses), masses[1]]), np.array([sum(masses) * gravity[0], masses[1] * gravity[1]])
    qdd = along * (along @ (tau + weight)) / (along**2 @ carried)
    answers_of_it = {"configuration": way * along, "rates": speed * along, "forward_dynamics": qdd, "constraint_forces": carried * qdd - tau - weight,
                     "kinetic_energy": [carried @ (speed * along) ** 2 / 2], "inverse_mass_matrix": [1.0, 1.0]}
    case = pendulum("bead")
    [wall, car], [joint] = case["machine"]["links"], case["machine"]["joints"]
    links = [wall, *({**car, "name": name, "mass": both(mass)} for name, mass in zip(("car", "bead"), masses))]
    joints = [{**joint, "name": name, "type": "prismatic", "parent": parent, "child": child, "axis": both(axis)} for name, parent, child, axis in
              (("drive", "wall", "car", [1.0, 0.0, 0.0]), ("lift", "car", "bead", [0.0, 1.0, 0.0]))]
    end = lambda link, turn: {"link": link, "position": both([0.0, 0.0, 0.0]), "quaternion_xyzw": both([0.0, 0.0, math.sin(turn / 2), math.cos(turn / 2)])}
    loop = {"name": "slope", "first": end("wall", slope), "second": end("bead", 0.0), "axis": both([0.0, 0.0, 1.0]), "slides_along_xyz": [True, False, True],
            "turning": "free", "pitch": both(0.0)}
    case["machine"] |= {"gravity": both([*gravity, 0.0]), "links": links, "joints": joints, "loops": [loop]}
    case["state"] |= {"q": both([way, 0.1]), "qd": both([speed, 0.2]), "qdd": both([0.0, 0.0]), "tau": both(list(tau)), "independent": [0]}
    case["answers"] = {key: {"value": [[f"{one:.17e}"] for one in value], "double_digits": [[15.0]] * len(value)} for key, value in answers_of_it.items()}
    return case


class Cases(CheckTest):
    def test_loops_of_certified_cases_are_told_and_closed(self):
        case = bead()
        path = self.file("bead.json", json.dumps(case))
        done, report = json_report("--engine", ENGINE + f"closing '{PROGRAM[0]}'", "--cases", path)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(set(report["scores"]["quantities"]), {"closed_forward_dynamics", "constraint_force", "kinetic_energy"})
        done, report = json_report("--engine", ENGINE + f"open '{PROGRAM[0]}'", "--cases", path)
        self.assertEqual((done.returncode, report["scores"]["quantities"]["closed_forward_dynamics"]["lacking"]), (1, 1))
        done, report = json_report("--engine", ENGINE + f"good '{PROGRAM[0]}'", "--cases", path)
        self.assertEqual(report["scores"]["notes"], {"cases with loops, which the engine cannot be told of": 1})
        case["answers"]["rates"]["value"].pop()
        done, report = json_report("--engine", ENGINE + f"closing '{PROGRAM[0]}'", "--cases", self.file("bead.json", json.dumps(case)))
        self.assertIn("rates has 1 entry where 2 are needed", report["scores"]["refusals"][0]["sentence"])

    def test_certified_numbers_are_what_counts(self):
        turned, weight = 0.1 + 2 * 0.25, 2 * 9.81 * 0.5
        right = {"inverse_dynamics": turned * -1.25 + weight * math.sin(0.3), "forward_dynamics": (2 - weight * math.sin(0.3)) / turned,
                 "mass_matrix": turned, "kinetic_energy": turned * 0.7**2 / 2, "unheard_of": 1.0}
        self.file("a.json", json.dumps(pendulum("a", **right)))
        self.file("b.json", json.dumps(pendulum("b", **right)))
        engine = ["--engine", ENGINE + f"good '{PROGRAM[0]}'"]
        done, report = json_report(*engine, "--cases", self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({name: one["states"] for name, one in report["scores"]["quantities"].items()},
                         {name: 2 for name in right if name != "unheard_of"})
        right["mass_matrix"] += 1e-6
        self.file("b.json", json.dumps(pendulum("b", **right)))
        done, report = json_report(*engine, "--cases", self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertEqual((report["scores"]["quantities"]["mass_matrix"]["lacking"], report["scores"]["quantities"]["mass_matrix"]["worst"]["place"]), (1, "b.json"))

    def test_files_that_are_no_cases_are_refused(self):
        engine = ["--engine", ENGINE + f"good '{PROGRAM[0]}'"]
        self.assert_refused(check(*engine, "--cases", self.folder), "there is no case in this folder")
        good = self.file("good.json", json.dumps(pendulum("good", mass_matrix=0.6)))
        self.assert_refused(check(*engine, "--cases", good, "--only", "jacobian:bob"), "of which there are no certified numbers")
        done, report = json_report(*engine, "--cases", good, "--only", "mass_matrix,kinetic_energy")
        self.assertEqual((done.returncode, report["scores"]["notes"]), (0, {"kinetic_energy is not certified in each case": 1}), done.stderr)
        broken = pendulum("a", mass_matrix=0.6)
        broken["state"]["q"]["hexadecimal"] = ["0x1p-2"]
        for case, piece in ((broken, "is not the decimal number beside it"), ({"format": "x"}, "is not 'articulate reference case 1'"),
                            (pendulum("a", inverse_dynamics=1.0) | {"answers": {"inverse_dynamics": {"value": [], "double_digits": []}}}, "has 0 entries where 1 are needed")):
            done, report = json_report(*engine, "--cases", self.file("a.json", json.dumps(case)))
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(piece, report["scores"]["refusals"][0]["sentence"])


class Schema(CheckTest):
    def test_messages_are_as_the_schema_says(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        schema = json.loads((HERE.parent / "peers" / "protocol.schema.json").read_text())
        part = lambda name: jsonschema.Draft202012Validator({**schema, "oneOf": [{"$ref": f"#/$defs/{name}"}]})
        log, loops = self.folder / "log", self.file("loops.json", json.dumps({"loops": [PIN]}))
        for kind, options in (("cannot", ["--model", "quadruped"]), ("closing", ["--model", "five_bar", "--loops", loops])):
            spy = self.file("spy.py", f"""import subprocess, sys
engine = subprocess.Popen({[sys.executable, str(HERE / 'engines.py'), kind, PROGRAM[0]]!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
log = open({str(log)!r}, "w")
for line in sys.stdin:
    log.write("> " + line); log.flush()
    engine.stdin.write(line); engine.stdin.flush()
    if '"stop"' in line: break
    reply = engine.stdout.readline()
    log.write("< " + reply); log.flush()
    print(reply, end="", flush=True)
engine.stdin.close()
""")
            done = check("--engine", f"'{sys.executable}' '{spy}'", *options, "--states", 3)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            seen = []
            for line in log.read_text().splitlines():
                message = json.loads(line[2:])
                part("to_engine" if line[0] == ">" else "from_engine").validate(message)
                seen.append(line[0] + message["message"])
                if line.startswith("> ") and message["message"] == "model":
                    self.assertEqual("loops" in message, kind == "closing")
            self.assertEqual(seen, [">start", "<start", ">model", "<model", *[">state", "<answer"] * 3, ">stop"])
        for one in claims(1):
            part("claim").validate(one)
        for bad in ({"message": "answer", "number": 0}, {"message": "answer", "number": -1, "cannot": "x"}, {"message": "hello"}):
            self.assertFalse(part("from_engine").is_valid(bad))


if __name__ == "__main__":
    unittest.main()
