#!/usr/bin/env python3
"""Writes the generated pages of the book: ledger, errata, proofs, mutations, and the evidence of each chapter.

usage: make_pages.py SOURCE VERIFY_JSON BOOK

What the equations say comes from SOURCE/validation/ledger/*.tsv, what was measured from VERIFY_JSON,
what became of broken lines from SOURCE/validation/mutation/matrix.tsv.gz, which `./articulate mutate --matrix` makes.
BOOK/pages     gets whole pages: ledger, errata, proofs_<chapter>, proofs, concordance_<paper>, mutation, cases, cases_<tier>,
               libraries, bibliography.
BOOK/fragments gets what hand-written pages include by \\include{doc}: evidence_<chapter>.md, ledger_summary.md,
               ledger_state.md, conventions_<library>.md and report_card.md. Doxygen 1.9.4 reads no formula and no anchor
               in an included file.
BOOK/pictures  gets the reading map, drawn with what was measured.
"""
import csv
import json
import math
import re
import sys
from collections import Counter
from datetime import date, datetime, timezone
from pathlib import Path

import concordance
import diagnosis_pages
import engine_pages
import library_pages
import speed_pages
from bibliography import bibliography_page
from breaks import Breaks
from markup import (
    compared,
    equation,
    formula,
    heading,
    label,
    number,
    prose,
    row,
    sentence,
    status,
    table,
    within,
    words,
)
from oracle_pages import TIERS, Cases, libraries_page
from pictures.reading_map import reading_map
from proofs import Proof, read_proofs
from stems import STEMS
from symbols import Symbols

