"""The pages of the certified cases, from their catalogue, and the table of other libraries."""
import csv
import json
import re
import statistics
import sys

from markup import table, words

TIERS = {
    "lower": "Closed forms: the equations fill a line, and `second_reader.py` computes them from textbooks.",
    "average": "Machines that people use.",
    "higher": "Machines and states that cost digits.",
}
LIBRARIES = {
    "ours": "Articulate",
    "compute": "key of `compute`",
    "pinocchio": "Pinocchio",
    "rbdl": "RBDL",
    "drake": "Drake, MultibodyPlant",
    "mujoco": "MuJoCo",
    "kdl": "Orocos KDL",
    "toolbox": "Robotics Toolbox for Python",
    "modern_robotics": "Modern Robotics",
}


def code(text):
    return f"<code>{words(text)}</code>"


def counted(number, one):
    """2 loops, 1 loop"""
    return f"{number} {one if number == 1 else one[:-1] + 'ies' if one.endswith('y') else one + 's'}"


def folded(summary, text):
    """Without an empty line, which would end what is folded."""
    return f"<details><summary>{summary}</summary>\n{text.strip()}\n</details>"


class Cases:
    """The catalogue, and what docs/cases.json shows of the inputs."""

    def __init__(self, source):
        catalogue = json.loads((source / "validation" / "reference" / "catalogue.json").read_text(encoding="utf-8"))
        shown = json.loads((source / "docs" / "cases.json").read_text(encoding="utf-8"))
        self.version, self.all, self.words = catalogue["version"], catalogue["cases"], shown["quantities"]
        self.shown = shown["cases"]
        losses = json.loads((source / "validation" / "reference" / "losses.json").read_text(encoding="utf-8"))
        self.losses = losses["lacking_more_than_one"]
        stale = [case["case"] for case in self.all if self.shown.get(case["case"], {}).get("sha256") != case["sha256"]]
        if stale:
            sys.exit(f"oracle_pages.py: docs/cases.json is not of the files of {stale[:3]}; docs/read_cases.py makes it")
        # Cases of one machine follow each other; the first has the picture.
        self.families = []
        for case in self.all:
            if "places" in self.shown[case["case"]]:
                self.families.append([])
            self.families[-1].append(case)

    def counts(self):
        return len(self.all), sum(case["numbers"] for case in self.all)

    def answering(self, quantity, tier):
        return [case for case in self.all if case["tier"] == tier and quantity in case["quantities"]]

    # Pages

    def overview(self):
        cases, numbers = self.counts()
        tiers = "\n".join(
            f"- \\subpage cases_{tier} \"the {tier} tier\", {sum(case['tier'] == tier for case in self.all)} cases. {said}"
            for tier, said in TIERS.items()
        )
        lines = []
        for quantity, said in self.words.items():
            cells = []
            for tier in TIERS:
                found = self.answering(quantity, tier)
                least = min(case["quantities"][quantity][2] for case in found)
                cells.append(f"{len(found)} &nbsp;<small>{least:g}</small>")
            lines.append([code(quantity), words(said), *cells])
        return f"""# Certified cases {{#cases}}
{cases} cases hold {numbers} numbers, each proved to fifty digits; \\ref oracle "chapter 14" says what that means.
All machines are ours or carry published numbers. This is version {words(self.version)} of the set.

{tiers}

`./articulate reference generate FOLDER` makes all files, `generate FOLDER --case NAME` one of them, and
`./articulate reference check FILE` proves a file again from the inputs in it.

## Which quantity, in how many cases {{#cases_table}}
Of each tier the number of cases that answer, and beside it, small, the fewest digits that arithmetic in binary64 can attain
in any of them, relative to the largest number of the quantity with the same unit.

{table(["quantity", "what it is", *TIERS], lines, "cases")}
"""

    def tier(self, tier):
        families = "\n".join(self.family(family) for family in self.families if family[0]["tier"] == tier)
        return f"# Certified cases: the {tier} tier {{#cases_{tier}}}\n[TOC]\n{TIERS[tier]}\n\n{families}"

    def family(self, family):
        first = family[0]
        name = first["case"]
        kinds = [kind for _, kind, _, _ in first["joints"]]
        joints = ", ".join(
            f"{kinds.count(kind)} {kind.replace('_', ' ')}" for kind in dict.fromkeys(kinds)
        ) or "none"
        loops = ", ".join(f"{code(one)} ({words(a)} to {words(b)})" for one, _, a, b in first["loops"])
        base = " on a floating base" if first["floating_base"] else ""
        facts = (
            f"{counted(first['bodies'], 'moving body')}{base}, {counted(first['nq'], 'coordinate')}, "
            f"{counted(first['nv'], 'rate')}; joints: {joints}"
            + (f"; loops: {loops}" if loops else "")
        )
        digits = [
            [
                code(quantity),
                f"{rows} &times; {columns}",
                *(f"{case['quantities'][quantity][2]:g} <small>{case['quantities'][quantity][3]:g}</small>" for case in family),
            ]
            for quantity, (rows, columns, *_) in first["quantities"].items()
        ]
        states = "\n".join(self.state(case) for case in family)
        head = ["quantity", "shape", *(code(case["case"]) for case in family)]
        return f"""## {first['title'][:1].upper() + words(first['title'][1:])} {{#machine_{name}}}
\\image html case_{name}.svg "In the state of the first case."

{facts}.

{states}
Digits that arithmetic in binary64 can attain: the fewest of each quantity, and beside it, small, the median.

{folded(counted(len(first['quantities']), 'quantity'), table(head, digits, "cases"))}
"""

    def state(self, case):
        shown, name = self.shown[case["case"]], case["case"]
        given = [[code(key), code(", ".join(f"{x!r}" for x in values))] for key, values in shown["state"].items()]
        given.append([code("gravity"), code(", ".join(f"{x!r}" for x in shown["gravity"]))])
        if shown["independent"]:
            given.append(["independent coordinates", code(", ".join(map(str, shown["independent"])))])
        wrenches = " On every link acts a wrench, which stands in the file." if shown["wrenches"] else ""
        return f"""### {words(name)} {{#case_{name}}}
{case['numbers']} numbers. `./articulate reference generate FOLDER --case {name}` makes `FOLDER/{name}.json`, whose SHA-256
begins with `{case['sha256'][:16]}`.{wrenches}

{folded("the state", table(["input", "numbers of binary64"], given, "cases"))}
"""

    def loss_table(self):
        """Of each quantity in how many cases the algorithms of the library lack more than one digit, and where most."""
        found = {}
        for name, quantities in self.losses.items():
            for quantity, (attainable, of_algorithm, _, cause, *_) in quantities.items():
                found.setdefault(quantity, []).append((round(attainable - of_algorithm, 1), name, cause))
        tier_of = {case["case"]: case["tier"] for case in self.all}
        lines = []
        for quantity in filter(found.get, self.words):
            most, name, _ = max(found[quantity])
            causes = ", ".join(sorted({cause for *_, cause in found[quantity]}))
            place = f"<a href=\"cases_{tier_of[name]}.html#case_{name}\">{words(name)}</a>"
            lines.append([code(quantity), len(found[quantity]), f"{most:g}, {place}", causes])
        return table(["quantity", "cases", "most digits that are lacking", "lost by"], lines, "cases")

    def evidence(self):
        cases, numbers = self.counts()
        lines = []
        for tier in TIERS:
            of = [case for case in self.all if case["tier"] == tier]
            least = min(
                (values[2], quantity, case["case"]) for case in of for quantity, values in case["quantities"].items()
            )
            medians = [values[3] for case in of for values in case["quantities"].values()]
            lines.append(
                [
                    f"<a href=\"cases_{tier}.html\">{tier}</a>",
                    len(of),
                    sum(case["numbers"] for case in of),
                    f"{statistics.median(medians):g}",
                    f"{least[0]:g}, {code(least[1])} of <a href=\"cases_{tier}.html#case_{least[2]}\">{words(least[2])}</a>",
                ]
            )
        head = ["tier", "cases", "numbers", "digits attainable: median of quantities", "fewest"]
        return f"""{cases} cases hold {numbers} numbers.

{table(head, lines, "cases")}
Our own library in double, on all trees and impulses of the set: of these quantities its algorithms lack more than one digit of those that
can be attained. All others that it is asked for are within one digit. \\ref oracle_lost "What loses them" is told above.

{self.loss_table()}
The pictures come from <a href="notebooks/14_oracle.html">the notebook of this chapter</a>, which runs in every build.
"""


