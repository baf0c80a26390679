"""Lagrange's equations: four routes to the mass matrix, screws, exact differences of the metric, hand cases."""
import gc
import unittest

import numpy as np
import skew_symmetry_test
from agreement import assert_agree
from derivatives_test import MODELS, drawn, polynomial, trigonometric
from group_test import ad
from rounding import assert_copies_agree

import articulate as a
from articulate import CoriolisFamily

CHARTS = ("park_2r", "ur5", "mixed_tree", "screw_arm", "forked_arm")  # every joint has coordinates


def metric_of(model):
    """The metric of a model as a function of q, and of a function of the metric."""
    metric = a.InertiaMetric(model)
    return lambda f: lambda q, *x: (metric(q), f(metric, *x))[1]


def pendulum(mass, length):
    """A point on a massless rod that hangs on a universal joint: it moves on a sphere."""
    m = a.Mechanism("sphere", [a.Link("ground"), a.Link("bob", mass, [0, 0, -length])])
    m.joints = [a.Joint("hook", "universal", "ground", "bob")]
    return a.Model(m)


class ClosedForms(unittest.TestCase):
    def blocks(self, model, q, qd):
        """The large matrices from the poses, the joint Jacobians and the inertias, block by block."""
        rnea = a.InverseDynamics(model)
        rnea(q, qd, 0 * qd)
        N, n = model.bodies, model.nv
        S, Gamma, J, ad_Sqd, P_0 = (np.zeros((6 * N, c)) for c in (n, 6 * N, 6 * N, 6 * N, 6))
        for i in range(1, N + 1):
            body, rows = model.body(i), slice(6 * i - 6, 6 * i)
            own = slice(body.v, body.v + body.nv)
            S[rows, own] = rnea.S[i]
            J[rows, rows] = body.I.matrix()
            ad_Sqd[rows, rows] = -ad(rnea.S[i] @ qd[own])
            X = np.linalg.inv(a.Ad_matrix(rnea.T[i]))
            if body.parent:
                Gamma[rows, 6 * body.parent - 6 : 6 * body.parent] = X
            else:
                P_0[rows] = X
        return S, Gamma, J, ad_Sqd, P_0, np.linalg.inv(np.eye(6 * N) - Gamma)

    def test_the_matrices_are_what_they_are_said_to_be(self):
        for name in MODELS:
            model, s = drawn(name)
            for k, part in enumerate(("S", "Gamma", "J", "ad_Sqd", "P_0", "G")):
                with self.subTest(name, matrix=part):
                    assert_agree(
                        self,
                        lambda *x: getattr(a.GlobalMatrices(model, *x), part),
                        lambda *x: self.blocks(model, *x)[k],
                        s.q,
                        s.qd,
                    )
            bar = a.GlobalMatrices(model, s.q, s.qd).C_bar(CoriolisFamily.bracket)
            rnea = a.InverseDynamics(model)
            rnea(s.q, s.qd, s.qdd)
            for i in range(1, model.bodies + 1):
                rows = slice(6 * i - 6, 6 * i)
                own = a.body_coriolis_matrix(model.body(i).I, a.to_twist(rnea.V[i]), CoriolisFamily.bracket)
                assert_copies_agree(bar[rows, rows], own)
                bar[rows, rows] = 0
            self.assertFalse(bar.any())

    def test_their_rates_are_exact_differences(self):
        for name in MODELS:
            state = skew_symmetry_test.State(name)
            model = state.model
            rates = {"Sdot": "S", "Gdot": "G", "GS_rate": "GS", "Mdot": "M"}
            read = lambda G, part: getattr(G, part)() if callable(getattr(G, part)) else getattr(G, part)
            if name not in ("every_joint", "mixed_tree"):  # no joint has screws that move
                self.assertFalse(a.GlobalMatrices(model, state.q, state.qd).Sdot.any())
                del rates["Sdot"]
            for rate, part in rates.items():
                with self.subTest(name, matrix=rate):
                    assert_agree(
                        self,
                        lambda *x: read(a.GlobalMatrices(model, *x), rate),
                        lambda q, qd: state.rate(lambda x: read(a.GlobalMatrices(model, x, qd), part), q, qd),
                        state.q,
                        state.qd,
                    )

    def test_their_products_are_what_recursions_compute(self):
        for name in MODELS:
            model, s = drawn(name)
            recursive = {
                "M": lambda q, qd: a.mass_matrix(model, q),
                "phi": lambda q, qd: a.equations_of_motion(model, q, qd).gravity,
                "C": lambda q, qd: a.coriolis_matrix(model, q, qd),
            }
            for part, witness in recursive.items():
                with self.subTest(name, product=part):
                    assert_agree(self, lambda *x: getattr(a.GlobalMatrices(model, *x), part)(), witness, s.q, s.qd)
            for family in CoriolisFamily.__members__.values():
                with self.subTest(name, family=family.name):
                    assert_agree(
                        self,
                        lambda *x: a.GlobalMatrices(model, *x).C(family),
                        lambda *x: a.coriolis_matrix(model, *x, family),
                        s.q,
                        s.qd,
                    )

    def test_they_keep_their_model_alive(self):
        G = a.GlobalMatrices(a.Model.load("ur5"), [0.1] * 6, [0.2] * 6)
        before = G.phi()
        gc.collect()
        np.testing.assert_array_equal(G.phi(), before)


