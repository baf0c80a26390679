"""What engines answer about the certified cases: tables from validation/peers/report_card.json.

docs/engine_findings.tsv has a sentence for every quantity in which an engine lacks more than one of the digits that can be had.
"""
import csv
import json
import sys

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
    lacking = f", lacking in {quantity['lacking']}" if quantity["lacking"] else ""
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
    """{(engine, quantity): (kind, sentence)}"""
    found = {}
    with open(source / "docs" / "engine_findings.tsv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            for quantity in row["quantities"].split(","):
                found[row["engine"], quantity] = (row["kind"], row["sentence"])
    return found


def disagreements(told, explained):
    """A line for each quantity of a tier in which more than a digit is missing, with its sentence."""
    lines, used = [], set()
    for key, engine in told["engines"].items():
        for name, one in [pair for tier in engine["tiers"].values() for pair in tier["quantities"].items()]:
            if not one["lacking"]:
                continue
            if (key, name) not in explained:
                sys.exit(f"engine_pages.py: docs/engine_findings.tsv says nothing of {name} by {key}, which lacks digits")
            used.add((key, name))
            kind, sentence = explained[key, name]
            digits = f"{one['digits']:.1f} of {one['attainable']:.1f}"
            where = [words(engine["name"]), f"<code>{words(name)}</code>", f"<code>{words(one['case'])}</code>", digits]
            lines.append([*where, words(kind), words(sentence)])
    if unused := sorted(set(explained) - used):
        sys.exit(f"engine_pages.py: docs/engine_findings.tsv explains what is not missing: {unused}")
    return table(["engine", "quantity", "worst in", "digits", "kind", "why"], lines, "libraries")


def fragments(source):
    """What chapters/engines.md includes."""
    told = read(source)
    if told is None:
        return {"report_card": NOT_MADE, "report_card_lacking": NOT_MADE}
    return {"report_card": report_card(told), "report_card_lacking": disagreements(told, findings(source))}
