#!/usr/bin/env python3
"""Does `diagnose` name what is hidden in somebody's numbers?

usage: campaign.py FOLDER [--scale X] [--seed N] [--write FILE]

FOLDER is a build with articulate-cli and articulate-oracle-campaign. Half of the comparisons are drawn by that program from
its own list of causes. The other half is made here, from conventions alone: the text of a URDF file is altered, or a
state, or what `articulate-cli compute` prints, each by a few lines of its own. Errors that no list has must stay
unexplained. Exits with 1 where a rate is below its bar.
"""
import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "models"))
from exported import without_base

ROOT = Path(__file__).resolve().parents[2]
ROBOTS = Path(os.environ.get("ARTICULATE_ROBOTS") or ROOT.parent / "shared" / "robots")
# {model: whether its root moves freely}
BUILT_IN = {
    "ur5": False,
    "panda": False,
    "drone_arm": True,
    "quadruped": True,
    "humanoid": True,
    "forked_arm": False,
    "cardan_mast": False,
    "mimic_hand": False,
    "park_2r": False,
    "puma560": False,
    "five_bar": False,
    "tree:3x4": False,
    "planar_arm:4": False,
    "hydraulic_manipulator": False,
    "cart_pendulum": False,
    "aerial_manipulator": True,
    "screw_arm": False,
}
SHARED = {"anymal.urdf": True, "solo12.urdf": True, "double_pendulum.urdf": False}
FORCES = ["inverse_dynamics", "bias", "gravity_force", "coriolis_force"]
BARS = {"one": 0.97, "two": 0.90, "torques": 0.90}


# --- rotations -------------------------------------------------------------------------------------------------------


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def rotation_of(quaternion):
    x, y, z, w = np.array(quaternion) / np.linalg.norm(quaternion)
    return np.eye(3) + 2 * w * skew([x, y, z]) + 2 * skew([x, y, z]) @ skew([x, y, z])


def about(axis, angle):
    c, s = np.cos(angle), np.sin(angle)
    return {"x": np.array([[1, 0, 0], [0, c, -s], [0, s, c]]), "z": np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])}[axis]


def roll_pitch_yaw(R):
    return [np.arctan2(R[2, 1], R[2, 2]), np.arcsin(np.clip(-R[2, 0], -1, 1)), np.arctan2(R[1, 0], R[0, 0])]


def rotation_of_angles(rpy):
    r, p, y = rpy
    pitch = np.array([[np.cos(p), 0, np.sin(p)], [0, 1, 0], [-np.sin(p), 0, np.cos(p)]])
    return about("z", y) @ pitch @ about("x", r)


# --- models, states, answers -----------------------------------------------------------------------------------------


class Robot:
    """A URDF text and how to ask for its numbers."""

    def __init__(self, name, text, floating, program, scratch):
        self.name, self.text, self.floating, self.program = name, text, floating, program
        self.path = Path(scratch) / "model.urdf"
        root = ElementTree.fromstring(text)
        self.links = [link.get("name") for link in root.findall("link")]
        self.moving = [joint for joint in root.findall("joint") if joint.get("type") != "fixed"]
        self.count = len(self.moving)
        zero = {"q": [0.1] * self.count, "qd": [0] * (self.count + 6 * floating)}
        if floating:
            zero["base"] = {"position": [0, 0, 0], "quaternion_xyzw": [0, 0, 0, 1]}
        self.joints = self.ask(text, [zero], ["--only", "joints"])[0]["joints"]
        self.file_order = [self.joints.index(joint.get("name")) for joint in self.moving]

    def ask(self, text, states, options=()):
        """What compute prints for each state."""
        self.path.write_text(text, encoding="utf-8")
        words = [str(self.program), "compute", "--model", str(self.path), "--accept-unphysical", "--state", "-", *options]
        done = subprocess.run(
            words + ["--floating-base"] * self.floating,
            input="".join(json.dumps(state) + "\n" for state in states),
            capture_output=True,
            text=True,
            check=False,
        )
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        if len(answers) != len(states) or any("error" in answer for answer in answers):
            raise ValueError((done.stderr + done.stdout)[:500])
        if not options or "--regressor" not in options:
            return answers
        if any("forward_dynamics" not in answer for answer in answers):
            raise ValueError("a joint moves no mass, so that there is no forward dynamics")
        return answers

    def own_links(self):
        """Links that a moving joint carries, or the free base."""
        root = ElementTree.fromstring(self.text)
        children = {joint.find("child").get("link") for joint in root.findall("joint")}
        own = [joint.find("child").get("link") for joint in self.moving]
        return own + [link for link in self.links if link not in children] * self.floating

    def states(self, rng):
        gravity = [rng.uniform(-4, 4), rng.uniform(-4, 4), rng.uniform(-9, -8)]
        states = []
        for _ in range(rng.randint(2, 6)):
            n = self.count + 6 * self.floating
            state = {
                "q": [rng.uniform(-1.2, 1.2) for _ in range(self.count)],
                "qd": [rng.uniform(-2, 2) for _ in range(n)],
                "qdd": [rng.uniform(-5, 5) for _ in range(n)],
                "tau": [rng.uniform(-9, 9) for _ in range(n)],
                "gravity": gravity,
                "external_wrenches": {link: [rng.uniform(-3, 3) for _ in range(6)] for link in self.own_links()},
            }
            if self.floating:
                quaternion = np.array([rng.uniform(-1, 1) for _ in range(4)])
                state["base"] = {
                    "position": [rng.uniform(-1, 1) for _ in range(3)],
                    "quaternion_xyzw": list(quaternion / np.linalg.norm(quaternion)),
                }
            states.append(state)
        return states

    def tables(self, text, states, dynamics=(), family="christoffel", frame="mixed"):
        """The quantities of each state."""
        options = ["--frame", frame, "--coriolis", family, "--centroidal", "--derivatives", "--inverse-inertia", "--regressor"]
        if dynamics:
            options += ["--with", ",".join(dynamics), "--friction-width", "1e-12"]
        return [self.table_of(answer) for answer in self.ask(text, states, options)]

    def table_of(self, answer):
        column = lambda x: np.array(x, dtype=float).reshape(-1, 1)
        of_links = lambda values: np.array([values[link] for link in self.links], dtype=float)
        poses = answer["link_poses"]
        tip = self.links[-1]
        tables = {
            "inverse_dynamics": column(answer["inverse_dynamics"]["tau"]),
            "forward_dynamics": column(answer["forward_dynamics"]["qdd"]),
            "inverse_dynamics_by_q": np.array(answer["inverse_dynamics"]["by_q"]),
            "forward_dynamics_by_q": np.array(answer["forward_dynamics"]["by_q"]),
            "mass_matrix": np.array(answer["mass_matrix"]),
            "inverse_mass_matrix": np.array(answer["inverse_mass_matrix"]),
            "bias": column(answer["bias"]),
            "gravity_force": column(answer["gravity_force"]),
            "coriolis_force": column(answer["coriolis_force"]),
            "kinetic_energy": column([answer["kinetic_energy"]]),
            "potential_energy": column([answer["potential_energy"]]),
            "center_of_mass": column(answer["center_of_mass"]),
            "momentum": column(answer["momentum"]["angular"] + answer["momentum"]["linear"]),
            "link_rotations": np.array([np.ravel(poses[link]["rotation"]) for link in self.links]),
            "link_positions": np.array([poses[link]["position"] for link in self.links]),
            "link_twists": of_links(answer["link_twists"]),
            "link_accelerations": of_links(answer["link_accelerations"]["classical"]),
            "spatial_accelerations": of_links(answer["link_accelerations"]["spatial"]),
            "tip_jacobian": np.array(answer["jacobians"]["links"][tip]),
            "torque_regressor": np.array(answer["regressor"]["matrix"]),
        }
        if not self.floating:
            C = answer["coriolis_matrix"]
            tables["coriolis_matrix"] = np.array(C["matrix"] if isinstance(C, dict) else C)
        if self.count + 6 * self.floating > 20:
            del tables["torque_regressor"]
        return tables


