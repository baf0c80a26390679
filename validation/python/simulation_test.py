"""Motions in time: the numbers of the command line, closed forms, forces, and what is refused."""
import itertools
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time
import unittest

import numpy as np
from agreement import U

import articulate as a

COMMAND = os.path.join(os.environ["ARTICULATE_BUILD"], "bin", "articulate-cli")
PIN = {"name": "pin", "joint": "revolute", "first": {"link": "left_tip"}, "second": {"link": "right_tip"}}


def five_bar():
    pin = a.cut_joint("pin", "revolute", a.LoopEnd("left_tip"), a.LoopEnd("right_tip"))
    model = a.Model.load("five_bar")
    q = a.Assembly(model, [pin], [True, False, True, False]).close([0.3, 0.6, 0.9, 1.2])
    return model, pin, q


def bars():
    """Two bars and a coupler as long as the floor between their feet, on the way to their line."""
    bar = lambda name: a.Link(name, 1.0, [0.5, 0, 0], [0.01, 0, 0, 1 / 12, 0, 1 / 12])
    joint = lambda name, first, second, at: a.Joint(name, "revolute", first, second, at)
    mechanism = a.Mechanism(
        "bars",
        [a.Link("ground"), bar("left"), bar("right"), bar("coupler")],
        [
            joint("a", "ground", "left", [0, 0, 0]),
            joint("b", "ground", "right", [1, 0, 0]),
            joint("c", "left", "coupler", [1, 0, 0]),
        ],
    )
    model = a.Model(mechanism)
    pin = a.cut_joint("pin", "revolute", a.LoopEnd("coupler", [1, 0, 0]), a.LoopEnd("right", [1, 0, 0]))
    order = {"a": (1.9, -3), "b": (1.9, -3), "c": (-1.9, 3)}
    q, qd = np.array([order[j.name] for j in model.joints]).T
    return model, pin, a.State(q, qd, gravity=[0, -9.81, 0])


def by_command(model, state, *arguments, elements=(), stops=()):
    """The rows of `articulate simulate`, each number as it stands there, and how it ended, with the events."""
    with tempfile.TemporaryDirectory() as folder:
        files = {name: pathlib.Path(folder) / f"{name}.json" for name in ("state", "loops")}
        files["state"].write_text(json.dumps(state))
        beside = {key: given for key, given in (("forces", elements), ("stops", stops)) if given}
        files["loops"].write_text(json.dumps(beside or {"loops": [PIN]}))
        arguments = [str(files.get(x, x)) for x in arguments]
        result = subprocess.run(
            [COMMAND, "simulate", "--model", model, "--state", str(files["state"]), *arguments],
            capture_output=True,
            text=True,
        )
    if result.returncode != 0:
        raise AssertionError(result.stderr)
    _, *rows, end = map(json.loads, result.stdout.splitlines())
    events = [row["event"] for row in rows if "event" in row]
    return [row for row in rows if "event" not in row], {**end["end"], "events": events}


