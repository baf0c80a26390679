#!/usr/bin/env python3
"""The page of the exercises that grade themselves, with the numbers of the practice sheet.

usage: exercise_pages.py SOURCE BOOK     writes BOOK/pages/exercises.md; needs numpy
"""
import sys
from pathlib import Path

INTRODUCTION = """# Exercises {#exercises}
[TOC]
These exercises have no answers in print. A program checks them, says which mistake was made, and never what is right.
One star is for a first reading, three are for an evening. Hints and the solutions of derivations unfold.

## How to answer {#exercises_answer}
The numbers on this page are those of the practice sheet. Write it, fill in four significant digits, and have it marked:

    ./articulate course sheet group > answers.toml
    ./articulate grade answers.toml

Nothing is built for this; it needs Python and numpy. Units are SI units, and angles are in radians unless something else is asked.
Write each number out, as `0.5`: a file takes neither `.5` nor `pi/6`. A matrix is written row by row. An exercise whose brackets are
empty is left out, and counts only where a teacher asked for it. With `--student ANY_NAME` the sheet has other numbers, for a second try. Each exercise has two points: two if all its quantities are right, one if some are. A number is right if it
differs by no more than rounding to four digits, of it and of what it is made from, can explain.

`./articulate course notebook group > sheet.ipynb` writes the same sheet as a notebook. Where the Python module is built, the marks appear below each
answer, and `articulate.grade({"two_turns": {"own": [...], "room": [...]}})` marks a table; `./articulate grade sheet.ipynb` needs no build.
`./articulate course list` names all exercises, and
`./articulate course hints NAME --number 2` shows two hints.

## Programs to write {#exercises_programs}
Exercises of the kind *write* ask for a function of 15 to 40 lines, in Python with numpy or in C++ with Eigen. Take a file to begin with, which is named after
the exercise, and fill it in:

    ./articulate course starter carry_velocity.py

Then `./articulate grade carry_velocity.py` runs it on robots in drawn states and frames, and says which law is broken, on which robot, and where it can which
mistake was made. `carry_velocity.cpp` asks for the same in C++; what its first line includes is `src/python/course/write/harness/course.hpp`.
A program has two points, or one if at least half of its cases are right. It may be built in any way, as long as its numbers are right. It runs where it can
do no harm, \\ref syllabus_confinement "as is told to teachers"; where a machine cannot offer that, programs are refused, and numbers are still graded.

## For teachers {#exercises_teachers}
Every student gets numbers of their own. They follow from the ID of the student and a key, which only you have:

    ./articulate course key course.key
    ./articulate course sheet 01 02 --students ids.txt --key course.key --output sheets
    ./articulate grade handed_in --key course.key --students ids.txt --set 01,02 --csv marks.csv
    ./articulate course solutions 01 --student s123 --key course.key

\\ref syllabus_class "Setting up a class" goes through a whole term. `ids.txt` has an ID on each line, and the folder `handed_in` a file `ID.toml` (or `.json`, `.csv`, `.ipynb`) or a folder `ID` for each student, where programs are, too.
What cannot be read is said in one sentence, and stops no one else's marks. `--json` and `--junit` write the marks for other programs.
Notebooks follow the convention of nbgrader. They are read and not executed, so that no code of a student runs beside the key.
With `--students` the marks have a line for each ID of the list, also of those who handed in nothing, and no one else is graded. Sheets and notebooks name the key
that they were drawn with, without telling it: answers to other numbers are refused instead of called wrong.

The key hides your students' numbers from each other. It does not hide the method: the source of the exercises computes solutions from numbers, and a student
who reads Python can call it. For marks that count, ask for the derivation as well.
"""


def folded(summary, text):
    """Without an empty line, which would end what is folded."""
    return f"<details><summary>{summary}</summary>\n{text.strip()}\n</details>\n"


def exercise_text(course, exercise):
    key, student = course.draw.PRACTICE_KEY, "practice"
    numbers = exercise.numbers(key, student)
    parts = [f"### {exercise.title} {{#exercise_{exercise.name}}}", f"{'★' * exercise.stars} {exercise.kind}, `{exercise.name}`\n"]
    parts.append(exercise.statement(numbers) + "\n")
    if exercise.kind == "number":
        shaped = course.grading.Marking(exercise, numbers).shaped
        parts += [f"- `{name}`: {said}; {course.sheet.shape(shaped[name])}" for name, said in exercise.asks.items()]
        parts.append("")
    if exercise.kind == "write":
        parts.append(f"```cpp\n{exercise.declaration};\n```\n")
        parts.append(f"In Python the arguments have the same names. To begin: `./articulate course starter {exercise.name}.py`, or `.cpp`.\n")
    parts += [folded(f"Hint {number}", hint) for number, hint in enumerate(exercise.hints, 1)]
    if exercise.solution:
        parts.append(folded("Solution", exercise.solution))
    return "\n".join(parts)


def page(source):
    sys.path.insert(0, str(source / "src" / "python"))
    import course
    import course.grading
    import course.sheet

    parts = [INTRODUCTION]
    for stem in course.CHAPTERS:
        exercises = course.library.of_chapter(stem)
        if exercises:
            title = (source / "chapters" / f"{course.library.numbered(stem)}.md").read_text(encoding="utf-8").split("{#")[0].strip("# \n")
            parts.append(f"## {course.library.numbered(stem)[:2]} {title} {{#exercises_{stem}}}\nFor \\ref {stem} \"chapter {course.library.numbered(stem)[:2]}\".\n")
            parts += [exercise_text(course, exercise) for exercise in exercises]
    return "\n".join(parts)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    pages = Path(sys.argv[2]) / "pages"
    pages.mkdir(parents=True, exist_ok=True)
    (pages / "exercises.md").write_text(page(Path(sys.argv[1])), encoding="utf-8")