# --- injections ------------------------------------------------------------------------------------------------------
# Each has the keys that name it, and changes one layer: the text, the states, the options of compute, or the tables.


class Injection:
    def __init__(self, keys, text=None, states=None, options=None, tables=None):
        self.keys, self.text, self.states, self.options, self.tables = keys, text, states, options or {}, tables


def of_inertials(change, links=None):
    """Alter <inertial> of all links, or of some; `change` gets the element, mass, c, R and I in the element's axes."""

    def altered(text):
        root = ElementTree.fromstring(text)
        for link in root.findall("link"):
            inertial = link.find("inertial")
            if inertial is None or (links is not None and link.get("name") not in links):
                continue
            change(link, inertial)
        return ElementTree.tostring(root, encoding="unicode")

    return altered


def origin_of(inertial):
    origin = inertial.find("origin")
    if origin is None:
        origin = ElementTree.SubElement(inertial, "origin", xyz="0 0 0", rpy="0 0 0")
    return origin


def floats(text):
    return np.array([float(word) for word in (text or "0 0 0").split()])


def written(numbers):
    return " ".join(repr(float(x)) for x in numbers)


MOMENTS = ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"]


def tensor(inertial):
    i = [float(inertial.find("inertia").get(name)) for name in MOMENTS]
    return np.array([[i[0], i[1], i[2]], [i[1], i[3], i[4]], [i[2], i[4], i[5]]])


def set_tensor(inertial, I):
    for name, x in zip(MOMENTS, [I[0, 0], I[0, 1], I[0, 2], I[1, 1], I[1, 2], I[2, 2]]):
        inertial.find("inertia").set(name, repr(float(x)))


def drop_rotation(_, inertial):
    origin_of(inertial).set("rpy", "0 0 0")


def negate_products(_, inertial):
    set_tensor(inertial, 2 * np.diag(np.diag(tensor(inertial))) - tensor(inertial))


def drop_products(_, inertial):
    set_tensor(inertial, np.diag(np.diag(tensor(inertial))))


def drop_center(_, inertial):
    origin_of(inertial).set("xyz", "0 0 0")


def drop_tensor(_, inertial):
    set_tensor(inertial, np.zeros((3, 3)))


def shift(sign):
    def change(_, inertial):
        c = rotation_of_angles(floats(origin_of(inertial).get("rpy"))).T @ floats(origin_of(inertial).get("xyz"))
        mass = float(inertial.find("mass").get("value"))
        set_tensor(inertial, tensor(inertial) + sign * mass * (c @ c * np.eye(3) - np.outer(c, c)))

    return change


def scale_masses(factor):
    def change(_, inertial):
        inertial.find("mass").set("value", repr(float(inertial.find("mass").get("value")) * factor))
        set_tensor(inertial, tensor(inertial) * factor)

    return change


def scale_tensors(factor):
    return lambda _, inertial: set_tensor(inertial, tensor(inertial) * factor)


