"""Exercises of chapter 12: how forces change, and what follows the jerk."""
import math

import numpy as np

from ..early_tools import BARS, G, angles, bars, bias, mass_matrix, rates
from ..exercise import Exercise
from ..mistakes import Mistake, degrees_as_radians, negated, with_changed, without
from ..vectors import Ad, cross, inverse, turn_x, turn_z

# --- a motor that lags ----------------------------------------------------------------------------------------------


def pendulum(n, weight=1.0, by_square=-1.0, by_acceleration=1.0, inertia=1.0, lag=1.0):
    """Torque, and what the chain rule makes of its weight; with coefficients that are 1 and -1 if it is right."""
    q, moment, mgl = math.radians(n["q"]), inertia * n["m"] * n["l"] ** 2, n["m"] * G * n["l"]
    s, c = math.sin(q), math.cos(q)
    torque = moment * n["a"] + mgl * s
    first = moment * n["j"] + weight * mgl * c * n["r"]
    second = moment * n["s"] + weight * mgl * (by_acceleration * c * n["a"] + by_square * s * n["r"] ** 2)
    return {"tau_rate": first, "tau_second": second, "told": torque + lag * n["T"] * first, "motor": n["a"] + second / n["k"]}


def from_the_horizontal(n):
    return pendulum({**n, "q": 90 - n["q"]})


LAGGING = Exercise(
    name="motor_that_lags", chapter="higher_order", stars=1, kind="number", title="A motor that lags, and one behind a spring",
    text=r"""A point of <m> kg hangs on a light rod of <l> m. It stands at <q> degrees from hanging straight down, and its angle has the derivatives
\f$\dot q\f$ = <r> rad/s, \f$\ddot q\f$ = <a> rad/s\f$^2\f$, \f$q^{(3)}\f$ = <j> rad/s\f$^3\f$ and \f$q^{(4)}\f$ = <s> rad/s\f$^4\f$; gravity is
9.81 m/s\f$^2\f$. How does the torque at the hinge change, and how does that change? A motor at the hinge lags by <T> s: which torque must it be told? Another one
turns the rod through a spring of <k> N m/rad: which acceleration must the motor itself have?""",
    asks={"tau_rate": "first derivative of the torque (N m/s)", "tau_second": "second derivative of the torque (N m/s^2)",
          "told": "torque that the motor that lags must be told (N m)", "motor": "acceleration of the motor behind the spring (rad/s^2)"},
    hints=["Write the torque as a function of q and of its second derivative, and use the chain rule twice.",
           "The rate of the angle occurs in the first derivative, so that the second one has its square and its own rate.",
           "What is told arrives late by T times its rate. The spring is twisted by the torque over its stiffness."],
    draw=lambda source: {"m": source.number(0.8, 2.4, 1), "l": source.number(0.42, 0.88), "q": source.signed(24, 66, 0), "r": source.signed(1.2, 3.4, 1),
                         "a": source.signed(2.1, 8.9, 1), "j": source.signed(11, 39, 0), "s": source.signed(41, 190, 0), "T": source.number(0.06, 0.19),
                         "k": source.number(11, 29, 0)},
    solve=pendulum,
    mistakes=[
        degrees_as_radians(pendulum, "q"),
        Mistake("weight_held", "The moment of the weight was taken to be constant: the mass moves.", lambda n: pendulum(n, weight=0.0)),
        Mistake("square_of_the_rate_forgotten", "The cosine in the first derivative changes, too: the square of the rate is missing.",
                lambda n: pendulum(n, by_square=0.0)),
        Mistake("square_of_the_rate_with_a_plus", "The derivative of the cosine has a minus.", lambda n: pendulum(n, by_square=1.0)),
        Mistake("acceleration_forgotten", "The rate in the first derivative changes, too: the acceleration is missing.", lambda n: pendulum(n, by_acceleration=0.0)),
        Mistake("moment_of_a_uniform_rod", "The mass is a point at the end of the rod: m l^2, not a third of it.", lambda n: pendulum(n, inertia=1 / 3)),
        Mistake("angle_from_the_horizontal", "The angle is counted from the vertical: the moment of the weight has its sine.", from_the_horizontal),
        Mistake("lag_with_a_minus", "The motor is behind, so that it must be told what comes later, not what was.", lambda n: {"told": pendulum(n, lag=-1.0)["told"]}),
        Mistake("lag_ignored", "This is the torque that is wanted now: a motor that lags delivers it too late.", lambda n: {"told": pendulum(n, lag=0.0)["told"]}),
        Mistake("rate_of_the_link", "This is the acceleration of the rod: the spring winds up, too.", lambda n: {"motor": n["a"]}),
        Mistake("spring_with_a_minus", "The motor runs ahead of the rod by what the spring is twisted: the sign of that is wrong.",
                lambda n: {"motor": 2 * n["a"] - pendulum(n)["motor"]}),
    ],
)  # fmt: skip


