"""Exercises of chapter 08: by how much torques and motions change, exactly."""
import math

import numpy as np

from ..early_tools import BARS, G, angles, bars, bias, gravity_force, mass_matrix, rates
from ..exercise import Exercise
from ..mistakes import Mistake, degrees_as_radians, without
from ..vectors import Ad, cross, inverse, turn_z

# --- gravity is a spring --------------------------------------------------------------------------------------------


def stiffness_of(n, second=None):
    """Derivatives of the gravity forces; both bars sink or rise with the shoulder, one with the elbow."""
    a, b = angles(n)
    b = b if second is None else second(n)
    far = -n["m2"] * G * n["l2"] / 2 * math.sin(b)
    near = -(n["m1"] / 2 + n["m2"]) * G * n["l1"] * math.sin(a)
    return np.array([[near + far, far], [far, far]])


def stiffness(n):
    return {"K": stiffness_of(n)}


def of_stiffness(function):
    return lambda n: {"K": function(stiffness_of(n))}


def stiffness_by_cosines(n):
    """The gravity forces once more, undifferentiated."""
    first, second = gravity_force(n)
    return {"K": [[first, second], [second, second]]}


STIFFNESS = Exercise(
    name="stiffness_of_gravity", chapter="derivatives", stars=1, kind="number", title="Gravity as a spring",
    text=BARS + r"""The arm is at rest, held by its motors. What is \f$\partial\tau/\partial q\f$, a matrix with a row for each torque and a column for each
angle, shoulder first?""",
    asks={"K": "derivative of the torques with respect to the angles, 2x2 (N m/rad)"},
    hints=["At rest the torques are the gravity forces.", "Turning the shoulder turns both bars; bending the elbow turns the second one."],
    draw=bars,
    solve=stiffness,
    mistakes=[
        degrees_as_radians(stiffness, "q1", "q2"),
        Mistake("derivative_of_a_cosine", "The derivative of a cosine is minus a sine.", of_stiffness(lambda K: -K)),
        Mistake("torques_instead_of_derivatives", "These are the torques themselves: the cosines were not differentiated.", stiffness_by_cosines),
        Mistake("angle_to_the_first_bar", "The angle of the second bar to the horizontal is the sum of both.",
                lambda n: {"K": stiffness_of(n, second=lambda n: math.radians(n["q2"]))}),
        Mistake("no_coupling", "Each torque depends on both angles.", of_stiffness(lambda K: np.diag(np.diag(K)))),
        Mistake("elbow_deaf_to_the_shoulder", "If the shoulder turns, the second bar turns as well, and its elbow feels gravity from another side.",
                of_stiffness(lambda K: np.array([[K[0, 0], K[0, 1]], [0.0, K[1, 1]]]))),
        Mistake("shoulder_deaf_to_the_elbow", "If the elbow bends, the shoulder carries the second bar at another lever.",
                of_stiffness(lambda K: np.array([[K[0, 0], 0.0], [K[1, 0], K[1, 1]]]))),
        Mistake("second_bar_not_turned_by_the_shoulder", "Turning the shoulder also turns the second bar.",
                of_stiffness(lambda K: np.array([[K[0, 0] - K[1, 1], K[0, 1]], [K[1, 0], K[1, 1]]]))),
    ],
)  # fmt: skip


# --- rates ----------------------------------------------------------------------------------------------------------


def by_rates(n, cosine=False):
    q = math.radians(n["q2"])
    h = n["m2"] * n["l1"] * n["l2"] / 2 * (math.cos(q) if cosine else math.sin(q))
    r1, r2 = n["r1"], n["r2"]
    return {"D": h * np.array([[-2 * r2, -2 * (r1 + r2)], [2 * r1, 0.0]])}


def of_rates(function):
    return lambda n: {"D": function(by_rates(n)["D"], n)}


