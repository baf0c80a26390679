#!/usr/bin/env python3
"""Asks our own library whether it keeps the laws of `check --laws`, and engines with one fault each, which must not.

usage: laws_test.py PROGRAM ENGINE [--draws N]     where PROGRAM is the built command line with the one that checks beside it,
                                                   and ENGINE our library behind the protocol
With --draws only the first is asked, in N draws of each law, and the machines of the library besides those that are drawn.
"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

DRAWS = int(sys.argv[sys.argv.index("--draws") + 1]) if "--draws" in sys.argv else None
if len(sys.argv) < 3:
    sys.exit(__doc__)
PROGRAM, ENGINE = sys.argv[1:3]
del sys.argv[1:3]
CHECK = Path(PROGRAM).with_name("articulate-check")
FAULTY = Path(__file__).with_name("faulty.py")
LAWS = (
    *("world_frame", "base_frame", "relabelling", "axis_flip", "zero_shift", "mass_scale", "length_scale", "time_scale", "split"),
    *("power_balance", "momentum_rate", "free_fall"),
)
KINETIC = "the rate of qd^T mass_matrix qd / 2"
ENERGY = "the rate of kinetic_energy + potential_energy"
# Faults, and what must show them: a law, and of what it does not hold.
FAULTS = (
    ("gravity_of_its_own", "world_frame", "inverse_dynamics"),
    ("a_point_at_the_base", "base_frame", "mass_matrix"),
    ("joints_by_the_file", "relabelling", "inverse_dynamics"),
    ("axes_without_a_sign", "axis_flip", "inverse_dynamics"),
    ("springs", "zero_shift", "inverse_dynamics"),
    ("rotors", "mass_scale", "mass_matrix"),
    ("millimetres", "length_scale", "inverse_dynamics"),
    ("damping", "time_scale", "inverse_dynamics"),
    ("nothing_is_held", "split", "mass_matrix"),
    ("no_coriolis", "power_balance", KINETIC),
    ("no_potential", "power_balance", ENERGY),
    ("wrenches_reversed", "power_balance", ENERGY),
    ("momentum_of_the_shadow", "momentum_rate", "momentum by mass"),
    ("constant_momentum", "momentum_rate", "the rate of centroidal_momentum"),
    ("momentum_about_the_base", "momentum_rate", "the rate of momentum"),
    ("rising", "free_fall", "inverse_dynamics in free fall"),
    ("rising", "free_fall", "forward_dynamics in free fall"),
)


def check(*options, engine=f"'{ENGINE}'", timeout=600):
    """(what was done, the report or None)."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.json"
        command = [CHECK, "check", "--laws", "--engine", engine, "--json", path, *options]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=timeout, check=False)
        return done, json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def faulty(name):
    return f"'{sys.executable}' '{FAULTY}' {name} '{ENGINE}'"


class OursTest(unittest.TestCase):
    def assert_holds(self, *options):
        done, report = check(*options, timeout=None)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(tuple(law["law"] for law in report["laws"]), LAWS)
        return {law["law"]: law["asked_in"] for law in report["laws"]}

    def test_all_laws_hold_of_drawn_machines(self):
        draws = DRAWS or 100
        asked = self.assert_holds("--draws", draws)
        for law in LAWS:  # the base of about half of them is fixed, and of a few no axis is turned round
            self.assertGreater(asked[law], draws / 4, law)

    def test_all_laws_hold_of_machines_with_every_kind_of_joint(self):
        for model in ("every_joint", "quadruped", "mixed_tree", "ur5"):
            with self.subTest(model=model):
                self.assert_holds("--model", model, "--draws", DRAWS // 10 if DRAWS else 3)


class FaultsTest(unittest.TestCase):
    def test_each_fault_breaks_the_law_that_it_is_against(self):
        for fault, law, what in FAULTS:
            with self.subTest(fault=fault, law=law):
                only = [law] if " " in what else [law, what]
                done, report = check("--draws", 20, "--only", ",".join(only), engine=faulty(fault))
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                (seen,) = report["laws"]
                self.assertEqual(seen["law"], law)
                self.assertIn(what, [one["of"] for one in seen["violations"]], done.stdout)

    def test_a_violation_is_told_in_a_sentence_and_can_be_asked_again(self):
        done, report = check("--draws", 20, "--only", "zero_shift,inverse_dynamics", engine=faulty("springs"))
        (shift,) = report["laws"]
        (seen,) = shift["violations"]
        self.assertRegex(seen["sentence"], r"^zero_shift does not hold: a joint may count from another zero, but "
                         r"inverse_dynamics\S* .*is \S+ where it must be \S+, and rounding explains no more than \S+e[-+]\d+\.$")
        self.assertIn(seen["sentence"] + "\n  smallest state: {", done.stdout)
        # One joint is left, and of the state nothing but what the law needs.
        first, second = seen["asked"]
        self.assertEqual([question["urdf"].count("<joint ") for question in (first, second)], [1, 1])
        state = first["state"]
        self.assertEqual([x for key in ("qd", "qdd", "tau") for x in state[key]], [0, 0, 0])
        self.assertNotIn("external_wrenches", state)
        self.assertEqual(state["gravity"], [0, 0, 0])

    def test_an_engine_that_fails_is_told_and_not_asked_for_ever(self):
        done, report = check("--draws", 30, engine=faulty("silent"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("The engine failed 3 times in a row and was not asked again.", done.stdout)
        self.assertEqual(report["laws"][0]["verdict"], "is not known: the engine fails")

    def test_what_cannot_be_asked_is_told(self):
        done, report = check("--draws", 2, "--only", "link_positions", "--model", "ur5")
        verdicts = {law["law"]: law["verdict"] for law in report["laws"]}
        self.assertEqual(verdicts["world_frame"], "holds")
        self.assertEqual(verdicts["base_frame"], "cannot be asked: it needs a floating base")
        self.assertRegex(verdicts["power_balance"], "^cannot be asked: it needs inverse_dynamics, ")
        self.assertEqual(done.returncode, 0)
        done, _ = check("--draws", 2, "--only", "gravity_regressor")
        self.assertEqual((done.returncode, done.stdout.strip().splitlines()[-1]), (1, "No law could be asked."))


class OptionsTest(unittest.TestCase):
    def test_bad_options_are_refused_in_one_sentence(self):
        for options, word in (
            (["--draws", "0"], "--draws"),
            (["--draws", "many"], "--draws"),
            (["--seed", "-1"], "--seed"),
            (["--states", "3"], "--states"),
            (["--cases", "."], "--cases"),
            (["--output", "scores"], "--output"),
            (["--html", "page.html"], "--html"),
            (["--only", "mass"], "neither a law nor a quantity"),
            (["--only", "jacobian:nolink"], "'jacobian:nolink', a quantity of each link"),
            (["--only", "mass_matrix,jacobian:"], "no law asks; give tip_jacobian"),
            (["--model", "no_such_model"], "no_such_model"),
        ):
            with self.subTest(options=options):
                done, _ = check(*options)
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertRegex(done.stderr, r"\Aarticulate: [^\n]+\.\n\Z")
                self.assertIn(word, done.stderr)
        for options in (["--laws"], ["--laws", "numbers.json"], ["--engine", "x", "--draws", "3"]):
            done = subprocess.run([CHECK, "check", *options], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertRegex(done.stderr, r"\Aarticulate: [^\n]+\.\n\Z")


def main():
    if not DRAWS:
        return unittest.main()
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(OursTest)
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    print(f"{len(result.failures) + len(result.errors)} tests failed out of {result.testsRun}")
    return sys.exit(not result.wasSuccessful())


if __name__ == "__main__":
    main()
