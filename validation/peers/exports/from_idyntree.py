#!/usr/bin/env python3
"""What iDynTree answers about states, as lines that `./articulate check` reads.

from_idyntree.py ROBOT.urdf TIP [--floating] [--as-is] < states.jsonl > theirs.jsonl

The joints have to be in the order of the states. With --as-is rates are handed over and numbers written as they come. A robot
whose base is fixed is one whose base rests; its six rows and columns are left out.
"""
import json
import sys

import idyntree.bindings as idt
import numpy as np

path, tip, *options = sys.argv[1:]
floating, as_is = "--floating" in options, "--as-is" in options
loader, robot = idt.ModelLoader(), idt.KinDynComputations()
if not (loader.loadModelFromFile(path) and robot.loadRobotModel(loader.model())):
    sys.exit("from_idyntree.py: there is no such robot")
n = robot.getNrOfDegreesOfFreedom()


def rotation(x, y, z, w):
    """Takes vectors from the base's axes to the world's."""
    v = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * v + 2 * v @ v


for line in sys.stdin:
    state = json.loads(line)
    rest = {"position": [0, 0, 0], "quaternion_xyzw": [0, 0, 0, 1]}
    base, still = (state["base"], []) if floating else (rest, [0] * 6)
    R = rotation(*base["quaternion_xyzw"])
    qd, qdd = (np.array([*still, *state[key]], dtype=float) for key in ("qd", "qdd"))
    X, turning = np.eye(6 + n), np.zeros(6 + n)  # their rates are X times ours, their accelerations this besides
    # [conventions]
    # The mixed representation, which is the default: both halves in world axes, the linear one first.
    if not as_is:
        X[:6, :6] = np.block([[np.zeros((3, 3)), R], [R, np.zeros((3, 3))]])
        turning[:3] = R @ np.cross(qd[:3], qd[3:6])
    rows = [0, 1, 2, 3, 4, 5] if as_is else [3, 4, 5, 0, 1, 2]
    # [conventions]
    v, a = X @ qd, X @ qdd + turning
    pose = idt.Transform(idt.Rotation().FromPython(R), idt.Position(*map(float, base["position"])))
    s, ds, dds = (idt.VectorDynSize().FromPython(np.array(x)) for x in (state["q"], v[6:], a[6:]))
    gravity = idt.Vector3().FromPython(np.array(state.get("gravity", [0, 0, -9.81])))
    robot.setRobotState(pose, s, idt.Twist().FromPython(v[:6]), ds, gravity)
    M, J = idt.MatrixDynSize(), idt.MatrixDynSize(6, 6 + n)
    tau = idt.FreeFloatingGeneralizedTorques(robot.model())
    robot.inverseDynamics(idt.Vector6().FromPython(a[:6]), dds, idt.LinkNetExternalWrenches(robot.model()), tau)
    robot.getFreeFloatingMassMatrix(M)
    robot.getFrameFreeFloatingJacobian(tip, J)
    forces = np.hstack([tau.baseWrench().toNumPy().ravel(), tau.jointTorques().toNumPy().ravel()])
    ours = slice(0 if floating else 6, None)
    answers = {
        "inverse_dynamics": (X.T @ forces)[ours],
        "mass_matrix": (X.T @ M.toNumPy() @ X)[ours, ours],
        f"jacobian:{tip}": (J.toNumPy()[rows] @ X)[:, ours],
    }
    print(json.dumps({"state": state, "answers": {name: x.tolist() for name, x in answers.items()}}))
