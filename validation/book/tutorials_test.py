#!/usr/bin/env python3
"""Does what the tutorials of the book say work, word by word?

usage: tutorials_test.py ARTICULATE_CLI COMPILER EIGEN

rnea_from_nothing.cpp is compiled and asked for the torques of a UR5, in the state of the README and in twenty drawn ones,
beside `compute`. slot_joint.diff is applied to a copy of the headers, and slot_joint.cpp compiled with it.
"""
import json
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = ROOT / "docs" / "tutorials"
CLI, COMPILER, EIGEN = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)


def compiled(source, folder, *options):
    program = Path(folder) / source.stem
    done = run(COMPILER, "-std=c++20", "-Wall", "-Wextra", "-Werror", source, "-o", program, *options)
    assert done.returncode == 0, done.stderr
    return program


class FromNothing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.program = compiled(TUTORIALS / "rnea_from_nothing.cpp", cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def assert_as_compute(self, state, *words):
        """The six torques add terms as large as the largest of them, and are that exact."""
        ours = [float(word) for word in run(self.program, *words).stdout.split()]
        done = run(CLI, "compute", "--model", "ur5", "--state", "-", "--only", "tau", input=json.dumps(state))
        theirs = json.loads(done.stdout)["inverse_dynamics"]["tau"]
        self.assertEqual(len(ours), 6)
        largest = max(abs(x) for x in theirs)
        for mine, other in zip(ours, theirs):
            self.assertLessEqual(abs(mine - other), 100 * 6 * 2**-52 * largest)

    def test_the_state_of_the_readme(self):
        path = ROOT / "validation" / "cli" / "good_states" / "ur5.json"
        self.assert_as_compute(json.loads(path.read_text(encoding="utf-8")))

    def test_drawn_states(self):
        draw = random.Random(7)
        for _ in range(20):
            state = {name: [draw.uniform(-2, 2) for _ in range(6)] for name in ("q", "qd", "qdd")}
            self.assert_as_compute(state, *(repr(x) for part in state.values() for x in part))

    def test_what_is_no_state_is_refused(self):
        for words in (["1"], ["x"] * 18, ["nan"] * 18):
            done = run(self.program, *words)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))


class NewJoint(unittest.TestCase):
    def test_a_slot(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "src" / "articulate", Path(folder) / "src" / "articulate")
            done = run("patch", "--batch", "--fuzz=0", "-p1", "-i", TUTORIALS / "slot_joint.diff", cwd=folder)
            self.assertEqual(done.returncode, 0, done.stdout)
            model = Path(folder) / "src" / "articulate" / "model"
            readers = [model / "mjcf.cpp", model / "xml_reader.cpp", "-ltinyxml2"]
            program = compiled(TUTORIALS / "slot_joint.cpp", folder, f"-I{folder}/src", "-isystem", EIGEN, *readers)
            done = run(program)
            self.assertEqual((done.returncode, done.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
