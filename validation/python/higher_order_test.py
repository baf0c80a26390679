"""Dynamics of any order: both forms, the orders that other chapters know, moving frames in numpy, and refusals."""
import gc
import unittest
from math import comb

import numpy as np
from agreement import assert_agree

import articulate as a

MODELS = ("park_2r", "ur5", "mixed_tree", "quadruped")
FORMS = ("body", "spatial")
R = 3


def drawn(name, seed=5):
    """A model, a state, accelerations with derivatives, and for each degree whether its motion is prescribed."""
    model = a.Model.load(name)
    draw = np.random.default_rng(seed)
    state = a.random_state(model, seed)
    return model, state, draw.uniform(-1, 1, (model.nv, R + 1)), draw.random(model.nv) < 0.5


def forces(model, form, q, qd, qdd, Fext=None):
    order = qdd.shape[1] - 1
    return a.HigherOrderDynamics.inverse(model, order, form)(q, qd, qdd, 0 * qdd, Fext)[1]


def leibniz(x, y):
    """The product of two series of derivatives, as derivatives."""
    return [sum(comb(n, k) * (x[k] @ y[n - k]) for k in range(n + 1)) for n in range(len(x))]


class HigherOrderDynamics(unittest.TestCase):
    def test_order_0_is_inverse_and_forward_dynamics(self):
        for name in MODELS:
            model, s, qdd, _ = drawn(name)
            for form in FORMS:
                with self.subTest(name, form=form):
                    assert_agree(
                        self,
                        lambda *x: forces(model, form, *x, qdd, [s.Fext])[:, 0],
                        lambda *x: a.inverse_dynamics(model, *x, qdd[:, 0], s.Fext),
                        s.q,
                        s.qd,
                    )
                    forward = a.HigherOrderDynamics.forward(model, 0, form=form)
                    assert_agree(
                        self,
                        lambda q, qd, tau: forward(q, qd, np.zeros((model.nv, 1)), tau[:, None], [s.Fext])[0][:, 0],
                        lambda *x: a.forward_dynamics(model, *x, s.Fext),
                        s.q,
                        s.qd,
                        s.tau,
                    )

    def test_order_1_is_the_chain_rule_on_the_jacobians_of_chapter_8(self):
        for name in ("park_2r", "ur5", "mixed_tree"):
            model, s, qdd, _ = drawn(name)

            def by_chain_rule(q, qd, qdd):
                dq, dqd, M = a.inverse_dynamics_jacobians(model, q, qd, qdd[:, 0])
                return dq @ qd + dqd @ qdd[:, 0] + M @ qdd[:, 1]

            for form in FORMS:
                with self.subTest(name, form=form):
                    assert_agree(self, lambda *x: forces(model, form, *x)[:, 1], by_chain_rule, s.q, s.qd, qdd[:, :2])

    def test_both_forms_agree_and_hybrid_dynamics_finds_what_it_was_not_told(self):
        for name in MODELS:
            model, s, qdd, u = drawn(name)
            Fext = [s.Fext, {link: -2 * np.asarray(F) for link, F in s.Fext.items()}, s.Fext]
            given = forces(model, "spatial", s.q, s.qd, qdd, Fext)
            for form in FORMS:
                surplus = f"Fext has {R + 2} entries where order {R} has at most {R + 1}, the wrenches and their derivatives"
                with self.assertRaisesRegex(a.StateError, surplus):
                    forces(model, form, s.q, s.qd, qdd, [s.Fext] * (R + 2))
            for form in FORMS:
                hybrid = a.HigherOrderDynamics(model, R, u, form=form)
                for k in range(R + 1):
                    with self.subTest(name, form=form, k=k):
                        assert_agree(
                            self,
                            lambda *x: forces(model, form, *x, Fext)[:, k],
                            lambda *x: forces(model, "spatial", *x, Fext)[:, k],
                            s.q,
                            s.qd,
                            qdd,
                        )

                        def complete(q, qd, qdd, tau):
                            return hybrid(q, qd, np.where(u[:, None], qdd, 7), np.where(u[:, None], -3, tau), Fext)

                        def by_the_other(*x):
                            other = a.HigherOrderDynamics(model, R, u, form=FORMS[form == "body"])
                            return other(*x, Fext)

                        for result in (0, 1):
                            assert_agree(
                                self,
                                lambda *x: complete(*x)[result][:, k],
                                lambda *x: by_the_other(*x)[result][:, k],
                                s.q,
                                s.qd,
                                qdd,
                                given,
                            )
                        assert_agree(
                            self,
                            lambda q, qd, *x: forces(model, form, q, qd, complete(q, qd, *x)[0], Fext)[:, k],
                            lambda *x: by_the_other(*x)[1][:, k],
                            s.q,
                            s.qd,
                            qdd,
                            given,
                        )
                        np.testing.assert_array_equal(complete(s.q, s.qd, qdd, given)[0][u], qdd[u])
                        np.testing.assert_array_equal(complete(s.q, s.qd, qdd, given)[1][~u], given[~u])

    def test_wrenches_by_link_and_by_body_and_their_derivatives(self):
        model, s, qdd, _ = drawn("ur5")
        at_rest = np.zeros(model.nv), np.zeros((model.nv, 2))
        rows = np.zeros((model.bodies + 1, 6))
        rows[6] = 1, -2, 3, 0.5, 0.25, -4  # the tool's body is the last link's
        for form in FORMS:
            with_rows = forces(model, form, s.q, *at_rest, [None, rows])
            by_link = forces(model, form, s.q, *at_rest, [None, {"wrist_3_link": rows[6]}])
            by_stack = forces(model, form, s.q, *at_rest, np.stack([0 * rows, rows]))
            np.testing.assert_array_equal(with_rows, by_stack)
            np.testing.assert_array_equal(with_rows[:, 0], forces(model, form, s.q, *at_rest)[:, 0])
            for found, how in ((with_rows, rows), (by_link, {"wrist_3_link": rows[6]})):
                assert_agree(
                    self,
                    lambda q: forces(model, form, q, *at_rest, [None, how])[:, 1],
                    lambda q: a.inverse_dynamics(model, q, *at_rest[:1] * 2, how)
                    - a.inverse_dynamics(model, q, *at_rest[:1] * 2),
                    s.q,
                )

    def test_gravity_can_be_replaced(self):
        for form in FORMS:
            model, s, qdd, _ = drawn("ur5")
            dynamics = a.HigherOrderDynamics.inverse(model, R, form)
            self.assertEqual(dynamics.order, R)
            dynamics.set_gravity((0, 0, 0))
            mechanism = model.mechanism
            mechanism.gravity = (0, 0, 0)
            weightless = a.Model(mechanism)
            np.testing.assert_array_equal(
                dynamics(s.q, s.qd, qdd, 0 * qdd)[1], forces(weightless, form, s.q, s.qd, qdd)
            )

    def test_it_keeps_its_model(self):
        model, s, qdd, _ = drawn("park_2r")
        before = forces(model, "body", s.q, s.qd, qdd)
        dynamics = a.HigherOrderDynamics.inverse(model, R)
        del model
        gc.collect()
        np.testing.assert_array_equal(dynamics(s.q, s.qd, qdd, 0 * qdd)[1], before)


