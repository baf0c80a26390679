"""A joint type: the screw."""
import math

import numpy as np

from ..mistakes import Mistake
from ..vectors import cross
from . import robots, screws
from .program import Case, Law, Program


def cases(source):
    found = []
    for name, body in (("screw_arm", 1), ("screw_arm", 4), ("ur5", 2)):
        robot, q, *_ = robots.drawn(name, source)
        S, M = robot.S[body - 1], robot.M[body - 1]
        axis, v = S[:3], S[3:]
        # The point of the axis next to the origin, moved along the axis: any of its points must do.
        point = cross(axis, v) + axis * source.signed(0.2, 0.9, 4)
        found.append((f"{name}, joint {body}", M, axis, point, float(axis @ v), float(q[body - 1])))
    M, axis, point = robots.drawn_pose(source), np.array(source.vector(0.3, 1.0, 4)), np.array(source.vector(0.2, 0.9, 4))
    found.append(("a drawn jack", M, axis / np.linalg.norm(axis), point, source.signed(0.02, 0.3, 4), source.signed(3.5, 6.0, 4)))
    return [Case(where, {"M": M, "axis": a, "point": c, "pitch": h, "q": q}) for where, M, a, c, h, q in found]


def joint(n, S=None, q=None, T=None):
    """T in the first four rows, S in the last two, as they come back."""
    S = screw(n) if S is None else S
    T = n["M"] @ screws.exp(S, n["q"] if q is None else q) if T is None else T
    return stacked(T, S)


def stacked(T, S):
    return np.concatenate([T.ravel(), S])


def screw(n, moment=1.0, pitch=None):
    pitch = n["pitch"] if pitch is None else pitch
    return np.concatenate([n["axis"], moment * cross(n["point"], n["axis"]) + pitch * n["axis"]])


def unstacked(x):
    return x[:16].reshape(4, 4), x[16:]


def point_and_advance(n, x):
    """The point of the axis goes along the axis by pitch times q."""
    T, _ = unstacked(x)
    return np.abs(T @ [*n["point"], 1.0] - n["M"] @ [*(n["point"] + n["pitch"] * n["q"] * n["axis"]), 1.0]).max()


def own_twist(n, x):
    """S seen from where the body was is S: the joint's screw moves with the joint, and is not changed by it."""
    T, S = unstacked(x)
    return np.abs(screws.Ad(screws.inverse(n["M"]) @ T) @ S - S).max()


def with_screw(change):
    return lambda n: joint(n, S=change(n))


EXERCISE = Program(
    name="helical_joint", chapter="model", stars=2, title="A new type of joint: the screw",
    text=r"""A nut on a spindle turns and advances at the same time: by the angle \f$q\f$ and by \f$h\,q\f$ along the axis, \f$h\f$ being the pitch in metres per
radian. At \f$q = 0\f$ the body's frame has the pose \f$M\f$ in the parent's. In the body's frame the axis has the direction \f$a\f$, of length 1, and
passes through the point \f$c\f$. Write this type of joint: return its pose \f$T(q)\f$ in the parent and its screw \f$S\f$, with
\f$T^{-1}\dot T = [S\,\dot q]\f$.""",
    hints=["The body turns about an axis that passes through c. How fast does the point of the body move that is at the origin of its frame?",
           "S = (a, c x a + h a), and T = M e^([S] q). Your function exp_twist can be used."],
    declaration="std::pair<Matrix4, Vector6> helical_joint(const Matrix4& M, const Vector3& axis, const Vector3& point, double pitch, double q)",
    cases=cases, right=joint,
    laws=[
        Law("a point of the axis does not advance along the axis by pitch times q", point_and_advance),
        Law("S is not the twist with which the body moves: seen from where the body was, it has changed", own_twist),
        Law("the joint does not move its body as a screw does", None),
    ],
    mistakes=[
        Mistake("pitch_forgotten", "The pitch is missing: this is a hinge.", lambda n: joint({**n, "pitch": 0.0})),
        Mistake("pitch_per_turn", "The pitch was divided by 2 pi: it is given in metres per radian, not per turn.",
                lambda n: joint({**n, "pitch": n["pitch"] / (2 * math.pi)})),
        Mistake("pitch_times_turn", "The pitch was multiplied by 2 pi.", lambda n: joint({**n, "pitch": n["pitch"] * 2 * math.pi})),
        Mistake("pitch_sign", "The nut advances the opposite way: this is a left-handed thread.", lambda n: joint({**n, "pitch": -n["pitch"]})),
        Mistake("moment_sign", "The moment of the axis has the wrong sign: it is c x a.", with_screw(lambda n: screw(n, moment=-1.0))),
        Mistake("through_the_origin", "The axis was taken to pass through the origin of the body's frame.", with_screw(lambda n: screw(n, moment=0.0))),
        Mistake("screw_in_the_parent", "S was returned in the parent's frame.",
                lambda n: stacked(joint(n)[:16], screws.Ad(n["M"]) @ screw(n))),
        Mistake("screw_without_pitch", "The pose is right, but the pitch is missing in S.", lambda n: stacked(joint(n)[:16], screw(n, pitch=0.0))),
        Mistake("pose_without_pitch", "S is right, but the pose does not advance.",
                lambda n: joint(n, T=unstacked(joint({**n, "pitch": 0.0}))[0])),
        Mistake("order", "The motion was multiplied from the left: S is in the body's frame, so M comes first.",
                lambda n: joint(n, T=screws.exp(screw(n), n["q"]) @ n["M"])),
        Mistake("place_forgotten", "M is missing: the pose at q = 0 is not the identity.", lambda n: joint(n, T=screws.exp(screw(n), n["q"]))),
        Mistake("turned_back", "The joint moves the opposite way.", lambda n: joint(n, q=-n["q"])),
        Mistake("multiplied_by_q", "S q was returned instead of S.", lambda n: stacked(joint(n)[:16], screw(n) * n["q"])),
        Mistake("linear_first", "The halves of S are exchanged: the angular half comes first.",
                lambda n: stacked(joint(n)[:16], np.roll(screw(n), 3))),
    ],
)  # fmt: skip
