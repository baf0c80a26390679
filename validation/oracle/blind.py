#!/usr/bin/env python3
"""A blind set for `diagnose`: mistakes made up by someone who had not read which causes it knows.

`blind.py BIN_FOLDER [--seed N] [--part PART] [--only NAME] [--write FILE] [--keep FOLDER]` draws

- 200 comparisons with a single mistake, 100 with two, 100 with one where only torques are given,
- 40 comparisons without a mistake, 40 with random relative noise of 1e-10 to 1e-2,
- 25 with one of five errors that nobody would name.

A mistake is made where an engineer makes it: in the text of the model (URDF), in the state that a library is given, or in
the numbers that come out of it (those of `articulate-cli compute`, altered by a few lines of numpy). Beside each mistake
stands the sentence that a good diagnosis has to contain in meaning; sentences, models and parameters were fixed, and
committed, before any answer was seen. A draw that changes no given number is drawn again.

Each comparison is given to `articulate-check`, and its answer is judged: *right* if the causes that are named say what is
wrong; *class* if they are among those that the program itself says it cannot tell apart; *unexplained*; or *wrong*, the
worst. Which names say what is wrong was written down afterwards, in COUNTS. The exit code is 1 below the bars.

Files of the shared folder are found by the environment variable ARTICULATE_ROBOTS; those that are missing are named and
left out, so that other comparisons are drawn.
"""
import argparse
import collections
import copy
import dataclasses
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from typing import Callable, Optional

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "models"))
from exported import without_base

MODELS = pathlib.Path(__file__).resolve().parents[1] / "models"
SINGLES, PAIRS, TORQUES, CLEAN, NOISY, UNLISTED = 200, 100, 100, 40, 40, 25
CHANGED = 1e-9  # a relative change above this is a mistake that can be seen


# ---------------------------------------------------------------------------------------------------------------------
# Rotations, twists, units
# ---------------------------------------------------------------------------------------------------------------------
def cross(w):
    """The matrix [w] with [w] x = w x x."""
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]], dtype=float)


def turn(axis, angle):
    """A rotation about an axis of length one."""
    K = cross(axis)
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


X_AXIS, Y_AXIS, Z_AXIS = np.eye(3)


def from_rpy(rpy):
    """URDF's rotation: about the fixed x, then y, then z."""
    return turn(Z_AXIS, rpy[2]) @ turn(Y_AXIS, rpy[1]) @ turn(X_AXIS, rpy[0])


def to_rpy(R):
    """The inverse of from_rpy, away from a pitch of a right angle."""
    return np.array([math.atan2(R[2, 1], R[2, 2]), math.atan2(-R[2, 0], math.hypot(R[0, 0], R[1, 0])),
                     math.atan2(R[1, 0], R[0, 0])])


def from_quaternion(x, y, z, w):
    """The rotation of a quaternion, which is normalised first."""
    x, y, z, w = np.array([x, y, z, w]) / math.sqrt(x * x + y * y + z * z + w * w)
    return np.eye(3) + 2 * w * cross([x, y, z]) + 2 * cross([x, y, z]) @ cross([x, y, z])


def blocks(a, b, c, d):
    """A 6x6 matrix of four 3x3 blocks."""
    return np.block([[a, b], [c, d]])


def six(angular, linear):
    """Six numbers of two times three."""
    return np.r_[angular, linear]


ZERO, ONE = np.zeros((3, 3)), np.eye(3)
SWAP = blocks(ZERO, ONE, ONE, ZERO)  # angular first <-> linear first


# ---------------------------------------------------------------------------------------------------------------------
# Machines, states, and a library that is always right
# ---------------------------------------------------------------------------------------------------------------------
SIZES = {"fixed": (0, 0), "universal": (2, 2), "cylindrical": (2, 2), "planar": (3, 3), "euler_ball": (3, 3),
         "ball": (4, 3), "floating": (7, 6), "euler_free": (6, 6)}  # coordinates and rates; all others have one of each


@dataclasses.dataclass
class Machine:
    """A model, as the command line names it, with its text as URDF."""
    name: str
    argument: str
    floating: bool
    text: str
    loops: Optional[dict] = None
    gravity: tuple = (0.0, 0.0, -9.81)

    def __post_init__(self):
        """Read the tree from the text: depth first, the children of a link by the names of their joints."""
        root = ElementTree.fromstring(self.text)
        joints = root.findall("joint")
        self.types = {joint.get("name"): joint.get("type") for joint in joints}
        self.parents = {joint.find("child").get("link"): (joint.find("parent").get("link"), joint.get("name")) for joint in joints}
        self.links = [link.get("name") for link in root.findall("link")]
        self.root = next(link for link in self.links if link not in self.parents)
        self.offset = 6 if self.floating else 0
        self.layout, self.nq, self.nv = [], 0, self.offset

        def visit(link):
            children = sorted((joint, child) for child, (parent, joint) in self.parents.items() if parent == link)
            for joint, child in children:
                nq, nv = SIZES.get(self.types[joint], (1, 1))
                if nv:
                    self.layout.append({"joint": joint, "link": child, "q": self.nq, "nq": nq, "rate": self.nv, "nv": nv})
                    self.nq, self.nv = self.nq + nq, self.nv + nv
                visit(child)

        visit(self.root)
        self.joints = [entry["joint"] for entry in self.layout]
        self.joints_by_file = [joint.get("name") for joint in joints if joint.get("name") in self.joints]

    def moves(self, link):
        """Whether a moving joint, or a floating base, carries the link."""
        while link in self.parents:
            parent, joint = self.parents[link]
            if self.types[joint] != "fixed":
                return True
            link = parent
        return self.floating

    def carrier(self, link):
        """The link with which a link moves as one body, and which a moving joint carries."""
        while link in self.parents and self.types[self.parents[link][1]] == "fixed":
            link = self.parents[link][0]
        return link

    def one_dof(self, types=("revolute", "continuous", "prismatic", "helical")):
        """Entries of the layout whose joints are of these types, with one coordinate and one rate."""
        return [entry for entry in self.layout if self.types[entry["joint"]] in types]

    def angles(self):
        """Indices into q, without a base, of all angles, and into the rates."""
        q, rates = [], []
        for entry in self.layout:
            kind = self.types[entry["joint"]]
            if kind in ("revolute", "continuous"):
                q.append(entry["q"]), rates.append(entry["rate"])
            elif kind in ("universal", "euler_ball"):
                q.extend(range(entry["q"], entry["q"] + entry["nq"]))
                rates.extend(range(entry["rate"], entry["rate"] + entry["nv"]))
        return q, rates

    def quaternions(self):
        """Where quaternions of joints start in q."""
        found = []
        for entry in self.layout:
            kind = self.types[entry["joint"]]
            if kind == "ball":
                found.append(entry["q"])
            elif kind == "floating":
                found.append(entry["q"] + 3)
        return found

    def random_state(self, rng, library):
        """A state in general position; half of the states have gravity along no axis, a third have wrenches."""
        state = {"q": rng.uniform(-1.2, 1.2, self.nq), "qd": rng.uniform(-1.5, 1.5, self.nv),
                 "qdd": rng.uniform(-3, 3, self.nv), "tau": rng.uniform(-10, 10, self.nv),
                 "gravity": np.array(self.gravity), "wrenches": {}}
        for entry in self.one_dof(("prismatic", "helical")):
            state["q"][entry["q"]] = rng.uniform(-0.2, 0.2)
        for start in self.quaternions():
            quaternion = rng.normal(size=4)
            state["q"][start:start + 4] = quaternion / np.linalg.norm(quaternion)
        if self.floating:
            quaternion = rng.normal(size=4)
            state["position"] = rng.uniform(-1, 1, 3)
            state["quaternion"] = quaternion / np.linalg.norm(quaternion)
        if self.loops:
            del state["qdd"]
            state["q"] *= 0.1
            closed = library.run(self, None, [state], ["--assemble", "--only", "constrained"])[0]["constrained"]
            state["q"], state["qd"] = np.array(closed["assembled"]["q"]), np.array(closed["assembled"]["qd"])
            state["qdd"] = np.array(closed["forward_dynamics"]["qdd"])
            return state
        if rng.random() < 0.5:
            down = rng.normal(size=3)
            state["gravity"] = 9.81 * down / np.linalg.norm(down)
        if rng.random() < 0.33:
            for link in rng.choice(self.links, size=min(2, len(self.links)), replace=False):
                if self.moves(link):
                    state["wrenches"][str(link)] = rng.uniform(-5, 5, 6)
        return state


def state_json(state):
    """A state as `compute` and `check` read it."""
    written = {key: list(map(float, state[key])) for key in ("q", "qd", "qdd", "tau", "gravity") if key in state}
    if "position" in state:
        written["base"] = {"position": list(map(float, state["position"])),
                           "quaternion_xyzw": list(map(float, state["quaternion"]))}
    if state["wrenches"]:
        written["external_wrenches"] = {link: list(map(float, wrench)) for link, wrench in state["wrenches"].items()}
    return written