def scale_lengths(factor):
    def altered(text):
        root = ElementTree.fromstring(text)
        for origin in [*root.findall("link/inertial/origin"), *root.findall("joint/origin")]:
            if origin.get("xyz"):
                origin.set("xyz", written(floats(origin.get("xyz")) * factor))
        return ElementTree.tostring(root, encoding="unicode")

    return altered


KINDS = {
    "rotation_dropped": drop_rotation,
    "products_negated": negate_products,
    "products_dropped": drop_products,
    "center_of_mass_at_origin": drop_center,
    "tensor_unused": drop_tensor,
    "about_origin": shift(-1),
    "moved_twice": shift(1),
}


def inertia(robot, rng):
    kind = rng.choice(list(KINDS) + ["fixed", "lost", "parameters"])
    link = rng.choice(robot.own_links())
    if kind == "fixed":
        root = ElementTree.fromstring(robot.text)
        fixed = [j.find("child").get("link") for j in root.findall("joint") if j.get("type") == "fixed"]
        return Injection(["inertia/fixed_links_lost"], of_inertials(lambda l, i: l.remove(i), fixed))
    if kind == "lost":
        return Injection([f"inertia/mass_lost:{link}"], of_inertials(lambda l, i: l.remove(i), [link]))
    if kind == "parameters":
        factor, step = rng.uniform(0.6, 1.5), rng.uniform(-0.1, 0.1)

        def change(_, inertial):
            inertial.find("mass").set("value", repr(float(inertial.find("mass").get("value")) * factor))
            origin_of(inertial).set("xyz", written(floats(origin_of(inertial).get("xyz")) + np.array([0, step, step / 2])))

        return Injection([f"inertia/parameters:{link}"], of_inertials(change, [link]))
    if rng.random() < 0.5:
        return Injection([f"inertia/{kind}"], of_inertials(KINDS[kind]))
    return Injection([f"inertia/{kind}:{link}"], of_inertials(KINDS[kind], [link]))


def units(robot, rng):
    kind = rng.choice(["mass", "length", "tensor", "degrees", "degrees_in_q", "degrees_in_answers"])
    factor = rng.choice([1000, 0.001])
    if kind == "mass":
        return Injection([f"units/masses_{factor}"], of_inertials(scale_masses(factor)))
    if kind == "length":
        return Injection([f"units/lengths_{factor}"], scale_lengths(factor))
    if kind == "tensor":
        name = {1000: "1000000", 0.001: "0.000001"}[factor]
        return Injection([f"units/tensors_{name}"], of_inertials(scale_tensors({1000: 1e6, 0.001: 1e-6}[factor])))
    types = {joint.get("name"): joint.get("type") for joint in robot.moving}
    turns = np.array([types[name] != "prismatic" for name in robot.joints])
    scale = np.where(turns, np.pi / 180, 1)

    def read(states):
        for state in states:
            state["q"] = list(np.array(state["q"]) * scale)
            if kind == "degrees":
                for key in ["qd", "qdd"]:
                    n = 6 * robot.floating
                    state[key] = list(state[key][:n]) + list(np.array(state[key][n:]) * scale)

    def shown(tables, *_):
        rows = np.concatenate([np.ones(6 * robot.floating), 1 / scale])
        for table in tables:
            for name in ["forward_dynamics", "inverse_mass_matrix", "forward_dynamics_by_q"]:
                table[name] = rows[:, None] * table[name]

    if kind == "degrees_in_answers":
        return Injection(["units/degrees_in_answers"], tables=shown)
    return Injection([f"units/{kind}"], states=read)


def joint_terms(robot, rng):
    """The robots' joints get damping and friction in all texts; ours ignores them."""
    what = rng.choice(["damping", "friction"])
    if rng.random() < 0.5:
        return Injection([f"{what}/counted_once"], options={"dynamics": [what]})

    def doubled(text):
        root = ElementTree.fromstring(text)
        for dynamics in root.findall("joint/dynamics"):
            dynamics.set(what, repr(2 * float(dynamics.get(what))))
        return ElementTree.tostring(root, encoding="unicode")

    return Injection([f"{what}/counted_twice"], doubled, options={"dynamics": [what]})


def rotors(robot, rng):
    """Armature on the diagonal, by hand."""
    values = np.array([rng.uniform(0.5, 2) for _ in range(robot.count)])
    n = 6 * robot.floating

    def tables(all_tables, states, *_):
        for table, state in zip(all_tables, states):
            full = np.concatenate([np.zeros(n), values])
            M, force = table["mass_matrix"], np.array(state["tau"]) - table["bias"].ravel()
            table["mass_matrix"] = M + np.diag(full)
            table["inverse_mass_matrix"] = np.linalg.inv(table["mass_matrix"])
            table["forward_dynamics"] = np.linalg.solve(table["mass_matrix"], force).reshape(-1, 1)
            table["inverse_dynamics"] = table["inverse_dynamics"] + (full * np.array(state["qdd"])).reshape(-1, 1)
            del table["forward_dynamics_by_q"]

    return Injection(["armature/other"], tables=tables)


def gravity(robot, rng):
    kinds = {
        "gravity/sign": lambda g: [-x for x in g],
        "gravity/zero": lambda g: [0, 0, 0],
        "gravity/standard": lambda g: [0, 0, -9.81],
        "gravity/standard_9.80665": lambda g: [0, 0, -9.80665],
        "gravity/y_up": lambda g: [g[0], g[2], -g[1]],
        "gravity/other": lambda g: [0.3, -1.6, 0.1],
    }
    key = rng.choice(list(kinds))

    def states(all_states):
        for state in all_states:
            state["gravity"] = kinds[key](state["gravity"])

    return Injection([key], states=states)