# --- a painted screw ------------------------------------------------------------------------------------------------


def bracket(V, X):
    return cross(V[0], X[0]), cross(V[1], X[0]) + cross(V[0], X[1])


def turned_only(V, X):
    return cross(V[0], X[0]), cross(V[0], X[1])


def as_on_a_wrench(V, X):
    return cross(V[0], X[0]) + cross(V[1], X[1]), cross(V[0], X[1])


def painted(n, ad=bracket, sign=1.0, nested=1.0, by_rate=1.0):
    """S' = [V, S] and S'' = [V, S'] + [V', S]."""
    direction = np.array(n["axis"]) / n["length"]
    S = direction, cross(n["y"], direction)
    first = [sign * x for x in ad((n["w"], n["v"]), S)]
    again, by_twist = ad((n["w"], n["v"]), first), ad((n["w_rate"], n["v_rate"]), S)
    second = [sign * (nested * x + by_rate * y) for x, y in zip(again, by_twist)]
    return {"direction_rate": first[0], "moment_rate": first[1], "direction_second": second[0], "moment_second": second[1]}


def painted_after(n):
    """The moment of the line with its factors exchanged is that of the point on its other side."""
    return negated(painted, "y")(n)


def second_derivative(**changes):
    """Only the second derivative comes out wrong."""
    return lambda n: {name: value for name, value in painted(n, **changes).items() if name.endswith("second")}


PAINTED = Exercise(
    name="hinge_that_is_carried", chapter="higher_order", stars=2, kind="number", title="A hinge that is carried along",
    text=r"""The axis of a hinge now has the direction <axis>/<length> and passes through the point <y> m of the world. The body behind it has the spatial twist
\f$w\f$ = <w> rad/s, \f$v\f$ = <v> m/s, whose components change at the rates \f$\dot w\f$ = <w_rate> rad/s\f$^2\f$ and \f$\dot v\f$ = <v_rate>
m/s\f$^2\f$. Everything is in the world, as in chapter 12. What are the first and the second derivative of the screw of the hinge?""",
    asks={"direction_rate": "angular half of the first derivative, in the world (1/s)", "moment_rate": "linear half of the first derivative, in the world (m/s)",
          "direction_second": "angular half of the second derivative, in the world (1/s^2)",
          "moment_second": "linear half of the second derivative, in the world (m/s^2)"},
    hints=["Read the screw off as if this were the photograph: direction, and point times direction.",
           "A screw that rides on a body changes by a bracket with the body's twist.", "The second derivative is that of a product of two."],
    draw=lambda source: {**dict(zip(("axis", "length"), source.axis())), "y": source.vector(0.3, 1.2), "w": source.vector(0.4, 2.2, 1),
                         "v": source.vector(0.3, 1.8, 1), "w_rate": source.vector(0.6, 4.4, 1), "v_rate": source.vector(0.6, 4.4, 1)},
    solve=painted,
    mistakes=[
        Mistake("bracket_reversed", "The bracket has the wrong order: what rides on a body changes by [V, S].", lambda n: painted(n, sign=-1.0)),
        Mistake("twist_taken_as_constant", "The twist changes, too: the bracket with its rate is missing in the second derivative.", second_derivative(by_rate=0.0)),
        Mistake("screw_taken_as_constant", "The screw in the bracket changes, too: the nested bracket is missing in the second derivative.",
                second_derivative(nested=0.0)),
        Mistake("wrong_binomial", "The second derivative of S is the first one of a product, so that its binomials are those of order 1.",
                second_derivative(by_rate=2.0)),
        Mistake("twice_the_nested_bracket", "The nested bracket occurs once: S' is known as a whole.", second_derivative(nested=2.0)),
        Mistake("turned_only", "Both halves are only turned: the axis moves with the body, so that its moment has v x direction in addition.",
                lambda n: painted(n, ad=turned_only)),
        Mistake("moved_as_a_wrench", "This is the rule of wrenches, with the transpose: screws of joints are twists.", lambda n: painted(n, ad=as_on_a_wrench)),
        Mistake("axis_through_the_origin", "The axis does not pass through the origin of the world.", without(painted, "y")),
        Mistake("moment_reversed", "The linear half of a screw is point times direction, in this order.", painted_after),
        Mistake("direction_not_normalised", "The direction of an axis has the length one.", with_changed(painted, length=lambda x: 1)),
        Mistake("halves_of_the_twist_exchanged", "Angular and linear velocity are exchanged.",
                lambda n: painted({**n, "w": n["v"], "v": n["w"], "w_rate": n["v_rate"], "v_rate": n["w_rate"]})),
    ],
)  # fmt: skip