BY_RATES = Exercise(
    name="torques_and_rates", chapter="derivatives", stars=2, kind="number", title="How torques depend on rates",
    text=BARS + r"""The joints turn at <r1> and <r2> rad/s. What is \f$\partial\tau/\partial\dot q\f$, a matrix with a row for each torque and a column for each
rate, shoulder first? Angles and accelerations are held.""",
    asks={"D": "derivative of the torques with respect to the rates, 2x2 (N m s/rad)"},
    hints=["Only the velocity terms of the torques depend on the rates.", "They are a common factor times products of two rates: differentiate each product with both factors."],
    draw=lambda source: {**bars(source), **rates(source)},
    solve=by_rates,
    mistakes=[
        degrees_as_radians(by_rates, "q2"),
        Mistake("coriolis_matrix", "This is a Coriolis matrix, which times the rates gives the velocity terms: their derivative is twice that.", of_rates(lambda D, n: D / 2)),
        Mistake("other_sign", "Every sign is the opposite: the velocity terms contain the derivative of a cosine.", of_rates(lambda D, n: -D)),
        Mistake("cosine_instead_of_sine", "The velocity terms come from the change of the mass matrix: its cosine is differentiated.", lambda n: by_rates(n, cosine=True)),
        Mistake("square_not_doubled", "The square of a rate has twice that rate as its derivative.",
                of_rates(lambda D, n: np.array([[D[0, 0], D[0, 1] - D[0, 0] / 2], [D[1, 0] / 2, 0.0]]))),
        Mistake("coriolis_term_forgotten", "The product of both rates depends on each of them: only the squares were differentiated.",
                of_rates(lambda D, n: np.array([[0.0, D[0, 0]], [D[1, 0], 0.0]]))),
        Mistake("product_differentiated_once", "The product of both rates also depends on the second one.",
                of_rates(lambda D, n: np.array([[D[0, 0], D[0, 0]], [D[1, 0], 0.0]]))),
        Mistake("elbow_forgotten", "The elbow feels the rate of the shoulder, too.", of_rates(lambda D, n: np.array([D[0], [0.0, 0.0]]))),
        Mistake("rate_of_the_second_bar", "The second rate is that of the elbow, not of the second bar in the room.",
                lambda n: by_rates({**n, "r2": n["r2"] - n["r1"]})),
    ],
)  # fmt: skip


# --- a step of the table --------------------------------------------------------------------------------------------


def displaced(n, tilted=1.0, carried=1.0, bracket=1.0, in_parent=False, frame_changed=True):
    """The first two lines of Table 5 where the coordinate of the joint itself grows."""
    T = (turn_z(math.radians(n["q"])), np.array(n["p"]))
    to_child = inverse(T) if frame_changed else (np.eye(3), np.zeros(3))
    h = (np.array([0.0, 0.0, 1.0]), np.zeros(3))
    h = Ad(T, h) if in_parent else h
    turn = np.array([0.0, 0.0, n["rate"]])
    V, Vdot = Ad(to_child, (n["w"], n["v"])), Ad(to_child, (n["w_rate"], n["v_rate"]))
    dw, dv = (-carried * x for x in bracket_of(h, V))
    dw_rate, dv_rate = (-tilted * x for x in bracket_of(h, Vdot))
    return {"dw": dw, "dv": dv, "dw_rate": dw_rate + bracket * cross(dw, turn), "dv_rate": dv_rate + bracket * cross(dv, turn)}


def bracket_of(A, B):
    return cross(A[0], B[0]), cross(A[0], B[1]) - cross(B[0], A[1])


