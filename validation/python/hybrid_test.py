"""Hybrid dynamics: blocks of the mass matrix in numpy, the two extremes, responses, and the sentences of refusals."""
import gc
import pathlib
import unittest

import numpy as np
from agreement import assert_agree

import articulate as a

BAD = pathlib.Path(__file__).parent.parent / "model" / "bad_urdf"
MODELS = ("park_2r", "ur5", "every_joint", "mixed_tree", "quadruped")


def drawn(name, seed=5):
    """A model, a state, and for each degree whether its acceleration is prescribed."""
    model = a.Model.load(name)
    return model, a.random_state(model, seed), np.random.default_rng(seed).random(model.nv) < 0.5


def blocks(model, u, q, qd, qdd, tau, Fext):
    """Kim's (34) and the rows of u in (33)."""
    v = ~u
    M, b, _ = a.equations_of_motion(model, q, qd, Fext)
    qdd, tau = qdd.copy(), tau.copy()
    qdd[v] = np.linalg.solve(M[np.ix_(v, v)], tau[v] - b[v] - M[np.ix_(v, u)] @ qdd[u])
    tau[u] = M[u] @ qdd + b[u]
    return qdd, tau


class HybridDynamics(unittest.TestCase):
    def test_it_is_the_equations_of_motion_by_blocks(self):
        for name in MODELS:
            for seed in (5, 6, 7):
                model, s, u = drawn(name, seed)
                hybrid = a.HybridDynamics(model, u)
                for k, quantity in enumerate(("qdd", "tau")):
                    with self.subTest(name, seed=seed, quantity=quantity):
                        assert_agree(
                            self,
                            lambda *x: hybrid(*x, s.Fext)[k],
                            lambda *x: blocks(model, u, *x, s.Fext)[k],
                            s.q,
                            s.qd,
                            s.qdd,
                            s.tau,
                        )

    def test_what_is_given_comes_back_and_what_is_not_known_is_not_read(self):
        model, s, u = drawn("every_joint")
        hybrid = a.HybridDynamics(model, list(u))
        qdd, tau = hybrid(s.q, s.qd, s.qdd, s.tau)
        np.testing.assert_array_equal(qdd[u], s.qdd[u])
        np.testing.assert_array_equal(tau[~u], s.tau[~u])
        again = hybrid(s.q, s.qd, np.where(u, s.qdd, 7), np.where(u, -3, s.tau))
        np.testing.assert_array_equal(again, (qdd, tau))
        self.assertEqual([hybrid.is_prescribed(k) for k in range(model.nv)], list(u))

    def test_its_extremes_are_inverse_and_forward_dynamics(self):
        for name in MODELS:
            model, s, _ = drawn(name)
            with self.subTest(name):
                everything, nothing = (a.HybridDynamics(model, [x] * model.nv) for x in (True, False))
                assert_agree(
                    self,
                    lambda *x: everything(*x, s.tau)[1],
                    lambda *x: a.inverse_dynamics(model, *x),
                    s.q,
                    s.qd,
                    s.qdd,
                )
                aba = a.ForwardDynamics(model)
                np.testing.assert_array_equal(nothing(s.q, s.qd, s.qdd, s.tau)[0], aba(s.q, s.qd, s.tau))
                self.assertFalse(any(aba.is_prescribed(k) for k in range(model.nv)))

    def test_its_pivots_are_those_of_the_block_that_gives_way(self):
        model, u = a.Model.load("ur5"), np.arange(6) < 3
        q, one = 0.3 * np.arange(1, 7), np.ones(6)
        hybrid = a.HybridDynamics(model, u)
        qdd, tau = hybrid(q, one, one, 0 * one)
        np.testing.assert_array_equal(np.round(qdd, 6), [1, 1, 1, -1.157381, -2.302669, -5.528796])  # exercise 2
        np.testing.assert_array_equal(np.round(tau, 6), [-1.094178, -32.619427, 1.683365, 0, 0, 0])

        def product(q):
            hybrid(q, one, one, one)
            return np.prod([hybrid.pivot[i][0] for i in (4, 5, 6)])

        assert_agree(self, product, lambda q: np.linalg.det(a.mass_matrix(model, q)[3:, 3:]), q)

    def test_what_it_saw_is_a_motion(self):
        model, s, u = drawn("mixed_tree")
        hybrid, rnea = a.HybridDynamics(model, u), a.InverseDynamics(model)
        for name in ("Vdot", "F"):

            def library(q, qd, qdd, tau):
                hybrid(q, qd, qdd, tau, s.Fext)
                return getattr(hybrid, name)[1:]

            def witness(q, qd, qdd, tau):
                rnea(q, qd, blocks(model, u, q, qd, qdd, tau, s.Fext)[0], s.Fext)
                return getattr(rnea, name)[1:]

            with self.subTest(name):
                assert_agree(self, library, witness, s.q, s.qd, s.qdd, s.tau)
        self.assertTrue(all(np.array_equal(I, I.T) for I in hybrid.I_hat))
        self.assertEqual(hybrid.B_hat.shape, (model.bodies + 1, 6))

    def test_a_view_keeps_it_alive(self):
        model, s, u = drawn("ur5")
        hybrid = a.HybridDynamics(model, u)
        hybrid(s.q, s.qd, s.qdd, s.tau)
        view, before = hybrid.F, hybrid.F.copy()
        del hybrid, model
        gc.collect()
        np.testing.assert_array_equal(view, before)
        self.assertEqual(view.base.model.mechanism.name, "ur5")


