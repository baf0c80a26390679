"""Drives `compute` of the built command line: what it answers to good states, and what it tells bad ones.

usage: compute_test.py PROGRAM     where `PROGRAM compute --model ... --state ...` is the command
"""
import cmath
import json
import math
import os
import re
import resource
import select
import subprocess
import tempfile
import unittest
from pathlib import Path

from command import PROGRAM, CommandTest, answer, answers, run

HERE = Path(__file__).resolve().parent
RATES = {"qd": "twist", "qdd": "acceleration", "tau": "wrench"}  # with the name of the base's six

FIXED, FLOATING = ["park_2r"], ["park_2r", "--floating-base"]
BAD_STATES = {  # the file, the model it is for, and pieces of the sentence that refuses it
    # The text.
    "empty": (FIXED, "the file is empty", "one JSON object"),
    "blank": (FIXED, "the file is empty"),
    "unclosed": (FIXED, "breaks off at line 2", "close every bracket"),
    "trailing_comma": (FIXED, "not JSON at line 4, column 1;", "comma"),
    "nan": (FIXED, "not JSON at line 2, column 14;", "NaN"),
    "infinity": (FIXED, "not JSON at line 3, column 11;", "infinity"),
    "overflow": (FIXED, "'1e999'", "too large"),
    "not_utf8": (FIXED, "not JSON at line 1, column 38;"),
    "not_json": (FIXED, "not JSON at line 1, column 1;"),
    "two_objects": (FIXED, "not JSON at line 1, column 37;"),
    "array_of_states": (FIXED, "the state is an array", "JSON object"),
    "key_twice": (FIXED, "'q'", "twice"),
    "joint_twice": (FIXED, "'joint_1'", "twice"),
    "unknown_key": (FIXED, "'gdd'", "known are 'q', 'qd', 'qdd', 'tau', 'base', 'gravity', 'external_wrenches', "
                    "'prescribed', 'order', 'q_derivatives', 'base_twist_derivatives', 'tau_derivatives', "
                    "'base_wrench_derivatives', 'wrench_derivatives'"),
    # Coordinates, rates, accelerations, forces.
    "missing_q": (FIXED, "q is missing"),
    "missing_qd": (FIXED, "qd is missing"),
    "q_is_a_number": (FIXED, "q is 0.1", "array", "object by joint name"),
    "qdd_is_null": (FIXED, "qdd is null", "array", "object by joint name"),
    "too_many": (FIXED, "q has 3 entries", "needs 2"),
    "too_few": (FIXED, "tau has 0 entries", "needs 2"),
    "null_entry": (FIXED, "q[1] is null", "finite number"),
    "text_entry": (FIXED, 'qd[0] is "0.3"', "finite number"),
    "boolean_entry": (FIXED, "qd[1] is true", "finite number"),
    "nested_entry": (FIXED, "q[0] is an array", "finite number"),
    "array_for_a_joint": (FIXED, "q.joint_2 is an array", "finite number"),
    "unknown_joint": (FIXED, "q names the joint 'joint_3'", "there are 'joint_1', 'joint_2'"),
    "joint_with_line_break": (FIXED, "q names the joint 'joint\\n2'"),
    "missing_joint": (FIXED, "qd lacks the joint 'joint_1'", "every joint"),
    # The world.
    "gravity_is_a_number": (FIXED, "gravity is 9.81", "array of 3"),
    "gravity_of_two": (FIXED, "gravity has 2 entries", "needs 3"),
    "wrenches_in_an_array": (FIXED, "external_wrenches is an array", "JSON object"),
    "unknown_link": (FIXED, "the link 'link_3'", "there are 'base', 'link_1', 'link_2'"),
    "wrench_of_three": (FIXED, "external_wrenches.link_2 has 3 entries", "needs 6: moment, then force"),
    "result_overflows": (FIXED, "the result bias[0] is not finite"),
    # Hybrid dynamics.
    "prescribed_is_a_name": (FIXED, 'prescribed is "joint_1"', "array of joint names"),
    "prescribed_number": (FIXED, "prescribed[0] is 1", "name of a joint"),
    "prescribed_stranger": (FIXED, "prescribed[1] names the joint 'joint_3'", "there are 'joint_1', 'joint_2'"),
    "prescribed_twice": (FIXED, "prescribed[1] names 'joint_2' a second time"),
    "prescribed_without_tau": (FIXED, "tau is missing", "hybrid dynamics"),
    # Derivatives in time.
    "order_missing": (FIXED, "order is missing", "q_derivatives"),
    "order_is_text": (FIXED, 'order is "two"', "whole number from 0 to 100"),
    "order_with_a_fraction": (FIXED, "order is 1.5", "whole number from 0 to 100"),
    "order_negative": (FIXED, "order is -1", "whole number from 0 to 100"),
    "order_too_high": (FIXED, "order is 101", "whole number from 0 to 100"),
    "order_alone": (FIXED, "order is 1, but neither q_derivatives nor tau_derivatives is given"),
    "order_zero_alone": (FIXED, "order is 0, but neither qdd nor tau is given"),
    "derivatives_too_few": (FIXED, "q_derivatives has 1 entry where order 2 needs 2",
                            "derivative of order k + 1 of qdd"),
    "derivatives_too_many": (FIXED, "tau_derivatives has 2 entries where order 1 needs 1"),
    "derivatives_in_an_object": (FIXED, "q_derivatives is an object where an array of 1 is needed"),
    "derivatives_of_three": (FIXED, "q_derivatives[1] has 3 entries", "needs 2"),
    "derivatives_with_null": (FIXED, "q_derivatives[1][0] is null", "finite number"),
    "derivatives_of_a_stranger": (FIXED, "q_derivatives[0] names the joint 'joint_3'"),
    "derivatives_without_qdd": (FIXED, "qdd is missing", "q_derivatives continues it"),
    "derivatives_without_tau": (FIXED, "tau is missing", "tau_derivatives continues it"),
    "derivatives_overflow": (FIXED, "the result higher_order.forward_dynamics.qdd.joint_1[1] is not finite"),
    "prescribed_without_tau_derivatives": (FIXED, "tau_derivatives is missing", "hybrid dynamics of order 1"),
    "wrench_derivatives_too_few": (FIXED, "wrench_derivatives has 0 entries where order 1 needs 1"),
    "wrench_derivatives_unknown_link": (FIXED, "wrench_derivatives[0] names the link 'link_3'"),
    "wrench_derivatives_of_three": (FIXED, "wrench_derivatives[0].link_2 has 3 entries", "needs 6: moment, then force"),
    "base_derivatives_of_a_fixed_base": (FIXED, "base_twist_derivatives is given", "--floating-base"),
    "base_derivatives_missing": (FLOATING, "base_twist_derivatives[0] is missing", "q_derivatives[0] is an object"),
    "base_derivatives_twice": (FLOATING, "base_twist_derivatives[0] is given twice", "the array q_derivatives[0]"),
    "base_derivatives_alone": (FLOATING, "base_wrench_derivatives is given without tau_derivatives"),
    "base_derivatives_of_five": (FLOATING, "base_twist_derivatives[0] has 5 entries", "needs 6"),
    # The base.
    "base_of_a_fixed_base": (FIXED, "base is given", "--floating-base"),
    "base_missing": (FLOATING, "base is missing", "position", "quaternion_xyzw"),
    "base_is_an_array": (FLOATING, "base is an array", "JSON object"),
    "base_without_position": (FLOATING, "base.position is missing"),
    "base_without_quaternion": (FLOATING, "base.quaternion_xyzw is missing"),
    "base_with_unknown_key": (FLOATING, "base has the unknown key 'quaternion_wxyz'",
                              "known are 'position', 'quaternion_xyzw', 'twist', 'acceleration', 'wrench'"),
    "base_position_of_two": (FLOATING, "base.position has 2 entries", "needs 3"),
    "quaternion_of_three": (FLOATING, "base.quaternion_xyzw has 3 entries", "needs 4"),
    "quaternion_zero": (FLOATING, "base.quaternion_xyzw has length 0 ", "needs 1"),
    "quaternion_too_long": (FLOATING, "base.quaternion_xyzw has length 1.000002 ", "needs 1"),
    "q_with_the_base": (FLOATING, "q has 9 entries", "needs 2", "without the base"),
    "qd_without_the_base": (FLOATING, "qd has 2 entries", "needs 8", "the base's six"),
    "twist_missing": (FLOATING, "base.twist is missing", "qd is an object"),
    "twist_twice": (FLOATING, "base.twist is given twice", "the array qd"),
    "twist_with_a_boolean": (FLOATING, "base.twist[5] is false", "finite number"),
    "acceleration_without_qdd": (FLOATING, "base.acceleration is given without qdd"),
    "wrench_without_tau": (FLOATING, "base.wrench is given without tau"),
    "base_among_the_joints": (FLOATING, "q names the joint 'floating_base'"),
}

# A root, a body that flies by a joint of its own, a mass bolted to it, and a hinge.
FLYER = """<robot name="flyer">
  <link name="ground"/>
  <link name="hull"><inertial><origin xyz="0.1 0 0.2" rpy="0.3 0.1 0"/><mass value="2"/>
    <inertia ixx="0.02" ixy="0.001" ixz="0" iyy="0.03" iyz="0.002" izz="0.04"/></inertial></link>
  <link name="pack"><inertial><mass value="0.5"/>
    <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/></inertial></link>
  <link name="flap"><inertial><origin xyz="0 0.2 0.1"/><mass value="0.3"/>
    <inertia ixx="0.003" ixy="0" ixz="0.0004" iyy="0.002" iyz="0" izz="0.003"/></inertial></link>
  <joint name="flight" type="floating"><parent link="ground"/><child link="hull"/>
    <origin xyz="0.5 -0.4 1" rpy="0.2 -0.7 0.1"/></joint>
  <joint name="bolt" type="fixed"><parent link="hull"/><child link="pack"/>
    <origin xyz="0 -0.2 0.1" rpy="0 0 1"/></joint>
  <joint name="hinge" type="continuous"><parent link="hull"/><child link="flap"/>
    <origin xyz="0.1 0.3 0" rpy="0 0.4 0"/><axis xyz="1 2 2"/></joint>
</robot>"""
STONE = """<robot name="stone"><link name="stone"><inertial><mass value="3"/>
  <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link></robot>"""

ARM = """<robot name="arm">
  <link name="world"/>
  <link name="arm"><inertial><origin xyz="0.2 0 0.1"/><mass value="2"/>
    <inertia ixx="0.1" ixy="0.01" ixz="0" iyy="0.2" iyz="0" izz="0.15"/></inertial></link>
  <joint name="shoulder" type="continuous"><parent link="world"/><child link="arm"/><axis xyz="1 2 0"/></joint>
</robot>"""
MASSLESS_FINGER = ARM.replace("</robot>", """<link name="tip"/>
  <joint name="finger" type="prismatic"><parent link="arm"/><child link="tip"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/></joint></robot>""")

PENDULUM = """<robot name="pendulum">
  <link name="ceiling"/>
  <link name="bob"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
    <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>
  <joint name="hinge" type="continuous"><parent link="ceiling"/><child link="bob"/><axis xyz="1 0 0"/></joint>
</robot>"""

GIMBAL = """<robot name="gimbal">
  <link name="base"/>
  <link name="cross"/>
  <link name="ball"><inertial><origin xyz="0 0 1"/><mass value="1"/>
    <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>
  <joint name="outer" type="continuous"><parent link="base"/><child link="cross"/><axis xyz="0 0 1"/></joint>
  <joint name="inner" type="continuous"><parent link="cross"/><child link="ball"/><axis xyz="1 0 0"/></joint>
</robot>"""


