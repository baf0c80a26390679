"""Exercises of chapter 10: matrices that give the same Coriolis force, and what tells them apart."""
import numpy as np

from ..early_tools import BARS, bars, gravity_force, mass_matrix, rates
from ..exercise import Exercise
from ..late_tools import steady
from ..mistakes import Mistake, degrees_as_radians, negated, without
from ..vectors import cross, skew

# --- two joints -----------------------------------------------------------------------------------------------------


def matrix_of_two(n, part=0.5, total=1.0):
    """From the diagonal and the sum beside it, which the rate of M gives, and from the first force."""
    c11, c22 = part * n["a"], part * n["d"]
    c12 = (n["c1"] - c11 * n["r1"]) / n["r2"]
    return [[c11, c12], [total * n["b"] - c12, c22]]


def with_second_force(n, C):
    return {"C": C, "c2": C[1][0] * n["r1"] + C[1][1] * n["r2"]}


def admissible(n):
    return with_second_force(n, matrix_of_two(n))


def admissible_with(function):
    """Other entries, made of the right ones."""
    return lambda n: with_second_force(n, function(n, *np.ravel(matrix_of_two(n))))


ADMISSIBLE = Exercise(
    name="the_only_admissible_matrix", chapter="skew_symmetry", stars=1, kind="number", title="The only admissible matrix",
    text=r"""A machine has two joints, which turn at the rates \f$\dot q\f$ = (<r1>, <r2>) rad/s. At this moment the entries \f$m_{11}\f$, \f$m_{12}\f$ and
\f$m_{22}\f$ of its mass matrix change at the rates <a>, <b> and <d> kg m\f$^2\f$/s, and the velocities alone call for a torque of <c1> N m in the first joint. Find the admissible matrix \f$C\f$, of which there is only one,
and the torque that the velocities call for in the second joint.""",
    asks={"C": "the admissible Coriolis matrix, 2x2 (N m s)", "c2": "torque of the second joint (N m)"},
    hints=["That dM/dt - 2C is skew-symmetric fixes the diagonal of C, and the sum of the two entries beside it.", "The first row of C, times the rates, is the first torque."],
    draw=steady(lambda source: {"r1": source.signed(0.8, 2.4, 1), "r2": source.signed(0.9, 2.6, 1), "a": source.signed(0.6, 2.9), "b": source.signed(0.5, 2.3),
                         "d": source.signed(0.4, 1.9), "c1": source.signed(1.1, 5.8)}, admissible),
    solve=admissible,
    mistakes=[
        Mistake("half_the_rate_of_the_mass_matrix", "Half the rate of M passes the test for skew symmetry, but does not give the torque.",
                lambda n: with_second_force(n, [[n["a"] / 2, n["b"] / 2], [n["b"] / 2, n["d"] / 2]])),
        Mistake("factor_two_forgotten", "It is twice C that is subtracted from the rate of M.", lambda n: with_second_force(n, matrix_of_two(n, part=1.0, total=2.0))),
        Mistake("diagonal_not_halved", "Each entry of the diagonal is half the rate of that of M.", lambda n: with_second_force(n, matrix_of_two(n, part=1.0))),
        Mistake("symmetric", "C is not symmetric: what is given is the sum of the two entries beside the diagonal.", admissible_with(lambda n, c11, c12, c21, c22: [[c11, c12], [c12, c22]])),
        Mistake("skew_itself", "C itself was taken for skew-symmetric: dM/dt - 2C is.", admissible_with(lambda n, c11, c12, c21, c22: [[c11, c12], [-c12, c22]])),
        Mistake("zero_diagonal", "The diagonal of dM/dt - 2C is zero, not that of C.", lambda n: with_second_force(n, matrix_of_two(n, part=0.0))),
        Mistake("sum_doubled", "The two entries beside the diagonal have the sum that stands in the rate of M, not twice that.", lambda n: with_second_force(n, matrix_of_two(n, total=2.0))),
        Mistake("rates_exchanged", "The first entry of a row belongs to the first rate.",
                admissible_with(lambda n, c11, c12, c21, c22: [[c11, (n["c1"] - c11 * n["r2"]) / n["r1"]], [n["b"] - (n["c1"] - c11 * n["r2"]) / n["r1"], c22]])),
        Mistake("square_forgotten", "The first torque also has the part that belongs to the diagonal.",
                admissible_with(lambda n, c11, c12, c21, c22: [[c11, n["c1"] / n["r2"]], [n["b"] - n["c1"] / n["r2"], c22]])),
    ],
)  # fmt: skip


