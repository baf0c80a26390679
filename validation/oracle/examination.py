#!/usr/bin/env python3
"""A second examination of `diagnose`, by someone who has seen neither its causes nor the first blind set.

`examination.py BIN_FOLDER [--part PART] [--seed N] [--count N] [--number N] [--only NAME] [--list] [--write FILE]` draws

- `singles`: 200 comparisons with one mistake, evenly from sixteen kinds of causes,
- `doubles`: 100 with two mistakes of different kinds,
- `torques`: 100 with one mistake where the forces of inverse dynamics are all that is given,
- `clean`: 100 without a mistake, every other one with random relative noise of 1e-10 to 1e-6,
- `unlisted`: 20 with one of five errors that belong to none of the kinds.

A mistake stands where a user of a library makes it: in the text of the model (URDF), which `articulate-cli compute` then
answers for as if it were the right one; in the state that the library is given; or in the numbers that come out, which a
few lines of numpy rewrite. None of this uses code of the checker. Beside each mistake stand regular expressions for what
an answer has to say; they were written before any answer was seen, and what was added after reading the misses stands
apart, in EQUIVALENT.

A comparison is *named* if one finding says what is wrong and each other finding is about an injected mistake, *class* if
what is wrong is among the causes which that finding says cannot be told apart from it, *silent* if nothing is named, and
otherwise *false*. A draw that moves no given number by 1e-8 of the largest is drawn again. Everything follows from
seed, part and number, so that `--part singles --number 17` makes the comparison 17 again, and `--write FILE` keeps it.

What the first examination found (26 November 2026, seed 2026, 25 machines, the program of f6d77b4):

                  named  class  silent  false
    singles         166      3      30      1   of 200
    doubles          63      0      37      0   of 100
    torques          84      2      13      1   of 100
    clean           100 without a finding
    unlisted         20 unexplained, as they should be

Silent were: all draws of Denavit-Hartenberg rows read by the other convention (the rows then stand before, not behind, their
joints); states rounded to single precision; answers that stay those of the first state; multipliers of mimic joints that
are 1 or negated; derivatives with respect to roll, pitch and yaw, or with the base's velocity held in world axes; gravity
turned by one rotation where the states' gravities differ; the origin of a fixed joint, if twists of the links behind it are
given; angular velocities of links in degrees per second. Of the 37 silent pairs 24 contain one of these, 5 are of a known
cause and rounded answers, which hide it, and the others are products that are known one by one. The false names were a
point of an external force at 1e-17 m beside the right cause (torques 96), and two sentences that are right only when
multiplied (singles 113). Besides, `check --with friction` had no width then, so that numbers of `compute --with friction`
kept 5 digits unless --friction-width was tiny. A comparison of `clean` or `torques` takes 0.2 s of one core, a pair up to 2 s.

Robots of the shared folder are found by the environment variable ARTICULATE_ROBOTS; those that are missing are left out,
which changes what is drawn.
"""
import argparse
import collections
import copy
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "models"))
from exported import without_base

PARTS = {"singles": 200, "doubles": 100, "torques": 100, "clean": 100, "unlisted": 20}
VISIBLE = 1e-8
APART = [{2, 9}, {2, 10}, {6, 13}, {7, 9}, {7, 10}]  # the numbers of the one would have to be rewritten by the other, too
KINDS = {
    1: "inertia data misread", 2: "basis of a free base", 3: "frame of Jacobians and accelerations",
    4: "armature, damping, friction", 5: "external forces", 6: "layout of q", 7: "order of twists and wrenches",
    8: "gravity", 9: "C is not unique", 10: "parametrisation of derivatives", 11: "triangle or stale outputs",
    12: "Denavit-Hartenberg", 13: "inertial parameters", 14: "loops and mimic joints", 15: "precision", 16: "units"}


# ---------------------------------------------------------------------------------------------------------------------
# Rotations
# ---------------------------------------------------------------------------------------------------------------------
def hat(w):
    """The matrix of w x."""
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])


def about(axis, angle):
    """The turn about x, y or z, given as 0, 1 or 2."""
    a, b = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[a, a] = R[b, b] = math.cos(angle)
    R[b, a], R[a, b] = math.sin(angle), -math.sin(angle)
    return R


def from_rpy(rpy):
    """Turns about the fixed x, y, z, as URDF writes them."""
    return about(2, rpy[2]) @ about(1, rpy[1]) @ about(0, rpy[0])


def to_rpy(R):
    """The inverse of from_rpy."""
    return [math.atan2(R[2, 1], R[2, 2]), math.atan2(-R[2, 0], math.hypot(R[2, 1], R[2, 2])), math.atan2(R[1, 0], R[0, 0])]


def from_quaternion(x, y, z, w):
    """The rotation of a unit quaternion."""
    v = hat([x, y, z])
    return np.eye(3) + 2 * w * v + 2 * v @ v


def blocks(A, B):
    """Two 3 x 3 matrices on the diagonal."""
    X = np.zeros((6, 6))
    X[:3, :3], X[3:, 3:] = A, B
    return X


def unit(rng, size):
    """A random direction."""
    v = rng.normal(size=size)
    return v / np.linalg.norm(v)


# ---------------------------------------------------------------------------------------------------------------------
# URDF: what stands in an <inertial> and an <origin>
# ---------------------------------------------------------------------------------------------------------------------
MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


def numbers(element, key, default="0 0 0"):
    return np.array([float(x) for x in (element.get(key) if element is not None and element.get(key) else default).split()])


def written(values):
    return " ".join(repr(float(v)) for v in values)


class Inertial:
    """Mass, centre, axes and moments of a link, as its file gives them."""

    def __init__(self, link):
        self.element = link.find("inertial")
        origin = self.element.find("origin")
        self.mass = float(self.element.find("mass").get("value"))
        self.centre = numbers(origin, "xyz")
        self.axes = from_rpy(numbers(origin, "rpy"))
        i = self.element.find("inertia")
        m = {k: float(i.get(k, "0")) for k in MOMENTS}
        self.moments = np.array([[m["ixx"], m["ixy"], m["ixz"]], [m["ixy"], m["iyy"], m["iyz"]], [m["ixz"], m["iyz"], m["izz"]]])

    def write(self):
        for child in list(self.element):
            self.element.remove(child)
        ElementTree.SubElement(self.element, "origin", xyz=written(self.centre), rpy=written(to_rpy(self.axes)))
        ElementTree.SubElement(self.element, "mass", value=repr(float(self.mass)))
        values = {k: repr(float(self.moments["xyz".index(k[1]), "xyz".index(k[2])])) for k in MOMENTS}
        ElementTree.SubElement(self.element, "inertia", **values)

    def about_centre(self):
        """In the axes of the link."""
        return self.axes @ self.moments @ self.axes.T

    def shift(self):
        """What the parallel axes add between the centre and the origin of the link."""
        return -self.mass * hat(self.centre) @ hat(self.centre)


def inertials(root):
    """Of all links that have one."""
    return [(link.get("name"), Inertial(link)) for link in root.findall("link") if link.find("inertial") is not None]


def every_inertial(change):
    """A mistake in the text that is made with each link alike."""
    def text(root):
        for _, inertial in inertials(root):
            change(inertial)
            inertial.write()
    return text


def joints_of(root):
    return [j for j in root.findall("joint") if j.get("type")]


def origin_of(joint):
    o = joint.find("origin")
    return numbers(o, "xyz"), from_rpy(numbers(o, "rpy"))


def set_origin(joint, p, R):
    o = joint.find("origin")
    if o is None:
        o = ElementTree.SubElement(joint, "origin")
    o.set("xyz", written(p))
    o.set("rpy", written(to_rpy(R)))


# ---------------------------------------------------------------------------------------------------------------------
# Machines
# ---------------------------------------------------------------------------------------------------------------------
def add_link(root, rng, name, mass, size):
    """A link of a shape that is like no other."""
    link = ElementTree.SubElement(root, "link", name=name)
    ElementTree.SubElement(link, "inertial")
    principal = mass * size * size * rng.uniform(0.1, 0.3, 3)
    principal[2] = rng.uniform(0.6, 0.9) * (principal[0] + principal[1])
    link.find("inertial").append(ElementTree.Element("mass", value="1"))
    link.find("inertial").append(ElementTree.Element("inertia", ixx="1", iyy="1", izz="1"))
    inertial = Inertial(link)
    Q = from_rpy(rng.uniform(-1.2, 1.2, 3))
    inertial.mass, inertial.centre = mass, size * rng.uniform(-0.6, 0.6, 3)
    inertial.axes, inertial.moments = from_rpy(rng.uniform(-1, 1, 3)), Q @ np.diag(principal) @ Q.T
    inertial.moments = (inertial.moments + inertial.moments.T) / 2
    inertial.write()


def add_joint(root, rng, name, kind, parent, child, size, dynamics=None):
    joint = ElementTree.SubElement(root, "joint", name=name, type=kind)
    ElementTree.SubElement(joint, "parent", link=parent)
    ElementTree.SubElement(joint, "child", link=child)
    set_origin(joint, size * rng.uniform(-1, 1, 3), from_rpy(rng.uniform(-1, 1, 3)))
    if kind in ("continuous", "prismatic"):
        ElementTree.SubElement(joint, "axis", xyz=written(rng.uniform(0.2, 1, 3) * rng.choice([-1, 1], 3)))
    if dynamics:
        ElementTree.SubElement(joint, "dynamics", **{k: repr(float(v)) for k, v in dynamics.items()})
    return joint


def tree_text(name, seed, rows, damping=0.0, friction=0.0, armature=0.0, masses=(0.4, 3.0), size=0.3):
    """Rows of parent, child and kind of joint; the first parent is the root."""
    rng = np.random.default_rng(seed)
    root = ElementTree.Element("robot", name=name)
    add_link(root, rng, rows[0][0], rng.uniform(*masses), size)
    for _, child, _ in rows:
        add_link(root, rng, child, rng.uniform(*masses), size)
    for number, (parent, child, kind) in enumerate(rows):
        dynamics = None
        if kind in ("continuous", "prismatic") and damping + friction + armature > 0:
            dynamics = {"damping": damping * rng.uniform(0.5, 2), "friction": friction * rng.uniform(0.5, 2),
                        "armature": armature * rng.uniform(0.5, 2)}
        # The letter makes the order by file, by depth and by alphabet three different ones.
        letter = "qcxfmahtzedkb"[number % 13]
        add_joint(root, rng, f"{letter}_{child}", kind, parent, child, size, dynamics)
    return root


def denavit_text(name, table, modified, seed=5):
    """An arm of hinges with rows of alpha, a, d; the links' masses are given in the frames of the convention."""
    rng = np.random.default_rng(seed)
    root = ElementTree.Element("robot", name=name)
    links = ["foot"] + [f"segment_{i + 1}" for i in range(len(table))]
    for link in links:
        add_link(root, rng, link, rng.uniform(0.5, 3), 0.25)
    for i in range(len(table)):
        joint = ElementTree.SubElement(root, "joint", name=f"axis_{i + 1}", type="continuous")
        ElementTree.SubElement(joint, "parent", link=links[i])
        ElementTree.SubElement(joint, "child", link=links[i + 1])
        ElementTree.SubElement(joint, "origin")
        ElementTree.SubElement(joint, "axis", xyz="0 0 1")
    add_link(root, rng, "flange", 0.3, 0.1)
    add_joint(root, rng, "flange_mount", "fixed", links[-1], "flange", 0.0)
    place_denavit(root, table, modified)
    if not modified:
        for (alpha, a, d), link in zip(table, links[1:]):
            move_inertial(root, link, *tail(alpha, a, d))
    return root


def tail(alpha, a, d):
    """What a standard row puts behind the turn of its joint: along z, along x, about x."""
    return np.array([a, 0.0, d]), about(0, alpha)


def move_inertial(root, name, p, R):
    """From the frame (p, R) of the link to its own frame."""
    inertial = Inertial(next(link for link in root.findall("link") if link.get("name") == name))
    inertial.centre, inertial.axes = p + R @ inertial.centre, R @ inertial.axes
    inertial.write()


def place_denavit(root, table, modified):
    before = (np.zeros(3), np.eye(3))
    for joint, (alpha, a, d) in zip(joints_of(root), table):
        if modified:
            R = about(0, alpha)
            set_origin(joint, np.array([a, 0, 0]) + R @ [0, 0, d], R)
        else:
            set_origin(joint, *before)
            before = tail(alpha, a, d)
    set_origin(joints_of(root)[len(table)], *((np.zeros(3), np.eye(3)) if modified else before))


