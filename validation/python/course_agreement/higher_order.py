"""What the module returns for the numbers of chapter 12."""
from math import radians

import numpy as np

import articulate as a

X, Y, Z = np.eye(3)


def model(links, joints, gravity=(0.0, -9.81, 0.0)):
    return a.Model(a.Mechanism("machine", links=links, joints=joints, gravity=gravity))


def derivatives_of_forces(machine, q, qd, qdd):
    """A row for each degree, a column for each order."""
    qdd = np.array(qdd, dtype=float)
    return a.HigherOrderDynamics.inverse(machine, qdd.shape[1] - 1)(q, qd, qdd, 0 * qdd)[1]


def pendulum(n):
    """Along -y at zero, with a point mass."""
    bob = a.Link("bob", n["m"], center_of_mass=[0, -n["l"], 0])
    machine = model([a.Link("ceiling"), bob], [a.Joint("hinge", "continuous", "ceiling", "bob", axis=Z)])
    tau, first, second = derivatives_of_forces(machine, [radians(n["q"])], [n["r"]], [[n["a"], n["j"], n["s"]]])[0]
    return {"tau_rate": first, "tau_second": second, "told": tau + n["T"] * first, "motor": n["a"] + second / n["k"]}


def painted(n):
    """The body's pose as a function of time, from its twist, moves a screw that is constant in the body: Ad of three poses in a row."""
    axis = np.array(n["axis"]) / n["length"]
    S = np.r_[axis, np.cross(n["y"], axis)]
    C, first, second = a.pose_derivatives(a.SE3(), [[*n["w"], *n["v"]], [*n["w_rate"], *n["v_rate"]]])
    # hat(S) moves as C hat(S) C^-1, and the derivatives of C^-1 follow from C C^-1 = 1
    hat = np.array(a.hat(a.to_twist(S)))
    back = -first
    back_second = 2 * first @ first - second
    rate = first @ hat + hat @ back
    second_rate = second @ hat + 2 * first @ hat @ back + hat @ back_second
    (w1, v1), (w2, v2) = (((x[2, 1], x[0, 2], x[1, 0]), x[:3, 3]) for x in (rate, second_rate))
    return {"direction_rate": w1, "moment_rate": v1, "direction_second": w2, "moment_second": v2}


def to_spatial(n):
    C = a.SE3(a.exp(radians(n["a"]) * Z) * a.exp(radians(n["b"]) * X), n["p"])
    _, first, second = a.to_spatial(C, [[*n[f"w{order}"], *n[f"v{order}"]] for order in ("", "_rate", "_second")])
    return {"w_rate_spatial": first[:3], "v_rate_spatial": first[3:], "w_second_spatial": second[:3], "v_second_spatial": second[3:]}


def flat(n):
    """A free body with its z axis along the thrust must need no force across it, now and a moment later."""
    body = a.Link("drone", n["m"], inertia=np.eye(3))
    machine = model([a.Link("world"), body], [a.Joint("free", "floating", "world", "drone")], (0.0, 0.0, -9.81))
    push = np.array(n["a"]) + [0, 0, 9.81]
    turn = np.cross(Z, push)
    R = a.exp(np.arctan2(np.linalg.norm(turn), push[2]) * turn / np.linalg.norm(turn))
    q, axes = [0, 0, 0, *a.quaternion(R)], np.array(R.R)
    acceleration, jerk = axes.T @ n["a"], axes.T @ n["j"]

    def force_and_rate(w):
        """At this moment the body twist has no linear half: the velocity does not matter."""
        w = np.array(w)
        qdd = np.column_stack([np.r_[0, 0, 0, acceleration], np.r_[0, 0, 0, jerk - 2 * np.cross(w, acceleration)]])
        return derivatives_of_forces(machine, q, [*w, 0, 0, 0], qdd)[3:]

    across = [force_and_rate(w)[:2, 1] for w in ((0, 0, n["spin"]), (1, 0, n["spin"]), (0, 1, n["spin"]))]
    wx, wy = np.linalg.solve(np.column_stack([across[1] - across[0], across[2] - across[0]]), -across[0])
    found = force_and_rate([wx, wy, n["spin"]])
    return {"thrust": found[2, 0], "thrust_rate": found[2, 1], "w": axes @ [wx, wy, n["spin"]]}


def rod(m, l):
    return {"mass": m, "center_of_mass": [l / 2, 0, 0], "inertia": m * l**2 / 12 * np.diag([1e-9, 1, 1])}


def two_bars(n):
    links = [a.Link("wall"), a.Link("first", **rod(n["m1"], n["l1"])), a.Link("second", **rod(n["m2"], n["l2"]))]
    joints = [a.Joint("shoulder", "continuous", "wall", "first", axis=Z),
              a.Joint("elbow", "continuous", "first", "second", position=[n["l1"], 0, 0], axis=Z)]  # fmt: skip
    return model(links, joints), np.radians([n["q1"], n["q2"]]), [n["r1"], n["r2"]]


def torque_rates(n):
    rates = derivatives_of_forces(*two_bars(n), [[n["a1"], n["j1"]], [n["a2"], n["j2"]]])[:, 1]
    return {"shoulder": rates[0], "elbow": rates[1]}


def what_follows(n):
    machine, q, qd = two_bars(n)
    motion = a.HigherOrderDynamics.forward(machine, 1)(q, qd, np.zeros((2, 2)), np.array([[n["t1"], n["u1"]], [n["t2"], n["u2"]]]))[0]
    return {"qdd": motion[:, 0], "jerk": motion[:, 1]}


AGREEMENT = {
    "motor_that_lags": pendulum,
    "hinge_that_is_carried": painted,
    "jerk_of_the_base": to_spatial,
    "drone_that_plans": flat,
    "torques_that_change": torque_rates,
    "which_jerk_follows": what_follows,
}