DISPLACED = Exercise(
    name="one_step_of_table_five", chapter="derivatives", stars=2, kind="number", title="A joint bends a little more",
    text=r"""A child hangs on its parent by a hinge about z. At the angle 0 its axes are those of the parent; its origin is at <p> m in the
parent. The hinge stands at <q> degrees and turns at <rate> rad/s, without acceleration. The parent has the twist \f$w\f$ = <w> rad/s,
\f$v\f$ = <v> m/s, whose components change at the rates \f$\dot w\f$ = <w_rate> rad/s\f$^2\f$ and \f$\dot v\f$ = <v_rate> m/s\f$^2\f$. Now the angle of
the hinge grows, and everything else that was given stays. Find \f$\partial V\f$ and \f$\partial\dot V\f$ of the child, per radian, in its own frame.""",
    asks={"dw": "derivative of the angular half of V (1/s)", "dv": "derivative of the linear half of V (m/s)",
          "dw_rate": "derivative of the angular half of V' (1/s^2)", "dv_rate": "derivative of the linear half of V' (m/s^2)"},
    hints=["The displacement is the screw of the joint, in the frame of the child.",
           "Carry the twist of the parent and its rate to the child first, then take minus the bracket of the displacement with them.",
           "V appears in the bracket of V', too, and it has just changed."],
    draw=lambda source: {"p": source.vector(0.2, 0.8), "q": source.signed(24, 66, 0), "rate": source.signed(0.9, 2.8, 1), "w": source.vector(0.4, 2.2, 1),
                         "v": source.vector(0.3, 1.8, 1), "w_rate": source.vector(0.6, 4.4, 1), "v_rate": source.vector(0.6, 4.4, 1)},
    solve=displaced,
    mistakes=[
        degrees_as_radians(displaced, "q"),
        Mistake("displaced_forwards", "A thing at rest, seen from a frame that moves forward, moves backward: the bracket has a minus.",
                lambda n: {name: -value for name, value in displaced(n, bracket=1.0).items()}),
        Mistake("rate_of_the_parent_not_tilted", "The carried rate of the parent's twist changes its components as well: gravity, which is part of it, is tilted.",
                lambda n: displaced(n, tilted=0.0)),
        Mistake("twist_of_the_parent_not_tilted", "The carried twist of the parent changes its components.", lambda n: displaced(n, carried=0.0)),
        Mistake("change_of_V_forgotten", "V appears in the bracket with S q', and has changed: this term is missing.", lambda n: displaced(n, bracket=0.0)),
        Mistake("change_of_V_with_the_wrong_sign", "The bracket of the changed V with S q' has the wrong order.", lambda n: displaced(n, bracket=-1.0)),
        Mistake("change_of_frame_forgotten", "The parent's twist and its rate have to be carried to the child first.", lambda n: displaced(n, frame_changed=False)),
        Mistake("displacement_in_the_frame_of_the_parent", "The displacement belongs in the frame of the child; here it is the one seen from the parent.",
                lambda n: displaced(n, in_parent=True)),
        Mistake("per_degree", "These are derivatives per degree.", lambda n: {name: np.radians(value) for name, value in displaced(n).items()}),
        Mistake("no_lever", "The carried twist needs the lever between both origins.", without(displaced, "p")),
    ],
)  # fmt: skip


# --- a bearing that sits elsewhere ----------------------------------------------------------------------------------


def bearing(n, twice=2.0, velocity=1.0, gravity=1.0, inertia=1.0, bar=0.0):
    """The elbow sits farther out on the first bar, whose own mass stays where it is."""
    q, first = math.radians(n["q2"]), math.radians(n["q1"])
    half, r1, r2, a1, a2 = n["m2"] * n["l2"] / 2, n["r1"], n["r2"], n["a1"], n["a2"]
    c, s = half * math.cos(q), half * math.sin(q)
    shoulder = inertia * (twice * n["m2"] * n["l1"] * a1 + c * (2 * a1 + a2)) - velocity * s * (2 * r1 + r2) * r2
    shoulder += gravity * n["m2"] * G * math.cos(first) + bar * n["m1"] * (2 / 3 * n["l1"] * a1 + G / 2 * math.cos(first))
    return {"shoulder": shoulder, "elbow": inertia * c * a1 + velocity * s * r1**2}


def bearing_with(**changes):
    return lambda n: bearing(n, **changes)


