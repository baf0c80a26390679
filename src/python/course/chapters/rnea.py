"""Exercises of chapter 04: what joints have to exert, motion carried outward and forces carried inward."""
import math

import numpy as np

from ..early_tools import BARS, G, angles, bars, rates
from ..exercise import Exercise
from ..mistakes import Mistake, degrees_as_radians, negated, without
from ..vectors import Ad, coAd, cross, inverse, turn_x, turn_z

# --- holding --------------------------------------------------------------------------------------------------------


def holding(n, first=None, second=None, forearm=1.0):
    """The weights, each with its lever; the angles to the horizontal may be others, and the forearm may not burden the shoulder."""
    a, b = angles(n)
    a, b = (a if first is None else first(n)), (b if second is None else second(n))
    elbow = G * (n["m2"] / 2 + n["load"]) * n["l2"] * math.cos(b)
    upper = G * (n["m1"] / 2 + n["m2"] + n["load"]) * n["l1"] * math.cos(a)
    return {"shoulder": upper + forearm * elbow, "elbow": elbow}


def holding_at_the_ends(n):
    """With the masses at the ends of the bars."""
    return holding({**n, "m1": 2 * n["m1"], "m2": n["m2"], "load": n["load"] + n["m2"] / 2})


def holding_against_gravity_along_x(n):
    a, b = angles(n)
    return holding(n, first=lambda n: math.pi / 2 - a, second=lambda n: math.pi / 2 - b)


HOLDING = Exercise(
    name="holding_a_load", chapter="rnea", stars=1, kind="number", title="Which torques hold it up?",
    text=BARS + r"""A load of <load> kg, small enough to count as a point, sits at the far end of the second bar. Everything is at rest.
Which torques must the motors exert?""",
    asks={"shoulder": "torque of the shoulder (N m)", "elbow": "torque of the elbow (N m)"},
    hints=["Each motor carries the moments of all weights beyond it, about its own axis.",
           "The angle of the second bar to the horizontal is the sum of both angles."],
    draw=lambda source: {**bars(source), "load": source.number(0.6, 1.9, 1)},
    solve=holding,
    mistakes=[
        degrees_as_radians(holding, "q1", "q2"),
        Mistake("angle_to_the_first_bar", "The second angle is counted from the first bar, and was taken for the angle to the horizontal.",
                lambda n: holding(n, second=lambda n: math.radians(n["q2"]))),
        Mistake("lever_of_the_forearm_missing", "The shoulder carries the moment that the elbow needs, too: the weights have a lever beyond it.",
                lambda n: holding(n, forearm=0.0)),
        Mistake("moment_of_the_elbow_subtracted", "The moment of the child was subtracted from that of the parent: the parent has to carry it in addition.",
                lambda n: holding(n, forearm=-1.0)),
        Mistake("sine_instead_of_cosine", "The lever of a weight is its horizontal distance.", holding_against_gravity_along_x),
        Mistake("load_forgotten", "The load is missing.", without(holding, "load")),
        Mistake("weight_at_the_ends", "A uniform bar has its weight in the middle.", holding_at_the_ends),
        Mistake("masses_instead_of_weights", "These are masses times levers: the factor 9.81 is missing.",
                lambda n: {name: value / G for name, value in holding(n).items()}),
    ],
)  # fmt: skip


# --- two sweeps in the plane ----------------------------------------------------------------------------------------


def seen_from(V, q, length):
    """A planar twist (w; vx, vy) of a parent, at the end of its bar and along the axes of a child that is turned by q."""
    c, s = math.cos(q), math.sin(q)
    vx, vy = V[1], V[2] + length * V[0]
    return np.array([V[0], c * vx + s * vy, -s * vx + c * vy])


def handed_back(F, q, length):
    """A planar wrench (m; fx, fy) on the child, in the frame of the parent."""
    c, s = math.cos(q), math.sin(q)
    fx, fy = c * F[1] - s * F[2], s * F[1] + c * F[2]
    return np.array([F[0] + length * fy, fx, fy])


