"""Exercises of chapter 13: triangles, bars between pins, and how hard a cylinder pushes."""
import math

import numpy as np

from ..exercise import Exercise
from ..mistakes import Mistake, degrees_as_radians, negated, without


def cross(a, b):
    """In a plane it is one number."""
    return a[0] * b[1] - a[1] * b[0]


def direction(first, second):
    way = np.subtract(second, first)
    return way / math.sqrt(way @ way)


# --- a triangle -----------------------------------------------------------------------------------------------------


def triangle(n, cosine=-1.0, lever=None):
    """The law of cosines, its derivative, and the push that has this lever."""
    phi = math.radians(n["phi"])
    sides = n["BI"] * n["BJ"]
    length = math.sqrt(n["BI"] ** 2 + n["BJ"] ** 2 + cosine * 2 * sides * math.cos(phi))
    arm = lever(n, phi, length) if lever else sides * math.sin(phi) / length
    return {"L": length, "lever": arm, "L_rate": arm * n["rate"], "push": n["moment"] / arm}


def with_lever(function):
    return lambda n: triangle(n, lever=function)


TRIANGLE = Exercise(
    name="cylinder_of_a_boom", chapter="mechanisms", stars=1, kind="number", title="The cylinder of a boom",
    text=r"""A boom turns about the pin B. A cylinder beside it is held by the pin I of the body and pushes the pin J of the boom: BI is <BI> m and BJ is <BJ> m long, and the angle
at B between
them is <phi> degrees. It grows at <rate> rad/s, and the boom needs a moment of <moment> N m about B, counted in the direction in which the angle grows. How long is the
cylinder, how long is its
lever about B, how fast does it get longer, and how hard must it push?""",
    asks={"L": "length of the cylinder, from pin to pin (m)", "lever": "lever of the cylinder about B (m)", "L_rate": "rate of the length (m/s)",
          "push": "push of the cylinder (N)"},
    hints=["Two sides and the angle between them: the law of cosines.", "Differentiate the square of the length.", "What multiplies the rate is the lever."],
    draw=lambda source: {"BI": source.number(0.28, 0.46), "BJ": source.number(0.71, 1.38), "phi": source.number(38, 132, 0), "rate": source.signed(0.11, 0.38),
                         "moment": source.integer(410, 980) * 10.0},
    solve=triangle,
    mistakes=[
        degrees_as_radians(triangle, "phi"),
        Mistake("law_of_cosines_with_a_plus", "The third term of the law of cosines has a minus.", lambda n: triangle(n, cosine=1.0)),
        Mistake("right_angle_assumed", "The angle at B is not a right one.", lambda n: triangle(n, cosine=0.0)),
        Mistake("square_of_the_length", "This is the square of the length: a root is missing.", lambda n: {"L": triangle(n)["L"] ** 2}),
        Mistake("area_instead_of_lever", "This is twice the area of the triangle: divided by the side IJ it is the lever.",
                with_lever(lambda n, phi, length: n["BI"] * n["BJ"] * math.sin(phi))),
        Mistake("distance_of_the_wrong_pin", "This is the distance of the pin I from BJ. The lever is that of B from IJ.",
                with_lever(lambda n, phi, length: n["BI"] * math.sin(phi))),
        Mistake("whole_boom_as_lever", "The cylinder does not push across BJ.", with_lever(lambda n, phi, length: n["BJ"])),
        Mistake("cosine_in_the_lever", "The derivative of the cosine is a sine.", with_lever(lambda n, phi, length: n["BI"] * n["BJ"] * math.cos(phi) / length)),
        Mistake("speed_of_the_pin", "This is the speed of J. Only its part along the cylinder makes that longer.", lambda n: {"L_rate": n["BJ"] * n["rate"]}),
        Mistake("rate_divided_by_the_lever", "The rate of the length is the lever times the rate of the angle.", lambda n: {"L_rate": n["rate"] / triangle(n)["lever"]}),
        Mistake("moment_times_lever", "A moment is a force times its lever.", lambda n: {"push": n["moment"] * triangle(n)["lever"]}),
    ],
)  # fmt: skip


