"""What the module returns for the numbers of chapter 06."""
from math import radians

import numpy as np

import articulate as a

X, Y, Z = np.eye(3)
DOWN = [0.0, -9.81, 0.0]


def rod(m, l):
    return {"mass": m, "center_of_mass": [l / 2, 0, 0], "inertia": m * l**2 / 12 * np.diag([1e-9, 1, 1])}


def model(links, joints):
    return a.Model(a.Mechanism("machine", links=links, joints=joints, gravity=DOWN))


def wagon(n):
    slope = radians(n["slope"])
    links = [a.Link("ground"), a.Link("wagon", n["wagon"]), a.Link("block", n["block"])]
    joints = [a.Joint("wheels", "prismatic", "ground", "wagon", axis=X),
              a.Joint("ramp", "prismatic", "wagon", "block", axis=np.cos(slope) * X + np.sin(slope) * Y)]  # fmt: skip
    qdd, tau = a.HybridDynamics(model(links, joints), [False, True])([0, 0], [0, 0], [0, n["acceleration"]], [n["push"], 0])
    return {"a": qdd[0], "tau": tau[1]}


def bars(n):
    links = [a.Link("wall"), a.Link("first", **rod(n["m1"], n["l1"])), a.Link("second", **rod(n["m2"], n["l2"]))]
    joints = [a.Joint("shoulder", "continuous", "wall", "first", axis=Z),
              a.Joint("elbow", "continuous", "first", "second", position=[n["l1"], 0, 0], axis=Z)]  # fmt: skip
    return model(links, joints), np.radians([n["q1"], n["q2"]])


def driven_shoulder(n):
    machine, q = bars(n)
    qdd, tau = a.HybridDynamics(machine, [True, False])(q, [n["r1"], n["r2"]], [n["a1"], 0], [0, 0])
    return {"elbow": qdd[1], "torque": tau[0]}


def moved(n):
    """Differences of two runs with one more unit of acceleration."""
    machine, q = bars(n)

    def grown(flags):
        run = a.HybridDynamics(machine, flags)
        before, after = [tuple(map(np.array, run(q, [0, 0], [a1, 0], [0, 0]))) for a1 in (0.0, 1.0)]
        return [late - early for late, early in zip(after, before)]

    (_, held), (qdd, loose) = grown([True, True]), grown([True, False])
    return {"held": held[0], "loose": loose[0], "recoil": qdd[1]}


def hover(n):
    links = [a.Link("world"), a.Link("drone", n["drone"], inertia=np.eye(3)), a.Link("arm", **rod(n["arm"], n["length"]))]
    joints = [a.Joint("free", "floating", "world", "drone"), a.Joint("hinge", "continuous", "drone", "arm", position=[n["at"], 0, 0], axis=Z)]
    run = a.HybridDynamics(model(links, joints), [True] * 6 + [False])
    _, tau = run([0, 0, 0, 0, 0, 0, 1, radians(n["q"])], np.zeros(7), np.zeros(7), np.zeros(7))
    return {"lift": tau[4], "sideways": tau[3], "moment": tau[2]}


def three_slides(n):
    """A machine with this mass matrix: three slides in a row, whose masses and angles between their axes make it."""
    masses = [n["M11"] - n["M22"], n["M22"] - n["M33"], n["M33"]]
    cosines = np.array([[1, n["M12"] / n["M22"], n["M13"] / n["M33"]], [0, 1, n["M23"] / n["M33"]], [0, 0, 1]])
    axes = np.linalg.cholesky(cosines + cosines.T - np.eye(3))
    links = [a.Link("link0")] + [a.Link(f"link{k}", m) for k, m in enumerate(masses, 1)]
    joints = [a.Joint(f"slide{k}", "prismatic", f"link{k - 1}", f"link{k}", axis=axis) for k, axis in enumerate(axes, 1)]
    return a.Model(a.Mechanism("slides", links=links, joints=joints, gravity=[0.0, 0.0, 0.0]))


def two_sets(n):
    """Without gravity and at rest, so that the bias goes with the forces."""
    b = np.array(n["b"])
    qdd, tau = a.HybridDynamics(three_slides(n), [True, False, False])(np.zeros(3), np.zeros(3), [n["a"], 0, 0], np.r_[0.0, n["tau_v"]] - b)
    return {"qdd": qdd[1:], "tau": tau[0] + b[0]}


AGREEMENT = {
    "driven_up_a_ramp": wagon,
    "three_joints_in_two_sets": two_sets,
    "driven_shoulder_loose_elbow": driven_shoulder,
    "what_the_shoulder_moves": moved,
    "lift_of_a_falling_arm": hover,
}
