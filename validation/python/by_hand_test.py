"""The arm that the chapters work through by hand: each number that they print is the library's.

A section `{#NAME_by_hand}` has to contain the texts below with the library's numbers in place of each @, and no other
number with a decimal point. A printed number is exact: it differs from the library's by no more than the rounding of
the inputs, measured as in agreement.py.
"""
import json
import re
import unittest
from pathlib import Path

import numpy as np
from agreement import U, kappa

import articulate as a

SOURCE = Path(__file__).resolve().parents[2]
ARM = SOURCE / "docs" / "tutorials"
MODEL = a.Model.load(str(ARM / "two_points.urdf"))
STATE = json.loads((ARM / "two_points.json").read_text(encoding="utf-8"))
INPUTS = [np.array(STATE[name], dtype=float) for name in ("q", "qd", "qdd", "gravity")]
PLANE = [2, 3, 4]  # w_z, v_x, v_y of a twist; m_z, f_x, f_y of a wrench
PAGES = {"model": "03", "rnea": "04", "aba": "05", "derivatives": "08", "lagrange": "09", "skew_symmetry": "10"}


def section(stem):
    text = (SOURCE / "chapters" / f"{PAGES[stem]}_{stem}.md").read_text(encoding="utf-8")
    found = re.search(rf"^### By hand {{#{stem}_by_hand}}\n(.*?)(?=^##)", text, re.DOTALL | re.MULTILINE)[1]
    return re.sub(r"(?<![_^]){(-[\d.]+)}", r"\1", found)  # braces keep TeX from spacing a minus as a difference


def vector(x):
    """The twist or wrench as six numbers."""
    return np.concatenate([x.w, x.v] if isinstance(x, a.Twist) else [x.m, x.f])


def twist(x):
    return a.Twist(x[:3], x[3:])


def wrench(x):
    return a.Wrench(x[:3], x[3:])


def rnea(q, qd, qdd, g):
    algorithm = a.InverseDynamics(MODEL)
    algorithm.set_gravity(g)
    return algorithm, algorithm(q, qd, qdd)


def plane(x):
    return np.asarray(vector(x) if isinstance(x, (a.Twist, a.Wrench)) else x)[PLANE]


def block(matrix):
    return np.asarray(matrix)[np.ix_(PLANE, PLANE)]