def good_state(name):
    return json.loads((HERE / "good_states" / (name + ".json")).read_text())


def times(matrix, x):
    return [sum(a * b for a, b in zip(row, x)) for row in matrix]


def transposed(matrix):
    return [list(column) for column in zip(*matrix)]


def plus(x, y, factor=1):
    return [a + factor * b for a, b in zip(x, y)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def as_arrays(state, joints):
    """The same state with every object by joint name as an array in model order."""
    state = json.loads(json.dumps(state))
    base = state.get("base", {})
    for key in ("q", *RATES):
        if isinstance(state.get(key), dict):
            state[key] = base.pop(RATES.get(key), []) + [state[key][joint] for joint in joints]
    return state


def as_objects(state, joints):
    """The same state with every array as an object, for joints of one degree."""
    state = json.loads(json.dumps(state))
    for key in ("q", *RATES):
        if isinstance(state.get(key), list):
            numbers = state[key]
            if "base" in state and key in RATES:
                state["base"][RATES[key]], numbers = numbers[:6], numbers[6:]
            state[key] = dict(reversed(list(zip(joints, numbers))))
    return state


class Compute(CommandTest):
    GOOD = ("forked_arm", "drone_arm")

    def assert_near(self, x, y, tolerance=1e-11):
        self.assertEqual(len(x), len(y))
        scale = max([1.0] + [abs(a) for a in x])
        for k, (a, b) in enumerate(zip(x, y)):
            self.assertLessEqual(abs(a - b), tolerance * scale, f"entry {k} of {x} and {y}")

    # What it answers.

    def test_the_answer_has_its_parts_in_order(self):
        for name in self.GOOD:
            self.assertEqual(list(answer(name, good_state(name))),
                             ["conventions", "warnings", "model", "joints", "layout", "gravity", "inverse_dynamics",
                              "forward_dynamics", "mass_matrix", "bias", "gravity_force", "coriolis_force",
                              "kinetic_energy", "potential_energy", "mechanical_energy", "link_poses", "link_twists",
                              "jacobians", "center_of_mass", "total_mass", "momentum"])

    # Joints of several coordinates.

    SEVERAL = {"universal": (2, 2), "cylindrical": (2, 2), "euler_ball": (3, 3), "planar": (3, 3), "ball": (4, 3),
               "euler_free": (6, 6), "floating": (7, 6), "helical": (1, 1)}

    def everything(self, **given):
        """A state of the model that has every joint: all at zero but what is given by joint and rate."""
        def zero(nq, nv):
            return 0 if nq == 1 else [0] * (nq - (nq > nv)) + [1] * (nq > nv)
        sizes = {"revolute": (1, 1), "continuous": (1, 1), "prismatic": (1, 1), **self.SEVERAL}
        q = {name: zero(nq, nv) for name, (nq, nv) in sizes.items()}
        still = {name: 0 if nv == 1 else [0] * nv for name, (nq, nv) in sizes.items()}
        return {"q": {**q, **given}, "qd": still, "qdd": still, "tau": still}

    def test_the_layout_says_where_the_numbers_of_a_joint_stand(self):
        results = answer("every_joint", self.everything())
        layout = {entry["joint"]: entry for entry in results["layout"]}
        self.assertEqual([entry["joint"] for entry in results["layout"]], results["joints"])
        for name, (nq, nv) in self.SEVERAL.items():
            self.assertEqual((layout[name]["nq"], layout[name]["nv"]), (nq, nv), name)
        q = rate = 0
        for entry in results["layout"]:
            self.assertEqual((entry["q"], entry["rate"]), (q, rate))
            q, rate = q + entry["nq"], rate + entry["nv"]
        self.assertEqual(len(results["bias"]), rate)

    def test_angles_at_their_singularity_are_refused_by_name_and_only_there(self):
        quarter = 1.5707963267948966
        for name, at in (("euler_ball", [0.3, quarter, -0.2]), ("euler_free", [0, 0, 0, 0.3, quarter, -0.2])):
            done = run("every_joint", given=json.dumps(self.everything(**{name: at})))
            self.assert_line_refused(done, "standard input, line 1: ",
                                     ["joint '%s' is at a singularity of its coordinates" % name])
            at[-2] = quarter - 1e-3  # near is regular
            near = answer("every_joint", self.everything(**{name: at}))
            self.assertTrue(all(abs(x) < 1e9 for x in near["forward_dynamics"]["qdd"]))

    def test_a_file_may_have_them(self):
        """A universal and a cylindrical joint are two joints with a link without mass between; a ball hangs still."""

        def file(name, *joints):
            bob = ('<inertial><origin xyz="0.1 0.2 -0.7" rpy="0.3 0 0.2"/><mass value="1.7"/><inertia ixx="0.3" ixy="0.01" '
                   'ixz="0" iyy="0.2" iyz="0.02" izz="0.25"/></inertial>')
            text, parent = '<robot name="r"><link name="ground"/>', "ground"
            for k, (joint, inside) in enumerate(joints):
                child = f"link_{k}"
                text += f'<link name="{child}">{bob if k + 1 == len(joints) else ""}</link>'
                text += (f'<joint name="j{k}" type="{joint}"><parent link="{parent}"/><child link="{child}"/>'
                         f'{inside}</joint>')
                parent = child
            path = Path(folder) / name
            path.write_text(text + "</robot>")
            return path

        def about(axis):
            return f'<axis xyz="{axis}"/>'

        origin = '<origin xyz="0.1 0.2 0.3" rpy="0.5 -0.4 0.3"/>'
        two = {"q": [0.4, -0.9], "qd": [1.1, 0.7], "qdd": [0.3, -0.6], "tau": [0.2, 0.5]}
        as_one = {key: {"j0": value} for key, value in two.items()}
        with tempfile.TemporaryDirectory() as folder:
            for one, pair in (
                (("universal", origin), (("continuous", origin + about("1 0 0")), ("continuous", about("0 1 0")))),
                (("cylindrical", origin + about("1 2 2")),
                 (("continuous", origin + about("1 2 2")), ("prismatic", about("1 2 2")))),
            ):
                found, expected = answer(file("one.urdf", one), as_one), answer(file("two.urdf", *pair), two)
                for key, part in (("inverse_dynamics", "tau"), ("forward_dynamics", "qdd")):
                    self.assert_near(found[key][part], expected[key][part], 1e-12)
                self.assertEqual(len(found["bias"]), 2)
            # A screw is what its turn and its slide, locked together, feel: tau = m + pitch f.
            screw = file("screw.urdf", ("helical", origin + '<axis xyz="1 2 2" pitch="0.3"/>'))
            both = {"q": [0.4, 0.3 * 0.4], "qd": [1.1, 0.3 * 1.1], "qdd": [0.7, 0.3 * 0.7]}
            m, f = answer(file("both.urdf", ("cylindrical", origin + about("1 2 2"))),
                          {key: {"j0": value} for key, value in both.items()})["inverse_dynamics"]["tau"]
            found = answer(screw, {"q": [0.4], "qd": [1.1], "qdd": [0.7]})["inverse_dynamics"]["tau"]
            self.assert_near(found, [m + 0.3 * f], 1e-12)
            # A ball at rest carries the moment of the weight, in its own axes.
            ball = {"q": {"j0": [0, 0, 0.6, 0.8]}, "qd": {"j0": [0, 0, 0]}, "qdd": {"j0": [0, 0, 0]}}
            still = answer(file("ball.urdf", ("ball", "")), ball)
            self.assert_near(still["inverse_dynamics"]["tau"], [0.2 * 1.7 * 9.81, -0.1 * 1.7 * 9.81, 0], 1e-12)
            self.assert_refused(run(file("bad.urdf", ("helical", about("0 0 1")))), str(Path(folder) / "bad.urdf") + ": ",
                                ["joint 'j0'", "pitch"])

    def test_a_ball_needs_a_quaternion_of_length_one(self):
        for wrong, words in (([0, 0, 0, 2], "length"), ([0, 0, 0], "4")):
            done = run("every_joint", given=json.dumps(self.everything(ball=wrong)))
            self.assert_line_refused(done, "standard input, line 1: ", ["ball", words])

    def test_joints_stand_in_model_order(self):
        self.assertEqual(answer("forked_arm", good_state("forked_arm"))["joints"],
                         ["turn", "climb", "left_shoulder", "left_elbow", "right_shoulder", "right_elbow"])
        self.assertNotIn("floating_base", answer("drone_arm", good_state("drone_arm"))["joints"])

    def test_arrays_and_objects_say_the_same(self):
        for name in self.GOOD:
            state = good_state(name)
            results = answer(name, state)
            for form in (as_arrays, as_objects):
                self.assertEqual(answer(name, form(state, results["joints"])), results)

    def test_forms_may_be_mixed(self):
        state = good_state("drone_arm")
        results = answer("drone_arm", state)
        arrays = as_arrays(state, results["joints"])
        state["qd"] = arrays["qd"]
        del state["base"]["twist"]
        self.assertEqual(answer("drone_arm", state), results)

    def test_forward_dynamics_undoes_inverse_dynamics(self):
        for name in self.GOOD:
            state = good_state(name)
            results = answer(name, state)
            state = as_arrays(state, results["joints"])
            self.assert_near(answer(name, {**state, "tau": results["inverse_dynamics"]["tau"]})
                             ["forward_dynamics"]["qdd"], state["qdd"])
            self.assert_near(answer(name, {**state, "qdd": results["forward_dynamics"]["qdd"]})
                             ["inverse_dynamics"]["tau"], state["tau"])

    def test_the_terms_make_the_equations_of_motion(self):
        for name in self.GOOD:
            results = answer(name, good_state(name))
            state = as_arrays(good_state(name), results["joints"])
            M, bias, qd = results["mass_matrix"], results["bias"], state["qd"]
            for row, column in zip(M, transposed(M)):
                self.assert_near(row, column, 1e-14)
            self.assert_near(plus(times(M, state["qdd"]), bias), results["inverse_dynamics"]["tau"])
            energy = sum(a * b for a, b in zip(qd, times(M, qd))) / 2
            self.assertAlmostEqual(energy, results["kinetic_energy"], delta=1e-12 * energy)
            self.assertAlmostEqual(results["mechanical_energy"], results["kinetic_energy"] + results["potential_energy"],
                                   delta=1e-15 * (results["kinetic_energy"] + abs(results["potential_energy"])))
            free = {key: state[key] for key in state if key != "external_wrenches"}
            self.assert_near(plus(results["coriolis_force"], results["gravity_force"]), answer(name, free)["bias"])
            still = {**state, "qd": [0] * len(qd)}
            del still["external_wrenches"]
            self.assert_near(answer(name, still)["bias"], results["gravity_force"])

    def test_the_inverse_of_the_mass_matrix_and_how_links_give_way(self):
        for name in self.GOOD:
            results = answer(name, good_state(name), "--inverse-inertia")
            inverse, M, n = results["inverse_mass_matrix"], results["mass_matrix"], len(results["mass_matrix"])
            for k, row in enumerate(transposed(M)):
                self.assert_near(times(inverse, row), [float(j == k) for j in range(n)], 1e-12)
            for frame in ("link", "world", "mixed"):
                seen = answer(name, good_state(name), "--inverse-inertia", "--frame", frame)
                self.assertEqual(seen["mobilities"]["frame"], seen["jacobians"]["frame"])
                for link, J in seen["jacobians"]["links"].items():
                    for row, ours in zip(J, seen["mobilities"]["links"][link]):
                        self.assert_near(ours, times(J, times(inverse, row)))
            only = answer(name, good_state(name), "--inverse-inertia", "--only", "mobilities")
            self.assertEqual((list(only), only["mobilities"]), (["warnings", "mobilities"], results["mobilities"]))
        done = run("forked_arm", "-", "--only", "mobilities", given=json.dumps(good_state("forked_arm")))
        self.assert_refused(done, "--only mobilities needs --inverse-inertia", ["not given"])

    def test_the_motion_as_a_whole(self):
        for name in self.GOOD:
            results = answer(name, good_state(name), "--centroidal")
            whole, momentum = results["centroidal"], results["momentum"]
            state = as_arrays(good_state(name), results["joints"])
            qd, qdd, mass = state["qd"], state["qdd"], results["total_mass"]
            self.assert_near(whole["center_of_mass"], results["center_of_mass"])
            about = plus(momentum["angular"], cross(results["center_of_mass"], momentum["linear"]), -1)
            self.assert_near(whole["momentum"], about + momentum["linear"])
            self.assert_near(whole["momentum"], times(whole["matrix"], qd))
            self.assert_near(whole["bias"], times(whole["matrix_rate"], qd))
            self.assert_near(whole["momentum_rate"], plus(times(whole["matrix"], qdd), whole["bias"]))
            self.assert_near([mass * x for x in whole["velocity"]], whole["momentum"][3:])
            self.assert_near([mass * x for x in whole["acceleration"]], whole["momentum_rate"][3:])
            self.assert_near(whole["velocity"], times(whole["jacobian"], qd))
            accelerated = plus(times(whole["jacobian"], qdd), times(whole["jacobian_rate"], qd))
            self.assert_near(whole["acceleration"], accelerated)
            self.assertEqual([whole["composite_inertia"][k][k] for k in (3, 4, 5)], 3 * [mass])
            del state["qdd"]
            still = answer(name, state, "--centroidal")["centroidal"]
            self.assertEqual([key for key in whole if key not in still], ["momentum_rate", "acceleration"])

    def test_the_motion_as_a_whole_has_its_derivatives(self):
        """Of an arm by coordinates, as those of Jacobians; the rate is quadratic in the rates."""
        state, here, derivatives = self.by_joints("forked_arm", good_state("forked_arm"), "--centroidal", "--derivatives")
        whole, n = here["centroidal"], len(state["qd"])
        columns = [[x for x, in by] for by in derivatives(lambda seen: [[x] for x in seen["centroidal"]["momentum"]])]
        self.assert_near_matrix(transposed(columns), whole["momentum_by_q"])
        moved = [{**state, "qd": plus(state["qd"], [float(k == j) for k in range(n)], step)}
                 for j in range(n) for step in (1, -1)]
        faster = [seen["centroidal"]["momentum_rate"] for seen in answers("forked_arm", moved, "--centroidal")]
        columns = [[x / 2 for x in plus(faster[2 * j], faster[2 * j + 1], -1)] for j in range(n)]
        self.assert_near_matrix(transposed(columns), whole["momentum_rate_by_qd"])
        for name in self.GOOD:
            results = answer(name, good_state(name), "--centroidal", "--derivatives")
            whole, state = results["centroidal"], as_arrays(good_state(name), results["joints"])
            self.assert_near(whole["momentum_rate"], plus(times(whole["momentum_by_q"], state["qd"]),
                                                          times(whole["matrix"], state["qdd"])))

    def test_no_mass_has_no_motion_as_a_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "stone.urdf"
            model.write_text(STONE)
            results = answer(model, {"q": [], "qd": []}, "--centroidal", "--only", "centroidal")
            self.assertEqual((list(results), results["warnings"]),
                             (["warnings"], ["centroidal is left out: no mass moves."]))

    def test_twists_are_jacobians_times_rates(self):
        for name in self.GOOD:
            results = answer(name, good_state(name))
            qd = as_arrays(good_state(name), results["joints"])["qd"]
            for link, J in results["jacobians"]["links"].items():
                self.assert_near(times(J, qd), results["link_twists"][link])

    def test_external_wrenches_act_in_the_frame_of_their_link(self):
        for name in self.GOOD:
            state = good_state(name)
            pushed = answer(name, state)
            bias = answer(name, {key: state[key] for key in state if key != "external_wrenches"})["bias"]
            for link, F in state["external_wrenches"].items():
                bias = plus(bias, times(transposed(pushed["jacobians"]["links"][link]), F), -1)
            self.assert_near(bias, pushed["bias"])

    def test_a_wrench_on_a_link_fixed_to_the_world_moves_nothing(self):
        state = good_state("forked_arm")
        results = answer("forked_arm", state)
        del state["external_wrenches"]["pedestal"]
        self.assertEqual(answer("forked_arm", state), results)

    def test_gravity_is_the_models_unless_given(self):
        state = {"q": [0.3, 0.4], "qd": [0.1, 0.2]}
        self.assertEqual(answer("park_2r", state)["gravity"], [1.7, -2.9, -9.2])
        weightless = answer("park_2r", {**state, "gravity": [0, 0, 0]})
        self.assertEqual(weightless["gravity_force"], [0, 0])
        self.assertEqual(weightless["potential_energy"], 0)
        lines = json.dumps({**state, "gravity": [0, 0, 0]}) + "\n" + json.dumps(state)
        self.assertEqual(json.loads(run("park_2r", given=lines).stdout.splitlines()[1]), answer("park_2r", state))

    def test_potential_energy_is_that_of_the_centre_of_mass(self):
        for name in self.GOOD:
            results = answer(name, good_state(name))
            mass, center, g = results["total_mass"], results["center_of_mass"], results["gravity"]
            weight = -mass * sum(a * b for a, b in zip(g, center))
            self.assertAlmostEqual(results["potential_energy"], weight, delta=1e-12 * abs(weight))

    def test_locked_joints_move_as_one_body(self):
        """Its momentum is the mass times the velocity of its centre, and paired with its twist twice its energy."""
        state = as_arrays(good_state("drone_arm"), answer("drone_arm", good_state("drone_arm"))["joints"])
        state["qd"] = state["qd"][:6] + [0] * 4
        results = answer("drone_arm", state)
        hull, mass, momentum = results["link_poses"]["hull"], results["total_mass"], results["momentum"]
        w, v = times(hull["rotation"], state["qd"][:3]), times(hull["rotation"], state["qd"][3:6])
        velocity_at = lambda point: plus(v, cross(w, plus(point, hull["position"], -1)))
        self.assert_near(momentum["linear"], [mass * x for x in velocity_at(results["center_of_mass"])])
        work = sum(a * b for a, b in zip(momentum["angular"] + momentum["linear"], w + velocity_at([0, 0, 0])))
        self.assertAlmostEqual(work, 2 * results["kinetic_energy"], delta=1e-12 * work)

    def test_poses_are_those_that_are_given(self):
        state = good_state("drone_arm")
        hull = answer("drone_arm", state)["link_poses"]["hull"]
        self.assertEqual(hull["position"], state["base"]["position"])
        self.assert_near(hull["quaternion_xyzw"], state["base"]["quaternion_xyzw"], 1e-15)
        state["base"]["quaternion_xyzw"] = [-x for x in state["base"]["quaternion_xyzw"]]
        self.assertEqual(answer("drone_arm", state)["link_poses"]["hull"], hull)
        x, y, z, w = hull["quaternion_xyzw"]
        turned = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                  [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                  [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
        for row, expected in zip(hull["rotation"], turned):
            self.assert_near(row, expected, 1e-15)

    def test_what_is_not_asked_is_not_answered(self):
        results = answer("park_2r", {"q": [0.3, 0.4], "qd": [0.1, 0.2]})
        self.assertNotIn("inverse_dynamics", results)
        self.assertNotIn("forward_dynamics", results)

    # Hybrid dynamics and derivatives.

    def test_hybrid_dynamics_completes_what_inverse_dynamics_says(self):
        for name in self.GOOD:
            state = good_state(name)
            joints = answer(name, state)["joints"]
            state = as_arrays(state, joints)
            tau = answer(name, state)["inverse_dynamics"]["tau"]
            base = len(tau) - len(state["q"]) == 6  # of these models no joint has a quaternion
            given = {**state, "tau": tau, "prescribed": joints[::2] + ["base"] * base}
            hybrid = answer(name, given)["hybrid_dynamics"]
            self.assertEqual(hybrid["prescribed"], [True] * 6 * base + [k % 2 == 0 for k in range(len(joints))])
            # What is not read may be anything.
            for key in ("qdd", "tau"):
                given[key] = [x if flag == (key == "qdd") else 7 for x, flag in zip(given[key], hybrid["prescribed"])]
            found = answer(name, given)["hybrid_dynamics"]
            self.assert_near(found["tau"], tau)
            self.assert_near(found["qdd"], state["qdd"])

    def test_derivatives_are_those_of_the_numbers_beside_them(self):
        for name in self.GOOD:
            state = as_arrays(good_state(name), answer(name, good_state(name))["joints"])
            tau = answer(name, state)["inverse_dynamics"]["tau"]
            state = {**state, "tau": tau}
            results = answer(name, state, "--derivatives")
            M, inverse, forward = results["mass_matrix"], results["inverse_dynamics"], results["forward_dynamics"]
            # Along inverse dynamics tau follows q; what forward dynamics makes of the same change undoes it.
            for by in ("by_q", "by_qd"):
                for column, answered in zip(transposed(inverse[by]), transposed(forward[by])):
                    self.assert_near(times(M, answered), [-x for x in column])
            # The bias is quadratic in the rates: a central difference of step one is exact.
            k = len(state["qd"]) - 1
            steps = []
            for step in (1, -1):
                qd = list(state["qd"])
                qd[k] += step
                steps.append(answer(name, {**state, "qd": qd})["inverse_dynamics"]["tau"])
            self.assert_near([(a - b) / 2 for a, b in zip(*steps)], [row[k] for row in inverse["by_qd"]])

    # Derivatives in time.

    def test_a_pendulum_has_the_derivatives_of_its_closed_form(self):
        """tau = m l^2 q'' + m g l sin q, and what the chain rule makes of it."""
        q, rates = 0.7, (1.2, 0.5, -0.3, 0.8, 2.1)
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "pendulum.urdf"
            model.write_text(PENDULUM)
            state = {"q": [q], "qd": rates[:1], "qdd": rates[1:2], "order": 3,
                     "q_derivatives": [[x] for x in rates[2:]]}
            found = answer(model, state)["higher_order"]
            state = {"q": [q], "qd": rates[:1], "tau": found["inverse_dynamics"]["tau"]["hinge"][:1], "order": 3,
                     "tau_derivatives": [[x] for x in found["inverse_dynamics"]["tau"]["hinge"][1:]]}
            back = answer(model, state)["higher_order"]["forward_dynamics"]["qdd"]["hinge"]
        m, length, g = 2.0, 0.5, 9.81
        a, b, c, _, _ = rates
        s, k = math.sin(q), math.cos(q)
        sines = [s, k * a, k * b - s * a**2, k * c - 3 * s * a * b - k * a**3]
        self.assertEqual(found["order"], 3)
        self.assert_near([m * length**2 * x + m * g * length * y for x, y in zip(rates[1:], sines)],
                         found["inverse_dynamics"]["tau"]["hinge"])
        self.assert_near(rates[1:], back)

    def along_a_periodic_motion(self, name, order):
        """States along a motion of period 2 pi, and the derivatives of what they hold by Fourier sums, which are exact.

        Joints swing as 0.2 k + 0.4 sin(t + k), the wrench on the last link as 1 + sin(t + j). A floating base circles,
        turns about z once and nods about its x. The sums have 48 samples. What the joints make of sin t is entire, so
        that harmonics die out long before the 24th.
        """
        count = 48
        joints = answer(name, good_state(name))["joints"]
        link = list(good_state(name)["external_wrenches"])[-1]
        floats = "base" in good_state(name)
        states, spatial = [], []
        for sample in range(count):
            t = 2 * math.pi * sample / count
            state = {"q": [0.2 * k + 0.4 * math.sin(t + k) for k in range(len(joints))],
                     "qd": [0.4 * math.cos(t + k) for k in range(len(joints))],
                     "external_wrenches": {link: [1 + math.sin(t + j) for j in range(6)]}}
            if floats:
                x, xd = 0.5 * math.sin(t), 0.5 * math.cos(t)
                p = [math.cos(t), math.sin(t), 2 + 0.3 * math.cos(t)]
                pd = [-math.sin(t), math.cos(t), -0.3 * math.sin(t)]
                R = [[math.cos(t), -math.sin(t) * math.cos(x), math.sin(t) * math.sin(x)],
                     [math.sin(t), math.cos(t) * math.cos(x), -math.cos(t) * math.sin(x)],
                     [0, math.sin(x), math.cos(x)]]
                w = [xd, math.sin(x), math.cos(x)]
                state["base"] = {"position": p, "quaternion_xyzw": [
                    math.cos(t / 2) * math.sin(x / 2), math.sin(t / 2) * math.sin(x / 2),
                    math.sin(t / 2) * math.cos(x / 2), math.cos(t / 2) * math.cos(x / 2)]}
                state["qd"] = w + times(transposed(R), pd) + state["qd"]
                spatial.append(times(R, w) + plus(pd, cross(times(R, w), p), -1))
            states.append(state)

        def derivatives(rows, highest):
            """Of the rows, one for each sample, derivatives 0 to the highest, by rows of samples."""
            result = [[] for _ in range(highest + 1)]
            for column in transposed(rows):
                waves = [sum(x * cmath.exp(-2j * math.pi * n * k / count) for k, x in enumerate(column)) / count
                         for n in range(-count // 2 + 1, count // 2)]
                for d, into in enumerate(result):
                    into.append([sum(((n * 1j) ** d * wave * cmath.exp(2j * math.pi * n * k / count)).real
                                     for n, wave in zip(range(-count // 2 + 1, count // 2), waves))
                                 for k in range(count)])
            return [transposed(one) for one in result]

        qd = derivatives([state["qd"] for state in states], order + 1)
        F = derivatives([state["external_wrenches"][link] for state in states], order)
        for k, state in enumerate(states):
            state["qdd"], state["order"] = qd[1][k], order
            state["q_derivatives"] = [one[k] for one in qd[2:]]
            state["wrench_derivatives"] = [{link: one[k]} for one in F[1:]]
        tau = derivatives([results["inverse_dynamics"]["tau"] for results in answers(name, states)], order)
        # Differentiating d times multiplies the rounding of a sample by no more than 24^d.
        tolerance = [100 * len(qd[0][0]) * 2.0**-53 * (count / 2) ** d for d in range(order + 2)]
        return states, tau, derivatives(spatial, order + 1), tolerance

    def row(self, results, what, base, k):
        """Derivative k of all degrees in model order."""
        values = list(results[base][k]) if base in results else []
        for value in results[what].values():
            values += value[k] if isinstance(value[k], list) else [value[k]]
        return values

    def test_forces_have_the_derivatives_of_a_periodic_motion(self):
        order = 3
        for name in self.GOOD:
            states, tau, spatial, tolerance = self.along_a_periodic_motion(name, order)
            for k in (0, 17):
                found = answer(name, states[k])["higher_order"]["inverse_dynamics"]
                for d in range(order + 1):
                    self.assert_near(tau[d][k], self.row(found, "tau", "base_wrench", d), tolerance[d])
                if "base_spatial_twist" in found:
                    for d in range(order + 2):
                        self.assert_near(spatial[d][k], found["base_spatial_twist"][d], tolerance[d])

    def test_found_motion_needs_the_given_forces_in_every_order(self):
        """Inverse dynamics of what forward and hybrid dynamics find: a check that no condition number spoils."""
        order = 3
        for name in self.GOOD:
            state = self.along_a_periodic_motion(name, order)[0][5]
            joints = answer(name, state)["joints"]
            tau = [[math.sin(3 * k + j) for j in range(len(state["qd"]))] for k in range(order + 1)]
            qdd = [state["qdd"], *state["q_derivatives"]]
            given = {key: state[key] for key in state if key not in ("qdd", "q_derivatives")}
            forces = {**given, "tau": tau[0], "tau_derivatives": tau[1:]}
            forward = answer(name, forces)["higher_order"]
            self.assertEqual(list(forward), ["order", "lists", "forward_dynamics"])
            both = {**state, **forces}
            self.assertEqual(list(answer(name, both)["higher_order"])[2:], ["inverse_dynamics", "forward_dynamics"])
            results = answer(name, {**both, "prescribed": joints[1::2]})
            self.assertEqual(list(results["higher_order"])[2:], ["hybrid_dynamics"])
            flags = results["hybrid_dynamics"]["prescribed"]
            for found, held in ((forward["forward_dynamics"], [False] * len(flags)),
                                (results["higher_order"]["hybrid_dynamics"], flags)):
                motion = [self.row(found, "qdd", "base_acceleration", k) for k in range(order + 1)]
                needed = answer(name, {**given, "qdd": motion[0], "q_derivatives": motion[1:]})
                for k in range(order + 1):
                    row = self.row(needed["higher_order"]["inverse_dynamics"], "tau", "base_wrench", k)
                    # A force is a difference of terms as large as mass times motion.
                    terms = max(abs(m * x) for line in needed["mass_matrix"] for m, x in zip(line, motion[k]))
                    tolerance = 1e-11 * max(1, terms)
                    self.assert_near(row, [x if flag else told for flag, told, x in zip(held, tau[k], row)], tolerance)
                    self.assertEqual([x for x, flag in zip(motion[k], held) if flag],
                                     [x for x, flag in zip(qdd[k], held) if flag])
                    if "tau" in found:
                        self.assert_near(row, self.row(found, "tau", "base_wrench", k), tolerance)

    def test_arrays_and_objects_of_derivatives_say_the_same(self):
        for name in self.GOOD:
            state = self.along_a_periodic_motion(name, 2)[0][7]
            results = answer(name, state)
            other = json.loads(json.dumps(state))
            base = 6 if "base" in state else 0
            other["q_derivatives"] = [dict(reversed(list(zip(results["joints"], row[base:]))))
                                      for row in state["q_derivatives"]]
            if base:
                other["base_twist_derivatives"] = [row[:6] for row in state["q_derivatives"]]
            self.assertEqual(answer(name, other), results)

    def test_order_zero_is_the_dynamics_beside_it(self):
        for name in self.GOOD:
            results = answer(name, {**good_state(name), "order": 0})
            higher = results["higher_order"]
            self.assert_near(results["inverse_dynamics"]["tau"],
                             self.row(higher["inverse_dynamics"], "tau", "base_wrench", 0), 1e-13)
            self.assert_near(results["forward_dynamics"]["qdd"],
                             self.row(higher["forward_dynamics"], "qdd", "base_acceleration", 0), 1e-12)

    def test_a_spatial_wrench_pairs_with_the_spatial_twist_as_in_the_body(self):
        """Their product is the power, and its derivatives are the same in both frames."""
        state, order = good_state("drone_arm"), 2
        state = {**as_arrays(state, answer("drone_arm", state)["joints"]), "order": order,
                 "q_derivatives": [[0.3 * k - 1 for k in range(10)], [2 - 0.5 * k for k in range(10)]]}
        found = answer("drone_arm", state)["higher_order"]["inverse_dynamics"]
        body = [state["qd"][:6], state["qdd"][:6], *(row[:6] for row in state["q_derivatives"])]
        for k in range(order + 1):
            def power(F, V):
                return sum(math.comb(k, l) * a * b for l in range(k + 1) for a, b in zip(F[l], V[k - l]))
            self.assert_near([power(found["base_wrench"], body)],
                             [power(found["base_spatial_wrench"], found["base_spatial_twist"])])

    def test_orders_that_rounding_spoils_are_named_in_a_warning(self):
        """The forces of a motion with small derivatives have large ones, which cancel on the way back."""
        order = 24
        state = {"q": [0.3, 0.4], "qd": [3, -2], "qdd": [1, 1], "order": order, "q_derivatives": [[1, -1]] * order}
        results = answer("park_2r", state)
        self.assertEqual(results["warnings"], [])
        forces = list(zip(*results["higher_order"]["inverse_dynamics"]["tau"].values()))
        back = {"q": state["q"], "qd": state["qd"], "tau": forces[0], "order": order, "tau_derivatives": forces[1:]}
        results = answer("park_2r", back)
        warning = "higher_order.forward_dynamics.qdd: from entry "
        spoilt = [text for text in results["warnings"] if text.startswith(warning)]
        self.assertEqual(len(spoilt), 1)
        first = int(spoilt[0][len(warning):].split()[0])
        self.assertTrue(3 < first < order)
        wrong = [max(abs(x - y) for x, y in zip(row, (1, -1)))
                 for row in list(zip(*results["higher_order"]["forward_dynamics"]["qdd"].values()))[1:]]
        self.assertLess(max(wrong[:first - 1]), 1e-4)  # all before the warning is good
        self.assertGreater(max(wrong), 1e-6)
        back = {**back, "order": 3, "tau_derivatives": forces[1:4]}
        self.assertEqual(answer("park_2r", back)["warnings"], [])

    def test_joints_of_several_degrees_have_lists_of_arrays(self):
        state = self.moving()
        still = state["qdd"]
        results = answer("every_joint", {**state, "order": 1, "q_derivatives": [still]})
        found = results["higher_order"]["inverse_dynamics"]
        self.assertEqual([len(entry) for entry in found["tau"]["ball"]], [3, 3])
        self.assertEqual(len(found["tau"]["revolute"]), 2)
        self.assertIsInstance(found["tau"]["revolute"][1], float)

    # Coriolis matrices, Christoffel symbols, regressors, Jacobians by frame.

    FAMILIES = ("newton_euler", "ploen", "bracket", "momentum", "christoffel")

    def by_joints(self, model, state, *options):
        """The results at a state, and the derivative of a part of them by each joint that adds its coordinate, exactly.

        In an angle what is differentiated is a trigonometric polynomial of degree two, in a slide a polynomial of
        degree two: few states far apart say all of it. A floating base is not moved.
        """
        state = as_arrays(state, answer(model, state)["joints"])
        here = answer(model, state, *options)
        layout = here["layout"]
        turns = [any(J[row][entry["rate"] + k] for J in here["jacobians"]["links"].values() for row in range(3))
                 for entry in layout for k in range(entry["nv"])]
        base = len(here["mass_matrix"]) - len(turns)
        angles = [(2 * math.pi * k / 5, (-1) ** (k + 1) / (2 * math.sin(math.pi * k / 5))) for k in range(1, 5)]
        steps = [angles if turn else [(1, 0.5), (-1, -0.5)] for turn in turns]
        moved = [{**state, "q": plus(state["q"], [float(k == i) for i in range(len(turns))], step)}
                 for k in range(len(turns)) for step, _ in steps[k]]
        results = iter(answers(model, moved, *options))
        runs = [[(weight, next(results)) for _, weight in rule] for rule in steps]

        def derivatives(part):
            columns = len(part(here)[0])
            zero = [[0] * columns for _ in part(here)]
            by = [zero] * base
            for rule in runs:
                total = zero
                for weight, result in rule:
                    total = [plus(a, b, weight) for a, b in zip(total, part(result))]
                by.append(total)
            return by

        return state, here, derivatives

    def along(self, by, qd):
        """The rate of a matrix whose derivatives are given."""
        rate = [[0] * len(by[0][0]) for _ in by[0]]
        for matrix, x in zip(by, qd):
            rate = [plus(a, b, x) for a, b in zip(rate, matrix)]
        return rate

    def assert_near_matrix(self, A, B):
        """Entries as near as vectors must be, at the scale of the matrix."""
        self.assertEqual([len(row) for row in A], [len(row) for row in B])
        self.assert_near(sum(A, []), sum(B, []))

    def test_the_coriolis_matrix_gives_the_coriolis_forces(self):
        for name in (*self.GOOD, "every_joint"):
            state = self.moving() if name == "every_joint" else good_state(name)
            state.pop("external_wrenches", None)
            joints = answer(name, state)["joints"]
            for family in self.FAMILIES:
                results = answer(name, state, "--coriolis", family)
                self.assertEqual(results["coriolis_matrix"]["family"], family)
                qd = [[x] if isinstance(x, float) else x for x in as_arrays(state, joints)["qd"]]
                product = times(results["coriolis_matrix"]["matrix"], sum(qd, []))
                self.assert_near(plus(product, results["gravity_force"]), results["bias"])

    def test_each_family_is_the_one_of_its_name(self):
        """Of a body that flies alone the matrix is its own, in each family a product of a few matrices."""
        V = [0.3, -0.5, 0.7, 1.1, 0.2, -0.4]
        unit = [[float(j == k) for k in range(6)] for j in range(6)]
        product = lambda A, B: [times(transposed(B), row) for row in A]
        less = lambda A, B: [plus(a, b, -1) for a, b in zip(A, B)]
        skew = lambda a: transposed([cross(a, e) for e in ([1, 0, 0], [0, 1, 0], [0, 0, 1])])
        zero = [[0.0] * 3] * 3
        blocks = lambda A, B, C, D: [a + b for a, b in zip(A, B)] + [c + d for c, d in zip(C, D)]
        bracket_with = lambda X: blocks(skew(X[:3]), zero, skew(X[3:]), skew(X[:3]))  # ad_X
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "stone.urdf"
            model.write_text(STONE.replace("<mass", '<origin xyz="0.2 -0.3 0.4"/><mass'))
            base = {"position": [0, 0, 0], "quaternion_xyzw": [0, 0, 0, 1]}
            found = {family: answer([model, "--floating-base"], {"base": base, "q": [], "qd": V}, "--coriolis", family)
                     for family in self.FAMILIES}
        I, ad = found["ploen"]["mass_matrix"], bracket_with(V)
        ad_I = product(transposed(ad), I)
        J, H, w = [row[:3] for row in I[:3]], [row[3:] for row in I[:3]], skew(V[:3])
        bracket = less(product(I, ad), ad_I)
        momentum = transposed([[-x for x in times(transposed(bracket_with(e)), times(I, V))] for e in unit])
        expected = {
            "newton_euler": [[-x for x in row] for row in ad_I],
            "bracket": bracket,
            "momentum": momentum,
            "christoffel": [[(x + y) / 2 for x, y in zip(*rows)] for rows in zip(bracket, momentum)],
            "ploen": blocks([plus(*rows) for rows in zip(product(w, J), product(J, w))], product(H, w),
                            [[-x for x in row] for row in product(w, H)], product([row[3:] for row in I[3:]], w)),
        }
        for family, C in expected.items():
            with self.subTest(family):
                self.assert_near_matrix(found[family]["coriolis_matrix"]["matrix"], C)

    def moving(self):
        """A state of the model that has every joint, in which all move."""
        state = self.everything(ball=[0.5, -0.5, 0.5, 0.5], floating=[1, 2, 3, 0.1, -0.7, 0.1, 0.7], planar=[1, 2, 3],
                                universal=[0.4, -0.9], euler_ball=[0.3, 0.5, -0.2],
                                euler_free=[0.1, 0.3, -0.2, 1, -0.6, 0.4])
        state["qd"] = {name: 0.5 + 0.1 * k if rate == 0 else [0.3 * (i - k % 3) for i in range(len(rate))]
                       for k, (name, rate) in enumerate(state["qd"].items())}
        return state

    def test_the_rate_of_the_mass_matrix_is_shared_out_by_admissible_families(self):
        """C + C^T = dM/dt, so that dM/dt - 2 C is skew-symmetric; Newton and Euler's own matrix is not so."""
        for name in self.GOOD:
            state, _, derivatives = self.by_joints(name, good_state(name))
            rate = self.along(derivatives(lambda results: results["mass_matrix"]), state["qd"])
            for family in self.FAMILIES:
                C = answer(name, state, "--coriolis", family)["coriolis_matrix"]["matrix"]
                both = [plus(row, column) for row, column in zip(C, transposed(C))]
                if family == "newton_euler":
                    missed = sum((plus(x, y, -1) for x, y in zip(both, rate)), [])
                    self.assertGreater(max(map(abs, missed)), 0.1)
                else:
                    self.assert_near_matrix(both, rate)

    def test_christoffel_symbols_are_their_definition(self):
        for name, given in (("forked_arm", good_state("forked_arm")), ("ur5", good_state("ur5")),
                            ("cardan_mast", {"q": [0.4, -0.8, 0.5, 0.3], "qd": [0.3, -0.5, 0.7, 0.2]})):
            state, results, derivatives = self.by_joints(name, given, "--christoffel", "--coriolis", "christoffel")
            dM = derivatives(lambda results: results["mass_matrix"])
            symbols, n = results["christoffel"]["symbols"], len(results["mass_matrix"])
            self.assertIn("the last index the lowered one", results["christoffel"]["indices"])
            for i in range(n):
                self.assert_near_matrix(symbols[i], [[(dM[i][k][j] + dM[j][k][i] - dM[k][i][j]) / 2 for k in range(n)]
                                                     for j in range(n)])
            C = [[sum(symbols[i][j][k] * state["qd"][i] for i in range(n)) for j in range(n)] for k in range(n)]
            self.assert_near_matrix(C, results["coriolis_matrix"]["matrix"])

    def test_christoffel_symbols_need_coordinates(self):
        for model, joint in ((["every_joint"], "floating"), (FLOATING, "floating_base")):
            self.assert_refused(run(model, "-", "--christoffel", given="{}"), model[0] + ": ",
                                ["joint '%s' has an orientation and no coordinates" % joint])

    def test_the_regressor_times_the_parameters_is_inverse_dynamics(self):
        for name in self.GOOD:
            state = {**good_state(name), "gravity": [1, -2, -9]}
            state.pop("external_wrenches", None)
            results = answer(name, state, "--regressor")
            regressor = results["regressor"]
            self.assertEqual(len(regressor["values"]), 10 * len(regressor["links"]))
            self.assert_near(times(regressor["matrix"], regressor["values"]), results["inverse_dynamics"]["tau"])
            self.assertEqual(answer(name, {**good_state(name), "gravity": [1, -2, -9]}, "--regressor")["regressor"],
                             regressor)

    def test_energies_and_forces_at_rest_are_rows_times_the_parameters(self):
        for name in self.GOOD:
            results = answer(name, {**good_state(name), "gravity": [1, -2, -9]}, "--regressor")
            regressor, mass = results["regressor"], results["total_mass"]
            row = lambda key: times([regressor[key]], regressor["values"])[0]
            self.assert_near([row("kinetic_energy"), row("potential_energy")],
                             [results["kinetic_energy"], results["potential_energy"]])
            self.assert_near(times(regressor["mass_moment"], regressor["values"]),
                             [mass * c for c in results["center_of_mass"]])
            self.assert_near(times(regressor["static"], regressor["values"]), results["gravity_force"])

    def test_the_joints_feel_what_the_bodies_need(self):
        for name in self.GOOD:
            state = {**good_state(name), "gravity": [1, -2, -9]}
            state.pop("external_wrenches", None)
            results = answer(name, state, "--regressor")
            regressor, tau = results["regressor"], [0] * len(results["mass_matrix"])
            self.assertEqual(sorted(regressor["bodies"]), sorted(regressor["links"]))
            for k, link in enumerate(regressor["links"]):
                wrench = times(regressor["bodies"][link], regressor["values"][10 * k:10 * k + 10])
                tau = plus(tau, times(transposed(results["jacobians"]["links"][link]), wrench))
            self.assert_near(tau, results["inverse_dynamics"]["tau"])

    def test_the_parameters_are_those_of_the_file_in_the_frame_of_the_link(self):
        """What another mass of a link changes is said by its ten columns, and its ten numbers follow from the file."""
        state = {"q": [1, 2, 3, 0.5, -0.5, 0.5, 0.5, 0.7], "qd": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7],
                 "qdd": [1, 2, 3, 4, 5, 6, 7]}

        def of_flap(mass):
            return [mass, 0, 0.2 * mass, 0.1 * mass, 0.003 + 0.05 * mass, 0, 0.0004, 0.002 + 0.01 * mass, -0.02 * mass,
                    0.003 + 0.04 * mass]

        results = []
        with tempfile.TemporaryDirectory() as folder:
            for mass in ("0.3", "1.7"):
                model = Path(folder) / "flyer.urdf"
                model.write_text(FLYER.replace('<mass value="0.3"/>', '<mass value="%s"/>' % mass))
                results.append(answer(model, state, "--regressor"))
        light, heavy = [result["regressor"] for result in results]
        self.assertEqual(light["links"], ["hull", "flap"])
        self.assert_near(light["values"][10:], of_flap(0.3), 1e-15)
        self.assert_near(heavy["values"], light["values"][:10] + of_flap(1.7), 1e-15)
        self.assert_near(times(light["matrix"], heavy["values"]), results[1]["inverse_dynamics"]["tau"])

    def test_the_regressor_needs_accelerations(self):
        self.assert_line_refused(run("park_2r", "-", "--regressor", given='{"q": [0, 0], "qd": [0, 0]}'),
                            "standard input, line 1: ", ["qdd is missing", "--regressor"])

    def test_jacobians_in_a_frame_give_the_twist_in_it(self):
        for name in self.GOOD:
            state = as_arrays(good_state(name), answer(name, good_state(name))["joints"])
            for frame, word in (("link", "the link's own"), ("world", "the world's"), ("mixed", "mixed")):
                results = answer(name, state, "--frame", frame)
                self.assertTrue(results["jacobians"]["frame"].startswith(word))
                for link, J in results["jacobians"]["links"].items():
                    V, pose = results["link_twists"][link], results["link_poses"][link]
                    R = pose["rotation"] if frame != "link" else [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
                    w, v = times(R, V[:3]), times(R, V[3:])
                    self.assert_near(times(J, state["qd"]),
                                     w + (plus(v, cross(pose["position"], w)) if frame == "world" else v))

    def test_rates_of_jacobians_are_their_derivatives_along_the_rates(self):
        for name, frames in (("forked_arm", ("link", "world", "mixed")), ("ur5", ("link", "world", "mixed")),
                             ("drone_arm", ("link",))):  # in its own frame no link knows where the base is
            for frame in frames:
                state, here, derivatives = self.by_joints(name, good_state(name), "--frame", frame)
                for link, rate in here["jacobians"]["rates"].items():
                    by = derivatives(lambda results: results["jacobians"]["links"][link])
                    self.assert_near_matrix(self.along(by, state["qd"]), rate)

    def test_accelerations_of_links_are_spatial_and_classical(self):
        """J qdd + Jdot qd is the spatial one, but mixed the classical one; they differ by w x v."""
        for name in self.GOOD:
            state = as_arrays(good_state(name), answer(name, good_state(name))["joints"])
            for frame in ("link", "world", "mixed"):
                results = answer(name, state, "--frame", frame)
                jacobians, accelerations = results["jacobians"], results["link_accelerations"]
                for link, J in jacobians["links"].items():
                    V, product = times(J, state["qd"]), jacobians["products"][link]
                    self.assert_near(product, times(jacobians["rates"][link], state["qd"]))
                    spatial, classical = (accelerations[kind][link] for kind in ("spatial", "classical"))
                    self.assert_near(classical, spatial[:3] + plus(spatial[3:], cross(V[:3], V[3:])))
                    self.assert_near(classical if frame == "mixed" else spatial, plus(times(J, state["qdd"]), product))

    def test_the_motion_of_links_has_its_derivatives_by_coordinates(self):
        """Of an arm, as those of Jacobians; by the rates spatial accelerations are quadratic."""
        for frame in ("link", "world", "mixed"):
            state, here, derivatives = self.by_joints("forked_arm", good_state("forked_arm"), "--frame", frame,
                                                      "--derivatives")
            found, n = here["link_accelerations"], len(state["qd"])
            moved = [{**state, "qd": plus(state["qd"], [float(k == j) for k in range(n)], step)}
                     for j in range(n) for step in (1, -1)]
            faster = [results["link_accelerations"]["spatial"]
                      for results in answers("forked_arm", moved, "--frame", frame)]
            for link in ("left_forearm", "right_forearm"):
                by = derivatives(lambda results: results["jacobians"]["links"][link])
                for ours, theirs in zip(here["jacobians"]["by_q"][link], by, strict=True):
                    self.assert_near_matrix(theirs, ours)
                twist = lambda results: [[x] for x in times(results["jacobians"]["links"][link], state["qd"])]
                spatial = lambda results: [[x] for x in results["link_accelerations"]["spatial"][link]]
                for key, part in (("twist_by_q", twist), ("spatial_by_q", spatial)):
                    columns = [[x for x, in by] for by in derivatives(part)]
                    self.assert_near_matrix(transposed(columns), found[key][link])
                columns = [[x / 2 for x in plus(faster[2 * j][link], faster[2 * j + 1][link], -1)] for j in range(n)]
                self.assert_near_matrix(transposed(columns), found["spatial_by_qd"][link])

    def test_second_derivatives_are_derivatives_of_the_first(self):
        """By coordinates of an arm: trigonometric polynomials. By rates the first derivatives are linear."""
        state, here, derivatives = self.by_joints("forked_arm", good_state("forked_arm"), "--derivatives",
                                                  "--second-derivatives")
        second = here["second_derivatives"]["inverse_dynamics"]
        for hessian, part in (("by_q_q", lambda results: results["inverse_dynamics"]["by_q"]),
                              ("by_q_qd", lambda results: results["inverse_dynamics"]["by_qd"]),
                              ("by_q_qdd", lambda results: results["mass_matrix"])):
            for j, by in enumerate(derivatives(part)):
                self.assert_near_matrix(by, [H[j] for H in second[hessian]])
        n = len(state["qd"])
        for j in range(n):
            moved = [{**state, "qd": plus(state["qd"], [float(k == j) for k in range(n)], step)} for step in (1, -1)]
            more, less = (results["inverse_dynamics"]["by_qd"] for results in answers("forked_arm", moved, "--derivatives"))
            by = [plus(a, b, -1) for a, b in zip(more, less)]
            self.assert_near_matrix([[x / 2 for x in row] for row in by], [H[j] for H in second["by_qd_qd"]])

    def test_forward_dynamics_undoes_second_derivatives_of_inverse_dynamics(self):
        """M (by q_j of M^-1) M is minus the derivative of M."""
        for name in self.GOOD:
            state = good_state(name)
            tau = answer(name, state)["inverse_dynamics"]["tau"]
            results = answer(name, {**as_arrays(state, answer(name, state)["joints"]), "tau": tau}, "--second-derivatives")
            M, second = results["mass_matrix"], results["second_derivatives"]
            for j in range(len(M)):
                inverse = transposed([H[j] for H in second["forward_dynamics"]["by_q_given"]])
                once = [times(M, column) for column in inverse]
                twice = transposed([times(M, row) for row in transposed(once)])
                self.assert_near_matrix(twice, [[-x for x in H[j]] for H in second["inverse_dynamics"]["by_q_qdd"]])

    def test_second_derivatives_need_a_motion_and_no_force_elements(self):
        state = '{"q": [0, 0], "qd": [0, 0]}'
        self.assertNotIn("second_derivatives", answer("park_2r", json.loads(state), "--second-derivatives"))
        self.assert_line_refused(run("park_2r", "-", "--second-derivatives", "--only", "second_derivatives", given=state),
                                 "standard input, line 1: ", ["--only", "qdd, or tau"])
        self.assert_refused(run("park_2r", "-", "--only", "second_derivatives", given=state),
                            "--only second_derivatives needs", ["--second-derivatives"])
        with tempfile.TemporaryDirectory() as folder:
            loops = Path(folder) / "springs.json"
            loops.write_text('{"forces": [{"name": "rub", "type": "friction", "joint": "joint_1", "viscous": 1}]}')
            self.assert_refused(run("planar_arm:2", "-", "--second-derivatives", "--loops", str(loops), given=state),
                                "--second-derivatives is given", ["force elements", "leave out"])

    def test_what_is_asked_for_is_added_and_nothing_else_is_changed(self):
        state = good_state("forked_arm")
        plain = answer("forked_arm", state)
        asked = answer("forked_arm", state, "--coriolis", "bracket", "--christoffel", "--regressor", "--frame", "link")
        self.assertEqual([key for key in asked if key not in plain],
                         ["coriolis_matrix", "christoffel", "regressor", "link_accelerations"])
        del asked["jacobians"]["rates"], asked["jacobians"]["products"]
        self.assertEqual({key: asked[key] for key in plain}, plain)

    def test_unknown_families_and_frames_are_refused_with_those_that_there_are(self):
        for option, known in (("--coriolis", self.FAMILIES), ("--frame", ("link", "world", "mixed"))):
            done = run("park_2r", "-", option, "euler", given="{}")
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            for name in ("euler", *known):
                self.assertIn(name, done.stderr.decode())

    def test_conventions_and_warnings_are_said(self):
        results = answer("mimic_hand", {"q": [0.1] * 5, "qd": [0] * 5})
        self.assertTrue(all(isinstance(words, str) for words in results["conventions"].values()))
        for key in ("twists", "wrenches", "gravity", "potential_energy", "bias", "joint_order", "joints_of_several", "units"):
            self.assertIn(key, results["conventions"])
        self.assertIn("mimic", results["warnings"][0])

    # Models.

    def test_a_built_in_model_may_float_by_itself_or_by_option(self):
        state = {"base": {"position": [0, 0, 1], "quaternion_xyzw": [0, 0, 0, 1]}, "q": [0.1, 0.2], "qd": [0.1] * 8}
        results = answer(FLOATING, state)
        self.assertEqual(len(results["mass_matrix"]), 8)
        self.assertEqual(results["joints"], ["joint_1", "joint_2"])

    def test_a_free_joint_within_the_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "flyer.urdf"
            model.write_text(FLYER)
            state = {"q": [1, 2, 3, 0.5, -0.5, 0.5, 0.5, 0.7], "qd": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7],
                     "qdd": [1, 2, 3, 4, 5, 6, 7], "external_wrenches": {"pack": [1, 2, 3, 4, 5, 6]}}
            results = answer(model, state)
            self.assertEqual(results["joints"], ["flight", "hinge"])
            by_name = {**state, **{key: {"hinge": state[key][-1], "flight": state[key][:-1]} for key in
                                   ("q", "qd", "qdd")}}
            self.assertEqual(answer(model, by_name), results)
            back = answer(model, {**state, "tau": results["inverse_dynamics"]["tau"]})
            self.assert_near(back["forward_dynamics"]["qdd"], state["qdd"])
            self.assert_line_refused(run(model, given=json.dumps({**state, "q": [1, 2, 3, 0, 0, 0, 0.9, 0.7]})),
                                "standard input, line 1: ", ["quaternion of joint 'flight' in q", "length 0.9 "])
            self.assert_line_refused(run(model, given=json.dumps({**by_name, "qd": {"flight": 1, "hinge": 2}})),
                                "standard input, line 1: ", ["qd.flight is 1", "array of 6"])
            self.assert_line_refused(run(model, given=json.dumps({**by_name, "q": {"flight": [1], "hinge": 2}})),
                                "standard input, line 1: ", ["q.flight has 1 entry", "needs 7"])

    def test_a_model_without_moving_mass_has_no_centre_of_mass(self):
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "stone.urdf"
            model.write_text(STONE)
            results = answer(model, {"q": [], "qd": [], "qdd": [], "tau": {}}, "--coriolis", "ploen", "--christoffel",
                             "--regressor", "--frame", "world")
            self.assertEqual((results["coriolis_matrix"]["matrix"], results["christoffel"]["symbols"]), ([], []))
            self.assertEqual([results["regressor"][key] for key in ("links", "values", "matrix")], [[], [], []])
            self.assertIsNone(results["center_of_mass"])
            self.assertIn("center_of_mass is null", results["warnings"][-1])
            self.assertEqual((results["total_mass"], results["mass_matrix"], results["bias"]), (0, [], []))
            base = {"position": [0, 0, 0], "quaternion_xyzw": [0, 0, 0, 1]}
            thrown = answer([model, "--floating-base"], {"base": base, "q": [], "qd": [0] * 6, "tau": [0] * 6})
            self.assert_near(thrown["forward_dynamics"]["qdd"], [0, 0, 0, 0, 0, -9.81], 1e-15)
            self.assertEqual(thrown["center_of_mass"], [0, 0, 0])

    def test_a_bad_model_is_refused(self):
        self.assert_refused(run("nobody"), "There is no built-in model 'nobody'", ["'nobody'", "ur5"])
        self.assert_refused(run("nobody.urdf"), "nobody.urdf: ", ["no such file"])
        self.assert_refused(run("some/robot"), "some/robot: ", ["no such file"])
        self.assert_refused(run(HERE), str(HERE) + ": ", ["directory"])
        bad = HERE.parent / "model" / "bad_urdf"
        unphysical = bad / "unphysical_inertia.urdf"
        self.assert_refused(run(unphysical), str(unphysical) + ": ", ["--accept-unphysical"])
        results = answer([unphysical, "--accept-unphysical"], {"q": [0], "qd": [0]})
        self.assertIn("inertia", results["warnings"][0])

    def test_a_joint_that_loses_its_mass_in_this_state_is_the_states_fault(self):
        """An outer hinge whose ball, a point, stands on its axis when the inner one is at zero."""
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "gimbal.urdf"
            model.write_text(GIMBAL)
            state = {"q": [0, 0.5], "qd": [0, 0], "tau": [0, 0]}
            lines = json.dumps(state) + "\n" + json.dumps({**state, "q": [0, 0]})
            self.assertEqual(len(answer(model, state)["forward_dynamics"]["qdd"]), 2)
            self.assert_line_refused(run(model, given=lines), "standard input, line 2: ", ["joint 'outer'", "mass"])

    def test_a_name_that_is_not_text_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            model = os.fsencode(folder) + b"/\xff.urdf"
            Path(os.fsdecode(model)).write_text(STONE)
            self.assert_refused(run(model, given='{"q": [], "qd": []}'), "The results hold", ["UTF-8", "/\ufffd.urdf\""])
            arm = Path(folder) / "arm.urdf"
            arm.write_bytes(FLYER.replace("hinge", "char\xeb").encode("latin-1"))
            state = json.dumps({"q": [0] * 6 + [1, 0], "qd": [0] * 7})
            self.assert_refused(run(arm, given=state), "The results hold", ["UTF-8", "\"char\ufffd\""])

    def test_a_joint_called_as_the_base_is_not_taken_for_it(self):
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "flyer.urdf"
            model.write_text(FLYER.replace("floating", "fixed").replace('"hinge"', '"base"'))
            state = {"q": [0], "qd": [0], "qdd": [0], "tau": [0], "prescribed": ["base"]}
            self.assertEqual(answer(model, state)["hybrid_dynamics"]["prescribed"], [True])
            given = {key: state[key] * 7 for key in ("qd", "qdd", "tau")}
            base = {"position": [0, 0, 0], "quaternion_xyzw": [0, 0, 0, 1]}
            done = run([model, "--floating-base"], given=json.dumps({**state, **given, "base": base}))
            self.assert_line_refused(done, "standard input, line 1: ", ["prescribed[0]", "'base'", "rename the joint"])

    def test_a_mimic_of_nobody_is_refused_with_its_file(self):
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "flyer.urdf"
            model.write_text(FLYER.replace('<axis xyz="1 2 2"/>', '<mimic joint="zz"/>'))
            self.assert_refused(run(model, "-", "--with", "mimic"), f"{model}: ", ["loop 'hinge'", "the joint 'zz'"])

    def test_the_seed_of_a_random_model_is_said_to_be_a_number(self):
        self.assert_refused(run("random:-1"), "There is no built-in model 'random:-1'", ["a whole number from 0 to 2^64 - 1"])

    # Files and lines.

    def test_what_has_no_end_is_not_read(self):
        state = HERE / "good_states" / "forked_arm.json"
        for options in (["forked_arm", "/dev/zero"], ["forked_arm", state, "--loops", "/dev/zero"], ["-", state], ["forked_arm", "-"]):
            with open("/dev/zero", "rb") as zeros:
                done = subprocess.run([*PROGRAM, "compute", "--model", options[0], "--state", *options[1:]], stdin=zeros, capture_output=True,
                                      timeout=60, check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30)))
            source = {"-": "standard input: "}.get(options[0], {"-": "standard input, line 1: "}.get(options[1], "/dev/zero: "))
            self.assert_refused(done, source, ["there are more than 100 MB"])

    def test_a_file_that_may_not_grow_is_told_and_not_left(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([*PROGRAM, "compute", "--model", "forked_arm", "--state", HERE / "good_states" / "forked_arm.json", "--json",
                                   Path(folder) / "x.json"], capture_output=True, check=False,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512)))
            self.assert_refused(done, f"{folder}/x.json: ", ["cannot be written"])
            self.assertEqual(list(Path(folder).iterdir()), [])

    def test_help_that_cannot_be_printed_is_told(self):
        check = str(Path(PROGRAM[0]).with_name("articulate-check"))
        for program, *arguments in ([PROGRAM[0], "--help"], [PROGRAM[0], "compute", "--help"], [PROGRAM[0], "--version"], [PROGRAM[0], "models"],
                                    [check, "--help"], [check, "check", "--help"], [check, "check", "--quantities"]):
            for end in (">/dev/full", ">&-"):
                done = subprocess.run(["sh", "-c", f'exec "$0" "$@" {end}', program, *arguments], capture_output=True, text=True, check=False)
                self.assertNotEqual(done.returncode, 0, arguments)
                self.assertEqual(done.stderr, "articulate: Standard output cannot be written; is its device full or closed?\n")

    def test_a_file_and_a_line_say_the_same(self):
        for name in self.GOOD:
            from_file = run(name, HERE / "good_states" / (name + ".json"))
            from_line = run(name, given=json.dumps(good_state(name)))
            self.assertEqual((from_file.returncode, from_file.stderr), (0, b""))
            self.assertEqual(json.loads(from_file.stdout), json.loads(from_line.stdout))
            self.assertEqual(from_line.stdout.count(b"\n"), 1)
            self.assertTrue(from_file.stdout.startswith(b'{\n  "conventions": {\n    "'))

    def test_lines_are_answered_in_order(self):
        states = [{"q": [0.1 * k, 1 / (k + 3)], "qd": [k, -k], "tau": [0, 0]} for k in range(5)]
        text = "\n" + " \r\n\n".join(json.dumps(state) for state in states)
        lines = run("park_2r", given=text).stdout.splitlines()
        self.assertEqual([json.loads(line) for line in lines], [answer("park_2r", state) for state in states])

    def test_a_bad_line_is_answered_by_its_error_and_the_next_by_its_results(self):
        good = json.dumps({"q": [0, 0], "qd": [0, 0]})
        done = run("park_2r", given="\n".join([good, "", '{"q": [0, 0]}', '{"q": [0], }', b"\xff".decode("latin-1"), good]))
        first, missing, broken, strange, last = map(json.loads, done.stdout.splitlines())
        self.assertEqual(first, last)
        self.assertEqual(first, answer("park_2r", json.loads(good)))
        self.assertEqual(missing, {"error": "standard input, line 3: qd is missing; a state needs q and qd."})
        for line, k in ((broken, 4), (strange, 5)):
            self.assertEqual(list(line), ["error"])
            self.assertIn(f"line {k}: the text is not JSON", line["error"])
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.decode(), "articulate: standard input: 3 of 5 states are refused; their answers "
                         "say why.\n")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "answers.jsonl"
            self.assertEqual(run("park_2r", "-", "--json", path, given=good + "\n{}\n").returncode, 1)
            self.assertEqual([list(json.loads(line))[0] for line in path.read_text().splitlines()], ["conventions", "error"])

    def test_a_state_over_several_lines_is_told_so(self):
        done = run("park_2r", given=json.dumps({"q": [0, 0], "qd": [0, 0]}, indent=2))
        self.assert_line_refused(done, "standard input, line 1: ", ["breaks off", "one line"])
        done = run("park_2r", given='{"q": [0, 0],\r\n')
        self.assert_line_refused(done, "standard input, line 1: ", ["breaks off"])

    def test_a_line_is_answered_before_the_next_is_read(self):
        with subprocess.Popen([*PROGRAM, "compute", "--model", "park_2r", "--state", "-"],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
            for q in (0.1, 0.2):
                state = {"q": [q, 0], "qd": [0, 0]}
                program.stdin.write(json.dumps(state).encode() + b"\n")
                program.stdin.flush()
                ready, _, _ = select.select([program.stdout], [], [], 30)
                self.assertTrue(ready, "no answer to a line")
                self.assertEqual(json.loads(program.stdout.readline()), answer("park_2r", state))

    # What is asked for.

    def test_only_what_is_named_is_answered(self):
        state = {"q": [0.1, 0.2], "qd": [1, 2], "qdd": [3, 4], "tau": [5, 6]}
        everything = answer("park_2r", state)
        for names, keys in (("tau", ["inverse_dynamics"]), ("mass_matrix,tau", ["inverse_dynamics", "mass_matrix"]),
                            ("qdd", ["forward_dynamics"]), ("momentum", ["momentum"]), ("bias", ["bias"])):
            some = answer("park_2r", state, "--only", names)
            self.assertEqual(list(some), ["warnings", *keys])
            for key in keys:
                self.assertEqual(some[key], everything[key])
        for name in everything:
            if name != "warnings":
                self.assertEqual(answer("park_2r", state, "--only", name), {"warnings": [], name: everything[name]})

    def test_what_cannot_be_answered_is_not_left_out_in_silence(self):
        done = run("park_2r", "-", "--only", "tau,masses", given="{}")
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        for piece in (b"masses", b"mass_matrix", b"momentum"):
            self.assertIn(piece, done.stderr)
        state = json.dumps({"q": [0, 0], "qd": [0, 0]})
        self.assert_line_refused(run("park_2r", "-", "--only", "tau", given=state), "standard input, line 1: ",
                                 ["inverse_dynamics", "--only", "qdd"])
        self.assert_refused(run("park_2r", "-", "--only", "christoffel", given=state), "--only christoffel needs",
                            ["--christoffel"])

    def test_options_are_known_or_refused_before_those_that_are_missing(self):
        for arguments, words in ((["compute", "--model", "ur5", "--sate", "x.json"], "--sate; `./articulate compute --help`"),
                                 (["simulate", "--model", "ur5", "--state", "x", "--durations", "1"], "--durations"),
                                 (["compute", "--model", "ur5"], "--state is required"),
                                 (["simulate", "--model", "ur5", "--state", "x"], "--duration is required"),
                                 (["foo"], "'foo' is unknown, known are verify, compute, simulate, models;")):
            done = subprocess.run([*PROGRAM, *arguments], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)

    def test_help_names_every_key_of_a_state(self):
        text = subprocess.run([*PROGRAM, "compute", "--help"], capture_output=True, text=True, check=True).stdout
        page = (HERE.parents[1] / "chapters" / "conventions.md").read_text(encoding="utf-8")
        done = run("park_2r", given='{"nonsense": 1}')
        known = re.findall(r"'(\w+)'", json.loads(done.stdout)["error"].split("known are")[1])
        self.assertGreater(len(known), 10)
        for key in known:
            self.assertRegex(text, rf"\b{key}\b")
            self.assertIn(f"`{key}`", page)

    def test_an_output_never_overwrites_an_input(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            state, loops, link = folder / "state.json", folder / "robot.urdf", folder / "link.json"
            state.write_text('{"q": [], "qd": []}')
            loops.write_text(STONE)
            link.symlink_to("state.json")
            hard = folder / "hard.json"
            hard.hardlink_to(state)
            for output in (state, link, hard, folder / ".." / folder.name / "state.json"):
                self.assert_refused(run(loops, state, "--json", output), str(output) + ": ", ["--state reads"])
            self.assert_refused(run(loops, link, "--json", state), str(state) + ": ", ["--state reads"])
            self.assert_refused(run(loops, state, "--json", loops), str(loops) + ": ", ["--model reads"])
            self.assertEqual(state.read_text(), '{"q": [], "qd": []}')

    def test_a_joint_that_moves_no_mass_leaves_forward_dynamics_out_and_nothing_else(self):
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "finger.urdf"
            model.write_text(MASSLESS_FINGER)
            state = {"q": [0.3, 0.1], "qd": [1, 2], "qdd": [3, 4], "tau": [5, 6]}
            results = answer(model, state)
            self.assertNotIn("forward_dynamics", results)
            self.assertRegex(" ".join(results["warnings"]), "forward dynamics.*'finger'|'finger'.*forward dynamics")
            (Path(folder) / "arm.urdf").write_text(ARM)
            arm = answer(Path(folder) / "arm.urdf", {"q": [0.3], "qd": [1], "qdd": [3]})
            self.assert_near(results["inverse_dynamics"]["tau"], arm["inverse_dynamics"]["tau"] + [0])
            self.assert_near(results["mass_matrix"][0], arm["mass_matrix"][0] + [0])
            self.assert_near([results["kinetic_energy"]], [arm["kinetic_energy"]])
            self.assertEqual(set(results["link_poses"]), {"world", "arm", "tip"})
            both = {**state, "order": 1, "q_derivatives": [[1, 2]], "tau_derivatives": [[0, 0]]}
            self.assertEqual(set(answer(model, both)["higher_order"]) & {"inverse_dynamics", "forward_dynamics"},
                             {"inverse_dynamics"})
            self.assertEqual(list(answer(model, state, "--derivatives")["inverse_dynamics"]), ["tau", "by_q", "by_qd"])
            done = subprocess.run([*PROGRAM, "simulate", "--model", model, "--state", "-", "--duration", "1"],
                                  input=b'{"q": [0, 0], "qd": [0, 0]}', capture_output=True, check=False)
            self.assert_refused(done, str(model), ["finger", "mass"])

    def test_a_random_chain_has_joints_of_one_degree(self):
        state = {"q": [0.1] * 5, "qd": [0.2] * 5}
        results = answer("random_chain:12", state)
        self.assertEqual([(entry["nq"], entry["nv"]) for entry in results["layout"]], [(1, 1)] * 5)
        self.assertEqual(results, answer("random_chain:12", state))
        self.assertNotEqual(results["mass_matrix"], answer("random_chain:21", state)["mass_matrix"])
        listed = subprocess.run([*PROGRAM, "models"], capture_output=True, text=True, check=True).stdout
        self.assertIn("random_chain:SEED", listed)

    def test_what_mjcf_cannot_say_of_a_urdf_file_is_told(self):
        text = """<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1e-6" ixy="1e-6" ixz="1e-6"
            iyy="1e-6" iyz="1e-6" izz="1e-6"/></inertial></link><link name="b"><inertial><mass value="1"/><inertia ixx="1"
            ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link><link name="c"/>
            <joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="0" upper="0"/></joint>
            <joint name="k" type="fixed"><parent link="b"/><child link="c"/><mimic joint="j"/></joint></robot>"""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "r.urdf"
            path.write_text(text)
            done = subprocess.run([*PROGRAM, "models", "--export", "mjcf", "--model", path], capture_output=True,
                                  text=True, check=True)
            self.assertEqual(done.stderr.count("warning: "), 3)
            for sentence in (": joint 'j' has two equal limits, 0, and MuJoCo takes no empty range; they are left out.\n",
                             ": joint 'k' is fixed; that it mimics joint 'j' is left out.\n",
                             ": link 'a' has the principal moments of inertia "):
                self.assertIn(f"warning: {path}{sentence}", done.stderr)
            for absent in "range", "equality", 'diaginertia="-':
                self.assertNotIn(absent, done.stdout)
            # The joint that is fixed follows no other, and is no loop that could not be closed.
            state = {"q": [0.1], "qd": [0.2], "qdd": [0.3]}
            plain, coupled = answer(path, state), answer(path, state, "--with", "mimic")
            self.assertEqual(plain["inverse_dynamics"], coupled["inverse_dynamics"])
            told = "joint 'k' is fixed and has no coordinate: that it mimics joint 'j' is ignored."
            for results in plain, coupled:
                self.assertEqual(results["warnings"].count(told), 1)
                self.assertNotIn("coordinate of its own", str(results["warnings"]))

    def test_a_model_is_written_in_both_formats_and_both_mean_it(self):
        def export(*options, **how):
            return subprocess.run([*PROGRAM, "models", *map(str, options)], capture_output=True, check=False, **how)

        n = 6
        state = {"q": [0.3 * k for k in range(n)], "qd": [1 + k for k in range(n)], "qdd": [2 - k for k in range(n)]}
        expected = answer("puma560", state)
        with tempfile.TemporaryDirectory() as folder:
            files = {}
            for form, name in ("urdf", "arm.urdf"), ("mjcf", "arm.xml"), ("mjcf", "arm.urdf.txt"):
                path = files[form] = Path(folder) / name
                done = export("--export", form, "--model", "puma560", "--output", path)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
                found = answer(path, state)
                rounding = 100 * n * 2.0**-52  # of numbers whose terms hardly cancel
                for mine, theirs in zip(expected["inverse_dynamics"]["tau"], found["inverse_dynamics"]["tau"]):
                    self.assertLess(abs(mine - theirs), rounding * max(map(abs, expected["inverse_dynamics"]["tau"])))
                text = path.read_bytes()
                self.assertEqual(export("--export", form, "--model", "puma560").stdout, text)
                self.assertEqual(export("--export", form, "--model", "-", input=text).returncode, 0)
                given = Path(folder) / "state.json"
                given.write_text(json.dumps(state))
                self.assertEqual(json.loads(run("-", given, given=text).stdout)["inverse_dynamics"],
                                 found["inverse_dynamics"])
            # One format becomes the other; a base that floats is said in MJCF.
            done = export("--export", "mjcf", "--model", files["urdf"], "--floating-base")
            self.assertIn(b'<joint name="floating_base" type="free"/>', done.stdout)
            self.assertNotIn(b"<robot", done.stdout)
            path = Path(folder) / "drone.xml"
            self.assertEqual(export("--export", "mjcf", "--model", "drone_arm", "--output", path).returncode, 0)
            self.assertIn("free", path.read_text())
            urdf, freed = Path(folder) / "drone.urdf", Path(folder) / "freed.urdf"
            self.assertEqual(export("--export", "urdf", "--model", "drone_arm", "--output", urdf).returncode, 0)
            done = export("--export", "urdf", "--model", "park_2r", "--floating-base", "--output", freed)
            self.assertEqual(done.returncode, 0)
            # Read again the base is the base, and its joint none of the joints.
            on_base = {"base": {"position": [1, 2, 3], "quaternion_xyzw": [0.5, -0.5, 0.5, 0.5]}, "q": [0.3, 0.4],
                       "qd": [1, 2, 3, 4, 5, 6, 7, 8], "qdd": [3, 1, 4, 1, 5, 9, 2, 6],
                       "gravity": [1, 2, -9]}
            for model, file, state, options in (("drone_arm", path, good_state("drone_arm"), []), (FLOATING, freed, on_base, []),
                                                ("drone_arm", path, good_state("drone_arm"), ["--floating-base"]),
                                                ("drone_arm", urdf, good_state("drone_arm"), [])):
                one, other = answer(model, state), answer([file, *options], state)
                self.assertEqual((other["joints"], other["layout"]), (one["joints"], one["layout"]))
                tau = [x["inverse_dynamics"]["tau"] for x in (one, other)]
                for mine, theirs in zip(*tau):
                    self.assertLess(abs(mine - theirs), 100 * len(tau[0]) * 2.0**-52 * max(map(abs, tau[0])))

            # A base needs a ground of its own; and where gravity cannot be said this is told.
            ground = Path(folder) / "ground.urdf"
            ground.write_text(STONE.replace('"stone"', '"world"'))
            self.assert_refused(export("--export", "urdf", "--model", ground, "--floating-base"), f"{ground}: ", ["called 'world'"])
            self.assertEqual(export("--export", "urdf", "--model", urdf).stderr, b"")
            done = export("--export", "urdf", "--model", "five_bar")
            self.assertEqual((done.returncode, done.stderr.decode().count("\n")), (0, 1))
            self.assertIn('warning: URDF has no gravity, and five_bar has its own; a state for this file has to give "gravity": [', done.stderr.decode())
            done = export("--export", "mjcf", "--model", "five_bar", "--output", path)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            still = {"q": [0] * 4, "qd": [0] * 4}
            self.assertEqual(answer(path, still)["gravity"], answer("five_bar", still)["gravity"])

            self.assert_refused(run("-", "-", given=b"{}"), "", ["--model - and --state -", "standard input"])
            self.assert_refused(run("-", given, given=b"<mujoco/>"), "standard input: ", ["no <worldbody>"])
            self.assert_refused(export("--export", "mjcf", "--model", "screw_arm"), "screw_arm: ", ["helical"])
            self.assert_refused(export("--export", "urdf", "--model", files["mjcf"], "--output", files["mjcf"]),
                                str(files["mjcf"]), ["--output would overwrite what --model reads"])
            for options in (["--export", "urdf"], ["--model", "ur5"], ["--output", "x"], ["--export", "sdf", "--model", "ur5"]):
                self.assertEqual(export(*options).returncode, 2, options)

    def test_large_models_fit(self):
        n = 1000
        state = json.dumps({"q": [0.01] * n, "qd": [0] * n})
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "state.json"
            path.write_text(state)
            program = subprocess.Popen([*PROGRAM, "compute", "--model", f"planar_arm:{n}", "--state", path],
                                       stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(program.pid, 0)
            program.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(program.returncode, 0)
        self.assertLess(usage.ru_maxrss, 300e3)  # in KB; the six rows of a thousand Jacobians are 96 MB as JSON

    def test_no_line_is_no_answer(self):
        for given in ("", "\n \n"):
            self.assert_refused(run("park_2r", given=given), "standard input: ", ["no state"])

    def test_a_state_that_is_no_file_is_refused(self):
        self.assert_refused(run("park_2r", "nowhere.json"), "nowhere.json: ", ["no such file"])
        self.assert_refused(run("park_2r", HERE), str(HERE) + ": ", ["directory"])

    def test_results_go_to_a_file_whole_or_not_at_all(self):
        good, bad = HERE / "good_states" / "forked_arm.json", HERE / "bad_states" / "empty.json"
        expected = run("forked_arm", good).stdout
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            target = folder / "results.json"
            for before in (None, "old"):
                if before:
                    target.write_text(before)
                self.assert_refused(run("forked_arm", bad, "--json", target), str(bad) + ": ", ["empty"])
                self.assertEqual(target.read_text() if target.exists() else None, before)
                done = run("forked_arm", good, "--json", target)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
                self.assertEqual(target.read_bytes(), expected)
            link = folder / "link.json"
            link.symlink_to("results.json")
            target.write_text("old")
            self.assertEqual(run("forked_arm", good, "--json", link).returncode, 0)
            self.assertTrue(link.is_symlink())
            self.assertEqual(target.read_bytes(), expected)
            self.assertEqual(sorted(path.name for path in folder.iterdir()), ["link.json", "results.json"])
            missing = folder / "missing" / "results.json"
            self.assert_refused(run("forked_arm", good, "--json", missing), str(missing) + ": ", ["cannot be written"])
            self.assert_refused(run("forked_arm", good, "--json", folder), str(folder) + ": ", ["directory"])

    def test_a_pipe_is_written_and_not_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = Path(folder) / "pipe"
            os.mkfifo(pipe)
            reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
            line = '{"q": [0, 0], "qd": [0, 0]}'
            self.assertEqual(run("park_2r", "-", "--json", pipe, given=line).returncode, 0)
            self.assertEqual(os.read(reader, 1 << 20), run("park_2r", given=line).stdout)
            os.close(reader)
            self.assertTrue(pipe.is_fifo())

    def test_numbers_read_back_to_the_same_double(self):
        for x in (0.1, 1 / 3, math.pi, 5e-324, 2.2250738585072014e-308, 123456789.123456789):
            results = answer("park_2r", {"q": [0, 0], "qd": [0, 0], "gravity": [x, -x, 0]})
            self.assertEqual(results["gravity"], [x, -x, 0])

    # Bad states.

    def test_a_bad_state_is_refused_in_one_sentence(self):
        for name, (model, *pieces) in BAD_STATES.items():
            with self.subTest(name):
                path = str(HERE / "bad_states" / (name + ".json"))
                self.assert_refused(run(model, path), path + ": ", pieces)

    def test_every_bad_state_is_in_the_table(self):
        self.assertEqual({path.stem for path in (HERE / "bad_states").iterdir()}, set(BAD_STATES))


if __name__ == "__main__":
    unittest.main()
