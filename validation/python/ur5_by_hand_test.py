"""The whole UR5 in numpy alone, docs/tutorials/ur5_by_hand.py: the library agrees, and the page prints these numbers."""
import importlib.util
import json
import re
import unittest
from pathlib import Path

import numpy as np
from agreement import assert_agree

import articulate as a

SOURCE = Path(__file__).resolve().parents[2]
SCRIPT = SOURCE / "docs" / "tutorials" / "ur5_by_hand.py"
PAGE = (SOURCE / "chapters" / "ur5_by_hand.md").read_text(encoding="utf-8")
STATE = json.loads(re.search(r"^    ({\"q\":.*})$", PAGE, re.MULTILINE)[1])
INPUTS = [np.array(STATE[name], dtype=float) for name in ("q", "qd", "qdd")]
TIP = "wrist_3_link"

spec = importlib.util.spec_from_file_location("ur5_by_hand", SCRIPT)
by_hand = importlib.util.module_from_spec(spec)
spec.loader.exec_module(by_hand)
TEXT = a.urdf_text(a.built_in_model("ur5"))
MODEL = a.Model(a.parse_urdf(TEXT))
ARM = by_hand.read(TEXT)
known = {}


def answers(*inputs):
    """What the script computes, once for each state: every answer is compared in the same few."""
    key = b"".join(x.tobytes() for x in inputs)
    if key not in known:
        known[key] = by_hand.answers(ARM, *inputs)
    return known[key]


def position(q, qd, qdd):
    kinematics = a.ForwardKinematics(MODEL)
    kinematics(q, qd)
    return kinematics.link_pose(TIP).p


def velocity(q, qd, qdd):
    """Along the axes of the world: angular, and that of the origin of the last link."""
    kinematics = a.ForwardKinematics(MODEL)
    kinematics(q, qd)
    R, V = kinematics.link_pose(TIP).R, kinematics.link_twist(TIP)
    return np.concatenate([R @ V.w, R @ V.v])


def released(q, qd, qdd):
    return a.ForwardDynamics(MODEL)(q, qd, np.zeros(len(qd)))


def skew(q, qd, qdd):
    metric = a.InertiaMetric(MODEL)
    metric(q)
    n = len(q)
    rate = [[sum(metric.dm(i, j, k) * qd[k] for k in range(n)) for j in range(n)] for i in range(n)]
    return np.array(rate) - 2 * a.coriolis_matrix(MODEL, q, qd, "christoffel")


LIBRARY = {
    "position": position,
    "velocity": velocity,
    "tau": lambda *s: a.InverseDynamics(MODEL)(*s),
    "released": released,
    "dtau_dq": lambda *s: a.inverse_dynamics_jacobians(MODEL, *s)[0],
    "mass_matrix": lambda q, *_: a.composite_mass_matrix(MODEL, q),
    "coriolis_force": lambda q, qd, _: a.coriolis_matrix(MODEL, q, qd, "christoffel") @ qd,
    "skew": skew,
}


class UniversalRobot(unittest.TestCase):
    def test_the_library_agrees(self):
        draw = np.random.default_rng(22)
        for inputs in (INPUTS, list(draw.uniform(-2, 2, (3, len(ARM))))):
            with self.subTest(q=inputs[0]):
                self.assertEqual(set(answers(*inputs)), set(LIBRARY))
                for name, library in LIBRARY.items():
                    with self.subTest(name=name):
                        assert_agree(self, library, lambda *s: answers(*s)[name], *inputs)

    def test_the_page_prints_what_the_script_computes(self):
        """A row of the table for each answer, or for a named column or row of it; no other row has numbers."""
        rows = dict(re.findall(r"^\| .* \| `(\w+)(?:\[.*\])?`.* \| (.*) \|$", PAGE, re.MULTILINE))
        slices = dict(re.findall(r"^\| .* \| `(\w+)\[(.*)\]`", PAGE, re.MULTILINE))
        values = answers(*INPUTS)
        self.assertEqual(set(rows), set(values))
        for name, value in values.items():
            row, _, column = slices.get(name, "").partition(", ")
            taken = value if not row else value[:, int(column)] if row == ":" else value[int(row)]
            shown = "(" + ", ".join(f"{x:.6f}" for x in np.round(taken, 6) + 0.0) + ")"
            with self.subTest(name=name):
                self.assertEqual(rows[name].replace("{", "").replace("}", "").strip("\\f$"), shown)

    def test_chapters_05_and_06_print_the_same_arm_with_its_motors_off(self):
        printed = ", ".join(f"{x:.6f}" for x in answers(*INPUTS)["released"])
        for stem in ("05_aba", "06_hybrid"):
            text = (SOURCE / "chapters" / f"{stem}.md").read_text(encoding="utf-8")
            self.assertTrue(f"({printed})" in text.replace("{", "").replace("}", ""), f"{stem}: {printed}")


if __name__ == "__main__":
    unittest.main()