# --- the base in two languages --------------------------------------------------------------------------------------


def base_pose(n):
    return turn_z(math.radians(n["a"])) @ turn_x(math.radians(n["b"])), np.array(n["p"])


def to_spatial(n, pose=base_pose, bracketed=1.0, ad=bracket):
    T = pose(n)
    turn = ad((n["w"], n["v"]), (n["w_rate"], n["v_rate"]))
    first = Ad(T, (n["w_rate"], n["v_rate"]))
    second = Ad(T, (np.array(n["w_second"]) + bracketed * turn[0], np.array(n["v_second"]) + bracketed * turn[1]))
    return {"w_rate_spatial": first[0], "v_rate_spatial": first[1], "w_second_spatial": second[0], "v_second_spatial": second[1]}


def second_of_base(**changes):
    return lambda n: {name: value for name, value in to_spatial(n, **changes).items() if "second" in name}


def bracket_in_the_first(n):
    """The bracket of the second derivative is added to the first."""
    right, plain = to_spatial(n), to_spatial(n, bracketed=0.0)
    return {f"{half}_rate_spatial": right[f"{half}_rate_spatial"] + right[f"{half}_second_spatial"] - plain[f"{half}_second_spatial"] for half in "wv"}


def turns_exchanged(n):
    return turn_x(math.radians(n["b"])) @ turn_z(math.radians(n["a"])), np.array(n["p"])