class Frames(unittest.TestCase):
    C = a.exp(a.Twist((0.3, -0.8, 0.5), (1.0, 2.0, -0.7)))
    draw = np.random.default_rng(1)
    V, F = draw.uniform(-1, 1, (5, 6)), draw.uniform(-1, 1, (5, 6))

    def hat(self, V):
        (x, y, z), v = V[:3], V[3:]
        return np.vstack([np.column_stack([[[0, -z, y], [z, 0, -x], [-y, x, 0]], v]), np.zeros(4)])

    def test_derivatives_of_the_pose_obey_the_product_rule(self):
        def by_rule(V):
            C = [np.block([[self.C.R, self.C.p[:, None]], [np.zeros((1, 3)), 1]])]
            hats = [self.hat(row) for row in V]
            for r in range(len(V)):
                C.append(leibniz(hats[: r + 1], C)[r])
            return np.array(C)

        assert_agree(self, lambda V: a.pose_derivatives(self.C, V), by_rule, self.V)
        assert_agree(self, lambda V: a.spatial_twists(a.pose_derivatives(self.C, V)), lambda V: V, self.V)

    def test_a_pose_moves_alike_seen_from_inside(self):
        """Cdot = C [V_body]: what the body twists of to_body make of the product rule from the other side."""

        def from_inside(V):
            C = [a.pose_derivatives(self.C, V)[0]]
            hats = [self.hat(row) for row in a.to_body(self.C, V)]
            for r in range(len(V)):
                C.append(leibniz(C, hats[: r + 1])[r])
            return np.array(C)

        assert_agree(self, lambda V: a.pose_derivatives(self.C, V), from_inside, self.V)
        assert_agree(self, lambda V: a.to_spatial(self.C, a.to_body(self.C, V)), lambda V: V, self.V)

    def test_power_is_the_same_from_everywhere_and_so_are_its_derivatives(self):
        def power(F, V):
            return np.array(leibniz(list(F), list(V)))

        assert_agree(
            self,
            lambda V, F: power(a.to_spatial(self.C, V, F), a.to_spatial(self.C, V)),
            lambda V, F: power(F, V),
            self.V,
            self.F,
        )
        assert_agree(
            self,
            lambda V, F: a.to_body(self.C, a.to_spatial(self.C, V), a.to_spatial(self.C, V, F)),
            lambda V, F: F,
            self.V,
            self.F,
        )


