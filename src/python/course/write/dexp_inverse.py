"""The inverse of the differential of the exponential."""
import numpy as np

from ..mistakes import Mistake
from . import robots, screws
from .program import Case, Law, Program


def cases(source):
    found = []
    for where in ("a drawn twist", "another drawn twist"):
        found.append((where, np.array(source.vector(0.4, 1.3, 4, 6))))
    for name, body in (("screw_arm", 4), ("ur5", 3)):
        robot, q, *_ = robots.drawn(name, source)
        found.append((f"{name}, joint {body} turned by {q[body - 1]} rad", robot.S[body - 1] * q[body - 1]))
    found.append(("a slide", np.concatenate([np.zeros(3), source.vector(0.2, 0.9, 4)])))
    found.append(("no motion", np.zeros(6)))
    X = [np.array(source.vector(0.2, 1.5, 4, 6)) for _ in found]
    return [Case(where, {"S": S, "X": x}, special(S)) for (where, S), x in zip(found, X)]


def special(S):
    return () if np.any(S[:3]) else ("fails_without_turn", "All is well where something turns, but without a turn there is no angle to divide by.")


def right(n):
    return np.linalg.solve(screws.dexp(n["S"]), n["X"])


def terms(*coefficients):
    """c0 X + c1 ad X + c2 ad^2 X"""
    return lambda n: sum(c * np.linalg.matrix_power(screws.ad(n["S"]), k) @ n["X"] for k, c in enumerate(coefficients))


def halves_alone(n):
    """What SO(3) would do, to each half of X alone."""
    w = np.concatenate([n["S"][:3], np.zeros(3)])
    return np.linalg.solve(screws.dexp(w), n["X"])


EXERCISE = Program(
    name="dexp_inverse", chapter="group", stars=3, title="Which rate of the exponent makes this twist?",
    text=r"""Integrators on groups keep a pose as \f$T = e^{[S]}\f$, and need to know how \f$S\f$ changes when the body moves with the body
twist \f$X = T^{-1}\dot T\f$. Chapter 01 has the twist that a rate of the exponent makes,
\f[ X = \text{dexp}_S\dot S = \dot S - \tfrac12[S, \dot S] + \tfrac16[S, [S, \dot S]] - \cdots . \f]
Return the rate \f$\dot S = \text{dexp}_S^{-1}X\f$, to nine digits for \f$\lvert w\rvert\f$ up to 2.5, for a slide, and at \f$S = 0\f$. You may
sum a series, solve a linear system or use a closed form.""",
    hints=["The bracket [S, X] is a matrix ad_S times X; write that first.",
           "The simplest way: sum the series of the matrix dexp until nothing is added, then solve. It has no angle to divide by.",
           "For a closed form: ad_S has the eigenvalues 0 and plus or minus i |w|, each of them twice, so that a polynomial in ad_S with four "
           "terms is enough."],
    declaration="Vector6 dexp_inverse(const Vector6& S, const Vector6& X)",
    cases=cases, right=right,
    laws=[
        Law("the angular half depends on linear parts", lambda n, x: np.abs(halves_alone(n)[:3] - x[:3]).max()),
        Law("dexp of the rate does not give the twist back", None),
    ],
    mistakes=[
        Mistake("left_and_right_exchanged", "This is the rate for the spatial twist, dT/dt T^-1: odd powers of ad have the wrong sign.",
                lambda n: np.linalg.solve(screws.dexp(n["S"], +1.0), n["X"])),
        Mistake("dexp_itself", "This is dexp, not its inverse.", lambda n: screws.dexp(n["S"]) @ n["X"]),
        Mistake("dexp_of_the_opposite", "This is dexp of -S. It is not the inverse: that differs from the third term on.",
                lambda n: screws.dexp(n["S"], +1.0) @ n["X"]),
        Mistake("nothing_done", "The twist itself was returned.", terms(1.0)),
        Mistake("two_terms", "The series was cut after the term with one bracket.", terms(1.0, 0.5)),
        Mistake("three_terms", "The series was cut after the term with two brackets.", terms(1.0, 0.5, 1 / 12)),
        Mistake("two_terms_wrong_sign", "The series was cut after one bracket, which has the wrong sign.", terms(1.0, -0.5)),
        Mistake("third_coefficient", "The term with two brackets has the coefficient 1/6 of dexp, and more terms are missing.", terms(1.0, 0.5, 1 / 6)),
        Mistake("halves_alone", "Each half was treated as if SO(3) were the group: the linear part v of S is missing.", halves_alone),
        Mistake("transposed", "This is the transpose of dexp^-1, which acts on wrenches.",
                lambda n: np.linalg.solve(screws.dexp(n["S"]).T, n["X"])),
        Mistake("carried", "The twist was carried by Ad of e^-S: that is a change of frame.",
                lambda n: screws.Ad(screws.exp(-n["S"])) @ n["X"]),
        Mistake("arguments_exchanged", "S and X are exchanged.", lambda n: right({"S": n["X"], "X": n["S"]})),
        Mistake("linear_first", "The halves are exchanged: the angular half of a twist comes first.",
                lambda n: np.roll(right({"S": np.roll(n["S"], 3), "X": np.roll(n["X"], 3)}), 3)),
    ],
)  # fmt: skip
