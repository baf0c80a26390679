"""What the README says of numbers is what its own commands print."""
import contextlib
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMAND = os.path.join(os.environ["ARTICULATE_BUILD"], "bin", "articulate-cli")


def section(title):
    return re.search(rf"^## {title}\n(.*?)(?=^## )", README, re.S | re.M)[1]


def block(text, language):
    return re.search(rf"```{language}\n(.*?)```", text, re.S)[1]


def quoted(text):
    """The numbers that stand in code within sentences."""
    return [float(number) for number in re.findall(r"`(-?\d[\d.e-]*)`", re.sub(r"```.*?```", "", text, flags=re.S))]


def run(text, folder):
    """A block of shell commands, with the built program for the start script; what it prints."""
    for name in ("chapters", "validation"):
        os.symlink(ROOT / name, pathlib.Path(folder) / name)
    script = block(text, "sh").replace("./articulate", COMMAND)
    return subprocess.run(["sh", "-e", "-c", script], cwd=folder, check=True, capture_output=True, text=True).stdout


def curves(picture):
    """The numbers of each curve's path in the order of drawing, without those of the grid, which are transparent."""
    paths = re.findall(r'<path d="([^"]*)" clip-path="[^"]*" style="fill: none; stroke: #\w+; stroke-linecap', picture)
    return [[float(x) for x in re.findall(r"-?\d+\.?\d*", path)] for path in paths]


class Readme(unittest.TestCase):
    def test_a_first_result(self):
        text = section("A first result")
        with tempfile.TemporaryDirectory() as folder:
            tau = json.loads(run(text, folder))["inverse_dynamics"]["tau"]
        said = quoted(text)
        self.assertEqual(len(said), 3)
        self.assertEqual([round(x, 7) for x in tau[:3]], said)

    def test_a_first_motion(self):
        text = section("A first motion")
        with tempfile.TemporaryDirectory() as folder:
            run(text, folder)
            with open(os.path.join(folder, "motion.csv"), encoding="utf-8") as file:
                rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
            drawn = pathlib.Path(folder, "motion.svg").read_text(encoding="utf-8")
        energy, change = quoted(text)
        self.assertEqual(len(rows), 501)
        self.assertEqual(float(rows[-1]["t"]), 10)
        energies = [float(row["energy"]) for row in rows]
        self.assertEqual(round(energies[0], 4), energy)
        self.assertLess(max(abs(x - energies[0]) for x in energies), change)
        # The picture that is shown has the same curves of angles and energies, to a tenth of a point.
        shown = (ROOT / "docs/pictures/first_motion.svg").read_text(encoding="utf-8")
        ours, theirs = curves(drawn)[:5], curves(shown)[:5]
        self.assertEqual([len(x) for x in ours], [len(x) for x in theirs])
        for one, other in zip(ours, theirs):
            self.assertGreater(len(one), 2)
            self.assertLess(max(abs(x - y) for x, y in zip(one, other)), 0.1)

    def test_in_python(self):
        said, printed = [], io.StringIO()
        for line in block(section("In Python"), "python").splitlines():
            if line.startswith("print("):
                said.append(float(re.search(r"# (\S+)", line)[1]))
        with contextlib.redirect_stdout(printed):
            exec(block(section("In Python"), "python"), {})
        self.assertEqual([float(x) for x in printed.getvalue().split()], said)
        self.assertEqual(len(said), 4)


if __name__ == "__main__":
    unittest.main()