# --- where two bars meet --------------------------------------------------------------------------------------------


def two_bars(n, side=1.0, half=0.5, root=-1.0, altitude=None, start=1.0):
    """L is s along NM and h to its left or right; the cylinder is the line from K to L."""
    N, M, K = (np.array(n[pin]) for pin in "NMK")
    d, u = math.dist(n["N"], n["M"]), direction(N, M)
    s = half * (d**2 + n["NL"] ** 2 - n["LM"] ** 2) / d
    h = side * (1.0 if n["side"] == "left" else -1.0) * math.sqrt(abs(n["NL"] ** 2 + root * s**2))
    across = np.array([-u[1], u[0]]) if altitude is None else np.array(altitude)
    L = start * N + s * u + h * across
    e = L - K
    return {"L": L, "length": math.sqrt(e @ e), "angle": math.atan2(e[1], e[0])}


def altitude_left_out(n):
    """With the bars in line: L at the foot of the altitude."""
    return two_bars(n, altitude=[0.0, 0.0])


TWO_BARS = Exercise(
    name="where_two_bars_meet", chapter="mechanisms", stars=2, kind="number", title="Where two bars meet",
    text=r"""In the plane of the arms of an excavator a rocker of <NL> m turns about the pin N at <N> m, and a coupler of <LM> m about the pin M at <M> m. The pin L joins their other
ends; seen from N towards M
it is on the <side>. A cylinder reaches from the pin K at <K> m to L. Where is L, how long is the cylinder, and which angle does it make with the x axis?""",
    asks={"L": "place of the pin L in the plane (m)", "length": "length of the cylinder (m)", "angle": "angle from the x axis to the way from K to L (rad)"},
    hints=["Go along NM to the foot of the altitude of the triangle NLM.", "From there go across, to the left or to the right.", "To the left of (x, y) is (-y, x)."],
    draw=lambda source: {"N": [source.number(0.52, 0.68), source.signed(0.06, 0.18)], "M": [source.number(0.91, 1.08), source.signed(0.11, 0.29)],
                         "K": [-source.number(0.31, 0.64), source.signed(0.09, 0.33)], "NL": source.number(0.41, 0.52), "LM": source.number(0.36, 0.57),
                         "side": source.choice(["left", "right"])},
    solve=two_bars,
    mistakes=[
        Mistake("other_side", "L is on the other side of NM: both bars have the right lengths there too, and it is another machine.", lambda n: two_bars(n, side=-1.0)),
        Mistake("bars_exchanged", "Rocker and coupler are exchanged: s is counted from N, where the rocker is.", lambda n: two_bars({**n, "NL": n["LM"], "LM": n["NL"]})),
        Mistake("half_forgotten", "The foot of the altitude is twice as far along NM as it should be: a factor 1/2 is missing.", lambda n: two_bars(n, half=1.0)),
        Mistake("plus_under_the_root", "The rocker is the longest side of its right-angled triangle: its square less that of s.", lambda n: two_bars(n, root=1.0)),
        Mistake("rocker_as_altitude", "The altitude is shorter than the rocker.", lambda n: two_bars(n, root=0.0)),
        Mistake("altitude_along_y", "The altitude is across NM, and NM is not along x.", lambda n: two_bars(n, altitude=[0.0, 1.0])),
        Mistake("foot_of_the_altitude", "This is the foot of the altitude: L is beside it.", altitude_left_out),
        Mistake("counted_from_n", "This is L as seen from N: the place of N has to be added.", lambda n: two_bars(n, start=0.0)),
        Mistake("altitude_turned_the_wrong_way", "To the left of a direction (x, y) is (-y, x): here a sign was exchanged in one component only.",
                lambda n: two_bars(n, altitude=np.array(direction(n["N"], n["M"]))[::-1])),
        Mistake("angle_to_the_y_axis", "This is the angle between the cylinder and the y axis.", lambda n: {"angle": math.pi / 2 - two_bars(n)["angle"]}),
    ],
)  # fmt: skip