def wrenches(robot, rng):
    link = rng.choice(robot.own_links())
    point = np.array([rng.uniform(-1, 1) for _ in range(3)])
    kinds = {
        "sign": lambda F, R, p: -F,
        "ignored": lambda F, R, p: 0 * F,
        "twice": lambda F, R, p: 2 * F,
        "world_axes": lambda F, R, p: np.concatenate([R.T @ F[:3], R.T @ F[3:]]),
        "world_point": lambda F, R, p: np.concatenate([R.T @ (F[:3] - np.cross(p, F[3:])), R.T @ F[3:]]),
        "force_first": lambda F, R, p: np.concatenate([F[3:], F[:3]]),
        "moment_ignored": lambda F, R, p: np.concatenate([0 * F[:3], F[3:]]),
    }
    kind = rng.choice(list(kinds) + ["point"])

    def states(all_states):
        poses = robot.ask(robot.text, all_states, ["--only", "link_poses"])
        for state, answer in zip(all_states, poses):
            for name, F in state["external_wrenches"].items():
                F, pose = np.array(F), answer["link_poses"][name]
                R, p = np.array(pose["rotation"]), np.array(pose["position"])
                if kind != "point":
                    F = kinds[kind](F, R, p)
                elif name == link:
                    F = np.concatenate([F[:3] + np.cross(point, F[3:]), F[3:]])
                state["external_wrenches"][name] = list(F)

    return Injection([f"external_forces/{kind}" + (f":{link}" if kind == "point" else "")], states=states)


def orders(robot, _):
    parents = {j.find("child").get("link"): j for j in ElementTree.fromstring(robot.text).findall("joint")}

    def depth(joint):
        steps, link = 0, joint.find("parent").get("link")
        while link in parents:
            steps += parents[link].get("type") != "fixed"
            link = parents[link].find("parent").get("link")
        return steps

    by_name = {joint.get("name"): joint for joint in robot.moving}
    breadth = sorted(range(robot.count), key=lambda k: depth(by_name[robot.joints[k]]))
    alphabet = sorted(range(robot.count), key=lambda k: robot.joints[k])
    return {"file": robot.file_order, "breadth": breadth, "alphabet": alphabet}


def layout(robot, rng):
    kind, order = rng.choice(list(orders(robot, rng).items()))
    n = 6 * robot.floating
    sequence = list(range(n)) + [n + k for k in order]  # ours at each place of theirs
    inverse = np.argsort(sequence)
    where = rng.choice(["", "_in_answers", "_in_state"])

    def states(all_states):
        for state in all_states:
            state["q"] = [state["q"][k] for k in np.argsort(order)]
            for key in ["qd", "qdd", "tau"]:
                state[key] = [state[key][k] for k in inverse]

    def tables(all_tables, *_):
        for table in all_tables:
            for name in [*FORCES, "forward_dynamics"]:
                table[name] = table[name][sequence]
            for name in ["mass_matrix", "inverse_mass_matrix", "coriolis_matrix", "inverse_dynamics_by_q", "forward_dynamics_by_q"]:
                if name in table:
                    table[name] = table[name][np.ix_(sequence, sequence)]
            table["tip_jacobian"] = table["tip_jacobian"][:, sequence]
            if "torque_regressor" in table:
                table["torque_regressor"] = table["torque_regressor"][sequence]

    keys = [f"layout/{kind}{where}"] + (["layout/permuted_in_answers"] if where == "_in_answers" else [])
    return Injection(
        keys, states=None if where == "_in_answers" else states, tables=None if where == "_in_state" else tables
    )


def quaternions(robot, _):
    if not robot.floating:
        return None

    def states(all_states):
        for state in all_states:
            x = state["base"]["quaternion_xyzw"]
            state["base"]["quaternion_xyzw"] = [x[1], x[2], x[3], x[0]]

    return Injection(["layout/quaternion_wxyz"], states=states)


def base_velocity(robot, rng):
    """Velocities in world axes at the base's origin, linear or angular first, for all that goes in and comes out."""
    if not robot.floating:
        return None
    linear_first = rng.random() < 0.5
    remembered = []
    places = (slice(3, 6), slice(0, 3)) if linear_first else (slice(0, 3), slice(3, 6))  # of angular and linear

    def block(R, n):
        """Ours = B theirs, but for w x v in accelerations."""
        B = np.eye(n)
        B[:6, :6] = 0
        B[0:3, places[0]], B[3:6, places[1]] = R.T, R.T
        return B

    def states(all_states):
        for state in all_states:
            R = rotation_of(state["base"]["quaternion_xyzw"])
            B = block(R, len(state["qd"]))
            V, Vdot, F = (B @ np.array(state[key]) for key in ["qd", "qdd", "tau"])
            Vdot[3:6] -= np.cross(V[:3], V[3:6])
            remembered.append((B, V))
            state["qd"], state["qdd"], state["tau"] = list(V), list(Vdot), list(F)

    def tables(all_tables, *_):
        for table, (B, V) in zip(all_tables, remembered):
            table["inverse_dynamics"] = B.T @ table["inverse_dynamics"]
            qdd = table["forward_dynamics"].copy()
            qdd[3:6, 0] += np.cross(V[:3], V[3:6])
            table["forward_dynamics"] = B.T @ qdd
            table["gravity_force"] = B.T @ table["gravity_force"]
            turned = np.zeros_like(qdd)
            turned[3:6, 0] = -np.cross(V[:3], V[3:6])
            for name in ["bias", "coriolis_force"]:
                table[name] = B.T @ (table[name] + table["mass_matrix"] @ turned)
            table["mass_matrix"] = B.T @ table["mass_matrix"] @ B
            table["tip_jacobian"] = table["tip_jacobian"] @ B
            for name in ["inverse_mass_matrix", "inverse_dynamics_by_q", "forward_dynamics_by_q", "torque_regressor"]:
                table.pop(name, None)

    return Injection([f"base_velocity/world_{'linear' if linear_first else 'angular'}_first"], states=states, tables=tables)


