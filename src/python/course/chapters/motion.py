"""Exercises of chapter 11: steps in time, states that are put back, and what is met on the way."""
import math

import numpy as np

from ..early_tools import BARS, G, angles, bars, mass_matrix, rates
from ..exercise import Exercise
from ..late_tools import steady
from ..mistakes import Mistake, degrees_as_radians, negated, without

# --- one step -------------------------------------------------------------------------------------------------------


def acceleration(n, q):
    """Of a uniform bar on a hinge with a spring."""
    return (-n["m"] * G * n["l"] / 2 * math.cos(q) - n["k"] * q) / (n["m"] * n["l"] ** 2 / 3)


def step(n, first=0.5, last=0.5, where=None):
    """Kick, drift, kick; each kick with its part of the step, and the last one where the bar has arrived."""
    q, h = math.radians(n["q"]), n["h"]
    rate = n["rate"] + first * h * acceleration(n, q)
    turned = h * rate
    return {"turned": turned, "rate_after": rate + last * h * acceleration(n, q + turned if where is None else where(q, turned))}


def mass_at_the_end(n):
    """m g l and m l^2, by a bar of another length and another mass."""
    return step({**n, "m": 0.75 * n["m"], "l": 2 * n["l"], "k": n["k"]})


def force_of_the_start(n):
    return {"rate_after": step(n, where=lambda q, turned: q)["rate_after"]}


STEP = Exercise(
    name="one_step_from_a_principle", chapter="motion", stars=1, kind="number", title="One step from a principle",
    text=r"""A uniform bar of <l> m and <m> kg is hinged to a wall at its end. It stands at <q> degrees to the horizontal, upwards if positive, and turns at <rate> rad/s, counted the same way. A
spring at the hinge has the stiffness <k> N m/rad and is slack where the bar is horizontal. Gravity is 9.81 m/s\f$^2\f$. Make one variational step of <h> s, the step from the trapezoidal rule of the action. By which angle
does the bar turn in it, and at which rate does it turn then?""",
    asks={"turned": "angle by which it turns in the step (rad)", "rate_after": "rate after the step (rad/s)"},
    hints=["With a constant mass and a coordinate that adds, the step is the leapfrog.", "Half a step of acceleration where the bar is, a whole step at the rate that results, half a step of acceleration where it has arrived.",
           "A uniform bar has m l^2/3 about its end."],
    draw=steady(lambda source: {"l": source.number(0.6, 1.3), "m": source.number(1.2, 3.4, 1), "q": source.signed(18, 57, 0), "rate": source.signed(1.4, 3.9, 1), "k": source.number(3.1, 9.4, 1),
                                "h": source.number(0.11, 0.19)}, step),
    solve=step,
    mistakes=[
        degrees_as_radians(step, "q"),
        Mistake("eulers_step", "This is Euler's step: it goes on at the rate of the start, and with its acceleration.", lambda n: step(n, first=0.0, last=1.0, where=lambda q, turned: q)),
        Mistake("whole_kick_first", "The bar was accelerated for the whole step before it moved.", lambda n: step(n, first=1.0, last=0.0)),
        Mistake("moved_before_it_was_accelerated", "The bar moved at the rate of the start, and was accelerated where it arrived.", lambda n: step(n, first=0.0, last=1.0)),
        Mistake("force_of_the_start", "The force of the start was taken for both ends: the second half belongs to where the bar has arrived.", force_of_the_start),
        Mistake("two_whole_kicks", "At each end half a step of acceleration counts.", lambda n: step(n, first=1.0, last=1.0)),
        Mistake("rate_of_the_step", "This is the rate during the step: the second half of the acceleration is missing.", lambda n: {"rate_after": step(n, last=0.0)["rate_after"]}),
        Mistake("spring_forgotten", "The spring is missing.", without(step, "k")),
        Mistake("spring_that_pushes", "The spring pulls the bar back to the horizontal.", negated(step, "k")),
        Mistake("mass_at_the_end", "A uniform bar has its mass along its length.", mass_at_the_end),
        Mistake("angle_instead_of_the_change", "This is the angle after the step, not that by which the bar turns.", lambda n: {"turned": math.radians(n["q"]) + step(n)["turned"]}),
    ],
)  # fmt: skip


# --- a displacement that grows --------------------------------------------------------------------------------------


