"""Closed loops: rows against lines and planes in numpy, one dense system for all, and the numbers of chapter 07."""
import unittest
from pathlib import Path

import numpy as np
from agreement import U, assert_agree

import articulate as a

# By whether the constraint force is to be the least.
LEAST = {False: a.Least.actuator_force, True: "constraint_force"}

TYPES = (
    "fixed",
    "revolute",
    "continuous",
    "prismatic",
    "helical",
    "universal",
    "cylindrical",
    "planar",
    "euler_ball",
    "ball",
)
WITH_AXIS = ("revolute", "continuous", "prismatic", "helical", "cylindrical", "planar")
CHAPTERS = Path(__file__).resolve().parents[2] / "chapters"
FREE, DRIVES = np.zeros(4, bool), np.array([True, False, True, False])


def pin(type="revolute", first="left_tip", second="right_tip", **options):
    return a.cut_joint("pin", type, a.LoopEnd(first), a.LoopEnd(second), **options)


def five_bar():
    """The machine, its loop and the crank state of chapter 07: coordinates and rates."""
    model, loop = a.Model.load("five_bar"), pin()
    assembly = a.Assembly(model, [loop], DRIVES)
    q = assembly.close([0.3, 0.6, 0.9, 1.2])
    return model, loop, q, assembly.project(q, [1, 0, 1, 0])


def crossed_tree():
    """A tree with a loop in space: a state, and a universal joint that is closed there, at 0.4 and 0.7 rad."""
    model = a.Model.load("mixed_tree")
    kinematics = a.ForwardKinematics(model)
    q = 0.1 * np.arange(1, model.nq + 1)
    kinematics(q, np.zeros(model.nv))
    turned = a.SE3(a.exp([0.4, 0, 0]) * a.exp([0, 0.7, 0]), [0, 0, 0])
    T = a.inverse(kinematics.link_pose("body_3")) * kinematics.link_pose("body_6") * a.inverse(turned)
    first = a.LoopEnd("body_3", T.p, a.quaternion(a.SO3(T.R)))
    loop = a.cut_joint("cross", a.JointType.universal, first, a.LoopEnd("body_6"))
    return model, loop, q, a.Assembly(model, [loop]).project(q, np.ones(model.nv))


def relative(model, ends, turn, q):
    """T (SE3) and J (6, nv) of the second frame relative to the first, seen from the second."""
    kinematics = a.ForwardKinematics(model)
    kinematics(q, np.zeros(model.nv))
    frames = [a.SE3(a.SO3.from_quaternion(quaternion) * turn, position) for _, position, quaternion in ends]
    poses = [kinematics.link_pose(end[0]) * X for end, X in zip(ends, frames)]
    J = [a.Ad_matrix(a.inverse(X)) @ kinematics.link_jacobian(end[0]) for end, X in zip(ends, frames)]
    T = a.inverse(poses[0]) * poses[1]
    return T, J[1] - a.Ad_matrix(a.inverse(T)) @ J[0]


def demands(type, T, pitch):
    """How far a cut joint is from being met, and the wrenches (m, 6) that it transmits: the table of chapter 07."""
    R, p, e, angles = T.R, T.p, np.eye(3), a.log(a.SO3(T.R))
    rows = []
    if type in ("fixed", "prismatic"):
        rows += [(angles[k], np.concatenate([e[k], 0 * e[k]])) for k in range(3)]
    if type in ("revolute", "continuous", "helical", "cylindrical", "planar"):
        rows += [(R[2, j], np.concatenate([np.cross(e[j], R[2]), 0 * e[j]])) for j in range(2)]
    if type == "universal":
        rows += [(R[0, 1], np.concatenate([np.cross(e[1], R[0]), 0 * e[1]]))]
    for k in range(3):
        if type == "helical" and k == 2:
            c, s = np.cos(p[2] / pitch), np.sin(p[2] / pitch)
            back = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])  # by what the travel asks for
            rows += [(-pitch * a.log(a.SO3(R @ back))[2], np.concatenate([-pitch * e[2], R[2]]))]
        elif not (k == 2 and type in ("prismatic", "cylindrical") or k < 2 and type == "planar"):
            rows += [(p[k], np.concatenate([0 * e[k], R[k]]))]
    violation, wrenches = zip(*rows)
    return np.array(violation), np.array(wrenches)


def rotation_from_z(axis):
    """The turn that takes z to an axis the short way."""
    axis = np.asarray(axis) / np.linalg.norm(axis)
    normal = np.cross([0, 0, 1], axis)
    return a.exp(np.arctan2(np.linalg.norm(normal), axis[2]) * normal / np.linalg.norm(normal))


