"""Derivatives: each parameter against differences that are exact, because what is differenced is a polynomial."""
import unittest

import numpy as np
from agreement import U, assert_agree

import articulate as a
from articulate import Parameter

MODELS = ("park_2r", "ur5", "every_joint", "mixed_tree", "quadruped")
COMPONENTS = 10  # of an inertia: mass, first moment, rotational inertia


def drawn(name, seed=5):
    model = a.Model.load(name)
    return model, a.random_state(model, seed)


def polynomial(f):
    """f'(0) for a polynomial of degree two: nothing is neglected, however large the step."""
    return (f(1) - f(-1)) / 2


def trigonometric(f, n=5):
    """f'(0) for a trigonometric polynomial, if of degree two: five values determine it, and seven one of degree three."""
    return sum((-1) ** (k + 1) / (2 * np.sin(np.pi * k / n)) * f(2 * np.pi * k / n) for k in range(1, n))


def changed(model, change):
    """A model of the same mechanism with one thing changed."""
    mechanism = model.mechanism
    change(mechanism)
    return a.Model(mechanism, floating_base=model.floating_base)


def named(items, name):
    return next(item for item in items if item.name == name)


class Jacobians(unittest.TestCase):
    def test_of_inverse_dynamics_are_columns_of_table_5(self):
        for name in MODELS:
            model, s = drawn(name)
            for k, parameter in enumerate((Parameter.coordinate, Parameter.rate, Parameter.acceleration)):
                column = lambda j, *x: a.inverse_dynamics_derivative(model, parameter(j), *x, s.Fext)
                with self.subTest(name, matrix=k):
                    assert_agree(
                        self,
                        lambda *x: a.inverse_dynamics_jacobians(model, *x, s.Fext)[k],
                        lambda *x: np.transpose([column(j, *x) for j in range(model.nv)]),
                        s.q,
                        s.qd,
                        s.qdd,
                    )

    def test_of_forward_dynamics_are_columns_of_table_6(self):
        for name in MODELS:
            model, s = drawn(name)
            for k, parameter in enumerate((Parameter.coordinate, Parameter.rate, Parameter.force)):
                column = lambda j, *x: a.forward_dynamics_derivative(model, parameter(j), *x, s.Fext)
                with self.subTest(name, matrix=k):
                    assert_agree(
                        self,
                        lambda *x: a.forward_dynamics_jacobians(model, *x, s.Fext)[k],
                        lambda *x: np.transpose([column(j, *x) for j in range(model.nv)]),
                        s.q,
                        s.qd,
                        s.tau,
                    )

    def test_of_both_are_joined_by_the_mass_matrix(self):
        for name in MODELS:
            model, s = drawn(name)

            def dense(q, qd, tau):
                qdd = a.forward_dynamics(model, q, qd, tau, s.Fext)
                by_q, by_qd, M = a.inverse_dynamics_jacobians(model, q, qd, qdd, s.Fext)
                return -np.linalg.solve(M, by_q), -np.linalg.solve(M, by_qd), np.linalg.inv(M)

            for k in range(3):
                with self.subTest(name, matrix=k):
                    assert_agree(
                        self,
                        lambda *x: a.forward_dynamics_jacobians(model, *x, s.Fext)[k],
                        lambda *x: dense(*x)[k],
                        s.q,
                        s.qd,
                        s.tau,
                    )
            assert_agree(
                self,
                lambda q: a.inverse_dynamics_jacobians(model, q, s.qd, s.qdd)[2],
                lambda q: a.mass_matrix(model, q),
                s.q,
            )

    def test_by_rates_are_exact_differences(self):
        for name in MODELS:
            model, s = drawn(name)
            column = lambda e, q, qd, qdd: polynomial(lambda p: a.inverse_dynamics(model, q, qd + p * e, qdd))
            with self.subTest(name):
                assert_agree(
                    self,
                    lambda *x: a.inverse_dynamics_jacobians(model, *x)[1],
                    lambda *x: np.transpose([column(e, *x) for e in np.eye(model.nv)]),
                    s.q,
                    s.qd,
                    s.qdd,
                )

    def test_by_coordinates_are_few_runs_far_apart(self):
        for name in MODELS + ("puma560", "planar_arm:4"):
            model, s = drawn(name)
            rules = self.rules(model, s)
            self.assertGreater(len(rules), 0.9 * model.nv)

            def column(k, q, qd, qdd):
                e = np.eye(model.nv)[k]
                return rules[k](lambda p: a.inverse_dynamics(model, a.displaced(model, q, p * e), qd, qdd))

            with self.subTest(name):
                assert_agree(
                    self,
                    lambda *x: a.inverse_dynamics_jacobians(model, *x)[0][:, list(rules)],
                    lambda *x: np.transpose([column(k, *x) for k in rules]),
                    s.q,
                    s.qd,
                    s.qdd,
                )

    @staticmethod
    def rules(model, s):
        """The exact rule for each degree: polynomial for a slide, trigonometric for a turn, none for a helix."""
        rnea = a.InverseDynamics(model)
        rnea(s.q, s.qd, s.qdd)
        columns = np.hstack(rnea.S).T
        return {k: trigonometric if S[:3].any() else polynomial for k, S in enumerate(columns) if not S[:3] @ S[3:]}

    def test_of_hybrid_dynamics_complete_those_of_inverse_dynamics(self):
        for name in MODELS:
            model, s = drawn(name)
            u = np.arange(model.nv) % 3 == 0
            qdd, tau = a.HybridDynamics(model, u)(s.q, s.qd, s.qdd, s.tau, s.Fext)

            def completed(J, M):
                """M_vv dqdd_v = -J_v, and dtau_u = J_u + M_uv dqdd_v."""
                answer = np.array(J)
                answer[~u] = -np.linalg.solve(M[np.ix_(~u, ~u)], J[~u])
                answer[u] += M[np.ix_(u, ~u)] @ answer[~u]
                return answer

            def witness(k, *x):
                by = a.inverse_dynamics_jacobians(model, *x, s.Fext)
                given = np.where(u, by[2], -np.eye(model.nv))  # by accelerations in u, by forces in v
                return completed((by[0], by[1], given)[k], by[2])

            for k in range(3):
                with self.subTest(name, matrix=k):
                    assert_agree(
                        self,
                        lambda q, qd, qdd: a.hybrid_dynamics_jacobians(model, u, q, qd, qdd, tau, s.Fext)[k],
                        lambda *x: witness(k, *x),
                        s.q,
                        s.qd,
                        qdd,
                    )


