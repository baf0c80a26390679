#!/usr/bin/env python3
"""What Drake's MultibodyPlant answers about states, as lines that `./articulate check` reads.

from_drake.py ROBOT.urdf TIP [--floating] [--as-is] < states.jsonl > theirs.jsonl

The joints have to be in the order of the states. With --as-is rates are handed over and numbers written as they come;
coordinates are always converted.
"""
import json
import sys
import xml.etree.ElementTree as xml

import numpy as np
from pydrake.math import RotationMatrix
from pydrake.common.eigen_geometry import Quaternion
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import JacobianWrtVariable, MultibodyForces

path, tip, *options = sys.argv[1:]
floating, as_is = "--floating" in options, "--as-is" in options
text = open(path, encoding="utf-8").read()
robot = xml.fromstring(text)
carried = {child.get("link") for child in robot.iter("child")}
root = next(link.get("name") for link in robot.findall("link") if link.get("name") not in carried)


def plant_with(gravity):
    plant = MultibodyPlant(0.0)
    plant.mutable_gravity_field().set_gravity_vector(gravity)
    Parser(plant).AddModelsFromString(text, "urdf")
    if not floating:
        plant.WeldFrames(plant.world_frame(), plant.GetFrameByName(root))
    plant.Finalize()
    return plant


for line in sys.stdin:
    state = json.loads(line)
    plant = plant_with(state.get("gravity", [0, 0, -9.81]))
    context, n = plant.CreateDefaultContext(), plant.num_velocities()
    q, qd, qdd = (np.array(state[key], dtype=float) for key in ("q", "qd", "qdd"))
    X, turning = np.eye(n), np.zeros(n)  # their rates are X times ours, their accelerations this besides
    # [conventions]
    # The quaternion comes before the position and has w first; velocities of the base are in world axes.
    if floating:
        x, y, z, w = state["base"]["quaternion_xyzw"]
        q = np.array([w, x, y, z, *state["base"]["position"], *q])
        if not as_is:
            R = RotationMatrix(Quaternion(w, x, y, z)).matrix()
            X[:3, :3] = X[3:6, 3:6] = R
            turning[3:6] = R @ np.cross(qd[:3], qd[3:6])
    # Without this gravity is left out. It also adds damping, which ours counts --with damping.
    plant.SetPositions(context, q)
    plant.SetVelocities(context, X @ qd)
    forces = MultibodyForces(plant)
    plant.CalcForceElementsContribution(context, forces)
    # [conventions]
    world, link = plant.world_frame(), plant.GetFrameByName(tip)
    J = plant.CalcJacobianSpatialVelocity(context, JacobianWrtVariable.kV, link, np.zeros(3), world, world)
    answers = {
        "inverse_dynamics": X.T @ plant.CalcInverseDynamics(context, X @ qdd + turning, forces),
        "mass_matrix": X.T @ plant.CalcMassMatrix(context) @ X,
        f"jacobian:{tip}": J @ X,
    }
    print(json.dumps({"state": state, "answers": {name: x.tolist() for name, x in answers.items()}}))
