"""Exercises of chapter 01: places, motions and pushes seen from two frames; the exponential and the logarithm."""
import math

import numpy as np

from ..exercise import Exercise
from ..mistakes import Mistake, degrees_as_radians, negated, radians_as_degrees, with_changed, without
from ..vectors import Ad, coAd, cross, inverse, skew, turn, turn_x, turn_z

# A frame B whose axes z, x, y are those of x, y, z of A: the handle of the chapter's door.
HANDLE = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])


# --- the handle in the room -----------------------------------------------------------------------------------------


def handle(n):
    p = np.array([n["a"], 0.0, n["h"]])
    return {"p": turn_z(math.radians(n["q"])) @ p, "foot": -HANDLE.T @ p}


HANDLE_IN_THE_ROOM = Exercise(
    name="handle_in_the_room", chapter="group", stars=1, kind="number", title="Where is the handle?",
    text=r"""The door of the chapter has its handle <a> m from the hinge line and <h> m above the floor. It is open by <q> degrees.
Where in the room is the handle? And where is the foot of the hinge line, the origin of frame A, as seen from the frame B of the
handle, whose x axis points up, whose y axis points away from the hinges and whose z axis is the spindle?""",
    asks={"p": "the origin of B in the room (m)", "foot": "the origin of A in frame B (m)"},
    hints=["Poses multiply: the door's pose in the room, then the handle's pose on the door.",
           "For the foot use the inverse of a pose. It does not depend on how far the door is open."],
    draw=lambda source: {"a": source.number(0.62, 0.88), "h": source.number(0.91, 1.19), "q": source.signed(21, 69, 0)},
    solve=handle,
    mistakes=[
        degrees_as_radians(handle, "q"),
        Mistake("not_turned", "This is the handle of the shut door.", without(handle, "q")),
        Mistake("turned_back", "The door is turned the opposite way: a positive angle turns x towards y.", negated(handle, "q")),
        Mistake("sine_and_cosine_exchanged", "Sine and cosine are exchanged.", with_changed(handle, q=lambda q: 90 - q)),
        Mistake("on_the_floor", "This is the point of the door on the floor: the height of the handle is missing.", without(handle, "h")),
        Mistake("along_the_axes_of_the_room", "The vector to the foot is along the axes of the room instead of those of B.",
                lambda n: {"foot": -handle(n)["p"]}),
        Mistake("inverse_without_rotation", "In the inverse of a pose the position is turned, too: only its sign was changed.",
                lambda n: {"foot": [-n["a"], 0.0, -n["h"]]}),
        Mistake("not_transposed", "The inverse of a pose has the transpose of R: here R itself was used.",
                lambda n: {"foot": -HANDLE @ [n["a"], 0.0, n["h"]]}),
        Mistake("inverse_without_sign", "The inverse of a pose has a minus sign before its position.",
                lambda n: {"foot": HANDLE.T @ [n["a"], 0.0, n["h"]]}),
    ],
)  # fmt: skip


# --- two turns ------------------------------------------------------------------------------------------------------


def two_turns(n):
    Z, X = turn_z(math.radians(n["a"])), turn_x(math.radians(n["b"]))
    return {"own": Z @ X @ n["r"], "room": X @ Z @ n["r"]}


