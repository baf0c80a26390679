#!/usr/bin/env python3
"""What the code of Modern Robotics answers about states of a chain, as lines that `./articulate check` reads.

from_modern_robotics.py ROBOT.urdf TIP [--as-is] < states.jsonl > theirs.jsonl

It reads no URDF; the lists that it asks for are made here, with a frame for each link that stands where its joint does. The
chain has hinges and slides only. With --as-is the Jacobian is written as it comes.
"""
import json
import sys
import xml.etree.ElementTree as xml

import modern_robotics as mr
import numpy as np


def numbers(element, name, default):
    return np.array([float(x) for x in (default if element is None else element.get(name, default)).split()])


def pose(origin):
    """URDF's roll, pitch and yaw turn about fixed axes, in this order."""
    turns = [mr.MatrixExp3(mr.VecToso3(angle * axis)) for angle, axis in zip(numbers(origin, "rpy", "0 0 0"), np.eye(3))]
    return mr.RpToTrans(turns[2] @ turns[1] @ turns[0], numbers(origin, "xyz", "0 0 0"))


def spatial_inertia(link):
    """About the link's origin, in its axes: the inertia about the centre of mass is turned and moved there."""
    inertial = link.find("inertial")
    entries = {key: float(x) for key, x in inertial.find("inertia").attrib.items()}
    I = np.array([[entries["i" + "".join(sorted(a + b))] for b in "xyz"] for a in "xyz"])
    to_center = mr.Adjoint(mr.TransInv(pose(inertial.find("origin"))))
    G = np.zeros((6, 6))
    G[:3, :3], G[3:, 3:] = I, float(inertial.find("mass").get("value")) * np.eye(3)
    return to_center.T @ G @ to_center


path, tip, *options = sys.argv[1:]
robot = xml.parse(path).getroot()
joint_of = {joint.find("child").get("link"): joint for joint in robot.findall("joint")}
chain, name = [], tip
while name in joint_of:
    chain.insert(0, joint_of[name])
    name = joint_of[name].find("parent").get("link")
link_of = {link.get("name"): link for link in robot.findall("link")}
Mlist, Glist, Slist, home = [], [], [], np.eye(4)
for joint in chain:
    Mlist.append(pose(joint.find("origin")))
    Glist.append(spatial_inertia(link_of[joint.find("child").get("link")]))
    home = home @ Mlist[-1]
    axis, none = numbers(joint.find("axis"), "xyz", "1 0 0"), np.zeros(3)
    axis = axis / np.linalg.norm(axis)
    screw = [*none, *axis] if joint.get("type") == "prismatic" else [*axis, *none]
    Slist.append(mr.Adjoint(home) @ screw)
Mlist.append(np.eye(4))
Slist = np.array(Slist).T
for line in sys.stdin:
    state = json.loads(line)
    q, qd, qdd = (np.array(state[key], dtype=float) for key in ("q", "qd", "qdd"))
    g, none = np.array(state.get("gravity", [0, 0, -9.81])), np.zeros(6)
    # [conventions]
    # The space Jacobian is that of the point at the world's origin; ours is that of the link's own origin.
    J = mr.JacobianSpace(Slist, q)
    if "--as-is" not in options:
        R, p = mr.TransToRp(mr.FKinSpace(home, Slist, q))
        J = mr.Adjoint(mr.RpToTrans(np.eye(3), -p)) @ J
    # [conventions]
    answers = {
        "inverse_dynamics": mr.InverseDynamics(q, qd, qdd, g, none, Mlist, Glist, Slist),  # Ftip pushes the world: minus ours
        "mass_matrix": mr.MassMatrix(q, Mlist, Glist, Slist),
        "coriolis_force": mr.VelQuadraticForces(q, qd, Mlist, Glist, Slist),
        "gravity_force": mr.GravityForces(q, g, Mlist, Glist, Slist),
        f"jacobian:{tip}": J,
    }
    print(json.dumps({"state": state, "answers": {key: np.asarray(x).tolist() for key, x in answers.items()}}))
