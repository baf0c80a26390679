"""Coriolis matrices: of a body against formulas over matrices, of a mechanism against laws and dense sums."""
import unittest

import derivatives_test
import numpy as np
from agreement import assert_agree
from derivatives_test import MODELS, drawn
from group_test import ad, skew

import articulate as a
from articulate import CoriolisFamily

FAMILIES = list(CoriolisFamily.__members__.values())
ADMISSIBLE = [family for family in FAMILIES if family != CoriolisFamily.newton_euler]


def body_matrix(family, I, V):
    """The matrix of a family by products of matrices; I is (6, 6), V is (6,)."""
    if family == CoriolisFamily.newton_euler:
        return -ad(V).T @ I
    if family == CoriolisFamily.bracket:
        return I @ ad(V) - ad(V).T @ I
    if family == CoriolisFamily.momentum:
        return np.transpose([-ad(e).T @ I @ V for e in np.eye(6)])
    if family == CoriolisFamily.christoffel:
        return (body_matrix(CoriolisFamily.bracket, I, V) + body_matrix(CoriolisFamily.momentum, I, V)) / 2
    J, H, m, w = I[:3, :3], I[:3, 3:], I[3, 3], skew(V[:3])  # Proposition 1
    return np.block([[w @ J + J @ w, H @ w], [-w @ H, m * w]])


class State:
    """A drawn state in which all joints move whose motion exact differences can follow: all but helical ones."""

    def __init__(self, name):
        self.model, s = drawn(name)
        self.rules = derivatives_test.Jacobians.rules(self.model, s)
        self.followed = np.array([k in self.rules for k in range(self.model.nv)])
        self.q, self.qd, self.qdd = s.q, s.qd * self.followed, s.qdd
        draw = np.random.default_rng(11)
        self.qd_r, self.qdd_r = draw.uniform(-1, 1, (2, self.model.nv))

    def rate(self, f, q, qd):
        """The rate of f(q), an array, along the rates: exact, for each entry is a polynomial of degree two."""
        e = np.eye(self.model.nv)
        displaced = lambda k, p: f(a.displaced(self.model, q, p * e[k]))
        return sum(qd[k] * rule(lambda p: displaced(k, p)) for k, rule in self.rules.items())


class OneBody(unittest.TestCase):
    def setUp(self):
        draw = np.random.default_rng(3)
        self.I = a.Inertia.of_cloud(draw.uniform(0.5, 2, 5), draw.uniform(-1, 1, (5, 3)))
        self.V, self.W = draw.uniform(-1, 1, (2, 6))
        self.T = a.exp(a.to_twist(draw.uniform(-1, 1, 6)))

    def test_each_family_is_its_formula(self):
        for family in FAMILIES:
            with self.subTest(family.name):
                assert_agree(
                    self,
                    lambda V: a.body_coriolis_matrix(self.I, a.to_twist(V), family),
                    lambda V: body_matrix(family, self.I.matrix(), V),
                    self.V,
                )
                assert_agree(
                    self,
                    lambda V, W: a.coordinates(a.coriolis_wrench(self.I, a.to_twist(V), a.to_twist(W), family)),
                    lambda V, W: body_matrix(family, self.I.matrix(), V) @ W,
                    self.V,
                    self.W,
                )

    def test_all_give_one_wrench_and_all_but_one_are_skew(self):
        I = self.I.matrix()
        for family in FAMILIES:
            matrix = lambda V: a.body_coriolis_matrix(self.I, a.to_twist(V), family)
            with self.subTest(family.name):
                assert_agree(self, lambda V: matrix(V) @ V, lambda V: -ad(V).T @ I @ V, self.V)
                self.assertEqual(a.is_admissible(family), family in ADMISSIBLE)
                if family in ADMISSIBLE:
                    assert_agree(self, lambda V: matrix(V).T, lambda V: -matrix(V), self.V)
                else:
                    self.assertGreater(np.abs(matrix(self.V) + matrix(self.V).T).max(), 0.1)

    def test_all_but_that_of_proposition_1_are_seen_from_a_shifted_frame_as_what_they_are(self):
        X, I = a.Ad_matrix(self.T), a.coAd(self.T, self.I)
        for family in FAMILIES:
            here = lambda V: X.T @ a.body_coriolis_matrix(self.I, a.to_twist(V), family) @ X
            there = lambda V: a.body_coriolis_matrix(I, a.AdInv(self.T, a.to_twist(V)), family)
            with self.subTest(family.name):
                if family == CoriolisFamily.ploen:
                    self.assertGreater(np.abs(here(self.V) - there(self.V)).max(), 0.1)
                else:
                    assert_agree(self, there, here, self.V)

    def test_the_family_is_christoffels_unless_said(self):
        V, W = a.to_twist(self.V), a.to_twist(self.W)
        same = a.body_coriolis_matrix(self.I, V, CoriolisFamily.christoffel)
        np.testing.assert_array_equal(a.body_coriolis_matrix(self.I, V), same)
        same = a.coriolis_wrench(self.I, V, W, CoriolisFamily.christoffel)
        np.testing.assert_array_equal(a.coriolis_wrench(self.I, V, W), same)