TABLE = [(math.pi / 2, 0.12, 0.35), (-0.3, 0.42, 0.08), (math.pi / 2, 0.06, -0.11), (-math.pi / 2, 0.09, 0.38),
         (math.pi / 2, 0.05, 0.04), (0.4, 0.07, 0.13)]


def five_bar_text():
    """Two arms of two bars whose tips meet, in a plane that is tilted."""
    rng = np.random.default_rng(77)
    root = ElementTree.Element("robot", name="pantograph")
    for name in ("ground", "left", "left_tip", "right", "right_tip"):
        add_link(root, rng, name, rng.uniform(0.5, 2), 0.3)
    tilt = from_rpy([0.4, -0.5, 0.3])
    for name, parent, child, p, R in (("left_shoulder", "ground", "left", tilt @ [-0.15, 0, 0], tilt),
                                      ("left_elbow", "left", "left_tip", [0.3, 0, 0], np.eye(3)),
                                      ("right_shoulder", "ground", "right", tilt @ [0.15, 0, 0], tilt),
                                      ("right_elbow", "right", "right_tip", [0.33, 0, 0], np.eye(3))):
        joint = ElementTree.SubElement(root, "joint", name=name, type="continuous")
        ElementTree.SubElement(joint, "parent", link=parent)
        ElementTree.SubElement(joint, "child", link=child)
        set_origin(joint, np.array(p, dtype=float), R)
        ElementTree.SubElement(joint, "axis", xyz="0 0 1")
    return root


FIVE_BAR_LOOP = {"loops": [{"name": "meet", "joint": "revolute", "first": {"link": "left_tip", "position": [0.4, 0, 0]},
                            "second": {"link": "right_tip", "position": [0.42, 0, 0]}}],
                 "held": ["left_shoulder", "right_shoulder"]}

WELDER = [("plinth", "turret", "continuous"), ("turret", "boom", "continuous"), ("turret", "cabinet", "fixed"),
          ("boom", "slide", "prismatic"), ("boom", "jib", "continuous"), ("jib", "torch", "fixed"),
          ("slide", "hook", "continuous"), ("plinth", "feeder", "continuous")]
CRAB = [("shell", "left_coxa", "ball"), ("left_coxa", "left_shin", "continuous"), ("shell", "right_coxa", "ball"),
        ("right_coxa", "right_shin", "continuous"), ("shell", "eye", "fixed"), ("shell", "claw", "continuous"),
        ("claw", "finger", "prismatic"), ("left_shin", "pad", "fixed")]
KITE = [("hull", "gimbal", "universal"), ("gimbal", "lens", "fixed"), ("hull", "boom", "prismatic"),
        ("boom", "weight", "continuous"), ("hull", "tail", "continuous"), ("tail", "fin", "continuous")]
NEEDLE = [("block", "beam", "continuous"), ("beam", "rod", "continuous"), ("rod", "needle", "continuous"),
          ("needle", "hair", "continuous")]

BUILT_IN = {"park_2r": False, "screw_arm": False, "tree:3x4": False, "mimic_hand": False, "forked_arm": False,
            "drone_arm": True, "mixed_tree": False, "every_joint": False, "aerial_manipulator": True, "quadruped": True,
            "humanoid": True, "puma560": False, "ur5": False, "panda": False, "hydraulic_manipulator": False}
SHARED = {"solo12": True, "anymal": True, "simple_humanoid": True}
RATES = {"fixed": (0, 0), "continuous": (1, 1), "revolute": (1, 1), "prismatic": (1, 1), "helical": (1, 1),
         "universal": (2, 2), "cylindrical": (2, 2), "planar": (3, 3), "euler_ball": (3, 3), "euler_free": (6, 6),
         "ball": (4, 3), "floating": (7, 6)}


class Machine:
    """A model as text, with the order in which states and answers list its numbers."""

    def __init__(self, name, root, floating, library, loops=None):
        self.name, self.root, self.floating, self.loops = name, root, floating, loops
        for link in root.findall("link"):
            for child in list(link):
                if child.tag in ("visual", "collision"):
                    link.remove(child)
        self.links = [link.get("name") for link in root.findall("link")]
        self.kinds = {j.get("name"): j.get("type") for j in joints_of(root)}
        self.layout = library.layout(self)
        base = 6 if floating else 0
        self.nq = sum(row["nq"] for row in self.layout)
        self.nv = base + sum(row["nv"] for row in self.layout)
        self.base = base
        self.order = [row["joint"] for row in self.layout]
        self.scalar = all(row["nq"] == 1 for row in self.layout)
        self.balls = [row for row in self.layout if row["nq"] in (4, 7)]
        elements = [j.find("dynamics") for j in joints_of(root) if j.get("type") != "fixed"]
        self.dynamics = {key for key in ("damping", "friction", "armature")
                         if any(e is not None and abs(float(e.get(key, "0"))) > 0 for e in elements)}
        self.mimics = root.find("joint/mimic") is not None
        children = {j.find("child").get("link") for j in joints_of(root)}
        self.root_link = next(link for link in self.links if link not in children)
        self.parent = {j.find("child").get("link"): (j.find("parent").get("link"), j.get("name"), j.get("type"))
                       for j in joints_of(root)}

    def moves(self, link):
        """Whether the link does."""
        while link in self.parent:
            link, _, kind = self.parent[link]
            if kind != "fixed":
                return True
        return self.floating

    def text(self, root=None):
        return ElementTree.tostring(self.root if root is None else root, encoding="unicode")

    def listed(self, how):
        """The joints in another order."""
        files = [j.get("name") for j in joints_of(self.root) if j.get("name") in self.order]
        if how == "file":
            return files
        if how == "alphabet":
            return sorted(self.order)
        after = collections.defaultdict(list)
        for joint in joints_of(self.root):
            after[joint.find("parent").get("link")].append(joint)
        found, queue = [], [self.root_link]
        while queue:
            for joint in after[queue.pop(0)]:
                if joint.get("name") in self.order:
                    found.append(joint.get("name"))
                queue.append(joint.find("child").get("link"))
        return found

    def rate_order(self, names):
        """Where the rates of joints stand that are listed in another order."""
        rows = {row["joint"]: row for row in self.layout}
        return list(range(self.base)) + [rows[n]["rate"] + k for n in names for k in range(rows[n]["nv"])]


# ---------------------------------------------------------------------------------------------------------------------
# The library that is asked
# ---------------------------------------------------------------------------------------------------------------------
FORCES = ("inverse_dynamics", "bias", "gravity_force", "coriolis_force")
NEED_QDD = ("inverse_dynamics", "link_twist_rates", "link_accelerations", "centroidal_momentum_rate")
LINK_ROWS = ("link_twists", "link_twist_rates", "link_accelerations")
DERIVATIVES = ("inverse_dynamics_by_q", "inverse_dynamics_by_qd", "forward_dynamics_by_q", "forward_dynamics_by_qd")
CENTROIDAL = {"center_of_mass_velocity": "velocity", "center_of_mass_jacobian": "jacobian", "centroidal_momentum": "momentum",
              "centroidal_momentum_matrix": "matrix", "centroidal_momentum_rate": "momentum_rate"}
ORDINARY = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "bias", "gravity_force", "coriolis_force", "kinetic_energy",
            "potential_energy", "momentum", "center_of_mass", "center_of_mass_velocity", "link_positions", "link_rotations",
            "link_twists", "link_accelerations", "tip_jacobian", "centroidal_momentum", "inverse_mass_matrix")


class Library:
    """`articulate-cli compute`, with a name for each of its numbers."""

    def __init__(self, folder, scratch):
        self.folder, self.scratch = pathlib.Path(folder), pathlib.Path(scratch)

    def run(self, program, *arguments, text=None):
        return subprocess.run([str(self.folder / program), *arguments], input=text, capture_output=True, text=True)

    def put(self, name, text):
        path = self.scratch / name
        path.write_text(text)
        return str(path)

    def layout(self, machine):
        probe = {"q": {}, "qd": {}}
        arguments = ["compute", "--model", self.put("probe.urdf", machine.text()), "--state", "-", "--only", "layout"]
        if machine.floating:
            arguments.append("--floating-base")
            probe["base"] = {"position": [0, 0, 0], "quaternion_xyzw": [0, 0, 0, 1], "twist": [0] * 6}
        for joint in joints_of(machine.root):
            nq, nv = RATES[joint.get("type")]
            if nv > 0:
                q = [0.0] * (nq - 1) + [float(nq > nv)]
                probe["q"][joint.get("name")], probe["qd"][joint.get("name")] = (q, [0.0] * nv) if nq > 1 else (0.0, 0.0)
        result = self.run("articulate-cli", *arguments, text=json.dumps(probe) + "\n")
        rows = json.loads(result.stdout).get("layout")
        if rows is None:
            raise SystemExit(f"{machine.name}: {result.stdout[:300]} {result.stderr[:300]}")
        return [row for row in rows if row["nv"] > 0 and row["joint"] in machine.kinds]

    def compute(self, machine, root, states, flags):
        path = self.put("library.urdf", machine.text(root))
        arguments = ["compute", "--model", path, "--state", "-", "--accept-unphysical", *flags]
        if machine.floating:
            arguments.append("--floating-base")
        result = self.run("articulate-cli", *arguments, text="".join(json.dumps(s) + "\n" for s in states))
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        if len(lines) != len(states) or any("error" in line for line in lines):
            raise ValueError(f"{machine.name}: {(result.stdout + result.stderr)[:300]}")
        return lines

    def closed(self, machine, states):
        """The states with their loops closed."""
        guesses = [{key: state[key] for key in state if key != "qdd"} for state in states]
        lines = self.compute(machine, machine.root, guesses,
                             ["--loops", self.put("loops.json", json.dumps(machine.loops)), "--assemble", "--only", "constrained"])
        for state, line in zip(states, lines):
            state["q"], state["qd"] = line["constrained"]["assembled"]["q"], line["constrained"]["assembled"]["qd"]
        return states

    def answers(self, machine, root, states, names, extra=(), loops=None):
        """Of each state a dictionary of arrays; `_R`, `_p`, `_V` are the poses and twists of the links, `_M` the mass matrix."""
        keys, flags = {"link_poses", "link_twists"}, list(extra)
        for name in names:
            key = name
            if name.startswith(("jacobian:", "tip_")):
                key = "jacobians"
            elif name in LINK_ROWS:
                key = "link_twists" if name == "link_twists" else "link_accelerations"
            elif name in ("link_rotations", "link_positions"):
                key = "link_poses"
            elif name in CENTROIDAL:
                key = "centroidal"
            elif name in DERIVATIVES:
                key = name[:name.index("_by")]
            elif name in ("torque_regressor", "gravity_regressor"):
                key = "regressor"
            elif name in ("closed_forward_dynamics", "constraint_force"):
                key = "constrained"
            keys.add(key)
        keys |= {"mass_matrix"} if machine.floating else set()
        flags += ["--centroidal"] * ("centroidal" in keys) + ["--inverse-inertia"] * ("inverse_mass_matrix" in keys)
        flags += ["--regressor"] * ("regressor" in keys) + ["--derivatives"] * any(n in DERIVATIVES for n in names)
        flags += ["--coriolis", "christoffel"] * ("coriolis_matrix" in keys)
        if loops is not None:
            flags += ["--loops", self.put("loops.json", json.dumps(loops))]
        flags += ["--only", ",".join(sorted(keys))]
        lines = self.compute(machine, root, states, flags + ["--frame", "mixed"])
        inner = [None] * len(states)
        if "link_twist_rates" in names:
            only = flags.index("--only")
            inner = self.compute(machine, root, states, flags[:only] + ["--only", "link_accelerations", "--frame", "link"])
        links = [link.get("name") for link in (machine.root if root is None else root).findall("link")]
        found = []
        for line, other in zip(lines, inner):
            answer = {"_R": {k: np.array(v["rotation"]) for k, v in line["link_poses"].items()},
                      "_p": {k: np.array(v["position"]) for k, v in line["link_poses"].items()},
                      "_V": {k: np.array(v) for k, v in line["link_twists"].items()}}
            try:
                answer.update({name: self.pick(name, line, other, links, answer) for name in names})
            except KeyError as missing:  # where a joint moves no mass
                raise ValueError(f"{machine.name}: no {missing}") from None
            if machine.floating:
                answer["_M"] = np.array(line["mass_matrix"])
            if "regressor" in keys:
                answer["_values"] = np.array(line["regressor"]["values"])
            found.append(answer)
        return found

    @staticmethod
    def pick(name, line, other, links, answer):
        if name in ("inverse_dynamics", "forward_dynamics"):
            return np.array(line[name]["tau" if name[0] == "i" else "qdd"])
        if name in DERIVATIVES:
            cut = name.index("_by")
            return np.array(line[name[:cut]][name[cut + 1:]])
        if name == "coriolis_matrix":
            return np.array(line[name]["matrix"])
        if name == "momentum":
            return np.array(line[name]["angular"] + line[name]["linear"])
        if name in CENTROIDAL:
            return np.array(line["centroidal"][CENTROIDAL[name]])
        if name == "link_rotations":
            return np.array([answer["_R"][k].reshape(9) for k in links])
        if name == "link_positions":
            return np.array([answer["_p"][k] for k in links])
        if name == "link_twists":
            return np.array([line[name][k] for k in links])
        if name == "link_accelerations":
            return np.array([line[name]["classical"][k] for k in links])
        if name == "link_twist_rates":
            return np.array([other["link_accelerations"]["spatial"][k] for k in links])
        if name == "tip_jacobian":
            return np.array(line["jacobians"]["links"][links[-1]])
        if name.startswith("jacobian:"):
            return np.array(line["jacobians"]["links"][name[9:]])
        if name == "torque_regressor":
            return np.array(line["regressor"]["matrix"])
        if name == "gravity_regressor":
            return np.array(line["regressor"]["static"])
        if name in ("closed_forward_dynamics", "constraint_force"):
            forward = line["constrained"]["forward_dynamics"]
            return np.array(forward["qdd"]) if name[1] == "l" else np.array(line["constrained"]["A"]).T @ np.array(forward["lambda"])
        return np.array(line[name])


