"""What is loaded when: the package holds no proof, and the ledger comes when it is asked for."""
import os
import pathlib
import subprocess
import sys
import unittest

import articulate

BUILD = os.environ["ARTICULATE_BUILD"]


def python(code):
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    if result.returncode != 0:
        raise AssertionError(result.stderr)
    return result.stdout


class Loading(unittest.TestCase):
    def test_the_ledger_is_loaded_when_it_is_first_asked_for(self):
        ask = "print('articulate.ledger' in sys.modules, 'ledger.cpython' in open('/proc/self/maps').read())\n"
        for way in (
            "articulate.ledger",
            "import articulate.ledger",
            "from articulate import ledger",
            "getattr(articulate, 'ledger').rows()",
        ):
            code = f"import sys, articulate\nassert 'ledger' in dir(articulate)\n{ask}{way}\n{ask}"
            self.assertEqual(python(code), "False False\nTrue True\n", way)
        self.assertEqual(python("import articulate.ledger as l; print(len(l.rows()) > 400)"), "True\n")

    def test_nothing_else_is_made_up(self):
        with self.assertRaisesRegex(AttributeError, "module 'articulate' has no attribute 'leger'"):
            articulate.leger

    def test_both_modules_mean_the_same_types(self):
        code = (
            "import articulate as a, pathlib\n"
            "print(a.ledger.verify(a.Model.load('park_2r'), states=1, progress=False)['summary']['failed'])\n"
            "try: a.ledger.verify(pathlib.Path('no.urdf'))\n"
            "except a.ModelError as error: print(error)\n"
            "try: a.ledger.verify('park_2r', states=0)\n"
            "except a.Error as error: print(type(error) is a.Error)\n"
        )
        self.assertEqual(python(code), "0\nno.urdf: there is no such file.\nTrue\n")

    def test_the_package_holds_no_proof(self):
        folder = pathlib.Path(articulate.__file__).parent
        light, full = ((next(folder.glob(f"{name}.cpython*"))).read_bytes() for name in ("_articulate", "ledger"))
        self.assertTrue(b"Registry" in full)
        for proof in (b"Registry", b"mpfr_", b"witness"):
            self.assertFalse(proof in light, proof)
        ask = ["ninja", "-C", BUILD, "-t", "inputs", "articulate-python-light"]
        needed = subprocess.run(ask, capture_output=True, text=True, check=True).stdout
        self.assertIn("articulate-python-light.dir", needed)
        self.assertNotIn("articulate-proof", needed)


if __name__ == "__main__":
    unittest.main()
