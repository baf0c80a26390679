"""What the module returns for the numbers of chapter 08."""
from math import radians

import numpy as np

import articulate as a

X, Y, Z = np.eye(3)


def rod(m, l):
    return {"mass": m, "center_of_mass": [l / 2, 0, 0], "inertia": m * l**2 / 12 * np.diag([1e-9, 1, 1])}


def bars(n):
    links = [a.Link("wall"), a.Link("first", **rod(n["m1"], n["l1"])), a.Link("second", **rod(n["m2"], n["l2"]))]
    joints = [a.Joint("shoulder", "continuous", "wall", "first", axis=Z),
              a.Joint("elbow", "continuous", "first", "second", position=[n["l1"], 0, 0], axis=Z)]  # fmt: skip
    return a.Model(a.Mechanism("bars", links=links, joints=joints, gravity=[0.0, -9.81, 0.0]))


def position(n):
    return np.radians([n["q1"], n["q2"]])


def stiffness(n):
    return {"K": a.inverse_dynamics_jacobians(bars(n), position(n), [0, 0], [0, 0])[0]}


def by_rates(n):
    return {"D": a.inverse_dynamics_jacobians(bars(n), position(n), [n["r1"], n["r2"]], [0.7, -0.4])[1]}


def displaced(n):
    links = [a.Link("world"), a.Link("parent", 1.0, inertia=np.eye(3)), a.Link("child", 1.0, inertia=np.eye(3))]
    joints = [a.Joint("free", "floating", "world", "parent"), a.Joint("hinge", "continuous", "parent", "child", position=n["p"], axis=Z)]
    model = a.Model(a.Mechanism("two", links=links, joints=joints, gravity=[0.0, 0.0, 0.0]))
    state = [0, 0, 0, 0, 0, 0, 1, radians(n["q"])], [*n["w"], *n["v"], n["rate"]], [*n["w_rate"], *n["v_rate"], 0.0]
    V, Vdot, _ = (column[:, 6] for column in a.link_motion_jacobians(model, "child", *state))
    return {"dw": V[:3], "dv": V[3:], "dw_rate": Vdot[:3], "dv_rate": Vdot[3:]}


def bearing(n):
    model = bars(n)
    # It moves along the axes of the joint's own frame at q = 0, which here are those of the first bar
    out = a.Parameter.placement_before(2, 3)
    shoulder, elbow = a.inverse_dynamics_derivative(model, out, position(n), [n["r1"], n["r2"]], [n["a1"], n["a2"]])
    return {"shoulder": shoulder, "elbow": elbow}


def linearised(n):
    by_q, _, by_tau = a.forward_dynamics_jacobians(bars(n), position(n), [n["r1"], n["r2"]], [n["t1"], n["t2"]])
    return {"by_q": by_q, "by_tau": by_tau}


def hanging(n):
    by_q = a.forward_dynamics_jacobians(bars(n), [-np.pi / 2, 0.0], [0, 0], [0, 0])[0]
    slow, fast = np.sqrt(np.sort(-np.linalg.eigvals(by_q).real))
    return {"slow": slow, "fast": fast}


AGREEMENT = {
    "stiffness_of_gravity": stiffness,
    "torques_and_rates": by_rates,
    "one_step_of_table_five": displaced,
    "a_bearing_farther_out": bearing,
    "a_motion_linearised": linearised,
    "two_bars_that_hang": hanging,
}
