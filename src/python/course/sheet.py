"""A student's sheet: the exercises with the student's numbers, as a TOML file with room for the answers."""
import re
import textwrap

from .draw import PRACTICE_KEY
from .library import numbered

WIDTH = 100
# What MathJax is told in docs/macros.js, for those who have only TeX.
MACROS = {
    r"\\Ad\b": r"\\operatorname{Ad}", r"\\ad\b": r"\\operatorname{ad}", r"\\SE\b": r"\\mathrm{SE}", r"\\SO\b": r"\\mathrm{SO}",
    r"\\se\b": r"\\mathfrak{se}", r"\\so\b": r"\\mathfrak{so}", r"\\T\b": r"\\mathsf{T}",
}  # fmt: skip
# What reads well enough without TeX; braces and what is left of commands go.
PLAIN = {
    r"\\partial\b\s*": "d", r"\\dot\s*\{?(\\?\w+)\}?": r"\1'", r"\\ddot\s*\{?(\\?\w+)\}?": r"\1''",
    r"\\d?t?frac\{([^{}]*)\}\{([^{}]*)\}": r"\1/\2", r"\\d?t?frac(\w)(\w)": r"\1/\2",
    r"\s*\\times\b": " x ", r"\s*\\cdot\b": " *", r"\\(le|leq)\b": "<=", r"\\(ge|geq)\b": ">=", r"\\q?quad\b": " ",
    r"\\ne\b": "!=", r"\\c?dots\b": " ... ", r"\\(?:wide)?hat\s*": "", r"\\lVert|\\rVert|\\lvert|\\rvert": "|",
    r"\\(sin|cos|tan|exp|log|ln|diag|det|Ad|ad)\b": r"\1", r"\^\{?\\circ\}?": " degrees",
    r"\^\{?(\\T|\\mathsf\{?T\}?)\}?": "^T", r"\\(?:mathcal|mathrm|mathbf|operatorname|text)\s*": "", r"\\[,;:! ]": " ",
    r"\\(?:left|right|big|Big)\b": "", r"\\([A-Za-z]+)": r"\1",
    # What braces kept together: a short exponent stands alone, a long one or an index with an index of its own in parentheses.
    r"\^\{\s*(-?(?:\w|\d+))\s*\}(?=\w)": r"^\1 ", r"\^\{(?!\s*-?(?:\w|\d+)\s*\}|\()([^{}]+)\}": r"^(\1)",
    r"_\{([^{}]*[^{}A-Za-z0-9][^{}]*)\}": r"_(\1)", r"[{}$]": "",
}  # fmt: skip


def _linked(text):
    """Doxygen's links as their words."""
    text = re.sub(r'\\ref \w+ "([^"]*)"', r"\1", text)
    return re.sub(r"\\ref (\w+)", r"\1", re.sub(r"\\eq\{(\w+),([\w.]+)\}", r"(\1 \2)", text))


def plain(text):
    """As it is read in a terminal."""

    def formula(found):
        inside = found[1]
        for pattern, to in PLAIN.items():
            inside = re.sub(pattern, to, inside)
        return re.sub(r"\s+", " ", inside).strip()

    text = re.sub(r"\\f[$\[](.*?)\\f[$\]]", formula, _linked(text), flags=re.DOTALL)
    return re.sub(r"&(\w+);", lambda found: {"lt": "<", "gt": ">", "amp": "&"}.get(found[1], found[0]), text)


def markdown(text):
    """As a notebook shows it: TeX between dollars."""
    text = re.sub(r"\\f\$(.*?)\\f\$", r"$\1$", _linked(text), flags=re.DOTALL)
    text = re.sub(r"\\f\[(.*?)\\f\]", r"$$\1$$", text, flags=re.DOTALL)
    for pattern, to in MACROS.items():
        text = re.sub(pattern, to, text)
    return text


def stars(exercise):
    return "*" * exercise.stars


# Between a number and its unit, or within a unit, no line ends.
BEFORE_UNIT = re.compile(r"(?<=[\d)]) (?=(?:N|kg|m|mm|rad|W|J|s)\b)|(?<=\bN) (?=m\b)|(?<=\bkg) (?=m\b)")
KEPT = "\N{NO-BREAK SPACE}"


def wrapped(text, prefix):
    """Paragraphs and entries of lists, each wrapped anew."""
    for part in re.split(r"\n(?=\s*\n|\s*[-*] |\s*\d+\. )", text.strip()):
        kept = BEFORE_UNIT.sub(KEPT, re.sub(r"\s+", " ", part))
        lines = textwrap.wrap(kept, WIDTH, initial_indent=prefix, subsequent_indent=prefix)
        yield from (line.replace(KEPT, " ") for line in lines or [prefix.rstrip()])


def about(key, student):
    """Whose numbers these are."""
    if key == PRACTICE_KEY:
        return "These are practice numbers, which anyone can draw and grade: they are for trying, not for marks."
    return f"These numbers are for {student} alone."


def shape(value):
    """What a student has to write: a number, 3 numbers, 3 x 3 numbers row by row."""
    if value.ndim == 2 and 1 not in value.shape:
        return f"{value.shape[0]} x {value.shape[1]} numbers, row by row"
    return "1 number" if value.size == 1 else f"{value.size} numbers"


def sheet(exercises, key, student):
    """The text of the file."""
    from .grading import Marking

    lines = [
        "# Exercises. Write the numbers between the brackets, with four significant digits, in SI units and radians",
        "# unless something else is asked; a matrix row by row. Then: ./articulate grade THIS_FILE",
        "# " + about(key, student),
        f'student = "{student}"',
        "",
    ]
    for exercise in exercises:
        if exercise.kind in ("write", "project"):
            lines += [f"# {numbered(exercise.chapter)}: {exercise.title} ({exercise.kind}, on the page of the exercises)", ""]
            continue
        numbers = exercise.numbers(key, student)
        lines += [f"# {'-' * (WIDTH - 2)}", f"# {exercise.title} {stars(exercise)}"]
        lines += [f"# (chapter {numbered(exercise.chapter)})", "#"]
        lines += wrapped(plain(exercise.statement(numbers)), "# ")
        if exercise.kind == "number":
            shapes = {name: shape(value) for name, value in Marking(exercise, numbers).shaped.items()}
            lines += ["#", f"[{exercise.name}]"]
            lines += [f"{name} = []  # {plain(exercise.asks[name])}; {shapes[name]}" for name in shapes]
        lines.append("")
    return "\n".join(lines)