def growing(n, first=0.5, second=None, inverse=True):
    """The linear half of (1 + a/2 + gamma a^2) q' in the plane, where a^3 = -phi^2 a."""
    phi, (x, y) = math.radians(n["phi"]), n["p"]
    a = np.array([[0.0, 0.0, 0.0], [y, 0.0, -phi], [-x, phi, 0.0]])
    if not inverse:
        first, second = -(1 - math.cos(phi)) / phi**2, (phi - math.sin(phi)) / phi**3
    if second is None:
        second = (1 - phi / 2 / math.tan(phi / 2)) / phi**2
    rate = np.array([n["w"], *n["v"]])
    return {"p_rate": (rate + first * a @ rate + second * a @ a @ rate)[1:]}


def turned_to_the_start(n):
    """The velocity along the axes of the start, as if displacements were positions."""
    c, s = math.cos(math.radians(n["phi"])), math.sin(math.radians(n["phi"]))
    return {"p_rate": [c * n["v"][0] - s * n["v"][1], s * n["v"][0] + c * n["v"][1]]}


GROWING = Exercise(
    name="a_displacement_that_grows", chapter="motion", stars=2, kind="number", title="A displacement that grows",
    text=r"""A trolley rolls about on a level floor, on castors. Within a step of time it has been displaced from its pose at the start by the exponential of \f$\theta\f$, which has the angle <phi> degrees about the vertical
and the linear half <p> m. In its own axes of now it turns at <w> rad/s, and its origin moves at <v> m/s. How fast must the linear half of \f$\theta\f$ grow? All angles turn from x towards y.""",
    asks={"p_rate": "rate of the linear half of theta, x and y (m/s)"},
    hints=["The exponential moves with the body velocity dexp(theta) theta'.", "In the plane the bracket of (phi; p) and (w; v) is (0; phi Jv - w Jp), where J turns by a right angle.",
           "For this map a, a^3 = -phi^2 a, so that the series ends with gamma a^2."],
    draw=steady(lambda source: {"phi": source.signed(75, 115, 0), "p": source.vector(0.4, 1.6, 1, length=2), "w": source.signed(0.8, 2.7, 1), "v": source.vector(0.5, 2.4, 1, length=2)}, growing),
    solve=growing,
    mistakes=[
        degrees_as_radians(growing, "phi"),
        Mistake("rates_just_added", "The rates of the body were taken for those of the displacement.", lambda n: {"p_rate": n["v"]}),
        Mistake("first_bracket_only", "The series goes on after the first bracket, and cannot be cut for an angle as large as this.", lambda n: growing(n, second=0.0)),
        Mistake("one_twelfth", "One twelfth is the limit of gamma for small angles.", lambda n: growing(n, second=1 / 12)),
        Mistake("axes_of_the_start", "The velocity is given in the axes of now: the first bracket has a plus.", lambda n: growing(n, first=-0.5)),
        Mistake("second_bracket_subtracted", "The double bracket has a plus.", lambda n: {"p_rate": 2 * growing(n, second=0.0)["p_rate"] - growing(n)["p_rate"]}),
        Mistake("not_inverted", "This is dexp itself: it makes a body velocity of the rate of theta, and its inverse is needed.", lambda n: growing(n, inverse=False)),
        Mistake("bracket_not_halved", "The first bracket has the factor 1/2.", lambda n: growing(n, first=1.0)),
        Mistake("velocity_along_the_axes_of_the_start", "This is how fast the origin moves along the axes of the start: the linear half of an exponential is no position.", turned_to_the_start),
        Mistake("lever_forgotten", "The linear half of theta is in the bracket, too, where it is multiplied by the rate of turning.", without(growing, "p")),
    ],
)  # fmt: skip


# --- put back -------------------------------------------------------------------------------------------------------


def meshed(n, sign=1.0, weights=None, row=None):
    """The nearest rates that roll on each other, in a metric."""
    A = np.array([n["radius1"], sign * n["radius2"]]) if row is None else np.array(row(n))
    j, w = np.array([n["j1"], n["j2"]]), np.array([n["w1"], n["w2"]])
    answer = A / (j if weights is None else weights(j))
    after = w - answer * (A @ w) / (A @ answer)
    return {"after": after, "lost": (j @ w**2 - j @ after**2) / 2}