BEARING = Exercise(
    name="a_bearing_farther_out", chapter="derivatives", stars=2, kind="number", title="A bearing sits a little farther out",
    text=BARS + r"""The joints turn at <r1> and <r2> rad/s and accelerate at <a1> and <a2> rad/s\f$^2\f$. The bearing of the elbow sits a little farther out on
the first bar than the drawing says, along the bar; the first bar itself remains as it is. By how much do the torques change, per metre?""",
    asks={"shoulder": "derivative of the torque of the shoulder (N)", "elbow": "derivative of the torque of the elbow (N)"},
    hints=["Write down the torques of both motors and mark the distance of the elbow from the shoulder wherever it appears.",
           "It appears in the mass matrix, in the velocity terms and in the gravity force, but not where the mass of the first bar is."],
    draw=lambda source: {**bars(source), **rates(source), "a1": source.signed(1.2, 4.8, 1), "a2": source.signed(1.3, 5.7, 1)},
    solve=bearing,
    mistakes=[
        degrees_as_radians(bearing, "q1", "q2"),
        Mistake("first_bar_grows", "The first bar remains as it is: only the bearing sits elsewhere.", bearing_with(bar=1.0)),
        Mistake("gravity_alone", "This is the change of the gravity forces: the machine moves.", bearing_with(velocity=0.0, inertia=0.0)),
        Mistake("gravity_forgotten", "The weight of the second bar has a longer lever, too.", bearing_with(gravity=0.0)),
        Mistake("velocity_terms_forgotten", "The velocity terms depend on the place of the elbow, too.", bearing_with(velocity=0.0)),
        Mistake("velocity_terms_with_the_wrong_sign", "The velocity terms have the wrong sign.", bearing_with(velocity=-1.0)),
        Mistake("accelerations_forgotten", "The mass matrix depends on the place of the elbow.", bearing_with(inertia=0.0)),
        Mistake("square_not_doubled", "The square of the distance has twice the distance as its derivative.", bearing_with(twice=1.0)),
        Mistake("square_forgotten", "The mass of the second bar sits at the elbow, as seen from the shoulder: this part of the mass matrix has the distance squared.", bearing_with(twice=0.0)),
        Mistake("elbow_unmoved", "The place of a joint is no coordinate, and moves the child all the same: the elbow feels it.", lambda n: {"elbow": 0.0}),
    ],
)  # fmt: skip


# --- a motion, linearised -------------------------------------------------------------------------------------------


def changes_of_torques(n, qdd):
    """Of inverse dynamics at held rates and these accelerations, with respect to both angles."""
    q, half = math.radians(n["q2"]), n["m2"] * n["l1"] * n["l2"] / 2
    c, s, r1, r2 = half * math.cos(q), half * math.sin(q), n["r1"], n["r2"]
    of_M = np.array([-s * (2 * qdd[0] + qdd[1]), -s * qdd[0]])
    of_velocity_terms = np.array([-c * (2 * r1 + r2) * r2, c * r1**2])
    return stiffness_of(n) + np.column_stack([np.zeros(2), of_M + of_velocity_terms])


def found(n):
    return np.linalg.solve(mass_matrix(n), np.array([n["t1"], n["t2"]]) - bias(n))


def linearised(n):
    M = mass_matrix(n)
    return {"by_q": -np.linalg.solve(M, changes_of_torques(n, found(n))), "by_tau": np.linalg.inv(M)}


def linearised_with(function):
    return lambda n: {"by_q": function(mass_matrix(n), changes_of_torques(n, found(n)), n)}