TWO_LANGUAGES = Exercise(
    name="jerk_of_the_base", chapter="higher_order", stars=2, kind="number", title="The jerk of a base, in two languages",
    text=r"""A drone stands at <p> m in the world. Its rotation is one of <a> degrees about z followed by one of <b> degrees about its own x axis. A planner gives its body twist and
two
derivatives, in the frame of the drone: \f$w\f$ = <w> rad/s, \f$v\f$ = <v> m/s, \f$\dot w\f$ = <w_rate> rad/s\f$^2\f$, \f$\dot v\f$ = <v_rate> m/s\f$^2\f$,
\f$\ddot w\f$ = <w_second> rad/s\f$^3\f$ and \f$\ddot v\f$ = <v_second> m/s\f$^3\f$. A program of chapter 12 wants the derivatives of the spatial twist. What are the
first and the second one?""",
    asks={"w_rate_spatial": "angular half of the first derivative, in the world (rad/s^2)", "v_rate_spatial": "linear half of the first derivative, in the world (m/s^2)",
          "w_second_spatial": "angular half of the second derivative, in the world (rad/s^3)",
          "v_second_spatial": "linear half of the second derivative, in the world (m/s^3)"},
    hints=["Differentiate Ad_C X with the rule of the chapter, for X = V first.", "The bracket of a twist with itself vanishes. That of a twist with its rate does not."],
    draw=lambda source: {"p": source.vector(0.3, 1.2), "a": source.signed(24, 66, 0), "b": source.signed(24, 66, 0), "w": source.vector(0.5, 2.6, 1),
                         "v": source.vector(0.4, 2.1, 1), "w_rate": source.vector(0.6, 4.2, 1), "v_rate": source.vector(0.6, 4.2, 1),
                         "w_second": source.vector(1.1, 8.8, 1), "v_second": source.vector(1.1, 8.8, 1)},
    solve=to_spatial,
    mistakes=[
        degrees_as_radians(to_spatial, "a", "b"),
        Mistake("second_derivative_carried_as_the_first", "The second derivative is not carried like a twist: the pose changes, too.", second_of_base(bracketed=0.0)),
        Mistake("bracket_reversed", "The bracket has the wrong order: it is that of the twist with its rate.", second_of_base(bracketed=-1.0)),
        Mistake("bracket_twice", "The bracket occurs once: in the first derivative it vanishes, and leaves nothing behind for the second.",
                second_of_base(bracketed=2.0)),
        Mistake("bracket_of_rotations_alone", "The bracket of two twists also has v x w' in its linear half.", second_of_base(ad=turned_only)),
        Mistake("bracket_in_the_first_derivative", "The bracket in the first derivative is that of the twist with itself.", bracket_in_the_first),
        Mistake("lever_forgotten", "A spatial twist has the velocity of the point at the origin of the world: the lever is missing.", without(to_spatial, "p")),
        Mistake("lever_with_the_wrong_sign", "The lever has the wrong sign: it is p x w.", negated(to_spatial, "p")),
        Mistake("ad_of_the_inverse", "The pose of the drone carries twists from the drone to the world. This is what the inverse makes of them.",
                lambda n: to_spatial(n, pose=lambda n: inverse(base_pose(n)))),
        Mistake("turns_in_the_other_order", "The two turns are exchanged: a turn about an own axis multiplies from the right.",
                lambda n: to_spatial(n, pose=turns_exchanged)),
    ],
)  # fmt: skip


# --- a drone that plans ---------------------------------------------------------------------------------------------


def flat(n, gravity=G, order=1.0, spin_about=None, turn_by=None):
    """The thrust and its direction follow from the acceleration, and how both change from the jerk."""
    push = np.array(n["a"]) + [0.0, 0.0, gravity]
    length = math.sqrt(push @ push)
    b, jerk = push / length, np.array(n["j"])
    turn = order * cross(b, jerk) / (turn_by(n, length) if turn_by else length)
    axis = b if spin_about is None else np.array(spin_about)
    return {"thrust": n["m"] * length, "thrust_rate": n["m"] * (b @ jerk), "w": turn + n["spin"] * axis}


def with_rate_of_thrust(function):
    return lambda n: {"thrust_rate": function(n)}


