"""What the module returns for the numbers of chapter 07."""
from math import degrees, radians

import numpy as np

import articulate as a

X, Y, Z = np.eye(3)


def rod(m, l):
    return {"mass": m, "center_of_mass": [l / 2, 0, 0], "inertia": m * l**2 / 12 * np.diag([1e-9, 1, 1])}


def model(links, joints, gravity=(0.0, -9.81, 0.0)):
    return a.Model(a.Mechanism("machine", links=links, joints=joints, gravity=gravity))


def rope(n):
    """The cart moves along x and the weight downwards; the row is the difference of both."""
    links = [a.Link("table"), a.Link("cart", n["cart"]), a.Link("weight", n["weight"])]
    machine = model(links, [a.Joint("cart", "prismatic", "table", "cart", axis=X), a.Joint("weight", "prismatic", "table", "weight", axis=-Y)])
    A = [[-1.0, 1.0]]
    tau = [n["pull"], 0.0]
    cut = a.forward_dynamics(machine, [0, 0], [0, 0], tau)
    qdd, _, multiplier = a.ConstrainedDynamics(machine, [False] * 2, 1)([0, 0], [0, 0], [0, 0], tau, A, [0.0])
    return {"gap": cut[1] - cut[0], "mobility": a.mobility(machine, [0, 0], A)[0, 0], "tension": -multiplier[0], "a": qdd[0]}


def slider(n):
    """A slide at the height of the slot, pinned to the rod; the pin's rows decide what follows from the crank."""
    links = [a.Link("floor"), a.Link("crank", **rod(1.0, n["crank"])), a.Link("rod", **rod(1.0, n["rod"])), a.Link("slide", 1.0)]
    joints = [a.Joint("drive", "continuous", "floor", "crank", axis=Z), a.Joint("elbow", "continuous", "crank", "rod", position=[n["crank"], 0, 0], axis=Z),
              a.Joint("slot", "prismatic", "floor", "slide", position=[0, n["h"], 0], axis=X)]  # fmt: skip
    machine = model(links, joints)
    pin = a.cut_joint("pin", "revolute", a.LoopEnd("slide"), a.LoopEnd("rod", [n["rod"], 0, 0]))
    q = np.array(a.Assembly(machine, [pin], [True, False, False]).close([radians(n["q"]), -radians(n["q"]), n["rod"]]))
    loops = a.Loops(machine, [pin])
    loops(q, np.zeros(3))
    A = np.array(loops.A)
    qd = np.r_[n["rate"], -np.linalg.lstsq(A[:, 1:], A[:, 0] * n["rate"], rcond=None)[0]]
    loops(q, qd)
    qdd = -np.linalg.lstsq(A[:, 1:], loops.Adot_qd, rcond=None)[0]
    at = a.ForwardKinematics(machine)
    at(q, qd)
    tip = a.SE3(np.eye(3), [n["rod"], 0, 0])
    return {"elbow": degrees(q[1]), "rate": qd[1], "bias": np.array(at.link_bias_acceleration("rod", "mixed", tip))[4], "acceleration": qdd[0]}


def carried(n):
    def forces(tau, motors):
        return a.constrained_inverse_dynamics(n["tau_r"], tau, [n["A"]], motors)

    passive = forces([0, 0, n["spring"]], [True, True, False])
    return {"multiplier": passive.lambda_[0], "tau": passive.tau[:2], "least": forces([0, 0, 0], [True] * 3).tau}


def on_the_rail(n):
    """The bars, their state, and the row of the tip's height, from its Jacobian."""
    links = [a.Link("wall"), a.Link("first", **rod(n["m1"], n["l1"])), a.Link("second", **rod(n["m2"], n["l2"]))]
    joints = [a.Joint("shoulder", "continuous", "wall", "first", axis=Z),
              a.Joint("elbow", "continuous", "first", "second", position=[n["l1"], 0, 0], axis=Z)]  # fmt: skip
    machine, tip = model(links, joints), a.SE3(np.eye(3), [n["l2"], 0, 0])
    at, q = a.ForwardKinematics(machine), np.radians([n["q1"], n["q2"]])
    at(q, np.zeros(2))
    A = np.array(at.link_jacobian("second", "mixed", tip))[4:5]
    qd = [n["r1"], -A[0, 0] / A[0, 1] * n["r1"]]
    at(q, qd)
    return machine, q, qd, A, np.array(at.link_bias_acceleration("second", "mixed", tip))[4:5]


def released(n):
    machine, q, qd, A, Adot_qd = on_the_rail(n)
    qdd, _, multiplier = a.ConstrainedDynamics(machine, [False] * 2, 1)(q, qd, [0, 0], [0, 0], A, Adot_qd)
    return {"rail": multiplier[0], "qdd": qdd}


def driven(n):
    machine, q, qd, A, Adot_qd = on_the_rail(n)
    qdd, tau, multiplier = a.ConstrainedDynamics(machine, [True, False], 1)(q, qd, [n["a1"], 0], [0, 0], A, Adot_qd)
    return {"elbow": qdd[1], "rail": multiplier[0], "torque": tau[0]}


AGREEMENT = {
    "rope_over_a_pulley": rope,
    "crank_and_slider": slider,
    "who_carries_it": carried,
    "two_bars_on_a_rail": released,
    "driven_on_a_rail": driven,
}
