#!/usr/bin/env python3
"""How much of the mathematics in the code do the chapters show?

usage: quoted.py SOURCE

Counts the lines of src/articulate at which validation/mutation/places.py finds a formula to break, and those of them that
stand between the markers of a snippet that a chapter quotes. Prints both by chapter; ends with 1 if the part that is
quoted is below the bound.
"""
import re
import sys
from collections import Counter
from pathlib import Path

LEAST = 0.5  # of the lines with a formula


def quoted_lines(source):
    """{file: numbers of the lines that some chapter quotes}; a file is named from SOURCE."""
    lines = {}
    for page in sorted((source / "chapters").glob("*.md")):
        for name, block in re.findall(r"^\\snippet (articulate/\S+) (\S+)", page.read_text(encoding="utf-8"), re.MULTILINE):
            text = (source / "src" / name).read_text(encoding="utf-8").splitlines()
            marks = [number for number, line in enumerate(text, 1) if line.strip() == f"// [{block}]"]
            if len(marks) != 2:
                sys.exit(f"quoted: {page.name}: src/{name} has {len(marks)} lines '// [{block}]', not two")
            lines.setdefault(f"src/{name}", set()).update(range(marks[0] + 1, marks[1]))
    return lines


def lines_with_formulas(source):
    """(chapter, file, number) of each line at which a formula can be broken."""
    sys.path.insert(0, str(source / "validation" / "mutation"))
    from places import mutants

    formulas = (place for place in mutants(source) if place.file.startswith("src/") and place.kind != "answer")
    return {(place.chapter, place.file, place.line) for place in formulas}


def main(source):
    quoted, places = quoted_lines(source), lines_with_formulas(source)
    if not places:
        sys.exit("quoted: no formula found")
    all_of, shown = Counter(), Counter()
    for chapter, file, line in places:
        all_of[chapter] += 1
        shown[chapter] += line in quoted.get(file, ())
    for chapter, count in all_of.items():
        print(f"quoted: {chapter}: {shown[chapter]} of {count} lines with a formula")
    part = sum(shown.values()) / len(places)
    print(f"quoted: the chapters show {sum(shown.values())} of {len(places)} lines with a formula, {100 * part:.1f} %, "
          f"at least {100 * LEAST:.0f} %")
    return 0 if part >= LEAST else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]).resolve()))
