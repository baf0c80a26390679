#!/usr/bin/env python3
"""Writes the generated pages of the book: the ledger, the errata, and the evidence of each chapter.

usage: make_pages.py SOURCE VERIFY_JSON BOOK MUTATION_TSV

What the equations say comes from SOURCE/validation/ledger/*.tsv, what was measured from VERIFY_JSON,
what became of broken lines from MUTATION_TSV, which `./articulate mutate` writes.
BOOK/pages     gets whole pages: ledger, ledger_<paper>, errata, mutation.
BOOK/fragments gets what hand-written pages include by \\include{doc}: evidence_<chapter>.md, ledger_state.md.
               Doxygen 1.9.4 reads no formula in an included file, so that the fragments have none.
"""
import csv
import json
import re
import sys
from collections import Counter
from pathlib import Path

PAPERS = {
    "kim": "Kim 2012",
    "park": "Park, Bobrow and Ploen 1995",
    "ploen": "Ploen 1999",
    "ali": "Ali, Gabellieri and Franchi 2026",
    "ma": "Ma, Zhong, Wang and Li 2021",
}
CHAPTERS = ["group", "body", "model", "rnea", "aba", "hybrid", "constrained", "derivatives", "skew_symmetry",
            "higher_order", "lagrange", "mechanisms", "oracle"]
STATUSES = ["verified", "open", "not_applicable", "unrecoverable", "failed"]
CLASSES = {
    "author": "the paper itself is wrong",
    "reading": "the text at hand was damaged when the page was read; the print is probably right",
    "convention": "right under another convention than the one used here",
    "undecided": "the text at hand cannot tell a slip of the author from a slip of the reading",
}


# --- reading ---------------------------------------------------------------------------------------------------------

