"""Inverse and forward dynamics: dense formulas in numpy, the command line's own numbers, and views that stay alive."""
import gc
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import numpy as np
from agreement import assert_agree
from group_test import ad
from rounding import assert_copies_agree

import articulate as a

CHAPTERS = pathlib.Path(__file__).resolve().parents[2] / "chapters"
COMMAND = os.path.join(os.environ["ARTICULATE_BUILD"], "bin", "articulate-cli")
MODELS = ("park_2r", "ur5", "every_joint", "mixed_tree", "quadruped")


def drawn(name, seed=5, floating_base=None):
    model = a.Model.load(name, floating_base=floating_base)
    return model, a.random_state(model, seed)


class Sweeps:
    """Kim's Tables 2 and 3 over 6 x 6 matrices, from the poses and joint Jacobians that a recursion shows."""

    def __init__(self, recursion, s):
        self.model = recursion.model
        self.bodies = [self.model.body(i) for i in range(1, self.model.bodies + 1)]
        self.X = [np.linalg.inv(a.Ad_matrix(T)) for T in recursion.T]  # Ad of T^-1
        self.S, self.eta = recursion.S, recursion.eta
        self.n = len(self.X)
        self.I = [self.model.body(i).I.matrix() for i in range(self.n)]
        wrenches = np.zeros((self.n, 6))
        for name, F in s.Fext.items():
            link = self.model.link(name)
            wrenches[link.body] += np.linalg.inv(a.Ad_matrix(link.X)).T @ F
        self.Fext = wrenches

    def slice(self, body):
        return slice(body.v, body.v + body.nv)

    def velocities(self, qd):
        V = np.zeros((self.n, 6))
        for b in self.bodies:
            V[b.index] = self.X[b.index] @ V[b.parent] + self.S[b.index] @ qd[self.slice(b)]
        return V

    def inverse(self, qd, qdd, g):
        V, Vdot, F, tau = self.velocities(qd), np.zeros((self.n, 6)), np.zeros((self.n, 6)), np.zeros(self.model.nv)
        Vdot[0, 3:] = -g
        for b in self.bodies:
            i = b.index
            Vdot[i] = self.X[i] @ Vdot[b.parent] + self.eta[i] + self.S[i] @ qdd[self.slice(b)]
            F[i] = self.I[i] @ Vdot[i] - ad(V[i]).T @ self.I[i] @ V[i] - self.Fext[i]
        for b in reversed(self.bodies):
            tau[self.slice(b)] = self.S[b.index].T @ F[b.index]
            F[b.parent] += self.X[b.index].T @ F[b.index]
        return V, Vdot, F, tau

    def articulated(self, qd, tau):
        V = self.velocities(qd)
        I_hat = [I.copy() for I in self.I]
        B_hat = np.array([-ad(v).T @ I @ v for v, I in zip(V, self.I)]) - self.Fext
        B_hat[0] = 0
        for b in reversed(self.bodies):
            i, S = b.index, self.S[b.index]
            Psi = np.linalg.inv(S.T @ I_hat[i] @ S)
            held = I_hat[i] @ self.eta[i] + B_hat[i]
            if b.parent:
                gives = I_hat[i] @ S @ Psi
                I_hat[b.parent] += self.X[i].T @ (I_hat[i] - gives @ S.T @ I_hat[i]) @ self.X[i]
                B_hat[b.parent] += self.X[i].T @ (held + gives @ (tau[self.slice(b)] - S.T @ held))
        return np.array(I_hat), B_hat