# --- three joints ---------------------------------------------------------------------------------------------------


def one_number(n, rates="rates"):
    """D = mu [q'], from its first number."""
    D = -n["d12"] / n[rates][2] * skew(n[rates])
    return {"d13": D[0, 2], "d23": D[1, 2], "torque": D @ n["reference"]}


def torque_of(function):
    return lambda n: {"torque": function(n, -n["d12"] / n["rates"][2])}


ONE_NUMBER = Exercise(
    name="one_number_tells", chapter="skew_symmetry", stars=1, kind="number", title="One number tells the rest",
    text=r"""Two programs compute a Coriolis matrix for the same chain of three hinges, which turn at the rates <rates> rad/s. Both matrices are admissible. In the first row, the second
entry is larger in the second program by <d12> N m s. By how much larger are the third entry of the first row, and the third entry of the second row? And by how much larger are the torques
\f$C\dot q_r\f$ of the second program, for the reference rates <reference> rad/s?""",
    asks={"d13": "excess of the entry (1,3) (N m s)", "d23": "excess of the entry (2,3) (N m s)", "torque": "excess of the three torques (N m)"},
    hints=["The difference of both matrices is skew-symmetric, and gives zero if it is multiplied by the true rates.", "A skew-symmetric matrix of three rows is a cross product with a vector. Which one?"],
    draw=lambda source: {"rates": source.vector(0.6, 2.8, 1), "d12": source.signed(0.11, 0.87), "reference": source.vector(0.5, 2.9, 1)},
    solve=one_number,
    mistakes=[
        Mistake("product_reversed", "The cross product has the true rates first and the reference rates second.", torque_of(lambda n, mu: mu * cross(n["reference"], n["rates"]))),
        Mistake("sign_of_the_first_number", "In the first row of [a] the second entry is minus the third component of a.", lambda n: one_number({**n, "d12": -n["d12"]})),
        Mistake("normal_to_the_reference", "The difference gives zero with the true rates, not with the reference rates.", lambda n: one_number(n, rates="reference")),
        Mistake("other_entries_not_scaled", "The factor was lost: the entries are those of the matrix [q'] itself.",
                lambda n: {"d13": n["rates"][1], "d23": -n["rates"][0], "torque": cross(n["rates"], n["reference"])}),
        Mistake("entries_in_the_order_of_the_rates", "The entries were given components in the order of the rates: the entry (1,3) belongs to the second of them.",
                lambda n: {"d13": -n["d12"] * n["rates"][0] / n["rates"][2], "d23": n["d12"] * n["rates"][1] / n["rates"][2]}),
        Mistake("signs_of_the_entries", "In a cross product the entries (1,3) and (2,3) have opposite signs to each other.",
                lambda n: {"d13": -one_number(n)["d13"], "d23": -one_number(n)["d23"]}),
        Mistake("inverse_of_the_factor", "The factor is the entry over the rate, not the rate over the entry.",
                lambda n: {"d13": -n["rates"][2] / n["d12"] * n["rates"][1], "d23": n["rates"][2] / n["d12"] * n["rates"][0],
                           "torque": -n["rates"][2] / n["d12"] * cross(n["rates"], n["reference"])}),
        Mistake("no_difference", "The torques agree for the true rates only.", lambda n: {"torque": [0.0] * 3}),
        Mistake("zero_beside_the_given_entry", "Not only two entries differ: a skew-symmetric matrix with a single pair of entries does not vanish on the rates.",
                lambda n: {"d13": 0.0, "d23": 0.0, "torque": n["d12"] * np.array([n["reference"][1], -n["reference"][0], 0.0])}),
    ],
)  # fmt: skip


# --- one body -------------------------------------------------------------------------------------------------------


def about_the_origin(n, sign=1.0):
    """Steiner, from the principal moments about the centre of mass."""
    r = np.array(n["r"])
    return np.diag(n["moments"]) + sign * n["m"] * (r @ r * np.eye(3) - np.outer(r, r))