TWO_TURNS = Exercise(
    name="two_turns", chapter="group", stars=1, kind="number", title="Two turns, and two meanings of 'then'",
    text=r"""A box is turned by <a> degrees about the z axis of the room, with which its own z axis coincides, and then by <b>
degrees about an x axis. A corner of the box is at <r> m in the frame of the box, whose origin stays at that of the room.
Where in the room is the corner if the second turn is about the box's own x axis? And where if it is about the x axis of the
room?""",
    asks={"own": "the corner in the room, second turn about the box's own x axis (m)",
          "room": "the corner in the room, second turn about the room's x axis (m)"},
    hints=["A turn about an own axis multiplies from the right, a turn about an axis of the room from the left."],
    draw=lambda source: {"a": source.signed(25, 75, 0), "b": source.signed(25, 75, 0), "r": source.vector(0.1, 0.9)},
    solve=two_turns,
    mistakes=[
        degrees_as_radians(two_turns, "a", "b"),
        Mistake("orders_exchanged", "The two orders are exchanged: a turn about an own axis multiplies from the right.",
                lambda n: {"own": two_turns(n)["room"], "room": two_turns(n)["own"]}),
        Mistake("turned_back", "Both turns go the opposite way: the point is turned, not the frame in which it is seen.",
                negated(two_turns, "a", "b")),
        Mistake("first_turned_back", "The turn about z goes the opposite way.", negated(two_turns, "a")),
        Mistake("second_turned_back", "The turn about x goes the opposite way.", negated(two_turns, "b")),
        Mistake("first_turn_only", "The second turn is missing.", without(two_turns, "b")),
        Mistake("second_turn_only", "The first turn is missing.", without(two_turns, "a")),
        Mistake("transposed_product", "The product is transposed: this is the room's point, seen from the box.",
                lambda n: {"own": two_turns(negated_turns(n))["room"], "room": two_turns(negated_turns(n))["own"]}),
    ],
)  # fmt: skip


def negated_turns(n):
    return {**n, "a": -n["a"], "b": -n["b"]}


# --- a twist at another point ---------------------------------------------------------------------------------------


def pose_of_b(n):
    return turn_z(math.radians(n["q"])), np.array(n["p"])


def pair(names, values):
    return dict(zip(names, values))


def twist_from_b(n):
    return pair("wv", Ad(inverse(pose_of_b(n)), (n["wa"], n["va"])))


TWIST_AT_ANOTHER_POINT = Exercise(
    name="twist_at_another_point", chapter="group", stars=2, kind="number", title="The same motion from another frame",
    text=r"""Frames A and B are fixed to one body. B has its origin at <p> m in A, and its axes are those of A turned by <q> degrees
about z. In A the body twist is \f$w_a\f$ = <wa> rad/s, \f$v_a\f$ = <va> m/s. What is it in B?""",
    asks={"w": "angular half of the twist in B (rad/s)", "v": "linear half of the twist in B (m/s)"},
    hints=["Which pose belongs to the adjoint map: that of B in A, or its inverse?",
           "Find the velocity of B's origin along the axes of A first; then look at it along the axes of B."],
    draw=lambda source: {"p": source.vector(0.2, 0.9), "q": source.signed(25, 65, 0), "wa": source.vector(0.5, 2.5, 1),
                         "va": source.vector(0.3, 1.9, 1)},
    solve=twist_from_b,
    mistakes=[
        degrees_as_radians(twist_from_b, "q"),
        Mistake("ad_instead_of_its_inverse", "This is Ad of the pose of B in A, which leads from B to A; the way from A to B is its inverse.",
                lambda n: pair("wv", Ad(pose_of_b(n), (n["wa"], n["va"])))),
        Mistake("no_lever", "The lever is missing: a turning body moves its far points.", without(twist_from_b, "p")),
        Mistake("lever_with_the_wrong_sign", "The lever has the wrong sign: the velocity of B's origin is v + w x p.", negated(twist_from_b, "p")),
        Mistake("axes_not_turned", "The components are still those along the axes of A.", without(twist_from_b, "q")),
        Mistake("turned_the_wrong_way", "The components are turned with R instead of its transpose.", negated(twist_from_b, "q")),
        Mistake("lever_along_other_axes", "The lever p is along the axes of A, and w along those of B: take their product before the turn.",
                lambda n: {"v": pose_of_b(n)[0].T @ n["va"] + cross(twist_from_b(n)["w"], n["p"])}),
        Mistake("carried_as_a_wrench", "This is how a wrench changes its frame: a motion has its lever in the linear half.",
                lambda n: pair("wv", coAd(pose_of_b(n), (n["wa"], n["va"])))),
    ],
)  # fmt: skip