def read_table(path):
    """The rows of a .tsv file; a lone dash is an empty field."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [{name: "" if field == "-" else field for name, field in row.items()} for row in rows]


def read_ledger(folder, measured):
    """The rows of all papers, each joined with what was measured for its key."""
    found = {row["key"]: row for row in measured["rows"]}
    rows = [dict(row, paper=paper) for paper in PAPERS for row in read_table(folder / f"{paper}.tsv")]
    keys = [row["key"] for row in rows]
    if sorted(keys) != sorted(found):
        odd = set(keys) ^ set(found) or {key for key in keys if keys.count(key) > 1}
        sys.exit(f"make_pages.py: the ledger and the measurement do not have the same keys: {sorted(odd)[:10]}")
    for row in rows:
        row.update({name: found[row["key"]][name] for name in ("status", "identities")})
    return rows


def read_definitions(chapters):
    """Which chapter holds the formula of a key: {"kim:41": "rnea"}, from the \\eqdef of the chapters."""
    return {f"{paper}:{number}": page.stem[3:]
            for page in chapters
            for paper, number in re.findall(r"\\eqdef\{(\w+),([\w.]+)\}", page.read_text(encoding="utf-8"))}


# --- pieces of text --------------------------------------------------------------------------------------------------

def label(text):
    return re.sub(r"\W", "_", text)


def words(text):
    """Plain words for Doxygen: nothing in them is a command, a tag or emphasis."""
    entities = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
    return re.sub(r"[\\@#%&<>\"*_`\[\]]", lambda match: entities.get(match[0], "\\" + match[0]), text)


def prose(text):
    """Words in which $...$ is mathematics."""
    parts = text.split("$")
    return "".join(f"\\f${part}\\f$" if odd % 2 else words(part) for odd, part in enumerate(parts))


def formula(text):
    """A field that is LaTeX as a whole, or words with $...$ in them, on lines of its own."""
    inside = prose(text) if "$" in text else f"\\f[{text}\\f]"
    return f"<div class=\"formula\">{inside}</div>" if text else ""


def number(value):
    return "not finite" if value is None else f"{value:.1e}"


def within(residual, tolerance):
    sign = "&le;" if residual is not None and residual <= tolerance else "&gt;"
    return f"{number(residual)} {sign} {number(tolerance)}"


def equation(key):
    """A link to the ledger row of a key."""
    paper, name = key.split(":")
    return f"\\ref eq_{label(key)} \"({paper} {name})\""


def status(row):
    return f"<span class=\"status {row['status']}\">{row['status'].replace('_', ' ')}</span>"


def table(head, lines, kind):
    """An HTML table, one line per row; lines are lists of cells, or a string that spans the table."""
    out = ["<div class=\"wide\">", f"<table class=\"doxtable {kind}\">", "<tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr>"]
    for line in lines:
        if isinstance(line, str):
            out.append(f"<tr><th colspan=\"{len(head)}\">{line}</th></tr>")
        else:
            out.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in line) + "</tr>")
    return "\n".join(out + ["</table>", "</div>", ""])


def counts(rows, group, title, names):
    """How many rows have which status, for each value of `group`, and in all."""
    tally = {value: Counter(row["status"] for row in rows if row[group] == value) for value in names}
    tally["all"] = Counter(row["status"] for row in rows)
    head = [title] + [name.replace("_", " ") for name in STATUSES] + ["rows"]
    return table(head, [[names.get(value, value)] + [tally[value][name] for name in STATUSES] + [sum(tally[value].values())]
                        for value in tally], "counts")


# --- pages -----------------------------------------------------------------------------------------------------------

class Book:
    def __init__(self, source, measured):
        folder = source / "validation" / "ledger"
        chapters = sorted((source / "chapters").glob("[0-9][0-9]_*.md"))
        self.measured = measured
        self.rows = read_ledger(folder, measured)
        self.errata = [row for path in sorted(folder.glob("errata-*.tsv")) for row in read_table(path)]
        self.erratum_ids = {erratum["id"] for erratum in self.errata}
        self.pages = [page.stem[3:] for page in chapters]
        self.definitions = read_definitions(chapters)
        headers = "\n".join(path.read_text(encoding="utf-8") for path in (source / "src" / "articulate").rglob("*.hpp"))
        self.symbols = set(re.findall(r"^(?:class|struct|enum class|using|\w.*[ &*])\s*(\w+)(?:\(| \{| =|$)", headers, re.MULTILINE))

    def chapter(self, name):
        """A chapter's name, linked if the chapter is written."""
        title = f"{CHAPTERS.index(name) + 1:02} {name.replace('_', ' ')}"
        return f"\\ref {name} \"{title}\"" if name in self.pages else title

    def place(self, row):
        """Where the formula of a row stands: the very place, or else the chapter."""
        name = self.definitions.get(row["key"])
        return f"\\ref eqdef_{label(row['key'])} \"formula in {name}\"" if name else self.chapter(row["chapter"])

    def code(self, symbols):
        """Names in the code, linked if a header declares them."""
        return "<br>".join(f"\\ref articulate::{name} \"{name}\"" if name in self.symbols else f"<code>{name}</code>"
                           for name in re.findall(r"[\w:]+", symbols))

    def errata_of(self, row):
        return [f"\\ref erratum_{label(name)} \"{name}\"" for name in re.split(r"[,\s]+", row["errata"]) if name in self.erratum_ids]

    def run(self):
        """One sentence on the measurement."""
        model = self.measured["model"]
        subject = words(model) if isinstance(model, str) else f"all {len(model)} built-in models ({words(', '.join(model))})"
        return (f"Measured by <code>articulate verify</code> on {subject}, {self.measured['states']} states each, "
                f"seed {self.measured['seed']}.")

    # The ledger

    def ledger_index(self):
        chapters = {name: self.chapter(name) for name in CHAPTERS}
        provenances = {name: words(name) for name in sorted({row["provenance"] for row in self.rows})}
        papers = {paper: f"\\ref ledger_{paper} \"{name}\"" for paper, name in PAPERS.items()}
        parts = "\n".join(f"- \\subpage ledger_{paper}" for paper in PAPERS)
        return f"""# The ledger {{#ledger}}
Every numbered equation, table, lemma, proposition and worked example of the five papers has a row here: {len(self.rows)} in all.
A row is *verified* when identities registered under its key hold on the models, in double and in 50 digits.
It is *open* when nothing has been proved yet, *not applicable* when the robot at hand does not exercise it, *unrecoverable* when
the text no longer says what the equation was, and *failed* when an identity does not hold. \\ref tolerance says what "hold" means.

{self.run()}

{parts}

## By paper
{counts(self.rows, "paper", "paper", papers)}
## By chapter
{counts(self.rows, "chapter", "chapter", chapters)}
## By provenance
Some formulas were lost when the papers were turned into text. A row says where its formula comes from; \\ref papers tells what is left of each paper.

{counts(self.rows, "provenance", "provenance", provenances)}"""

    def ledger_page(self, paper):
        lines, section = [], None
        for row in (row for row in self.rows if row["paper"] == paper):
            if row["section"] != section:
                section = row["section"]
                lines.append(f"Section {words(section)}")
            lines.append(self.ledger_line(row))
        head = ["key", "formula; its proofs: worst residual and tolerance", "where"]
        return f"""# Ledger: {PAPERS[paper]} {{#ledger_{paper}}}
{self.run()} The edition is pinned in \\ref paper_{paper}.

{table(head, lines, "ledger")}"""

    def ledger_line(self, row):
        name = f"\\anchor eq_{label(row['key'])} <b>{words(row['key'])}</b><br>{words(row['kind'])}<br>{status(row)}"
        remarks = [words(row["provenance"]), prose(row["note"]), *(f"erratum {link}" for link in self.errata_of(row))]
        proofs = [f"<b>{words(i['name'].replace('_', ' '))}</b> ({words(i['method'])}): "
                  f"double {within(i['residual_double'], i['tolerance_double'])}, "
                  f"50 digits {within(i['residual_50'], i['tolerance_50'])}" for i in row["identities"]]
        said = formula(row["statement"]) + ". ".join(text.rstrip(".") for text in remarks if text) + "."
        where = "<br>".join(filter(None, [self.place(row), self.code(row["symbol"])]))
        return [name, "<br>".join([said] + proofs), where]

    # The errata

    def errata_page(self):
        residuals = {erratum["id"]: erratum for erratum in self.measured["errata"]
                     if erratum["printed_residual"] is not None}
        tally = Counter(erratum["class"] for erratum in self.errata)
        classes = table(["class", "meaning", "errata"], [[name, meaning, tally[name]] for name, meaning in CLASSES.items()], "classes")
        return f"""# Errata {{#errata}}
Where a formula as it stands in the text at hand does not hold. Only the class *author* is called an error of the paper.
Each is to be proved twice on the built-in models: the printed form must fail, the corrected form must hold. The residuals of both are shown once measured.

{classes}
""" + "\n".join(self.erratum(row, residuals.get(row["id"])) for row in self.errata)

    def erratum(self, row, measured):
        keys = ", ".join(equation(key) for key in re.split(r"[,\s]+", row["keys"]) if key)
        printed, corrected = (number(measured[name]) if measured else "not measured yet" for name in ("printed_residual", "corrected_residual"))
        forms = table(["", "form", "residual"], [["printed", formula(row["printed"]), printed],
                                                 ["right", formula(row["corrected"]), corrected]], "erratum")
        where = f" Measured on {', '.join(map(equation, measured['measured_on']))}." if measured else ""
        return f"""## {row['id']} {{#erratum_{label(row['id'])}}}
{keys}, class *{row['class']}*. {prose(row['reason'])}{where}

{forms}"""

    # The mutations

    def mutation_page(self, results):
        head = """# Mutation {#mutation}
An identity counts for something only if some wrong line makes it fail. `./articulate mutate` breaks lines of the library, drawn from a seed, one at a time:
a sign, a transpose, an inverse, a term, a component, a constant. Then it runs the proofs. A broken line that no proof notices has *survived*, unless it can be shown that nothing could notice it.

"""
        if not results.is_file():
            return head + "It has not been run in this checkout. The table will stand here once it has.\n"
        with open(results, encoding="utf-8", newline="") as file:
            tried = [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
                     if row["verdict"] != "stillborn"]
        chapters = [name for name in CHAPTERS if any(row["chapter"] == name for row in tried)]
        kinds = sorted({row["kind"] for row in tried})
        verdicts = ["killed", "survived", "equivalent"]

        def cell(kind, chapter):
            of = Counter(row["verdict"] for row in tried if kind in (row["kind"], "all") and chapter in (row["chapter"], "all"))
            return " / ".join(str(of[verdict]) for verdict in verdicts)

        lines = [[words(kind)] + [cell(kind, chapter) for chapter in chapters + ["all"]] for kind in kinds + ["all"]]
        odd = [[words(row["verdict"]), words(row["place"]), words(row["before"]), words(row["after"]), words(row["by"])]
               for row in tried if row["verdict"] != "killed"]
        page = head + f"{len(tried)} broken lines: killed / survived / shown equivalent.\n\n" + table([""] + chapters + ["all"], lines, "counts")
        if odd:
            page += "\nNot killed:\n\n" + table(["verdict", "place", "line", "broken line", "why nothing can notice it"], odd, "evidence")
        return page

    # Fragments

    def evidence(self, name):
        rows = [row for row in self.rows if row["chapter"] == name]
        tally = Counter(row["status"] for row in rows)
        summary = ", ".join(f"{tally[status]} {status.replace('_', ' ')}" for status in STATUSES if tally[status])
        identities, equations = {}, {}
        for row in rows:
            for identity in row["identities"]:
                identities[identity["name"]] = identity
                equations.setdefault(identity["name"], []).append(equation(row["key"]))
        lines = [[words(name.replace("_", " ")), ", ".join(equations[name]), words(i["method"]),
                  within(i["residual_double"], i["tolerance_double"]), within(i["residual_50"], i["tolerance_50"]), number(i["kappa"])]
                 for name, i in identities.items()]
        head = ["identity", "proves", "method", "double: residual, tolerance", "50 digits: residual, tolerance", "kappa"]
        others = ", ".join(f"{equation(row['key'])} {row['status'].replace('_', ' ')}" for row in rows if not row["identities"])
        return f"""{len(rows)} rows of the ledger belong to this chapter: {summary}. {self.run()}

{table(head, lines, "evidence") if lines else ""}
{f"Without an identity: {others}." if others else ""}
"""

    def ledger_state(self):
        papers = {paper: f"\\ref ledger_{paper} \"{name}\"" for paper, name in PAPERS.items()}
        return f"{self.run()}\n\n{counts(self.rows, 'paper', 'paper', papers)}"


def main(source, verify_json, out, mutation_tsv):
    book = Book(source, json.loads(verify_json.read_text(encoding="utf-8")))
    pages = {"ledger": book.ledger_index(), "errata": book.errata_page(), "mutation": book.mutation_page(mutation_tsv),
             **{f"ledger_{paper}": book.ledger_page(paper) for paper in PAPERS}}
    fragments = {"ledger_state": book.ledger_state(), **{f"evidence_{name}": book.evidence(name) for name in book.pages}}
    for folder, texts in (("pages", pages), ("fragments", fragments)):
        for name, text in texts.items():
            (out / folder / f"{name}.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*map(Path, sys.argv[1:]))