class Energies(unittest.TestCase):
    def test_forces_are_those_of_newton_and_euler(self):
        for name in (*MODELS, "puma560", "drone_arm"):
            model, s = drawn(name)
            with self.subTest(name):
                lagrange = a.LagrangeEquations(model)
                assert_agree(self, lagrange, lambda *x: a.inverse_dynamics(model, *x), s.q, s.qd, s.qdd)
                parts = lagrange.dE_dqd_rate - lagrange.dE_dq + lagrange.hamel + lagrange.dU_dq
                np.testing.assert_array_equal(parts, lagrange(s.q, s.qd, s.qdd))
                self.assertEqual(lagrange.hamel.any(), model.nq > model.nv)

    def test_derivatives_are_exact_differences(self):
        model, s = drawn("ur5")  # whose energies are trigonometric polynomials of each angle
        lagrange, unit = a.LagrangeEquations(model), np.eye(model.nv)

        def energies(q, qd):
            lagrange(q, qd, s.qdd)
            return np.array([lagrange.E, lagrange.U])

        def parts(name):
            return lambda *x: (lagrange(*x), getattr(lagrange, name))[1]

        slopes = lambda q, qd: np.array([trigonometric(lambda h: energies(q + h * e, qd)) for e in unit]).T
        for name, row in (("dE_dq", 0), ("dU_dq", 1)):
            assert_agree(self, parts(name), lambda q, qd, qdd: slopes(q, qd)[row], s.q, s.qd, s.qdd)
        momentum = lambda q, qd, qdd: [polynomial(lambda h: energies(q, qd + h * e)[0]) for e in unit]
        assert_agree(self, parts("dE_dqd"), momentum, s.q, s.qd, s.qdd)
        M = lambda q, qd: a.GlobalMatrices(model, q, qd)
        rate = lambda q, qd, qdd: M(q, qd).M() @ qdd + M(q, qd).Mdot() @ qd
        assert_agree(self, parts("dE_dqd_rate"), rate, s.q, s.qd, s.qdd)

    def test_energies_are_those_of_kinematics_and_of_koenig(self):
        for name in MODELS:
            model, s = drawn(name)
            lagrange, kinematics = a.LagrangeEquations(model), a.ForwardKinematics(model)
            g = [1, -2, 3]
            lagrange.set_gravity(g)

            def own(q, qd):
                lagrange(q, qd, s.qdd)
                return lagrange.E, sum(a.koenig_energy(model.body(i).I, a.to_twist(lagrange.V[i])) for i in bodies)

            bodies = range(1, model.bodies + 1)
            assert_agree(self, own, lambda *x: (kinematics(*x), 2 * [kinematics.kinetic_energy()])[1], s.q, s.qd)
            heights = lambda q: (kinematics(q, s.qd), kinematics.potential_energy(g))[1]
            assert_agree(self, lambda q: (own(q, s.qd), lagrange.U)[1], heights, s.q)


class MassMatrix(unittest.TestCase):
    def test_four_routes_lead_to_it(self):
        for name in dict.fromkeys(MODELS + CHARTS):
            model, s = drawn(name)
            routes = [lambda q: a.composite_mass_matrix(model, q), lambda q: a.GlobalMatrices(model, q, s.qd).M()]
            if name in CHARTS:
                routes.append(metric_of(model)(lambda g: g.M()))
            for k, route in enumerate(routes):
                with self.subTest(name, route=k):
                    assert_agree(self, route, lambda q: a.mass_matrix(model, q), s.q)


class Whole(unittest.TestCase):
    """The motion as a whole, beside the momentum about the world's origin and differences along the motion."""

    def test_it_is_that_of_all_bodies(self):
        for name in dict.fromkeys(MODELS + CHARTS):
            model, s = drawn(name)
            whole, k = a.CentroidalMomentum(model), a.ForwardKinematics(model)

            def own(quantity):
                return lambda q, qd: (whole(q, qd), quantity())[1]

            def about_center(q, qd):
                k(q, qd)
                h = k.momentum()
                return h.m - np.cross(k.center_of_mass(), h.f)

            def of_world(quantity):
                return lambda q, qd: (k(q, qd), quantity())[1]

            moment = lambda: whole.momentum.m
            with self.subTest(name):
                self.assertEqual(whole.mass, k.mass())
                assert_agree(self, own(lambda: whole.center), of_world(k.center_of_mass), s.q, s.qd)
                assert_agree(self, own(lambda: whole.momentum.f), of_world(lambda: k.momentum().f), s.q, s.qd)
                assert_agree(self, own(moment), about_center, s.q, s.qd)
                assert_agree(self, own(lambda: whole.velocity), own(lambda: whole.J() @ s.qd), s.q, s.qd)
                assert_agree(self, own(lambda: whole.A[:3] @ s.qd), own(moment), s.q, s.qd)
                whole(s.q, s.qd)
                np.testing.assert_allclose(whole.I.mass, whole.mass, model.nv * np.finfo(float).eps)  # added up otherwise
                self.assertEqual(list(whole.I.first_moment), [0, 0, 0])
                np.testing.assert_array_equal(a.centroidal_momentum_matrix(model, s.q), whole.A)
                np.testing.assert_array_equal(a.center_of_mass_jacobian(model, s.q), whole.J())
                np.testing.assert_array_equal(a.center_of_mass(model, s.q), whole.center)
                np.testing.assert_array_equal(a.centroidal_momentum(model, s.q, s.qd), whole.momentum)

    def test_it_changes_as_the_world_pushes(self):
        for name in dict.fromkeys(MODELS + CHARTS):
            model, s = drawn(name)
            whole, rnea = a.CentroidalMomentum(model), a.InverseDynamics(model)
            rnea.set_gravity(np.zeros(3))

            def pushed(q, qd, qdd):
                rnea(q, qd, qdd)
                moment, force = rnea.F[0].reshape(2, 3)
                return moment - np.cross(a.center_of_mass(model, q), force), force

            for half in (0, 1):

                def rate(q, qd, qdd):
                    whole(q, qd)
                    rate = whole.momentum_rate(qdd)
                    by_matrix = whole.A @ qdd + whole.Adot @ qd
                    size = np.abs(by_matrix).max()
                    self.assertLess(np.abs(by_matrix - np.asarray(rate)).max(), 1e-11 * size)
                    return (rate.m, rate.f)[half]

                with self.subTest(name, half=half):
                    assert_agree(self, rate, lambda *x: pushed(*x)[half], s.q, s.qd, s.qdd)
            size = np.abs(whole.bias.f).max()
            self.assertLess(np.abs(whole.mass * whole.Jdot() @ s.qd - whole.bias.f).max(), 1e-12 * max(1, size))
            np.testing.assert_allclose(whole.acceleration(s.qdd), whole.momentum_rate(s.qdd).f / whole.mass, 1e-15)

    def test_what_it_refuses(self):
        ghost = a.Model(a.Mechanism("ghost", [a.Link("pole"), a.Link("vane")],
                                    [a.Joint("hinge", "revolute", "pole", "vane")]))
        with self.assertRaisesRegex(a.ModelError, "^ghost: no mass moves, so there is no centre of mass\\.$"):
            a.CentroidalMomentum(ghost)
        whole = a.CentroidalMomentum(a.Model.load("ur5"))
        for name in ("center", "velocity", "I", "A", "Adot", "momentum", "bias"):
            with self.assertRaisesRegex(a.StateError, "^there is no motion as a whole before the first run"):
                getattr(whole, name)
        rest = np.zeros(6)
        for name, arguments in (("J", ()), ("Jdot", ()), ("momentum_rate", (rest,)), ("acceleration", (rest,))):
            with self.assertRaisesRegex(a.StateError, "^there is no .* before the first run"):
                getattr(whole, name)(*arguments)
        with self.assertRaisesRegex(a.SizeError, "^qdd has 5 entries where the model needs 6"):
            whole.momentum_rate(np.zeros(5))


