#!/usr/bin/env python3
"""The numbers of six chapters for a whole UR5, by numpy alone: sums over the links in the axes of the world.

usage: ur5_by_hand.py URDF < STATE

URDF is an arm whose moving joints are hinges in a row, STATE has q, qd and qdd. No recursion of the book is used and no
code of the library, so that agreement says something.
"""
import json
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np

GRAVITY = np.array([0, 0, -9.81])


def turned(axis, angle):
    """The rotation about a unit axis, by Rodrigues' formula."""
    x, y, z = axis
    W = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * W + (1 - np.cos(angle)) * W @ W


def numbers(element, name):
    return np.array([float(word) for word in element.get(name).split()])


def origin(element):
    """Rotation and position of the <origin> in an element."""
    found = element.find("origin")
    roll, pitch, yaw = numbers(found, "rpy")
    return turned((0, 0, 1), yaw) @ turned((0, 1, 0), pitch) @ turned((1, 0, 0), roll), numbers(found, "xyz")


def read(text):
    """For each hinge, in a row from the base: its place in the link before, its axis, and what its link weighs."""
    robot = ElementTree.fromstring(text)
    after = {joint.find("parent").get("link"): joint for joint in robot.iter("joint")}
    links = {link.get("name"): link.find("inertial") for link in robot.iter("link")}
    name, arm = (set(after) - {joint.find("child").get("link") for joint in after.values()}).pop(), []
    while name in after:
        joint = after[name]
        name = joint.find("child").get("link")
        turn, center = origin(links[name])
        moments = {key: float(value) for key, value in links[name].find("inertia").items()}
        tensor = np.array([[moments["i" + "".join(sorted(a + b))] for b in "xyz"] for a in "xyz"])
        mass = float(links[name].find("mass").get("value"))
        arm.append((*origin(joint), numbers(joint.find("axis"), "xyz"), mass, center, turn @ tensor @ turn.T))
    return arm


# [ur5-kinematics]
def placed(arm, q):
    """For each link, in the world: a point of its hinge, the axis, the mass, its centre and the tensor about that."""
    R, p, links = np.eye(3), np.zeros(3), []
    for (turn, shift, axis, mass, center, tensor), angle in zip(arm, q):
        p = p + R @ shift
        R = R @ turn @ turned(axis, angle)
        links.append((p, R @ axis, mass, p + R @ center, R @ tensor @ R.T))
    return links


def columns(links, k, point):
    """Angular and linear velocity at a point of link k, one column for each hinge that carries it."""
    w, v = np.zeros((2, 3, len(links)))
    for j, (p, axis, *_) in enumerate(links[: k + 1]):
        w[:, j], v[:, j] = axis, np.cross(axis, point - p)
    return w, v
# [ur5-kinematics]


# [ur5-dynamics]
def mass_matrix(arm, q):
    links, M = placed(arm, q), 0
    for k, (_, _, mass, center, tensor) in enumerate(links):
        w, v = columns(links, k, center)
        M = M + mass * v.T @ v + w.T @ tensor @ w
    return M


def gravity_force(arm, q):
    links = placed(arm, q)
    return -sum(mass * GRAVITY @ columns(links, k, center)[1] for k, (_, _, mass, center, _) in enumerate(links))


def derivative(f, q, k):
    """With respect to the angle k, without neglecting anything: all of these are trigonometric polynomials of degree two."""
    def odd(x):
        step = x * np.eye(len(q))[k]
        return (f(q + step) - f(q - step)) / 2

    b1 = odd(np.pi / 2)
    return b1 + 2 * (odd(np.pi / 4) - b1 * np.sqrt(0.5))


def coriolis_matrix(arm, q, qd):
    """Christoffel's, and the rate of the mass matrix beside it."""
    dM = np.array([derivative(lambda at: mass_matrix(arm, at), q, k) for k in range(len(q))])
    symbols = (dM + dM.transpose(1, 0, 2) - dM.transpose(1, 2, 0)) / 2  # [i, j, k]: d_i m_jk + d_j m_ik - d_k m_ij
    return np.einsum("ijk,i->kj", symbols, qd), np.einsum("kij,k->ij", dM, qd)


def torques(arm, q, qd, qdd):
    return mass_matrix(arm, q) @ qdd + coriolis_matrix(arm, q, qd)[0] @ qd + gravity_force(arm, q)
# [ur5-dynamics]


def answers(arm, q, qd, qdd):
    """What the chapters model, rnea, aba, derivatives, lagrange and skew_symmetry compute of it."""
    links, last = placed(arm, q), len(arm) - 1
    w, v = columns(links, last, links[last][0])
    M, tau = mass_matrix(arm, q), torques(arm, q, qd, qdd)
    C, Mdot = coriolis_matrix(arm, q, qd)
    return {
        "position": links[last][0],
        "velocity": np.concatenate([w @ qd, v @ qd]),
        "tau": tau,
        "released": np.linalg.solve(M, -C @ qd - gravity_force(arm, q)),
        "dtau_dq": np.transpose([derivative(lambda at: torques(arm, at, qd, qdd), q, k) for k in range(len(q))]),
        "mass_matrix": M,
        "coriolis_force": C @ qd,
        "skew": Mdot - 2 * C,
    }


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    state = json.load(sys.stdin)
    with open(sys.argv[1], encoding="utf-8") as file:
        arm = read(file.read())
    for name, value in answers(arm, *(np.array(state[key], dtype=float) for key in ("q", "qd", "qdd"))).items():
        print(name, np.array2string(value, precision=6, suppress_small=True), sep="\n")