def blocks(n, rotation=about_the_origin, ploen=1.0, points=0.5, momentum=-1.0):
    I_bar, w = rotation(n), np.array(n["w"])
    return {"ploen": ploen * np.trace(I_bar) * w + momentum * I_bar @ w, "points": points * np.trace(I_bar) * w + momentum * I_bar @ w}


def moments(source):
    """Of a body that can exist: the largest is smaller than the sum of the others."""
    a, b, c = (source.number(low, low + 0.2) for low in (0.11, 0.35, 0.6))
    return source.shuffled([round(x, 2) for x in (a + b, a + c, b + c)])


BLOCKS = Exercise(
    name="two_blocks_of_one_body", chapter="skew_symmetry", stars=2, kind="number", title="Two blocks of one body",
    text=r"""A body of <m> kg has its centre of mass at <r> m in its frame, and the moments of inertia <moments> kg m\f$^2\f$ about axes through the centre of mass that are parallel to
those of the frame; products of inertia about them are zero. It turns at \f$w\f$ = <w> rad/s. Find the upper left blocks of Ploen's matrix and of the matrix of the points. Both are of the form \f$[c]\f$, and the three
numbers of each \f$c\f$ are asked.""",
    asks={"ploen": "c of Ploen's block (kg m^2/s)", "points": "c of the block of the points (kg m^2/s)"},
    hints=["Both need the inertia about the origin of the frame.", "[w] A + A [w] = tr A [w] - [A w] for a symmetric A.", "The two differ by half a trace times w."],
    draw=lambda source: {"m": source.number(1.3, 3.9, 1), "r": source.vector(0.2, 0.8), "moments": moments(source), "w": source.vector(0.6, 2.8, 1)},
    solve=blocks,
    mistakes=[
        Mistake("inertia_about_the_centre_of_mass", "The inertia in these blocks is about the origin of the frame.", without(blocks, "r")),
        Mistake("steiner_subtracted", "The square of [r] is negative, so that the minus in front of it adds inertia.", lambda n: blocks(n, lambda n: about_the_origin(n, sign=-1.0))),
        Mistake("half_a_trace_in_both", "Ploen's block has the whole trace.", lambda n: blocks(n, ploen=0.5)),
        Mistake("whole_trace_in_both", "The block of the points has half the trace.", lambda n: blocks(n, points=1.0)),
        Mistake("exchanged", "The two blocks are exchanged.", lambda n: blocks(n, ploen=0.5, points=1.0)),
        Mistake("momentum_added", "The momentum has a minus.", lambda n: blocks(n, momentum=1.0)),
        Mistake("momentum_forgotten", "Besides the trace, the block has the momentum.", lambda n: blocks(n, momentum=0.0)),
        Mistake("traces_forgotten", "Only the momentum is left: the trace of the inertia is missing.", lambda n: blocks(n, ploen=0.0, points=0.0)),
        Mistake("mass_times_the_square_of_the_distance_everywhere", "Steiner's theorem also has r r^T: an axis is nearer to the centre of mass than the origin is.",
                lambda n: blocks(n, lambda n: np.diag(n["moments"]) + n["m"] * np.dot(n["r"], n["r"]) * np.eye(3))),
    ],
)  # fmt: skip


def direction(n, k):
    return np.array(n[f"a{k}"]) / n[f"n{k}"]


def moved_frame(n, factor=1.0, square=np.dot):
    """m (d_B^2 - d_A^2) a_j . (w x a_k)."""
    a = {k: direction(n, k) for k in (1, 2, 3)}
    w = sum(n[f"r{k}"] * a[k] for k in a)
    grown = factor * n["m"] * (square(n["db"], n["db"]) - square(n["da"], n["da"]))
    return {f"c{j}{k}": grown * np.dot(a[j], cross(w, a[k])) for j, k in ((1, 2), (1, 3), (2, 3))}


def distance(a, _):
    return np.linalg.norm(a)


def two_drawings(source):
    drawn = {"m": source.number(1.3, 3.9, 1)}
    for k in (1, 2, 3):
        drawn[f"a{k}"], drawn[f"n{k}"] = source.axis()
        drawn[f"r{k}"] = source.signed(0.8, 2.6, 1)
    return {**drawn, "da": source.vector(0.1, 0.6), "db": source.vector(0.3, 0.9)}


