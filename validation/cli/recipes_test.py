"""The recipes for campaigns in shards: what many do, workers that are killed included, is what one run does.

usage: recipes_test.py PROGRAM     where PROGRAM is the built command line; the one that checks is beside it
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK = str(Path(sys.argv.pop(1)).resolve().with_name("articulate-check")) if len(sys.argv) > 1 else ""
RECIPES = Path(__file__).resolve().parents[2] / "docs" / "recipes"
SHARDS, STATES = 6, 3000
sys.path.insert(0, str(RECIPES))


def state(k):
    x = [((k * (j + 7) * 7919) % 4001) / 1000 - 2 for j in range(18)]
    return {"q": x[:6], "qd": x[6:12], "qdd": x[12:]}


def lines():
    """Numbers of a library that is right, but for an entry in every hundredth state: those of `compute`."""
    given = [state(k) for k in range(STATES)]
    done = subprocess.run([str(Path(CHECK).with_name("articulate-cli")), "compute", "--model", "ur5", "--state", "-", "--only", "tau"],
                          input="\n".join(map(json.dumps, given)), capture_output=True, text=True, check=True)
    for k, (s, line) in enumerate(zip(given, done.stdout.splitlines())):
        tau = json.loads(line)["inverse_dynamics"]["tau"]
        tau[0] *= 1 if k % 100 else 1 + 1e-4
        yield json.dumps({"state": s, "answers": {"inverse_dynamics": tau}}) + "\n"


def dying(k, count, folder, command):
    """A shard; the worker that has the third is killed in the middle of its first try, while the program goes on."""
    import dask_shards

    mark = Path(folder).parent / "killed"
    if k == 3 and not mark.exists():
        mark.touch()
        subprocess.Popen([*command, "--no-diagnose", "--shard", f"{k}/{count}", "--output", str(Path(folder) / f"{k}.scores")],
                         stdout=subprocess.DEVNULL)
        os.kill(os.getpid(), signal.SIGKILL)
    return dask_shards.shard(k, count, folder, command)


class Recipes(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.numbers = self.folder / "numbers.jsonl"
        self.numbers.write_text("".join(lines()))
        self.arguments = [str(self.numbers), "--model", "ur5", "--chunk", "50"]

    def scores(self, *arguments):
        report = self.folder / "report.json"
        done = subprocess.run([CHECK, "check", *arguments, "--json", report], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        return json.loads(report.read_text())

    def assert_merged(self, folder):
        whole, merged = self.scores(*self.arguments, "--no-diagnose"), self.scores("merge", *sorted(map(str, folder.glob("*.scores"))))
        self.assertEqual(merged["scores"], whole["scores"])
        self.assertEqual(merged["scores"]["quantities"]["inverse_dynamics"]["lacking"], STATES // 100)
        self.assertEqual(merged["remarks"], [])

    def test_dask_loses_nothing_with_a_worker(self):
        try:
            import dask_shards
            from distributed import Client, LocalCluster
        except ImportError:
            self.skipTest("python3-distributed is not installed")
        folder = self.folder / "scores"
        with LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster:
            with Client(cluster) as client:
                dask_shards.run(client, SHARDS, folder, [CHECK, "check", *self.arguments], dying)
        self.assertTrue((self.folder / "killed").exists())
        self.assert_merged(folder)

    def test_parallel(self):
        if not shutil.which("parallel"):
            self.skipTest("parallel is not installed")
        done = subprocess.run([RECIPES / "parallel_shards.sh", str(SHARDS), self.folder / "scores", CHECK, *self.arguments],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("differs in 30 of 3000 states", done.stdout)
        self.assert_merged(self.folder / "scores")

    def test_slurm(self):
        """Without Slurm: what a task of its array sees."""
        for k in range(1, SHARDS + 1):
            subprocess.run([RECIPES / "slurm_shards.sh", self.folder / "scores", CHECK, *self.arguments], check=True, stdout=subprocess.DEVNULL,
                           env={**os.environ, "SLURM_ARRAY_TASK_ID": str(k), "SLURM_ARRAY_TASK_COUNT": str(SHARDS)})
        self.assert_merged(self.folder / "scores")


if __name__ == "__main__":
    unittest.main()
