#!/usr/bin/env python3
"""Reads from the files of all certified cases what the book shows of them, and the catalogue does not say: inputs and places.

usage: read_cases.py FOLDER > docs/cases.json        after ./articulate reference generate FOLDER

What a quantity means, in the words of the files. Of each case the state, and the sum of the file that it stands in, which the
book holds against the catalogue. Of the first case of each machine the places of links and joints in the world, m, to four
decimals: enough for a picture.
"""
import hashlib
import json
import sys
from pathlib import Path


def decimal(x):
    return x["decimal"]


def rounded(point):
    return [round(x, 4) + 0.0 for x in point]


def places(file):
    """Links as (origin, centre of mass), axes by child, loops as pairs of (link, point); all in the world."""
    machine, answers = file["machine"], file["answers"]
    R = {}
    for link, row in zip(machine["links"], answers["link_rotations"]["value"]):
        numbers = list(map(float, row))
        R[link["name"]] = [numbers[3 * k : 3 * k + 3] for k in range(3)]
    p = {
        link["name"]: list(map(float, row)) for link, row in zip(machine["links"], answers["link_positions"]["value"])
    }

    def turned(link, a):
        return [sum(r * x for r, x in zip(row, a)) for row in R[link]]

    def point(link, a):
        return rounded(x + y for x, y in zip(p[link], turned(link, a)))

    single = ("revolute", "continuous", "prismatic", "helical", "cylindrical")
    return {
        "links": {
            link["name"]: [
                rounded(p[link["name"]]),
                point(link["name"], decimal(link["center_of_mass"])) if decimal(link["mass"]) else None,
            ]
            for link in machine["links"]
        },
        "axes": {
            joint["child"]: rounded(turned(joint["child"], decimal(joint["axis"])))
            for joint in machine["joints"]
            if joint["type"] in single
        },
        "loops": [
            [[end["link"], point(end["link"], decimal(end["position"]))] for end in (loop["first"], loop["second"])]
            for loop in machine["loops"]
        ],
    }


def main(folder):
    shown, seen, words = {}, set(), {}
    for name in [case["case"] for case in json.loads((folder / "manifest.json").read_text())["cases"]]:
        text = (folder / f"{name}.json").read_bytes()
        file = json.loads(text)
        state = {key: decimal(file["state"][key]) for key in ("q", "qd", "qdd", "tau")}
        entry = {
            "sha256": hashlib.sha256(text).hexdigest(),
            "gravity": decimal(file["machine"]["gravity"]),
            "state": state,
            "independent": file["state"]["independent"],
            "wrenches": bool(file["state"]["external_wrenches"]),
        }
        if file["title"] not in seen:
            entry["places"] = places(file)
            seen.add(file["title"])
        shown[name] = entry
        words.update((quantity, answer["words"]) for quantity, answer in file["answers"].items())
    parts = []
    for key, entries in (("quantities", words), ("cases", shown)):
        lines = ",\n".join(f"{json.dumps(k)}: {json.dumps(v, separators=(',', ':'))}" for k, v in entries.items())
        parts.append(f"\"{key}\": {{\n{lines}\n}}")
    print("{" + ",\n".join(parts) + "}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
