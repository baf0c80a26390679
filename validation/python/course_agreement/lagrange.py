"""What the module returns for the numbers of chapter 09."""
from math import pi, radians, sqrt

import numpy as np

import articulate as a

X, Y, Z = np.eye(3)


def chain(axes, points, weights):
    """Hinges whose places, and weights, are given in the base at x = 0; weights are (mass, place) or None."""
    links, joints, parent, origin = [a.Link("base")], [], "base", np.zeros(3)
    for k, (axis, point, weight) in enumerate(zip(axes, points, weights), 1):
        mass, place = weight or (0.0, point)
        links.append(a.Link(f"link{k}", mass, np.array(place) - point, np.zeros((3, 3))))
        joints.append(a.Joint(f"hinge{k}", "continuous", parent, f"link{k}", position=np.array(point) - origin, axis=axis))
        parent, origin = f"link{k}", np.array(point)
    return a.Model(a.Mechanism("chain", links=links, joints=joints, gravity=[0.0, 0.0, 0.0]))


def twist(V):
    V = np.array(V)
    return V[:3], V[3:]


def screws(n):
    model = chain([Z, np.array(n["d2"]) / n["length"]], [n["p1"], n["p2"]], [None, (1.0, n["p2"])])
    x = [radians(n["x1"]), 0.3]
    system = a.ScrewSystem(model)
    J1, J2 = system.A[0], a.Ad(system.displacement(0, x), system.A[1])
    (w, v), (bw, bv) = twist(J2), twist(a.ad(J1, J2))
    return {"w": w, "v": v, "bracket_w": bw, "bracket_v": bv}


def skew(n):
    return chain([Z, X], [np.zeros(3), n["p"]], [(n["m1"], n["r1"]), (n["m2"], n["r2"])])


def entries(n):
    M = a.mass_matrix(skew(n), [0.0, 0.0])
    return {"m11": M[0, 0], "m12": M[0, 1], "m22": M[1, 1]}


def coriolis(n):
    model = skew(n)
    metric = a.InertiaMetric(model)
    metric([0.0, 0.0])
    tau = a.inverse_dynamics(model, [0.0, 0.0], [n["rate1"], n["rate2"]], [0.0, 0.0])
    return {"h": metric.dm(0, 0, 1) / 2, "e": metric.dm(0, 1, 1), "tau": tau}


def symbols(n):
    metric = a.InertiaMetric(chain([Z, X, Y], [np.zeros(3), n["p2"], n["p3"]], [None, None, (n["m"], n["r"])]))
    metric(np.zeros(3))
    return {f"g{i}{j}{k}": metric.christoffel(i - 1, j - 1, k - 1) for i, j, k in ((1, 2, 3), (1, 3, 2), (2, 3, 1))}


def bars(n):
    def rod(m, l):
        return {"mass": m, "center_of_mass": [l / 2, 0, 0], "inertia": m * l**2 / 12 * np.diag([1e-9, 1, 1])}
    links = [a.Link("table"), a.Link("first", **rod(n["m1"], n["l1"])), a.Link("second", **rod(n["m2"], n["l2"]))]
    joints = [a.Joint("shoulder", "continuous", "table", "first", axis=Z),
              a.Joint("elbow", "continuous", "first", "second", position=[n["l1"], 0, 0], axis=Z)]  # fmt: skip
    return a.Model(a.Mechanism("bars", links=links, joints=joints, gravity=[0.0, 0.0, 0.0]))


def curvature(n):
    """The time from the accelerations linearised at the stretched arm that turns: its elbow oscillates."""
    model = bars(n)
    metric = a.InertiaMetric(model)
    metric([0.0, radians(n["q2"])])
    K = a.Curvature(metric).sectional([1.0, 0.0], [0.0, 1.0])
    by_q, by_qd, _ = a.forward_dynamics_jacobians(model, [0.0, 0.0], [n["rate"], 0.0], [0.0, 0.0])
    np.testing.assert_allclose(by_qd, 0.0, atol=1e-12)  # h and e are zero there
    return {"K": K, "t": pi / 2 / sqrt(-by_q[1, 1])}


AGREEMENT = {
    "screws_of_a_photograph": screws,
    "three_entries": entries,
    "two_numbers_of_coriolis": coriolis,
    "symbols_of_three_hinges": symbols,
    "where_neighbours_meet": curvature,
}