def with_one_momentum(n):
    """As in a clutch on one axis: j1 w1 + j2 w2 stays."""
    ratio = -n["radius1"] / n["radius2"]
    first = (n["j1"] * n["w1"] + n["j2"] * n["w2"]) / (n["j1"] + n["j2"] * ratio)
    j, w, after = np.array([n["j1"], n["j2"]]), np.array([n["w1"], n["w2"]]), np.array([first, ratio * first])
    return {"after": after, "lost": (j @ w**2 - j @ after**2) / 2}


def follows(n, leader):
    """One wheel keeps its rate, the other has to follow."""
    A, w = np.array([n["radius1"], n["radius2"]]), np.array([n["w1"], n["w2"]])
    after = w.copy()
    after[1 - leader] = -A[leader] * w[leader] / A[1 - leader]
    j = np.array([n["j1"], n["j2"]])
    return {"after": after, "lost": (j @ w**2 - j @ after**2) / 2}


MESHED = Exercise(
    name="wheels_that_mesh", chapter="motion", stars=1, kind="number", title="Two wheels mesh",
    text=r"""Two gear wheels turn on parallel axles side by side. The first has the radius <radius1> m and the inertia <j1> kg m\f$^2\f$ and turns at <w1> rad/s, the second has <radius2> m, <j2> kg m\f$^2\f$ and
<w2> rad/s, both counted in the same sense. Suddenly they mesh at their rims, teeth in teeth. At which rates do they turn then? How much energy is lost?""",
    asks={"after": "rates after, first and second wheel (rad/s)", "lost": "energy that is lost (J)"},
    hints=["The rims have one velocity where they touch: what row A does that make?", "Teeth act by an impulse, as large on the one as on the other, along A^T. The axles take what they like.", "The projection in the metric of the inertias."],
    draw=steady(lambda source: {"radius1": source.number(0.05, 0.28), "j1": source.number(0.05, 0.48), "w1": source.signed(3.1, 19.0, 1), "radius2": source.number(0.05, 0.28), "j2": source.number(0.05, 0.48),
                                "w2": source.signed(3.1, 19.0, 1)}, meshed),
    solve=meshed,
    mistakes=[
        Mistake("as_by_a_belt", "Wheels that mesh turn in opposite senses.", lambda n: meshed(n, sign=-1.0)),
        Mistake("nearest_rates", "These are the nearest rates if distance has no masses in it; an impulse of the teeth would not do that.", lambda n: {"after": meshed(n, weights=np.ones_like)["after"]}),
        Mistake("multiplied_by_the_inertias", "The wheel with the smaller inertia is the one that changes more.", lambda n: {"after": meshed(n, weights=lambda j: 1 / j)["after"]}),
        Mistake("angular_momentum_kept", "The sum of the angular momenta does not stay: the axles have forces.", with_one_momentum),
        Mistake("radii_forgotten", "The rims have to agree, not the rates.", lambda n: meshed(n, row=lambda n: [1.0, 1.0])),
        Mistake("radii_exchanged", "The larger wheel is the slower one.", lambda n: meshed(n, row=lambda n: [n["radius2"], n["radius1"]])),
        Mistake("second_wheel_follows", "The first wheel does not keep its rate: it has to drag the second one along.", lambda n: follows(n, 0)),
        Mistake("first_wheel_follows", "The second wheel does not keep its rate.", lambda n: follows(n, 1)),
        Mistake("energy_that_is_left", "This is the energy that is left.", lambda n: {"lost": np.array([n["j1"], n["j2"]]) @ meshed(n)["after"] ** 2 / 2}),
        Mistake("energy_not_halved", "Kinetic energy has the factor 1/2.", lambda n: {"lost": 2 * meshed(n)["lost"]}),
    ],
)  # fmt: skip


# --- something is met -----------------------------------------------------------------------------------------------


def rows_of_the_tip(n):
    """Its velocity along x and along y, per rate."""
    a, b = angles(n)
    upper, lower = n["l1"] * np.array([-np.sin(a), np.cos(a)]), n["l2"] * np.array([-np.sin(b), np.cos(b)])
    return np.column_stack([upper + lower, lower])