FLAT = Exercise(
    name="drone_that_plans", chapter="higher_order", stars=2, kind="number", title="What a path leaves open",
    text=r"""All propellers of a drone of <m> kg push along one direction \f$b\f$ of its body. Its centre of mass is to have the acceleration <a> m/s\f$^2\f$ and the jerk
<j> m/s\f$^3\f$, in a world whose z axis points up, with gravity of 9.81 m/s\f$^2\f$. Besides, it is to turn about \f$b\f$ at <spin> rad/s. Which thrust does that take,
how does it change, and which angular
velocity must the drone have?""",
    asks={"thrust": "thrust (N)", "thrust_rate": "derivative of the thrust (N/s)", "w": "angular velocity, in the frame of the world (rad/s)"},
    hints=["The thrust carries the mass and accelerates it: this gives its size and its direction.",
           "Differentiate f b = m (a - g), and split the result into a part along b and one across it.",
           "Across b the direction changes by w x b. Multiply by b to find w."],
    draw=lambda source: {"m": source.number(0.6, 2.8, 1), "a": source.vector(1.1, 6.4, 1), "j": source.vector(2.2, 14.8, 1), "spin": source.signed(0.3, 1.4, 1)},
    solve=flat,
    mistakes=[
        Mistake("gravity_forgotten", "The thrust carries the weight, too.", lambda n: flat(n, gravity=0.0)),
        Mistake("gravity_added", "Gravity points downwards, and is subtracted: a - g is longer upwards.", lambda n: flat(n, gravity=-G)),
        Mistake("turned_the_wrong_way", "The part across b has the wrong sign: w = b x b'.", lambda n: {"w": flat(n, order=-1.0)["w"]}),
        Mistake("divided_by_the_thrust", "The direction changes by the jerk over the thrust per mass: a mass is missing.",
                lambda n: {"w": flat(n, turn_by=lambda n, length: n["m"] * length)["w"]}),
        Mistake("as_in_hover", "This divides by 9.81, as in hover: here the drone accelerates.", lambda n: {"w": flat(n, turn_by=lambda n, length: G)["w"]}),
        Mistake("direction_not_normalised", "The direction b has the length one.", lambda n: {"w": flat(n, turn_by=lambda n, length: 1.0)["w"]}),
        Mistake("spin_about_the_vertical", "The drone turns about its own direction b in addition, not about the vertical.",
                lambda n: {"w": flat(n, spin_about=[0.0, 0.0, 1.0])["w"]}),
        Mistake("spin_forgotten", "The turn about b is missing: the path does not give it, the text does.", lambda n: {"w": without(flat, "spin")(n)["w"]}),
        Mistake("length_of_the_jerk", "Only the part of the jerk along b changes the thrust; the rest turns it.",
                with_rate_of_thrust(lambda n: n["m"] * np.linalg.norm(n["j"]))),
        Mistake("vertical_part_of_the_jerk", "The thrust is not vertical: the part of the jerk along b is asked.", with_rate_of_thrust(lambda n: n["m"] * n["j"][2])),
        Mistake("mass_forgotten", "These are accelerations: a force is a mass times them.",
                lambda n: {name: value / n["m"] for name, value in flat(n).items() if name != "w"}),
    ],
)  # fmt: skip


# --- an arm, one derivative more ------------------------------------------------------------------------------------


def rate_of_mass_matrix(n):
    half = n["m2"] * n["l1"] * n["l2"] / 2 * math.sin(math.radians(n["q2"]))
    return -half * n["r2"] * np.array([[2.0, 1.0], [1.0, 0.0]])


def rate_of_coriolis(n, qdd, turned=1.0, faster=1.0):
    """As the elbow turns, and as the rates grow."""
    q, half = math.radians(n["q2"]), n["m2"] * n["l1"] * n["l2"] / 2
    r1, r2, (a1, a2) = n["r1"], n["r2"], qdd
    by_angle = half * math.cos(q) * r2 * np.array([-(2 * r1 + r2) * r2, r1**2])
    by_rates = half * math.sin(q) * np.array([-(2 * a1 + a2) * r2 - (2 * r1 + r2) * a2, 2 * r1 * a1])
    return turned * by_angle + faster * by_rates


def rate_of_gravity(n, carried=1.0):
    first, second = angles(n)
    elbow = -n["m2"] * G * n["l2"] / 2 * math.sin(second) * (carried * n["r1"] + n["r2"])
    return np.array([-(n["m1"] / 2 + n["m2"]) * G * n["l1"] * math.sin(first) * n["r1"] + elbow, elbow])


def torque_rates(n, of_mass=1.0, coriolis=None, weight=1.0, carried=1.0):
    qdd, jerk = np.array([n["a1"], n["a2"]]), np.array([n["j1"], n["j2"]])
    coriolis = {} if coriolis is None else coriolis
    found = mass_matrix(n) @ jerk + of_mass * rate_of_mass_matrix(n) @ qdd + rate_of_coriolis(n, qdd, **coriolis) + weight * rate_of_gravity(n, carried)
    return {"shoulder": found[0], "elbow": found[1]}


def jerks(source):
    return {"a1": source.signed(1.2, 4.8, 1), "a2": source.signed(1.3, 5.7, 1), "j1": source.signed(6, 29, 0), "j2": source.signed(7, 38, 0)}