class SameNumbers(unittest.TestCase):
    def check(self, trajectory, run):
        """Bit for bit, for both make the same calls of the library."""
        rows, end = run
        self.assertEqual(len(trajectory.t), len(rows))
        self.assertEqual(trajectory.bound, end["bound"])
        self.assertEqual(trajectory.evaluations, end["evaluations"])
        for ours, theirs in itertools.zip_longest(trajectory.events, end["events"]):
            self.assertEqual((ours.t, ours.stop, ours.what), (theirs["t"], theirs["stop"], theirs["what"]))
            if ours.what == "impact":
                self.assertEqual((ours.impulse, ours.before, ours.after), (theirs["impulse"], *theirs["rates"]))
        self.assertEqual(trajectory.singular_positions.tolist(), end.get("singular_positions", []))
        theirs = {
            "t": [row["t"] for row in rows],
            "q": [[*sum(row["state"].get("base", {}).values(), []), *row["state"]["q"]] for row in rows],
            "qd": [row["state"]["qd"] for row in rows],
            **{name: [row[name] for row in rows] for name in rows[0] if name not in ("t", "state")},
        }
        self.assertGreater(len(theirs), 7)
        for name, column in theirs.items():
            np.testing.assert_array_equal(getattr(trajectory, name), np.array(column), name)

    def test_of_an_arm_under_its_forces(self):
        state = {"q": [0.3, -0.2], "qd": [1, 0.5], "tau": [2, -1], "gravity": [1, 2, -9]}
        state["external_wrenches"] = {"link_2": [0, 0, 1, 2, 3, 0]}
        wrenches, gravity = state["external_wrenches"], state["gravity"]
        s = a.State(state["q"], state["qd"], tau=state["tau"], gravity=gravity, Fext=wrenches)
        for integrator in ("rk4", "radau", "variational"):
            ours = a.simulate(a.Model.load("park_2r"), s, 0.105, 0.01, 3, integrator)
            options = ("--duration", "0.105", "--step", "0.01", "--every", "3", "--integrator", integrator)
            self.check(ours, by_command("park_2r", state, *options))

    def test_of_a_robot_that_floats(self):
        s = a.random_state(a.Model.load("drone_arm"), 5)
        state = {
            "base": {"position": s.q[:3].tolist(), "quaternion_xyzw": s.q[3:7].tolist()},
            "q": s.q[7:].tolist(),
            "qd": s.qd.tolist(),
        }
        ours = a.simulate(a.Model.load("drone_arm"), a.State(s.q, s.qd), 0.05, 0.01)
        self.check(ours, by_command("drone_arm", state, "--duration", "0.05", "--step", "0.01"))

    def test_of_a_machine_whose_loop_stays_closed(self):
        model, pin, q = five_bar()
        state = {"q": q.tolist(), "qd": [1, 0, 1, 0]}
        for way in ("project", "rates", "baumgarte", "none"):
            s = a.State(q, a.Assembly(model, [pin]).project(q, [1, 0, 1, 0]))
            state["qd"] = s.qd.tolist()
            ours = a.simulate(model, s, 0.05, 0.01, loops=[pin], stabilisation=way)
            options = ("--duration", "0.05", "--step", "0.01", "--loops", "loops", "--stabilisation", way)
            self.check(ours, by_command("five_bar", state, *options))
            self.assertEqual(ours.violation.max() > 1e-12, way != "project", way)


    def test_of_adaptive_steps_under_force_elements(self):
        elements = [
            {"name": "s", "type": "joint_spring", "joint": "joint_2", "stiffness": 5, "rest": 0.4},
            {"name": "f", "type": "friction", "joint": "joint_1", "viscous": 0.3, "coulomb": 0.2, "width": 0.1},
            {"name": "r", "type": "rotor", "joint": "joint_1", "inertia": 0.5},
        ]
        ours = [
            a.joint_spring("s", "joint_2", stiffness=5, rest=0.4),
            a.joint_friction("f", "joint_1", viscous=0.3, coulomb=0.2, width=0.1),
            a.rotor_inertia("r", "joint_1", 0.5),
        ]
        model, state = a.Model.load("park_2r"), {"q": [0.3, -0.2], "qd": [1, 0.5]}
        s = a.State(state["q"], state["qd"])
        path = a.simulate(model, s, 0.5, 0.05, every=2, tolerance=1e-7, force_elements=ours)
        options = ("--duration", "0.5", "--step", "0.05", "--every", "2", "--tolerance", "1e-7", "--loops", "loops")
        self.check(path, by_command("park_2r", state, *options, elements=elements))
        self.assertLess(path.work[-1], -0.01)

    def test_of_an_arm_between_stops(self):
        stops = [
            {"name": "elbow", "type": "joint", "joint": "joint_2", "lower": -0.5, "upper": 0.5, "restitution": 0.4},
            {
                "name": "wall", "type": "plane", "restitution": 0.7, "normal": [0, -1, 0],
                "point": {"link": "link_2", "position": [0, 1, 0]}, "plane": {"world": [0, 0.2, 0]},
            },
        ]
        ours = [
            a.joint_stop("elbow", "joint_2", -0.5, 0.5, restitution=0.4),
            a.plane_stop("wall", ("link_2", [0, 1, 0]), ("", [0, 0.2, 0]), [0, -1, 0], restitution=0.7),
        ]
        model, state = a.Model.load("park_2r"), {"q": [1.4, -0.2], "qd": [1, 0.5], "gravity": [0, -9.81, 0]}
        s = a.State(state["q"], state["qd"], gravity=state["gravity"])
        path = a.simulate(model, s, 2, 0.05, tolerance=1e-8, stops=ours)
        options = ("--duration", "2", "--step", "0.05", "--tolerance", "1e-8", "--loops", "loops")
        run = by_command("park_2r", state, *options, stops=stops)
        self.check(path, run)
        self.assertEqual((path.lost, sum(one.what == "impact" for one in path.events)), (run[1]["lost"], run[1]["impacts"]))
        self.assertGreater(path.lost, 0)

    def test_of_a_singular_position(self):
        model, pin, s = bars()
        path = a.simulate(model, s, 1, step=2e-3, loops=[pin])
        self.assertGreaterEqual(len(path.singular_positions), 1)
        self.assertLessEqual(abs(path.imbalance).max(), path.bound)


