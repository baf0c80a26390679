"""Pieces of text for Doxygen: words, mathematics, numbers, tables."""
import re


def label(text):
    return re.sub(r"\W", "_", text)


def words(text):
    """Plain words for Doxygen: nothing in them is a command, a tag or emphasis."""
    entities = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
    return re.sub(r"::|[\\@#%&<>\"*_`\[\]]", lambda match: entities.get(match[0], "\\" + match[0]), text)


# What a name in C++ cannot spell: capitals and apostrophes. A possessive of a common noun needs its neighbours.
SPELLED = {
    "christoffel": "Christoffel",
    "coriolis": "Coriolis",
    "euler": "Euler",
    "featherstones": "Featherstone's",
    "gamma": "Gamma",
    "jacobi": "Jacobi",
    "lagranges": "Lagrange's",
    "newton": "Newton",
    "newton euler": "Newton-Euler",
    "newtons": "Newton's",
    "parks": "Park's",
    "ploens": "Ploen's",
    "schur": "Schur",
    "each others": "each other's",
    "is the parents carried over plus the joints": "is the parent's carried over plus the joint's",
    "the third arms at least": "the third arm's at least",
    "the links metrics": "the links' metrics",
}
SPELLING = re.compile(r"\b(" + "|".join(sorted(SPELLED, key=len, reverse=True)) + r")\b")


def sentence(name):
    """The name of an identity, read as the sentence that it is."""
    said = re.sub(r"(\w) s\b", r"\1's", name.replace("_", " "))
    return words(SPELLING.sub(lambda match: SPELLED[match[1]], said))


def heading(name):
    """The same with a capital at its beginning."""
    said = sentence(name)
    return said[:1].upper() + said[1:]


def prose(text):
    """Words in which $...$ is mathematics."""
    parts = text.split("$")
    return "".join(f"\\f${part}\\f$" if odd % 2 else words(part) for odd, part in enumerate(parts))


def formula(text):
    """A field that is LaTeX as a whole, or words with $...$ in them, on lines of its own."""
    inside = prose(text) if "$" in text else f"\\f[{text}\\f]"
    return f"<div class=\"formula\">{inside}</div>" if text else ""


def number(value):
    return "not finite" if value is None else "0" if value == 0 else f"{value:.1e}"


def compared(residual, tolerance):
    """A residual, and its tolerance with the sign before it; without a tolerance nothing could be measured."""
    if tolerance is None:
        return number(residual), "not measurable"
    sign = "&le;" if residual is not None and residual <= tolerance else "&gt;"
    return number(residual), f"{sign}&nbsp;{number(tolerance)}"


def within(residual, tolerance):
    """A residual and its tolerance; a line may break between them only."""
    return " ".join(f"<span class=\"digits\">{side}</span>" for side in compared(residual, tolerance))


def equation(key):
    """A link to the ledger row of a key."""
    paper, name = key.split(":")
    return f"\\ref eq_{label(key)} \"({paper} {name})\""


def status(name, said=""):
    return f"<span class=\"status {name}\">{said or name.replace('_', ' ')}</span>"


def open_tag(name, attributes):
    return f"<{name}" + "".join(f" {key}=\"{value}\"" for key, value in attributes.items() if value) + ">"


def row(cells, tag="td", **attributes):
    """A table row; a cell is its text, or (text, attributes)."""
    pairs = [cell if isinstance(cell, tuple) else (cell, {}) for cell in cells]
    return open_tag("tr", attributes) + "".join(f"{open_tag(tag, own)}{text}</{tag}>" for text, own in pairs) + "</tr>"


def table(head, lines, kind):
    """An HTML table that scrolls sideways where it must; lines are rows already, or lists of cells."""
    rows = [line if isinstance(line, str) else row(line) for line in lines]
    return "\n".join(
        ["<div class=\"wide\">", f"<table class=\"doxtable {kind}\">", row(head, "th"), *rows, "</table>", "</div>", ""]
    )