RATES = Exercise(
    name="torques_that_change", chapter="higher_order", stars=3, kind="number", title="How the torques change",
    text=BARS + r"""Shoulder and elbow turn at the rates <r1> and <r2> rad/s, with the accelerations <a1> and <a2> rad/s\f$^2\f$ and the jerks <j1> and <j2>
rad/s\f$^3\f$. How fast do the torques of the motors change?""",
    asks={"shoulder": "derivative of the torque of the shoulder (N m/s)", "elbow": "derivative of the torque of the elbow (N m/s)"},
    hints=["Write the torques as M q'' + c + g, and differentiate each of the three.",
           "Only the elbow's angle changes M. The Coriolis forces change with it and with both rates.",
           "The weight of the second bar changes with the sum of both rates."],
    draw=lambda source: {**bars(source), **rates(source), **jerks(source)},
    solve=torque_rates,
    mistakes=[
        degrees_as_radians(torque_rates, "q1", "q2"),
        Mistake("inertia_held", "The mass matrix was held: it changes with the elbow, and is multiplied by the accelerations.", lambda n: torque_rates(n, of_mass=0.0)),
        Mistake("inertia_changes_the_other_way", "The rate of the mass matrix has the wrong sign: the cosine falls.", lambda n: torque_rates(n, of_mass=-1.0)),
        Mistake("coriolis_force_held", "The Coriolis forces change, too.", lambda n: torque_rates(n, coriolis={"turned": 0.0, "faster": 0.0})),
        Mistake("coriolis_force_by_angle_only", "The rates in the Coriolis forces change by the accelerations.", lambda n: torque_rates(n, coriolis={"faster": 0.0})),
        Mistake("coriolis_force_by_rates_only", "The Coriolis forces also change with the angle of the elbow.", lambda n: torque_rates(n, coriolis={"turned": 0.0})),
        Mistake("weight_held", "The moments of the weights were taken to be constant.", lambda n: torque_rates(n, weight=0.0)),
        Mistake("weight_with_a_plus", "The rate of the weights' moments has the wrong sign: the derivative of the cosine has a minus.",
                lambda n: torque_rates(n, weight=-1.0)),
        Mistake("forearm_turned_by_the_elbow_alone", "The angle of the second bar to the horizontal changes at the sum of both rates.",
                lambda n: torque_rates(n, carried=0.0)),
        Mistake("jerks_forgotten", "The mass matrix times the jerks is missing.", without(torque_rates, "j1", "j2")),
        Mistake("jerks_alone", "This is the mass matrix times the jerks: it is only the first term of the product rule.",
                lambda n: dict(zip(("shoulder", "elbow"), mass_matrix(n) @ [n["j1"], n["j2"]]))),
    ],
)  # fmt: skip


# --- and what follows -----------------------------------------------------------------------------------------------


def what_follows(n, of_mass=1.0, of_coriolis=1.0, weight=1.0, given=1.0, solve=np.linalg.solve):
    """The accelerations, and then the jerks: with the same matrix."""
    M = mass_matrix(n)
    qdd = solve(M, np.array([n["t1"], n["t2"]]) - bias(n))
    rate = given * np.array([n["u1"], n["u2"]])
    known = of_mass * rate_of_mass_matrix(n) @ qdd + of_coriolis * rate_of_coriolis(n, qdd) + weight * rate_of_gravity(n)
    return {"qdd": qdd, "jerk": solve(M, rate - known)}


def only_the_jerk(**changes):
    return lambda n: {"jerk": what_follows(n, **changes)["jerk"]}


def one_by_one(M, f):
    return f / np.diag(M)


def without_bias(n):
    return {"qdd": np.linalg.solve(mass_matrix(n), [n["t1"], n["t2"]])}


def turned_about(n):
    """All that is known added instead of subtracted."""
    right, alone = what_follows(n), what_follows(n, of_mass=0.0, of_coriolis=0.0, weight=0.0)
    return {"jerk": 2 * alone["jerk"] - right["jerk"]}


def drawn_torques(source):
    return {"t1": source.signed(4, 19, 1), "t2": source.signed(1.1, 5.9, 1), "u1": source.signed(31, 98, 0), "u2": source.signed(11, 39, 0)}