# --- through a rocker -----------------------------------------------------------------------------------------------


def pins(n, normalised=True):
    """The directions from N to L, from L to M, and of the cylinder, from K to L."""
    ways = [(n["N"], n["L"]), (n["L"], n["M"]), (n["K"], n["L"])]
    return [direction(*way) if normalised else np.subtract(way[1], way[0]) for way in ways]


def pushes(n, normalised=True, lever=None, cylinder=None, rocker=1.0):
    """First the moment about C, then the balance of the pin, once without the rocker and once without the cylinder."""
    rock, couple, e = pins(n, normalised)
    c = n["moment"] / (lever(n) if lever else cross(np.subtract(n["M"], n["C"]), couple))
    push = c * cross(couple, rock) / cross(e, rock)
    return {"coupler": c, "cylinder": cylinder(n, c) if cylinder else push, "rocker": rocker * c * cross(couple, e) / cross(rock, e)}


def component_of_the_coupler(n, c):
    _, couple, e = pins(n)
    return c * couple @ e


def resultant_of_two_bars(n):
    """As if the coupler pushed the pin with the same sign as it pushes the arm."""
    return {name: value if name == "coupler" else -value for name, value in pushes(n).items()}


THROUGH_A_ROCKER = Exercise(
    name="push_through_a_rocker", chapter="mechanisms", stars=3, kind="number", title="A push through a rocker",
    text=r"""A cylinder reaches from the pin K at <K> m to the pin L at <L> m. Two light bars hold L, too: a rocker from N at <N> m, and a coupler that ends at M at <M> m on an arm,
which turns about C at
<C> m. All places are in the plane of the machine, x before y. The coupler must exert a moment of <moment> N m on the arm, about C and from x towards y. How hard do the
coupler, the cylinder and the rocker push? A bar or cylinder
that pulls has a negative push.""",
    asks={"coupler": "push of the coupler (N)", "cylinder": "push of the cylinder (N)", "rocker": "push of the rocker (N)"},
    hints=["A light bar pushes along itself: the coupler acts on the arm along the way from L to M.",
           "On the pin L act the cylinder, the rocker, and the opposite of what the coupler does to the arm.",
           "Multiply this balance by a direction, as a cross product, and the bar along it is gone."],
    draw=lambda source: {"K": [source.number(0.11, 0.29), source.number(0.21, 0.39)], "L": [source.number(0.98, 1.16), source.number(0.46, 0.59)],
                         "N": [source.number(0.92, 1.09), source.number(0.07, 0.16)], "M": [source.number(1.36, 1.49), source.number(0.24, 0.38)],
                         "C": [source.number(1.28, 1.41), source.signed(0.02, 0.06)], "moment": source.choice([1, -1]) * source.integer(210, 690) * 10.0},
    solve=pushes,
    mistakes=[
        Mistake("rocker_forgotten", "The force of the coupler was taken for that of the cylinder: the rocker pushes the pin, too.",
                lambda n: pushes(n, cylinder=lambda n, c: c, rocker=0.0)),
        Mistake("component_along_the_cylinder", "The part of the coupler's force along the cylinder is not enough: the rocker is not across the cylinder.",
                lambda n: {"cylinder": pushes(n, cylinder=component_of_the_coupler)["cylinder"]}),
        Mistake("length_as_lever", "The lever is the distance of C from the line of the coupler, and not that of C from M.",
                lambda n: pushes(n, lever=lambda n: math.dist(n["C"], n["M"]))),
        Mistake("lever_about_the_rocker_pin", "The moment is about C, where the arm turns.",
                lambda n: pushes(n, lever=lambda n: cross(np.subtract(n["M"], n["N"]), pins(n)[1]))),
        Mistake("moment_reversed", "The moment has the wrong sign: it is r x F, from x towards y.", negated(pushes, "moment")),
        Mistake("directions_not_normalised", "Directions have the length one: here whole ways from pin to pin were used.", lambda n: pushes(n, normalised=False)),
        Mistake("coupler_pushes_the_pin_forward", "The coupler pushes the arm away, and the pin back: its force on the pin is the opposite one.", resultant_of_two_bars),
        Mistake("rocker_reversed", "A positive push of the rocker acts on L away from N.", lambda n: {"rocker": -pushes(n)["rocker"]}),
        Mistake("moment_times_lever", "A moment is a force times its lever.", lambda n: pushes(n, lever=lambda n: 1 / cross(np.subtract(n["M"], n["C"]), pins(n)[1]))),
        Mistake("cylinder_and_rocker_exchanged", "The forces of cylinder and rocker are exchanged.",
                lambda n: {"cylinder": pushes(n)["rocker"], "rocker": pushes(n)["cylinder"]}),
    ],
)  # fmt: skip


