"""A sheet as a notebook whose cells follow the convention of nbgrader (version 3 of its metadata).

With practice numbers each exercise ends in a locked test cell, in which the student sees the marks at once. Numbers drawn with
a teacher's key are not marked in the notebook, since the key must not be where a student's code runs: there the cell of the
answer itself carries the points, and `./articulate grade` reads the notebook without executing it.
"""
import json

from .draw import PRACTICE_KEY, course
from .grading import POINTS, Marking
from .library import numbered
from .sheet import about, markdown, shape, stars, to_begin


def _metadata(name, cell_type, **options):
    marks = {"grade": False, "locked": True, "solution": False, "task": False, **options}
    return {"nbgrader": {"grade_id": name, "schema_version": 3, "cell_type": cell_type, **marks}}


def _text(name, source):
    return {"cell_type": "markdown", "id": name, "metadata": _metadata(name, "markdown"), "source": source.split("\n")}


def _code(name, source, **options):
    return {
        "cell_type": "code", "execution_count": None, "id": name, "metadata": _metadata(name, "code", **options),
        "outputs": [], "source": source.split("\n"),
    }  # fmt: skip


def _answers(exercise, numbers):
    """The cell that a student fills."""
    shapes = {name: shape(value) for name, value in Marking(exercise, numbers).shaped.items()}
    lines = [f'    "{name}": [],  # {shapes[name]}' for name in shapes]
    return "\n".join(["answers = {", *lines, "}"])


def _statement(exercise, numbers):
    asked = "\n".join(f"- `{name}`: {markdown(said)}" for name, said in exercise.asks.items())
    hints = "\n\n".join(f"<details><summary>Hint {k}</summary>{markdown(hint)}</details>" for k, hint in enumerate(exercise.hints, 1))
    text = f"## {exercise.title} {'&#9733;' * len(stars(exercise))}\nChapter {numbered(exercise.chapter)}.\n\n"
    begin = f"This one is answered by a program, which is a file beside this notebook. {to_begin(exercise)}" if exercise.kind == "write" else ""
    return text + "\n\n".join(part for part in (markdown(exercise.statement(numbers)), asked, begin, hints) if part)


def notebook(exercises, key, student):
    """The text of the file: the same for the same key and student, byte by byte."""
    practice = key == PRACTICE_KEY
    head = (
        "# Exercises\nWrite the numbers into the cells, with four significant digits, in SI units and radians unless "
        f"something else is asked.\nThey must be written out: a grader reads them, and executes nothing.\n\n{about(key, student)}"
    )
    cells = [_text("sheet", head)]
    if practice:
        cells.append(_code("start", f'import articulate\n\nstudent = "{student}"'))
    for exercise in exercises:
        numbers = exercise.numbers(key, student)
        cells.append(_text(f"{exercise.name}_text", _statement(exercise, numbers)))
        if exercise.kind != "number":
            continue
        marked = {} if practice else {"grade": True, "points": POINTS}
        cells.append(_code(exercise.name, _answers(exercise, numbers), solution=True, locked=False, **marked))
        if practice:
            test = f'marks = articulate.grade({{"{exercise.name}": answers}}, student)\nprint(marks)\n'
            test += 'assert marks.points > 0, "no points yet"\nmarks.points'
            cells.append(_code(f"{exercise.name}_test", test, grade=True, points=POINTS))
    for cell in cells:
        cell["source"] = [line + "\n" for line in cell["source"][:-1]] + cell["source"][-1:]
    whole = {
        "cells": cells,
        "metadata": {
            "articulate": {"student": student, "course": course(key)},
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
