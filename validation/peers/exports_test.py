#!/usr/bin/env python3
"""Runs the export programs of the libraries that are installed, and holds what they write against ours.

usage: exports_test.py PROGRAM EXPORTS     where PROGRAM is the built command line, with the one that checks beside it, and
                                           EXPORTS the folder of the exports that were built

With the conversions that an export makes all digits must be there. Without them, --as-is, `check` must name the conventions
which the page of that library names.
"""
import json
import py_compile
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "models"))
from exported import without_base

HERE = Path(__file__).resolve().parent
PROGRAM = sys.argv.pop(1) if len(sys.argv) > 2 else sys.exit(__doc__)
CHECK, BUILT = Path(PROGRAM).with_name("articulate-check"), Path(sys.argv.pop(1))
TIPS = {"ur5": "wrist_3_link", "quadruped": "hind_right_foot"}


def drawn_states(joints, floating, count=5):
    """Rates everywhere, a base in general position, gravity along no axis."""
    draw = random.Random(1)

    def some(n):
        return [draw.uniform(-2, 2) for _ in range(n)]

    for _ in range(count):
        state = {"q": some(joints), "qd": some(joints + 6 * floating), "qdd": some(joints + 6 * floating), "gravity": some(3)}
        if floating:
            x = [draw.gauss(0, 1) for _ in range(4)]
            norm = sum(a * a for a in x) ** 0.5
            state["base"] = {"position": some(3), "quaternion_xyzw": [a / norm for a in x]}
        yield state


def ended_well(command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, check=False, **options)
    if done.returncode:
        raise AssertionError(f"{command[0]} ended with {done.returncode}: {done.stderr}")
    return done.stdout


class ExportsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def model_file(self, model, form, damping=0):
        """A built-in model as we write it, which is also as these libraries read it."""
        text = ended_well([PROGRAM, "models", "--model", model, "--export", form])
        if model == "quadruped" and form == "urdf":  # these exports free the root themselves
            text = without_base(text)
        if damping:
            text = text.replace("</joint>", f'<dynamics damping="{damping}"/></joint>')
        path = self.folder / f"{model}.{form}"
        path.write_text(text, encoding="utf-8")
        return path

    def diagnosed(self, library, model, *options, form="urdf", only=None, wrench=None, **changes):
        """(do all agree, names of the causes) of what an export says about a model in random states."""
        if not (BUILT / f"from_{library}").exists():
            self.skipTest(f"from_{library} is not built: the library is not installed")
        floating = model == "quadruped"
        given = drawn_states(12 if floating else 6, floating)
        states = "".join(json.dumps({**state, **({"external_wrenches": wrench} if wrench else {})}) + "\n" for state in given)
        path = self.model_file(model, form, **changes)
        lines = [json.loads(x) for x in ended_well([BUILT / f"from_{library}", path, TIPS[model], *options], input=states).splitlines()]
        self.assertEqual(len(lines), 5)
        for line in lines:
            self.assertGreaterEqual(len(line["answers"]), 3)
            line["answers"] = {name: x for name, x in line["answers"].items() if only is None or name in only}
        theirs = self.folder / "theirs.jsonl"
        theirs.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        # The same file, if it says all; a URDF does not say that the base floats.
        ours = path if changes or form == "mjcf" else model
        done = subprocess.run([CHECK, "check", theirs, "--model", ours], capture_output=True, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr.decode())
        causes = re.findall(r"^  cause: (\S+)", done.stdout.decode(), re.MULTILINE)
        return done.returncode == 0, set(causes)

    def test_kdl(self):
        self.assertEqual(self.diagnosed("kdl", "ur5"), (True, set()))
        self.assertEqual(self.diagnosed("kdl", "ur5", "--as-is"), (False, {"twist_order/linear_first"}))
        pushed = {"forearm_link": [1, 2, 3, 4, 5, 6]}
        self.assertEqual(self.diagnosed("kdl", "ur5", wrench=pushed), (False, {"external_forces/ignored"}))

    def test_mujoco(self):
        self.assertEqual(self.diagnosed("mujoco", "ur5"), (True, set()))
        self.assertEqual(self.diagnosed("mujoco", "ur5", "--as-is"), (False, {"twist_order/linear_first"}))
        self.assertEqual(self.diagnosed("mujoco", "quadruped", form="mjcf"), (True, set()))
        self.assertEqual(
            self.diagnosed("mujoco", "quadruped", "--as-is", form="mjcf", only=["mass_matrix", "inverse_dynamics"]),
            (False, {"layout/quaternion_wxyz", "base_velocity/world_linear_body_angular"}),
        )

    def test_mujoco_counts_damping(self):
        self.assertEqual(self.diagnosed("mujoco", "ur5", damping=0.7), (True, set()))
        self.assertEqual(
            self.diagnosed("mujoco", "ur5", "--as-is", damping=0.7),
            (False, {"twist_order/linear_first", "damping/counted_once"}),
        )

    def test_dart(self):
        self.assertEqual(self.diagnosed("dart", "ur5"), (True, set()))
        self.assertEqual(self.diagnosed("dart", "ur5", "--as-is"), (False, {"jacobian/link_axes"}))
        self.assertEqual(self.diagnosed("dart", "quadruped", "--floating"), (True, set()))
        self.assertEqual(self.diagnosed("dart", "quadruped", "--floating", "--as-is"), (False, {"jacobian/link_axes"}))

    def test_simbody(self):
        self.assertEqual(self.diagnosed("simbody", "ur5"), (True, set()))
        self.assertEqual(self.diagnosed("simbody", "ur5", "--as-is"), (True, set()))
        self.assertEqual(self.diagnosed("simbody", "quadruped", "--floating"), (True, set()))
        self.assertEqual(
            self.diagnosed("simbody", "quadruped", "--floating", "--as-is"), (False, {"base_velocity/world_angular_first"})
        )

    def test_python_compiles(self):
        scripts = sorted((HERE / "exports").glob("from_*.py"))
        self.assertEqual(len(scripts), 7)
        for script in scripts:
            with self.subTest(script=script.name):
                py_compile.compile(str(script), cfile=str(self.folder / "compiled"), doraise=True)


if __name__ == "__main__":
    unittest.main()