def times_inertia(m, l, V):
    return np.array([m * l**2 / 3 * V[0] + m * l / 2 * V[2], m * V[1], m * (V[2] + l / 2 * V[0])])


def swing(n, eta=1.0, gravity=G, quadratic=1.0, child=1.0, lever=1.0, carried_again=False):
    """Table 2 of the paper, line by line, with coefficients that are 1 if it is right."""
    V, Vdot, length = np.zeros(3), np.array([0.0, 0.0, gravity]), 0.0
    F, turns = [], [math.radians(n["q1"]), math.radians(n["q2"])]
    for q, r, a, m, l in zip(turns, (n["r1"], n["r2"]), (n["a1"], n["a2"]), (n["m1"], n["m2"]), (n["l1"], n["l2"])):
        V = seen_from(V, q, length) + [r, 0.0, 0.0]
        in_bracket = seen_from(V, q, length) if carried_again else V
        Vdot = seen_from(Vdot, q, length) + [a, eta * in_bracket[2] * r, -eta * in_bracket[1] * r]
        L = times_inertia(m, l, V)
        turning = np.array([V[1] * L[2] - V[2] * L[1], -V[0] * L[2], V[0] * L[1]])
        F.append(times_inertia(m, l, Vdot) + quadratic * turning)
        length = l
    first = F[0] + child * handed_back(F[1], turns[1], lever * n["l1"])
    return {"shoulder": first[0], "elbow": F[1][0]}


SWING = Exercise(
    name="torques_of_a_swing", chapter="rnea", stars=2, kind="number", title="Which torques make it swing?",
    text=BARS + r"""Shoulder and elbow turn at the rates <r1> and <r2> rad/s, and gain <a1> and <a2> rad/s\f$^2\f$. Which torques must the
motors exert?""",
    asks={"shoulder": "torque of the shoulder (N m)", "elbow": "torque of the elbow (N m)"},
    hints=["Write twists as (w; vx, vy) and wrenches as (m; fx, fy), as the chapter does on its arm by hand.",
           "Outward: V, then V' with eta, starting with the base accelerated upwards. Inward: what each bar needs, and what the elbow hands back.",
           "A uniform bar has m l^2/3 about its hinge, and its momentum has the velocity of its middle."],
    draw=lambda source: {**bars(source), **rates(source), "a1": source.signed(1.2, 4.8, 1), "a2": source.signed(1.3, 5.7, 1)},
    solve=swing,
    mistakes=[
        degrees_as_radians(swing, "q1", "q2"),
        Mistake("eta_forgotten", "The bracket of V and S q' is missing from V': these are the velocity terms of the outward sweep.",
                lambda n: swing(n, eta=0.0)),
        Mistake("carried_twice", "The bracket has the twist of the body itself, without another change of frame.",
                lambda n: swing(n, carried_again=True)),
        Mistake("quadratic_term_forgotten", "The term - ad*_V I V is missing from the balance of each body.", lambda n: swing(n, quadratic=0.0)),
        Mistake("quadratic_term_with_a_plus", "The term with ad*_V I V has the wrong sign.", lambda n: swing(n, quadratic=-1.0)),
        Mistake("base_accelerated_downwards", "Gravity has the wrong sign: in its place the base is accelerated upwards.",
                lambda n: swing(n, gravity=-G)),
        Mistake("gravity_forgotten", "Gravity is missing.", lambda n: swing(n, gravity=0.0)),
        Mistake("child_not_added", "The wrench of the child was not added to that of its parent.", lambda n: swing(n, child=0.0)),
        Mistake("forces_without_lever", "The force that the elbow transmits has a lever about the shoulder.", lambda n: swing(n, lever=0.0)),
        Mistake("rates_forgotten", "All products of rates are missing.", without(swing, "r1", "r2")),
    ],
)  # fmt: skip


# --- one step outward -----------------------------------------------------------------------------------------------


def pose_of_child(n):
    return turn_z(math.radians(n["q"])), np.array(n["p"])