FOLLOWS = Exercise(
    name="which_jerk_follows", chapter="higher_order", stars=3, kind="number", title="Which jerk follows?",
    text=BARS + r"""Shoulder and elbow turn at the rates <r1> and <r2> rad/s. Their motors exert <t1> and <t2> N m, and these torques change by <u1> and <u2> N m/s.
Which accelerations follow, and which jerks?""",
    asks={"qdd": "accelerations of shoulder and elbow (rad/s^2)", "jerk": "jerks of shoulder and elbow (rad/s^3)"},
    hints=["First the accelerations, as in chapter 05.", "Differentiate M q'' + c + g = tau. Where do the jerks stand, and what are they multiplied by?",
           "Everything else is known, once the accelerations are."],
    draw=lambda source: {**bars(source), **rates(source), **drawn_torques(source)},
    solve=what_follows,
    mistakes=[
        degrees_as_radians(what_follows, "q1", "q2"),
        Mistake("inertia_held", "The mass matrix stands in front of the jerks as it stood in front of the accelerations; but it moves, and its rate is multiplied by the accelerations.",
                only_the_jerk(of_mass=0.0)),
        Mistake("coriolis_force_held", "The Coriolis forces change, too.", only_the_jerk(of_coriolis=0.0)),
        Mistake("weight_held", "The moments of the weights were taken to be constant.", only_the_jerk(weight=0.0)),
        Mistake("torques_held", "The torques change: their rates are missing.", only_the_jerk(given=0.0)),
        Mistake("torques_alone", "This answers the rates of the torques alone: what changes by itself is missing.",
                only_the_jerk(of_mass=0.0, of_coriolis=0.0, weight=0.0)),
        Mistake("known_terms_added", "What changes by itself has to be subtracted from the rates of the torques.", turned_about),
        Mistake("others_held", "Each joint was moved as if the other were held: only the diagonal of the mass matrix was used.",
                lambda n: what_follows(n, solve=one_by_one)),
        Mistake("multiplied_instead_of_solved", "The forces were multiplied by the mass matrix, instead of by its inverse.", lambda n: what_follows(n, solve=np.matmul)),
        Mistake("bias_forgotten", "Weights and Coriolis forces accelerate the arm, too.", without_bias),
    ],
)  # fmt: skip


# --- derivations ----------------------------------------------------------------------------------------------------

TERMS = Exercise(
    name="terms_of_a_product", chapter="higher_order", stars=1, kind="derive", title="How many terms has a derivative?",
    text=r"""The r-th derivative of a product of \f$n\f$ functions is a sum of products of their derivatives. Show that \f$\binom{n+r-1}{r}\f$ of these products are different,
and that the numbers in front of them add up to \f$n^r\f$. A program finds the same derivatives by multiplying the factors one after the other, and keeps all derivatives
up to order
\f$r\f$ of each product so far. How many multiplications does it need? Compare the three numbers for \f$n = 7\f$ and \f$r = 5\f$.""",
    hints=["A term says how many of the r derivatives each factor gets.", "Draw r stars for the derivatives, and bars between the factors.",
           "By Leibniz' rule the k-th derivative of a product of two has k + 1 terms."],
    solution=r"""A term is named by how often each factor is differentiated: by \f$n\f$ numbers \f$r_i\ge0\f$ with the sum \f$r\f$. Write \f$r_1\f$ stars, a bar, \f$r_2\f$ stars, a bar,
and so on: each
term is a row of \f$r\f$ stars and \f$n - 1\f$ bars, and each such row is a term. Choose the places of the stars among all \f$n + r - 1\f$ places; that is
\f$\binom{n+r-1}{r}\f$.
Differentiating once turns one product into \f$n\f$, each with one more derivative, so that after \f$r\f$ times there are \f$n^r\f$ products, counted as often as they
occur. (The number in
front of a term is \f$r!/(r_1!\cdots r_n!)\f$, and this is the multinomial theorem with all numbers equal to 1.)
The program multiplies \f$n - 1\f$ times. Each time it needs the orders \f$k = 0\f$ to \f$r\f$, and order \f$k\f$ is the sum of \f$k + 1\f$ terms
\f$\binom kl x^{(l)}y^{(k-l)}\f$. Not counting the binomials, these are
\f[ (n-1)\left(1 + 2 + \ldots + (r+1)\right) = (n-1)\,\frac{(r+1)(r+2)}2 \f]
multiplications, and twice as many at most with the binomials. With coefficients \f$x^{(l)}/l!\f$ in place of derivatives there are no binomials.
For \f$n = 7\f$ and \f$r = 5\f$ there are \f$\binom{11}5 = 462\f$ different terms of order 5 alone, each a product of seven factors; differentiated without collecting
they are \f$7^5 = 16807\f$. The program
needs \f$6\cdot21 = 126\f$ multiplications for all orders from 0 to 5. Its cost grows with \f$n\,r^2\f$, and it has the derivatives of all partial products as well: in
the chapter
these are the displacements of all bodies.""",
)  # fmt: skip

