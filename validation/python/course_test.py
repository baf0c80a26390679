"""Exercises grade themselves: right answers pass, typical wrong ones fail under their own names, and no file does harm."""
import ast
import collections
import contextlib
import errno
import io
import json
import os
import re
import runpy
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock
from pathlib import Path
from types import MappingProxyType
from xml.etree import ElementTree

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))
sys.path.insert(0, str(ROOT / "src" / "python"))  # the package needs no build

import course
from course import __main__ as command
from course import answers, draw, library, notebook, sheet, submission
from course.exercise import KINDS, Exercise
from course.grading import DIGITS, POINTS, Marking, Refusal, clipped, mark
from course.mistakes import Mistake
from stems import STEMS

try:
    import articulate
except ImportError:  # where nothing is built
    articulate = None

AGREEMENT = Path(__file__).parent / "course_agreement"
CHAPTERS = ROOT / "src" / "python" / "course" / "chapters"
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

    def test_the_module_computes_the_same(self):
        """By the functions of course_agreement/<stem>.py, which share no line with the exercises."""
        if articulate is None:
            self.skipTest("the module is not built")
        for stem in course.CHAPTERS:
            file = AGREEMENT / f"{stem}.py"
            names = {exercise.name for exercise in NUMBER if exercise.chapter == stem}
            self.assertEqual(file.exists(), bool(names), f"{file} should exist exactly if the chapter has exercises")
            functions = runpy.run_path(str(file))["AGREEMENT"] if names else {}
            self.assertLessEqual(set(functions), names)
            for name, function in functions.items():
                for marking in self.markings[name][:5]:
                    for quantity, value in function(marking.numbers).items():
                        right = marking.shaped[quantity]
                        with self.subTest(name, quantity=quantity, numbers=marking.numbers):
                            np.testing.assert_allclose(value, right, rtol=0, atol=1e-8 * np.abs(right).max())

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



class Judgement(unittest.TestCase):
    """How answers are judged, on an exercise of one product."""

    def exercise(self, **changes):
        given = {
            "name": "product", "chapter": "group", "stars": 1, "kind": "number", "title": "A product", "text": "<a> times <b>?",
            "asks": {"c": "the product", "d": "the difference"},
            "draw": lambda source: {"a": source.number(2, 2.02, 3), "b": source.number(2, 2.02, 3)},
            "solve": lambda n: {"c": n["a"] * n["b"], "d": n["a"] - n["b"] + 5},
        }  # fmt: skip
        return Exercise(**{**given, **changes})

    def marking(self, *mistakes, a=2.0, b=3.0):
        return Marking(self.exercise(mistakes=[Mistake(name, f"It is {name}.", f) for name, f in mistakes]), {"a": a, "b": b})

    def test_numbers_at_which_a_mistake_is_right_are_drawn_again(self):
        sums = [Mistake("sum", "They were added.", lambda n: {"c": n["a"] + n["b"]})]  # near 2 and 2 it is 4 either way
        near = 0
        for student in map(str, range(200)):
            drawn = self.exercise().numbers(KEY, student)
            again = self.exercise(mistakes=sums).numbers(KEY, student)
            product, total = drawn["a"] * drawn["b"], drawn["a"] + drawn["b"]
            coincides = abs(product - total) < 3 * 2 * 5e-4 * product  # three tolerances
            near += coincides
            self.assertEqual(again != drawn, coincides, drawn)
        self.assertGreater(near, 3)
        never = [Mistake("right", "It is right.", lambda n: {"c": n["a"] * n["b"]})]
        with self.assertRaisesRegex(RuntimeError, "product draws no numbers"):
            self.exercise(mistakes=never).numbers(KEY, "s1")

    def test_the_tolerance_is_rounding_times_one_and_the_condition(self):
        self.assertAlmostEqual(self.marking().tolerance["c"], 6 * 5e-4 * 2, delta=1e-6)  # a product has the condition 1
        steep = self.exercise(solve=lambda n: {"c": n["a"] ** 5, "d": n["a"] ** 50})
        conditions = Marking(steep, {"a": 2.0}).condition
        self.assertAlmostEqual(conditions["c"], 5, delta=0.01)
        self.assertEqual(conditions["d"], 10)
        whole = Marking(steep, {"a": 2}).condition
        self.assertEqual(whole, {"c": 1, "d": 1})  # whole numbers are exact

    def test_two_mistakes_that_coincide_are_both_named(self):
        marking = self.marking(("a sum", lambda n: {"c": n["a"] + n["b"]}), ("five", lambda n: {"c": 5.0}), ("six and a half", lambda n: {"c": 6.5}))
        marked = marking.mark({"c": 5, "d": 4})
        self.assertEqual(marked, {"points": 1, "feedback": "c: either: It is a sum. Or: It is five.", "mistakes": ["a sum", "five"]})

    def test_a_mistake_explains_the_whole_answer_or_a_number_of_it(self):
        both = ("both", lambda n: {"c": 5.0, "d": 7.0})
        one = ("one", lambda n: {"c": 5.0})
        for given, names in (({"c": 5, "d": 7}, ["both"]), ({"c": 5, "d": 4}, ["one"]), ({"c": 5}, ["both", "one"]),
                             ({"c": 5, "d": 9}, ["both", "one"]), ({"c": 1, "d": 4}, [])):  # fmt: skip
            self.assertEqual(self.marking(both, one).mark(given)["mistakes"], names, given)
        self.assertEqual(self.marking(both).mark({"c": 5})["feedback"], "c: It is both. d: no answer.")

    def test_general_mistakes_are_named_where_none_of_the_exercise_fits(self):
        self.assertEqual(self.marking().mark({"c": -6, "d": -4})["mistakes"], ["sign"])
        self.assertEqual(self.marking(("minus", lambda n: {"c": -6.0})).mark({"c": -6, "d": 4})["mistakes"], ["minus"])
        self.assertEqual(self.marking().mark({"c": 12, "d": -4})["mistakes"], ["twice", "sign"])

    def test_answers_on_each_others_lines_are_noticed(self):
        self.assertEqual(self.marking().mark({"c": 4, "d": 6})["mistakes"], ["lines_exchanged"])
        self.assertEqual(self.marking().mark({"c": 4, "d": 4})["mistakes"], ["lines_exchanged"])

    def test_a_lost_minus_is_named_once(self):
        negative = self.marking()
        negative = Marking(self.exercise(solve=lambda n: {"c": -n["a"] * n["b"]}), negative.numbers)
        self.assertEqual(negative.mark({"c": 6})["mistakes"], ["sign"])


