"""The twist of a body from that of its parent."""
import numpy as np

from ..mistakes import Mistake
from ..vectors import cross
from . import robots, screws
from .program import Case, Law, Program


def cases(source):
    found = []
    for name, bodies in (("ur5", (1, 3, 6)), ("screw_arm", (1, 2, 4)), ("forked_arm", (5,))):
        robot, q, qd, _ = robots.drawn(name, source)
        T = robot.poses(q)
        for i in bodies:
            V_parent = np.array(source.vector(0.2, 1.9, 4, 6))
            numbers = {"T": T[i - 1], "V_parent": V_parent, "S": robot.S[i - 1], "qd": float(qd[i - 1])}
            found.append(Case(f"{name}, body {i}", numbers))
    return found


def carried(n, A=lambda T: screws.Ad(screws.inverse(T)), joint=lambda n: n["S"] * n["qd"]):
    return A(n["T"]) @ n["V_parent"] + joint(n)


def by_parts(linear):
    """The twist with the angular half right, and the linear half of the parent's as this makes it from R, p, w, v."""

    def answer(n):
        R, p, V = n["T"][:3, :3], n["T"][:3, 3], n["V_parent"]
        return np.concatenate([R.T @ V[:3], linear(R, p, V[:3], V[3:])]) + n["S"] * n["qd"]

    return answer


EXERCISE = Program(
    name="carry_velocity", chapter="model", stars=1, title="Carry a twist from parent to child",
    text=r"""Write the step that every recursion of this book begins with. The joint places its body in the parent's frame by the pose
\f$T\f$, and moves it with the screw \f$S\f$, given in the body's frame, at the rate \f$\dot q\f$. The parent moves with the twist
\f$V_\lambda\f$, in the parent's frame. Return the twist of the body in its own frame,
\f[ V = \Ad_{T^{-1}}V_\lambda + S\,\dot q . \f]""",
    hints=["Where is a velocity seen from? The child looks at the parent's twist, and `T` leads from the parent to the child.",
           "A twist with angular part w moves the point p of the parent's frame with v + w x p. Then turn both halves."],
    declaration="Vector6 carry_velocity(const Matrix4& T, const Vector6& V_parent, const Vector6& S, double qd)",
    cases=cases, right=carried,
    laws=[
        Law("the body does not turn as fast as its parent, apart from its joint",
            lambda n, V: abs(np.linalg.norm(V[:3] - n["S"][:3] * n["qd"]) / np.linalg.norm(n["V_parent"][:3]) - 1)),
        Law("the twist of the parent has not kept its pitch w . v, apart from the joint",
            lambda n, V: abs((V - n["S"] * n["qd"])[:3] @ (V - n["S"] * n["qd"])[3:] - n["V_parent"][:3] @ n["V_parent"][3:])),
        Law("the twist of the body is not what Ad(T^-1) carries, and the joint adds", None),
    ],
    mistakes=[
        Mistake("not_inverted", "The twist was carried with Ad(T), which leads from the child to the parent: the inverse is needed.",
                lambda n: carried(n, screws.Ad)),
        Mistake("lever_forgotten", "Both halves were only turned: the origins of the two frames move differently.",
                by_parts(lambda R, p, w, v: R.T @ v)),
        Mistake("lever_sign", "The velocity w x p of the child's origin has the wrong sign.",
                by_parts(lambda R, p, w, v: R.T @ (v - cross(w, p)))),
        Mistake("lever_not_turned", "The velocity of the child's origin is added in the parent's frame: turn it, too.",
                by_parts(lambda R, p, w, v: R.T @ v + cross(w, p))),
        Mistake("lever_after_turn", "The lever p is in the parent's frame, but it met the angular velocity in the child's.",
                by_parts(lambda R, p, w, v: R.T @ v - cross(p, R.T @ w))),
        Mistake("rotation_not_transposed", "Vectors were turned with R, which leads from the child to the parent: use its transpose.",
                lambda n: np.concatenate([n["T"][:3, :3] @ n["V_parent"][:3],
                                          n["T"][:3, :3] @ (n["V_parent"][3:] + cross(n["V_parent"][:3], n["T"][:3, 3]))])
                + n["S"] * n["qd"]),
        Mistake("joint_forgotten", "The joint's own motion S qd is missing.", lambda n: carried(n, joint=lambda n: 0.0)),
        Mistake("rate_forgotten", "The screw S was added without its rate qd.", lambda n: carried(n, joint=lambda n: n["S"])),
        Mistake("joint_subtracted", "The joint's motion S qd was subtracted.", lambda n: carried(n, joint=lambda n: -n["S"] * n["qd"])),
        Mistake("joint_carried", "S is in the body's frame already: S qd must not be carried.",
                lambda n: screws.Ad(screws.inverse(n["T"])) @ (n["V_parent"] + n["S"] * n["qd"])),
        Mistake("carried_as_wrench", "The twist was carried as if it were a wrench: the lever acts on the wrong half.",
                lambda n: screws.Ad(n["T"]).T @ n["V_parent"] + n["S"] * n["qd"]),
        Mistake("linear_first", "The halves are exchanged: the angular half of a twist comes first.",
                lambda n: carried({**n, "V_parent": np.roll(n["V_parent"], 3)}, joint=lambda n: 0.0) + n["S"] * n["qd"]),
    ],
)  # fmt: skip
