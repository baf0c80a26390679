"""Built-in robots as numbers, for grading where nothing is built.

robots.json is written from the module by validation/python/programs/robots.py, and a test holds it against the module. Frames of
bodies are turned and moved by drawn poses: with every joint about z, and through the origin, mistakes would go unseen.
"""
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from . import screws


@dataclass
class Robot:
    """parent[i] of body i, counted from 0, -1 being the world; T(q) = M e^(S q); inertias 6 x 6."""

    name: str
    parent: list
    M: list
    S: list
    I: list
    gravity: np.ndarray

    def poses(self, q):
        """Of each body in its parent."""
        return [M @ screws.exp(S, x) for M, S, x in zip(self.M, self.S, q)]

    def seen_from(self, frames):
        """The same robot, with these poses of new frames in the old frames of its bodies."""
        old = [np.eye(4) if p < 0 else frames[p] for p in self.parent]
        return Robot(
            self.name, self.parent, [screws.inverse(X) @ M @ Y for X, M, Y in zip(old, self.M, frames)],
            [screws.Ad(screws.inverse(Y)) @ S for S, Y in zip(self.S, frames)],
            [screws.Ad(Y).T @ I @ screws.Ad(Y) for I, Y in zip(self.I, frames)], self.gravity,
        )  # fmt: skip


@cache
def tables():
    return json.loads((Path(__file__).parent / "robots.json").read_text(encoding="utf-8"))


def built_in(name):
    table = tables()[name]
    arrays = {key: [np.array(one) for one in table[key]] for key in ("M", "S", "I")}
    return Robot(name, table["parent"], gravity=np.array(table["gravity"]), **arrays)


def drawn(name, source):
    """The robot in drawn frames, with a drawn state of it: robot, q, qd, qdd."""
    robot = built_in(name)
    frames = [drawn_pose(source, 0.3) for _ in robot.parent]
    q, qd, qdd = (np.array(source.vector(0.3, 1.3, 4, len(frames))) for _ in range(3))
    return robot.seen_from(frames), q, qd, qdd


def drawn_pose(source, size=0.8):
    """A turn by 0.5 to 3 rad, and a place."""
    w = np.array(source.vector(0.3, 1.7, 4))
    return screws.pose(screws.turn(w), size * np.array(source.vector(0.2, 1.0, 4)))