MOVED = Exercise(
    name="two_drawings_of_one_body", chapter="skew_symmetry", stars=2, kind="number", title="Two drawings of one body",
    text=r"""Three hinges carry a body of <m> kg. Along the axes of the body, the directions of the hinges are now <a1>/<n1>, <a2>/<n2> and <a3>/<n3>, all of length 1, and they turn at <r1>, <r2> and <r3> rad/s. In drawing A
the centre of mass of the body is at <da> m in its frame, in drawing B at <db> m: there the frame was put elsewhere, with the same axes. Both programs use Ploen's matrix. By how much are the entries (1,2), (1,3) and (2,3) of
\f$C\f$ larger with drawing B?""",
    asks={"c12": "excess of the entry (1,2) (N m s)", "c13": "excess of the entry (1,3) (N m s)", "c23": "excess of the entry (2,3) (N m s)"},
    hints=["The matrix of the points does not know where frames are. Ploen's has half a trace of inertia times [w] in addition.", "Of this half, the frame changes m d^2, with d the distance of the origin from the centre of mass.",
           "The body's contribution to the entry (j, k) has the direction of hinge j on the left and that of hinge k on the right."],
    draw=steady(two_drawings, moved_frame),
    solve=moved_frame,
    mistakes=[
        Mistake("whole_trace", "Ploen's matrix has half a trace more than that of the points, not a whole one.", lambda n: moved_frame(n, factor=2.0)),
        Mistake("half_of_steiner", "Half the trace of Steiner's term is m d^2, not half of that.", lambda n: moved_frame(n, factor=0.5)),
        Mistake("a_minus_b", "This is the excess of drawing A.", lambda n: moved_frame(n, factor=-1.0)),
        Mistake("distances_not_squared", "The squares of the distances count.", lambda n: moved_frame(n, square=distance)),
        Mistake("square_of_the_shift", "This has the shift of the frame: it is the squares of both distances from the centre of mass that are subtracted.",
                lambda n: moved_frame({**n, "db": np.subtract(n["db"], n["da"]), "da": [0.0] * 3})),
        Mistake("drawing_a_at_the_centre_of_mass", "In drawing A, too, the frame is not at the centre of mass.", without(moved_frame, "da")),
        Mistake("mass_forgotten", "The mass of the body is missing.", lambda n: moved_frame({**n, "m": 1.0})),
        Mistake("last_rate_alone", "The body turns with all three hinges: the entries beside the last two hinges have the first rate.", without(moved_frame, "r1", "r2")),
        Mistake("rates_not_counted", "The angular velocity is the sum of the directions times their rates.", lambda n: moved_frame({**n, "r1": 1.0, "r2": 1.0, "r3": 1.0})),
        Mistake("nothing_changes", "It is the product C q' that no drawing changes; entries of Ploen's C are changed.", lambda n: dict.fromkeys(("c12", "c13", "c23"), 0.0)),
    ],
)  # fmt: skip


# --- what a controller feeds ----------------------------------------------------------------------------------------


def fed(n, trace=0.5, turning=None, product=None):
    """Torques for the reference rates, of two families, and half of s.(dM/dt - 2C)s of the one that is not admissible."""
    J, w, reference = np.array(n["moments"]), np.array(n["w"]), np.array(n["reference"])
    turning, product = (w if turning is None else turning(w, reference)), (reference if product is None else product(w, reference))
    s = w - reference
    return {"balance": cross(turning, J * product), "christoffel": trace * J.sum() * cross(turning, product) - cross(J * turning, product),
            "power": -s @ cross(w, J * s)}  # fmt: skip


def torques_with(**changes):
    return lambda n: {name: value for name, value in fed(n, **changes).items() if name != "power"}


def power_of(function):
    return lambda n: {"power": function(*(np.array(n[name]) for name in ("moments", "w", "reference")))}