def all_machines(library):
    """Those that are drawn from."""
    machines = []
    here = pathlib.Path(__file__).resolve().parents[1] / "models"
    for name, floating in BUILT_IN.items():
        text = library.run("articulate-cli", "models", "--export", "urdf", "--model", name).stdout
        if floating:  # the option frees it
            text = without_base(text)
        loops = None
        if name == "hydraulic_manipulator":
            loops = json.loads((here / "hydraulic_manipulator.loops.json").read_text())
        machines.append(Machine(name, ElementTree.fromstring(text), floating, library, loops))
    folder = os.environ.get("ARTICULATE_ROBOTS")
    for name, floating in SHARED.items():
        path = pathlib.Path(folder or "") / f"{name}.urdf"
        if folder and path.exists():
            machines.append(Machine(name, ElementTree.parse(path).getroot(), floating, library))
        else:
            print(f"left out: {name}.urdf, which ARTICULATE_ROBOTS has not", file=sys.stderr)
    machines.append(Machine("welder", tree_text("welder", 11, WELDER, 0.4, 0.3, 0.05), False, library))
    machines.append(Machine("crab", tree_text("crab", 12, CRAB, 0.2, 0.1, 0.03), True, library))
    machines.append(Machine("kite", tree_text("kite", 13, KITE, 0.1, 0.0, 0.02), True, library))
    machines.append(Machine("needle", tree_text("needle", 14, NEEDLE, masses=(1e-4, 2e-4), size=0.05), False, library))
    machines.append(Machine("standard_arm", denavit_text("standard_arm", TABLE, False), False, library))
    machines.append(Machine("modified_arm", denavit_text("modified_arm", TABLE, True, 6), False, library))
    machines.append(Machine("pantograph", five_bar_text(), False, library, FIVE_BAR_LOOP))
    heavy = next(m for m in machines if m.name == "needle")
    block = Inertial(heavy.root.findall("link")[1])
    block.mass, block.moments = 500.0, block.moments * 500.0 / block.mass
    block.write()
    return machines


# ---------------------------------------------------------------------------------------------------------------------
# States
# ---------------------------------------------------------------------------------------------------------------------
def draw_state(machine, rng, wrenches):
    """A state as users write one: gravity along -z in every other one."""
    q = []
    for row in machine.layout:
        kind = machine.kinds[row["joint"]]
        if kind == "ball":
            q += list(unit(rng, 4))
        elif kind == "floating":
            q += list(rng.uniform(-0.5, 0.5, 3)) + list(unit(rng, 4))
        else:
            q += list(rng.uniform(-0.3, 0.3, row["nq"]) if kind == "prismatic" else rng.uniform(-1.3, 1.3, row["nq"]))
    state = {"q": q, "qd": list(rng.normal(size=machine.nv)), "qdd": list(2 * rng.normal(size=machine.nv)),
             "tau": list(4 * rng.normal(size=machine.nv)), "gravity": [0.0, 0.0, -9.81]}
    if machine.floating:
        state["base"] = {"position": list(rng.uniform(-1, 1, 3)), "quaternion_xyzw": list(unit(rng, 4))}
    if wrenches:
        moving = [link for link in machine.links if machine.moves(link)]
        chosen = rng.choice(moving, min(len(moving), int(rng.integers(1, 4))), replace=False)
        state["external_wrenches"] = {str(link): list(3 * rng.normal(size=6)) for link in chosen}
    if machine.mimics:
        couple(machine, state)
    if machine.loops:  # near to where the loops are closed
        state["q"] = list(0.03 * rng.normal(size=machine.nq))
    return state


def couple(machine, state):
    """Close the mimic joints."""
    rows = {row["joint"]: row for row in machine.layout}
    for joint in joints_of(machine.root):
        mimic = joint.find("mimic")
        if mimic is not None and joint.get("name") in rows:
            times, plus = float(mimic.get("multiplier", "1")), float(mimic.get("offset", "0"))
            a, b = rows[joint.get("name")], rows[mimic.get("joint")]
            state["q"][a["q"]] = times * state["q"][b["q"]] + plus
            for key in ("qd",):
                state[key][a["rate"]] = times * state[key][b["rate"]]


def base_of(state):
    """Rotation, angular and linear velocity of a free base."""
    R = from_quaternion(*state["base"]["quaternion_xyzw"])
    return R, np.array(state["qd"][:3]), np.array(state["qd"][3:6])


# ---------------------------------------------------------------------------------------------------------------------
# Mistakes
# ---------------------------------------------------------------------------------------------------------------------
class Mistake:
    """A name, its kind, the machines on which it can be made, what must be given to see it, and what must be said."""

    def __init__(self, name, kind, make, needs, primary, words, wrenches, torques, wrong):
        self.name, self.kind, self.make, self.needs, self.primary = name, kind, make, needs, primary
        self.words, self.wrenches, self.torques, self.wrong = words, wrenches, torques, wrong


MISTAKES = {}


def mistake(kind, words, primary, needs=lambda m: True, wrenches=False, torques=None, wrong=True):
    """`words`: regular expressions that one finding must match, all of them. `primary`: quantities of which some are given.
    The function answers with what it changes: text(root), state(s, index, states), post(answer, state, index, answers),
    truth or library (options of --with), loops (those that the library knows), words (instead of those above).
    `wrong` is false where the numbers are right, and the checker has to see that."""
    def note(make):
        MISTAKES[make.__name__] = Mistake(make.__name__, kind, make, needs, primary, words, wrenches,
                                          not callable(primary) and "inverse_dynamics" in primary if torques is None else torques, wrong)
        return make
    return note


DYNAMIC = ["inverse_dynamics", "mass_matrix", "bias", "gravity_force", "forward_dynamics", "kinetic_energy"]


def floats(m):
    return m.floating


def several_links(m):
    return sum(1 for link in m.links if m.moves(link)) > 1


# ---- 1: inertia data ----------------------------------------------------------------------------------------------------
@mistake(1, [r"inerti|tensor", r"rpy|rotat|axes|orient"], DYNAMIC[:2] + ["kinetic_energy"])
def inertial_rotation_dropped(m, rng):
    return {"text": every_inertial(lambda i: setattr(i, "axes", np.eye(3)))}


@mistake(1, [r"inerti|tensor", r"rpy|rotat|axes|orient"], DYNAMIC[:2] + ["kinetic_energy"])
def inertial_rotation_transposed(m, rng):
    return {"text": every_inertial(lambda i: setattr(i, "axes", i.axes.T))}


@mistake(1, [r"product", r"sign|negat|opposite"], DYNAMIC[:2] + ["kinetic_energy"])
def products_negated(m, rng):
    return {"text": every_inertial(lambda i: setattr(i, "moments", 2 * np.diag(np.diag(i.moments)) - i.moments))}


@mistake(1, [r"product", r"drop|zero|ignor|miss|without|diagonal|lost|lack|left out|not read"], DYNAMIC[:2] + ["kinetic_energy"])
def products_dropped(m, rng):
    return {"text": every_inertial(lambda i: setattr(i, "moments", np.diag(np.diag(i.moments))))}


@mistake(1, [r"inerti|tensor", r"cent(re|er) of mass|parallel|steiner|origin"], DYNAMIC[:2] + ["kinetic_energy"])
def tensor_taken_about_the_origin(m, rng):
    def change(i):
        i.moments, i.axes = i.about_centre() - i.shift(), np.eye(3)
    return {"text": every_inertial(change)}


@mistake(1, [r"inerti|tensor", r"cent(re|er) of mass|parallel|steiner|origin"], DYNAMIC[:2] + ["kinetic_energy"])
def parallel_axes_counted_twice(m, rng):
    def change(i):
        i.moments, i.axes = i.about_centre() + i.shift(), np.eye(3)
    return {"text": every_inertial(change)}


@mistake(1, [r"tensor|moments? of inertia|rotational inertia|point mass"], DYNAMIC[:2] + ["kinetic_energy"])
def tensor_unused(m, rng):
    return {"text": every_inertial(lambda i: setattr(i, "moments", 0 * i.moments))}


@mistake(1, [r"cent(re|er)s? of mass", r"origin|ignor|zero|drop|left out|not read"], DYNAMIC[:4])
def centre_of_mass_ignored(m, rng):
    return {"text": every_inertial(lambda i: setattr(i, "centre", np.zeros(3)))}


def fixed_links(m):
    """Fixed joints that move."""
    return [j for j in joints_of(m.root) if j.get("type") == "fixed" and m.moves(j.find("child").get("link"))]


def fixed_leaves(m):
    """Those that carry no other joint."""
    carriers = {j.find("parent").get("link") for j in joints_of(m.root)}
    return [j for j in fixed_links(m) if j.find("child").get("link") not in carriers]


@mistake(1, [r"fix", r"mass|inerti|link"], DYNAMIC[:4], fixed_links)
def fixed_links_lost(m, rng):
    names = {j.find("child").get("link") for j in fixed_links(m)}

    def text(root):
        for name, inertial in inertials(root):
            if name in names:
                inertial.mass, inertial.moments = 0.0, 0 * inertial.moments
                inertial.write()
    return {"text": text}


@mistake(1, [r"fix", r"mass|inerti|link|origin|pose|offset"], DYNAMIC[:4], fixed_leaves)
def fixed_joint_origin_dropped(m, rng):
    names = {j.get("name") for j in fixed_leaves(m)}

    def text(root):
        for joint in joints_of(root):
            if joint.get("name") in names:
                set_origin(joint, np.zeros(3), np.eye(3))
    return {"text": text}


def one_link(m, rng):
    names = [name for name, i in inertials(m.root) if m.moves(name) and i.mass > 0.02]
    return str(rng.choice(names))


def with_link(name, change):
    def text(root):
        for other, inertial in inertials(root):
            if other == name:
                change(inertial)
                inertial.write()
    return text


@mistake(1, [], DYNAMIC[:4])
def mass_of_one_link_mistyped(m, rng):
    name, factor = one_link(m, rng), rng.choice([0.1, 0.5, 1.3, 10.0])
    return {"text": with_link(name, lambda i: setattr(i, "mass", factor * i.mass)), "words": [re.escape(name.lower()), "mass"], "link": name}


@mistake(1, [], DYNAMIC[:4])
def centre_of_one_link_mistyped(m, rng):
    name, axis = one_link(m, rng), int(rng.integers(3))

    def change(i):
        i.centre[axis] = -i.centre[axis] if abs(i.centre[axis]) > 0.01 else 0.05
    return {"text": with_link(name, change), "words": [re.escape(name.lower()), r"cent(re|er) of mass|first moment"], "link": name}


@mistake(1, [], DYNAMIC[:2] + ["kinetic_energy"])
def moment_of_one_link_mistyped(m, rng):
    name, axis = one_link(m, rng), int(rng.integers(3))

    def change(i):
        i.moments[axis, axis] += 0.02 * i.mass
    return {"text": with_link(name, change), "words": [re.escape(name.lower()), r"inertia|moment"], "link": name}