class Respond(unittest.TestCase):
    def test_it_solves_the_equations_without_bias(self):
        for name in MODELS:
            model, s, u = drawn(name)
            for flags, workspace in ((u, a.HybridDynamics(model, u)), (u & False, a.ForwardDynamics(model))):
                other = a.random_state(model, 8)

                def run(q):
                    given = (s.qdd, s.tau) if isinstance(workspace, a.HybridDynamics) else (s.tau,)
                    workspace(q, s.qd, *given)

                def witness(q, tau, qdd):
                    M, tau, qdd = a.mass_matrix(model, q), tau.copy(), qdd.copy()
                    qdd[~flags] = np.linalg.solve(
                        M[np.ix_(~flags, ~flags)], tau[~flags] - M[np.ix_(~flags, flags)] @ qdd[flags]
                    )
                    tau[flags] = M[flags] @ qdd
                    return qdd, tau

                for k in (0, 1):
                    with self.subTest(name, kind=type(workspace).__name__, result=k):
                        assert_agree(
                            self,
                            lambda q, tau, qdd: (run(q), workspace.respond(tau, qdd)[k])[1],
                            lambda *x: witness(*x)[k],
                            s.q,
                            other.tau,
                            other.qdd,
                        )

    def test_it_leaves_the_run_as_it_was(self):
        model, s, u = drawn("humanoid")
        hybrid = a.HybridDynamics(model, u)
        hybrid(s.q, s.qd, s.qdd, s.tau)
        seen = [x.copy() for x in (hybrid.I_hat, hybrid.V, hybrid.T[1].R)]
        first = hybrid.respond(s.tau, s.qdd)
        np.testing.assert_array_equal(hybrid.respond(s.tau, s.qdd), first)
        for before, after in zip(seen, (hybrid.I_hat, hybrid.V, hybrid.T[1].R)):
            np.testing.assert_array_equal(before, after)


