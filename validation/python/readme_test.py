"""The lines of the README in Python print the numbers that stand beside them."""
import contextlib
import io
import pathlib
import re
import unittest

README = pathlib.Path(__file__).parent.parent.parent / "README.md"


class Readme(unittest.TestCase):
    def test_it_prints_what_it_says(self):
        (code,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.S)
        said = re.findall(r"^print.*# (\S+)", code, re.M)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, {})
        self.assertGreaterEqual(len(said), 3)
        self.assertEqual(printed.getvalue().split(), said)


if __name__ == "__main__":
    unittest.main()