class LinkMotion(unittest.TestCase):
    def test_by_coordinates_and_rates_they_are_exact_differences(self):
        offset = a.SE3(a.exp([0.3, -0.5, 0.7]), [0.1, 0.2, -0.4])
        for name in ("ur5", "every_joint", "mixed_tree"):
            model, s = drawn(name)
            motion, link, e = a.SpaceMotion(model), model.links[-1].name, np.eye(model.nv)
            rules = Jacobians.rules(model, s)
            for frame in ("link", "world", "mixed"):

                def twist(q, qd):
                    k = a.ForwardKinematics(model)
                    k(q, qd)
                    return np.array(k.link_twist(link, frame, offset))

                def acceleration(q, qd):
                    motion(q, qd, s.qdd)
                    return np.array(motion.link_acceleration(link, frame, offset))

                def turned(f):
                    column = lambda k, q, qd: rules[k](lambda p: f(a.displaced(model, q, p * e[k]), qd))
                    return lambda q, qd: np.transpose([column(k, q, qd) for k in rules])

                def faster(f):
                    column = lambda k, q, qd: polynomial(lambda p: f(q, qd + p * e[k]))
                    return lambda q, qd: np.transpose([column(k, q, qd) for k in rules])

                for matrix, witness in enumerate((turned(twist), turned(acceleration), faster(acceleration))):
                    with self.subTest(name, frame=frame, matrix=matrix):
                        assert_agree(
                            self,
                            lambda q, qd: a.link_motion_jacobians(model, link, q, qd, s.qdd, frame, offset)[matrix][
                                :, list(rules)
                            ],
                            witness,
                            s.q,
                            s.qd,
                        )

    def test_those_of_jacobians_are_exact_differences_and_make_their_rates(self):
        offset = a.SE3(a.exp([0.3, -0.5, 0.7]), [0.1, 0.2, -0.4])
        for name in ("ur5", "every_joint", "mixed_tree"):
            model, s = drawn(name)
            link, e = model.links[-1].name, np.eye(model.nv)
            rules = Jacobians.rules(model, s)
            for frame in ("link", "world", "mixed"):
                kinematics = a.ForwardKinematics(model)
                by_q = lambda q: a.link_jacobian_derivatives(model, link, q, frame, offset)

                def jacobian(q):
                    kinematics(q, np.zeros(model.nv))
                    return kinematics.link_jacobian(link, frame, offset)

                def rate(q, qd):
                    kinematics(q, qd)
                    return kinematics.link_jacobian_rate(link, qd, frame, offset)

                def differences(q):
                    column = lambda k: rules[k](lambda p: jacobian(a.displaced(model, q, p * e[k])))
                    return np.moveaxis([column(k) for k in rules], 0, 2)

                with self.subTest(name, frame=frame):
                    assert_agree(self, lambda q: by_q(q)[:, :, list(rules)], differences, s.q)
                    assert_agree(self, lambda q, qd: by_q(q) @ qd, rate, s.q, s.qd)


