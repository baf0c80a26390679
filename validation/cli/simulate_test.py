"""Drives `simulate` of the built command line: motions of known laws, every refusal, and what it leaves on the disk.

usage: simulate_test.py PROGRAM     where `PROGRAM simulate --model ... --state ... --duration ...` is the command
"""
import csv
import json
import math
import os
import pty
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import andrews
import numpy as np
from rounding import assert_copies_agree

PROGRAM = [sys.argv.pop(1)] if len(sys.argv) > 1 else sys.exit(__doc__)
U = 2.0**-53
MACHINES = Path(__file__).resolve().parents[1] / "motion" / "machines"

MASS, ARM, INERTIA, G = 1.3, 0.4, 0.07, 9.81
PENDULUM = f"""<robot name="pendulum"><link name="ground"/>
  <link name="bob"><inertial><origin xyz="0 0 -{ARM}"/><mass value="{MASS}"/>
    <inertia ixx="{INERTIA}" ixy="0" ixz="0" iyy="{INERTIA}" iyz="0" izz="{INERTIA}"/></inertial></link>
  <joint name="hinge" type="continuous"><parent link="ground"/><child link="bob"/><axis xyz="0 1 0"/></joint></robot>"""
STONE_CENTER, STONE_INERTIA = np.array([0.1, -0.2, 0.3]), np.array(
    [[0.3, 0.02, 0.01], [0.02, 0.4, -0.03], [0.01, -0.03, 0.2]]
)
STONE = """<robot name="stone"><link name="stone"><inertial><origin xyz="0.1 -0.2 0.3"/><mass value="3"/>
  <inertia ixx="0.3" ixy="0.02" ixz="0.01" iyy="0.4" iyz="-0.03" izz="0.2"/></inertial></link></robot>"""
COMMA = PENDULUM.replace('"hinge"', '"a,b"')
SWING = {"q": [2.0], "qd": [0.5]}
FLIGHT = {
    "base": {"position": [0.3, -0.1, 0.7], "quaternion_xyzw": [0.1, -0.5, 0.7, 0.5]},
    "q": [],
    "qd": [0.9, -1.3, 0.7, 0.4, -0.2, 0.8],
    "gravity": [0, 0, 0],
}
PIN = {
    "loops": [{"name": "pin", "joint": "revolute", "first": {"link": "left_tip"}, "second": {"link": "right_tip"}}],
    "held": ["left_drive", "right_drive"],
}
CRANKS = {"q": [0.3, 0.6, 0.9, 1.2], "qd": [1, 0, 1, 0]}


BARS = """<robot name="bars"><link name="ground"/>
  <link name="left"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="0" ixy="0" ixz="0" iyy="{0}" iyz="0" izz="{0}"/></inertial></link>
  <link name="right"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="0" ixy="0" ixz="0" iyy="{0}" iyz="0" izz="{0}"/></inertial></link>
  <link name="coupler"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="0" ixy="0" ixz="0" iyy="{0}" iyz="0" izz="{0}"/></inertial></link>
  <joint name="a" type="continuous"><parent link="ground"/><child link="left"/><axis xyz="0 0 1"/></joint>
  <joint name="b" type="continuous"><parent link="ground"/><child link="right"/><origin xyz="1 0 0"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="c" type="continuous"><parent link="left"/><child link="coupler"/><origin xyz="1 0 0"/>
    <axis xyz="0 0 1"/></joint></robot>""".format(1 / 12)
BARS_PIN = {
    "loops": [
        {
            "name": "pin",
            "joint": "revolute",
            "first": {"link": "coupler", "position": [1, 0, 0]},
            "second": {"link": "right", "position": [1, 0, 0]},
        }
    ]
}
BLOCK = """<link name="{0}"><inertial><mass value="{1}"/>
  <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="{0}" type="prismatic"><parent link="ice"/><child link="{0}"/><axis xyz="1 0 0"/>
  <limit lower="-9" upper="9" effort="9" velocity="9"/></joint>"""
BLOCKS = '<robot name="blocks"><link name="ice"/>' + BLOCK.format("large", 3) + BLOCK.format("small", 1) + "</robot>"
GLUE = {"loops": [{"name": "glue", "joint": "fixed", "first": {"link": "large"}, "second": {"link": "small"}}]}


DOOR = PENDULUM.replace("continuous", "revolute").replace("<axis", '<limit lower="0" upper="2.5" effort="1"/><axis')


def rotation(q):
    """The matrix of a quaternion x y z w."""
    x, y, z, w = q / np.linalg.norm(q)
    v = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * v + 2 * v @ v


