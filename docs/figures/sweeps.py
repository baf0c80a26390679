#!/usr/bin/env python3
"""Draws what flows through a tree when inverse and forward dynamics sweep over it, on the forked arm.

usage: PYTHONPATH=MODULE:NOTEBOOKS sweeps.py OUTPUT

Names and parents come from the model. OUTPUT gets rnea_sweeps.svg and aba_sweeps.svg.
"""
import sys

import articulate
import style
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

WIDTH, HEIGHT, ROW, COLUMN = 1.42, 0.4, 0.84, 2.8  # of boxes and of the grid, inches
OUTWARD, INWARD, AGAIN = (style.BLUE, "-"), (style.ORANGE, "--"), (style.GREEN, "-.")


def places(model):
    """Where each body's box stands: tips side by side, a parent above the middle of its children, the world on top."""
    bodies = range(1, model.bodies + 1)
    children = {i: [k for k in bodies if model.body(k).parent == i] for i in (0, *bodies)}
    place, tips = {}, 0

    def put(i, depth):
        nonlocal tips
        for child in children[i]:
            put(child, depth + 1)
        if children[i]:
            x = sum(place[child][0] for child in children[i]) / len(children[i])
        else:
            x, tips = tips * COLUMN, tips + 1
        place[i] = (x, -ROW * depth)

    put(0, 0)
    return place


def arrow(axes, start, end, look):
    colour, dash = look
    axes.add_patch(FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=9, shrinkA=0, shrinkB=0, color=colour,
                                   linestyle=dash, linewidth=1.4))


def draw(model, name, sweeps, given, taken, output):
    """SWEEPS are (what is handed on, outward, touches the world, look) in order; a body's turn in a sweep is a step.
    GIVEN and TAKEN are (text, look) of what is at the left and the right of a box.
    """
    place = places(model)
    titles = {0: "world"}
    for link in model.links:
        titles.setdefault(link.body, f"{link.body}  {link.name}")
    figure = style.figure(6, 4.7)
    axes = figure.subplots()
    for i, (x, y) in place.items():
        axes.add_patch(FancyBboxPatch((x - WIDTH / 2, y - HEIGHT / 2), WIDTH, HEIGHT, linewidth=1, edgecolor=style.GREY,
                                      facecolor=style.GREY + "26", boxstyle="round,pad=0,rounding_size=0.08"))
        axes.annotate(titles[i].replace("_", " "), (x, y), ha="center", va="center")
    step = 0
    for number, (_, outward, touches_the_world, look) in enumerate(sweeps):
        bodies = range(1, model.bodies + 1)
        for i in bodies if outward else reversed(bodies):
            step += 1
            if model.body(i).parent == 0 and not touches_the_world:
                continue
            (x, y), (x0, y0) = place[i], place[model.body(i).parent]
            shift = 0.36 * (number - (len(sweeps) - 1) / 2)
            inner, outer = (x0 + shift + 0.25 * (x - x0), y0 - HEIGHT / 2), (x + shift, y + HEIGHT / 2)
            arrow(axes, *((inner, outer) if outward else (outer, inner)), look)
            axes.annotate(str(step), ((inner[0] + outer[0]) / 2, (inner[1] + outer[1]) / 2), color=look[0], fontsize=8,
                          ha="center", va="center", bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6})
    for i in range(1, model.bodies + 1):
        x, y = place[i]
        for sign, text, look in ((-1, *given), (1, *taken)):
            edge, far = (x + sign * WIDTH / 2, y), (x + sign * (WIDTH / 2 + 0.22), y)
            arrow(axes, *((far, edge) if sign < 0 else (edge, far)), look)
            axes.annotate(text, (far[0] + sign * 0.04, y), ha="right" if sign < 0 else "left", va="center")
    bottom = min(y for _, y in place.values())
    for number, (text, *_, (colour, dash)) in enumerate(sweeps):
        y = bottom - 0.5 - 0.22 * number
        axes.plot([-0.9, -0.5], [y, y], color=colour, linestyle=dash)
        axes.annotate(text, (-0.4, y), va="center", fontsize=9)
    axes.set(aspect="equal", xlim=(-1.5, COLUMN + 1.5), ylim=(bottom - 0.62 - 0.22 * len(sweeps), HEIGHT / 2 + 0.05))
    axes.axis("off")
    style.write(figure, output, name)


def main(output):
    model = articulate.Model.load("forked_arm")
    draw(model, "rnea_sweeps",
         [("first sweep, outward: the parent's V, V̇", True, True, OUTWARD),
          ("second sweep, inward: the child's F", False, True, INWARD)],
         ("q, q̇, q̈", OUTWARD), ("τ", INWARD), output)
    draw(model, "aba_sweeps",
         [("first sweep, outward: the parent's V", True, True, OUTWARD),
          ("second sweep, inward: the child's Π, β", False, False, INWARD),
          ("third sweep, outward: the parent's V̇", True, True, AGAIN)], ("q, q̇, τ", OUTWARD), ("q̈", AGAIN), output)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
