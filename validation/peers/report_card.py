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


def asked(check, engine, paths):
    """The report of an engine about some cases."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [check, "check", "--engine", f"'{engine}'", "--cases", *paths, "--json", report]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"report_card.py: {engine.name}: {done.stderr}")
        return json.loads(report.read_text(encoding="utf-8"))


def in_short(quantity):
    """What is kept of a quantity: the case in which most is missing, and how many there are."""
    short = {"cases": quantity["states"], "lacking": quantity["lacking"], "cannot": quantity["cannot"]}
    if quantity["cannot"]:
        short["reason"] = quantity["reason"]
    if worst := quantity.get("worst"):
        short |= {"digits": round(worst["digits"], 1), "attainable": round(worst["attainable"], 1)}
        short |= {"case": worst["place"].removesuffix(".json"), "entry": worst["entry"]}
    return short


def card(check, engine, tiers):
    """Everything about one engine."""
    found = {"tiers": {}, "refusals": []}
    for tier, paths in tiers.items():
        if not paths:
            continue
        report = asked(check, engine, paths)
        told, scores = report["campaign"]["engine"], report["scores"]
        found |= {"name": told["name"], "version": told["version"]}
        found["tiers"][tier] = {
            "cases": len(paths),
            "not_asked": scores["notes"],
            "quantities": {name: in_short(one) for name, one in sorted(scores["quantities"].items())},
        }
        found["refusals"] += [refusal["sentence"] for refusal in scores["refusals"]]
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
