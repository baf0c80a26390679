#!/usr/bin/env python3
"""What RBDL answers about states, as lines that `./articulate check` reads.

from_rbdl.py ROBOT.urdf TIP [--floating] [--as-is] < states.jsonl > theirs.jsonl

With --as-is rates are handed over and numbers written as they come; coordinates are always converted.
"""
import json
import sys

import numpy as np
import rbdl

path, tip, *options = sys.argv[1:]
floating, as_is = "--floating" in options, "--as-is" in options
model = rbdl.loadModel(path.encode(), floating_base=floating)
n = model.qdot_size


def rotation(x, y, z, w):
    """Takes vectors from the base's axes to the world's."""
    v = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * v + 2 * v @ v


for line in sys.stdin:
    state = json.loads(line)
    q, qd, qdd = (np.array(state[key], dtype=float) for key in ("q", "qd", "qdd"))
    X, turning = np.eye(n), np.zeros(n)  # their rates are X times ours, their accelerations this besides
    # [conventions]
    # The quaternion's w stands behind all other coordinates. The base's velocity in world axes comes before its turning.
    if floating:
        *xyz, w = state["base"]["quaternion_xyzw"]
        q = np.array([*state["base"]["position"], *xyz, *q, w])
        if not as_is:
            R = rotation(*xyz, w)
            X[:6, :6] = np.block([[np.zeros((3, 3)), R], [np.eye(3), np.zeros((3, 3))]])
            turning[:3] = R @ np.cross(qd[:3], qd[3:6])
    # [conventions]
    model.gravity = np.array(state.get("gravity", [0, 0, -9.81]))
    v, a, tau, M, J = X @ qd, X @ qdd + turning, np.zeros(n), np.zeros((n, n)), np.zeros((6, n))
    rbdl.InverseDynamics(model, q, v, a, tau)
    rbdl.CompositeRigidBodyAlgorithm(model, q, M)  # it writes only what is not zero, so M has to be zero before
    rbdl.CalcPointJacobian6D(model, q, model.GetBodyId(tip.encode()), np.zeros(3), J)
    answers = {"inverse_dynamics": X.T @ tau, "mass_matrix": X.T @ M @ X, f"jacobian:{tip}": J @ X}
    print(json.dumps({"state": state, "answers": {name: x.tolist() for name, x in answers.items()}}))