# --- from rest to rest ----------------------------------------------------------------------------------------------


def quintic(n, coefficients=(10.0, -15.0, 6.0), whole=None, rate_by=1, acceleration_by=2):
    """The polynomial whose powers begin at the third, and its derivatives."""
    T = whole or n["T"]
    s = n["t"] / T
    law = np.polynomial.Polynomial([0.0, 0.0, 0.0, *coefficients])
    angle, rate, acceleration = (n["way"] * of(s) for of in (law, law.deriv(), law.deriv(2)))
    return {"angle": angle, "rate": rate / T**rate_by, "acceleration": acceleration / T**acceleration_by, "fastest": n["way"] * law.deriv()(0.5) / T**rate_by}


def cubic(n):
    s, way, T = n["t"] / n["T"], n["way"], n["T"]
    return {"angle": way * s**2 * (3 - 2 * s), "rate": way * 6 * s * (1 - s) / T, "acceleration": way * 6 * (1 - 2 * s) / T**2, "fastest": 1.5 * way / T}


def even(n):
    rate = n["way"] / n["T"]
    return {"angle": rate * n["t"], "rate": rate, "acceleration": 0.0, "fastest": rate}


QUINTIC = Exercise(
    name="from_rest_to_rest", chapter="mechanisms", stars=1, kind="number", title="From rest to rest",
    text=r"""An arm turns by <way> degrees in <T> s, from rest to rest, by the polynomial of fifth degree that has no rate and no acceleration at either end. How far has it turned
after <t> s, and at
which rate and acceleration does it turn then? Which rate does it have when it is fastest? Count in degrees.""",
    asks={"angle": "angle that it has turned by then (degrees)", "rate": "rate at that time (degrees/s)", "acceleration": "acceleration at that time (degrees/s^2)",
          "fastest": "rate when it is fastest (degrees/s)"},
    hints=["First divide the time by the whole time.", "Each derivative with respect to time divides by the whole time once more.", "It is fastest halfway."],
    draw=lambda source: {"way": source.signed(31, 88, 0), "T": source.number(6.2, 13.8, 1), "t": source.number(1.2, 4.4, 1)},
    solve=quintic,
    mistakes=[
        Mistake("cubic", "This is the polynomial of third degree: its acceleration jumps at both ends.", cubic),
        Mistake("even_motion", "This is motion at a constant rate, which starts and stops with a jolt.", even),
        Mistake("divided_once", "The second derivative divides by the whole time twice.", lambda n: {"acceleration": quintic(n, acceleration_by=1)["acceleration"]}),
        Mistake("derivatives_with_respect_to_s", "These are derivatives with respect to t/T: those with respect to time divide by the whole time.",
                lambda n: quintic(n, rate_by=0, acceleration_by=0)),
        Mistake("signs_of_the_polynomial", "The middle term of the polynomial has a minus.", lambda n: quintic(n, coefficients=(10.0, 15.0, 6.0))),
        Mistake("coefficients_reversed", "The coefficients stand in the reverse order: 10 belongs to the third power.",
                lambda n: quintic(n, coefficients=(6.0, -15.0, 10.0))),
        Mistake("counted_from_the_end", "This is the motion at that time before the end.", lambda n: quintic({**n, "t": n["T"] - n["t"]})),
        Mistake("average_rate", "This is the average rate: halfway it is faster.", lambda n: {"fastest": n["way"] / n["T"]}),
        Mistake("twice_the_average", "The fastest rate is less than twice the average one.", lambda n: {"fastest": 2 * n["way"] / n["T"]}),
        Mistake("still_to_go", "This is the angle that is still to go.", lambda n: {"angle": n["way"] - quintic(n)["angle"]}),
    ],
)  # fmt: skip