LINEARISED = Exercise(
    name="a_motion_linearised", chapter="derivatives", stars=3, kind="number", title="A motion, linearised",
    text=BARS + r"""The joints turn at <r1> and <r2> rad/s, and their motors exert <t1> and <t2> N m. How do the accelerations change with the angles, at held rates and
torques? And with the torques?""",
    asks={"by_q": "derivative of the accelerations with respect to the angles, 2x2 (1/s^2)", "by_tau": "derivative of the accelerations with respect to the torques, 2x2 (1/(kg m^2))"},
    hints=["Find the accelerations first.", "Differentiate the torques of inverse dynamics at those accelerations, then solve M dqdd = -G for both columns.",
           "Only the elbow's angle changes the mass matrix and the velocity terms."],
    draw=lambda source: {**bars(source), **rates(source), "t1": source.signed(4, 19, 1), "t2": source.signed(1.1, 5.9, 1)},
    solve=linearised,
    mistakes=[
        degrees_as_radians(linearised, "q1", "q2"),
        Mistake("linearised_without_accelerations", "The torques were differentiated at accelerations of zero: the mass matrix depends on the angles, too.",
                linearised_with(lambda M, D, n: -np.linalg.solve(M, changes_of_torques(n, np.zeros(2))))),
        Mistake("with_a_plus", "The accelerations have to compensate for the change of the torques: a minus is missing.", linearised_with(lambda M, D, n: np.linalg.solve(M, D))),
        Mistake("not_solved", "This is the change of the torques: the response of the machine to it is missing.", linearised_with(lambda M, D, n: -D)),
        Mistake("multiplied_by_the_mass_matrix", "The change of the torques was multiplied by the mass matrix instead of by its inverse.", linearised_with(lambda M, D, n: -M @ D)),
        Mistake("others_held", "Each joint was moved as if the other were held: only the diagonal of the mass matrix was used.",
                lambda n: {"by_q": -changes_of_torques(n, found(n)) / np.diag(mass_matrix(n))[:, None], "by_tau": np.diag(1 / np.diag(mass_matrix(n)))}),
        Mistake("gravity_alone", "Only the gravity forces were differentiated.", linearised_with(lambda M, D, n: -np.linalg.solve(M, stiffness_of(n)))),
        Mistake("wrong_side", "The inverse of the mass matrix belongs on the left.", linearised_with(lambda M, D, n: -D @ np.linalg.inv(M))),
        Mistake("mass_matrix_instead_of_its_inverse", "This is the mass matrix, instead of its inverse.", lambda n: {"by_tau": mass_matrix(n)}),
    ],
)  # fmt: skip


# --- two bars that hang ---------------------------------------------------------------------------------------------


def of_hanging(n, function=None):
    """Slow and fast, from M and K of the bars that hang straight down."""
    hanging = {**n, "q1": -90.0, "q2": 0.0}
    M, K = mass_matrix(hanging), stiffness_of(hanging)
    squares = (function or (lambda M, K: np.linalg.eigvals(np.linalg.solve(M, K))))(M, K)
    slow, fast = np.sqrt(np.sort(squares))
    return {"slow": slow, "fast": fast}


def hanging(n):
    return of_hanging(n)


def hanging_with(function):
    return lambda n: {name: function(value) for name, value in of_hanging(n).items()}


def one_by_one(M, K):
    return np.diag(K) / np.diag(M)


def points(n):
    """Bars without mass, with their masses at their ends."""
    M = np.array([[n["m1"] * n["l1"] ** 2 + n["m2"] * (n["l1"] + n["l2"]) ** 2, n["m2"] * n["l2"] * (n["l1"] + n["l2"])], [0.0, n["m2"] * n["l2"] ** 2]])
    M[1, 0] = M[0, 1]
    elbow = n["m2"] * G * n["l2"]
    K = np.array([[(n["m1"] + n["m2"]) * G * n["l1"] + elbow, elbow], [elbow, elbow]])
    return of_hanging(n, lambda *_: np.linalg.eigvals(np.linalg.solve(M, K)))


def points_in_the_middle(n):
    """Without the moments of inertia about the centres of mass."""
    upper, lower = (n[m] * n[l] ** 2 / 12 for m, l in (("m1", "l1"), ("m2", "l2")))
    return of_hanging(n, lambda M, K: np.linalg.eigvals(np.linalg.solve(M - [[upper + lower, lower], [lower, lower]], K)))


