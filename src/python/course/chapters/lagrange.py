"""Exercises of chapter 09: inner products of screws, and their brackets."""
import math

import numpy as np

from ..early_tools import BARS, bars, mass_matrix
from ..exercise import Exercise
from ..late_tools import steady
from ..mistakes import Mistake, degrees_as_radians, negated, without
from ..vectors import Ad, cross, turn_z

Z = np.array([0.0, 0.0, 1.0])


def hinge(direction, point):
    """The screw of a line."""
    return np.array(direction, dtype=float), cross(point, direction)


def bracket(A, B):
    return cross(A[0], B[0]), cross(A[0], B[1]) + cross(A[1], B[0])


def velocity(A, point):
    return A[1] + cross(A[0], point)


# --- a screw that is carried ----------------------------------------------------------------------------------------


def second_axis(n):
    return np.array(n["d2"]) / n["length"]


def screws(n, turned=True, line=hinge, of_two=bracket):
    R, p = turn_z(math.radians(n["x1"])), np.array(n["p1"])
    J1, J2 = line(Z, p), line(second_axis(n), n["p2"])
    J2 = Ad((R, p - R @ p), J2) if turned else J2
    w, v = of_two(J1, J2)
    return {"w": J2[0], "v": J2[1], "bracket_w": w, "bracket_v": v}


def about_the_origin(n):
    """The first hinge is taken to turn everything about the z axis of the base."""
    R, J1 = turn_z(math.radians(n["x1"])), hinge(Z, n["p1"])
    J2 = Ad((R, np.zeros(3)), hinge(second_axis(n), n["p2"]))
    w, v = bracket(J1, J2)
    return {"v": J2[1], "bracket_v": v}


def turned_alone(n):
    """The direction is turned, and the line still goes through its point on the photograph."""
    J1 = hinge(Z, n["p1"])
    J2 = hinge(turn_z(math.radians(n["x1"])) @ second_axis(n), n["p2"])
    return {"v": J2[1], "bracket_v": bracket(J1, J2)[1]}


def reversed_moment(a, p):
    return np.array(a, dtype=float), cross(a, p)


def half_a_bracket(A, B):
    return cross(A[0], B[0]), cross(A[0], B[1])


def bracket_with_a_plus(A, B):
    return cross(A[0], B[0]), cross(A[0], B[1]) + cross(B[0], A[1])


def photograph(source):
    d2, length = source.axis()
    return {"p1": source.vector(0.2, 0.9), "d2": d2, "length": length, "p2": source.vector(0.3, 1.2), "x1": source.signed(24, 66, 0)}


SCREWS = Exercise(
    name="screws_of_a_photograph", chapter="lagrange", stars=2, kind="number", title="A screw that is carried",
    text=r"""On the photograph of an arm in its zero position, the first hinge goes along z through the point <p1> m of the base. The second one goes along
<d2>/<length>, which has the length 1, through the point <p2> m. Now the first hinge stands at <x1> degrees. What is the screw \f$J_2\f$ of the second hinge now, seen
from the base? And the bracket \f$[J_1, J_2]\f$?""",
    asks={"w": "angular half of J_2", "v": "linear half of J_2 (m)", "bracket_w": "angular half of [J_1, J_2]", "bracket_v": "linear half of [J_1, J_2] (m)"},
    hints=["The screw on the photograph is made of a direction and a moment, (a; p x a).", "The first hinge carries the second one along: J_2 is Ad of exp(A_1 x_1) times A_2, and J_1 stays.",
           "The pose exp(A_1 x_1) leaves the points of the first line where they are."],
    draw=steady(photograph, screws),
    solve=screws,
    mistakes=[
        degrees_as_radians(screws, "x1"),
        Mistake("still_on_the_photograph", "This is the screw on the photograph: the first hinge has carried it along since.", lambda n: screws(n, turned=False)),
        Mistake("carried_the_wrong_way", "The first hinge was turned the other way: the exponential goes forward.", negated(screws, "x1")),
        Mistake("moment_reversed", "The moment of a line is p x a, in this order.", lambda n: screws(n, line=reversed_moment)),
        Mistake("turned_about_the_origin", "The first hinge does not go through the origin of the base.", about_the_origin),
        Mistake("line_not_moved", "The direction was turned, but the line still goes through its point on the photograph.", turned_alone),
        Mistake("bracket_reversed", "The bracket has the other order.", lambda n: screws(n, of_two=lambda A, B: bracket(B, A))),
        Mistake("half_a_bracket", "The linear half of a bracket has two terms, one with the linear half of each screw.", lambda n: screws(n, of_two=half_a_bracket)),
        Mistake("sum_in_the_bracket", "In the linear half the second term is subtracted: w_1 x v_2 - w_2 x v_1.", lambda n: screws(n, of_two=bracket_with_a_plus)),
    ],
)  # fmt: skip