class MotionAsAWhole(unittest.TestCase):
    def test_by_coordinates_and_rates_they_are_exact_differences(self):
        for name in ("ur5", "every_joint", "mixed_tree", "quadruped"):
            model, s = drawn(name)
            whole, e = a.CentroidalMomentum(model), np.eye(model.nv)
            rules = Jacobians.rules(model, s)
            # In an angle the rate has a degree more than the momentum: its forces are quadratic before they are turned.
            rate_rules = {k: (lambda f: trigonometric(f, 7)) if rule is trigonometric else rule for k, rule in rules.items()}

            def momentum(q, qd):
                whole(q, qd)
                return np.array(whole.momentum)

            def rate(q, qd):
                whole(q, qd)
                return np.array(whole.momentum_rate(s.qdd))

            def turned(f, rules):
                column = lambda k, q, qd: rules[k](lambda p: f(a.displaced(model, q, p * e[k]), qd))
                return lambda q, qd: np.transpose([column(k, q, qd) for k in rules])

            faster = lambda q, qd: np.transpose([polynomial(lambda p: rate(q, qd + p * e[k])) for k in rules])
            for matrix, witness in enumerate((turned(momentum, rules), turned(rate, rate_rules), faster)):
                with self.subTest(name, matrix=matrix):
                    assert_agree(
                        self,
                        lambda q, qd: a.centroidal_jacobians(model, q, qd, s.qdd)[matrix][:, list(rules)],
                        witness,
                        s.q,
                        s.qd,
                    )


class Impulses(unittest.TestCase):
    E = 0.375

    def test_they_solve_the_equations_with_exact_differences_in_place_of_derivatives(self):
        for name in ("ur5", "every_joint", "mixed_tree", "quadruped"):
            model, s = drawn(name)
            first, second = a.LoopEnd(""), a.LoopEnd(model.links[-1].name, [0.2, -0.3, 0.1])
            line = [a.Loop("line", first, second, (True, False, False), "free", [0.3, -0.4, 0.5])]
            rules, e = Jacobians.rules(model, s), np.eye(model.nv)

            def rows(q):
                loops = a.Loops(model, line)
                loops(q, s.qd)
                return np.array(loops.A)

            def system(q):
                A = rows(q)
                return np.block([[a.mass_matrix(model, q), -A.T], [A, np.zeros((2, 2))]])

            def by_q(q, before):
                after, impulses = a.loop_impulse(model, line, q, before, self.E)
                y, columns = after + self.E * before, []
                for k, rule in rules.items():
                    dM = rule(lambda p: a.mass_matrix(model, a.displaced(model, q, p * e[k])))
                    dA = rule(lambda p: rows(a.displaced(model, q, p * e[k])))
                    top = (1 + self.E) * dM @ before - dM @ y + dA.T @ impulses
                    columns.append(np.concatenate([top, -dA @ y]))
                return np.linalg.solve(system(q), np.transpose(columns))

            def by_before(q, before):
                lacking = np.vstack([np.zeros((model.nv, model.nv)), -(1 + self.E) * rows(q)])
                return np.linalg.solve(system(q), lacking)

            def found(k, *x):
                by = a.loop_impulse_jacobians(model, line, *x, self.E)[k]
                return by if k % 2 else by[:, list(rules)]

            n = model.nv
            witnesses = (
                lambda *x: by_q(*x)[:n],
                lambda *x: by_before(*x)[:n] + e,
                lambda *x: by_q(*x)[n:],
                lambda *x: by_before(*x)[n:],
            )
            for k, witness in enumerate(witnesses):
                with self.subTest(name, matrix=k):
                    assert_agree(self, lambda *x: found(k, *x), witness, s.q, s.qd)

    def test_a_rod_that_falls_on_its_end(self):
        """The closed form of the page on derivatives of machines with loops."""
        m, l, v = 1.7, 0.6, 2.3
        rod = a.Link("rod", m, inertia=np.diag([0, m * l**2 / 3, m * l**2 / 3]))
        joints = [
            a.Joint("along", "prismatic", "table", "x", axis=[1, 0, 0]),
            a.Joint("height", "prismatic", "x", "z", axis=[0, 0, 1]),
            a.Joint("turn", "revolute", "z", "rod", axis=[0, 1, 0]),
        ]
        model = a.Model(a.Mechanism("rod", [a.Link("table"), a.Link("x"), a.Link("z"), rod], joints))
        contact = a.Loop("contact", a.LoopEnd("table"), a.LoopEnd("rod", [l, 0, 0]), (True, True, False), "free")
        for theta in (0, 0.4, np.pi / 4, -1.2):
            q, before = [0.3, 0.2, theta], [0, -v, 0]
            _, impulse = a.loop_impulse(model, [contact], q, before)
            by_q = a.loop_impulse_jacobians(model, [contact], q, before)[2]
            part = 1 + 3 * np.cos(theta) ** 2
            self.assertAlmostEqual(impulse[0], m * v / part, delta=1e-13)
            np.testing.assert_allclose(by_q, [[0, 0, 3 * m * v * np.sin(2 * theta) / part**2]], atol=1e-12)

    def test_what_does_not_fit_is_refused(self):
        model, contact = a.Model.load("ur5"), [a.cut_joint("pin", "ball", a.LoopEnd("base_link"), a.LoopEnd("wrist_3_link"))]
        for call in (a.loop_impulse, a.loop_impulse_jacobians):
            for e in (-0.1, 1.1):
                with self.assertRaisesRegex(a.StateError, "restitution is from 0, plastic, to 1, elastic"):
                    call(model, contact, np.zeros(6), np.zeros(6), e)
            with self.assertRaisesRegex(a.SizeError, "before has 5 entries"):
                call(model, contact, np.zeros(6), np.zeros(5))


