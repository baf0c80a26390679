"""Exercises of chapter 07: cut a loop, find how the cut opens, and the forces that close it."""
import math

import numpy as np

from ..early_tools import BARS, G, angles, bars, bias, coriolis_force, gravity_force, mass_matrix
from ..exercise import Exercise
from ..mistakes import Mistake, degrees_as_radians, with_changed, without

# --- a rope ---------------------------------------------------------------------------------------------------------


def rope(n, pull=1.0, mobility=None):
    """Cut the rope; it opens, and closes again under the right tension."""
    gap = G - pull * n["pull"] / n["cart"]
    mobility = mobility(n) if mobility else 1 / n["cart"] + 1 / n["weight"]
    tension = gap / mobility
    return {"gap": gap, "mobility": mobility, "tension": tension, "a": n["pull"] / n["cart"] + tension / n["cart"]}


def rope_of(function):
    return lambda n: function(n, rope(n))


ROPE = Exercise(
    name="rope_over_a_pulley", chapter="constrained", stars=1, kind="number", title="Cut the rope",
    text=r"""A cart of <cart> kg rolls on a table without friction. A rope leads from it over a light pulley at the edge of the table to a weight of
<weight> kg, which hangs. The cart is pushed towards the edge with <pull> N (away from it, if negative). Gravity is
9.81 m/s\f$^2\f$. Do it as the chapter does with the glue. Cut the rope: which acceleration opens the gap? By how much does one newton of tension
close it? Which tension is needed, and how do both accelerate with it?""",
    asks={"gap": "acceleration at which the cut rope opens (m/s^2)", "mobility": "acceleration that one newton of tension closes (1/kg)",
          "tension": "tension of the rope (N)", "a": "acceleration of the cart towards the edge (m/s^2)"},
    hints=["The gap opens if the weight falls faster than the cart moves towards the edge.", "One newton pulls at both ends."],
    draw=lambda source: {"cart": source.number(2.1, 5.8, 1), "weight": source.number(0.6, 1.9, 1), "pull": source.signed(2.1, 8.9, 1)},
    solve=rope,
    mistakes=[
        Mistake("weight_as_tension", "This is the weight: the tension is less or more, since the weight accelerates.", lambda n: {"tension": n["weight"] * G}),
        Mistake("inverse_of_the_sum", "One newton pulls at both ends: the inverses of the masses are added, not the masses.",
                lambda n: rope(n, mobility=lambda n: 1 / (n["cart"] + n["weight"]))),
        Mistake("one_end_only", "One newton pulls at both ends of the rope: here only the cart answers.", lambda n: rope(n, mobility=lambda n: 1 / n["cart"])),
        Mistake("weight_only", "One newton pulls at both ends of the rope: here only the weight answers.", lambda n: rope(n, mobility=lambda n: 1 / n["weight"])),
        Mistake("inertia_left_out", "The ends close against their inertia: this is A A^T instead of A M^-1 A^T.", lambda n: rope(n, mobility=lambda n: 2.0)),
        Mistake("push_with_the_wrong_sign", "A push towards the edge slackens the rope: it makes the gap open less.", lambda n: rope(n, pull=-1.0)),
        Mistake("push_forgotten_in_the_gap", "With the rope cut, the push still moves the cart.", lambda n: rope(n, pull=0.0)),
        Mistake("motion_of_the_cut_machine", "This is the cart with the rope cut: the tension has to be added.", lambda n: {"a": n["pull"] / n["cart"]}),
        Mistake("push_forgotten_in_the_motion", "The motion is the sum of both: that of the cut machine, and what the tension adds.",
                rope_of(lambda n, right: {"a": right["tension"] / n["cart"]})),
        Mistake("tension_with_the_wrong_sign", "The tension pulls the cart towards the edge.",
                rope_of(lambda n, right: {"a": (n["pull"] - right["tension"]) / n["cart"]})),
    ],
)  # fmt: skip


# --- a slider and its crank -----------------------------------------------------------------------------------------


