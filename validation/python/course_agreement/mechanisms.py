"""What the module returns for the numbers of chapter 13: by loops that are closed, and not by triangles."""
from math import cos, hypot, radians, sin

import numpy as np

import articulate as a

X, Y, Z = np.eye(3)


def in_plane(point):
    return [*point, 0.0]


def body(name):
    """Its mass does not matter where only motion or given forces are asked."""
    return a.Link(name, 1.0, inertia=np.eye(3))


def machine(links, joints):
    return a.Model(a.Mechanism("machine", links=[a.Link("ground"), *map(body, links)], joints=joints, gravity=(0.0, 0.0, 0.0)))


def hinge(name, parent, child, place=(0.0, 0.0)):
    return a.Joint(name, "continuous", parent, child, position=in_plane(place), axis=Z)


def slide(name, parent, child):
    return a.Joint(name, "prismatic", parent, child, axis=X)


def pin(first, at_first, second, at_second):
    return a.cut_joint("pin", "revolute", a.LoopEnd(first, in_plane(at_first)), a.LoopEnd(second, in_plane(at_second)))


def triangle(n):
    """B at the origin with the boom along x, I at the angle -phi: the boom turns forward as phi grows."""
    I = [n["BI"] * cos(radians(n["phi"])), -n["BI"] * sin(radians(n["phi"]))]
    model = machine(["boom", "tube", "rod"], [hinge("boom", "ground", "boom"), hinge("tube", "ground", "tube", I), slide("rod", "tube", "rod")])
    loop, leads = pin("rod", (0, 0), "boom", (n["BJ"], 0)), [True, False, False]
    q = a.Assembly(model, [loop], leads).close([0.0, 1.0, n["BJ"]])
    motion = a.LoopMotion(model, [loop], leads)
    rates, _ = motion(q, [n["rate"]], [0.0])
    lever = np.array(motion.G)[2, 0]
    return {"L": q[2], "lever": lever, "L_rate": rates[2], "push": n["moment"] / lever}


def quintic(n):
    """Joint 2 of the manipulator, in a process of one phase."""
    process = a.WorkingProcess(a.ProcessData([0.0] * 6, [a.Phase("", n["T"], "quintic", [None, n["way"], *[None] * 4])], 1.0, 1.0))
    now, halfway = process(n["t"]), process(n["T"] / 2)
    angle, rate, acceleration = (np.degrees(of[1]) for of in now)
    return {"angle": angle, "rate": rate, "acceleration": acceleration, "fastest": np.degrees(halfway[1][1])}


def two_bars(n):
    """Newton's method, from L a little to the side of the middle of NM."""
    joints = [hinge("rocker", "ground", "rocker", n["N"]), hinge("coupler", "ground", "coupler", n["M"]), hinge("tube", "ground", "tube", n["K"]), slide("rod", "tube", "rod")]
    model = machine(["rocker", "coupler", "tube", "rod"], joints)
    loops = [pin("rocker", (n["NL"], 0), "coupler", (n["LM"], 0)), pin("rocker", (n["NL"], 0), "rod", (0, 0))]
    along, left = np.subtract(n["M"], n["N"]), 1 if n["side"] == "left" else -1
    L = np.array(n["N"]) + along / 2 + 0.8 * left * np.array([-along[1], along[0]])
    to_L = [np.subtract(L, n[point]) for point in "NMK"]
    q = a.Assembly(model, loops).close([*(np.arctan2(y, x) for x, y in to_L), hypot(*to_L[2])])
    place = np.array(n["K"]) + q[3] * np.array([cos(q[2]), sin(q[2])])
    return {"L": place, "length": q[3], "angle": (q[2] + np.pi) % (2 * np.pi) - np.pi}


def pushes(n):
    """All three bars can get longer and have a motor, whose force is the push; the arm has a moment and no motor."""
    bars = {"coupler": "M", "cylinder": "K", "rocker": "N"}
    links, joints, loops, q = ["arm"], [hinge("arm", "ground", "arm", n["C"])], [], [0.0]
    for name, start in bars.items():
        at = np.subtract(n["M"], n["C"]) if start == "M" else n[start]  # the arm stands along the axes of the plane
        links += [f"{name} tube", f"{name} rod"]
        joints += [hinge(f"{name} tube", "arm" if start == "M" else "ground", f"{name} tube", at), slide(f"{name} rod", f"{name} tube", f"{name} rod")]
        x, y = np.subtract(n["L"], n[start])
        q += [np.arctan2(y, x), hypot(x, y)]
        if name != "coupler":
            loops.append(pin(f"{name} rod", (0, 0), "coupler rod", (0, 0)))
    closing = a.Loops(machine(links, joints), loops)
    closing(q, np.zeros(7))
    motors = [False, False, True, False, True, False, True]
    # The arm needs the moment, as if its motion took it, and has no motor for it
    needed = a.constrained_inverse_dynamics([n["moment"], 0, 0, 0, 0, 0, 0], np.zeros(7), closing.A, motors)
    return dict(zip(bars, np.array(needed.tau)[[2, 4, 6]]))


def piston(n):
    """The pin rides on two slides."""
    joints = [a.Joint("x", "prismatic", "ground", "along x", axis=X), a.Joint("y", "prismatic", "along x", "pin", axis=Y), hinge("tube", "pin", "tube"), slide("rod", "tube", "rod")]
    model = machine(["along x", "pin", "tube", "rod"], joints)
    at = a.ForwardKinematics(model)
    qd, qdd = [*n["v"], n["w"], n["L_rate"]], [*n["a"], n["w_rate"], n["L_second"]]
    at([0, 0, radians(n["angle"]), n["x"]], qd)
    J = np.array(at.link_jacobian("rod", "mixed"))
    return {"velocity": (J @ qd)[3:5], "acceleration": (J @ qdd + np.array(at.link_bias_acceleration("rod", "mixed")))[3:5]}


def descent(n):
    """From the Jacobian of the far end, in angles of the joints; elevations are their sums."""
    model = machine(["first", "second"], [hinge("first", "ground", "first"), hinge("second", "first", "second", (n["a"], 0))])
    at, end = a.ForwardKinematics(model), a.SE3(np.eye(3), [n["b"], 0, 0])
    q = [radians(n["alpha"]), radians(n["beta"] - n["alpha"])]
    at(q, np.zeros(2))
    J = np.array(at.link_jacobian("second", "mixed", end))[3:5]
    rates = np.linalg.solve(J, [0.0, -n["v"]])
    at(q, rates)
    accelerations = np.linalg.solve(J, -np.array(at.link_bias_acceleration("second", "mixed", end))[3:5])
    return {"rates": np.cumsum(rates), "accelerations": np.cumsum(accelerations)}


AGREEMENT = {
    "cylinder_of_a_boom": triangle,
    "from_rest_to_rest": quintic,
    "where_two_bars_meet": two_bars,
    "rod_of_a_piston": piston,
    "straight_down": descent,
    "push_through_a_rocker": pushes,
}