class Mechanisms(unittest.TestCase):
    def test_the_matrix_is_a_sum_over_bodies(self):
        """J^T (I Jdot + C_i J) over all bodies, J and Jdot carried from body to body."""
        for name in MODELS:
            model, s = drawn(name)

            def witness(family, q, qd):
                G = a.GlobalMatrices(model, q, qd)
                rnea = a.InverseDynamics(model)
                rnea(q, qd, 0 * qd)
                J, Jdot = np.zeros((2, model.bodies + 1, 6, model.nv))
                total = np.zeros((model.nv, model.nv))
                for i in range(1, model.bodies + 1):
                    body, X = model.body(i), np.linalg.inv(a.Ad_matrix(rnea.T[i]))
                    rows, own = slice(6 * i - 6, 6 * i), slice(body.v, body.v + body.nv)
                    J[i] = X @ J[body.parent] + G.S[rows]
                    moved = -ad(rnea.S[i] @ qd[own]) @ X
                    Jdot[i] = X @ Jdot[body.parent] + moved @ J[body.parent] + G.Sdot[rows]
                    I = body.I.matrix()
                    total += J[i].T @ (I @ Jdot[i] + body_matrix(family, I, J[i] @ qd) @ J[i])
                return total

            for family in FAMILIES:
                with self.subTest(name, family=family.name):
                    assert_agree(
                        self,
                        lambda q, qd: a.coriolis_matrix(model, q, qd, family),
                        lambda q, qd: witness(family, q, qd),
                        s.q,
                        s.qd,
                    )

    def test_times_the_rates_it_is_the_bias_without_gravity(self):
        for name in MODELS:
            model, s = drawn(name)

            def forces(q, qd):
                _, b, gravity = a.equations_of_motion(model, q, qd)
                return b - gravity

            for family in FAMILIES:
                with self.subTest(name, family=family.name):
                    assert_agree(self, lambda q, qd: a.coriolis_matrix(model, q, qd, family) @ qd, forces, s.q, s.qd)

    def test_the_rate_of_the_mass_matrix_less_twice_the_matrix_is_skew_symmetric(self):
        """C + C^T is the rate, which exact differences of M know; Newton and Euler's matrix is not admissible."""
        for name in MODELS:
            state = State(name)
            model = state.model
            rate = lambda q, qd: state.rate(lambda x: a.mass_matrix(model, x), q, qd)

            def both(family, q, qd):
                C = a.coriolis_matrix(model, q, qd, family)
                return C + C.T

            for family in ADMISSIBLE:
                with self.subTest(name, family=family.name):
                    assert_agree(self, lambda *x: both(family, *x), rate, state.q, state.qd)
            missed = both(CoriolisFamily.newton_euler, state.q, state.qd) - rate(state.q, state.qd)
            self.assertGreater(np.abs(missed).max(), 0.1, name)

    def test_reference_dynamics_is_the_sum_of_its_terms(self):
        for name in MODELS:
            state = State(name)
            model, at = state.model, (state.q, state.qd, state.qd_r, state.qdd_r)

            def terms(family, q, qd, qd_r, qdd_r):
                M, _, gravity = a.equations_of_motion(model, q, qd)
                return M @ qdd_r + a.coriolis_matrix(model, q, qd, family) @ qd_r + gravity

            for family in FAMILIES:
                with self.subTest(name, family=family.name):
                    assert_agree(
                        self,
                        lambda *x: a.reference_dynamics(model, *x, family),
                        lambda *x: terms(family, *x),
                        *at,
                    )
                    assert_agree(
                        self,
                        lambda *x: a.coriolis_product(model, *x, family),
                        lambda q, qd, qd_r: a.coriolis_matrix(model, q, qd, family) @ qd_r,
                        *at[:3],
                    )
                    assert_agree(
                        self,
                        lambda q, qd, qdd: a.reference_dynamics(model, q, qd, qd, qdd, family),
                        lambda *x: a.inverse_dynamics(model, *x),
                        state.q,
                        state.qd,
                        state.qdd,
                    )

    def test_two_hinges_in_a_plane(self):
        """A double pendulum of points by hand: h = m_2 l_1 l_2 sin q_2, C = h [[-q2', -q1' - q2'], [q1', 0]]."""
        m = a.Mechanism("double", [a.Link("ground"), a.Link("a", 1, [0.7, 0, 0]), a.Link("b", 2, [0.5, 0, 0])])
        m.joints = [a.Joint("p", "revolute", "ground", "a"), a.Joint("r", "revolute", "a", "b", position=[0.7, 0, 0])]
        model = a.Model(m)
        assert_agree(
            self,
            lambda q, qd: a.coriolis_matrix(model, q, qd),
            lambda q, qd: 2 * 0.7 * 0.5 * np.sin(q[1]) * np.array([[-qd[1], -qd[0] - qd[1]], [qd[0], 0]]),
            [0.3, 0.8],
            [0.5, -0.7],
        )