# --- two skew hinges ------------------------------------------------------------------------------------------------

SKEW = r"""An arm has two hinges. Now the first one is along z through the origin of the base, and the second one along the x axis of the base, through the point <p> m. On the
first link sits a weight of <m1> kg at <r1> m, on the second one a weight of <m2> kg at <r2> m; both are small enough to count as points, and the links have no other mass. All
points are given in the base, where they are now. """


def skew(source):
    return {"p": source.vector(0.2, 0.8), "m1": source.number(1.2, 3.8, 1), "r1": source.vector(0.2, 0.7), "m2": source.number(1.1, 3.1, 1), "r2": source.vector(0.4, 1.3)}


def both_screws(n):
    return hinge(Z, np.zeros(3)), hinge([1.0, 0.0, 0.0], n["p"])


def metric(n, product=np.dot):
    J1, J2 = both_screws(n)
    of_first, a, b = velocity(J1, n["r1"]), velocity(J1, n["r2"]), velocity(J2, n["r2"])
    return {"m11": n["m1"] * of_first @ of_first + n["m2"] * a @ a, "m12": n["m2"] * product(a, b), "m22": n["m2"] * b @ b}


def counted_for_both(n):
    """The weight of the first link is let move by the second hinge, too."""
    J1, J2 = both_screws(n)
    a, b = velocity(J1, n["r1"]), velocity(J2, n["r1"])
    right = metric(n)
    return {"m12": right["m12"] + n["m1"] * a @ b, "m22": right["m22"] + n["m1"] * b @ b}


def through_the_origin(n):
    b = velocity(hinge([1.0, 0.0, 0.0], np.zeros(3)), n["r2"])
    return {"m12": n["m2"] * velocity(both_screws(n)[0], n["r2"]) @ b, "m22": n["m2"] * b @ b}


def levers(n):
    """Distances from points instead of from lines."""
    far, near = np.array(n["r2"]), np.array(n["r2"]) - n["p"]
    return {"m11": n["m1"] * np.dot(n["r1"], n["r1"]) + n["m2"] * far @ far, "m22": n["m2"] * near @ near}


METRIC = Exercise(
    name="three_entries", chapter="lagrange", stars=2, kind="number", title="Three entries of a mass matrix",
    text=SKEW + r"""What are the entries of its mass matrix?""",
    asks={"m11": "the entry of the first hinge (kg m^2)", "m12": "the mixed entry (kg m^2)", "m22": "the entry of the second hinge (kg m^2)"},
    hints=["Each entry is an inner product of two screws, over the bodies that both of them carry.", "Of points it is a sum of masses times the scalar products of two velocities."],
    draw=steady(skew, metric),
    solve=metric,
    mistakes=[
        Mistake("first_weight_forgotten", "The first hinge carries both weights.", without(metric, "m1")),
        Mistake("first_weight_behind_the_second_hinge", "The second hinge does not move what is on the first link: the inner product is over what both screws carry.", counted_for_both),
        Mistake("second_weight_not_carried_by_the_first", "The first hinge carries the second link, too.",
                lambda n: {"m11": metric(n)["m11"] - n["m2"] * np.sum(velocity(both_screws(n)[0], n["r2"]) ** 2)}),
        Mistake("second_hinge_through_the_origin", "The second hinge does not go through the origin: its screw has a moment.", through_the_origin),
        Mistake("distances_from_points", "The lever of a weight is its distance from the line, not from a point on it.", levers),
        Mistake("lengths_instead_of_a_scalar_product", "The velocities that two screws give to a point have different directions: their scalar product is needed, not the product of their lengths.",
                lambda n: {"m12": metric(n, product=lambda a, b: np.linalg.norm(a) * np.linalg.norm(b))["m12"]}),
        Mistake("mixed_entry_negative", "The mixed entry has the wrong sign.", lambda n: {"m12": -metric(n)["m12"]}),
        Mistake("mixed_entry_of_orthogonal_axes", "That the axes are at right angles does not make the mixed entry zero: the velocities of the weight count.", lambda n: {"m12": 0.0}),
        Mistake("mixed_entry_doubled", "In the energy the mixed entry occurs twice, which is why it is not doubled itself.", lambda n: {"m12": 2 * metric(n)["m12"]}),
    ],
)  # fmt: skip