# --- a wrench at another point --------------------------------------------------------------------------------------


def wrench_to_a(n):
    m, f = coAd(inverse(pose_of_b(n)), (n["mb"], n["fb"]))
    return {"m": m, "f": f, "power": m @ n["wa"] + f @ n["va"]}


def wrong_wrench(n, m, f):
    return {"m": m, "f": f, "power": m @ n["wa"] + f @ n["va"]}


def lever_before_the_turn(n):
    R, p = pose_of_b(n)
    return wrong_wrench(n, R @ n["mb"] + cross(p, n["fb"]), R @ n["fb"])


WRENCH_AT_ANOTHER_POINT = Exercise(
    name="wrench_at_another_point", chapter="group", stars=2, kind="number", title="The same push from another frame",
    text=r"""Frame B has its origin at <p> m in frame A, and its axes are those of A turned by <q> degrees about z. Both are fixed to
one body. In B the wrench on it is \f$m_b\f$ = <mb> N m, \f$f_b\f$ = <fb> N. What is it in A? The twist of the body in A is
\f$w_a\f$ = <wa> rad/s, \f$v_a\f$ = <va> m/s: what power goes into it?""",
    asks={"m": "moment about the origin of A, along its axes (N m)", "f": "force along the axes of A (N)", "power": "power (W)"},
    hints=["Turn both halves to the axes of A first.", "A force has a moment about another point; a couple has the same one everywhere."],
    draw=lambda source: {"p": source.vector(0.2, 0.9), "q": source.signed(25, 65, 0), "mb": source.vector(0.5, 4.5, 1),
                         "fb": source.vector(2, 9.5, 1), "wa": source.vector(0.5, 2.5, 1), "va": source.vector(0.3, 1.9, 1)},
    solve=wrench_to_a,
    mistakes=[
        degrees_as_radians(wrench_to_a, "q"),
        Mistake("carried_as_a_twist", "This is Ad, which is for motions: in a wrench the moment gets the lever, not the force.",
                lambda n: wrong_wrench(n, *Ad(pose_of_b(n), (n["mb"], n["fb"])))),
        Mistake("from_a_to_b", "This leads from A to B: the pose in the coadjoint map is that of A seen from B.",
                lambda n: wrong_wrench(n, *coAd(pose_of_b(n), (n["mb"], n["fb"])))),
        Mistake("no_lever", "The moment of the force about the new origin is missing.", without(wrench_to_a, "p")),
        Mistake("lever_with_the_wrong_sign", "The moment of the force has the wrong sign: it is p x f, in this order.", negated(wrench_to_a, "p")),
        Mistake("lever_along_other_axes", "The lever p is along the axes of A, and the force along those of B: turn the force before their product.",
                lever_before_the_turn),
        Mistake("axes_not_turned", "The components are still those along the axes of B.", without(wrench_to_a, "q")),
        Mistake("turned_the_wrong_way", "The components are turned with the transpose of R instead of R.", negated(wrench_to_a, "q")),
        Mistake("power_across_frames", "The power multiplies a wrench in B with a twist in A: both must be in one frame.",
                lambda n: {"power": np.dot(n["mb"], n["wa"]) + np.dot(n["fb"], n["va"])}),
        Mistake("power_of_exchanged_halves", "The halves are paired the wrong way: power is moment times w plus force times v.",
                lambda n: {"power": wrench_to_a(n)["m"] @ n["va"] + wrench_to_a(n)["f"] @ n["wa"]}),
        Mistake("power_of_the_force_alone", "A moment does work on a turning body, too.",
                lambda n: {"power": wrench_to_a(n)["f"] @ n["va"]}),
    ],
)  # fmt: skip


# --- the rate of a wrench -------------------------------------------------------------------------------------------