class Laws(unittest.TestCase):
    def test_a_stone_falls(self):
        model = a.Model(a.Mechanism("stone", [a.Link("stone", 2.0, inertia=[1, 0, 0, 2, 0, 2])]), floating_base=True)
        s = a.State(model.zero_coordinates(), [0, 0, 0, 1, 0, 0])
        path = a.simulate(model, s, 2, step=0.1, every=4)
        np.testing.assert_allclose(path.t, [0, 0.4, 0.8, 1.2, 1.6, 2], rtol=0, atol=2 * U)
        expected = np.stack([path.t, 0 * path.t, -9.81 * path.t**2 / 2], axis=1)
        np.testing.assert_allclose(path.q[:, :3], expected, rtol=0, atol=100 * 20 * U * 9.81 * 2)
        np.testing.assert_allclose(path.energy, path.energy[0], rtol=0, atol=100 * 20 * U * 2 * 9.81**2 * 2)
        self.assertEqual(path.energy.tolist(), (path.kinetic_energy + path.potential_energy).tolist())
        self.assertEqual(repr(path), "Trajectory(6 times from 0.0 s to 2.0 s)")
        self.assertEqual(path.violation.tolist(), [0] * 6)

    def test_forces_in_time_are_asked_for(self):
        # A wheel without gravity: qdd = t / I has q = t^3 / (6 I), which four stages meet but for rounding.
        wheel = a.Mechanism(
            "wheel",
            [a.Link("ground"), a.Link("rim", inertia=[1, 0, 0, 1, 0, 2])],
            [a.Joint("axle", "revolute", "ground", "rim")],
        )
        path = a.simulate(a.Model(wheel), a.State([0]), 2, step=0.25, tau=lambda t: [t])
        np.testing.assert_allclose(path.q[:, 0], path.t**3 / 12, rtol=0, atol=8 * 100 * U)
        held = a.simulate(a.Model(wheel), a.State([0], tau=[9]), 2, step=0.25, tau=[3])
        np.testing.assert_allclose(held.q[:, 0], 3 * held.t**2 / 4, rtol=0, atol=8 * 100 * U * 3)

    def test_laws_of_forces_that_are_written_in_python(self):
        # A spring as a law of one's own is the spring of the library, but for rounding in 100 steps.
        model, s = a.Model.load("park_2r"), a.State([0.3, -0.2], [1, 0.5])
        law = a.user_law("law", lambda q, qd, t: [0, -5 * (q[1] - 0.4)])
        spring = a.joint_spring("spring", "joint_2", stiffness=5, rest=0.4)
        mine, theirs = (a.simulate(model, s, 0.1, force_elements=[one]) for one in (law, spring))
        np.testing.assert_allclose(mine.q, theirs.q, rtol=0, atol=100 * 100 * U)
        # What has no potential does work instead.
        np.testing.assert_allclose(
            mine.energy - mine.energy[0] - (theirs.energy - theirs.energy[0]),
            5 / 2 * ((mine.q[0, 1] - 0.4) ** 2 - (mine.q[:, 1] - 0.4) ** 2),
            rtol=0,
            atol=100 * 100 * U * abs(theirs.energy).max(),
        )

    def test_a_ball_bounces_at_half_its_speed_and_comes_to_rest(self):
        # It falls for the time T and is back after 2 T/2, 2 T/4, ...: it rests after 3 T, on what then carries it.
        ball = a.Mechanism(
            "ball",
            [a.Link("ground"), a.Link("ball", 2.0, [0, 0, 0], [1, 0, 0, 1, 0, 1])],
            [a.Joint("fall", "prismatic", "ground", "ball", axis=[0, 0, 1])],
        )
        height, T = 0.5, np.sqrt(2 * 0.5 / 9.81)
        path = a.simulate(
            a.Model(ball), a.State([height]), 4 * T, step=T / 2, tolerance=1e-12,
            stops=[a.joint_stop("floor", "fall", lower=0, restitution=0.5)],
        )
        impacts = [one for one in path.events if one.what == "impact"]
        for k, one in enumerate(impacts[:5]):
            speed = 9.81 * T / 2**k
            np.testing.assert_allclose(one.t, T * (3 - 2 ** (1 - k)), rtol=0, atol=1e-11)
            np.testing.assert_allclose((one.before, one.after, one.impulse), (-speed, speed / 2, 3 * speed), atol=1e-10)
            self.assertEqual(one.stop, "floor.lower")
        self.assertEqual(path.events[-1].what, "rest")
        self.assertLess(abs(path.events[-1].t - 3 * T), 1e-3 * T)
        np.testing.assert_allclose(path.lost, 2 * 9.81 * height, rtol=1e-10)
        np.testing.assert_allclose(path.q[-1], 0, rtol=0, atol=1e-12)

    def test_stops_of_a_description_stand_at_its_limits(self):
        stops = a.joint_stops(a.Model.load("ur5"), 0.3)
        self.assertEqual([one.name for one in stops], [joint.name for joint in a.Model.load("ur5").joints])

    def test_limits_that_nothing_holds_are_told(self):
        model = a.Model.load("ur5")
        wrist = model.joints[-1].name  # turns about an axis of its link's inertia: uniformly, as there is no gravity
        with self.assertWarnsRegex(RuntimeWarning, f"joint '{wrist}' passes its upper limit 6.28"):
            path = a.simulate(model, a.State(np.zeros(6), [0, 0, 0, 0, 0, 10], gravity=[0, 0, 0]), 0.7, step=0.01)
        (passed,) = path.limits
        self.assertEqual((passed.joint, passed.which), (wrist, "upper"))
        self.assertGreater(path.q[path.t == passed.t, 5], passed.limit)
        self.assertEqual(passed.t, path.t[np.argmax(path.q[:, 5] > passed.limit)])

    def test_evaluations_are_counted(self):
        # Four stages a step; the steps that are made again for the account of the energy do not count.
        path = a.simulate(a.Model.load("park_2r"), a.State([0.3, -0.2]), 1, step=0.05)
        self.assertEqual(path.evaluations, 4 * 20)

    def test_an_imbalance_ends_the_run_or_is_a_warning(self):
        # Without projections a loop goes on to open whose rates do not fit. How it leaves a line, where the last digit of a
        # sine decides, would be no test.
        model, pin, s = bars()
        s = a.State(s.q, s.qd * [1.01, *[1] * (model.nv - 1)], gravity=s.gravity)
        options = dict(duration=0.2, step=0.005, loops=[pin], stabilisation="none")
        with self.assertRaisesRegex(a.StateError, "(?s)the loops are open, .* ignore_imbalance=True goes on.$"):
            a.simulate(model, s, **options)
        with self.assertWarnsRegex(RuntimeWarning, "the loops are open"):
            path = a.simulate(model, s, **options, ignore_imbalance=True)
        closed = a.simulate(model, s, **options | dict(stabilisation="project"))
        self.assertGreater(abs(path.imbalance).max(), 100 * closed.bound)
        self.assertEqual(path.t[-1], 0.2)

    def test_a_long_run_can_be_interrupted_and_lets_other_threads_run(self):
        model, s = a.Model.load("ur5"), a.State(np.zeros(6))
        counted = []

        def count_then_interrupt():
            end = time.monotonic() + 0.5
            while time.monotonic() < end:
                counted.append(time.monotonic())
                time.sleep(0.01)
            signal.raise_signal(signal.SIGINT)

        thread = threading.Thread(target=count_then_interrupt)
        thread.start()
        with self.assertRaises(KeyboardInterrupt):
            a.simulate(model, s, 1e4, every=1000)
        thread.join()
        self.assertGreater(len(counted), 10)

    def test_nothing_happens_in_no_time(self):
        path = a.simulate(a.Model.load("ur5"), a.State(np.zeros(6)), 0)
        self.assertEqual((path.t.tolist(), path.q.shape), ([0], (1, 6)))