def two_numbers(n, swapped=False, lines=1.0):
    """Park 61 and 62, of the second weight alone."""
    J1, J2 = both_screws(n)
    w, v = bracket(J2, J1) if swapped else bracket(J1, J2)
    of_bracket = v + lines * cross(w, n["r2"])
    return n["m2"] * of_bracket @ velocity(J1, n["r2"]), n["m2"] * of_bracket @ velocity(J2, n["r2"])


def with_torques(n, h, e, function=None):
    """And the forces that they make; in print c_21 has the other sign, and the others a rate too many."""
    x1, x2 = n["rate1"], n["rate2"]
    C = np.array([[h * x2, h * x1 + e * x2], [-h * x1, 0.0]]) if function is None else np.array(function(h, e, x1, x2))
    return {"h": h, "e": e, "tau": C @ [x1, x2]}


def coriolis(n):
    return with_torques(n, *two_numbers(n))


def coriolis_with(function):
    return lambda n: {"tau": with_torques(n, *two_numbers(n), function)["tau"]}


def first_weight_in_the_bracket(n):
    """As if the second hinge moved it."""
    of_first = two_numbers({**n, "m2": n["m1"], "r2": n["r1"]})
    return with_torques(n, *(a + b for a, b in zip(two_numbers(n), of_first)))


CORIOLIS = Exercise(
    name="two_numbers_of_coriolis", chapter="lagrange", stars=3, kind="number", title="Two numbers for all Coriolis forces",
    text=SKEW + r"""Its hinges turn at \f$\dot x\f$ = (<rate1>, <rate2>) rad/s. Find \f$h = \tfrac12\,\partial m_{11}/\partial x_2\f$ and \f$e = \partial m_{12}/\partial x_2\f$ from the bracket of
both screws, and the torques \f$C\dot x\f$.""",
    asks={"h": "half the derivative of m_11 with respect to x_2 (kg m^2)", "e": "derivative of m_12 with respect to x_2 (kg m^2)", "tau": "torques of the velocities, first and second hinge (N m)"},
    hints=["Only bodies that both hinges carry see anything of the bracket.", "h is the inner product of the bracket [J_1, J_2] with J_1, and e that with J_2.", "The bracket is a twist, too, and gives the weight a velocity: v + w x r."],
    draw=steady(lambda source: {**skew(source), "rate1": source.signed(0.9, 2.8, 1), "rate2": source.signed(1.1, 3.3, 1)}, coriolis),
    solve=coriolis,
    mistakes=[
        Mistake("half_forgotten", "The factor 1/2 of h is missing.", lambda n: with_torques(n, 2 * two_numbers(n)[0], two_numbers(n)[1])),
        Mistake("bracket_reversed", "The bracket has the other order.", lambda n: with_torques(n, *two_numbers(n, swapped=True))),
        Mistake("angular_half_of_the_bracket_forgotten", "The bracket has an angular half as well, which moves the weight.", lambda n: with_torques(n, *two_numbers(n, lines=0.0))),
        Mistake("first_weight_sees_the_bracket", "The weight on the first link is not moved by the second hinge.", first_weight_in_the_bracket),
        Mistake("h_and_e_exchanged", "h is the product of the bracket with the first screw, e that with the second.", lambda n: with_torques(n, *reversed(two_numbers(n)))),
        Mistake("sign_of_the_second_row", "The second torque has a minus, which is lost in the printed paper.", coriolis_with(lambda h, e, x1, x2: [[h * x2, h * x1 + e * x2], [h * x1, 0.0]])),
        Mistake("second_derivative_forgotten", "The change of the mixed entry makes a force at the first hinge, too.", coriolis_with(lambda h, e, x1, x2: [[h * x2, h * x1], [-h * x1, 0.0]])),
        Mistake("change_of_the_mass_matrix_alone", "This is the rate of M times the rates: the derivative of the kinetic energy with respect to the coordinates is missing.",
                coriolis_with(lambda h, e, x1, x2: [[2 * h * x2, e * x2], [e * x2, 0.0]])),
        Mistake("half_of_the_change_of_the_mass_matrix", "Half the rate of M is no Coriolis matrix.", coriolis_with(lambda h, e, x1, x2: [[h * x2, e / 2 * x2], [e / 2 * x2, 0.0]])),
        Mistake("force_on_the_first_hinge_halved", "Of the product of both rates there are two terms.", coriolis_with(lambda h, e, x1, x2: [[0.0, h * x1 + e * x2], [-h * x1, 0.0]])),
    ],
)  # fmt: skip