def slider(n, other=False, rod_rate=None, bias_of_crank=1.0, bias_of_rod=1.0, rate_sign=1.0):
    """The tip stays at the height h; the angles of crank and rod to the horizontal are a and b."""
    a = math.radians(n["q"])
    b = math.asin((n["h"] - n["crank"] * math.sin(a)) / n["rod"])
    b = math.pi - b if other else b
    rod = n["rod"] * math.cos(b)
    rate = -rate_sign * (n["crank"] * math.cos(a) + rod) / rod * n["rate"]
    turning = rod_rate(n, rate) if rod_rate else n["rate"] + rate
    Adot_qd = -bias_of_crank * n["crank"] * math.sin(a) * n["rate"] ** 2 - bias_of_rod * n["rod"] * math.sin(b) * turning**2
    return {"elbow": math.degrees(b - a), "rate": rate, "bias": Adot_qd, "acceleration": -Adot_qd / rod}


def of_slider(*quantities, **changes):
    def answers(n):
        wrong = slider(n, **changes)
        return {name: wrong[name] for name in quantities}

    return answers


def angle_of_the_rod(n):
    """Its angle to the horizontal, and its rates, instead of those of the elbow."""
    right = slider(n)
    return {"elbow": right["elbow"] + n["q"], "rate": right["rate"] + n["rate"]}


def crank_left_out_of_the_row(n):
    """The row with the crank's own term alone in its first entry."""
    a, b = math.radians(n["q"]), math.radians(n["q"] + slider(n)["elbow"])
    return {"rate": -n["crank"] * math.cos(a) / (n["rod"] * math.cos(b)) * n["rate"]}


SLIDER = Exercise(
    name="crank_and_slider", chapter="constrained", stars=2, kind="number", title="A crank, a rod and a slot",
    text=r"""A crank of <crank> m turns about the origin. It stands at <q> degrees, counted from the x axis towards y. A rod of <rod> m is hinged to its end at the
elbow, and the far end of the rod slides in a straight slot along x, at the height \f$y\f$ = <h> m, to the right of the crank's end. The crank turns at a
constant rate of <rate> rad/s. The constraint is \f$f = y_{\text{tip}} - h = 0\f$, as a function of the angle of the crank and that of the elbow, which is
the angle of the rod to the crank. Find the angle of the elbow, between \f$-180\f$ and 180 degrees, and its rate; then \f$\dot A\dot q\f$, and the acceleration of the elbow.""",
    asks={"elbow": "angle of the elbow (degrees)", "rate": "rate of the elbow (rad/s)", "bias": "the number Adot qdot (m/s^2)",
          "acceleration": "acceleration of the elbow (rad/s^2)"},
    hints=["The height of the tip has two terms, one with the angle of the crank and one with the sum of both angles.",
           "The row A has two entries: the first is the derivative with respect to the crank, which also turns the rod.",
           "Differentiate A q' once more while nothing accelerates: centripetal accelerations of both bars, each with its own angular velocity."],
    draw=lambda source: {"crank": source.number(0.21, 0.38), "rod": source.number(0.71, 0.98), "h": source.signed(0.06, 0.21), "q": source.number(24, 68, 0),
                         "rate": source.signed(1.2, 4.8, 1)},
    solve=slider,
    mistakes=[
        Mistake("degrees_as_radians", "An angle in degrees was used as if it were in radians.",
                lambda n: with_changed(of_slider("rate", "bias", "acceleration"), q=math.degrees)(n)),
        Mistake("other_closed_position", "The loop closes there, too, but with its tip to the left: look at the position that was found.", lambda n: {"elbow": slider_left(n)}),
        Mistake("angle_of_the_rod", "This is the angle, or the rate, of the rod to the horizontal: the elbow turns between crank and rod.", angle_of_the_rod),
        Mistake("slot_through_the_origin", "The slot was taken to pass through the origin.", without(slider, "h")),
        Mistake("crank_turns_the_rod_forgotten", "When the crank turns and the elbow is held, the rod turns, too: the first entry of A has two terms.", crank_left_out_of_the_row),
        Mistake("rate_with_the_wrong_sign", "The rate of the elbow has the wrong sign: both terms of A q' add up to zero.",
                lambda n: {"rate": -slider(n)["rate"]}),
        Mistake("rate_of_the_elbow_squared", "The rod turns at the sum of both rates.", of_slider("bias", "acceleration", rod_rate=lambda n, rate: rate)),
        Mistake("rod_forgotten_in_the_bias", "The rod turns as well, and has a centripetal acceleration of its own.", of_slider("bias", "acceleration", bias_of_rod=0.0)),
        Mistake("crank_forgotten_in_the_bias", "The end of the crank has a centripetal acceleration, too.", of_slider("bias", "acceleration", bias_of_crank=0.0)),
        Mistake("product_of_the_rates_forgotten", "The square of the sum of both rates also has their product.",
                of_slider("bias", "acceleration", rod_rate=lambda n, rate: math.hypot(n["rate"], rate))),
        Mistake("bias_with_the_wrong_sign", "A q'' + Adot q' = 0: the second term has the wrong sign.", lambda n: {"acceleration": -slider(n)["acceleration"]}),
        Mistake("bias_forgotten", "A steady crank does not mean a steady elbow: Adot q' is missing.", lambda n: {"acceleration": 0.0}),
    ],
)  # fmt: skip


