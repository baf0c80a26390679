"""What engines answer about the certified cases: tables from validation/peers/report_card.json.

docs/engine_findings.tsv has a sentence for every quantity in every case in which an engine lacks more than one of the digits
that can be had.
"""
import csv
import json
import re
import sys
from fnmatch import fnmatchcase

from markup import table, words

NOT_MADE = "This has not been measured yet.\n"


def read(source):
    path = source / "validation" / "peers" / "report_card.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def cell(quantity):
    """How many digits of how many, in the case where most are missing, and in how many cases more than one is missing."""
    if quantity is None:
        return ""
    if not quantity["cases"]:
        return "–"
    digits = f"{quantity['digits']:.1f} of {quantity['attainable']:.1f}"
    lacking = f", lacking in {len(quantity['lacking'])}" if quantity["lacking"] else ""
    return f"{digits} <small>({quantity['cases']}{lacking})</small>"


def report_card(told):
    """A table for each engine: its quantities, and a column for each tier."""
    tiers = ", ".join(f"{len(names)} of the {tier} tier" for tier, names in told["cases"].items() if names)
    said = [f"Asked were {sum(map(len, told['cases'].values()))} of the <a href=\"cases.html\">certified cases</a>: {tiers}."]
    for engine in told["engines"].values():
        tiers = engine["tiers"]
        names = sorted({name for tier in tiers.values() for name in tier["quantities"]})
        lines = [
            [f"<code>{words(name)}</code>", *(cell(tier["quantities"].get(name)) for tier in tiers.values())] for name in names
        ]
        said.append(f"<b>{words(engine['name'])} {words(engine['version'])}</b>")
        said.append(table(["", *(f"{tier} tier" for tier in tiers)], lines, "libraries"))
        reasons = sorted(
            {one["reason"] for tier in tiers.values() for one in tier["quantities"].values() if one["cannot"]}
            | {note for tier in tiers.values() for note in tier["not_asked"]}
        )
        if reasons:
            said.append("It cannot, or is not asked: " + "; ".join(words(reason) for reason in reasons) + ".")
    return "\n\n".join(said) + "\n"


def findings(source):
    """The rows of docs/engine_findings.tsv, with lists where several things are named."""
    with open(source / "docs" / "engine_findings.tsv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield {key: row[key].split(",") if key in ("engines", "quantities", "cases") else row[key] for key in row}


def lacking(told):
    """(engine, quantity, case, digits, attainable) wherever more than one digit is missing."""
    for key, engine in told["engines"].items():
        for tier in engine["tiers"].values():
            for name, quantity in tier["quantities"].items():
                for case, digits in quantity["lacking"].items():
                    yield key, name, case, *digits


def speaks_of(row, engine, name, case):
    matches = any(fnmatchcase(name, pattern) for pattern in row["quantities"])
    return engine in row["engines"] and matches and any(fnmatchcase(case, pattern) for pattern in row["cases"])


def codes(names):
    return ", ".join(f"<code>{words(name)}</code>" for name in sorted(names))


def machines(cases):
    """The names of cases without their numbers, or how many there are of many."""
    names = {re.sub(r"_\d+$", "", case) for case in cases}
    return codes(names) if len(names) <= 8 else f"{len(cases)} cases of {len(names)} machines"


def disagreements(told, rows):
    """A line for each sentence, with all that it explains; each digit that is missing has its sentence."""
    explained = [[] for _ in rows]
    for one in lacking(told):
        numbers = [number for number, row in enumerate(rows) if speaks_of(row, *one[:3])]
        if not numbers:
            sys.exit(f"engine_pages.py: docs/engine_findings.tsv says nothing of {one[1]} by {one[0]} in {one[2]}")
        for number in numbers:
            explained[number].append(one)
    lines = []
    for row, found in zip(rows, explained, strict=True):
        if not found or {one[0] for one in found} != set(row["engines"]):
            sys.exit(f"engine_pages.py: docs/engine_findings.tsv explains what is not missing: {row['sentence']}")
        engine, name, case, digits, attainable = min(found, key=lambda one: one[3] - one[4])
        names = [words(told["engines"][key]["name"]) for key in row["engines"]]
        worst = f"{digits:.1f} of {attainable:.1f} <small>({codes([name])} in {codes([case])})</small>"
        kinds = {one[1] for one in found}
        of = codes(kinds) if len(kinds) <= 4 else f"{len(kinds)} quantities"
        lines.append([", ".join(names), of, machines({one[2] for one in found}), worst, words(row["kind"]), words(row["sentence"])])
    return table(["engine", "quantity", "cases", "worst", "kind", "why"], lines, "libraries")


def fragments(source):
    """What chapters/engines.md includes."""
    told = read(source)
    if told is None:
        return {"report_card": NOT_MADE, "report_card_lacking": NOT_MADE}
    return {"report_card": report_card(told), "report_card_lacking": disagreements(told, list(findings(source)))}
