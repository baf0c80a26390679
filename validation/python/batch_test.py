"""Many states in one call: what one state gives, rows that are refused, shapes that do not fit."""
import threading
import unittest

import numpy as np

import articulate as a

MODELS = ("park_2r", "ur5", "every_joint", "mixed_tree", "quadruped")


def drawn(name, count=9):
    """A model and as many states of it, a row each."""
    model = a.Model.load(name)
    states = [a.random_state(model, seed) for seed in range(count)]
    return model, *(np.array([getattr(s, x) for s in states]) for x in ("q", "qd", "qdd", "tau"))


class Batch(unittest.TestCase):
    def agree(self, rows, singles):
        """To ten digits of the largest number of each row; the proof in C++ measures what can be had."""
        singles = np.array(singles)
        self.assertEqual(rows.shape, singles.shape)
        for row, single in zip(rows, singles):
            np.testing.assert_allclose(row, single, rtol=0, atol=1e-10 * np.abs(single).max())

    def test_each_row_is_solved_however_many_threads_share_them(self):
        model = a.Model(a.built_in_model("park_2r"))
        q = np.random.default_rng(3).normal(size=(33, 2))
        singles = [a.mass_matrix(model, s).ravel() for s in q]
        for threads in range(2, 10):
            batch = a.Batch(model, threads=threads)
            for count in range(1, len(q) + 1):
                self.agree(batch.mass_matrix(q[:count]).reshape(count, 4), singles[:count])

    def test_rows_are_what_single_states_give(self):
        for name in MODELS:
            model, q, qd, qdd, tau = drawn(name)
            u = np.arange(model.nv) % 3 == 1
            for threads in (1, 2):
                with self.subTest(name, threads=threads):
                    batch = a.Batch(model, threads=threads)
                    self.assertIn(batch.lanes, (1, 2, 4, 8))
                    self.assertEqual(batch.threads, threads)
                    self.agree(
                        batch.inverse_dynamics(q, qd, qdd), [a.inverse_dynamics(model, *s) for s in zip(q, qd, qdd)]
                    )
                    self.agree(batch.mass_matrix(q), [a.mass_matrix(model, s) for s in q])
                    total = batch.energies(q, qd).sum(axis=1)
                    self.agree(total[:, None], [[a.mechanical_energy(model, *s)] for s in zip(q, qd)])
                    self.agree(
                        batch.forward_dynamics(q, qd, tau), [a.forward_dynamics(model, *s) for s in zip(q, qd, tau)]
                    )
                    F = np.random.default_rng(2).normal(size=(len(q), model.bodies + 1, 6))
                    self.agree(
                        batch.inverse_dynamics(q, qd, qdd, Fext=F),
                        [a.inverse_dynamics(model, *s) for s in zip(q, qd, qdd, F)],
                    )
                    self.agree(
                        batch.forward_dynamics(q, qd, tau, Fext=F),
                        [a.forward_dynamics(model, *s) for s in zip(q, qd, tau, F)],
                    )
                    for all_rows, single, given in (
                        (batch.inverse_dynamics_jacobians, a.inverse_dynamics_jacobians, qdd),
                        (batch.forward_dynamics_jacobians, a.forward_dynamics_jacobians, tau),
                    ):
                        singles = [single(model, *s) for s in zip(q, qd, given, F)]
                        for k, matrices in enumerate(all_rows(q, qd, given, Fext=F)):
                            self.agree(matrices, [three[k] for three in singles])
                    hybrid = a.HybridDynamics(model, u)
                    both = batch.hybrid_dynamics(u, q, qd, qdd, tau, Fext=F)
                    singles = [hybrid(*s) for s in zip(q, qd, qdd, tau, F)]
                    for k in (0, 1):
                        self.agree(both[k], [single[k] for single in singles])

    def test_second_derivatives_are_what_single_states_give(self):
        for name in ("park_2r", "ur5", "mixed_tree"):
            model, q, qd, qdd, tau = drawn(name)
            batch, F = a.Batch(model), np.random.default_rng(2).normal(size=(len(q), model.bodies + 1, 6))
            for all_rows, single, given in (
                (batch.inverse_dynamics_hessians, a.inverse_dynamics_hessians, qdd),
                (batch.forward_dynamics_hessians, a.forward_dynamics_hessians, tau),
            ):
                singles = [single(model, *s) for s in zip(q, qd, given, F)]
                for k, hessians in enumerate(all_rows(q, qd, given, Fext=F)):
                    with self.subTest(name, of=all_rows.__name__, k=k):
                        self.agree(hessians, [four[k] for four in singles])

    def test_derivatives_in_time_are_what_single_states_give(self):
        for name in MODELS:
            model, q, qd, _, _ = drawn(name)
            u, dice = np.arange(model.nv) % 3 == 1, np.random.default_rng(3)
            for order in (0, 3):
                with self.subTest(name, order=order):
                    qdd, tau = dice.normal(size=(2, len(q), model.nv, order + 1))
                    F = dice.normal(size=(len(q), order + 1, model.bodies + 1, 6))
                    single = a.HigherOrderDynamics(model, order, u)
                    singles = [single(*s[:4], list(s[4])) for s in zip(q, qd, qdd, tau, F)]
                    for k, found in enumerate(a.Batch(model).higher_order_dynamics(u, q, qd, qdd, tau, Fext=F)):
                        self.agree(found, [both[k] for both in singles])

    def test_no_state_is_an_empty_array(self):
        model = a.Model.load("ur5")
        none = np.zeros((0, 6))
        self.assertEqual(a.Batch(model).inverse_dynamics(none, none, none).shape, (0, 6))
        self.assertEqual(a.Batch(model).mass_matrix(none).shape, (0, 6, 6))

    def test_rows_that_are_refused_are_named_and_leave_the_others(self):
        model, q, qd, qdd, tau = drawn("mixed_tree")
        ball = next(joint for joint in model.joints if joint.type == a.JointType.euler_ball)
        q[4, ball.q + 1] = np.arccos(0.0)
        batch = a.Batch(model)
        with self.assertRaisesRegex(a.StateError, "^state 4: .*singularity of its coordinates"):
            batch.forward_dynamics(q, qd, tau)
        refused = {}
        found = batch.forward_dynamics(q, qd, tau, refused=refused)
        self.assertEqual(list(refused), [4])
        self.assertIn("singularity of its coordinates", refused[4])
        self.assertTrue(np.isnan(found[4]).all())
        others = np.arange(9) != 4
        self.agree(
            found[others], [a.forward_dynamics(model, *s) for s in zip(q[others], qd[others], tau[others])]
        )

    def test_what_overflows_is_refused(self):
        model, q, qd, qdd, _ = drawn("ur5")
        qd[2, 0] = 1e200
        with self.assertRaisesRegex(a.StateError, "^state 2: the result tau is not finite"):
            a.Batch(model).inverse_dynamics(q, qd, qdd)

    def test_what_does_not_fit_is_refused(self):
        model, q, qd, qdd, tau = drawn("every_joint")
        batch = a.Batch(model)
        with self.assertRaisesRegex(a.StateError, r"qd has the shape \(9, 3\) where \(N, \d+\) is needed, a row"):
            batch.inverse_dynamics(q, qd[:, :3], qdd)
        with self.assertRaisesRegex(a.SizeError, r"qdd \(states\) has 8 entries"):
            batch.inverse_dynamics(q, qd, qdd[:8])
        with self.assertRaisesRegex(a.Error, "A batch with 0 threads is asked for"):
            a.Batch(model, threads=0)
        wrenches = np.zeros((9, model.bodies + 1, 6))
        with self.assertRaisesRegex(a.StateError, r"Fext has the shape \(9, 6\) where \(N, \d+, 6\) is needed, a row"):
            batch.inverse_dynamics(q, qd, qdd, Fext=wrenches[:, 0])
        with self.assertRaisesRegex(a.SizeError, r"Fext \(states\) has 8 entries"):
            batch.forward_dynamics_jacobians(q, qd, tau, Fext=wrenches[:8])
        with self.assertRaisesRegex(a.StateError, r"tau has the shape \(9, \d+\) where \(N, \d+, 2\) is needed, a table"):
            batch.higher_order_dynamics([True] * model.nv, q, qd, np.stack([qdd, qdd], axis=2), tau)
        with self.assertRaisesRegex(a.StateError, r"Fext has the shape \(9, \d+, 6\) where \(N, 1, \d+, 6\) is needed: for"):
            batch.higher_order_dynamics([True] * model.nv, q, qd, qdd[:, :, None], tau[:, :, None], Fext=wrenches)
        with self.assertRaisesRegex(a.SizeError, "prescribed has 1 entry"):
            batch.higher_order_dynamics([True], q, qd, qdd[:, :, None], tau[:, :, None])
        wrenches[3, 1, 4] = np.inf
        with self.assertRaisesRegex(a.StateError, "Fext"):
            batch.inverse_dynamics(q, qd, qdd, Fext=wrenches)
        qd[3, 2] = np.nan
        with self.assertRaisesRegex(a.StateError, r"qd\[3, 2\] is nan where a finite number"):
            batch.inverse_dynamics(q, qd, qdd)
        q[5, :] = 0
        with self.assertRaisesRegex(a.StateError, r"from q\[5, \d+\] on, has length zero"):
            batch.mass_matrix(q)

    def test_threads_of_python_may_share_one(self):
        model, q, qd, qdd, _ = drawn("ur5", 600)
        batch, found = a.Batch(model), {}
        expected = batch.inverse_dynamics(q, qd, qdd)

        def ask(k):
            found[k] = batch.inverse_dynamics(q, qd, qdd)

        threads = [threading.Thread(target=ask, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for k in range(4):
            np.testing.assert_array_equal(found[k], expected)


if __name__ == "__main__":
    unittest.main()