class Misuse(unittest.TestCase):
    def test_what_does_not_fit_is_refused_in_one_sentence(self):
        model = a.Model.load("park_2r")
        dynamics, z, t, nan = a.HigherOrderDynamics(model, 1, [True, False]), [0, 0], np.zeros((2, 2)), float("nan")
        dynamics(z, z, t, t)
        C, V = a.SE3(), np.zeros((2, 6))
        for kind, wrong, sentence in (
            (
                a.SizeError,
                lambda: a.HigherOrderDynamics(model, 1, [True] * 3),
                "prescribed has 3 entries where the model needs 2.",
            ),
            (a.StateError, lambda: a.HigherOrderDynamics.inverse(model, -1), "order is -1 where 0 or more is needed."),
            (
                a.StateError,
                lambda: a.HigherOrderDynamics.forward(model, 1, "world"),
                "form is 'world' where 'body' or 'spatial' is needed.",
            ),
            (a.SizeError, lambda: dynamics([0], z, t, t), "q has 1 entry where the model needs 2."),
            (
                a.StateError,
                lambda: dynamics(z, z, np.zeros((2, 3)), t),
                "qdd has the shape (2, 3) where (2, 2) is needed.",
            ),
            (a.StateError, lambda: dynamics(z, z, t, z), "tau has the shape (2,) where (2, 2) is needed."),
            (a.StateError, lambda: dynamics(z, z, t, t + nan), "tau[0] is nan where a finite number is needed."),
            (a.StateError, lambda: dynamics(z, z, t, t, [{"tail": [0] * 6}]), "park_2r: there is no link 'tail'."),
            (a.StateError, lambda: a.to_body(C, [0] * 6), "V has the shape (6,) where (6, 6) is needed."),
            (a.StateError, lambda: a.pose_derivatives(C, V + nan), "V[0] is nan where a finite number is needed."),
            (
                a.SizeError,
                lambda: a.to_spatial(C, V, np.zeros((4, 6))),
                "V (rows) has 2 entries where the model needs 3.",
            ),
            (
                a.StateError,
                lambda: a.spatial_twists(np.eye(4)),
                "C has the shape (4, 4) where (k + 1, 4, 4) is needed.",
            ),
        ):
            with self.assertRaises(kind) as caught:
                wrong()
            self.assertEqual((type(caught.exception), str(caught.exception)), (kind, sentence))
        for wrong in (lambda: a.HigherOrderDynamics(model, 1), lambda: dynamics(z, z, t), lambda: a.to_body(C)):
            with self.assertRaises(TypeError):
                wrong()


if __name__ == "__main__":
    unittest.main()