class FromSpace(unittest.TestCase):
    def own(self, motion, link, r):
        """Turning and a point's motion, by the library; each beside its entry in `carried`."""

        def all_of_them(q, qd, qdd):
            motion(q, qd, qdd)
            at = a.ForwardKinematics(motion.model)
            at(q, qd)
            J_v, J_w = a.point_jacobian(at, link, r), a.angular_jacobian(at, link)
            w, alpha = motion.angular_velocity(link), motion.angular_acceleration(link)
            v, acceleration = motion.velocity(link, r), motion.acceleration(link, r)
            twists = np.array([np.array(V) for V in (motion.space_velocity(link), motion.space_acceleration(link))])
            return w, v, alpha, acceleration, J_w @ qd, J_v @ qd, *twists.reshape(4, 3)

        return all_of_them

    def carried(self, model, link, r):
        """The same by the rigid link: its origin moves, and its arm turns."""
        mixed, world = a.JacobianFrame.mixed, a.JacobianFrame.world

        def all_of_them(q, qd, qdd):
            k = a.ForwardKinematics(model)
            k(q, qd)
            twist = lambda frame: k.link_jacobian(link, frame) @ qd
            rate = lambda frame: k.link_jacobian(link, frame) @ qdd + k.link_jacobian_rate(link, qd, frame) @ qd
            (w, v), (alpha, of_origin) = twist(mixed).reshape(2, 3), rate(mixed).reshape(2, 3)
            arm = k.link_pose(link).R @ r
            v = v + np.cross(w, arm)
            acceleration = of_origin + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm))
            return w, v, alpha, acceleration, w, v, *twist(world).reshape(2, 3), *rate(world).reshape(2, 3)

        return all_of_them

    def test_points_move_as_the_rigid_links_that_carry_them(self):
        for name in MODELS:
            model, s = drawn(name)
            for link in (model.links[-1].name, model.links[len(model.links) // 2].name):
                own = self.own(a.SpaceMotion(model), link, np.array([0.3, -0.2, 0.5]))
                carried = self.carried(model, link, np.array([0.3, -0.2, 0.5]))
                for k in range(10):
                    with self.subTest(name, link=link, quantity=k):
                        assert_agree(self, lambda *x: own(*x)[k], lambda *x: carried(*x)[k], s.q, s.qd, s.qdd)


    def test_accelerations_of_frames_are_made_of_jacobians_and_their_rates(self):
        """J qdd + Jdot qd is the spatial acceleration in the link and in the world, and mixed the classical one."""
        offset = a.SE3(a.exp([0.3, -0.5, 0.7]), [0.1, 0.2, -0.4])
        for name in MODELS:
            model, s = drawn(name)
            link = model.links[-1].name
            motion, k = a.SpaceMotion(model), a.ForwardKinematics(model)

            def rate(frame, q, qd, qdd):
                k(q, qd)
                J, Jdot = k.link_jacobian(link, frame, offset), k.link_jacobian_rate(link, qd, frame, offset)
                return J @ qdd + Jdot @ qd, J @ qd

            def carried(A, to, q, qd):
                """A twist in the frame seen from another one."""
                k(q, qd)
                T = k.link_pose(link) * offset
                return A if to == "link" else a.Ad_matrix(T if to == "world" else a.SE3(T.R)) @ A

            def turned(A, V):
                return A + [0, 0, 0, *np.cross(V[:3], V[3:])]

            for frame in ("link", "world", "mixed"):
                spatial = lambda q, qd, qdd: carried(rate("link", q, qd, qdd)[0], frame, q, qd)
                pairs = (
                    (motion.link_acceleration, spatial),
                    (motion.link_classical_acceleration, lambda *x: turned(spatial(*x), rate(frame, *x)[1])),
                    (motion.link_twist_rate, lambda *x: rate(frame, *x)[0]),
                )
                for number, (library, witness) in enumerate(pairs):
                    with self.subTest(name, frame=frame, acceleration=number):
                        own = lambda *x: (motion(*x), np.array(library(link, frame, offset)))[1]
                        assert_agree(self, own, witness, s.q, s.qd, s.qdd)
                with self.subTest(name, frame=frame):
                    bias = lambda q, qd: (k(q, qd), np.array(k.link_bias_acceleration(link, frame, offset)))[1]
                    # That of a body which its joint leaves free is the bracket of its twist with itself.
                    V = np.abs(rate(frame, s.q, s.qd, 0 * s.qd)[1])
                    of_terms = 2 * V[:3].max() * V.max()
                    assert_agree(self, bias, lambda q, qd: rate(frame, q, qd, 0 * qd)[0], s.q, s.qd, beside=of_terms)
                    twist = lambda q, qd: (k(q, qd), np.array(k.link_twist(link, frame, offset)))[1]
                    assert_agree(self, twist, lambda q, qd: rate(frame, q, qd, 0 * qd)[1], s.q, s.qd)


class InverseDynamics(unittest.TestCase):
    def test_it_is_table_2_over_matrices(self):
        for name in MODELS:
            model, s = drawn(name)
            rnea = a.InverseDynamics(model)
            rnea.set_gravity(s.gravity)
            for k, quantity in enumerate((lambda: rnea.V, lambda: rnea.Vdot, lambda: rnea.F, lambda: self.tau)):

                def library(q, qd, qdd):
                    self.tau = rnea(q, qd, qdd, s.Fext)
                    return quantity()

                def witness(q, qd, qdd):
                    library(q, qd, qdd)
                    return Sweeps(rnea, s).inverse(qd, qdd, s.gravity)[k]

                with self.subTest(name, quantity=k):
                    assert_agree(self, library, witness, s.q, s.qd, s.qdd)

    def test_eta_is_the_acceleration_that_rates_alone_make(self):
        model, s = drawn("every_joint")
        rnea = a.InverseDynamics(model)
        step = 2.0**-17  # the cube root of the rounding unit: where truncation and rounding of a difference meet
        before, after = (
            rnea(a.displaced(model, s.q, h * s.qd), s.qd, s.qdd) is not None and rnea.V.copy() for h in (-step, step)
        )
        rnea(s.q, s.qd, 0 * s.qdd)
        rates = (after - before) / (2 * step)
        carried = np.zeros_like(rates)
        for i in range(1, model.bodies + 1):
            carried[i] = a.coordinates(a.AdInv(rnea.T[i], a.to_twist(carried[model.body(i).parent]))) + rnea.eta[i]
        # Truncation is h^2/6 of the third derivative, a cube of rates of up to 2 over a chain of n bodies.
        bound = step**2 / 6 * (2 * model.nv) ** 3 * np.abs(rates).max()
        self.assertLessEqual(np.abs(rates - carried).max(), bound)

    def test_equations_of_motion_are_its_columns(self):
        for name in MODELS:
            model, s = drawn(name)
            equations = a.equations_of_motion(model, s.q, s.qd)
            M, b, gravity = equations
            rest = np.zeros(model.nv)
            np.testing.assert_array_equal(M, equations.M)
            np.testing.assert_array_equal(M, a.mass_matrix(model, s.q))
            np.testing.assert_array_equal(b, equations.b)
            np.testing.assert_array_equal(b, a.inverse_dynamics(model, s.q, s.qd, rest))
            np.testing.assert_array_equal(gravity, equations.gravity)
            np.testing.assert_array_equal(gravity, a.inverse_dynamics(model, s.q, rest, rest))
            np.testing.assert_array_equal(
                a.equations_of_motion(model, s.q, s.qd, s.Fext).b, a.inverse_dynamics(model, s.q, s.qd, rest, s.Fext)
            )
            self.assertGreater(np.linalg.eigvalsh(M)[0], 0)


class ForwardDynamics(unittest.TestCase):
    def test_it_undoes_inverse_dynamics(self):
        for name in MODELS:
            model, s = drawn(name)
            dense = lambda q, qd, tau: np.linalg.solve(
                a.mass_matrix(model, q), tau - a.equations_of_motion(model, q, qd, s.Fext).b
            )
            with self.subTest(name):
                assert_agree(
                    self, lambda q, qd, tau: a.forward_dynamics(model, q, qd, tau, s.Fext), dense, s.q, s.qd, s.tau
                )

    def test_it_is_table_3_over_matrices(self):
        for name in MODELS:
            model, s = drawn(name)
            aba = a.ForwardDynamics(model)
            for k, quantity in enumerate((lambda: aba.I_hat[1:], lambda: aba.B_hat[1:])):

                def library(q, qd, tau):
                    aba(q, qd, tau, s.Fext)
                    return quantity()

                def witness(q, qd, tau):
                    library(q, qd, tau)
                    return Sweeps(aba, s).articulated(qd, tau)[k][1:]

                with self.subTest(name, quantity=k):
                    assert_agree(self, library, witness, s.q, s.qd, s.tau)

    def test_forces_and_pivots_follow_from_it(self):
        model, s = drawn("ur5")
        aba, rnea = a.ForwardDynamics(model), a.InverseDynamics(model)

        def pivots(q, qd, tau):
            aba(q, qd, tau)
            return [aba.pivot[i][0] for i in range(1, 7)]

        assert_agree(
            self,
            pivots,
            lambda q, qd, tau: (aba(q, qd, tau), [aba.S[i][:, 0] @ aba.I_hat[i] @ aba.S[i][:, 0] for i in range(1, 7)])[
                1
            ],
            s.q,
            s.qd,
            s.tau,
        )
        self.assertEqual([x.shape for x in aba.pivot], [(0,)] + [(1,)] * 6)
        assert_agree(
            self,
            lambda q, qd, tau: (aba(q, qd, tau), aba.F[1:])[1],
            lambda q, qd, tau: (rnea(q, qd, aba(q, qd, tau)), rnea.F[1:])[1],
            s.q,
            s.qd,
            s.tau,
        )


class Terms(unittest.TestCase):
    def test_coriolis_and_gravity_forces_are_inverse_dynamics_without_the_other(self):
        for name in MODELS:
            model, s = drawn(name)
            rnea, none = a.InverseDynamics(model), np.zeros(model.nv)
            rnea.set_gravity(np.zeros(3))
            coriolis = lambda q, qd: a.inverse_dynamics(model, q, qd, none) - a.gravity_force(model, q)
            with self.subTest(name):
                still = lambda q: a.inverse_dynamics(model, q, none, none)
                assert_agree(self, lambda q: a.gravity_force(model, q), still, s.q)
                for ours in (a.coriolis_force, lambda *x: a.equations_of_motion(*x).coriolis):
                    assert_agree(self, lambda q, qd: ours(model, q, qd), lambda q, qd: rnea(q, qd, none), s.q, s.qd)
                np.testing.assert_allclose(coriolis(s.q, s.qd), a.coriolis_force(model, s.q, s.qd), 1e-11, 1e-11)

    def test_the_mechanical_energy_is_the_sum_of_both(self):
        for name in MODELS:
            model, s = drawn(name)
            k = a.ForwardKinematics(model)
            k(s.q, s.qd)
            assert_copies_agree(a.mechanical_energy(model, s.q, s.qd), k.kinetic_energy() + k.potential_energy())


class Inverses(unittest.TestCase):
    """Without the mass matrix, beside numpy's inverse of it."""

    def test_of_the_mass_matrix(self):
        for name in MODELS:
            model, s = drawn(name)
            witness = lambda q: np.linalg.inv(a.mass_matrix(model, q))
            for ours in (lambda q: a.inverse_mass_matrix(model, q), a.InverseMassMatrix(model)):
                with self.subTest(name):
                    assert_agree(self, ours, witness, s.q)

    def test_through_rows(self):
        for name in MODELS:
            model, s = drawn(name)
            J = np.random.default_rng(3).standard_normal((4, model.nv))
            at = a.Mobility(model)
            dense = lambda q, J: J @ np.linalg.solve(a.mass_matrix(model, q), J.T)
            with self.subTest(name):
                assert_agree(self, lambda q, J: (at(q), at.of(J))[1], dense, s.q, J)
                assert_agree(self, lambda q, J: a.mobility(model, q, J), dense, s.q, J)

    def test_what_they_refuse(self):
        model, s = drawn("ur5")
        at = a.Mobility(model)
        with self.assertRaisesRegex(a.StateError, "^there is no mobility before the first run"):
            at.of(np.eye(6))
        with self.assertRaisesRegex(a.StateError, r"^J has the shape \(2, 5\) where \(m, 6\) is needed\.$"):
            a.mobility(model, s.q, np.ones((2, 5)))
        vane = a.Mechanism("vane", [a.Link("pole"), a.Link("vane")], [a.Joint("hinge", "revolute", "pole", "vane")])
        for make in (a.InverseMassMatrix, a.Mobility):
            with self.assertRaisesRegex(a.ModelError, "^vane: joint 'hinge' can move without moving any mass"):
                make(a.Model(vane))


class CommandLine(unittest.TestCase):
    def test_it_gives_the_same_numbers_bit_for_bit(self):
        for name in ("ur5", "mixed_tree"):
            model, s = drawn(name, floating_base=False)
            state = {x: getattr(s, x).tolist() for x in ("q", "qd", "qdd", "tau", "gravity")}
            state["external_wrenches"] = {link: F.tolist() for link, F in sorted(s.Fext.items())}
            with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
                json.dump(state, file)
                file.flush()
                out = subprocess.run(
                    [COMMAND, "compute", "--model", name, "--state", file.name], check=True, capture_output=True
                )
            results = json.loads(out.stdout)
            m = model.mechanism
            m.gravity = s.gravity
            model = a.Model(m)
            k = a.ForwardKinematics(model)
            k(s.q, s.qd)
            equations = a.equations_of_motion(model, s.q, s.qd, s.Fext)
            for ours, theirs in (
                (a.inverse_dynamics(model, s.q, s.qd, s.qdd, s.Fext), results["inverse_dynamics"]["tau"]),
                (a.forward_dynamics(model, s.q, s.qd, s.tau, s.Fext), results["forward_dynamics"]["qdd"]),
                (equations.M, results["mass_matrix"]),
                (equations.b, results["bias"]),
                (equations.gravity, results["gravity_force"]),
                (equations.coriolis, results["coriolis_force"]),
                (k.kinetic_energy(), results["kinetic_energy"]),
                (k.potential_energy(), results["potential_energy"]),
                (k.center_of_mass(), results["center_of_mass"]),
                (k.momentum().m, results["momentum"]["angular"]),
                (k.mass(), results["total_mass"]),
                *((k.link_pose(l).R, results["link_poses"][l]["rotation"]) for l in results["link_poses"]),
                *((a.coordinates(k.link_twist(l)), results["link_twists"][l]) for l in results["link_poses"]),
                *((k.link_jacobian(l), results["jacobians"]["links"][l]) for l in results["link_poses"]),
            ):
                assert_copies_agree(ours, theirs)


class Views(unittest.TestCase):
    def views(self, recursion):
        names = ["V", "eta", "R", "p"]
        names += {
            "InverseDynamics": ["Vdot", "F"],
            "ForwardDynamics": ["Vdot", "F", "B_hat"],
            "ForwardKinematics": [],
        }[type(recursion).__name__]
        return {name: getattr(recursion, name) for name in names}

    def test_the_next_call_changes_what_they_show(self):
        model, s = drawn("every_joint")
        other = a.random_state(model, 6)
        for kind, force in ((a.InverseDynamics, "qdd"), (a.ForwardDynamics, "tau")):
            recursion = kind(model)
            recursion(s.q, s.qd, getattr(s, force))
            views = self.views(recursion)
            before = {name: view.copy() for name, view in views.items()}
            recursion(other.q, other.qd, getattr(other, force))
            for name, view in views.items():
                self.assertTrue((view != before[name]).any(), name)
                np.testing.assert_array_equal(view, getattr(recursion, name))
                self.assertTrue(np.shares_memory(view, getattr(recursion, name)), name)

    def test_they_cannot_be_written(self):
        model, s = drawn("ur5")
        for kind, given in (
            (a.InverseDynamics, (s.q, s.qd, s.qdd)),
            (a.ForwardDynamics, (s.q, s.qd, s.tau)),
            (a.ForwardKinematics, (s.q, s.qd)),
        ):
            recursion = kind(model)
            recursion(*given)
            for name, view in self.views(recursion).items():
                with self.assertRaisesRegex(ValueError, "read-only", msg=name):
                    view[0] = 1
                with self.assertRaises(ValueError):
                    view.setflags(write=True)
                with self.assertRaises(AttributeError):
                    setattr(recursion, name, 0)

    def test_before_the_first_call_there_is_nothing_to_see(self):
        model, s = drawn("every_joint")
        chain = a.Model.load("ur5")  # a metric needs coordinates
        n = model.nv
        placed = ["T", "R", "p", "S"]
        moved = [*placed, "V", "eta"]
        of_all = [*moved, "Vdot"]
        of_bodies = [*of_all, "I_hat", "B_hat", "F", "pivot"]
        three, two = (s.q, s.qd, s.qdd), (s.q, s.qd)
        for recursion, given, names in (
            (a.ForwardKinematics(model), two, [*moved, "poses"]),
            (a.SpaceMotion(model), three, of_all),
            (a.InverseDynamics(model), three, [*of_all, "F"]),
            (a.ForwardDynamics(model), (s.q, s.qd, s.tau), of_bodies),
            (a.HybridDynamics(model, [k % 2 == 0 for k in range(n)]), (s.q, s.qd, s.qdd, s.tau), of_bodies),
            (a.InverseMassMatrix(model), (s.q,), [*placed, "I_hat", "pivot"]),
            (a.Mobility(model), (s.q,), [*placed, "I_hat", "pivot"]),
            (a.LagrangeEquations(model), three, of_all),
            (a.Regressor(model), three, moved),
            (a.EnergyRegressor(model), two, [*moved, "poses"]),
            (a.CentroidalMomentum(model), two, placed),
            (a.InertiaMetric(chain), (chain.zero_coordinates(),), placed),
        ):
            recursion.set_gravity([1, 2, 3])
            for name in names:
                with self.subTest(f"{type(recursion).__name__}.{name}"), self.assertRaises(a.StateError) as caught:
                    getattr(recursion, name)
                said = f"there is no {name} before the first run; call the algorithm with a state first."
                self.assertEqual(str(caught.exception), said)
            recursion(*given)
            for name in names:
                self.assertEqual(len(getattr(recursion, name)), recursion.model.bodies + 1, name)
            for name in set(of_bodies) - set(names):
                with self.subTest(f"{type(recursion).__name__}.{name}"), self.assertRaises(AttributeError) as caught:
                    getattr(recursion, name)
                if hasattr(a.Recursion, name):
                    said = f"{type(recursion).__name__} does not compute {name}; ForwardDynamics does."
                    self.assertEqual(str(caught.exception), said.replace("EnergyRegressor", "ForwardKinematics"))
        k = a.ForwardKinematics(model)
        with self.assertRaisesRegex(a.StateError, "^there is no pose before the first run"):
            k.pose(1)
        with self.assertRaisesRegex(IndexError, "There is no body 99"):
            k.pose(99)
        nothing = a.ForwardKinematics(a.Model(a.Mechanism("stone", [a.Link("stone", 1.0)])))
        self.assertEqual(len(nothing.poses), 1)  # of what has no joint there is nothing to run

    def test_what_overflows_is_no_result(self):
        model, q = a.Model.load("ur5"), np.ones(6)
        fast = np.full(6, 1e200)
        whole, kinematics, motion = a.CentroidalMomentum(model), a.ForwardKinematics(model), a.SpaceMotion(model)
        energies, equations = a.Regressor(model), a.LagrangeEquations(model)
        whole(q, fast), kinematics(q, fast), motion(q, fast, fast)
        for recursion in (energies, equations):
            with self.assertRaises(a.StateError):
                recursion(q, fast, fast)
        tip = model.links[-1].name
        for what, result in {
            "bias": lambda: whole.bias,
            "momentum_rate": lambda: whole.momentum_rate(fast),
            "acceleration": lambda: whole.acceleration(fast),
            "eta": lambda: kinematics.eta,
            "Vdot": lambda: motion.Vdot,
            "kinetic_energy": lambda: kinematics.kinetic_energy(),
            "link_bias_acceleration": lambda: kinematics.link_bias_acceleration(tip),
            "of the link": lambda: motion.space_acceleration(tip),
            "of the point": lambda: motion.acceleration(tip, [1, 2, 3]),
            "energy": lambda: a.mechanical_energy(model, q, fast),
            "power": lambda: a.power(model, q, fast, fast),
            "kinetic": lambda: energies.kinetic,
            "kinetic energy": lambda: equations.E,
        }.items():
            with self.subTest(what), self.assertRaisesRegex(a.StateError, f"^the result {what} is not finite"):
                result()

    def test_they_keep_their_owner_and_its_model_alive(self):
        model, s = drawn("humanoid")
        rnea = a.InverseDynamics(model)
        rnea(s.q, s.qd, s.qdd)
        views = self.views(rnea)
        self.assertTrue(all(view.base is rnea for view in views.values()))
        before = {name: view.copy() for name, view in views.items()}
        name, owner = rnea.model.mechanism.name, views["F"].base
        del rnea, model
        gc.collect()
        scratch = [np.full(2000, np.nan) for _ in range(500)]
        for key, view in views.items():
            np.testing.assert_array_equal(view, before[key])
        owner(s.q, 2 * s.qd, s.qdd)
        np.testing.assert_array_equal(views["V"], 2 * before["V"])
        self.assertEqual((owner.model.mechanism.name, len(scratch)), (name, 500))

    def test_arguments_are_anything_that_is_an_array_of_numbers(self):
        model, s = drawn("ur5")
        rnea = a.InverseDynamics(model)
        tau = rnea(s.q, s.qd, s.qdd)
        padded = np.zeros((6, 2))
        padded[:, 1] = s.q
        for q in (list(s.q), tuple(s.q), padded[:, 1], s.q[::-1][::-1]):
            np.testing.assert_array_equal(rnea(q, s.qd, s.qdd), tau)
        np.testing.assert_array_equal(rnea(np.zeros(6, int), s.qd, s.qdd), rnea(np.zeros(6), s.qd, s.qdd))


class ExternalWrenches(unittest.TestCase):
    def test_by_link_and_by_body_are_the_same(self):
        model, s = drawn("every_joint")
        rnea = a.InverseDynamics(model)
        rnea(s.q, s.qd, s.qdd)
        sweeps = Sweeps(rnea, s)
        assert_agree(
            self,
            lambda q: a.inverse_dynamics(model, q, s.qd, s.qdd, s.Fext),
            lambda q: a.inverse_dynamics(model, q, s.qd, s.qdd, sweeps.Fext),
            s.q,
        )
        np.testing.assert_array_equal(
            a.inverse_dynamics(model, s.q, s.qd, s.qdd, {}), a.inverse_dynamics(model, s.q, s.qd, s.qdd)
        )


class Misuse(unittest.TestCase):
    def test_what_does_not_fit_is_refused_in_one_sentence(self):
        model = a.Model.load("park_2r")
        rnea, aba = a.InverseDynamics(model), a.ForwardDynamics(model)
        z, nan = [0, 0], float("nan")
        for kind, wrong, sentence in (
            (a.SizeError, lambda: rnea(z, [0], z), "qd has 1 entry where the model needs 2."),
            (a.SizeError, lambda: rnea(z, z, [0] * 3), "qdd has 3 entries where the model needs 2."),
            (a.SizeError, lambda: aba(z, z, []), "tau has 0 entries where the model needs 2."),
            (a.StateError, lambda: aba(z, z, [[0, 0]]), "tau has the shape (1, 2) where the model needs (2,)."),
            (a.StateError, lambda: aba(z, [0, nan], z), "qd[1] is nan where a finite number is needed."),
            (a.StateError, lambda: rnea(z, z, z, {"tail": [0] * 6}), "park_2r: there is no link 'tail'."),
            (
                a.SizeError,
                lambda: rnea(z, z, z, {model.links[1].name: [0] * 5}),
                f"Fext['{model.links[1].name}'] has 5 entries where the model needs 6.",
            ),
            (
                a.StateError,
                lambda: rnea(z, z, z, np.zeros((2, 6))),
                "Fext has the shape (2, 6) where the model needs (3, 6).",
            ),
            (
                a.StateError,
                lambda: rnea(z, z, z, np.full((3, 6), nan)),
                "Fext[0] is nan where a finite number is needed.",
            ),
            (
                a.StateError,
                lambda: rnea([1, 1], [1e200, 1e200], z),
                "the result tau is not finite; some number of the state is too large for double precision.",
            ),
            (
                a.Error,
                lambda: rnea.set_gravity([0, 0]),
                "An array of shape (2,) is given where one of shape (3,) is needed.",
            ),
        ):
            with self.assertRaises(kind) as caught:
                wrong()
            self.assertEqual((type(caught.exception), str(caught.exception)), (kind, sentence))
        for wrong in (
            lambda: rnea(z, z),
            lambda: rnea(z, z, "ab"),
            lambda: rnea(z, z, z, {"tail": "x"}),
            lambda: rnea(z, z, z, 3 + 1j),
            lambda: a.InverseDynamics("ur5"),
            lambda: a.Recursion(model),
        ):
            with self.assertRaises(TypeError):
                wrong()

    def test_a_joint_that_moves_no_mass_has_no_acceleration(self):
        m = a.Mechanism("vane", [a.Link("pole"), a.Link("vane")], [a.Joint("hinge", "revolute", "pole", "vane")])
        with self.assertRaisesRegex(a.ModelError, "^vane: joint 'hinge' can move without moving any mass"):
            a.ForwardDynamics(a.Model(m))
        model = a.Model.load("every_joint")
        ball = next(j for j in model.joints if j.type == a.JointType.euler_ball)
        s = a.random_state(model, 1)
        q = s.q.copy()
        q[ball.q + 1] = np.pi / 2
        with self.assertRaisesRegex(a.StateError, "is at a singularity of its coordinates"):
            a.forward_dynamics(model, q, s.qd, s.tau)



class Exercises(unittest.TestCase):
    """What chapters 04 and 05 print of a UR5 in the sample state."""

    def setUp(self):
        self.model, self.q = a.Model.load("ur5"), 0.3 * np.arange(1, 7)
        self.ones, self.none = np.ones(6), np.zeros(6)

    def printed(self, page, *words):
        text = (CHAPTERS / page).read_text(encoding="utf-8").replace("{", "").replace("}", "")
        for word in words:
            self.assertTrue(word in text, word)

    def test_of_inverse_dynamics(self):
        rnea, pushed = a.InverseDynamics(self.model), {"wrist_3_link": [0, 0, 0, 0, 0, 10]}
        tau = rnea(self.q, self.ones, self.ones)
        change = rnea(self.q, self.ones, self.ones, pushed) - tau
        held = rnea(self.q, self.none, self.none)
        carried = rnea.F[0].copy()
        lift = []
        for g in (9.81, 0):
            rnea.set_gravity([0, 0, g])
            lift.append(rnea(self.q, self.ones, self.ones)[1])
        self.printed("04_rnea.md", f"(0, {held[1]:.3f}, {held[2]:.3f}, {held[3]:.3g}, 0, 0)", f"{lift[0]:.3f} N m",
                     f"{lift[1]:.3f} N m", f"({carried[0]:.3f}, {carried[1]:.3f}, 0;\\ 0, 0, {carried[5]:.3f})",
                     "({}, 0, 0)".format(", ".join(f"{x:.6g}" for x in change[:4])), f"up to {np.abs(held).max():.1f} N m",
                     f"differ by up to {np.ptp(held):.1f}")

    def test_of_forward_dynamics(self):
        aba = a.ForwardDynamics(self.model)
        aba(self.q, self.ones, self.none)
        pivots = np.ravel([aba.pivot[i] for i in range(1, 7)])
        inverse = a.inverse_mass_matrix(self.model, self.q)
        self.printed("05_aba.md", ",\\quad ".join(f"{x:.6g}" for x in pivots), f"{np.prod(pivots):.9g}",
                     f"{inverse[0, 0]:.6f}", f"{inverse[5, 5]:.3f} per kg", f"would give {1 / pivots[5]:.3f}")
        felt = np.linalg.eigvalsh(np.asarray(aba.I_hat[1])[3:, 3:])
        self.printed("05_aba.md", "all {2:.1f} kg of the moving arm in one direction, but with {1:.1f} and {0:.1f} kg".format(*felt))
        M = a.mass_matrix(self.model, self.q)
        for i, joint in enumerate(("shoulder pan", "shoulder lift", "elbow", "wrist 1", "wrist 2", "wrist 3")):
            text = (CHAPTERS / "05_aba.md").read_text(encoding="utf-8")
            cells = re.search(rf"^\| {joint} \| (.*) \| (.*) \| (.*) \|$", text, re.M).groups()
            for cell, x in zip(cells, (self.model.body(i + 1).I.matrix()[2, 2], pivots[i], M[i, i])):
                self.assertLessEqual(abs(float(cell) - x), 0.5 * 10.0 ** -len(cell.partition(".")[2]), f"{joint}: {cell}, {x}")


if __name__ == "__main__":
    unittest.main()