# ---- 2: the basis of a free base ------------------------------------------------------------------------------------------
def in_basis(answer, X, Xdot, v):
    """Rewrite what a library says whose base velocity is X times ours."""
    inverse = np.linalg.inv(X)
    for name in FORCES:
        if name in answer:
            if name in ("bias", "coriolis_force"):  # of motions whose acceleration is zero in their basis
                answer[name] = answer[name] - answer["_M"][:, :6] @ inverse @ Xdot @ v
            answer[name][:6] = inverse.T @ answer[name][:6]
    if "forward_dynamics" in answer:
        answer["forward_dynamics"][:6] = X @ answer["forward_dynamics"][:6] + Xdot @ v
    if "mass_matrix" in answer:
        answer["mass_matrix"][:6] = inverse.T @ answer["mass_matrix"][:6]
        answer["mass_matrix"][:, :6] = answer["mass_matrix"][:, :6] @ inverse
    if "inverse_mass_matrix" in answer:
        answer["inverse_mass_matrix"][:6] = X @ answer["inverse_mass_matrix"][:6]
        answer["inverse_mass_matrix"][:, :6] = answer["inverse_mass_matrix"][:, :6] @ X.T
    for name in answer:
        if name in ("tip_jacobian", "center_of_mass_jacobian", "centroidal_momentum_matrix") or name.startswith("jacobian:"):
            answer[name][:, :6] = answer[name][:, :6] @ inverse
        elif name in ("torque_regressor", "gravity_regressor"):
            answer[name][:6] = inverse.T @ answer[name][:6]


def basis(which, state):
    """X and its rate: u = X V, with V = (w, v) the body twist."""
    R, w, v = base_of(state)
    p = np.array(state["base"]["position"])
    if which == "mixed":  # both parts in world axes
        return blocks(R, R), blocks(R @ hat(w), R @ hat(w))
    if which == "world_linear":  # angular in the body, linear in the world
        return blocks(np.eye(3), R), blocks(np.zeros((3, 3)), R @ hat(w))
    if which == "spatial":  # about the origin of the world
        X = blocks(R, R)
        X[3:, :3] = hat(p) @ R
        Xdot = blocks(R @ hat(w), R @ hat(w))
        Xdot[3:, :3] = hat(R @ v) @ R + hat(p) @ R @ hat(w)
        return X, Xdot
    roll, pitch, _ = to_rpy(R)  # rates of roll, pitch, yaw, and the linear velocity in the world
    turn = np.array([[1, 0, -math.sin(pitch)], [0, math.cos(roll), math.sin(roll) * math.cos(pitch)],
                     [0, -math.sin(roll), math.cos(roll) * math.cos(pitch)]])
    a, b, _ = np.linalg.solve(turn, w)
    rate = np.array([[0, 0, -math.cos(pitch) * b],
                     [0, -math.sin(roll) * a, math.cos(roll) * math.cos(pitch) * a - math.sin(roll) * math.sin(pitch) * b],
                     [0, -math.cos(roll) * a, -math.sin(roll) * math.cos(pitch) * a - math.cos(roll) * math.sin(pitch) * b]])
    inverse = np.linalg.inv(turn)
    return blocks(inverse, R), blocks(-inverse @ rate @ inverse, R @ hat(w))


BASIS_WORDS = {"mixed": [r"base|floating|free", r"world"], "world_linear": [r"base|floating|free", r"linear", r"world"],
               "spatial": [r"base|floating|free", r"world", r"origin|spatial"],
               "euler": [r"base|floating|free", r"euler|roll|pitch"]}
BASE_GIVEN = ["inverse_dynamics", "mass_matrix", "bias", "forward_dynamics", "tip_jacobian", "gravity_force"]


def answered_in(which, term=True):
    def post(answer, state, index, answers):
        X, Xdot = basis(which, state)
        in_basis(answer, X, Xdot if term else 0 * Xdot, np.array(state["qd"][:6]))
    return {"post": post, "words": BASIS_WORDS[which]}


@mistake(2, [], BASE_GIVEN, floats)
def base_answers_in_world_axes(m, rng):
    return answered_in("mixed")


@mistake(2, [], BASE_GIVEN, floats)
def base_answers_linear_in_world(m, rng):
    return answered_in("world_linear")


@mistake(2, [], BASE_GIVEN, floats)
def base_answers_about_world_origin(m, rng):
    return answered_in("spatial")


@mistake(2, [], BASE_GIVEN, floats)
def base_answers_by_euler_rates(m, rng):
    return answered_in("euler")


@mistake(2, [], ["forward_dynamics", "bias", "inverse_dynamics"], floats)
def base_answers_turned_to_world_axes(m, rng):
    return answered_in(rng.choice(["mixed", "world_linear"]), False)


def read_in(which, accelerations=True, term=True):
    """The library takes our numbers of the base for those of another basis."""
    def state(s, index, states):
        given = states[index]
        X = basis(which, given)[0]
        v = np.linalg.solve(X, np.array(given["qd"][:6]))
        s["qd"] = list(v) + list(s["qd"][6:])
        if accelerations:
            Xdot = basis(which, s)[1] if term else np.zeros((6, 6))
            s["qdd"] = list(np.linalg.solve(X, np.array(given["qdd"][:6]) - Xdot @ v)) + list(s["qdd"][6:])
    return {"state": state, "words": BASIS_WORDS[which]}


@mistake(2, [], ["inverse_dynamics", "bias", "coriolis_force", "kinetic_energy", "momentum"], floats)
def base_velocity_read_in_world_axes(m, rng):
    return read_in("mixed", rng.random() < 0.5)


@mistake(2, [], ["inverse_dynamics", "bias", "coriolis_force", "kinetic_energy", "momentum"], floats)
def base_linear_velocity_read_in_world(m, rng):
    return read_in("world_linear", rng.random() < 0.5)


@mistake(2, [], ["inverse_dynamics", "bias", "coriolis_force", "kinetic_energy", "momentum"], floats)
def base_velocity_read_about_world_origin(m, rng):
    return read_in("spatial")


@mistake(2, [r"base|floating|free", r"classical|w x v|acceleration of (its|the) origin|point"], ["inverse_dynamics"], floats)
def base_acceleration_read_as_classical(m, rng):
    def state(s, index, states):
        w, v, a = np.array(s["qd"][:3]), np.array(s["qd"][3:6]), np.array(s["qdd"][3:6])
        s["qdd"] = list(s["qdd"][:3]) + list(a - np.cross(w, v)) + list(s["qdd"][6:])
    return {"state": state}


@mistake(2, [r"base|floating|free", r"classical|w x v|acceleration of (its|the) origin|point"], ["forward_dynamics"], floats)
def base_acceleration_answered_as_classical(m, rng):
    def post(answer, state, index, answers):
        if "forward_dynamics" in answer:
            answer["forward_dynamics"][3:6] += np.cross(state["qd"][:3], state["qd"][3:6])
    return {"post": post}


# ---- 3: frames of Jacobians and accelerations --------------------------------------------------------------------------
def with_jacobians(m, rng):
    return ["tip_jacobian"] + [f"jacobian:{link}" for link in rng.choice(m.links, min(3, len(m.links)), replace=False)]


def each_jacobian(m, change):
    def post(answer, state, index, answers):
        for name in list(answer):
            if name == "tip_jacobian" or name.startswith("jacobian:"):
                link = m.links[-1] if name == "tip_jacobian" else name[9:]
                answer[name] = change(answer[name], link, answer)
    return {"post": post}


@mistake(3, [r"jacobian", r"body|own axes|link'?s? (own )?(axes|frame)|local"], with_jacobians)
def jacobian_in_link_axes(m, rng):
    return each_jacobian(m, lambda J, link, a: blocks(a["_R"][link].T, a["_R"][link].T) @ J)


@mistake(3, [r"jacobian", r"spatial|world'?s? origin|origin of the world"], with_jacobians)
def jacobian_about_world_origin(m, rng):
    def change(J, link, a):
        J = J.copy()
        J[3:] += hat(a["_p"][link]) @ J[:3]
        return J
    return each_jacobian(m, change)


@mistake(3, [r"jacobian", r"cent(re|er) of mass|point"], with_jacobians)
def jacobian_of_centre_of_mass(m, rng):
    centres = {name: i.centre for name, i in inertials(m.root)}

    def change(J, link, a):
        J = J.copy()
        J[3:] -= hat(a["_R"][link] @ centres.get(link, np.zeros(3))) @ J[:3]
        return J
    return each_jacobian(m, change)


@mistake(3, [r"acceleration", r"classical|spatial|w x v"], ["link_accelerations"])
def accelerations_spatial(m, rng):
    def post(answer, state, index, answers):
        if "link_accelerations" in answer:
            for row, link in zip(answer["link_accelerations"], m.links):
                R, V = answer["_R"][link], answer["_V"][link]
                row[3:] -= R @ np.cross(V[:3], V[3:])
    return {"post": post}


@mistake(3, [r"acceleration|twist.rate", r"classical|spatial|w x v"], ["link_twist_rates"])
def twist_rates_classical(m, rng):
    def post(answer, state, index, answers):
        if "link_twist_rates" in answer:
            for row, link in zip(answer["link_twist_rates"], m.links):
                V = answer["_V"][link]
                row[3:] += np.cross(V[:3], V[3:])
    return {"post": post}


@mistake(3, [r"twist|velocit", r"world"], ["link_twists"])
def twists_in_world_axes(m, rng):
    def post(answer, state, index, answers):
        if "link_twists" in answer:
            for row, link in zip(answer["link_twists"], m.links):
                row[:] = blocks(answer["_R"][link], answer["_R"][link]) @ row
    return {"post": post}


@mistake(3, [r"acceleration", r"own axes|link'?s? (own )?(axes|frame)|body|local"], ["link_accelerations"])
def accelerations_in_link_axes(m, rng):
    def post(answer, state, index, answers):
        if "link_accelerations" in answer:
            for row, link in zip(answer["link_accelerations"], m.links):
                row[:] = blocks(answer["_R"][link].T, answer["_R"][link].T) @ row
    return {"post": post}


@mistake(3, [r"acceleration", r"gravity"], ["link_accelerations"])
def accelerations_with_gravity(m, rng):
    def post(answer, state, index, answers):
        if "link_accelerations" in answer:
            answer["link_accelerations"][:, 3:] -= np.array(state["gravity"])
    return {"post": post}


# ---- 4: armature, damping, friction ------------------------------------------------------------------------------------
def has(key):
    return lambda m: key in m.dynamics


def scaled_dynamics(key, factor):
    def text(root):
        for joint in joints_of(root):
            e = joint.find("dynamics")
            if e is not None and e.get(key):
                e.set(key, repr(factor * float(e.get(key))))
    return text


ARMATURE = ["inverse_dynamics", "mass_matrix", "forward_dynamics"]
LOSSES = ["inverse_dynamics", "forward_dynamics", "bias"]


@mistake(4, [r"armature|rotor", r"ignor|not|without|left|lack|zero|miss|0"], ARMATURE, has("armature"))
def armature_ignored(m, rng):
    return {"truth": {"armature"}, "drop": {"armature"}}


@mistake(4, [r"armature|rotor", r"twice|two times|double|2"], ARMATURE, has("armature"))
def armature_twice(m, rng):
    return {"truth": {"armature"}, "text": scaled_dynamics("armature", 2.0)}


@mistake(4, [r"armature|rotor"], ARMATURE, has("armature"))
def armature_added(m, rng):
    return {"exclude": {"armature"}, "add": {"armature"}}


@mistake(4, [r"damping", r"ignor|not|without|left|lack|zero|miss|0"], LOSSES, has("damping"))
def damping_ignored(m, rng):
    return {"truth": {"damping"}, "drop": {"damping"}}


@mistake(4, [r"damping", r"twice|two times|double|2"], LOSSES, has("damping"))
def damping_twice(m, rng):
    return {"truth": {"damping"}, "text": scaled_dynamics("damping", 2.0)}


@mistake(4, [r"damping"], LOSSES, has("damping"))
def damping_added(m, rng):
    return {"exclude": {"damping"}, "add": {"damping"}}


