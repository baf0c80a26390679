"""Exercises of chapter 02: what a single body is, and what moves it."""
import math

import numpy as np

from ..exercise import Exercise
from ..mistakes import Mistake, negated, with_changed, without
from ..vectors import cross, skew


# --- the inertia of a box -------------------------------------------------------------------------------------------


def box(n, products=-1.0, centre=12.0, steiner=1.0):
    """About the origin; the box has its edges along the axes."""
    a, b, c = n["a"], n["b"], n["c"]
    r = np.array(n["r"])
    about_centre = n["mass"] / centre * np.diag([b * b + c * c, c * c + a * a, a * a + b * b])
    shift = r @ r * np.eye(3) - np.diag(r * r) + products * (np.outer(r, r) - np.diag(r * r))
    return {"I": about_centre + steiner * n["mass"] * shift}


def own_edges(n):
    point = box({**n, "a": 0, "b": 0, "c": 0})["I"]
    return {"I": point + n["mass"] / 12 * np.diag([n["a"] ** 2, n["b"] ** 2, n["c"] ** 2])}


INERTIA_OF_A_BOX = Exercise(
    name="inertia_of_a_box", chapter="body", stars=1, kind="number", title="A box that is held off its centre",
    text=r"""A homogeneous box of <mass> kg has edges of <a>, <b> and <c> m along x, y and z. It is held at the origin, and its centre
is at <r> m. What is its rotational inertia about the origin, as a matrix?""",
    asks={"I": "rotational inertia about the origin (kg m²)"},
    hints=["About the centre it is diagonal, with m/12 times the sums of two squares.",
           "The parallel axis theorem for the whole matrix: add m (r.r 1 - r r^T)."],
    draw=lambda source: {"mass": source.number(0.6, 4.5, 1), "a": source.number(0.31, 0.58), "b": source.number(0.62, 0.88),
                         "c": source.number(0.92, 1.2), "r": source.vector(0.15, 0.75)},
    solve=box,
    mistakes=[
        Mistake("products_with_the_wrong_sign", "The products of inertia have the wrong sign: off the diagonal stands minus the integral of x y.",
                lambda n: box(n, products=1.0)),
        Mistake("no_products", "The products of inertia are missing: only the diagonal was shifted.", lambda n: box(n, products=0.0)),
        Mistake("shift_subtracted", "The shift is away from the centre of mass, so it must be added.", lambda n: box(n, steiner=-1.0)),
        Mistake("about_the_centre", "This is the inertia about the centre of mass.", without(box, "r")),
        Mistake("a_third_instead_of_a_twelfth", "The box has m/12 about its centre; m/3 is about an edge.", lambda n: box(n, centre=3.0)),
        Mistake("own_edges", "A moment about an axis has the squares of the two edges across it, not of the one along it.",
                own_edges),
        Mistake("half_edges", "The formula with 1/12 takes whole edges, not their halves.", with_changed(box, a=lambda x: x / 2, b=lambda x: x / 2, c=lambda x: x / 2)),
        Mistake("point_mass", "This is the inertia of a point mass at the centre.", with_changed(box, a=lambda _: 0, b=lambda _: 0, c=lambda _: 0)),
        Mistake("distance_from_the_origin_everywhere", "The square of the whole distance was added on the diagonal: the distance from each axis counts.",
                lambda n: {"I": box({**n, "r": [0.0] * 3})["I"] + n["mass"] * np.dot(n["r"], n["r"]) * np.eye(3)}),
        Mistake("mass_forgotten", "The mass is missing from the shift.",
                lambda n: {"I": box({**n, "r": [0.0] * 3})["I"] + skew(n["r"]).T @ skew(n["r"])}),
    ],
)  # fmt: skip


# --- energy and momentum of a body in a frame that is not at its centre ------------------------------------------------


def parts(n):
    """m, c, the inertia about the centre, w, v"""
    return n["mass"], np.array(n["c"]), np.diag(n["Ic"]), np.array(n["w"]), np.array(n["v"])


def energy(n, about=None, shift=1.0, half=0.5):
    m, c, Ic, w, v = parts(n)
    v_c = v + shift * cross(w, c)
    I = Ic if about is None else Ic + m * skew(c).T @ skew(c)
    return {"E": half * (w @ I @ w + m * v_c @ v_c)}


