#!/usr/bin/env python3
"""Takes away what docs/engine_findings.tsv blames for digits that engines lack, and sees that they are no longer missing.

usage: engine_losses_test.py PROGRAM ENGINES     where PROGRAM is the built command line, with the one that checks beside it,
                                                 and ENGINES the folder of the adapters that were built

Far from the origin and near it; a chain whose links become heavier and shorter, and one of equal links; a humanoid, and the
same with heavy links. What is measured as attainable here includes our own rounding: less is missing than of certified digits.
In single states that rounding may be lucky. Where it hides how many digits are missing, it is counted how often one is.
"""
import json
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "models"))
from exported import without_base

PROGRAM = Path(sys.argv.pop(1)) if len(sys.argv) > 2 else sys.exit(__doc__)
CHECK, BUILT = PROGRAM.with_name("articulate-check"), Path(sys.argv.pop(1))
FAR = (1000, -700, 400)


def chain(masses, ratio, place):
    """Hinges in a row, each link with its mass, and as long as the one before times the ratio."""
    robot, parent = ET.Element("robot", name="chain"), "ground"
    ET.SubElement(robot, "link", name=parent)
    for k, mass in enumerate(masses):
        length, name = ratio**k, f"link_{k}"
        moment = mass * length**2
        inertial = ET.SubElement(ET.SubElement(robot, "link", name=name), "inertial")
        center = " ".join(str(part * length) for part in (0.4, 0.1, -0.2))
        ET.SubElement(inertial, "origin", xyz=center, rpy="0 0 0")
        ET.SubElement(inertial, "mass", value=repr(mass))
        parts = {"ixx": 0.11, "ixy": 0.003, "ixz": -0.004, "iyy": 0.12, "iyz": 0.002, "izz": 0.13}
        ET.SubElement(inertial, "inertia", {part: repr(factor * moment) for part, factor in parts.items()})
        joint = ET.SubElement(robot, "joint", name=f"joint_{k}", type="continuous")
        ET.SubElement(joint, "parent", link=parent)
        ET.SubElement(joint, "child", link=name)
        start = place if k == 0 else (length / ratio, 0.05 * length, 0)
        ET.SubElement(joint, "origin", xyz=" ".join(map(str, start)), rpy="0.4 -0.7 0.3")
        ET.SubElement(joint, "axis", xyz="0.2 0.3 0.9")
        parent = name
    return robot


def with_heavy_links(robot):
    """Every link as heavy as the heaviest, and nothing like a point or a rod."""
    inertials = [link.find("inertial") for link in robot.iter("link") if link.find("inertial") is not None]
    most = max(float(inertial.find("mass").get("value")) for inertial in inertials)
    for inertial in inertials:
        inertial.find("mass").set("value", repr(most))
        inertia = inertial.find("inertia")
        for part in ("ixx", "iyy", "izz"):
            inertia.set(part, repr(float(inertia.get(part)) + 0.04 * most))
    return robot


class EngineLossesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def scores(self, engine, robot, states, *options):
        """By quantity, what is said of the engine's numbers."""
        if not (BUILT / engine).exists():
            self.skipTest(f"{engine} is not built: the library is not installed")
        model, report = self.folder / "robot.urdf", self.folder / "report.json"
        ET.ElementTree(robot).write(model, encoding="unicode")
        command = [CHECK, "check", "--engine", f"'{BUILT / engine}'", "--model", model, "--json", report, "--states", states, *options]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        scores = json.loads(report.read_text(encoding="utf-8"))["scores"]
        self.assertEqual(scores["refusals"], [])
        return scores["quantities"]

    def missing(self, engine, robot, *options):
        """By quantity, how many digits are missing."""
        return {name: one["worst"]["missing"] for name, one in self.scores(engine, robot, 2, *options).items() if "worst" in one}

    def assert_lost(self, losses, bad, good, *options):
        """More than one digit is missing of each quantity, and less than half as many where the cause is taken away."""
        for engine, names in losses.items():
            with self.subTest(engine=engine):
                before, after = (self.missing(engine, robot, *options) for robot in (bad, good))
                for name in names:
                    self.assertGreater(before[name], 1, name)
                    self.assertLess(after[name], before[name] / 2, name)

    def test_far_from_the_origin(self):
        losses = {
            "kdl": {"tip_jacobian"},
            "mujoco": {"bias", "gravity_force", "link_twists", "mass_matrix", "momentum", "tip_jacobian"},
            "dart": {"centroidal_momentum"},
            "bullet": {"tip_jacobian"},
            "simbody": {"centroidal_momentum"},
        }
        self.assert_lost(losses, chain([1] * 6, 1, FAR), chain([1] * 6, 1, (0.1, -0.07, 0.04)))

    def test_masses_that_rise(self):
        solved = {"forward_dynamics", "inverse_mass_matrix"}
        losses = {
            "kdl": {"forward_dynamics"},
            "mujoco": solved,
            "dart": {"centroidal_momentum"},
            "bullet": solved,
            "simbody": {"centroidal_momentum"},
        }
        near = (0.1, -0.07, 0.04)
        self.assert_lost(losses, chain([4.0 ** (k - 11) for k in range(12)], 0.5, near), chain([1] * 12, 1, near))

    def test_light_hands(self):
        exported = [PROGRAM, "models", "--model", "humanoid", "--export", "urdf"]
        text = subprocess.run(list(map(str, exported)), capture_output=True, text=True, check=True).stdout
        losses = {"mujoco": {"inverse_mass_matrix"}, "simbody": {"inverse_mass_matrix"}}
        text = without_base(text)  # the engine is told of the base beside the text, and gets the numbers that stand in it
        for engine, names in losses.items():
            with self.subTest(engine=engine):
                light, heavy = (self.scores(engine, robot, 100, "--floating-base") for robot in (ET.fromstring(text), with_heavy_links(ET.fromstring(text))))
                for name in names:
                    before, after = light[name]["lacking"], heavy[name]["lacking"]
                    # More states than three standard deviations of two counts.
                    self.assertGreater(before - after, 3 * (before + after) ** 0.5, name)


if __name__ == "__main__":
    unittest.main()
