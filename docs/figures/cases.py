#!/usr/bin/env python3
"""Draws the machines of the certified cases in the state of their first case, from the places in docs/cases.json.

usage: PYTHONPATH=MODULE:NOTEBOOKS cases.py OUTPUT

OUTPUT gets a case_NAME.svg for each machine: bars between the origins of links, a dot at each centre of mass, an arrow along
each axis, and a ring where a loop closes.
"""
import json
import sys
from pathlib import Path

import articulate
import drawing
import numpy as np
import style

ROOT = Path(__file__).resolve().parents[2]
FLAT = {"planar_2r", "slider_crank", "ladder", "four_bar", "planar_arm", "five_bar", "hoeken", "far_five_bar", "flat_ladder",
        "dead_point"}  # their axes point at the reader
FAR = 100  # m: what is farther away than that is said and not drawn


def draw(case, places, output):
    links, axes_of = {name: tuple(at) for name, at in places["links"].items()}, places["axes"]
    flat = case["case"] in FLAT
    view = drawing.View(-90, 89.99) if flat else drawing.View(-60, 20)
    bars = []
    for _, _, parent, child in case["joints"]:
        a, b = (np.array(links[name][0]) for name in (parent, child))
        if np.linalg.norm(a - b) < FAR:
            bars.append((a, b))
    near = [np.array(links[child][0]) for _, _, _, child in case["joints"]] or [np.array(next(iter(links.values()))[0])]
    points = [end for bar in bars for end in bar] + near
    points += [np.array(centre) for _, centre in links.values() if centre]
    for ends in places["loops"]:
        for link, point in ends:
            points.append(np.array(point))
            if np.linalg.norm(points[-1] - np.array(links[link][0])) < FAR:
                bars.append((np.array(links[link][0]), points[-1]))
    points = [point for point in points if np.linalg.norm(point - near[0]) < FAR]
    size = 0.22 * np.ptp(points, axis=0).max() * min(1, (8 / max(1, len(case["joints"]))) ** 0.5) or 0.1

    figure = style.figure(4.2, 3.0)
    axes = figure.subplots()
    for a, b in bars:
        drawing.line(axes, view, [a, b], color=style.GREY, linewidth=3, solid_capstyle="round")
    for name, (origin, centre) in links.items():
        if centre and np.linalg.norm(np.array(origin) - near[0]) < FAR:
            drawing.line(axes, view, [origin, centre], color=style.GREY, linewidth=1)
            drawing.line(axes, view, [centre], color=style.GREY, marker="o", markersize=4)
    if not case["joints"]:
        drawing.frame(axes, view, articulate.SE3(np.eye(3), near[0]), size)
    for _, kind, _, child in case["joints"]:
        at = np.array(links[child][0])
        if child not in axes_of or flat and abs(axes_of[child][2]) > 0.9:
            drawing.line(axes, view, [at], color=drawing.TURN, marker="o", markersize=5, markerfacecolor="none")
            continue
        direction = np.array(axes_of[child])
        colour, dash = {"prismatic": (drawing.SLIDE, "--"), "helical": (drawing.BOTH, "-."),
                        "cylindrical": (drawing.BOTH, "-.")}.get(kind, (drawing.TURN, "-"))
        drawing.arrow(axes, view, at - 0.5 * size * direction, at + 0.5 * size * direction, color=colour,
                      linestyle=dash, linewidth=1.4)
    for loop in places["loops"]:
        drawing.line(axes, view, [loop[1][1]], color=style.BLUE, marker="o", markersize=9, markerfacecolor="none")
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.margins(0.1)
    axes.axis("off")
    drawing.measure(axes, size)
    style.write(figure, output, f"case_{case['case']}")


def main(output):
    catalogue = json.loads((ROOT / "validation" / "reference" / "catalogue.json").read_text(encoding="utf-8"))
    shown = json.loads((ROOT / "docs" / "cases.json").read_text(encoding="utf-8"))["cases"]
    for case in catalogue["cases"]:
        places = shown.get(case["case"], {}).get("places")
        if places:
            draw(case, places, output)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
