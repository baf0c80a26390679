"""What the runner of the notebooks promises, on small notebooks of its own.

usage: PYTHONPATH=NOTEBOOKS runner_test.py
"""
import io
import os
import re
import sys
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import nbformat
import run
import style

GOOD = """# %% [markdown]
# # A question?
#
# Prose with *weight* and x < y.

# %%
print(6 * 7)

# %%
import style

figure = style.figure(2, 1)
figure.subplots().plot([1, 2], [3, 4])
style.publish(figure, "small")
"""


class Runner(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.here, self.output = Path(self.folder.name) / "sources", Path(self.folder.name) / "output"
        self.here.mkdir()
        self.notebooks = run.HERE
        for replaced in (patch.object(run, "sources", self.sources), patch.dict(os.environ)):
            replaced.start()
            self.addCleanup(replaced.stop)
        os.environ["PYTHONPATH"] = str(self.notebooks)

    def sources(self, names):
        return sorted(self.here.glob("*.py"))

    def write(self, text, name="01_small"):
        (self.here / f"{name}.py").write_text(text, encoding="utf-8")

    def run_all(self, *options):
        """Exit code and all that was printed."""
        said = io.StringIO()
        with redirect_stdout(said), redirect_stderr(said):
            code = run.main([*options, str(self.output)])
        return code, said.getvalue()

    def made(self):
        """What stands in the output, byte by byte."""
        files = (path for path in self.output.rglob("*") if path.is_file())
        return {str(path.relative_to(self.output)): path.read_bytes() for path in files}

    def refused(self, text, *words):
        self.write(text)
        code, said = self.run_all()
        self.assertEqual(code, 1, said)
        for word in words:
            self.assertIn(word, said)
        self.assertEqual(self.made(), {})

    def test_a_notebook_becomes_results_page_and_figures(self):
        self.write(GOOD)
        code, said = self.run_all()
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"^01_small +\d+\.\d s  small\.svg\n$")
        made = self.made()
        self.assertEqual(sorted(made), ["01_small.html", "01_small.ipynb", "01_small/small.svg"])
        page = made["01_small.html"].decode()
        for part in ("<title>A question?</title>", "<em>weight</em>", "x &lt; y", "<pre>42\n</pre>", "<svg",
                     "currentColor"):
            self.assertIn(part, page)
        self.assertEqual(re.findall(r'(?:src|href)="(?!#)[^"]*"', page), [], "a page loads nothing")
        notebook = nbformat.reads(made["01_small.ipynb"].decode(), as_version=4)
        nbformat.validate(notebook)
        self.assertEqual([cell.id for cell in notebook.cells], ["cell-01", "cell-02", "cell-03"])

    def test_the_same_source_makes_the_same_bytes(self):
        self.write(GOOD)
        self.assertEqual(self.run_all()[0], 0)
        first = self.made()
        self.assertEqual(self.run_all()[0], 0)
        self.assertEqual(self.made(), first)

    def test_a_cell_that_fails_is_named_and_nothing_is_left(self):
        self.refused(GOOD + "\n# %%\nassert 1 > 2, 'one is not more'\n",
                     "01_small.py:16: cell-04 raised AssertionError: one is not more")

    def test_a_cell_that_ends_its_kernel_is_named(self):
        self.refused(GOOD + "\n# %%\nimport os\nos._exit(3)\n", "01_small.py:16: cell-04 ended the kernel")

    def test_a_notebook_that_takes_too_long_is_stopped(self):
        with patch.object(run, "LIMIT", 3):
            self.refused("# %%\nimport time\ntime.sleep(30)\n", "01_small.py:1: cell-01 was still running", "3 s")

    def test_a_notebook_without_a_figure_is_refused(self):
        self.refused("# %%\n1 + 1\n", "01_small.py: no cell published a figure")

    def test_a_failure_leaves_what_was_there_before(self):
        self.write(GOOD)
        self.assertEqual(self.run_all()[0], 0)
        before = self.made()
        self.write(GOOD + "\n# %%\n1 / 0\n")
        self.assertEqual(self.run_all()[0], 1)
        self.assertEqual(self.made(), before)

    def test_several_run_side_by_side_and_the_one_that_fails_is_named(self):
        self.write(GOOD.replace('"small"', '"first"'), "01_first")
        self.write("# %%\n1 / 0\n", "02_wrong")
        code, said = self.run_all()
        self.assertEqual(code, 1, said)
        self.assertIn("02_wrong.py:1: cell-01 raised ZeroDivisionError", said)
        self.write(GOOD.replace('"small"', '"second"'), "02_wrong")
        code, said = self.run_all()
        self.assertEqual(code, 0, said)
        self.assertEqual(sorted(line.split()[-1] for line in said.splitlines()), ["first.svg", "second.svg"])
        self.assertLessEqual({"01_first.html", "02_wrong.html"}, set(self.made()))

    def test_only_what_changed_is_run_when_that_is_asked(self):
        self.write(GOOD)
        self.assertEqual(self.run_all()[0], 0)
        self.assertEqual(self.run_all("--changed"), (0, ""))
        os.utime(self.here / "01_small.py")
        self.assertIn("01_small", self.run_all("--changed")[1])

    def test_a_source_that_is_no_notebook_is_refused(self):
        for text, words in (("", "there are no cells"), ("x = 1\n# %%\n", "01_small.py:1: a notebook starts with"),
                            ("# %% [raw]\n", "01_small.py:1: '# %% [raw]' starts no cell"),
                            ("# %% [markdown]\nx = 1\n", "01_small.py:2: a line of prose starts with '# '")):
            self.refused(text, words)

    def test_a_kernel_of_the_user_is_not_taken(self):
        kernel = Path(self.folder.name) / "jupyter" / "kernels" / "python3"
        kernel.mkdir(parents=True)
        (kernel / "kernel.json").write_text('{"argv": ["false"], "display_name": "no", "language": "python"}')
        os.environ["JUPYTER_DATA_DIR"] = str(kernel.parents[1])
        self.write(GOOD)
        self.assertEqual(self.run_all()[0], 0)


class Names(unittest.TestCase):
    def test_a_name_that_is_none_is_refused_with_those_that_are(self):
        said = io.StringIO()
        with tempfile.TemporaryDirectory() as output, redirect_stderr(said):
            self.assertEqual(run.main([output, "nothing"]), 1)
        self.assertIn("there is no notebook 'nothing'; there are 01_group, ", said.getvalue())

    def test_the_sources_are_plain_text_without_results_or_places(self):
        for path in run.sources([]):
            text = path.read_text(encoding="utf-8")
            self.assertNotRegex(text, r"/(work|tmp|home|root|usr)/|https?:", path.name)
            kinds = [kind for kind, _, _ in run.read_cells(path)]
            self.assertEqual((kinds[0], kinds[-1]), ("markdown", "code"), path.name)


class Style(unittest.TestCase):
    def test_colours_stand_out_on_white_and_on_the_dark_page(self):
        for colour in (style.BLUE, style.ORANGE, style.GREEN, style.RED, style.PURPLE, style.TEAL, style.GREY):
            for page in ("#ffffff", "#1c1d1f"):
                # What the rules for accessible pages ask of graphics.
                self.assertGreaterEqual(contrast(colour, page), 3, f"{colour} on {page}")


def contrast(a, b):
    """The contrast of two colours by the rules of WCAG, 1 to 21."""
    def luminance(colour):
        parts = [int(colour[k:k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


if __name__ == "__main__":
    unittest.main()
