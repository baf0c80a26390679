"""Drives `compute --loops` of the built command line: its numbers against numpy and itself, and what it refuses.

usage: loops_test.py PROGRAM     with validation/python on PYTHONPATH
"""
import json
import re
import tempfile
import unittest
from pathlib import Path

import numpy as np
from agreement import U, assert_agree
from command import CommandTest, answer, answers, run

HERE = Path(__file__).resolve().parent
CHAPTER = HERE.parents[1] / "chapters" / "07_constrained.md"

END = {"first": {"link": "left_tip"}, "second": {"link": "right_tip"}}
PIN = {"name": "pin", "joint": "revolute", **END}
GUESS = {"q": [0.3, 0.6, 0.9, 1.2], "qd": [1, 0, 1, 0]}
DRIVES = ["left_drive", "right_drive"]
AXIS, PITCH = [0.3, -0.4, 0.5], 0.07
TURNS = {"none": 3, "about_z": 2, "universal": 1, "free": 0}  # with the number of turns that are forbidden


class LoopsTest(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, loops, **more):
        """The path of a loop file."""
        path = self.folder / ("loops_%d.json" % len(list(self.folder.iterdir())))
        path.write_text(json.dumps({"loops": loops, **more}))
        return path

    def closed(self, model, state, loops, **more):
        """The state that --assemble makes of a guess, and the options that name the loops."""
        options = ("--loops", self.file(loops, **more))
        return {**state, **answer(model, state, *options, "--assemble")["constrained"]["assembled"]}, options

    # Machines with loops.

    def five_bar(self, **more):
        """The crank state of chapter 07."""
        return self.closed("five_bar", GUESS, [PIN], **{"held": DRIVES, **more})

    def crossed_tree(self, **joint):
        """A tree, and a loop through space between turned frames that coincide in the state."""
        q = [0.1 * k for k in range(1, 11)]
        still = {"q": q, "qd": [0] * 10}
        poses = answer("mixed_tree", still)["link_poses"]
        second = {"link": "body_6", "position": [-0.2, 0.1, 0.1], "quaternion_xyzw": unit([0.3, 0.1, 0.2, 0.7])}
        place = np.linalg.inv(matrix(poses["body_3"])) @ matrix(poses["body_6"]) @ matrix(second)
        first = {"link": "body_3", "position": place[:3, 3].tolist(), "quaternion_xyzw": quaternion(place[:3, :3])}
        loop = {"name": "cross", "first": first, "second": second, "axis": AXIS, **joint}
        if joint.get("joint") in ("fixed", "universal", "ball"):
            del loop["axis"]
        wish = {**still, "qd": [1 - 0.3 * k for k in range(10)]}
        return self.closed("mixed_tree", wish, [loop])

    def machines(self):
        """Model, state with forces, options: a planar loop with dependent rows, one in space, one that floats."""
        state, options = self.five_bar()
        yield "five_bar", {**state, "tau": [0.3, -0.2, 0.5, 0.1]}, options
        state, options = self.crossed_tree(slides=["x"], turns="universal")
        yield "mixed_tree", {**state, "tau": [0.1 * k - 0.3 for k in range(10)]}, options
        state, options = self.flying_hand()
        yield ["five_bar", "--floating-base"], state, options

    def flying_hand(self):
        base = {"position": [0.1, 0.2, 0.3], "quaternion_xyzw": unit([0.1, -0.2, 0.3, 0.8])}
        guess = {**GUESS, "base": base, "qd": [0.3, -0.1, 0.2, 0.5, 0.1, -0.4, *GUESS["qd"]]}
        state, options = self.closed(["five_bar", "--floating-base"], guess, [PIN])
        return {**state, "tau": [0, 0, 0, 0, 0, 9, 0.3, -0.2, 0.5, 0.1]}, options

    def test_a_cylinder_holds_what_height_gains_when_it_gets_longer(self):
        """The command of chapter 13: at rest a push is dU/dL, here by differences of other answers."""
        models = HERE.parents[0] / "models"
        machine = models / "hydraulic_manipulator.urdf", "--loops", models / "hydraulic_manipulator.loops.json"
        state = json.loads((HERE / "good_states" / "hydraulic_manipulator.json").read_text())
        driven = {"theta_2": "L_1", "theta_3": "L_2", "theta_4": "L_3", "theta_6": "L_5"}
        h, states = 2.0**-10, [state]
        for joint in driven:
            for step in (-2 * h, -h, h, 2 * h):
                states.append({**state, "q": {**state["q"], joint: state["q"][joint] + step}})
        held, *moved = answers(machine[0], states, *machine[1:], "--assemble")
        names, n = held["joints"], len(held["joints"])
        push = dict(zip(names, held["constrained"]["inverse_dynamics"]["tau"]))
        self.assertEqual((held["constrained"]["rank"], len(held["constrained"]["rows"])), (14, 35))
        for k, (joint, cylinder) in enumerate(driven.items()):
            four = moved[4 * k : 4 * k + 4]
            height = [one["potential_energy"] for one in four]
            L = [one["constrained"]["assembled"]["q"][names.index(cylinder)] for one in four]
            coarse, fine = (height[3] - height[0]) / (L[3] - L[0]), (height[2] - height[1]) / (L[2] - L[1])
            # With half the step the error is a quarter, so that it is a third of the difference.
            bound = abs(coarse - fine) + 100 * n * U * max(map(abs, height)) / abs(L[2] - L[1])
            self.assertLessEqual(abs(push[cylinder] - fine), bound, cylinder)
            self.assertLess(bound, 1e-4 * abs(push["L_2"]))
        self.assertTrue(all(push[name] == 0 for name in names if name not in ("theta_1", "d_5", *driven.values())))

    def test_a_machine_gives_way_less_while_its_loops_stay_closed(self):
        for model, state, options in self.machines():
            results = answer(model, state, *options, "--inverse-inertia")
            c, inverse = results["constrained"], np.array(results["inverse_mass_matrix"])
            A, Delta = np.array(c["A"]), np.array(c["delassus_matrix"])
            assert_agree(self, lambda W: Delta, lambda W: A @ W @ A.T, inverse)
            kept = lambda W: W - W @ A.T @ np.linalg.pinv(A @ W @ A.T, 1e-9) @ A @ W
            for link, J in results["jacobians"]["links"].items():
                J, held = np.array(J), np.array(c["mobilities"]["links"][link])
                with self.subTest(model, link=link):
                    assert_agree(self, lambda W: held, lambda W: J @ kept(W) @ J.T, inverse)
                    free = np.array(results["mobilities"]["links"][link])
                    lost = np.linalg.eigvalsh(free - held)
                    self.assertGreaterEqual(lost.min(), -1e-12 * max(abs(lost).max(), abs(free).max()))

    # The rows.

    def test_each_way_of_saying_what_is_free_has_its_rows(self):
        ways = [
            ({"joint": name}, rows)
            for name, rows in (
                ("fixed", 6),
                ("revolute", 5),
                ("continuous", 5),
                ("prismatic", 5),
                ("universal", 4),
                ("cylindrical", 4),
                ("planar", 3),
                ("ball", 3),
            )
        ]
        ways += [({"joint": "helical", "pitch": PITCH}, 5)]
        ways += [
            ({"slides": slides, "turns": turns}, 3 - len(slides) + TURNS[turns])
            for slides in ([], ["y"], ["z", "x"])
            for turns in TURNS
        ]
        for joint, rows in ways:
            with self.subTest(**joint):
                state, options = self.crossed_tree(**joint)
                c = answer("mixed_tree", state, *options)["constrained"]
                self.assertEqual((len(c["rows"]), np.shape(c["A"]), c["rank"]), (rows, (rows, 10), rows))
                self.assertLessEqual(np.abs(c["violation"]).max(), c["closed_within"])
                slides = [row["demand"][-1] for row in c["rows"] if row["unit"] == "m"]
                self.assertEqual(
                    [row["multiplier"] for row in c["rows"]],
                    ["N" if row["unit"] == "m" else "N m" for row in c["rows"]],
                )
                if "slides" in joint:
                    self.assertEqual(slides, [axis for axis in "xyz" if axis not in joint["slides"]])
                self.check_rates(state, options, c)

    def check_rates(self, state, options, c):
        """A is the derivative of the violation, and Adot_qd the rate of A qd, both along qd at held rates."""
        h, q, qd = 2.0**-17, np.array(state["q"]), np.array(state["qd"])  # the cube root of the rounding unit
        moved = [{"q": list(q + x * qd), "qd": list(qd)} for x in (-h, h)]
        before, after = (a["constrained"] for a in answers("mixed_tree", moved, *options, "--closed-within", "1"))
        rate = lambda x, y: (np.array(y) - np.array(x)) / (2 * h)
        n, size = len(qd), (np.abs(c["A"]) @ np.abs(qd)).max()
        # Truncation is h^2/6 of the third derivative, a cube of rates over the tree; positions and rates are rounded.
        bound = (h**2 / 6 * (n * np.abs(qd).max()) ** 3 + 100 * n * U / h) * size
        A = lambda one: np.array(one["A"]) @ qd
        self.assertLessEqual(np.abs(rate(A(before), A(after)) - c["Adot_qd"]).max(), bound)
        self.assertLessEqual(np.abs(rate(before["violation"], after["violation"]) - np.array(c["A"]) @ qd).max(), bound)
        self.assertGreater(np.abs(c["Adot_qd"]).max(), bound)

    def test_each_entry_of_A_is_a_derivative_of_the_violation(self):
        state, options = self.crossed_tree(slides=["y"], turns="universal")
        c = answer("mixed_tree", state, *options)["constrained"]
        h, q = 2.0**-17, np.array(state["q"])
        moved = [{"q": list(q + x * e), "qd": [0] * 10} for e in np.eye(10) for x in (-h, h)]
        f = [
            np.array(a["constrained"]["violation"])
            for a in answers("mixed_tree", moved, *options, "--closed-within", "1")
        ]
        A = np.transpose([(after - before) / (2 * h) for before, after in zip(f[::2], f[1::2])])
        self.assertLessEqual(np.abs(A - c["A"]).max(), (h**2 / 6 + 1000 * U / h) * np.abs(A).max())

    # The motion.

    def test_forward_dynamics_solves_motion_and_constraints_together(self):
        for model, state, options in self.machines():
            with self.subTest(model):
                o = answer(model, state, *options)
                self.check_motion(o, o["constrained"]["forward_dynamics"], state, [False] * len(state["tau"]))

    def test_hybrid_dynamics_solves_motion_and_constraints_together(self):
        for (model, state, options), prescribed in zip(self.machines(), (DRIVES, ["joint_1", "joint_3"], ["base"])):
            n = len(state["tau"])
            given = {**state, "prescribed": prescribed, "qdd": [0.5 - 0.2 * k for k in range(n)]}
            with self.subTest(model):
                o = answer(model, given, *options)
                hybrid = o["constrained"]["hybrid_dynamics"]
                self.assertEqual(hybrid["prescribed"], o["hybrid_dynamics"]["prescribed"])
                self.check_motion(o, hybrid, given, hybrid["prescribed"])

    def check_motion(self, o, found, state, prescribed):
        """Against one dense system for the unknown accelerations and forces, and the multipliers."""
        c, u = o["constrained"], np.array(prescribed)
        n, m = len(u), len(c["rows"])
        given = np.where(u, state.get("qdd", np.zeros(n)), state["tau"])

        def dense(M, b, A, Adot_qd, given):
            qdd, tau = np.where(u, given, 0), np.where(u, 0, given)
            K = np.block([[np.where(u, -np.eye(n), M), -A.T], [np.where(u, 0, A), np.zeros((m, m))]])
            x = np.linalg.lstsq(K, np.concatenate([tau - b - M @ qdd, -Adot_qd - A @ qdd]), rcond=1e-11)[0]
            return np.where(u, given, x[:n]), np.where(u, x[:n], given), x[n:]

        inputs = o["mass_matrix"], o["bias"], c["A"], c["Adot_qd"], given
        for k, key in enumerate(("qdd", "tau", "lambda")):
            if key != "lambda" or not u.any() or found["lambda_unique"]:  # else the shortest of all x is another one
                assert_agree(self, lambda *_: found[key], lambda *x: dense(*x)[k], *inputs)
        self.assertEqual(found["rank"], np.linalg.matrix_rank(np.array(c["A"])[:, ~u], tol=1e-11))
        self.assertEqual(found["lambda_unique"], found["rank"] == m)
        self.assertEqual(any("lambda is the shortest" in words for words in o["warnings"]), not found["lambda_unique"])
        # The equations themselves, beside the size of their terms.
        M, b, A, Adot_qd, _ = (np.array(x) for x in inputs)
        qdd, tau, f = np.array(found["qdd"]), np.array(found["tau"]), np.array(found["lambda"])
        for matrices, rest in (((M, qdd), (-A.T, f)), b - tau), (((A, qdd),), Adot_qd):
            miss = sum(X @ x for X, x in matrices) + rest
            size = sum(np.abs(X) @ np.abs(x) for X, x in matrices) + np.abs(rest)
            self.assertLessEqual(np.abs(miss).max(), 100 * n * U * size.max())

    def test_reactions_do_to_the_tree_what_the_loops_did(self):
        """As external wrenches on the two links of each loop they leave a tree that moves like the machine."""
        for model, state, options in self.machines():
            o = answer(model, state, *options)
            reactions = o["constrained"]["forward_dynamics"]["reactions"]
            wrenches = {}
            for loop in json.loads(options[1].read_text())["loops"]:
                first, second = (
                    matrix(o["link_poses"][loop[end]["link"]]) @ matrix(loop[end]) for end in ("first", "second")
                )
                on_second = np.array(reactions[loop["name"]])
                for end, F in (
                    (loop["second"], on_second),
                    (loop["first"], carried(-on_second, np.linalg.inv(first) @ second)),
                ):
                    wrenches[end["link"]] = list(carried(F, matrix(end)))
            tree = answer(model, {**state, "external_wrenches": wrenches})
            with self.subTest(model):
                assert_agree(
                    self,
                    lambda *_: o["constrained"]["forward_dynamics"]["qdd"],
                    lambda M, b, tau: np.linalg.solve(M, tau - b),
                    tree["mass_matrix"],
                    tree["bias"],
                    state["tau"],
                )

    def test_what_is_left_free_carries_nothing(self):
        """The work of the reaction on each motion that the joint allows is zero, seen from the frames in the file."""
        n, free = np.array(AXIS) / np.linalg.norm(AXIS), {}
        free["revolute"] = free["continuous"] = [(n, 0 * n)]
        free["prismatic"] = [(0 * n, n)]
        free["helical"] = [(n, PITCH * n)]
        free["cylindrical"] = [(n, 0 * n), (0 * n, n)]
        free["planar"] = [(n, 0 * n), (0 * n, np.cross(n, [1, 0, 0])), (0 * n, np.cross(n, [0, 1, 0]))]
        free["ball"] = [(e, 0 * n) for e in np.eye(3)]
        free["universal"] = [(e, 0 * n) for e in np.eye(3)[:2]]  # at the angles zero
        for name, motions in free.items():
            state, options = self.crossed_tree(joint=name, **({"pitch": PITCH} if name == "helical" else {}))
            o = answer("mixed_tree", {**state, "tau": [0.1 * k - 0.3 for k in range(10)]}, *options)
            reaction = np.array(o["constrained"]["forward_dynamics"]["reactions"]["cross"])
            work = [reaction @ np.concatenate(motion) for motion in motions]
            with self.subTest(name):
                size, kappa = np.abs(reaction).max(), np.linalg.cond(o["mass_matrix"])
                self.assertLessEqual(np.abs(work).max(), 100 * 10 * U * kappa * size)
                self.assertGreater(size, 0.1)

    def test_gravity_and_wrenches_of_the_state_count(self):
        state, options = self.five_bar()
        state = {**state, "tau": [0, 0, 0, 0]}
        pushed = {**state, "gravity": [0, 0, 0], "external_wrenches": {"right_tip": [0, 0, 0, 1, 2, 3]}}
        o = answer("five_bar", pushed, *options)
        self.check_motion(o, o["constrained"]["forward_dynamics"], pushed, [False] * 4)
        weight = answer("five_bar", state, *options)["constrained"]["forward_dynamics"]["qdd"]
        self.assertGreater(np.abs(np.subtract(weight, o["constrained"]["forward_dynamics"]["qdd"])).max(), 1)

    # Loops, or joints, that have nothing to say to each other: what rounding leaves of A is no constraint.

    def test_a_loop_that_no_joint_can_open_carries_nothing(self):
        """Both arms of the five-bar move in one plane, with or without a joint that keeps them there."""
        plane = [{**PIN, "joint": "planar"}]
        _, options = self.five_bar()
        state = {**GUESS, **answer("five_bar", GUESS, *options, "--assemble")["constrained"]["assembled"]}
        wish = {**state, "qd": [1, 2, 3, 4], "tau": [0.3, -0.2, 0.5, 0.1]}
        o = answer("five_bar", wish, "--loops", self.file(plane), "--assemble")
        c = o["constrained"]
        self.assertEqual((len(c["rows"]), c["rank"], c["assembled"]["qd"]), (3, 0, [1, 2, 3, 4]))
        self.assertEqual(c["forward_dynamics"]["lambda"], [0, 0, 0])
        np.testing.assert_allclose(c["forward_dynamics"]["qdd"], o["forward_dynamics"]["qdd"], rtol=1e-13)

    def test_a_base_that_carries_both_ends_does_not_feel_the_loop(self):
        state, options = self.flying_hand()
        joints = [*DRIVES, "left_elbow", "right_elbow"]
        model = ["five_bar", "--floating-base"]
        free = answer(model, state, *options)
        qdd = free["constrained"]["forward_dynamics"]["qdd"]
        np.testing.assert_array_equal(np.array(free["constrained"]["A"])[:, :6], 0)
        hybrid = answer(model, {**state, "qdd": qdd, "prescribed": joints}, *options)["constrained"]["hybrid_dynamics"]
        self.assertEqual((hybrid["rank"], set(hybrid["lambda"])), (0, {0}))
        np.testing.assert_allclose(hybrid["qdd"], qdd, rtol=1e-11)
        # Motors at all joints: nothing passive is left for the loop to carry.
        state = {**state, "qdd": qdd}
        options = ("--loops", self.file([PIN], actuated=joints, least="constraint_force"))
        inverse = answer(model, state, *options)["constrained"]["inverse_dynamics"]
        self.assertEqual((inverse["rank_passive"], set(inverse["lambda"])), (0, {0}))

    def test_a_joint_whose_axis_meets_the_pin_does_not_feel_it(self):
        """The right rod hangs on the loop by a ball that slides, on the axis of its elbow."""
        poses = answer("five_bar", {**GUESS, "qd": [0] * 4})["link_poses"]
        rod = np.linalg.inv(matrix(poses["right_tip"])) @ matrix(poses["right_rod"])
        on_axis = (rod @ [0, 0, 0.05, 1])[:3].tolist()
        ball = {
            "name": "ball",
            "slides": ["z"],
            "turns": "free",
            "first": {"link": "left_tip"},
            "second": {"link": "right_tip", "position": on_axis},
        }
        state, options = self.closed("five_bar", {**GUESS, "tau": [0.3, -0.2, 0.5, 0.1]}, [ball])
        free = answer("five_bar", state, *options)["constrained"]["forward_dynamics"]
        others = {**state, "qdd": free["qdd"], "prescribed": [*DRIVES, "left_elbow"]}
        o = answer("five_bar", others, *options)
        found = o["constrained"]["hybrid_dynamics"]
        self.assertEqual((found["rank"], found["lambda"]), (0, [0, 0]))
        np.testing.assert_allclose(found["qdd"], free["qdd"], rtol=1e-12)

    # Forces.

    def test_inverse_dynamics_is_the_least_that_moves_it_so(self):
        for actuated in (
            DRIVES,
            ["left_elbow", "right_elbow"],
            [*DRIVES, "left_elbow"],
            [*DRIVES, "left_elbow", "right_elbow"],
        ):
            for least in ("actuator_force", "constraint_force"):
                state, options = self.five_bar(actuated=actuated, least=least)
                springs = [0.3, -0.2, 0.5, 0.1]
                state = {**state, "gravity": [1, 2, -3], "external_wrenches": {"right_tip": [0.1, 0, -0.2, 1, 2, 3]}}
                motion = answer(
                    "five_bar", {**state, "tau": [0, 0, 0, 0], "prescribed": DRIVES, "qdd": [1, 0, 1, 0]}, *options
                )
                state = {**state, "tau": springs, "qdd": motion["constrained"]["hybrid_dynamics"]["qdd"]}
                o = answer("five_bar", state, *options)
                found = o["constrained"]["inverse_dynamics"]
                a = np.array(found["actuated"])
                self.assertEqual(
                    (found["least"], a.sum(), found["tau_unique"]), (least, len(actuated), len(actuated) == 2)
                )
                self.assertEqual(found["rank_passive"], 4 - len(actuated))

                def forces(A, tau_r):
                    """lambda carries the passive joints; what it is free to do makes either itself or tau_a short."""
                    f = np.linalg.pinv(A[:, ~a].T, 1e-11) @ (tau_r - springs)[~a] if (~a).any() else np.zeros(len(A))
                    _, sizes, Vt = np.linalg.svd(A[:, ~a].T)
                    N = Vt[(sizes > 1e-11).sum() :].T
                    if least == "actuator_force" and np.abs(A[:, a].T @ N).max() > 1e-11:
                        f = f + N @ np.linalg.pinv(A[:, a].T @ N, 1e-11) @ (tau_r - A.T @ f)[a]
                    return np.where(a, tau_r - A.T @ f, springs), f

                with self.subTest(actuated=actuated, least=least):
                    inputs = o["constrained"]["A"], o["inverse_dynamics"]["tau"]
                    for k, key in enumerate(("tau", "lambda")):
                        assert_agree(self, lambda *_: found[key], lambda *x: forces(*x)[k], *inputs)
                    # Forward dynamics gives the motion back.
                    back = answer("five_bar", {**state, "tau": found["tau"]}, *options)
                    self.check_motion(
                        back,
                        {**back["constrained"]["forward_dynamics"], "qdd": state["qdd"]},
                        {**state, "tau": found["tau"]},
                        [False] * 4,
                    )

    def test_what_is_not_asked_is_not_answered(self):
        state, options = self.five_bar()
        self.assertNotIn("inverse_dynamics", answer("five_bar", {**state, "qdd": [0] * 4}, *options)["constrained"])
        state, options = self.five_bar(actuated=DRIVES)
        hybrid = {**state, "qdd": [1, 7, 1, 7], "tau": [0] * 4, "prescribed": DRIVES}
        self.assertEqual(
            [key for key in answer("five_bar", hybrid, *options)["constrained"] if "dynamics" in key],
            ["forward_dynamics", "hybrid_dynamics"],
        )
        self.assertNotIn("constrained", answer("five_bar", state))

    # Derivatives.

    def test_derivatives_are_those_of_the_numbers_beside_them(self):
        """By forces and prescribed accelerations the answer is linear, by rates quadratic: differences are exact."""
        for (model, state, options), prescribed in zip(self.machines(), ([], ["joint_1", "joint_3"], DRIVES)):
            n = len(state["tau"])
            state = {**state, "qdd": [0.5 - 0.2 * k for k in range(n)], "prescribed": prescribed}
            o = answer(model, state, *options, "--derivatives")
            u = np.array(o["constrained"]["hybrid_dynamics"]["prescribed"])
            one = lambda key, k, x: {**state, key: [value + x * (j == k) for j, value in enumerate(state[key])]}
            for by, step in (("by_given", 1), ("by_qd", 1), *([("by_q", 2.0**-17)] if n == len(state["q"]) else [])):
                keys = ["qdd" if u[k] and by == "by_given" else "tau" if by == "by_given" else by[3:] for k in range(n)]
                moved = [one(key, k, x) for k, key in enumerate(keys) for x in (step, -step)]
                out = answers(model, moved, *options, "--closed-within", "1e9")
                for name in ("forward_dynamics", "hybrid_dynamics"):
                    if name == "forward_dynamics" and by == "by_given" and u.any():
                        continue  # there all that is given are forces
                    at, run_ = o["constrained"][name], [x["constrained"][name] for x in out]
                    for key, label in (("lambda", "lambda_" + by), (None, by)):
                        values = [
                            result(x, u & (name == "hybrid_dynamics")) if key is None else np.array(x[key])
                            for x in run_
                        ]
                        differences = np.transpose([(x - y) / (2 * step) for x, y in zip(values[::2], values[1::2])])
                        size = max(np.abs(x).max() for x in values)
                        rounding = 100 * n * U * size / step * np.linalg.cond(o["mass_matrix"])
                        truncation = step**2 * np.abs(differences).max() * 1e3 if by == "by_q" else 0
                        with self.subTest(model, by=label, of=name):
                            self.assertLess(np.abs(differences - at[label]).max(), rounding + truncation)
                            self.assertLess(rounding + truncation, 1e-3 * np.abs(differences).max())

    # Impulses.

    def test_loops_that_close_at_once_make_the_rates_jump(self):
        rotor = {"name": "r", "type": "rotor", "joint": "right_drive", "inertia": 0.4}
        turning, with_rotor = self.five_bar(forces=[rotor])
        machines = [*self.machines(), ("five_bar", {**turning, "tau": [0] * 4}, with_rotor)]
        for model, state, options in machines:
            n, e = len(state["tau"]), 0.375
            state = {**state, "qd": [1 - 0.3 * k for k in range(n)]}
            refused = run(model, "-", *options, given=json.dumps(state))
            self.assertIn("opens with", json.loads(refused.stdout)["error"])
            o = answer(model, state, *options, "--impulse", str(e), "--derivatives")
            c, W, A = o["constrained"], np.linalg.inv(o["mass_matrix"]), np.array(o["constrained"]["A"])
            self.assertFalse({"forward_dynamics", "hybrid_dynamics", "inverse_dynamics"} & c.keys())
            jump, before = c["impulse"], np.array(state["qd"])
            self.assertEqual((jump["restitution"], jump["rank"]), (e, c["rank"]))
            self.assertEqual(jump["impulses_unique"], c["rank"] == len(A))
            back = lambda W: -(1 + e) * np.linalg.pinv(A @ W @ A.T, 1e-9) @ A
            with self.subTest(model):
                assert_agree(self, lambda W: jump["qd"], lambda W: before + W @ A.T @ back(W) @ before, W)
                assert_agree(self, lambda W: jump["impulses"], lambda W: back(W) @ before, W)
                assert_agree(self, lambda W: jump["by_qd"], lambda W: np.eye(n) + W @ A.T @ back(W), W)
                assert_agree(self, lambda W: jump["impulses_by_qd"], back, W)
            if n != len(state["q"]):
                continue  # coordinates of a free base are no displacements
            h = 2.0**-17
            one = lambda k, x: {**state, "q": [value + x * (j == k) for j, value in enumerate(state["q"])]}
            moved = [one(k, x) for k in range(n) for x in (h, -h)]
            beside = [x["constrained"]["impulse"] for x in
                      answers(model, moved, *options, "--impulse", str(e), "--closed-within", "1e9")]
            for by, key in (("by_q", "qd"), ("impulses_by_q", "impulses")):
                values = [np.array(x[key]) for x in beside]
                differences = np.transpose([(x - y) / (2 * h) for x, y in zip(values[::2], values[1::2])])
                size = max(np.abs(x).max() for x in values)
                allowed = 100 * n * U * size / h * np.linalg.cond(W) + h**2 * np.abs(differences).max() * 1e3
                with self.subTest(model, by=by):
                    self.assertLess(np.abs(differences - jump[by]).max(), allowed)
                    self.assertLess(allowed, 1e-3 * np.abs(differences).max())

    def test_without_loops_nothing_can_close(self):
        done = run("five_bar", "-", "--impulse", "0", given=json.dumps(GUESS))
        self.assert_refused(done, "--impulse is given, but there are no loops that could close", ["add --loops"])

    def test_a_foot_that_lands_stays_if_it_is_plastic(self):
        """--assemble closes the coordinates and leaves the rates before alone."""
        state = {"q": [0.3, 0.6, 0.9, 1.2], "qd": [1, 0.5, -1, 2]}
        c = answer("five_bar", state, "--loops", self.file([PIN]), "--assemble", "--impulse", "0")["constrained"]
        self.assertEqual(c["assembled"]["qd"], state["qd"])
        self.assertGreater(np.abs(c["violation_rate"]).max(), 0.1)
        self.assertLess(np.abs(np.array(c["A"]) @ c["impulse"]["qd"]).max(), 1e-13)
        self.assertNotIn("by_q", c["impulse"])

    # Assembly.

    def test_the_file_in_the_chapter_closes_the_crank_state(self):
        block = re.search(r"```json\n(.*?)```", CHAPTER.read_text(), re.S)[1]
        path = self.folder / "chapter.json"
        path.write_text(block)
        o = answer("five_bar", GUESS, "--loops", path, "--assemble")["constrained"]
        state = o["assembled"]
        self.assertEqual([state["q"][k] for k in (0, 2)] + [state["qd"][k] for k in (0, 2)], [0.3, 0.9, 1, 1])
        row = lambda symbol: re.search(r"\\f\$%s\\f\$ \| \\f\$\((.*?)\)\\f\$" % symbol, CHAPTER.read_text())[1]
        numbers = lambda text: [float(x) for x in re.sub("[{}]", "", text).split(",")]
        np.testing.assert_allclose(state["q"], numbers(row("q")), atol=5e-7)
        np.testing.assert_allclose(state["qd"], numbers(row(r"\\dot q")), atol=5e-7)
        given = {**state, "prescribed": DRIVES, "qdd": [1, 0, 1, 0], "tau": [0] * 4}
        hybrid = answer("five_bar", given, "--loops", path)["constrained"]["hybrid_dynamics"]
        np.testing.assert_allclose(hybrid["qdd"], numbers(row(r"\\ddot q")), atol=5e-7)
        np.testing.assert_allclose(hybrid["tau"], numbers(row(r"\\tau")), atol=5e-7)
        np.testing.assert_allclose(hybrid["lambda"], numbers(row(r"\\lambda")), atol=5e-7)

    def test_assembly_closes_and_says_with_what(self):
        for model, state, options in self.machines():
            o = answer(model, state, *options)  # what was assembled is a state as it may be given
            c = o["constrained"]
            terms = np.abs(c["A"]) @ np.abs(state["qd"])
            self.assertLessEqual(np.abs(c["violation"]).max(), 100 * len(state["qd"]) * U)
            self.assertLessEqual(np.abs(c["violation_rate"]).max(), 100 * len(state["qd"]) * U * terms.max())
            self.assertNotIn("assembled", c)
            again = answer(model, state, *options, "--assemble")
            np.testing.assert_allclose(again["constrained"]["assembled"]["q"], state["q"], atol=1e-12)

    def test_all_results_are_those_of_the_state_that_was_closed(self):
        state, options = self.five_bar()
        guessed = answer("five_bar", GUESS, *options, "--assemble")
        self.assertEqual(guessed["mass_matrix"], answer("five_bar", state)["mass_matrix"])

    # Refusals.

    def refused(self, state, options, *pieces):
        self.assert_line_refused(
            run("five_bar", given=json.dumps(state), *["-", *options]), "standard input, line 1: ", pieces
        )

    def test_a_state_that_is_not_closed_is_refused_with_its_size(self):
        options = ("--loops", self.file([PIN], held=DRIVES))
        self.refused(
            GUESS, options, "loop 'pin' is open by 1.02707 m", "no way along", "1e-09 is allowed", "--assemble", "q"
        )
        state, options = self.five_bar()
        moving = {**state, "qd": [1, 1, 1, 1]}
        opens = np.array(answer("five_bar", moving, *options, "--closed-within", "9")["constrained"]["violation_rate"])
        self.refused(moving, options, "loop 'pin' opens with %.6g m/s" % np.abs(opens).max(), "--assemble", "qd")
        nearly = {**state, "q": [x + 1e-8 * (k == 0) for k, x in enumerate(state["q"])]}
        self.refused(nearly, options, "is open by", "e-09 m ", "1e-09 is allowed")
        self.assertEqual(
            run("five_bar", "-", *options, "--closed-within", "1e-7", given=json.dumps(nearly)).returncode, 0
        )
        ten_decimals = {key: [round(x, 10) for x in state[key]] for key in ("q", "qd")}
        c = answer("five_bar", ten_decimals, *options)["constrained"]
        self.assertGreater(np.abs(c["violation"]).max(), 1e-13)

    def test_a_loop_that_cannot_be_closed_is_refused(self):
        far = {**PIN, "first": {"link": "left_tip", "position": [5, 0, 0]}}
        self.refused(GUESS, ("--loops", self.file([far]), "--assemble"), "loop 'pin' cannot be closed from this guess")
        held = ("--loops", self.file([PIN], held=[*DRIVES, "left_elbow", "right_elbow"]), "--assemble")
        self.refused(GUESS, held, "loop 'pin' cannot be closed from this guess")
        state, _ = self.five_bar()
        self.refused({**state, "qd": [1, 0, 0, 0]}, held, "loop 'pin' opens with", "hold fewer joints")

    def test_what_contradicts_the_loops_is_refused_with_its_size(self):
        state, options = self.five_bar(actuated=DRIVES)
        self.refused(
            {**state, "qdd": [1, 1, 1, 1]}, options, "loop 'pin' is opened by the accelerations", "m/s^2", "hybrid"
        )
        all_joints = [*DRIVES, "left_elbow", "right_elbow"]
        prescribed = {**state, "qdd": [1, 1, 1, 1], "tau": [0] * 4, "prescribed": all_joints}
        self.refused(
            prescribed, options, "loop 'pin' cannot stay closed: it would part with", "m/s^2", "prescribe fewer"
        )
        # Prescribed accelerations that keep the loop closed are welcome, also in ten decimals.
        moving = {**prescribed, "prescribed": DRIVES}
        qdd = answer("five_bar", moving, *options)["constrained"]["hybrid_dynamics"]["qdd"]
        agreed = {**prescribed, "qdd": [round(x, 10) for x in qdd]}
        self.assertEqual(answer("five_bar", agreed, *options)["constrained"]["hybrid_dynamics"]["rank"], 0)

    def test_too_few_motors_are_refused(self):
        state, options = self.five_bar(actuated=["left_drive"])
        qdd = answer("five_bar", {**state, "qdd": [1, 0, 1, 0], "tau": [0] * 4, "prescribed": DRIVES}, *options)
        qdd = qdd["constrained"]["hybrid_dynamics"]["qdd"]
        self.refused(
            {**state, "qdd": qdd}, options, "cannot make the system move as prescribed", "1.081", "actuate more joints"
        )

    def test_a_position_from_which_no_motion_goes_on_is_refused(self):
        """Two bars of 1 m, stretched, with their tip pinned where it is, and turning against each other."""
        model = self.folder / "bars.urdf"
        model.write_text(BARS)
        pin = {
            "name": "pin",
            "joint": "revolute",
            "first": {"link": "wall", "position": [2, 0, 0]},
            "second": {"link": "second", "position": [1, 0, 0]},
        }
        options = ("--loops", self.file([pin]))
        state = {"q": [0, 0], "qd": [0, 0], "tau": [0, 0]}
        self.assertEqual(answer(model, state, *options)["constrained"]["forward_dynamics"]["rank"], 1)
        # The middle goes round the wall, and the tip round the middle: 1 m/s^2 each, toward the wall.
        done = run(model, "-", *options, given=json.dumps({**state, "qd": [1, -2]}))
        self.assert_line_refused(
            done,
            "standard input, line 1: loop 'pin' cannot stay closed",
            ["part with 2 m/s^2 (no way along x)", "this position is singular"],
        )

    def test_in_a_singular_position_the_motion_is_not_called_the_only_one(self):
        model = self.folder / "parallel.urdf"
        model.write_text(PARALLEL)
        pin = {
            "name": "pin",
            "joint": "revolute",
            "first": {"link": "coupler", "position": [1, 0, 0]},
            "second": {"link": "right", "position": [1, 0, 0]},
        }
        options = ("--loops", self.file([pin]))
        for angle, said in ((0, "this position is singular"), (0.3, "the motion the only one")):
            both = lambda x: {"left": x, "right": x, "coupler": -x}
            state = {"q": both(angle), "qd": both(1), "tau": both(0)}
            o = answer(model, state, *options)
            self.assertEqual(o["constrained"]["rank"], 1 if angle == 0 else 2)
            self.assertTrue(any(said in words and "lambda is the shortest" in words for words in o["warnings"]), angle)

    def test_results_that_overflow_are_refused(self):
        state, options = self.five_bar()
        self.refused({**state, "qd": [1e300, 0, 0, 1e300]}, options, "loop 'pin' opens with")
        fast = {**state, "qd": [1e200 * x for x in state["qd"]]}
        self.refused(fast, options, "too large for double precision")

    # Joints that follow each other.

    HAND = {"q": [0.2, 0.1, 0.3, -0.06, 0.004], "qd": [0.5, 0.3, -0.2, -0.4, 0.01], "tau": [0.1, 0.2, 0.1, 0, 0]}

    @staticmethod
    def rounding(M, A, *numbers):
        """100 n eps kappa of a motion with its multipliers, which is one system of equations."""
        whole = np.block([[M, -A.T], [A, np.zeros((len(A), len(A)))]])
        return 100 * len(M) * U * np.linalg.cond(whole) * max(abs(x).max() for x in numbers)

    def test_mimics_are_constraints_where_they_are_asked_for(self):
        self.assertNotIn("constrained", answer("mimic_hand", self.HAND))
        asked = answer("mimic_hand", self.HAND, "--with", "mimic", "--assemble")
        self.assertFalse(any("mimic" in one for one in asked["warnings"]))
        c, joints, n = asked["constrained"], asked["joints"], 5
        A = np.array(c["A"])
        q, qd = (np.array(c["assembled"][key]) for key in ("q", "qd"))
        E = np.eye(n)
        for row, A_row, joint, unit, multiplier, offset in zip(
            c["rows"], A, ("second_knuckle", "thumb_slide"), ("rad", "m"), (-0.8, 0.02), (0.1, 0), strict=True
        ):
            follower, leader = joints.index(joint), joints.index("first_knuckle")
            self.assertEqual((row["loop"], row["unit"]), (joint, unit))
            self.assertEqual(row["demand"], f"{joint} = {multiplier} first_knuckle + {offset}")
            E[follower] = multiplier * np.eye(n)[leader]
            np.testing.assert_array_equal(A_row, np.eye(n)[follower] - E[follower])
            self.assertAlmostEqual(q[follower], multiplier * q[leader] + offset, delta=1e-15)
            self.assertAlmostEqual(qd[follower], multiplier * qd[leader], delta=1e-15)
        E = np.delete(E, [joints.index("second_knuckle"), joints.index("thumb_slide")], axis=1)
        # The motion of the hand that has no coordinates but those that lead.
        tree = answer("mimic_hand", {**self.HAND, **c["assembled"]})
        M, bias, tau = (np.array(x) for x in (tree["mass_matrix"], tree["bias"], self.HAND["tau"]))
        expected = E @ np.linalg.solve(E.T @ M @ E, E.T @ (tau - bias))
        found, multipliers = (np.array(c["forward_dynamics"][key]) for key in ("qdd", "lambda"))
        most = self.rounding(M, A, found, multipliers)
        self.assertLess(abs(found - expected).max(), most)
        self.assertGreater(abs(found - np.array(tree["forward_dynamics"]["qdd"])).max(), 1e6 * most)

    def test_a_state_that_breaks_a_mimic_is_refused(self):
        done = run("mimic_hand", "-", "--with", "mimic", given=json.dumps(self.HAND))
        pieces = ["loop 'second_knuckle' is open by 0.08 rad", "-0.8 first_knuckle + 0.1", "add --assemble"]
        self.assert_line_refused(done, "standard input, line 1: ", pieces)

    def test_a_coupling_of_a_loop_file_is_the_mimic_of_the_model(self):
        asked = answer("mimic_hand", self.HAND, "--with", "mimic", "--assemble")["constrained"]
        mimics = [
            {"name": name, "coupling": {"joint": joint, "follows": "first_knuckle", **numbers}}
            for name, joint, numbers in (
                ("fingers", "second_knuckle", {"multiplier": -0.8, "offset": 0.1}),
                ("thumb", "thumb_slide", {"multiplier": 0.02}),
            )
        ]
        given = answer("mimic_hand", self.HAND, "--loops", self.file(mimics), "--assemble")["constrained"]
        for key in ("A", "violation", "assembled", "rank"):
            self.assertEqual(given[key], asked[key])
        for key in ("qdd", "lambda"):
            self.assertEqual(given["forward_dynamics"][key], asked["forward_dynamics"][key])
        path = self.file([{**mimics[0], "name": "second_knuckle"}])
        done = run("mimic_hand", "-", "--with", "mimic", "--loops", path, given="")
        self.assert_refused(done, str(path) + ": ", ["loops[0].name is 'second_knuckle', as the joint whose mimic"])

    def test_motors_may_be_named_for_mimics_alone(self):
        path = self.folder / "motors.json"
        path.write_text(json.dumps({"actuated": ["wrist", "first_knuckle", "first_phalanx"]}))
        options = ("--with", "mimic", "--assemble", "--loops", path)
        asked = answer("mimic_hand", self.HAND, *options)
        motion = asked["constrained"]["forward_dynamics"]
        state = {**self.HAND, "qdd": motion["qdd"], "tau": [0] * 5}
        found = answer("mimic_hand", state, *options)["constrained"]["inverse_dynamics"]
        self.assertTrue(found["tau_unique"])
        M, A = np.array(asked["mass_matrix"]), np.array(asked["constrained"]["A"])
        numbers = [np.array(x) for x in (motion["qdd"], motion["lambda"], asked["bias"])]
        for key, expected in (("tau", self.HAND["tau"]), ("lambda", motion["lambda"])):
            self.assertLess(abs(np.array(found[key]) - expected).max(), self.rounding(M, A, *numbers))
        done = run("mimic_hand", "-", "--loops", path, given="")
        self.assert_refused(done, str(path) + ": ", ["loops is missing"])

    def test_a_bad_loop_file_is_refused_in_one_sentence(self):
        for name, (content, *pieces) in BAD_LOOPS.items():
            path = self.folder / (name + ".json")
            path.write_text(content if isinstance(content, str) else json.dumps(content))
            with self.subTest(name):
                done = run("five_bar", "-", "--loops", path, given=json.dumps(GUESS))
                self.assert_refused(done, str(path) + ": ", pieces)
        for path, words in ((self.folder / "nowhere", "no such file"), (self.folder, "directory")):
            self.assert_refused(run("five_bar", "-", "--loops", path, given=""), str(path) + ": ", [words])

    def test_options_that_need_loops_or_a_number_are_refused(self):
        loops = ("--loops", self.file([PIN]))
        for options, words in (
            (["--assemble"], "--assemble requires --loops"),
            (["--closed-within", "1"], "--closed-within requires --loops"),
            ([*loops, "--closed-within", "nan"], "'nan' is no finite number from 0 on"),
            ([*loops, "--closed-within", "-1"], "'-1' is no finite number from 0 on"),
            (["--loops", ""], "--loops: it is empty"),
            ([*loops, "--impulse", "1.5"], "1.5 not in range"),
        ):
            done = run("five_bar", "-", *options, given=json.dumps(GUESS))
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(words, done.stderr.decode())


