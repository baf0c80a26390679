"""The hydraulic manipulator: closed forms against Newton's method, its process against polynomials, what is refused."""
import unittest

import numpy as np
from agreement import assert_agree

import articulate as a

TIMES = (0.0, 3.7, 15.0, 26.2, 38.1, 47.0, 55.3, 66.6, 73.0, 79.0)  # one in each phase at least
UNITS = np.array([np.pi / 180] * 4 + [1e-3, np.pi / 180])  # of poses: degrees, but mm of the telescope


class Manipulator(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data = a.working_process()
        cls.machine = a.hydraulic_manipulator(load=cls.data.load)
        cls.model = a.Model(cls.machine.tree)
        cls.closed = a.HydraulicManipulator(cls.model)
        cls.process = a.WorkingProcess(cls.data)
        cls.leads = np.zeros(cls.model.nv, dtype=bool)
        cls.columns = [cls.closed.slot(name) for name in cls.closed.leaders]
        cls.leads[cls.columns] = True

    def in_order(self, main):
        """Numbers of the main chain as LoopMotion takes them: in the order of columns."""
        return main[np.argsort(self.columns)]

    def motion(self, t):
        """All coordinates, and a LoopMotion that has found all rates and accelerations."""
        main, rates, accelerations = self.process(t)
        motion, q = a.LoopMotion(self.model, self.machine.loops, self.leads), self.closed.close(main)
        motion(q, self.in_order(rates), self.in_order(accelerations))
        return q, motion

    def test_the_machine_says_what_it_is(self):
        self.assertEqual(self.machine.name, "hydraulic_manipulator")
        self.assertIn("Ma et al.", self.machine.summary)
        self.assertEqual(
            [loop.name for loop in self.machine.loops], ["BIJ", "BKLN", "BKMC", "COPQ", "CORD", "FSTV", "FSWG"]
        )
        self.assertEqual(self.machine.leaders, self.closed.leaders)
        self.assertEqual(set(self.machine.motors), {"theta_1", "d_5", *self.closed.cylinders})
        self.assertEqual(self.closed.driven, ["theta_2", "theta_3", "theta_4", "theta_6"])
        mass = a.ForwardKinematics(self.model)
        empty = a.ForwardKinematics(a.Model(a.hydraulic_manipulator().tree))
        mass(self.machine.guess, np.zeros(20))
        empty(self.machine.guess, np.zeros(20))
        self.assertAlmostEqual(mass.mass() - empty.mass(), self.data.load, delta=1e-12 * mass.mass())

    def test_the_closed_form_is_where_newtons_method_ends(self):
        assembly = a.Assembly(self.model, self.machine.loops, self.leads)
        for t in TIMES:
            with self.subTest(t=t):
                main = self.process(t)[0]
                near = self.closed.close(main) + 1e-3 * np.sin(np.arange(20)) * ~self.leads

                def newton(main):
                    near[self.columns] = main
                    return assembly.close(near)

                assert_agree(self, self.closed.close, newton, main)

    def test_pins_on_their_other_sides_close_too_and_elsewhere(self):
        other = a.HydraulicManipulator(self.model, (1, 1, -1))
        loops, main = a.Loops(self.model, self.machine.loops), self.process(26.2)[0]
        q, here = other.close(main), self.closed.close(main)
        loops(q, np.zeros(20))
        self.assertLessEqual(abs(loops.violation).max(), 100 * 20 * 2.0**-53 * 8)  # m, the reach
        for name in ("L_2", "L_3", "L_5"):
            self.assertGreater(abs(q[other.slot(name)] - here[other.slot(name)]), 1e-3)

    def test_followers_move_as_the_loops_want(self):
        for t in TIMES:
            with self.subTest(t=t):
                main, rates, accelerations = self.process(t)
                q, motion = self.motion(t)
                loops = a.Loops(self.model, self.machine.loops)

                def library(rates, accelerations):
                    return motion(q, self.in_order(rates), self.in_order(accelerations))

                def witness(rates, accelerations):
                    """Followers by numpy's least squares: A qd = 0, A qdd + Adot qd = 0."""
                    qd, qdd = np.zeros(20), np.zeros(20)
                    qd[self.columns], qdd[self.columns] = rates, accelerations
                    loops(q, qd)
                    qd[~self.leads] = -np.linalg.lstsq(loops.A[:, ~self.leads], loops.A @ qd, rcond=1e-10)[0]
                    loops(q, qd)
                    rows = loops.A @ qdd + loops.Adot_qd
                    qdd[~self.leads] = -np.linalg.lstsq(loops.A[:, ~self.leads], rows, rcond=1e-10)[0]
                    return qd, qdd

                assert_agree(self, library, witness, rates, accelerations)
                assert_agree(self, lambda r: motion.G @ self.in_order(r), lambda r: witness(r, accelerations)[0], rates)
                self.assertEqual(sorted(motion.leaders + motion.followers), list(range(20)))
                self.assertEqual(motion.leaders, sorted(self.columns))
                bound = 100 * 20 * 2.0**-53 * (abs(motion.loops.A) @ abs(motion.G @ self.in_order(rates))).max()
                self.assertLessEqual(abs(motion.loops.A @ motion.G @ self.in_order(rates)).max(), bound)

    def test_balanced_pins_push_as_constrained_inverse_dynamics(self):
        rnea, actuated = a.InverseDynamics(self.model), np.zeros(20, dtype=bool)
        actuated[[self.closed.slot(name) for name in self.machine.motors]] = True
        cylinders = [self.closed.slot(name) for name in self.closed.cylinders]
        for t in TIMES:
            with self.subTest(t=t):
                q, motion = self.motion(t)
                main, rates, accelerations = self.process(t)
                tau = rnea(q, *motion(q, self.in_order(rates), self.in_order(accelerations))).copy()
                rows = [motion.leaders.index(self.closed.slot(name)) for name in self.closed.driven]

                def pins(tau):
                    return self.closed.pushes(main, (motion.G.T @ tau)[rows])

                def multipliers(tau):
                    A = motion.loops.A
                    return a.constrained_inverse_dynamics(tau, np.zeros(20), A, actuated).tau[cylinders]

                assert_agree(self, pins, multipliers, tau)


class Process(unittest.TestCase):
    def setUp(self):
        self.data = a.working_process()
        self.process = a.WorkingProcess(self.data)

    def test_phases_are_polynomials_and_a_straight_line(self):
        quintic = np.polynomial.Polynomial([0, 0, 0, 10, -15, 6])
        even = np.polynomial.Polynomial([0, 1])
        begins, seen = 0.0, set()
        for k, phase in enumerate(self.data.phases):
            T = phase.until - begins
            seen.add(phase.law)
            self.assertEqual(self.process.phase(phase.until), k)
            start, end = self.process.in_phase(k, begins)[0], self.process.in_phase(k, phase.until)[0]
            for s in (0.0, 0.3, 0.8, 1.0):
                q, qd, qdd = self.process.in_phase(k, begins + s * T)
                if phase.law == a.PhaseLaw.descent:
                    self.check_descent(s * T, q, qd, qdd)
                    continue
                for j in range(6):
                    law = even if phase.law == a.PhaseLaw.even or j == 0 else quintic
                    wish = [law.deriv(d)(s) / T ** d if d else law(s) for d in range(3)]
                    way, size = end[j] - start[j], abs(end[j]) + abs(start[j])
                    bound = 100 * 6 * 2.0**-53 * max(size, 1) * 60
                    self.assertLessEqual(abs(q[j] - start[j] - way * wish[0]), bound)
                    self.assertLessEqual(abs(qd[j] - way * wish[1]), bound)
                    self.assertLessEqual(abs(qdd[j] - way * wish[2]), bound)
                for number, said, unit in zip(end, phase.pose, UNITS):
                    if said is not None:
                        self.assertAlmostEqual(number, said * unit, places=12)
            begins = phase.until
        self.assertEqual(seen, {a.PhaseLaw.quintic, a.PhaseLaw.even, a.PhaseLaw.descent})
        self.assertEqual(self.process.duration, begins)

    def check_descent(self, t, q, qd, qdd):
        """The end of arm 2 in the plane, with its velocity and acceleration, by complex exponentials."""
        lengths, angles, rates, gains = (self.data.arm_1, self.data.arm_2), *(np.cumsum(x[1:3]) for x in (q, qd, qdd))
        arms = np.array(lengths) * np.exp(1j * angles)
        place, velocity = arms.sum(), (1j * rates * arms).sum()
        acceleration = ((1j * gains - rates**2) * arms).sum()
        start = complex(self.data.descent_x, self.data.descent_z)
        bound = 100 * 6 * 2.0**-53 * (sum(lengths) + 10 * abs(rates).sum() + 10 * abs(gains).sum())
        self.assertLessEqual(abs(place - start + 1j * self.data.descent_speed * t), bound)
        self.assertLessEqual(abs(velocity + 1j * self.data.descent_speed), bound)
        self.assertLessEqual(abs(acceleration), bound)
        self.assertLessEqual(abs(q[1:4].sum() + np.pi / 2), bound)  # arm 3 hangs

    def test_a_process_made_from_what_another_says_is_the_same(self):
        names = "arm_1", "arm_2", "descent_x", "descent_z", "descent_speed", "load", "load_from"
        numbers = {name: getattr(self.data, name) for name in names}
        phases = [a.Phase(p.about, p.until, p.law, p.pose) for p in self.data.phases]
        again = a.ProcessData(self.data.start, phases, **numbers)
        for t in TIMES:
            np.testing.assert_array_equal(a.WorkingProcess(again)(t), self.process(t))
        self.assertEqual({name: getattr(again, name) for name in names}, numbers)
        self.assertEqual(again.start, self.data.start)


class Refusals(unittest.TestCase):
    def test_each_is_one_sentence_that_says_what_is_wrong(self):
        machine = a.hydraulic_manipulator()
        model, ur5 = a.Model(machine.tree), a.Model.load("ur5")
        closed, process = a.HydraulicManipulator(model), a.WorkingProcess(a.working_process())
        free = a.LoopMotion(model, machine.loops, [False] * 20)
        at = closed.close(process(5)[0])
        early = [a.Phase("one", 2, a.PhaseLaw.even), a.Phase("two", 1, a.PhaseLaw.even)]
        for call, error, word in (
            (lambda: a.HydraulicManipulator(ur5), a.StateError, "arm_1"),
            (lambda: a.HydraulicManipulator(model, (-1, 0, 1)), a.StateError, "side is 0"),
            (lambda: closed.slot("theta_99"), a.StateError, "theta_99"),
            (lambda: closed.close([0] * 5), a.SizeError, "main"),
            (lambda: closed.close([0, 0, 1.5, 0, 0, 0]), a.StateError, "bars"),
            (lambda: closed.pushes([0, 0, 1.5, 0, 0, 0], [1] * 4), a.StateError, "bars"),
            (lambda: closed.pushes(process(5)[0], [1] * 3), a.SizeError, "moments"),
            (lambda: a.LoopMotion(model, machine.loops, [True]), a.SizeError, "leads"),
            (lambda: free.G, a.StateError, "there is no G before the first run"),
            (lambda: free.loops.A, a.StateError, "there is no A before the first run"),
            (lambda: free(at, [], []), a.StateError, "free to move"),
            (lambda: free(at, [1], []), a.SizeError, "rates"),
            (lambda: process(80.1), a.StateError, "80.1"),
            (lambda: process(-1), a.StateError, "outside"),
            (lambda: process.in_phase(0, 81), a.StateError, "outside"),
            (lambda: process.phase(float("nan")), a.Error, "nan"),
            (lambda: process.in_phase(9, 1), IndexError, "phase 9"),
            (lambda: a.Phase("short", 1, a.PhaseLaw.even, [1, None]), a.SizeError, "pose"),
            (lambda: a.WorkingProcess(a.ProcessData([], [], 1, 1)), a.StateError, "phase"),
            (lambda: a.WorkingProcess(a.ProcessData([], early, 1, 1)), a.StateError, "'two'"),
            (
                lambda: a.WorkingProcess(a.ProcessData([], [a.Phase("far", 1, a.PhaseLaw.descent)], 1, 1, 2, 1)),
                a.StateError,
                "reach",
            ),
        ):
            with self.assertRaises(error) as caught:
                call()
            self.assertIn(word, str(caught.exception))
            self.assertEqual(str(caught.exception).count("\n"), 0)


if __name__ == "__main__":
    unittest.main()
