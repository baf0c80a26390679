"""Reads the proofs: which identity and which erratum stands in which lines of which file of validation/."""
import re
from dataclasses import dataclass
from pathlib import Path

START = re.compile(r"^ *r\.(?:identity|erratum)\(\s*\{\s*\.(?:name|id) = \"([\w-]+)\"", re.MULTILINE)
SYMBOLS = re.compile(r"\.symbols =\s*((?:\"[^\"]*\"\s*)+)")


@dataclass
class Proof:
    name: str  # of the identity, or the id of the erratum
    path: str  # relative to the root of the checkout
    line: int  # the first one, counted from 1
    text: str
    symbols: str  # what a mutation must break


def end_of_statement(text, start):
    """The index behind the line that closes the first parenthesis after `start`; literals may hold parentheses."""
    depth = 0
    for match in re.compile(r"\"(?:\\.|[^\"\\])*\"|//[^\n]*|[()]").finditer(text, start):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0 and match[0] == ")":
            return text.index("\n", match.end()) + 1
    raise ValueError(f"unbalanced parentheses after {text[start:start + 80]!r}")


def pieces(path, root):
    """A source file, cut into proofs and the text between them."""
    text = path.read_text(encoding="utf-8")
    out, done = [], 0
    for match in START.finditer(text):
        end = end_of_statement(text, match.start())
        symbols = SYMBOLS.search(text, match.start(), end)
        out.append(text[done : match.start()])
        out.append(
            Proof(
                match[1],
                str(path.relative_to(root)),
                text.count("\n", 0, match.start()) + 1,
                text[match.start() : end],
                " ".join(re.findall(r"\"([^\"]*)\"", symbols[1])) if symbols else "",
            )
        )
        done = end
    return [piece for piece in out + [text[done:]] if isinstance(piece, Proof) or piece.strip()]


def read_proofs(root: Path, chapters):
    """{chapter: {path: pieces}} of all sources of the proofs, tests left out."""
    return {
        chapter: {
            path: pieces(path, root)
            for path in sorted((root / "validation" / chapter).glob("*.[ch]pp"))
            if not path.stem.endswith("_test")
        }
        for chapter in chapters
    }
