"""What the module returns for the numbers of chapter 10."""
from math import radians

import numpy as np

import articulate as a

X, Y, Z = np.eye(3)


def hinges(axes, body):
    """Hinges in one point, with a body behind the last one."""
    links = [a.Link("base"), *(a.Link(f"link{k}") for k in range(len(axes) - 1)), a.Link("body", **body)]
    joints = [a.Joint(f"hinge{k}", "continuous", links[k].name, links[k + 1].name, axis=axis) for k, axis in enumerate(axes)]
    return a.Model(a.Mechanism("hinges", links=links, joints=joints, gravity=[0.0, 0.0, 0.0]))


def one_number(n):
    """Two families on some chain of three hinges at these rates: all that they can differ in is a factor."""
    inertia = np.array([[0.7, 0.1, 0.05], [0.1, 0.6, -0.2], [0.05, -0.2, 0.4]])
    model = hinges([Z, X, [0.6, 0.0, 0.8]], {"mass": 1.7, "center_of_mass": [0.3, -0.2, 0.4], "inertia": inertia})
    q = [0.4, -0.7, 1.1]
    D = a.coriolis_matrix(model, q, n["rates"], "bracket") - a.coriolis_matrix(model, q, n["rates"], "momentum")
    D *= n["d12"] / D[0, 1]
    return {"d13": D[0, 2], "d23": D[1, 2], "torque": D @ n["reference"]}


def blocks(n):
    body = a.Inertia.about_center_of_mass(n["m"], n["r"], np.diag(n["moments"]))
    V, zero = a.Twist(n["w"], [0.0] * 3), [0.0] * 3

    def c(family):
        columns = [np.array(a.coriolis_wrench(body, V, a.Twist(e, zero), family))[:3] for e in np.eye(3)]
        block = np.column_stack(columns)
        np.testing.assert_allclose(block, -block.T, atol=1e-12)
        return [block[2, 1], block[0, 2], block[1, 0]]
    return {"ploen": c("ploen"), "points": c("christoffel")}


def moved(n):
    """The columns of the Jacobian are the directions with any linear halves, here those of hinges that meet in a point of the body."""
    axes = {k: np.array(n[f"a{k}"]) / n[f"n{k}"] for k in (1, 2, 3)}
    w = sum(n[f"r{k}"] * axes[k] for k in axes)
    where = np.array([0.2, -0.4, 0.1])  # of that point, from the centre of mass

    def entries(center):
        body = a.Inertia.about_center_of_mass(n["m"], center, np.diag([0.3, 0.4, 0.5]))
        at = np.array(center) + where
        columns = [a.Twist(axis, np.cross(at, axis)) for axis in axes.values()]
        V = a.Twist(w, np.cross(at, w))
        wrenches = [np.array(a.coriolis_wrench(body, V, column, "ploen")) for column in columns]
        return np.array([[np.array(left) @ right for right in wrenches] for left in columns])
    D = entries(n["db"]) - entries(n["da"])
    return {f"c{j}{k}": D[j - 1, k - 1] for j, k in ((1, 2), (1, 3), (2, 3))}


def fed(n):
    links = [a.Link("stand"), a.Link("camera", 1.0, inertia=np.diag(n["moments"]))]
    model = a.Model(a.Mechanism("camera", links=links, joints=[a.Joint("ball", "ball", "stand", "camera")], gravity=[0.0, 0.0, 0.0]))
    q, s = [0.1, 0.5, -0.5, 0.7], np.subtract(n["w"], n["reference"])
    q = np.array(q) / np.linalg.norm(q)
    balance, christoffel = (a.coriolis_product(model, q, n["w"], n["reference"], family) for family in ("newton_euler", "christoffel"))
    return {"balance": balance, "christoffel": christoffel, "power": -s @ a.coriolis_matrix(model, q, n["w"], "newton_euler") @ s}


def bars(n):
    def rod(m, l):
        return {"mass": m, "center_of_mass": [l / 2, 0, 0], "inertia": m * l**2 / 12 * np.diag([1e-9, 1, 1])}
    links = [a.Link("wall"), a.Link("first", **rod(n["m1"], n["l1"])), a.Link("second", **rod(n["m2"], n["l2"]))]
    joints = [a.Joint("shoulder", "continuous", "wall", "first", axis=Z),
              a.Joint("elbow", "continuous", "first", "second", position=[n["l1"], 0, 0], axis=Z)]  # fmt: skip
    return a.Model(a.Mechanism("bars", links=links, joints=joints, gravity=[0.0, -9.81, 0.0]))


def tracked(n):
    q, qd, plan = np.radians([n["q1"], n["q2"]]), np.array([n["r1"], n["r2"]]), np.array([n["d1"], n["d2"]])
    reference = plan - n["rate"] * np.array([radians(n["e1"]), radians(n["e2"])])
    wanted = np.array([n["a1"], n["a2"]]) - n["rate"] * (qd - plan)
    tau = a.reference_dynamics(bars(n), q, qd, reference, wanted, "bracket") - n["k"] * (qd - reference)
    return {"shoulder": tau[0], "elbow": tau[1]}


AGREEMENT = {
    "one_number_tells": one_number,
    "two_blocks_of_one_body": blocks,
    "two_drawings_of_one_body": moved,
    "what_a_controller_feeds": fed,
    "torques_of_a_controller": tracked,
}