class Misuse(unittest.TestCase):
    def test_arguments_that_do_not_fit_are_refused(self):
        model, s = drawn("ur5")
        for call, words in (
            (lambda: a.coriolis_matrix(model, s.q[:5], s.qd), "q has 5 entries where the model needs 6."),
            (lambda: a.coriolis_matrix(model, s.q, [0.0]), "qd has 1 entry where the model needs 6."),
            (lambda: a.coriolis_product(model, s.q, s.qd, s.q[:2]), "qd_r has 2 entries where the model needs 6."),
            (lambda: a.reference_dynamics(model, s.q, s.qd, s.qd, []), "qdd_r has 0 entries where the model needs 6."),
        ):
            with self.assertRaises(a.SizeError) as refused:
                call()
            self.assertEqual(str(refused.exception), words)
        with self.assertRaises(a.StateError) as refused:
            a.coriolis_matrix(model, s.q, [0, np.nan, 0, 0, 0, 0])
        self.assertEqual(str(refused.exception), "qd[1] is nan where a finite number is needed.")
        with self.assertRaisesRegex(a.StateError, "the result C is not finite; some number of the state is too large"):
            a.coriolis_matrix(model, s.q, 1e308 * np.ones(6))

    def test_a_family_is_one_of_five(self):
        model, s = drawn("ur5")
        for wrong, kind in (("newton", ValueError), (1, TypeError), (None, TypeError)):
            with self.assertRaises(kind):
                a.coriolis_matrix(model, s.q, s.qd, wrong)


if __name__ == "__main__":
    unittest.main()