class Sheets(unittest.TestCase):
    def test_braces_leave_what_they_kept_together(self):
        for formula, read in (
            (r"e^{\hat X}e^{\hat Y} = e^{\hat X + \hat Y}", "e^X e^Y = e^(X + Y)"),
            (r"e^{\hat E_1q_1}", "e^(E_1 q_1)"),
            (r"\partial S_j/\partial q_l = \ad_{S_j}S_l", "d S_j/d q_l = ad_S_j S_l"),
            (r"\partial\dot V", "d V'"),
            (r"w_1\cdot v_2 + w\times v", "w_1 * v_2 + w x v"),
            (r"q^{(3)} = 2^{-53}", "q^(3) = 2^-53"),
            (r"T_{ab}^{-1}R^{\T}", "T_ab^-1 R^T"),
        ):
            self.assertEqual(sheet.plain(rf"\f${formula}\f$"), read)

    def test_no_line_ends_before_a_unit(self):
        """Wherever the words before it put it."""
        for width in range(60, 100):
            lines = list(sheet.wrapped("x" * width + " (1, 2) N m, 3 kg m/s", "# "))
            self.assertFalse([line for line in lines if line.startswith(("# N m", "# m", "# kg"))], lines)


class Library(unittest.TestCase):
    def test_its_chapters_are_those_of_the_book(self):
        self.assertEqual(course.CHAPTERS, STEMS)
        files = {path.stem for path in CHAPTERS.glob("*.py")} - {"__init__"}
        self.assertLessEqual(files, set(STEMS))

    def test_nothing_is_random_and_nothing_reads_a_clock(self):
        """But the key of a course, which must be."""
        for path in sorted((ROOT / "src" / "python" / "course").rglob("*.py")):
            nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
            imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
            imported |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
            unforeseeable = imported & {"random", "secrets", "time", "datetime", "uuid"}
            if path.name not in ("confined.py", "programs.py", "submission.py"):  # which limit the time of programs, and tell how long marking took
                self.assertEqual(unforeseeable, {"secrets"} if path.name == "__main__.py" else set(), path)

    def test_each_chapter_asks_for_numbers_and_for_a_derivation(self):
        for stem in STEMS:
            kinds = [exercise.kind for exercise in library.of_chapter(stem)]
            if (CHAPTERS / f"{stem}.py").exists():
                self.assertGreaterEqual(kinds.count("number"), 4, stem)
                self.assertGreaterEqual(kinds.count("derive"), 1, stem)

    def test_an_exercise_is_complete(self):
        for name, exercise in course.exercises().items():
            with self.subTest(name):
                self.assertRegex(name, r"^[a-z][a-z0-9_]+$")
                self.assertIn(exercise.kind, KINDS)
                self.assertIn(exercise.stars, (1, 2, 3))
                self.assertTrue(exercise.title and exercise.text and (exercise.hints or exercise.kind in ("write", "project")))
                self.assertTrue(exercise.kind != "derive" or exercise.solution)
                names = [mistake.name for mistake in exercise.mistakes]
                self.assertEqual(len(names), len(set(names)))

    def test_exercises_are_chosen_by_name_and_by_chapter(self):
        group = [exercise.name for exercise in library.of_chapter("group")]
        for word in ("group", "01_group", "01", "1"):
            self.assertEqual([exercise.name for exercise in library.chosen([word])], group)
        self.assertEqual([exercise.name for exercise in library.chosen(["two_turns", "two_turns"])], ["two_turns"])
        with self.assertRaisesRegex(Refusal, r"there is no chapter and no exercise '01_grup' \(is 01_group meant\?\); the chapters are 01_group, 02_body, "):
            library.chosen(["01_grup"])
        with self.assertRaisesRegex(Refusal, r"there is no exercise 'two_turn' \(is two_turns meant\?\); `./articulate course list` names them"):
            library.find("two_turn")
        with self.assertRaisesRegex(Refusal, "no exercise 'three_turns'"):
            library.chosen(["three_turns"])