# --- Christoffel symbols of three hinges ----------------------------------------------------------------------------


def three_screws(n):
    return hinge(Z, np.zeros(3)), hinge([1.0, 0.0, 0.0], n["p2"]), hinge([0.0, 1.0, 0.0], n["p3"])


def symbol(n, i, j, k, order=1.0, terms=(1.0, 1.0, 1.0), factor=0.5):
    """Of joints from 1, with i before j; the coefficients are 1 if the formula is right."""
    J = three_screws(n)
    i, j, k = (J[index - 1] for index in (i, j, k))
    moved = [(bracket(k, i), j), (bracket(k, j), i), (tuple(order * x for x in bracket(i, j)), k)]
    return factor * n["m"] * sum(term * velocity(A, n["r"]) @ velocity(B, n["r"]) for term, (A, B) in zip(terms, moved))


def symbols_with(function=symbol, **changes):
    return lambda n: {f"g{i}{j}{k}": function(n, i, j, k, **changes) for i, j, k in ((1, 2, 3), (1, 3, 2), (2, 3, 1))}


def as_printed(n, i, j, k):
    """The sum and the half apply to the first term only."""
    first, others = ((symbol(n, i, j, k, terms=terms) for terms in ((1.0, 0.0, 0.0), (0.0, 1.0, 1.0))))
    return first + 2 * others


def upper_case_for_all(n, i, j, k):
    """Park 55 where k lies behind i: there the bracket sees the screws on the wrong side."""
    return symbol(n, i, j, k, terms=(1.0 if k < i else 0.0, 1.0 if k < j else 0.0, 1.0))


def row_first(n, i, j, k):
    """Of the three indices the row is taken to be the first."""
    a, b = sorted((j, k))
    return symbol(n, a, b, i)


symbols = symbols_with()