def body_numbers(source):
    largest = source.number(0.11, 0.19, 3)
    return {"mass": source.number(0.6, 3.9, 1), "c": source.vector(0.12, 0.48),
            "Ic": source.shuffled([largest, round(largest * 0.8, 3), round(largest * 0.45, 3)]),
            "w": source.vector(1, 6, 1), "v": source.vector(0.5, 3, 1)}  # fmt: skip


BODY = r"""A body of <mass> kg has its centre of mass at \f$c\f$ = <c> m in its frame. About the centre its rotational inertia is
diagonal along the axes of the frame, with the moments <Ic> kg m². """

KINETIC_ENERGY = Exercise(
    name="kinetic_energy", chapter="body", stars=1, kind="number", title="Energy, seen from the grip",
    text=BODY + r"Its body twist is \f$w\f$ = <w> rad/s, \f$v\f$ = <v> m/s. What is its kinetic energy?",
    asks={"E": "kinetic energy (J)"},
    hints=["The twist's v is the velocity of the frame's origin. How fast is the centre of mass?",
           "Energy of the centre of mass plus energy of rotation about it."],
    draw=body_numbers,
    solve=energy,
    mistakes=[
        Mistake("velocity_of_the_origin", "The velocity of the frame's origin was taken for that of the centre of mass.", lambda n: energy(n, shift=0.0)),
        Mistake("lever_with_the_wrong_sign", "The velocity of the centre of mass is v + w x c, in this order.", lambda n: energy(n, shift=-1.0)),
        Mistake("shifted_twice", "The motion of the centre of mass is counted twice: the inertia about the origin already contains a part of it.",
                lambda n: energy(n, about="origin")),
        Mistake("no_mixed_term", "With the inertia about the origin there is a third term, m v.(w x c).", lambda n: energy(n, about="origin", shift=0.0)),
        Mistake("rotation_only", "The energy of the centre of mass is missing.", lambda n: {"E": 0.5 * parts(n)[3] @ parts(n)[2] @ parts(n)[3]}),
        Mistake("translation_only", "The energy of the rotation is missing.", lambda n: energy({**n, "Ic": [0.0] * 3})),
        Mistake("no_half", "The factor 1/2 is missing.", lambda n: energy(n, half=1.0)),
    ],
)  # fmt: skip


def momentum(n, lever=1.0, moment=1.0):
    m, c, Ic, w, v = parts(n)
    f = m * (v + lever * cross(w, c))
    return {"Lm": Ic @ w + moment * cross(c, f), "Lf": f}


def momentum_with_inertia_about_the_centre(n):
    m, c, Ic, w, v = parts(n)
    return {"Lm": Ic @ w + m * cross(c, v)}


def momentum_shifted_twice(n):
    """The inertia about the origin, and the moment of the whole linear momentum."""
    m, c, _, w, _ = parts(n)
    return {"Lm": momentum(n)["Lm"] + m * skew(c).T @ skew(c) @ w}


MOMENTUM = Exercise(
    name="momentum_of_a_body", chapter="body", stars=2, kind="number", title="Momentum about the grip",
    text=BODY + r"""Its body twist is \f$w\f$ = <w> rad/s, \f$v\f$ = <v> m/s. What are the two halves of its momentum
\f$\mathcal I V\f$, the angular one about the origin of the frame?""",
    asks={"Lm": "angular momentum about the origin of the frame (kg m²/s)", "Lf": "linear momentum (kg m/s)"},
    hints=["The linear half is the mass times the velocity of the centre of mass.",
           "The angular half is that about the centre, and the moment of the linear half."],
    draw=body_numbers,
    solve=momentum,
    mistakes=[
        Mistake("velocity_of_the_origin", "The velocity of the frame's origin was taken for that of the centre of mass.", lambda n: momentum(n, lever=0.0)),
        Mistake("lever_with_the_wrong_sign", "The velocity of the centre of mass is v + w x c, in this order.", lambda n: momentum(n, lever=-1.0)),
        Mistake("about_the_centre", "The angular momentum is that about the centre of mass.", lambda n: momentum(n, moment=0.0)),
        Mistake("moment_with_the_wrong_sign", "The moment of the linear momentum is c x m v, in this order.", lambda n: momentum(n, moment=-1.0)),
        Mistake("inertia_about_the_centre", "The term c x m v with the v of the origin goes with the inertia about the origin: here the one about the centre was used.",
                momentum_with_inertia_about_the_centre),
        Mistake("origin_taken_to_rest", "This is the inertia about the origin times w: the term c x m v is missing.",
                lambda n: {"Lm": momentum({**n, "v": [0.0] * 3})["Lm"]}),
        Mistake("shifted_twice", "The motion of the centre of mass is counted twice: the inertia about the origin already contains a part of it.",
                momentum_shifted_twice),
        Mistake("no_spin", "The angular momentum of the rotation about the centre is missing.", lambda n: momentum({**n, "Ic": [0.0] * 3})),
        Mistake("mass_forgotten", "The mass is missing from the linear momentum.", lambda n: {"Lf": momentum(n)["Lf"] / n["mass"]}),
    ],
)  # fmt: skip


