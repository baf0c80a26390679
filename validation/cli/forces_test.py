"""Drives `compute` with force elements: what they do in machines of the literature, and what is refused.

usage: forces_test.py PROGRAM
"""
import json
import math
import re
import shutil
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

from command import PROGRAM, CommandTest, answer, run

MACHINES = Path(__file__).resolve().parents[1] / "motion" / "machines"
STILL = {"q": [0.3, 0.6, 0.9, 1.2], "qd": [1, 0.4, -0.7, 0.2]}
SPRING = {
    "name": "s",
    "type": "spring",
    "first": {"link": "left_tip", "position": [0.1, 0, 0.2]},
    "second": {"world": [1, 2, 3]},
    "stiffness": 300,
    "damping": 20,
    "rest_length": 0.5,
}
PIN = {"name": "pin", "joint": "revolute", "first": {"link": "left_tip"}, "second": {"link": "right_tip"}}
EVERY = [
    SPRING,
    {"name": "j", "type": "joint_spring", "joint": "left_drive", "stiffness": 7, "damping": 0.4, "rest": 0.1},
    {"name": "f", "type": "friction", "joint": "right_drive", "viscous": 0.3},
    {"name": "p", "type": "force", "at": {"link": "right_tip"}, "axes": "link", "force": [1, 2, 3]},
    {"name": "t", "type": "joint_force", "joint": "left_drive", "table": [[0, 2], [1, 5]]},
    {"name": "r", "type": "rotor", "joint": "right_drive", "inertia": 0.4},
    {"name": "g", "type": "gravity_field", "strength": 3, "center": [4, 1, 2]},
]


def largest(x):
    return max(abs(one) for one in x)


def instructions(model, state, steps, *options):
    """How many of them so many steps of `simulate` take, short ones, of which the account doubts none more than others."""
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *PROGRAM, "simulate", "--model", model]
        + ["--state", state, "--duration", str(steps * 1e-4), "--step", "1e-4", "--every", "100", *options],
        capture_output=True,
        text=True,
    )
    if done.returncode == -signal.SIGILL:
        raise unittest.SkipTest("valgrind does not know all instructions of this processor, for which the program is made")
    done.check_returncode()
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


