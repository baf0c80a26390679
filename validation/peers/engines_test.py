#!/usr/bin/env python3
"""Asks the libraries that are installed through `check --engine`, in the conventions of the protocol and in their own.

usage: engines_test.py PROGRAM ENGINES     where PROGRAM is the built command line, with the one that checks beside it, and
                                           ENGINES the folder of the adapters that were built

In the conventions of the protocol no more digits may be missing than the house rule allows (chapters/conventions.md). In their
own, --raw, `check` must name the conventions by which they differ: of all quantities at once, and of one or a few.
"""
import json
import math
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = sys.argv.pop(1) if len(sys.argv) > 2 else sys.exit(__doc__)
CHECK, BUILT = Path(PROGRAM).with_name("articulate-check"), Path(sys.argv.pop(1))
# Two balls and a hinge, in general position.
BALLS = """<robot name="two_balls">
  <link name="wall"/>
  <link name="upper"><inertial><origin xyz="0.02 -0.03 0.11" rpy="0.3 -0.2 0.5"/><mass value="2.1"/>
    <inertia ixx="0.021" ixy="0.002" ixz="-0.003" iyy="0.027" iyz="0.001" izz="0.014"/></inertial></link>
  <link name="lower"><inertial><origin xyz="-0.04 0.01 0.09" rpy="-0.4 0.1 0.7"/><mass value="1.3"/>
    <inertia ixx="0.011" ixy="-0.001" ixz="0.002" iyy="0.009" iyz="0.0015" izz="0.006"/></inertial></link>
  <link name="hand"><inertial><origin xyz="0.03 0.02 0.05" rpy="0.2 0.6 -0.1"/><mass value="0.7"/>
    <inertia ixx="0.0031" ixy="0.0004" ixz="-0.0002" iyy="0.0027" iyz="0.0003" izz="0.0019"/></inertial></link>
  <joint name="ball" type="ball"><parent link="wall"/><child link="upper"/>
    <origin xyz="0.1 0.2 0.4" rpy="0.2 -0.3 0.4"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/>
    <origin xyz="0.05 -0.02 0.25" rpy="-0.1 0.5 0.3"/><axis xyz="0.3 0.8 -0.5"/></joint>
  <joint name="wrist" type="ball"><parent link="lower"/><child link="hand"/>
    <origin xyz="0.01 0.03 0.22" rpy="0.6 0.1 -0.2"/></joint>
</robot>
"""
BASE = """<link name="wall"><inertial><origin xyz="0.03 -0.02 0.05" rpy="0.1 0.3 -0.2"/><mass value="3"/>
    <inertia ixx="0.05" ixy="0.004" ixz="-0.003" iyy="0.06" iyz="0.002" izz="0.04"/></inertial></link>"""