# --- Newton and Euler -----------------------------------------------------------------------------------------------


def acts(n, V):
    """The momentum of any twist."""
    m, c, Ic, _, _ = parts(n)
    w, v = np.array(V[0]), np.array(V[1])
    f = m * (v + cross(w, c))
    return Ic @ w + cross(c, f), f


def wrench(n, quadratic=1.0, origin_moves=1.0):
    w, v = n["w"], n["v"]
    (m, f), (Lm, Lf) = acts(n, (n["w_rate"], n["v_rate"])), acts(n, (w, v))
    return {"m": m + quadratic * (cross(w, Lm) + origin_moves * cross(v, Lf)), "f": f + quadratic * cross(w, Lf)}


def wrench_ignoring(n, name):
    return wrench({**n, name: [0.0] * 3})


def classical_acceleration(n):
    """Components and acceleration confused: the acceleration of the origin is v_rate + w x v."""
    return wrench({**n, "v_rate": np.array(n["v_rate"]) - cross(n["w"], n["v"])})


def wrench_by_ad(n):
    w, v = n["w"], n["v"]
    (m, f), (Lm, Lf) = acts(n, (n["w_rate"], n["v_rate"])), acts(n, (w, v))
    return {"m": m + cross(w, Lm), "f": f + cross(w, Lf) + cross(v, Lm)}


def wrench_with_weight(n):
    """Of a hand that holds the body up as well, if z points up."""
    weight = np.array([0.0, 0.0, 9.81 * n["mass"]])
    return {"m": wrench(n)["m"] + cross(n["c"], weight), "f": wrench(n)["f"] + weight}


NEWTON_EULER = Exercise(
    name="newton_euler_at_the_grip", chapter="body", stars=3, kind="number", title="What must the hand do?",
    text=BODY + r"""Its body twist is \f$w\f$ = <w> rad/s, \f$v\f$ = <v> m/s, whose components change at the rates
\f$\dot w\f$ = <w_rate> rad/s² and \f$\dot v\f$ = <v_rate> m/s². There is no gravity. Which wrench acts on it?""",
    asks={"m": "moment about the origin of the frame (N m)", "f": "force (N)"},
    hints=["One line of the chapter: F = I V' - ad*_V I V.", "Find the momentum first, then - ad*_V of it: (w x Lm + v x Lf, w x Lf)."],
    draw=lambda source: {**body_numbers(source), "w_rate": source.vector(2, 12, 1), "v_rate": source.vector(1, 7, 1)},
    solve=wrench,
    mistakes=[
        Mistake("no_quadratic_term", "The last term is missing: the observer turns and moves with the body.", lambda n: wrench(n, quadratic=0.0)),
        Mistake("quadratic_term_with_the_wrong_sign", "The last term has the wrong sign.", lambda n: wrench(n, quadratic=-1.0)),
        Mistake("no_v_cross_momentum", "The moment lacks v x Lf: the origin about which it is taken moves.", lambda n: wrench(n, origin_moves=0.0)),
        Mistake("ad_instead_of_coad", "The last term is that of twists, with two products in the linear half: in a wrench the moment has two.",
                wrench_by_ad),
        Mistake("weight_added", "The weight was added: there is no gravity here.", wrench_with_weight),
        Mistake("no_gyroscopic_term", "The moment lacks w x I w, with the inertia about the centre.",
                lambda n: {"m": wrench(n)["m"] - cross(n["w"], np.multiply(n["Ic"], n["w"]))}),
        Mistake("mass_times_rate", "The force is the mass times the acceleration of the centre of mass: here it is that times the rate of v.",
                lambda n: {"f": n["mass"] * np.array(n["v_rate"])}),
        Mistake("classical_acceleration", "The rate of the components of v was taken for the acceleration of the origin, which is v' + w x v.", classical_acceleration),
        Mistake("centre_at_the_origin", "The centre of mass was taken to be the origin of the frame.", lambda n: wrench_ignoring(n, "c")),
        Mistake("no_inertia_of_rotation", "The body was taken for a point mass: the inertia about the centre is missing.", lambda n: wrench_ignoring(n, "Ic")),
        Mistake("inertia_times_acceleration_missing", "Only the last term is there: the momentum also changes in the body's frame.",
                lambda n: wrench({**n, "w_rate": [0.0] * 3, "v_rate": [0.0] * 3})),
    ],
)  # fmt: skip