FED = Exercise(
    name="what_a_controller_feeds", chapter="skew_symmetry", stars=2, kind="number", title="What a controller feeds",
    text=r"""A camera hangs in a ball joint. About the joint it has the moments of inertia <moments> kg m\f$^2\f$, about axes of its own; products of inertia are zero. It turns at
\f$w\f$ = <w> rad/s, and a controller wants \f$w_r\f$ = <reference> rad/s, along the same axes. Find \f$C\,w_r\f$ with the matrix of the bare balance, \f$-\ad^*_VJ\f$, and with Christoffel's. At which power
\f$\tfrac12s^{\T}(\dot M - 2C)s\f$ does the first one feed the deviation \f$s\f$?""",
    asks={"balance": "C w_r with the matrix of the bare balance (N m)", "christoffel": "C w_r with Christoffel's matrix (N m)", "power": "power with the matrix of the bare balance (W)"},
    hints=["The joint has the axes of the body for its rates: M is the inertia, and constant.", "The bare balance has the block [w] J; the matrix of the points has half a trace and the momentum.", "s is the true rate minus the reference."],
    draw=steady(lambda source: {"moments": moments(source), "w": source.vector(0.6, 2.8, 1), "reference": source.vector(0.5, 2.9, 1)}, fed),
    solve=fed,
    mistakes=[
        Mistake("true_rates_everywhere", "The matrix is multiplied by the reference rates.", torques_with(product=lambda w, r: w)),
        Mistake("reference_everywhere", "The matrix is made of the true rates.", torques_with(turning=lambda w, r: r)),
        Mistake("rates_exchanged", "The true rates make the matrix, and the reference rates are multiplied by it; it was done the other way round.",
                torques_with(turning=lambda w, r: r, product=lambda w, r: w)),
        Mistake("whole_trace", "This is Ploen's matrix, and that of the bracket: Christoffel's has half the trace.", lambda n: {"christoffel": fed(n, trace=1.0)["christoffel"]}),
        Mistake("trace_forgotten", "Christoffel's matrix also has half the trace: this is the family of the momentum.", lambda n: {"christoffel": fed(n, trace=0.0)["christoffel"]}),
        Mistake("energy_of_the_true_rates", "With the true rates in place of s every matrix gives zero: that is no test.", power_of(lambda J, w, r: -w @ cross(w, J * w))),
        Mistake("power_of_the_reference", "The deviation s is the true rate minus the reference, not the reference.", power_of(lambda J, w, r: -r @ cross(w, J * r))),
        Mistake("power_with_a_plus", "C has a minus in the power.", power_of(lambda J, w, r: (w - r) @ cross(w, J * (w - r)))),
        Mistake("power_not_halved", "The factors 1/2 and 2 cancel; one was left.", power_of(lambda J, w, r: -2 * (w - r) @ cross(w, J * (w - r)))),
    ],
)  # fmt: skip


# --- a controller ---------------------------------------------------------------------------------------------------


def coriolis_matrix(n, r1, r2):
    h = n["m2"] * n["l1"] * n["l2"] / 2 * np.sin(np.radians(n["q2"]))
    return h * np.array([[-r2, -(r1 + r2)], [r1, 0.0]])


def another_matrix(n, r1, r2):
    """Right for the true rates, and not admissible."""
    h = n["m2"] * n["l1"] * n["l2"] / 2 * np.sin(np.radians(n["q2"]))
    return h * np.array([[-2 * r2, -r2], [r1, 0.0]])


def tracked(n, gravity=1.0, damping=1.0, of_rates=1.0, to_radians=np.radians, made_of=None, times=None, matrix=coriolis_matrix):
    true, plan = np.array([n["r1"], n["r2"]]), np.array([n["d1"], n["d2"]])
    reference = plan - n["rate"] * to_radians([n["e1"], n["e2"]])
    wanted = np.array([n["a1"], n["a2"]]) - of_rates * n["rate"] * (true - plan)
    s = true - reference
    C = matrix(n, *(true if made_of is None else made_of(true, reference)))
    tau = mass_matrix(n) @ wanted + C @ (reference if times is None else times(true, reference)) + gravity * gravity_force(n) - damping * n["k"] * s
    return {"s": s, "shoulder": tau[0], "elbow": tau[1]}


def tracked_with(**changes):
    return lambda n: tracked(n, **changes)