# --- a piston -------------------------------------------------------------------------------------------------------


def piston(n, sliding=1.0, coriolis=2.0, centripetal=1.0, euler=1.0, turn=1.0, axes=True):
    """A bead on a turning wire, whose pivot moves as well."""
    angle = math.radians(n["angle"])
    e = np.array([math.cos(angle), math.sin(angle)])
    across, w, x = turn * np.array([-e[1], e[0]]), n["w"], n["x"]
    v = np.array(n["v"]) + w * x * across + sliding * n["L_rate"] * e
    a = np.array(n["a"]) + (n["L_second"] - centripetal * w**2 * x) * e + (euler * n["w_rate"] * x + coriolis * w * sliding * n["L_rate"]) * across
    if not axes:
        v, a = (np.array([e @ y, across @ y]) for y in (v, a))
    return {"velocity": v, "acceleration": a}


def only_the_acceleration(**changes):
    return lambda n: {"acceleration": piston(n, **changes)["acceleration"]}


PISTON = Exercise(
    name="rod_of_a_piston", chapter="mechanisms", stars=2, kind="number", title="The rod of a piston",
    text=r"""A cylinder moves in the plane of the arms. The pin on which it turns has the velocity <v> m/s and the acceleration <a> m/s\f$^2\f$, since the arm that carries it moves.
The cylinder stands at <angle>
degrees to the x axis and turns at <w> rad/s, with the angular acceleration <w_rate> rad/s\f$^2\f$. It gets longer at <L_rate> m/s, this rate grows at <L_second>
m/s\f$^2\f$, and the centre of mass of its piston rod now is <x> m
away from the pin. Which velocity and which acceleration has this centre of mass?""",
    asks={"velocity": "velocity of the centre of mass, along x and y of the plane (m/s)",
          "acceleration": "acceleration of the centre of mass, along x and y of the plane (m/s^2)"},
    hints=["The rod is carried by the pin, turned by the cylinder, and slides along it.", "Differentiate p + x e(t), where x changes too: e changes across itself.",
           "The sliding and the turning meet twice."],
    draw=lambda source: {"v": source.vector(0.2, 0.9, length=2), "a": source.vector(0.3, 1.9, 1, 2), "angle": source.signed(24, 66, 0), "w": source.signed(0.6, 1.8, 1),
                         "w_rate": source.signed(0.7, 2.9, 1),
                         "L_rate": source.signed(0.26, 0.84), "L_second": source.signed(0.4, 1.9, 1), "x": source.number(0.61, 1.34)},
    solve=piston,
    mistakes=[
        degrees_as_radians(piston, "angle"),
        Mistake("sliding_forgotten", "The rod slides out of the cylinder, too: the rate of the length is missing, here and in the product with the turning.",
                lambda n: piston(n, sliding=0.0)),
        Mistake("coriolis_once", "The product of sliding and turning counts twice: the rod slides to where it is carried faster, and what it slides along turns.",
                only_the_acceleration(coriolis=1.0)),
        Mistake("coriolis_forgotten", "The product of sliding and turning is missing.", only_the_acceleration(coriolis=0.0)),
        Mistake("centripetal_forgotten", "The term with the square of the rate is missing.", only_the_acceleration(centripetal=0.0)),
        Mistake("centripetal_outward", "The term with the square of the rate points towards the pin.", only_the_acceleration(centripetal=-1.0)),
        Mistake("angular_acceleration_forgotten", "The angular acceleration has a lever: this term is missing.", only_the_acceleration(euler=0.0)),
        Mistake("turned_the_wrong_way", "A turn from x towards y carries a point to its left.", lambda n: piston(n, turn=-1.0)),
        Mistake("pin_held", "The pin moves with its arm.", without(piston, "v", "a")),
        Mistake("axes_of_the_cylinder", "These are components along and across the cylinder.", lambda n: piston(n, axes=False)),
    ],
)  # fmt: skip