def rate_of_wrench(n):
    w, v, m, f = (np.array(n[name]) for name in "wvmf")
    return {"m_rate": -cross(w, m) - cross(v, f), "f_rate": -cross(w, f)}


RATE_OF_A_WRENCH = Exercise(
    name="rate_of_a_wrench", chapter="group", stars=2, kind="number", title="A rope that stays where it is",
    text=r"""A rope pulls at a moving body. Its line, its force and its couple stay as they are in the room. At this instant the body
twist is \f$w\f$ = <w> rad/s, \f$v\f$ = <v> m/s, and the rope's wrench in the body's frame is \f$m\f$ = <m> N m, \f$f\f$ = <f> N.
At what rate do its components in the body's frame change?""",
    asks={"m_rate": "rate of the components of the moment (N m/s)", "f_rate": "rate of the components of the force (N/s)"},
    hints=["The wrench itself has no rate. Its components have one because the observer moves.",
           "Differentiate the power of the wrench on a twist, or use d/dt Y = Y' - ad*_V Y."],
    draw=lambda source: {"w": source.vector(0.4, 2.4, 1), "v": source.vector(0.4, 2.4, 1), "m": source.vector(1, 6, 1),
                         "f": source.vector(2, 9, 1)},
    solve=rate_of_wrench,
    mistakes=[
        Mistake("plus_coad", "The sign is wrong: an observer who turns one way sees what is at rest turn the other way.",
                lambda n: {name: -value for name, value in rate_of_wrench(n).items()}),
        Mistake("origin_taken_to_rest", "The moment also changes because the origin moves away from the line of the force: v x f is missing.",
                without(rate_of_wrench, "v")),
        Mistake("taken_to_be_constant", "The wrench stays as it is, but its components do not: the observer moves.",
                lambda n: {"m_rate": [0.0] * 3, "f_rate": [0.0] * 3}),
        Mistake("turn_of_the_moment_forgotten", "The moment changes because the observer turns, too: w x m is missing.", without(rate_of_wrench, "m")),
        Mistake("ad_instead_of_coad", "This is ad, the rule of twists, in which the linear half has two terms; in a wrench the moment has two.",
                lambda n: {"m_rate": -cross(n["w"], n["m"]), "f_rate": -cross(n["w"], n["f"]) - cross(n["v"], n["m"])}),
        Mistake("halves_of_the_moment_of_opposite_signs", "The two terms of the moment were given opposite signs: they must have the same.", negated(rate_of_wrench, "v")),
    ],
)  # fmt: skip


# --- the exponential ------------------------------------------------------------------------------------------------


def screw_motion(n, w_cross_r=-1.0, pitch=1.0):
    """Of the point x, and of the origin."""
    w = np.array(n["n"]) / n["length"]
    q, r = math.radians(n["q"]), np.array(n["r"])
    v = w_cross_r * cross(w, r) + pitch * n["h"] * w
    W = skew(w)
    b = (q * np.eye(3) + (1 - math.cos(q)) * W + (q - math.sin(q)) * W @ W) @ v
    return {"b": b, "x": turn(w, q) @ n["x0"] + b}


def linear_half_times_angle(n):
    w, q = np.array(n["n"]) / n["length"], math.radians(n["q"])
    b = (-cross(w, n["r"]) + n["h"] * w) * q
    return {"b": b, "x": turn(w, q) @ n["x0"] + b}


def no_v(n):
    w, q = np.array(n["n"]) / n["length"], math.radians(n["q"])
    return {"b": n["h"] * q * w, "x": turn(w, q) @ n["x0"] + n["h"] * q * w}


