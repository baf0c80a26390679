"""Exercises grade themselves: right answers pass, typical wrong ones fail under their own names, and no file does harm."""
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))
sys.path.insert(0, str(ROOT / "src" / "python"))  # the package needs no build

import course
from course import __main__ as command
from course import answers, draw, library, notebook, report, sheet, submission
from course.exercise import KINDS
from course.grading import DIGITS, POINTS, Marking, Refusal, mark
from stems import STEMS

try:
    import articulate
except ImportError:  # where nothing is built
    articulate = None

SEEDS = 50
KEY = bytes(range(32))
NUMBER = [exercise for exercise in course.exercises().values() if exercise.kind == "number"]


def rounded(value):
    """To the digits that are asked, each number by itself."""
    return [float(f"{x:.{DIGITS - 1}e}") for x in np.ravel(value)]


def students():
    return [f"s{k}" for k in range(SEEDS)]


class Exercises(unittest.TestCase):
    """One drawing of each exercise for each of fifty students serves all tests of this class."""

    @classmethod
    def setUpClass(cls):
        cls.markings = {}
        for exercise in NUMBER:
            cls.markings[exercise.name] = [Marking(exercise, exercise.numbers(KEY, student)) for student in students()]

    def each(self):
        for exercise in NUMBER:
            yield exercise, self.markings[exercise.name]

    def test_right_answers_pass_and_so_do_rounded_ones(self):
        for exercise, markings in self.each():
            with self.subTest(exercise.name):
                for marking in markings:
                    for form in (lambda value: value, np.ndarray.tolist, rounded):
                        marked = marking.mark({name: form(value) for name, value in marking.shaped.items()})
                        self.assertEqual(marked, {"points": POINTS, "feedback": "Right.", "mistakes": []})

    def test_another_layout_passes(self):
        for exercise, markings in self.each():
            with self.subTest(exercise.name):
                nested = {name: [[float(x)] for x in np.ravel(value)] for name, value in markings[0].right.items()}
                self.assertEqual(markings[0].mark(nested)["points"], POINTS)

    def test_a_number_off_by_a_hundredth_of_the_largest_is_wrong(self):
        for exercise, markings in self.each():
            with self.subTest(exercise.name):
                for marking in markings[:5]:
                    for quantity, right in marking.right.items():
                        for k in range(len(right)):
                            other = {name: value.copy() for name, value in marking.right.items()}
                            other[quantity][k] += 0.01 * np.abs(right).max()
                            self.assertLess(marking.mark(other)["points"], POINTS, (quantity, k))

    def test_each_mistake_fails_with_its_own_name(self):
        for exercise, markings in self.each():
            with self.subTest(exercise.name):
                alone = {}
                for marking in markings:
                    wrong_answers = [*marking.own, *marking.general]
                    self.assertGreaterEqual(len(wrong_answers), 10)
                    for mistake, wrong in wrong_answers:
                        marked = marking.mark({**marking.right, **{name: rounded(value) for name, value in wrong.items()}})
                        self.assertLess(marked["points"], POINTS, mistake.name)
                        own = (mistake, wrong) in marking.own
                        if own or not any(name in marked["mistakes"] for name in own_names(exercise)):
                            self.assertIn(mistake.name, marked["mistakes"])
                            self.assertIn(mistake.feedback, marked["feedback"])
                        if own:
                            alone[mistake.name] = alone.get(mistake.name, False) or marked["mistakes"] == [mistake.name]
                self.assertGreaterEqual(len(exercise.mistakes), 5)
                self.assertEqual([name for name, told in alone.items() if not told], [], "never told from the others")

    def test_feedback_never_holds_the_solution(self):
        for exercise, markings in self.each():
            with self.subTest(exercise.name):
                sentences = " ".join(mistake.feedback for mistake in exercise.mistakes) + " ".join(exercise.hints)
                for marking in markings[:5]:
                    for value in marking.right.values():
                        for x in value:
                            self.assertFalse(abs(x) > 1e-3 and f"{abs(x):.4g}" in sentences.split(), (x, sentences))

    def test_no_number_means_no_points(self):
        for exercise, markings in self.each():
            with self.subTest(exercise.name):
                self.assertEqual(markings[0].mark({})["points"], 0)
                zeros = {name: np.zeros_like(value) for name, value in markings[0].right.items()}
                self.assertEqual(markings[0].mark(zeros)["points"], 0)

    def test_part_of_the_quantities_gives_part_of_the_points(self):
        for exercise, markings in self.each():
            with self.subTest(exercise.name):
                first, *others = markings[0].right
                if others:
                    self.assertEqual(markings[0].mark({first: markings[0].right[first]})["points"], POINTS // 2)

    def test_students_have_numbers_of_their_own(self):
        for exercise, markings in self.each():
            with self.subTest(exercise.name):
                self.assertGreater(len({json.dumps(marking.numbers) for marking in markings}), SEEDS - 5)

    def test_the_text_holds_every_number_and_names_every_quantity(self):
        for exercise, markings in self.each():
            with self.subTest(exercise.name):
                for name in markings[0].numbers:
                    self.assertIn(f"<{name}>", exercise.text)
                self.assertEqual(list(exercise.asks), list(markings[0].right))
                self.assertNotRegex(exercise.statement(markings[0].numbers), r"<\w+>")

    def test_the_numbers_of_one_student_are_those_of_another_machine(self):
        """Written down once: SHA-256 in counter mode."""
        source = draw.Source(draw.seed(draw.PRACTICE_KEY, "practice", "an exercise"))
        drawn = [source.below(1000), source.number(-1, 1, 3), source.vector(0.1, 0.9), *source.axis()]
        drawn[3:4] = drawn[3]
        self.assertEqual(drawn, DRAWN)


# The first is 1000 times the first block over 2^128, which sha256sum, openssl and bc give, too.
DRAWN = [97, 0.711, [-0.37, 0.75, 0.2], 2, -6, 3, 7]


def own_names(exercise):
    return {mistake.name for mistake in exercise.mistakes}


if __name__ == "__main__":
    unittest.main()