class Hessians(unittest.TestCase):
    def test_of_inverse_dynamics_are_exact_differences_of_its_jacobians(self):
        for name in MODELS:
            model, s = drawn(name)
            rules, e = Jacobians.rules(model, s), np.eye(model.nv)
            turned = lambda k: lambda p, q, qd: (a.displaced(model, q, p * e[k]), qd)
            faster = lambda k: lambda p, q, qd: (q, qd + p * e[k])

            def differences(matrix, changes, rule, q, qd):
                """By the changed number, then as the Jacobian; here the answer comes first."""
                moved = lambda change: lambda p: a.inverse_dynamics_jacobians(model, *change(p, q, qd), s.qdd, s.Fext)
                return np.moveaxis([rule(k)(lambda p: moved(changes(k))(p)[matrix]) for k in rules], 0, 1)

            trigonometric_or_polynomial = lambda k: rules[k]
            for hessian, (matrix, changes, rule) in enumerate(
                (
                    (0, turned, trigonometric_or_polynomial),
                    (1, turned, trigonometric_or_polynomial),
                    (1, faster, lambda k: polynomial),
                    (2, turned, trigonometric_or_polynomial),
                )
            ):
                with self.subTest(name, hessian=hessian):
                    assert_agree(
                        self,
                        lambda q, qd: a.inverse_dynamics_hessians(model, q, qd, s.qdd, s.Fext)[hessian][:, list(rules)],
                        lambda q, qd: differences(matrix, changes, rule, q, qd),
                        s.q,
                        s.qd,
                    )

    def test_two_displacements_of_a_free_joint_commute_up_to_their_bracket(self):
        model, s = drawn("quadruped")
        structure = np.array([a.ad_matrix(a.to_twist(e)) for e in np.eye(6)])  # [j][:, k] is the bracket of the j-th and the k-th

        def commutator(q, qd, qdd):
            H = a.inverse_dynamics_hessians(model, q, qd, qdd, s.Fext)[0][:, :6, :6]
            return H - H.transpose(0, 2, 1)

        def along_bracket(q, qd, qdd):
            by_q = a.inverse_dynamics_jacobians(model, q, qd, qdd, s.Fext)[0][:, :6]
            return np.einsum("il,jlk->ijk", by_q, structure)

        assert_agree(self, commutator, along_bracket, s.q, s.qd, s.qdd)

    def test_of_hybrid_dynamics_complete_those_of_inverse_dynamics(self):
        for name in MODELS:
            model, s = drawn(name)
            for u in (np.zeros(model.nv, bool), np.arange(model.nv) % 3 == 0, np.ones(model.nv, bool)):
                qdd, tau = a.HybridDynamics(model, u)(s.q, s.qd, s.qdd, s.tau, s.Fext)

                def witness(q, qd, qdd):
                    """M_vv d2qdd_v = -G_v and d2tau_u = G_u + M_uv d2qdd_v, with the gain G of inverse dynamics."""
                    q_q, q_qd, qd_qd, dM = a.inverse_dynamics_hessians(model, q, qd, qdd, s.Fext)
                    M = a.inverse_dynamics_jacobians(model, q, qd, qdd, s.Fext)[2]
                    first = a.hybrid_dynamics_jacobians(model, u, q, qd, qdd, tau, s.Fext)
                    by_q, by_qd, by_given = (np.where(u[:, None], 0, J) for J in first)
                    by_given = by_given + np.diag(u * 1.0)
                    once = dM @ by_q
                    gains = q_q + once + once.transpose(0, 2, 1), q_qd + dM @ by_qd, qd_qd, dM @ by_given
                    answers = []
                    for G in gains:
                        answer = np.array(G)
                        columns = G[~u].reshape((~u).sum(), model.nv**2)
                        answer[~u] = -np.linalg.solve(M[np.ix_(~u, ~u)], columns).reshape(G[~u].shape)
                        answer[u] += np.einsum("il,ljk->ijk", M[np.ix_(u, ~u)], answer[~u])
                        answers.append(answer)
                    return answers

                for k in range(4):
                    with self.subTest(name, hessian=k, prescribed=u.sum()):
                        assert_agree(
                            self,
                            lambda q, qd, qdd: a.hybrid_dynamics_hessians(model, u, q, qd, qdd, tau, s.Fext)[k],
                            lambda *x: witness(*x)[k],
                            s.q,
                            s.qd,
                            qdd,
                        )
            forward = a.forward_dynamics_hessians(model, s.q, s.qd, s.tau, s.Fext)
            free = a.hybrid_dynamics_hessians(model, [False] * model.nv, s.q, s.qd, s.qdd, s.tau, s.Fext)
            for one, other in zip(forward, free):
                np.testing.assert_array_equal(one, other)