def frames(robot, rng):
    kind = rng.choice(["link", "world", "spatial", "feels", "linear_first", "transposed"])

    def tables(all_tables, states, ask):
        for k, table in enumerate(all_tables):
            if kind in ("link", "world"):
                table["tip_jacobian"] = ask(kind)[k]["tip_jacobian"]
            if kind == "spatial":
                table["link_accelerations"] = table["spatial_accelerations"]
            if kind == "feels":
                table["link_accelerations"] = table["link_accelerations"] - np.r_[0, 0, 0, states[k]["gravity"]]
            if kind == "linear_first":
                table["tip_jacobian"] = np.roll(table["tip_jacobian"], 3, axis=0)
                for name in ["link_twists", "link_accelerations"]:
                    table[name] = np.roll(table[name], 3, axis=1)
            if kind == "transposed":
                table["link_rotations"] = table["link_rotations"].reshape(-1, 3, 3).swapaxes(1, 2).reshape(-1, 9)

    key = {
        "link": "jacobian/link_axes",
        "world": "jacobian/world_point",
        "spatial": "accelerations/spatial",
        "feels": "accelerations/with_gravity",
        "linear_first": "twist_order/linear_first",
        "transposed": "link_rotations/transposed",
    }[kind]
    return Injection([key], tables=tables)


def coriolis(robot, rng):
    if robot.floating:
        return None
    family = rng.choice(["newton_euler", "ploen", "bracket", "momentum"])
    return Injection([f"coriolis_matrix/{family}"], options={"family": family})


def matrices(robot, rng):
    kind = rng.choice(["upper", "lower", "derivatives", "sign"])
    name = rng.choice(["bias", "gravity_force", "coriolis_force"])

    def tables(all_tables, *_):
        for table in all_tables:
            if kind in ("upper", "lower"):
                for matrix in ["mass_matrix", "inverse_mass_matrix"]:
                    table[matrix] = (np.triu if kind == "upper" else np.tril)(table[matrix])
            elif kind == "derivatives":
                for matrix in ["inverse_dynamics_by_q", "forward_dynamics_by_q"]:
                    table[matrix] = table[matrix].T
            else:
                table[name] = -table[name]

    keys = {"derivatives": ["derivatives/transposed"], "sign": [f"sign/{name}"]}.get(kind, [f"triangle/{kind}_only"])
    return Injection(keys, tables=tables)


def stale(robot, rng):
    kind = rng.choice(["all", "positions", "inverse_dynamics"])

    def states(all_states):
        olds = [dict(state) for state in all_states]
        for state, old in zip(all_states[1:], olds):
            for key in ["q", "base"] if kind == "positions" else list(state):
                if key in state:
                    state[key] = old[key]

    def tables(all_tables, *_):
        olds = [table["inverse_dynamics"] for table in all_tables]
        for table, old in zip(all_tables[1:], olds):
            table["inverse_dynamics"] = old

    if kind == "inverse_dynamics":
        return Injection(["stale/inverse_dynamics"], tables=tables)
    return Injection([f"stale/{kind}"], states=states)


def mimics(robot, _):
    rules = [(j.get("name"), j.find("mimic")) for j in robot.moving if j.find("mimic") is not None]
    if not rules:
        return None

    def states(all_states):
        for state in all_states:
            for name, rule in rules:
                follower, leader = robot.joints.index(name), robot.joints.index(rule.get("joint"))
                factor, offset = float(rule.get("multiplier", 1)), float(rule.get("offset", 0))
                state["q"][follower] = factor * state["q"][leader] + offset
                for key in ["qd", "qdd"]:
                    state[key][follower] = factor * state[key][leader]

    return Injection(["mimic/followed"], states=states)


def regressor(robot, rng):
    order = rng.choice(
        [("xx_xy_yy_xz_yz_zz", [0, 1, 2, 3, 4, 5, 7, 6, 8, 9]), ("xx_yy_zz_xy_xz_yz", [0, 1, 2, 3, 4, 7, 9, 5, 6, 8])]
    )

    def tables(all_tables, *_):
        for table in all_tables:
            if "torque_regressor" in table:
                Y = table["torque_regressor"].reshape(table["torque_regressor"].shape[0], -1, 10)
                table["torque_regressor"] = Y[:, :, order[1]].reshape(Y.shape[0], -1)

    return Injection([f"regressor/{order[0]}"], tables=tables)


def in_one_quantity(robot, rng):
    """A mistake in one function of a library, whose others are right."""
    kind = rng.choice(["twists", "triangle", "factor"])

    def tables(all_tables, *_):
        for table in all_tables:
            if kind == "twists":
                table["link_twists"] = np.roll(table["link_twists"], 3, axis=1)
            elif kind == "triangle":
                table["inverse_mass_matrix"] = np.triu(table["inverse_mass_matrix"])
            else:
                table["kinetic_energy"] = 2 * table["kinetic_energy"]

    keys = {
        "twists": ["twist_order/linear_first", "twist_order/linear_first_in_link_twists"],
        "triangle": ["triangle/upper_only", "triangle/upper_only_in_inverse_mass_matrix"],
        "factor": ["factor/2_in_kinetic_energy"],
    }[kind]
    return Injection(keys, tables=tables)