@mistake(4, [r"damping", r"sign|negat|opposite|push|drive"], LOSSES, has("damping"))
def damping_negated(m, rng):
    def post(answer, state, index, answers):
        for row in m.layout:
            joint = next(j for j in joints_of(m.root) if j.get("name") == row["joint"])
            e = joint.find("dynamics")
            if e is not None and row["nv"] == 1:
                for name in ("inverse_dynamics", "bias"):
                    if name in answer:
                        answer[name][row["rate"]] -= 2 * float(e.get("damping", "0")) * state["qd"][row["rate"]]
    return {"truth": {"damping"}, "post": post, "only": ["inverse_dynamics", "bias"]}


@mistake(4, [r"friction", r"ignor|not|without|left|lack|zero|miss|0"], LOSSES, has("friction"))
def friction_ignored(m, rng):
    return {"truth": {"friction"}, "drop": {"friction"}}


@mistake(4, [r"friction"], LOSSES, has("friction"))
def friction_added(m, rng):
    return {"exclude": {"friction"}, "add": {"friction"}}


# ---- 5: external wrenches ---------------------------------------------------------------------------------------------
WRENCHED = ["inverse_dynamics", "bias", "forward_dynamics"]


def each_wrench(change):
    def state(s, index, states):
        s["external_wrenches"] = {link: list(change(np.array(F), link, s)) for link, F in s["external_wrenches"].items()}
    return {"state": state}


EXTERNAL = r"wrench|external force|outside"


@mistake(5, [EXTERNAL, r"sign|opposite|negat|on the robot|by the robot"], WRENCHED, wrenches=True)
def wrenches_negated(m, rng):
    return each_wrench(lambda F, link, s: -F)


@mistake(5, [EXTERNAL, r"ignor|without|left|not|lack|zero|miss"], WRENCHED, wrenches=True)
def wrenches_ignored(m, rng):
    return each_wrench(lambda F, link, s: 0 * F)


@mistake(5, [EXTERNAL, r"world"], WRENCHED, wrenches=True)
def wrenches_read_in_world_axes(m, rng):
    return each_wrench(lambda F, link, s: blocks(s["_R"][link].T, s["_R"][link].T) @ F)


@mistake(5, [EXTERNAL, r"world"], WRENCHED, wrenches=True)
def wrenches_read_about_world_origin(m, rng):
    def change(F, link, s):
        R, p = s["_R"][link], s["_p"][link]
        return np.concatenate([R.T @ (F[:3] - np.cross(p, F[3:])), R.T @ F[3:]])
    return each_wrench(change)


@mistake(5, [EXTERNAL, r"cent(re|er) of mass"], WRENCHED, wrenches=True)
def wrenches_read_about_centre_of_mass(m, rng):
    centres = {name: i.centre for name, i in inertials(m.root)}
    return each_wrench(lambda F, link, s: F + np.concatenate([np.cross(centres.get(link, np.zeros(3)), F[3:]), np.zeros(3)]))


@mistake(5, [EXTERNAL, r"moment|torque"], WRENCHED, wrenches=True)
def moments_of_wrenches_ignored(m, rng):
    return each_wrench(lambda F, link, s: np.concatenate([np.zeros(3), F[3:]]))


@mistake(5, [EXTERNAL, r"parent|link"], WRENCHED, several_links, wrenches=True)
def wrenches_on_the_parent(m, rng):
    def state(s, index, states):
        moved = {}
        for link, F in s["external_wrenches"].items():
            target = m.parent.get(link, (link,))[0]
            moved[target] = list(np.array(moved.get(target, np.zeros(6))) + F)
        s["external_wrenches"] = moved
    return {"state": state}


# ---- 6: the layout of q -------------------------------------------------------------------------------------------------
PLACED = ["inverse_dynamics", "gravity_force", "mass_matrix", "link_positions", "tip_jacobian", "potential_energy"]


def each_quaternion(m, change):
    def state(s, index, states):
        if m.floating:
            s["base"]["quaternion_xyzw"] = list(change(s["base"]["quaternion_xyzw"]))
        for row in m.balls:
            at = row["q"] + row["nq"] - 4
            s["q"][at:at + 4] = list(change(s["q"][at:at + 4]))
    return {"state": state}


def turns(m):
    return m.floating or m.balls


@mistake(6, [r"quaternion", r"order|first|w x y z|wxyz|last"], PLACED, turns)
def quaternion_read_scalar_first(m, rng):
    return each_quaternion(m, lambda q: [q[1], q[2], q[3], q[0]])


@mistake(6, [r"quaternion", r"conjugat|invers|transpos|other way"], PLACED, turns)
def quaternion_conjugated(m, rng):
    return each_quaternion(m, lambda q: [-q[0], -q[1], -q[2], q[3]])


def other_order(how):
    return lambda m: m.listed(how) != m.order and all(row["nv"] == 1 for row in m.layout) and not m.loops


ORDER_WORDS = {"file": [r"order|permut", r"file"], "breadth": [r"order|permut", r"breadth|level"],
               "alphabet": [r"order|permut", r"alphabet|name"]}


def rows_permuted(m, how):
    p = m.rate_order(m.listed(how))

    def post(answer, state, index, answers):
        for name in list(answer):
            if name in FORCES or name == "forward_dynamics":
                answer[name] = answer[name][p]
            elif name in ("mass_matrix", "inverse_mass_matrix", "coriolis_matrix") or name in DERIVATIVES:
                answer[name] = answer[name][np.ix_(p, p)]
            elif name.startswith("jacobian:") or name in ("tip_jacobian", "center_of_mass_jacobian", "centroidal_momentum_matrix"):
                answer[name] = answer[name][:, p]
    return post


def inputs_permuted(m, how):
    names, rows = m.listed(how), {row["joint"]: row for row in m.layout}

    def state(s, index, states):
        given = states[index]
        s["q"], s["qd"], s["qdd"], s["tau"] = [list(s[k]) for k in ("q", "qd", "qdd", "tau")]
        for place, name in enumerate(names):
            s["q"][rows[name]["q"]] = given["q"][place]
            for key in ("qd", "qdd", "tau"):
                s[key][rows[name]["rate"]] = given[key][m.base + place]
    return state


@mistake(6, [], PLACED[:5], other_order("file"))
def joints_in_file_order(m, rng):
    how = rng.integers(3)
    return {"words": ORDER_WORDS["file"], **({"post": rows_permuted(m, "file")} if how != 1 else {}),
            **({"state": inputs_permuted(m, "file")} if how != 0 else {})}


@mistake(6, [], PLACED[:5], lambda m: other_order("breadth")(m) and m.listed("breadth") != m.listed("file"))
def joints_in_breadth_order(m, rng):
    how = rng.integers(3)
    return {"words": ORDER_WORDS["breadth"], **({"post": rows_permuted(m, "breadth")} if how != 1 else {}),
            **({"state": inputs_permuted(m, "breadth")} if how != 0 else {})}


@mistake(6, [], PLACED[:5], other_order("alphabet"))
def joints_in_alphabetical_order(m, rng):
    how = rng.integers(3)
    return {"words": ORDER_WORDS["alphabet"], **({"post": rows_permuted(m, "alphabet")} if how != 1 else {}),
            **({"state": inputs_permuted(m, "alphabet")} if how != 0 else {})}


@mistake(6, [r"base|floating|free", r"last|behind|after|end"], ["inverse_dynamics", "bias", "mass_matrix", "forward_dynamics"],
         lambda m: m.floating and m.nv > 6)
def base_behind_the_joints(m, rng):
    p = list(range(6, m.nv)) + list(range(6))

    def post(answer, state, index, answers):
        for name in list(answer):
            if name in FORCES or name == "forward_dynamics":
                answer[name] = answer[name][p]
            elif name in ("mass_matrix", "inverse_mass_matrix", "coriolis_matrix") or name in DERIVATIVES:
                answer[name] = answer[name][np.ix_(p, p)]
            elif name.startswith("jacobian:") or name in ("tip_jacobian", "center_of_mass_jacobian", "centroidal_momentum_matrix"):
                answer[name] = answer[name][:, p]
            elif name in ("torque_regressor", "gravity_regressor"):
                answer[name] = answer[name][p]
    return {"post": post}


# ---- 7: the order of twists and wrenches ----------------------------------------------------------------------------
SWAP = [3, 4, 5, 0, 1, 2]
LINEAR_FIRST = [r"linear|force|order|angular", r"first|order|swap"]


@mistake(7, [r"base|floating|free"] + LINEAR_FIRST, ["inverse_dynamics", "bias", "mass_matrix", "forward_dynamics"], floats)
def base_answers_linear_first(m, rng):
    X = np.eye(6)[SWAP]

    def post(answer, state, index, answers):
        in_basis(answer, X, 0 * X, np.zeros(6))
    return {"post": post}


@mistake(7, [r"base|floating|free"] + LINEAR_FIRST, ["inverse_dynamics", "bias", "coriolis_force", "kinetic_energy", "momentum"], floats)
def base_rates_read_linear_first(m, rng):
    def state(s, index, states):
        for key in ("qd", "qdd", "tau"):
            s[key] = [states[index][key][k] for k in SWAP] + list(s[key][6:])
    return {"state": state}


@mistake(7, [r"jacobian"] + LINEAR_FIRST, with_jacobians)
def jacobian_linear_first(m, rng):
    return each_jacobian(m, lambda J, link, a: J[SWAP])


@mistake(7, [r"twist"] + LINEAR_FIRST, ["link_twists"])
def twists_linear_first(m, rng):
    def post(answer, state, index, answers):
        if "link_twists" in answer:
            answer["link_twists"] = answer["link_twists"][:, SWAP]
    return {"post": post}


@mistake(7, [r"acceleration"] + LINEAR_FIRST, ["link_accelerations"])
def accelerations_linear_first(m, rng):
    def post(answer, state, index, answers):
        if "link_accelerations" in answer:
            answer["link_accelerations"] = answer["link_accelerations"][:, SWAP]
    return {"post": post}


@mistake(7, [r"momentum"] + LINEAR_FIRST, ["momentum", "centroidal_momentum"])
def momenta_linear_first(m, rng):
    def post(answer, state, index, answers):
        for name in ("momentum", "centroidal_momentum", "centroidal_momentum_rate", "centroidal_momentum_matrix"):
            if name in answer:
                answer[name] = answer[name][SWAP]
    return {"post": post}


@mistake(7, [EXTERNAL] + LINEAR_FIRST, WRENCHED, wrenches=True)
def wrenches_read_force_first(m, rng):
    return each_wrench(lambda F, link, s: F[SWAP])


# ---- 8: gravity -------------------------------------------------------------------------------------------------------
WEIGHTY = ["inverse_dynamics", "gravity_force", "bias", "forward_dynamics"]


def other_gravity(change):
    def state(s, index, states):
        s["gravity"] = list(change(np.array(s["gravity"]), s))
    return {"state": state}


@mistake(8, [r"gravity", r"sign|opposite|negat|upward|revers"], WEIGHTY)
def gravity_upward(m, rng):
    return other_gravity(lambda g, s: -g)


@mistake(8, [r"gravity", r"without|ignor|no gravity|zero|left out|lack|not"], WEIGHTY)
def gravity_ignored(m, rng):
    return other_gravity(lambda g, s: 0 * g)


@mistake(8, [r"gravity", r"along|direction|axis|-?9\.81"], WEIGHTY)
def gravity_along_y(m, rng):
    return other_gravity(lambda g, s: np.array([0, -9.81, 0]))


@mistake(8, [r"gravity", r"9\.8(0665)?\b|9\.80665|magnitude|size"], WEIGHTY)
def gravity_of_the_standard(m, rng):
    return other_gravity(lambda g, s: np.array([0, 0, -9.80665]))


@mistake(8, [r"gravity", r"base|body"], WEIGHTY, floats)
def gravity_in_base_axes(m, rng):
    return other_gravity(lambda g, s: from_quaternion(*s["base"]["quaternion_xyzw"]) @ g)


@mistake(8, [r"gravity"], WEIGHTY)
def gravity_of_a_tilted_base(m, rng):
    R = from_rpy([rng.uniform(0.3, 1), rng.uniform(-1, -0.3), 0])
    return other_gravity(lambda g, s: R @ g)


@mistake(8, [r"potential", r"sign|opposite|negat"], ["potential_energy"])
def potential_energy_negated(m, rng):
    def post(answer, state, index, answers):
        if "potential_energy" in answer:
            answer["potential_energy"] = -answer["potential_energy"]
    return {"post": post}


