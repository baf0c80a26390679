"""The works that the book refers to by \\ref cite_KEY, from docs/bibliography.tsv, and who refers to each."""
import csv
import re
from itertools import groupby
from unicodedata import normalize

from markup import words

CITED = re.compile(r"\\ref cite_(\w+)")
READING = re.compile(r"^##+ Further reading \{#\w+\}\n(.*?)(?=^#|\Z)", re.MULTILINE | re.DOTALL)


def read_works(source):
    with open(source / "docs" / "bibliography.tsv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def pages_by_key(source):
    """{key: [(anchor of the page, its title)]}, pages in the order of their files."""
    found = {}
    for page in sorted((source / "chapters").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        title, anchor = re.match(r"# (.*?) \{#(\w+)\}", text).groups()
        for key in dict.fromkeys(CITED.findall(text)):
            found.setdefault(key, []).append((anchor, title))
    return found


def faults(source):
    """A sentence for each work that is not what pages refer to, and each item of further reading that refers to none."""
    keys, cited = [work["key"] for work in read_works(source)], pages_by_key(source)
    yield from (f"docs/bibliography.tsv has {key} twice" for key in sorted({one for one in keys if keys.count(one) > 1}))
    yield from (f"no page refers to {key} of docs/bibliography.tsv" for key in keys if key not in cited)
    for key in sorted(set(cited) - set(keys)):
        yield f"{cited[key][0][0]} refers to {key}, which docs/bibliography.tsv does not have"
    for page in sorted((source / "chapters").glob("*.md")):
        for reading in READING.findall(page.read_text(encoding="utf-8")):
            for item in re.findall(r"^- (.*(?:\n  .*)*)", reading, re.MULTILINE):
                if not CITED.search(item):
                    yield f"chapters/{page.name}: further reading refers to no work by \\ref cite_...: {item[:60]}"


def surname(work):
    """Letters without their marks: Müller stands with M."""
    return normalize("NFKD", work["authors"]).encode("ascii", "ignore").decode().upper()


def bibliography_page(source):
    cited = pages_by_key(source)

    def entry(work):
        places = ", ".join(f"\\ref {anchor} \"{title}\"" for anchor, title in cited.get(work["key"], []))
        return (
            f"- \\anchor cite_{work['key']} {words(work['authors'])} ({work['year']}). *{words(work['title'])}*. "
            f"{words(work['published'])}. In: {places}."
        )

    works = sorted(read_works(source), key=lambda work: (surname(work), work["year"]))
    sections = "\n".join(
        f"## {letter} {{#bibliography_{letter}}}\n" + "\n".join(map(entry, found)) + "\n"
        for letter, found in groupby(works, key=lambda work: surname(work)[0])
    )
    return f"""# Bibliography {{#bibliography}}
What the chapters recommend under *Further reading*, where they say what to look for in each. The five papers that this book
follows are in \\ref papers.

{sections}"""
