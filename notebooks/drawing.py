"""Machines on paper: a parallel projection, and what is drawn of a model in it: bodies, screws and frames."""
import numpy as np
import style
from matplotlib.patches import FancyArrowPatch

TURN, SLIDE, BOTH = style.BLUE, style.ORANGE, style.PURPLE


class View:
    """Space seen from afar, z upward: azimuth and elevation of the eye, in degrees."""

    def __init__(self, azimuth, elevation):
        a, e = np.radians([azimuth, elevation])
        self.right = np.array([-np.sin(a), np.cos(a), 0])
        self.up = np.array([-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e)])
        self.eye = np.cross(self.right, self.up)

    def __call__(self, points):
        """(..., 3) in space, (..., 2) on paper."""
        return np.stack([points @ self.right, points @ self.up], axis=-1)


def line(axes, view, points, **look):
    """A line through points (k, 3)."""
    axes.plot(*view(np.asarray(points)).T, **look)


def arrow(axes, view, start, end, **look):
    """An arrow between two points (3,)."""
    start, end = view(np.asarray([start, end]))
    axes.add_patch(FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=8, shrinkA=0, shrinkB=0, **look))
    axes.update_datalim([start, end])


def frame(axes, view, T, length):
    """The axes x, y, z of a pose, in red, green and blue."""
    for column, colour in enumerate((style.RED, style.GREEN, style.BLUE)):
        line(axes, view, [T.p, T.p + length * T.R[:, column]], color=colour, linewidth=1.2, solid_capstyle="round")


def screws(kinematics):
    """Every joint coordinate as (body, line or None, direction, turns, slides): a screw S seen from the world.

    The line is the point (3,) of its axis next to the body's origin, none for a slide, which is a direction only.
    """
    found = []
    for i in range(1, kinematics.model.bodies + 1):
        T = kinematics.pose(i)
        for S in kinematics.S[i].T:
            w, v = S[:3], S[3:]
            turns = np.linalg.norm(w) > 0
            along = w if turns else v
            point = T * (np.cross(w, v) / (w @ w)) if turns else T.p
            slides = not turns or abs(w @ v) > 0
            found.append((i, point, T.R @ along / np.linalg.norm(along), turns, slides))
    return found


def skeleton(axes, view, kinematics):
    """Each body as lines from its origin to those of the bodies it carries, and a dot at its centre of mass."""
    model = kinematics.model
    origins = np.array([T.p for T in kinematics.poses])
    for i in range(1, model.bodies + 1):
        parent = model.body(i).parent
        line(axes, view, origins[[parent, i]], color=style.GREY, linewidth=3, solid_capstyle="round",
             linestyle="-" if parent else ":")
        I = model.body(i).I
        if I.mass > 0:
            centre = kinematics.pose(i) * (I.moment / I.mass)
            line(axes, view, [origins[i], centre], color=style.GREY, linewidth=1)
            line(axes, view, [centre], color=style.GREY, marker="o", markersize=4)


def machine(axes, view, kinematics, size):
    """Bodies, frames and screws of a model in the state of its kinematics; a screw's arrow has the length `size`, m."""
    skeleton(axes, view, kinematics)
    frame(axes, view, kinematics.pose(0), 0.6 * size)
    for T in kinematics.poses[1:]:
        frame(axes, view, T, 0.35 * size)
    for _, point, direction, turns, slides in screws(kinematics):
        colour, dash = (BOTH, "-.") if turns and slides else (TURN, "-") if turns else (SLIDE, "--")
        arrow(axes, view, point - 0.5 * size * direction, point + 0.5 * size * direction, color=colour, linestyle=dash,
              linewidth=1.4)
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.axis("off")