# ---- 9: C is not unique -----------------------------------------------------------------------------------------------
@mistake(9, [r"famil|unique|not unique|c qd|coriolis"], ["coriolis_matrix"], wrong=False)
def another_family_of_C(m, rng):
    weights = rng.normal(size=(m.nv, m.nv))

    def post(answer, state, index, answers):
        v = np.array(state["qd"])
        if "coriolis_matrix" in answer:
            other = weights - np.outer(weights @ v, v) / (v @ v)
            answer["coriolis_matrix"] = answer["coriolis_matrix"] + 0.1 * np.abs(answer["coriolis_matrix"]).max() * other
    return {"post": post}


def coriolis(change):
    def post(answer, state, index, answers):
        if "coriolis_matrix" in answer:
            answer["coriolis_matrix"] = change(answer["coriolis_matrix"])
    return {"post": post}


@mistake(9, [r"coriolis|c\b", r"transpos"], ["coriolis_matrix"])
def C_transposed(m, rng):
    return coriolis(lambda C: C.T)


@mistake(9, [r"coriolis|c\b", r"twice|half|factor|two|2"], ["coriolis_matrix"])
def C_without_its_half(m, rng):
    return coriolis(lambda C: 2 * C)


@mistake(9, [r"coriolis|c\b", r"dm/dt|rate of (the )?m|symmetric|derivative of m"], ["coriolis_matrix"])
def C_is_half_the_rate_of_M(m, rng):
    return coriolis(lambda C: (C + C.T) / 2)


@mistake(9, [r"coriolis", r"gravity"], ["coriolis_force", "bias"])
def coriolis_force_with_gravity(m, rng):
    def post(answer, state, index, answers):
        if "coriolis_force" in answer and "bias" in answer:
            answer["coriolis_force"] = answer["bias"].copy()
    return {"post": post, "only": ["coriolis_force", "bias", "gravity_force", "mass_matrix"]}


# ---- 10: derivatives --------------------------------------------------------------------------------------------------
def small(m):
    return m.nv <= 20


def by_base(X):
    """X(state): our displacement of the base per unit of theirs."""
    def post(answer, state, index, answers):
        for name in ("inverse_dynamics_by_q", "forward_dynamics_by_q"):
            if name in answer:
                answer[name][:, :6] = answer[name][:, :6] @ X(state)
    return {"post": post}


def small_and_free(m):
    return small(m) and m.floating


BY_Q = ["inverse_dynamics_by_q", "forward_dynamics_by_q"]


@mistake(10, [r"by.q|derivative", r"world"], BY_Q, small_and_free)
def derivatives_along_world_axes(m, rng):
    return by_base(lambda s: blocks(base_of(s)[0].T, base_of(s)[0].T))


@mistake(10, [r"by.q|derivative", r"world|position"], BY_Q, small_and_free)
def derivatives_by_world_position(m, rng):
    return by_base(lambda s: blocks(np.eye(3), base_of(s)[0].T))


@mistake(10, [r"by.q|derivative", r"euler|roll|pitch"], BY_Q, small_and_free)
def derivatives_by_euler_angles(m, rng):
    return by_base(lambda s: np.linalg.inv(basis("euler", s)[0]))


@mistake(10, [r"by.q|derivative", r"held|constant|velocit|rate"], ["inverse_dynamics_by_q"], small_and_free)
def derivatives_with_world_rates_held(m, rng):
    def post(answer, state, index, answers):
        if "inverse_dynamics_by_q" in answer:
            turn = np.zeros((6, 3))
            turn[:3], turn[3:] = hat(state["qd"][:3]), hat(state["qd"][3:6])
            answer["inverse_dynamics_by_q"][:, :3] += answer["inverse_dynamics_by_qd"][:, :6] @ turn
    return {"post": post, "only": ["inverse_dynamics_by_q", "inverse_dynamics_by_qd", "inverse_dynamics", "mass_matrix"]}


@mistake(10, [r"by.q|derivative", r"transpos"], BY_Q, small)
def derivatives_transposed(m, rng):
    def post(answer, state, index, answers):
        for name in DERIVATIVES:
            if name in answer:
                answer[name] = answer[name].T
    return {"post": post}


@mistake(10, [r"by.qd|derivative", r"half|factor|coriolis|c\b|2"], ["inverse_dynamics_by_qd"], lambda m: small(m) and m.scalar and not m.floating)
def C_for_the_derivative_by_rates(m, rng):
    def post(answer, state, index, answers):
        if "inverse_dynamics_by_qd" in answer:
            answer["inverse_dynamics_by_qd"] = answer["inverse_dynamics_by_qd"] / 2
    return {"post": post, "exclude": {"damping", "friction"}}


@mistake(10, [r"by.q|derivative", r"sign|negat|opposite"], ["forward_dynamics_by_q", "forward_dynamics_by_qd"], small)
def derivatives_of_forward_dynamics_negated(m, rng):
    def post(answer, state, index, answers):
        for name in ("forward_dynamics_by_q", "forward_dynamics_by_qd"):
            if name in answer:
                answer[name] = -answer[name]
    return {"post": post}


@mistake(10, [r"by.q|derivative", r"acceleration|qdd"], ["inverse_dynamics_by_q"], small)
def derivatives_without_accelerations(m, rng):
    return {"again": ("inverse_dynamics_by_q", lambda s: s.update(qdd=[0.0] * m.nv))}


# ---- 11: triangles and stale outputs ---------------------------------------------------------------------------------
def triangle(cut, *names):
    def post(answer, state, index, answers):
        for name in names:
            if name in answer:
                answer[name] = cut(answer[name])
    return {"post": post}


@mistake(11, [r"triang", r"upper|above"], ["mass_matrix"])
def upper_triangle_of_M(m, rng):
    return triangle(np.triu, "mass_matrix")


@mistake(11, [r"triang", r"lower|below"], ["mass_matrix"])
def lower_triangle_of_M(m, rng):
    return triangle(np.tril, "mass_matrix")


@mistake(11, [r"triang", r"upper|above"], ["inverse_mass_matrix"])
def upper_triangle_of_inverse(m, rng):
    return triangle(np.triu, "inverse_mass_matrix")


STALE = [r"stale|previous|before|earlier|old|state \d|another state|last state|first state"]


@mistake(11, STALE, ["mass_matrix", "bias", "tip_jacobian", "gravity_force", "kinetic_energy", "link_positions"], torques=False)
def one_quantity_of_the_state_before(m, rng):
    pick = rng.random()

    def post(answer, state, index, answers):
        names = sorted(name for name in answer if name in ("mass_matrix", "bias", "tip_jacobian", "gravity_force", "kinetic_energy",
                                                           "link_positions"))
        name = names[int(pick * len(names))]
        if index > 0:
            answer[name] = answers[index - 1][name].copy()
    return {"post": post, "late": 1}


@mistake(11, STALE, DYNAMIC)
def everything_of_the_state_before(m, rng):
    def post(answer, state, index, answers):
        if index > 0:
            for name in answer:
                if not name.startswith("_"):
                    answer[name] = answers[index - 1][name].copy()
    return {"post": post, "late": 1}


@mistake(11, STALE, ["mass_matrix", "gravity_force", "bias", "inverse_dynamics"])
def everything_of_the_first_state(m, rng):
    def post(answer, state, index, answers):
        for name in answer:
            if not name.startswith("_"):
                answer[name] = answers[0][name].copy()
    return {"post": post, "late": 1}


# ---- 12: Denavit and Hartenberg ---------------------------------------------------------------------------------------
@mistake(12, [r"denavit|\bdh\b|hartenberg"], PLACED + ["link_positions"], lambda m: m.name == "standard_arm")
def standard_rows_read_as_modified(m, rng):
    def text(root):
        place_denavit(root, TABLE, True)
        for (alpha, a, d), link in zip(TABLE, m.links[1:]):
            p, R = tail(alpha, a, d)
            move_inertial(root, link, -R.T @ p, R.T)
    return {"text": text}


@mistake(12, [r"denavit|\bdh\b|hartenberg"], PLACED + ["link_positions"], lambda m: m.name == "modified_arm")
def modified_rows_read_as_standard(m, rng):
    def text(root):
        place_denavit(root, TABLE, False)
        for (alpha, a, d), link in zip(TABLE, m.links[1:]):
            move_inertial(root, link, *tail(alpha, a, d))
    return {"text": text}


@mistake(12, [r"denavit|\bdh\b|hartenberg"], PLACED + ["link_positions"], lambda m: m.name == "standard_arm")
def standard_rows_read_as_modified_masses_right(m, rng):
    def text(root):
        place_denavit(root, TABLE, True)
    return {"text": text}


# ---- 13: inertial parameters ------------------------------------------------------------------------------------------
REGRESSED = ["torque_regressor", "gravity_regressor"]


