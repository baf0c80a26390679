#!/usr/bin/env python3
"""Is the book written in plain English? Spelling by codespell, style by proselint, and habits of ours that readers stumble over.

usage: english.py SOURCE [PAGE...]

Reads chapters/*.md, README.md and the pages named, without formulas, code, commands and tables of contents, line by line as they stand. Prints
each fault with its place, and ends with 1 if there is one. A chapter, its solutions apart, has at most 6,000 words.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

MOST_WORDS = 6000
# What the dictionary of codespell takes for slips.
KNOWN_WORDS = ["arithmetics"]  # two of them: that of intervals is computed in MPFI and in Arb
# Checks of proselint that are about typewriters, or about novels.
WITHOUT = ["typography", "misc.but", "hyperbole.misc", "needless_variants", "weasel_words.very", "dates_times"]
# (what it looks like, why it does not stand here)
HABITS = [
    (r"\b[Ww]ho(?:so|m)?ever\b", "say 'anyone who'"),
    (r"\b(?:some|no)body\b(?! ')", "say 'someone', 'no one'"),
    (r"\bshall\b", "say 'will' or 'must'"),
    (r"\bHow much is it\?", "say 'What does it cost?'"),
    (r"\bjoints? of (?:one|several) degrees?\b(?! of freedom)", "say 'one-DoF joint', 'joint with several degrees of freedom'"),
    (r"\bdegrees of freedoms\b", "the plural is 'degrees of freedom'"),
    (r"(?:^|[.:;] )Who (?!am|are|can|could|did|do|does|has|is|may|might|says|should|was|were|will|would)\w+[^?]*\. ", "say 'Anyone who'"),
    (r"\bspares? (?:a|the|one|two|this|that) (?:term|line|step|product)", "say 'saves'"),
    (r"\b(?:derivatives?|differentiat\w+) by (?:the )?(?:q|rates?|coordinates?|time|parameters?)\b", "say 'with respect to'"),
    (r"\bas good as it goes\b|\bas well as it goes\b", "say 'as well as possible'"),
    (r"\bit lets itself\b|\blets itself be\b", "say 'can be'"),
    (r"\bof course\b", "if it is a matter of course it need not be said"),
]


def prose(text):
    """The same lines with all but words taken out."""

    def blank(match):
        return re.sub(r"[^\n]", "", match[0])

    for pattern in [
        r"```.*?```",
        r"\\f\[.*?\\f\]",
        r"\\f\{.*?\\f\}",
        r"\\f\$.*?\\f\$",
        r"`[^`\n]*`",
        r"<[^>\n]*>",
        r"\\(?:snippet|image html|include\{doc\}|verbinclude|include)[^\n\"]*",
        r"\\(?:ref|anchor|subpage) \w+",
        r"\\eq(?:def|part)?\{[^}]*\}",
        r"\{#\w+\}",
        r"\[TOC\]",
        r"\]\([^)\n]*\)",
    ]:
        text = re.sub(pattern, blank, text, flags=re.DOTALL)
    return text


def words(text):
    """How many a reader reads: without solutions and displayed code."""
    text = re.sub(r"<details.*?</details>", "", text, flags=re.DOTALL)
    text = re.sub(r"^\\(?:snippet|include)\S*.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\\ref \w+ (?=\")", "", text)  # of a link its words are read
    exercises = re.search(r"^## Exercises.*?(?=^## |\Z)", text, flags=re.DOTALL | re.MULTILINE)
    return len(text.split()) - (len(exercises[0].split()) if exercises else 0)


def habits(lines):
    for number, line in enumerate(lines, 1):
        for pattern, why in HABITS:
            for found in re.finditer(pattern, line):
                yield number, f"'{found[0].strip()}': {why}"


def misspelled(path):
    done = subprocess.run(
        ["codespell", "--ignore-words-list", ",".join(KNOWN_WORDS), str(path)], capture_output=True, text=True, check=False
    )
    for found in re.finditer(r":(\d+): (.*)$", done.stdout, flags=re.MULTILINE):
        yield int(found[1]), found[2]


def style(path):
    """The memory that proselint keeps between runs is damaged where two of them meet, so each has its own."""
    with tempfile.TemporaryDirectory() as memory:
        own = {**os.environ, "XDG_CACHE_HOME": memory}
        done = subprocess.run(["proselint", "--json", str(path)], env=own, capture_output=True, text=True, check=False)
    if not done.stdout.startswith("{"):
        sys.exit(f"english: proselint has failed: {done.stderr.strip()}")
    for found in json.loads(done.stdout)["data"]["errors"]:
        if not found["check"].startswith(tuple(WITHOUT)):
            yield found["line"], f"{found['message']} ({found['check']})"


def faults(source, others=()):
    """All pages are read as one: these programs take longer to start than to read."""
    pages = [*sorted((source / "chapters").glob("*.md")), source / "README.md", *others]
    texts = [page.read_text(encoding="utf-8") for page in pages]
    lines, places = [], []
    for page, text in zip(pages, texts):
        plain = prose(text).split("\n")
        lines += plain
        places += [f"{page.name}:{number}" for number in range(1, len(plain) + 1)]
    with tempfile.NamedTemporaryFile("w", suffix=".md", encoding="utf-8") as file:
        file.write("\n".join(lines))
        file.flush()
        found = sorted([*habits(lines), *misspelled(file.name), *style(file.name)])
    yield from (f"{places[number - 1]}: {what}" for number, what in found)
    for page, text in zip(pages, texts):
        if page.name[0].isdigit() and (count := words(text)) > MOST_WORDS:
            yield f"{page.name}: {count} words, at most {MOST_WORDS} without exercises; tell less, or in an appendix"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    found = list(faults(Path(sys.argv[1]), map(Path, sys.argv[2:])))
    print(*found, f"english: {len(found)} faults", sep="\n")
    sys.exit(1 if found else 0)