# --- other libraries -------------------------------------------------------------------------------------------------


def names_in(cell):
    """The names of a cell, without the remark behind the semicolon and without what is in parentheses."""
    return [name for name in re.split(r",\s*", re.sub(r"\([^)]*\)", "", cell.partition(";")[0]).strip()) if name]


def cell(text):
    if text == "-":
        return "–"
    names, _, said = text.partition(";")
    parts = [*map(code, filter(None, re.split(r",\s+", names))), words(said.strip())]
    return "<br>".join(filter(None, parts))


def libraries_page(source):
    """Refused when a name of ours is none that the sources have."""
    with open(source / "docs" / "libraries.tsv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    declared = "\n".join(path.read_text(encoding="utf-8") for path in (source / "src" / "articulate").rglob("*.hpp"))
    printed = "\n".join(path.read_text(encoding="utf-8") for path in (source / "src" / "cli").glob("*.[ch]pp"))
    for row in rows:
        for name in names_in(row["ours"]):
            for part in name.split(" ")[0].split("::"):
                if row["ours"] not in ("", "-") and not re.search(rf"\b{re.escape(part)}\b", declared):
                    sys.exit(f"oracle_pages.py: docs/libraries.tsv names {name}, which no header declares")
        for key in names_in(row["compute"]):
            for part in key.split(" ")[0].split("."):
                if row["compute"] not in ("", "-") and f"\"{part}\"" not in printed:
                    sys.exit(f"oracle_pages.py: docs/libraries.tsv names the key {key}, which compute does not print")
    parts, head = [], ["quantity", *LIBRARIES.values()]
    for row in rows:
        if not row["ours"]:
            parts.append((row["quantity"], []))
        else:
            parts[-1][1].append([words(row["quantity"]), *(cell(row[key]) for key in LIBRARIES)])
    sections = "\n".join(
        f"## {title} {{#libraries_{re.sub(r'[^a-z]+', '_', title.lower())}}}\n\n{table(head, lines, 'libraries')}"
        for title, lines in parts
    )
    return f"""# What other libraries call it {{#libraries}}
What Pinocchio's `algorithm/`, RBDL, Drake's `MultibodyPlant`, MuJoCo's pipelines, Orocos KDL, the Robotics Toolbox for Python
and the code of *Modern Robotics* answer, beside ours, with frame, order and sign where they differ.

**Documented, not run.** These cells come from the headers and the documentation of those libraries, read in 2026. A dash
means that no function was found there or that it could not be confirmed. Two functions in one row answer the same question;
they need not agree in the order of rates, in the frame or in what they include, and the first section says where they do not.
*Three frames* are those of \\ref convention_output "the conventions": of the link, of the world, and world axes at the link's origin.

{sections}
"""
