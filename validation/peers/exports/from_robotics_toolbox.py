#!/usr/bin/env python3
"""What the Robotics Toolbox for Python answers about states of an arm, as lines that `./articulate check` reads.

from_robotics_toolbox.py NAME [--as-is] < states.jsonl > theirs.jsonl

NAME is a model of `roboticstoolbox.models.DH`, such as Puma560. With --as-is its motors and its friction stay, and numbers
are written as they come. The Jacobian is that of the tip, which has to be the last link of the model it is compared with.
"""
import json
import sys

import numpy as np
import roboticstoolbox as rtb

name, *options = sys.argv[1:]
as_is = "--as-is" in options
robot = getattr(rtb.models.DH, name)()
# [conventions]
# The models carry inertias of rotors and friction. Both are ours only --with armature,damping,friction.
if not as_is:
    robot = robot.nofriction(coulomb=True, viscous=True)
    for link in robot.links:
        link.Jm = 0
rows = [0, 1, 2, 3, 4, 5] if as_is else [3, 4, 5, 0, 1, 2]  # the linear half comes first
# [conventions]
for line in sys.stdin:
    state = json.loads(line)
    q, qd, qdd = (np.array(state[key], dtype=float) for key in ("q", "qd", "qdd"))
    answers = {
        "inverse_dynamics": robot.rne(q, qd, qdd),
        "mass_matrix": robot.inertia(q),
        "gravity_force": robot.gravload(q),
        "coriolis_matrix": robot.coriolis(q, qd),
        "tip_jacobian": robot.jacob0(q)[rows],
    }
    print(json.dumps({"state": state, "answers": {key: np.asarray(x).tolist() for key, x in answers.items()}}))