class Library:
    """What `articulate-cli compute` answers, as a dictionary of arrays for each state."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="blind_"))
        self.files = 0

    def file(self, text, ending):
        """Write a text where a program can read it."""
        self.files += 1
        path = self.work / f"{self.files}.{ending}"
        path.write_text(text)
        return str(path)

    def export(self, name):
        """A built-in model as URDF; an option frees the base."""
        text = subprocess.run([str(self.folder / "articulate-cli"), "models", "--export", "urdf", "--model", name],
                              capture_output=True, text=True, check=True).stdout
        return without_base(text) if name in FLOATING else text

    def arguments(self, machine, text=None):
        """The options that name the machine, or another text of it, to `compute` and `check`."""
        options = ["--model", machine.argument if text is None else self.file(text, "urdf"), "--accept-unphysical"]
        if machine.floating and (text is not None or machine.argument.endswith(".urdf")):
            options.append("--floating-base")
        if machine.loops:
            options += ["--loops", self.file(json.dumps(machine.loops), "json")]
        return options

    def run(self, machine, text, states, options):
        """One answer of `compute` per state, or None if anything is refused."""
        command = [str(self.folder / "articulate-cli"), "compute", *self.arguments(machine, text), "--state", "-", *options]
        lines = "".join(json.dumps(state_json(state)) + "\n" for state in states)
        done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        if len(answers) != len(states) or any("error" in answer for answer in answers):
            return None
        return answers

    def answers(self, machine, states, text=None, derivatives=True):
        """All quantities of all states, under the names of `check --quantities`, with derivatives or without, or None."""
        options = ["--inverse-inertia", "--centroidal", "--regressor", "--coriolis", "christoffel", "--frame", "mixed",
                   "--only", PRINTED + ",constrained" * bool(machine.loops)]
        outputs = self.run(machine, text, states, options)
        if outputs is None:
            return None
        answers = [quantities(machine, output) for output in outputs]
        if derivatives:
            outputs = self.run(machine, text, states, ["--derivatives", "--only", "inverse_dynamics,forward_dynamics"])
            for one, output in zip(answers, outputs):
                for name in ("inverse_dynamics", "forward_dynamics"):
                    if name in output:
                        one[name + "_by_q"] = np.array(output[name]["by_q"])
                        one[name + "_by_qd"] = np.array(output[name]["by_qd"])
        return answers


PRINTED = ("inverse_dynamics,forward_dynamics,mass_matrix,bias,gravity_force,coriolis_force,inverse_mass_matrix,coriolis_matrix,"
           "regressor,kinetic_energy,potential_energy,link_poses,link_twists,jacobians,link_accelerations,center_of_mass,momentum,"
           "centroidal")


def quantities(machine, output):
    """What `compute` prints, as arrays under the names of `check --quantities`."""
    rotations = {link: np.array(output["link_poses"][link]["rotation"]) for link in machine.links}
    answers = {name: np.array(output[name]) for name in ("mass_matrix", "bias", "gravity_force", "coriolis_force",
                                                         "center_of_mass", "kinetic_energy", "potential_energy")}
    answers["momentum"] = np.array(output["momentum"]["angular"] + output["momentum"]["linear"])
    if "inverse_mass_matrix" in output:
        answers["inverse_mass_matrix"] = np.array(output["inverse_mass_matrix"])
    answers["coriolis_matrix"] = np.array(output["coriolis_matrix"]["matrix"])
    centroidal = output["centroidal"]
    answers["center_of_mass_velocity"] = np.array(centroidal["velocity"])
    answers["center_of_mass_jacobian"] = np.array(centroidal["jacobian"])
    answers["centroidal_momentum"] = np.array(flat(centroidal["momentum"]))
    answers["centroidal_momentum_matrix"] = np.array(centroidal["matrix"])
    answers["link_positions"] = np.array([output["link_poses"][link]["position"] for link in machine.links])
    answers["link_rotations"] = np.array([rotations[link].ravel() for link in machine.links])
    answers["link_twists"] = np.array([output["link_twists"][link] for link in machine.links])
    for link in (machine.links[-1], machine.links[len(machine.links) // 2]):
        J = np.array(output["jacobians"]["links"][link])
        answers["jacobian:" + link] = J
    answers["tip_jacobian"] = answers["jacobian:" + machine.links[-1]].copy()
    answers["gravity_regressor"] = np.array(output["regressor"]["static"])
    answers["inverse_dynamics"] = np.array(output["inverse_dynamics"]["tau"])
    answers["centroidal_momentum_rate"] = np.array(flat(centroidal["momentum_rate"]))
    answers["torque_regressor"] = np.array(output["regressor"]["matrix"])
    spatial, classical = (output["link_accelerations"][kind] for kind in ("spatial", "classical"))
    answers["link_twist_rates"] = np.array([np.r_[rotations[link].T @ spatial[link][:3], rotations[link].T @ spatial[link][3:]]
                                            for link in machine.links])
    answers["link_accelerations"] = np.array([classical[link] for link in machine.links])
    if "forward_dynamics" in output:
        answers["forward_dynamics"] = np.array(output["forward_dynamics"]["qdd"])
    if machine.loops:
        closed = output["constrained"]
        answers["_closed"] = closed
    if machine.loops and "forward_dynamics" in output["constrained"]:
        answers["closed_forward_dynamics"] = np.array(closed["forward_dynamics"]["qdd"])
        answers["constraint_force"] = np.array(closed["A"]).T @ closed["forward_dynamics"]["lambda"]
    return answers


def flat(value):
    """Six numbers, whether they are printed as one list or as an angular and a linear half."""
    return value["angular"] + value["linear"] if isinstance(value, dict) else value


# ---------------------------------------------------------------------------------------------------------------------
# What a mistake is
# ---------------------------------------------------------------------------------------------------------------------
@dataclasses.dataclass
class Injection:
    """One mistake on one machine.

    says    what a good diagnosis has to say, in meaning
    names   the links or joints that it should name
    text    changes the tree of the URDF in place
    state   (given, answers that are right, the state before) -> the state that the library computes
    answers (answers of the library, state given, state computed, answers for the state before): changes them in place
    """
    says: str
    names: tuple = ()
    text: Optional[Callable] = None
    state: Optional[Callable] = None
    answers: Optional[Callable] = None
    wrenches: bool = False  # whether the states have to have external wrenches


CATALOGUE = {}


def mistake(kind):
    """Enter a function (machine, rng) -> Injection, or None where the machine knows no such mistake, under its name."""
    def enter(function):
        CATALOGUE[function.__name__] = (kind, function)
        return function
    return enter


def enter_all(kind, table, make):
    """Enter a table of mistakes that are made alike: name -> arguments of make(machine, rng, *arguments)."""
    for name, arguments in table.items():
        CATALOGUE[name] = (kind, lambda machine, rng, arguments=arguments: make(machine, rng, *arguments))


# --- inertial data, in the text -------------------------------------------------------------------------------------
def vector_of(element, key, default="0 0 0"):
    """Three numbers of an attribute."""
    return np.array((element.get(key) if element is not None and element.get(key) else default).split(), dtype=float)


def written(numbers):
    """Numbers that read back the same."""
    return " ".join(repr(float(number)) for number in numbers)


@dataclasses.dataclass
class Mass:
    """The inertial data of a link: mass, centre, rotation of the axes, tensor in these axes about the centre."""
    m: float
    c: np.ndarray
    rpy: np.ndarray
    I: np.ndarray

    @staticmethod
    def read(link):
        """None if the link has no mass and no tensor."""
        inertial = link.find("inertial")
        if inertial is None:
            return None
        origin, tensor = inertial.find("origin"), inertial.find("inertia")
        xx, xy, xz, yy, yz, zz = (float(tensor.get(key, "0")) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
        found = Mass(float(inertial.find("mass").get("value")), vector_of(origin, "xyz"), vector_of(origin, "rpy"),
                     np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
        return found if found.m > 0 or np.any(found.I) else None

    def write(self, link):
        """Replace what the link says."""
        old = link.find("inertial")
        if old is not None:
            link.remove(old)
        inertial = ElementTree.SubElement(link, "inertial")
        ElementTree.SubElement(inertial, "origin", xyz=written(self.c), rpy=written(self.rpy))
        ElementTree.SubElement(inertial, "mass", value=repr(float(self.m)))
        ElementTree.SubElement(inertial, "inertia", **{key: repr(float(self.I[i, j])) for key, i, j in (
            ("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2), ("izz", 2, 2))})

    def steiner(self):
        """The tensor of the mass in its centre about the origin of the link, in the axes of the tensor."""
        c = from_rpy(self.rpy).T @ self.c
        return self.m * (c @ c * ONE - np.outer(c, c))


def massive(machine):
    """Names of moving links with mass."""
    root = ElementTree.fromstring(machine.text)
    return [link.get("name") for link in root.findall("link") if machine.moves(link.get("name")) and Mass.read(link)]


def inertial(machine, rng, scope, says, change):
    """A mistake in the inertial data of one link, or of all links; change(mass, rng) is given a copy."""
    links = massive(machine)
    alone = scope == "one" or (scope == "any" and rng.random() < 0.5)
    chosen = [str(rng.choice(links))] if alone else links
    seed = int(rng.integers(2**31))

    def edit(root):
        for link in root.findall("link"):
            if link.get("name") in chosen:
                mass = Mass.read(link)
                change(mass, np.random.default_rng(seed))
                mass.write(link)

    return Injection(f"{says} ({chosen[0] if alone else 'all links'})", tuple(chosen) if alone else (), text=edit)


def with_tensor(function):
    """A change of the tensor alone."""
    def change(mass, rng):
        mass.I = function(mass, rng)
    return change


def with_centre(function):
    """A change of the centre of mass alone."""
    def change(mass, rng):
        mass.c = function(mass, rng)
    return change


def rotation_dropped(mass, rng):
    mass.rpy = np.zeros(3)


def rotation_reversed(mass, rng):
    mass.rpy = to_rpy(from_rpy(mass.rpy).T)


def rotation_order(mass, rng):
    r, p, y = mass.rpy
    mass.rpy = to_rpy(turn(X_AXIS, r) @ turn(Y_AXIS, p) @ turn(Z_AXIS, y))


def rotation_in_degrees(mass, rng):
    mass.rpy = mass.rpy * math.pi / 180


def scaled(mass, factor):
    mass.m, mass.I = mass.m * factor, mass.I * factor


def lost(mass, rng):
    mass.m, mass.I = 0.0, ZERO.copy()


def mirrored(mass, rng):
    """The mirror image in the plane of x and z."""
    mirror = np.diag([1.0, -1.0, 1.0])
    R = mirror @ from_rpy(mass.rpy) @ mirror
    mass.c, mass.rpy, mass.I = mirror @ mass.c, to_rpy(R), mirror @ mass.I @ mirror


def one_product(mass, rng):
    i, j = [(0, 1), (0, 2), (1, 2)][rng.integers(3)]
    I = mass.I.copy()
    I[i, j] = I[j, i] = -I[i, j]
    return I


def exchanged_moments(mass, rng):
    i, j = [(0, 1), (0, 2), (1, 2)][rng.integers(3)]
    I = mass.I.copy()
    I[i, i], I[j, j] = I[j, j], I[i, i]
    return I


def list_order(mass, rng):
    """xx xy xz yy yz zz, read as xx yy zz xy xz yz."""
    I = mass.I
    xx, yy, zz, xy, xz, yz = I[0, 0], I[0, 1], I[0, 2], I[1, 1], I[1, 2], I[2, 2]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def off_diagonal(I):
    return I - np.diag(np.diag(I))


def typing_error(mass, rng):
    mass.m *= rng.choice([10, 0.1, 1.1, 2, 0.5])


def heavier_material(mass, rng):
    scaled(mass, rng.choice([2.7 / 7.85, 7.85 / 2.7, 1.2]))


def centre_coordinate_negated(mass, rng):
    c = mass.c.copy()
    c[rng.integers(3)] *= -1
    return c


enter_all(1, {
    "inertial_rotation_dropped": ("any", "the rotation of the inertial frame is dropped", rotation_dropped),
    "inertial_rotation_reversed": ("any", "the tensor is rotated the wrong way (R^T I R)", rotation_reversed),
    "inertial_rotation_order": ("all", "roll, pitch, yaw of the inertial frame are applied in reverse order", rotation_order),
    "inertial_rotation_in_degrees": ("all", "angles of the inertial frame are taken for degrees", rotation_in_degrees),
    "products_sign": ("any", "the products of inertia have the opposite sign",
                      with_tensor(lambda mass, rng: mass.I - 2 * off_diagonal(mass.I))),
    "one_product_sign": ("one", "one product of inertia has the opposite sign", with_tensor(one_product)),
    "products_dropped": ("any", "the products of inertia are dropped", with_tensor(lambda mass, rng: np.diag(np.diag(mass.I)))),
    "principal_moments_only": ("any", "principal moments without their axes",
                               with_tensor(lambda mass, rng: np.diag(np.linalg.eigvalsh(mass.I)))),
    "centre_dropped": ("any", "the centre of mass is put into the link's origin", with_centre(lambda mass, rng: np.zeros(3))),
    "centre_negated": ("any", "the centre of mass has the opposite sign", with_centre(lambda mass, rng: -mass.c)),
    "centre_mirrored": ("one", "one coordinate of the centre of mass has the opposite sign",
                        with_centre(centre_coordinate_negated)),
    "centre_exchanged": ("one", "x and y of the centre of mass are exchanged", with_centre(lambda mass, rng: mass.c[[1, 0, 2]])),
    "centre_in_millimetres": ("all", "centres of mass are taken for mm", with_centre(lambda mass, rng: mass.c / 1000)),
    "centre_off_by_a_centimetre": ("one", "the centre of mass is displaced",
                                   with_centre(lambda mass, rng: mass.c + 0.01 * np.eye(3)[rng.integers(3)])),
    "centre_in_inertial_axes": ("all", "the centre of mass is taken along the axes of the inertial frame",
                                with_centre(lambda mass, rng: from_rpy(mass.rpy) @ mass.c)),
    "tensor_read_about_origin": ("any", "the tensor is taken about the link's origin instead of the centre of mass",
                                 with_tensor(lambda mass, rng: mass.I - mass.steiner())),
    "steiner_twice": ("any", "the parallel-axis term counts twice", with_tensor(lambda mass, rng: mass.I + mass.steiner())),
    "tensor_unused": ("any", "the rotational inertia is zero: links are point masses", with_tensor(lambda mass, rng: ZERO.copy())),
    "moments_exchanged": ("one", "two moments of inertia are exchanged", with_tensor(exchanged_moments)),
    "moments_in_list_order": ("all", "xx xy xz yy yz zz are read as xx yy zz xy xz yz", with_tensor(list_order)),
    "tensor_doubled": ("any", "the rotational inertia is doubled", with_tensor(lambda mass, rng: 2 * mass.I)),
    "mass_mistyped": ("one", "the mass is wrong", typing_error),
    "material_exchanged": ("one", "mass and tensor are scaled (another density)", heavier_material),
    "link_lost": ("one", "the mass and tensor of the link are lost", lost),
    "link_mirrored": ("one", "the inertial data are those of the mirrored link", mirrored),
}, inertial)

enter_all(16, {
    "tensor_in_kg_cm2": ("all", "tensors are in kg cm^2", with_tensor(lambda mass, rng: 1e4 * mass.I)),
    "masses_in_pounds": ("all", "masses are in pounds, tensors too", lambda mass, rng: scaled(mass, 1 / 0.45359237)),
    "masses_in_grams": ("all", "masses are in grams, tensors in kg m^2", lambda mass, rng: setattr(mass, "m", mass.m * 1000)),
}, inertial)


def fixed_children(machine):
    """Massive links that a fixed joint joins to a link that moves."""
    return [link for link in massive(machine) if link in machine.parents and machine.types[machine.parents[link][1]] == "fixed"]


@mistake(1)
def fixed_links_lost(machine, rng):
    links = fixed_children(machine)
    if not links:
        return None

    def edit(root):
        for link in root.findall("link"):
            if link.get("name") in links:
                link.remove(link.find("inertial"))
    return Injection("the inertia of links behind fixed joints is lost", text=edit)


@mistake(1)
def fixed_link_lost(machine, rng):
    links = fixed_children(machine)
    if not links:
        return None
    chosen = str(rng.choice(links))

    def edit(root):
        link = next(link for link in root.findall("link") if link.get("name") == chosen)
        link.remove(link.find("inertial"))
    return Injection(f"the inertia of the fixed link {chosen} is lost", (chosen, machine.carrier(chosen)), text=edit)


@mistake(1)
def fixed_links_not_moved(machine, rng):
    """Lumped into the parent as if the fixed joint had no offset."""
    links = fixed_children(machine)
    if not links:
        return None

    def edit(root):
        origins = {joint.find("child").get("link"): joint.find("origin") for joint in root.findall("joint")}
        for link in root.findall("link"):
            if link.get("name") in links:
                mass, origin = Mass.read(link), origins[link.get("name")]
                R, p = from_rpy(vector_of(origin, "rpy")), vector_of(origin, "xyz")
                mass.c, mass.rpy = R.T @ (mass.c - p), to_rpy(R.T @ from_rpy(mass.rpy))
                mass.write(link)
    return Injection("fixed links are merged into their parents without their offset", text=edit)


def exchange(machine, first, second):
    """Give two links each other's inertial data."""
    def edit(root):
        links = {link.get("name"): link for link in root.findall("link")}
        data = {first: Mass.read(links[second]), second: Mass.read(links[first])}
        for name, mass in data.items():
            mass.write(links[name])
    return edit


@mistake(1)
def links_exchanged(machine, rng):
    links = massive(machine)
    if len(links) < 2:
        return None
    first, second = map(str, rng.choice(links, 2, replace=False))
    return Injection(f"the inertial data of {first} and {second} are exchanged", (first, second),
                     text=exchange(machine, first, second))


@mistake(1)
def links_off_by_one(machine, rng):
    links = massive(machine)
    if len(links) < 3:
        return None

    def edit(root):
        found = {link.get("name"): link for link in root.findall("link")}
        data = [Mass.read(found[name]) for name in links]
        for name, mass in zip(links, data[-1:] + data[:-1]):
            mass.write(found[name])
    return Injection("each link has the inertial data of the one before", text=edit)


@mistake(1)
def payload_in_the_hand(machine, rng):
    """A tool of half a kilogram that only one of the two models has."""
    links = massive(machine)
    chosen, offset = links[-1], rng.uniform(-0.1, 0.1, 3)

    def edit(root):
        link = next(link for link in root.findall("link") if link.get("name") == chosen)
        mass = Mass.read(link)
        total = mass.m + 0.5
        centre = (mass.m * mass.c + 0.5 * offset) / total
        R = from_rpy(mass.rpy)
        tensor = R @ mass.I @ R.T
        for m, d in ((mass.m, mass.c - centre), (0.5, offset - centre)):
            tensor = tensor + m * (d @ d * ONE - np.outer(d, d))
        Mass(total, centre, np.zeros(3), tensor).write(link)
    return Injection(f"{chosen} carries a mass more", (chosen,), text=edit)


@mistake(1)
def floating_base_has_no_mass(machine, rng):
    if not machine.floating or machine.root not in massive(machine) or len(massive(machine)) < 2:
        return None

    def edit(root):
        link = next(link for link in root.findall("link") if link.get("name") == machine.root)
        link.remove(link.find("inertial"))
    return Injection("the mass of the base link is lost", (machine.root,), text=edit)


# --- joints, in the text --------------------------------------------------------------------------------------------
def joint_text(machine, rng, says, change, types, every):
    """A mistake in the elements of one joint, or of all joints of some types; change(joint element)."""
    names = [joint for joint in machine.joints if types is None or machine.types[joint] in types]
    if not names:
        return None
    chosen = names if every else [str(rng.choice(names))]

    def edit(root):
        for joint in root.findall("joint"):
            if joint.get("name") in chosen:
                change(joint)
    return Injection(f"{says} ({'all joints' if every else chosen[0]})", () if every else tuple(chosen), text=edit)


def element(joint, name):
    """A child of a joint, which is made if it is missing."""
    found = joint.find(name)
    return ElementTree.SubElement(joint, name) if found is None else found


def reset_axis(axis):
    return lambda joint: element(joint, "axis").set("xyz", axis)


def axis_flipped(joint):
    element(joint, "axis").set("xyz", written(-vector_of(joint.find("axis"), "xyz", "1 0 0")))


def axis_in_parent(joint):
    R = from_rpy(vector_of(joint.find("origin"), "rpy"))
    element(joint, "axis").set("xyz", written(R.T @ vector_of(joint.find("axis"), "xyz", "1 0 0")))


def origin_unturned(joint):
    element(joint, "origin").set("rpy", "0 0 0")


def origin_unmoved(joint):
    element(joint, "origin").set("xyz", "0 0 0")


def origin_order(joint):
    r, p, y = vector_of(joint.find("origin"), "rpy")
    element(joint, "origin").set("rpy", written(to_rpy(turn(X_AXIS, r) @ turn(Y_AXIS, p) @ turn(Z_AXIS, y))))


def origin_turned_first(joint):
    R = from_rpy(vector_of(joint.find("origin"), "rpy"))
    element(joint, "origin").set("xyz", written(R @ vector_of(joint.find("origin"), "xyz")))


def origin_inverted(joint):
    element(joint, "origin").set("rpy", written(to_rpy(from_rpy(vector_of(joint.find("origin"), "rpy")).T)))


def pitch_per_turn(joint):
    axis = joint.find("axis")
    axis.set("pitch", repr(float(axis.get("pitch")) / (2 * math.pi)))


HINGE_OR_SLIDE = ("revolute", "continuous", "prismatic", "helical")
enter_all(3, {
    "axis_flipped": ("the axis has the opposite direction", axis_flipped, HINGE_OR_SLIDE, False),
    "axes_ignored": ("axes are ignored: all are x, URDF's default", reset_axis("1 0 0"), HINGE_OR_SLIDE, True),
    "axes_all_z": ("axes are ignored: all are z", reset_axis("0 0 1"), HINGE_OR_SLIDE, True),
    "axes_in_parent": ("axes are taken in the frame of the parent", axis_in_parent, HINGE_OR_SLIDE, True),
    "origin_unturned": ("the rotation of the joint's origin is dropped", origin_unturned, None, False),
    "origin_unmoved": ("the offset of the joint's origin is dropped", origin_unmoved, None, False),
    "origins_order": ("roll, pitch, yaw of joint origins are applied in reverse order", origin_order, None, True),
    "origins_turned_first": ("joint offsets are taken along the turned axes", origin_turned_first, None, True),
    "origins_inverted": ("rotations of joint origins are transposed", origin_inverted, None, True),
}, joint_text)
enter_all(16, {"pitch_per_turn": ("the pitch of screws is taken per turn instead of per radian", pitch_per_turn, ("helical",),
                                  True)}, joint_text)


@mistake(8)
def mounting_ignored(machine, rng):
    """The rotation of the joints that stand on the fixed root is dropped: a wall-mounted arm stands upright."""
    if machine.floating:
        return None

    def edit(root):
        for joint in root.findall("joint"):
            if joint.find("parent").get("link") == machine.root:
                origin_unturned(joint)
    return Injection("the base is mounted without its rotation", text=edit)


# --- Denavit and Hartenberg -----------------------------------------------------------------------------------------
DH_TABLE = [(0.0, 0.35, 0.06, 1.5707), (0.4, 0.0, 0.42, 0.0), (-0.9, 0.1, 0.05, -1.5707), (0.2, 0.38, 0.0, 1.5707),
            (0.0, 0.02, 0.03, -1.2), (0.3, 0.11, 0.02, 0.4)]