HANGING = Exercise(
    name="two_bars_that_hang", chapter="derivatives", stars=2, kind="number", title="How two bars swing",
    text=r"""Two uniform bars, the upper one of <l1> m and <m1> kg, the lower one of <l2> m and <m2> kg, hang straight down in a row, on two hinges without
friction and without motors. They are pushed a little, in the plane of both bars. Gravity is 9.81 m/s\f$^2\f$. At which two angular frequencies can they swing?""",
    asks={"slow": "the lower angular frequency (rad/s)", "fast": "the higher angular frequency (rad/s)"},
    hints=["Linearise forward dynamics: the accelerations are a matrix times the small angles.",
           "The matrix is minus the inverse of M times the derivative of the gravity forces, both at rest. Without its sign, its eigenvalues are the squares of the frequencies."],
    draw=lambda source: {"l1": source.number(0.42, 0.68), "l2": source.number(0.31, 0.57), "m1": source.number(2.1, 3.9, 1), "m2": source.number(1.1, 2.4, 1)},
    solve=hanging,
    mistakes=[
        Mistake("in_hertz", "These are frequencies in hertz: the angular frequency is asked for.", hanging_with(lambda x: x / 2 / math.pi)),
        Mistake("periods", "These are periods, in seconds.", hanging_with(lambda x: 2 * math.pi / x)),
        Mistake("squares", "These are the squares of the frequencies: a root is missing.", hanging_with(lambda x: x**2)),
        Mistake("one_by_one", "Each hinge was taken to swing with the other one held: the bars swing together.", lambda n: of_hanging(n, one_by_one)),
        Mistake("stiffness_without_coupling", "The derivative of the gravity forces also has entries off the diagonal.",
                lambda n: of_hanging(n, lambda M, K: np.linalg.eigvals(np.linalg.solve(M, np.diag(np.diag(K)))))),
        Mistake("mass_matrix_without_coupling", "The mass matrix also has entries off the diagonal.",
                lambda n: of_hanging(n, lambda M, K: np.linalg.eigvals(K / np.diag(M)[:, None]))),
        Mistake("masses_at_the_ends", "A uniform bar has its centre of mass in the middle, and m l^2/3 about its end.", points),
        Mistake("bars_exchanged", "The bars are exchanged: the upper one comes first.",
                lambda n: hanging({**n, "l1": n["l2"], "l2": n["l1"], "m1": n["m2"], "m2": n["m1"]})),
        Mistake("upper_mass_forgotten", "The upper bar has mass, too.", without(hanging, "m1")),
        Mistake("points_in_the_middle", "The bars were taken for point masses in their middles: they turn, too.", points_in_the_middle),
    ],
)  # fmt: skip


# --- derivations ----------------------------------------------------------------------------------------------------

BEST_STEP = Exercise(
    name="the_best_step", chapter="derivatives", stars=2, kind="derive", title="The best step of a difference",
    text=r"""A program computes \f$f\f$ with an error of at most \f$e\f$; near \f$x\f$ the second derivative of \f$f\f$ is at most \f$B_2\f$ in size, and the third one at
most \f$B_3\f$. Bound the errors of the forward difference \f$(f(x+h) - f(x))/h\f$ and of the central one \f$(f(x+h) - f(x-h))/2h\f$ as approximations of
\f$f'(x)\f$. At which \f$h\f$ is each bound least, and what is it there? Compare with the table *Differences* of the chapter: take all quantities there to be of size
1, with \f$e\f$ about \f$10^{-16}\f$.""",
    hints=["Taylor's formula with its remainder, and both errors of the program at their worst.", "A bound of the form a h + b/h is least where both terms are equal; for a h^2 + b/h that is not so."],
    solution=r"""*Forward.* By Taylor's formula \f$f(x+h) = f + hf' + \tfrac12h^2f''(\xi)\f$, so that the formula is off by at most \f$\tfrac12hB_2\f$, and the program adds at most
\f$2e/h\f$. The sum \f$\tfrac12B_2h + 2e/h\f$ has the derivative \f$\tfrac12B_2 - 2e/h^2\f$, which vanishes at
\f[ h = 2\sqrt{e/B_2} , \qquad\text{where the bound is } 2\sqrt{eB_2} . \f]
*Central.* In the difference of both expansions the even terms cancel, and \f$\tfrac16h^2B_3\f$ remains as the largest error of the formula; the program adds at most
\f$e/h\f$. The sum \f$\tfrac16B_3h^2 + e/h\f$ has the derivative \f$\tfrac13B_3h - e/h^2\f$, which vanishes at
\f[ h = \left(\frac{3e}{B_3}\right)^{1/3} , \qquad\text{where the bound is } \frac{3e}{2h} = \tfrac12\left(9\,e^2B_3\right)^{1/3} . \f]
There the error of the program is twice that of the formula.
With \f$e = 10^{-16}\f$ and bounds of 1 the best steps are \f$2\cdot10^{-8}\f$ and about \f$7\cdot10^{-6}\f$, with errors of at most \f$2\cdot10^{-8}\f$ and
\f$2\cdot10^{-11}\f$. In the table the forward step \f$10^{-8}\f$ is indeed the best of the three, and a step a hundred times larger or smaller makes the error 25 to 200 times
larger. The central differences are better with \f$10^{-6}\f$ than with \f$10^{-4}\f$, whose error is that of the formula, about
\f$10^{-8}/6 = 2\cdot10^{-9}\f$. Eight digits and eleven: no step gives sixteen.""",
)  # fmt: skip