# A frame without a mass, as most robots have.
FRAME = """  <link name="frame"/>
  <joint name="weld" type="fixed"><parent link="hand"/><child link="frame"/>
    <origin xyz="0.05 -0.02 0.07" rpy="0.4 0.3 -0.5"/></joint>
</robot>
"""
# What is no convention and no rounding: DART's BodyNode counts its weight at the body's origin.
WRONG = {"dart": {"potential_energy"}}
UNEXPLAINED = {"no cause"}
DIGITS_OF_DOUBLE = -math.log10(sys.float_info.epsilon)
RATES = {"ur5": 6, "quadruped": 18, "two_balls": 7}
# What each of them answers in the conventions of the protocol, by the model; nothing where it cannot have the model.
ANSWERS = {
    "kdl": {"ur5": 11, "quadruped": 0, "two_balls": 0},
    "mujoco": {"ur5": 20, "quadruped": 20, "two_balls": 20},
    "dart": {"ur5": 21, "quadruped": 21, "two_balls": 21},
    "bullet": {"ur5": 7, "quadruped": 7, "two_balls": 7},
    "simbody": {"ur5": 19, "quadruped": 19, "two_balls": 19},
}
# What is named of all that each of them answers in its own conventions, pushed at every link.
CENTER = "external_forces/at_center_of_mass"
IN_WORLD, FORCE_FIRST = "external_forces/world_axes", "external_forces/force_first"
LINEAR_FIRST = "twist_order/linear_first"
BUT_TWISTS = LINEAR_FIRST + "_but_not_in_link_twists"
OF_MUJOCO = {FORCE_FIRST, IN_WORLD, LINEAR_FIRST + "_in_jacobians", "accelerations/with_gravity"}
OF_DART = {IN_WORLD, "jacobian/link_axes", "potential_energy/at_origins"}
OF_SIMBODY = {IN_WORLD, "twists/world_axes"}
OF_BULLET = {IN_WORLD, BUT_TWISTS, "links/inertial_frames"}
CONVENTIONS = {
    "kdl": {"ur5": {FORCE_FIRST, LINEAR_FIRST, "twists/world_axes"}},
    "mujoco": {
        "ur5": OF_MUJOCO | {CENTER, "whole/with_ground"},
        "quadruped": OF_MUJOCO | {CENTER + "_of_link", "layout/quaternion_wxyz", "base_velocity/world_linear_body_angular"},
        "two_balls": OF_MUJOCO | {CENTER, "layout/quaternion_wxyz"},
    },
    "dart": {"ur5": OF_DART | {"whole/with_ground"}, "quadruped": OF_DART, "two_balls": OF_DART},
    "bullet": {
        "ur5": OF_BULLET | {CENTER},
        "quadruped": OF_BULLET | {CENTER + "_of_link", "base_velocity/center_of_mass_angular_first", "jacobian/center_of_mass"},
        "two_balls": OF_BULLET | {CENTER, "ball_velocity/principal_axes", "jacobian/center_of_mass"},
    },
    "simbody": {
        "ur5": OF_SIMBODY | {"whole/with_ground"},
        "quadruped": OF_SIMBODY | {"base_velocity/world_angular_first"},
        "two_balls": OF_SIMBODY | {"ball_velocity/parent_axes"},
    },
}


def least_digits(attainable, rates):
    """What the house rule leaves of the digits that can be had: an error of at most 100 n eps kappa, and 1e-11 below kappa = 1e3."""
    kappa = 10.0 ** (DIGITS_OF_DOUBLE - attainable)
    return max(attainable - math.log10(100 * rates), 11 if kappa < 1e3 else 0)


def drawn_states(model, count=5):
    """Rates everywhere, quaternions in general position, gravity along no axis."""
    draw = random.Random(1)

    def some(n):
        return [draw.uniform(-2, 2) for _ in range(n)]

    def quaternion():
        x = [draw.gauss(0, 1) for _ in range(4)]
        return [a / math.hypot(*x) for a in x]

    for _ in range(count):
        state = {"gravity": some(3), **{key: some(RATES[model]) for key in ("qd", "qdd", "tau")}}
        if model == "two_balls":
            state["q"] = quaternion() + some(1) + quaternion()
        else:
            state["q"] = some(12 if model == "quadruped" else 6)
        if model == "quadruped":
            state["base"] = {"position": some(3), "quaternion_xyzw": quaternion()}
        yield state


# The hand of the two balls held to the wall, by joints of every kind that Simbody knows; one axis points down.
ENDS = {
    "first": {"link": "wall", "position": [0.2, 0.05, 0.7], "quaternion_xyzw": [0.5, -0.1, 0.7, 0.5]},
    "second": {"link": "hand", "position": [0.02, 0.01, 0.05], "quaternion_xyzw": [-0.1, 0.7, 0.5, 0.5]},
}
TILTED, DOWN = {"axis": [0.3, -0.2, 0.9]}, {"axis": [0.1, 0.4, -0.8]}
HELD = [
    *({"joint": joint} for joint in ("ball", "universal", "fixed")),
    *({"joint": joint, **axis} for joint in ("revolute", "prismatic", "cylindrical", "planar") for axis in (TILTED, DOWN)),
    {"slides": ["x"], "turns": "free", **TILTED},
    {"slides": ["x"], "turns": "universal", **DOWN},
]
CLOSED = {"closed_forward_dynamics", "constraint_force"}
COUPLED = {"coupling": {"joint": "elbow_joint", "follows": "shoulder_lift_joint", "multiplier": -1.5, "offset": 0.2}}
PIN = {"joint": "revolute", "first": {"link": "left_tip"}, "second": {"link": "right_tip"}}