# --- a body in flight -----------------------------------------------------------------------------------------------


def flight(n, euler=-1.0, gravity=-9.81, centripetal=1.0, turning=1.0):
    """Of the components of V: the centre of mass falls, and the frame's origin goes around it."""
    _, c, Ic, w, v = parts(n)
    w_rate = euler * cross(w, Ic @ w) / np.diag(Ic)
    a_of_centre = np.array([0.0, 0.0, gravity])
    a_of_origin = a_of_centre - turning * cross(w_rate, c) - centripetal * cross(w, cross(w, c))
    return {"w_rate": w_rate, "v_rate": a_of_origin - cross(w, v)}


def flight_of_the_acceleration(n):
    """Not of the components."""
    _, _, _, w, v = parts(n)
    right = flight(n)
    return {"v_rate": right["v_rate"] + cross(w, v)}


def euler_about_the_origin(n):
    """And what follows from it for the origin."""
    m, c, Ic, w, v = parts(n)
    about_origin = Ic + m * skew(c).T @ skew(c)
    w_rate = np.linalg.solve(about_origin, -cross(w, about_origin @ w))
    return {"w_rate": w_rate, "v_rate": [0.0, 0.0, -9.81] - cross(w_rate, c) - cross(w, cross(w, c)) - cross(w, v)}


FLIGHT = Exercise(
    name="body_in_flight", chapter="body", stars=3, kind="number", title="Thrown, and left alone",
    text=BODY + r"""It has just been thrown, with the body twist \f$w\f$ = <w> rad/s, \f$v\f$ = <v> m/s, and only gravity acts on it,
9.81 m/s² along \f$-z\f$: at this instant its axes are those of the room. At what rates do the components of its twist change?""",
    asks={"w_rate": "rate of w (rad/s²)", "v_rate": "rate of the components of v, of the frame's origin (m/s²)"},
    hints=["Gravity has no moment about the centre of mass: Euler's equation gives the first half.",
           "The centre of mass falls. The origin of the frame is at -c from it, and goes around it.",
           "The acceleration of the origin is v' + w x v."],
    draw=body_numbers,
    solve=flight,
    mistakes=[
        Mistake("euler_with_the_wrong_sign", "In Euler's equation the gyroscopic term has the wrong sign.", lambda n: flight(n, euler=1.0)),
        Mistake("no_gyroscopic_term", "The angular velocity of a free body changes, unless it is along a principal axis.", lambda n: flight(n, euler=0.0)),
        Mistake("gravity_upwards", "Gravity has the wrong sign.", lambda n: flight(n, gravity=9.81)),
        Mistake("no_gravity", "Gravity is missing.", lambda n: flight(n, gravity=0.0)),
        Mistake("origin_falls_like_the_centre", "The origin of the frame was taken to fall like the centre of mass.",
                lambda n: flight(n, centripetal=0.0, turning=0.0)),
        Mistake("inertia_about_the_origin", "Euler's equation was used with the inertia about the frame's origin, which is accelerated.",
                euler_about_the_origin),
        Mistake("centre_on_the_other_side", "The origin is at -c from the centre of mass: the terms with c have the wrong sign.",
                lambda n: {"v_rate": flight({**n, "c": [-x for x in n["c"]]})["v_rate"]}),
        Mistake("no_centripetal_term", "The term w x (w x c) is missing.", lambda n: flight(n, centripetal=0.0)),
        Mistake("no_term_of_w_rate", "The term with the rate of w is missing from the acceleration of the origin.", lambda n: flight(n, turning=0.0)),
        Mistake("acceleration_instead_of_components", "This is the acceleration of the origin; the components of v change at another rate, since the axes turn.",
                flight_of_the_acceleration),
    ],
)  # fmt: skip


