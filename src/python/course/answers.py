"""What a student handed in, read and never executed: JSON, TOML, CSV or a notebook.

A file holds a table with one entry for each exercise, {name: {quantity: numbers}}, and may name its student. In a notebook
each exercise has a cell `answers = {quantity: numbers}` that nbgrader's metadata call a solution.
"""
import ast
import csv
import errno
import io
import json
import os
import stat
import tomllib

from .grading import Refusal, clipped

MOST_BYTES = 1_000_000
MOST_SOURCE = 10_000  # characters of a cell
MOST_EXERCISES = 1000


def contents(path):
    """The bytes of a regular file: no link, device or pipe is opened to be read, and no more is read than is allowed."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise Refusal("it is a link" if error.errno == errno.ELOOP else f"it cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Refusal("it is no regular file")
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Refusal("it has more than 1 MB; of a notebook, clear the outputs")
    return data


def text(path):
    try:
        return contents(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refusal("it is no text in UTF-8") from None


def read(path):
    """({exercise: {quantity: value}}, the student that it names or None)"""
    kind = os.path.splitext(path)[1].lower()
    if kind not in READERS:
        raise Refusal(f"its name must end with one of {', '.join(READERS)}")
    try:
        table = READERS[kind](text(path))
    except (ValueError, RecursionError, MemoryError, csv.Error) as error:
        # tomllib's and json's sentences say where; what is nested without end has none.
        said = str(error) if isinstance(error, ValueError) else "it is nested too deeply"
        raise Refusal(f"it is not as {kind[1:]} is written: {clipped(said, 120)}") from None
    if not isinstance(table, dict):
        raise Refusal("it holds no table of exercises")
    student = table.pop("student", None)
    if student is not None and not isinstance(student, str):
        raise Refusal("its student is no text")
    if len(table) > MOST_EXERCISES:
        raise Refusal(f"it has more than {MOST_EXERCISES} entries")
    return table, student


def _once(pairs):
    """A table in which each name occurs once: json would take the last."""
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("a name occurs twice")
    return table


def _no_constant(name):
    raise ValueError(f"{name} is no number")


def _json(source):
    return json.loads(source, object_pairs_hook=_once, parse_constant=_no_constant)


def _csv(source):
    """A line for each quantity: exercise, quantity, number, number, ..."""
    table = {}
    for line in csv.reader(io.StringIO(source), skipinitialspace=True):
        if not line or line[0].startswith("#"):
            continue
        if len(line) < 2:
            raise ValueError("a line has fewer than two columns")
        exercise, quantity, *numbers = (cell.strip() for cell in line)
        quantities = table.setdefault(exercise, {})
        if quantity in quantities:
            raise ValueError("a name occurs twice")
        quantities[quantity] = [float(number) for number in numbers if number]
    return table


def _notebook(source):
    """The literal of each solution cell; what is no literal is left to say so when its exercise is marked."""
    notebook = json.loads(source, object_pairs_hook=_once)  # outputs may hold NaN, which no answer does
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise ValueError("it has no cells")
    table = {}
    for cell in cells:
        name = _solved(cell)
        if name is None:
            continue
        if name in table:
            raise ValueError("two cells answer one exercise")
        table[name] = _literal(cell.get("source"))
    course = _metadata(notebook).get("articulate")
    if isinstance(course, dict) and "student" in course:
        table["student"] = course["student"]
    return table


def _metadata(thing):
    metadata = thing.get("metadata") if isinstance(thing, dict) else None
    return metadata if isinstance(metadata, dict) else {}


def _solved(cell):
    """The name of the exercise that a cell answers, if it does."""
    about = _metadata(cell).get("nbgrader")
    if not isinstance(about, dict) or about.get("solution") is not True or cell.get("cell_type") != "code":
        return None
    return about.get("grade_id") if isinstance(about.get("grade_id"), str) else None


def _literal(source):
    """The value of `answers = {...}`, whose parts must be written out: nothing is executed."""
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str) or len(source) > MOST_SOURCE:
        return Refusal("its cell is no text, or too long")
    try:
        found = [
            statement.value
            for statement in ast.parse(source).body
            if isinstance(statement, ast.Assign) and [ast.unparse(target) for target in statement.targets] == ["answers"]
        ]
        if len(found) != 1:
            return Refusal("its cell must have one line `answers = {...}`")
        return ast.literal_eval(found[0])
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return Refusal("its answers must be numbers written out, since nothing in a notebook is executed")


READERS = {".json": _json, ".toml": tomllib.loads, ".csv": _csv, ".ipynb": _notebook}