class ForcesTest(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def options(self, forces, **more):
        path = self.folder / ("forces_%d.json" % len(list(self.folder.iterdir())))
        path.write_text(json.dumps({"forces": forces, **more}))
        return ("--loops", path)

    def assert_close(self, a, b, part=1e-11):
        self.assertEqual(len(a), len(b))
        size = max(1.0, largest(a), largest(b))
        for one, other in zip(a, b):
            self.assertLessEqual(abs(one - other), part * size, (a, b))

    # Machines of the literature.

    def test_andrews_mechanism_starts_with_the_accelerations_of_the_test_set(self):
        state = json.loads((MACHINES / "andrews_start.json").read_text())
        result = answer(MACHINES / "andrews.urdf", state, "--loops", MACHINES / "andrews_loops.json")
        qdd = dict(zip(result["joints"], result["constrained"]["forward_dynamics"]["qdd"]))
        published = dict.fromkeys(state["q"], 0) | {"beta": 14222.4439199541138765, "theta": -10666.8329399655854}
        self.assert_close([qdd[name] for name in published], list(published.values()), 1e-13)

    def test_the_governor_swings_out_while_its_springs_are_slack(self):
        w, angle, g = 2 * math.pi, math.radians(60), 9.81
        q = {"turn": 0.4, "lift": 0, "left": angle, "right": angle}
        state = {"q": q, "qd": {"turn": w, "lift": 0, "left": 0, "right": 0}, "tau": dict.fromkeys(q, 0)}
        governor = MACHINES / "a05.urdf", "--loops", MACHINES / "a05_loops.json"
        result = answer(governor[0], state, *governor[1:])
        self.assertLess(largest(result["force_elements"]["joint_forces"]), 1e-9)  # 8e5 N/m by the rounding of 0.5 m
        # Of a rod and its ball about the pin: first and second moments, and what the rod's thickness takes from these.
        first, second, across = 0.3 / 2 + 5, 0.3 / 12 * (1 + 1e-4) + 0.3 / 4 + 5, 0.3 / 12 * 2e-4
        out = w**2 * math.cos(angle) * (0.05 * first + math.sin(angle) * (second - across)) - g * math.sin(angle) * first
        expected = {"turn": 0, "lift": -g, "left": out / second, "right": out / second}
        self.assert_close(result["forward_dynamics"]["qdd"], [expected[name] for name in result["joints"]], 1e-9)
        # Lifted by 1 cm with 3 cm/s.
        state["q"]["lift"], state["qd"]["lift"] = 0.01, 0.03
        result = answer(governor[0], state, *governor[1:])
        length = math.hypot(0.5 * math.sin(angle), 0.51 - 1 + 0.5 * math.cos(angle))
        slope = (0.51 - 1 + 0.5 * math.cos(angle)) / length
        tension = 8e5 * (length - 0.5) + 4e4 * slope * 0.03
        lift = dict(zip(result["joints"], result["force_elements"]["joint_forces"]))["lift"]
        self.assertLess(abs(lift + 2 * tension * slope), 1e-9 * abs(tension))
        self.assertLess(abs(result["force_elements"]["potential_energy"] - 8e5 * (length - 0.5) ** 2), 1e-8)
        self.assertLess(abs(result["force_elements"]["supplied"] + 2 * 4e4 * (slope * 0.03) ** 2), 1e-9)

    # What they do to the results.

    def test_the_equations_of_motion_hold_with_them(self):
        tau = [0.3, -0.2, 0.5, 0.1]
        for model in ("five_bar", "five_bar --floating-base"):
            floats = "floating" in model
            base = {"position": [0.1, 0.2, 0.3], "quaternion_xyzw": [0, 0, 0.6, 0.8]}
            state = {**STILL, "tau": ([0.1] * 6 if floats else []) + tau}
            if floats:
                state.update(base=base, qd=[0.3, -0.1, 0.2, 0.5, 0.1, -0.4, *STILL["qd"]])
            forces = EVERY + ([{"name": "b", "type": "friction", "joint": "base", "degree": 4, "viscous": 2}] if floats else [])
            result = answer(model.split(), state, *self.options(forces))
            qdd = result["forward_dynamics"]["qdd"]
            back = [sum(m * a for m, a in zip(row, qdd)) + b for row, b in zip(result["mass_matrix"], result["bias"])]
            self.assert_close(back, state["tau"])
            again = answer(model.split(), {**state, "qdd": qdd}, *self.options(forces))
            self.assert_close(again["inverse_dynamics"]["tau"], state["tau"])
            names = dict.fromkeys(result["joints"][:2])
            hybrid = answer(model.split(), {**state, "qdd": qdd, "prescribed": list(names)}, *self.options(forces))
            self.assert_close(hybrid["hybrid_dynamics"]["qdd"], qdd)
            self.assert_close(hybrid["hybrid_dynamics"]["tau"], state["tau"])
            without = answer(model.split(), state)
            self.assertGreater(largest(x - y for x, y in zip(qdd, without["forward_dynamics"]["qdd"])), 0.1)
            for key in ("kinetic_energy", "potential_energy", "gravity_force", "momentum"):
                self.assertEqual(result[key], without[key])

    def test_derivatives_are_slopes_of_the_results_with_loops_and_without(self):
        """With respect to rates all is a polynomial of degree two, and central differences are exact."""
        options = (*self.options(EVERY, loops=[PIN], actuated=["left_drive"]), "--closed-within", "100", "--derivatives")
        state = {**STILL, "tau": [0.3, -0.2, 0.5, 0.1], "qdd": [1, 2, -1, 0.5], "prescribed": ["left_drive"]}

        def results(state):
            found = answer("five_bar", state, *options)
            in_loops = found["constrained"]
            return {
                "inverse": (found["inverse_dynamics"], found["inverse_dynamics"]["tau"]),
                "forward": (found["forward_dynamics"], found["forward_dynamics"]["qdd"]),
                "hybrid": (found["hybrid_dynamics"], self.unknowns(found["hybrid_dynamics"], found)),
                "closed": (in_loops["forward_dynamics"], in_loops["forward_dynamics"]["qdd"]),
                "both": (in_loops["hybrid_dynamics"], self.unknowns(in_loops["hybrid_dynamics"], found)),
            }

        here = results(state)
        for key, by, h, part in (("qd", "by_qd", 0.5, 1e-9), ("q", "by_q", 1e-5, 1e-6)):
            for k in range(4):
                ends = []
                for sign in (1, -1):
                    moved = list(state[key])
                    moved[k] += sign * h
                    ends.append(results({**state, key: moved}))
                for name, (derivatives, _) in here.items():
                    slope = [(x - y) / (2 * h) for x, y in zip(ends[0][name][1], ends[1][name][1])]
                    with self.subTest(name, by=by, k=k):
                        self.assert_close([row[k] for row in derivatives[by]], slope, part)

    @staticmethod
    def unknowns(hybrid, found):
        prescribed = hybrid["prescribed"]
        flags = prescribed if isinstance(prescribed[0], bool) else [name in prescribed for name in found["joints"]]
        return [t if given else a for given, t, a in zip(flags, hybrid["tau"], hybrid["qdd"])]

    def test_the_power_of_each_element_is_told(self):
        result = answer("five_bar", STILL, *self.options(EVERY))["force_elements"]
        self.assertEqual(list(result["elements"]), [one["name"] for one in EVERY])
        total = sum(f * v for f, v in zip(result["joint_forces"], STILL["qd"]))
        self.assertAlmostEqual(result["power"], total, delta=1e-11 * max(1, abs(total)))
        for key in ("power", "supplied", "potential_energy"):
            self.assertAlmostEqual(result[key], sum(one[key] for one in result["elements"].values()), delta=1e-11)
        self.assertEqual(result["armature"], [0.4 if one else 0 for one in result["armature"]])
        self.assertAlmostEqual(result["rotor_energy"], 0.2 * 0.49, delta=1e-15)

    @unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed")
    def test_a_spring_costs_at_most_15_percent_of_a_step(self):
        # Counted in instructions, which are the same every time; what both runs need to begin and to end cancels.
        for model, n, links in (
            ("ur5", 6, ("forearm_link", "wrist_3_link")),
            ("tree:5x6", 30, ("branch_1_body_5", "branch_1_body_6")),
        ):
            state = self.folder / "state.json"
            state.write_text(json.dumps({"q": [0.1] * n, "qd": [0.3] * n}))
            cost = lambda *more: instructions(model, state, 12, *more) - instructions(model, state, 4, *more)
            alone = cost()
            for first in ({"world": [1, 2, 0.5]}, {"link": links[0], "position": [0.1, 0.2, 0]}):
                spring = SPRING | {"first": first, "second": {"link": links[1]}}
                sprung = cost(*self.options([spring]))
                self.assertLess(sprung - alone, 0.15 * alone, (model, first))
                self.assertGreater(sprung, alone)

    def test_what_the_joints_say_is_ignored_until_it_is_asked_for(self):
        hand = "mimic_hand"
        state = {"q": [0.2] * 5, "qd": [0.5] * 5, "tau": [0] * 5}
        plain = answer(hand, state)
        self.assertTrue(any("damping and friction of joint" in one and "are ignored" in one for one in plain["warnings"]))
        damped = answer(hand, state, "--with", "damping")
        self.assertTrue(any("friction of joint" in one and "is ignored" in one for one in damped["warnings"]))
        both = answer(hand, state, "--with", "damping,friction", "--friction-width", "0.5")
        self.assertFalse(any("friction" in one for one in both["warnings"]))
        (name,) = [one for one in both["force_elements"]["elements"] if one.endswith(".friction")]
        k = plain["joints"].index(name.rsplit(".", 1)[0])
        self.assertAlmostEqual(damped["force_elements"]["joint_forces"][k], -0.05 * 0.5, delta=1e-16)
        self.assertAlmostEqual(
            both["force_elements"]["joint_forces"][k], -0.05 * 0.5 - 0.01 / math.sqrt(2), delta=1e-16
        )
        self.assertNotIn("force_elements", plain)
        self.assertNotEqual(plain["forward_dynamics"], damped["forward_dynamics"])

    def test_gravity_that_acts_twice_is_said(self):
        field = self.options([EVERY[-1]])
        self.assertTrue(any("gravity field" in one for one in answer("five_bar", STILL, *field)["warnings"]))
        self.assertEqual(answer("five_bar", {**STILL, "gravity": [0, 0, 0]}, *field)["warnings"], [])

    # Refusals.

    def test_files_that_cannot_be_meant_are_refused(self):
        def changed(k, **keys):
            return [{key: value for key, value in {**EVERY[k], **keys}.items() if value is not None}]

        end = SPRING["second"]
        cases = [
            ({}, ["forces is an object", "array"]),
            ([3], ["forces[0] is 3", "object"]),
            ([{"name": "s"}], ["forces[0].type is missing"]),
            (changed(0, type="rope"), ["forces[0].type", '"rope"', "'spring'", "'gravity_field'"]),
            (changed(0, name=None), ["forces[0].name is missing"]),
            (changed(0, name=""), ["forces[0].name is empty"]),
            (changed(0, name=7), ["forces[0].name is 7"]),
            ([SPRING, SPRING], ["forces[1].name", "'s'", "forces[0]"]),
            (changed(0, stifness=3), ["forces[0]", "unknown key 'stifness'", "'stiffness'"]),
            (changed(0, first=None), ["forces[0].first is missing"]),
            (changed(0, first={"link": "nobody"}), ["forces[0].first.link", "'nobody'", "'left_tip'"]),
            (changed(0, first={"position": [0, 0, 0]}), ["forces[0].first.link is missing"]),
            (changed(0, first={**end, "link": "left_tip"}), ["forces[0].first", "world beside link"]),
            (changed(0, first={"link": "left_tip", "position": [1, 2]}), ["forces[0].first.position", "2 entries"]),
            (changed(0, first={"link": "left_tip", "place": [1, 2, 3]}), ["forces[0].first", "'place'"]),
            (changed(0, first=end), ["forces[0]", "one rigid body"]),
            (changed(0, stiffness="8"), ["forces[0].stiffness", '"8"']),
            (changed(0, stiffness=-8), ["forces[0]", "'s'", "negative stiffness"]),
            (changed(0, damping=-8), ["forces[0]", "'s'", "negative damping"]),
            (changed(0, rest_length=-1), ["forces[0]", "'s'", "negative rest length"]),
            (changed(0, stiffness=None, damping=None), ["forces[0]", "'stiffness', 'damping'", "does nothing"]),
            (changed(1, joint="elbow"), ["forces[0].joint", "'elbow'", "'left_drive'"]),
            (changed(1, joint=None), ["forces[0].joint is missing"]),
            (changed(1, degree=1), ["forces[0].degree is 1", "0 to 0"]),
            (changed(1, degree=0.5), ["forces[0].degree is 0.5"]),
            (changed(2, coulomb=1, width=0), ["forces[0]", "'f'", "width", "above 0"]),
            (changed(2, coulomb=1, width=1e-200), ["forces[0]", "'f'", "the width 1e-200", "cube", "2.9e-103"]),
            ([], ["forces is empty", "needs no loop file"]),
            (changed(2, viscous=None), ["forces[0]", "'viscous', 'coulomb'"]),
            (changed(3, at=end), ["forces[0]", "'p'", "world"]),
            (changed(3, axes="base"), ["forces[0].axes", "'world', 'link'"]),
            (changed(3, force=[1, 2]), ["forces[0].force", "2 entries"]),
            (changed(3, force=None), ["forces[0]", "either force", "table"]),
            (changed(4, force=1), ["forces[0]", "either force", "table"]),
            (changed(4, table=[]), ["forces[0].table is empty"]),
            (changed(4, table=[[0, 1, 2]]), ["forces[0].table[0]", "3 entries"]),
            (changed(4, table=[[0, 1], [0, 2]]), ["forces[0]", "'t'", "do not increase"]),
            (changed(5, inertia=None), ["forces[0].inertia is missing"]),
            (changed(5, inertia=-1), ["forces[0]", "'r'", "negative inertia"]),
            (changed(6, strength=None), ["forces[0].strength is missing"]),
            (changed(6, strength=-2), ["forces[0]", "'g'", "negative strength"]),
        ]
        for forces, pieces in cases:
            options = self.options(forces)
            with self.subTest(pieces=pieces):
                self.assert_refused(run("five_bar", "-", *options, given=json.dumps(STILL)), str(options[1]), pieces)

    def test_a_joint_of_several_degrees_needs_one_of_them(self):
        friction = {"name": "b", "type": "friction", "joint": "base", "viscous": 2}
        options = self.options([friction])
        done = run(["five_bar", "--floating-base"], "-", *options, given=json.dumps(STILL))
        self.assert_refused(done, str(options[1]), ["forces[0].degree is missing", '"base"', "6"])

    def test_stops_are_told_and_a_push_that_is_not_counted_is_warned_of(self):
        file = self.folder / "stops.json"
        stop = {"name": "end", "type": "joint", "joint": "left_drive", "restitution": 0}
        file.write_text(json.dumps({"stops": [{**stop, "lower": -0.5, "upper": 1}]}))
        state = {"q": [0] * 4, "qd": [0.25, 0, 0, 0]}
        state["q"][0] = 1
        found = answer("five_bar", state, "--loops", file)
        self.assertEqual(found["joints"][0], "left_drive")
        self.assertEqual(
            found["stops"],
            {
                "end.lower": {"gap": 1.5, "rate": 0.25, "met": False},
                "end.upper": {"gap": 0, "rate": -0.25, "met": True},
            },
        )
        push = "stop 'end.upper' is met, but none of these results counts its push; simulate does."
        self.assertEqual([one for one in found["warnings"] if "stop" in one], [push])
        state["q"][0] = 0.9
        alone = answer("five_bar", state, "--loops", file, "--only", "stops")
        self.assertEqual((alone["stops"]["end.upper"]["met"], alone.get("joints")), (False, None))
        self.assertNotIn(push, alone["warnings"])
        self.assertNotIn("stops", answer("five_bar", STILL))
        done = run("five_bar", "-", "--only", "stops", given=json.dumps(STILL))
        self.assert_refused(done, "--only stops", ["--loops with stops"])

    def test_an_empty_list_is_as_good_as_none(self):
        stop = {"name": "end", "type": "joint", "joint": "left_drive", "restitution": 0, "lower": -9}
        full = {"loops": PIN, "forces": SPRING, "stops": stop}
        path = self.folder / "lists.json"
        for key in full:
            path.write_text(json.dumps({key: []}))
            done = run("five_bar", "-", "--loops", path, given=json.dumps(STILL))
            self.assert_refused(done, str(path), [f"{key} is empty; a tree without loops, forces and stops needs no loop file"])
            for other in {*full} - {key, "loops"}:
                alone, beside = ({other: [full[other]], **more} for more in ({}, {key: []}))
                results = []
                for file in (alone, beside):
                    path.write_text(json.dumps(file))
                    results.append(answer("five_bar", STILL, "--loops", path))
                self.assertEqual(*results)
        path.write_text(json.dumps({key: [] for key in full}))
        self.assert_refused(run("five_bar", "-", "--loops", path, given=json.dumps(STILL)), str(path), ["loops is empty"])

    def test_a_rotor_is_mass_that_its_joint_moves(self):
        # An arm with m = 2 at 0.5 m along x, and a finger without mass behind it, whose motor is all that it turns.
        arm = """<mujoco model="arm"><worldbody><body name="arm"><joint name="shoulder" axis="0 0 1"/>
            <inertial pos="0.5 0 0" mass="2" diaginertia="0.1 0.1 0.1"/>
            <body name="finger" pos="1 0 0"><joint name="knuckle" axis="0 0 1" armature="0.25"/></body></body></worldbody></mujoco>"""
        model = self.folder / "arm.xml"
        model.write_text(arm)
        state = {"q": [0.3, 0.4], "qd": [0, 0], "tau": [1.2, 0.5], "gravity": [0, 0, 0]}
        bare = answer(model, state)
        self.assertTrue(any("'knuckle' can move without moving any mass" in one for one in bare["warnings"]))
        self.assertNotIn("forward_dynamics", bare)
        rotor = self.options([{"name": "r", "type": "rotor", "joint": "knuckle", "inertia": 0.25}])
        for options in (("--with", "armature"), rotor):
            found = answer(model, state, "--derivatives", "--inverse-inertia", *options)
            self.assertEqual(found["warnings"], [one for one in bare["warnings"] if "armature" in one and options == rotor])
            self.assert_close(found["forward_dynamics"]["qdd"], [1.2 / 0.6, 0.5 / 0.25])
            self.assert_close(sum(found["inverse_mass_matrix"], []), [1 / 0.6, 0, 0, 4])
            self.assert_close(sum(found["forward_dynamics"]["by_given"], []), [1 / 0.6, 0, 0, 4])
            given = {**state, "qdd": [0, 3], "prescribed": ["shoulder"]}
            self.assert_close(answer(model, given, *options)["hybrid_dynamics"]["qdd"], [0, 2])
            file = self.folder / "state.json"
            file.write_text(json.dumps(state))
            for integrator in ("rk4", "radau", "variational"):
                done = subprocess.run(
                    [*PROGRAM, "simulate", "--model", model, "--state", file, "--duration", "0.5", "--step", "0.01"]
                    + ["--integrator", integrator, *options], capture_output=True, text=True, check=True)
                last = json.loads(done.stdout.splitlines()[-2])
                self.assert_close(last["state"]["q"], [0.3 + 0.25, 0.4 + 0.25], 1e-12)

    def test_states_and_options_that_cannot_be_meant_are_refused(self):
        order = {"order": 1, "q_derivatives": [[1, 2, 3, 4]]}
        state = {**STILL, "qdd": [0] * 4, **order}
        done = run("five_bar", "-", *self.options(EVERY), given=json.dumps(state))
        self.assert_line_refused(done, "standard input, line 1", ["order", "force elements"])
        done = run("five_bar", "-", "--only", "force_elements", given=json.dumps(STILL))
        self.assert_refused(done, "--only force_elements", ["--with"])
        done = run("five_bar", "-", "--only", "constrained", *self.options(EVERY), given=json.dumps(STILL))
        self.assert_refused(done, "--only constrained", ["--loops with loops"])
        for given, piece in ((("--with", "grease"), "grease"), (("--friction-width", "1"), "--with"),
                             *((("--with", "friction", "--friction-width", width), f"'{width}' is") for width in ("nan", "inf", "0", "-1"))):
            done = run("five_bar", "-", *given, given=json.dumps(STILL))
            self.assertEqual(done.returncode, 2)
            self.assertIn(piece, done.stderr.decode())
            self.assertLess(len(done.stderr), 200)


if __name__ == "__main__":
    unittest.main()