def met(n, factor=None, M=None, row=0, used=None):
    """One row that is met: with the factor 1 + e, the mass matrix, and the matrix that answers the impulse."""
    M = mass_matrix(n) if M is None else M(mass_matrix(n))
    before, J = np.array([n["r1"], n["r2"]]), rows_of_the_tip(n)[row]
    response = np.linalg.solve(M, J)
    impulse = -(1 + n["e"] if factor is None else factor(n["e"])) * (J @ before) / (J @ response)
    after = before + response * impulse
    true_M = mass_matrix(n)
    return {"after": after, "impulse": impulse, "lost": (before @ true_M @ before - after @ true_M @ after) / 2}


def elbow_alone(M):
    """The shoulder takes no part."""
    return np.array([[1e12, 0.0], [0.0, M[1, 1]]])


def stuck(n):
    """The tip is held along both directions, and comes back along its path."""
    before, M = np.array([n["r1"], n["r2"]]), mass_matrix(n)
    J = rows_of_the_tip(n)
    impulses = -(1 + n["e"]) * np.linalg.solve(J @ np.linalg.inv(M) @ J.T, J @ before)
    return {"after": -n["e"] * before, "impulse": impulses[0], "lost": (1 - n["e"] ** 2) / 2 * before @ M @ before}


MET = Exercise(
    name="a_tip_meets_a_wall", chapter="motion", stars=3, kind="number", title="A tip meets a wall",
    text=BARS + r"""Its joints turn at <r1> and <r2> rad/s when the far end of the second bar meets another wall, smooth and at right angles to x, from which it rebounds with <e> of the speed along x with which it came. The motors
are too soft to give an impulse. At which rates do the joints turn after the impact? Which impulse does the wall give along x, with its sign? How much energy is lost?""",
    asks={"after": "rates after, shoulder first (rad/s)", "impulse": "impulse of the wall along x (N s)", "lost": "energy that is lost (J)"},
    hints=["A row: how fast the end moves along x per rate of each joint.", "The impulse is the change of that speed, times the mass that the wall feels: one over J M^-1 J^T.",
           "The lost energy follows from the speeds along x before and after, and the impulse."],
    draw=steady(lambda source: {**bars(source), **rates(source), "e": source.number(0.24, 0.71)}, met),
    solve=met,
    mistakes=[
        degrees_as_radians(met, "q1", "q2"),
        Mistake("plastic", "The end was only stopped: the rebound is missing.", lambda n: met(n, factor=lambda e: 1.0)),
        Mistake("rebound_without_the_stop", "The wall has to stop the end before it returns it: the factor is 1 + e.", lambda n: met(n, factor=lambda e: e)),
        Mistake("rebound_subtracted", "The factor is 1 + e.", lambda n: met(n, factor=lambda e: 1 - e)),
        Mistake("rates_reversed", "Each rate was turned round, as if the end were held along y, too.", stuck),
        Mistake("nearest_rates", "The change of the rates is M^-1 J^T times the impulse, not J^T times a number.", lambda n: {"after": met(n, M=lambda M: np.eye(2))["after"], "lost": met(n, M=lambda M: np.eye(2))["lost"]}),
        Mistake("mixed_entry_forgotten", "The joints respond together: the mass matrix has an entry beside its diagonal.", lambda n: met(n, M=lambda M: np.diag(np.diag(M)))),
        Mistake("shoulder_held", "The shoulder was taken to be held: the impulse reaches it, too.", lambda n: met(n, M=elbow_alone)),
        Mistake("a_floor", "This is a floor: the wall acts along x.", lambda n: met(n, row=1)),
        Mistake("energy_that_is_left", "This is the energy that is left.", lambda n: {"lost": met(n)["after"] @ mass_matrix(n) @ met(n)["after"] / 2}),
        Mistake("all_speeds_reduced", "Only the speed along x is reduced, not all of the motion.",
                lambda n: {"lost": (1 - n["e"] ** 2) / 2 * np.array([n["r1"], n["r2"]]) @ mass_matrix(n) @ [n["r1"], n["r2"]]}),
    ],
)  # fmt: skip


# --- orders ---------------------------------------------------------------------------------------------------------