class LoopsOfEachType(unittest.TestCase):
    ends = (
        ("body_4", [0.1, -0.2, 0.3], np.array([0.1, 0.2, -0.1, 0.8])),
        ("body_6", [-0.2, 0.1, 0.1], np.array([0.3, 0.1, 0.2, 0.7])),
    )
    axis, pitch = [0.3, -0.4, 0.5], 0.07

    def setUp(self):
        self.model = a.Model.load("mixed_tree")
        self.state = a.random_state(self.model, 5)
        self.ends = [
            (link, position, quaternion / np.linalg.norm(quaternion)) for link, position, quaternion in self.ends
        ]

    def loops(self, type):
        first, second = (a.LoopEnd(*end) for end in self.ends)
        return a.Loops(self.model, [a.cut_joint("cut", type, first, second, self.axis, self.pitch)])

    def turn(self, type):
        """What both frames are turned by first: z goes to the axis, if the type has one."""
        return rotation_from_z(self.axis) if type in WITH_AXIS else a.SO3()

    def test_rows_are_the_wrenches_that_it_transmits(self):
        for type, rows in zip(TYPES, (6, 5, 5, 5, 5, 4, 4, 3, 3, 3)):
            loops, s = self.loops(type), self.state
            self.assertEqual(loops.rows, rows)

            def seen(q):
                T, J = relative(self.model, self.ends, self.turn(type), q)
                violation, W = demands(type, T, self.pitch)
                return violation, W @ J

            for k, quantity in enumerate(("violation", "A")):
                with self.subTest(type, quantity=quantity):
                    assert_agree(
                        self, lambda q: (loops(q, s.qd), getattr(loops, quantity))[1], lambda q: seen(q)[k], s.q
                    )

    def test_the_rate_of_the_rows_times_the_rates(self):
        step = 2.0**-17  # the cube root of the rounding unit: where truncation and rounding of a difference meet
        for type in TYPES:
            loops, s = self.loops(type), self.state
            rates = []
            for h in (-step, step):
                loops(a.displaced(self.model, s.q, h * s.qd), s.qd)
                rates.append(loops.A @ s.qd)
            loops(s.q, s.qd)
            # Truncation is h^2/6 of the third derivative, a cube of rates of up to 2 over the tree; rates are rounded.
            n, size = self.model.nv, np.abs(loops.A) @ np.abs(s.qd)
            bound = (step**2 / 6 * (2 * n) ** 3 + 100 * n * U / step) * size.max()
            with self.subTest(type):
                self.assertLessEqual(np.abs((rates[1] - rates[0]) / (2 * step) - loops.Adot_qd).max(), bound)
                self.assertGreater(np.abs(loops.Adot_qd).max(), bound)

    def test_reactions_are_wrenches_on_the_second_link(self):
        """Put on the two links as external wrenches, they are A^T lambda as joint forces."""
        model, s = a.Model.load("mixed_tree"), a.random_state(a.Model.load("mixed_tree"), 3)
        ends = a.LoopEnd("body_3", [0.1, -0.2, 0.3], [0.5, 0.5, -0.5, 0.5]), a.LoopEnd("body_6", [0.2, 0, 0.1], [0.1, 0.7, -0.1, 0.7])
        for type in ("revolute", "helical", "universal"):
            axis = [0.3, -0.5, 0.8] if type in WITH_AXIS else [0, 0, 1]
            loops = a.Loops(model, [a.cut_joint(type, type, *ends, axis=axis, pitch=0.2 if type == "helical" else 0)])
            with self.assertRaisesRegex(a.StateError, "before the first run"):
                loops.reactions(np.ones(loops.rows))
            loops(s.q, s.qd)
            lambda_ = np.arange(1.0, loops.rows + 1)
            (W,) = loops.reactions(lambda_)
            k = a.ForwardKinematics(model)
            k(s.q, s.qd)
            on_links = [a.SE3(a.SO3.from_quaternion(end.quaternion), end.position) for end in ends]
            links = [model.link(end.link) for end in ends]
            first, second = (k.pose(link.body) * link.X * X for link, X in zip(links, on_links))
            opposite = -a.coAd(first, a.coAdInv(second, W))
            Fext = {link.name: np.asarray(a.coAdInv(X, F)) for link, X, F in zip(links, on_links, (opposite, W))}
            rest = np.zeros(model.nv)
            without, added = a.inverse_dynamics(model, s.q, s.qd, rest), a.inverse_dynamics(model, s.q, s.qd, rest, Fext)
            size = np.abs(np.asarray(W)).max() * 10 + np.abs(without).max()
            np.testing.assert_allclose(without - added, loops.A.T @ lambda_, rtol=0, atol=100 * model.nv * 2**-53 * size)
        with self.assertRaisesRegex(a.SizeError, "lambda_"):
            loops.reactions([1])

    def test_several_loops_stand_below_each_other(self):
        model, loop, q, qd = five_bar()
        one, two = a.Loops(model, [loop]), a.Loops(model, [loop, pin("ball")])
        self.assertEqual(loop.name, "pin")
        for loops in (one, two):
            loops(q, qd)
        self.assertEqual((one.rows, two.rows), (5, 8))
        np.testing.assert_array_equal(two.A[:5], one.A)
        np.testing.assert_array_equal(two.Adot_qd[:5], one.Adot_qd)
        self.assertEqual(one.model.mechanism.name, "five_bar")  # as every recursion