def slide_and_turn(axis, length, angle):
    """(R, p) of a slide along an axis and a turn about it."""
    return turn(axis, angle), length * axis


def after(first, second):
    """The pose of two steps."""
    return first[0] @ second[0], first[1] + first[0] @ second[1]


def dh_text(standard):
    """An arm of a table theta d a alpha, read in the standard or in the modified convention."""
    rng = np.random.default_rng(2026)
    robot = ElementTree.Element("robot", name="dh_arm")
    ElementTree.SubElement(robot, "link", name="stand")
    pending = (ONE, np.zeros(3))
    for i, (theta, d, a, alpha) in enumerate(DH_TABLE, 1):
        link = ElementTree.SubElement(robot, "link", name=f"part_{i}")
        along_x, along_z = slide_and_turn(X_AXIS, a, alpha), slide_and_turn(Z_AXIS, d, 0)
        origin = after(pending if standard else along_x, slide_and_turn(Z_AXIS, 0, theta))
        if not standard:
            origin = after(pending, origin)
        frame = after(along_z, along_x) if standard else along_z
        c, sides = rng.uniform(-0.1, 0.1, 3), rng.uniform(0.05, 0.3, 3)
        m = rng.uniform(0.5, 5)
        tensor = m / 12 * np.diag(sides @ sides - sides**2)
        spin = from_rpy(rng.uniform(-0.6, 0.6, 3))
        Mass(m, frame[1] + frame[0] @ c, to_rpy(frame[0]), spin @ tensor @ spin.T).write(link)
        joint = ElementTree.SubElement(robot, "joint", name=f"joint_{i}", type="continuous")
        ElementTree.SubElement(joint, "parent", link="stand" if i == 1 else f"part_{i - 1}")
        ElementTree.SubElement(joint, "child", link=f"part_{i}")
        ElementTree.SubElement(joint, "origin", xyz=written(origin[1]), rpy=written(to_rpy(origin[0])))
        ElementTree.SubElement(joint, "axis", xyz="0 0 1")
        pending = frame
    ElementTree.SubElement(robot, "link", name="flange")
    joint = ElementTree.SubElement(robot, "joint", name="to_flange", type="fixed")
    ElementTree.SubElement(joint, "parent", link=f"part_{len(DH_TABLE)}")
    ElementTree.SubElement(joint, "child", link="flange")
    ElementTree.SubElement(joint, "origin", xyz=written(pending[1]), rpy=written(to_rpy(pending[0])))
    return ElementTree.tostring(robot, encoding="unicode")


@mistake(12)
def dh_convention(machine, rng):
    if not machine.name.startswith("dh_arm"):
        return None
    other = ElementTree.fromstring(dh_text(machine.name != "dh_arm_standard"))

    def edit(root):
        root[:] = other[:]
    return Injection("the table of Denavit and Hartenberg is read in the other convention", text=edit)


# --- units and single coordinates, in the state ---------------------------------------------------------------------
def changed(state, **values):
    """A copy of a state with other values."""
    return {**copy.deepcopy(state), **values}


def angles_in_degrees(machine, rng, says, which, factor):
    q, rates = machine.angles()
    if not q:
        return None

    def edit(given, right, before):
        used = copy.deepcopy(given)
        for key in which:
            used[key][q if key == "q" else rates] *= factor
        return used
    return Injection(says, state=edit)


DEGREE = math.pi / 180
enter_all(16, {
    "angles_taken_for_degrees": ("joint angles are taken for degrees", ("q",), DEGREE),
    "angles_given_in_degrees": ("joint angles reach the library in degrees", ("q",), 1 / DEGREE),
    "angles_and_rates_for_degrees": ("angles, rates and accelerations are taken for degrees", ("q", "qd", "qdd"), DEGREE),
    "rates_for_degrees": ("rates are taken for degrees per second", ("qd",), DEGREE),
    "rates_in_degrees": ("rates reach the library in degrees per second", ("qd",), 1 / DEGREE),
    "rates_in_rpm": ("rates are taken for revolutions per minute", ("qd",), math.pi / 30),
    "accelerations_in_degrees": ("accelerations reach the library in degrees", ("qdd",), 1 / DEGREE),
}, angles_in_degrees)


@mistake(16)
def slides_in_millimetres(machine, rng):
    slides = machine.one_dof(("prismatic",))
    if not slides:
        return None
    factor = float(rng.choice([1000, 0.001]))

    def edit(given, right, before):
        used = copy.deepcopy(given)
        for entry in slides:
            used["q"][entry["q"]] *= factor
            for key in ("qd", "qdd"):
                used[key][entry["rate"]] *= factor
        return used
    return Injection("sliding joints are in mm", state=edit)


def coordinate(machine, rng, says, change):
    """A mistake in the coordinate of one hinge: change(state, index in q, index of the rate)."""
    hinges = machine.one_dof(("revolute", "continuous"))
    if not hinges:
        return None
    entry = hinges[rng.integers(len(hinges))]

    def edit(given, right, before):
        used = copy.deepcopy(given)
        change(used, entry["q"], entry["rate"])
        return used
    return Injection(f"{says} ({entry['joint']})", (entry["joint"],), state=edit)


def quarter_turn(state, q, rate):
    state["q"][q] += math.pi / 2


def home_offset(state, q, rate):
    state["q"][q] += 0.137


def counted_backwards(state, q, rate):
    state["q"][q] *= -1
    state["qd"][rate] *= -1
    state["qdd"][rate] *= -1


def angle_negated(state, q, rate):
    state["q"][q] *= -1


def rate_negated(state, q, rate):
    state["qd"][rate] *= -1


enter_all(6, {
    "zero_a_quarter_turn_off": ("the zero of the joint is off by a quarter turn", quarter_turn),
    "zero_off": ("the zero of the joint is off", home_offset),
    "joint_counted_backwards": ("coordinate, rate and acceleration of the joint have the opposite sign", counted_backwards),
    "angle_negated": ("the angle of the joint has the opposite sign", angle_negated),
    "rate_negated": ("the rate of the joint has the opposite sign", rate_negated),
}, coordinate)


@mistake(6)
def angles_relative_to_the_world(machine, rng):
    """Absolute angles: each is counted from the base instead of from the link before."""
    if not machine.name.startswith("planar_arm"):
        return None
    return Injection("angles are absolute instead of relative", state=lambda given, right, before: changed(
        given, **{key: np.diff(given[key], prepend=0.0) for key in ("q", "qd", "qdd")}))


def rates_of_state(machine, rng, says, change):
    return Injection(says, state=lambda given, right, before: changed(given, **change(given, before)))


enter_all(11, {
    "rates_one_sample_late": ("rates are those of the state before", lambda given, before: {"qd": before["qd"]}),
    "coordinates_one_sample_late": ("coordinates are those of the state before",
                                    lambda given, before: {key: before[key] for key in ("q", "position", "quaternion")
                                                           if key in before}),
    "accelerations_one_sample_late": ("accelerations are those of the state before", lambda given, before: {"qdd": before["qdd"]}),
    "rates_zero": ("rates are not set: they are zero", lambda given, before: {"qd": 0 * given["qd"]}),
    "accelerations_zero": ("accelerations are not set: they are zero", lambda given, before: {"qdd": 0 * given["qdd"]}),
    "coordinates_zero": ("joint coordinates are not set: the robot stands in its zero position",
                         lambda given, before: {"q": 0 * given["q"]}),
    "forces_zero": ("joint forces are not set: they are zero", lambda given, before: {"tau": 0 * given["tau"]}),
    "rates_and_accelerations_exchanged": ("qd and qdd are exchanged",
                                          lambda given, before: {"qd": given["qdd"], "qdd": given["qd"]}),
    "rates_negated": ("all rates have the opposite sign", lambda given, before: {"qd": -given["qd"]}),
    "coordinates_negated": ("all joint coordinates have the opposite sign", lambda given, before: {"q": -given["q"]}),
    "accelerations_negated": ("accelerations have the opposite sign", lambda given, before: {"qdd": -given["qdd"]}),
    "forces_negated": ("joint forces have the opposite sign", lambda given, before: {"tau": -given["tau"]}),
}, rates_of_state)


# --- quaternions and the pose of the base ---------------------------------------------------------------------------
def base_pose(machine, rng, says, change):
    if not machine.floating:
        return None
    return Injection(says, state=lambda given, right, before: changed(given, **change(given)))


enter_all(6, {
    "quaternion_w_first": ("the base's quaternion is read as w x y z", lambda s: {"quaternion": s["quaternion"][[1, 2, 3, 0]]}),
    "quaternion_w_last": ("the base's quaternion is handed over as w x y z to a library that reads x y z w",
                          lambda s: {"quaternion": s["quaternion"][[3, 0, 1, 2]]}),
    "quaternion_conjugated": ("the base's quaternion is conjugated: world to body",
                              lambda s: {"quaternion": s["quaternion"] * [-1, -1, -1, 1]}),
    "base_not_turned": ("the base's rotation is not set", lambda s: {"quaternion": np.array([0.0, 0, 0, 1])}),
    "base_at_the_origin": ("the base's position is not set", lambda s: {"position": np.zeros(3)}),
    "base_position_negated": ("the base's position has the opposite sign", lambda s: {"position": -s["position"]}),
    "base_position_in_body_axes": ("the base's position is taken along its own axes",
                                   lambda s: {"position": from_quaternion(*s["quaternion"]) @ s["position"]}),
}, base_pose)


def joint_quaternions(machine, rng, says, change):
    starts = machine.quaternions()
    if not starts:
        return None

    def edit(given, right, before):
        used = copy.deepcopy(given)
        for start in starts:
            used["q"][start:start + 4] = change(used["q"][start:start + 4])
        return used
    return Injection(says, state=edit)


enter_all(6, {
    "joint_quaternions_w_first": ("quaternions of joints are read as w x y z", lambda x: x[[1, 2, 3, 0]]),
    "joint_quaternions_conjugated": ("quaternions of joints are conjugated", lambda x: x * [-1, -1, -1, 1]),
}, joint_quaternions)


@mistake(6)
def euler_angles_reversed(machine, rng):
    balls = machine.one_dof(("euler_ball",))
    if not balls:
        return None

    def edit(given, right, before):
        used = copy.deepcopy(given)
        for entry in balls:
            used["q"][entry["q"]:entry["q"] + 3] = used["q"][entry["q"]:entry["q"] + 3][::-1]
            for key in ("qd", "qdd"):
                used[key][entry["rate"]:entry["rate"] + 3] = used[key][entry["rate"]:entry["rate"] + 3][::-1]
        return used
    return Injection("the three angles of a ball joint come in reverse order", state=edit)


# --- gravity --------------------------------------------------------------------------------------------------------
def gravity(machine, rng, says, change):
    return Injection(says, state=lambda given, right, before: changed(given, gravity=change(given["gravity"], given)))


def base_turn(state):
    return from_quaternion(*state["quaternion"]) if "quaternion" in state else turn(Y_AXIS, math.pi / 2)


enter_all(8, {
    "gravity_reversed": ("gravity has the opposite sign", lambda g, s: -g),
    "gravity_missing": ("there is no gravity", lambda g, s: 0 * g),
    "gravity_doubled": ("gravity counts twice", lambda g, s: 2 * g),
    "gravity_ten": ("g is 10 instead of 9.81", lambda g, s: g * 10 / 9.81),
    "gravity_standard": ("g is 9.80665 instead of 9.81", lambda g, s: g * 9.80665 / 9.81),
    "gravity_of_the_moon": ("g is 1.62", lambda g, s: g * 1.62 / 9.81),
    "gravity_in_feet": ("g is 32.174 (feet)", lambda g, s: g * 32.174 / 9.81),
    "gravity_along_y": ("gravity acts along -y: a y-up world", lambda g, s: np.array([g[0], g[2], -g[1]])),
    "gravity_along_x": ("gravity acts along x", lambda g, s: np.array([g[2], g[1], g[0]])),
    "gravity_in_base_axes": ("gravity is turned with the base", lambda g, s: base_turn(s) @ g),
    "gravity_turned_backwards": ("gravity is turned by the inverse of the base's rotation", lambda g, s: base_turn(s).T @ g),
    "gravity_horizontal_lost": ("only the z component of gravity is used", lambda g, s: g * [0, 0, 1]),
}, gravity)


@mistake(8)
def gravity_default(machine, rng):
    """The library has no way to set gravity, or the engineer did not."""
    return Injection("gravity is (0, 0, -9.81) whatever is given",
                     state=lambda given, right, before: changed(given, gravity=np.array([0, 0, -9.81])))


# --- external wrenches ----------------------------------------------------------------------------------------------
def wrench(machine, rng, says, change):
    """change(six numbers, R, p, c): pose and centre of mass of the link."""
    centres = {}
    for link in ElementTree.fromstring(machine.text).findall("link"):
        mass = Mass.read(link)
        centres[link.get("name")] = np.zeros(3) if mass is None else mass.c

    def edit(given, right, before):
        used = copy.deepcopy(given)
        for link, F in given["wrenches"].items():
            i = machine.links.index(link)
            used["wrenches"][link] = change(F, right["link_rotations"][i].reshape(3, 3), right["link_positions"][i], centres[link])
        return used
    return None if machine.loops else Injection(says, state=edit, wrenches=True)


enter_all(5, {
    "wrenches_ignored": ("external wrenches are ignored", lambda F, R, p, c: 0 * F),
    "wrenches_reversed": ("external wrenches have the opposite sign", lambda F, R, p, c: -F),
    "wrenches_doubled": ("external wrenches count twice", lambda F, R, p, c: 2 * F),
    "wrenches_in_world_axes": ("external wrenches are taken in world axes", lambda F, R, p, c: six(R.T @ F[:3], R.T @ F[3:])),
    "wrenches_turned_backwards": ("external wrenches are rotated the wrong way", lambda F, R, p, c: six(R @ F[:3], R @ F[3:])),
    "wrenches_about_the_world": ("external wrenches are taken in world axes, about the world's origin",
                                 lambda F, R, p, c: six(R.T @ (F[:3] - np.cross(p, F[3:])), R.T @ F[3:])),
    "wrenches_about_the_centre": ("moments are taken about the centre of mass",
                                  lambda F, R, p, c: six(F[:3] + np.cross(c, F[3:]), F[3:])),
    "wrenches_in_world_axes_at_the_centre": ("world axes, about the centre of mass",
                                             lambda F, R, p, c: six(R.T @ F[:3] + np.cross(c, R.T @ F[3:]), R.T @ F[3:])),
    "wrenches_force_first": ("external wrenches are taken force first", lambda F, R, p, c: F[[3, 4, 5, 0, 1, 2]]),
    "wrenches_force_alone": ("moments of external wrenches are dropped", lambda F, R, p, c: F * [0, 0, 0, 1, 1, 1]),
    "wrenches_moment_alone": ("forces of external wrenches are dropped", lambda F, R, p, c: F * [1, 1, 1, 0, 0, 0]),
}, wrench)


@mistake(5)
def wrenches_on_the_parent(machine, rng):
    if machine.loops:
        return None

    def edit(given, right, before):
        moved = {}
        for link, F in given["wrenches"].items():
            parent = machine.parents.get(link, (link,))[0]
            moved[parent] = moved.get(parent, 0) + F
        return changed(given, wrenches=moved)
    return Injection("external wrenches act on the parent of the link", state=edit, wrenches=True)


@mistake(5)
def wrenches_on_the_next_link(machine, rng):
    if machine.loops:
        return None

    def edit(given, right, before):
        return changed(given, wrenches={machine.links[(machine.links.index(link) + 1) % len(machine.links)]: F
                                        for link, F in given["wrenches"].items()})
    return Injection("external wrenches act on the next link: indices are off by one", state=edit, wrenches=True)


# --- orders of joints, and bases of the rates of a floating base ----------------------------------------------------
VECTORS = ("inverse_dynamics", "forward_dynamics", "bias", "gravity_force", "coriolis_force", "closed_forward_dynamics",
           "constraint_force")
FORCES = ("inverse_dynamics", "bias", "gravity_force", "coriolis_force", "constraint_force")
MOTIONS = ("forward_dynamics", "closed_forward_dynamics")
MATRICES = ("mass_matrix", "inverse_mass_matrix", "coriolis_matrix", "inverse_dynamics_by_q", "inverse_dynamics_by_qd",
            "forward_dynamics_by_q", "forward_dynamics_by_qd")