PAPERS = {
    "kim": "Kim 2012",
    "park": "Park, Bobrow and Ploen 1995",
    "ploen": "Ploen 1999",
    "ali": "Ali, Gabellieri and Franchi 2026",
    "ma": "Ma, Zhong, Wang and Li 2021",
    "ours": "Ours",
}
STATUSES = [
    "verified",
    "definition",
    "setting",
    "reproduced",
    "not_reproduced",
    "unrecoverable",
    "open",
    "not_applicable",
    "not_measurable",
    "failed",
]
CLASSES = {
    "author": "the paper itself is wrong",
    "reading": "the text at hand was damaged when the page was read; the print is probably right",
    "convention": "right under another convention than the one used here",
    "undecided": "the text at hand cannot tell a slip of the author from a slip of the reading",
    "remark": "something to know about the formula that is no error, or of which nothing can be measured",
}
# How a wrong form begins that no paper prints: "[the print holds; the tempting reading is]", "[lost; ...]".
NOT_PRINTED = r"\text{["
# What the page of errata keeps apart: who would have to mend it.
TABLES = {
    "Errors of the papers": ["author"],
    "Losses of our copies": ["reading", "undecided"],
    "Conventions and remarks": ["convention", "remark"],
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
        row.update({name: found[row["key"]][name] for name in ("status", "identities", "clauses")})
    return rows


def read_definitions(pages):
    """Where the formula of a key stands: {"kim:41": "chapter 04"}, or the title of an appendix, by the \\eqdef of the pages."""
    found = {}
    for page in pages:
        text = page.read_text(encoding="utf-8")
        where = f"chapter {page.stem[:2]}" if page.stem[:2].isdigit() else re.match(r"# (.*?) \{#", text)[1]
        found |= {f"{paper}:{number}": where for paper, number in re.findall(r"\\eqdef\{(\w+),([\w.]+)\}", text)}
    return found


def split_list(text):
    return [item for item in re.split(r"[,\s]+", text) if item]


# --- pages -----------------------------------------------------------------------------------------------------------


class Book:
    def __init__(self, source, measured):
        folder = source / "validation" / "ledger"
        chapters = sorted((source / "chapters").glob("[0-9][0-9]_*.md"))
        self.measured = measured
        self.rows = read_ledger(folder, measured)
        self.errata = [row for path in sorted(folder.glob("errata-*.tsv")) for row in read_table(path)]
        self.erratum_ids = {row["id"] for row in self.errata}
        self.texts = {page.stem[3:]: page.read_text(encoding="utf-8") for page in chapters}
        self.written = list(self.texts)
        self.notebooks = {path.stem[3:]: path.stem for path in (source / "notebooks").glob("[0-9][0-9]_*.py")}
        self.definitions = read_definitions(sorted((source / "chapters").glob("*.md")))
        self.symbols = Symbols(source / "src" / "articulate", STEMS)
        self.sources = {name: found for name, found in read_proofs(source, self.written).items() if found}
        self.cases = Cases(source)
        self.witnesses = {
            path.relative_to(source).as_posix(): path.read_text(encoding="utf-8")
            for name in ("witnesses", "ledger")
            for path in sorted((source / "validation" / name).glob("*.hpp"))
        }
        self.source = source
        self.breaks = Breaks()
        self.proofs = {
            piece.name: piece
            for files in self.sources.values()
            for parts in files.values()
            for piece in parts
            if isinstance(piece, Proof)
        }
        self.identities, self.proved_by = {}, {}
        for row in self.rows:
            for identity in row["identities"]:
                self.identities[identity["name"]] = identity
                self.proved_by.setdefault(identity["name"], []).append(row)
        lost = sorted(set(self.identities) - set(self.proofs))
        if lost:
            sys.exit(f"make_pages.py: no source in validation/ registers the identities {lost}: measure again")

    # Links

    def chapter(self, name):
        """A chapter's number and name, linked if the chapter is written."""
        title = f"{STEMS.index(name) + 1:02} {name.replace('_', ' ')}"
        return f"\\ref {name} \"{title}\"" if name in self.written else title

    def papers(self):
        return {paper: f"\\ref paper_{paper} \"{name}\"" for paper, name in PAPERS.items()}

    def section(self, row):
        """The paper's first author and the section: Kim §1.1"""
        section = words(row["section"])
        return PAPERS[row["paper"]].split(" ")[0].rstrip(",") + (
            f"&nbsp;§{section}" if section[:1].isdigit() else f" {section}"
        )

    def place(self, row):
        """Where the formula of a row stands: the very place, or else the chapter and the paper."""
        where = self.definitions.get(row["key"])
        if where:
            return f"\\ref eqdef_{label(row['key'])} \"its place in {where}\""
        if row["chapter"] in self.written:
            return self.chapter(row["chapter"])
        return f"chapter {self.chapter(row['chapter'])}, to come; \\ref paper_{row['paper']} \"the paper\""

    def symbol(self, name, key="", chapter=""):
        """A name in the code, linked if a header declares it; of a member, its class is linked."""
        target = self.symbols.target(re.split(r"::|\(", name)[0], key, chapter)
        return f"\\ref {target} \"{name}\"" if target else f"<code>{words(name)}</code>"

    def code(self, row):
        """The symbols of a row; if the ledger names none, those that its proofs watch."""
        watched = " ".join(self.proofs[identity["name"]].symbols for identity in row["identities"])
        names = re.findall(r"[\w:]+", row["symbol"]) or list(dict.fromkeys(split_list(watched)))
        return "<br>".join(self.symbol(name, row["key"], row["chapter"]) for name in names)

    def errata_of(self, row):
        names = [name for name in split_list(row["errata"]) if name in self.erratum_ids]
        return [f"\\ref erratum_{label(name)} \"{name}\"" for name in names]

    def evidence_place(self, identity, row):
        return f"{row['chapter']}.html#evidence_{identity}"

    def run(self, names=True):
        """One sentence on the measurement, with the names of the models or without."""
        model = self.measured["model"]
        subject = (
            words(model)
            if isinstance(model, str)
            else f"all {len(model)} built-in models" + (f" ({words(', '.join(model))})" if names else "")
        )
        return (
            f"Measured by <code>articulate verify</code> on {subject}, {self.measured['states']} states each, "
            f"seed {self.measured['seed']}."
        )

    def counts(self, group, title, names):
        """How many rows have which status, for each value of `group`, and in all; each number links its rows."""
        tally = {value: Counter(row["status"] for row in self.rows if row[group] == value) for value in names}
        tally["all"] = Counter(row["status"] for row in self.rows)

        def cell(value, name):
            found = tally[value][name] if name else sum(tally[value].values())
            wanted = [f"{group}={value.replace(' ', '%20')}"] * (value != "all") + [f"status={name}"] * bool(name)
            return f"<a href=\"ledger.html#{'&amp;'.join(wanted) or 'ledger_table'}\">{found}</a>" if found else "0"

        shown = [name for name in STATUSES if tally["all"][name] or name == "failed"]
        head = [title] + [name.replace("_", " ") for name in shown] + ["rows"]
        return table(
            head,
            [[names.get(value, value)] + [cell(value, name) for name in shown + [""]] for value in tally],
            "counts",
        )

    # The ledger

    def ledger_page(self):
        head = [
            (title, {"class": name})
            for title, name in [
                ("paper", "paper"),
                ("number", "number"),
                ("formula", "formula"),
                ("code", "symbol"),
                ("identity; residuals and tolerances", "proofs"),
                ("status", "state"),
            ]
        ]
        chapters = {name: self.chapter(name) for name in STEMS}
        grounds = {name: words(name) for name in sorted({one["ground"] for one in self.rows})}
        return f"""# The ledger {{#ledger}}
Every numbered equation, table, lemma, proposition and worked example of the five papers has a row here, and so has what no paper of them has and this book needs,
{len(self.rows)} in all.
{self.run()} \\ref ledger_counts "Below the table" the rows are counted.

\\anchor ledger_table
{table(head, map(self.ledger_row, self.rows), "ledger")}
## What a row says {{#ledger_words}}
A row that says several things has clauses, listed under its formula: each equation sign, each line of a table, each
part of a proposition can be right or wrong by itself.
Its status is one word:

- *verified*: a statement that could be false. For each of its clauses identities hold on the models, in double and in
  50 digits (\\ref tolerance says what "hold" means), and a *rival* misses: a tempting wrong form, evaluated on the same
  states, whose distance is given in tolerances of the right one.
- *definition*: there is nothing to prove; the code leads to the place where it is used.
- *setting*: a parameter of an experiment, compared with what the model or the program has.
- *reproduced* and *not reproduced*: a number that the paper prints, which ours meets within the rounding of the print,
  or misses.
- *unrecoverable*: the text no longer says what the equation was. *Open*: some clause has not been proved yet.
- *not applicable* and *not measurable*: the robot at hand does not exercise it, or is so ill-conditioned that double
  could not tell right from wrong. *Failed*: an identity does not hold.

Beside the status stands the *ground*: *legible* in our copy; *number inferred*, where we had to infer
under which number it stands in print; *reconstructed*, where we derived again what was lost; *ours*; *fitted*, a published
number to which numbers of our machine were fitted that are not printed.
Rows are counted by status and by ground, and never added up across: a definition is no proof.

The formula leads to its place in a chapter or an appendix, the code to the interface, the identity to its source, the residuals to the
evidence of the chapter, and each of these back to the row.

The filters are part of the address:
<a href="ledger.html#paper=kim&amp;status=verified">`ledger.html#paper=kim&status=verified`</a> shows what is proved of Kim,
and can be passed on.

## How many {{#ledger_counts}}
By paper:

{self.counts("paper", "paper", self.papers())}
By chapter:

{self.counts("chapter", "chapter", chapters)}
By ground. Some formulas were lost when the papers were turned into text; \\ref papers tells what is left of each
paper.

{self.counts("ground", "ground", grounds)}
\\htmlonly
<script type="text/javascript" src="lazy_mathematics.js"></script>
<script type="text/javascript" src="ledger.js"></script>
\\endhtmlonly
"""

    def ledger_row(self, one):
        remarks = [
            words(one["kind"]),
            words(one["ground"]),
            *(f"erratum {link}" for link in self.errata_of(one)),
            prose(one["note"]).rstrip("."),
            self.place(one),
            f"\\ref {concordance.anchor(one['key'])} \"in its concordance\"",
        ]
        proofs = "".join(self.proof_and_residuals(identity, one, rivals(identity)) for identity in one["identities"])
        name = one["key"].split(":")[1]
        return row(
            [
                (self.section(one), {"class": "paper"}),
                (f"\\anchor eq_{label(one['key'])} <b>({words(name)})</b>", {"class": "number"}),
                (
                    formula(one["statement"]) + self.clauses(one) + f"<div class=\"remarks\">{'; '.join(filter(None, remarks))}.</div>",
                    {"class": "formula lazy tex2jax_ignore"},
                ),
                (self.code(one), {"class": "symbol"}),
                (proofs or "none yet", {"class": "proofs"}),
                (status(one["status"]), {"class": "state"}),
            ],
            **{
                "data-paper": one["paper"],
                "data-chapter": one["chapter"],
                "data-status": one["status"],
                "data-ground": one["ground"],
            },
        )

    def clauses(self, one):
        """What a row says, part by part; nothing where it says one thing."""
        if len(one["clauses"]) < 2:
            return ""
        return (
            "<ul class=\"clauses\">"
            + "".join(f"<li>{self.clause(one, clause)}</li>" for clause in one["clauses"])
            + "</ul>"
        )

    def clause(self, one, clause):
        """One part of a row, with the last word of the proofs."""
        key = clause["key"]
        said = {identity["clauses"][key] for identity in one["identities"] if key in identity["clauses"]}
        verdict = next((v for v in ("failed", "missed", "held", "not_measurable") if v in said), "")
        mark = {"held": "✓", "failed": "✗", "missed": "≠", "not_measurable": "?"}.get(verdict, "·")
        return f"{mark} <i>{words(key.split('/')[1])}</i>: {prose(clause['says'])}"

    def proof_and_residuals(self, identity, one, more=""):
        double = "&nbsp;".join(compared(identity["residual_double"], identity["tolerance_double"]))
        fifty = "&nbsp;".join(compared(identity["residual_50"], identity["tolerance_50"]))
        return (
            f"<div class=\"proof\"><div>\\ref proof_{label(identity['name'])} \"{sentence(identity['name'])}\"</div>"
            f"<div class=\"residuals\"><a href=\"{self.evidence_place(identity['name'], one)}\">"
            f"double&nbsp;{double}<br>50&nbsp;digits&nbsp;{fifty}</a></div>{more}</div>"
        )

    # The errata

    def errata_page(self):
        residuals = {
            erratum["id"]: erratum for erratum in self.measured["errata"] if erratum["printed_residual"] is not None
        }
        tally = Counter(erratum["class"] for erratum in self.errata)
        measured = Counter(erratum["class"] for erratum in self.errata if erratum["id"] in residuals)
        classes = table(
            ["class", "meaning", "errata", "proved"],
            [[name, meaning, tally[name], measured[name]] for name, meaning in CLASSES.items()],
            "classes",
        )
        return (
            f"""# Errata {{#errata}}
Where a formula as it stands in the text at hand does not hold. Only the class *author* is called an error of the paper.
Each is proved twice on the built-in models: the printed form must fail, the corrected form must hold. A *remark* is no
error of the print, or one that nothing can measure: a name that is defined nowhere, a pointer to the wrong place. Where a
form is called *tempting*, the print holds, or is lost, and the form that must fail is one that a reader may be tempted to
write.
A residual is the largest difference of the two sides over their largest number: near 1 the formula is nonsense, near
1e-16 it is right.
An entry without residuals is a remark of which nothing is measured.

{classes}
"""
            + "\n".join(self.errata_table(title, kinds, residuals) for title, kinds in TABLES.items())
            + "\n"
            + "\n".join(self.erratum(one, residuals.get(one["id"])) for one in self.errata)
            + """
\\htmlonly
<script type="text/javascript" src="lazy_mathematics.js"></script>
\\endhtmlonly
"""
        )

    def errata_table(self, title, kinds, residuals):
        """The entries of some classes, a line each, linked to their forms."""

        def line(one):
            measured = residuals.get(one["id"], {"printed_residual": "", "corrected_residual": ""})
            return [
                f"\\ref erratum_{label(one['id'])} \"{one['id']}\"",
                ", ".join(equation(key) for key in split_list(one["keys"])),
                one["class"],
                *(measured[side] and number(measured[side]) for side in ("printed_residual", "corrected_residual")),
            ]

        lines = [line(one) for one in self.errata if one["class"] in kinds]
        head = ["entry", "rows", "class", "wrong misses by", "right holds to"]
        return f"## {title} {{#errata_{label(title.lower())}}}\n\n{table(head, lines, 'errata') if lines else 'None.'}\n"

    def erratum(self, one, measured):
        keys = ", ".join(equation(key) for key in split_list(one["keys"]))
        if measured and one["printed"] == "-":
            sys.exit(f"make_pages.py: {one['id']} has the residual of a wrong form, and no such form: write it where the printed one stands")
        lazy = {"class": "formula lazy tex2jax_ignore"}
        printed, corrected = (
            number(measured[name]) if measured else "not measured"
            for name in ("printed_residual", "corrected_residual")
        )
        forms = table(
            ["", "form", "residual"],
            [
                ["tempting" if one["printed"].startswith(NOT_PRINTED) else "printed", (formula(one["printed"]), lazy), printed],
                ["right", (formula(one["corrected"]), lazy), corrected],
            ],
            "erratum",
        )
        proof = (
            f" Measured on {', '.join(map(equation, measured['measured_on']))};"
            f" \\ref proof_{label(one['id'])} \"its proof\"."
            if measured
            else ""
        )
        return f"""## {one['id']} {{#erratum_{label(one['id'])}}}
{keys}, class *{one['class']}*,
{status('verified', 'proved') if measured else status('definition', 'not measured')}. {prose(one['reason'])}{proof}

{forms}"""

    # The proofs

    def proofs_index(self):
        pages = "\n".join(f"- \\subpage proofs_{name}" for name in [*self.sources, "witnesses"])
        return f"""# The proofs {{#proofs}}
Here is the source of every identity and of every proved erratum, as it is compiled into `articulate verify`.
An identity is a function of a model and a state. It returns two sides that ought to be equal, and is compiled twice, in
double and in 50 digits.
The sides come from different ways to the same thing: a definition against an algorithm, a matrix against an action, a
derivative by series against a formula.

{pages}

## What takes longer {{#proofs_long}}
Every change has to pass `.ci/run`. What takes too long for that is run now and then by `.ci/long`, which writes how it
ended into `validation/long.json`.

Its step `fuzz` lets libFuzzer make up robot files, states, loop files, files of numbers and of scores, certified cases and
answers of engines. Each text has to be read, or refused by an exception of ours, within 10 s and 1 GB, while the
sanitizers watch the readers. `validation/fuzz/corpus/` has the texts that it starts from, and what it found; every change
gives all of them to the command line.

{long_runs(self.source / "validation" / "long.json", datetime.now(timezone.utc).date())}
"""

    def proofs_page(self, name):
        files = "\n".join(self.proof_file(path, parts) for path, parts in self.sources[name].items())
        return f"""# Proofs of chapter {STEMS.index(name) + 1:02}, {name.replace('_', ' ')} {{#proofs_{name}}}
The identities of chapter \\ref {name}. Their residuals stand in \\ref {name}_evidence.

{files}
"""

    def proof_file(self, path, parts):
        place = path.relative_to(self.source).as_posix()
        return f"# {place} {{#source_{label(place)}}}\n" + "\n".join(
            self.proof(part) if isinstance(part, Proof) else listing(part) for part in parts
        )

    def proof(self, proof):
        if proof.name in self.identities:
            said, links = heading(proof.name), self.proof_links(proof)
        elif proof.name in self.erratum_ids:
            said, links = f"Erratum {proof.name}", f"\\ref erratum_{label(proof.name)} \"{proof.name}\", both forms."
        else:
            said, links = heading(proof.name), "It is not among the measured identities."
        return f"""## {said} {{#proof_{label(proof.name)}}}
{links} From line {proof.line} of `{proof.path}`:

{listing(proof.text)}"""

    def proof_links(self, proof):
        identity, rows = self.identities[proof.name], self.proved_by[proof.name]
        evidence = ", ".join(
            f"<a href=\"{chapter}.html#evidence_{proof.name}\">chapter {STEMS.index(chapter) + 1:02}</a>"
            for chapter in dict.fromkeys(row["chapter"] for row in rows)
        )
        return (
            f"Proves {', '.join(equation(row['key']) for row in rows)}, by {words(identity['method'])}; in "
            f"the concordances {', '.join(concordance.link(row['key']) for row in rows)}. "
            f"It watches {', '.join(self.symbol(name, chapter=rows[0]['chapter']) for name in proof.symbols.split())}. "
            f"Double {within(identity['residual_double'], identity['tolerance_double'])}, "
            f"50 digits {within(identity['residual_50'], identity['tolerance_50'])}; the evidence in {evidence}."
            f"{self.noticed(proof.name)}"
        )

    def witnesses_page(self):
        files = "\n".join(
            f"# {place} {{#source_{label(place)}}}\n{listing(text)}" for place, text in self.witnesses.items()
        )
        return f"""# Witnesses and machinery of the proofs {{#proofs_witnesses}}
What the proofs stand on: the witnesses, which share no line with the library, and the small machine that draws states
and compares two sides.

{files}
"""

    # The mutations

    def mutation_page(self):
        head = """# Mutation {#mutation}
An identity counts for something only if some wrong line makes it fail. So the library is broken in every place where a
formula can be: a sign, a transpose, an inverse, a term, a component, a constant; and a function that only calls others
answers with nothing. `./articulate mutate --matrix` compiles all these wrong libraries into one program, and asks of each
of them every identity, alone, whether it notices; steps in time and conversions, which are no identities of a state, are
judged by their tests. A break that nothing notices has *survived*, unless it can be shown that nothing could notice it.

"""
        breaks = self.breaks.all
        if not breaks:
            return head + "It has not been run in this checkout. The table will stand here once it has.\n"
        judged = [one for one in breaks if one.noticed is not None]
        tally = Counter(one.verdict for one in breaks)
        chapters = [name for name in STEMS if any(one.chapter == name for one in judged)]
        kinds = sorted({one.kind for one in judged})

        def cell(kind, chapter):
            of = Counter(
                one.verdict for one in judged if kind in (one.kind, "all") and chapter in (one.chapter, "all")
            )
            live = of["noticed"] + of["survived"]
            share = of["noticed"] / live if live else 1
            shade = f"background: color-mix(in srgb, var(--warning-color-dark, #b61825) {100 * (1 - share):.0f}%, transparent)"
            said = f"{of['noticed']} of {live}" if live else "-"
            return said, {"style": shade, "title": f"{of['equivalent']} more shown equivalent"}

        lines = [[words(chapter)] + [cell(kind, chapter) for kind in kinds + ["all"]] for chapter in chapters + ["all"]]
        page = head + (
            f"Of {len(breaks)} breaks at commit <code>{self.breaks.commit[:7]}</code> {tally['noticed']} are noticed, "
            f"{tally['equivalent']} shown equivalent, {tally['survived']} survive; {tally['not judged']} cannot be wrapped into "
            f"the program, and are judged only by `./articulate mutate --matrix --alone`. {self.breaks.gone} more "
            "stood in lines that have changed since, and are left out. Noticed, of those not shown equivalent:\n\n"
            + table([""] + [words(kind) for kind in kinds] + ["all"], lines, "counts")
        )
        for verdict, title in (("survived", "Survivors"), ("equivalent", "Shown equivalent"), ("not judged", "Not judged")):
            odd = [
                [
                    self.place_of(one),
                    f"<code>{words(one.before)}</code>",
                    f"<code>{words(one.after)}</code>",
                    words(one.reason),
                ]
                for one in breaks
                if one.verdict == verdict
            ]
            if odd:
                page += f"\n<details><summary>{title}: {len(odd)}</summary>\n\n"
                page += table(["place", "line", "broken line", "why nothing can notice it"], odd, "mutants")
                page += "\n</details>\n"
        return page

    def place_of(self, one):
        name = one.file.rsplit("/", 1)[1]
        return f"{words(name)}:{one.line}"

    def noticed(self, name):
        """The breaks that an identity notices when it is judged alone, folded away, by the symbol that is broken."""
        breaks = self.breaks.by_identity[name]
        if not breaks:
            return ""
        symbols = Counter(one.symbol or one.file.rsplit("/", 1)[1] for one in breaks)
        told = "".join(f"<li><code>{words(symbol)}</code>: {count}</li>" for symbol, count in sorted(symbols.items()))
        return (
            f"<details class=\"breaks\"><summary>judged alone, it notices {len(breaks)} "
            f"{'break' if len(breaks) == 1 else 'breaks'} of the library</summary><ul>{told}</ul></details>"
        )

    # Fragments

    def evidence(self, name):
        rows = [row for row in self.rows if row["chapter"] == name]
        tally = Counter(row["status"] for row in rows)
        summary = ", ".join(f"{tally[status]} {status.replace('_', ' ')}" for status in STATUSES if tally[status])
        found = dict.fromkeys(identity["name"] for row in rows for identity in row["identities"])
        head = ["identity", "proves", "double", "50 digits", "kappa"]
        others = ", ".join(
            f"{equation(row['key'])} {row['status'].replace('_', ' ')}" for row in rows if not row["identities"]
        )
        notebook = (
            f"The pictures come from <a href=\"notebooks/{self.notebooks.get(name)}.html\">"
            "the notebook of this chapter</a>, which runs in every build."
        )
        return f"""<a href=\"ledger.html#chapter={name}\">{len(rows)} rows of the ledger</a> belong to this chapter:
{summary}.
{self.run(names=False)} Each identity leads to its source.
Of each precision the table has the largest residual in all states, and the tolerance that it must not exceed,
\\ref tolerance.

{table(head, [self.evidence_row(identity, name) for identity in found], "evidence") if found else ""}
{f"Without an identity: {others}." if others else ""}
{notebook if name in self.notebooks else ""}
"""

    def evidence_row(self, name, chapter):
        identity = self.identities[name]
        keys = ", ".join(equation(row["key"]) for row in self.proved_by[name] if row["chapter"] == chapter)
        return row(
            [
                f"\\ref proof_{label(name)} \"{sentence(name)}\"<br><small>{words(identity['method'])}</small>",
                (keys, {"class": "keys"}),
                within(identity["residual_double"], identity["tolerance_double"]),
                within(identity["residual_50"], identity["tolerance_50"]),
                number(identity["kappa"]),
            ],
            id=f"evidence_{name}",
        )

    def ledger_summary(self):
        tally = Counter(row["status"] for row in self.rows)
        parts = [f"{tally[name]} {name.replace('_', ' ')}" for name in STATUSES if tally[name]]
        said = f"{', '.join(parts[:-1])} and {parts[-1]}"
        return f"So far, of its {len(self.rows)} rows, <a href=\"ledger.html\">{said}</a>.\n"

    def ledger_state(self):
        return f"{self.counts('paper', 'paper', self.papers())}\n\n{self.run()} Each number leads to its rows.\n"

    def progress(self):
        """{chapter: (verified, rows)}"""
        return {
            name: (
                sum(row["status"] == "verified" for row in self.rows if row["chapter"] == name),
                sum(row["chapter"] == name for row in self.rows),
            )
            for name in STEMS
        }


def rivals(identity):
    """The wrong forms that must miss, folded away, with the power of ten of tolerances by which they do."""
    if not identity["rivals"]:
        return ""
    missed = "".join(
        f"<li>{words(one['name'])}: by 10<sup>{math.floor(math.log10(one['missed_by_tolerances']))}</sup> tolerances</li>"
        for one in identity["rivals"]
        if one["missed_by_tolerances"]
    )
    return f"<details class=\"rivals\"><summary>rivals that miss</summary><ul>{missed}</ul></details>"


def long_runs(path, today):
    """The table of what `.ci/long` wrote, each step with its age in days."""
    if not path.exists():
        return "It has not been run yet."

    def line(name, step):
        days = (today - date.fromisoformat(step["date"])).days
        age = {0: "today", 1: "1 day"}.get(days, f"{days} days")
        good = step["outcome"] == "passed"
        tests = f"{step['tests_passed']} of {step['tests']}" if step["tests"] else "none"
        sines = "with AVX-512" if step["avx512"] else "without AVX-512"
        return [
            f"{words(name)}: {words(step['what'])}",
            status("verified" if good else "failed", words(step["outcome"])),
            tests,
            f"{step['seconds'] / 60:.0f} min",
            f"<code>{step['commit'][:7]}</code>, {age}",
            f"{words(step['processor'])}, {sines}",
        ]

    steps = json.loads(path.read_text(encoding="utf-8"))
    head = ["step", "outcome", "tests passed", "took", "commit, age", "processor"]
    return table(head, [line(name, step) for name, step in steps.items()], "long")


def listing(text):
    """Source to be shown: Doxygen would leave out its own comments and not understand its aliases in them."""
    text = re.sub(r"\\eq\{(\w+),([\w.]+)\}", r"(\1 \2)", text)
    text = re.sub(
        r"^( *)///",
        r"\1//",
        text.replace("/**", "/*").replace("\\file", "").replace("\\brief ", ""),
        flags=re.MULTILINE,
    )
    text = re.sub(r"/\*\s*\n \*  ", "/* ", text)
    return "\\code{.cpp}\n" + text.strip("\n") + "\n\\endcode\n"


def main(source, verify_json, out):
    book = Book(source, json.loads(verify_json.read_text(encoding="utf-8")))
    pages = {
        "ledger": book.ledger_page(),
        "errata": book.errata_page(),
        "mutation": book.mutation_page(),
        "proofs": book.proofs_index(),
        "proofs_witnesses": book.witnesses_page(),
        **{f"proofs_{name}": book.proofs_page(name) for name in book.sources},
        **{f"concordance_{paper}": concordance.page(book, paper) for paper in PAPERS},
        "cases": book.cases.overview(),
        **{f"cases_{tier}": book.cases.tier(tier) for tier in TIERS},
        "libraries": libraries_page(source),
        "sensitivity": diagnosis_pages.sensitivity_page(source),
        "bibliography": bibliography_page(source),
    }
    fragments = {
        "ledger_summary": book.ledger_summary(),
        "ledger_state": book.ledger_state(),
        **{f"evidence_{name}": book.evidence(name) for name in book.sources},
        "evidence_oracle": book.cases.evidence(),
        "confusion": diagnosis_pages.confusion(source),
        "sensitivity": diagnosis_pages.sensitivity(source),
        **library_pages.fragments(source),
        **engine_pages.fragments(source),
        **speed_pages.fragments(source),
    }
    for folder, texts in (("pages", pages), ("fragments", fragments)):
        for name, text in texts.items():
            (out / folder / f"{name}.md").write_text(text, encoding="utf-8")
    (out / "pictures" / "reading_map.svg").write_text(
        reading_map(STEMS, book.texts, book.progress()), encoding="utf-8"
    )


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*map(Path, sys.argv[1:]))