def directions(robot, rng):
    """A joint whose axis points the other way."""
    name = rng.choice([joint.get("name") for joint in robot.moving if joint.get("type") in ("revolute", "continuous", "prismatic")])

    def text(given):
        root = ElementTree.fromstring(given)
        for joint in root.findall("joint"):
            if joint.get("name") == name:
                axis = joint.find("axis")
                if axis is None:
                    axis = ElementTree.SubElement(joint, "axis", xyz="1 0 0")
                axis.set("xyz", written(-floats(axis.get("xyz"))))
        return ElementTree.tostring(root, encoding="unicode")

    return Injection([f"direction/{name}"], text)


def not_read(robot, rng):
    """What of a state is not handed over."""
    key, names = rng.choice([("rates", ["qd"]), ("accelerations", ["qdd"])])

    def states(all_states):
        for state in all_states:
            for name in names:
                state[name] = [0] * len(state[name])

    return Injection([f"state/{key}_ignored"], states=states)


CATEGORIES = [
    inertia,
    units,
    joint_terms,
    rotors,
    gravity,
    wrenches,
    layout,
    quaternions,
    base_velocity,
    frames,
    coriolis,
    matrices,
    stale,
    mimics,
    regressor,
    in_one_quantity,
    directions,
    not_read,
]


# --- errors that are on no list --------------------------------------------------------------------------------------


def unlisted(kind, robot, rng):
    joint = rng.choice(robot.moving).get("name")
    row = 6 * robot.floating + robot.joints.index(joint)

    def place(text):
        root = ElementTree.fromstring(text)
        for element in root.findall("joint"):
            if element.get("name") != joint:
                continue
            origin = element.find("origin")
            if origin is None:
                origin = ElementTree.SubElement(element, "origin", xyz="0 0 0", rpy="0 0 0")
            if kind == "joint_moved":
                origin.set("xyz", written(floats(origin.get("xyz")) + np.array([0.01, 0.02, -0.01])))
            else:
                origin.set("rpy", written(floats(origin.get("rpy")) + np.array([0.02, -0.01, 0.03])))
        return ElementTree.tostring(root, encoding="unicode")

    def tables(all_tables, states, *_):
        for table, state in zip(all_tables, states):
            tau = table["inverse_dynamics"]
            if kind == "gear":
                tau[row] *= 1.03
            if kind == "offset":
                tau[row] += 0.7
            if kind == "drag":
                rates = np.array(state["qd"]).reshape(-1, 1)
                tau += 0.2 * rates * np.abs(rates)
            if kind == "bias":  # an error that all have that follows from it
                error = np.array([rng.uniform(-1, 1) for _ in tau]).reshape(-1, 1)
                for name in ("inverse_dynamics", "bias"):
                    table[name] = table[name] + error
                table["forward_dynamics"] = table["forward_dynamics"] - table["inverse_mass_matrix"] @ error

    if kind in ("joint_moved", "joint_turned"):
        return Injection([], place)
    return Injection([], tables=tables)


UNLISTED = ["joint_moved", "joint_turned", "gear", "offset", "drag", "bias"]


# --- two tables of Denavit and Hartenberg ----------------------------------------------------------------------------


def chain(rng, count, standard, rows, bodies):
    """A URDF text of a table: the frame of link i is that of the convention, inertias are given in it."""
    robot = ElementTree.Element("robot", name="table")
    ElementTree.SubElement(robot, "link", name="link_0")
    before = (np.eye(3), np.zeros(3))  # of a joint's axis, in the link before: what stands behind the joint before
    for i, (alpha, a, theta, d) in enumerate(rows):
        along_x = (about("x", alpha), np.array([a, 0, 0]))
        along_z = (about("z", theta), np.array([0, 0, d]))
        first, second = (along_z, along_x) if standard else (along_x, along_z)
        T = (first[0] @ second[0], first[1] + first[0] @ second[1])
        place = before if standard else T
        mass, c, I = bodies[i]
        behind = T if standard else (np.eye(3), np.zeros(3))  # the link's frame in the one that the joint turns
        link = ElementTree.SubElement(robot, "link", name=f"link_{i + 1}")
        inertial = ElementTree.SubElement(link, "inertial")
        ElementTree.SubElement(
            inertial, "origin", xyz=written(behind[0] @ c + behind[1]), rpy=written(roll_pitch_yaw(behind[0]))
        )
        ElementTree.SubElement(inertial, "mass", value=repr(mass))
        ElementTree.SubElement(inertial, "inertia", {name: "0" for name in MOMENTS})
        set_tensor(inertial, I)
        joint = ElementTree.SubElement(robot, "joint", name=f"joint_{i + 1}", type="continuous")
        ElementTree.SubElement(joint, "parent", link=f"link_{i}")
        ElementTree.SubElement(joint, "child", link=f"link_{i + 1}")
        ElementTree.SubElement(joint, "origin", xyz=written(place[1]), rpy=written(roll_pitch_yaw(place[0])))
        ElementTree.SubElement(joint, "axis", xyz="0 0 1")
        before = behind
    return ElementTree.tostring(robot, encoding="unicode")