def two_runs(source):
    """Errors of a method of some order, nearly."""
    long, short, fine = source.choice([7.0, 9.0, 10.0, 11.0]), source.choice([2.0, 3.0, 4.0]), source.number(1.3, 9.6, 1)
    coarse = fine * (long / short) ** source.choice([2, 3, 4]) * source.number(0.94, 1.06)
    return {"h1": long, "h2": short, "e1": float(f"{coarse:.3g}"), "e2": fine, "tolerance": source.number(0.02, 0.09, 3)}


def seen(n):
    order = math.log(n["e1"] / n["e2"]) / math.log(n["h1"] / n["h2"])
    return {"order": order, "h": n["h2"] * (n["tolerance"] / n["e2"]) ** (1 / order)}


def at_order(function):
    """The step that follows from another order."""
    def answers(n):
        order = function(n)
        return {"order": order, "h": n["h2"] * (n["tolerance"] / n["e2"]) ** (1 / order)}
    return answers


def with_step(function):
    return lambda n: {"h": function(n, seen(n)["order"])}


SEEN = Exercise(
    name="which_order_is_it", chapter="motion", stars=1, kind="number", title="Which order is it?",
    text=r"""A program makes steps in time, and no one remembers how. With steps of <h1> ms a pendulum is wrong by <e1> microradians after ten seconds, with steps of <h2> ms by <e2>. Which order do these two runs show, before it is
rounded to a whole number? And with which step, in milliseconds, would the error be <tolerance> microradians, if that order holds?""",
    asks={"order": "the order, not rounded", "h": "the step (ms)"},
    hints=["An error proportional to a power of the step is a straight line if both have logarithmic scales.", "The order is its slope."],
    draw=steady(two_runs, seen),
    solve=seen,
    mistakes=[
        Mistake("as_if_halved", "This would be the order if one step were half the other.", at_order(lambda n: math.log2(n["e1"] / n["e2"]))),
        Mistake("ratio_of_the_ratios", "An order is an exponent: it is found by logarithms.", at_order(lambda n: n["e1"] / n["e2"] / (n["h1"] / n["h2"]))),
        Mistake("steps_without_logarithm", "The logarithm of the errors was divided by the ratio of the steps, not by the logarithm of it.", at_order(lambda n: math.log(n["e1"] / n["e2"]) / (n["h1"] / n["h2"]))),
        Mistake("errors_alone", "This is a logarithm of the ratio of the errors: the steps are missing.", at_order(lambda n: math.log(n["e1"] / n["e2"]))),
        Mistake("decimal_and_natural", "One logarithm is decimal and the other is natural.", at_order(lambda n: math.log10(n["e1"] / n["e2"]) / math.log(n["h1"] / n["h2"]))),
        Mistake("order_of_one_step", "This is the order of the error of one step: over a given time there are more steps if they are shorter.", at_order(lambda n: seen(n)["order"] + 1)),
        Mistake("upside_down", "The ratio is upside down: the slope is that of the error over the step.", at_order(lambda n: 1 / seen(n)["order"])),
        Mistake("in_proportion", "The step was reduced in proportion to the error.", with_step(lambda n, order: n["h2"] * n["tolerance"] / n["e2"])),
        Mistake("longer_steps", "A smaller error needs a shorter step.", with_step(lambda n, order: n["h2"] * (n["e2"] / n["tolerance"]) ** (1 / order))),
        Mistake("from_the_other_step", "The step was scaled from one run and the error from the other.", with_step(lambda n, order: n["h1"] * (n["tolerance"] / n["e2"]) ** (1 / order))),
        Mistake("power_instead_of_a_root", "The ratio of the steps is a root of the ratio of the errors, not a power.", with_step(lambda n, order: n["h2"] * (n["tolerance"] / n["e2"]) ** order)),
    ],
)  # fmt: skip


# --- a gap that decays ----------------------------------------------------------------------------------------------


def decayed(n, exponent=None, mixed=1.0):
    p, t = n["p"], n["t"] / 1000
    decay = math.exp(-(p if exponent is None else exponent(p)) * t)
    return {"wanted": -2 * p * n["rate"] - p**2 * n["gap"], "gap_then": (n["gap"] + (n["rate"] + mixed * p * n["gap"]) * t) * decay}


def gap_by(function):
    """Of another motion: gap, rate, p and time in seconds."""
    return lambda n: {"gap_then": function(n["gap"], n["rate"], n["p"], n["t"] / 1000)}


