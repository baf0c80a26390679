#!/usr/bin/env python3
"""What PyBullet answers about states of a robot on a fixed base, as lines that `./articulate check` reads.

from_bullet.py ROBOT.urdf TIP [--as-is] < states.jsonl > theirs.jsonl

The joints have to be in the order of the states. With --as-is the robot is loaded as loadURDF does without flags.
"""
import json
import sys

import numpy as np
import pybullet as p

path, tip, *options = sys.argv[1:]
as_is = "--as-is" in options
p.connect(p.DIRECT)
# [conventions]
# Without the flag the tensors of the file are not read: they are made of the masses and the collision shapes.
robot = p.loadURDF(path, useFixedBase=True, flags=0 if as_is else p.URDF_USE_INERTIA_FROM_FILE)
links = {p.getJointInfo(robot, k)[12].decode(): k for k in range(p.getNumJoints(robot))}
# The point of a Jacobian is counted from the link's centre of mass, in the axes of its inertia.
place, turn = p.getDynamicsInfo(robot, links[tip])[3:5]
origin = (0, 0, 0) if as_is else p.invertTransform(place, turn)[0]
# [conventions]
for line in sys.stdin:
    state = json.loads(line)
    q, qd, qdd = (list(map(float, state[key])) for key in ("q", "qd", "qdd"))
    p.setGravity(*state.get("gravity", [0, 0, -9.81]))
    linear, angular = p.calculateJacobian(robot, links[tip], origin, q, qd, qdd)
    answers = {
        "inverse_dynamics": p.calculateInverseDynamics(robot, q, qd, qdd),
        "mass_matrix": p.calculateMassMatrix(robot, q),
        f"jacobian:{tip}": [*linear, *angular] if as_is else [*angular, *linear],
    }
    print(json.dumps({"state": state, "answers": {name: np.asarray(x).tolist() for name, x in answers.items()}}))