SNAP = Exercise(
    name="moments_from_a_path", chapter="higher_order", stars=3, kind="derive", title="The moments of a drone, from its path",
    text=r"""A drone of mass \f$m\f$ and thrust \f$f\f$ along the direction \f$b\f$ of its body obeys \f$f\,b = m\,(a - g)\f$. It has the angular velocity \f$w\f$, in world axes, and
never turns about \f$b\f$:
\f$w\cdot b = 0\f$ at all times. The path is given, and \f$j = \dot a\f$ and \f$s = \dot j\f$ are its jerk and snap. With \f$h = \lvert a - g\rvert\f$ show that
\f[ \dot h = b\cdot j , \qquad w = \frac{b\times j}h , \qquad \dot w = \frac{b\times s - 2\dot h\,w}h . \f]
Which moments does a drone need in hover, if its path has a horizontal snap but no jerk? Why must a path have four derivatives, and what would the propellers have to do
where its jerk jumps?""",
    hints=["Differentiate h b = a - g.", "Multiply by b, once as a dot product and once as a cross product.",
           "For the rate of w differentiate h w = b x j, and expand the product of three vectors."],
    solution=r"""Divide by \f$m\f$: \f$h\,b = a - g\f$. The rate of \f$b\f$ is \f$w\times b\f$, so that
\f[ \dot h\,b + h\,w\times b = j . \f]
The dot product with \f$b\f$ gives \f$\dot h = b\cdot j\f$. The cross product gives \f$b\times j = h\,b\times(w\times b) = h\,(w - (b\cdot w)\,b) = h\,w\f$, since
\f$w\cdot b = 0\f$.
Now differentiate \f$h\,w = b\times j\f$:
\f[ \dot h\,w + h\,\dot w = (w\times b)\times j + b\times s . \f]
Here \f$(w\times b)\times j = b\,(w\cdot j) - w\,(b\cdot j)\f$. By the formula for \f$w\f$ it is across \f$j\f$, \f$w\cdot j = 0\f$, and \f$b\cdot j = \dot h\f$. So the
first term is
\f$-\dot h\,w\f$, and
\f$h\,\dot w = b\times s - 2\dot h\,w\f$. (The result is across \f$b\f$, as it must be: \f$\dot w\cdot b = -w\cdot(w\times b) = 0\f$.)
In hover \f$a = 0\f$, hence \f$h = 9.81\,\mathrm{m/s^2}\f$ and \f$b\f$ points up; without jerk \f$w = 0\f$ and \f$\dot h = 0\f$, and \f$\dot w = b\times s/h\f$. A
horizontal snap of
\f$1\,\mathrm{m/s^4}\f$ is an angular acceleration of 0.102 rad/s², about the horizontal axis across it. Since \f$w = 0\f$, the moment is the inertia times that,
\f$J\,\dot w\f$.
The moments contain \f$\dot w\f$ and with it the snap, so that the fourth derivative of the path must exist. Where the jerk jumps \f$w\f$ does, and no finite moment
makes an angular velocity
jump. A real drone would leave its path there. Where only the snap jumps the moments jump; real propellers do not like that either, and for them planners let the snap be
continuous, too.""",
)  # fmt: skip

EXERCISES = [LAGGING, PAINTED, TWO_LANGUAGES, FLAT, RATES, FOLLOWS, TERMS, SNAP]
