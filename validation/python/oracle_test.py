"""Somebody's numbers held against ours: right ones agree, wrong ones fail with their cause, bad ones are refused."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

import numpy as np

import articulate as a

TEMPLATE = pathlib.Path(__file__).resolve().parents[1] / "peers" / "adapters" / "template.py"


def drawn(name, count=3, floating_base=None):
    model = a.Model.load(name, floating_base=floating_base)
    return model, [a.random_state(model, seed) for seed in range(1, count + 1)]


def torques(model, states, gravity_sign=1):
    rnea, tables = a.InverseDynamics(model), []
    for s in states:
        rnea.set_gravity(gravity_sign * np.asarray(s.gravity))
        tables.append({"inverse_dynamics": np.array(rnea(s.q, s.qd, s.qdd, s.Fext))})
    return tables


class Oracle(unittest.TestCase):
    def test_right_numbers_agree(self):
        for name, floating_base in (("ur5", False), ("quadruped", True), ("every_joint", False)):
            model, states = drawn(name, floating_base=floating_base)
            theirs = torques(model, states)
            for tables, s in zip(theirs, states):
                tables["mass_matrix"] = a.mass_matrix(model, s.q)
                tables["center_of_mass"] = a.center_of_mass(model, s.q)
            a.assert_dynamics_equal(theirs, model, states)
            a.assert_dynamics_equal(theirs[0], model, states[0])
            checked = a.check(theirs, model, states)
            self.assertTrue(checked.agrees, repr(checked))
            self.assertIn("All digits", checked.verdict)
            self.assertEqual(set(checked.digits), {"inverse_dynamics", "mass_matrix", "center_of_mass"})
            for quantity, attainable in checked.attainable.items():
                self.assertGreater(attainable, 10)
                self.assertGreaterEqual(checked.digits[quantity], attainable - 1)
            diagnosis = a.diagnose(theirs, model, states)
            self.assertEqual(diagnosis.findings, [])
            self.assertFalse(diagnosis.unexplained)
            self.assertIsNone(diagnosis.next_state)

    def test_entries_that_are_zero_but_for_rounding_take_no_digits_from_an_explanation(self):
        """The centroidal momentum of a free base: no turn about the centre of mass moves it."""
        model, states = drawn("quadruped", floating_base=True)
        description = a.built_in_model("quadruped")
        links = description.links
        shank = next(link for link in links if link.name == "front_right_shank")
        shank.mass *= 1.125
        shank.center_of_mass = shank.center_of_mass + [0.03, 0, 0]
        description.links = links
        other, theirs = a.Model(description, floating_base=True), []
        for s in states:
            theirs.append(
                {
                    "mass_matrix": a.mass_matrix(other, s.q),
                    "centroidal_momentum_matrix": a.centroidal_momentum_matrix(other, s.q),
                }
            )
        diagnosis = a.diagnose(theirs, model, states)
        self.assertEqual([finding.cause for finding in diagnosis.findings], ["inertia/parameters:front_right_shank"])
        attainable = a.check(theirs, other, states).attainable
        self.assertGreater(diagnosis.findings[0].digits_after, min(attainable.values()) - 1)

    def test_a_number_that_is_found_to_be_zero_is_told_as_zero(self):
        def body(ixx):
            link = a.Link("body", 2, [0.3, 0.2, -0.1], [ixx, 0.01, 0, 0.1, 0.02, 0.1])
            return a.Model(a.Mechanism("body", [link]), floating_base=True, accept_unphysical=True)

        ours, other = body(0.111173), body(0)
        states = [a.random_state(ours, seed) for seed in (1, 2, 3)]
        words = a.diagnose([{"mass_matrix": a.mass_matrix(other, s.q)} for s in states], ours, states).words
        self.assertIn("ixx = 0 instead of 0.111173, as far as they tell", words)

    def test_reversed_gravity_is_named_in_the_failure(self):
        model, states = drawn("ur5")
        theirs = torques(model, states, gravity_sign=-1)
        with self.assertRaisesRegex(AssertionError, "(?s)inverse_dynamics .*differs.*gravity"):
            a.assert_dynamics_equal(theirs, model, states)
        diagnosis = a.diagnose(theirs, model, states)
        finding = diagnosis.findings[0]
        self.assertTrue(any("gravity" in cause for cause in [finding.cause, *finding.indistinguishable]), finding)
        self.assertIn("ravity", diagnosis.words)
        self.assertIn(finding.cause, repr(finding))
        self.assertEqual(repr(diagnosis), diagnosis.words)
        self.assertGreater(finding.digits_after, 12)
        self.assertLess(finding.digits_before, 3)
        self.assertTrue(finding.sentence and finding.remedy)
        report = a.check(theirs, model, states).report
        self.assertFalse(report["agrees"])
        self.assertEqual(report["scores"]["quantities"]["inverse_dynamics"]["lacking"], 3)

    def test_a_single_wrong_entry_is_found(self):
        model, states = drawn("ur5")
        theirs = torques(model, states)
        theirs[1]["inverse_dynamics"][2] *= 1 + 1e-6
        checked = a.check(theirs, model, states)
        self.assertFalse(checked.agrees)
        worst = checked.report["scores"]["quantities"]["inverse_dynamics"]["worst"]
        self.assertEqual((worst["state"], worst["entry"]), (1, "[2] (elbow_joint)"))
        with self.assertRaises(AssertionError):
            a.assert_dynamics_equal(theirs, model, states)

    def test_not_finite_is_wrong(self):
        model, states = drawn("ur5", 1)
        theirs = torques(model, states)[0]
        theirs["inverse_dynamics"][0] = np.nan
        with self.assertRaisesRegex(AssertionError, "differs"):
            a.assert_dynamics_equal(theirs, model, states[0])

    def test_what_cannot_be_meant_is_refused(self):
        model, states = drawn("ur5", 2)
        theirs = torques(model, states)
        for tables, of, words in (
            (theirs, states[:1], "2 sets of tables for 1 states"),
            ([], [], "at least one"),
            ({}, states[0], "no table in theirs"),
            ({"torque": [1.0]}, states[0], "'torque' is no quantity"),
            ({"inverse_dynamics": [1.0, 2.0]}, states[0], r"inverse_dynamics has the shape \(2,\) .* \(6,\)"),
            ({"kinetic_energy": 1.0}, a.State(q=[0.0]), "q has 1"),
        ):
            with self.assertRaisesRegex(a.Error, words):
                a.check(tables, model, of)

    def test_the_template_of_an_engine_agrees(self):
        program = os.path.join(os.environ["ARTICULATE_BUILD"], "bin", "articulate-check")
        for name in ("ur5", "quadruped", "every_joint"):
            done = subprocess.run([program, "check", "--engine", f"'{sys.executable}' '{TEMPLATE}'", "--model", name, "--states", "20"],
                                  capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            self.assertRegex(done.stdout, r"inverse_dynamics +20 .*\n.*mass_matrix +20 ")

    def test_quantities_are_listed(self):
        self.assertIn("N m", a.quantities()["inverse_dynamics"])
        self.assertIn("jacobian:LINK", a.quantities())

    def test_what_cases_show(self):
        """Its README says of how many causes cases were asked, and to what part of them the simplest are blind."""
        folder = pathlib.Path(__file__).resolve().parents[1] / "oracle"
        measured = json.loads((folder / "sensitivity.json").read_text(encoding="utf-8"))
        said = " ".join((folder / "README.md").read_text(encoding="utf-8").split())
        causes, blind = len(measured["causes"]), measured["blind_to"]
        self.assertIn(f"has all {causes} causes", said)
        parts = ["half", "third", "quarter", "fifth", "sixth"]
        part = [parts[round(causes / len(blind[name])) - 2] for name in ("pendulum", "lagrange_top")]
        self.assertIn("Pendulums are blind to a {} of all, tops to a {}.".format(*part), said)


if __name__ == "__main__":
    unittest.main()