TRACKED = Exercise(
    name="torques_of_a_controller", chapter="skew_symmetry", stars=3, kind="number", title="The torques of a controller",
    text=BARS + r"""The joints turn at <r1> and <r2> rad/s. According to a plan they should turn at <d1> and <d2> rad/s now, and gain <a1> and <a2> rad/s\f$^2\f$; the angles exceed those of the plan
by <e1> and <e2> degrees. The controller is that of Slotine and Li, with the rate \f$\Lambda\f$ = <rate> 1/s and the gain \f$K\f$ = <k> N m s in both joints and with the admissible matrix. Find \f$s\f$ and the
torques that it asks for.""",
    asks={"s": "deviation from the reference rates, shoulder first (rad/s)", "shoulder": "torque of the shoulder (N m)", "elbow": "torque of the elbow (N m)"},
    hints=["First the reference rates, then their derivatives in time: those of the plan, corrected by what is ahead or behind.", "With two joints the admissible matrix is Christoffel's.", "C is made of the true rates, and multiplied by the reference rates."],
    draw=steady(lambda source: {**bars(source), **rates(source), "d1": source.signed(0.7, 2.3, 1), "d2": source.signed(0.8, 2.9, 1), "a1": source.signed(1.2, 4.8, 1), "a2": source.signed(1.3, 5.7, 1),
                         "e1": source.signed(4, 19, 0), "e2": source.signed(5, 23, 0), "rate": source.number(2.2, 6.1, 1), "k": source.number(1.2, 4.4, 1)}, tracked),
    solve=tracked,
    mistakes=[
        degrees_as_radians(tracked, "q1", "q2"),
        Mistake("errors_in_degrees", "The errors of the angles are used in degrees, although rates are in radians.", tracked_with(to_radians=np.array)),
        Mistake("away_from_the_plan", "The reference goes away from the plan: where the arm is ahead it should go slower.", negated(tracked, "e1", "e2")),
        Mistake("errors_of_the_angles_forgotten", "The reference rates are those of the plan: its angles are not sought.", without(tracked, "e1", "e2")),
        Mistake("accelerations_of_the_plan", "The reference accelerations also have the errors of the rates, since they are the derivative of the reference rates.", tracked_with(of_rates=0.0)),
        Mistake("accelerations_away_from_the_plan", "In the reference accelerations the errors of the rates have the wrong sign.", tracked_with(of_rates=-1.0)),
        Mistake("true_rates_everywhere", "C is multiplied by the true rates instead of the reference rates.", tracked_with(times=lambda true, reference: true)),
        Mistake("reference_everywhere", "C is made of the reference rates: this is inverse dynamics of the reference.", tracked_with(made_of=lambda true, reference: reference)),
        Mistake("another_coriolis_matrix", "This matrix gives the right torques for the true rates, but it is not admissible.", tracked_with(matrix=another_matrix)),
        Mistake("gravity_forgotten", "Gravity is missing.", tracked_with(gravity=0.0)),
        Mistake("pushed_on", "The term with K has the wrong sign: it drives the deviation on.", tracked_with(damping=-1.0)),
        Mistake("undamped", "The term with K is missing.", tracked_with(damping=0.0)),
    ],
)  # fmt: skip


# --- derivations ----------------------------------------------------------------------------------------------------

