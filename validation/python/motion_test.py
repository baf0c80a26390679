"""Steps in time: their orders, what they keep, and what they refuse."""
import unittest

import numpy as np
from agreement import U

import articulate as a


def five_bar():
    """The machine, its loop, and the crank state of chapter 07."""
    model = a.Model.load("five_bar")
    pin = a.cut_joint("pin", "revolute", a.LoopEnd("left_tip"), a.LoopEnd("right_tip"))
    assembly = a.Assembly(model, [pin], [True, False, True, False])
    q = assembly.close([0.3, 0.6, 0.9, 1.2])
    return model, pin, q, assembly.project(q, [1, 0, 1, 0])


def run(step, q, qd, h, steps):
    for _ in range(steps):
        q, qd = step(q, qd, h)
    return q, qd


class Steps(unittest.TestCase):
    def order(self, step, q, qd):
        """log2 of how the differences of runs shrink when their steps are halved."""
        ends = [run(step, q, qd, 1 / steps, steps // 8)[0] for steps in (128, 256, 512)]
        return np.log2(abs(ends[1] - ends[0]).max() / abs(ends[2] - ends[1]).max())

    def test_a_five_bar_is_stepped_with_orders_four_and_two(self):
        model, pin, q, qd = five_bar()
        loops, tau = a.Loops(model, [pin]), np.array([0.3, 0, -0.2, 0])
        system = a.ConstrainedDynamics(model, np.zeros(4, bool), loops.rows)

        def accelerations(q, qd, t):
            loops(q, qd)
            return system(q, qd, np.zeros(4), tau, loops.A, loops.Adot_qd)[0]

        runge_kutta, variational = a.RungeKuttaMuntheKaas(model), a.VariationalIntegrator(model, [pin])
        # The nearest whole number is the order.
        self.assertLess(abs(self.order(lambda *x: runge_kutta.step(*x, accelerations), q, qd) - 4), 0.5)
        step = lambda *x: variational.step(*x, tau, tau)
        self.assertLess(abs(self.order(step, q, qd) - 2), 0.5)

        q, qd = run(step, q, qd, 0.002, 500)
        loops(q, qd)
        self.assertLessEqual(abs(loops.violation).max(), 400 * U)
        self.assertLessEqual(abs(loops.A @ qd).max(), 400 * U * max(1, abs(qd).max()))

    def test_time_is_told_to_the_accelerations(self):
        # qdd = t has q = t^3 / 6, which four stages meet but for rounding.
        model = a.Model.load("planar_arm:1")
        method = a.RungeKuttaMuntheKaas(model)
        q, qd, h = np.zeros(1), np.zeros(1), 0.25
        for k in range(8):
            q, qd = method.step(q, qd, h, lambda q, qd, t: np.array([t]), t=k * h)
        self.assertLessEqual(abs(q[0] - 2**3 / 6), 8 * 100 * U * 2**3 / 6)

    def test_a_robot_in_free_space_keeps_its_momentum(self):
        model = a.Model.load("every_joint", floating_base=True)
        method, kinematics = a.VariationalIntegrator(model), a.ForwardKinematics(model)
        method.set_gravity([0, 0, 0])
        rates = 0.3 * np.cos(np.arange(model.nv))
        q = a.displaced(model, model.zero_coordinates(), rates)
        kinematics(q, rates)
        before = np.concatenate([kinematics.momentum().m, kinematics.momentum().f])
        kinematics(*run(method.step, q, rates, 0.005, 100))
        after = np.concatenate([kinematics.momentum().m, kinematics.momentum().f])
        self.assertLessEqual(abs(after - before).max(), 100 * 100 * model.nv * U * abs(before).max())

    def test_a_wrench_on_a_link_counts(self):
        model = a.Model.load("park_2r")
        method, q, qd = a.VariationalIntegrator(model), [0.3, -0.2], [0.5, 0.1]
        free, pushed = (method.step(q, qd, 0.01, Fext=F) for F in (None, {"link_2": [0, 0, 0, 5, 0, 0]}))
        self.assertGreater(abs(pushed[1] - free[1]).max(), 1e-3)

    def test_force_elements_keep_the_order_of_a_variational_step_and_count_at_their_time(self):
        model, q, qd = a.Model.load("park_2r"), np.array([0.3, -0.2]), np.array([0.5, 0.1])
        elements = [
            a.joint_spring("spring", "joint_2", stiffness=50, damping=2, rest=0.4),
            a.rotor_inertia("rotor", "joint_1", 0.5),
            a.applied_joint_force("drive", "joint_1", [[0], [9]], times=[0, 1]),
        ]
        always = a.VariationalIntegrator(model, force_elements=elements[:2])
        self.assertLess(abs(self.order(always.step, q, qd) - 2), 0.5)
        method = a.VariationalIntegrator(model, force_elements=elements)
        path = a.simulate(model, a.State(q, qd), 0.05, 0.01, integrator="variational", force_elements=elements)
        for k in range(5):
            q, qd = method.step(q, qd, 0.01, t=k * 0.01)
        np.testing.assert_allclose((q, qd), (path.q[-1], path.qd[-1]), rtol=0, atol=5 * 100 * U)

    def test_a_rotor_alone_is_mass_enough_for_a_variational_step(self):
        arm = a.Mechanism(
            "needle", [a.Link("base"), a.Link("needle")], [a.Joint("hinge", "revolute", "base", "needle", axis=[0, 0, 1])]
        )
        model = a.Model(arm)
        with self.assertRaisesRegex(a.ModelError, "hinge"):
            a.VariationalIntegrator(model)
        elements = [a.rotor_inertia("rotor", "hinge", 0.5), a.applied_joint_force("drive", "hinge", [2.0])]
        q, qd = a.VariationalIntegrator(model, force_elements=elements).step([0], [0.25], 0.125)
        np.testing.assert_allclose((q[0], qd[0]), (0.25 * 0.125 + 4 * 0.125**2 / 2, 0.25 + 4 * 0.125), rtol=0, atol=100 * U)

    def test_a_law_that_is_written_in_python_acts_in_a_variational_step(self):
        model, q, qd = a.Model.load("park_2r"), [0.3, -0.2], [0.5, 0.1]
        law = a.user_law("law", lambda q, qd, t: [0, -50 * (q[1] - 0.4)])
        spring = a.joint_spring("spring", "joint_2", stiffness=50, rest=0.4)
        mine, theirs, free = (
            a.VariationalIntegrator(model, force_elements=elements).step(q, qd, 0.01)
            for elements in ([law], [spring], [])
        )
        np.testing.assert_allclose(mine, theirs, rtol=0, atol=100 * U)
        self.assertGreater(abs(mine[1] - free[1]).max(), 1e-2)

    def test_what_cannot_be_stepped_is_refused(self):
        model = a.Model.load("park_2r")
        variational, runge_kutta = a.VariationalIntegrator(model), a.RungeKuttaMuntheKaas(model)
        with self.assertRaisesRegex(a.StateError, "variational step of 0.5.* take a shorter step"):
            run(variational.step, np.array([0.3, -0.2]), np.array([50.0, -80]), 0.5, 10)
        with self.assertRaisesRegex(a.SizeError, "q has 3 entries"):
            variational.step([0, 0, 0], [0, 0], 0.1)
        with self.assertRaisesRegex(a.SizeError, "tau1 has 1 entry"):
            variational.step([0, 0], [0, 0], 0.1, [0, 0], [0])
        with self.assertRaisesRegex(a.SizeError, r"qdd\(q, qd, t\) has 1 entry"):
            runge_kutta.step([0, 0], [0, 0], 0.1, lambda q, qd, t: np.zeros(1))
        with self.assertRaises(ZeroDivisionError):
            runge_kutta.step([0, 0], [0, 0], 0.1, lambda q, qd, t: 1 / 0)


class Solvers(unittest.TestCase):
    """Solvers made elsewhere may ask for accelerations at states that are none."""

    def test_a_state_that_is_not_finite_is_refused_by_name(self):
        model = a.Model.load("park_2r")
        still = np.zeros(2)
        for far in (np.inf, -np.inf, np.nan):
            for k, name in enumerate(("q", "qd", "tau")):
                state = [still, still, still]
                state[k] = np.array([0, far])
                with self.assertRaisesRegex(a.StateError, rf"^{name}\[1\] is -?(inf|nan) where a finite number is needed"):
                    a.forward_dynamics(model, *state)

    def test_an_implicit_solver_of_scipy_needs_our_jacobian(self):
        """Nothing depends on the first angle of an arm without weight: steps of differences along it grow to infinity."""
        try:
            from scipy.integrate import solve_ivp
        except ImportError:
            self.skipTest("scipy is not installed")
        arm, tau = a.built_in_model("park_2r"), np.zeros(2)
        arm.gravity = [0, 0, 0]
        model, start = a.Model(arm), np.array([0.3, -0.2, 0.5, 0.1])

        def derivative(t, y):
            return np.concatenate([y[2:], a.forward_dynamics(model, y[:2], y[2:], tau)])

        def jacobian(t, y):
            by_q, by_qd, _ = a.forward_dynamics_jacobians(model, y[:2], y[2:], tau)
            return np.block([[np.zeros((2, 2)), np.eye(2)], [by_q, by_qd]])

        refused = self.assertRaisesRegex(a.StateError, r"^q\[0\] is inf where a finite number is needed")
        with refused, np.errstate(over="ignore"):
            solve_ivp(derivative, (0, 2000), start, method="Radau")
        self.assertTrue(solve_ivp(derivative, (0, 2000), start, method="Radau", jac=jacobian).success)

        rtol, atol = 1e-8, 1e-10
        motion = solve_ivp(derivative, (0, 1), start, method="Radau", rtol=rtol, atol=atol, jac=jacobian)
        # Each step may err by what is allowed, and that grows as a start grows that is moved by as much.
        allowed = atol + rtol * np.abs(motion.y).max()
        ends = []
        for moved in (0, allowed):
            ours = a.simulate(model, a.State(q=start[:2] + moved, qd=start[2:] + moved), 1, step=0.1, tolerance=1e-12)
            ends.append(np.concatenate([ours.q[-1], ours.qd[-1]]))
        growth = max(1, np.abs(ends[1] - ends[0]).max() / allowed)
        self.assertLessEqual(np.abs(motion.y[:, -1] - ends[0]).max(), len(motion.t) * growth * allowed)
        self.assertGreater(np.abs(ends[0] - start).max(), 0.1)


class ClosedMotion(unittest.TestCase):
    def test_a_five_bar_is_settled_in_every_stage_and_keeps_its_energy(self):
        model, pin, q, qd = five_bar()
        closed, loops, balance = a.ClosedMotion(model, [pin]), a.Loops(model, [pin]), a.EnergyBalance()
        self.assertLess(closed.rank, 0)
        closed.begin(q, qd, 0.001)
        self.assertEqual((closed.rank, closed.singular_positions), (2, 0))
        tau, wrench = np.array([0.3, 0, -0.2, 0]), {"left_rod": np.array([0.1, 0.2, 0.3, 1, -1, 2])}
        closed.set_gravity([0, 0, 0])
        kinematics, method = a.ForwardKinematics(model), a.RungeKuttaMuntheKaas(model)
        for k in range(300):
            kinematics(q, qd)
            balance.look(k / 1000, kinematics.kinetic_energy(), a.power(model, q, qd, tau, wrench))
            q, qd = method.step(
                q, qd, 0.001, lambda q, qd, t: closed.accelerations(q, qd, tau, wrench), settle=closed.settle
            )
            loops(q, qd)
            self.assertLessEqual(abs(loops.violation).max(), 400 * U)
            self.assertLessEqual(abs(loops.A @ qd).max(), 400 * U * max(1, abs(qd).max()))
        self.assertGreater(abs(balance.work), 1e-3)
        self.assertLessEqual(balance.doubt, 1e-6 * abs(balance.work))
        self.assertLessEqual(abs(balance.imbalance), 1e-6 * abs(balance.work))

    def test_what_is_projected_keeps_the_momentum_along_the_motion(self):
        model, pin, q, qd = five_bar()
        closed = a.ClosedMotion(model, [pin])
        M, _, _ = a.equations_of_motion(model, q, qd)
        wish = qd + np.array([0.1, -0.2, 0.3, 0.4])
        found = closed.project(q, wish)
        self.assertLessEqual(abs(found @ M @ (wish - found)), 400 * U * (wish @ M @ wish))


if __name__ == "__main__":
    unittest.main()
