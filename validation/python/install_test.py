"""`cmake --install` puts the package where the Python of the prefix finds it by itself."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import articulate

BUILD = pathlib.Path(os.environ["ARTICULATE_BUILD"])
SITE = pathlib.Path(__file__).parent.parent.parent / "src" / "python" / "site_directory.py"


def run(*command, **options):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, **options).stdout


class Install(unittest.TestCase):
    def test_a_virtual_environment_finds_it_without_being_told(self):
        alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        with tempfile.TemporaryDirectory() as folder:
            prefix = pathlib.Path(folder) / "prefix"
            run(sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", prefix)
            run("cmake", "--install", BUILD, "--prefix", prefix)
            code = (
                "import articulate as a; m = a.Model.load('ur5'); s = a.random_state(m, 1); "
                "print(a.__file__, list(a.inverse_dynamics(m, s.q, s.qd, s.qdd)), sep='\\n')"
            )
            file, tau = run(prefix / "bin" / "python3", "-c", code, cwd=folder, env=alone).splitlines()
            installed = pathlib.Path(file).parent
            self.assertTrue(installed.is_relative_to(prefix), file)
            self.assertLessEqual(
                {"__init__.py", "__init__.pyi", "ledger.pyi", "py.typed"}, {f.name for f in installed.iterdir()}
            )
        model = articulate.Model.load("ur5")
        s = articulate.random_state(model, 1)
        self.assertEqual(tau, str(list(articulate.inverse_dynamics(model, s.q, s.qd, s.qdd))))

    def test_the_version_is_that_of_the_command_line(self):
        self.assertEqual(
            "articulate " + articulate.__version__, run(BUILD / "bin" / "articulate-cli", "--version").strip()
        )

    def test_debian_looks_in_places_of_its_own(self):
        looked_at = run(sys.executable, "-c", "import site; print(*site.getsitepackages(), sep='\\n')").splitlines()
        for prefix in ("/usr", "/usr/local"):
            self.assertIn(run(sys.executable, SITE, prefix).strip(), looked_at)


if __name__ == "__main__":
    unittest.main()
