"""What the module returns for the numbers of chapter 04."""
from math import radians

import numpy as np

import articulate as a

X, Y, Z = np.eye(3)


def two_bars(n, load=0.0):
    """Two thin rods, and a point mass that is fixed to the end of the second."""
    def rod(m, l):
        return {"mass": m, "center_of_mass": [l / 2, 0, 0], "inertia": m * l**2 / 12 * np.diag([1e-9, 1, 1])}
    links = [a.Link("wall"), a.Link("first", **rod(n["m1"], n["l1"])), a.Link("second", **rod(n["m2"], n["l2"]))]
    joints = [a.Joint("shoulder", "continuous", "wall", "first", axis=Z),
              a.Joint("elbow", "continuous", "first", "second", position=[n["l1"], 0, 0], axis=Z)]  # fmt: skip
    if load:
        links.append(a.Link("load", load))
        joints.append(a.Joint("grip", "fixed", "second", "load", position=[n["l2"], 0, 0]))
    return a.Model(a.Mechanism("bars", links=links, joints=joints, gravity=[0.0, -9.81, 0.0]))


def position(n):
    return np.radians([n["q1"], n["q2"]])


def shoulder_and_elbow(tau):
    return dict(zip(("shoulder", "elbow"), tau))


def holding(n):
    return shoulder_and_elbow(a.inverse_dynamics(two_bars(n, n["load"]), position(n), np.zeros(2), np.zeros(2)))


def swing(n):
    return shoulder_and_elbow(a.inverse_dynamics(two_bars(n), position(n), [n["r1"], n["r2"]], [n["a1"], n["a2"]]))


def free_parent(n):
    """A parent that moves as it likes, and carries a hinge."""
    links = [a.Link("world"), a.Link("parent", 1.0, inertia=np.eye(3)), a.Link("child", 1.0, inertia=np.eye(3))]
    joints = [a.Joint("free", "floating", "world", "parent"), a.Joint("hinge", "continuous", "parent", "child", position=n["p"], axis=Z)]
    return a.Model(a.Mechanism("two", links=links, joints=joints, gravity=[0.0, 0.0, 0.0]))


def outward(n):
    sweep = a.InverseDynamics(free_parent(n))
    sweep([0, 0, 0, 0, 0, 0, 1, radians(n["q"])], [*n["w"], *n["v"], n["rate"]], [*n["w_rate"], *n["v_rate"], n["acceleration"]])
    Vdot = np.array(sweep.Vdot[2])
    return {"w_rate_child": Vdot[:3], "v_rate_child": Vdot[3:]}


def inward(n):
    """At rest, with minus the wrenches that the bodies need as further external ones."""
    sweep = a.InverseDynamics(free_parent(n))
    on_parent = np.r_[n["mx"], n["fx"]] - np.r_[n["ma"], n["fa"]]
    outside = {"parent": on_parent, "child": -np.r_[n["mk"], n["fk"]]}
    sweep([0, 0, 0, 0, 0, 0, 1, radians(n["q"])], np.zeros(7), np.zeros(7), outside)
    F = np.array(sweep.F[1])
    return {"m": F[:3], "f": F[3:], "tau": F[2]}


def accelerations(n):
    """A free link, whose accelerations the module has in each frame."""
    links = [a.Link("world"), a.Link("link", 1.0, inertia=np.eye(3))]
    model = a.Model(a.Mechanism("one", links=links, joints=[a.Joint("free", "floating", "world", "link")], gravity=[0.0, 0.0, 0.0]))
    R = a.exp(radians(n["a"]) * Z) * a.exp(radians(n["b"]) * X)
    q, qd, qdd = [*n["p"], *a.quaternion(R)], [*n["w"], *n["v"]], np.r_[n["w_rate"], n["v_rate"]]
    at = a.ForwardKinematics(model)
    at(q, qd)
    world, mixed = (at.link_jacobian("link", frame) @ qdd + np.array(at.link_bias_acceleration("link", frame))
                    for frame in ("world", "mixed"))  # fmt: skip
    return {"spatial": world[3:], "classical": mixed[3:]}


AGREEMENT = {
    "holding_a_load": holding,
    "torques_of_a_swing": swing,
    "one_step_outward": outward,
    "one_step_inward": inward,
    "two_accelerations": accelerations,
}