# --- where to hit ---------------------------------------------------------------------------------------------------


def percussion(n):
    """A thin rod and a ball, which counts as a point, hinged at the end of the rod."""
    first = n["rod"] * n["length"] / 2 + n["ball"] * n["at"]
    second = n["rod"] * n["length"] ** 2 / 3 + n["ball"] * n["at"] ** 2
    return {"distance": second / first}


def moments_of_club(n):
    """mass, centre, second moment about the hinge, about the centre"""
    mass = n["rod"] + n["ball"]
    centre = (n["rod"] * n["length"] / 2 + n["ball"] * n["at"]) / mass
    second = n["rod"] * n["length"] ** 2 / 3 + n["ball"] * n["at"] ** 2
    return mass, centre, second, second - mass * centre**2


def of_club(function):
    return lambda n: {"distance": function(*moments_of_club(n))}


PERCUSSION = Exercise(
    name="where_to_hit", chapter="body", stars=2, kind="number", title="Where should it hit?",
    text=r"""A club is a thin, homogeneous rod of <rod> kg and <length> m with a heavy knob of <ball> kg, small enough to count as a
point, <at> m from the end where it is held. How far from that end should it hit, at right angles, so that the hand feels no jolt?""",
    asks={"distance": "distance from the end where it is held (m)"},
    hints=["A blow without a jolt changes the motion as if the end were hinged, without a force at the hinge.",
           "The inverse inertia of the chapter: the linear half of the change must vanish at the grip."],
    draw=lambda source: {"rod": source.number(0.31, 0.78), "length": source.number(0.81, 1.19), "ball": source.number(0.4, 0.95),
                         "at": source.number(0.52, 0.78)},
    solve=percussion,
    mistakes=[
        Mistake("centre_of_mass", "This is the centre of mass: a blow there moves the hand along with it.", of_club(lambda m, c, I, Ic: c)),
        Mistake("radius_of_gyration", "This is the radius of gyration about the hand.", of_club(lambda m, c, I, Ic: math.sqrt(I / m))),
        Mistake("inertia_about_the_centre", "The inertia about the centre of mass was used instead of that about the hand.", of_club(lambda m, c, I, Ic: Ic / (m * c))),
        Mistake("from_the_centre_of_mass", "I/(m c) is already the distance from the hand: that of the centre of mass was added to it.",
                of_club(lambda m, c, I, Ic: c + I / (m * c))),
        Mistake("from_the_other_end", "This is counted from the free end instead of the end that is held.",
                lambda n: {"distance": n["length"] - percussion(n)["distance"]}),
        Mistake("rod_alone", "The knob is missing: this is a rod alone.", without(percussion, "ball")),
        Mistake("knob_alone", "The rod has no mass here.", without(percussion, "rod")),
        Mistake("rod_about_its_middle", "The rod has m l^2/3 about its end; m l^2/12 is about its middle.",
                lambda n: {"distance": (n["rod"] * n["length"] ** 2 / 12 + n["ball"] * n["at"] ** 2)
                           / (n["rod"] * n["length"] / 2 + n["ball"] * n["at"])}),
        Mistake("rod_at_its_middle", "The rod was taken for a point mass at its middle.",
                lambda n: {"distance": (n["rod"] * n["length"] ** 2 / 4 + n["ball"] * n["at"] ** 2)
                           / (n["rod"] * n["length"] / 2 + n["ball"] * n["at"])}),
    ],
)  # fmt: skip


# --- the flip -------------------------------------------------------------------------------------------------------


