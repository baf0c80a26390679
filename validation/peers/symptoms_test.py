#!/usr/bin/env python3
"""Makes the mistakes of the index of symptoms (chapters/your_library.md), and asks `check` for the name that stands there.

usage: symptoms_test.py PROGRAM     where PROGRAM is the built command line; the one that checks is beside it

Mistakes are made in what `compute` answers, in its states or in the text of the model, not in the code that knows the causes.
"""
import json
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
CHECK = Path(PROGRAM).with_name("articulate-check")
PAGE = (Path(__file__).resolve().parents[2] / "chapters" / "your_library.md").read_text(encoding="utf-8")
SYMPTOMS = dict(re.findall(r"^\| ([^|]+?) \| ([^|]+?) \| [^|]+ \|$", PAGE.partition("{#your_library_symptoms}")[2], re.MULTILINE))


def states(model, floating):
    draw = random.Random(5)

    def some(n):
        return [draw.uniform(-2, 2) for _ in range(n)]

    for _ in range(5):
        state = {"q": some(model), "qd": some(model + 6 * floating), "qdd": some(model + 6 * floating)}
        if floating:
            x = [draw.gauss(0, 1) for _ in range(4)]
            norm = sum(a * a for a in x) ** 0.5
            state["base"] = {"position": some(3), "quaternion_xyzw": [a / norm for a in x]}
        yield state