DISPLACEMENTS = Exercise(
    name="displacements_of_a_product", chapter="derivatives", stars=1, kind="derive", title="Two displacements in a row",
    text=r"""Two poses depend on \f$p\f$, with the displacements \f$\partial h_1 = T_1^{-1}\partial T_1\f$ and \f$\partial h_2 = T_2^{-1}\partial T_2\f$. Show that the product
\f$T_1T_2\f$ has the displacement \f$\Ad_{T_2^{-1}}\partial h_1 + \partial h_2\f$, and the inverse \f$T_1^{-1}\f$ the displacement \f$-\Ad_{T_1}\partial h_1\f$. Conclude how a
body in the world is displaced if one coordinate grows, and why everything behind that joint has the same displacement, as seen from the world.""",
    hints=["The product rule, with T X T^-1 = Ad_T X for matrices X of twists.", "In a product of poses from the base to the body only one factor changes."],
    solution=r"""By the product rule \f$(T_1T_2)^{-1}\partial(T_1T_2) = T_2^{-1}T_1^{-1}\left(\partial T_1\,T_2 + T_1\,\partial T_2\right) = T_2^{-1}\,\partial h_1\,T_2 + \partial h_2\f$, whose
first term is \f$\Ad_{T_2^{-1}}\partial h_1\f$. With \f$T_2 = T_1^{-1}\f$ the product is constant, and its displacement is zero:
\f$\Ad_{T_1}\partial h_1 + \partial h_2 = 0\f$.
The pose of body \f$i\f$ in the world is the product of the poses \f$T_{\lambda(j),j}\f$ of all joints on its path. If only the coordinate of joint \f$k\f$ on this path grows, then
\f$\zeta_k = S_k\f$, and each further joint adds nothing but a change of frame, \f$\zeta_i = \Ad_{T_{\lambda(i),i}^{-1}}\zeta_{\lambda(i)}\f$. So
\f$\zeta_i = \Ad_{T_{k,i}^{-1}}S_k\f$, which is the column of the body Jacobian; the bodies that joint \f$k\f$ does not carry have none. Seen from the world it is
\f$\Ad_{T_i}\zeta_i = \Ad_{T_i}\Ad_{T_{k,i}^{-1}}S_k = \Ad_{T_k}S_k\f$, because \f$T_i = T_kT_{k,i}\f$. The index \f$i\f$ has dropped out: everything behind the joint turns about
the same line, as one rigid body.""",
)  # fmt: skip

EXERCISES = [STIFFNESS, BY_RATES, DISPLACED, BEARING, LINEARISED, HANGING, BEST_STEP, DISPLACEMENTS]