CHRISTOFFEL = Exercise(
    name="symbols_of_three_hinges", chapter="lagrange", stars=3, kind="number", title="Symbols of three hinges",
    text=r"""A chain has three hinges. Now the first is along z through the origin of the base, the second along the x axis of the base through <p2> m, the third along its y axis
through <p3> m. The links have no mass, but on the last one sits a weight of <m> kg, at <r> m, small enough to count as a point. All points are given in the base. Find the three Christoffel
symbols \f$\Gamma_{ijk}\f$ whose indices all differ, in Park's order, where the last index is the row of the equation of motion.""",
    asks={"g123": "Gamma_123 (kg m^2)", "g132": "Gamma_132 (kg m^2)", "g231": "Gamma_231 (kg m^2)"},
    hints=["Three brackets, three inner products, and one half of their sum, with i the smaller one of the first two.", "All three screws carry the weight, so that each inner product is its mass times a scalar product of two velocities.",
           "Check: the weight has a second derivative of its position, and the symbols are its products with the first ones."],
    draw=steady(lambda source: {"p2": source.vector(0.2, 0.8), "p3": source.vector(0.3, 1.1), "m": source.number(1.2, 3.6, 1), "r": source.vector(0.4, 1.4)}, symbols),
    solve=symbols,
    mistakes=[
        Mistake("half_forgotten", "The factor 1/2 is missing.", symbols_with(factor=1.0)),
        Mistake("half_of_the_first_term_only", "The factor 1/2 applies to all three terms; in print it stands before the first.", symbols_with(as_printed)),
        Mistake("larger_index_first", "In the last term the bracket is that of the smaller and the larger index, in this order.", symbols_with(order=-1.0)),
        Mistake("row_as_the_first_index", "The row was taken to be the first index, as in another paper.", symbols_with(row_first)),
        Mistake("one_case_for_all", "The first of the three cases was taken for all: brackets of screws in the frame of a link vanish there if the row lies behind.", symbols_with(upper_case_for_all)),
        Mistake("last_term_forgotten", "The bracket of the two lower indices is missing.", symbols_with(terms=(1.0, 1.0, 0.0))),
        Mistake("third_term_alone", "Two of three terms are missing.", symbols_with(terms=(0.0, 0.0, 1.0))),
        Mistake("brackets_of_the_other_order", "The first two brackets have the row first.", symbols_with(terms=(-1.0, -1.0, 1.0))),
    ],
)  # fmt: skip


# --- curvature ------------------------------------------------------------------------------------------------------


def constants(n):
    """a, b and d of the mass matrix of two hinges with parallel axes."""
    d = n["m2"] * n["l2"] ** 2 / 3
    return n["m1"] * n["l1"] ** 2 / 3 + n["m2"] * n["l1"] ** 2 + d, n["m2"] * n["l1"] * n["l2"] / 2, d


def of_arm(n, cosine):
    a, b, d = constants(n)
    return b * ((a - d) * d - b**2) * cosine / ((a - d) * d - b**2 * cosine**2) ** 2


def meeting(n, K, square=None):
    """A quarter of an oscillation; the square of the speed is twice the energy of the stretched arm."""
    square = square or mass_matrix({**n, "q2": 0.0})[0, 0] * n["rate"] ** 2
    return math.pi / 2 / math.sqrt(square * K)


def curvature(n):
    return {"K": of_arm(n, math.cos(math.radians(n["q2"]))), "t": meeting(n, of_arm(n, 1.0))}


def of_two_points(n):
    """Bars without mass, with weights at their ends."""
    a, b, d = n["m1"] * n["l1"] ** 2 + n["m2"] * (n["l1"] ** 2 + n["l2"] ** 2), n["m2"] * n["l1"] * n["l2"], n["m2"] * n["l2"] ** 2
    c, free = math.cos(math.radians(n["q2"])), (a - d) * d
    return {"K": b * (free - b**2) * c / (free - b**2 * c**2) ** 2, "t": math.pi / 2 / math.sqrt((a + 2 * b) * n["rate"] ** 2 * b / (free - b**2))}


def with_K(function):
    return lambda n: {"K": function(*constants(n), math.cos(math.radians(n["q2"])))}


def with_t(function):
    return lambda n: {"t": function(n)}