class ConstrainedMotion(unittest.TestCase):
    DRIVES = np.array([True, False, True, False])

    def setUp(self):
        self.model = a.Model.load("five_bar")
        self.loop = a.cut_joint("pin", "revolute", a.LoopEnd("left_tip"), a.LoopEnd("right_tip"))
        assembly = a.Assembly(self.model, [self.loop], self.DRIVES)
        self.q = assembly.close([0.3, 0.6, 0.9, 1.2])
        self.qd = assembly.project(self.q, [1, 0, 1, 0])

    def derivative(self, parameter, prescribed, qdd, tau):
        return a.constrained_dynamics_derivative(
            self.model, [self.loop], prescribed, parameter, self.q, self.qd, qdd, tau
        )

    def motion(self, prescribed, qd, qdd, tau):
        loops = a.Loops(self.model, [self.loop])
        loops(self.q, qd)
        system = a.ConstrainedDynamics(self.model, prescribed, 5)
        return np.concatenate(system(self.q, qd, qdd, tau, loops.A, loops.Adot_qd))

    def test_by_rates_and_forces_it_is_a_difference(self):
        """The answer is quadratic in the rates, and linear in what is given."""
        qdd, tau, e = np.array([1.0, 0, -2, 0]), np.array([0.3, -0.2, 0.5, 0.1]), np.eye(4)
        for prescribed in (np.zeros(4, bool), self.DRIVES):
            for k in range(4):
                for parameter, at in (
                    (Parameter.rate, 0),
                    (Parameter.acceleration if prescribed[k] else Parameter.force, 1 if prescribed[k] else 2),
                ):

                    def moved(p):
                        x = [self.qd, qdd, tau]
                        x[at] = x[at] + p * e[k]
                        return self.motion(prescribed, *x)

                    *answer, contradiction = self.derivative(parameter(k), prescribed, qdd, tau)
                    found, expected = np.concatenate(answer), polynomial(moved)
                    with self.subTest(k=k, at=at, prescribed=prescribed):
                        # A difference of two answers carries the rounding of both, and of the system's condition.
                        size = max(np.abs(moved(1)).max(), np.abs(moved(-1)).max())
                        bound = 100 * 4 * U * size * np.linalg.cond(a.mass_matrix(self.model, self.q))
                        self.assertLessEqual(np.abs(found - expected).max(), bound)
                        self.assertLessEqual(np.abs(contradiction).max(), bound)
                        self.assertGreater(np.abs(expected).max(), bound)

    def test_the_numbers_of_the_exercises(self):
        one = [1, 0, 1, 0]
        qdd, tau, _, _ = self.derivative(Parameter.acceleration(0), self.DRIVES, one, [0] * 4)
        np.testing.assert_array_equal(tau[[0, 2]].round(6), [0.035360, 0.012862])
        np.testing.assert_array_equal(qdd[[1, 3]].round(6), [-0.604487, -0.055669])
        free = np.zeros(4, bool)
        qdd, _, _, _ = self.derivative(Parameter.force(0), free, one, [0] * 4)
        np.testing.assert_array_equal(qdd.round(6), [29.508706, -16.347701, -3.377383, 1.649625])
        qdd, _, _, _ = self.derivative(Parameter.gravity(2), free, one, [0] * 4)
        np.testing.assert_array_equal(qdd.round(6), [-2.167977, 2.478013, -2.646473, 2.700519])

    def test_without_loops_it_is_a_column_of_hybrid_dynamics(self):
        model, s = drawn("mixed_tree")
        u = np.arange(model.nv) % 3 == 0
        J = a.hybrid_dynamics_jacobians(model, u, s.q, s.qd, s.qdd, s.tau, s.Fext)
        for k in range(model.nv):
            given = Parameter.acceleration(k) if u[k] else Parameter.force(k)
            for matrix, parameter in zip(J, (Parameter.coordinate(k), Parameter.rate(k), given)):

                def column(q, qd):
                    qdd, tau, multipliers, contradiction = a.constrained_dynamics_derivative(
                        model, [], u, parameter, q, qd, s.qdd, s.tau, s.Fext
                    )
                    self.assertEqual((multipliers.shape, contradiction.shape), ((0,), (0,)))
                    return np.where(u, tau, qdd)

                at = next(i for i in range(3) if J[i] is matrix)

                def witness(q, qd):
                    return a.hybrid_dynamics_jacobians(model, u, q, qd, s.qdd, s.tau, s.Fext)[at][:, k]

                with self.subTest(k=k, matrix=at):
                    assert_agree(self, column, witness, s.q, s.qd)


