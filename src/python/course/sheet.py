"""A student's sheet: the exercises with the student's numbers, as a TOML file with room for the answers."""
import re
import textwrap

from .draw import PRACTICE_KEY, course
from .library import numbered

WIDTH = 100
# What MathJax is told in docs/macros.js, for those who have only TeX.
MACROS = {
    r"\\Ad\b": r"\\operatorname{Ad}", r"\\ad\b": r"\\operatorname{ad}", r"\\SE\b": r"\\mathrm{SE}", r"\\SO\b": r"\\mathrm{SO}",
    r"\\se\b": r"\\mathfrak{se}", r"\\so\b": r"\\mathfrak{so}", r"\\T\b": r"\\mathsf{T}",
}  # fmt: skip
# Formulas as they are read without TeX: what these commands say there. Of others the name is read.
WORDS = {
    "times": " x ", "cdot": " * ", "le": "<=", "leq": "<=", "ge": ">=", "geq": ">=", "ne": "!=", "cdots": " ... ", "dots": " ... ", "partial": "d ",
    "lVert": "|", "rVert": "|", "lvert": "|", "rvert": "|", "circ": " degrees", "quad": " ", "qquad": " ",
    **dict.fromkeys(["mathsf", "mathcal", "mathrm", "mathbf", "operatorname", "text", "hat", "widehat", "left", "right", "big", "Big"], ""),
}  # fmt: skip
PRIMES = {"dot": "'", "ddot": "''"}
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[A-Za-z]+|[0-9.]+|.", re.DOTALL)


def _linked(text):
    """Doxygen's links as their words."""
    text = re.sub(r'\\ref \w+ "([^"]*)"', r"\1", text)
    return re.sub(r"\\ref (\w+)", r"\1", re.sub(r"\\eq\{(\w+),([\w.]+)\}", r"(\1 \2)", text))


def formula(tex):
    """TeX as it is read in a terminal: matrices in brackets, and semicolons between rows and between equations."""
    tex = re.sub(r"\\begin\{bmatrix\}(.*?)\\end\{bmatrix\}", lambda found: f"[{found[1].replace('&', ', ')}]", tex, flags=re.DOTALL)
    tex = re.sub(r"\\(begin|end)\{\w+\}", "", tex).replace("&=", "=").replace("&", " ").replace("\\\\", " ; ")
    said = re.sub(r"[\s,]*;\s*", "; ", re.sub(r"\s+", " ", _group(tex, 0)[0]).strip())
    return re.sub(r"(?<=[(\[]) | (?=[)\],;'])", "", said)


def _group(tex, k):
    """The text until the end of a group, and where it ends."""
    said = ""
    while k < len(tex) and tex[k] != "}":
        one, k = _one(tex, k)
        if one and re.search(r"[\w')\]]$", said) and re.match(r"\w", one):
            said += " "  # one product's factors are no word
        said += one
        while k < len(tex) and tex[k] in "_^":
            script, end = _one(tex, k + 1, short=True)
            said = said.rstrip() + (script if "degrees" in script else tex[k] + _whole(script))
            k = end
    return said, k


def _whole(said):
    """In parentheses if it is more than a name, a number or a sign."""
    said = said.strip()
    if re.fullmatch(r"\w( \w)+", said):  # indices
        said = said.replace(" ", "")
    return said if re.fullmatch(r"[\w.]+'*|-?\d+|[*+-]|\([^()]*\)", said) else f"({said})"


def _one(tex, k, short=False):
    """A group, command, name or number, and where it ends; as an argument (short), a single letter or digit."""
    while short and k < len(tex) and tex[k].isspace():
        k += 1
    if k == len(tex):
        return "", k
    if tex[k] == "{":
        said, k = _group(tex, k + 1)
        return said.strip(), k + 1
    token = TOKEN.match(tex, k)[0]
    if token[0] != "\\":
        return (token[0], k + 1) if short else (token, k + len(token))
    word, k = token[1:], k + len(token)
    if word in PRIMES:
        said, k = _one(tex, k, short=True)
        while k < len(tex) and tex[k] == "_":  # the prime stands behind the index
            script, k = _one(tex, k + 1, short=True)
            said += "_" + _whole(script)
        return said + PRIMES[word], k
    if word in ("frac", "tfrac", "dfrac"):
        above, k = _one(tex, k, short=True)
        below, k = _one(tex, k, short=True)
        return f"{_whole(above)}/{_whole(below)}", k
    if word == "sqrt":
        said, k = _one(tex, k, short=True)
        return f"sqrt({said})", k
    while word in ("lvert", "lVert") and tex[k : k + 1].isspace():
        k += 1
    said = WORDS.get(word, word if word.isalpha() else " ")
    if short and not said:  # a change of fonts, whose argument is meant
        return _one(tex, k, short=True)
    return said, k


def plain(text):
    """As it is read in a terminal."""
    text = re.sub(r"\\f[$\[](.*?)\\f[$\]]", lambda found: formula(found[1]), _linked(text), flags=re.DOTALL)
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
        if part.startswith("\n"):  # the empty line before a paragraph
            yield prefix.rstrip()
        kept = BEFORE_UNIT.sub(KEPT, " ".join(part.split()))
        for line in textwrap.wrap(kept, WIDTH, initial_indent=prefix, subsequent_indent=prefix):
            yield line.replace(KEPT, " ")


def about(key, student):
    """Whose numbers these are."""
    if key == PRACTICE_KEY:
        return "These are practice numbers, which anyone can draw and grade: they are for trying, not for marks."
    return f"These numbers are for {student} alone."


def to_begin(exercise):
    """How a program is begun."""
    return f"`./articulate course starter {exercise.name}.py`, or `.cpp`, writes the file to begin with."


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
        "# unless something else is asked; a matrix row by row. Then "
        + ("mark them: ./articulate grade THIS_FILE" if key == PRACTICE_KEY else "hand in this file, which only your teacher can mark."),
        "# " + about(key, student),
        f'student = "{student}"',
        f'course = "{course(key)}"',
        "",
    ]
    for exercise in exercises:
        if exercise.kind == "write":
            lines += [f"# {'-' * (WIDTH - 2)}", f"# {exercise.title} {stars(exercise)}", f"# (chapter {numbered(exercise.chapter)}, a program)", "#"]
            lines += wrapped(plain(exercise.text), "# ")
            lines += ["#", f"# {to_begin(exercise)}", ""]
            continue
        if exercise.kind == "project":
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
