"""The built command line as its tests see it: what it answers, and how it refuses.

A test that imports this is called with the program: some_test.py PROGRAM
"""
import json
import subprocess
import sys
import unittest
from pathlib import Path

PROGRAM = [sys.argv.pop(1)] if len(sys.argv) > 1 else sys.exit("usage: " + sys.argv[0] + " PROGRAM")


def run(model, state="-", *options, given=b""):
    """The result of `compute`; `model` may be a list of a name and options."""
    model = [model] if isinstance(model, (str, bytes, Path)) else model
    given = given.encode() if isinstance(given, str) else given
    return subprocess.run(
        [*PROGRAM, "compute", "--model", *model, "--state", state, *options],
        input=given,
        capture_output=True,
        timeout=60,
        check=False,
    )


def answers(model, states, *options):
    """The results for states that must be good, given as objects on lines of their own."""
    done = run(model, "-", *options, given="\n".join(json.dumps(state) for state in states))
    if done.returncode or done.stderr:
        raise AssertionError(done.stderr.decode())
    return [json.loads(line) for line in done.stdout.splitlines()]


def answer(model, state, *options):
    return answers(model, [state], *options)[0]


class CommandTest(unittest.TestCase):
    def assert_line_refused(self, done, source, pieces):
        """One line of standard input, answered by an object with its error alone, and a count on standard error."""
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(), r"\Aarticulate: standard input: \d+ of \d+ states (is|are) refused; [^\n]*\.\n\Z")
        refused = [line for line in map(json.loads, done.stdout.splitlines()) if "error" in line]
        self.assertEqual(list(refused[0]), ["error"])
        self.assert_sentence(refused[0]["error"], source, pieces)

    def assert_sentence(self, text, source, pieces):
        self.assertTrue(text.startswith(source), text)
        for piece in pieces:
            self.assertIn(piece, text)
        self.assertTrue(text.endswith("."), text)
        self.assertNotIn("\n", text)
        self.assertNotIn(". ", text[:-1], "one sentence")

    def assert_refused(self, done, source, pieces):
        """One sentence on standard error that starts with the source and holds the pieces, and nothing else."""
        text = done.stderr.decode()
        self.assertEqual(done.returncode, 1, text)
        self.assertEqual(done.stdout, b"")
        self.assertTrue(text.startswith("articulate: " + source), text)
        for piece in pieces:
            self.assertIn(piece, text)
        self.assertTrue(text.endswith(".\n"), text)
        self.assertEqual(text.count("\n"), 1, "one line: " + text)
        self.assertNotIn(". ", text[:-1], "one sentence")