class Assembly(unittest.TestCase):
    def test_it_closes_the_five_bar_as_in_the_chapter(self):
        model, loop, q, qd = five_bar()
        np.testing.assert_array_equal(q.round(6), [0.3, -1.966220, 0.9, 0.675246])
        np.testing.assert_array_equal(qd.round(6), [1, -1.045640, 1, -1.030487])
        loops = a.Loops(model, [loop])
        loops(q, qd)
        bound = 100 * model.nv * U  # of lengths that add up to about a metre
        self.assertLessEqual(np.abs(loops.violation).max(), bound)
        self.assertLessEqual(np.abs(loops.A @ qd).max(), bound * np.abs(qd).max())
        self.assertEqual((q[0], q[2], qd[0], qd[2]), (0.3, 0.9, 1, 1))  # held, to the last bit

    def test_projected_rates_are_the_nearest(self):
        for model, loop, q, _ in (five_bar(), crossed_tree()):
            assembly, loops, s = a.Assembly(model, [loop]), a.Loops(model, [loop]), a.random_state(model, 3)

            def dense(qd):
                loops(q, qd)
                return qd - np.linalg.pinv(loops.A, rcond=1e-10) @ loops.A @ qd  # no row between 1e-16 and 1e-2

            with self.subTest(model.mechanism.name):
                assert_agree(self, lambda qd: assembly.project(q, qd), dense, s.qd)

    def test_the_closed_state_of_the_crossed_tree(self):
        model, loop, q, qd = crossed_tree()
        loops = a.Loops(model, [loop])
        loops(q, qd)
        self.assertLessEqual(np.abs(loops.violation).max(), 100 * model.nv * U)
        self.assertEqual(np.linalg.matrix_rank(loops.A), loops.rows)


