"""What the module returns for the numbers of chapter 05."""
from math import radians

import numpy as np

import articulate as a

X, Y, Z = np.eye(3)


def rod(m, l):
    return {"mass": m, "center_of_mass": [l / 2, 0, 0], "inertia": m * l**2 / 12 * np.diag([1e-9, 1, 1])}


def model(links, joints, gravity=(0.0, 0.0, 0.0)):
    return a.Model(a.Mechanism("machine", links=links, joints=joints, gravity=gravity))


def felt(n):
    """The pivot of a slide that carries the hinge, across and along the rod."""

    def through_a_slide_along(axis):
        links = [a.Link("world"), a.Link("hand"), a.Link("rod", **rod(n["rod"], n["length"])), a.Link("load", n["load"])]
        joints = [a.Joint("slide", "prismatic", "world", "hand", axis=axis), a.Joint("hinge", "continuous", "hand", "rod", axis=Z),
                  a.Joint("glue", "fixed", "rod", "load", position=[n["at"], 0, 0])]  # fmt: skip
        return a.forward_dynamics(model(links, joints), [0, 0], [0, 0], [1, 0])[0]

    return {"across": 1 / through_a_slide_along(Y), "along": 1 / through_a_slide_along(X)}


def ramp(n):
    slope = radians(n["slope"])
    links = [a.Link("world"), a.Link("large", n["large"]), a.Link("small", n["small"])]
    joints = [a.Joint("free", "floating", "world", "large"),
              a.Joint("slide", "prismatic", "large", "small", axis=np.cos(slope) * X + np.sin(slope) * Y)]  # fmt: skip
    links[1].inertia = np.eye(3)
    sweeps = a.ForwardDynamics(model(links, joints))
    sweeps([0, 0, 0, 0, 0, 0, 1, 0], np.zeros(7), [0] * 6 + [n["push"]])
    return {"I": np.array(sweeps.I_hat[1])[3:5, 3:5], "B": np.array(sweeps.B_hat[1])[3:5]}


def gives_way(n):
    """A free parent whose frame coincides with that of the bar, and which turns slower by the rate of the hinge."""
    links = [a.Link("world"), a.Link("parent", 1.0, inertia=np.eye(3)), a.Link("bar", **rod(n["mass"], n["length"]))]
    joints = [a.Joint("free", "floating", "world", "parent"), a.Joint("hinge", "continuous", "parent", "bar", axis=Z)]
    sweeps = a.ForwardDynamics(model(links, joints))
    V = a.Twist([0, 0, n["w"] - n["rate"]], [*n["v"], 0])
    sweeps([0, 0, 0, 0, 0, 0, 1, 0], [*np.array(V), n["rate"]], [0] * 6 + [n["tau"]])
    own = np.array(a.newton_euler(a.Inertia.about_center_of_mass(1.0, [0, 0, 0], np.eye(3)), V, a.Twist([0, 0, 0], [0, 0, 0])))
    return {"eta": np.array(sweeps.eta[2])[3:5], "beta": (np.array(sweeps.B_hat[1]) - own)[3:5]}


def motion(n):
    links = [a.Link("wall"), a.Link("first", **rod(n["m1"], n["l1"])), a.Link("second", **rod(n["m2"], n["l2"]))]
    joints = [a.Joint("shoulder", "continuous", "wall", "first", axis=Z),
              a.Joint("elbow", "continuous", "first", "second", position=[n["l1"], 0, 0], axis=Z)]  # fmt: skip
    bars = model(links, joints, [0.0, -9.81, 0.0])
    return {"qdd": a.forward_dynamics(bars, np.radians([n["q1"], n["q2"]]), [n["r1"], n["r2"]], [n["t1"], n["t2"]])}


def three_slides(n):
    """A machine with this mass matrix: three slides in a row, whose masses and angles between their axes make it."""
    masses = [n["M11"] - n["M22"], n["M22"] - n["M33"], n["M33"]]
    cosines = np.array([[1, n["M12"] / n["M22"], n["M13"] / n["M33"]], [0, 1, n["M23"] / n["M33"]], [0, 0, 1]])
    axes = np.linalg.cholesky(cosines + cosines.T - np.eye(3))
    links = [a.Link("link0")] + [a.Link(f"link{k}", m) for k, m in enumerate(masses, 1)]
    joints = [a.Joint(f"slide{k}", "prismatic", f"link{k - 1}", f"link{k}", axis=axis) for k, axis in enumerate(axes, 1)]
    return model(links, joints)


def pivots(n):
    machine = three_slides(n)
    sweeps = a.ForwardDynamics(machine)
    sweeps(np.zeros(3), np.zeros(3), np.zeros(3))
    return {"pivots": [np.ravel(sweeps.pivot[k])[0] for k in (1, 2, 3)], "mobility": a.inverse_mass_matrix(machine, np.zeros(3))[2, 2]}


AGREEMENT = {
    "felt_through_a_hinge": felt,
    "block_with_a_ramp": ramp,
    "a_joint_gives_way": gives_way,
    "which_way_it_moves": motion,
    "pivots_of_three_joints": pivots,
}
