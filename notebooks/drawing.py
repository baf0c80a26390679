"""Machines on paper: a parallel projection, and what is drawn of a model in it: bodies, screws and frames."""
import numpy as np
import style
from articulate import JointKind
from matplotlib.patches import FancyArrowPatch

TURN, SLIDE, BOTH = style.INK, style.ORANGE, style.PURPLE


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
    axes.add_patch(FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=8, shrinkA=0, shrinkB=0, zorder=3,
                                   **look))
    axes.update_datalim([start, end])


def frame(axes, view, T, length):
    """The axes x, y, z of a pose, in red, green and blue."""
    for column, colour in enumerate((style.RED, style.GREEN, style.BLUE)):
        line(axes, view, [T.p, T.p + length * T.R[:, column]], color=colour, linewidth=1.2, solid_capstyle="round")


def is_free(model, i):
    """Whether nothing holds body i to its parent."""
    return model.body(i).kind == JointKind.free


def screws(kinematics):
    """Every joint coordinate as (body, point, direction, turns, slides): a screw S seen from the world.

    The point (3,) is that of its axis next to the body's origin, or this origin for a slide, which is a direction only.
    A free joint is left out: its six screws are the axes of the body's frame.
    """
    found = []
    for i in range(1, kinematics.model.bodies + 1):
        if is_free(kinematics.model, i):
            continue
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
        if not is_free(model, i):
            line(axes, view, origins[[parent, i]], color=style.GREY, linewidth=3, solid_capstyle="round",
                 linestyle="-" if parent else ":")
        I = model.body(i).I
        if I.mass > 0:
            centre = kinematics.pose(i) * (I.first_moment / I.mass)
            line(axes, view, [origins[i], centre], color=style.GREY, linewidth=1)
            line(axes, view, [centre], color=style.GREY, marker="o", markersize=4)


def machine(axes, view, kinematics, size):
    """Bodies, frames and screws of a model in the state of its kinematics; a screw's arrow has the length `size`, m."""
    skeleton(axes, view, kinematics)
    for i, T in enumerate(kinematics.poses):
        frame(axes, view, T, (0.4 if i and not is_free(kinematics.model, i) else 0.7) * size)
    for _, point, direction, turns, slides in screws(kinematics):
        colour, dash = (BOTH, "-.") if turns and slides else (TURN, "-") if turns else (SLIDE, "--")
        arrow(axes, view, point - 0.5 * size * direction, point + 0.5 * size * direction, color=colour, linestyle=dash,
              linewidth=1.4)
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.axis("off")
    measure(axes, size)


def measure(axes, size):
    """A bar of a round length near `size`, m, below the drawing: the scale of what lies in the plane of the paper."""
    power = 10.0 ** np.floor(np.log10(size))
    length = max(digit for digit in (1, 2, 5) if digit * power <= size) * power
    left, bottom = axes.dataLim.p0
    bottom -= 0.3 * size
    axes.plot([left, left + length], [bottom, bottom], color=style.INK, linewidth=1, marker="|", markersize=5)
    axes.annotate(f"{length:g} m", (left + length, bottom), xytext=(5, 0), textcoords="offset points", va="center",
                  fontsize=9)