class ConstrainedDynamics(unittest.TestCase):
    """Against one large system for accelerations, unknown forces and multipliers together."""

    def cases(self):
        for model, loop, q, qd in (five_bar(), crossed_tree()):
            for seed in (1, 2, 3):
                # All in v, then every other degree in u: as many in v as the rank of the rows, or more.
                yield model, loop, q, qd, a.random_state(model, seed), np.arange(model.nv) % 2 == (
                    5 if seed == 1 else 0
                )

    @staticmethod
    def dense(model, rows, u, q, qd, qdd, tau, Fext):
        M, b, _ = a.equations_of_motion(model, q, qd, Fext)
        A, Adot_qd = rows(q, qd)
        n, m, v = model.nv, len(A), ~u
        one = np.eye(n)
        K = np.block([[M[:, v], -one[:, u], -A.T], [A[:, v], np.zeros((m, u.sum() + m))]])
        right = np.concatenate([tau * v - b - M[:, u] @ qdd[u], -Adot_qd - A[:, u] @ qdd[u]])
        x = (
            np.linalg.pinv(K, rcond=1e-10) @ right
        )  # the null space is made of multipliers, so that the shortest come out
        qdd, tau = qdd.copy(), tau.copy()
        qdd[v], tau[u] = x[: v.sum()], x[v.sum() : n]
        return qdd, tau, x[n:]

    def test_it_solves_motion_and_constraints_together(self):
        for model, loop, q, qd, s, u in self.cases():
            loops = a.Loops(model, [loop])
            rows = lambda q, qd: (loops(q, qd), (loops.A, loops.Adot_qd))[1]
            system = a.ConstrainedDynamics(model, u, loops.rows)
            for k, quantity in enumerate(("qdd", "tau", "lambda")):
                with self.subTest(model.mechanism.name, u=u.sum(), quantity=quantity):
                    assert_agree(
                        self,
                        lambda q, qd, qdd, tau: system(q, qd, qdd, tau, *rows(q, qd), s.Fext)[k],
                        lambda *x: self.dense(model, rows, u, *x, s.Fext)[k],
                        q,
                        qd,
                        s.qdd,
                        s.tau,
                    )
            self.assertEqual(system.rank, np.linalg.matrix_rank(loops.A[:, ~u], tol=1e-10))
            A, b = loops.A, loops.Adot_qd
            qdd, tau, multipliers = system(q, qd, s.qdd, s.tau, A, b)
            bound = (
                100
                * model.nv
                * U
                * (np.abs(A) @ np.abs(qdd) + np.abs(b)).max()
                * np.linalg.cond(a.mass_matrix(model, q))
            )
            self.assertLessEqual(np.abs(system.contradiction).max(), bound)

    def printed(self, *vectors):
        """They stand in chapter 07."""
        text = (CHAPTERS / "07_constrained.md").read_text(encoding="utf-8").replace("{", "").replace("}", "")
        for x in vectors:
            numbers = ", ".join(f"{y:.6f}" if abs(y - round(y, 1)) > 1e-9 else f"{y:g}" for y in np.asarray(x) + 0.0)
            self.assertTrue(f"({numbers})" in text, numbers)

    def test_what_changes_in_the_crank_state(self):
        """Exercises 3 to 5: release from rest, the inertia that the drives feel, and what forces and gravity change."""
        model, loop, q, qd = five_bar()
        loops, z = a.Loops(model, [loop]), np.zeros(4)

        def changed(prescribed, parameter, qdd):
            return a.constrained_dynamics_derivative(model, [loop], prescribed, parameter, q, qd, qdd, z)

        loops(q, z)
        self.printed(a.ConstrainedDynamics(model, FREE, 5)(q, z, z, z, loops.A, loops.Adot_qd)[0])
        for k in (0, 2):
            qdd, tau, *_ = changed(DRIVES, a.Parameter.acceleration(k), np.ones(4))
            self.printed(tau[DRIVES], qdd[~DRIVES])
        self.printed(changed(FREE, a.Parameter.force(0), z)[0], changed(FREE, a.Parameter.gravity(2), z)[0])

    def test_the_numbers_of_the_exercises(self):
        model, loop, q, qd = five_bar()
        loops, z = a.Loops(model, [loop]), np.zeros(4)
        loops(q, qd)
        system = a.ConstrainedDynamics(model, FREE, 5)
        qdd, tau, multipliers = system(q, qd, z, z, loops.A, loops.Adot_qd)
        np.testing.assert_array_equal(qdd.round(6), [10.522737, -15.420059, 20.559448, -20.661721])
        np.testing.assert_array_equal(multipliers.round(6), [0, 0, -4.710473, 3.395986, 0])
        self.assertEqual(system.rank, 2)
        three = a.ConstrainedDynamics(model, [True, True, True, False], 5)
        three(q, qd, np.ones(4), z, loops.A, loops.Adot_qd)
        self.assertEqual((three.rank, np.abs(three.contradiction).max().round(3)), (1, 0.828))

    def test_a_rod_that_hangs_on_the_loop(self):
        """Exercise 7: the answers that the page prints, and what the appendix on ranks makes of them."""
        model = a.Model.load("five_bar")
        loop = a.Loop("pin", a.LoopEnd("left_tip"), a.LoopEnd("right_rod"), (False, False, True), "free")
        assembly, loops, z = a.Assembly(model, [loop]), a.Loops(model, [loop]), np.zeros(4)
        q = assembly.close([0.3, 0.6, 0.9, 1.2])
        qd = assembly.project(q, np.ones(4))
        loops(q, qd)
        system = a.ConstrainedDynamics(model, [True, False, False, False], 2)
        qdd, _, _ = system(q, qd, np.ones(4), z, loops.A, loops.Adot_qd)
        tau_r = a.inverse_dynamics(model, q, qd, qdd)
        smallest, loose = (
            a.constrained_inverse_dynamics(tau_r, z, loops.A, np.array([True, True, True, False]), LEAST[least])
            for least in (False, True)
        )
        self.printed(q, qd, qdd, smallest.tau[:3], loose.tau[:3])
        norms = [np.linalg.norm(smallest.tau)]
        for row in loops.A[:, :3]:
            norms.append(np.linalg.norm(tau_r[:3] - row * (row @ tau_r[:3]) / (row @ row)))
        ranks = (CHAPTERS / "constraint_rank.md").read_text(encoding="utf-8")
        for words, norm in zip(("a norm of {} N m", "{} N m for the first", "{} N m for the second"), norms):
            self.assertTrue(words.format(f"{norm:.3g}") in ranks, norm)

    def test_weight_pulls_as_the_gravity_that_is_set(self):
        model, loop, q, _ = five_bar()
        loops, z = a.Loops(model, [loop]), np.zeros(4)
        loops(q, z)
        system = a.ConstrainedDynamics(model, FREE, 5)

        def fall(*gravity):
            system.set_gravity(gravity)
            return system(q, z, z, z, loops.A, loops.Adot_qd)[0].copy()

        # From rest the accelerations are linear in gravity, and without it there are none.
        np.testing.assert_array_equal(fall(0, 0, 0), z)
        earth, along, across = fall(3, -4, 5), fall(3, 0, 0), fall(0, -4, 5)
        self.assertGreater(np.abs(earth).max(), 1)
        np.testing.assert_allclose(earth, along + across, atol=100 * 4 * U * np.abs(earth).max())

    def test_without_rows_it_is_hybrid_dynamics(self):
        model, _, q, qd = crossed_tree()
        s, u = a.random_state(model, 4), np.arange(model.nv) % 3 == 0
        system, hybrid = a.ConstrainedDynamics(model, u, 0), a.HybridDynamics(model, u)
        qdd, tau, multipliers = system(q, qd, s.qdd, s.tau, np.zeros((0, model.nv)), [], s.Fext)
        np.testing.assert_array_equal((qdd, tau), hybrid(q, qd, s.qdd, s.tau, s.Fext))
        self.assertEqual((multipliers.shape, system.contradiction.shape, system.rank), ((0,), (0,), 0))