class ByHand(unittest.TestCase):
    def printed(self, numbers):
        """How a page prints what the function returns for the inputs: exactly, with at most two decimals."""

        def flat(*inputs):
            return np.hstack([np.ravel(x) for x in numbers(*inputs)])

        values = flat(*INPUTS)
        bound = 100 * sum(x.size for x in INPUTS) * U * kappa(flat, INPUTS) * np.abs(values).max()
        rounded = np.round(values, 2) + 0.0  # no -0
        self.assertLess(bound, 1e-11)
        np.testing.assert_array_less(np.abs(values - rounded), bound)
        return [f"{x:g}" for x in rounded]

    def check(self, stem, *lines):
        """lines: (text with @ for each number, function of the inputs that returns the numbers)."""
        page = section(stem)
        for text, numbers in lines:
            values = self.printed(numbers)
            self.assertEqual(text.count("@"), len(values), text)
            for x in values:
                text = text.replace("@", x, 1)
            self.assertIn(text, page)
            page = page.replace(text, "", 1)
        for given in (r"\cos q_1 = 0.8", r"\cos q_2 = 0.6"):
            page = page.replace(given, "")
        self.assertEqual(re.findall(r"\d+\.\d+", page), [], f"numbers of {stem} that no one asserts")

    def test_the_state_has_round_sines(self):
        self.assertEqual([*self.printed(lambda q, *_: [np.cos(q), np.sin(q), np.cos(q.sum()), np.sin(q.sum())])],
                         ["0.8", "0.6", "0.6", "0.8", "0", "1"])
        self.assertEqual([STATE["qd"], STATE["qdd"], STATE["gravity"]], [[1, 2], [1, -1], [0, -10, 0]])

    def test_model(self):
        def at(q, qd, *_):
            fk = a.ForwardKinematics(MODEL)
            fk(q, qd)
            return fk

        def jacobian(*s):
            return at(*s).link_jacobian("forearm")[PLANE]

        matrix = r"\begin{bmatrix} @ & @ \\ @ & @ \end{bmatrix}"
        self.check(
            "model",
            (r"R_{0,1} = " + matrix, lambda *s: [at(*s).T[1].R[:2, :2]]),
            (r"R_{1,2} = " + matrix, lambda *s: [at(*s).T[2].R[:2, :2]]),
            (r"R_2 = R_{0,1}R_{1,2} = " + matrix, lambda *s: [at(*s).pose(2).R[:2, :2]]),
            (r"The elbow is at \f$(@, @)\f$", lambda *s: [at(*s).pose(2).p[:2]]),
            (r"the tip at \f$(@, @)\f$",
             lambda *s: [at(*s).pose(2).p[:2] + at(*s).pose(2).R[:2, 0]]),
            (r"V_1 = (@;\ @, @)\f$. Its end", lambda *s: [plane(at(*s).V[1])]),
            (r"\Ad_{T_{1,2}^{-1}}V_1 = (@;\ @, @)", lambda *s: [plane(a.AdInv(at(*s).T[2], twist(at(*s).V[1])))]),
            (r"V_2 = (@;\ @, @)", lambda *s: [plane(at(*s).V[2])]),
            (r"J_2 = \begin{bmatrix} @ & @ \\ @ & @ \\ @ & @ \end{bmatrix}", lambda *s: [jacobian(*s)]),
            (r"\begin{bmatrix} @ \\ @ \end{bmatrix} = \begin{bmatrix} @ \\ @ \\ @ \end{bmatrix}",
             lambda q, qd, *s: [qd, jacobian(q, qd, *s) @ qd]),
        )

    def test_rnea(self):
        both = r"\f$(@;\ @, @)\f$ | \f$(@;\ @, @)\f$ |"

        def row(f):
            """The numbers of a row: f(algorithm, i, body i) for both bodies."""
            def numbers(*s):
                algorithm, _ = rnea(*s)
                return [plane(f(algorithm, i, MODEL.body(i))) for i in (1, 2)]
            return numbers

        def collected(*s):
            algorithm, _ = rnea(*s)
            return [plane(a.coAdInv(algorithm.T[2], wrench(algorithm.F[2])))]

        self.check(
            "rnea",
            (r"| \f$V_i\f$ | " + both, row(lambda r, i, body: r.V[i])),
            (r"\dot V_{\lambda(i)}\f$ | " + both,
             row(lambda r, i, body: a.AdInv(r.T[i], twist(r.Vdot[i - 1])))),
            (r"| \f$\eta_i\f$ | " + both, row(lambda r, i, body: r.eta[i])),
            (r"| \f$\dot V_i\f$ | " + both, row(lambda r, i, body: r.Vdot[i])),
            (r"| \f$\mathcal I_iV_i\f$ | " + both, row(lambda r, i, body: body.I.matrix() @ r.V[i])),
            (r"| \f$\mathcal I_i\dot V_i\f$ | " + both, row(lambda r, i, body: body.I.matrix() @ r.Vdot[i])),
            (r"| \f$-\ad^*_{V_i}\mathcal I_iV_i\f$ | " + both,
             row(lambda r, i, body: -vector(a.coad(twist(r.V[i]), wrench(body.I.matrix() @ r.V[i]))))),
            (r"| from the child | \f$(@;\ @, @)\f$ |", collected),
            (r"| \f$F_i\f$ | " + both, row(lambda r, i, body: r.F[i])),
            (r"| \f$\tau_i\f$ in N m | @ | @ |", lambda *s: [rnea(*s)[1]]),
            (r"\f$(@;\ @, @)\f$ is gravity", lambda *s: [plane(a.AdInv(rnea(*s)[0].T[1], twist(rnea(*s)[0].Vdot[0])))]),
            ("both masses are @ m to the side of the shoulder", lambda *s: [(rnea(*s)[0].T[1].R @ [1, 0, 0])[0]]),
            ("Without motion, @ and @ N m remain", lambda q, qd, qdd, g: [rnea(q, 0 * qd, 0 * qdd, g)[1]]),
        )

    def test_aba(self):
        def aba(q, qd, qdd, g):
            algorithm = a.ForwardDynamics(MODEL)
            algorithm.set_gravity(g)
            return algorithm, algorithm(q, qd, rnea(q, qd, qdd, g)[1])

        def held(*s):
            f = aba(*s)[0]
            return (f.I_hat[2] @ f.eta[2] + f.B_hat[2])[PLANE]

        def excess(*s):
            return rnea(*s)[1][1] - held(*s)[0]

        def beta(*s):
            return held(*s) + excess(*s) * aba(*s)[0].I_hat[2][PLANE, 2]

        def bar(*s):
            """The wrench on body 1 of a unit force along the bar of body 2."""
            return plane(a.coAdInv(aba(*s)[0].T[2], a.Wrench([0, 0, 0], [1, 0, 0])))

        def carried(*s):
            full = np.zeros(6)
            full[PLANE] = beta(*s)
            return plane(a.coAdInv(aba(*s)[0].T[2], wrench(full)))

        def needed(*s):
            """What gravity, and then the parent, makes the two joints transmit without their own acceleration."""
            f, _ = aba(*s)
            first = f.I_hat[1][2] @ vector(a.AdInv(f.T[1], twist(f.Vdot[0])))
            second = f.I_hat[2][2] @ vector(a.AdInv(f.T[2], twist(f.Vdot[1])))
            return first, second

        def eliminated(*s):
            I = block(aba(*s)[0].I_hat[2])
            return I - np.outer(I[:, 0], I[:, 0]) / I[0, 0]

        square = r"\begin{bmatrix} @ & @ & @ \\ @ & @ & @ \\ @ & @ & @ \end{bmatrix}"
        self.check(
            "aba",
            ("torques that came out there, @ and @ N m", lambda *s: [rnea(*s)[1]]),
            (r"U = (@;\ @, @)\f$ and the pivot @:",
             lambda *s: [aba(*s)[0].I_hat[2][PLANE, 2], aba(*s)[0].pivot[2]]),
            (r"\hat{\mathcal I}_2 = " + square, lambda *s: [block(aba(*s)[0].I_hat[2])]),
            (r"\hat{\mathcal I}_2 - UU^{\T} = " + square, lambda *s: [eliminated(*s)]),
            (r"With \f$\hat{\mathcal B}_2 = (@;\ @, @)\f$", lambda *s: [aba(*s)[0].B_hat[2][PLANE]]),
            (r"\eta_2 = (@;\ @, @)\f$", lambda *s: [plane(aba(*s)[0].eta[2])]),
            (r"\hat{\mathcal I}_2\eta_2 + \hat{\mathcal B}_2 = (@;\ @, @)\f$", lambda *s: [held(*s)]),
            (r"\f$@ - @ = @\f$, hence", lambda *s: [rnea(*s)[1][1], held(*s)[0], excess(*s)]),
            (r"\beta_2 = (@;\ @, @) + @\,U = (@;\ @, @)\f$", lambda *s: [held(*s), excess(*s), beta(*s)]),
            (r"direction \f$(@, @)\f$ in the frame of body 1 and the moment @ about its origin,", lambda *s: [bar(*s)[1:], bar(*s)[0]]),
            (r"\hat{\mathcal I}_1 = " + square + r" + \begin{bmatrix} @ \\ @ \\ @ \end{bmatrix}"
             r"\begin{bmatrix} @ & @ & @ \end{bmatrix} = " + square,
             lambda *s: [block(MODEL.body(1).I.matrix()), bar(*s), bar(*s), block(aba(*s)[0].I_hat[1])]),
            (r"\hat{\mathcal B}_1 = (@;\ @, @) + (@;\ @, @) = (@;\ @, @)\f$",
             lambda *s: [aba(*s)[0].B_hat[1][PLANE] - carried(*s), carried(*s), aba(*s)[0].B_hat[1][PLANE]]),
            ("The second pivot is @.", lambda *s: [aba(*s)[0].pivot[1]]),
            (r"gravity is \f$(@;\ @, @)\f$", lambda *s: [plane(a.AdInv(aba(*s)[0].T[1], twist(aba(*s)[0].Vdot[0])))]),
            (r"\ddot q_1 = \frac{@ + @ - @}{@} = @ ,",
             lambda *s: [rnea(*s)[1][0], -aba(*s)[0].B_hat[1][2], needed(*s)[0], aba(*s)[0].pivot[1], aba(*s)[1][0]]),
            (r"\ddot q_2 = \frac{@ - (@ + @)}{@} = @ ",
             lambda *s: [excess(*s), s[2][0], needed(*s)[1] - s[2][0], aba(*s)[0].pivot[2], aba(*s)[1][1]]),
        )

    def test_derivatives(self):
        S = a.Twist([0, 0, 1], [0, 0, 0])

        def seen(*s):
            """Twist and rate of twist of body 1, seen from body 2."""
            r = rnea(*s)[0]
            return [a.AdInv(r.T[2], twist(x[1])) for x in (r.V, r.Vdot)]

        def dV(*s):
            return -vector(a.ad(S, seen(*s)[0]))

        def dVdot(q, qd, *s):
            return -vector(a.ad(S, seen(q, qd, *s)[1])) + vector(a.ad(twist(dV(q, qd, *s)), S)) * qd[1]

        def dF(*s):
            I, V = MODEL.body(2).I.matrix(), rnea(*s)[0].V[2]
            return (I @ dVdot(*s) - vector(a.coad(twist(dV(*s)), wrench(I @ V)))
                    - vector(a.coad(twist(V), wrench(I @ dV(*s)))))

        def handed(*s):
            return dF(*s) - vector(a.coad(S, wrench(rnea(*s)[0].F[2])))

        def column(q, qd, qdd, g):
            arm = a.read_robot(str(ARM / "two_points.urdf"))
            arm.gravity = g
            return a.inverse_dynamics_derivative(a.Model(arm), a.Parameter.coordinate(1), q, qd, qdd)

        one = r"\f$(@;\ @, @)\f$ |"
        self.check(
            "derivatives",
            (r"\Ad V_1 = (@;\ @, @)\f$", lambda *s: [plane(seen(*s)[0])]),
            (r"\Ad\dot V_1 = (@;\ @, @)\f$", lambda *s: [plane(seen(*s)[1])]),
            (r"-\ad_{S_2}\Ad V_1\f$ | " + one, lambda *s: [dV(*s)[PLANE]]),
            (r"\ad_{\partial V_2}S_2\dot q_2\f$ | " + one, lambda *s: [dVdot(*s)[PLANE]]),
            (r"| \f$\partial F_2\f$ | " + one, lambda *s: [dF(*s)[PLANE]]),
            (r"\ad^*_{S_2}F_2\f$ | " + one, lambda *s: [handed(*s)[PLANE]]),
            (r"in the frame of body 1 | " + one,
             lambda *s: [plane(a.coAdInv(rnea(*s)[0].T[2], wrench(handed(*s))))]),
            (r"\partial\tau/\partial q_2 = (@, @)\f$", lambda *s: [column(*s)]),
        )

    def test_lagrange(self):
        def metric(q, *_):
            it = a.InertiaMetric(MODEL)
            it(q)
            return it

        def columns(q, qd, *_):
            """The screws of the joints, seen from the base."""
            fk = a.ForwardKinematics(MODEL)
            fk(q, qd)
            return [a.Ad(fk.pose(i), a.Twist([0, 0, 1], [0, 0, 0])) for i in (1, 2)]

        def bracket(*s):
            return a.ad(*columns(*s))

        def velocity(J, i, q, qd, *_):
            """Of the mass of body i, if the body moves with the spatial twist J."""
            fk = a.ForwardKinematics(MODEL)
            fk(q, qd)
            return (np.array(J.v) + np.cross(J.w, fk.pose(i).p + fk.pose(i).R[:, 0]))[:2]

        def mass_matrix(*s):
            return a.composite_mass_matrix(MODEL, s[0])

        def coriolis(q, qd, *_):
            return a.coriolis_matrix(MODEL, q, qd)

        def gravity(q, qd, qdd, g):
            return rnea(q, 0 * qd, 0 * qdd, g)[1]

        square, single = r"\begin{bmatrix} @ & @ \\ @ & @ \end{bmatrix}", r"\begin{bmatrix} @ \\ @ \end{bmatrix}"
        A = a.ScrewSystem(MODEL).A
        self.check(
            "lagrange",
            (r"A_1 = (@;\ @, @)\f$ and \f$A_2 = (@;\ @, @)\f$", lambda *s: [plane(x) for x in A]),
            (r"the elbow is at \f$(@, @)\f$", lambda q, *s: [[np.cos(q[0]), np.sin(q[0])]]),
            (r"J_1 = (@;\ @, @)\f$, \f$J_2 = (@;\ @, @)\f$", lambda *s: [plane(x) for x in columns(*s)]),
            (r"[J_1, J_2] = (@;\ @, @)\f$", lambda *s: [plane(bracket(*s))]),
            (r"The lower mass gets \f$(@, @)\f$", lambda *s: [velocity(columns(*s)[0], 1, *s)]),
            (r"The upper one gets \f$(@, @)\f$ from \f$J_1\f$, \f$(@, @)\f$ from \f$J_2\f$ and \f$(@, @)\f$",
             lambda *s: [velocity(J, 2, *s) for J in (*columns(*s), bracket(*s))]),
            (r"M = " + square, lambda *s: [mass_matrix(*s)]),
            (r"h = \langle[J_1,J_2], J_1\rangle = @ ,", lambda *s: [metric(*s).dm(0, 0, 1) / 2]),
            (r"e = \langle[J_1,J_2], J_2\rangle = @ ,", lambda *s: [metric(*s).dm(0, 1, 1)]),
            (r"\phi = (@, @)\f$", lambda *s: [gravity(*s)]),
            (single + " + " + square + single + " + " + single + " = " + single,
             lambda *s: [mass_matrix(*s) @ s[2], coriolis(*s), s[1], gravity(*s), rnea(*s)[1]]),
        )

    def test_skew_symmetry(self):
        def globally(q, qd, qdd, g):
            return a.GlobalMatrices(MODEL, q, qd)

        second = [8, 9, 10]  # of body 2, in the plane

        def bar(q, qd, *s):
            fk = a.ForwardKinematics(MODEL)
            fk(q, qd)
            return a.body_coriolis_matrix(MODEL.body(2).I, twist(fk.V[2]))

        def H(*s):
            return globally(*s).GS()[second]

        def Hdot(*s):
            return globally(*s).GS_rate()[second]

        def sum_of_wrenches(*s):
            return block(MODEL.body(2).I.matrix()) @ Hdot(*s) + block(bar(*s)) @ H(*s)

        def coriolis(q, qd, *_):
            return a.coriolis_matrix(MODEL, q, qd)

        cube = r"\begin{bmatrix} @ & @ & @ \\ @ & @ & @ \\ @ & @ & @ \end{bmatrix}"
        tall, square = (r"\begin{bmatrix} " + r" \\ ".join(["@ & @"] * rows) + r" \end{bmatrix}" for rows in (3, 2))
        self.check(
            "skew_symmetry",
            (r"\bar C_2 = " + cube, lambda *s: [block(bar(*s))]),
            (r", \qquad H_2 = " + tall, lambda *s: [H(*s)]),
            (r"\dot H_2 = " + tall, lambda *s: [Hdot(*s)]),
            (r"\bar C_2V_2 = (@;\ @, @)\f$", lambda *s: [block(bar(*s)) @ H(*s) @ s[1]]),
            ("H_2^{\\T}" + tall + " = " + square,
             lambda *s: [sum_of_wrenches(*s), H(*s).T @ sum_of_wrenches(*s)]),
            (r"at the rate \f$@\cdot @\f$", lambda q, qd, *s: [-np.sin(q[1]), qd[1]]),
            (r"\dot M - 2C = " + square + " - 2" + square + " = " + square,
             lambda *s: [globally(*s).Mdot(), coriolis(*s), globally(*s).Mdot() - 2 * coriolis(*s)]),
        )


if __name__ == "__main__":
    unittest.main()