def slider_left(n):
    """Between -180 and 180 degrees."""
    return (slider(n, other=True)["elbow"] + 180) % 360 - 180


# --- who carries it -------------------------------------------------------------------------------------------------


def carried(n, spring=1.0, reaction=1.0):
    A, tau_r = np.array(n["A"]), np.array(n["tau_r"])
    multiplier = (tau_r[2] - spring * n["spring"]) / A[2]
    return {"multiplier": multiplier, "tau": tau_r[:2] - reaction * A[:2] * multiplier, "least": tau_r - A * (A @ tau_r) / (A @ A)}


def carried_if(multiplier):
    """With another multiplier."""

    def answers(n):
        value = multiplier(n)
        return {"multiplier": value, "tau": np.array(n["tau_r"])[:2] - np.array(n["A"])[:2] * value}

    return answers


def least_with(factor):
    def answers(n):
        A, tau_r = np.array(n["A"]), np.array(n["tau_r"])
        return {"least": tau_r - A * (A @ tau_r) * factor(A)}

    return answers


CARRIED = Exercise(
    name="who_carries_it", chapter="constrained", stars=2, kind="number", title="The motors and the constraint",
    text=r"""A machine of three joints has one constraint, with the row \f$A\f$ = <A> m. In a motion that agrees with it, inverse dynamics of the open tree
gives \f$\tau_r\f$ = <tau_r> N m. Joint 3 has no motor, but a spring, which exerts <spring> N m. Find the multiplier, and the torques of the
motors at joints 1 and 2. Suppose that joint 3 had a motor in place of its spring: which three torques make the same motion with the least sum of squares?""",
    asks={"multiplier": "the multiplier (N)", "tau": "torques of joints 1 and 2, joint 3 passive (N m)", "least": "torques of joints 1, 2 and 3, all with motors, least squares (N m)"},
    hints=["What the passive joint needs beyond its spring must come from the constraint.", "With all motors, the constraint takes over the part of tau_r along its row."],
    draw=lambda source: {"A": source.vector(0.25, 0.95), "tau_r": source.vector(1.2, 8.9, 1), "spring": source.signed(0.6, 2.8, 1)},
    solve=carried,
    mistakes=[
        Mistake("needs_of_the_passive_joint_dropped", "The motors have to provide what the passive joint needs, through the constraint.",
                lambda n: {"tau": n["tau_r"][:2]}),
        Mistake("reaction_added", "What the constraint contributes is taken off the motors: the sign of A_a^T lambda is wrong.",
                lambda n: {"tau": carried(n, reaction=-1.0)["tau"]}),
        Mistake("multiplier_with_the_wrong_sign", "The multiplier has the wrong sign: A_p^T lambda is what is lacking.", carried_if(lambda n: -carried(n)["multiplier"])),
        Mistake("spring_forgotten", "The spring of the passive joint is missing.", carried_if(lambda n: n["tau_r"][2] / n["A"][2])),
        Mistake("spring_with_the_wrong_sign", "The spring's torque has the wrong sign: it helps.", carried_if(lambda n: (n["tau_r"][2] + n["spring"]) / n["A"][2])),
        Mistake("multiplied_instead_of_divided", "The multiplier solves A_p^T lambda = tau_pr - tau_p: divide by the entry.",
                carried_if(lambda n: (n["tau_r"][2] - n["spring"]) * n["A"][2])),
        Mistake("not_divided_by_the_square", "The projection divides by A A^T.", least_with(lambda A: 1.0)),
        Mistake("divided_by_the_length", "The projection divides by A A^T, the square of the length.", least_with(lambda A: 1 / math.sqrt(A @ A))),
        Mistake("idle_constraint", "These are the torques with an idle constraint: it can take over a part.", lambda n: {"least": n["tau_r"]}),
        Mistake("part_of_the_constraint", "This is the part that the constraint takes over: the motors exert the rest.",
                lambda n: {"least": np.array(n["tau_r"]) - carried(n)["least"]}),
    ],
)  # fmt: skip


