"""Pieces of text for Doxygen: words, mathematics, numbers, tables."""
import re


def label(text):
    return re.sub(r"\W", "_", text)


def words(text):
    """Plain words for Doxygen: nothing in them is a command, a tag or emphasis."""
    entities = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
    return re.sub(r"::|[\\@#%&<>\"*_`\[\]]", lambda match: entities.get(match[0], "\\" + match[0]), text)


def sentence(name):
    """The name of an identity, read as the sentence that it is."""
    return words(name.replace("_", " "))


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
    """A residual, and its tolerance with the sign before it."""
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