class FeltThroughAHandle(unittest.TestCase):
    """Inertias in operational space and through loops, beside numpy's solutions."""

    def test_the_operational_inertia_undoes_the_mobility_in_three_frames(self):
        for name in ("ur5", "puma560", "quadruped"):
            model, link = a.Model.load(name), a.Model.load(name).links[-1].name
            s = a.random_state(model, 4)
            for frame in ("link", "world", a.JacobianFrame.mixed):

                def dense(q):
                    k = a.ForwardKinematics(model)
                    k(q, np.zeros(model.nv))
                    J = k.link_jacobian(link, frame)
                    return np.linalg.inv(J @ np.linalg.solve(a.mass_matrix(model, q), J.T))

                with self.subTest(name, frame=frame):
                    assert_agree(self, lambda q: a.operational_inertia(model, link, q, frame), dense, s.q)

    def test_an_arm_of_two_joints_cannot_be_moved_at_will(self):
        sentence = (
            "^park_2r: of 6 directions only 2 can be moved at will in this state, so that the operational-space "
            r"inertia is not finite; take fewer directions, or its inverse, the mobility\.$"
        )
        with self.assertRaisesRegex(a.StateError, sentence):
            a.operational_inertia(a.Model.load("park_2r"), "link_2", [0.3, 0.4])

    def test_loops_are_felt_as_by_dense_solutions(self):
        for model, loop, q, _ in (five_bar(), crossed_tree()):
            loops = a.Loops(model, [loop])
            loops(q, np.zeros(model.nv))
            J = np.random.default_rng(2).standard_normal((2, model.nv))

            def of(R, S):
                return lambda q: R @ np.linalg.solve(a.mass_matrix(model, q), S.T)

            def kept(q):
                A = loops.A
                return of(J, J)(q) - of(J, A)(q) @ np.linalg.pinv(of(A, A)(q), 1e-9) @ of(A, J)(q)

            assert_agree(self, lambda q: a.delassus_matrix(model, [loop], q), of(loops.A, loops.A), q)
            assert_agree(self, lambda q: a.constrained_mobility(model, q, J, loops.A), kept, q)

    def test_the_blocks_of_the_chapter(self):
        ice = a.Mechanism("ice", [a.Link("ice"), a.Link("large", mass=3), a.Link("small", mass=1)],
                          [a.Joint(name, "prismatic", "ice", name, axis=[1, 0, 0]) for name in ("large", "small")])
        model, glue = a.Model(ice), a.cut_joint("glue", "fixed", a.LoopEnd("large"), a.LoopEnd("small"))
        loops = a.Loops(model, [glue])
        loops([0, 0], [0, 0])
        handle = [[1.0, 0.0]]
        self.assertAlmostEqual(a.delassus_matrix(model, [glue], [0, 0])[3, 3], 4 / 3, delta=1e-15)
        self.assertAlmostEqual(a.mobility(model, [0, 0], handle)[0, 0], 1 / 3, delta=1e-15)
        self.assertAlmostEqual(a.constrained_mobility(model, [0, 0], handle, loops.A)[0, 0], 1 / 4, delta=1e-15)