def rate_of_wobble(spun, other, third, spin):
    return abs(spin) * math.sqrt(abs((spun - other) * (spun - third)) / (other * third))


def flip(n):
    small, middle, large = n["I"]
    return {"doubling": math.log(2) / rate_of_wobble(middle, small, large, n["spin"]),
            "period": 2 * math.pi / rate_of_wobble(large, small, middle, n["spin"])}  # fmt: skip


def flip_by_rates(doubling, period):
    """The answers made from the two rates, with mistakes in what is made of them."""

    def answers(n):
        small, middle, large = n["I"]
        return {"doubling": doubling(rate_of_wobble(middle, small, large, n["spin"])),
                "period": period(rate_of_wobble(large, small, middle, n["spin"]))}  # fmt: skip

    return answers


def flip_without_root(n):
    return flip_by_rates(lambda rate: math.log(2) / (rate**2 / n["spin"]), lambda rate: 2 * math.pi / (rate**2 / n["spin"]))(n)


FLIP = Exercise(
    name="how_fast_it_flips", chapter="body", stars=2, kind="number", title="How fast does it flip?",
    text=r"""A body, thrown, has the principal moments of inertia <I> kg m². It turns at <spin> rad/s about the axis of the middle
one, and wobbles a little. How long does the wobble take to double, once it grows exponentially? And about the axis of the
largest moment, at the same speed, what is the period of the wobble, as seen from the body?""",
    asks={"doubling": "time in which the wobble about the middle axis doubles (s)", "period": "period of the wobble about the axis of the largest moment (s)"},
    hints=["Linearise Euler's equation: the two small components obey a system of two equations.",
           "The square of the rate is the product of two differences of moments, over the product of the other two moments, times the square of the spin."],
    draw=lambda source: {"I": [source.number(0.014, 0.019, 3), source.number(0.024, 0.029, 3), source.number(0.033, 0.038, 3)],
                         "spin": source.number(7, 19, 1)},
    solve=flip,
    mistakes=[
        Mistake("rates_instead_of_times", "These are rates, in 1/s, instead of times.", flip_by_rates(lambda rate: rate, lambda rate: rate)),
        Mistake("frequency_instead_of_period", "This is a frequency, in 1/s, instead of a period.",
                lambda n: {"period": 1 / flip(n)["period"]}),
        Mistake("spin_forgotten", "The speed of the spin is missing from the rate.",
                with_changed(flip, spin=lambda _: 1.0)),
        Mistake("times_of_one_radian", "These are the inverse rates: the wobble has grown by the factor e, and turned by one radian.",
                flip_by_rates(lambda rate: 1 / rate, lambda rate: 1 / rate)),
        Mistake("logarithm_to_base_ten", "The logarithm of 2 to base 10 was taken: growth is by e to the rate times time.",
                flip_by_rates(lambda rate: math.log10(2) / rate, lambda rate: math.pi * 2 / rate)),
        Mistake("half_a_period", "This is half a period.", flip_by_rates(lambda rate: math.log(2) / rate, lambda rate: math.pi / rate)),
        Mistake("square_of_the_rate", "A square root is missing: the rate is the root of the product of differences.", flip_without_root),
        Mistake("axes_exchanged", "The middle and the largest moment are exchanged.",
                lambda n: flip({**n, "I": [n["I"][0], n["I"][2], n["I"][1]]})),
        Mistake("smallest_axis", "The period is that about the axis of the smallest moment.",
                lambda n: {"period": 2 * math.pi / rate_of_wobble(*n["I"], n["spin"])}),
        Mistake("period_of_the_spin", "This is the time of one turn of the body.", lambda n: {"period": 2 * math.pi / n["spin"]}),
    ],
)  # fmt: skip

# --- derivations ----------------------------------------------------------------------------------------------------