def outward(n, pose=None, bracket=1.0, carried_again=False):
    to_child = inverse(pose_of_child(n)) if pose is None else pose
    turn = np.array([0.0, 0.0, n["rate"]])
    w, v = Ad(to_child, (n["w"], n["v"]))
    w = w + turn
    w_rate, v_rate = Ad(to_child, (n["w_rate"], n["v_rate"]))
    if carried_again:
        w, v = Ad(to_child, (w, v))
    return {"w_rate_child": w_rate + bracket * cross(w, turn) + [0.0, 0.0, n["acceleration"]], "v_rate_child": v_rate + bracket * cross(v, turn)}


def outward_classical(n):
    """The acceleration of the origin of the child instead of the rate of its velocity's components."""
    R = pose_of_child(n)[0].T
    w, v = np.array(n["w"]), np.array(n["v"])
    of_point = cross(w, v) + cross(w, cross(w, n["p"]))
    return {"v_rate_child": R @ (np.array(n["v_rate"]) + cross(n["w_rate"], n["p"]) + of_point)}


def joint_acceleration_forgotten(n):
    return {"w_rate_child": outward(n)["w_rate_child"] - [0.0, 0.0, n["acceleration"]]}


OUTWARD = Exercise(
    name="one_step_outward", chapter="rnea", stars=2, kind="number", title="One step outward",
    text=r"""A child hangs on its parent by a hinge about z. At the angle 0 its axes are those of the parent; its origin is at <p> m in the
parent. The hinge stands at <q> degrees, turns at <rate> rad/s and gains <acceleration> rad/s\f$^2\f$. The parent has the twist
\f$w\f$ = <w> rad/s, \f$v\f$ = <v> m/s, whose components change at the rates \f$\dot w\f$ = <w_rate> rad/s\f$^2\f$ and
\f$\dot v\f$ = <v_rate> m/s\f$^2\f$. At what rates do the components of the twist of the child change, in its own frame?""",
    asks={"w_rate_child": "rate of the angular half, in the frame of the child (rad/s^2)",
          "v_rate_child": "rate of the linear half, in the frame of the child (m/s^2)"},
    hints=["Carry both the twist of the parent and its rate to the child: with the inverse of the pose.",
           "Add eta = ad_V S q' with the twist of the child, and S q''."],
    draw=lambda source: {"p": source.vector(0.2, 0.8), "q": source.signed(24, 66, 0), "rate": source.signed(0.9, 2.8, 1),
                         "acceleration": source.signed(1.1, 4.9, 1), "w": source.vector(0.4, 2.2, 1), "v": source.vector(0.3, 1.8, 1),
                         "w_rate": source.vector(0.6, 4.4, 1), "v_rate": source.vector(0.6, 4.4, 1)},
    solve=outward,
    mistakes=[
        degrees_as_radians(outward, "q"),
        Mistake("ad_instead_of_its_inverse", "The pose of the child in the parent carries twists from the child to the parent: here its inverse is needed.",
                lambda n: outward(n, pose=pose_of_child(n))),
        Mistake("eta_forgotten", "The bracket of V and S q' is missing: it changes the components although neither joint accelerates.",
                lambda n: outward(n, bracket=0.0)),
        Mistake("bracket_reversed", "The bracket has the wrong order: it is [V, S q'].", lambda n: outward(n, bracket=-1.0)),
        Mistake("carried_twice", "The twist in the bracket is that of the child already, and was carried once more.", lambda n: outward(n, carried_again=True)),
        Mistake("lever_forgotten", "The child's origin is not that of the parent: the lever is missing.", without(outward, "p")),
        Mistake("classical_acceleration", "This is the acceleration of the child's origin, not the rate of the components of v.", outward_classical),
        Mistake("joint_acceleration_forgotten", "The joint's own acceleration is missing.", joint_acceleration_forgotten),
        Mistake("turned_the_wrong_way", "The components are turned with R instead of its transpose.", negated(outward, "q")),
    ],
)  # fmt: skip


# --- one step inward ------------------------------------------------------------------------------------------------


