#!/usr/bin/env python3
"""Does every chapter that has code have its other faces: prose, proof and picture?

usage: faces.py SOURCE

A stem has code when src/articulate/<stem>/ exists. Then chapters/NN_<stem>.md,
validation/<stem>/ with identities.cpp and notebooks/NN_<stem>.py must exist, all with the number of the chapter. The other
way round, no chapter and no notebook may be without code. A derivation begins with a figure: it stands before the first displayed formula. Where the words of a link are the number of a chapter, the link leads to that chapter.
"""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
from stems import STEMS

# Code that serves several chapters and is none.
ROOMS = ["batch"]

HEADINGS = [
    "The question",
    "Conventions",
    "Derivation",
    "Algorithm",
    "What can go wrong",
    "What does it cost?",
    "Evidence",
    "Exercises",
    "Further reading",
]


def headings(page):
    return re.findall(r"^## (.+?) \{#", page.read_text(encoding="utf-8"), re.MULTILINE)


def wrong_numbers(chapters):
    """A sentence for each link whose words are the number of a chapter, and that leads elsewhere."""
    texts = {page: page.read_text(encoding="utf-8") for page in sorted(chapters.glob("*.md"))}
    numbers = {
        anchor: page.name[:2] if page.name[:2].isdigit() else page.stem
        for page, text in texts.items()
        for names in re.findall(r"\{#(\w+)\}|\\anchor (\w+)", text)
        for anchor in names
    }
    for page, text in texts.items():
        for anchor, words in re.findall(r"\\ref (\w+) \"([^\"]*)\"", text):
            told = re.fullmatch(r"(?:[Cc]hapter )?(\d\d)", words)
            if told and numbers.get(anchor, told[1]) != told[1]:
                place = f"chapter {numbers[anchor]}" if numbers[anchor].isdigit() else f"the page {numbers[anchor]}"
                yield f"chapters/{page.name}: \\ref {anchor} \"{words}\" leads to {place}"


def without_figure_first(text):
    """Whether the section Derivation has a displayed formula and no figure before it."""
    section = re.search(r"^## Derivation \{#.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    display = re.search(r"\\f[\[{]", section[0]) if section else None
    return bool(display) and "\\image html " not in section[0][: display.start()]


def faults(source):
    """One sentence per fault."""
    found = list(wrong_numbers(source / "chapters"))
    for number, stem in enumerate(STEMS, 1):
        name = f"{number:02}_{stem}"
        prose = source / "chapters" / f"{name}.md"
        code = source / "src" / "articulate" / stem
        proofs = sorted((source / "validation" / stem).glob("*.cpp"))
        proof = proofs[0] if proofs else source / "validation" / stem / "identities.cpp"
        faces = [prose, proof, source / "notebooks" / f"{name}.py"]
        if code.is_dir():
            found += [
                f"chapter {stem} has code and no {face.relative_to(source)}" for face in faces if not face.exists()
            ]
        else:
            found += [
                f"{face.relative_to(source)} exists, but {code.relative_to(source)}/ does not"
                for face in faces
                if face.exists()
            ]
        if prose.exists() and headings(prose) != HEADINGS:
            found.append(f"{prose.relative_to(source)} has the headings {headings(prose)}, and should have {HEADINGS}")
        if prose.exists() and without_figure_first(prose.read_text(encoding="utf-8")):
            found.append(f"{prose.relative_to(source)} has no figure before the first displayed formula of its derivation")
    known = {f"{number:02}_{stem}" for number, stem in enumerate(STEMS, 1)}
    odd = [
        path
        for folder in ("chapters", "notebooks")
        for path in (source / folder).glob("[0-9][0-9]_*")
        if path.stem not in known
    ]
    odd += [path for path in (source / "src" / "articulate").iterdir() if path.is_dir() and path.name not in STEMS + ROOMS]
    return found + [f"{path.relative_to(source)} belongs to no chapter" for path in sorted(odd)]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sentences = faults(Path(sys.argv[1]))
    if sentences:
        sys.exit("\n".join("faces: " + sentence for sentence in sentences))