class Simulate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name, text in (
            ("pendulum", PENDULUM),
            ("stone", STONE),
            ("comma", COMMA),
            ("bars", BARS),
            ("blocks", BLOCKS),
            ("door", DOOR),
        ):
            (self.folder / f"{name}.urdf").write_text(text)
        for name, value in (("pin", PIN), ("bars_loops", BARS_PIN), ("swing", SWING)):
            (self.folder / f"{name}.json").write_text(json.dumps(value))

    def path(self, name):
        return str(self.folder / name)

    def run_it(self, model, state, duration, *options):
        given = state if isinstance(state, bytes) else json.dumps(state).encode()
        model = self.path(model) if model.endswith(".urdf") else model
        return subprocess.run(
            [*PROGRAM, "simulate", "--model", model, "--state", "-", "--duration", str(duration), *map(str, options)],
            input=given,
            capture_output=True,
            timeout=120,
            check=False,
        )

    def rows(self, model, state, duration, *options):
        """The description and the rows of a simulation that must succeed, from JSON lines."""
        done = self.run_it(model, state, duration, *options)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        first, *rest, self.end = map(json.loads, done.stdout.decode().splitlines())
        self.assertEqual(self.end["end"]["how"], "complete")
        return first, rest

    def table(self, model, state, duration, *options):
        """The columns of a simulation that must succeed, from a table."""
        file = self.path("trajectory.csv")
        done = self.run_it(model, state, duration, "--output", file, *options)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertEqual(done.stdout, b"")
        with open(file, newline="", encoding="utf-8") as text:
            *lines, end = text
        names, *rows = csv.reader(lines)
        self.end = json.loads(end.removeprefix("# "))
        self.assertEqual(self.end["end"]["how"], "complete")
        self.summary = done.stderr.decode()
        return dict(zip(names, np.array(rows, dtype=float).T))

    def refused(self, pieces, *arguments):
        done = self.run_it(*arguments)
        text = done.stderr.decode()
        self.assertNotEqual(done.returncode, 0, text)
        self.assertEqual(done.stdout, b"")
        self.assertEqual(text.count("\n"), 1, text)
        for piece in pieces:
            self.assertIn(piece, text)

    # Laws.

    def test_energies_of_a_pendulum_are_those_of_a_textbook_and_are_kept(self):
        error = {}
        for method, steps in (("rk4", (0.02, 0.01)), ("variational", (0.02, 0.01))):
            for step in steps:
                x = self.table("pendulum.urdf", SWING, 10, "--step", step, "--integrator", method)
                kinetic = (INERTIA + MASS * ARM**2) / 2 * x["qd.hinge"] ** 2
                potential = -MASS * G * ARM * np.cos(x["q.hinge"])
                bound = 100 * U * (MASS * G * ARM + kinetic.max())
                self.assertLessEqual(abs(kinetic - x["kinetic_energy"]).max(), bound)
                self.assertLessEqual(abs(potential - x["potential_energy"]).max(), bound)
                self.assertLessEqual(abs(kinetic + potential - x["energy"]).max(), 2 * bound)
                error[method, step] = abs(kinetic + potential - (kinetic + potential)[0]).max()
                self.assertIn(f"energy: {x['energy'][0]:.6g} J at first", self.summary)
        # Half the step makes the error 2^order as small; halfway to the next lower order lies the limit.
        self.assertGreater(error["rk4", 0.02] / error["rk4", 0.01], 2**3.5)
        self.assertGreater(error["variational", 0.02] / error["variational", 0.01], 2**1.5)

    def test_momentum_of_a_thrown_stone_is_that_of_a_textbook_and_is_kept(self):
        x = self.table("stone.urdf", FLIGHT, 2, "--floating-base", "--integrator", "variational")
        column = lambda *names: np.array([x[name] for name in names]).T
        position = column(*(f"q.base.p{axis}" for axis in "xyz"))
        R = np.array([rotation(q) for q in column(*(f"q.base.q{axis}" for axis in "xyzw"))])
        turn = column(*(f"qd.base.a{axis}" for axis in "xyz"))
        velocity = column(*(f"qd.base.l{axis}" for axis in "xyz")) + np.cross(turn, STONE_CENTER)
        turned = lambda v: np.einsum("tij,tj->ti", R, v)
        linear = 3 * turned(velocity)
        angular = turned(turn @ STONE_INERTIA) + np.cross(position + turned(np.tile(STONE_CENTER, (len(R), 1))), linear)
        size = max(abs(linear).max(), abs(angular).max())
        found = column(*(f"{kind}_momentum.{axis}" for kind in ("linear", "angular") for axis in "xyz"))
        self.assertLessEqual(abs(found - np.hstack([linear, angular])).max(), 600 * U * size)
        # Each of 2000 steps may round off as much.
        self.assertLessEqual(abs(found - found[0]).max(), 2000 * 600 * U * size)

    def test_a_five_bar_drifts_open_unless_it_is_projected_or_stepped_variationally(self):
        options = ("--loops", self.path("pin.json"), "--assemble", "--step", "0.002")
        found = {}
        for name, more in (
            ("none", ("--stabilisation", "none")),
            ("baumgarte", ("--stabilisation", "baumgarte")),
            ("rates", ("--stabilisation", "rates")),
            ("project", ()),
            ("radau", ("--integrator", "radau")),
            ("variational", ("--integrator", "variational")),
        ):
            found[name] = self.table("five_bar", CRANKS, 4, *options, *more)
            self.assertIn(f"loops: open by at most {found[name]['violation'].max():.3g} (m or rad)", self.summary)
        rounding = 400 * U
        speed = max(abs(found["none"][name]).max() for name in found["none"] if name.startswith("qd."))
        for name in ("project", "radau", "variational"):
            self.assertLessEqual(found[name]["violation"].max(), rounding)
            self.assertLessEqual(found[name]["violation_rate"].max(), rounding * speed)
        self.assertLessEqual(found["rates"]["violation_rate"].max(), rounding * speed)
        self.assertGreater(found["none"]["violation_rate"].max(), rounding * speed)
        half = found["none"]["t"] < 2
        self.assertGreater(found["none"]["violation"].max(), 2 * found["none"]["violation"][half].max())
        self.assertLess(found["baumgarte"]["violation"].max(), 2 * found["baumgarte"]["violation"][half].max())
        self.assertGreater(found["none"]["violation"].max(), found["rates"]["violation"].max())
        self.assertGreater(found["rates"]["violation"].max(), rounding)

    def test_geared_blocks_move_as_one_of_their_reduced_mass(self):
        # Pushed with 8 N are 3 kg, and 1 kg that goes twice as far the other way: 3 + 2^2 kg in all.
        mimic = '<mimic joint="large" multiplier="-2" offset="0.5"/></joint></robot>'
        (self.folder / "geared.urdf").write_text(BLOCKS.replace("</joint></robot>", mimic))
        state = {"q": [0, 0.5], "qd": [0, 0], "tau": [8, 0]}
        steps = 100
        for integrator in ("rk4", "radau", "variational"):
            with self.subTest(integrator):
                options = ("--with", "mimic", "--step", 1 / steps, "--integrator", integrator)
                found = self.table("geared.urdf", state, 1, *options)
                t = found["t"]
                rounding = 100 * steps * U
                self.assertLessEqual(abs(found["q.large"] - 4 / 7 * t**2).max(), rounding)
                self.assertLessEqual(abs(found["q.small"] - 0.5 + 8 / 7 * t**2).max(), rounding)
                self.assertLessEqual(abs(found["qd.small"] + 16 / 7 * t).max(), rounding)
                self.assertLessEqual(found["violation"].max(), rounding)
        first, _ = self.rows("geared.urdf", state, 0.1, "--with", "mimic")
        self.assertEqual((first["loops"], first["rank"]), ("--with mimic", 1))
        self.refused(["'small' is open by 0.5 m", "--assemble"], "geared.urdf", {**state, "q": [0, 0]}, 1, "--with", "mimic")

    def test_a_force_that_grows_with_time_moves_a_hinge_by_its_cube(self):
        # J qdd = a t, so q = a t^3 / 6 J: a polynomial that Runge-Kutta of order 4 follows without error.
        J, a = INERTIA + MASS * ARM**2, 0.8
        at_rest = {"q": [0], "qd": [0], "gravity": [0, 0, 0]}
        (self.folder / "ramp.csv").write_text(f"t,tau.hinge\r\n-1,{-a}\r\n\r\n 0.5, {0.5 * a}\n3,{3 * a}\n")
        (self.folder / "ramp.jsonl").write_text(f'{{"t": 0, "tau": [0]}}\n{{"t": 2, "tau": [{2 * a}]}}\n')
        for name in ("ramp.csv", "ramp.jsonl"):
            x = self.table("pendulum.urdf", at_rest, 2, "--torque", self.path(name), "--step", "0.1")
            bound = 20 * 100 * U * a * 2**3 / J
            self.assertLessEqual(abs(x["q.hinge"] - a * x["t"] ** 3 / (6 * J)).max(), bound)
        x = self.table(
            "pendulum.urdf",
            at_rest,
            2,
            "--torque",
            self.path("ramp.csv"),
            "--step",
            "0.1",
            "--integrator",
            "variational",
        )
        # The trapezoidal rule for the impulse is exact here.
        self.assertLessEqual(abs(x["qd.hinge"] - a * x["t"] ** 2 / (2 * J)).max(), bound)

    def test_a_table_may_say_how_many_forces_it_has(self):
        state = {"q": [0.3, -0.2], "qd": [0.5, 0.1]}
        found = []
        for header in ("t,tau.joint_1,tau.joint_2", "t,tau[2]"):
            (self.folder / "tau.csv").write_text(header + "\n0,0.1,0.2\n1,0.3,-0.4\n")
            found.append(self.rows("park_2r", state, 1, "--torque", self.path("tau.csv"))[1])
        self.assertEqual(*found)

    def test_a_table_of_constant_forces_is_the_tau_of_the_state(self):
        (self.folder / "tau.jsonl").write_text('{"t": 0, "tau": [0.7]}\n{"t": 1, "tau": [0.7]}\n')
        for method in ("rk4", "radau", "variational"):
            held = self.rows("pendulum.urdf", SWING | {"tau": [0.7]}, 1, "--integrator", method)[1]
            table = self.rows("pendulum.urdf", SWING, 1, "--integrator", method, "--torque", self.path("tau.jsonl"))[1]
            self.assertEqual(*([row | {"work": 0, "imbalance": 0} for row in rows] for rows in (held, table)))
            self.assertNotEqual(held, self.rows("pendulum.urdf", SWING, 1, "--integrator", method)[1])

    def test_both_methods_and_external_wrenches_agree_in_the_limit(self):
        state = {"q": [0.3, -0.2], "qd": [0.5, 0.1], "external_wrenches": {"link_2": [0.3, -0.1, 0.2, 1, 2, -1]}}
        end = {}
        for method, step in (("rk4", 0.001), ("variational", 0.002), ("variational", 0.001)):
            end[method, step] = np.array(
                self.rows("park_2r", state, 0.5, "--integrator", method, "--step", step)[1][-1]["state"]["q"]
            )
        far = abs(end["variational", 0.002] - end["rk4", 0.001]).max()
        self.assertGreater(far / abs(end["variational", 0.001] - end["rk4", 0.001]).max(), 2**1.5)

    # The output.

    def test_a_row_can_be_given_to_compute(self):
        first, rows = self.rows("aerial_manipulator", self.drawn("aerial_manipulator"), 0.01)
        self.assertIn("quaternions", first["conventions"])
        done = subprocess.run(
            [*PROGRAM, "compute", "--model", "aerial_manipulator", "--state", "-"],
            input=json.dumps(rows[-1]["state"] | {"gravity": first["gravity"]}).encode(),
            capture_output=True,
            check=True,
        )
        again = json.loads(done.stdout)
        for key in ("kinetic_energy", "potential_energy"):
            assert_copies_agree(again[key], rows[-1][key])
        assert_copies_agree(again["momentum"]["linear"], rows[-1]["linear_momentum"])
        assert_copies_agree(again["momentum"]["angular"], rows[-1]["angular_momentum"])

    def drawn(self, model):
        """A state at rest, from the names that a refusal lists."""
        done = subprocess.run(
            [*PROGRAM, "compute", "--model", model, "--state", "-"],
            capture_output=True,
            check=False,
            input=json.dumps(FLIGHT | {"q": {"": 0}, "qd": {}}).encode(),
        )
        names = [name.strip("'") for name in json.loads(done.stdout)["error"].split("there are ")[1].rstrip(".").split(", ")]
        return FLIGHT | {"q": {name: 0.1 * k for k, name in enumerate(names)}, "qd": FLIGHT["qd"] + [0.3] * len(names)}

    def test_table_and_lines_say_the_same(self):
        table = self.table("stone.urdf", FLIGHT, 0.01, "--floating-base")
        _, rows = self.rows("stone.urdf", FLIGHT, 0.01, "--floating-base")
        self.assertEqual(
            list(table)[:9],
            ["t", *(f"q.base.{part}" for part in ("px", "py", "pz", "qx", "qy", "qz", "qw")), "qd.base.ax"],
        )
        for k, row in enumerate(rows):
            base = row["state"]["base"]
            self.assertEqual(
                [column[k] for column in table.values()],
                [
                    row["t"],
                    *base["position"],
                    *base["quaternion_xyzw"],
                    *row["state"]["qd"],
                    row["kinetic_energy"],
                    row["potential_energy"],
                    row["energy"],
                    row["work"],
                    row["imbalance"],
                    *row["angular_momentum"],
                    *row["linear_momentum"],
                ],
            )

    def test_steps_fill_the_duration_and_the_last_one_is_written(self):
        first, rows = self.rows("pendulum.urdf", SWING, 1, "--step", "0.3", "--every", "3")
        self.assertEqual((first["step"], first["steps"]), (0.25, 4))
        self.assertEqual([row["t"] for row in rows], [0, 0.75, 1])
        self.assertEqual(self.rows("pendulum.urdf", SWING, 0.3, "--step", "0.1")[0]["steps"], 3)

    def test_no_time_gives_the_state_itself(self):
        _, rows = self.rows("pendulum.urdf", SWING, 0)
        self.assertEqual([(row["t"], row["state"]) for row in rows], [(0, SWING)])

    def test_what_is_not_read_is_said(self):
        first, _ = self.rows("pendulum.urdf", SWING | {"qdd": [1]}, 0)
        self.assertTrue(any("qdd of the state is not read" in warning for warning in first["warnings"]))

    def test_a_comma_in_a_name_does_not_split_a_column(self):
        self.assertEqual(list(self.table("comma.urdf", SWING, 0))[:3], ["t", "q.a,b", "qd.a,b"])

    def test_a_run_that_fails_leaves_what_was_right(self):
        file = self.folder / "kept.jsonl"
        file.write_text("as it was")
        far = ("park_2r", {"q": [0.3, -0.2], "qd": [50, -80]}, 5, "--integrator", "variational", "--step", "0.5")
        pieces = ["the simulation stops after t = 0.5 s", "a variational step of 0.5", "take a shorter step"]
        self.refused([*pieces, f"until then is in {file}.partial."], *far, "--output", file)
        self.assertEqual(file.read_text(), "as it was")
        _, *rows, end = map(json.loads, (self.folder / "kept.jsonl.partial").read_text().splitlines())
        self.assertEqual([row["t"] for row in rows], [0, 0.5])
        self.assertEqual((end["end"]["how"], end["end"]["t"]), ("failed", 0.5))
        self.assertIn("take a shorter step", end["end"]["reason"])
        self.assertEqual(sorted(path.name for path in self.folder.glob("kept*")), ["kept.jsonl", "kept.jsonl.partial"])
        done = self.run_it(*far)
        left = (self.folder / "kept.jsonl.partial").read_text()
        self.assertEqual((done.returncode, done.stdout.decode()), (1, left))

    def test_an_interrupted_run_leaves_what_was_right(self):
        for kind in (signal.SIGINT, signal.SIGTERM):
            file = self.folder / "long.csv"
            arguments = ["--model", self.path("pendulum.urdf"), "--state", self.path("swing.json"), "--duration", "1e3"]
            arguments += ["--step", "1e-4", "--every", "100", "--output", file]
            run = subprocess.Popen([*PROGRAM, "simulate", *arguments], stderr=subprocess.PIPE)
            growing = lambda: [*self.folder.glob("long.csv.partial-*")]
            while not growing() or growing()[0].stat().st_size < 10000:
                time.sleep(0.01)
            run.send_signal(kind)
            _, text = run.communicate(timeout=60)
            self.assertEqual(run.returncode, 1)
            self.assertIn("it was interrupted. What was found until then is in", text.decode())
            self.assertFalse(file.exists() or growing())
            *rows, end = (self.folder / "long.csv.partial").read_text().splitlines()
            self.assertGreater(len(rows), 20)
            self.assertEqual(json.loads(end.removeprefix("# "))["end"]["how"], "interrupted")
            (self.folder / "long.csv.partial").unlink()

    # The account of energy.

    def test_work_explains_the_energy(self):
        J, a = INERTIA + MASS * ARM**2, 0.8
        at_rest = {"q": [0], "qd": [0], "gravity": [0, 0, 0]}
        (self.folder / "ramp.csv").write_text(f"t,tau.hinge\n0,0\n2,{2 * a}\n")
        x = self.table("pendulum.urdf", at_rest, 2, "--torque", self.path("ramp.csv"), "--step", "0.01")
        work = a**2 * x["t"] ** 4 / (8 * J)
        # The power is a cubic, which four points know but for rounding: so is the work from the fourth on.
        self.assertLessEqual(abs(x["work"] - work)[3:].max(), 200 * 100 * U * work[-1])
        end = self.end["end"]
        self.assertLessEqual(end["imbalance"], end["bound"])
        self.assertGreater(work[-1], 1e4 * end["bound"])
        wrench = {"q": [0.3, -0.2], "qd": [0.5, 0.1], "external_wrenches": {"link_2": [0.3, -0.1, 0.2, 1, 2, -1]}}
        _, rows = self.rows("park_2r", wrench, 1)
        self.assertLessEqual(self.end["end"]["imbalance"], self.end["end"]["bound"])
        self.assertGreater(abs(rows[-1]["work"]), 1e4 * self.end["end"]["bound"])

    def test_a_block_on_a_spring_with_a_rotor_and_a_damper_swings_as_in_a_textbook(self):
        # 3 kg and a rotor that adds 1 kg: (m + a) x'' = -c x' - k (x - x0).
        inertia, damping, stiffness, rest = 3 + 1, 0.8, 100.0, 0.2
        elements = [
            {"name": "s", "type": "joint_spring", "joint": "large", "stiffness": stiffness, "rest": rest},
            {"name": "c", "type": "friction", "joint": "large", "viscous": damping},
            {"name": "a", "type": "rotor", "joint": "large", "inertia": 1},
        ]
        Path(self.path("forces.json")).write_text(json.dumps({"forces": elements}))
        state = {"q": [0.5, 0], "qd": [0, 0], "gravity": [0, 0, 0]}
        decay = damping / (2 * inertia)
        rate = np.sqrt(stiffness / inertia - decay**2)
        swing = lambda t: rest + 0.3 * np.exp(-decay * t) * (np.cos(rate * t) + decay / rate * np.sin(rate * t))
        speed = lambda t: -0.3 * stiffness / inertia / rate * np.exp(-decay * t) * np.sin(rate * t)
        energy_of = lambda x, v: inertia / 2 * v**2 + stiffness / 2 * (x - rest) ** 2
        for options in ("--step", 1e-3), ("--step", 0.1, "--tolerance", 1e-11):
            got = self.table("blocks.urdf", state, 3, "--loops", self.path("forces.json"), *options)
            t = got["t"]
            if "--tolerance" in options:
                # A displacement of 1 becomes one of 1 at most, and a rate of 1 one of 1 / rate.
                error = 10 * 1e-11 * (1 + decay / rate + max(1, abs(got["qd.large"]).max()) / rate)
                self.assertLessEqual(abs(got["q.large"] - swing(t)).max(), error)
            else:
                # On a linear equation a step is the exponential's series up to the fourth power.
                A = 1e-3 * np.array([[0, 1], [-stiffness / inertia, -damping / inertia]])
                size = 1e-3 * (np.sqrt(stiffness / inertia) + damping / inertia)  # of A, by the energy
                step = sum(np.linalg.matrix_power(A, k) / math.factorial(k) for k in range(5))
                x = [np.array([0.3, 0])]
                while len(x) < len(t):
                    x.append(step @ x[-1])
                x = rest + np.array(x)[:, 0]
                self.assertLessEqual(abs(got["q.large"] - x).max(), len(t) * 100 * U * 0.5)
                self.assertLessEqual(abs(x - swing(t)).max(), len(t) * size**5 / 120 * np.exp(size) * 0.3)
            # What the damper has taken is what the swing has lost, the rotor's energy included.
            energy = energy_of(got["q.large"], got["qd.large"])
            self.assertLessEqual(abs(got["energy"] - energy).max(), 200 * U * energy[0])
            bound = self.end["end"]["bound"]
            self.assertLessEqual(abs(got["work"] - (energy_of(swing(t), speed(t)) - energy[0])).max(), bound)
            self.assertLess(got["work"][-1], -0.4 * energy[0])
            self.assertLess(bound, 1e-4 * -got["work"][-1])

    def test_andrews_mechanism_moves_as_the_test_set_says(self):
        published = {
            "beta": 15.81077119629904,
            "theta": -15.75637105984298,
            "gamma": 0.04082224013073101,
            "phi": -0.5347301163226948,
            "delta": 0.5244099658805304,
            "omega": 0.5347301163226948,
            "epsilon": 1.048080741042263,
        }
        start = json.loads((MACHINES / "andrews_start.json").read_text())
        state = json.dumps(start).encode()
        machine = str(MACHINES / "andrews.urdf")
        loops = ("--loops", MACHINES / "andrews_loops.json", "--step", 0.003, "--tolerance")
        coarse, got = (self.table(machine, state, 0.03, *loops, tolerance) for tolerance in (1e-9, 1e-11))
        rough, better, truth = (andrews.angles(start["q"], 0.03, steps) for steps in (60, 90, 120))
        for name, angle in published.items():
            end = got[f"q.{name}"][-1]
            # Either is as good as its own refinement says; together they have twelve digits of the largest angle.
            error = abs(end - coarse[f"q.{name}"][-1]) + abs(rough[name] - better[name]) + abs(better[name] - truth[name])
            self.assertLessEqual(abs(end - truth[name]), error, name)
            self.assertLessEqual(abs(end - truth[name]), 1e-12 * published["beta"], name)
            self.assertLessEqual(abs(truth[name] - angle), 1e-10 * published["beta"], name)  # what was printed has ten

    def test_a_variational_step_may_be_as_short_as_rounding_lets_it(self):
        state = json.loads((MACHINES / "andrews_start.json").read_text())
        loops = ("--loops", MACHINES / "andrews_loops.json", "--integrator", "variational")
        ends = [self.table(str(MACHINES / "andrews.urdf"), state, 2e-5, *loops, "--step", step) for step in (1e-5, 1.6e-6, 1e-7)]
        errors = [abs(end["qd.beta"][-1] - ends[-1]["qd.beta"][-1]) for end in ends[:2]]
        self.assertLess(errors[1], errors[0] / 10)

    def test_a_stiff_governor_ends_where_its_reduced_equations_do(self):
        # As radau_test.cpp has them, from two degrees of freedom by hand.
        ends = {"turn": 55.935409909102379, "lift": 0.11962291706136551, "left": 1.1807226249502514}
        ends["right"] = ends["left"]
        state = json.loads((MACHINES / "a05_start.json").read_text())
        machine, springs = str(MACHINES / "a05.urdf"), ("--loops", MACHINES / "a05_loops.json")
        for steps in (("--step", 0.005), ("--step", 0.1, "--tolerance", 1e-6)):
            got = self.table(machine, state, 10, *springs, "--integrator", "radau", *steps)
            for name, end in ends.items():
                self.assertLess(abs(got[f"q.{name}"][-1] - end), 1e-9, name)
        self.assertIn("steps by radau within 1e-06", self.summary)
        # Explicit steps of a fifth of the length do not get far, and the refusal knows why.
        why = ["likely reason is stiffness: something settles within 0.00012 s", "--integrator radau does not"]
        self.refused(["stops after t = 0.00", "a shorter --step may help", *why], machine, state, 10, *springs,
                     "--output", self.path("explicit.csv"))

    def test_friction_stops_a_block_and_lets_it_creep(self):
        # A block of 1 kg is pulled by its weight; it creeps as fast as the smoothed friction holds that.
        friction, width, tolerance = 50.0, 1e-3, 1e-6
        brake = {"name": "f", "type": "friction", "joint": "small", "coulomb": friction, "width": width}
        Path(self.path("forces.json")).write_text(json.dumps({"forces": [brake]}))
        state = {"q": [0, 0], "qd": [0, 2.0], "gravity": [-9.81, 0, 0]}
        steps = {}
        for method in ("rk4", "radau"):
            options = ("--integrator", method, "--step", 0.01, "--tolerance", tolerance)
            got = self.table("blocks.urdf", state, 1, "--loops", self.path("forces.json"), *options)
            steps[method] = int(self.summary.split()[1])
            np.testing.assert_allclose(got["t"], np.arange(101) / 100, rtol=4 * U)
            creep = -width * 9.81 / np.sqrt(friction**2 - 9.81**2)
            self.assertLess(abs(got["qd.small"][10:] - creep).max(), tolerance)
            self.assertLessEqual(self.end["end"]["imbalance"], 100 * self.end["end"]["bound"])
        self.assertLess(10 * steps["radau"], steps["rk4"])

    def test_a_variational_step_of_a_block_on_a_spring_is_the_leapfrog(self):
        # With the rate v of the step: m v = p - h/2 (k x + c v), x' = x + h v, p' = m v - h/2 (k x' + c v).
        inertia, damping, stiffness, h, steps = 3 + 1, 0.8, 100.0, 2.0**-6, 300
        spring = {"name": "s", "type": "joint_spring", "joint": "large", "stiffness": stiffness}
        rotor = {"name": "a", "type": "rotor", "joint": "large", "inertia": 1}
        damper = {"name": "c", "type": "friction", "joint": "large", "viscous": damping}
        state = {"q": [0.5, 0], "qd": [0, 0], "gravity": [0, 0, 0]}
        for c, elements in ((0, [spring, rotor]), (damping, [spring, rotor, damper])):
            Path(self.path("forces.json")).write_text(json.dumps({"forces": elements}))
            options = ("--loops", self.path("forces.json"), "--integrator", "variational", "--step", h)
            got = self.table("blocks.urdf", state, steps * h, *options)
            x, p = [0.5], [0.0]
            for _ in range(steps):
                v = (p[-1] - h / 2 * stiffness * x[-1]) / (inertia + h / 2 * c)
                x.append(x[-1] + h * v)
                p.append(inertia * v - h / 2 * (stiffness * x[-1] + c * v))
            # The step is linear and no state grows by it: each rounds off as much as the solver of its equation may.
            bound = steps * 100 * 2 * U
            self.assertLessEqual(abs(got["q.large"] - x).max(), bound * 0.5)
            self.assertLessEqual(abs(got["qd.large"] - np.array(p) / inertia).max(), bound * 0.5 * (stiffness / inertia) ** 0.5)
            if c == 0:  # a swing whose rate the step alone changes: cos(w h) = 1 - k h^2 / 2 m
                self.assertLessEqual(abs(0.5 * np.cos(np.arange(steps + 1) * np.arccos(1 - stiffness * h**2 / 2 / inertia))
                                         - x).max(), bound)
            self.assertLessEqual(self.end["end"]["imbalance"], self.end["end"]["bound"])

    def test_bars_in_a_line_are_passed_and_said(self):
        options = ("--loops", self.path("bars_loops.json"), "--output", self.path("bars.jsonl"))
        rate = -3.0
        down = {"gravity": [0, -9.81, 0]}
        state = {"q": {"a": 1.9, "b": 1.9, "c": -1.9}, "qd": {"a": rate, "b": rate, "c": -rate}} | down
        done = self.run_it("bars.urdf", state, 2, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        first, *rows, end = map(json.loads, (self.folder / "bars.jsonl").read_text().splitlines())
        self.assertEqual(first["rank"], 2)
        self.assertIn("singular positions:", done.stderr.decode())
        # Two bars of length 1 about their ends and a coupler that is carried along: one pendulum, by the same method.
        def pendulum(rate, h, duration=2):
            swing = lambda x: np.array([x[1], -9.81 * 2 / (2 / 3 + 1) * np.cos(x[0])])
            path = [np.array([1.9, rate])]
            for _ in range(round(duration / h)):
                x = path[-1]
                k1 = swing(x)
                k2 = swing(x + h / 2 * k1)
                k3 = swing(x + h / 2 * k2)
                path.append(x + h / 6 * (k1 + 2 * k2 + 2 * k3 + swing(x + h * k3)))
            return np.array(path)

        coarse, angle = pendulum(rate, 1e-3)[-1, 0], pendulum(rate, 2.5e-4)[-1, 0]
        q = rows[-1]["state"]["q"]
        self.assertLessEqual(max(abs(abs(x) - abs(angle)) for x in q), 10 * abs(angle - coarse))

        # In the line the angle is a multiple of pi. All passages are found, by short steps and by long ones, as soon as
        # a pivot, the square of a sine, is eps^(1/3) of the largest.
        loops = ("--loops", self.path("bars_loops.json"))
        for rate in (-3.0, -8.0):
            path = pendulum(rate, 2.5e-4, 3)
            turns = np.flatnonzero(np.diff(np.floor(path[:, 0] / np.pi)))
            self.assertGreater(len(turns), 2)
            state["qd"] = {"a": rate, "b": rate, "c": -rate}
            tolerances = (("--step", 0.05, "--tolerance", x) for x in (1e-6, 1e-11))
            implicit = ("--step", 0.005, "--integrator", "radau")
            for how in (("--step", 0.001), ("--step", 0.005), implicit, *tolerances):
                self.table("bars.urdf", state, 3, *loops, *how)
                times = self.end["end"]["singular_positions"]
                self.assertEqual(len(times), len(turns), (rate, how))
                for time, k in zip(times, turns):
                    self.assertLessEqual(abs(time - 2.5e-4 * (k + 0.5)), 2.5e-4 + 2 ** (-53 / 6) / abs(path[k, 1]))

        # A variational step does not pass, and says so in time.
        self.refused(["stops after t = ", "a singular position lies ahead", "rk4 does"],
                     "bars.urdf", state, 2, *options, "--integrator", "variational")

    def test_loops_that_nothing_closes_again_are_found_out(self):
        # Feet farther apart than the coupler is long, bars that swing below them and never stand in a line, where the last
        # digit of a sine would decide; steps too long for it.
        (self.folder / "apart.urdf").write_text(BARS.replace('<origin xyz="1 0 0"/>\n    <axis', '<origin xyz="1.3 0 0"/>\n    <axis', 1))
        state = {"q": {"a": -0.37, "b": -0.37, "c": 0.37}, "qd": [0, 0, 0], "gravity": [0, -9.81, 0]}
        none = ("--loops", self.path("bars_loops.json"), "--output", self.path("bars.jsonl"), "--assemble",
                "--stabilisation", "none", "--step", "0.2")
        self.refused(["likely reason is that the loops are open", "bars.jsonl.partial"], "apart.urdf", state, 4, *none)
        done = self.run_it("apart.urdf", state, 4, *none, "--ignore-imbalance")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("likely reason is that the loops are open", done.stderr.decode())
        end = json.loads((self.folder / "bars.jsonl").read_text().splitlines()[-1])["end"]
        self.assertIn("the loops are open", end["warning"])

    def test_a_variational_step_does_not_begin_in_a_line(self):
        state = {"q": [0, 0, 0], "qd": {"a": 1, "b": 1, "c": -1}, "gravity": [0, -9.81, 0]}
        self.refused(["after t = 0 s", "a singular position is here", "rk4 does"], "bars.urdf", state, 1,
                     "--loops", self.path("bars_loops.json"), "--integrator", "variational", "--output", self.path("line.csv"))

    def test_at_rest_with_bars_in_a_line_nothing_is_guessed(self):
        state = {"q": [0, 0, 0], "qd": [0, 0, 0], "gravity": [0, -9.81, 0]}
        self.refused(["after t = 0 s", "this position is singular"],
                     "bars.urdf", state, 1, "--loops", self.path("bars_loops.json"))

    def test_rates_that_are_projected_keep_their_momentum(self):
        (self.folder / "glue.json").write_text(json.dumps(GLUE))
        _, rows = self.rows("blocks.urdf", {"q": [0, 0], "qd": [8, 0], "gravity": [0, 0, 0]}, 0.01,
                            "--loops", self.path("glue.json"), "--assemble")
        self.assertLessEqual(abs(np.array(rows[0]["state"]["qd"]) - 6).max(), 200 * U * 8)
        # A rotor keeps its momentum, too: 24 N s move 3 + 1 + 2 kg.
        rotor = {"name": "rotor", "type": "rotor", "joint": "small", "inertia": 2}
        (self.folder / "geared.json").write_text(json.dumps(GLUE | {"forces": [rotor]}))
        _, rows = self.rows("blocks.urdf", {"q": [0, 0], "qd": [8, 0], "gravity": [0, 0, 0]}, 0.01,
                            "--loops", self.path("geared.json"), "--assemble")
        self.assertLessEqual(abs(np.array(rows[0]["state"]["qd"]) - 4).max(), 200 * U * 8)

    def test_a_machine_at_rest_in_its_loops_may_stay_there(self):
        # Three bars hang as a trapezium, and two stand as an arch: all rates are rounding.
        x = math.asin(0.2)
        bar = """<link name="{0}"><inertial><origin xyz="{1}"/><mass value="1"/>
          <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.02"/></inertial></link>"""
        joint = """<joint name="{0}" type="continuous"><parent link="{1}"/><child link="{0}"/><origin xyz="{2}"/>
          <axis xyz="0 1 0"/></joint>"""
        for name, bars, pin, q in (
            ("trapezium", [("a", "0 0 -0.5", "w", "0 0 0"), ("c", "0.5 0 0", "a", "0 0 -1"), ("b", "0 0 -0.5", "w", "1.4 0 0")],
             {"first": {"link": "c", "position": [1, 0, 0]}, "second": {"link": "b", "position": [0, 0, -1]}}, [-x, x, x]),
            ("arch", [("a", "0.5 0 0", "w", "0 0 0"), ("b", "-0.5 0 0", "w", "1.2 0 0")],
             {"first": {"link": "a", "position": [1, 0, 0]}, "second": {"link": "b", "position": [-1, 0, 0]}},
             [-math.acos(0.6), math.acos(0.6)]),
        ):
            links = "".join(bar.format(link, center) + joint.format(link, parent, place) for link, center, parent, place in bars)
            (self.folder / f"{name}.urdf").write_text(f'<robot name="{name}"><link name="w"/>{links}</robot>')
            (self.folder / "top.json").write_text(json.dumps(
                {"loops": [{"name": "top", "joint": "revolute", "axis": [0, 1, 0]} | pin]}))
            for method in ("rk4", "radau", "variational"):
                with self.subTest(name, method=method):
                    _, rows = self.rows(f"{name}.urdf", {"q": q, "qd": [0] * len(q)}, 1, "--step", 0.01, "--assemble",
                                        "--loops", self.path("top.json"), "--integrator", method)
                    self.assertLess(abs(np.array(rows[-1]["state"]["q"]) - q).max(), 1e-13)

    def test_a_file_is_complete_or_as_it_was(self):
        file = self.folder / "kept.jsonl"
        file.write_text("as it was")
        self.refused(["stops after t ="], "pendulum.urdf", {"q": [0], "qd": [1e200]}, 1, "--output", file)
        self.assertEqual(file.read_text(), "as it was")
        self.assertEqual([path.name for path in self.folder.glob("kept*")], ["kept.jsonl"])

    def test_plots_are_drawn_from_both_forms_and_the_same_every_time(self):
        pictures = []
        for options in (("--output", self.path("a.csv")), (), ()):
            done = self.run_it(
                "five_bar",
                CRANKS,
                0.1,
                "--loops",
                self.path("pin.json"),
                "--assemble",
                "--plot",
                self.path("plot.svg"),
                *options,
            )
            self.assertEqual(done.returncode, 0, done.stderr.decode())
            pictures.append((self.folder / "plot.svg").read_text())
        self.assertEqual(pictures[1], pictures[2])
        for picture in pictures:
            for words in ("coordinates (rad, m)", "energy (J)", "loops open (m, rad)", "time (s)"):
                self.assertIn(words, picture)
        self.run_it("pendulum.urdf", SWING, 0.1, "--plot", self.path("plot.png"))
        self.assertEqual((self.folder / "plot.png").read_bytes()[:4], b"\x89PNG")

    def test_a_terminal_sees_progress_and_a_file_does_not(self):
        (self.folder / "swing.json").write_text(json.dumps(SWING))
        master, slave = pty.openpty()
        with subprocess.Popen(
            [
                *PROGRAM,
                "simulate",
                "--model",
                self.path("pendulum.urdf"),
                "--state",
                self.path("swing.json"),
                "--duration",
                "1",
            ],
            stdout=subprocess.DEVNULL,
            stderr=slave,
        ):
            os.close(slave)
            seen = ""
            try:
                while piece := os.read(master, 1 << 16).decode():
                    seen += piece
            except OSError:  # what a terminal says when nobody writes any more
                pass
        os.close(master)
        self.assertIn("[####", seen)
        self.assertIn("t = 0.5", seen)
        self.assertNotIn("[", self.run_it("pendulum.urdf", SWING, 1).stderr.decode())

    # Refusals.

    def test_options_that_cannot_be_meant(self):
        for pieces, *options in (
            (["--step is 0 ", "positive"], "1", "--step", "0"),
            (["--step is -0.1 ", "positive"], "1", "--step=-0.1"),
            (["--step is nan"], "1", "--step", "nan"),
            (["--step is inf"], "1", "--step", "inf"),
            (["--duration is -1 ", "not below 0"], "-1"),
            (["--duration is nan"], "nan"),
            (["--duration is inf"], "inf"),
            (["1e+12 steps", "longer step"], "1e6", "--step", "1e-6"),
            (["--every is 0"], "1", "--every", "0"),
            (["'-1' is no whole number"], "1", "--every=-1"),
            (["numbers, more than 5e+07", "--every 29"], "1e5"),
            (["--integrator", "euler"], "1", "--integrator", "euler"),
            (["ends in .csv or .jsonl"], "1", "--output", "trajectory.txt"),
            (["ends in .svg, .png or .pdf"], "1", "--plot", "plot.gif"),
            (["cannot be written"], "1", "--output", "/nowhere/at/all.csv"),
            (["cannot be written"], "1", "--plot", "/nowhere/at/all.svg"),
            (["--stabilisation", "--loops"], "1", "--stabilisation", "none"),
            (["there is no such file"], "1", "--torque", "/nowhere/at/all.csv"),
        ):
            with self.subTest(options):
                self.refused(pieces, "pendulum.urdf", SWING, *options)

    def test_states_that_cannot_be_meant(self):
        for pieces, state in (
            (["standard input: qd is missing"], {"q": [0]}),
            (["prescribed is given", "leave it out"], SWING | {"prescribed": ["hinge"], "qdd": [0], "tau": [0]}),
            (["order is given", "leave it out"], SWING | {"order": 0, "tau": [0]}),
            (["standard input: the file is empty"], b""),
        ):
            with self.subTest(state):
                self.refused(pieces, "pendulum.urdf", state, 1)
        done = subprocess.run(
            [*PROGRAM, "simulate", "--model", "park_2r", "--state", self.path("none.json"), "--duration", "1"],
            capture_output=True,
            check=False,
        )
        self.assertEqual((done.returncode, done.stderr.decode().count("there is no such file")), (1, 1))

    def test_a_trajectory_never_overwrites_what_is_read(self):
        with tempfile.TemporaryDirectory() as folder:
            state, link = Path(folder) / "state.jsonl", Path(folder) / "link.jsonl"
            state.write_text('{"q": [0, 0], "qd": [0, 0]}')
            link.symlink_to(state)
            for target in (state, link):
                done = subprocess.run(
                    [*PROGRAM, "simulate", "--model", "park_2r", "--state", state, "--duration", "1", "--output", target],
                    capture_output=True,
                    check=False,
                )
                self.assertEqual((done.returncode, done.stdout), (1, b""))
                self.assertIn(f"{target}: --output would overwrite what --state reads", done.stderr.decode())
            self.assertEqual(state.read_text(), '{"q": [0, 0], "qd": [0, 0]}')

    def test_motions_that_cannot_go_on(self):
        self.refused(
            ["the simulation stops after t = 0 s", "shorter --step", "no finite number"],
            "pendulum.urdf",
            {"q": [0], "qd": [1e200]},
            1,
        )
        self.refused(
            ["the simulation stops after t = 0 s", "joint 'joint_3'", "at a singularity of its coordinates"],
            "mixed_tree",
            {"q": [0.1] * 4 + [np.pi / 2] + [0.1] * 5, "qd": [0] * 10},
            1,
        )

    def test_loops_that_are_open_contradict_or_cannot_be_closed(self):
        pin = ("--loops", self.path("pin.json"))
        self.refused(["loop 'pin' is open by", "--assemble"], "five_bar", CRANKS, 1, *pin)
        closed = self.rows("five_bar", CRANKS, 0, *pin, "--assemble")[1][0]["state"]
        self.assertEqual(self.run_it("five_bar", closed, 0, *pin).returncode, 0)
        self.refused(["loop 'pin' opens with", "--assemble"], "five_bar", closed | {"qd": [1, 1, 1, 1]}, 1, *pin)
        self.refused(
            ["--stabilisation none is for rk4", "by its own equations"],
            "five_bar",
            CRANKS,
            1,
            *pin,
            "--assemble",
            "--integrator",
            "variational",
            "--stabilisation",
            "none",
        )
        self.refused(
            ["--stabilisation baumgarte", "a step of one length", "--tolerance"],
            "five_bar",
            CRANKS,
            1,
            *pin,
            "--assemble",
            "--stabilisation",
            "baumgarte",
            "--tolerance",
            "1e-6",
        )
        far = json.loads(json.dumps(PIN))
        far["loops"][0]["first"]["position"] = [5, 0, 0]
        (self.folder / "far.json").write_text(json.dumps(far))
        self.refused(
            ["loop 'pin' cannot be closed"], "five_bar", CRANKS, 1, "--loops", self.path("far.json"), "--assemble"
        )

    def test_tolerances_that_no_step_can_keep(self):
        for tolerance, piece in ((0, "--tolerance is 0 where a positive number is needed."),
                                 ("nan", "--tolerance is nan where a positive number is needed."),
                                 ("1e-300", "--tolerance is 1e-300, but numbers in double are rounded by 2.22045e-16"),
                                 ("2e-16", "take a larger one")):
            self.refused([piece], "pendulum.urdf", SWING, 1, "--tolerance", tolerance)

    PULSE = [(0, 0), (1, 0), (1.1, 30), (1.2, 0), (1.9, 0), (2, 0)]

    def pulse_on_the_small_block(self):
        """The same force as options in two ways: a torque file, and a force element."""
        torque, forces = self.folder / "pulse.csv", self.folder / "pulse.json"
        torque.write_text("t,tau[2]\n" + "".join(f"{t},0,{f}\n" for t, f in self.PULSE))
        table = {"name": "pulse", "type": "joint_force", "joint": "small", "table": self.PULSE}
        forces.write_text(json.dumps({"forces": [table]}))
        return ("--torque", torque), ("--loops", forces)

    def test_no_row_of_a_table_is_stepped_over(self):
        still = {"q": [0, 0], "qd": [0, 0], "gravity": [0, 0, 0]}
        for pulse in self.pulse_on_the_small_block():
            for method in ("rk4", "radau"):
                for step in (0.01, 0.5, 2):
                    with self.subTest(pulse[0], method=method, step=step):
                        _, rows = self.rows("blocks.urdf", still, 2, *pulse, "--tolerance", 1e-9, "--step", step,
                                            "--integrator", method)
                        # 3 N s about t = 1.1 s on 1 kg.
                        np.testing.assert_allclose(rows[-1]["state"]["q"], (0, 2.7), rtol=0, atol=1e-9)
                        np.testing.assert_allclose(rows[-1]["state"]["qd"], (0, 3), rtol=0, atol=3e-9)
                        self.assertLess(abs(rows[-1]["work"] - 4.5), self.end["end"]["bound"])

    def test_rows_of_tables_within_equal_steps_are_told(self):
        still = {"q": [0, 0], "qd": [0, 0], "gravity": [0, 0, 0]}
        for pulse in self.pulse_on_the_small_block():
            for step, told in ((0.1, 0), (0.01, 0), (0.08, 3), (0.2, 2)):  # of 1, 1.1, 1.2 and 1.9 s
                done = self.run_it("blocks.urdf", still, 2, *pulse, "--step", step, "--ignore-imbalance")
                self.assertEqual(done.returncode, 0, done.stderr.decode())
                words = f"warning: forces from tables have {told} rows inside a step"
                self.assertEqual(words in done.stderr.decode(), told > 0, done.stderr.decode())

    def test_a_pulse_lifts_what_leans_on_a_stop(self):
        # The small block, 1 kg, is pulled against its stop by 9.81 N; the pulse rises by 300 N/s from t = 1 s on.
        weight, slope = 9.81, 300
        press = {"q": [-9, -9], "qd": [0, 0], "gravity": [-weight, 0, 0]}
        more = 0.1 - weight / slope  # s, while the force grows and is larger
        v, x = slope * more**2 / 2, slope * more**3 / 6
        x += v * 0.1 + (slope * 0.1 - weight) * 0.1**2 / 2 - slope * 0.1**3 / 6
        v += (slope * 0.1 - weight) * 0.1 - slope * 0.1**2 / 2
        landing = 1.2 + (v + math.sqrt(v**2 + 2 * weight * x)) / weight
        for pulse in self.pulse_on_the_small_block():
            _, rest = self.rows("blocks.urdf", press, 2, *pulse, "--tolerance", 1e-9, "--stops", 0)
            events = [(one["t"], one["what"]) for one in self.events(rest)[0] if one["stop"] == "small.lower"]
            self.assertEqual([what for _, what in events], ["rest", "leave", "impact", "rest"])
            expected = [0, 1.1 - more, landing, landing]
            np.testing.assert_allclose([t for t, _ in events], expected, rtol=0, atol=2e-9)

    def test_torques_without_end_are_not_read(self):
        self.refused(["/dev/zero: there are more than 100 MB"], "pendulum.urdf", SWING, 1, "--torque", "/dev/zero")

    def test_torque_files_that_cannot_be_meant(self):
        file = self.folder / "torque"
        for pieces, text in (
            (["it has no forces"], ""),
            (["it has no forces"], "t,tau.hinge\n"),
            (["line 1", "which are t,tau.hinge"], "0,1\n2,1\n"),
            (["line 1", "which are t,tau.hinge"], "t,hinge\n0,1\n2,1\n"),
            (["line 1", "which are t,tau.hinge", "or with their number, t,tau[1],"], "t,tau[2]\n0,1,1\n2,1,1\n"),
            (["line 2", "'x' is no finite number"], "t,tau.hinge\n0,x\n2,1\n"),
            (["line 2", "'nan' is no finite number"], "t,tau.hinge\n0,nan\n2,1\n"),
            (["line 3", "'' is no finite number"], "t,tau.hinge\n0,1\n2,\n"),
            (["line 2", "has 3 entries, but needs 2"], "t,tau.hinge\n0,1,2\n2,1\n"),
            (["line 2", "has 1 entry, but needs 2"], "t,tau.hinge\n0\n2,1\n"),
            (["line 4", "the time 1 s is not after 1 s"], "t,tau.hinge\n0,1\n1,1\n1,2\n"),
            (["line 3", "the time -1 s is not after 0 s"], "t,tau.hinge\n0,1\n-1,1\n"),
            (["from 0.5 s to 2 s", "from 0 s to 1 s"], "t,tau.hinge\n0.5,1\n2,1\n"),
            (["from 0 s to 0.9 s", "from 0 s to 1 s"], "t,tau.hinge\n0,1\n0.9,1\n"),
            (["line 1", "tau has 2 entries", "needs 1"], '{"t": 0, "tau": [1, 2]}\n'),
            (["line 2", "tau is missing"], '{"t": 0, "tau": [1]}\n{"t": 2}\n'),
            (["line 1", "'force'"], '{"t": 0, "force": [1]}\n'),
            (["line 1", "t is "], '{"t": "0", "tau": [1]}\n'),
            (["line 2", "not JSON"], '{"t": 0, "tau": [1]}\n2, 1\n'),
        ):
            with self.subTest(text):
                file.write_text(text)
                self.refused([str(file), *pieces], "pendulum.urdf", SWING, 1, "--torque", file)
        file.write_text("t,tau.hinge\n0,1\n2,1\n")
        self.refused(["tau is given, and --torque too"], "pendulum.urdf", SWING | {"tau": [1]}, 1, "--torque", file)

    # Stops: what is told of impacts, and that the account of the energy knows them.

    def events(self, rows):
        return [row["event"] for row in rows if "event" in row], [row for row in rows if "event" not in row]

    def test_a_pendulum_bounces_where_it_hangs(self):
        inertia, e = INERTIA + MASS * ARM**2, 0.5
        first, rest = self.rows("door.urdf", SWING, 4, "--tolerance", 1e-10, "--stops", e, "--every", 100)
        self.assertEqual(first["stops"], 1)
        events, rows = self.events(rest)
        speed = np.sqrt(SWING["qd"][0] ** 2 + 2 * MASS * G * ARM * (1 - np.cos(SWING["q"][0])) / inertia)
        lost, end = 0, self.end["end"]
        self.assertGreaterEqual(len(events), 3)
        for event in events:
            self.assertEqual((event["what"], event["stop"]), ("impact", "hinge.lower"))
            # Within ten tolerances, which speeds have over the largest one.
            np.testing.assert_allclose(event["rates"], (-speed, e * speed), rtol=0, atol=1e-9 * max(1, speed))
            self.assertLess(abs(event["impulse"] - (1 + e) * inertia * speed), 1e-9 * (1 + e) * inertia * max(1, speed))
            lost += (1 - e**2) * inertia * speed**2 / 2
            speed *= e
        self.assertEqual(end["impacts"], len(events))
        self.assertLess(abs(end["lost"] - lost), 1e-9 * lost * len(events))
        self.assertLessEqual(end["imbalance"], end["bound"])
        self.assertNotIn("limits", end)
        times = [row["t"] for row in rest if "t" in row] + [event["t"] for event in events]
        self.assertEqual(sorted(times), [row.get("t", row.get("event", {}).get("t")) for row in rest])
        self.assertTrue(all(row["state"]["q"][0] >= -1e-9 for row in rows))
        self.assertLess(abs(rows[-1]["energy"] - rows[0]["energy"] + lost), 1e-8)

    def test_in_a_table_events_are_remarks(self):
        file = self.path("door.csv")
        done = self.run_it("door.urdf", SWING, 1, "--tolerance", 1e-8, "--stops", 0, "--output", file)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        remarks = [json.loads(line[2:]) for line in Path(file).read_text().splitlines() if line.startswith("# ")]
        self.assertEqual([remark["event"]["what"] for remark in remarks[:-1]], ["impact"])
        self.assertRegex(done.stderr.decode(), "stops: 1 impacts, which took .* J")

    def test_what_leans_on_a_stop_stays_there_at_no_cost(self):
        weight = {"q": [2.5], "qd": [0], "gravity": [0, 0, 9.81]}
        _, rest = self.rows("door.urdf", weight, 2, "--tolerance", 1e-9, "--stops", 0.3, "--every", 500)
        events, rows = self.events(rest)
        self.assertEqual([(event["t"], event["what"], event["stop"]) for event in events], [(0, "rest", "hinge.upper")])
        self.assertTrue(all(row["state"] == {"q": [2.5], "qd": [0]} for row in rows))
        self.assertEqual((self.end["end"]["lost"], self.end["end"]["imbalance"]), (0, 0))

    def test_an_impact_at_the_start_is_in_the_account(self):
        # Both blocks are at a stop, and the small one, which 5 N push away, meets it with 1 m/s.
        state = {"q": [-9, -9], "qd": [0, -1], "tau": [0, 5], "gravity": [0, 0, 0]}
        stops = ("--stops", 0.5, "--tolerance", 1e-9)
        _, rest = self.rows("blocks.urdf", state, 0.15, *stops, "--step", 0.01)
        (event,), rows = self.events(rest)
        self.assertEqual((event["t"], event["rates"], event["impulse"]), (0, [-1, 0.5], 1.5))
        for row in rows:
            v, t = row["state"]["qd"][1], row["t"]
            self.assertLess(abs(v - (0.5 + 5 * t)), 1e-9)
            self.assertLess(abs(row["work"] - (5 * (0.5 * t + 2.5 * t**2) - 0.375)), 1e-9)
        _, rest = self.rows("blocks.urdf", state, 0, *stops)
        _, (row,) = self.events(rest)
        self.assertEqual((row["state"]["qd"], row["work"], row["imbalance"]), ([0, 0.5], -0.375, 0))

    def test_a_start_within_rounding_of_a_stop_is_on_it(self):
        urdf = BLOCKS.replace('lower="-9"', 'lower="0"')
        (self.folder / "floor.urdf").write_text(urdf)
        state = {"q": [-1e-16, 1e-16], "qd": [0, 0], "gravity": [-9.81, 0, 0]}
        _, rest = self.rows("floor.urdf", state, 2, "--stops", 0.5, "--tolerance", 1e-9, "--step", 0.01)
        events, rows = self.events(rest)
        self.assertEqual([(one["t"], one["what"]) for one in events], [(0, "rest")] * 2)
        self.assertTrue(all(row["state"] == {"q": [0, 0], "qd": [0, 0]} for row in rows))

    def test_joints_that_leave_their_ranges_are_told(self):
        _, rows = self.rows("door.urdf", SWING, 4)
        (limit,) = self.end["end"]["limits"]
        self.assertEqual((limit["joint"], limit["limit"], limit["value"]), ("hinge", "lower", 0))
        beyond = next(row["t"] for row in rows if row["state"]["q"][0] < 0)
        self.assertEqual(limit["t"], beyond)
        done = self.run_it("door.urdf", SWING, 4)
        self.assertIn("warning: joint 'hinge' passes its lower limit 0 by t =", done.stderr.decode())

    def test_blocks_meet_at_a_plane_that_one_of_them_carries(self):
        faces = {"name": "faces", "type": "plane", "point": {"link": "large", "position": [0.1, 0, 0]},
                 "plane": {"link": "small", "position": [-0.1, 0, 0]}, "normal": [-1, 0, 0], "restitution": 1}
        file = self.folder / "faces.json"
        file.write_text(json.dumps({"stops": [faces]}))
        _, rest = self.rows("blocks.urdf", {"q": [0, 1], "qd": [8, 0]}, 0.2, "--tolerance", 1e-9, "--loops", file)
        events, rows = self.events(rest)
        self.assertLess(abs(events[0]["t"] - 0.1), 1e-12)
        np.testing.assert_allclose(rows[-1]["state"]["qd"], (4, 12), rtol=0, atol=1e-11)
        np.testing.assert_allclose(rows[-1]["linear_momentum"], (24, 0, 0), rtol=0, atol=1e-11)

    def test_stops_that_cannot_be_meant_get_one_sentence(self):
        file = self.folder / "stops.json"
        stop = {"name": "s", "type": "joint", "joint": "hinge", "lower": 0, "restitution": 0}
        for changes, words in (
            ({"restitution": 2}, "stops[0]: "),
            ({"restitution": None}, "stops[0].restitution is null"),
            ({"lower": 1, "upper": 0}, "has a lower end that is not below its upper one"),
            ({"joint": "nobody"}, "stops[0].joint"),
            ({"type": "wall"}, "stops[0].type"),
            ({"point": {}}, "stops[0] has the unknown key 'point'"),
        ):
            file.write_text(json.dumps({"stops": [stop | changes]}))
            done = self.run_it("pendulum.urdf", SWING, 1, "--tolerance", 1e-9, "--loops", file)
            self.assertEqual((done.returncode, done.stdout), (1, b""), changes)
            self.assertRegex(done.stderr.decode(), r"\Aarticulate: [^\n]+\n\Z")
            self.assertIn(words, done.stderr.decode())
        for model, options, words in (
            ("door.urdf", ("--stops", 0.5), "give --tolerance 1e-9"),
            ("door.urdf", ("--stops", 1.5, "--tolerance", 1e-9), "--stops is 1.5 where a restitution"),
            ("pendulum.urdf", ("--stops", 0, "--tolerance", 1e-9), "no joint has limits"),
        ):
            done = self.run_it(model, SWING, 1, *options)
            self.assertEqual(done.returncode, 1)
            self.assertIn(words, done.stderr.decode())
        done = self.run_it("door.urdf", {"q": [-0.1], "qd": [0]}, 1, "--stops", 0, "--tolerance", 1e-9)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the motion begins beyond the stop 'hinge.lower', by 0.1 (m or rad)", done.stderr.decode())


if __name__ == "__main__":
    unittest.main()