# --- straight down --------------------------------------------------------------------------------------------------


def descent(n, speed=-1.0, sines=1.0, of_square=1.0, of=math.sin, exchanged=False):
    """Two bars between two pins, of which the second moves; both lines of the rates, and of the accelerations."""
    alpha, beta, v = math.radians(n["alpha"]), math.radians(n["beta"]), speed * n["v"]
    a, b = (n["b"], n["a"]) if exchanged else (n["a"], n["b"])
    far = math.sin(beta - alpha)
    rates = np.array([v * of(beta) / far / a, -sines * v * of(alpha) / far / b])
    # (-a sin, -b sin; a cos, b cos) times the accelerations is a (cos, sin) rate^2 of both, which point back along the bars
    squares = of_square * np.array([a, b]) * rates**2
    right = squares @ np.array([[math.cos(alpha), math.sin(alpha)], [math.cos(beta), math.sin(beta)]])
    columns = np.array([[-a * math.sin(alpha), -b * math.sin(beta)], [a * math.cos(alpha), b * math.cos(beta)]])
    return {"rates": rates, "accelerations": np.linalg.solve(columns, right)}


def from_the_first_arm(n):
    return descent({**n, "beta": n["beta"] + n["alpha"]})


def of_the_joint(n):
    return {name: np.array([value[0], value[1] - value[0]]) for name, value in descent(n).items()}


DESCENT = Exercise(
    name="straight_down", chapter="mechanisms", stars=2, kind="number", title="Straight down",
    text=r"""Two arms of <a> m and <b> m move in a vertical plane. The first is hinged to a body at rest and stands at the elevation <alpha> degrees, the second is hinged to its end
and stands at the elevation
<beta> degrees; both are angles to the horizontal. The far end of the second arm goes straight down at the constant speed of <v> m/s. At which rates do both elevations
change, and with which
accelerations?""",
    asks={"rates": "rates of the elevations of both arms (rad/s)", "accelerations": "second derivatives of the elevations of both arms (rad/s^2)"},
    hints=["Differentiate the place of the far end, a (cos, sin) + b (cos, sin).",
           "Its horizontal velocity is zero and its vertical one is given: two lines for two rates.",
           "The far end has no acceleration; the squares of the rates have to be made up for."],
    draw=lambda source: {"a": source.number(1.21, 1.66), "b": source.number(1.92, 2.58), "alpha": source.number(47, 74, 0), "beta": -source.number(21, 66, 0),
                         "v": source.number(0.24, 0.58)},
    solve=descent,
    mistakes=[
        degrees_as_radians(descent, "alpha", "beta"),
        Mistake("upwards", "This is the motion upwards.", lambda n: {"rates": descent(n, speed=1.0)["rates"]}),
        Mistake("angle_to_the_first_arm", "The elevation of the second arm is its angle to the horizontal, not to the first arm.", from_the_first_arm),
        Mistake("rate_of_the_joint", "This is how the joint between both arms moves: the elevation of the second arm is a sum.", of_the_joint),
        Mistake("no_accelerations", "The far end has no acceleration, but the arms have: their ends move on circles.", lambda n: {"accelerations": [0.0, 0.0]}),
        Mistake("squares_with_the_wrong_sign", "The squares of the rates point back along the arms: they have to be made up for, and have the other sign here.",
                lambda n: {"accelerations": descent(n, of_square=-1.0)["accelerations"]}),
        Mistake("cosines_instead_of_sines", "The horizontal components must cancel: these are the rates of a far end that moves along x.",
                lambda n: descent(n, of=math.cos)),
        Mistake("both_in_the_same_sense", "The second rate has the wrong sign: what one arm moves the end along x the other one moves it back.",
                lambda n: {"rates": descent(n, sines=-1.0)["rates"]}),
        Mistake("lengths_exchanged", "The lengths of both arms are exchanged.", lambda n: descent(n, exchanged=True)),
        Mistake("speeds_instead_of_rates", "These are speeds: divide by the lengths of the arms.", lambda n: {"rates": descent(n)["rates"] * [n["a"], n["b"]]}),
    ],
)  # fmt: skip