class Folder(unittest.TestCase):
    """Files of a test, in a folder of its own."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.key = self.file("course.key", KEY.hex() + "\n")
        self.exercise = library.find("two_turns")

    def file(self, name, contents):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
        return path

    def right(self, student="s1", key=KEY):
        """The answers of a student to one exercise, in four digits."""
        marking = Marking(self.exercise, self.exercise.numbers(key, student))
        return {self.exercise.name: {name: rounded(value) for name, value in marking.right.items()}}

    def run_command(self, *arguments):
        """(exit code, standard output, standard error)"""
        said, complained = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
            code = command.main(list(map(str, arguments)))
        return code, said.getvalue(), complained.getvalue()


class BytesPath:
    def __fspath__(self):
        return b"/nowhere/nothing.toml"


def toml(table):
    return "".join(f"[{name}]\n" + "".join(f"{q} = {v}\n" for q, v in asked.items()) for name, asked in table.items())


class Files(Folder):
    def points(self, path, student="s1"):
        marks = course.grade(path, student, self.key)
        return marks.points, marks.said

    def test_every_form_of_file_is_read(self):
        right = self.right()
        cell = {
            "cell_type": "code", "source": ["# mine\n", f"answers = {right['two_turns']}\n", "print(answers)"],
            "metadata": {"nbgrader": {"grade_id": "two_turns", "solution": True}},
        }  # fmt: skip
        lines = "".join(f"two_turns, {name}, {', '.join(map(str, value))}\n" for name, value in right["two_turns"].items())
        plot = {"cell_type": "code", "source": "plot()", "metadata": {}, "outputs": [{"data": {"application/json": [float("nan")]}}]}
        for name, text in {
            "a.json": json.dumps(right),
            "a.toml": 'student = "s1"\n' + toml(right),
            "bom.toml": "\ufeff" + toml(right),
            "a.csv": lines,
            "a.ipynb": json.dumps({"cells": [{"cell_type": "markdown", "source": "", "metadata": {}}, plot, cell], "metadata": {}}),
            "b.ipynb": json.dumps({"cells": [{**cell, "source": f"%matplotlib inline\nanswers: dict = {right['two_turns']}\n!date\nanswers.keys\n"}]}),
        }.items():
            with self.subTest(name):
                self.assertEqual(self.points(self.file(name, text)), (POINTS, []))

    def test_the_sheet_is_a_file_of_answers_and_so_is_the_notebook(self):
        for make, ending in ((sheet.sheet, "toml"), (notebook.notebook, "ipynb")):
            for key, path in ((KEY, self.key), (draw.PRACTICE_KEY, None)):
                text = make(list(course.exercises().values()), key, "s1")
                self.assertEqual(text, make(list(course.exercises().values()), key, "s1"))
                empty = course.grade(self.file(f"sheet.{ending}", text), "s1", path)
                self.assertEqual((empty.exercises, empty.said), ({}, []))
                for name, value in self.right(key=key)["two_turns"].items():
                    text = text.replace(f"{name} = []", f"{name} = {value}", 1).replace(f'\\"{name}\\": []', f'\\"{name}\\": {value}', 1)
                filled = course.grade(self.file(f"sheet.{ending}", text), "s1", path)
                self.assertEqual((filled.points, list(filled.exercises)), (POINTS, ["two_turns"]))

    def test_what_is_given_in_python_is_marked_too(self):
        right = {"two_turns": {name: np.array(value) for name, value in self.right()["two_turns"].items()}}
        marks = course.grade(right, "s1", self.key)
        self.assertEqual((marks.points, marks.of), (POINTS, POINTS))
        self.assertIn("two_turns  2 of 2: Right.", str(marks))
        if articulate is not None and hasattr(articulate, "grade"):
            self.assertEqual(articulate.grade(right, "s1", self.key).points, POINTS)

    def test_a_table_of_any_kind_is_one(self):
        right = self.right()
        for table in (MappingProxyType(right), collections.UserDict({name: MappingProxyType(given) for name, given in right.items()})):
            self.assertEqual(course.grade(table, "s1", self.key).points, POINTS)

    def test_what_is_neither_answers_nor_a_file_nor_an_id_nor_a_key_is_refused_in_one_sentence(self):
        answers_are = " is given where answers, {exercise: {quantity: numbers}}, or the path of their file is needed."
        for given in (None, 5, True, [], [("two_turns", {"own": [1, 2, 3]})], {1}, b"a.toml", np.zeros(3)):
            with self.subTest(repr(given)), self.assertRaises(TypeError) as caught:
                course.grade(given)
            self.assertEqual(str(caught.exception), clipped(given) + answers_are)
        for student in (None, 5, b"s1", ["s1"]):
            with self.subTest(repr(student)), self.assertRaises(TypeError) as caught:
                course.grade({}, student)
            self.assertEqual(str(caught.exception), clipped(student) + " is given where the ID of a student, a text, is needed.")
        for key in (5, 0, False, b"a.key", ["a.key"]):
            with self.subTest(repr(key)), self.assertRaises(TypeError) as caught:
                course.grade({}, key=key)
            self.assertEqual(str(caught.exception), clipped(key) + " is given where the path of the teacher's key, or None, is needed.")
        for name in ("zero\0.toml", "half\ud800.toml"):
            (sentence,) = course.grade(name).said
            self.assertEqual(sentence, f"{clipped(name)} is not graded: no file can have this name.")
            with self.assertRaisesRegex(Refusal, "^the key cannot be used: no file can have this name$"):
                course.grade({}, key=name)
        (sentence,) = course.grade(BytesPath()).said
        self.assertEqual(sentence, "'nothing.toml' is not graded: it cannot be read: No such file or directory.")

    def test_files_that_cannot_be_read_say_why(self):
        os.symlink(self.file("a.toml", toml(self.right())), self.folder / "link.toml")
        os.symlink("/dev/zero", self.folder / "zero.json")
        os.mkfifo(self.folder / "pipe.toml")
        (self.folder / "folder").mkdir()
        deep = "[" * 100_000
        for name, contents, said in (
            ("link.toml", None, "it is a link"),
            ("zero.json", None, "it is a link"),
            ("pipe.toml", None, "it is no regular file"),
            ("missing.toml", None, "it cannot be read"),
            ("large.toml", "#" * 1_000_001, "more than 1 MB"),
            ("empty.json", "", "it is empty"),
            ("blank.toml", "\n \n", "it is empty"),
            ("folder", None, "it is a folder"),
            ("cut.json", "{", "not as json is written"),
            ("bytes.toml", b"\xff\xfe\x00", "no text in UTF-8"),
            ("deep.json", deep, "nested too deeply"),
            ("deep.toml", "a = " + deep, "nested too deeply"),
            ("list.json", "[1, 2]", "holds no table"),
            ("twice.json", '{"two_turns": {}, "two_turns": {}}', "a name occurs twice"),
            ("nan.json", '{"two_turns": {"own": [NaN, 0, 0]}}', "NaN is no number"),
            ("digits.json", '{"two_turns": {"own": [' + "9" * 5000 + ", 0, 0]}}", "not as json is written"),
            ("words.csv", "two_turns, own, x, y, z", "not as csv is written"),
            ("long.csv", "two_turns, own, " + "1" * 200_000, "field larger than field limit"),
            ("cells.ipynb", "{}", "it has no cells"),
            ("other.toml", 'student = "s2"\n', "it says that it is of 's2'"),
            ("number.toml", "student = 2\n", "its student is no text"),
            ("answers.txt", "", "must end with one of .json, .toml, .csv, .ipynb, or for a program with .py or .cpp"),
            ("course.toml", "course = 2\n", "its course is no text"),
        ):
            with self.subTest(name):
                path = self.folder / name if contents is None else self.file(name, contents)
                points, sentences = self.points(path)
                self.assertEqual((points, len(sentences)), (0, 1))
                self.assertIn(said, sentences[0])
                self.assertLess(len(sentences[0]), 300)

    def test_what_is_no_table_is_told_what_would_be_right(self):
        example = "an answer looks like `own = [0.5, -1.2, 3.0]`"
        for line, said in (
            ("own = [.5, 1, 2]", "This line is 'own = [.5, 1, 2]': write 0.5 instead of .5"),
            ("own = [5., 1, 2]", "write 5.0 instead of 5."),
            ("own = [pi/6, 1, 2]", "write numbers out: 0.5236 instead of pi/6"),
            ("own = [0.1 0.2 0.3]", "a comma stands between numbers"),
            ("own = [0,5.1.2, 3]", "a number has one decimal point"),
            ("own = 1, 2, 3", "numbers stand between brackets"),
            ("own = [1, 2, 3", "a closing bracket is missing"),
            ("own [1, 2, 3]", f"This line is 'own [1, 2, 3]'; {example}"),
        ):
            with self.subTest(line):
                (sentence,) = self.points(self.file("a.toml", f"[two_turns]\n{line}\n"))[1]
                self.assertIn(said, sentence)
                self.assertLess(len(sentence), 300)
        for name, said in (("a.json", '`{"two_turns": {"own": [0.5, -1.2, 3.0]}}`'), ("a.csv", "`two_turns, own, 0.5, -1.2, 3.0`")):
            self.assertIn(f"; an answer looks like {said}.", self.points(self.file(name, "x, y, z"))[1][0])
        for ending, text in answers.EXAMPLES.items():  # what is shown as right is read
            table = answers.READERS[ending](text)
            self.assertEqual(table.get("two_turns", table), {"own": [0.5, -1.2, 3.0]})

    def test_a_file_that_cannot_be_read_is_headed_by_its_student_or_its_name(self):
        for name, text, heading in (
            ("a.toml", 'student = "ann"\n[two_turns]\nown = [.5]\n', "ann"),
            ("b.json", '{"student": "bob",\n "two_turns": {"own": [}}', "bob"),
            ("c.toml", "[two_turns]\nown = [.5]\n", "'c.toml'"),
            ("d.toml", 'student = "a b"\nown = [.5]\n', "'d.toml'"),
        ):
            for key in ([], ["--key", self.key]):
                code, said, complained = self.run_command("grade", self.file(name, text), *key)
                self.assertEqual((code, complained), (1, ""))
                self.assertTrue(said.startswith(f"{heading}: 0 of 0 points\n  '{name}' is not graded: "), said)

    def test_answers_that_are_no_numbers_say_why(self):
        for given, said in (
            ({"own": [float("nan"), 0, 0]}, "infinite or not a number"),
            ({"own": [float("inf"), 0, 0]}, "infinite or not a number"),
            ({"own": [10**400, 0, 0]}, "infinite or not a number"),
            ({"own": [True, 0, 0]}, "True is no number"),
            ({"own": ["1", 0, 0]}, "'1' is no number"),
            ({"own": {1.0, 2.0, 3.0}}, "is no number and no list"),
            ({"own": [1j, 0, 0]}, "1j is no number"),
            ({"own": np.ma.masked_equal([1.0, 2.0, 3.0], 2)}, "a number is masked"),
            ({"own": np.matrix([[1, 2], [3, 4]])}, "own has 4 numbers instead of 3"),
            ({"own": [[[[[[1]]]]], 0, 0]}, "nested too deeply"),
            ({"own": [1, 2]}, "own has 2 numbers instead of 3"),
            ({"own": [1] * 1000}, "own has 1000 numbers instead of 3"),
            ({"mine": [1, 2, 3]}, "'mine' is not asked; asked are own, room"),
            ({"\x1b[2J" * 100: [1]}, "is not asked"),
            ([1, 2, 3], "no table with the names own, room"),
            (None, "no table"),
        ):
            with self.subTest(said):
                marked = mark(self.exercise, KEY, "s1", given)
                self.assertEqual(marked["points"], 0)
                self.assertIn(said, marked["feedback"])
                self.assertLess(len(marked["feedback"]), 200)
                self.assertTrue(marked["feedback"].isprintable())

    def test_nothing_in_a_notebook_is_executed(self):
        trace = self.folder / "executed"
        for source in (f"answers = open({str(trace)!r}, 'w')", f"answers = {{'own': [open({str(trace)!r}, 'w')]}}", "answers = own",
                       "answers = {}\nanswers = {}", "answers = {}\nanswers['own'] = 7", "answers = {}\nanswers.update(own=7)", "answers = {}\nanswers |= {}",
                       "answers = {}\ndel answers['own']", "answers: dict", "(" * 3000, "answers = {'own': [" + "-" * 5000 + "1]}", 7, "x" * 20_000):  # fmt: skip
            cell = {"cell_type": "code", "source": source, "metadata": {"nbgrader": {"grade_id": "two_turns", "solution": True}}}
            marks = course.grade(self.file("a.ipynb", json.dumps({"cells": [cell]})), "s1", self.key)
            self.assertEqual((marks.points, list(marks.exercises)), (0, ["two_turns"]), source)
            self.assertRegex(marks.exercises["two_turns"]["feedback"], "Not graded: its (cell|answers) ")
        self.assertFalse(trace.exists())

    def test_the_key_is_read_and_never_said(self):
        for contents in ("", "00" * 31, "zz" * 32, KEY.hex() + "00"):
            path = self.file("bad.key", contents)
            code, said, complained = self.run_command("grade", self.file("a.toml", ""), "--key", path)
            self.assertEqual((code, said), (2, ""))
            self.assertRegex(complained, r"\Aarticulate: the key cannot be used: [^\n]+\n\Z")
            self.assertFalse(contents and contents[:8] in complained)


class Notebook(Folder):
    def test_it_is_valid_and_follows_nbgrader(self):
        try:
            import nbformat
        except ImportError:
            self.skipTest("nbformat is not installed (Debian: python3-nbformat)")
        for key in (KEY, draw.PRACTICE_KEY):
            made = nbformat.reads(notebook.notebook(list(course.exercises().values()), key, "s1"), as_version=4)
            nbformat.validate(made)

    def test_the_metadata_of_its_cells_are_those_of_version_3(self):
        for key, solutions_graded in ((KEY, True), (draw.PRACTICE_KEY, False)):
            made = json.loads(notebook.notebook(NUMBER, key, "s1"))
            about = [cell["metadata"]["nbgrader"] for cell in made["cells"]]
            self.assertEqual(len({one["grade_id"] for one in about}), len(about))
            for cell, one in zip(made["cells"], about):
                self.assertEqual((one["schema_version"], one["cell_type"], one["task"]), (3, cell["cell_type"], False))
                self.assertEqual("points" in one, one["grade"])
                self.assertEqual(one["locked"], not one["solution"])
            self.assertEqual([one["grade_id"] for one in about if one["solution"]], [exercise.name for exercise in NUMBER])
            self.assertEqual({one["grade"] for one in about if one["solution"]}, {solutions_graded})
            self.assertEqual(sum(one.get("points", 0) for one in about), POINTS * len(NUMBER))
            self.assertNotIn(KEY.hex(), json.dumps(made))

    def test_its_cells_run(self):
        if articulate is None or not hasattr(articulate, "grade"):
            self.skipTest("the module is not built")
        made = json.loads(notebook.notebook([self.exercise], draw.PRACTICE_KEY, "practice"))
        sources = ["".join(cell["source"]) for cell in made["cells"] if cell["cell_type"] == "code"]
        names = {}
        with contextlib.redirect_stdout(io.StringIO()) as said:
            exec(sources[0], names)
            exec(f"answers = {self.right('practice', draw.PRACTICE_KEY)['two_turns']}", names)
            *lines, last = sources[2].split("\n")
            exec("\n".join(lines), names)
            self.assertEqual(eval(last, names), POINTS)
            names["answers"] = {"own": [1, 2, 3]}
            with self.assertRaisesRegex(AssertionError, "no points yet"):
                exec("\n".join(lines), names)
        self.assertIn("Right.", said.getvalue())


class Commands(Folder):
    def test_a_class_is_graded_and_no_file_stops_another(self):
        wrong = {"two_turns": {"own": self.right("bob")["two_turns"]["room"], "room": self.right("bob")["two_turns"]["own"]}}
        self.file("class/ann.toml", toml(self.right("ann")))
        self.file("class/bob.json", json.dumps(wrong))
        self.file("class/eve.toml", "")
        self.file("class/joe/answers.csv", "two_turns, own, nan, 0, 0\n")
        self.file("class/joe/rest.toml", toml(self.right("joe")))
        self.file("class/=cmd.toml", "")
        os.symlink(self.key, self.folder / "class" / "zoe.toml")
        os.symlink(self.folder, self.folder / "class" / "sly")
        arguments = ["grade", self.folder / "class", "--key", self.key, "--set", "two_turns,rate_of_a_wrench"]
        written = {form: self.folder / f"marks.{form}" for form in ("json", "csv", "junit")}
        for form, path in written.items():
            arguments += [f"--{form}", path]
        code, said, complained = self.run_command(*arguments)
        self.assertEqual((code, complained), (1, ""))
        table = {one["student"]: one for one in json.loads(written["json"].read_text())["students"]}
        self.assertEqual({name: one["points"] for name, one in table.items()},
                         {"ann": 2, "bob": 0, "eve": 0, "joe": 0, "sly": 0, "zoe": 0, "'=cmd'": 0})  # fmt: skip
        self.assertEqual({one["of"] for one in table.values()}, {2 * POINTS})
        self.assertEqual(table["bob"]["exercises"]["two_turns"]["mistakes"], ["orders_exchanged"])
        self.assertIn("'zoe.toml' is not graded: it is a link", "".join(table["zoe"]["said"]))
        self.assertIn("'sly' is not graded: it is a link", "".join(table["sly"]["said"]))
        self.assertIn("answered twice; that of 'answers.csv' counts", table["joe"]["said"][0])
        rows = written["csv"].read_text().splitlines()
        self.assertEqual(rows[0], "student,points,of,two_turns,rate_of_a_wrench,said")
        self.assertIn("ann,2,4,2,0,", rows)
        suites = ElementTree.parse(written["junit"]).getroot()
        self.assertEqual({suite.get("name"): suite.get("failures") for suite in suites}["ann"], "1")
        for name in ("tests", "failures", "errors"):
            self.assertEqual(int(suites.get(name)), sum(int(suite.get(name)) for suite in suites), name)
        self.assertEqual(int(suites.get("tests")), len(suites.findall(".//testcase")))
        times = {suite.get("name"): float(suite.get("time")) for suite in suites}
        self.assertLess(0, times["ann"])  # numbers were drawn, and marked
        self.assertAlmostEqual(float(suites.get("time")), sum(times.values()), delta=0.0005 * (len(times) + 1))
        for text in (said, *(path.read_text() for path in written.values())):
            self.assertNotIn(KEY.hex(), text)
            self.assertNotRegex(text, "^[=+@-]")

    def test_a_list_of_students_says_who_is_missing_and_who_does_not_belong(self):
        self.file("class/ann.toml", toml(self.right("ann")))
        self.file("class/Thumbs.db", "")
        ids = self.file("ids", "zoe\r\nann\n\n")
        table = self.folder / "marks.csv"
        arguments = ["grade", self.folder / "class", "--key", self.key, "--set", "two_turns", "--csv", table]
        self.assertEqual(self.run_command(*arguments, "--students", ids)[0], 1)
        self.assertEqual(table.read_text().splitlines()[1:],
                         ["'Thumbs',0,2,0,Thumbs is not on the list of students.", "ann,2,2,2,", "zoe,0,2,0,"])  # fmt: skip
        self.run_command(*arguments)
        self.assertNotIn("zoe", table.read_text())
        code, _, complained = self.run_command("grade", self.folder / "class" / "ann.toml", "--students", ids)
        self.assertEqual((code, "--students is for a folder" in complained), (2, True))

    def test_marks_are_said_even_where_they_cannot_be_written(self):
        path = self.file("a.toml", toml(self.right("ann")))
        code, said, complained = self.run_command("grade", path, "--student", "ann", "--key", self.key, "--csv", self.folder / "no" / "marks.csv")
        self.assertEqual((code, "ann: 2 of 2 points" in said, "cannot be written" in complained), (2, True, True))

    def test_a_link_a_device_or_a_pipe_is_written_to_and_not_replaced(self):
        path, marks = self.file("a.toml", toml(self.right())), self.file("marks.csv", "")
        link = self.folder / "link.csv"
        os.symlink(marks, link)
        self.assertEqual(self.run_command("grade", path, "--student", "s1", "--key", self.key, "--csv", link)[0], 0)
        self.assertTrue(link.is_symlink())
        self.assertIn("s1,2,2", marks.read_text(encoding="utf-8"))
        pipe = self.folder / "pipe.csv"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        self.assertEqual(self.run_command("grade", path, "--student", "s1", "--key", self.key, "--csv", pipe)[0], 0)
        self.assertIn(b"s1,2,2", os.read(reader, 1000))
        self.assertTrue(pipe.is_fifo())

    def test_a_folder_that_cannot_be_read_takes_the_marks_of_no_one_else(self):
        self.file("class/ann.toml", toml(self.right("ann")))
        self.file("class/bob/a.toml", toml(self.right("bob")))
        whole, closed = os.listdir, "bob"

        def listdir(path):
            if os.path.basename(path) == closed:
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
            return whole(path)

        with unittest.mock.patch("os.listdir", listdir):
            code, said, complained = self.run_command("grade", self.folder / "class", "--key", self.key)
            self.assertEqual((code, complained), (1, ""))
            self.assertIn("ann: 2 of 2 points", said)
            self.assertIn("the folder 'bob' cannot be read: Permission denied.", said)
            closed = "class"
            refused = self.run_command("grade", self.folder / "class", "--key", self.key)
            self.assertEqual(refused, (2, "", "articulate: the folder 'class' cannot be read: Permission denied\n"))

    def test_standard_output_that_is_full_is_said_to_be(self):
        for arguments in (["list"], ["sheet", "two_turns"], ["grade", self.file("a.toml", toml(self.right()))]):
            with open("/dev/full", "w") as full:
                done = subprocess.run(
                    [sys.executable, "-m", "course", *map(str, arguments)],
                    cwd=ROOT / "src" / "python", stdout=full, stderr=subprocess.PIPE, text=True, check=False,
                )  # fmt: skip
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr, "articulate: standard output cannot be written: No space left on device\n")

    def test_a_sheet_is_graded_with_its_own_key_only(self):
        """Otherwise right answers to other numbers would be called wrong, one by one."""
        other = self.file("other.key", KEY[::-1].hex())
        for subcommand, ending in (("sheet", "toml"), ("notebook", "ipynb")):
            drawn, practice = self.folder / f"drawn.{ending}", self.folder / f"practice.{ending}"
            self.run_command(subcommand, "two_turns", "--student", "s1", "--key", self.key, "--output", drawn)
            self.run_command(subcommand, "two_turns", "--student", "s1", "--output", practice)
            for path, key, told in (
                (drawn, ["--key", self.key], None),
                (practice, [], None),
                (drawn, [], "its numbers were drawn with a teacher's key, and only with that key can they be graded"),
                (drawn, ["--key", other], "its numbers were drawn with another key"),
                (practice, ["--key", self.key], "its numbers are for practice"),
            ):
                with self.subTest(path=path.name, told=told):
                    code, said, _ = self.run_command("grade", path, *key)
                    self.assertEqual(code, 1 if told else 0)
                    self.assertIn(f"is not graded: {told}." if told else "s1: no answers", said)
            self.assertNotIn(KEY.hex()[:8], drawn.read_text())
        self.assertIn("hand in this file", (self.folder / "drawn.toml").read_text())
        self.assertIn("mark them: ./articulate grade", (self.folder / "practice.toml").read_text())

    def test_more_files_than_are_read_are_said_to_be(self):
        for k in range(submission.MOST_FILES):
            self.file(f"class/ann/{k:03}.toml", "a = {}\n")
        self.file("class/ann/.hidden", "")
        about = [marks.said[0] for marks in submission.mark_class(self.folder / "class", KEY)]
        self.assertIn("There is no exercise", about[0])
        self.file("class/ann/right.toml", toml(self.right("ann")))
        (ann,) = submission.mark_class(self.folder / "class", KEY)
        self.assertEqual((ann.points, ann.said[0]), (0, "These are 101 files, of which the first 100 are read."))

    def test_a_fault_of_the_grader_takes_the_marks_of_no_one_else(self):
        self.file("class/ann.toml", toml(self.right("ann")))
        self.file("class/bob.toml", toml(self.right("bob")))
        whole = answers.read
        self.addCleanup(setattr, answers, "read", whole)
        answers.read = lambda path: whole(path) if "ann" in path else 1 / 0
        ann, bob = submission.mark_class(self.folder / "class", KEY)
        self.assertEqual((ann.points, bob.points), (POINTS, 0))
        self.assertIn("ZeroDivisionError in the grader", bob.said[0])

    def test_without_a_key_the_marks_are_said_to_be_for_practice(self):
        path = self.file("a.toml", toml(self.right("practice", draw.PRACTICE_KEY)))
        code, said, _ = self.run_command("grade", path)
        self.assertEqual(code, 0)
        self.assertIn("practice: 2 of 2 points", said)
        self.assertIn("practice numbers", said)
        self.assertIn("practice numbers", self.run_command("sheet", "two_turns")[1])
        self.assertNotIn("practice", self.run_command("sheet", "two_turns", "--student", "s1", "--key", self.key)[1])

    def test_a_file_says_whose_it_is(self):
        path = self.file("a.toml", 'student = "s1"\n' + toml(self.right()))
        self.assertIn("s1: 2 of 2 points", self.run_command("grade", path, "--key", self.key)[1])
        self.assertIn("it says that it is of 's1'", self.run_command("grade", path, "--key", self.key, "--student", "s2")[1])
        code, _, complained = self.run_command("grade", self.file("b.toml", 'student = "a b"\n'))
        self.assertEqual((code, "is no ID of a student" in complained), (2, True))

    def test_solutions_need_the_key_and_are_graded_as_right(self):
        code, said, complained = self.run_command("solutions")
        self.assertEqual((code, said), (2, ""))
        self.assertRegex(complained, r"\Aarticulate: solutions are made with the teacher's key only[^\n]*\n\Z")
        code, said, _ = self.run_command("solutions", "--student", "s1", "--key", self.key)
        lines = [line for line in said.splitlines()[1:] if line]
        marks = course.grade(self.file("a.toml", "\n".join(lines)), "s1", self.key)
        self.assertEqual((code, marks.points, marks.said), (0, POINTS * len(NUMBER), []))
        said = self.run_command("solutions", "two_turns", "mass_matrix", "--student", "s1", "--key", self.key)[1]
        self.assertIn("# mass_matrix: a program", said)

    def test_a_key_is_secret_new_and_never_overwritten(self):
        path = self.folder / "new.key"
        code, said, _ = self.run_command("key", path)
        key = path.read_text().strip()
        self.assertEqual((code, len(bytes.fromhex(key)), path.stat().st_mode & 0o777), (0, 32, 0o600))
        self.assertNotIn(key, said)
        code, said, complained = self.run_command("key", path)
        self.assertEqual((code, said, path.read_text().strip()), (2, "", key))
        self.assertIn("never overwritten", complained)
        self.run_command("key", self.folder / "other.key")
        self.assertNotEqual((self.folder / "other.key").read_text().strip(), key)

    def test_sheets_for_a_class(self):
        ids = self.file("ids", "ann\nbob\n")
        for subcommand, ending in (("sheet", "toml"), ("notebook", "ipynb")):
            code, *_ = self.run_command(subcommand, "group", "--students", ids, "--key", self.key, "--output", self.folder / "out")
            self.assertEqual(code, 0)
            texts = [(self.folder / "out" / f"{name}.{ending}").read_text() for name in ("ann", "bob")]
            self.assertNotEqual(*texts)
        code, _, complained = self.run_command("sheet", "--students", self.file("bad", "../x\n"), "--output", self.folder / "out")
        self.assertEqual(code, 2)
        self.assertIn("is no ID of a student", complained)
        for text, told in (("Ada Lovelace\n", "'Ada Lovelace' is no ID of a student"), (None, "ids: it cannot be read")):
            names = self.file("ids", text) if text else (self.folder / "ids").unlink() or self.folder / "ids"
            for subcommand in ("sheet", "solutions"):
                output = ["--output", self.folder / "two"] if subcommand == "sheet" else []
                code, said, complained = self.run_command(subcommand, "group", "--students", names, "--key", self.key, *output)
                self.assertEqual((code, said, told in complained), (2, "", True), complained)
        self.assertFalse((self.folder / "two").exists())

    def test_a_notebook_asks_for_all_that_a_sheet_asks(self):
        exercises = library.chosen(["04", "mass_matrix"])
        self.assertEqual({exercise.kind for exercise in exercises}, {"number", "derive", "write", "project"})
        made = json.loads(notebook.notebook(exercises, KEY, "s1"))
        texts = {cell["id"]: "".join(cell["source"]) for cell in made["cells"]}
        for exercise in exercises:
            self.assertIn(exercise.title, texts[f"{exercise.name}_text"])
            self.assertIn(exercise.title, sheet.sheet(exercises, KEY, "s1"))
        self.assertIn("course starter mass_matrix.py", texts["mass_matrix_text"])

    def test_formulas_are_read_without_tex(self):
        for tex, read in (
            (r"\Ad_{T^{-1}}V_\lambda + S\,\dot q", "Ad_(T^-1) V_lambda + S q'"),
            (r"\Ad_{T_i^{-1}}\dot V_{i-1} + S_i\ddot q_i", "Ad_(T_i^-1) V_(i-1)' + S_i q_i''"),
            (r"F = \mathcal I^c_iS_i", "F = I^c_i S_i"),
            (r"e^{\hat E_1q_1}\cdots e^{\hat E_kq_k}", "e^(E_1 q_1) ... e^(E_k q_k)"),
            (r"\begin{bmatrix} R & p \\ 0 & 1 \end{bmatrix} .", "[R, p; 0, 1] ."),
            (r"\begin{aligned} a &= b , \\ c &= d\end{aligned}", "a = b; c = d"),
            (r"\frac{1 - \frac\theta2\cot\frac\theta2}{\theta^2}[x]^2", "(1 - theta/2 cot theta/2)/(theta^2)[x]^2"),
            (r"-\frac1{2\sqrt\Delta}", "-1/(2 sqrt(Delta))"),
            (r"\tfrac12V^{\T}\mathcal IV", "1/2 V^T IV"),
            (r"\lvert w\rvert q \le 30^\circ", "|w| q <= 30 degrees"),
            (r"w_1\cdot(p\times Rw_2) + m_{12}", "w_1 * (p x Rw_2) + m_12"),
            (r"\text{dexp}_{-h\xi}^{-\T}I", "dexp_(-h xi)^(-T) I"),
        ):
            self.assertEqual(sheet.formula(tex), read)
        said = "".join(sheet.plain(exercise.text) for exercise in course.exercises().values())
        self.assertEqual(re.findall(r"[{}$\\]|tfrac|beginaligned|bmatrix|mathcal", said), [])

    def test_paragraphs_of_a_sheet_are_apart(self):
        self.assertEqual(list(sheet.wrapped("One\ntwo.\n\nThree:\n- four\n  five", "# ")), ["# One two.", "#", "# Three:", "# - four five"])

    def test_what_is_asked_for_wrongly_is_refused_in_one_line(self):
        self.file("class/ann.toml", "")
        for arguments in (
            ("grade", self.folder / "none.toml"),
            ("grade", self.folder / "class", "--student", "ann"),
            ("grade", self.folder / "class", self.key),
            ("grade", self.key, "--student", "a b"),
            ("sheet", "nosuch"),
            ("sheet", "01_grup"),
            ("sheet", "--output", self.folder / "no" / "folder.toml"),
            ("sheet", "--students", self.file("ids", "ann\n"), "--output", self.key),
            ("hints", "nosuch"),
            ("hints", "two_turns", "--number", 0),
            ("hints", "two_turns", "--number", -1),
            *(("grade", self.key, f"--{option}", "") for option in ("student", "students", "key", "set", "json", "csv", "junit")),
            *(("sheet", f"--{option}", "") for option in ("student", "students", "key", "output")),
            ("solutions", "--key", self.key, "--student", ""),
            ("key", self.folder / "no" / "folder.key"),
        ):
            code, said, complained = self.run_command(*arguments)
            self.assertEqual((code, said), (2, ""), arguments)
            self.assertRegex(complained, r"\Aarticulate: [^\n]+\n\Z")

    def test_hints_come_one_by_one(self):
        hints = library.find("rate_of_a_rotation_vector").hints
        for number in (1, 2):
            code, said, _ = self.run_command("hints", "rate_of_a_rotation_vector", "--number", number)
            self.assertEqual((code, said.count(f" of {len(hints)}: ")), (0, number))

    def test_the_readme_says_what_its_commands_print(self):
        text = re.search(r"^## Exercises that mark themselves\n(.*?)(?=^## )", (ROOT / "README.md").read_text(encoding="utf-8"), re.S | re.M)[1]
        script = re.search(r"```sh\n(.*?)```", text, re.S)[1].replace("./articulate", str(ROOT / "articulate"))
        done = subprocess.run(["sh", "-e", "-c", script], cwd=self.folder, capture_output=True, text=True, check=True)
        told = re.search(r"hears `([^`]*)`", text)[1]
        self.assertIn(told, done.stdout)

    def test_the_page_of_the_exercises_is_written_to_a_folder_that_is_not_there_yet(self):
        script = ROOT / "docs" / "exercise_pages.py"
        subprocess.run([sys.executable, script, ROOT, self.folder / "new"], check=True)
        page = (self.folder / "new" / "pages" / "exercises.md").read_text(encoding="utf-8")
        self.assertEqual([name for name in course.exercises() if f"{{#exercise_{name}}}" not in page], [])

    def test_the_commands_on_the_page_of_the_exercises_work(self):
        page = runpy.run_path(str(ROOT / "docs" / "exercise_pages.py"))["INTRODUCTION"]
        lines = re.findall(r"^    \./articulate (.*)$", page, re.M)
        self.assertEqual(len(lines), 7)
        self.file("ids.txt", "s123\n")
        self.file("course.key", "").unlink()
        for line in lines:
            if "handed_in" in line:  # students hand in their sheets
                (self.folder / "sheets").rename(self.folder / "handed_in")
            done = subprocess.run(["sh", "-c", f"{ROOT / 'articulate'} {line}"], cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), line)
        rows = (self.folder / "marks.csv").read_text().splitlines()
        asked = [exercise.name for exercise in library.chosen(["01", "02"]) if exercise.kind in ("number", "write")]
        self.assertEqual(rows, ["student,points,of," + ",".join(asked) + ",said", f"s123,0,{2 * len(asked)}," + "0," * len(asked)])

    def test_programs_go_to_their_own_grader(self):
        """With a secret of this student and exercise, from which no one finds the key."""
        seen = []

        def graded(name, path, secret):
            seen.append((name, Path(path).name, secret))
            if name == "loop":
                raise Refusal("programs need bubblewrap here")
            return {"points": 1, "feedback": "On ur5 a law is broken.", "name_of_mistake": "wrong_inverse"}

        fake = types.SimpleNamespace(grade=graded)
        with unittest.mock.patch.dict(sys.modules, {"course.programs": fake}), unittest.mock.patch.object(course, "programs", fake, create=True):
            self.file("class/ann/carry_velocity.cpp", "")
            self.file("class/ann/loop.py", "")
            self.file("class/ann/answers.toml", toml(self.right("ann")))
            (ann,) = submission.mark_class(self.folder / "class", KEY)
        self.assertEqual(seen, [("carry_velocity", "carry_velocity.cpp", draw.seed(KEY, "ann", "carry_velocity")),
                                ("loop", "loop.py", draw.seed(KEY, "ann", "loop"))])  # fmt: skip
        self.assertEqual(ann.exercises["carry_velocity"]["mistakes"], ["wrong_inverse"])
        self.assertEqual((ann.points, ann.said), (1 + POINTS, ["'loop.py' is not graded: programs need bubblewrap here."]))

    def test_it_runs_from_the_source_without_the_module(self):
        done = subprocess.run(
            [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(ROOT / 'src' / 'python')!r}); "
             "import course.__main__ as m; m.main(['list']); assert not any(name.startswith('articulate') for name in sys.modules)"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.count("\n"), len(course.exercises()))


if __name__ == "__main__":
    unittest.main()