REGRESSORS = ("torque_regressor", "gravity_regressor")
DERIVATIVES = ("inverse_dynamics_by_q", "inverse_dynamics_by_qd", "forward_dynamics_by_q", "forward_dynamics_by_qd")


def jacobians(answers):
    """Names of quantities whose columns are rates."""
    return [name for name in answers if name.startswith("jacobian:")
            or name in ("tip_jacobian", "center_of_mass_jacobian", "centroidal_momentum_matrix")]


def permute_answers(answers, rates):
    """Write what belongs to rate rates[k] at place k."""
    for name in VECTORS + REGRESSORS:
        if name in answers:
            answers[name] = answers[name][rates]
    for name in MATRICES:
        if name in answers:
            answers[name] = answers[name][np.ix_(rates, rates)]
    for name in jacobians(answers):
        answers[name] = answers[name][:, rates]


def breadth_first(machine):
    """Joints level by level."""
    def depth(link):
        return 0 if link not in machine.parents else 1 + depth(machine.parents[link][0])
    return [entry["joint"] for entry in sorted(machine.layout, key=lambda entry: depth(entry["link"]))]


def sides_exchanged(machine, rng):
    """Left and right exchanged, by name."""
    def other(name):
        for left, right in (("left", "right"), ("L", "R"), ("_l_", "_r_"), ("FL", "FR"), ("HL", "HR")):
            for a, b in ((left, right), (right, left)):
                if a in name and name.replace(a, b) in machine.joints:
                    return name.replace(a, b)
        return name
    return [other(name) for name in machine.joints]


def two_exchanged(machine, rng):
    order = list(machine.joints)
    singles = [order.index(entry["joint"]) for entry in machine.one_dof()]
    if len(singles) < 2:
        return order
    i, j = rng.choice(singles, 2, replace=False)
    order[i], order[j] = order[j], order[i]
    return order


def order_of_joints(machine, rng, says, order, inputs, outputs):
    """The library has the joints in another order, and numbers go in, or come out, without being sorted."""
    order = order(machine, rng)
    if order == machine.joints or sorted(order) != sorted(machine.joints):
        return None
    by_name = {entry["joint"]: entry for entry in machine.layout}
    q = [i for name in order for i in range(by_name[name]["q"], by_name[name]["q"] + by_name[name]["nq"])]
    rates = list(range(machine.offset)) + [i for name in order
                                           for i in range(by_name[name]["rate"], by_name[name]["rate"] + by_name[name]["nv"])]

    def edit_state(given, right, before):
        used = copy.deepcopy(given)
        used["q"][q] = given["q"]
        for key in ("qd", "qdd", "tau"):
            used[key][rates] = given[key]
        return used

    def edit_answers(answers, given, used, before):
        permute_answers(answers, rates)
    return Injection(says, state=edit_state if inputs else None, answers=edit_answers if outputs else None)


ORDERS = {
    "alphabetical": ("joints are in alphabetical order", lambda machine, rng: sorted(machine.joints)),
    "by_file": ("joints are in the order of the file", lambda machine, rng: list(machine.joints_by_file)),
    "breadth_first": ("joints are in breadth-first order", lambda machine, rng: breadth_first(machine)),
    "reversed": ("joints are in reverse order", lambda machine, rng: machine.joints[::-1]),
    "sides_exchanged": ("left and right are exchanged", sides_exchanged),
    "two_exchanged": ("two joints are exchanged", two_exchanged),
    "shifted": ("joints are shifted by one", lambda machine, rng: machine.joints[1:] + machine.joints[:1]),
}
enter_all(6, {f"order_{name}": (says, order, True, True) for name, (says, order) in ORDERS.items()}, order_of_joints)
enter_all(6, {f"order_{name}_of_answers": (says + ", in the answers only", order, False, True)
              for name, (says, order) in ORDERS.items()
              if name in ("alphabetical", "by_file", "two_exchanged")}, order_of_joints)
enter_all(6, {f"order_{name}_of_states": (says + ", in the states only", order, True, False)
              for name, (says, order) in ORDERS.items()
              if name in ("breadth_first", "reversed", "sides_exchanged")}, order_of_joints)


def euler_rates(R, w):
    """E and its rate, where the angular velocity in body axes is E times the rates of roll, pitch, yaw."""
    r, p, _ = to_rpy(R)
    E = np.array([[1, 0, -math.sin(p)], [0, math.cos(r), math.sin(r) * math.cos(p)], [0, -math.sin(r), math.cos(r) * math.cos(p)]])
    rd, pd, _ = np.linalg.solve(E, w)
    E_dot = np.array([[0, 0, -math.cos(p) * pd], [0, -math.sin(r) * rd,
                                                  math.cos(r) * math.cos(p) * rd - math.sin(r) * math.sin(p) * pd],
                      [0, -math.cos(r) * rd, -math.sin(r) * math.cos(p) * rd - math.cos(r) * math.sin(p) * pd]])
    return E, E_dot


def basis(kind, R, p, V):
    """X and its rate: a twist in their basis is X times the body twist V."""
    w = V[:3]
    if kind == "body":
        return np.eye(6), np.zeros((6, 6))
    if kind == "world":
        return blocks(R, ZERO, ZERO, R), blocks(R @ cross(w), ZERO, ZERO, R @ cross(w))
    if kind == "linear_world":
        return blocks(ONE, ZERO, ZERO, R), blocks(ZERO, ZERO, ZERO, R @ cross(w))
    if kind == "spatial":
        Ad = blocks(R, ZERO, cross(p) @ R, R)
        return Ad, Ad @ blocks(cross(w), ZERO, cross(V[3:]), cross(w))
    E, E_dot = euler_rates(R, w)
    inverse = np.linalg.inv(E)
    return blocks(inverse, ZERO, ZERO, R), blocks(-inverse @ E_dot @ inverse, ZERO, ZERO, R @ cross(w))


def whole(machine, X):
    """The same for all rates: those of the joints stay."""
    full = np.eye(machine.nv)
    full[:6, :6] = X
    return full


def floating_basis(machine, rng, says, kind, linear_first, inputs, outputs, rate_term):
    """The six numbers of the base are in another basis, when they go in, when they come out, or both."""
    if not machine.floating:
        return None

    def X_and_rate(state, V):
        X, X_dot = basis(kind, from_quaternion(*state["quaternion"]), state["position"], V)
        if linear_first:
            X, X_dot = SWAP @ X, SWAP @ X_dot
        return X, X_dot if rate_term else 0 * X_dot

    def edit_state(given, right, before):
        used = copy.deepcopy(given)
        X, _ = X_and_rate(given, np.zeros(6))
        V = np.linalg.solve(X, given["qd"][:6])
        X, X_dot = X_and_rate(given, V)
        used["qd"][:6] = V
        used["qdd"][:6] = np.linalg.solve(X, given["qdd"][:6] - X_dot @ V)
        used["tau"][:6] = X.T @ given["tau"][:6]
        return used

    def edit_answers(answers, given, used, before):
        X, X_dot = (whole(machine, part) for part in X_and_rate(used, used["qd"][:6]))
        X_dot[6:, 6:] = 0
        back = np.linalg.inv(X)
        M, drift = answers["mass_matrix"].copy(), back @ X_dot @ used["qd"]
        for name in ("bias", "coriolis_force"):
            answers[name] = answers[name] - M @ drift
        for name in FORCES + REGRESSORS:
            if name in answers:
                answers[name] = back.T @ answers[name]
        for name in MOTIONS:
            if name in answers:
                answers[name] = X @ answers[name] + X_dot @ used["qd"]
        answers["coriolis_matrix"] = back.T @ (answers["coriolis_matrix"] - M @ back @ X_dot) @ back
        answers["mass_matrix"] = back.T @ M @ back
        if "inverse_mass_matrix" in answers:
            answers["inverse_mass_matrix"] = X @ answers["inverse_mass_matrix"] @ X.T
        for name in jacobians(answers):
            answers[name] = answers[name] @ back
        for name in DERIVATIVES:
            answers.pop(name, None)
    return Injection(says, state=edit_state if inputs else None, answers=edit_answers if outputs else None)


BASES = {"world": "world axes", "linear_world": "its linear half in world axes",
         "spatial": "spatial form, about the world's origin", "euler": "rates of roll, pitch, yaw"}
enter_all(2, {
    **{f"base_{kind}": (f"the base's six numbers are in {says}", kind, False, True, True, True) for kind, says in BASES.items()},
    **{f"base_{kind}_linear_first": (f"the base's six numbers are linear first, in {says}", kind, True, True, True, True)
       for kind, says in BASES.items() if kind != "euler"},
    **{f"base_{kind}_in_answers": (f"the base's six numbers of the answers are in {says}", kind, False, False, True, True)
       for kind, says in BASES.items() if kind in ("world", "spatial")},
    **{f"base_{kind}_in_states": (f"the base's velocity and acceleration are taken in {says}", kind, False, True, False, True)
       for kind, says in BASES.items() if kind != "euler"},
    **{f"base_{kind}_without_rate": (f"the base is in {says}, and accelerations lack the term of the moving axes", kind, False,
                                     True, True, False) for kind, says in BASES.items() if kind in ("world", "linear_world")},
}, floating_basis)
enter_all(7, {
    "base_linear_first": ("the base's six numbers are linear first", "body", True, True, True, True),
    "base_linear_first_in_answers": ("the base's six numbers of the answers are linear first", "body", True, False, True, True),
    "base_linear_first_in_states": ("the base's six numbers of the states are linear first", "body", True, True, False, True),
}, floating_basis)


@mistake(2)
def base_classical_acceleration(machine, rng):
    """The linear acceleration of the base is that of its origin: v' + w x v."""
    if not machine.floating:
        return None

    def edit_state(given, right, before):
        used = copy.deepcopy(given)
        used["qdd"][3:6] -= np.cross(given["qd"][:3], given["qd"][3:6])
        return used

    def edit_answers(answers, given, used, before):
        if "forward_dynamics" in answers:
            answers["forward_dynamics"][3:6] += np.cross(used["qd"][:3], used["qd"][3:6])
    return Injection("the base's acceleration is the classical one of its origin, without the -w x v", state=edit_state,
                     answers=edit_answers)


@mistake(2)
def base_velocity_alone_in_world_axes(machine, rng):
    if not machine.floating:
        return None

    def edit(given, right, before):
        used, R = copy.deepcopy(given), from_quaternion(*given["quaternion"])
        used["qd"][:6] = np.r_[R.T @ given["qd"][:3], R.T @ given["qd"][3:6]]
        return used
    return Injection("the base's velocity is taken in world axes, its acceleration in body axes", state=edit)


@mistake(2)
def base_rates_last(machine, rng):
    """Joints first, base last, in states and answers."""
    if not machine.floating:
        return None
    rates = list(range(6, machine.nv)) + list(range(6))

    def edit_state(given, right, before):
        used = copy.deepcopy(given)
        for key in ("qd", "qdd", "tau"):
            used[key][rates] = given[key]
        return used
    return Injection("the six rates of the base come after those of the joints", state=edit_state,
                     answers=lambda answers, given, used, before: permute_answers(answers, rates))


# --- armature, damping, friction ------------------------------------------------------------------------------------
def joint_values(machine, rng, scale):
    """A value for each rate of a hinge or slide, zero for all others; the same for all joints half of the time."""
    values = np.zeros(machine.nv)
    common = rng.random() < 0.5
    for entry in machine.one_dof():
        values[entry["rate"]] = scale if common else scale * rng.uniform(0.3, 3)
    return values


def joint_losses(machine, rng, says, scale, force):
    """Forces of the joints that the other model does not have: force(values, state)."""
    if not machine.one_dof():
        return None
    values = joint_values(machine, rng, scale)

    def edit(answers, given, used, before):
        extra = force(values, used)
        for name in ("inverse_dynamics", "bias"):
            answers[name] = answers[name] + extra
        if "inverse_mass_matrix" in answers:
            answers["forward_dynamics"] = answers["forward_dynamics"] - answers["inverse_mass_matrix"] @ extra
    return None if machine.loops else Injection(says, answers=edit)


enter_all(4, {
    "damping_counted": ("viscous damping of the joints is included", 0.3, lambda d, s: d * s["qd"]),
    "damping_reversed": ("viscous damping of the joints is included with the wrong sign", 0.3, lambda d, s: -d * s["qd"]),
    "coulomb_friction_counted": ("dry friction of the joints is included", 0.4, lambda d, s: d * np.sign(s["qd"])),
    "damping_and_friction_counted": ("viscous damping and dry friction are included", 0.3,
                                     lambda d, s: d * s["qd"] + 2 * d * np.sign(s["qd"])),
}, joint_losses)


def armature(machine, rng, says, scale, in_matrix, in_forces, one):
    if not machine.one_dof() or machine.loops:
        return None
    values = joint_values(machine, rng, scale)
    names = ()
    if one:
        entry = machine.one_dof()[rng.integers(len(machine.one_dof()))]
        values = np.where(np.arange(machine.nv) == entry["rate"], scale, 0.0)
        names = (entry["joint"],)

    def edit(answers, given, used, before):
        M, h = answers["mass_matrix"] + np.diag(values), answers["bias"]
        if in_forces:
            answers["inverse_dynamics"] = answers["inverse_dynamics"] + values * used["qdd"]
        if in_matrix:
            answers["mass_matrix"] = M
            answers["kinetic_energy"] = answers["kinetic_energy"] + used["qd"] @ (values * used["qd"]) / 2
        if in_matrix and in_forces:
            answers["inverse_mass_matrix"] = np.linalg.inv(M)
            answers["forward_dynamics"] = np.linalg.solve(M, used["tau"] - h)
            for name in ("forward_dynamics_by_q", "forward_dynamics_by_qd"):
                answers.pop(name, None)
    return Injection(f"{says}{' (' + names[0] + ')' if one else ''}", names, answers=edit)


enter_all(4, {
    "armature_counted": ("the rotors' inertia (armature) is included", 0.1, True, True, False),
    "armature_of_one_joint": ("the rotor's inertia of one joint is included", 0.2, True, True, True),
    "armature_in_the_matrix_alone": ("armature is included in the mass matrix, not in the forces", 0.1, True, False, False),
    "armature_in_the_forces_alone": ("armature is included in the forces, not in the mass matrix", 0.1, False, True, False),
    "armature_subtracted": ("armature is subtracted", -0.001, True, True, False),
}, armature)


@mistake(4)
def gear_ratio(machine, rng):
    """Torques of the motors instead of those of the joints."""
    ratio = float(rng.choice([50, 100, 160]))

    def edit(answers, given, used, before):
        answers["inverse_dynamics"][machine.offset:] /= ratio
    return Injection(f"joint torques are on the motor's side of the gears ({ratio:g})", answers=edit)


@mistake(4)
def springs_counted(machine, rng):
    if not machine.one_dof() or machine.loops:
        return None
    k = joint_values(machine, rng, 5.0)

    def edit(answers, given, used, before):
        place = np.zeros(machine.nv)
        for entry in machine.one_dof():
            place[entry["rate"]] = used["q"][entry["q"]]
        answers["inverse_dynamics"] = answers["inverse_dynamics"] + k * place
        answers["bias"] = answers["bias"] + k * place
        answers["gravity_force"] = answers["gravity_force"] + k * place
    return Injection("springs in the joints are included", answers=edit)


# --- answers that are another quantity, or in another frame ---------------------------------------------------------
def answer(machine, rng, says, names, change):
    """change(value, answers, state, machine) of the quantities that are named, or of all that start so."""
    def edit(answers, given, used, before):
        right = dict(answers)
        for name in right:
            if name in names or any(key.endswith(":") and name.startswith(key) for key in names):
                value = change(right[name].copy(), right, used, machine)
                if value is not None:
                    answers[name] = value
    return Injection(says, answers=edit)


def with_pose(function):
    """A change of the Jacobian of the tip, given its pose: function(J, R, p)."""
    def change(J, answers, state, machine):
        return function(J, answers["link_rotations"][-1].reshape(3, 3), answers["link_positions"][-1])
    return change


def row_by_row(function):
    """A change of the rows of links: function(row, R, p, twist)."""
    def change(rows, answers, state, machine):
        return np.array([function(row, R.reshape(3, 3), p, V) for row, R, p, V in
                         zip(rows, answers["link_rotations"], answers["link_positions"], answers["link_twists"])])
    return change


def root_rotation(answers, machine):
    """The rotation of the root link."""
    return answers["link_rotations"][machine.links.index(machine.root)].reshape(3, 3)