def wanted_by(function):
    return lambda n: {"wanted": function(n["gap"], n["rate"], n["p"])}


DECAYED = Exercise(
    name="how_a_gap_closes", chapter="motion", stars=2, kind="number", title="How a gap closes",
    text=r"""The gap of a loop is <gap> mm, and changes at <rate> mm/s. Baumgarte's stabilisation is at work, with \f$p\f$ = <p> 1/s. Which acceleration of the gap does it ask for now? How wide is the gap after <t> ms, if time is not
divided into steps?""",
    asks={"wanted": "acceleration of the gap (mm/s^2)", "gap_then": "the gap at that time (mm)"},
    hints=["The gap obeys f'' + 2p f' + p^2 f = 0.", "Critical damping: (c_1 + c_2 t) times a decaying exponential, with both constants from the start."],
    draw=steady(lambda source: {"gap": source.signed(0.4, 2.6), "rate": source.signed(11, 48, 1), "p": source.number(12, 34, 1), "t": source.number(21, 64, 1)}, decayed),
    solve=decayed,
    mistakes=[
        Mistake("rate_of_the_decay_forgotten", "The second constant is not the rate alone: the exponential falls from the start, too.", lambda n: {"gap_then": decayed(n, mixed=0.0)["gap_then"]}),
        Mistake("rate_of_the_start_forgotten", "The gap has a rate at the start.", without(decayed, "rate")),
        Mistake("only_the_exponential", "Critical damping also has a term with t times the exponential.", gap_by(lambda f, r, p, t: f * math.exp(-p * t))),
        Mistake("square_in_the_exponent", "The exponent has p, not its square.", lambda n: {"gap_then": decayed(n, exponent=lambda p: p**2)["gap_then"]}),
        Mistake("twice_p_in_the_exponent", "The exponent has p, not 2p.", lambda n: {"gap_then": decayed(n, exponent=lambda p: 2 * p)["gap_then"]}),
        Mistake("undamped", "The damping is missing: this oscillates.", lambda n: {
            "wanted": -n["p"] ** 2 * n["gap"], "gap_then": n["gap"] * math.cos(n["p"] * n["t"] / 1000) + n["rate"] / n["p"] * math.sin(n["p"] * n["t"] / 1000)}),
        Mistake("acceleration_of_the_start", "The acceleration was taken to stay what it is at the start.", gap_by(lambda f, r, p, t: f + r * t - (2 * p * r + p**2 * f) * t**2 / 2)),
        Mistake("no_stabilisation", "Without stabilisation the gap would grow like this.", gap_by(lambda f, r, p, t: f + r * t)),
        Mistake("factor_two_forgotten", "The rate has the factor 2p.", wanted_by(lambda f, r, p: -p * r - p**2 * f)),
        Mistake("square_forgotten", "The gap has the factor p squared.", wanted_by(lambda f, r, p: -2 * p * r - p * f)),
        Mistake("opened_further", "The acceleration has to close what is open.", wanted_by(lambda f, r, p: 2 * p * r + p**2 * f)),
    ],
)  # fmt: skip


# --- derivations ----------------------------------------------------------------------------------------------------