# --- two bars on a rail ---------------------------------------------------------------------------------------------

RAIL = BARS + r"""The far end of the second bar slides on a straight horizontal rail without friction, which it cannot leave. """


def on_the_rail(source):
    """The elbow bends back, so that the second bar is not upright."""
    n = bars(source)
    n["q2"] = math.copysign(abs(n["q2"]), -n["q1"])
    return {**n, "r1": source.signed(0.8, 2.6, 1)}


def row(n, second_angle=True):
    """The height of the tip, differentiated with respect to both joints."""
    a, b = angles(n)
    b = b if second_angle else math.radians(n["q2"])
    far = n["l2"] * math.cos(b)
    return np.array([n["l1"] * math.cos(a) + far, far])


def in_motion(n):
    """With the rate of the elbow that the rail permits."""
    A = row(n)
    return {**n, "r2": -A[0] / A[1] * n["r1"]}


def Adot_qd(n):
    a, b = angles(n)
    return -n["l1"] * math.sin(a) * n["r1"] ** 2 - n["l2"] * math.sin(b) * (n["r1"] + n["r2"]) ** 2


def released(n, force=bias, rates=1.0, reaction=1.0, inertia=True, second_angle=True):
    """Forward dynamics without motors."""
    n = in_motion(n)
    M, A = mass_matrix(n), row(n, second_angle)
    cut = -np.linalg.solve(M, force(n))
    answer = np.linalg.solve(M, A) if inertia else A
    multiplier = -(A @ cut + rates * Adot_qd(n)) / (A @ answer)
    return {"rail": multiplier, "qdd": cut + reaction * answer * multiplier}


def as_if_cut(n):
    n = in_motion(n)
    return {"qdd": -np.linalg.solve(mass_matrix(n), bias(n))}


def statics(n):
    """The force that holds the elbow's moment at rest."""
    return {"rail": gravity_force(n)[1] / row(n)[1]}


RELEASED = Exercise(
    name="two_bars_on_a_rail", chapter="constrained", stars=3, kind="number", title="Two bars on a rail, released",
    text=RAIL + r"""The shoulder turns at <r1> rad/s, and the elbow as the rail permits. There are no motors. Which vertical force does the rail exert on the bar,
upwards counted positive, and how do both joints accelerate?""",
    asks={"rail": "force of the rail on the second bar, upwards (N)", "qdd": "accelerations of shoulder and elbow (rad/s^2)"},
    hints=["The row A is the derivative of the height of the tip. It gives the rate of the elbow, and Adot q' follows by differentiating once more.",
           "Cut the rail: how does the tip accelerate upwards? By how much does one newton change that?",
           "Add the motion of the cut machine and the response to the rail's force."],
    draw=on_the_rail,
    solve=released,
    mistakes=[
        degrees_as_radians(released, "q1", "q2"),
        Mistake("rail_forgotten", "These are the accelerations without the rail.", as_if_cut),
        Mistake("reaction_subtracted", "The constraint force acts in addition: A^T lambda has the wrong sign.", lambda n: {"qdd": released(n, reaction=-1.0)["qdd"]}),
        Mistake("adot_qdot_forgotten", "The tip of moving bars has a centripetal acceleration: Adot q' is missing.", lambda n: released(n, rates=0.0)),
        Mistake("adot_qdot_with_the_wrong_sign", "The term Adot q' has the wrong sign.", lambda n: released(n, rates=-1.0)),
        Mistake("inertia_left_out", "This is A A^T instead of A M^-1 A^T: the rail is closed against the inertia of the bars.", lambda n: released(n, inertia=False)),
        Mistake("second_angle_to_the_first_bar", "In A the angle of the second bar to the horizontal is the sum of both.", lambda n: released(n, second_angle=False)),
        Mistake("gravity_forgotten", "Gravity is missing.", lambda n: released(n, coriolis_force)),
        Mistake("velocity_terms_forgotten", "The velocity terms of the bars are missing.", lambda n: released(n, gravity_force)),
        Mistake("rail_of_a_machine_at_rest", "This is the force on a machine that is held: it moves.", statics),
    ],
)  # fmt: skip