class Impulses(unittest.TestCase):
    E = 0.375

    def test_they_are_those_of_dense_solutions(self):
        for machine in (five_bar, crossed_tree):
            model, loop, q, qd = machine()
            loops = a.Loops(model, [loop])
            loops(q, qd)
            A, W = loops.A, np.linalg.inv(a.mass_matrix(model, q))

            def dense(before):
                impulse = -(1 + self.E) * np.linalg.pinv(A @ W @ A.T, 1e-9) @ A @ before
                return before + W @ A.T @ impulse, impulse

            before = np.random.default_rng(4).standard_normal(model.nv)
            for k, name in enumerate(("rates", "impulses")):
                with self.subTest(machine.__name__, of=name):
                    found = lambda before: a.loop_impulse(model, [loop], q, before, self.E)[k]
                    assert_agree(self, found, lambda before: dense(before)[k], before)

    def test_rates_that_keep_the_loops_closed_do_not_jump(self):
        model, loop, q, qd = five_bar()
        after, impulses = a.loop_impulse(model, [loop], q, qd, self.E)
        np.testing.assert_allclose(after, qd, atol=1e-14)
        np.testing.assert_allclose(impulses, 0, atol=1e-14)

    def test_two_blocks_of_putty_and_of_glass(self):
        ice = a.Mechanism("ice", [a.Link("ice"), a.Link("large", mass=3), a.Link("small", mass=1)],
                          [a.Joint(name, "prismatic", "ice", name, axis=[1, 0, 0]) for name in ("large", "small")])
        model, glue = a.Model(ice), a.cut_joint("glue", "fixed", a.LoopEnd("large"), a.LoopEnd("small"))
        for e, rates in ((0, (6, 6)), (1, (4, 12))):
            after, impulses = a.loop_impulse(model, [glue], [0, 0], [8, 0], e)
            np.testing.assert_allclose(after, rates, atol=1e-14)
            np.testing.assert_allclose(impulses, [0, 0, 0, 6 * (1 + e), 0, 0], atol=1e-14)


class ConstrainedInverseDynamics(unittest.TestCase):
    """The table of chapter 07: five ways to drive the same motion."""

    def setUp(self):
        self.model, loop, self.q, self.qd = five_bar()
        loops = a.Loops(self.model, [loop])
        loops(self.q, self.qd)
        self.A, self.Adot_qd = loops.A, loops.Adot_qd
        self.system = a.ConstrainedDynamics(self.model, DRIVES, 5)
        qdd, _, _ = self.system(self.q, self.qd, np.ones(4), np.zeros(4), self.A, self.Adot_qd)
        self.tau_r = a.inverse_dynamics(self.model, self.q, self.qd, qdd)

    def forces(self, motors, least_constraint_force=False, tau=(0, 0, 0, 0)):
        return a.constrained_inverse_dynamics(self.tau_r, tau, self.A, motors, LEAST[least_constraint_force])

    def test_unique_forces_are_those_of_hybrid_dynamics(self):
        forces = self.forces(DRIVES)
        self.assertEqual((forces.rank_passive, forces.unique), (2, True))

        def motion(qdd):
            return self.system(self.q, self.qd, qdd, np.zeros(4), self.A, self.Adot_qd)

        def inverse(qdd):
            tau_r = a.inverse_dynamics(self.model, self.q, self.qd, motion(qdd)[0])
            return a.constrained_inverse_dynamics(tau_r, np.zeros(4), self.A, DRIVES).tau

        assert_agree(self, inverse, lambda qdd: motion(qdd)[1], np.ones(4))
        np.testing.assert_array_equal(forces.tau.round(4), [-0.5883, 0, -2.3205, 0])
        np.testing.assert_array_equal(forces.lambda_.round(6) + 0.0, [0, 0, -3.314559, -0.470527, 0])

    def test_every_choice_makes_the_motion(self):
        for motors, rank, unique, least, tau, multipliers in (
            ((0, 1, 0, 1), 2, True, False, 2.1719, 8.1132),
            ((1, 1, 0, 0), 2, True, False, 5.8638, 12.5576),
            ((1, 1, 1, 0), 1, False, False, 2.1240, 3.4719),
            ((1, 1, 1, 0), 1, False, True, 2.2211, 3.2237),
            ((1, 1, 1, 1), 0, False, False, 1.5983, 5.6192),
            ((1, 1, 1, 1), 0, False, True, 3.8852, 0),
        ):
            motors = np.array(motors, bool)
            forces = self.forces(motors, least)
            with self.subTest(motors=motors, least=least):
                self.assertEqual((forces.rank_passive, forces.unique), (rank, unique))
                self.assertEqual(
                    (np.linalg.norm(forces.tau).round(4), np.linalg.norm(forces.lambda_).round(4)), (tau, multipliers)
                )
                self.assertFalse(forces.tau[~motors].any())
                assert_agree(
                    self,
                    lambda A: a.constrained_inverse_dynamics(self.tau_r, np.zeros(4), A, motors, LEAST[least]).tau,
                    lambda A: self.dense(A, motors, least)[0],
                    self.A,
                )
                assert_agree(
                    self,
                    lambda A: a.constrained_inverse_dynamics(self.tau_r, np.zeros(4), A, motors, LEAST[least]).lambda_,
                    lambda A: self.dense(A, motors, least)[1],
                    self.A,
                )

    def dense(self, A, motors, least):
        """(59) to (63) with pseudoinverses, and a null space by its projector."""
        passive = ~motors
        inverse = lambda X: np.linalg.pinv(X, rcond=1e-10)
        multipliers = inverse(A[:, passive].T) @ self.tau_r[passive]
        if not least:
            N = np.eye(5) - inverse(A[:, passive].T) @ A[:, passive].T
            multipliers = multipliers + N @ inverse(A[:, motors].T @ N) @ (self.tau_r - A.T @ multipliers)[motors]
        return (self.tau_r - A.T @ multipliers) * motors, multipliers

    def test_a_spring_at_a_passive_joint_is_reckoned_with(self):
        spring = [0, 0.4, 0, -0.3]
        forces = self.forces(DRIVES, tau=spring)
        np.testing.assert_array_equal(forces.tau[[1, 3]], [0.4, -0.3])
        # The motors do the work that the springs do not: the power of all forces is that of the motion.
        power, parts = self.tau_r @ self.qd, np.abs(self.tau_r) @ np.abs(self.qd) + np.abs(forces.tau) @ np.abs(self.qd)
        self.assertLessEqual(abs(forces.tau @ self.qd - power), 100 * 4 * U * parts)

    def test_too_few_motors_are_refused_with_what_is_missing(self):
        with self.assertRaisesRegex(
            a.StateError,
            r"^the actuated joints cannot make the system move as prescribed: the constraints "
            r"leave 1\.0818\d+ \(N m or N\) to passive joints; actuate more joints",
        ):
            self.forces([True, False, False, False])