# --- derivations ----------------------------------------------------------------------------------------------------

EQUAL_LEVERS = Exercise(
    name="equally_good_at_both_ends", chapter="mechanisms", stars=2, kind="derive", title="Equally good at both ends",
    text=r"""A cylinder between I and J turns a boom about B, as in the chapter: \f$a = \overline{BI} < b = \overline{BJ}\f$, and \f$\varphi\f$ is the angle between both. The boom is
to turn from \f$\varphi_1\f$ to
\f$\varphi_2\f$. A designer wants the lever to be equally long at both ends of that range. Let \f$c_1\f$ and \f$c_2\f$ be the cosines of these angles, and
\f$p = (a^2 + b^2)/2ab\f$. Show that
\f[ p\,(c_1 + c_2) = 1 + c_1c_2 , \f]
and find from it where the lever is longest. Which ratio \f$b/a\f$ does a boom need that turns from 50° to 115°? What if it turns from 60° to 120°?""",
    hints=["Write the square of the lever with p and c.", "Set it equal at both ends, and divide by what both sides have in common.",
           "At its longest the lever is equal on both sides, as close as one likes."],
    solution=r"""The lever is \f$ab\sin\varphi/L\f$ with \f$L^2 = a^2 + b^2 - 2ab\,c = 2ab\,(p - c)\f$, so that its square is
\f[ \frac{a^2b^2\,(1 - c^2)}{2ab\,(p - c)} = \frac{ab}2\,\frac{1 - c^2}{p - c} . \f]
It is equal at both ends if \f$(1 - c_1^2)(p - c_2) = (1 - c_2^2)(p - c_1)\f$. Sorted, this is
\f[ p\,(c_2^2 - c_1^2) = (c_2 - c_1) + c_1c_2\,(c_2 - c_1) , \f]
and \f$c_2 - c_1\f$, which is not zero, can be divided out: \f$p\,(c_1 + c_2) = 1 + c_1c_2\f$.
Between two angles with equal levers there is the longest one. Let both come together, \f$c_1 = c_2 = c\f$: then \f$2pc = 1 + c^2\f$, whose solution below 1 is
\f$c = p - \sqrt{p^2 - 1} = a/b\f$. With
\f$\cos\varphi = a/b\f$ the triangle has its right angle at I, and the lever is \f$a\f$, as the second exercise of the chapter has it.
For 50° and 115° the cosines are 0.6428 and \f$-0.4226\f$, the sum is 0.2202 and \f$1 + c_1c_2 = 0.7283\f$, so that \f$p = 3.308\f$. Since \f$b/a + a/b = 2p\f$, the
ratio is \f$p + \sqrt{p^2 - 1} = 6.46\f$: a long way from the pin of the
boom to that of the cylinder. The lever is \f$0.843\,a\f$ at either end, and \f$a\f$ at its longest.
From 60° to 120° the sum of the cosines is zero, and no \f$p\f$ does it. The lever is longest where \f$\cos\varphi = a/b\f$ is positive, so that it is shorter at 120°
than at 60°, however long
\f$b\f$ is. In the limit of an endless \f$b\f$ the cylinder is always parallel to BJ,
the lever is \f$a\sin\varphi\f$, and both ends are equal.""",
)  # fmt: skip