class Screws(unittest.TestCase):
    def test_they_are_those_of_the_base_at_zero(self):
        for name in CHARTS:
            model, s = drawn(name)
            screws, k = a.ScrewSystem(model), a.ForwardKinematics(model)
            self.assertEqual(screws.coordinates, model.nv)

            def at_zero(f):
                return lambda: (k(np.zeros(model.nq), np.zeros(model.nv)), f())[1]

            for link in model.links:
                before = a.coordinates_before(screws, link)
                with self.subTest(name, link=link.name):
                    assert_agree(
                        self,
                        lambda: np.transpose([np.asarray(screws.A[j]) for j in before] or np.zeros((0, 6))),
                        at_zero(lambda: k.link_jacobian(link.name, a.JacobianFrame.world)[:, before]),
                    )
                    moves = at_zero(lambda: k.link_jacobian(link.name))().any(axis=0)
                    self.assertEqual([j for j in range(model.nv) if moves[j]], before)
            for i in range(1, model.bodies + 1):
                last = model.body(i).v + model.body(i).nv - 1
                self.assertEqual(screws.last[i], last)
                assert_agree(self, lambda: screws.M[i].matrix(), at_zero(lambda: k.pose(i).matrix()))
                X = np.linalg.inv(a.Ad_matrix(screws.M[i]))
                assert_agree(self, lambda: screws.D[i].matrix(), lambda: X.T @ model.body(i).I.matrix() @ X)

    def test_their_exponentials_place_the_bodies(self):
        for name in CHARTS:
            model, s = drawn(name)
            screws, k = a.ScrewSystem(model), a.ForwardKinematics(model)

            def pose(i, q):
                k(q, s.qd)
                return k.pose(i).matrix()

            for i in range(model.bodies + 1):
                with self.subTest(name, body=i):
                    assert_agree(self, lambda q: screws.pose(i, q).matrix(), lambda q: pose(i, q), s.q)
                    product = lambda q: (screws.displacement(screws.last[i], q) * screws.M[i]).matrix()
                    assert_agree(self, product, lambda q: pose(i, q), s.q)

    def test_a_screw_is_carried_by_those_between(self):
        model, s = drawn("mixed_tree")
        screws, H = a.ScrewSystem(model), a.Twist([1, 2, 3], [-1, 0.5, 2])
        carries = np.array([[screws.carries(j, i) for i in range(model.nv)] for j in range(model.nv)])
        for i in range(model.nv):
            way, k = {i}, i
            while screws.carrier[k] >= 0:
                k = screws.carrier[k]
                way.add(k)
            self.assertEqual(set(np.flatnonzero(carries[:, i])), way)
        for i in range(-1, model.nv):
            for j in range(model.nv):
                if i >= 0 and not carries[i, j]:
                    np.testing.assert_array_equal(screws.carried(H, i, j, s.q), H)
                    continue
                between = lambda x: a.inverse(screws.displacement(i, x)) * screws.displacement(j, x)
                assert_agree(
                    self,
                    lambda x: np.asarray(screws.carried(H, i, j, x)),
                    lambda x: np.linalg.inv(a.Ad_matrix(between(x))) @ np.asarray(H),
                    s.q,
                )

    def test_a_mechanism_made_of_them_moves_alike(self):
        for name in CHARTS:
            model, s = drawn(name)
            back = a.mechanism_of(a.ScrewSystem(model), model.gravity, "again")
            self.assertEqual(back.source, "again")
            with self.subTest(name):
                assert_agree(
                    self,
                    lambda *x: a.inverse_dynamics(a.Model(back), *x),
                    lambda *x: a.inverse_dynamics(model, *x),
                    s.q,
                    s.qd,
                    s.qdd,
                )
        self.assertEqual(list(a.mechanism_of(a.ScrewSystem(model)).gravity), [0, 0, -9.81])

    def lists_of_the_ur5(self):
        """As Lynch and Park print them, Modern Robotics, chapter 8."""
        quarter = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]
        steps = [
            (np.eye(3), [0, 0, 0.089159]),
            (quarter, [0.28, 0.13585, 0]),
            (np.eye(3), [0, -0.1197, 0.395]),
            (quarter, [0, 0, 0.14225]),
            (np.eye(3), [0, 0.093, 0]),
            (np.eye(3), [0, 0, 0.09465]),
            ([[1, 0, 0], [0, 0, 1], [0, -1, 0]], [0, 0.0823, 0]),
        ]
        Mlist = np.array([np.block([[np.array(R), np.array(p)[:, None]], [0, 0, 0, 1]]) for R, p in steps])
        Slist = np.array(
            [
                [0, 0, 0, 0, 0, 0],
                [0, 1, 1, 1, 0, 1],
                [1, 0, 0, 0, -1, 0],
                [0, -0.089159, -0.089159, -0.089159, -0.10915, 0.005491],
                [0, 0, 0, 0, 0.81725, 0],
                [0, 0, 0.425, 0.81725, 0, 0.81725],
            ]
        )
        printed = [
            (0.010267495893, 0.00666, 3.7),
            (0.22689067591, 0.0151074, 8.393),
            (0.049443313556, 0.004095, 2.275),
            (0.111172755531, 0.21942, 1.219),
            (0.111172755531, 0.21942, 1.219),
            (0.0171364731454, 0.033822, 0.1879),
        ]
        return Mlist, Slist, np.array([np.diag([across, across, along, m, m, m]) for across, along, m in printed])

    def test_the_lists_of_lynch_and_park_are_the_urdf_file(self):
        file = a.built_in_model("ur5")
        for joint in file.joints:
            if abs(joint.quaternion[1]) > 0.1:
                joint.quaternion = [0, 1, 0, 1]  # a quarter turn, of which the file has twelve digits
        model, (_, s) = a.Model(file), drawn("ur5")
        chain = a.Model(a.mechanism_of(a.ScrewSystem.of_lists(*self.lists_of_the_ur5()), model.gravity))
        assert_agree(
            self,
            lambda *x: a.inverse_dynamics(chain, *x),
            lambda *x: a.inverse_dynamics(model, *x),
            s.q,
            s.qd,
            s.qdd,
        )

    def test_lists_that_make_no_chain_are_refused(self):
        for pieces, spoil in (
            (r"Mlist has the shape \(7, 4\)", lambda M, S, G: (M[:, 0], S, G)),
            (r"Slist has the shape \(5, 6\) where \(6, n\)", lambda M, S, G: (M, S[1:], G)),
            ("6 screws and 5 inertias", lambda M, S, G: (M, S, G[1:])),
            (r"Mlist\[0\] is no pose", lambda M, S, G: (M + 1, S, G)),
            ("no rotation", lambda M, S, G: (M * [2, 2, 2, 1], S, G)),
            ("screw 2 has an angular part of length 1.1", lambda M, S, G: (M, S * [1, 1.1, 1, 1, 1, 1], G)),
            (r"G\[0\] is no spatial inertia", lambda M, S, G: (M, S, G[:, ::-1])),
            ("finite", lambda M, S, G: (M, S, np.full_like(G, np.inf))),
        ):
            with self.subTest(pieces), self.assertRaisesRegex(a.Error, pieces):
                a.ScrewSystem.of_lists(*spoil(*self.lists_of_the_ur5()))

    def test_three_forms_give_one_pose(self):
        for name, tip in (("ur5", "wrist_3_link"), ("screw_arm", None)):
            model, s = drawn(name)
            link = model.link(tip) if tip else model.links[-1]
            k = a.ForwardKinematics(model)
            behind = a.offset_behind(a.ScrewSystem(model), link)
            before = a.offset_before(behind)
            offsets = [a.exp(a.to_twist(np.arange(6) / 7 - j)) for j in range(model.nv - 1)]
            between = a.offsets_between(behind, offsets)
            np.testing.assert_array_equal(between.M[0].matrix(), offsets[0].matrix())
            again = (a.offset_behind(between), a.offset_behind(before))
            rebuilt = (
                a.OffsetBehind(behind.A, behind.M),
                a.OffsetBefore(before.M, before.B),
                a.OffsetsBetween(between.P, between.M),
            )
            for form in (behind, before, between, *again, *rebuilt):
                with self.subTest(name, form=type(form).__name__):
                    assert_agree(
                        self,
                        lambda q: form.pose(q).matrix(),
                        lambda q: (k(q, s.qd), k.link_pose(link.name).matrix())[1],
                        s.q,
                    )
            assert_agree(
                self,
                lambda q: np.transpose([a.coordinates(B) for B in before.B]),
                lambda q: (k(q, s.qd), k.link_jacobian(link.name))[1],
                np.zeros(model.nq),
            )


