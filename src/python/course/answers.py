"""What a student handed in, read and never executed: JSON, TOML, CSV or a notebook.

A file holds a table with one entry for each exercise, {name: {quantity: numbers}}, and may name its student and course. In a notebook
each exercise has a cell `answers = {quantity: numbers}` that nbgrader's metadata call a solution.
"""
import ast
import csv
import errno
import io
import json
import os
import re
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
    except ValueError:  # a zero, or half of a character
        raise Refusal("no file can have this name") from None
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
    """({exercise: {quantity: value}}, {"student": whom it names or None, "course": likewise})"""
    if os.path.islink(path) or os.path.isdir(path):
        raise Refusal("it is a link" if os.path.islink(path) else "it is a folder")
    kind = os.path.splitext(path)[1].lower()
    if kind not in READERS:
        raise Refusal(f"its name must end with one of {', '.join(READERS)}, or for a program with .py or .cpp")
    source = text(path)
    if not source.strip():
        raise Refusal("it is empty")
    try:
        table = READERS[kind](source)
    except (ValueError, RecursionError, MemoryError, csv.Error) as error:
        # The readers' sentences say where; what is nested without end has none.
        said = str(error) if isinstance(error, (ValueError, csv.Error)) else "it is nested too deeply"
        raise Refusal(f"it is not as {kind[1:]} is written: {clipped(said, 120)}{remedy(kind, source, said)}") from None
    if not isinstance(table, dict):
        raise Refusal("it holds no table of exercises")
    about = {name: table.pop(name, None) for name in ("student", "course")}
    for name, value in about.items():
        if value is not None and not isinstance(value, str):
            raise Refusal(f"its {name} is no text")
    if len(table) > MOST_EXERCISES:
        raise Refusal(f"it has more than {MOST_EXERCISES} entries")
    return table, about


# What a line or a file of answers looks like.
EXAMPLES = {".toml": "own = [0.5, -1.2, 3.0]", ".json": '{"two_turns": {"own": [0.5, -1.2, 3.0]}}', ".csv": "two_turns, own, 0.5, -1.2, 3.0"}
UNCLOSED = "a closing bracket is missing"
# What is often written instead of a number, after the sign of equality, and what to write.
OFTEN = [
    (r"\d,\d+\.|\.\d+\.", "a number has one decimal point, and a comma stands between numbers"),
    (r"(?<![\w.])\.\d", "write 0.5 instead of .5"),
    (r"\d\.(?![\d])", "write 5.0 instead of 5."),
    (r"[A-Za-z_]{2,}|[*/^()]", "write numbers out: 0.5236 instead of pi/6"),
    (r"\d\s+-?\d", "a comma stands between numbers"),
    (r"^[^\[]*$", "numbers stand between brackets"),
    (r"^[^\]]*$", UNCLOSED),
]


def remedy(kind, source, said):
    """What would be right: of TOML for the line that is complained of, else an example."""
    example = f"; an answer looks like `{EXAMPLES[kind]}`" if kind in EXAMPLES else ""
    if kind != ".toml":
        return example
    found, lines = re.search(r"\(at line (\d+),", said), source.splitlines()
    line = lines[int(found[1]) - 1].strip() if found and int(found[1]) <= len(lines) else ""
    _, equals, value = line.partition("#")[0].partition("=")
    better = next((better for pattern, better in OFTEN if equals and re.search(pattern, value.strip())), "")
    if "Unclosed" in said and not better:
        return f": {UNCLOSED}{example}"
    quoted = f". This line is {clipped(line)}" if line else ""
    return quoted + (f": {better}" if better else example)


NAMED = re.compile(r"^\W*student\W+([A-Za-z0-9][A-Za-z0-9_.@+-]{0,63})\W*$", re.MULTILINE)


def student_named(path):
    """Of whom a file says that it is, or None; one line is enough where the rest cannot be read."""
    try:
        return read(path)[1]["student"]
    except Refusal:
        pass
    try:
        found = NAMED.search(text(path)) if os.path.splitext(path)[1].lower() in READERS else None
    except Refusal:
        return None
    return found and found[1]


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
    about = _metadata(notebook).get("articulate")
    if isinstance(about, dict):
        table.update({name: about[name] for name in ("student", "course") if name in about})
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
    # Lines for Jupyter alone, such as %matplotlib, are no Python.
    lines = ["" if line.lstrip().startswith(("%", "!")) else line for line in source.splitlines()]
    try:
        body = ast.parse("\n".join(lines)).body
    except SyntaxError as error:
        return Refusal(f"its cell is no Python, in line {error.lineno}")
    except (ValueError, RecursionError, MemoryError):
        return Refusal("its cell is no Python")
    try:
        changes = [statement for statement in body if _changes_answers(statement)]
        given = [statement for statement in changes if _gives_answers(statement)]
        if len(given) != 1:
            return Refusal("its cell must have one line `answers = {...}`")
        if len(changes) > 1:
            return Refusal("its cell changes `answers` in another line than `answers = {...}`; write all numbers there, since nothing in a notebook is executed")
        return ast.literal_eval(given[0].value)
    except (ValueError, TypeError, RecursionError, MemoryError):
        return Refusal("its answers must be numbers written out, since nothing in a notebook is executed")


def _gives_answers(statement):
    """Is this `answers = ...`, with a type or without?"""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target] if isinstance(statement, ast.AnnAssign) else []
    return [ast.unparse(target) for target in targets] == ["answers"] and statement.value is not None


def _changes_answers(statement):
    """Does a statement set `answers` or a part of it, or call what may do so?"""

    def is_answers(node):
        return isinstance(node, ast.Name) and node.id == "answers"

    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_answers(node.func.value):
            return True
        if isinstance(node, (ast.Name, ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
            if is_answers(node if isinstance(node, ast.Name) else node.value):
                return True
    return False


READERS = {".json": _json, ".toml": tomllib.loads, ".csv": _csv, ".ipynb": _notebook}