# Laws of `check --laws` that cannot be asked, and what is known not to keep one.
FLOATING = {"base_frame", "free_fall"}
UNASKED = {"kdl": FLOATING | {"momentum_rate"}, "bullet": {"power_balance", "momentum_rate"}}
POTENTIAL = "potential_energy"
BROKEN = {
    "dart": {
        ("base_frame", POTENTIAL),
        ("split", POTENTIAL),
        ("split", "inverse_mass_matrix"),
        ("power_balance", "the rate of kinetic_energy + potential_energy"),
    }
}


class EnginesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "two_balls.urdf").write_text(BALLS, encoding="utf-8")
        (self.folder / "set_free.urdf").write_text(BALLS.replace('<link name="wall"/>', BASE), encoding="utf-8")
        (self.folder / "with_a_frame.urdf").write_text(BALLS.replace("</robot>\n", FRAME), encoding="utf-8")

    def require(self, engine):
        if not (BUILT / engine).exists():
            self.skipTest(f"{engine} is not built: the library is not installed")

    def check(self, engine, model, *options, raw=False):
        """(exit code, report, names of the causes), or (2, sentence, ...) where the model cannot be had."""
        report = self.folder / "report.json"
        model = self.folder / f"{model}.urdf" if model in ("two_balls", "set_free", "with_a_frame") else model
        command = [CHECK, "check", "--engine", f"'{BUILT / engine}'" + (" --raw" if raw else ""), "--model", model, "--json", report, *options]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, check=False)
        if done.returncode == 2:
            return 2, done.stderr, set()
        causes = set(re.findall(r"^  cause: (\S+)", done.stdout, re.MULTILINE))
        return done.returncode, json.loads(report.read_text(encoding="utf-8")), causes

    def assert_agrees(self, engine):
        self.require(engine)
        for model, answers in ANSWERS[engine].items():
            with self.subTest(model=model):
                code, report, _ = self.check(engine, model, "--states", 5)
                if answers == 0:
                    self.assertEqual(code, 2)
                    self.assertIn("The engine cannot read the model", report)
                    continue
                scores = report["scores"]
                worst = {name: one["worst"] for name, one in scores["quantities"].items()}
                lacking = {name: one for name, one in worst.items() if one["digits"] < least_digits(one["attainable"], RATES[model])}
                self.assertEqual((set(lacking), scores["refusals"]), (WRONG.get(engine, set()), []), lacking)
                answered = [name for name, one in scores["quantities"].items() if one["states"] == 5]
                self.assertEqual(len(answered), answers, answered)

    def closed(self, engine, model, loop, *options):
        """(by quantity the worst state, all that is printed of the run) of the closed machine."""
        loops = self.folder / "loops.json"
        loops.write_text(json.dumps({"loops": [{"name": "loop", **loop}]}), encoding="utf-8")
        code, report, _ = self.check(engine, model, "--loops", loops, "--only", ",".join(CLOSED), "--no-diagnose", *options)
        self.assertIn(code, (0, 1), report)
        self.assertEqual(report["scores"]["refusals"], [])
        return {name: one["worst"] for name, one in report["scores"]["quantities"].items() if "worst" in one}

    def test_rigid_loops(self):
        self.require("simbody")
        for model, rates, loop in (("five_bar", 4, PIN), ("ur5", 6, COUPLED), *(("two_balls", 7, ENDS | held) for held in HELD)):
            with self.subTest(model=model, loop=loop):
                worst = self.closed("simbody", model, loop, "--states", 5)
                self.assertEqual(set(worst), CLOSED)
                lacking = {name: one for name, one in worst.items() if one["digits"] < least_digits(one["attainable"], rates)}
                self.assertEqual(lacking, {})

    def test_soft_loops(self):
        """MuJoCo does 0.9999 of what a rigid loop would do, and leaves out what the rates alone ask of it."""
        self.require("mujoco")
        loops, states = self.folder / "loops.json", self.folder / "states.jsonl"
        loops.write_text(json.dumps({"loops": [{"name": "loop", **PIN}]}), encoding="utf-8")

        def digits(speed):
            guess = {"q": [0.3, 0.6, 0.9, 1.2], "qd": [speed, 0, speed, 0], "tau": [0.3, -0.2, 0.5, 0.1]}
            command = [PROGRAM, "compute", "--model", "five_bar", "--loops", loops, "--assemble", "--state", "-"]
            done = subprocess.run(list(map(str, command)), input=json.dumps(guess), capture_output=True, text=True, check=True)
            states.write_text(json.dumps(guess | json.loads(done.stdout)["constrained"]["assembled"]), encoding="utf-8")
            worst = self.closed("mujoco", "five_bar", PIN, "--state", states)
            self.assertEqual(set(worst), CLOSED)
            return {name: one["digits"] for name, one in worst.items()}

        at_rest, moving = digits(0), digits(1)
        for name in CLOSED:
            self.assertGreater(at_rest[name], -math.log10(100 * 4 * (1 - 0.9999)), name)
            self.assertLess(moving[name], at_rest[name] - 1, name)

    def named(self, engine, model, quantities):
        """The causes of what an engine answers in its own conventions, in states without wrenches."""
        states = self.folder / "states.jsonl"
        states.write_text("".join(json.dumps(state) + "\n" for state in drawn_states(model)), encoding="utf-8")
        code, report, causes = self.check(engine, model, "--state", states, "--only", quantities, raw=True)
        self.assertEqual(report["scores"]["refusals"], [])
        return causes if causes or code == 0 else UNEXPLAINED

    def test_frames_have_no_mass(self):
        for engine in ("mujoco", "dart", "bullet", "simbody"):
            with self.subTest(engine=engine):
                self.require(engine)
                _, report, _ = self.check(engine, "with_a_frame", "--states", 2, "--no-diagnose")
                worst = {name: one["worst"] for name, one in report["scores"]["quantities"].items()}
                lacking = {name for name, one in worst.items() if one["digits"] < least_digits(one["attainable"], RATES["two_balls"])}
                self.assertEqual(lacking, WRONG.get(engine, set()))

    def test_all_conventions_are_named(self):
        for engine, models in CONVENTIONS.items():
            for model, conventions in models.items():
                with self.subTest(engine=engine, model=model):
                    self.require(engine)
                    code, report, causes = self.check(engine, model, "--states", 5, raw=True)
                    self.assertEqual((code, causes, report["scores"]["refusals"]), (1, conventions, []))

    def test_a_free_base_may_carry_balls(self):
        for engine, base in (
            ("mujoco", {"base_velocity/world_linear_body_angular"}),
            ("dart", set()),
            ("bullet", {"base_velocity/center_of_mass_angular_first"}),
            ("simbody", {"base_velocity/world_angular_first"}),
        ):
            with self.subTest(engine=engine):
                self.require(engine)
                code, _, causes = self.check(engine, "set_free", "--states", 5, "--floating-base", raw=True)
                self.assertEqual((code, causes), (1, CONVENTIONS[engine]["two_balls"] | base))

    def test_laws(self):
        for engine in ANSWERS:
            with self.subTest(engine=engine):
                self.require(engine)
                path = self.folder / "laws.json"
                command = [CHECK, "check", "--laws", "--engine", f"'{BUILT / engine}'", "--draws", 20, "--json", path]
                done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600, check=False)
                report = json.loads(path.read_text(encoding="utf-8"))["laws"]
                broken = {(law["law"], seen["of"]) for law in report for seen in law["violations"]}
                self.assertEqual(broken, BROKEN.get(engine, set()), done.stdout)
                self.assertEqual({law["law"] for law in report if law["asked_in"] == 0}, UNASKED.get(engine, set()))
                self.assertEqual((done.returncode, sum(law["failed"] for law in report)), (1 if broken else 0, 0), done.stdout)

    def test_kdl(self):
        self.assert_agrees("kdl")

    def test_mujoco(self):
        self.assert_agrees("mujoco")
        self.assertEqual(self.named("mujoco", "ur5", "mass_matrix,inverse_dynamics,forward_dynamics"), set())
        self.assertEqual(self.named("mujoco", "ur5", "tip_jacobian"), {"twist_order/linear_first"})
        self.assertEqual(self.named("mujoco", "ur5", "link_accelerations"), {"accelerations/with_gravity"})
        self.assertEqual(self.named("mujoco", "ur5", "center_of_mass"), {"whole/with_ground"})
        base = {"layout/quaternion_wxyz", "base_velocity/world_linear_body_angular"}
        for quantities in ("mass_matrix,inverse_dynamics", "bias", "gravity_force", "momentum", "center_of_mass_jacobian"):
            self.assertEqual(self.named("mujoco", "quadruped", quantities), base)
        # Of a free body neither the order of a quaternion nor three causes show by themselves; the inverse has lost digits.
        for quantities in ("coriolis_force", "link_twists", "inverse_mass_matrix"):
            self.assertEqual(self.named("mujoco", "quadruped", quantities), base)
        self.assertEqual(self.named("mujoco", "quadruped", "tip_jacobian"), base | {"twist_order/linear_first"})
        ball = {"layout/quaternion_wxyz"}
        self.assertEqual(self.named("mujoco", "two_balls", "link_positions,link_twists,mass_matrix"), ball)
        self.assertEqual(self.named("mujoco", "two_balls", "tip_jacobian"), ball | {"twist_order/linear_first"})

    def test_dart(self):
        self.assert_agrees("dart")
        # A wrench is in world axes unless it is said to be local.
        code, _, causes = self.check("dart", "ur5", "--states", 5, "--only", "bias,inverse_dynamics", raw=True)
        self.assertEqual((code, causes), (1, {"external_forces/world_axes"}))
        for model in RATES:
            forces = "mass_matrix,inverse_dynamics,forward_dynamics,bias,coriolis_force,gravity_force"
            self.assertEqual(self.named("dart", model, forces), set())
            self.assertEqual(self.named("dart", model, "tip_jacobian"), {"jacobian/link_axes"})
        self.assertEqual(self.named("dart", "ur5", "center_of_mass"), {"whole/with_ground"})

    def test_bullet(self):
        self.assert_agrees("bullet")
        self.assertEqual(self.named("bullet", "ur5", "forward_dynamics,inverse_mass_matrix"), set())
        # The frame of a link is at its centre of mass. That of the UR5's last link is where its origin is.
        self.assertEqual(self.named("bullet", "ur5", "tip_jacobian"), {"twist_order/linear_first"})
        self.assertEqual(self.named("bullet", "ur5", "link_positions"), {"link_positions/center_of_mass"})
        base, balls = {"base_velocity/center_of_mass_angular_first"}, {"ball_velocity/principal_axes"}
        for model, rates in (("quadruped", base), ("two_balls", balls)):
            for quantity in ("inverse_mass_matrix", "forward_dynamics"):
                self.assertEqual(self.named("bullet", model, quantity), rates)
            self.assertEqual(self.named("bullet", model, "link_rotations"), {"links/inertial_frames"})
            self.assertEqual(self.named("bullet", model, "link_twists"), rates | {"links/inertial_frames"})
            jacobian = {"twist_order/linear_first", "jacobian/center_of_mass"}
            self.assertEqual(self.named("bullet", model, "tip_jacobian"), rates | jacobian)

    def test_simbody(self):
        self.assert_agrees("simbody")
        code, _, causes = self.check("simbody", "ur5", "--states", 5, "--only", "bias,inverse_dynamics", raw=True)
        self.assertEqual((code, causes), (1, {"external_forces/world_axes"}))
        self.assertEqual(self.named("simbody", "ur5", "tip_jacobian,mass_matrix,forward_dynamics"), set())
        self.assertEqual(self.named("simbody", "ur5", "link_twists"), {"twists/world_axes"})
        self.assertEqual(self.named("simbody", "ur5", "center_of_mass"), {"whole/with_ground"})
        base = {"base_velocity/world_angular_first"}
        for quantities in ("mass_matrix,inverse_dynamics", "forward_dynamics,inverse_mass_matrix", "tip_jacobian", "momentum"):
            self.assertEqual(self.named("simbody", "quadruped", quantities), base)
        self.assertEqual(self.named("simbody", "quadruped", "link_twists"), base | {"twists/world_axes"})
        self.assertEqual(self.named("simbody", "two_balls", "mass_matrix"), {"ball_velocity/parent_axes"})


if __name__ == "__main__":
    unittest.main()