class Metric(unittest.TestCase):
    """Of every coordinate that is an angle or a length exact differences are known; others are held."""

    def derivatives(self, state, f):
        """All derivatives of f(q) by coordinates, each on a last axis; zero by those that are held."""

        def by(q):
            zero = np.zeros_like(f(q))
            e = np.eye(state.model.nv)
            column = lambda k: state.rules[k](lambda p: f(q + p * e[k])) if k in state.rules else zero
            return np.stack([column(k) for k in range(state.model.nv)], axis=-1)

        return by

    def test_it_is_differentiated_exactly(self):
        for name in CHARTS:
            state = skew_symmetry_test.State(name)
            model, n, followed = state.model, state.model.nv, state.followed
            M = lambda q: a.mass_matrix(model, q)
            at = metric_of(model)
            array = lambda f, order: at(
                lambda g: np.reshape([f(g, *i) for i in np.ndindex(*(n,) * order)], (n,) * order)
            )
            with self.subTest(name):
                assert_agree(self, array(a.InertiaMetric.m, 2), M, state.q)
                dM = self.derivatives(state, M)
                assert_agree(self, lambda q: array(a.InertiaMetric.dm, 3)(q) * followed, dM, state.q)
                if n <= 6:
                    both = np.multiply.outer(followed, followed)
                    second = lambda q: array(a.InertiaMetric.ddm, 4)(q) * both
                    assert_agree(self, second, self.derivatives(state, dM), state.q)
                    symbols = array(a.InertiaMetric.christoffel, 3)
                    by = lambda q: array(a.InertiaMetric.dchristoffel, 4)(q) * followed
                    assert_agree(self, by, self.derivatives(state, symbols), state.q)

    def test_christoffel_symbols_are_their_definition_and_make_the_coriolis_matrix(self):
        for name in CHARTS:
            model, s = drawn(name)
            at, n = metric_of(model), model.nv
            self.assertEqual(a.InertiaMetric(model).dimension, n)

            def defined(g):
                d = np.reshape([g.dm(*i) for i in np.ndindex(n, n, n)], (n, n, n))  # [i, j, k]: m_ij by k
                return (np.einsum("kji->ijk", d) + np.einsum("kij->ijk", d) - d) / 2

            with self.subTest(name):
                assert_agree(self, at(lambda g: g.christoffel_symbols()), at(defined), s.q)
                one_by_one = at(lambda g: np.reshape([g.christoffel(*i) for i in np.ndindex(n, n, n)], (n, n, n)))
                assert_copies_agree(one_by_one(s.q), at(lambda g: g.christoffel_symbols())(s.q))
                matrix = at(lambda g, qd: g.C(qd))
                summed = at(lambda g, qd: np.einsum("ijk,i->kj", g.christoffel_symbols(), qd))
                assert_agree(self, matrix, lambda q, qd: a.coriolis_matrix(model, q, qd), s.q, s.qd)
                assert_agree(self, matrix, summed, s.q, s.qd)

    def test_curvature_is_its_formula_and_has_its_symmetries(self):
        for name in ("ur5", "forked_arm", "screw_arm"):
            model, s = drawn(name)
            at, n = metric_of(model), model.nv
            tensor = at(lambda g: np.reshape([a.Curvature(g)(*i) for i in np.ndindex(*(n,) * 4)], (n,) * 4))

            def formula(g):
                first = g.christoffel_symbols()
                by = np.reshape([g.dchristoffel(*i) for i in np.ndindex(*(n,) * 4)], (n,) * 4)
                R = np.einsum("jlik->ijkl", by) - np.einsum("jkil->ijkl", by)
                inverse = np.linalg.inv(g.M())
                return (
                    R
                    + np.einsum("ilr,rs,jks->ijkl", first, inverse, first)
                    - np.einsum("ikr,rs,jls->ijkl", first, inverse, first)
                )

            second = at(lambda g: [[a.Curvature(g).christoffel(i, j) for j in range(n)] for i in range(n)])
            raised = at(lambda g: g.christoffel_symbols() @ np.linalg.inv(g.M()))
            with self.subTest(name):
                assert_agree(self, second, raised, s.q)
                assert_agree(self, tensor, at(formula), s.q)
                assert_agree(self, lambda q: np.einsum("jikl->ijkl", tensor(q)), lambda q: -tensor(q), s.q)
                assert_agree(self, lambda q: np.einsum("klij->ijkl", tensor(q)), tensor, s.q)
                u, v = np.random.default_rng(2).uniform(-1, 1, (2, n))

                def sectional(q, u, v):
                    M = a.mass_matrix(model, q)
                    area = (u @ M @ u) * (v @ M @ v) - (u @ M @ v) ** 2
                    return np.einsum("ijkl,i,j,k,l", tensor(q), u, v, u, v) / area

                assert_agree(self, at(lambda g, u, v: a.Curvature(g).sectional(u, v)), sectional, s.q, u, v)

    def test_a_pendulum_moves_on_a_sphere(self):
        """The metric is that of a sphere, scaled by the mass: 1 / (m l^2) everywhere and in every plane."""
        for mass, length in ((1.0, 1.0), (3.0, 0.4)):
            at = metric_of(pendulum(mass, length))
            for q in ([0.3, 0.2], [-2.0, 0.9], [1.0, -1.3]):
                K = at(lambda g: a.Curvature(g).sectional([1, 0], [0.3, -2]))
                assert_agree(self, K, lambda q: 1 / (mass * length**2), q)
                R = at(lambda g: a.Curvature(g)(0, 1, 0, 1))
                assert_agree(self, R, lambda q: mass * length**2 * np.cos(q[1]) ** 2, q)

    def test_slides_make_no_curvature(self):
        m = a.Mechanism("table", [a.Link("ground"), a.Link("cart", 2), a.Link("tool", 3, [0.1, 0.2, 0.3])])
        m.joints = [
            a.Joint("x", "prismatic", "ground", "cart"),
            a.Joint("y", "prismatic", "cart", "tool", axis=[1, 1, 0]),
        ]
        g = a.InertiaMetric(a.Model(m))
        g([0.4, 0.7])
        self.assertEqual(a.Curvature(g).sectional([1, 0], [0, 1]), 0)

    def test_a_curvature_stays_where_its_metric_was(self):
        g = a.InertiaMetric(pendulum(1, 1))
        g([0.3, 0.2])
        R = a.Curvature(g)
        before = R(0, 1, 0, 1), list(R.christoffel(0, 1))
        g([0.3, 1.2])
        del g
        gc.collect()
        self.assertEqual((R(0, 1, 0, 1), list(R.christoffel(0, 1))), before)