LENGTHS_OF_MOMENTUM = Exercise(
    name="lengths_of_momentum", chapter="body", stars=2, kind="derive", title="Which length is conserved?",
    text=r"""A free body without gravity has the momentum \f$L = (L_m, L_f)\f$ in a frame that is fixed to it anywhere. Show that
\f$\dot L = \ad^*_V L\f$, that the length of \f$L_f\f$ is constant, and that the length of \f$L_m\f$ need not be. Which product of
the two halves is constant?""",
    hints=["Put F = 0 into the Newton-Euler equation.", "In components, the right side is minus (w x Lm + v x Lf, w x Lf)."],
    solution=r"""Without a wrench the Newton-Euler equation says \f$\mathcal I\dot V = \ad^*_V\mathcal IV\f$, and \f$\mathcal I\f$ is constant in the
body's frame, so \f$\dot L = \mathcal I\dot V = \ad^*_V L\f$. In components \f$\dot L_f = -w\times L_f\f$ and
\f$\dot L_m = -w\times L_m - v\times L_f\f$. Then \f$\tfrac{d}{dt}\lVert L_f\rVert^2 = -2L_f\cdot(w\times L_f) = 0\f$, while
\f$\tfrac{d}{dt}\lVert L_m\rVert^2 = -2L_m\cdot(v\times L_f)\f$, which is the moving origin's doing. It vanishes if \f$v\f$ is along
\f$L_f\f$, as it is at the centre of mass. The product \f$L_m\cdot L_f\f$ is constant:
\f$-(w\times L_m)\cdot L_f - (v\times L_f)\cdot L_f - L_m\cdot(w\times L_f) = 0\f$, since the first and the last term cancel and the middle one
is a triple product with two equal vectors. With the length of \f$L_f\f$ it fixes the part of the angular momentum along the linear one,
which is the same about every point.""",
)  # fmt: skip

TEN_NUMBERS_MOVED = Exercise(
    name="ten_numbers_moved", chapter="body", stars=2, kind="derive", title="Ten numbers at another point",
    text=r"""A body has the mass \f$\mathrm m\f$, the first moment \f$\mathrm m c\f$ and the second moment \f$I = \int [r]^{\T}[r]\,d\mathrm m\f$ in frame A. Frame B has the same axes, and its origin
at \f$p\f$ in A. Find the ten numbers in B, once from the particles and once from the energy, which no observer can change. Why is the inertia
about the centre of mass the smallest?""",
    hints=["In B a particle is at r - p.", "Put V_a = Ad V_b into the energy: the matrix of the inertia is multiplied from both sides."],
    solution=r"""In B the particles are at \f$r - p\f$. The mass stays, the first moment is \f$\int(r-p)\,d\mathrm m = \mathrm m(c-p)\f$, and
\f$\int [r-p]^{\T}[r-p]\,d\mathrm m = I - \mathrm m\big([c]^{\T}[p] + [p]^{\T}[c]\big) + \mathrm m[p]^{\T}[p]\f$.
From the energy: \f$\tfrac12V_a^{\T}\mathcal I_aV_a\f$ with \f$V_a = \Ad_TV_b\f$ is \f$\tfrac12V_b^{\T}(\Ad_T^{\T}\mathcal I_a\Ad_T)V_b\f$ for every \f$V_b\f$, so that
\f$\mathcal I_b = \Ad_T^{\T}\mathcal I_a\Ad_T\f$. Here \f$\Ad_T(w, v) = (w,\ v + [p]w)\f$. In the blocks of \f$\mathcal I_a\f$ the lower right one, \f$\mathrm m\f$ times the identity, stays; the upper right one,
\f$\mathrm m[c]\f$, becomes \f$\mathrm m[c] + \mathrm m[p]^{\T} = \mathrm m[c - p]\f$; and the upper left one becomes \f$I + \mathrm m[c][p] + \mathrm m[p]^{\T}[c]^{\T} + \mathrm m[p]^{\T}[p]\f$,
which is the same as above, since \f$[c]^{\T} = -[c]\f$ and \f$[p]^{\T}[c]^{\T} = -[p]^{\T}[c]\f$.
With \f$p = c\f$ the mixed terms make \f$I_c = I - \mathrm m[c]^{\T}[c]\f$. About an axis along a unit vector \f$n\f$ this takes away \f$\mathrm m\lVert c\times n\rVert^2\f$, which is never
negative: no parallel axis has a smaller moment of inertia.""",
)  # fmt: skip

EXERCISES = [INERTIA_OF_A_BOX, KINETIC_ENERGY, MOMENTUM, NEWTON_EULER, FLIGHT, PERCUSSION, FLIP, LENGTHS_OF_MOMENTUM, TEN_NUMBERS_MOVED]