JACOBIAN, TWISTS, ACCELERATIONS, RATES = ("tip_jacobian",), ("link_twists",), ("link_accelerations",), ("link_twist_rates",)
enter_all(3, {
    "jacobian_in_body_axes": ("the Jacobian is in the axes of the link", JACOBIAN,
                              with_pose(lambda J, R, p: np.vstack([R.T @ J[:3], R.T @ J[3:]]))),
    "jacobian_spatial": ("the Jacobian is spatial: its linear half belongs to the world's origin", JACOBIAN,
                         with_pose(lambda J, R, p: np.vstack([J[:3], J[3:] + cross(p) @ J[:3]]))),
    "jacobian_of_the_parent": ("the Jacobian belongs to another link", JACOBIAN,
                               lambda J, A, s, m: next(A[name] for name in A if name.startswith("jacobian:")
                                                       and name != "jacobian:" + m.links[-1])),
    "jacobian_half_turned": ("the angular half of the Jacobian is in body axes", JACOBIAN,
                             with_pose(lambda J, R, p: np.vstack([R.T @ J[:3], J[3:]]))),
    "jacobian_of_a_tool": ("the Jacobian belongs to a point 0.1 m along the link's z axis", JACOBIAN,
                           with_pose(lambda J, R, p: np.vstack([J[:3], J[3:] - cross(R @ [0, 0, 0.1]) @ J[:3]]))),
    "jacobian_sign_of_lever": ("the lever in the Jacobian has the wrong sign (w x r instead of r x w)", JACOBIAN,
                               lambda J, A, s, m: np.vstack([J[:3], -J[3:]])),
    "twists_in_world_axes": ("link twists are in world axes", TWISTS, row_by_row(lambda V, R, p, _: six(R @ V[:3], R @ V[3:]))),
    "twists_spatial": ("link twists are spatial", TWISTS, row_by_row(
        lambda V, R, p, _: six(R @ V[:3], R @ V[3:] + np.cross(p, R @ V[:3])))),
    "twists_linear_half_in_world_axes": ("the linear half of link twists is in world axes", TWISTS,
                                         row_by_row(lambda V, R, p, _: six(V[:3], R @ V[3:]))),
    "accelerations_in_body_axes": ("link accelerations are in the axes of the link", ACCELERATIONS,
                                   row_by_row(lambda a, R, p, _: six(R.T @ a[:3], R.T @ a[3:]))),
    "accelerations_spatial": ("link accelerations are spatial, not classical: w x v is missing", ACCELERATIONS,
                              row_by_row(lambda a, R, p, V: six(a[:3], a[3:] - R @ np.cross(V[:3], V[3:])))),
    "accelerations_with_gravity": ("link accelerations contain that of gravity", ACCELERATIONS,
                                   lambda a, A, s, m: a - np.r_[0, 0, 0, s["gravity"]]),
    "accelerations_of_an_accelerometer": ("link accelerations are those of an accelerometer: minus gravity, in link axes",
                                          ACCELERATIONS, lambda a, A, s, m: np.array([
        six(R.reshape(3, 3).T @ row[:3], R.reshape(3, 3).T @ (row[3:] - s["gravity"])) for row, R in zip(a, A["link_rotations"])])),
    "twist_rates_classical": ("spatial accelerations are classical", RATES,
                              row_by_row(lambda a, R, p, V: six(a[:3], a[3:] + np.cross(V[:3], V[3:])))),
    "twist_rates_with_gravity": ("spatial accelerations contain minus gravity", RATES,
                                 lambda a, A, s, m: np.array([six(row[:3], row[3:] - R.reshape(3, 3).T @ s["gravity"])
                                                              for row, R in zip(a, A["link_rotations"])])),
    "rotations_transposed": ("rotations are transposed: world to link", ("link_rotations",),
                             lambda R, A, s, m: R.reshape(-1, 3, 3).transpose(0, 2, 1).reshape(-1, 9)),
    "positions_from_the_parent": ("positions of links are relative to their parents", ("link_positions",),
                                  lambda p, A, s, m: np.array([p[i] - p[m.links.index(m.parents[link][0])]
                                                               if link in m.parents else p[i] for i, link in enumerate(m.links)])),
    "positions_from_the_base": ("positions are relative to the base, in its axes", ("link_positions", "center_of_mass"),
                                lambda p, A, s, m: (p - A["link_positions"][m.links.index(m.root)]) @ root_rotation(A, m)),
    "momentum_about_the_centre": ("momentum is about the centre of mass instead of the world's origin", ("momentum",),
                                  lambda h, A, s, m: A["centroidal_momentum"]),
    "centroidal_momentum_about_the_origin": ("momentum is about the world's origin instead of the centre of mass",
                                             ("centroidal_momentum",), lambda h, A, s, m: A["momentum"]),
    "centroidal_momentum_in_base_axes": ("centroidal momentum is in the axes of the base",
                                         ("centroidal_momentum", "centroidal_momentum_matrix"),
                                         lambda h, A, s, m: np.kron(np.eye(2), root_rotation(A, m).T) @ h),
    "center_of_mass_velocity_as_momentum": ("the momentum stands in place of the velocity of the centre of mass",
                                            ("center_of_mass_velocity",), lambda v, A, s, m: A["momentum"][3:]),
}, answer)


enter_all(7, {
    "jacobian_linear_first": ("Jacobians are linear first", ("tip_jacobian", "jacobian:"), lambda J, A, s, m: SWAP @ J),
    "twists_linear_first": ("link twists are linear first", TWISTS, lambda V, A, s, m: V @ SWAP),
    "accelerations_linear_first": ("accelerations of links are linear first", ACCELERATIONS + RATES, lambda V, A, s, m: V @ SWAP),
    "momentum_linear_first": ("momenta are linear first", ("momentum", "centroidal_momentum", "centroidal_momentum_rate",
                                                           "centroidal_momentum_matrix"), lambda h, A, s, m: SWAP @ h),
    "all_sixes_linear_first": ("all twists, wrenches and Jacobians of links are linear first",
                               ("tip_jacobian", "jacobian:", "momentum", "centroidal_momentum", "centroidal_momentum_matrix",
                                "link_twists", "link_accelerations"),
                                lambda h, A, s, m: SWAP @ h if h.shape[0] == 6
                                and (h.ndim == 1 or h.shape[1] == m.nv) else h @ SWAP),
}, answer)

enter_all(8, {
    "forces_without_gravity": ("inverse dynamics lacks gravity", ("inverse_dynamics", "bias"),
                               lambda t, A, s, m: t - A["gravity_force"]),
    "gravity_twice_in_forces": ("inverse dynamics counts gravity twice", ("inverse_dynamics",),
                                lambda t, A, s, m: t + A["gravity_force"]),
    "gravity_force_reversed": ("the gravity force has the opposite sign: what gravity does instead of what holds against it",
                               ("gravity_force",), lambda g, A, s, m: -g),
    "potential_energy_reversed": ("potential energy has the opposite sign", ("potential_energy",), lambda U, A, s, m: -U),
    "potential_energy_from_another_height": ("potential energy is counted from another height", ("potential_energy",),
                                             lambda U, A, s, m: U + 12.5),
    "potential_energy_without_g": ("potential energy lacks the factor g", ("potential_energy",), lambda U, A, s, m: U / 9.81),
}, answer)


def symmetric(C):
    return (C + C.T) / 2


def extra_skew(C, A, s, m):
    """A matrix that has the skew-symmetric property, but the wrong product with the rates."""
    W = np.outer(np.arange(m.nv), np.ones(m.nv))
    return C + 0.1 * (W - W.T)


COROLIS = ("coriolis_matrix",)
enter_all(9, {
    "coriolis_matrix_transposed": ("C is transposed", COROLIS, lambda C, A, s, m: C.T),
    "coriolis_matrix_doubled": ("C is the derivative of the Coriolis force with respect to the rates: twice C qd", COROLIS,
                                lambda C, A, s, m: 2 * C),
    "coriolis_matrix_symmetric": ("C is half of dM/dt: its skew part is missing", COROLIS, lambda C, A, s, m: symmetric(C)),
    "coriolis_matrix_negated": ("C has the opposite sign", COROLIS, lambda C, A, s, m: -C),
    "coriolis_matrix_is_mass_rate": ("C is dM/dt", COROLIS, lambda C, A, s, m: C + C.T),
    "coriolis_matrix_plus_skew": ("C has a skew-symmetric matrix more", COROLIS, extra_skew),
    "coriolis_force_halved": ("Coriolis forces are halved", ("coriolis_force",), lambda h, A, s, m: h / 2),
}, answer)

BY_Q, BY_QD = ("inverse_dynamics_by_q",), ("inverse_dynamics_by_qd",)
enter_all(10, {
    "derivative_by_q_transposed": ("the derivative with respect to q is transposed", BY_Q, lambda D, A, s, m: D.T),
    "derivatives_transposed": ("all derivatives are transposed", DERIVATIVES, lambda D, A, s, m: D.T),
    "derivative_by_q_negated": ("the derivative with respect to q has the opposite sign", BY_Q, lambda D, A, s, m: -D),
    "derivative_by_qd_halved": ("the derivative with respect to qd is C", BY_QD, lambda D, A, s, m: A["coriolis_matrix"]),
    "derivative_in_degrees": ("derivatives are per degree", BY_Q, lambda D, A, s, m: D * DEGREE),
    "forward_derivative_not_solved": ("the derivative of forward dynamics lacks the inverse of M", ("forward_dynamics_by_qd",),
                                      lambda D, A, s, m: -A["mass_matrix"] @ D),
    "forward_derivative_sign": ("derivatives of forward dynamics have the opposite sign",
                                ("forward_dynamics_by_q", "forward_dynamics_by_qd"), lambda D, A, s, m: -D),
    "derivatives_exchanged": ("derivatives with respect to q and qd are exchanged", BY_Q + BY_QD,
                              lambda D, A, s, m: A["inverse_dynamics_by_qd"]
                              if np.array_equal(D, A["inverse_dynamics_by_q"]) else A["inverse_dynamics_by_q"]),
}, answer)


@mistake(10)
def derivative_by_base_position_in_world_axes(machine, rng):
    if not machine.floating:
        return None

    def edit(answers, given, used, before):
        R = whole(machine, blocks(ONE, ZERO, ZERO, from_quaternion(*used["quaternion"])))
        for name in ("inverse_dynamics_by_q", "forward_dynamics_by_q"):
            if name in answers:
                answers[name] = answers[name] @ R.T
    return Injection("derivatives with respect to the base's position are along world axes", answers=edit)


MATRIX = ("mass_matrix",)
enter_all(11, {
    "upper_triangle": ("only the upper triangle of M is filled", MATRIX, lambda M, A, s, m: np.triu(M)),
    "lower_triangle": ("only the lower triangle of M is filled", MATRIX, lambda M, A, s, m: np.tril(M)),
    "strict_triangle_twice": ("the triangle is added to its transpose: the diagonal of M is doubled", MATRIX,
                              lambda M, A, s, m: M + np.diag(np.diag(M))),
    "diagonal_alone": ("only the diagonal of M is filled", MATRIX, lambda M, A, s, m: np.diag(np.diag(M))),
    "upper_triangle_of_inverse": ("only the upper triangle of the inverse of M is filled", ("inverse_mass_matrix",),
                                  lambda M, A, s, m: np.triu(M)),
    "inverse_entry_by_entry": ("the inverse of M is taken entry by entry on its diagonal", ("inverse_mass_matrix",),
                               lambda M, A, s, m: np.diag(1 / np.diag(A["mass_matrix"]))
                               if np.all(np.diag(A["mass_matrix"]) > 0) else None),
    "inverse_is_not_inverted": ("the inverse of M is M", ("inverse_mass_matrix",), lambda M, A, s, m: A["mass_matrix"]),
    "mass_matrix_inverted": ("M is its inverse", MATRIX, lambda M, A, s, m: A.get("inverse_mass_matrix")),
    "bias_is_coriolis": ("the bias lacks gravity and external forces", ("bias",), lambda h, A, s, m: A["coriolis_force"]),
    "bias_is_gravity": ("the bias lacks the velocity terms", ("bias",), lambda h, A, s, m: A["gravity_force"]),
    "bias_without_wrenches": ("the bias lacks external wrenches", ("bias",),
                              lambda h, A, s, m: A["coriolis_force"] + A["gravity_force"]),
    "bias_negated": ("the bias has the opposite sign", ("bias",), lambda h, A, s, m: -h),
    "coriolis_force_is_bias": ("the Coriolis force contains gravity and external forces", ("coriolis_force",),
                               lambda h, A, s, m: A["bias"]),
    "gravity_force_is_bias": ("the gravity force contains the velocity terms", ("gravity_force",), lambda h, A, s, m: A["bias"]),
    "forces_are_the_bias": ("inverse dynamics lacks M qdd", ("inverse_dynamics",), lambda t, A, s, m: A["bias"]),
    "forces_without_velocity_terms": ("inverse dynamics lacks the velocity terms", ("inverse_dynamics",),
                                      lambda t, A, s, m: t - A["coriolis_force"]),
    "forces_reversed": ("inverse dynamics has the opposite sign", ("inverse_dynamics",), lambda t, A, s, m: -t),
    "accelerations_with_plus_bias": ("forward dynamics adds the bias instead of subtracting it", ("forward_dynamics",),
                                     lambda a, A, s, m: A["inverse_mass_matrix"] @ (s["tau"] + A["bias"])),
    "accelerations_without_bias": ("forward dynamics ignores the bias", ("forward_dynamics",),
                                   lambda a, A, s, m: A["inverse_mass_matrix"] @ s["tau"]),
    "accelerations_without_gravity": ("forward dynamics ignores gravity", ("forward_dynamics",),
                                      lambda a, A, s, m: a + A["inverse_mass_matrix"] @ A["gravity_force"]),
    "accelerations_by_a_diagonal": ("forward dynamics divides by the diagonal of M", ("forward_dynamics",),
                                    lambda a, A, s, m: (s["tau"] - A["bias"]) / np.diag(A["mass_matrix"])
                                    if np.all(np.diag(A["mass_matrix"]) > 0) else None),
    "kinetic_energy_without_half": ("kinetic energy lacks the factor 1/2", ("kinetic_energy",), lambda T, A, s, m: 2 * T),
    "energies_exchanged": ("kinetic and potential energy are exchanged", ("kinetic_energy", "potential_energy"),
                           lambda T, A, s, m: A["potential_energy"] if T == A["kinetic_energy"] else A["kinetic_energy"]),
    "kinetic_energy_is_total": ("kinetic energy contains the potential energy", ("kinetic_energy",),
                                lambda T, A, s, m: T + A["potential_energy"]),
    "matrix_of_joints_coupled_wrongly": ("the last row and column of M have the opposite sign", MATRIX,
                                         lambda M, A, s, m: M * np.outer([1] * (m.nv - 1) + [-1], [1] * (m.nv - 1) + [-1])),
}, answer)


def stale(machine, rng, says, names):
    """The answers of the state before; the first state is right."""
    def edit(answers, given, used, before):
        for name in list(answers):
            if names is None or name in names:
                if name in before:
                    answers[name] = before[name]
    return Injection(says, answers=edit)


enter_all(11, {
    "stale_matrix": ("M is that of the state before", MATRIX),
    "stale_forces": ("inverse dynamics is that of the state before", ("inverse_dynamics",)),
    "stale_everything": ("all answers are those of the state before", None),
    "stale_jacobians": ("Jacobians are those of the state before", ("tip_jacobian", "center_of_mass_jacobian")),
    "stale_bias": ("bias, gravity and Coriolis forces are those of the state before", ("bias", "gravity_force", "coriolis_force")),
}, stale)


# --- regressors -----------------------------------------------------------------------------------------------------
def columns(order):
    """A change of the order of the ten columns of each link: new column k is old column order[k]."""
    def change(Y, answers, state, machine):
        return Y.reshape(Y.shape[0], -1, 10)[:, :, order].reshape(Y.shape)
    return change


def column_signs(signs):
    return lambda Y, answers, state, machine: (Y.reshape(Y.shape[0], -1, 10) * np.array(signs)).reshape(Y.shape)