EXPONENTIAL_OF_A_SCREW = Exercise(
    name="exponential_of_a_screw", chapter="group", stars=2, kind="number", title="Where a screw leads",
    text=r"""A screw has its axis along <n>/<length>, through the point <r> m. Its pitch is <h> m per radian. A body is screwed by <q>
degrees. Where does the point of the body that was at the origin come to lie? And the one that was at <x0> m?""",
    asks={"b": "where the point from the origin comes to lie: the translation of the exponential (m)", "x": "where the other point comes to lie (m)"},
    hints=["The points of the axis only move along it, which fixes v.", "Turn about the axis, then add what the pitch moves."],
    draw=lambda source: {**pair(["n", "length"], source.axis()), "r": source.vector(0.1, 0.9), "h": source.signed(0.05, 0.3),
                         "q": source.number(40, 110, 0), "x0": source.vector(0.1, 0.9)},
    solve=screw_motion,
    mistakes=[
        degrees_as_radians(screw_motion, "q"),
        Mistake("v_is_w_times_r", "The linear half has the wrong sign: it is -w x r, so that the points of the axis stay at rest.",
                lambda n: screw_motion(n, w_cross_r=1.0)),
        Mistake("no_pitch", "The pitch is missing: this is a turn.", without(screw_motion, "h")),
        Mistake("pitch_per_turn", "The pitch is given per radian, and was taken per full turn.", with_changed(screw_motion, h=lambda h: h / 2 / math.pi)),
        Mistake("pitch_times_degrees", "The pitch is per radian, and was multiplied by the angle in degrees.", with_changed(screw_motion, h=math.degrees)),
        Mistake("pitch_without_angle", "The pitch was not multiplied by the angle.",
                lambda n: screw_motion({**n, "h": n["h"] / math.radians(n["q"])})),
        Mistake("translation_forgotten", "The point is only turned: the translation of the exponential is missing.",
                lambda n: {"x": screw_motion(n)["x"] - screw_motion(n)["b"]}),
        Mistake("axis_through_the_origin", "The axis is taken to pass through the origin.", no_v),
        Mistake("linear_half_times_angle", "The translation of the exponential is not v q: the body turns while it moves.", linear_half_times_angle),
        Mistake("axis_not_normalised", "The axis was not divided by its length.", with_changed(screw_motion, length=lambda _: 1)),
        Mistake("turned_back", "The screw is turned the opposite way.", negated(screw_motion, "q")),
    ],
)  # fmt: skip


# --- the logarithm --------------------------------------------------------------------------------------------------


def log_of_two_turns(n, exchanged=False):
    Z, X = turn_z(math.radians(n["a"])), turn_x(math.radians(n["b"]))
    R = X @ Z if exchanged else Z @ X
    angle = math.acos((np.trace(R) - 1) / 2)
    return {"w": angle / (2 * math.sin(angle)) * vee(R)}


def vee(R):
    """Of R - R^T."""
    return np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])


def scaled_log(factor):
    """factor(angle) times the logarithm."""

    def answers(n):
        w = log_of_two_turns(n)["w"]
        return {"w": factor(np.linalg.norm(w)) * w}

    return answers


LOGARITHM_OF_TWO_TURNS = Exercise(
    name="logarithm_of_two_turns", chapter="group", stars=2, kind="number", title="Two turns are one",
    text=r"""A camera is turned by <a> degrees about its z axis, and then by <b> degrees about its own x axis. Find the single turn that
does the same, as a rotation vector: the logarithm of the rotation.""",
    asks={"w": "rotation vector (rad)"},
    hints=["The trace of a rotation tells its angle.", "R minus its transpose is 2 sin(angle) times the bracket of the axis."],
    draw=lambda source: {"a": source.signed(30, 80, 0), "b": source.signed(30, 80, 0)},
    solve=log_of_two_turns,
    mistakes=[
        degrees_as_radians(log_of_two_turns, "a", "b"),
        Mistake("vectors_added", "Rotation vectors about different axes do not add up.", lambda n: {"w": [math.radians(n["b"]), 0.0, math.radians(n["a"])]}),
        Mistake("orders_exchanged", "The two turns are in the opposite order.", lambda n: log_of_two_turns(n, exchanged=True)),
        Mistake("axis_without_angle", "This is the axis, of length one: the angle is missing.", scaled_log(lambda angle: 1 / angle)),
        Mistake("not_divided_by_sine", "R minus its transpose was taken for the logarithm: angle and sine are missing.",
                scaled_log(lambda angle: 2 * math.sin(angle) / angle)),
        Mistake("sine_instead_of_angle", "The vector has the length sin(angle) instead of the angle.", scaled_log(lambda angle: math.sin(angle) / angle)),
        Mistake("quaternion_instead", "This is the vector half of the quaternion: the axis times the sine of half the angle.",
                scaled_log(lambda angle: math.sin(angle / 2) / angle)),
        Mistake("first_turned_back", "The turn about z goes the opposite way.", negated(log_of_two_turns, "a")),
        Mistake("second_turned_back", "The turn about x goes the opposite way.", negated(log_of_two_turns, "b")),
    ],
)  # fmt: skip