def inward(n, carry=None, child=1.0, outside=-1.0):
    carry = carry or (lambda n: coAd(inverse(pose_of_child(n)), (n["mk"], n["fk"])))
    m, f = carry(n)
    m = np.array(n["ma"]) + outside * np.array(n["mx"]) + child * m
    f = np.array(n["fa"]) + outside * np.array(n["fx"]) + child * f
    return {"m": m, "f": f, "tau": m[2]}


INWARD = Exercise(
    name="one_step_inward", chapter="rnea", stars=2, kind="number", title="One step inward",
    text=r"""All wrenches are in the frame of the body on which they act. For its motion alone body \f$i\f$ needs the wrench
\f$m\f$ = <ma> N m, \f$f\f$ = <fa> N. The surroundings act on it with \f$m\f$ = <mx> N m, \f$f\f$ = <fx> N. Through the next joint it
acts on its only child with \f$m\f$ = <mk> N m, \f$f\f$ = <fk> N. The child's origin is at <p> m in the frame of body \f$i\f$, and its
axes are turned by <q> degrees about z. What does the parent of body \f$i\f$ have to transmit? And what must the motor exert, if
joint \f$i\f$ is a hinge about the z axis of body \f$i\f$?""",
    asks={"m": "moment of F_i in the frame of body i (N m)", "f": "force of F_i in the frame of body i (N)", "tau": "torque of the motor (N m)"},
    hints=["What acts on the body: its parent, the surroundings, and the opposite of what it does to its child.",
           "Turn the child's wrench to the axes of body i; its force has a moment about the origin of body i."],
    draw=lambda source: {"ma": source.vector(1, 6, 1), "fa": source.vector(3, 14, 1), "mx": source.vector(0.5, 4, 1), "fx": source.vector(2, 9, 1),
                         "mk": source.vector(1, 6, 1), "fk": source.vector(3, 14, 1), "p": source.vector(0.2, 0.8), "q": source.signed(24, 66, 0)},
    solve=inward,
    mistakes=[
        degrees_as_radians(inward, "q"),
        Mistake("inverse_forgotten", "This is the coadjoint map of the pose itself: from the child to its parent it takes the map of the inverse.",
                lambda n: inward(n, carry=lambda n: coAd(pose_of_child(n), (n["mk"], n["fk"])))),
        Mistake("carried_as_a_twist", "This is Ad, the rule of twists: the force got no moment, and the moment a lever.",
                lambda n: inward(n, carry=lambda n: Ad(pose_of_child(n), (n["mk"], n["fk"])))),
        Mistake("child_not_added", "The child's wrench is missing.", lambda n: inward(n, child=0.0)),
        Mistake("child_subtracted", "The child's wrench has the wrong sign: what the body does to its child has to come from its parent.",
                lambda n: inward(n, child=-1.0)),
        Mistake("surroundings_added", "What the surroundings contribute need not come from the parent: it is subtracted.", lambda n: inward(n, outside=1.0)),
        Mistake("surroundings_forgotten", "The wrench of the surroundings is missing.", lambda n: inward(n, outside=0.0)),
        Mistake("no_lever", "The child's force has a moment about the origin of body i.", without(inward, "p")),
        Mistake("axes_not_turned", "The child's wrench is still along the axes of the child.", without(inward, "q")),
        Mistake("length_of_the_moment", "The motor feels the component along its axis; the bearings carry the others.",
                lambda n: {"tau": np.linalg.norm(inward(n)["m"])}),
    ],
)  # fmt: skip


# --- two accelerations ----------------------------------------------------------------------------------------------


def pose_of_link(n):
    return turn_z(math.radians(n["a"])) @ turn_x(math.radians(n["b"])), np.array(n["p"])


def accelerations(n, product=1.0, turned=True):
    R, p = pose_of_link(n)
    R = R if turned else np.eye(3)
    of_point = np.array(n["v_rate"]) + product * cross(n["w"], n["v"])
    return {"spatial": Ad((R, p), (n["w_rate"], n["v_rate"]))[1], "classical": R @ of_point}