enter_all(13, {
    "parameters_as_pinocchio": ("parameters are in the order m, mc, xx xy yy xz yz zz", REGRESSORS,
                                columns([0, 1, 2, 3, 4, 5, 7, 6, 8, 9])),
    "parameters_diagonal_first": ("parameters are in the order m, mc, xx yy zz xy xz yz", REGRESSORS,
                                  columns([0, 1, 2, 3, 4, 7, 9, 5, 6, 8])),
    "parameters_inertia_first": ("parameters are in the order of moments of inertia, first moments, mass", REGRESSORS,
                                 columns([4, 5, 6, 7, 8, 9, 1, 2, 3, 0])),
    "parameters_mass_last": ("mass comes last among the parameters", REGRESSORS, columns([1, 2, 3, 4, 5, 6, 7, 8, 9, 0])),
    "parameters_products_negated": ("products of inertia have the opposite sign in the regressor", REGRESSORS,
                                    column_signs([1, 1, 1, 1, 1, -1, -1, 1, -1, 1])),
    "parameters_links_reversed": ("links come in reverse order in the regressor", REGRESSORS,
                                  lambda Y, A, s, m: Y.reshape(Y.shape[0], -1, 10)[:, ::-1].reshape(Y.shape)),
    "parameters_by_kind": ("parameters are sorted by kind, then by link", REGRESSORS,
                           lambda Y, A, s, m: Y.reshape(Y.shape[0], -1, 10).transpose(0, 2, 1).reshape(Y.shape)),
    "regressor_without_gravity": ("the regressor lacks gravity", ("torque_regressor",),
                                  lambda Y, A, s, m: Y - A["gravity_regressor"]),
}, answer)


@mistake(13)
def parameters_centre_instead_of_first_moment(machine, rng):
    """Columns belong to the centre of mass instead of the first moment: they are m times as large."""
    links = {link.get("name"): Mass.read(link) for link in ElementTree.fromstring(machine.text).findall("link")}
    carried = {}
    for name, mass in links.items():
        if mass:
            carried[machine.carrier(name)] = carried.get(machine.carrier(name), 0.0) + mass.m
    order = ([machine.root] if machine.floating else []) + [entry["link"] for entry in machine.layout]
    masses = np.array([carried.get(link, 0.0) for link in order])

    def edit(answers, given, used, before):
        for name in REGRESSORS:
            if name in answers:
                Y = answers[name].reshape(machine.nv, -1, 10).copy()
                Y[:, :, 1:4] *= masses[None, :, None]
                answers[name] = Y.reshape(machine.nv, -1)
    return Injection("parameters are the centre of mass instead of the first moment", answers=edit)


# --- loops and mimic joints -----------------------------------------------------------------------------------------
@mistake(14)
def mimic_reduced(machine, rng):
    """A joint that mimics another is no coordinate of its own: it follows, and its force counts at its leader."""
    followers = []
    for joint in ElementTree.fromstring(machine.text).findall("joint"):
        mimic = joint.find("mimic")
        if mimic is not None and joint.get("name") in machine.joints and mimic.get("joint") in machine.joints:
            followers.append((joint.get("name"), mimic.get("joint"), float(mimic.get("multiplier", "1")),
                              float(mimic.get("offset", "0"))))
    if not followers:
        return None
    entries = {entry["joint"]: entry for entry in machine.layout}

    def edit_state(given, right, before):
        used = copy.deepcopy(given)
        for follower, leader, factor, offset in followers:
            f, l = entries[follower], entries[leader]
            used["q"][f["q"]] = factor * used["q"][l["q"]] + offset
            for key in ("qd", "qdd"):
                used[key][f["rate"]] = factor * used[key][l["rate"]]
        return used

    def edit_answers(answers, given, used, before):
        for follower, leader, factor, _ in followers:
            f, l = entries[follower]["rate"], entries[leader]["rate"]
            for name in FORCES:
                if name in answers:
                    answers[name][l] += factor * answers[name][f]
                    answers[name][f] = 0
        for name in ("mass_matrix", "inverse_mass_matrix", "forward_dynamics", "coriolis_matrix", *DERIVATIVES):
            answers.pop(name, None)
    return Injection("mimic joints follow their leaders", tuple(f[0] for f in followers), state=edit_state, answers=edit_answers)


def loop_answer(machine, rng, says, change):
    """change(answers, state) of the answers of a machine with closed loops, in place."""
    if not machine.loops:
        return None
    return Injection(says, answers=lambda answers, given, used, before: change(answers, used))


def closed_solution(answers, state, drift=1.0, force=1.0):
    """Accelerations and constraint forces, with multiples of the drift and of the forces."""
    closed = answers["_closed"]
    A, Minv = np.array(closed["A"]), np.linalg.inv(answers["mass_matrix"])
    free = Minv @ (force * state["tau"] - answers["bias"])
    lam = np.linalg.lstsq(A @ Minv @ A.T, -(A @ free + drift * np.array(closed["Adot_qd"])), rcond=1e-12)[0]
    return free + Minv @ A.T @ lam, A.T @ lam


def without_drift(answers, state):
    answers["closed_forward_dynamics"], answers["constraint_force"] = closed_solution(answers, state, drift=0.0)


def wrong_drift(answers, state):
    answers["closed_forward_dynamics"], answers["constraint_force"] = closed_solution(answers, state, drift=-1.0)


def loops_open(answers, state):
    answers["closed_forward_dynamics"], answers["constraint_force"] = answers["forward_dynamics"].copy(), 0 * answers["forward_dynamics"]


def closed_by_the_actuated(answers, state):
    answers["closed_forward_dynamics"], answers["constraint_force"] = closed_solution(answers, state, force=-1.0)


def loop_without_bias(answers, state):
    closed = answers["_closed"]
    A, Minv = np.array(closed["A"]), np.linalg.inv(answers["mass_matrix"])
    free = Minv @ state["tau"]
    lam = np.linalg.lstsq(A @ Minv @ A.T, -(A @ free + np.array(closed["Adot_qd"])), rcond=1e-12)[0]
    answers["closed_forward_dynamics"], answers["constraint_force"] = free + Minv @ A.T @ lam, A.T @ lam


def constraint_force_reversed(answers, state):
    answers["constraint_force"] = -answers["constraint_force"]


def projected(answers, state):
    """The accelerations of the tree, projected on what the loops allow by the unit matrix instead of M."""
    closed = answers["_closed"]
    A = np.array(closed["A"])
    answers["closed_forward_dynamics"] = answers["forward_dynamics"] - np.linalg.pinv(A, rcond=1e-10) @ (
        A @ answers["forward_dynamics"] + np.array(closed["Adot_qd"]))


enter_all(14, {
    "loops_open": ("the loops are open: accelerations are those of the tree", loops_open),
    "loop_drift_missing": ("the term of moving constraints, dA/dt qd, is missing", without_drift),
    "loop_drift_reversed": ("the term of moving constraints has the opposite sign", wrong_drift),
    "loop_forces_reversed": ("joint forces have the opposite sign in the closed machine", closed_by_the_actuated),
    "loop_bias_missing": ("the closed machine lacks gravity and velocity terms", loop_without_bias),
    "constraint_force_reversed": ("constraint forces have the opposite sign", constraint_force_reversed),
    "loops_projected_without_mass": ("accelerations are projected without the mass matrix", projected),
}, loop_answer)


@mistake(14)
def one_loop_open(machine, rng):
    """One loop of several is not closed."""
    if not machine.loops or len(machine.loops["loops"]) < 2:
        return None
    skipped = str(rng.choice([loop["name"] for loop in machine.loops["loops"]]))

    def edit(answers, given, used, before):
        closed = answers["_closed"]
        keep = [i for i, row in enumerate(closed["rows"]) if row["loop"] != skipped]
        rest = {"A": np.array(closed["A"])[keep], "Adot_qd": np.array(closed["Adot_qd"])[keep]}
        answers["closed_forward_dynamics"], answers["constraint_force"] = closed_solution({**answers, "_closed": rest}, used)
    return Injection(f"the loop {skipped} is open", (skipped,), answers=edit)


# --- precision and units of answers ---------------------------------------------------------------------------------
def single(values):
    """In single precision."""
    return values.astype(np.float32)


enter_all(15, {
    "forward_dynamics_in_single_precision": ("forward dynamics is computed in single precision", ("forward_dynamics",),
                                             lambda a, A, s, m: np.linalg.solve(
        single(A["mass_matrix"]), single(s["tau"] - A["bias"])).astype(float)),
    "inverse_in_single_precision": ("the inverse of M is computed in single precision", ("inverse_mass_matrix",),
                                    lambda Z, A, s, m: np.linalg.inv(single(A["mass_matrix"])).astype(float)),
    "forces_in_single_precision": ("forces are printed in single precision", FORCES,
                                   lambda t, A, s, m: single(t).astype(float)),
    "forces_with_six_digits": ("forces are printed with six significant digits", FORCES,
                               lambda t, A, s, m: np.array([float(f"{x:.6g}") for x in t])),
    "forces_with_three_decimals": ("forces are printed with three decimals", FORCES, lambda t, A, s, m: np.round(t, 3)),
}, answer)


def scaled_answer(factor):
    return lambda value, A, s, m: value * factor


enter_all(16, {
    "forces_in_newton_millimetres": ("forces are in N mm", ("inverse_dynamics",), scaled_answer(1000.0)),
    "forces_in_kilogram_force": ("forces are in kgf m", ("inverse_dynamics",), scaled_answer(1 / 9.80665)),
    "positions_in_millimetres": ("positions are in mm", ("link_positions", "center_of_mass"), scaled_answer(1000.0)),
    "accelerations_in_degrees_out": ("joint accelerations come out in degrees", ("forward_dynamics",), scaled_answer(1 / DEGREE)),
    "masses_in_grams_in_the_matrix": ("M is in grams", MATRIX, scaled_answer(1000.0)),
    "energies_in_kilojoules": ("energies are in kJ", ("kinetic_energy", "potential_energy"), scaled_answer(0.001)),
    "velocity_in_millimetres": ("the velocity of the centre of mass is in mm/s", ("center_of_mass_velocity",),
                                scaled_answer(1000.0)),
}, answer)


# --- errors that are on no list -------------------------------------------------------------------------------------
def all_forces(machine, rng, says, change):
    """change(value) of each force."""
    return answer(machine, rng, says, FORCES, lambda t, A, s, m: change(t))


def bent(t):
    return np.sign(t) * np.abs(t) ** 1.1


def wrapped(t):
    """Someone's function for angles, applied to torques: into (-pi, pi], softly, so that small forces change, too."""
    return 2 * np.arctan(t / 2)


def low_pass(machine, rng):
    """Answers are smoothed over the states."""
    def edit(answers, given, used, before):
        for name in list(answers):
            if name in before and not name.startswith("_"):
                answers[name] = 0.7 * answers[name] + 0.3 * before[name]
    return Injection("answers are smoothed in time", answers=edit)


def encoder(machine, rng):
    """Angles are rounded to the steps of a counter, away from zero."""
    q, _ = machine.angles()

    def edit(given, right, before):
        used = copy.deepcopy(given)
        step = 2 * math.pi / 4096
        used["q"][q] = np.ceil(used["q"][q] / step) * step
        return used
    return Injection("angles are rounded to steps of an encoder", state=edit)


def supple_joints(machine, rng):
    """Angles give way under the forces of the state."""
    singles = machine.one_dof(("revolute", "continuous"))

    def edit(given, right, before):
        used = copy.deepcopy(given)
        for entry in singles:
            used["q"][entry["q"]] += right["inverse_dynamics"][entry["rate"]] / 3000
        return used
    return Injection("joints give way under load", state=edit) if singles else None


NONSENSE = {
    "bent": lambda machine, rng: all_forces(machine, rng, "forces are bent by a power of 1.1", bent),
    "wrapped": lambda machine, rng: all_forces(machine, rng, "forces are wrapped as if they were angles", wrapped),
    "low_pass": low_pass,
    "encoder": encoder,
    "supple_joints": supple_joints,
}


# ---------------------------------------------------------------------------------------------------------------------
# Comparisons
# ---------------------------------------------------------------------------------------------------------------------
LOOPED = {"five_bar": {"loops": [{"name": "pin", "joint": "revolute", "first": {"link": "left_tip"},
                                  "second": {"link": "right_tip"}}]}}
FLOATING = ("quadruped", "humanoid", "aerial_manipulator", "drone_arm")
OWN_GRAVITY = {"five_bar": (2.3, -1.6, -9.4), "mixed_tree": (2.6, 1.9, -9.1)}
BUILT_IN = ("ur5", "panda", "puma560", "cart_pendulum", "screw_arm", "forked_arm", "mixed_tree", "every_joint", "quadruped",
            "humanoid", "aerial_manipulator", "drone_arm", "tree:3x4", "planar_arm:4", "five_bar", "hydraulic_manipulator", "mimic_hand")
SHARED = {"ur5_robot": False, "panda": False, "double_pendulum": False, "anymal": True, "solo12": True, "simple_humanoid": True,
          "icub_reduced": True, "talos_reduced": True, "hextilt_flying_arm_5": True}  # and whether the root floats


def machines(library):
    """All machines that are there."""
    found = []
    for name in BUILT_IN:
        loops = LOOPED.get(name)
        if name == "hydraulic_manipulator":
            loops = json.loads((MODELS / "hydraulic_manipulator.loops.json").read_text())
        found.append(Machine(name, name, name in FLOATING, library.export(name), loops, OWN_GRAVITY.get(name, (0.0, 0.0, -9.81))))
    for name in ("dh_arm_standard", "dh_arm_modified"):
        text = dh_text(name == "dh_arm_standard")
        found.append(Machine(name, library.file(text, "urdf"), False, text))
    folder = pathlib.Path(os.environ.get("ARTICULATE_ROBOTS") or "none")
    for name, floats in SHARED.items():
        path = folder / f"{name}.urdf"
        if path.is_file():
            found.append(Machine(name + ".urdf", str(path), floats, path.read_text()))
        else:
            print(f"blind: {name}.urdf is not in ARTICULATE_ROBOTS, and left out", file=sys.stderr)
    return found


PROFILES = {
    "everything": None,
    "dynamics": ("inverse_dynamics", "mass_matrix", "bias", "gravity_force", "coriolis_force"),
    "both ways": ("inverse_dynamics", "forward_dynamics", "mass_matrix"),
    "control": ("mass_matrix", "coriolis_matrix", "gravity_force", "tip_jacobian"),
    "forward": ("forward_dynamics", "mass_matrix", "inverse_mass_matrix", "kinetic_energy", "potential_energy"),
    "whole body": ("mass_matrix", "bias", "center_of_mass", "center_of_mass_jacobian", "centroidal_momentum", "momentum"),
    "kinematics": ("link_positions", "link_rotations", "link_twists", "tip_jacobian"),
    "motion of links": ("link_twists", "link_accelerations", "link_twist_rates", "inverse_dynamics"),
    "identification": ("inverse_dynamics", "torque_regressor", "gravity_regressor"),
    "optimisation": ("inverse_dynamics", "inverse_dynamics_by_q", "inverse_dynamics_by_qd", "forward_dynamics",
                     "forward_dynamics_by_q", "forward_dynamics_by_qd"),
    "machine with loops": ("closed_forward_dynamics", "constraint_force", "mass_matrix", "bias"),
}


@dataclasses.dataclass
class Comparison:
    """Somebody's numbers: for whom, of what, and what is wrong with them."""
    part: str
    number: int
    machine: Machine
    states: list
    answers: list
    mistakes: tuple
    says: tuple
    names: tuple

    @property
    def quantities(self):
        return sorted(self.answers[0])

    def lines(self):
        """A file of JSON lines, as `check` reads it."""
        return "".join(json.dumps({"state": state_json(state),
                                   "answers": {name: value.tolist() for name, value in answers.items()}}) + "\n"
                       for state, answers in zip(self.states, self.answers))


def differ(first, second):
    """Names of quantities of which any number differs visibly in any state."""
    return {name for one, other in zip(first, second) for name in one if name in other and not name.startswith("_")
            and np.max(np.abs(one[name] - other[name]), initial=0) > CHANGED * max(np.max(np.abs(one[name]), initial=0), 1e-12)}


def finite(answers):
    return all(np.all(np.isfinite(value)) for one in answers for name, value in one.items() if not name.startswith("_"))