def moved_parameters(pi, T):
    """The ten numbers of a body in another frame of it."""
    xx, xy, xz, yy, yz, zz = pi[4:]
    I = a.coAd(T, a.Inertia(pi[0], pi[1:4], [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    return np.array([I.mass, *I.first_moment, *I.second_moment[np.triu_indices(3)]])


class Regressors(unittest.TestCase):
    def test_forces_and_energies_are_linear_in_the_parameters(self):
        for name in MODELS:
            model, s = drawn(name)
            Y, pi, k = a.Regressor(model), a.inertial_parameters(model), a.ForwardKinematics(model)
            ran = lambda row: lambda *x: (Y(*x), row() @ pi)[1]
            moved = lambda f: lambda q, qd, qdd: (k(q, qd), f())[1]
            pairs = (
                (lambda *x: Y(*x) @ pi, lambda *x: a.inverse_dynamics(model, *x)),
                (lambda *x: a.regressor(model, *x), lambda *x: Y(*x)),
                (ran(lambda: Y.kinetic), moved(k.kinetic_energy)),
                (ran(lambda: Y.potential), moved(k.potential_energy)),
            )
            for number, (library, witness) in enumerate(pairs):
                with self.subTest(name, pair=number):
                    assert_agree(self, library, witness, s.q, s.qd, s.qdd)

    def test_energies_and_the_moment_of_mass_have_rows_of_their_own(self):
        for name in MODELS:
            model, s = drawn(name)
            Y, pi, k = a.EnergyRegressor(model), a.inertial_parameters(model), a.ForwardKinematics(model)
            g = np.array([1.0, -2, 3])
            ran = lambda row: lambda *x: (Y(*x), row() @ pi)[1]
            moved = lambda f: lambda q, qd: (k(q, qd), f())[1]
            pairs = (
                (ran(lambda: Y.kinetic), moved(k.kinetic_energy)),
                (ran(lambda: Y.potential()), moved(k.potential_energy)),
                (ran(lambda: Y.potential(g)), moved(lambda: k.potential_energy(g))),
                (ran(lambda: Y.mass_moment_rows), moved(lambda: k.mass() * k.center_of_mass())),
                (lambda q, qd: a.kinetic_energy_regressor(model, q, qd) @ pi, moved(k.kinetic_energy)),
                (lambda q, qd: a.potential_energy_regressor(model, q) @ pi, moved(k.potential_energy)),
                (lambda q, qd: a.mass_moment_regressor(model, q) @ pi, moved(lambda: k.mass() * k.center_of_mass())),
            )
            for number, (library, witness) in enumerate(pairs):
                with self.subTest(name, pair=number):
                    assert_agree(self, library, witness, s.q, s.qd)

    def test_at_rest_it_gives_the_gravity_force_and_asks_for_no_moment_of_inertia(self):
        for name in MODELS:
            model, s = drawn(name)
            Y, pi = a.Regressor(model), a.inertial_parameters(model)
            gravity = lambda q: a.equations_of_motion(model, q, s.qd).gravity
            assert_agree(self, lambda q: a.static_regressor(model, q) @ pi, gravity, s.q)
            np.testing.assert_array_equal(Y.at_rest(s.q), a.static_regressor(model, s.q))
            self.assertFalse(Y.at_rest(s.q).reshape(model.nv, -1, 10)[:, :, 4:].any())

    def test_of_a_link_it_gives_the_wrench_of_its_body_alone(self):
        offset = a.SE3(a.SO3(), [0.1, 0.2, -0.4])
        for name in MODELS:
            model, s = drawn(name)
            rnea, i = a.InverseDynamics(model), model.bodies  # a tip: what it transmits is what it needs
            link = next(link for link in model.links if link.body == i)
            pi = a.inertial_parameters(model)[10 * i - 10 :]

            def by_regressor(q, qd, qdd):
                rnea(q, qd, qdd)
                return a.link_regressor(rnea, link.name) @ pi

            def transmitted(q, qd, qdd):
                rnea(q, qd, qdd)
                return a.Ad_matrix(link.X).T @ rnea.F[i]

            for half in (slice(0, 3), slice(3, 6)):
                with self.subTest(name, half=half):
                    assert_agree(
                        self, lambda *x: by_regressor(*x)[half], lambda *x: transmitted(*x)[half], s.q, s.qd, s.qdd
                    )
            at = np.array(a.coAd(offset, a.to_wrench(by_regressor(s.q, s.qd, s.qdd))))
            there = a.link_regressor(rnea, link.name, offset) @ moved_parameters(pi, offset)
            np.testing.assert_allclose(there, at, rtol=0, atol=1e-11 * np.abs(at).max())

    def test_of_a_link_it_takes_what_carries_accelerations_and_nothing_else(self):
        for name in MODELS:
            model, s = drawn(name)
            link = model.links[-1].name

            def after_forward_dynamics(q, qd, tau):
                aba = a.ForwardDynamics(model)
                aba(q, qd, tau)
                return a.link_regressor(aba, link)

            def after_inverse_dynamics(q, qd, tau):
                rnea = a.InverseDynamics(model)
                rnea(q, qd, np.linalg.solve(a.mass_matrix(model, q), tau - rnea(q, qd, np.zeros(model.nv))))
                return a.link_regressor(rnea, link)

            assert_agree(self, after_forward_dynamics, after_inverse_dynamics, s.q, s.qd, s.tau)
            others = a.ForwardKinematics(model), a.CentroidalMomentum(model), a.EnergyRegressor(model)
            for other in others:
                other(s.q, s.qd)
                with self.assertRaises(TypeError):
                    a.link_regressor(other, link)

    def test_with_reference_rates_it_is_that_of_reference_dynamics(self):
        for name in MODELS:
            state = skew_symmetry_test.State(name)
            model, at = state.model, (state.q, state.qd, state.qd_r, state.qdd_r)
            pi = a.inertial_parameters(model)
            for family in CoriolisFamily.__members__.values():
                Y = a.Regressor(model, family)
                with self.subTest(name, family=family.name):
                    forces = lambda *x: a.reference_dynamics(model, *x, family)
                    assert_agree(self, lambda *x: Y(*x) @ pi, forces, *at)
                    assert_agree(self, lambda *x: a.regressor(model, *x, family) @ pi, forces, *at)
            k = a.ForwardKinematics(model)
            energy = lambda q, qd, *reference: (k(q, qd), k.kinetic_energy())[1]
            assert_agree(self, lambda *x: (Y(*x), Y.kinetic @ pi)[1], energy, *at)  # that of the true motion

    def test_parameters_are_seen_from_the_links_own_frame(self):
        """By hand, from what the description says of two links that are bolted together, on an axis that is not z."""
        bob = a.Link("bob", 2, [0.1, -0.2, 0.3], inertia=np.diag([0.2, 0.3, 0.4]))
        m = a.Mechanism("bolted", [a.Link("ground"), bob, a.Link("weight", 5)])
        m.joints = [
            a.Joint("hinge", "revolute", "ground", "bob", axis=[1, 2, 2]),
            a.Joint("bolt", "fixed", "bob", "weight", position=[0.4, 0.5, 0.6]),
        ]

        def by_hand():
            c, p = np.array([0.1, -0.2, 0.3]), np.array([0.4, 0.5, 0.6])
            about = lambda mass, r: mass * ((r @ r) * np.eye(3) - np.outer(r, r))
            I = np.diag([0.2, 0.3, 0.4]) + about(2, c) + about(5, p)
            return [7, *(2 * c + 5 * p), *I[np.triu_indices(3)]]

        assert_agree(self, lambda: a.inertial_parameters(a.Model(m)), by_hand)

    def test_a_hinge_shows_three_combinations(self):
        """About y, against gravity along z: I_yy, m c_x and m c_z."""
        m = a.Mechanism(
            "hinge", [a.Link("ground"), a.Link("bob", 2, [0.1, 0.2, -0.5], inertia=np.diag([0.2, 0.3, 0.4]))]
        )
        m.joints = [a.Joint("hinge", "revolute", "ground", "bob", axis=[0, 1, 0])]
        model, draw = a.Model(m), np.random.default_rng(1)
        base = a.BaseParameters(np.vstack([a.regressor(model, *draw.uniform(-1, 1, (3, 1))) for _ in range(20)]))
        self.assertEqual((base.rank, sorted(base.columns)), (3, [1, 3, 7]))
        self.assertGreater(base.smallest_kept, 0.1)
        self.assertEqual(base.largest_dropped, 0)
        np.testing.assert_allclose(base.groups, np.eye(10)[base.columns], rtol=0, atol=100 * np.finfo(float).eps)

    def test_base_parameters_say_all_that_regressors_say(self):
        for name in ("ur5", "mixed_tree"):
            model, draw = a.Model.load(name), np.random.default_rng(4)
            states = [draw.uniform(-1, 1, (3, model.nv)) for _ in range(40)]
            W, pi = np.vstack([a.regressor(model, *x) for x in states]), a.inertial_parameters(model)
            base = a.BaseParameters(W)
            self.assertLess(base.rank, W.shape[1])
            self.assertEqual(base.rank, np.linalg.matrix_rank(W / np.maximum(np.linalg.norm(W, axis=0), 1e-12)))
            assert_agree(self, lambda pi: W[:, base.columns] @ (base.groups @ pi), lambda pi: W @ pi, pi)


class Misuse(unittest.TestCase):
    def refused(self, kind, call, sentence):
        with self.assertRaises(kind) as caught:
            call()
        self.assertEqual(str(caught.exception), sentence)

    def test_what_has_not_run_says_so(self):
        model = a.Model.load("puma560")
        Y, lagrange = a.Regressor(model), a.LagrangeEquations(model)
        for algorithm, name, what in (
            (Y, "kinetic", "row of the kinetic energy"),
            (Y, "potential", "row of the potential energy"),
            (lagrange, "E", "kinetic energy"),
            (lagrange, "U", "potential energy"),
            (lagrange, "dE_dq", "dE_dq"),
            (lagrange, "hamel", "hamel"),
        ):
            sentence = f"there is no {what} before the first run; call the algorithm with a state first."
            self.refused(a.StateError, lambda: getattr(algorithm, name), sentence)
        lagrange(np.ones(6), np.ones(6), np.ones(6))
        self.assertGreater(lagrange.E, 0)

    def test_a_model_without_coordinates(self):
        for name, joint in (("quadruped", "floating_base"), ("every_joint", "floating")):
            model = a.Model.load(name)
            for make, words in (
                (a.InertiaMetric, "by which to differentiate"),
                (a.ScrewSystem, "so that it is no product of exponentials of constant screws"),
            ):
                with self.assertRaisesRegex(a.ModelError, f"joint '{joint}' has an orientation and no coordinates"):
                    make(model)
                with self.assertRaisesRegex(a.ModelError, words):
                    make(model)

    def test_indices_that_there_are_not(self):
        model, s = drawn("ur5")
        g, screws, link = a.InertiaMetric(model), a.ScrewSystem(model), a.Model.load("forked_arm").links[-1]
        g(s.q)
        R = a.Curvature(g)
        no_six = "There is no coordinate 6; there are 0 to 5."
        for call in (
            lambda: g.m(6, 0),
            lambda: g.m(0, 6),
            lambda: g.dm(0, 0, 6),
            lambda: g.ddm(0, 0, 0, 6),
            lambda: g.christoffel(6, 0, 0),
            lambda: g.dchristoffel(0, 0, 0, 6),
            lambda: R(0, 6, 0, 0),
            lambda: R.christoffel(0, 6),
            lambda: screws.carries(0, 6),
        ):
            self.refused(IndexError, call, no_six)
        self.refused(IndexError, lambda: g.m(-1, 0), "There is no coordinate -1; there are 0 to 5.")
        self.refused(IndexError, lambda: screws.displacement(-2, s.q), "There is no coordinate -2; there are -1 to 5.")
        self.refused(IndexError, lambda: screws.carried(a.Twist(), 0, 6, s.q), no_six.replace("0 to", "-1 to"))
        self.refused(IndexError, lambda: screws.pose(7, s.q), "There is no body 7; there are 0 to 6.")
        short = a.ScrewSystem(a.Model.load("park_2r"))
        self.refused(
            IndexError, lambda: a.offset_behind(short, link), f"There is no body {link.body}; there are 0 to 2."
        )
        self.refused(
            IndexError, lambda: a.coordinates_before(short, link), f"There is no body {link.body}; there are 0 to 2."
        )
        still = a.InertiaMetric(a.Model(a.Mechanism("still", [a.Link("ground")])))
        self.refused(IndexError, lambda: still.m(0, 0), "There is no coordinate 0; there are none.")

    def test_arrays_that_do_not_fit(self):
        model, s = drawn("ur5")
        g, screws = a.InertiaMetric(model), a.ScrewSystem(model)
        g(s.q)
        for call, name, given in (
            (lambda: a.composite_mass_matrix(model, s.q[:5]), "q", 5),
            (lambda: a.GlobalMatrices(model, s.q[:5], s.qd), "q", 5),
            (lambda: a.GlobalMatrices(model, s.q, s.qd[:5]), "qd", 5),
            (lambda: g(s.q[:2]), "q", 2),
            (lambda: g.C(s.q[:2]), "xd", 2),
            (lambda: a.Curvature(g).sectional(s.q[:2], s.q), "u", 2),
            (lambda: screws.pose(1, s.q[:2]), "x", 2),
            (lambda: a.offset_behind(screws, model.links[-1]).pose([]), "x", 0),
            (lambda: a.regressor(model, s.q, s.qd, s.qdd[:3]), "qdd", 3),
            (lambda: a.Regressor(model)(s.q, s.qd, s.qd[:1], s.qdd), "qd_r", 1),
        ):
            self.refused(a.SizeError, call, f"{name} has {given} {'entry' if given == 1 else 'entries'} where the model needs 6.")
        for W, shape in ((s.q, "(6,)"), (np.zeros((3, 0)), "(3, 0)"), (np.zeros((0, 10)), "(0, 10)")):
            self.refused(
                a.StateError,
                lambda: a.BaseParameters(W),
                f"W has the shape {shape} where a matrix of stacked regressors is needed.",
            )
        with self.assertRaisesRegex(a.StateError, r"the result \|W\| is not finite"):
            a.BaseParameters([[1e200, 1.0]])
        self.refused(
            a.StateError,
            lambda: a.BaseParameters([[1.0, np.inf]]),
            "W[1] is inf where a finite number is needed.",
        )

    def test_screws_that_are_none(self):
        long, T = a.Twist([0, 0, 2]), a.SE3()
        sentence = "Screw 0 has |w| = 2.000000 where 1 or 0 is needed."
        self.refused(a.Error, lambda: a.OffsetBehind([long]), sentence)
        self.refused(a.Error, lambda: a.OffsetBefore(T, [long]), sentence)
        self.refused(a.Error, lambda: a.OffsetsBetween([long], [T]), sentence)
        turn = a.Twist([0, 0, 1])
        self.refused(a.Error, lambda: a.OffsetsBetween([turn], []), "0 offsets are given where the form needs 1.")
        self.refused(
            a.Error,
            lambda: a.offsets_between(a.OffsetBehind([turn, turn]), [T, T]),
            "2 offsets are given where the form needs 1.",
        )
        self.refused(
            a.Error,
            lambda: a.offsets_between(a.OffsetBehind([]), []),
            "The form has no screws, so there is nothing for offsets to be between.",
        )

    def test_where_there_is_no_curvature(self):
        early = "there is no metric before the first run; call the algorithm with a state first."
        self.refused(a.StateError, lambda: a.Curvature(a.InertiaMetric(pendulum(1, 1))), early)
        g = a.InertiaMetric(pendulum(0, 1))
        g([0.1, 0.2])
        singular = (
            "sphere: the mass matrix is not positive definite here, so there is no curvature; call the metric at a "
            "regular configuration first."
        )
        self.refused(a.StateError, lambda: a.Curvature(g), singular)
        g = a.InertiaMetric(pendulum(1, 1))
        g([0.1, 0.2])
        self.refused(
            a.StateError,
            lambda: a.Curvature(g).sectional([1, 2], [2, 4]),
            "sectional curvature: the two directions span no plane; give independent ones.",
        )
        g([1, 2])
        self.assertGreater(a.Curvature(g).sectional([1, 0], [0, 1]), 0)
        g = a.InertiaMetric(pendulum(100, 1))
        g([1, 2])
        with self.assertRaisesRegex(a.StateError, "the result C is not finite"):
            g.C([1e308, 1e308])


if __name__ == "__main__":
    unittest.main()