class Misuse(unittest.TestCase):
    def test_what_does_not_fit_is_refused_in_one_sentence(self):
        model = a.Model.load("park_2r")
        hybrid, z, nan = a.HybridDynamics(model, [True, False]), [0, 0], float("nan")
        hybrid(z, z, z, z)
        for kind, wrong, sentence in (
            (
                a.SizeError,
                lambda: a.HybridDynamics(model, [True] * 3),
                "prescribed has 3 entries where the model needs 2.",
            ),
            (a.SizeError, lambda: hybrid([0], z, z, z), "q has 1 entry where the model needs 2."),
            (a.SizeError, lambda: hybrid(z, z, [0] * 3, z), "qdd has 3 entries where the model needs 2."),
            (a.SizeError, lambda: hybrid(z, z, z, []), "tau has 0 entries where the model needs 2."),
            (a.StateError, lambda: hybrid(z, [0, nan], z, z), "qd[1] is nan where a finite number is needed."),
            (a.StateError, lambda: hybrid(z, z, z, z, {"tail": [0] * 6}), "park_2r: there is no link 'tail'."),
            (a.SizeError, lambda: hybrid.respond([0], z), "tau has 1 entry where the model needs 2."),
            (a.SizeError, lambda: hybrid.respond(z, [0]), "qdd has 1 entry where the model needs 2."),
            (IndexError, lambda: hybrid.is_prescribed(2), "There is no degree of freedom 2; the model has 0 to 1."),
            (IndexError, lambda: hybrid.is_prescribed(-1), "There is no degree of freedom -1; the model has 0 to 1."),
        ):
            with self.assertRaises(kind) as caught:
                wrong()
            self.assertEqual((type(caught.exception), str(caught.exception)), (kind, sentence))
        for wrong in (
            lambda: a.HybridDynamics(model),
            lambda: a.HybridDynamics(model, 3),
            lambda: hybrid(z, z, z),
            lambda: a.ArticulatedBodies(model),
        ):
            with self.assertRaises(TypeError):
                wrong()

    def test_a_joint_that_moves_no_mass_must_be_prescribed(self):
        model = a.Model(a.read_urdf(BAD / "massless_leaf.urdf"))
        with self.assertRaisesRegex(a.ModelError, "joint 'wrist' can move without moving any mass"):
            a.HybridDynamics(model, [True, False])
        qdd, tau = a.HybridDynamics(model, [False, True])([0.3, 0.4], [1, 1], [0, 2], [3, 0])
        self.assertEqual((qdd[1], tau[0], tau[1]), (2, 3, 0))  # an empty link needs no force


class Exercises(unittest.TestCase):
    """The answers that chapter 06 prints."""

    def printed(self, *vectors):
        text = (pathlib.Path(__file__).parents[2] / "chapters" / "06_hybrid.md").read_text(encoding="utf-8")
        text = text.replace("{", "").replace("}", "").replace("\\ ", " ").replace(";", ",")
        for x in vectors:
            numbers = ", ".join(f"{y:.6f}" for y in x)
            self.assertTrue(f"({numbers})" in text, numbers)

    def test_an_arm_with_a_loose_wrist(self):
        model, q, ones, u = a.Model.load("ur5"), 0.3 * np.arange(1, 7), np.ones(6), np.arange(6) < 3
        hybrid = a.HybridDynamics(model, u)
        qdd, tau = hybrid(q, ones, ones, 0 * ones)
        self.printed(qdd[3:], tau[:3])
        pivots = [hybrid.pivot[i].item() for i in (4, 5, 6)]
        self.assertEqual([f"{x:.6g}" for x in pivots], ["0.256767", "0.237418", "0.0171365"])
        self.assertEqual(f"{np.prod(pivots):.9g}", "0.00104465938")
        answers = [hybrid.respond(e * ~u, e * u) for e in np.eye(6)]
        matrix = np.transpose([np.where(u, tau, qdd) for qdd, tau in answers])
        self.assertEqual([f"{matrix[i, j]:.6g}" for i, j in ((0, 3), (3, 0), (0, 1), (1, 0))],
                         ["-0.00297062", "0.00297062", "0.307567", "0.307567"])

    def test_a_drone_in_space_and_above_ground(self):
        model, n = a.Model.load("drone_arm"), np.arange(10)
        q, z = np.array([0.1, 0.2, 0.3, 0.5, -0.5, 0.5, 0.5, 0.3, 0.6, 0.9, 1.2]), np.zeros(10)
        flying = a.HybridDynamics(model, n >= 6)
        on_earth, _ = flying(q, z, 1.0 * (n >= 6), z)
        self.assertEqual(f"{on_earth[3]:.6f}", "-9.772459")
        flying.set_gravity([0, 0, 0])
        hovering, turned = a.HybridDynamics(model, n < 6), a.HybridDynamics(model, n < 3)
        self.printed(flying(q, z, 1.0 * (n >= 6), z)[0][:6], hovering(q, z, z, z)[1][:6],
                     turned(q, z, z, 1.0 * (n == 7))[1][:3])


if __name__ == "__main__":
    unittest.main()