def with_quantity(quantity, value):
    return lambda n: {quantity: value(n)}


ACCELERATIONS = Exercise(
    name="two_accelerations", chapter="rnea", stars=3, kind="number", title="Two accelerations of one link",
    text=r"""The frame of a link stands at <p> m in the world. Its rotation is one of <a> degrees about z followed by one of <b> degrees
about its own x axis. In its own frame the link has the twist \f$w\f$ = <w> rad/s, \f$v\f$ = <v> m/s, whose components change at the
rates \f$\dot w\f$ = <w_rate> rad/s\f$^2\f$ and \f$\dot v\f$ = <v_rate> m/s\f$^2\f$. What is the linear half of the spatial acceleration in
the frame of the world? And what is the acceleration of the link's origin, as a camera in the world sees it?""",
    asks={"spatial": "linear half of the spatial acceleration, in the frame of the world (m/s^2)",
          "classical": "acceleration of the link's origin, along the axes of the world (m/s^2)"},
    hints=["The spatial acceleration changes frame as a twist does, with the lever of the pose.",
           "The velocity of the origin is R v, and R changes, too."],
    draw=lambda source: {"p": source.vector(0.3, 1.2), "a": source.signed(24, 66, 0), "b": source.signed(24, 66, 0),
                         "w": source.vector(0.5, 2.6, 1), "v": source.vector(0.4, 2.1, 1), "w_rate": source.vector(0.6, 4.2, 1),
                         "v_rate": source.vector(0.6, 4.2, 1)},
    solve=accelerations,
    mistakes=[
        degrees_as_radians(accelerations, "a", "b"),
        Mistake("spatial_for_classical", "These are the rates of the components of v along other axes: the acceleration of a point has w x v in addition.",
                with_quantity("classical", lambda n: accelerations(n, product=0.0)["classical"])),
        Mistake("product_reversed", "The product has the wrong order: it is w x v.",
                with_quantity("classical", lambda n: accelerations(n, product=-1.0)["classical"])),
        Mistake("axes_of_the_link", "These are components along the axes of the link.", lambda n: accelerations(n, turned=False)),
        Mistake("turned_the_wrong_way", "The components are turned with the transpose of R.",
                with_quantity("classical", lambda n: pose_of_link(n)[0].T @ (np.array(n["v_rate"]) + cross(n["w"], n["v"])))),
        Mistake("mixed_instead_of_world", "This has the axes of the world, but is still taken at the origin of the link: the lever is missing.",
                with_quantity("spatial", lambda n: accelerations({**n, "p": [0.0] * 3})["spatial"])),
        Mistake("lever_with_the_wrong_sign", "The lever has the wrong sign: it is p x w.",
                with_quantity("spatial", lambda n: 2 * accelerations({**n, "p": [0.0] * 3})["spatial"] - accelerations(n)["spatial"])),
        Mistake("turns_in_the_other_order", "The two turns are exchanged: a turn about an own axis multiplies from the right.",
                with_quantity("classical", lambda n: turn_x(math.radians(n["b"])) @ turn_z(math.radians(n["a"])) @ (np.array(n["v_rate"]) + cross(n["w"], n["v"])))),
    ],
)  # fmt: skip


# --- derivations ----------------------------------------------------------------------------------------------------

