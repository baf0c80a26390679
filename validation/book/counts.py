#!/usr/bin/env python3
"""Holds the table of README's section on the ledger against what was measured.

usage: counts.py README VERIFY_JSON

The table counts rows by status and by ground. What differs is printed with the table that would be right.
"""
import json
import sys
from collections import Counter
from pathlib import Path

GROUNDS = ["legible", "number inferred", "reconstructed", "ours", "fitted"]


def counts_table(rows, statuses):
    """Statuses down, grounds across; what never occurs is left out."""
    tally = Counter((row["status"], row["ground"]) for row in rows)
    odd = {row["ground"] for row in rows} - set(GROUNDS)
    if odd:
        raise ValueError(f"a row stands on the ground {sorted(odd)}; there are {GROUNDS}")
    grounds = [ground for ground in GROUNDS if any(row["ground"] == ground for row in rows)]
    lines = [f"| | {' | '.join(grounds)} |", "| --- |" + " ---: |" * len(grounds)]
    for status in statuses:
        if any(row["status"] == status for row in rows):
            numbers = " | ".join(str(tally[status, ground]) for ground in grounds)
            lines.append(f"| {status.replace('_', ' ')} | {numbers} |")
    return "\n".join(lines)


def main(readme, verify_json):
    measured = json.loads(verify_json.read_text(encoding="utf-8"))
    statuses = [name for name in measured["summary"] if name not in ("rows", "by_ground")]
    right = counts_table(measured["rows"], statuses)
    text = readme.read_text(encoding="utf-8")
    if right not in text:
        return f"counts: {readme.name} does not hold this table, which was measured:\n{right}"
    if f"{len(measured['rows'])} rows" not in text:
        return f"counts: {readme.name} does not say that there are {len(measured['rows'])} rows"
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*map(Path, sys.argv[1:])))