def changed(**changes):
    """A loop file whose one loop differs from the pin; None leaves a key out."""
    return {"loops": [{key: value for key, value in {**PIN, **changes}.items() if value is not None}]}


def end(**changes):
    return changed(first={"link": "left_tip", **changes})


BAD_LOOPS = {  # the file, and pieces of the sentence that refuses it
    # The text.
    "empty": ("", "the file is empty", "a list of loops"),
    "unclosed": ('{"loops": [', "breaks off at line 1", "close every bracket."),
    "trailing_comma": ('{"loops": [1,]}', "not JSON at line 1, column 14"),
    "overflow": (json.dumps(end(position=[0, 0, 0])).replace("[0, 0, 0]", "[1e999, 0, 0]"), "'1e999'", "too large"),
    "key_twice": ('{"loops": [{"name": "a", "name": "b"}]}', "'name'", "twice"),
    "array": ([PIN], "the loop file is an array"),
    "unknown_key": ({**changed(), "loop": 1}, "'loop'", "known are 'loops', 'forces', 'stops', 'actuated', 'least', 'held'"),
    "no_loops": ({"actuated": []}, "loops is missing"),
    "loops_an_object": ({"loops": PIN}, "loops is an object", "array"),
    "empty_list": ({"loops": []}, "loops is empty"),
    "loop_a_name": ({"loops": ["pin"]}, 'loops[0] is "pin"', "JSON object"),
    # A loop.
    "unknown_key_of_a_loop": (changed(type="ball"), "loops[0]", "'type'", "'slides', 'turns', 'coupling'"),
    "no_name": (changed(name=None), "loops[0].name is missing"),
    "name_a_number": (changed(name=3), "loops[0].name is 3"),
    "name_empty": (changed(name=""), "loops[0].name is ''"),
    "name_breaks_the_line": (changed(name="a\nb"), "loops[0].name is 'a\\nb'"),
    "name_twice": ({"loops": [PIN, {**PIN, "joint": "ball"}]}, "loops[1].name is 'pin', as that of loops[0]"),
    "no_end": (changed(second=None), "loops[0].second is missing"),
    "end_a_name": (changed(second="right_tip"), 'loops[0].second is "right_tip"', "JSON object"),
    "nothing_free": (changed(joint=None), "loops[0] does not say what it leaves free"),
    "joint_and_slides": (changed(slides=[]), "loops[0] has a joint and says by hand"),
    "joint_and_turns": (changed(turns="none"), "loops[0] has a joint and says by hand"),
    "unknown_joint": (changed(joint="hinge"), 'loops[0].joint is "hinge"', "'revolute'", "'ball'"),
    "free_joint": (changed(joint="floating"), 'loops[0].joint is "floating"', "'fixed'"),
    "joint_a_list": (changed(joint=["ball"]), "loops[0].joint is an array"),
    "pitch_of_a_pin": (changed(pitch=0.1), "loops[0].pitch is given", "'helical'"),
    "pitch_by_hand": (changed(joint=None, slides=[], turns="about_z", pitch=0.1), "loops[0].pitch is given"),
    "no_pitch": (changed(joint="helical"), "loops[0].pitch is missing"),
    "pitch_a_text": (changed(joint="helical", pitch="1"), 'loops[0].pitch is "1"', "finite number"),
    "axis_zero": (changed(axis=[0, 0, 0]), "loops[0].axis is 0 0 0"),
    "axis_of_two": (changed(axis=[0, 1]), "loops[0].axis has 2 entries", "needs 3"),
    "axis_of_a_ball": (changed(joint="ball", axis=[0, 0, 1]), "loops[0].axis is given", "'ball' has none"),
    "no_slides": (changed(joint=None, turns="none"), "loops[0].slides is missing"),
    "no_turns": (changed(joint=None, slides=[]), "loops[0].turns is missing"),
    "slides_a_letter": (changed(joint=None, slides="x", turns="none"), 'loops[0].slides is "x"', "array"),
    "unknown_slide": (changed(joint=None, slides=["w"], turns="none"), 'loops[0].slides[0] is "w"', "'x', 'y', 'z'"),
    "slide_twice": (changed(joint=None, slides=["x", "x"], turns="none"), "loops[0].slides[1]", "a second time"),
    "unknown_turns": (changed(joint=None, slides=[], turns="about_x"), 'loops[0].turns is "about_x"', "'about_z'"),
    "all_free": (
        changed(joint=None, slides=["x", "y", "z"], turns="free"),
        "loop 'pin' leaves all six directions free",
    ),
    "one_body": (changed(second={"link": "left_rod"}), "loop 'pin' joins", "of one rigid body"),
    "coupling_and_joint": (changed(coupling={}), "loops[0] has a coupling and more"),
    "coupling_a_name": ({"loops": [{"name": "a", "coupling": "b"}]}, 'loops[0].coupling is "b"', "JSON object"),
    "coupling_of_one": ({"loops": [{"name": "a", "coupling": {"joint": "b"}}]}, "loops[0].coupling.follows is missing"),
    "coupling_unknown": (
        {"loops": [{"name": "a", "coupling": {"joint": "left_drive", "follows": "b"}}]},
        "loop 'a' couples the joint 'b', and there is none of that name",
    ),
    "coupling_not_finite": (
        {"loops": [{"name": "a", "coupling": {"joint": "left_drive", "follows": "b", "offset": "1"}}]},
        'loops[0].coupling.offset is "1"',
    ),
    # An end.
    "no_link": (changed(first={}), "loops[0].first.link is missing"),
    "link_a_number": (end(link=1), "loops[0].first.link is 1", "name of a link"),
    "unknown_link": (end(link="tail"), "loops[0].first.link names the link 'tail'", "'left_tip'"),
    "unknown_key_of_an_end": (end(quaternion=[0, 0, 0, 1]), "loops[0].first", "'quaternion'", "'quaternion_xyzw'"),
    "position_of_two": (end(position=[0, 0]), "loops[0].first.position has 2 entries", "needs 3"),
    "position_null": (end(position=[0, None, 0]), "loops[0].first.position[1] is null"),
    "quaternion_zero": (end(quaternion_xyzw=[0, 0, 0, 0]), "loops[0].first.quaternion_xyzw has length 0 "),
    "quaternion_of_three": (end(quaternion_xyzw=[0, 0, 0]), "loops[0].first.quaternion_xyzw has 3 entries"),
    # The rest.
    "actuated_a_name": ({**changed(), "actuated": "left_drive"}, 'actuated is "left_drive"', "array of joint names"),
    "actuated_stranger": ({**changed(), "actuated": ["tilt"]}, "actuated[0] names the joint 'tilt'", "does not move"),
    "actuated_twice": ({**changed(), "actuated": DRIVES[:1] * 2}, "actuated[1] names 'left_drive' a second time"),
    "held_stranger": ({**changed(), "held": ["tilt"]}, "held[0] names the joint 'tilt'"),
    "least_unknown": ({**changed(), "actuated": DRIVES, "least": "force"}, 'least is "force"', "'actuator_force'"),
    "least_of_nothing": ({**changed(), "least": "actuator_force"}, "least is given without actuated"),
}

