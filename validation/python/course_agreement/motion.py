"""What the module returns for the numbers of chapter 11."""
from math import radians

import numpy as np

import articulate as a

X, Y, Z = np.eye(3)


def rod(m, l):
    return {"mass": m, "center_of_mass": [l / 2, 0, 0], "inertia": m * l**2 / 12 * np.diag([1e-9, 1, 1])}


def step(n):
    links, hinge = [a.Link("wall"), a.Link("bar", **rod(n["m"], n["l"]))], a.Joint("hinge", "continuous", "wall", "bar", axis=Z)
    model = a.Model(a.Mechanism("bar", links=links, joints=[hinge], gravity=[0.0, -9.81, 0.0]))
    spring = a.joint_spring("spring", "hinge", stiffness=n["k"])
    q = radians(n["q"])
    after, rate = a.VariationalIntegrator(model, [], [spring]).step([q], [n["rate"]], n["h"])
    return {"turned": after[0] - q, "rate_after": rate[0]}


def growing(n):
    """The differential of the exponential, column by column, solved for the rate."""
    theta = a.Twist([0.0, 0.0, radians(n["phi"])], [*n["p"], 0.0])
    D = np.column_stack([np.array(a.dexp(theta, a.Twist(e[:3], e[3:]))) for e in np.eye(6)])
    rate = np.linalg.solve(D, [0.0, 0.0, n["w"], *n["v"], 0.0])
    np.testing.assert_allclose(rate[[0, 1, 5]], 0.0, atol=1e-12)
    return {"p_rate": rate[3:5]}


def meshed(n):
    """The second wheel follows the first by a constant ratio."""
    links = [a.Link("frame"), a.Link("first", 1.0, inertia=n["j1"] * np.eye(3)), a.Link("second", 1.0, inertia=n["j2"] * np.eye(3))]
    joints = [a.Joint("axle1", "continuous", "frame", "first", axis=Z), a.Joint("axle2", "continuous", "frame", "second", position=[0.4, 0, 0], axis=Z)]
    model = a.Model(a.Mechanism("wheels", links=links, joints=joints, gravity=[0.0, 0.0, 0.0]))
    motion = a.ClosedMotion(model, [a.coupled_joints("mesh", "axle2", a.Mimic("axle1", -n["radius1"] / n["radius2"], 0.0))])
    before = np.array([n["w1"], n["w2"]])
    motion.begin([0.0, 0.0], before, 1e-3)
    after = np.array(motion.project([0.0, 0.0], before))
    M = np.array(a.mass_matrix(model, [0.0, 0.0]))
    return {"after": after, "lost": (before @ M @ before - after @ M @ after) / 2}


def met(n):
    """By the event of a simulation that begins where the wall is met."""
    links = [a.Link("wall"), a.Link("first", **rod(n["m1"], n["l1"])), a.Link("second", **rod(n["m2"], n["l2"]))]
    joints = [a.Joint("shoulder", "continuous", "wall", "first", axis=Z),
              a.Joint("elbow", "continuous", "first", "second", position=[n["l1"], 0, 0], axis=Z)]  # fmt: skip
    model = a.Model(a.Mechanism("bars", links=links, joints=joints, gravity=[0.0, -9.81, 0.0]))
    q, before = np.radians([n["q1"], n["q2"]]), np.array([n["r1"], n["r2"]])
    at = a.ForwardKinematics(model)
    at(q, before)
    tip = at.link_pose("second") * np.array([n["l2"], 0, 0])
    side = -np.sign((np.array(a.point_jacobian(at, "second", [n["l2"], 0, 0])) @ before)[0])
    wall = a.plane_stop("wall", ("second", [n["l2"], 0, 0]), ("", tip), normal=[side, 0, 0], restitution=n["e"])
    run = a.simulate(model, a.State(q=q, qd=before, tau=[0.0, 0.0]), duration=1e-12, step=1e-12, stops=[wall], tolerance=1e-9)
    return {"after": run.qd[-1], "impulse": side * run.events[0].impulse, "lost": run.lost}


def decayed(n):
    """A mass on a rail whose spring and damper have the constants of the stabilisation; millimetres become metres."""
    links, rail = [a.Link("floor"), a.Link("mass", 1.0)], a.Joint("rail", "prismatic", "floor", "mass", axis=X)
    model = a.Model(a.Mechanism("gap", links=links, joints=[rail], gravity=[0.0, 0.0, 0.0]))
    spring, start = a.joint_spring("spring", "rail", stiffness=n["p"] ** 2, damping=2 * n["p"]), a.State(q=[n["gap"]], qd=[n["rate"]])
    run = a.simulate(model, start, duration=n["t"] / 1000, step=1e-4, force_elements=[spring])
    return {"gap_then": run.q[-1, 0]}


AGREEMENT = {
    "one_step_from_a_principle": step,
    "a_displacement_that_grows": growing,
    "wheels_that_mesh": meshed,
    "a_tip_meets_a_wall": met,
    "how_a_gap_closes": decayed,
}
