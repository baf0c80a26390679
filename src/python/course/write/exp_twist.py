"""The exponential of a twist."""
import math

import numpy as np

from ..mistakes import Mistake
from ..vectors import skew
from . import robots, screws
from .program import Case, Law, Program

TINY = 1.3e-8  # rad; its cosine is 1 minus about half of what a double can resolve there


def cases(source):
    w, v = np.array(source.vector(0.3, 1.4, 4)), np.array(source.vector(0.2, 0.9, 4))
    found = [("a drawn twist", np.concatenate([w, v]), source.signed(0.4, 1.2, 4))]
    axis = w / np.linalg.norm(w)
    found.append(("a hinge off the origin", np.concatenate([axis, np.cross(v, axis)]), source.signed(0.5, 2.5, 4)))
    for name, body in (("screw_arm", 1), ("screw_arm", 2), ("ur5", 4)):
        robot, q, *_ = robots.drawn(name, source)
        found.append((f"{name}, joint {body}", robot.S[body - 1], float(q[body - 1])))
    found.append((f"a turn by {TINY} rad on a long way", np.concatenate([axis * TINY, v]), 1.0))
    return [Case(where, {"S": S, "q": q}, special(S)) for where, S, q in found]


def special(S):
    if not np.any(S[:3]):
        return ("slide_fails", "All is well where something turns, but a slide must work, too: there is no angle to divide by.")
    return ("digits_lost_near_zero", "Near zero digits are lost: the difference 1 - cos has none left there.") if np.linalg.norm(S[:3]) < 2 * TINY else ()


def parts(n):
    """w, v and the angle, all times q."""
    w, v = n["S"][:3] * n["q"], n["S"][3:] * n["q"]
    return w, v, float(np.linalg.norm(w))


def right(n):
    return screws.exp(n["S"], n["q"])


def with_place(place):
    """The right rotation, and the place that this makes from w, v, angle and R."""

    def answer(n):
        w, v, angle = parts(n)
        R = screws.turn(w)
        return screws.pose(R, place(w, v, angle, R))

    return answer


def as_if_unit(n):
    """S taken for a unit screw: the formulas for |w| = 1, whatever w is."""
    w, v, q = n["S"][:3], n["S"][3:], n["q"]
    W = skew(w)
    R = np.eye(3) + math.sin(q) * W + (1 - math.cos(q)) * W @ W
    return screws.pose(R, (q * np.eye(3) + (1 - math.cos(q)) * W + (q - math.sin(q)) * W @ W) @ v)


def generator(n):
    """[S] q, 4 x 4."""
    xi = np.zeros((4, 4))
    xi[:3, :3], xi[:3, 3] = skew(n["S"][:3]) * n["q"], n["S"][3:] * n["q"]
    return xi


def V(w, second=0.5, third=1 / 6, sign=1.0):
    """The matrix with place = V v, by its series; the coefficients of [w] and [w]^2 are scaled by what these differ from theirs."""
    W = skew(w)
    angle = float(np.linalg.norm(w))
    b = (1 - math.cos(angle)) / angle**2 if angle > 1e-4 else 0.5
    c = (angle - math.sin(angle)) / angle**3 if angle > 1e-4 else 1 / 6
    return np.eye(3) + sign * b * second / 0.5 * W + c * third * 6 * W @ W


EXERCISE = Program(
    name="exp_twist", chapter="group", stars=2, title="The exponential of a twist",
    text=r"""A body moves for the time \f$q\f$ with the constant twist \f$S = (w, v)\f$. Return its pose, the matrix
\f[ e^{[S]q} = \begin{bmatrix} R & p \\ 0 & 1 \end{bmatrix} . \f]
Nothing is said about the length of \f$w\f$. It may be zero, and \f$\lvert w\rvert q\f$ may be as small as \f$10^{-8}\f$; the answer
must be right to ten digits there, too.""",
    hints=["Put q into the twist first, and let the angle be |w| q.",
           "Find p as the integral of R(t) v over the time. Its coefficients are (1 - cos a)/a^2 and (a - sin a)/a^3.",
           "Both have a limit at zero, and both lose digits before they get there: near zero use a few terms of their series."],
    declaration="Matrix4 exp_twist(const Vector6& S, double q)",
    cases=cases, right=right, tolerance=1e-10,
    laws=[
        Law("R is no rotation: its columns are not perpendicular, or not of length 1",
            lambda n, T: np.abs(T[:3, :3].T @ T[:3, :3] - np.eye(3)).max()),
        Law("the last row is not (0, 0, 0, 1)", lambda n, T: np.abs(T[3] - [0, 0, 0, 1]).max()),
        Law("the twist is not the same from the moved frame, Ad(T) S = S", lambda n, T: np.abs(screws.Ad(T) @ n["S"] - n["S"]).max()),
        Law("the pose is not where the twist leads", None),
    ],
    mistakes=[
        Mistake("place_is_v_q", "The place is v q only where nothing turns: the direction of the velocity turns with the body.",
                with_place(lambda w, v, angle, R: v)),
        Mistake("place_is_R_v", "The place is R v q: that is where the body would go if it turned first and slid afterwards.",
                with_place(lambda w, v, angle, R: R @ v)),
        Mistake("unit_screw_assumed", "The formulas for |w| = 1 were used, but w may have any length.", as_if_unit),
        Mistake("turned_back", "The rotation has the opposite sense: this is exp of -w.",
                lambda n: screws.exp(np.concatenate([-n["S"][:3], n["S"][3:]]), n["q"])),
        Mistake("inverse", "This is the inverse of the pose, exp of -S.", lambda n: screws.exp(-n["S"], n["q"])),
        Mistake("rate_forgotten", "This is exp of S: q was left out.", lambda n: screws.exp(n["S"], 1.0)),
        Mistake("angle_forgotten_in_place", "q turns the body, but is missing in its velocity: the place is made from v q.",
                lambda n: screws.pose(screws.turn(n["S"][:3] * n["q"]), V(n["S"][:3] * n["q"]) @ n["S"][3:])),
        Mistake("one_plus", "This is 1 + [S] q, the first two terms of a series.", lambda n: np.eye(4) + generator(n)),
        Mistake("right_and_left_exchanged", "The matrix before v belongs to the inverse motion: the sign of its [w] is wrong.",
                with_place(lambda w, v, angle, R: V(w, sign=-1.0) @ v)),
        Mistake("second_term_lost", "In the place the term with [w]^2 is missing.", with_place(lambda w, v, angle, R: V(w, third=0.0) @ v)),
        Mistake("linear_first", "The halves are exchanged: the angular half of a twist comes first.",
                lambda n: screws.exp(np.roll(n["S"], 3), n["q"])),
    ],
)  # fmt: skip
