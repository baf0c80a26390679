"""The type stubs: mypy accepts a program that is right, rejects what the module refuses, and knows every name."""
import ast
import inspect
import os
import pathlib
import subprocess
import tempfile
import unittest

import articulate

PACKAGE = pathlib.Path(articulate.__file__).parent
HERE = pathlib.Path(__file__).parent
WRONG = {
    "Ad(T, F)": "Wrench",
    "coAd(T, V)": "Twist",
    "V + F": "Wrench",
    "pairing(V, F)": "Twist",
    "T * V": "Twist",
    "exp('w')": "str",
    "I * F": "Wrench",
    "Model('ur5')": "str",
    "Joint('j', 3, 'a', 'b')": "int",
    "rnea(q, q)": "qdd",
    "rnea.V.undefined": "undefined",
    "rnea.nothing": "nothing",
    "ledger.verify(states='2')": "str",
    "m.links.append('bob')": "str",
    "HybridDynamics(Model(m), 'yes')": "str",
    "Batch(Model(m)).mass_matrix([q], 'all')": "str",
    "Loops(Model(m), [T])": "SE3",
    "Parameter.rate('first')": "str",
    "coriolis_matrix(Model(m), q, q, 3)": "int",
    "OffsetBehind([F])": "Wrench",
    "Curvature(Model(m))": "Model",
}


class Stubs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cache = cls.enterClassContext(tempfile.TemporaryDirectory())

    def mypy(self, *files):
        return subprocess.run(
            ["/usr/bin/mypy", "--strict", "--cache-dir", self.cache, *map(str, files)],
            text=True,
            capture_output=True,
            env={**os.environ, "MYPYPATH": str(PACKAGE.parent)},
        )

    def test_a_program_that_is_right_is_accepted(self):
        result = self.mypy(HERE / "typed_sample.py", *PACKAGE.glob("*.pyi"))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_what_the_module_refuses_is_rejected_line_by_line(self):
        head = (
            "from articulate import *\nfrom articulate import ledger\n"
            "T, V, F, I = SE3(), Twist(), Wrench(), thin_rod(1, 1)\n"
            "q, m = [0.0], Mechanism('m')\nrnea = InverseDynamics(Model(m))\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "wrong.py"
            path.write_text(head + "\n".join(WRONG) + "\n")
            result = self.mypy(path)
        errors = [line for line in result.stdout.splitlines() if ": error: " in line]
        for number, (line, word) in enumerate(WRONG.items(), head.count("\n") + 1):
            self.assertTrue(
                any(f"wrong.py:{number}: error: " in e and word in e for e in errors), f"{line}\n{result.stdout}"
            )

    def test_every_name_is_in_the_stub_with_its_text(self):
        for module, file in ((articulate, "__init__.pyi"), (articulate.ledger, "ledger.pyi")):
            tree = ast.parse((PACKAGE / file).read_text(encoding="utf-8"))
            said = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
            typed = {  # in Python, with types of their own
                alias.asname
                for node in tree.body
                if isinstance(node, ast.ImportFrom) and node.module == "_simulation"
                for alias in node.names
            }
            names = {
                name
                for name, value in vars(module).items()
                if (inspect.isclass(value) or inspect.isroutine(value)) and not name.startswith("__")
            }
            self.assertEqual(set(said) | typed, names)
            ours = {"Event", "PassedLimit", "SimulationStopped", "Trajectory", "simulate"}
            self.assertEqual(typed, ours if module is articulate else set())
            for name, node in said.items():
                self.assertTrue(ast.get_docstring(node), name)
                if isinstance(node, ast.ClassDef) and "__members__" not in dir(getattr(module, name)):
                    for part in node.body:
                        told = (
                            not isinstance(part, ast.FunctionDef)
                            or part.name.startswith("__")
                            or ast.get_docstring(part)
                        )
                        setter = any("setter" in ast.unparse(d) for d in getattr(part, "decorator_list", []))
                        self.assertTrue(told or setter, f"{name}.{getattr(part, 'name', '')}")

    def test_docstrings_speak_of_shapes(self):
        # Whoever takes or gives an array says how long it is.
        for name, value in vars(articulate).items():
            if inspect.isroutine(value) and "numpy" in value.__doc__:
                text = value.__doc__.split("\n", 1)[1]
                self.assertRegex(text, r"\((\d+ )?\w+,\)|\((\d+ )?\w+(, ?(\d+ )?\w+)+\)", name)


if __name__ == "__main__":
    unittest.main()