AREA = Exercise(
    name="a_step_that_keeps_the_area", chapter="motion", stars=2, kind="derive", title="A step that keeps the area",
    text=r"""For one coordinate with \f$\ddot q = f(q)\f$ the variational step is the leapfrog, \f$\xi = v_0 + \tfrac12h\,f(q_0)\f$, \f$q_1 = q_0 + h\xi\f$, \f$v_1 = \xi + \tfrac12h\,f(q_1)\f$. Show that it keeps areas of the plane of
\f$q\f$ and \f$v\f$, and that Euler's step \f$q_1 = q_0 + hv_0\f$, \f$v_1 = v_0 + hf(q_0)\f$ does not. Now let \f$f = -\omega^2q\f$, a spring. Show that the leapfrog keeps
\f$E_h = \tfrac12v^2 + \tfrac12\omega^2\left(1 - \tfrac14h^2\omega^2\right)q^2\f$ exactly. What follows for the error of the energy, and for which \f$h\f$? What does Euler's step make of the energy?""",
    hints=["The leapfrog is three maps in a row, each of which changes only one of the two numbers.", "Express the rates at both ends by xi and subtract their squares."],
    solution=r"""The leapfrog is made of \f$(q,v)\mapsto(q,\,v + \tfrac h2f(q))\f$, \f$(q,v)\mapsto(q + hv,\,v)\f$ and the first map once more. Each is a shear: its matrix of derivatives has ones on the diagonal and one zero beside it, so
that its determinant is 1. That of the product is 1, too. Euler's step has
\f[ \det\begin{bmatrix} 1 & h \\ hf' & 1 \end{bmatrix} = 1 - h^2f' , \f]
which differs from 1 wherever \f$f' \ne 0\f$.
For the spring \f$v_0 = \xi + \tfrac h2\omega^2q_0\f$ and \f$v_1 = \xi - \tfrac h2\omega^2q_1\f$, hence
\f[ v_0^2 - v_1^2 = h\omega^2\xi\,(q_0 + q_1) + \tfrac14h^2\omega^4\,(q_0^2 - q_1^2) = -\omega^2\left(1 - \tfrac14h^2\omega^2\right)(q_0^2 - q_1^2) , \f]
because \f$h\xi\,(q_0 + q_1) = (q_1 - q_0)(q_1 + q_0)\f$. Half of this says that \f$E_h\f$ is the same at both ends.
The true energy is \f$E = E_h + \tfrac18h^2\omega^4q^2\f$. As long as \f$h\omega < 2\f$, \f$E_h\f$ is positive definite, \f$q\f$ stays bounded, and the error of the energy is at most a constant times \f$h^2\f$, after any number of steps: it swings,
and does not grow. With \f$h\omega > 2\f$ nothing bounds \f$q\f$, and it does grow.
Euler's step makes \f$v_1^2 + \omega^2q_1^2 = (1 + h^2\omega^2)(v_0^2 + \omega^2q_0^2)\f$: the energy grows by the same factor as the area, in each step.""",
)  # fmt: skip

BOUNCES = Exercise(
    name="infinitely_many_bounces", chapter="motion", stars=1, kind="derive", title="Infinitely many bounces",
    text=r"""A ball falls from the height \f$H\f$ on a floor and returns with the fraction \f$e < 1\f$ of its speed each time. When does it lie still, and how long is its path until then? Now a rebound does not count if it would not rise by
the height \f$\text{tol}\f$. How often does the ball rebound, and how much earlier does it lie still? Evaluate both for \f$H = 2\f$ m, \f$e = 0.7\f$ and \f$\text{tol} = 10^{-6}\f$ m.""",
    hints=["How long does the ball fly between two bounces, and how high?", "Geometric series.", "What is left out is a geometric series as well."],
    solution=r"""The first fall takes \f$t_0 = \sqrt{2H/g}\f$ and ends with the speed \f$gt_0\f$. After the \f$k\f$-th impact the speed is \f$e^kgt_0\f$; the ball flies for \f$2e^kt_0\f$ and rises by \f$e^{2k}H\f$. So
\f[ t = t_0\Big(1 + 2\sum_{k\ge1}e^k\Big) = \frac{1 + e}{1 - e}\,t_0 , \qquad s = H\Big(1 + 2\sum_{k\ge1}e^{2k}\Big) = \frac{1 + e^2}{1 - e^2}\,H . \f]
Rebound \f$k\f$ counts while \f$e^{2k}H \ge \text{tol}\f$, that is for \f$k \le K\f$ with \f$K = \left\lfloor\ln(H/\text{tol})/(2\ln(1/e))\right\rfloor\f$. Impact \f$K + 1\f$ is plastic. What is left out would have lasted
\f[ 2t_0\sum_{k\gt K}e^k = \frac{2\,e^{K+1}}{1 - e}\,t_0 \le \frac2{1 - e}\sqrt{\frac{2\,\text{tol}}g} , \f]
the last because \f$e^{2(K+1)}H \lt \text{tol}\f$.
In numbers \f$t_0 = 0.6386\f$ s, \f$t = 3.618\f$ s and \f$s = 5.843\f$ m; \f$\ln(2\cdot10^6)/(2\ln(1/0.7)) = 20.34\f$, so that the ball rebounds 20 times and lies still 2.4 ms early.""",
)  # fmt: skip

EXERCISES = [STEP, GROWING, MESHED, MET, SEEN, DECAYED, AREA, BOUNCES]