class Misuse(unittest.TestCase):
    def test_what_cannot_be_meant_is_refused_in_words_of_python(self):
        model, state = a.Model.load("park_2r"), a.State([0, 0])
        for arguments, sentence in (
            ({"step": 0}, "step is 0 where a positive number of seconds is needed."),
            ({"step": float("nan")}, "step is nan where a positive number of seconds is needed."),
            ({"duration": -1}, "duration is -1 where a number of seconds, not below 0, is needed."),
            ({"every": 0}, "every is 0; it takes each step with 1, each tenth with 10."),
            ({"every": -3}, "every is -3; it takes each step with 1, each tenth with 10."),
            ({"tolerance": -1}, "tolerance is -1 where a positive number is needed."),
            (
                {"tolerance": 1e-6, "integrator": "variational"},
                "tolerance is for rk4 and radau; the steps of a variational integrator are of one length.",
            ),
            (
                {"force_elements": [a.joint_spring("s", "elbow")]},
                f"{model.mechanism.source}: the force element 's' names the joint 'elbow', which does not move in the "
                "model.",
            ),
            ({"step": 1e-12}, "duration 1 by step 1e-12 makes 1e+12 steps, more than 1e+09; take a longer step."),
            (
                {"step": 1e-8},
                "The trajectory would have 1.6e+09 numbers, more than 5e+07; take fewer rows by every=33.",
            ),
            ({"integrator": "euler"}, "There is no integrator 'euler'; there are rk4, radau, variational."),
            ({"stabilisation": "yes"}, "There is no stabilisation 'yes'; there are none, baumgarte, rates, project."),
            (
                {"stabilisation": "rates", "integrator": "variational"},
                "stabilisation='rates' is for rk4 and radau; a variational step closes the loops by its own equations.",
            ),
            (
                {"stops": [a.joint_stop("end", "joint_1", upper=1)]},
                "Stops are met by steps that find their length; give tolerance=1e-9, or another one.",
            ),
            (
                {"stops": [a.joint_stop("end", "joint_1")], "tolerance": 1e-9},
                f"{model.mechanism.source}: the stop 'end' has neither a lower nor an upper end, so that it stops "
                "nothing; give one.",
            ),
            ({"tau": [1]}, "tau has 1 entry where the model needs 2."),
            ({"state": a.State([0, 0, 0])}, "q has 3 entries where the model needs 2."),
        ):
            with self.assertRaises(a.Error) as caught:
                a.simulate(**{"model": model, "state": state, "duration": 1, **arguments})
            self.assertEqual(str(caught.exception), sentence)

    def test_a_motion_that_cannot_go_on_says_when(self):
        with self.assertRaisesRegex(
            a.SimulationStopped, "^the simulation stops after t = .* s, where a shorter step may help: "
        ) as caught:
            a.simulate(a.Model.load("park_2r"), a.State([0.3, -0.2], [50, -80]), 10, 0.5, integrator="variational")
        self.assertIsInstance(caught.exception, a.StateError)
        self.assertEqual(caught.exception.trajectory.t.tolist(), [0, 0.5])
        with self.assertRaises(a.StateError):  # not a moment is right
            a.simulate(a.Model.load("park_2r"), a.State([0, 0], [1e200, 0]), 1)

    def test_errors_of_forces_are_theirs(self):
        with self.assertRaises(ZeroDivisionError):
            a.simulate(a.Model.load("park_2r"), a.State([0, 0]), 1, tau=lambda t: 1 / 0)

    def test_forces_that_are_no_array_of_numbers_are_refused_at_once(self):
        for given, kind, sentence in (
            (None, TypeError, "tau(0) is None where an array of 2 numbers is needed."),
            ("push", TypeError, "tau(0) is 'push' where an array of 2 numbers is needed."),
            ([1, None], TypeError, "tau(0) is [1, None] where an array of 2 numbers is needed."),
            (3.0, a.SizeError, "tau(0) has the shape () where the model needs (2,)."),
            ([[1, 2]], a.SizeError, "tau(0) has the shape (1, 2) where the model needs (2,)."),
            ([1, 2, 3], a.SizeError, "tau(0) has the shape (3,) where the model needs (2,)."),
        ):
            for tolerance in 0, 1e-6:
                with self.assertRaises(kind) as caught:
                    a.simulate(a.Model.load("park_2r"), a.State([0, 0]), 1, tau=lambda t: given, tolerance=tolerance)
                self.assertEqual(str(caught.exception), sentence)


if __name__ == "__main__":
    unittest.main()
