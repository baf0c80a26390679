"""Closing a loop by Newton's method."""
import math

import numpy as np

from ..mistakes import Mistake
from .program import Case, Law, Program


def cases(source):
    """Cranks with 0.3 m or so in frames twice as long, which can turn all the way round; the guess is roughly closed."""
    found = []
    for where in ("a pump jack", "a wiper", "a pump jack, next round", "a wiper, other branch"):
        lengths = np.array([source.number(0.21, 0.29, 4), source.number(0.71, 0.79, 4), source.number(0.61, 0.69, 4), source.number(0.81, 0.89, 4)])
        q1 = source.signed(0.4, 2.6, 4)
        branch = -1 if "other" in where else 1
        closed = by_triangle(lengths, q1, branch)
        guess = closed + np.array([source.signed(0.1, 0.2, 4), source.signed(0.1, 0.2, 4)])
        if "next" in where:
            guess = guess + 2 * math.pi  # both, and neither may be brought back
        found.append(Case(where, {"lengths": lengths, "q1": q1, "guess": guess}))
    return found


def by_triangle(lengths, q1, branch):
    """q2 and q3 in closed form, on one side of the diagonal: angles of triangles."""
    a, b, c, d = lengths
    pin = a * np.array([math.cos(q1), math.sin(q1)])
    across = np.array([d, 0.0]) - pin
    D = math.hypot(*across)
    coupler = math.atan2(across[1], across[0]) + branch * math.acos((b * b + D * D - c * c) / (2 * b * D))
    end = pin + b * np.array([math.cos(coupler), math.sin(coupler)])
    rocker = math.atan2(end[1], end[0] - d)
    return np.array([coupler - q1, rocker])


def nearest(n, branch):
    """The angles of one branch, brought to the round of the guess."""
    closed = by_triangle(n["lengths"], n["q1"], branch)
    return closed + 2 * math.pi * np.round((n["guess"] - closed) / (2 * math.pi))


def right(n):
    """The branch and the round next to the guess."""
    return min((nearest(n, branch) for branch in (1, -1)), key=lambda q: np.abs(q - n["guess"]).max())


def other(n):
    return max((nearest(n, branch) for branch in (1, -1)), key=lambda q: np.abs(q - n["guess"]).max())


def gap(n, q, q1=None):
    a, b, c, d = n["lengths"]
    q1 = n["q1"] if q1 is None else q1
    return np.array([a * math.cos(q1) + b * math.cos(q1 + q[0]) - d - c * math.cos(q[1]),
                     a * math.sin(q1) + b * math.sin(q1 + q[0]) - c * math.sin(q[1])])  # fmt: skip


def slope(n, q):
    a, b, c, d = n["lengths"]
    s = n["q1"] + q[0]
    return np.array([[-b * math.sin(s), c * math.sin(q[1])], [b * math.cos(s), -c * math.cos(q[1])]])


def newton(rounds, sign=-1.0, matrix=slope):
    def answer(n):
        q = n["guess"]
        for _ in range(rounds):
            q = q + sign * np.linalg.solve(matrix(n, q), gap(n, q))
        return q

    return answer


def brought_back(n):
    """Angles between -pi and pi."""
    return np.arctan2(np.sin(right(n)), np.cos(right(n)))


def rocker_reversed(n):
    """Closed, if the rocker's angle is that of the direction from its tip to its foot."""
    return right(n) + [0.0, math.pi]


EXERCISE = Program(
    name="close_four_bar", chapter="mechanisms", stars=2, title="Close a four-bar linkage",
    text=r"""A crank of the length \f$a\f$ stands at the origin, at the angle \f$q_1\f$ to the x axis. At its tip there is a coupler of the length \f$b\f$, at the
angle \f$q_2\f$ *to the crank*. A rocker of the length \f$c\f$ stands at \f$(d, 0)\f$, at the angle \f$q_3\f$ to the x axis. The tips of coupler and
rocker are to coincide,
\f[ a\begin{bmatrix}\cos q_1\\ \sin q_1\end{bmatrix} + b\begin{bmatrix}\cos(q_1+q_2)\\ \sin(q_1+q_2)\end{bmatrix}
 = \begin{bmatrix}d\\ 0\end{bmatrix} + c\begin{bmatrix}\cos q_3\\ \sin q_3\end{bmatrix} . \f]
Given the lengths \f$(a, b, c, d)\f$, the angle \f$q_1\f$ and a guess for \f$(q_2, q_3)\f$, return the closed pair that Newton's method reaches from the
guess. Do not bring angles back to one round: joints count their turns.""",
    hints=["The gap is a function of two unknowns with two components: its matrix of derivatives is 2 x 2.",
           "Stop when the gap is 1e-13 or so of the lengths, or after thirty rounds. Each round doubles the digits."],
    declaration="Vector2 close_four_bar(const Vector4& lengths, double q1, const Vector2& guess)",
    cases=cases, right=right,
    laws=[
        Law("the loop is open: the tips do not coincide", lambda n, q: np.abs(gap(n, q)).max()),
        Law("the loop is closed, but not next to the guess", None),
    ],
    mistakes=[
        Mistake("other_branch", "This is the other way to close the loop: Newton's method stays with the guess.", other),
        Mistake("guess_returned", "The guess was returned.", newton(0)),
        Mistake("one_round", "Newton's method was stopped after one round.", newton(1)),
        Mistake("two_rounds", "Newton's method was stopped after two rounds.", newton(2)),
        Mistake("step_sign", "The step was added instead of subtracted, and it was made once.", newton(1, sign=1.0)),
        Mistake("transposed", "The matrix of derivatives was transposed, and one round was made.", newton(1, matrix=lambda n, q: slope(n, q).T)),
        Mistake("coupler_in_the_room", "The coupler's angle was returned with respect to the x axis: it is asked with respect to the crank.",
                lambda n: right(n) + [n["q1"], 0.0]),
        Mistake("rocker_to_the_coupler", "The rocker's angle was returned with respect to the coupler.",
                lambda n: right(n) - [0.0, n["q1"] + right(n)[0]]),
        Mistake("rocker_reversed", "The rocker's angle is that of the opposite direction, from its tip to its foot.", rocker_reversed),
        Mistake("brought_back", "The angles were brought to one round, between -pi and pi: joints count their turns.", brought_back),
        Mistake("rocker_clockwise", "The rocker's angle is counted clockwise.", lambda n: right(n) * [1.0, -1.0]),
        Mistake("order_reversed", "q2 and q3 are exchanged.", lambda n: right(n)[::-1]),
    ],
)  # fmt: skip
