#!/usr/bin/env python3
"""Asks the engines that are built about the certified cases, and writes what digits they answer with, tier by tier.

usage: report_card.py PROGRAM ENGINES CASES OUTPUT     where PROGRAM is the built command line, with the one that checks beside
                                                       it, ENGINES the folder of the adapters, CASES one of certified cases

OUTPUT keeps the engines that are not built here as they were. chapters/engines.md shows it.
"""
import json
import platform
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

TIERS = ["lower", "average", "higher"]
NAMES = ["kdl", "mujoco", "dart", "bullet", "simbody"]


def cases_by_tier(folder):
    found = {tier: [] for tier in TIERS}
    for path in sorted(folder.glob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        if case.get("format") == "articulate reference case 1":
            found[case["tier"]].append(path)
    return found


def asked(check, engine, path):
    """The report of an engine about one case."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [check, "check", "--engine", f"'{engine}'", "--cases", path, "--json", report]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"report_card.py: {engine.name}, {path.stem}: {done.stderr}")
        return json.loads(report.read_text(encoding="utf-8"))


def count(kept, case, quantity):
    """Add what is said of a quantity in one case: which is the case in which most is missing, and in which more than one is."""
    kept["cases"] += quantity["states"]
    kept["cannot"] += quantity["cannot"]
    if quantity["cannot"]:
        kept["reason"] = quantity["reason"]
    if not (worst := quantity.get("worst")):
        return
    if quantity["lacking"]:
        kept["lacking"][case] = [round(worst["digits"], 1), round(worst["attainable"], 1)]
    if worst["missing"] > kept.get("missing", -1):
        kept |= {"missing": worst["missing"], "digits": round(worst["digits"], 1)}
        kept |= {"attainable": round(worst["attainable"], 1), "case": case, "entry": worst["entry"]}


def card(check, engine, tiers):
    """Everything about one engine."""
    found = {"tiers": {}, "refusals": []}
    for tier, paths in tiers.items():
        quantities, notes = {}, Counter()
        for path in paths:
            report = asked(check, engine, path)
            told, scores = report["campaign"]["engine"], report["scores"]
            found |= {"name": told["name"], "version": told["version"]}
            notes.update(scores["notes"])
            found["refusals"] += [refusal["sentence"] for refusal in scores["refusals"]]
            for name, one in scores["quantities"].items():
                count(quantities.setdefault(name, {"cases": 0, "cannot": 0, "lacking": {}}), path.stem, one)
        for one in quantities.values():
            one.pop("missing", None)
        if paths:
            found["tiers"][tier] = {
                "cases": len(paths),
                "not_asked": dict(sorted(notes.items())),
                "quantities": dict(sorted(quantities.items())),
            }
    return found


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    program, engines, cases, output = map(Path, sys.argv[1:])
    check = program.with_name("articulate-check")
    tiers = cases_by_tier(cases)
    kept = json.loads(output.read_text(encoding="utf-8"))["engines"] if output.exists() else {}
    here = [name for name in NAMES if (engines / name).exists()]
    for name in here:
        kept[name] = card(check, engines / name, tiers)
    told = {
        "command": "validation/peers/report_card.py",
        "machine": platform.machine(),
        "cases": {tier: [path.stem for path in paths] for tier, paths in tiers.items()},
        "engines": {name: kept[name] for name in NAMES if name in kept},
    }
    output.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