class Parameters(unittest.TestCase):
    """One parameter after the other, on a robot without special places, and on one that flies."""

    def check(self, model, s, parameter, witness, Fext=None):
        """Table 5 against a difference; Table 6 against Table 5: the mass matrix makes up for the change of force."""
        assert_agree(
            self, lambda *x: a.inverse_dynamics_derivative(model, parameter, *x, Fext), witness, s.q, s.qd, s.qdd
        )

        def made_up(q, qd, tau):
            qdd = a.forward_dynamics(model, q, qd, tau, Fext)
            return -np.linalg.solve(
                a.mass_matrix(model, q), a.inverse_dynamics_derivative(model, parameter, q, qd, qdd, Fext)
            )

        assert_agree(
            self, lambda *x: a.forward_dynamics_derivative(model, parameter, *x, Fext), made_up, s.q, s.qd, s.tau
        )

    def test_inertia(self):
        for name, link in (("ur5", "forearm_link"), ("mixed_tree", "body_5"), ("drone_arm", "upper_arm")):
            model, s = drawn(name)
            i = model.link(link).body
            I = model.body(i).I
            ten = np.array([I.mass, *I.first_moment, *I.second_moment[np.triu_indices(3)]])
            # Linear: without this body, and by Euler every number times its derivative, there is no difference left.
            empty = changed(model, lambda m: [self.remove(l) for l in m.links if model.link(l.name).body == i])

            def euler(*x):
                return sum(
                    p * a.inverse_dynamics_derivative(model, Parameter.inertia(i, c), *x) for c, p in enumerate(ten)
                )

            with self.subTest(name):
                assert_agree(
                    self,
                    euler,
                    lambda *x: a.inverse_dynamics(model, *x) - a.inverse_dynamics(empty, *x),
                    s.q,
                    s.qd,
                    s.qdd,
                )
            for c in range(COMPONENTS):
                with self.subTest(name, component=c):
                    self.check(model, s, Parameter.inertia(i, c), lambda *x: self.wrench_of_unit(model, i, c, *x))

    @staticmethod
    def remove(link):
        link.mass, link.inertia = 0, [0] * 6

    @staticmethod
    def wrench_of_unit(model, i, c, q, qd, qdd):
        """What a body of one unit alone adds: its wrench, carried by the columns of its Jacobian."""
        rnea, kinematics = a.InverseDynamics(model), a.ForwardKinematics(model)
        rnea(q, qd, qdd)
        kinematics(q, qd)
        ten = np.eye(COMPONENTS)[c]
        xx, xy, xz, yy, yz, zz = ten[4:]
        unit = a.Inertia(ten[0], ten[1:4], [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        F = a.coordinates(a.newton_euler(unit, a.to_twist(rnea.V[i]), a.to_twist(rnea.Vdot[i])))
        link = next(link for link in model.links if link.body == i)
        J = kinematics.link_jacobian(link.name)  # seen from the link
        return J.T @ a.Ad_matrix(link.X).T @ F

    def test_gravity(self):
        for name in ("ur5", "mixed_tree", "drone_arm"):
            model, s = drawn(name)
            for axis, e in enumerate(np.eye(3)):

                def witness(*x):
                    rnea = a.InverseDynamics(model)
                    rnea.set_gravity(model.gravity + e)
                    upward = rnea(*x)
                    rnea.set_gravity(model.gravity - e)
                    return (upward - rnea(*x)) / 2

                with self.subTest(name, axis=axis):
                    self.check(model, s, Parameter.gravity(axis), witness)

    def test_wrenches(self):
        for name in ("ur5", "mixed_tree", "drone_arm"):
            model, s = drawn(name)
            i = model.bodies - 1
            link = next(link for link in model.links if link.body == i)

            def force(q, W):
                """Joint forces that hold a wrench (6,) on the body, in the frame of its link."""
                kinematics = a.ForwardKinematics(model)
                kinematics(q, np.zeros(model.nv))
                return -kinematics.link_jacobian(link.name).T @ W

            def in_space(q, W):
                kinematics = a.ForwardKinematics(model)
                kinematics(q, np.zeros(model.nv))
                return a.Ad_matrix(kinematics.link_pose(link.name)).T @ W

            for k, e in enumerate(np.eye(6)):
                with self.subTest(name, component=k):
                    self.check(
                        model,
                        s,
                        Parameter.wrench_on_body(i, k),
                        lambda q, qd, qdd: force(q, a.Ad_matrix(link.X).T @ e),
                        s.Fext,
                    )
                    self.check(
                        model, s, Parameter.wrench_in_space(i, k), lambda q, qd, qdd: force(q, in_space(q, e)), s.Fext
                    )

    def test_place_of_a_joint(self):
        for name, joint in (("ur5", "wrist_1_joint"), ("mixed_tree", "joint_4"), ("drone_arm", "elbow")):
            model, s = drawn(name)
            i = named(model.joints, joint).body
            parent = model.link(named(model.mechanism.joints, joint).parent)
            for k, e in enumerate(np.eye(3)):

                def witness(*x):
                    shift = parent.X.R.T @ model.body(i).M.R @ e  # in the frame of the parent link

                    def moved(p):
                        def move(m):
                            named(m.joints, joint).position = named(m.joints, joint).position + p * shift

                        return a.inverse_dynamics(changed(model, move), *x)

                    return polynomial(moved)

                with self.subTest(name, direction=k):
                    self.check(model, s, Parameter.placement_before(i, 3 + k), witness)

    def test_place_of_a_body_on_its_joint(self):
        # A tip that is displaced on its joint carries its mass with it, and nothing else.
        for name, tip in (("ur5", "wrist_3_link"), ("mixed_tree", "body_4"), ("mixed_tree", "body_3")):
            model, s = drawn(name)
            link = model.link(tip)
            for k, e in enumerate(np.eye(3)):

                def witness(*x):
                    def moved(p):
                        def move(m):
                            named(m.links, tip).center_of_mass = named(m.links, tip).center_of_mass + p * link.X.R.T @ e

                        return a.inverse_dynamics(changed(model, move), *x)

                    return polynomial(moved)

                with self.subTest(name, tip=tip, direction=k):
                    self.check(model, s, Parameter.placement_after(link.body, 3 + k), witness)

    def test_turned_places_and_axes_are_coordinates_and_differences(self):
        # exp(S p) exp(S q) = exp(S q) exp(S p) = exp(S (q + p)); to move an axis is to move before the joint and back
        # after it.
        for name, joint in (("ur5", "elbow_joint"), ("mixed_tree", "joint_5"), ("drone_arm", "shoulder")):
            model, s = drawn(name)
            slot = named(model.joints, joint)
            i, v = slot.body, slot.v
            derivative = lambda parameter: lambda *x: a.inverse_dynamics_derivative(model, parameter, *x, s.Fext)
            with self.subTest(name):
                self.check(model, s, Parameter.placement_before(i, 2), derivative(Parameter.coordinate(v)), s.Fext)
                self.check(model, s, Parameter.placement_after(i, 2), derivative(Parameter.coordinate(v)), s.Fext)
            for k in range(6):
                before, after = (
                    derivative(place(i, k)) for place in (Parameter.placement_before, Parameter.placement_after)
                )
                with self.subTest(name, direction=k):
                    self.check(model, s, Parameter.screw_axis(i, k), lambda *x: before(*x) - after(*x), s.Fext)

    def test_force(self):
        model, s = drawn("mixed_tree")
        for k in range(model.nv):
            assert_agree(
                self,
                lambda q: a.forward_dynamics_derivative(model, Parameter.force(k), q, s.qd, s.tau),
                lambda q: np.linalg.inv(a.mass_matrix(model, q))[:, k],
                s.q,
            )
            unmoved = a.inverse_dynamics_derivative(model, Parameter.force(k), s.q, s.qd, s.qdd)
            np.testing.assert_array_equal(unmoved, 0 * s.qd)


class Misuse(unittest.TestCase):
    def test_what_does_not_fit_is_refused_in_one_sentence(self):
        model, z, nan = a.Model.load("park_2r"), [0, 0], float("nan")
        of = lambda parameter: lambda: a.inverse_dynamics_derivative(model, parameter, z, z, z)
        for kind, wrong, sentence in (
            (a.StateError, of(Parameter.coordinate(2)), "a parameter names the joint rate 2; there are 0 to 1."),
            (a.StateError, of(Parameter.rate(-1)), "a parameter names the joint rate -1; there are 0 to 1."),
            (a.StateError, of(Parameter.inertia(0, 0)), "a parameter names the body 0; there are 1 to 2."),
            (a.StateError, of(Parameter.inertia(1, 10)), "a parameter names the component 10; there are 0 to 9."),
            (
                a.StateError,
                of(Parameter.placement_before(1, 6)),
                "a parameter names the component 6; there are 0 to 5.",
            ),
            (a.StateError, of(Parameter.gravity(3)), "a parameter names the component 3; there are 0 to 2."),
            (
                a.SizeError,
                lambda: a.inverse_dynamics_jacobians(model, z, z, [0]),
                "qdd has 1 entry where the model needs 2.",
            ),
            (
                a.SizeError,
                lambda: a.forward_dynamics_jacobians(model, z, [0], z),
                "qd has 1 entry where the model needs 2.",
            ),
            (
                a.SizeError,
                lambda: a.hybrid_dynamics_jacobians(model, [True], z, z, z, z),
                "prescribed has 1 entry where the model needs 2.",
            ),
            (
                a.SizeError,
                lambda: a.constrained_dynamics_derivative(model, [], [True], Parameter.rate(0), z, z, z, z),
                "prescribed has 1 entry where the model needs 2.",
            ),
            (
                a.SizeError,
                lambda: a.forward_dynamics_derivative(model, Parameter.rate(0), z, z, []),
                "tau has 0 entries where the model needs 2.",
            ),
            (
                a.StateError,
                lambda: a.inverse_dynamics_jacobians(model, [nan, 0], z, z),
                "q[0] is nan where a finite number is needed.",
            ),
            (
                a.StateError,
                lambda: a.inverse_dynamics_jacobians(model, [1, 1], [1e200, 1e200], z),
                "the result dtau_dq is not finite; some number of the state is too large for double precision.",
            ),
            (
                a.StateError,
                lambda: a.inverse_dynamics_jacobians(model, z, z, z, {"tail": [0] * 6}),
                "park_2r: there is no link 'tail'.",
            ),
        ):
            with self.assertRaises(kind) as caught:
                wrong()
            self.assertEqual((type(caught.exception), str(caught.exception)), (kind, sentence))
        for wrong in (Parameter, lambda: Parameter.rate(0.5), lambda: a.inverse_dynamics_derivative(model, 0, z, z, z)):
            with self.assertRaises(TypeError):
                wrong()


if __name__ == "__main__":
    unittest.main()