# --- the same bars, driven ------------------------------------------------------------------------------------------


def driven(n, force=bias, rates=1.0, reaction=1.0, sign=1.0):
    """Constrained inverse dynamics, with a motor at the shoulder."""
    n = in_motion(n)
    M, A, b = mass_matrix(n), row(n), force(n)
    qdd = np.array([n["a1"], -(A[0] * n["a1"] + rates * Adot_qd(n)) / A[1]])
    needed = M @ qdd + b
    multiplier = sign * needed[1] / A[1]
    return {"elbow": qdd[1], "rail": multiplier, "torque": needed[0] - reaction * A[0] * multiplier}


def of_driven(*quantities, **changes):
    def answers(n):
        wrong = driven(n, **changes)
        return {name: wrong[name] for name in quantities}

    return answers


def elbow_by_its_own_equation(n):
    """The elbow moves as if the rail were not there, and the shoulder is driven."""
    n = in_motion(n)
    M, b = mass_matrix(n), bias(n)
    elbow = -(M[1, 0] * n["a1"] + b[1]) / M[1, 1]
    return {"elbow": elbow, "rail": 0.0, "torque": M[0, 0] * n["a1"] + M[0, 1] * elbow + b[0]}


DRIVEN = Exercise(
    name="driven_on_a_rail", chapter="constrained", stars=2, kind="number", title="Two bars on a rail, driven",
    text=RAIL + r"""The shoulder turns at <r1> rad/s, and the elbow as the rail permits. The shoulder is to accelerate at <a1> rad/s\f$^2\f$; the elbow has no
motor. How does the elbow accelerate? Which vertical force does the rail exert on the bar, upwards counted positive? And which torque must the motor of the
shoulder exert?""",
    asks={"elbow": "acceleration of the elbow (rad/s^2)", "rail": "force of the rail on the second bar, upwards (N)", "torque": "torque of the shoulder (N m)"},
    hints=["The motion is decided by the rail alone: A q'' + Adot q' = 0.", "Inverse dynamics says what motors at both joints would exert. The elbow has none."],
    draw=lambda source: {**on_the_rail(source), "a1": source.signed(1.1, 4.9, 1)},
    solve=driven,
    mistakes=[
        degrees_as_radians(driven, "q1", "q2"),
        Mistake("adot_qdot_forgotten", "The tip of moving bars has a centripetal acceleration: Adot q' is missing.", of_driven("elbow", "rail", "torque", rates=0.0)),
        Mistake("adot_qdot_with_the_wrong_sign", "The term Adot q' has the wrong sign.", of_driven("elbow", "rail", "torque", rates=-1.0)),
        Mistake("needs_of_the_passive_joint_dropped", "The rail also pushes the shoulder: what the elbow needs comes from the motor in the end.",
                of_driven("torque", reaction=0.0)),
        Mistake("reaction_added", "The part of the rail is taken off the motor: A_a^T lambda has the wrong sign.", of_driven("torque", reaction=-1.0)),
        Mistake("rail_with_the_wrong_sign", "The force of the rail has the wrong sign: A_p^T lambda is what the elbow needs.", of_driven("rail", "torque", sign=-1.0)),
        Mistake("rail_forgotten", "This is the motion without the rail.", elbow_by_its_own_equation),
        Mistake("gravity_forgotten", "Gravity is missing.", of_driven("rail", "torque", force=coriolis_force)),
        Mistake("velocity_terms_forgotten", "The velocity terms of the bars are missing.", of_driven("rail", "torque", force=gravity_force)),
    ],
)  # fmt: skip


# --- derivations ----------------------------------------------------------------------------------------------------