TRACES = Exercise(
    name="trace_and_cross_product", chapter="skew_symmetry", stars=1, kind="derive", title="A trace and a cross product",
    text=r"""Prove \f$[w]A + A[w] = \operatorname{tr}A\,[w] - [Aw]\f$ for every symmetric 3x3 matrix \f$A\f$ and every \f$w\f$. Use it to show that the matrix of the points and Ploen's matrix differ in a term
\f$t\,[w]\f$ of the upper left block, and that this term contributes nothing to the Coriolis matrix of an arm whose axes are all parallel. What does it contribute to the entry \f$(j,k)\f$ of an arm with three hinges that meet
in a point, if only the third one turns?""",
    hints=["Both sides are linear in A, and both are skew-symmetric: three numbers have to be compared. Turn the axes so that A is diagonal.", "A hinge with direction a contributes the column a to the angular part of the Jacobian.",
           "A triple product with two parallel vectors is zero."],
    solution=r"""Rotate the axes so that \f$A = \operatorname{diag}(a_1,a_2,a_3)\f$; both sides change in the same way, since \f$[Rw] = R[w]R^{\T}\f$ and the trace stays. The entry \f$(i,j)\f$ of the left side
is \f$[w]_{ij}\,a_j + a_i\,[w]_{ij} = (a_i + a_j)\,[w]_{ij}\f$. On the right, \f$[w]_{ij} = \mp w_k\f$ and \f$[Aw]_{ij} = \mp a_kw_k\f$ with the third index \f$k\f$, so that the entry is
\f$(a_1 + a_2 + a_3 - a_k)\,[w]_{ij}\f$: the same.
Ploen's block is \f$[w]\bar I + \bar I[w] = \operatorname{tr}\bar I\,[w] - [\bar Iw]\f$, that of the points is \f$\tfrac12\operatorname{tr}\bar I\,[w] - [\bar Iw]\f$. The other blocks agree. So the difference is
\f$t\,[w]\f$ with \f$t = \tfrac12\operatorname{tr}\bar I\f$.
A body adds \f$H^{\T}\bar CH\f$ to \f$C\f$. With \f$a_j\f$ for the angular half of column \f$j\f$, the difference adds \f$t\,a_j\cdot(w\times a_k)\f$. If all axes are parallel, then all three vectors are, and the triple
product is zero. A planar arm cannot tell.
If only the third hinge turns, \f$w = \dot q_3a_3\f$, and the term is \f$t\,\dot q_3\,a_j\cdot(a_3\times a_k)\f$. It is zero for \f$j = 3\f$ or \f$k = 3\f$, and \f$-t\,\dot q_3\,a_3\cdot(a_1\times a_2)\f$ for \f$(1,2)\f$, with the other sign for \f$(2,1)\f$.
So \f$D\dot q = 0\f$, as it must be: of \f$\dot q\f$ only the third number is not zero, and the third column of \f$D\f$ vanishes.""",
)  # fmt: skip

SET_POINT = Exercise(
    name="held_at_one_place", chapter="skew_symmetry", stars=2, kind="derive", title="Held at one place",
    text=r"""An arm is to come to rest at the constant place \f$q_d\f$. The controller is \f$\tau = \phi(q) - K_p(q - q_d) - K_d\,\dot q\f$ with positive definite matrices; it knows the weights, and nothing else of the
robot. Take \f$W = \tfrac12\dot q^{\T}M\dot q + \tfrac12(q - q_d)^{\T}K_p(q - q_d)\f$, and find \f$\dot W\f$. Which property of \f$C\f$ do you need: that of admissible matrices, or less? Where alone can the
arm come to rest? What happens if the weights are not known?""",
    hints=["W is an energy: that of the arm, and that of springs.", "Insert the equation of motion in the rate of the kinetic energy. One term with C remains, at the true rates.", "At rest all rates and accelerations vanish."],
    solution=r"""With \f$e = q - q_d\f$ and \f$\dot e = \dot q\f$,
\f[ \dot W = \dot q^{\T}M\ddot q + \tfrac12\dot q^{\T}\dot M\dot q + \dot q^{\T}K_pe , \qquad M\ddot q = \tau - C\dot q - \phi = -K_pe - K_d\dot q - C\dot q . \f]
Together,
\f[ \dot W = -\dot q^{\T}K_d\dot q + \tfrac12\,\dot q^{\T}(\dot M - 2C)\,\dot q = -\dot q^{\T}K_d\dot q \le 0 . \f]
The last term contains the true rates on both sides. There it is zero for *every* right \f$C\f$, because the energy of a machine changes only by the power of its motors and of gravity. So admissibility is not needed,
and the controller does not even compute a \f$C\f$. It is the multiplication by rates other than \f$\dot q\f$ that needs more.
\f$W\f$ falls as long as anything moves. If the arm stays at rest, \f$\dot q = 0\f$ and \f$\ddot q = 0\f$, and the equation of motion says \f$K_pe = 0\f$, hence \f$e = 0\f$. (That it cannot creep towards any other place is LaSalle's theorem:
motions tend to the largest set in which \f$\dot W = 0\f$ holds all the time.)
With wrong weights \f$\hat\phi\f$ the arm rests where \f$K_pe = \hat\phi(q) - \phi(q)\f$. It sags like a weight on a spring, less with a stiffer \f$K_p\f$.""",
)  # fmt: skip

EXERCISES = [ADMISSIBLE, ONE_NUMBER, BLOCKS, MOVED, FED, TRACKED, TRACES, SET_POINT]