CURVATURE = Exercise(
    name="where_neighbours_meet", chapter="lagrange", stars=2, kind="number", title="Where neighbours meet",
    text=r"""Two uniform bars lie on a smooth table. The first, of <l1> m and <m1> kg, is hinged to the table at its end; the second, of <l2> m and <m2> kg, is hinged to
the other end of the first. Nothing drives them, and nothing rubs. How curved is the surface on which the arm moves, where the elbow stands at <q2> degrees from the stretched arm? Now the arm is
stretched, and turns as a whole at <rate> rad/s. A second arm starts at the same time, with its elbow bent by very little, and with the same rates. After which time are their elbows at the
same angle for the first time?""",
    asks={"K": "the curvature at this angle (1/(kg m^2))", "t": "the time of the first meeting (s)"},
    hints=["The mass matrix has three constants, a, b and d.", "The chapter has the curvature of two hinges with parallel axes in closed form.", "Jacobi's equation has a distance that oscillates like a cosine, if both start with the same rates."],
    draw=lambda source: {**{name: value for name, value in bars(source).items() if name != "q1"}, "q2": source.signed(21, 71, 0), "rate": source.signed(0.8, 2.7, 1)},
    solve=curvature,
    mistakes=[
        degrees_as_radians(curvature, "q2"),
        Mistake("masses_at_the_ends", "The bars are uniform: their masses are not at their ends.", of_two_points),
        Mistake("half_an_oscillation", "They start side by side, not together: they meet after a quarter of an oscillation.", with_t(lambda n: 2 * curvature(n)["t"])),
        Mistake("energy_not_doubled", "Jacobi's equation has twice the energy.", with_t(lambda n: meeting(n, of_arm(n, 1.0) / 2))),
        Mistake("rate_instead_of_the_speed", "The speed on the surface is the root of twice the energy, not the rate of the shoulder.", with_t(lambda n: meeting(n, of_arm(n, 1.0), square=n["rate"] ** 2))),
        Mistake("curvature_of_the_bent_arm", "Where they meet the arm is stretched: the curvature of the bent arm was used.",
                with_t(lambda n: meeting(n, of_arm(n, math.cos(math.radians(n["q2"])))))),
        Mistake("denominator_not_squared", "The determinant of the mass matrix has to be squared.", with_K(lambda a, b, d, c: b * ((a - d) * d - b**2) * c / ((a - d) * d - b**2 * c**2))),
        Mistake("cosine_missing_below", "The determinant depends on the angle, too.", with_K(lambda a, b, d, c: b * c / ((a - d) * d - b**2))),
        Mistake("cosine_missing_above", "Above, there is a cosine as a factor: at a right angle the curvature is zero.", with_K(lambda a, b, d, c: b * ((a - d) * d - b**2) / ((a - d) * d - b**2 * c**2) ** 2)),
        Mistake("d_not_subtracted", "In this mass matrix a contains d, which has to be subtracted.", with_K(lambda a, b, d, c: b * (a * d - b**2) * c / (a * d - b**2 * c**2) ** 2)),
        Mistake("determinant_above", "Above stands the determinant of the stretched arm.", with_K(lambda a, b, d, c: b * c / ((a - d) * d - b**2 * c**2))),
        Mistake("one_over_the_determinant", "This is one over the determinant, or over its root: the formula has more in it.", with_K(lambda a, b, d, c: 1 / ((a - d) * d - b**2 * c**2))),
    ],
)  # fmt: skip


# --- derivations ----------------------------------------------------------------------------------------------------

TURNTABLE = Exercise(
    name="slider_on_a_turntable", chapter="lagrange", stars=2, kind="derive", title="A slider on a turntable",
    text=r"""A turntable has the inertia \f$j\f$ about its vertical axis. A slider of mass \f$m\f$ moves along a straight groove through the axis, at the distance \f$r\f$ from it. Find the mass
matrix for \f$x = (\alpha, r)\f$, all Christoffel symbols of the first kind, the equations of motion, and the curvature, by the formula
\f$K = -\frac1{2\sqrt\Delta}\frac{d}{dx_2}\frac{m_{11}'}{\sqrt\Delta}\f$ of the chapter. For which \f$j\f$ is the surface flat, and why? Do neighbours part or meet?""",
    hints=["The mass matrix is diagonal, and one of its entries depends on r.", "Which of the derivatives of m_ij are not zero?", "Without a turntable there is a point in a plane."],
    solution=r"""The turntable and the slider turn at \f$\dot\alpha\f$, and the slider moves along the groove at right angles to that. So
\f$T = \tfrac12(j + mr^2)\,\dot\alpha^2 + \tfrac12m\dot r^2\f$ and \f$M = \operatorname{diag}(j + mr^2,\ m)\f$.
Only \f$\partial m_{11}/\partial x_2 = 2mr\f$ is not zero. By \eq{park,52} \f$\Gamma_{121} = \Gamma_{211} = mr\f$ and \f$\Gamma_{112} = -mr\f$; all others vanish. With them \eq{park,29} is
\f[ \tau_1 = (j + mr^2)\,\ddot\alpha + 2mr\,\dot r\dot\alpha , \qquad \tau_2 = m\ddot r - mr\,\dot\alpha^2 , \f]
with Coriolis' force in the first equation and the centrifugal force in the second.
For the curvature write \f$u = j + mr^2\f$, so that \f$\Delta = mu\f$ and \f$m_{11}' = 2mr\f$. Then
\f[ \frac{m_{11}'}{\sqrt\Delta} = 2\sqrt m\,\frac{r}{\sqrt u} , \qquad \frac{d}{dr}\frac r{\sqrt u} = \frac1{\sqrt u} - \frac{mr^2}{u^{3/2}} = \frac{j}{u^{3/2}} , \qquad
K = -\frac1{2\sqrt{mu}}\,2\sqrt m\,\frac{j}{u^{3/2}} = -\frac{j}{(j + mr^2)^2} . \f]
It is negative for every \f$j > 0\f$: neighbours part everywhere, most of all at the axis. For \f$j = 0\f$ the surface is flat. What moves is then a point in a plane, \f$\alpha\f$ and \f$r\f$ are its polar
coordinates, and in Cartesian ones \f$M = m\,\mathbf 1\f$ is constant. The Coriolis forces do not vanish with the curvature: they belong to the coordinates.""",
)  # fmt: skip