LEAST_CONSTRAINT = Exercise(
    name="least_constraint", chapter="constrained", stars=2, kind="derive", title="Gauss: the least constraint",
    text=r"""Let \f$\ddot q_r = M^{-1}(\tau - b)\f$ be the motion of the cut machine, and let \f$\ddot q\f$ solve \f$M\ddot q + b = \tau + A^{\T}\lambda\f$ with
\f$A\ddot q + \dot A\dot q = 0\f$. Show that among all \f$x\f$ with \f$Ax + \dot A\dot q = 0\f$ the true motion \f$\ddot q\f$ is the one with the least
\f[ Z(x) = \tfrac12\,(x - \ddot q_r)^{\T}M\,(x - \ddot q_r) . \f]
Where did you use that the rows of \f$A\f$ are independent? What is the least value of \f$Z\f$ in terms of the multipliers?""",
    hints=["Do not differentiate. Compare Z at the true motion with Z at another admissible one.", "The difference of two admissible motions is a vector that A maps to zero."],
    solution=r"""Let \f$x = \ddot q + d\f$ be admissible. Then \f$Ad = 0\f$, and
\f[ Z(x) = Z(\ddot q) + d^{\T}M(\ddot q - \ddot q_r) + \tfrac12\,d^{\T}Md . \f]
By the first equation, \f$M(\ddot q - \ddot q_r) = A^{\T}\lambda\f$, so that the middle term is \f$(Ad)^{\T}\lambda = 0\f$. What remains is at least
\f$Z(\ddot q)\f$, and equal to it only for \f$d = 0\f$, since \f$M\f$ is positive definite. So the true motion is the only one with the least value.
Nowhere were the rows independent. It is enough that some \f$\lambda\f$ exists; if several do, \f$\ddot q\f$ is still the same, because there is only one
minimum.
With \f$\ddot q - \ddot q_r = M^{-1}A^{\T}\lambda\f$ the least value is \f$\tfrac12\lambda^{\T}AM^{-1}A^{\T}\lambda\f$. The constraints accelerate the machine away from its
cut motion as little as possible, measured by the inertia.""",
)  # fmt: skip

WITHOUT_MULTIPLIERS = Exercise(
    name="without_multipliers", chapter="constrained", stars=2, kind="derive", title="Equations without multipliers",
    text=r"""In a closed state let the columns of \f$G\f$ be a basis of the rates that the constraints allow, so that \f$AG = 0\f$ and
\f$\dot q = G\dot s\f$. Show that
\f[ G^{\T}MG\,\ddot s = G^{\T}\left(\tau - b - M\dot G\dot s\right) , \f]
that the matrix on the left is positive definite, and that \f$\ddot q\f$ obeys \f$A\ddot q + \dot A\dot q = 0\f$. Which motor torques \f$\delta\tau\f$
change nothing in the motion?""",
    hints=["Which matrix times A^T is zero?", "Differentiate A G = 0 with respect to time."],
    solution=r"""Insert \f$\ddot q = G\ddot s + \dot G\dot s\f$ into \f$M\ddot q + b = \tau + A^{\T}\lambda\f$ and multiply by \f$G^{\T}\f$. The constraint forces drop out, because
\f$G^{\T}A^{\T} = (AG)^{\T} = 0\f$: this is the statement that they do no work on any allowed rate. What remains is the equation asked for.
For \f$x\ne 0\f$ the vector \f$Gx\f$ is not zero, since the columns of \f$G\f$ are independent, so that \f$x^{\T}G^{\T}MGx > 0\f$.
The state stays closed: \f$AG = 0\f$ at all times gives \f$\dot AG + A\dot G = 0\f$, hence
\f$A\ddot q + \dot A\dot q = AG\ddot s + (A\dot G + \dot AG)\dot s = 0\f$.
Torques enter only as \f$G^{\T}\tau\f$. So those with \f$G^{\T}\delta\tau = 0\f$ change nothing, and these are the combinations of the rows of \f$A\f$,
\f$\delta\tau = A^{\T}x\f$: motors that press against the constraints.""",
)  # fmt: skip

EXERCISES = [ROPE, SLIDER, CARRIED, RELEASED, DRIVEN, LEAST_CONSTRAINT, WITHOUT_MULTIPLIERS]