def injected(library, machine, states, right, injections, derivatives):
    """What a library with these mistakes answers, or None where it refuses."""
    text = None
    if any(injection.text for injection in injections):
        root = ElementTree.fromstring(machine.text)
        for injection in injections:
            if injection.text:
                injection.text(root)
        text = ElementTree.tostring(root, encoding="unicode")
    used = states
    for injection in injections:
        if injection.state:
            used = [injection.state(state, truth, used[max(k - 1, 0)]) for k, (state, truth) in enumerate(zip(used, right))]
    answers = library.answers(machine, used, text, derivatives)
    if answers is None:
        return None
    for injection in injections:
        if injection.answers:
            untouched = [dict(one) for one in answers]
            for k, one in enumerate(answers):
                injection.answers(one, states[k], used[k], untouched[max(k - 1, 0)])
    return answers if finite(answers) else None


def states_of(library, machine, rng, count, wrenches):
    """States, with wrenches on two links in each if they are needed."""
    states = [machine.random_state(rng, library) for _ in range(count)]
    if wrenches:
        links = [link for link in massive(machine) if machine.moves(link)]
        for state in states:
            state["wrenches"] = {str(link): rng.uniform(-5, 5, 6)
                                 for link in rng.choice(links, size=min(2, len(links)), replace=False)}
    return states


def given(answers, names):
    """The quantities that the engineer has, without our own remarks."""
    return [{name: value for name, value in one.items() if not name.startswith("_") and (names is None or name in names)}
            for one in answers]


def compare(library, machine, rng, part, number, drawn):
    """Draw states and quantities for mistakes that were drawn; None if no number that is given would change."""
    count = int(rng.choice([5, 10, 20]) if part == "torques" else rng.choice([1, 3, 5, 10], p=[0.1, 0.3, 0.3, 0.3]))
    names = [name for name, _ in drawn]
    if part == "unlisted" or any("late" in name or "stale" in name for name in names):
        count = max(count, 5)
    injections = [injection for _, injection in drawn]
    profile = "torques" if part == "torques" else list(PROFILES)[rng.integers(len(PROFILES))]
    wanted = ("inverse_dynamics",) if part == "torques" else PROFILES[profile]
    derivatives = profile == "optimisation" or any(CATALOGUE.get(name, (0,))[0] == 10 for name in names)
    states = states_of(library, machine, rng, count, any(injection.wrenches for injection in injections))
    right = library.answers(machine, states, None, derivatives)
    wrong = injected(library, machine, states, right, injections, derivatives)
    if wrong is None:
        return None
    touched = differ(right, wrong)
    if len(injections) == 2:
        for injection in injections:
            alone = injected(library, machine, states, right, [injection], derivatives)
            if alone is None:
                return None
            touched &= differ(alone, wrong)
    if wanted is not None and touched and not touched & set(wanted) and part != "torques":
        wanted += (sorted(touched)[rng.integers(len(touched))],)
    if not touched or (wanted is not None and not touched & set(wanted)):
        return None
    kept = given(wrong, wanted)
    return Comparison(part, number, machine, states, kept, tuple(names), tuple(i.says for i in injections),
                      tuple(i.names for i in injections))


def drawn_mistakes(machine, rng, names):
    """Injections of these mistakes on this machine, or None if it knows one of them not."""
    drawn = []
    for name in names:
        injection = CATALOGUE[name][1](machine, rng)
        if injection is None:
            return None
        drawn.append((name, injection))
    return drawn


PARTS = {"single": SINGLES, "pair": PAIRS, "torques": TORQUES, "clean": CLEAN, "noise": NOISY, "unlisted": UNLISTED}


def comparisons(library, seed, part):
    """All comparisons of a part, one after the other; each part has random numbers of its own."""
    rng = np.random.default_rng(seed if part == "single" else [seed, list(PARTS).index(part)])
    fleet = machines(library)
    deck = []

    def from_the_deck():
        if not deck:
            deck.extend(rng.permutation(sorted(CATALOGUE)))
        return [str(deck.pop())]

    def two_kinds():
        while True:
            names = [str(name) for name in rng.choice(sorted(CATALOGUE), 2, replace=False)]
            if CATALOGUE[names[0]][0] != CATALOGUE[names[1]][0]:
                return names

    def with_mistakes(choose):
        """Choose mistakes, then a machine that knows them; a mistake that is not to be seen anywhere is put back."""
        made = 0
        while made < PARTS[part]:
            names, attempts = choose(), 0
            for machine in (fleet[i] for i in rng.permutation(len(fleet))):
                drawn = drawn_mistakes(machine, rng, names)
                comparison = drawn and compare(library, machine, rng, part, made, drawn)
                attempts += bool(drawn)
                if comparison:
                    made += 1
                    yield comparison
                if comparison or attempts == 4:
                    break

    def without_mistakes():
        for number in range(PARTS[part]):
            machine = fleet[rng.integers(len(fleet))]
            states = states_of(library, machine, rng, int(rng.choice([1, 3, 10])), False)
            profile = list(PROFILES)[rng.integers(len(PROFILES) - 1)]
            answers = given(library.answers(machine, states, None, profile == "optimisation"), PROFILES[profile])
            if part == "noise":
                size = 10.0 ** rng.uniform(-10, -2)
                answers = [{key: value * (1 + size * rng.normal(size=value.shape)) for key, value in one.items()}
                           for one in answers]
            yield Comparison(part, number, machine, states, answers, (), (), ())

    def unlisted():
        for number in range(PARTS[part]):
            name, nonsense = list(NONSENSE.items())[number % len(NONSENSE)]
            comparison = None
            while not comparison:
                machine = fleet[rng.integers(len(fleet))]
                injection = nonsense(machine, rng)
                comparison = injection and compare(library, machine, rng, part, number, [(name, injection)])
            yield comparison

    if part in ("clean", "noise"):
        return without_mistakes()
    if part == "unlisted":
        return unlisted()
    return with_mistakes({"single": from_the_deck, "pair": two_kinds, "torques": from_the_deck}[part])