BARS = """<robot name="bars"><link name="wall"/>
  <link name="first"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <link name="second"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <joint name="shoulder" type="continuous"><parent link="wall"/><child link="first"/><axis xyz="0 0 1"/></joint>
  <joint name="elbow" type="continuous"><parent link="first"/><child link="second"/><origin xyz="1 0 0"/>
    <axis xyz="0 0 1"/></joint></robot>"""


ROD = """<link name="{0}"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <joint name="{0}" type="continuous"><parent link="{1}"/><child link="{0}"/><origin xyz="{2} 0 0"/>
    <axis xyz="0 0 1"/></joint>"""
RODS = ROD.format("left", "wall", 0) + ROD.format("right", "wall", 1) + ROD.format("coupler", "left", 1)
PARALLEL = f'<robot name="parallel"><link name="wall"/>{RODS}</robot>'


def unit(x):
    return (np.array(x) / np.linalg.norm(x)).tolist()


def matrix(pose):
    """4x4, of a position and a quaternion."""
    x, y, z, w = pose.get("quaternion_xyzw", [0, 0, 0, 1])
    T = np.eye(4)
    T[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    T[:3, 3] = pose.get("position", [0, 0, 0])
    return T


def quaternion(R):
    """x y z w of a rotation by less than half a turn: the eigenvector of R gives the axis only, so the rule with w."""
    w = np.sqrt(1 + np.trace(R)) / 2
    return unit([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1], 4 * w * w])


def carried(F, T):
    """The wrench F of the frame T, seen from the frame in which T is given."""
    R, p = T[:3, :3], T[:3, 3]
    force = R @ F[3:]
    return np.concatenate([R @ F[:3] + np.cross(p, force), force])


def result(run_, u):
    """Unknown accelerations, and unknown forces where accelerations are given."""
    return np.where(u, run_["tau"], run_["qdd"])


if __name__ == "__main__":
    unittest.main()
