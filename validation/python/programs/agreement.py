"""What the module `articulate` computes from the numbers of a case, in the shape of the answer; it shares no line with the exercises."""
import numpy as np

import articulate as a


def pose(T):
    return a.SE3(a.SO3(T[:3, :3]), T[:3, 3])


def twist(S):
    return a.Twist(S[:3], S[3:])


def exp_twist(n):
    return a.exp(twist(n["S"] * n["q"])).matrix()


def dexp_inverse(n):
    """By six columns of dexp, solved."""
    columns = [a.coordinates(a.dexp(twist(n["S"]), twist(e))) for e in np.eye(6)]
    return np.linalg.solve(np.array(columns).T, n["X"])


def move_inertia(n):
    """Column by column: a twist is carried to the body, and its momentum back."""
    c = n["center"]
    about_origin = n["about_center"] + n["mass"] * (c @ c * np.eye(3) - np.outer(c, c))
    I, T = a.Inertia(n["mass"], n["mass"] * c, about_origin), pose(n["T"])
    return np.array([a.coordinates(a.coAdInv(T, I * a.AdInv(T, twist(e)))) for e in np.eye(6)]).T


def carry_velocity(n):
    return a.coordinates(a.AdInv(pose(n["T"]), twist(n["V_parent"]))) + n["S"] * n["qd"]


def helical_joint(n):
    """The screw of an axis through the origin, moved to the point."""
    there = a.SE3(a.SO3(), n["point"])
    screw = a.Ad(there, a.Twist(n["axis"], n["pitch"] * n["axis"]))
    return np.concatenate([(pose(n["M"]) * a.exp(screw, n["q"])).matrix().ravel(), a.coordinates(screw)])


def racket(I):
    """A body with this inertia about its origin, which a ball joint holds."""
    inertia = " ".join(f"{x:.17g}" for x in (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]))
    return a.Model.parse(
        '<mujoco><compiler angle="radian"/><worldbody><body name="racket"><joint name="held" type="ball"/>'
        f'<inertial pos="0 0 0" mass="1" fullinertia="{inertia}"/></body></worldbody></mujoco>'
    )


def variational_steps(n):
    integrator = a.VariationalIntegrator(racket(n["I"]))
    q, w = np.array([0, 0, 0, 1.0]), n["w"]
    for _ in range(int(n["steps"])):
        q, w = integrator.step(q, w, n["h"])
    return w


AGREEMENT = {f.__name__: f for f in (exp_twist, dexp_inverse, move_inertia, carry_velocity, helical_joint, variational_steps)}