def denavit_hartenberg(rng, program, scratch):
    count = rng.randint(3, 6)
    rows = [
        (rng.choice([np.pi / 2, -np.pi / 2, 0.4]), rng.uniform(-0.5, 0.5), rng.uniform(-1, 1), rng.uniform(-0.3, 0.3))
        for _ in range(count)
    ]
    bodies = []
    for _ in range(count):
        A = np.array([[rng.uniform(-1, 1) for _ in range(3)] for _ in range(3)])
        S = A @ A.T + 0.1 * np.eye(3)
        bodies.append((rng.uniform(1, 5), np.array([rng.uniform(-0.2, 0.2) for _ in range(3)]), np.trace(S) * np.eye(3) - S))
    robot = Robot("table", chain(rng, count, False, rows, bodies), False, program, scratch)
    states = robot.states(rng)
    for state in states:
        state["external_wrenches"] = {}
    theirs = robot.tables(chain(rng, count, True, rows, bodies), states)
    return robot, states, [{name: table[name] for name in [*FORCES, "mass_matrix"]} for table in theirs]


# --- the comparison --------------------------------------------------------------------------------------------------


def injected(robot, states, injections):
    text, asked, options = robot.text, json.loads(json.dumps(states)), {}
    for injection in injections:
        if injection.text:
            text = injection.text(text)
        if injection.states:
            injection.states(asked)
        options.update(injection.options)
    tables = robot.tables(text, asked, **options)
    for injection in reversed(injections):
        if injection.tables:
            injection.tables(tables, asked, lambda frame: robot.tables(text, asked, **{**options, "frame": frame}))
    return tables


def differs(a, b):
    """The quantities by which tables differ visibly."""
    names = set()
    for one, other in zip(a, b):
        for name in set(one) & set(other):
            size = max(np.abs(other[name]).max(), 1e-6)
            if one[name].shape != other[name].shape or np.abs(one[name] - other[name]).max() > 1e-7 * size:
                names.add(name)
    return names - {"spatial_accelerations"}


def comparison(robot, rng, kind):
    """States and somebody's tables, with the keys that are right."""
    for _ in range(60):
        states = robot.states(rng)
        clean = injected(robot, states, [])
        if kind in ("nothing", "noise"):
            if kind == "noise":
                size = 10 ** rng.uniform(-10, -2)
                for table in clean:
                    for name in table:
                        noise = np.array([rng.uniform(-1, 1) for _ in range(table[name].size)]).reshape(table[name].shape)
                        table[name] = table[name] + size * noise * (np.abs(table[name]) + 1e-3)
            names = rng.sample(sorted(clean[0]), rng.randint(1, 6))
            names = [name for name in names if name != "spatial_accelerations"] or ["mass_matrix"]
            return states, [{name: table[name] for name in names} for table in clean], []
        if kind in UNLISTED:
            injections = [unlisted(kind, robot, rng)]
        else:
            injections = [injection(robot, rng) for injection in rng.sample(CATEGORIES, 2 if kind == "two" else 1)]
        if any(injection is None for injection in injections):
            continue
        try:
            theirs = injected(robot, states, injections)
            if any(not np.isfinite(table[name]).all() for table in theirs for name in table):
                continue
            # Of each cause, where it shows: beside numbers that have the others alone.
            shows = [differs(theirs, injected(robot, states, [o for o in injections if o is not one])) for one in injections]
        except (KeyError, ValueError):  # no such machine, or one takes away what the other changes
            continue
        if kind == "torques":
            shows = [where & {"inverse_dynamics"} for where in shows]
        if not all(shows):
            continue
        names = {"inverse_dynamics", *(rng.choice(sorted(where)) for where in shows)}
        if kind != "torques":
            names |= {"mass_matrix"} | {name for name in theirs[0] if rng.random() < 0.3}
        if any(injection.options.get("dynamics") for injection in injections):
            names -= {"forward_dynamics_by_q"}  # compute's friction is smooth
        names &= set.intersection(*(set(table) for table in theirs)) - {"spatial_accelerations"}
        keys = [one.keys for one in injections if one.keys]
        return states, [{name: table[name] for name in names} for table in theirs], keys
    return None


def with_joint_numbers(text, rng):
    root = ElementTree.fromstring(text)
    for joint in root.findall("joint"):
        if joint.get("type") in ("fixed", "floating", "planar"):
            continue
        dynamics = joint.find("dynamics")
        if dynamics is None:
            dynamics = ElementTree.SubElement(joint, "dynamics")
        dynamics.set("damping", repr(rng.uniform(0.2, 2)))
        dynamics.set("friction", repr(rng.uniform(0.2, 2)))
    return ElementTree.tostring(root, encoding="unicode")


def robots(program, scratch):
    rng = random.Random(21)
    texts = []
    for name, floating in BUILT_IN.items():
        words = [str(program), "models", "--export", "urdf", "--model", name]
        text = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        if floating:  # the option frees it
            text = without_base(text)
        texts.append((name, text, floating))
    for name, floating in SHARED.items():
        if (ROBOTS / name).exists():
            texts.append((name, (ROBOTS / name).read_text(encoding="utf-8"), floating))
    return [Robot(name, with_joint_numbers(text, rng), floating, program, scratch) for name, text, floating in texts]