class LoopsByHand(unittest.TestCase):
    """What a cut joint leaves free may be said without its name."""

    WAYS = {
        "fixed": ((False, False, False), a.Turning.none),
        "revolute": ((False, False, False), a.Turning.about_z),
        "prismatic": ((False, False, True), a.Turning.none),
        "helical": ((False, False, False), a.Turning.about_z),
        "universal": ((False, False, False), a.Turning.universal),
        "cylindrical": ((False, False, True), a.Turning.about_z),
        "planar": ((True, True, False), a.Turning.about_z),
        "ball": ((False, False, False), a.Turning.free),
    }

    def test_it_is_the_loop_of_the_joint(self):
        model = a.Model.load("mixed_tree")
        s = a.random_state(model, 5)
        first, second = a.LoopEnd("body_4", [0.1, -0.2, 0.3]), a.LoopEnd("body_6", [-0.2, 0.1, 0.1], [0.6, 0, 0, 0.8])
        axis, pitch = [0.3, -0.4, 0.5], 0.07
        for type, (slides, turning) in self.WAYS.items():
            options = {"axis": axis} if type in WITH_AXIS else {}
            if type == "helical":
                options["pitch"] = pitch
            by_hand = a.Loop("cut", first, second, slides, turning, **options)
            self.assertEqual(by_hand.name, "cut")
            results = []
            for loop in (by_hand, a.cut_joint("cut", type, first, second, axis, pitch)):
                loops = a.Loops(model, [loop])
                loops(s.q, s.qd)
                results.append((loops.A, loops.Adot_qd, loops.violation))
            with self.subTest(type):
                for x, y in zip(*results):
                    np.testing.assert_array_equal(x, y)

    def test_it_may_be_no_joint(self):
        """Rows that are left when some of a fixed joint's are taken away: of slides each by itself."""
        model = a.Model.load("mixed_tree")
        s = a.random_state(model, 5)
        ends = a.LoopEnd("body_4"), a.LoopEnd("body_6")

        def rows(slides, turning):
            loops = a.Loops(model, [a.Loop("cut", *ends, slides, turning)])
            loops(s.q, s.qd)
            return loops.A

        slides = rows([False] * 3, a.Turning.free)
        for free in range(1, 7):  # not all three
            kept = [not free >> k & 1 for k in range(3)]
            np.testing.assert_array_equal(rows([not k for k in kept], a.Turning.free), slides[kept])
            self.assertEqual(len(rows([not k for k in kept], a.Turning.universal)), sum(kept) + 1)