SKATER = Exercise(
    name="why_a_bent_arm_turns_faster", chapter="lagrange", stars=1, kind="derive", title="Why a bent arm turns faster",
    text=r"""An arm whose base is at rest has no gravity, and nothing drives its first joint. Show with the rule of section *Three cases are one* that no entry of \f$M\f$ depends on \f$x_1\f$, and
conclude from Lagrange's equations that \f$p_1 = \sum_jm_{1j}\dot x_j\f$ is constant. The arm of two points (massless bars of 1 m, 1 kg at the end of each) turns stretched at \f$\omega\f$; then its elbow is
bent by a right angle and stopped. How fast does it turn now? By how much has the kinetic energy changed, and who supplied it?""",
    hints=["The rule speaks of the screws of earlier coordinates. Which are earlier than the first one?", "Which derivatives stand in the first of Lagrange's equations?", "At both ends the second rate is zero."],
    solution=r"""Coordinate \f$k\f$ adds \f$[J_i, J_k]\f$ to the screw \f$J_i\f$ of an *earlier* coordinate, and nothing to that of a later one. Before the first there is none: the bodies see no screw change. So
\f$\partial m_{ij}/\partial x_1 = 0\f$ for all \f$i\f$ and \f$j\f$. In plain words, the first joint turns the arm as a whole, which does not change what the energy is made of.
The first of Lagrange's equations is \f$\frac{d}{dt}\frac{\partial T}{\partial\dot x_1} - \frac{\partial T}{\partial x_1} + \frac{\partial U}{\partial x_1} = \tau_1\f$. Here \f$\tau_1 = 0\f$ and \f$U = 0\f$, and
\f$\partial T/\partial x_1 = \tfrac12\sum_{i,j}\partial_1m_{ij}\,\dot x_i\dot x_j = 0\f$. What remains says that \f$\partial T/\partial\dot x_1 = p_1\f$ is constant.
For the arm \f$m_{11} = 3 + 2\cos x_2\f$: 5 kg m² stretched, 3 at the right angle. The elbow is at rest before and after, so \f$5\,\omega = 3\,\omega'\f$, and
\f[ \omega' = \tfrac53\,\omega , \qquad T' - T = \tfrac12\cdot3\cdot\tfrac{25}9\,\omega^2 - \tfrac12\cdot5\,\omega^2 = \tfrac53\,\omega^2 . \f]
The shoulder has no motor. It was the elbow that worked, against the centrifugal force, which wants it stretched. That is the skater who pulls in her arms. And it feels lighter: the same torque accelerates it 5/3 times as much, if
the elbow is held.""",
)  # fmt: skip

EXERCISES = [SCREWS, METRIC, CORIOLIS, CHRISTOFFEL, CURVATURE, TURNTABLE, SKATER]
