"""One page per paper, in its order: what stands there, where it is derived here, its code, its proofs, its status."""
import re
from itertools import groupby

from markup import formula, label, prose, row, status, table, words

HEAD = [
    (title, {"class": name})
    for title, name in [
        ("number", "number"),
        ("what it says", "formula"),
        ("here", "symbol"),
        ("clauses, proofs and residuals", "proofs"),
        ("status", "state"),
    ]
]


def anchor(key):
    """Of a row in its concordance; its anchor in the ledger begins with eq."""
    return f"row_{label(key)}"


def section_title(section):
    """4.1 -> Section 4.1, App.B and B -> Appendix B, impulses -> Impulses"""
    appendix = re.fullmatch(r"(?:App\.?)?([A-Z]?)", section)
    if appendix:
        return f"Appendix {appendix[1]}".strip()
    return words(f"Section {section}" if section[:1].isdigit() else section.capitalize())


def place_in_paper(one):
    """Sorts rows by section: numbers first, then appendices. What is ours keeps its order."""
    numbers = [int(number) for number in re.findall(r"\d+", one["section"])]
    is_ours = one["paper"] == "ours"
    return () if is_ours else (not numbers, numbers, one["section"])


def link(key):
    paper, name = key.split(":")
    return f"\\ref {anchor(key)} \"({paper} {name})\""


def page(book, paper):
    """The hand-written page of a paper, and below it the table of all its rows."""
    written = (book.source / "chapters" / f"concordance_{paper}.md").read_text(encoding="utf-8")
    rows = sorted((one for one in book.rows if one["paper"] == paper), key=place_in_paper)
    sections = "\n".join(
        f"### {section_title(section)} {{#concordance_{paper}_rows_{label(section)}}}\n\n"
        f"{table(HEAD, (concordance_row(book, one) for one in found), 'ledger concordance')}"
        for section, found in groupby(rows, key=lambda one: one["section"])
    )
    return f"""{written.rstrip()}

## Number by number {{#concordance_{paper}_rows}}
All {len(rows)} rows. The number leads to the ledger, which also has the rivals; *here* are the derivation and the code; each
clause has its proofs, and the residuals lead to the evidence of the chapter. \\ref ledger_words "What the words mean" stands below
the ledger.

{sections}
\\htmlonly
<script type="text/javascript" src="lazy_mathematics.js"></script>
\\endhtmlonly
"""


def concordance_row(book, one):
    name = one["key"].split(":")[1]
    remarks = [prose(one["note"]).rstrip("."), *(f"erratum {link}" for link in book.errata_of(one))]
    note = f"<div class=\"remarks\">{'; '.join(filter(None, remarks))}.</div>" if any(remarks) else ""
    lazy = "lazy tex2jax_ignore"
    return row(
        [
            (f"\\anchor {anchor(one['key'])} \\ref eq_{label(one['key'])} \"({name})\"", {"class": "number"}),
            (formula(one["statement"]) + note, {"class": f"formula {lazy}"}),
            (f"{book.place(one)}<br>{book.code(one)}", {"class": "symbol"}),
            (clauses(book, one), {"class": f"proofs {lazy}"}),
            (f"{status(one['status'])}<br>{words(one['ground'])}", {"class": "state"}),
        ],
        **{"data-key": one["key"]},
    )


def clauses(book, one):
    """Each clause with the proofs that have a word about it; a row that says one thing has its proofs alone."""
    if len(one["clauses"]) < 2:
        return "".join(book.proof_and_residuals(identity, one) for identity in one["identities"]) or "none"

    def proofs(clause):
        found = [identity for identity in one["identities"] if clause["key"] in identity["clauses"]]
        return "".join(book.proof_and_residuals(identity, one) for identity in found) or "no proof"

    return (
        "<ul class=\"clauses\">"
        + "".join(f"<li>{book.clause(one, clause)}{proofs(clause)}</li>" for clause in one["clauses"])
        + "</ul>"
    )