def computed(model, given, *options):
    lines = "".join(json.dumps(state) + "\n" for state in given)
    done = subprocess.run([PROGRAM, "compute", "--model", model, "--state", "-", *options], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


class SymptomsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def causes(self, model, lines):
        path = self.folder / "theirs.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        done = subprocess.run([CHECK, "check", path, "--model", model], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        return re.findall(r"^  cause: (\S+)", done.stdout, re.MULTILINE)

    def assert_listed(self, symptom, cause, found):
        """It is the cause that is named, and it stands in the row of the symptom."""
        self.assertEqual(found, [cause])
        self.assertIn(symptom, SYMPTOMS)
        self.assertIn(f"`{re.sub(r':.*', ':LINK', cause)}`", SYMPTOMS[symptom])

    def answers_of(self, model, change_state=lambda s: s, floating=False, options=(), **wanted):
        """Right states with the answers of changed ones; wanted: where in the result of `compute` an answer stands."""
        given = list(states(12 if floating else 6, floating))
        results = computed(model, [change_state(json.loads(json.dumps(state))) for state in given], *options)
        return [
            {"state": state, "answers": {name: place(x) for name, place in wanted.items()}} for state, x in zip(given, results)
        ]

    FORCES = {"inverse_dynamics": lambda x: x["inverse_dynamics"]["tau"], "mass_matrix": lambda x: x["mass_matrix"]}

    def test_gravity(self):
        for symptom, cause, gravity in [
            ("forces are off by the weight", "gravity/zero", [0, 0, 0]),
            ("gravity forces have the other sign: off by twice the weight", "gravity/sign", [0, 0, 9.81]),
            ("off by 0.034 % of the weight", "gravity/standard_9.80665", [0, 0, -9.80665]),
            ("gravity as if the robot were mounted differently", "gravity/y_up", [0, -9.81, 0]),
        ]:
            with self.subTest(cause=cause):
                lines = self.answers_of("ur5", lambda state, g=gravity: {**state, "gravity": g}, **self.FORCES)
                self.assert_listed(symptom, cause, self.causes("ur5", lines))

    def test_at_the_last_joint_only(self):
        def damped(state, answers):
            answers["inverse_dynamics"][5] += 0.7 * state["qd"][5]

        def rubbed(state, answers):
            answers["inverse_dynamics"][5] += 0.7 if state["qd"][5] > 0 else -0.7

        def heavy(state, answers):
            answers["inverse_dynamics"][5] += 0.3 * state["qdd"][5]
            answers["mass_matrix"][5][5] += 0.3

        for cause, spoil in [("damping/other", damped), ("friction/other", rubbed), ("armature/other", heavy)]:
            with self.subTest(cause=cause):
                lines = self.answers_of("ur5", **self.FORCES)
                for line in lines:
                    spoil(line["state"], line["answers"])
                self.assert_listed("wrong at the last joint only", cause, self.causes("ur5", lines))

    def test_from_the_base_to_some_joint(self):
        text = subprocess.run([PROGRAM, "models", "--model", "ur5", "--export", "urdf"], capture_output=True, text=True, check=True).stdout
        before, link, behind = text.partition('<link name="forearm_link">')
        heavier = re.sub(r'mass value="([^"]+)"', lambda mass: f'mass value="{1.1 * float(mass[1])!r}"', behind, count=1)
        self.assertNotEqual(heavier, behind)
        path = self.folder / "heavier.urdf"
        path.write_text(before + link + heavier, encoding="utf-8")
        wrong, right = (self.answers_of(model, **self.FORCES) for model in (path, "ur5"))
        for theirs, ours in zip(wrong, right):
            pairs = zip(theirs["answers"]["inverse_dynamics"], ours["answers"]["inverse_dynamics"])
            self.assertEqual([abs(a - b) > 1e-9 for a, b in pairs], [True, True, True, False, False, False])
        self.assert_listed("wrong from the base up to some joint, correct beyond it", "inertia/parameters:forearm_link", self.causes("ur5", wrong))

    def test_units_and_halves(self):
        def in_degrees(state):
            return {**state, **{key: [0.017453292519943295 * x for x in state[key]] for key in ("q", "qd", "qdd")}}

        lines = self.answers_of("ur5", in_degrees, **self.FORCES)
        self.assert_listed("wrong everywhere, in every state", "units/degrees", self.causes("ur5", lines))
        lines = self.answers_of("ur5", **self.FORCES)
        for line in lines:
            M = line["answers"]["mass_matrix"]
            line["answers"]["mass_matrix"] = [[x if j >= i else 0 for j, x in enumerate(row)] for i, row in enumerate(M)]
        self.assert_listed("half of a symmetric matrix is zero", "triangle/upper_only", self.causes("ur5", lines))

    def test_jacobians(self):
        def exchanged(J):
            return [*J[3:], *J[:3]]

        for symptom, cause, frame, change in [
            ("the two halves of a Jacobian are exchanged", "twist_order/linear_first", "mixed", exchanged),
            ("one half of a Jacobian is right", "jacobian/world_point", "world", list),
            ("neither half of a Jacobian is right, but the lengths of its columns are", "jacobian/link_axes", "link", list),
        ]:
            with self.subTest(cause=cause):
                wanted = {"jacobian:wrist_3_link": lambda x, change=change: change(x["jacobians"]["links"]["wrist_3_link"])}
                self.assert_listed(symptom, cause, self.causes("ur5", self.answers_of("ur5", options=["--frame", frame], **wanted)))

    def test_terms_of_the_equation(self):
        wanted = {"bias": lambda x: x["coriolis_force"], **self.FORCES}
        self.assert_listed("forces are off by the weight", "bias/without_gravity", self.causes("ur5", self.answers_of("ur5", **wanted)))
        wanted = {"gravity_force": lambda x: [-force for force in x["gravity_force"]], **self.FORCES}
        symptom = "gravity forces have the other sign: off by twice the weight"
        self.assert_listed(symptom, "sign/gravity_force", self.causes("ur5", self.answers_of("ur5", **wanted)))
        lines = self.answers_of("ur5", mass_matrix=self.FORCES["mass_matrix"])
        for line in lines:
            for i, row in enumerate(line["answers"]["mass_matrix"]):
                row[i] += 0.3
        symptom = "the diagonal of the mass matrix is too large, by the same amount in all states"
        self.assert_listed(symptom, "armature/other", self.causes("ur5", lines))

    def test_external_wrenches(self):
        def pushed(state, sign=1):
            return {**state, "external_wrenches": {"forearm_link": [sign * x for x in (1, 2, 3, 4, 5, 6)]}}

        symptom = "inverse dynamics differ when something pushes"
        for cause, change in [
            ("external_forces/sign", lambda state: pushed(state, -1)),
            ("external_forces/force_first", lambda state: {**state, "external_wrenches": {"forearm_link": [4, 5, 6, 1, 2, 3]}}),
        ]:
            with self.subTest(cause=cause):
                lines = self.answers_of("ur5", change, **self.FORCES)
                self.assert_listed(symptom, cause, self.causes("ur5", [{**line, "state": pushed(line["state"])} for line in lines]))

    def test_columns_of_a_regressor(self):
        def sorted_otherwise(Y):
            return [[row[10 * body + k] for body in range(len(row) // 10) for k in (0, 1, 2, 3, 4, 5, 7, 6, 8, 9)] for row in Y]

        wanted = {"torque_regressor": lambda x: sorted_otherwise(x["regressor"]["matrix"])}
        lines = self.answers_of("ur5", options=["--regressor"], **wanted)
        symptom = "a regressor has the right columns in another order"
        self.assert_listed(symptom, "regressor/xx_xy_yy_xz_yz_zz", self.causes("ur5", lines))

    def test_joints_by_the_alphabet(self):
        names = computed("forked_arm", states(6, False))[0]["joints"]
        order = sorted(range(6), key=lambda k: names[k])  # theirs: the joint at each place
        self.assertNotEqual(order, sorted(order))

        def in_ours(state):  # what they read for a joint stands where they have it
            return {**state, **{key: [state[key][order.index(k)] for k in range(6)] for key in ("q", "qd", "qdd")}}

        wanted = {
            "inverse_dynamics": lambda x: [x["inverse_dynamics"]["tau"][k] for k in order],
            "mass_matrix": lambda x: [[x["mass_matrix"][i][j] for j in order] for i in order],
        }
        lines = self.answers_of("forked_arm", in_ours, **wanted)
        self.assert_listed("right numbers in other places", "layout/alphabet", self.causes("forked_arm", lines))

    def test_stale_answers(self):
        lines = self.answers_of("ur5", **self.FORCES)
        answers = [line["answers"] for line in lines]
        lines = [{**line, "answers": old} for line, old in zip(lines, [answers[0], *answers])]
        self.assert_listed("right in the first state, wrong in all later ones", "stale/all", self.causes("ur5", lines))

    def test_floating_bases(self):
        def w_first(state):
            w, x, y, z = state["base"]["quaternion_xyzw"]
            return {**state, "base": {**state["base"], "quaternion_xyzw": [x, y, z, w]}}

        def inverse(state):
            *axis, w = state["base"]["quaternion_xyzw"]
            return {**state, "base": {**state["base"], "quaternion_xyzw": [*(-a for a in axis), w]}}

        def classical(state):
            (a, b, c), (x, y, z) = state["qd"][:3], state["qd"][3:6]
            turning = [b * z - c * y, c * x - a * z, a * y - b * x]
            qdd = state["qdd"]
            return {**state, "qdd": [*qdd[:3], *(p - t for p, t in zip(qdd[3:6], turning)), *qdd[6:]]}

        always, moving = "wrong only with a floating base, at rest too", "right at rest, wrong in motion, floating base only"
        for symptom, cause, change in [
            (always, "layout/quaternion_wxyz", w_first),
            (always, "layout/quaternion_inverse", inverse),
            (moving, "base_acceleration/classical", classical),
        ]:
            with self.subTest(cause=cause):
                lines = self.answers_of("quadruped", change, floating=True, **self.FORCES)
                self.assert_listed(symptom, cause, self.causes("quadruped", lines))


if __name__ == "__main__":
    unittest.main()
