"""The inertia of a body in another frame."""
import numpy as np

from ..mistakes import Mistake
from ..vectors import skew
from . import robots, screws
from .program import Case, Law, Program


def cases(source):
    found = []
    for name, bodies in (("ur5", (2, 4)), ("forked_arm", (3,)), ("puma560", (5,)), ("tree:3x4", (7,))):
        robot, *_ = robots.drawn(name, source)
        for i in bodies:
            I = robot.I[i - 1]
            mass, moment = float(I[3, 3]), I[:3, 3:]
            c = np.array([moment[2, 1], moment[0, 2], moment[1, 0]]) / mass
            about = I[:3, :3] + mass * skew(c) @ skew(c)
            numbers = {"T": robots.drawn_pose(source), "mass": mass, "center": c, "about_center": (about + about.T) / 2}
            found.append(Case(f"{name}, body {i}", numbers))
    return found


def moved(n, R=None, center=None, J=None, steiner=1.0, coupling=1.0):
    """With any of its parts replaced."""
    R = n["T"][:3, :3] if R is None else R
    c = R @ n["center"] + n["T"][:3, 3] if center is None else center
    J = R @ n["about_center"] @ R.T if J is None else J
    I = np.zeros((6, 6))
    I[:3, :3] = J - steiner * n["mass"] * skew(c) @ skew(c)
    I[:3, 3:], I[3:, :3] = coupling * n["mass"] * skew(c), -coupling * n["mass"] * skew(c)
    I[3:, 3:] = n["mass"] * np.eye(3)
    return I


def body_6(n):
    return screws.inertia(n["mass"], n["center"], n["about_center"])


def back(n):
    return {**n, "T": screws.inverse(n["T"])}


def energy(n, I):
    """Of a motion, by the inertia asked for, and by the body's own: their relative difference."""
    V = np.array([0.7, -0.4, 1.1, 0.5, 0.9, -0.8])
    own = screws.Ad(screws.inverse(n["T"])) @ V
    return abs(V @ I @ V / (own @ body_6(n) @ own) - 1)


EXERCISE = Program(
    name="move_inertia", chapter="body", stars=2, title="The inertia of a body in another frame",
    text=r"""A body has the mass \f$m\f$, its centre of mass at \f$c\f$ and the rotational inertia \f$J\f$ about its centre of mass, all in its own
frame. The pose of that frame in another one is \f$T = (R, p)\f$. Return the 6 x 6 matrix \f$\mathcal I\f$ of the same body in the other
frame, about its origin, so that \f$\tfrac12V^{\T}\mathcal IV\f$ is the kinetic energy for a twist \f$V = (w, v)\f$ that is given there.""",
    hints=["Where is the centre of mass in the other frame? Then turn J, and use Steiner's theorem.",
           "A check: the energy must be that of the twist Ad(T^-1) V with the inertia of the body's own frame."],
    declaration="Matrix6 move_inertia(const Matrix4& T, double mass, const Vector3& center, const Matrix3& about_center)",
    cases=cases, right=moved,
    laws=[
        Law("the matrix is not symmetric", lambda n, I: np.abs(I - I.T).max() / np.abs(I).max()),
        Law("the mass is not on the diagonal of the linear block", lambda n, I: np.abs(I[3:, 3:] / n["mass"] - np.eye(3)).max()),
        Law("the kinetic energy of a motion depends on the frame in which it is seen", energy),
        Law("the inertia is not that of the body", None),
    ],
    mistakes=[
        Mistake("not_turned", "The rotational inertia was not turned, nor the centre of mass.", lambda n: moved(n, R=np.eye(3))),
        Mistake("J_not_turned", "The centre of mass was carried, but the rotational inertia was not turned.", lambda n: moved(n, J=n["about_center"])),
        Mistake("turned_back", "Both were turned with the transpose of R.", lambda n: moved(n, R=n["T"][:3, :3].T)),
        Mistake("J_turned_back", "The rotational inertia was turned by R^T J R instead of R J R^T.",
                lambda n: moved(n, J=n["T"][:3, :3].T @ n["about_center"] @ n["T"][:3, :3])),
        Mistake("steiner_forgotten", "Steiner's term is missing: J is about the centre of mass, not the origin.", lambda n: moved(n, steiner=0.0)),
        Mistake("steiner_sign", "Steiner's term has the wrong sign: the rotational inertia is least about the centre of mass.",
                lambda n: moved(n, steiner=-1.0)),
        Mistake("place_forgotten", "The matrix is about the origin of the body's frame: p is missing in the centre of mass.",
                lambda n: moved(n, center=n["T"][:3, :3] @ n["center"])),
        Mistake("center_forgotten", "The centre of mass was taken to be at the origin of the body's frame.", lambda n: moved(n, center=n["T"][:3, 3])),
        Mistake("center_not_turned", "The centre of mass c was added to p without being turned.", lambda n: moved(n, center=n["center"] + n["T"][:3, 3])),
        Mistake("coupling_sign", "The blocks m [c] have the wrong sign, or have changed places.", lambda n: moved(n, coupling=-1.0)),
        Mistake("coupling_forgotten", "The blocks that couple both halves are missing.", lambda n: moved(n, coupling=0.0)),
        Mistake("pose_inverted", "The pose was used in the opposite sense.", lambda n: moved(back(n))),
        Mistake("wrong_side", "Ad and its transpose are exchanged: Ad^T I Ad has the transpose on the left.",
                lambda n: screws.Ad(screws.inverse(n["T"])) @ body_6(n) @ screws.Ad(screws.inverse(n["T"])).T),
        Mistake("similar_not_congruent", "The matrix was changed as a map from twists to twists, Ad I Ad^-1: it takes twists to wrenches.",
                lambda n: screws.Ad(n["T"]) @ body_6(n) @ screws.Ad(screws.inverse(n["T"]))),
        Mistake("linear_first", "The halves are exchanged: the angular half comes first.",
                lambda n: np.roll(moved(n), (3, 3), (0, 1))),
    ],
)  # fmt: skip