FASTER = Exercise(
    name="the_same_path_faster", chapter="rnea", stars=2, kind="derive", title="The same path, faster",
    text=r"""A plan \f$q(t)\f$ needs the torques \f$\tau(t)\f$, while at rest in the same positions the gravity forces \f$\phi(q(t))\f$ would suffice.
There are no external wrenches, and all joints have one degree of freedom. The same path is now travelled \f$k\f$ times as fast,
\f$q_k(t) = q(kt)\f$. Show, from the two sweeps, that the torque at the same place of the path is \f$\phi + k^2(\tau - \phi)\f$. A motor
that may exert at most \f$\tau_{\max} > 0\f$ exerts \f$\tau > \phi\f$ at the place where it has most to do. How much faster may the plan be
at that place? And what becomes of this with friction proportional to the rate?""",
    hints=["What happens to the rates and to the accelerations?", "Split V' into the part that comes from gravity and the rest. What does each line of Table 2 do with the rest?"],
    solution=r"""By the chain rule the rates at the same place are \f$k\dot q\f$ and the accelerations \f$k^2\ddot q\f$. Outward, \f$V_i\f$ is linear in the
rates and starts with zero, so that it becomes \f$kV_i\f$. Write \f$\dot V_i = G_i + A_i\f$, where \f$G_i\f$ comes from the start
\f$(0, -g)\f$ and \f$A_i\f$ starts with zero: \f$G_i = \Ad_{T_{\lambda(i),i}^{-1}}G_{\lambda(i)}\f$ depends on the position alone, and
\f[ A_i = \Ad_{T_{\lambda(i),i}^{-1}}A_{\lambda(i)} + \ad_{V_i}S_i\dot q_i + S_i\ddot q_i \f]
is a sum of products of two rates and of accelerations, so that it becomes \f$k^2A_i\f$. Inward, the wrench of each body is
\f$\mathcal I_iG_i + (\mathcal I_iA_i - \ad^*_{V_i}\mathcal I_iV_i)\f$: the first term stays, the bracket gets the factor \f$k^2\f$. What follows is
linear. The first terms alone give the torques at rest, \f$\phi\f$, and the brackets therefore \f$\tau - \phi\f$, which gets the factor
\f$k^2\f$.
The motor permits \f$\phi + k^2(\tau - \phi) \le \tau_{\max}\f$, hence \f$k \le \sqrt{(\tau_{\max} - \phi)/(\tau - \phi)}\f$, if \f$\phi < \tau_{\max}\f$. A motor that
cannot hold the weight at rest, \f$\phi > \tau_{\max}\f$, gains nothing by going slowly.
Friction \f$c\dot q\f$ is linear in the rates, so that it gets the factor \f$k\f$: the torque is \f$\phi + k\,c\dot q + k^2(\tau - \phi - c\dot q)\f$ if
\f$\tau\f$ contains it. What is measured at rest and at one speed no longer predicts the other speeds. A second speed is needed.""",
)  # fmt: skip

LIFT = Exercise(
    name="robot_in_a_lift", chapter="rnea", stars=1, kind="derive", title="A robot in a lift",
    text=r"""A robot stands in a lift that moves up and down without turning. It moves as planned, seen from the lift. Show with Table 2 that its torques are those of
a robot on the ground with another gravity, and find it. What do the motors have to exert in a lift that falls freely, if the robot is at rest in it? And if it
moves?""",
    hints=["Let the base have the velocity and the acceleration of the lift.", "What does a velocity of the base without rotation do to the brackets?"],
    solution=r"""Let the lift have the velocity \f$v_0\f$ and the acceleration \f$a_0\f$. The first sweep then starts with \f$V_0 = (0, v_0)\f$ and
\f$\dot V_0 = (0, a_0 - g)\f$. The second of these is what a robot on the ground has with the gravity \f$g - a_0\f$.
The first one makes no difference. Two observers who move steadily relative to each other see the same forces (Galileo), so at this instant describe the robot from a frame that moves
with \f$v_0\f$ and does not accelerate. In this frame the base is at rest, rates, poses and accelerations of the joints are the same, and so is \f$\dot V_0\f$. Hence the torques are those
of a robot on the ground with the gravity \f$g - a_0\f$: if the lift starts upwards, everything becomes heavier.
In free fall \f$a_0 = g\f$, and nothing remains of gravity. At rest all \f$V_i\f$ and \f$\dot V_i\f$ of Table 2 vanish, and with them all torques. A robot that moves needs what its motion
takes, \f$M\ddot q + C\dot q\f$, as far from any planet.""",
)  # fmt: skip

EXERCISES = [HOLDING, SWING, OUTWARD, INWARD, ACCELERATIONS, FASTER, LIFT]