class Diagnoser:
    def __init__(self, program):
        self.process = subprocess.Popen([str(program), "diagnose"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, robot, states, theirs):
        answers = [{name: table.tolist() for name, table in tables.items()} for tables in theirs]
        line = {"model": robot.text, "floating_base": robot.floating, "states": states, "answers": answers}
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def outcome(told, keys):
    """How a diagnosis did: `keys` has a list for each cause, of names for it. A part that is named rightly explains no more."""
    if told["unexplained"]:
        names = [name for right in keys for name in right]
        is_hidden = all(any(cause == n or cause.startswith((f"{n}_in_", f"{n}_but_not_in_")) for n in names) for cause in told["causes"])
        return "unexplained" if is_hidden else "wrong"
    if not told["causes"]:
        return "agreement"

    def is_right(names):
        return len(names) == len(keys) and (
            all(name in right for name, right in zip(names, keys))
            or all(name in right for name, right in zip(names[::-1], keys))
        )

    if is_right(told["causes"]):
        return "named"
    return "in_class" if any(is_right(other.split(" + ")) for other in told["indistinguishable"]) else "wrong"


def made_here(kind, count, seed, all_robots, diagnose, program, scratch):
    rng, lines = random.Random(seed), []
    while len(lines) < count:
        robot = all_robots[len(lines) % len(all_robots)]
        if kind == "one" and rng.random() < 1 / 16:
            robot, states, theirs = denavit_hartenberg(rng, program, scratch)
            keys = [["denavit_hartenberg/standard"]]
        else:
            made = comparison(robot, rng, kind)
            if made is None:
                robot = all_robots[0]
                made = comparison(robot, rng, kind)
            states, theirs, keys = made
        told = diagnose(robot, states, theirs)
        lines.append(
            {
                "model": robot.name,
                "hidden": [names[0] for names in keys],
                "outcome": outcome(told, keys),
                "given": sorted(theirs[0]),
                "states": len(states),
                **told,
            }
        )
    return lines


def drawn_there(program, kind, count, seed):
    what = {"torques": ["one", "torques"]}.get(kind, [kind])
    words = [str(program), "draw", what[0], str(count), str(seed), *what[1:]]
    return [json.loads(line) for line in subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()]


def summary(lines):
    counts = collections.Counter(line["outcome"] for line in lines)
    return {"count": len(lines), **{name: counts[name] for name in ["named", "in_class", "wrong", "unexplained", "agreement"]}}


def category(key):
    return key.split("/")[0]


def confusion(lines):
    """{hidden: {named: how often}}, by category; a class that holds the hidden one counts as it."""
    matrix = collections.defaultdict(collections.Counter)
    for line in lines:
        if line["outcome"] in ("named", "in_class"):
            named = category(line["hidden"][0])
        else:
            named = category(line["causes"][0]) if line["causes"] else line["outcome"]
        matrix[category(line["hidden"][0])][named] += 1
    return {hidden: dict(sorted(named.items())) for hidden, named in sorted(matrix.items())}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scale", type=float, default=1, help="how much of the campaign")
    parser.add_argument("--seed", type=int, default=0, help="other comparisons for another number")
    parser.add_argument("--write", type=Path, help="the confusion matrix as JSON")
    parser.add_argument("--lines", type=Path, help="every comparison and its diagnosis, as JSON lines")
    given = parser.parse_args()
    program, drawer = given.folder / "bin" / "articulate-cli", given.folder / "bin" / "articulate-oracle-campaign"
    counts = {"one": 400, "two": 150, "torques": 150, "nothing": 150, "noise": 150}
    counts = {kind: max(5, round(count * given.scale)) for kind, count in counts.items()}
    runs, everything = {}, []
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=False, capture_output=True, text=True).stdout
    with tempfile.TemporaryDirectory() as scratch:
        all_robots, diagnose = robots(program, scratch), Diagnoser(drawer)
        for seed, (kind, count) in enumerate(counts.items()):
            here = made_here(kind, count, 100 + seed + 1000 * given.seed, all_robots, diagnose, program, scratch)
            there = drawn_there(drawer, kind, count, 10000 * (seed + 1) + 1000000 * given.seed)
            runs[kind] = {"drawn_from_the_list": there, "made_outside": here}
        each = max(2, round(10 * given.scale))
        runs["unlisted"] = {
            "made_outside": [
                line | {"hidden": [kind]}
                for seed, kind in enumerate(UNLISTED)
                for line in made_here(kind, each, 200 + seed + 1000 * given.seed, all_robots, diagnose, program, scratch)
            ]
        }
        diagnose.process.stdin.close()
        diagnose.process.wait()
    report = {}
    for kind, sides in runs.items():
        report[kind] = {side: summary(lines) for side, lines in sides.items()}
        for side, lines in sides.items():
            everything += [{"kind": kind, "side": side, **line} for line in lines]
    good = True
    for kind, bar in BARS.items():
        for side, counts_of in report[kind].items():
            rate = (counts_of["named"] + counts_of["in_class"]) / counts_of["count"]
            good = good and rate >= bar
            print(f"{kind}, {side}: {100 * rate:.1f} % of {counts_of['count']} (bar {100 * bar:.0f} %)", file=sys.stderr)
    for kind in ["nothing", "noise", "unlisted"]:
        for side, counts_of in report[kind].items():
            named = sum(counts_of[name] for name in ["named", "in_class", "wrong"])
            good = good and named == 0
            print(f"{kind}, {side}: {named} false causes in {counts_of['count']}", file=sys.stderr)
    if given.lines:
        given.lines.write_text("".join(json.dumps(line) + "\n" for line in everything), encoding="utf-8")
    if given.write:
        result = {
            "command": f"validation/oracle/campaign.py FOLDER --seed {given.seed} --write validation/oracle/confusion.json",
            "commit": commit.strip(),
            "models": [robot.name for robot in all_robots],
            "outcomes": report,
            "confusion": {
                kind: {side: confusion(lines) for side, lines in runs[kind].items()} for kind in ["one", "torques", "unlisted"]
            },
        }
        given.write.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    failed = 0 if good else 1
    total = sum(len(lines) for sides in runs.values() for lines in sides.values())
    print(f"{failed} tests failed out of {total}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