# --- the differential of the exponential ----------------------------------------------------------------------------


def dexp(n, sign=-1.0, second=1.0):
    w, rate = np.array(n["w"]), np.array(n["rate"])
    angle = math.sqrt(w @ w)
    phi2, phi3 = (1 - math.cos(angle)) / angle**2, (angle - math.sin(angle)) / angle**3
    once = cross(w, rate)
    return {"omega": rate + sign * phi2 * once + second * phi3 * cross(w, once)}


def series(last):
    """The series up to so many brackets."""

    def answers(n):
        w, term = np.array(n["w"]), np.array(n["rate"])
        total = term
        for k in range(1, last + 1):
            term = -cross(w, term) / (k + 1)
            total = total + term
        return {"omega": total}

    return answers


def dexp_turned(n):
    """The rate, seen from the body."""
    w = np.array(n["w"])
    angle = math.sqrt(w @ w)
    return {"omega": turn(w / angle, angle).T @ n["rate"]}


RATE_OF_A_ROTATION_VECTOR = Exercise(
    name="rate_of_a_rotation_vector", chapter="group", stars=3, kind="number", title="How fast does it turn?",
    text=r"""The orientation of a satellite is kept as a rotation vector, at present <w> rad, which changes at the rate <rate> rad/s.
What is the angular velocity along the axes of the satellite?""",
    asks={"omega": "angular velocity along the axes of the body (rad/s)"},
    hints=["It is not the rate of the rotation vector, unless the vector changes along itself.",
           "dexp has three terms for a rotation: the rate, one bracket, and the bracket of the bracket."],
    draw=lambda source: {"w": source.vector(0.5, 1.4), "rate": source.vector(0.2, 1.6)},
    solve=dexp,
    mistakes=[
        radians_as_degrees(dexp, "w"),
        Mistake("the_rate_itself", "This is the rate of the rotation vector: rotations do not commute.", series(0)),
        Mistake("spatial_instead_of_body", "The signs are those along the axes of the room: the body's angular velocity has a minus at the first bracket.",
                lambda n: dexp(n, sign=1.0)),
        Mistake("one_bracket_of_the_series", "The series was cut off after its first bracket: the angle is not small.", series(1)),
        Mistake("two_brackets_of_the_series", "The series was cut off after its second bracket: the angle is not small.", series(2)),
        Mistake("no_second_bracket", "The term with two brackets is missing.", lambda n: dexp(n, second=0.0)),
        Mistake("second_bracket_with_the_wrong_sign", "The term with two brackets has the wrong sign.", lambda n: dexp(n, second=-1.0)),
        Mistake("turned_into_the_body", "The rate of the vector was only turned into the body's frame.", dexp_turned),
    ],
)  # fmt: skip

# --- derivations ----------------------------------------------------------------------------------------------------