class Misuse(unittest.TestCase):
    def test_what_does_not_fit_is_refused_in_one_sentence(self):
        model, loop, q, qd = five_bar()
        loops, z, nan = a.Loops(model, [loop]), [0] * 4, float("nan")
        loops(q, qd)
        A, b = loops.A, loops.Adot_qd
        system, assembly = a.ConstrainedDynamics(model, FREE, 5), a.Assembly(model, [loop])
        for kind, wrong, sentence in (
            (
                a.ModelError,
                lambda: pin("floating"),
                "loop 'pin' is a free joint, which constrains nothing; leave it out.",
            ),
            (
                a.Error,
                lambda: pin("hinge"),
                "There is no JointType 'hinge'; there are " + ", ".join(a.JointType.__members__) + ".",
            ),
            (
                a.ModelError,
                lambda: a.Loops(model, [pin(second="left_rod")]),
                "loop 'pin' joins the links 'left_tip' and 'left_rod' of "
                "one rigid body; a loop needs two links that move against each other.",
            ),
            (
                a.ModelError,
                lambda: a.Loops(
                    model,
                    [a.Loop("x", a.LoopEnd("left_tip"), a.LoopEnd("right_tip"), [True] * 3, a.Turning.free)],
                ),
                "loop 'x' leaves all six directions free and constrains nothing.",
            ),
            (a.StateError, lambda: a.Loops(model, [pin(second="tail")]), "five_bar: there is no link 'tail'."),
            (
                a.Error,
                lambda: a.LoopEnd("left_tip", [0, 0]),
                "An array of shape (2,) is given where one of shape (3,) is needed.",
            ),
            (a.SizeError, lambda: a.Assembly(model, [loop], [True]), "held has 1 entry where the model needs 4."),
            (a.SizeError, lambda: assembly.close([0]), "q has 1 entry where the model needs 4."),
            (
                a.StateError,
                lambda: a.ConstrainedDynamics(model, [False] * 4, -1),
                "rows is -1 where a number of constraints from 0 on is needed.",
            ),
            (a.SizeError, lambda: assembly.project(q, [0]), "qd has 1 entry where the model needs 4."),
            (a.SizeError, lambda: loops(q, [0]), "qd has 1 entry where the model needs 4."),
            (
                a.SizeError,
                lambda: a.ConstrainedDynamics(model, [True], 5),
                "prescribed has 1 entry where the model needs 4.",
            ),
            (a.SizeError, lambda: system(q, qd, z, z, A[:4], b[:4]), "Adot_qd has 4 entries where the model needs 5."),
            (a.SizeError, lambda: system(q, qd, z, z, A, b[:4]), "Adot_qd has 4 entries where the model needs 5."),
            (a.StateError, lambda: system(q, qd, z, z, A[:, :3], b), "A has the shape (5, 3) where (m, 4) is needed."),
            (a.StateError, lambda: system(q, qd, z, z, A * nan, b), "A[0] is nan where a finite number is needed."),
            (
                a.SizeError,
                lambda: a.constrained_inverse_dynamics(z, [0], A, DRIVES),
                "tau has 1 entry where the model needs 4.",
            ),
            (
                a.SizeError,
                lambda: a.constrained_inverse_dynamics(z, z, A, [True]),
                "actuated has 1 entry where the model needs 4.",
            ),
            (
                a.StateError,
                lambda: a.constrained_inverse_dynamics([0] * 3, [0] * 3, A, FREE[:3]),
                "A has the shape (5, 4) where (m, 3) is needed.",
            ),
        ):
            with self.assertRaises(kind) as caught:
                wrong()
            self.assertEqual((type(caught.exception), str(caught.exception)), (kind, sentence))
        for wrong in (
            a.Loop,
            lambda: a.Loops(model),
            lambda: a.Loops(model, [3]),
            lambda: pin(3),
            lambda: system(q, qd, z, z),
        ):
            with self.assertRaises(TypeError):
                wrong()

    def test_what_has_not_run_says_so(self):
        model, loop, q, qd = five_bar()
        loops, z = a.Loops(model, [loop]), [0] * 4
        for name in ("A", "Adot_qd", "violation", "V"):
            with self.assertRaisesRegex(a.StateError, f"^there is no {name} before the first run"):
                getattr(loops, name)
        system = a.ConstrainedDynamics(model, FREE, loops.rows)
        loops(q, qd)
        self.assertEqual((loops.A.shape, loops.Adot_qd.shape, loops.violation.shape), ((5, 4), (5,), (5,)))
        for name in ("rank", "contradiction"):
            with self.assertRaises(a.StateError) as caught:
                getattr(system, name)
            sentence = f"there is no {name} before the first run; call the algorithm with a state first."
            self.assertEqual(str(caught.exception), sentence)
        system(q, qd, z, z, loops.A, loops.Adot_qd)
        self.assertEqual((system.rank, system.contradiction.shape), (2, (5,)))

    def test_a_loop_that_cannot_be_closed_says_by_how_much(self):
        model = a.Model.load("five_bar")
        far = a.cut_joint("pin", "revolute", a.LoopEnd("left_tip", [5, 0, 0]), a.LoopEnd("right_tip"))
        with self.assertRaisesRegex(
            a.StateError, r"^loop 'pin' cannot be closed from this guess: it stays open by 3\.9735\d+ \("
        ):
            a.Assembly(model, [far]).close([0, 0, 0, 0])


if __name__ == "__main__":
    unittest.main()