def regrouped(order):
    def post(answer, state, index, answers):
        for name in REGRESSED:
            if name in answer:
                Y = answer[name]
                answer[name] = Y[:, [10 * (k // 10) + order[k % 10] for k in range(Y.shape[1])]]
    return {"post": post}


@mistake(13, [r"parameter|column|regressor", r"order"], REGRESSED, small)
def moments_ordered_xx_xy_yy(m, rng):
    return regrouped([0, 1, 2, 3, 4, 5, 7, 6, 8, 9])


@mistake(13, [r"parameter|column|regressor", r"order"], REGRESSED, small)
def moments_ordered_diagonal_first(m, rng):
    return regrouped([0, 1, 2, 3, 4, 7, 9, 5, 6, 8])


@mistake(13, [r"parameter|column|regressor", r"order|last|first"], REGRESSED, small)
def mass_last(m, rng):
    return regrouped([4, 5, 6, 7, 8, 9, 1, 2, 3, 0])


@mistake(13, [r"product", r"sign|negat|opposite"], REGRESSED, small)
def products_of_the_regressor_negated(m, rng):
    def post(answer, state, index, answers):
        for name in REGRESSED:
            if name in answer:
                answer[name][:, [k for k in range(answer[name].shape[1]) if k % 10 in (5, 6, 8)]] *= -1
    return {"post": post}


@mistake(13, [r"cent(re|er) of mass|first moment|m c\b"], REGRESSED, small)
def centre_of_mass_as_parameter(m, rng):
    def post(answer, state, index, answers):
        for name in REGRESSED:
            if name in answer:
                for k in range(answer[name].shape[1]):
                    if k % 10 in (1, 2, 3):
                        answer[name][:, k] *= answer["_values"][k - k % 10]
    return {"post": post}


@mistake(13, [r"inerti|tensor|moments?|product|parameter", r"order"], DYNAMIC[:2] + ["kinetic_energy"])
def moments_of_the_file_read_diagonal_first(m, rng):
    def change(i):
        xx, xy, xz, yy, yz, zz = [i.moments["xyz".index(k[1]), "xyz".index(k[2])] for k in MOMENTS]
        i.moments = np.array([[xx, yy, yz], [yy, xy, zz], [yz, zz, xz]])
    return {"text": every_inertial(change), "words": [r"inerti|tensor|moments?|product", r"order"]}


@mistake(13, [r"inerti|tensor|moments?|product|parameter", r"order|swap|exchang|interchang"], DYNAMIC[:2] + ["kinetic_energy"])
def moments_of_the_file_read_xx_xy_yy(m, rng):
    def change(i):
        M = i.moments.copy()
        i.moments[1, 1], i.moments[0, 2], i.moments[2, 0] = M[0, 2], M[1, 1], M[1, 1]
    return {"text": every_inertial(change)}


# ---- 14: loops and mimic joints --------------------------------------------------------------------------------------
def closes(m):
    return m.loops or m.mimics


CLOSED = ["closed_forward_dynamics", "constraint_force"]


@mistake(14, [r"loop|mimic|constraint|coupl", r"ignor|without|independent|cut|tree|left out|not"], ["closed_forward_dynamics"], closes, torques=False)
def loops_ignored(m, rng):
    def post(answer, state, index, answers):
        answer["closed_forward_dynamics"] = answer["forward_dynamics"].copy()
    return {"post": post, "only": ["closed_forward_dynamics", "forward_dynamics", "mass_matrix", "gravity_force"], "closed": True}


@mistake(14, [r"multiplier|lambda|constraint|reaction", r"sign|opposite|negat"], ["constraint_force"], closes, torques=False)
def constraint_force_negated(m, rng):
    def post(answer, state, index, answers):
        answer["constraint_force"] = -answer["constraint_force"]
    return {"post": post, "only": CLOSED + ["mass_matrix", "bias"], "closed": True}


@mistake(14, [r"mimic|coupl|multiplier", r"multiplier|factor|ratio|one|1"], ["closed_forward_dynamics"],
         lambda m: m.name == "mimic_hand", torques=False)
def mimic_multiplier_ignored(m, rng):
    def post(answer, state, index, answers):
        project(answer, state, [np.array([0, -1, 0, 1, 0.0]), np.array([0, -1, 0, 0, 1.0])])
    return {"post": post, "only": CLOSED + ["mass_matrix", "bias"], "closed": True}


@mistake(14, [r"mimic|coupl|multiplier", r"sign|negat|opposite"], ["closed_forward_dynamics"],
         lambda m: m.name == "mimic_hand", torques=False)
def mimic_multiplier_negated(m, rng):
    def post(answer, state, index, answers):
        project(answer, state, [np.array([0, -0.8, 0, 1, 0.0]), np.array([0, 0.02, 0, 0, 1.0])])
    return {"post": post, "only": CLOSED + ["mass_matrix", "bias"], "closed": True}


def project(answer, state, rows, bend=None):
    """The motion of a machine that keeps these rows at rest."""
    A, M = np.array(rows), answer["mass_matrix"]
    free = np.linalg.solve(M, np.array(state["tau"]) - answer["bias"])
    weight = A @ np.linalg.solve(M, A.T)
    push = A.T @ np.linalg.lstsq(weight, -(A @ free + (0 if bend is None else bend)), rcond=1e-11)[0]
    if "closed_forward_dynamics" in answer:
        answer["closed_forward_dynamics"] = free + np.linalg.solve(M, push)
    if "constraint_force" in answer:
        answer["constraint_force"] = push


@mistake(14, [r"loop|constraint", r"adot|rate of|velocity|dot|qd"], ["closed_forward_dynamics"], lambda m: m.name == "pantograph", torques=False)
def loops_without_velocity_terms(m, rng):
    def post(answer, state, index, answers):
        R, p = answer["_R"], answer["_p"]
        z = R["ground"] @ from_rpy([0.4, -0.5, 0.3])[:, 2]
        tip = p["left_tip"] + R["left_tip"] @ [0.4, 0, 0]
        J = {j: np.cross(z, tip - p[link]) for j, link in (("left_shoulder", "left"), ("left_elbow", "left_tip"),
                                                           ("right_shoulder", "right"), ("right_elbow", "right_tip"))}
        A = np.array([J[j] * (1 if j.startswith("left") else -1) for j in m.order]).T
        project(answer, state, A)
    return {"post": post, "only": CLOSED + ["mass_matrix", "bias"], "closed": True}


# ---- 15: precision ----------------------------------------------------------------------------------------------------
def rounded_answers(to):
    def post(answer, state, index, answers):
        for name in answer:
            if not name.startswith("_"):
                answer[name] = to(answer[name])
    return {"post": post, "late": 2}


@mistake(15, [r"single|float32|binary32|24 bits|7 digits"], DYNAMIC)
def single_precision_of_answers(m, rng):
    return rounded_answers(lambda x: np.asarray(x, dtype=np.float32).astype(float))


@mistake(15, [r"single|float32|binary32|24 bits|7 digits"], DYNAMIC)
def single_precision_of_states(m, rng):
    def state(s, index, states):
        for key in ("q", "qd", "qdd", "tau"):
            s[key] = [float(np.float32(x)) for x in s[key]]
    return {"state": state}


@mistake(15, [r"digit|decimal|printed|round"], DYNAMIC)
def six_digits_printed(m, rng):
    return rounded_answers(np.vectorize(lambda x: float(f"{x:.6g}")))


@mistake(15, [r"digit|decimal|printed|round"], DYNAMIC)
def four_decimals_printed(m, rng):
    return rounded_answers(lambda x: np.round(x, 4))


@mistake(15, [r"condition|cannot|attain|agree"], ["forward_dynamics"], lambda m: m.name == "needle", torques=False, wrong=False)
def solved_with_a_bad_condition(m, rng):
    def post(answer, state, index, answers):
        if "forward_dynamics" in answer and "mass_matrix" in answer:
            answer["forward_dynamics"] = np.linalg.solve(answer["mass_matrix"], np.array(state["tau"]) - answer["bias"])
    return {"post": post, "only": ["forward_dynamics", "mass_matrix", "bias"]}


# ---- 16: units --------------------------------------------------------------------------------------------------------
ANGLES = {"revolute": [0], "continuous": [0], "helical": [0], "universal": [0, 1], "euler_ball": [0, 1, 2], "cylindrical": [0],
          "planar": [2]}


def turning(m):
    """Where angles stand in q and in the rates; of machines without quaternions in their joints."""
    if m.balls or "euler_free" in m.kinds.values():
        return []
    return [(row["q"] + k, row["rate"] + k) for row in m.layout for k in ANGLES.get(m.kinds[row["joint"]], [])]


def in_degrees(m, keys, factor):
    def state(s, index, states):
        for key in keys:
            s[key] = list(s[key])
            for place, rate in turning(m):
                s[key][place if key == "q" else rate] *= factor
    return {"state": state}


DEGREE = math.pi / 180


@mistake(16, [r"degree"], PLACED + ["bias"], turning)
def angles_read_in_degrees(m, rng):
    return in_degrees(m, ["q"], DEGREE)


@mistake(16, [r"degree"], ["inverse_dynamics", "bias", "coriolis_force", "kinetic_energy", "momentum"], turning)
def rates_read_in_degrees(m, rng):
    return in_degrees(m, ["qd"], DEGREE)


@mistake(16, [r"degree"], ["inverse_dynamics", "bias", "coriolis_force", "kinetic_energy", "mass_matrix"], turning)
def angles_and_rates_read_in_degrees(m, rng):
    return in_degrees(m, ["q", "qd", "qdd"], DEGREE)


@mistake(16, [r"degree"], ["forward_dynamics"], turning)
def accelerations_answered_in_degrees(m, rng):
    def post(answer, state, index, answers):
        if "forward_dynamics" in answer:
            for _, rate in turning(m):
                answer["forward_dynamics"][rate] /= DEGREE
    return {"post": post}


@mistake(16, [r"mm|milli|1000|0\.001"], ["inverse_dynamics", "bias", "gravity_force"])
def torques_in_newton_millimetres(m, rng):
    def post(answer, state, index, answers):
        for name in FORCES:
            if name in answer:
                answer[name] = 1000 * answer[name]
    return {"post": post, "words": [r"mm|milli|1,?000|0\.001"]}


@mistake(16, [r"\bg\b|gram|1,?000|0\.001|kg"], DYNAMIC[:4])
def masses_in_grams(m, rng):
    def change(i):
        i.mass, i.moments = 1000 * i.mass, 1000 * i.moments
    return {"text": every_inertial(change)}


@mistake(16, [r"\bcm\b|centi|mm|milli|unit|1e-4|10,?000|factor"], DYNAMIC[:2] + ["kinetic_energy"])
def tensors_in_kg_cm2(m, rng):
    return {"text": every_inertial(lambda i: setattr(i, "moments", 1e4 * i.moments))}


@mistake(16, [r"mm|milli|1,?000|0\.001"], ["link_positions", "center_of_mass"])
def lengths_answered_in_millimetres(m, rng):
    def post(answer, state, index, answers):
        for name in ("link_positions", "center_of_mass"):
            if name in answer:
                answer[name] = 1000 * answer[name]
    return {"post": post}


@mistake(16, [r"degree"], ["link_twists"])
def angular_velocities_in_degrees(m, rng):
    def post(answer, state, index, answers):
        if "link_twists" in answer:
            answer["link_twists"][:, :3] /= DEGREE
    return {"post": post}


# ---------------------------------------------------------------------------------------------------------------------
# Errors on no list
# ---------------------------------------------------------------------------------------------------------------------
def cogging(m, rng):
    """A ripple of each joint's force in its own coordinate."""
    size, phase = rng.uniform(0.2, 0.5, m.nv), rng.uniform(0, 6, m.nv)

    def post(answer, state, index, answers):
        q = np.resize(np.array(state["q"]), m.nv)
        for name in ("inverse_dynamics", "bias"):
            answer[name] = answer[name] + size * np.sin(7 * q + phase) * np.abs(answer[name]).max()
    return {"post": post}


def air_drag(m, rng):
    """A force that grows with the square of each rate."""
    size = rng.uniform(0.2, 0.9, m.nv)

    def post(answer, state, index, answers):
        v = np.array(state["qd"])
        for name in ("inverse_dynamics", "bias"):
            answer[name] = answer[name] + size * v * np.abs(v)
    return {"post": post}


def crosstalk(m, rng):
    """A cable that mixes all channels a little."""
    mix = np.eye(m.nv) + 0.1 * rng.normal(size=(m.nv, m.nv))

    def post(answer, state, index, answers):
        for name in ("inverse_dynamics", "bias"):
            answer[name] = mix @ answer[name]
    return {"post": post}


def saturation(m, rng):
    """No force beyond half of the largest."""
    def post(answer, state, index, answers):
        for name in ("inverse_dynamics", "bias"):
            limit = 0.5 * np.abs(answer[name]).max()
            answer[name] = limit * np.tanh(answer[name] / limit)
    return {"post": post}


def careless_noise(m, rng):
    """Every number is a few percent off."""
    seed = int(rng.integers(1 << 30))

    def post(answer, state, index, answers):
        noise = np.random.default_rng([seed, index])
        for name in sorted(answer):
            if not name.startswith("_"):
                answer[name] = answer[name] * (1 + 0.05 * noise.normal(size=np.shape(answer[name])))
    return {"post": post}


UNLISTED = [cogging, air_drag, crosstalk, saturation, careless_noise]
NOISE = [r"noise|round|scatter|precision|digit|random"]
# Words for the same thing, added after the misses of the first run were read; the sentence that was read stands beside them.
EQUIVALENT = {
    "wrenches_on_the_parent": [[EXTERNAL, r"body before|carr"]],  # "acts on the body before the one that it is given for"
    "moments_of_the_file_read_xx_xy_yy": [[r"xx xy xz yy yz zz are read as xx xy yy xz yz zz"]],
    "gravity_along_y": [[r"gravity", r"as if y"]],  # "turned as if y, not z, pointed up"
    "momenta_linear_first": [[r"momenta", r"linear part first"]],
    "joints_in_alphabetical_order": [[r"joints", r"number", r"alphabet"]],  # "your answers number the joints ..."
    "joints_in_breadth_order": [[r"joints", r"number", r"breadth"]],
    "joints_in_file_order": [[r"joints", r"number", r"file"]],
    "moments_ordered_diagonal_first": [[r"regressor", r"moments of inertia first and products then"]],
    "moments_ordered_xx_xy_yy": [[r"regressor", r"moments of inertia as xx xy yy xz yz zz"]],
    "moments_of_the_file_read_diagonal_first": [[r"xx xy xz yy yz zz are read as xx yy zz xy xz yz"]],
    "derivatives_without_accelerations": [[r"numbers are those of zero accelerations"]],
    "mass_of_one_link_mistyped": [["LINK", r"\bm = |as far as they tell"]],  # "in the body of link 'hull' ... your numbers have m = 3.4 instead of 2.6"
    "centre_of_one_link_mistyped": [["LINK", r"\bm c_[xyz] = "]],
    "moment_of_one_link_mistyped": [["LINK", r"\bi_[xyz][xyz] = "]],
}


# ---------------------------------------------------------------------------------------------------------------------
# Comparisons
# ---------------------------------------------------------------------------------------------------------------------
class Comparison:
    """Numbers of a library that may be wrong, and what is wrong with them."""

    def __init__(self, part, number, machine, names, with_truth, loops):
        self.part, self.number, self.machine, self.names = part, number, machine, names
        self.with_truth, self.loops = with_truth, loops
        self.states, self.answers, self.words, self.right = [], [], {}, False


def effects_of(machine, rng, chosen):
    found = []
    for mistake_ in chosen:
        effect = mistake_.make(machine, rng)
        link = re.escape(effect.get("link", "").lower())
        more = [[word.replace("LINK", link) for word in words] for words in EQUIVALENT.get(mistake_.name, [])]
        effect["words"] = [effect.get("words", mistake_.words)] + more
        found.append(effect)
    return found


def build(library, machine, rng, part, number, chosen, effects):
    """The comparison, or None if the mistakes cannot be seen in it."""
    closed = any(e.get("closed") for e in effects)
    names = quantities(machine, rng, part, chosen, effects)
    truth = set().union(*(e.get("truth", set()) for e in effects))
    excluded = set().union(*(e.get("exclude", set()) for e in effects))
    if truth & excluded:
        return None
    if rng.random() < 0.25:
        truth |= machine.dynamics - excluded
    with_library = (truth - set().union(*(e.get("drop", set()) for e in effects))) | set().union(*(e.get("add", set()) for e in effects))
    if closed:
        truth, with_library = set(), set()
        names = [name for name in names if name not in NEED_QDD]
    wrenches = any(m.wrenches for m in chosen) or rng.random() < 0.3
    states = [draw_state(machine, rng, wrenches and not closed) for _ in range(int(rng.integers(3, 6)))]
    tilted = not any(m.name == "gravity_of_the_standard" for m in chosen) and rng.random() < 0.3
    for state in states:
        if tilted:
            state["gravity"] = [float(x) for x in 9.81 * unit(rng, 3)]
    loops = None
    if closed and machine.loops:
        states, loops = library.closed(machine, states), machine.loops
    comparison = Comparison(part, number, machine, names, truth, loops)
    comparison.mimic = closed and machine.mimics
    comparison.hidden = {"qdd"} if closed else set()  # which would have to keep the loops closed
    comparison.states = states
    mimic = ["--with", "mimic"] if comparison.mimic else []
    right = library.answers(machine, None, told(states, comparison), names, flags(truth) + mimic, loops)
    answers = right
    if effects:
        answers = changed(library, comparison, right, effects, with_library, mimic)
    seen = [answers] if effects else []
    if len(effects) > 1:
        seen += [changed(library, comparison, right, [e], with_library, mimic) for e in effects]
    if any(not visible(s, right, names) for s in seen):
        return None
    comparison.answers = answers
    comparison.words = {m.name: e["words"] for m, e in zip(chosen, effects)}
    comparison.right = bool(chosen) and not any(m.wrong for m in chosen)
    return comparison


def told(states, comparison):
    """The states as they are given."""
    return [{k: v for k, v in s.items() if not k.startswith("_") and k not in comparison.hidden} for s in states]


def flags(settings):
    return ["--with", ",".join(sorted(settings))] if settings else []


def changed(library, comparison, right, effects, with_library, mimic):
    """What a library with these mistakes answers."""
    machine, names, states, loops = comparison.machine, comparison.names, comparison.states, comparison.loops
    root = copy.deepcopy(machine.root)
    for effect in effects:
        if "text" in effect:
            effect["text"](root)
    read = []
    for index, state in enumerate(states):
        s = copy.deepcopy(state)
        s["_R"], s["_p"] = right[index]["_R"], right[index]["_p"]
        s.setdefault("external_wrenches", {})
        for effect in effects:
            if "state" in effect:
                effect["state"](s, index, states)
        read.append(s)
    read = told(read, comparison)
    own = any("drop" in e or "add" in e for e in effects)
    settings = flags(with_library if own else comparison.with_truth) + mimic
    answers = library.answers(machine, root, read, names, settings, loops)
    for effect in effects:
        if "again" in effect:
            name, change = effect["again"]
            other = copy.deepcopy(read)
            for s in other:
                change(s)
            for answer, line in zip(answers, library.answers(machine, root, other, [name], settings, loops)):
                if name in answer:
                    answer[name] = line[name]
    for effect in sorted(effects, key=lambda e: e.get("late", 0)):  # stale outputs, then rounding, after all else
        if "post" in effect:
            before = copy.deepcopy(answers)
            for index, answer in enumerate(answers):
                effect["post"](answer, states[index], index, before)
    return answers


def visible(answers, right, names):
    for one, other in zip(answers, right):
        for name in names:
            size = np.abs(other[name]).max()
            if size > 0 and np.abs(one[name] - other[name]).max() > VISIBLE * size:
                return True
    return False


def quantities(machine, rng, part, chosen, effects):
    """Which numbers the user gives: some that the mistakes touch, and a few others."""
    if part == "torques":
        return ["inverse_dynamics"]
    only = [e["only"] for e in effects if "only" in e]
    names = set()
    for m in chosen:
        primary = m.primary(machine, rng) if callable(m.primary) else m.primary
        keep = max(1, int(rng.integers(1, len(primary) + 1)))
        names |= set(rng.choice(primary, keep, replace=False)) if not callable(m.primary) else set(primary)
    for one in only:
        names |= set(one)
    if not (only and len(chosen) == 1):
        names |= set(rng.choice(ORDINARY, int(rng.integers(1, 6)), replace=False))
    if part == "unlisted":
        names |= {"inverse_dynamics", "bias"}
    if part == "clean" and rng.random() < 0.3 and machine.nv <= 20:
        names |= set(rng.choice(DERIVATIVES + ("torque_regressor", "coriolis_matrix"), 2, replace=False))
    return sorted(str(n) for n in names)


def draw(library, machines, part, number, seed, only=None):
    """Comparison `number` of a part."""
    rng = np.random.default_rng([seed, sum(map(ord, part)), number])
    pool = [m for m in MISTAKES.values() if part != "torques" or m.torques]
    kinds = sorted({m.kind for m in pool})
    for _ in range(200):
        if part in ("clean", "unlisted"):
            chosen = []
        elif only:
            chosen = [MISTAKES[n] for n in only]
        else:
            first = kinds[number % len(kinds)]
            picked = [first]
            if part == "doubles":
                picked.append(int(rng.choice([k for k in kinds if k not in (first, 9, 11, 14, 15)])))
            chosen = [list(m for m in pool if m.kind == kind)[int(rng.integers(sum(m.kind == kind for m in pool)))] for kind in picked]
            if part == "doubles" and (any(not m.wrong for m in chosen) or set(picked) in APART):
                continue
        able = [machine for machine in machines if all(m.needs(machine) for m in chosen)]
        if not able:
            continue
        machine = able[int(rng.integers(len(able)))]
        effects = effects_of(machine, rng, chosen)
        if part == "unlisted":
            effects = [UNLISTED[number % len(UNLISTED)](machine, rng)]
            effects[0]["words"] = []
        try:
            comparison = build(library, machine, rng, part, number, chosen, effects)
        except ValueError as error:
            print(f"drawn again: {[m.name for m in chosen]}: {error}", file=sys.stderr)
            continue
        if comparison is not None:
            if part == "unlisted":
                comparison.unlisted = UNLISTED[number % len(UNLISTED)].__name__
            if part == "clean" and number % 2:
                size = 10 ** rng.uniform(-10, -6)
                for answer in comparison.answers:
                    for name in comparison.names:
                        answer[name] = answer[name] * (1 + size * rng.uniform(-1, 1, size=np.shape(answer[name])))
            return comparison
    raise SystemExit(f"{part} {number}: nothing could be drawn")


def lines_of(comparison):
    rows = []
    for state, answer in zip(told(comparison.states, comparison), comparison.answers):
        given = {name: np.asarray(answer[name]).tolist() for name in comparison.names}
        rows.append(json.dumps({"state": state, "answers": given}))
    return "\n".join(rows) + "\n"


def report_of(library, comparison, keep=None):
    """What `articulate-check` says, as JSON."""
    machine = comparison.machine
    arguments = ["check", library.put("theirs.jsonl", lines_of(comparison)), "--model", library.put("model.urdf", machine.text()),
                 "--json", str(library.scratch / "report.json")]
    if machine.floating:
        arguments.append("--floating-base")
    settings = sorted(comparison.with_truth) + (["mimic"] if comparison.mimic else [])
    if settings:
        arguments += ["--with", ",".join(settings)]
    if comparison.loops is not None:
        arguments += ["--loops", library.put("loops.json", json.dumps(comparison.loops))]
    result = library.run("articulate-check", *arguments)
    if keep:
        pathlib.Path(keep).mkdir(parents=True, exist_ok=True)
        for name in ("theirs.jsonl", "model.urdf", "report.json", "loops.json"):
            if (library.scratch / name).exists():
                (pathlib.Path(keep) / name).write_text((library.scratch / name).read_text())
        print("articulate-check " + " ".join(arguments).replace(str(library.scratch), str(keep)))
    if result.returncode not in (0, 1):
        raise SystemExit(f"{comparison.part} {comparison.number}: {result.stderr[:400]} {result.stdout[:400]}")
    report = json.loads((library.scratch / "report.json").read_text())
    report["printed"] = result.stdout
    return report


def says(text, words):
    return any(all(re.search(w, text) for w in one) for one in words)


def judged(comparison, report):
    """The verdict, and what was found."""
    findings = [f for d in report["diagnoses"] for f in d["findings"]]
    texts = [" ".join((f["cause"].replace("_", " ") + " " + f["cause"], f["sentence"], f["remedy"])).lower() for f in findings]
    classes = [json.dumps(f["indistinguishable"]).lower() for f in findings]
    if comparison.part == "clean":
        if not findings or all(says(t, [NOISE]) for t in texts):
            return "right", findings
        return "false", findings
    if comparison.part == "unlisted":
        return ("right" if not findings or all(says(t, [NOISE]) for t in texts) else "false"), findings
    if comparison.right:
        if findings or not report["agrees"]:
            return "false", findings
        return "named", findings
    if not findings:
        return "silent", findings
    ways = []
    for words in comparison.words.values():
        if any(says(t, words) for t in texts):
            ways.append("named")
        elif any(says(t + " " + c, words) for t, c in zip(texts, classes)):
            ways.append("class")
        else:
            ways.append("")
    foreign = [t for t, c in zip(texts, classes) if not any(says(t + " " + c, w) for w in comparison.words.values())]
    if all(ways) and not foreign and not any(d["unexplained"] for d in report["diagnoses"]):
        return ("class" if "class" in ways else "named"), findings
    return ("false" if foreign else "partly"), findings


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", help="of articulate-cli and articulate-check")
    parser.add_argument("--part", action="append", choices=list(PARTS), help="all unless given")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--first", type=int, default=0, help="the number to begin with")
    parser.add_argument("--count", type=int, help="comparisons of each part, instead of 200, 100, 100, 100, 20")
    parser.add_argument("--number", type=int, help="this one alone, with all that is said")
    parser.add_argument("--only", help="this mistake, or two with a comma, of --part singles or doubles")
    parser.add_argument("--list", action="store_true", help="the machines and mistakes, and nothing else")
    parser.add_argument("--write", help="a file for verdicts and findings as JSON lines; with --number a folder for the comparison")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        library = Library(options.folder, scratch)
        machines = all_machines(library)
        if options.list:
            print(f"{len(machines)} machines: " + ", ".join(m.name + (" (free)" if m.floating else "") for m in machines))
            print(f"{len(MISTAKES)} mistakes, and {len(UNLISTED)} on no list: " + ", ".join(e.__name__ for e in UNLISTED))
            for kind, title in KINDS.items():
                print(f"({kind}) {title}: " + ", ".join(m.name for m in MISTAKES.values() if m.kind == kind))
            return 0
        bad = 0
        for part in options.part or PARTS:
            bad += examine(library, machines, part, options)
        return 1 if bad else 0


def examine(library, machines, part, options):
    counts, by_kind, misses = collections.Counter(), collections.defaultdict(collections.Counter), []
    numbers_ = range(options.first, options.first + options.count if options.count else PARTS[part]) if options.number is None else [options.number]
    for number in numbers_:
        comparison = draw(library, machines, part, number, options.seed, options.only.split(",") if options.only else None)
        report = report_of(library, comparison, options.write if options.number is not None else None)
        verdict, findings = judged(comparison, report)
        counts[verdict] += 1
        what = " + ".join(comparison.words) or getattr(comparison, "unlisted", "nothing")
        for name in comparison.words:
            by_kind[MISTAKES[name].kind][verdict] += 1
        row = {"part": part, "number": number, "machine": comparison.machine.name, "mistake": what, "verdict": verdict,
               "with": sorted(comparison.with_truth), "given": comparison.names, "states": len(comparison.states), "findings": findings,
               "said": [d["words"] for d in report["diagnoses"]], "agrees": report["agrees"]}
        if options.number is not None:
            print(report["printed"], f"{what}: {verdict}", sep="\n")
        if options.write and options.number is None:
            with open(options.write, "a") as file:
                file.write(json.dumps(row) + "\n")
        if verdict not in ("right", "named", "class"):
            misses.append(row)
    print(f"{part}: " + ", ".join(f"{n} {v}" for v, n in sorted(counts.items())), flush=True)
    for kind in sorted(by_kind):
        print(f"  ({kind}) {KINDS[kind]}: " + ", ".join(f"{n} {v}" for v, n in sorted(by_kind[kind].items())))
    for row in misses:
        print(f"  {part} {row['number']} {row['machine']}, {row['mistake']}: {row['verdict']}, "
              + ("; ".join(f["cause"] for f in row["findings"]) or "nothing named"))
    return len(misses)


if __name__ == "__main__":
    sys.exit(main())