KLEIN_FORM = Exercise(
    name="klein_form_is_invariant", chapter="group", stars=2, kind="derive", title="A number on which all frames agree",
    text=r"""Show that \f$w_1\cdot v_2 + v_1\cdot w_2\f$ is the same in all frames. What is it for the unit screws, without pitch, of two lines in space?""",
    hints=["Put in the adjoint map. Which of its terms can fail to cancel?", "A triple product changes its sign when two of its vectors are exchanged."],
    solution=r"""With \f$w_k' = Rw_k\f$ and \f$v_k' = p\times Rw_k + Rv_k\f$ the sum becomes
\f$w_1\cdot v_2 + v_1\cdot w_2 + Rw_1\cdot(p\times Rw_2) + Rw_2\cdot(p\times Rw_1)\f$, since a rotation keeps inner products. The last two
terms are the triple products of the same three vectors in two orders that differ by one exchange, and they cancel.
For two lines through \f$r_1\f$ and \f$r_2\f$, \f$v_k = -w_k\times r_k\f$. Put the origin on the first line: then \f$v_1 = 0\f$, and
\f$w_1\cdot v_2 = -w_1\cdot(w_2\times r_2) = -(w_1\times w_2)\cdot r_2\f$. Its magnitude is the distance between the lines times the sine of the angle
between them, because \f$w_1\times w_2\f$ is along their common perpendicular. It is zero exactly if the lines meet or are parallel.""",
)  # fmt: skip

SCREWS_THAT_COMMUTE = Exercise(
    name="screws_that_commute", chapter="group", stars=3, kind="derive", title="Which screw motions commute?",
    text=r"""Show that \f$e^{\hat X}e^{\hat Y} = e^{\hat X + \hat Y}\f$ if the bracket of \f$X\f$ and \f$Y\f$ is zero. For which pairs of screws is it zero?""",
    hints=["What does conjugation by the exponential of tX do to Y, and at which rate does the result change with t?",
           "Write a screw with an axis as w of length one and v = -w x r + h w. When are both halves of the bracket zero?"],
    solution=r"""Let \f$\hat Y(t) = e^{t\hat X}\,\hat Y e^{-t\hat X}\f$. Its derivative is \f$e^{t\hat X}(\hat X\hat Y - \hat Y\hat X)e^{-t\hat X}\f$, the conjugate of the bracket, hence zero:
\f$e^{t\hat X}\f$ commutes with \f$\hat Y\f$. Then \f$Z(t) = e^{t\hat X}e^{t\hat Y}\f$ has \f$\dot Z = \hat XZ + e^{t\hat X}\hat Ye^{t\hat Y} = (\hat X + \hat Y)Z\f$ and begins at the identity, as
\f$e^{t(\hat X+\hat Y)}\f$ does; there is only one such solution, and \f$t = 1\f$ is the claim.
The bracket has the halves \f$w_1\times w_2\f$ and \f$w_1\times v_2 - w_2\times v_1\f$. Two slides, \f$w_1 = w_2 = 0\f$, always commute. If only \f$X\f$ has an axis,
\f$w_1\times v_2\f$ must vanish: the slide is along the axis. If both have one, the axes must be parallel, \f$w_2 = \pm w_1\f$ when both have length one. With \f$v_k = -w_k\times r_k + h_kw_k\f$ the pitches
drop out, and the second half becomes \f$\mp w_1\times(w_1\times(r_2 - r_1))\f$, which is zero only if \f$r_2 - r_1\f$ is along the axes. So both screws have one common axis, with any pitches: the two
motions of a cylindrical joint.""",
)  # fmt: skip

EXERCISES = [
    HANDLE_IN_THE_ROOM, TWO_TURNS, TWIST_AT_ANOTHER_POINT, WRENCH_AT_ANOTHER_POINT, RATE_OF_A_WRENCH, EXPONENTIAL_OF_A_SCREW,
    LOGARITHM_OF_TWO_TURNS, RATE_OF_A_ROTATION_VECTOR, KLEIN_FORM, SCREWS_THAT_COMMUTE,
]  # fmt: skip