HEAVY_RODS = Exercise(
    name="rods_with_weight", chapter="mechanisms", stars=2, kind="derive", title="Rods with weight",
    text=r"""A uniform rod of mass \f$m\f$ and length \f$l\f$ is one of the bars between a cylinder and an arm, pinned at both ends. The machine is at rest. Find the forces that both
pins exert on the rod across its axis,
and the bending moment in its middle, if the rod makes the angle \f$\gamma\f$ with the horizontal. Then show that the push of the cylinder stays the same if the rod is
replaced by a light one with a point of mass \f$m/2\f$ at each end, and
that the light rod carries force along its axis only. Is the push still the same while the machine moves?""",
    hints=["Moments about one end, with the weight in the middle.", "Virtual work: the push of the cylinder follows from how the potential energy changes.",
           "In motion: compare the kinetic energies of both rods when their ends move with the velocities v and v + w."],
    solution=r"""Across the rod acts the component \f$mg\cos\gamma\f$ of its weight, in the middle. Moments about one end: the other pin exerts half of it, \f$\tfrac12mg\cos\gamma\f$,
and so does this one. Cut the rod in the middle.
On its half act the pin, with \f$\tfrac12mg\cos\gamma\f$ at the distance \f$\tfrac l2\f$, and its own weight, with \f$\tfrac12mg\cos\gamma\f$ at \f$\tfrac l4\f$. The
bending moment is
\f[ \tfrac12mg\cos\gamma\left(\tfrac l2 - \tfrac l4\right) = \tfrac18mgl\cos\gamma , \f]
so this rod does not carry axial force alone.
Let this cylinder move and no other. By the principle of virtual work its push \f$f\f$ at rest obeys \f$f\,\delta L = \delta U\f$, with \f$U\f$ the potential energy of
everything. The middle of the rod is at the mean height of both ends, \f$\tfrac12(h_1 + h_2)\f$, in
every position. So \f$mg\,\tfrac12(h_1 + h_2) = \tfrac m2gh_1 + \tfrac m2gh_2\f$: both machines have the same \f$U\f$ as a function of the position, and need the same
push. On the light rod nothing acts between its ends; moments
about one of them say that the force at the other has no lever, that is, it is along the rod. The half masses belong to the pins, whose balance contains their weights.
This is the drawing of the chapter, and it finds the right push.
In motion it does not, as \f$U\f$ is joined by the kinetic energy. Let the ends move with \f$v\f$ and \f$v + w\f$. The two points have
\f$\tfrac m4\left(v^2 + (v + w)^2\right)\f$. The uniform rod has the velocity
\f$v + sw\f$ at the fraction \f$s\f$ of its length, and \f$\tfrac m2\int_0^1(v + sw)^2ds = \tfrac m2\left(v^2 + v\cdot w + \tfrac13w^2\right)\f$. The difference is
\f[ \tfrac m2\left(v^2 + v\cdot w + \tfrac12w^2\right) - \tfrac m2\left(v^2 + v\cdot w + \tfrac13w^2\right) = \tfrac m{12}\,w^2 . \f]
It vanishes only if the rod does not turn: two half masses at the ends have three times the moment of inertia of the rod about its middle. The push is
\f$\tau_3/(\partial L/\partial\theta_3)\f$ in motion as well, but
\f$\tau_3\f$ has to be made with the mass of the rod where it is.""",
)  # fmt: skip

EXERCISES = [TRIANGLE, QUINTIC, TWO_BARS, PISTON, DESCENT, THROUGH_A_ROCKER, EQUAL_LEVERS, HEAVY_RODS]
