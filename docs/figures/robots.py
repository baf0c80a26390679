#!/usr/bin/env python3
"""Draws every built-in robot from its model: bodies, frames and screws.

usage: PYTHONPATH=MODULE:NOTEBOOKS robots.py OUTPUT

OUTPUT gets a robot_NAME.svg for each, and chapters/robots.md must show it: a robot that is not there is an error.
"""
import re
import sys
from pathlib import Path

import articulate
import drawing
import numpy as np
import style

PAGE = Path(__file__).resolve().parents[2] / "chapters" / "robots.md"
# Where a robot shows more than at zero, rad.
POSES = {"ur5": [-0.6, -0.9, 1.3, -1.5, 1.0, 0.5], "puma560": [0.3, 0.9, -2.2, 0.4, 0.7, 0],
         "panda": [0, -0.8, 0, -2.4, 0, 1.6, 0.8, 0.03, 0.03]}
VIEWS = {"forked_arm": (-20, 30), "humanoid": (20, 12), "mimic_hand": (-20, 25)}  # azimuth, elevation, degrees


def draw(name, output):
    model = articulate.Model.load(name)
    q = model.zero_coordinates()
    if name in POSES:
        q[:] = POSES[name]
    kinematics = articulate.ForwardKinematics(model)
    kinematics(q, np.zeros(model.nv))
    origins = np.array([T.p for T in kinematics.poses])
    size = 0.22 * np.ptp(origins, axis=0).max() * min(1, (8 / model.bodies) ** 0.5)

    figure = style.figure(5.8, 3.7)
    axes, names = figure.subplots(1, 2, width_ratios=[1.9, 1])
    view = drawing.View(*VIEWS.get(name, (-60, 20)))
    drawing.machine(axes, view, kinematics, size)
    joints = [joint for joint in model.joints if joint.body]
    number = {joint.body: k for k, joint in enumerate(joints, 1)}
    for body, point, direction, *_ in drawing.screws(kinematics):
        axes.annotate(number[body], view(point + 0.62 * size * direction), ha="center", va="center", fontsize=9)
    for body in filter(lambda body: drawing.is_free(model, body), number):
        axes.annotate(number[body], view(origins[body]), xytext=(-8, -4), textcoords="offset points", fontsize=9)
    names.axis("off")
    listed = "\n".join(f"{k:2} {joint.name.replace('_', ' ')}, {joint.type.name}" for k, joint in enumerate(joints, 1))
    names.annotate(listed, (0, 1), xycoords="axes fraction", va="top", fontsize=min(9, 215 / len(joints)))
    style.write(figure, output, figure_name(name))


def figure_name(robot):
    """The name of its figure: letters, digits and underscores."""
    return "robot_" + re.sub(r"\W", "_", robot)


def main(output):
    page = PAGE.read_text(encoding="utf-8")
    for name, *_ in articulate.built_in_models():
        picture = f"{figure_name(name)}.svg"
        if picture not in page:
            sys.exit(f"robots.py: {PAGE.name} does not show {picture}, the picture of the built-in model '{name}'")
        draw(name, output)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