# ---------------------------------------------------------------------------------------------------------------------
# Judging the answers
# ---------------------------------------------------------------------------------------------------------------------
# Written after the answers of seed 1 were seen: the names of causes that say what the sentence of a mistake says. A name counts
# if it starts so. Mistakes that are missing here are named by no cause that is known; whoever adds one adds its name here.
ONE_LINK = (r"inertia/parameters:",)
COUNTS = {
    # inertial data
    "inertial_rotation_dropped": (r"inertia/rotation_dropped",) + ONE_LINK,
    "inertial_rotation_reversed": (r"inertia/rotation_transposed",) + ONE_LINK,
    "products_sign": (r"inertia/products_negated",) + ONE_LINK,
    "one_product_sign": ONE_LINK,
    "products_dropped": (r"inertia/products_dropped",) + ONE_LINK,
    "principal_moments_only": (r"inertia/products_dropped", r"inertia/principal_moments") + ONE_LINK,
    "centre_dropped": (r"inertia/center_of_mass_at_origin",) + ONE_LINK,
    "centre_negated": (r"inertia/center_of_mass_negated",) + ONE_LINK,
    "centre_mirrored": (r"inertia/center_of_mass_",) + ONE_LINK,
    "centre_exchanged": ONE_LINK,
    "centre_off_by_a_centimetre": ONE_LINK,
    "centre_in_millimetres": (r"inertia/center_of_mass_in_mm",) + ONE_LINK,
    "tensor_read_about_origin": (r"inertia/about_origin",) + ONE_LINK,
    "steiner_twice": (r"inertia/moved_twice",) + ONE_LINK,
    "tensor_unused": (r"inertia/tensor_unused",) + ONE_LINK,
    "moments_exchanged": (r"inertia/moments_",) + ONE_LINK,
    "tensor_doubled": (r"inertia/tensor_doubled",) + ONE_LINK,
    "mass_mistyped": ONE_LINK,
    "material_exchanged": ONE_LINK,
    "link_lost": (r"inertia/mass_lost:",) + ONE_LINK,
    "link_mirrored": ONE_LINK,
    "fixed_links_lost": (r"inertia/fixed_links_lost",),
    "fixed_link_lost": (r"inertia/fixed_links_lost", r"inertia/mass_lost:") + ONE_LINK,
    "links_exchanged": ONE_LINK,
    "payload_in_the_hand": ONE_LINK,
    "floating_base_has_no_mass": (r"inertia/mass_lost:",) + ONE_LINK,
    # bases of a floating base
    "base_world": (r"base_velocity/world_angular_first($|_in_[a-z]*_dynamics)",),
    "base_linear_world": (r"base_velocity/body_angular_world_linear$", r"base_velocity/world_linear_body_angular$", r"base_velocity/body_linear_first$"),
    "base_spatial": (r"base_velocity/world_point_angular_first$",),
    "base_euler": (r"base_velocity/euler_rates$", r"base_velocity/body_linear_first$"),
    "base_world_linear_first": (r"base_velocity/world_linear_first$", r"base_velocity/world_angular_first$"),  # with a swap
    "base_linear_world_linear_first": (r"base_velocity/world_linear_body_angular$",),
    "base_spatial_linear_first": (r"base_velocity/world_point_linear_first$",),
    "base_world_in_answers": (r"base_velocity/world_angular_first_in_answers",),
    "base_spatial_in_answers": (r"base_velocity/world_point_angular_first_in_answers",),
    "base_linear_first": (r"base_velocity/body_linear_first$",),
    "base_linear_first_in_answers": (r"base_velocity/body_linear_first_in_answers", r"layout/permuted_in_answers"),
    "base_linear_first_in_states": (r"base_velocity/body_linear_first",),
    "base_classical_acceleration": (r"base_acceleration/classical",),
    # frames
    "axis_flipped": (r"direction/",),
    "jacobian_in_body_axes": (r"jacobian/link_axes",),
    "jacobian_spatial": (r"jacobian/world_point",),
    "twists_in_world_axes": (r"twists/world_axes",),
    "twists_spatial": (r"twists/world_point",),
    "accelerations_in_body_axes": (r"accelerations/link_axes",),
    "accelerations_spatial": (r"accelerations/spatial",),
    "accelerations_with_gravity": (r"accelerations/with_gravity",),
    "accelerations_of_an_accelerometer": (r"accelerations/with_gravity", r"accelerations/link_axes"),
    "twist_rates_classical": (r"twist_rates/classical",),
    "twist_rates_with_gravity": (r"twist_rates/with_gravity",),
    "rotations_transposed": (r"link_rotations/transposed",),
    "positions_from_the_base": (r"whole/base_frame", r"links/base_frame"),
    "momentum_about_the_centre": (r"momentum/about_center_of_mass",),
    "centroidal_momentum_about_the_origin": (r"centroidal_momentum/about_origin",),
    "centroidal_momentum_in_base_axes": (r"whole/base_axes",),
    # armature, damping, friction
    "damping_counted": (r"damping/",),
    "damping_reversed": (r"damping/",),
    "coulomb_friction_counted": (r"friction/",),
    "damping_and_friction_counted": (r"damping/", r"friction/"),
    "armature_counted": (r"armature/",),
    "armature_of_one_joint": (r"armature/",),
    "armature_in_the_matrix_alone": (r"armature/",),
    "armature_in_the_forces_alone": (r"armature/",),
    "armature_subtracted": (r"armature/",),
    # external forces
    "wrenches_ignored": (r"external_forces/ignored",),
    "wrenches_reversed": (r"external_forces/sign",),
    "wrenches_doubled": (r"external_forces/twice",),
    "wrenches_in_world_axes": (r"external_forces/world_axes",),
    "wrenches_turned_backwards": (r"external_forces/world_turned",),
    "wrenches_about_the_world": (r"external_forces/world_point",),
    "wrenches_about_the_centre": (r"external_forces/at_center_of_mass",),
    "wrenches_in_world_axes_at_the_centre": (r"external_forces/world_axes", r"external_forces/at_center_of_mass"),
    "wrenches_force_first": (r"external_forces/force_first",),
    "wrenches_force_alone": (r"external_forces/moment_ignored",),
    "wrenches_on_the_parent": (r"external_forces/previous_body", r"external_forces/on_carrier"),
    "wrenches_on_the_next_link": (r"external_forces/on_next_link",),
    "bias_without_wrenches": (r"external_forces/ignored", r"bias/without_external_forces"),
    # layouts
    "quaternion_w_first": (r"layout/quaternion_wxyz",),
    "quaternion_w_last": (r"layout/quaternion_xyzw",),
    "quaternion_conjugated": (r"layout/quaternion_inverse",),
    "joint_quaternions_w_first": (r"layout/quaternion_wxyz",),
    "joint_quaternions_conjugated": (r"layout/quaternion_inverse",),
    "base_not_turned": (r"state/base_upright",),
    "base_at_the_origin": (r"state/base_at_origin",),
    "order_alphabetical": (r"layout/alphabet$",),
    "order_by_file": (r"layout/file$",),
    "order_breadth_first": (r"layout/breadth$",),
    "order_alphabetical_of_answers": (r"layout/(alphabet|permuted)_in_answers",),
    "order_by_file_of_answers": (r"layout/(file|permuted)_in_answers",),
    "order_two_exchanged_of_answers": (r"layout/permuted_in_answers", r"layout/exchanged:.*_in_answers$"),
    "order_breadth_first_of_states": (r"layout/breadth_in_state",),
    # order of twists and wrenches
    "jacobian_linear_first": (r"twist_order/linear_first",),
    "twists_linear_first": (r"twist_order/linear_first",),
    "accelerations_linear_first": (r"twist_order/linear_first",),
    "momentum_linear_first": (r"twist_order/linear_first", r"wrench_order/force_first"),
    "all_sixes_linear_first": (r"twist_order/linear_first", r"wrench_order/force_first"),
    # gravity
    "gravity_reversed": (r"gravity/sign",),
    "gravity_missing": (r"gravity/zero",),
    "gravity_doubled": (r"gravity/size", r"gravity/twice", r"gravity/factor"),
    "gravity_ten": (r"gravity/(size|factor|standard_10)",),
    "gravity_standard": (r"gravity/(size|standard)_9.80665",),
    "gravity_of_the_moon": (r"gravity/(size|factor)",),
    "gravity_in_feet": (r"gravity/(size|factor)",),
    "gravity_along_y": (r"gravity/(y_up|other)",),
    "gravity_along_x": (r"gravity/(other|x_and_z_exchanged)",),
    "gravity_in_base_axes": (r"gravity/(base_axes|turned|other)",),
    "gravity_turned_backwards": (r"gravity/(base_axes|turned|other)",),
    "gravity_default": (r"gravity/standard",),
    "forces_without_gravity": (r"gravity/zero", r"inverse_dynamics/of_accelerations_and_rates"),
    "gravity_twice_in_forces": (r"gravity/size", r"gravity/twice", r"gravity/factor", r"factor/2_in_gravity"),
    "gravity_force_reversed": (r"sign/(gravity_force|other)", r"gravity/sign"),
    "potential_energy_reversed": (r"sign/(potential_energy|other)", r"gravity/sign"),
    "potential_energy_without_g": (r"gravity/(size|factor)",),
    "accelerations_without_gravity": (r"gravity/zero",),
    "bias_is_coriolis": (r"bias/without_gravity", r"bias/of_rates", r"gravity/zero"),
    "regressor_without_gravity": (r"gravity/zero",),
    # Coriolis matrices and derivatives
    "coriolis_matrix_doubled": (r"factor/2_in_coriolis_matrix",),
    "coriolis_matrix_negated": (r"sign/(coriolis_matrix|other)", r"state/qd_negated$"),
    "coriolis_force_halved": (r"factor/0.5_in_coriolis_force",),
    "derivative_by_q_transposed": (r"derivatives/transposed",),
    "derivatives_transposed": (r"derivatives/transposed",),
    "derivative_by_q_negated": (r"sign/(inverse_dynamics_by_q|other)",),
    "derivative_by_qd_halved": (r"factor/0.5_in_inverse_dynamics_by_qd", r"inverse_dynamics_by_qd/is_coriolis_matrix"),
    "forward_derivative_sign": (r"sign/",),
    # triangles, stale answers, other quantities
    "upper_triangle": (r"triangle/upper_only",),
    "lower_triangle": (r"triangle/lower_only",),
    "strict_triangle_twice": (r"triangle/diagonal_twice",),
    "diagonal_alone": (r"triangle/diagonal_only",),
    "upper_triangle_of_inverse": (r"triangle/upper_only",),
    "inverse_is_not_inverted": (r"matrix/inverted",),
    "mass_matrix_inverted": (r"matrix/inverted",),
    "bias_is_gravity": (r"state/rates_ignored", r"bias/of_gravity"),
    "bias_negated": (r"sign/(bias|other)",),
    "forces_reversed": (r"sign/inverse_dynamics",),
    "forces_are_the_bias": (r"state/accelerations_ignored",),
    "forces_without_velocity_terms": (r"state/rates_ignored",),
    "kinetic_energy_without_half": (r"factor/2_in_kinetic_energy",),
    "rates_zero": (r"state/rates_ignored",),
    "accelerations_zero": (r"state/accelerations_ignored",),
    "forces_zero": (r"state/forces_ignored",),
    "rates_one_sample_late": (r"stale/velocities",),
    "coordinates_one_sample_late": (r"stale/positions",),
    "stale_matrix": (r"stale/mass_matrix",),
    "stale_forces": (r"stale/(all|inverse_dynamics)",),
    "stale_everything": (r"stale/",),
    "stale_jacobians": (r"stale/",),
    "stale_bias": (r"stale/",),
    # the rest
    "dh_convention": (r"denavit_hartenberg/",),
    "parameters_as_pinocchio": (r"regressor/xx_xy_yy_xz_yz_zz",),
    "parameters_diagonal_first": (r"regressor/xx_yy_zz",),
    "parameters_inertia_first": (r"regressor/tensor_first",),
    "parameters_products_negated": (r"regressor/products_negated",),
    "mimic_reduced": (r"mimic/coupled",),
    "loops_open": (r"loops/open",),
    "one_loop_open": (r"loops/lost:",),
    "loop_drift_missing": (r"loops/without_rates",),
    "constraint_force_reversed": (r"sign/constraint_force",),
    "angles_taken_for_degrees": (r"units/degrees", r"units/q_read_in_degrees"),
    "angles_and_rates_for_degrees": (r"units/degrees",),
    "rates_for_degrees": (r"units/degrees", r"units/qd_read_in_degrees"),
    "tensor_in_kg_cm2": (r"units/tensors",),
    "slides_in_millimetres": (r"units/lengths", r"units/slides_"),
    "forces_in_newton_millimetres": (r"factor/1000", r"units/masses_1000"),
    "positions_in_millimetres": (r"factor/1000", r"units/lengths_1000"),
    "masses_in_grams_in_the_matrix": (r"factor/1000", r"units/masses_1000"),
    "energies_in_kilojoules": (r"factor/0.001", r"units/masses_0.001"),
    "velocity_in_millimetres": (r"factor/1000", r"units/lengths_1000"),
    # what the first answers showed to be missing
    "links_off_by_one": (r"inertia/of_the_(moving_)?link_before",),
    "inertial_rotation_order": (r"inertia/rpy_reversed",) + ONE_LINK,
    "inertial_rotation_in_degrees": (r"inertia/rpy_in_degrees",) + ONE_LINK,
    "centre_in_inertial_axes": (r"inertia/center_of_mass_turned",) + ONE_LINK,
    "moments_in_list_order": (r"inertia/read_as_xx_yy_zz_xy_xz_yz",) + ONE_LINK,
    "masses_in_pounds": (r"units/pounds_read_as_kg", r"units/kg_read_as_pounds"),
    "masses_in_grams": (r"units/masses_alone_1000",),
    "base_world_in_states": (r"base_velocity/world_angular_first_(in_state|of_question)",),
    "base_linear_world_in_states": (r"base_velocity/body_angular_world_linear_in_state",),
    "base_spatial_in_states": (r"base_velocity/world_point_angular_first_in_state",),
    "base_velocity_alone_in_world_axes": (r"base_velocity/world_angular_first_(of_rates|in_state)",),
    "base_rates_last": (r"layout/base_last",),
    "base_world_without_rate": (r"base_velocity/world_angular_first_without_drift",),
    "base_linear_world_without_rate": (r"base_velocity/body_angular_world_linear_without_drift",),
    "base_spatial_without_rate": (r"base_velocity/world_point_angular_first_without_drift",),
    "gravity_horizontal_lost": (r"gravity/only_z",),
    "mounting_ignored": (r"joints/mounting_ignored",),
    "forces_with_three_decimals": (r"precision/decimals_3",),
    "forces_with_six_digits": (r"precision/significant_digits_6",),
    "axes_ignored": (r"joints/axes_x",),
    "axes_all_z": (r"joints/axes_z",),
    "axes_in_parent": (r"joints/axes_of_the_parent",),
    "origin_unturned": (r"joints/rotation_dropped",),
    "origin_unmoved": (r"joints/position_dropped",),
    "origins_order": (r"joints/rpy_reversed",),
    "origins_turned_first": (r"joints/position_turned",),
    "origins_inverted": (r"joints/rotation_transposed",),
    "pitch_per_turn": (r"joints/pitch_per_turn",),
    "zero_a_quarter_turn_off": (r"state/zero_-?90_degrees_off", r"state/zero_180_degrees_off"),
    "joint_counted_backwards": (r"state/motion_negated:", r"direction/"),
    "angle_negated": (r"state/q_negated:",),
    "rate_negated": (r"state/qd_negated:",),
    "angles_relative_to_the_world": (r"state/angles_absolute",),
    "euler_angles_reversed": (r"layout/angles_reversed",),
    "gear_ratio": (r"factor/gear_",),
    "base_position_negated": (r"state/base_position_negated",),
    "base_position_in_body_axes": (r"state/base_position_in_own_axes",),
    "rates_and_accelerations_exchanged": (r"state/rates_and_accelerations_exchanged",),
    "rates_negated": (r"state/qd_negated$",),
    "coordinates_negated": (r"state/q_negated$",),
    "accelerations_negated": (r"state/qdd_negated$",),
    "forces_negated": (r"state/tau_negated$",),
    "coordinates_zero": (r"state/coordinates_ignored",),
    "accelerations_one_sample_late": (r"stale/accelerations",),
    "angles_given_in_degrees": (r"units/q_handed_over_in_degrees",),
    "rates_in_degrees": (r"units/qd_handed_over_in_degrees",),
    "accelerations_in_degrees": (r"units/qdd_handed_over_in_degrees",),
    "rates_in_rpm": (r"units/qd_read_in_rpm",),
    "order_reversed": (r"layout/reversed$",),
    "order_reversed_of_states": (r"layout/reversed_in_state",),
    "order_reversed_of_answers": (r"layout/(reversed|permuted)_in_answers",),
    "order_sides_exchanged": (r"layout/sides_exchanged$",),
    "order_sides_exchanged_of_states": (r"layout/sides_exchanged_in_state",),
    "order_sides_exchanged_of_answers": (r"layout/(sides_exchanged|permuted)_in_answers",),
    "order_shifted": (r"layout/shifted$",),
    "order_shifted_of_states": (r"layout/shifted_in_state",),
    "order_shifted_of_answers": (r"layout/(shifted|permuted)_in_answers",),
    "order_two_exchanged": (r"layout/exchanged:[^,]*,.*(?<!_in_answers)(?<!_in_state)$",),
    "order_two_exchanged_of_states": (r"layout/exchanged:.*_in_state$",),
    "order_alphabetical_of_states": (r"layout/alphabet_in_state",),
    "order_by_file_of_states": (r"layout/file_in_state",),
    "order_breadth_first_of_answers": (r"layout/(breadth|permuted)_in_answers",),
    "wrenches_moment_alone": (r"external_forces/force_ignored",),
    "jacobian_of_the_parent": (r"jacobian/of_link:",),
    "jacobian_half_turned": (r"jacobian/(angular|linear)_half_turned",),
    "jacobian_of_a_tool": (r"jacobian/of_point",),
    "jacobian_sign_of_lever": (r"jacobian/linear_negated",),
    "twists_linear_half_in_world_axes": (r"twists/linear_half_turned",),
    "positions_from_the_parent": (r"link_positions/from_the_parent",),
    "center_of_mass_velocity_as_momentum": (r"center_of_mass_velocity/is_momentum",),
    "potential_energy_from_another_height": (r"potential_energy/offset",),
    "coriolis_matrix_transposed": (r"coriolis_matrix/transposed",),
    "coriolis_matrix_symmetric": (r"coriolis_matrix/half_of_mass_rate",),
    "coriolis_matrix_is_mass_rate": (r"coriolis_matrix/mass_rate",),
    "forward_derivative_not_solved": (r"forward_dynamics_by_qd?/not_solved",),
    "derivatives_exchanged": (r"derivatives/exchanged",),
    "inverse_entry_by_entry": (r"inverse_mass_matrix/of_the_diagonal",),
    "coriolis_force_is_bias": (r"coriolis_force/of_rates_and_gravity",),
    "gravity_force_is_bias": (r"gravity_force/of_rates_and_gravity",),
    "accelerations_with_plus_bias": (r"forward_dynamics/bias_added",),
    "accelerations_without_bias": (r"forward_dynamics/without_bias",),
    "accelerations_by_a_diagonal": (r"forward_dynamics/by_the_diagonal",),
    "energies_exchanged": (r"energies/exchanged",),
    "kinetic_energy_is_total": (r"kinetic_energy/is_total",),
    "matrix_of_joints_coupled_wrongly": (r"direction/.*_in_mass_matrix",),
    "parameters_mass_last": (r"regressor/mass_last",),
    "parameters_links_reversed": (r"regressor/links_reversed",),
    "parameters_centre_instead_of_first_moment": (r"regressor/center_of_mass",),
    "loop_drift_reversed": (r"loops/rates_reversed",),
    "loop_bias_missing": (r"loops/without_bias",),
    "loops_projected_without_mass": (r"loops/projected_without_inertia",),
    "loop_forces_reversed": (r"sign/constraint_force",),
    "forward_dynamics_in_single_precision": (r"precision/",),
    "inverse_in_single_precision": (r"precision/",),
    "forces_in_single_precision": (r"precision/",),
    "forces_in_kilogram_force": (r"factor/1_over_9.80665",),
    "accelerations_in_degrees_out": (r"factor/180_over_pi",),
}
# Mistakes that are neither on a line of the issue nor a variation of one. They count, and are counted a second time by themselves.
BEYOND = frozenset("""
axis_flipped axes_ignored axes_all_z axes_in_parent origin_unturned origin_unmoved origins_order origins_turned_first origins_inverted
gear_ratio springs_counted zero_a_quarter_turn_off zero_off joint_counted_backwards angle_negated rate_negated angles_relative_to_the_world
base_position_negated base_position_in_body_axes base_at_the_origin rates_and_accelerations_exchanged rates_negated coordinates_negated
accelerations_negated forces_negated coordinates_zero forces_zero rates_zero accelerations_zero inverse_entry_by_entry inverse_is_not_inverted
mass_matrix_inverted bias_is_coriolis bias_is_gravity bias_negated coriolis_force_is_bias gravity_force_is_bias forces_are_the_bias
forces_without_velocity_terms forces_reversed accelerations_with_plus_bias accelerations_without_bias accelerations_by_a_diagonal
kinetic_energy_without_half energies_exchanged kinetic_energy_is_total matrix_of_joints_coupled_wrongly center_of_mass_velocity_as_momentum
coriolis_force_halved potential_energy_from_another_height potential_energy_without_g forward_derivative_not_solved forward_derivative_sign
derivatives_exchanged derivative_by_q_negated positions_from_the_parent jacobian_sign_of_lever jacobian_of_the_parent jacobian_of_a_tool
loops_projected_without_mass loop_bias_missing loop_forces_reversed
""".split())
BARS = {"single": 0.97, "pair": 0.90, "torques": 0.90, "clean": 1.0, "noise": 1.0, "unlisted": 1.0}


def meant(comparison, k, cause):
    """Whether a cause, or a product of causes written with plus signs, says what the sentence of mistake k says."""
    name, machine = comparison.mistakes[k], comparison.machine
    links = [part for named in comparison.names[k] for part in (named, machine.carrier(named))]
    for one in cause.split(" + "):
        if any(re.match(pattern, one) for pattern in COUNTS.get(name, ())):
            about = re.split("[:/]", one)[-1] if ":" in one or one.startswith("direction/") else ""
            if one.startswith("loops/lost:"):
                about = machine.loops["loops"][int(about)]["name"]
            if not links or not about or any(about.startswith(link) for link in links):
                return True
    return False


def verdict(comparison, report):
    """right, class, agreement, unexplained or wrong."""
    if report is None:
        return "refused"
    if report["agrees"]:
        return "agreement"
    findings = [found for diagnosis in report["diagnoses"] for found in diagnosis["findings"]]
    mistakes = range(len(comparison.mistakes))
    if not findings or any(diagnosis["unexplained"] for diagnosis in report["diagnoses"]):
        # What is named then is a part.
        is_right = all(any(meant(comparison, k, found["cause"]) for k in mistakes) for found in findings)
        return "unexplained" if is_right else "wrong"
    named = [{k for k in mistakes if meant(comparison, k, found["cause"])} for found in findings]
    in_class = [named[i] | {k for k in mistakes for other in found["indistinguishable"] if meant(comparison, k, other)}
                for i, found in enumerate(findings)]
    for sets, word in ((named, "right"), (in_class, "class")):
        if all(sets) and set().union(*sets) == set(mistakes):
            return word
    return "wrong"


def right_in(part, word):
    """Whether this is what a good answer is in this part."""
    if part == "clean":
        return word == "agreement"
    if part == "noise":
        return word in ("unexplained", "agreement")
    if part == "unlisted":
        return word == "unexplained"
    return word in ("right", "class")


def asked(library, comparison):
    """The report of `check`, or None where it refuses the numbers."""
    report = pathlib.Path(library.file("", "json"))
    subprocess.run([str(library.folder / "articulate-check"), "check", library.file(comparison.lines(), "jsonl"),
                    *library.arguments(comparison.machine), "--json", str(report)], capture_output=True, check=False)
    return json.loads(report.read_text() or "null")


def said(report):
    """The causes that a report names, in short."""
    if report is None:
        return "refused"
    causes = " and ".join(found["cause"] for diagnosis in report["diagnoses"] for found in diagnosis["findings"])
    return causes or ("agreement" if report["agrees"] else "unexplained")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin_folder", help="where articulate-cli and articulate-check are")
    parser.add_argument("--seed", type=int, default=1, help="what the comparisons are drawn from")
    parser.add_argument("--part", choices=list(PARTS), action="append", help="this part alone")
    parser.add_argument("--only", help="this comparison alone, as single_025; those before it are drawn, but not asked")
    parser.add_argument("--write", help="a file for all answers, one line of JSON each")
    parser.add_argument("--keep", help="a folder for the numbers that are compared, one file of JSON lines each")
    options = parser.parse_args()
    library = Library(options.bin_folder)
    kept = pathlib.Path(options.keep) if options.keep else None
    if kept:
        kept.mkdir(parents=True, exist_ok=True)
    held = True
    with open(options.write or os.devnull, "w") as written_answers:
        for part in [options.only.split("_")[0]] if options.only else options.part or PARTS:
            words, listed = collections.Counter(), collections.Counter()
            for comparison in comparisons(library, options.seed, part):
                name = f"{part}_{comparison.number:03d}"
                if options.only and name != options.only:
                    continue
                if kept:
                    (kept / f"{name}.jsonl").write_text(comparison.lines())
                report = asked(library, comparison)
                word = verdict(comparison, report)
                words[word] += 1
                if not BEYOND & set(comparison.mistakes):
                    listed[right_in(part, word)] += 1
                entry = {"name": name, "model": comparison.machine.name, "mistakes": comparison.mistakes, "says": comparison.says,
                         "states": len(comparison.states), "quantities": comparison.quantities, "said": said(report),
                         "verdict": word}
                written_answers.write(json.dumps(entry) + "\n")
                written_answers.flush()
                if not right_in(part, word):
                    what = " + ".join(comparison.mistakes) or "nothing"
                    print(f"{name}, {comparison.machine.name}: {what} -> {word}: {entry['said']}")
                if options.only:
                    break
            good, total = sum(count for word, count in words.items() if right_in(part, word)), sum(words.values())
            all_words = ", ".join(f"{count} {word}" for word, count in sorted(words.items()))
            print(f"{part}: {good} of {total} ({all_words}), the bar is {BARS[part]:.0%}"
                  + (f"; of mistakes that the issue lists: {listed[True]} of {sum(listed.values())}"
                     if part in ("single", "pair", "torques") else ""))
            held = held and good >= BARS[part] * total
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
