#!/usr/bin/env python3
"""What Pinocchio answers about states, as lines that `./articulate check` reads.

from_pinocchio.py ROBOT.urdf TIP [--floating] [--as-is] < states.jsonl > theirs.jsonl

With --as-is rates are handed over and numbers written as they come.
"""
import json
import sys

import numpy as np
import pinocchio as pin

path, tip, *options = sys.argv[1:]
floating, as_is = "--floating" in options, "--as-is" in options
model = pin.buildModelFromUrdf(path, pin.JointModelFreeFlyer()) if floating else pin.buildModelFromUrdf(path)
data, frame = model.createData(), model.getFrameId(tip)
# [conventions]
# The linear half comes first: in the base's rates, in the rows of a Jacobian. Of the ten parameters xz stands behind yy.
rates = [3, 4, 5, 0, 1, 2, *range(6, model.nv)] if floating and not as_is else list(range(model.nv))
rows = list(range(6)) if as_is else [3, 4, 5, 0, 1, 2]
ten = list(range(10)) if as_is else [0, 1, 2, 3, 4, 5, 7, 6, 8, 9]
# [conventions]
for line in sys.stdin:
    state = json.loads(line)
    base = state.get("base")
    q = np.array([*base["position"], *base["quaternion_xyzw"], *state["q"]] if floating else state["q"])
    v, a = (np.array(state[key])[np.argsort(rates)] for key in ("qd", "qdd"))
    model.gravity.linear = np.array(state.get("gravity", [0, 0, -9.81]))
    Y = pin.computeJointTorqueRegressor(model, data, q, v, a)
    M = np.triu(pin.crba(model, data, q))  # older releases fill this triangle only
    M += np.triu(M, 1).T
    J = pin.computeFrameJacobian(model, data, q, frame, pin.LOCAL_WORLD_ALIGNED)
    answers = {
        "inverse_dynamics": pin.rnea(model, data, q, v, a)[rates],
        "bias": pin.nonLinearEffects(model, data, q, v)[rates],
        "gravity_force": pin.computeGeneralizedGravity(model, data, q)[rates],
        "mass_matrix": M[np.ix_(rates, rates)],
        f"jacobian:{tip}": J[np.ix_(rows, rates)],
        "torque_regressor": Y[rates][:, [10 * body + k for body in range(Y.shape[1] // 10) for k in ten]],
    }
    print(json.dumps({"state": state, "answers": {name: np.asarray(x).tolist() for name, x in answers.items()}}))
