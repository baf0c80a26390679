"""Exercises of chapter 05: what a hand feels, how a joint gives way, and which way the robot moves."""
import math

import numpy as np

from ..early_tools import BARS, bars, bias, coriolis_force, gravity_force, mass_matrix, rates
from ..exercise import Exercise
from ..mistakes import Mistake, degrees_as_radians, negated, with_changed, without

# --- a rod on a loose hinge -----------------------------------------------------------------------------------------


def moments_of_rod(n, rod=1 / 3):
    """Mass, first and second moment about the hinge; the rod has m l^2/3."""
    return (n["rod"] + n["load"], n["rod"] * n["length"] / 2 + n["load"] * n["at"],
            rod * n["rod"] * n["length"] ** 2 + n["load"] * n["at"] ** 2)  # fmt: skip


def felt(n, rod=1 / 3):
    mass, first, second = moments_of_rod(n, rod)
    return {"across": mass - first**2 / second, "along": mass}


def felt_across(function):
    return lambda n: {"across": function(*moments_of_rod(n))}


FELT = Exercise(
    name="felt_through_a_hinge", chapter="aba", stars=1, kind="number", title="How heavy does it feel?",
    text=r"""Hold a uniform rod of <rod> kg and <length> m by a loose hinge at its end, and shake the hinge. A load of <load> kg, small enough
to count as a point, sits on the rod <at> m from the hinge. There is no gravity, and nothing turns yet. How heavy does it feel across
the rod, at right angles to it and to the axis of the hinge? And how heavy along the rod?""",
    asks={"across": "mass that is felt across the rod (kg)", "along": "mass that is felt along the rod (kg)"},
    hints=["The hinge transmits no moment: which angular acceleration does that cause?",
           "Use Pi with U = I S: subtract the square of the first moment about the hinge, divided by the pivot."],
    draw=lambda source: {"rod": source.number(0.6, 1.9, 1), "length": source.number(0.71, 1.19), "load": source.number(0.31, 0.88),
                         "at": source.number(0.22, 0.64)},
    solve=felt,
    mistakes=[
        Mistake("locked", "Across the rod the hinge gives way: not all of the mass comes along.", felt_across(lambda m, first, second: m)),
        Mistake("directions_exchanged", "The two directions are exchanged.", lambda n: {"across": felt(n)["along"], "along": felt(n)["across"]}),
        Mistake("load_forgotten", "The load is missing.", without(felt, "load")),
        Mistake("rod_about_its_middle", "The rod has m l^2/3 about its end; m l^2/12 is about its middle.", lambda n: felt(n, rod=1 / 12)),
        Mistake("rod_at_its_middle", "The rod was taken for a point mass at its middle.", lambda n: felt(n, rod=1 / 4)),
        Mistake("load_at_the_end", "The load was taken to sit at the end of the rod.", lambda n: felt({**n, "at": n["length"]})),
        Mistake("inertia_about_the_centre", "The pivot is the inertia about the hinge, not about the centre of mass.",
                felt_across(lambda m, first, second: m - first**2 / (second - first**2 / m))),
        Mistake("not_squared", "The first moment enters squared: U stands on both sides.", felt_across(lambda m, first, second: m - first / second)),
        Mistake("added", "What gives way makes the rod lighter: the term is subtracted.", felt_across(lambda m, first, second: m + first**2 / second)),
        Mistake("only_what_gives_way", "This is the part that is taken away by the hinge.", felt_across(lambda m, first, second: first**2 / second)),
    ],
)  # fmt: skip


# --- a ramp on ice --------------------------------------------------------------------------------------------------


def along(n):
    slope = math.radians(n["slope"])
    return np.array([math.cos(slope), math.sin(slope)])


def ramp(n, reduced=1.0, push=1.0):
    """The small block is felt across the ramp; along it only its motor is."""
    s = along(n)
    return {"I": (n["large"] + n["small"]) * np.eye(2) - reduced * n["small"] * np.outer(s, s), "B": push * n["push"] * s}


def ramp_without_division(n):
    return {"I": (n["large"] + n["small"]) * np.eye(2) - n["small"] ** 2 * np.outer(along(n), along(n))}


def felt_along_the_ramp(n):
    return {"I": n["large"] * np.eye(2) + n["small"] * np.outer(along(n), along(n))}


RAMP = Exercise(
    name="block_with_a_ramp", chapter="aba", stars=2, kind="number", title="A block that has different masses",
    text=r"""A block of <large> kg floats far from any gravity. On it is a straight slide without friction, <slope> degrees from the x axis, counted
towards y, and on the slide a small block of <small> kg. A motor pushes the small block along the slide, forwards, with <push> N.
The large block is pushed in the plane of x and y, without turning: the hand exerts \f$f = \hat Ia + \hat B\f$ where \f$a\f$ is the
acceleration of the large block. Find \f$\hat I\f$ and \f$\hat B\f$.""",
    asks={"I": "articulated inertia of the large block, a 2x2 matrix (kg)", "B": "articulated bias of the large block (N)"},
    hints=["Along the slide the small block gets the force of the motor, whatever the hand does.",
           "Pi = I - I S (S^T I S)^-1 S^T I for the small block, with S along the slide. And S^T beta is the force of the motor."],
    draw=lambda source: {"large": source.number(2.1, 5.9, 1), "small": source.number(1.2, 3.8, 1), "slope": source.signed(16, 74, 0),
                         "push": source.signed(2.1, 8.9, 1)},
    solve=ramp,
    mistakes=[
        degrees_as_radians(ramp, "slope"),
        Mistake("locked", "The slide gives way: here the small block is taken to be fixed to the large one.", lambda n: {"I": ramp(n, reduced=0.0)["I"]}),
        Mistake("small_block_left_out", "Across the slide the small block must come along.", lambda n: {"I": n["large"] * np.eye(2)}),
        Mistake("felt_along_the_slide", "The small block is felt across the slide, not along it.", felt_along_the_ramp),
        Mistake("not_divided_by_the_pivot", "The product U U^T has to be divided by the pivot.", ramp_without_division),
        Mistake("bias_with_the_wrong_sign", "The motor pushes the large block back, so the hand that holds it pushes forwards.",
                lambda n: {"B": ramp(n, push=-1.0)["B"]}),
        Mistake("motor_not_felt", "The parent feels the motor of its child, even if it does not accelerate.", lambda n: {"B": ramp(n, push=0.0)["B"]}),
        Mistake("slope_to_the_other_axis", "The slope is counted from the x axis.", with_changed(ramp, slope=lambda x: 90 - x)),
        Mistake("slope_downwards", "The slide points the other way: from x towards y means a positive angle.", negated(ramp, "slope")),
    ],
)  # fmt: skip


# --- one joint gives way --------------------------------------------------------------------------------------------


def beta(n, eta=1.0, motor=1.0, quadratic=1.0, locked=False, divided=True, excess=1.0, bias_in_excess=1.0):
    """Of a uniform bar on its hinge, as (m; fx, fy); coefficients are 1 if it is right."""
    m, l = n["mass"], n["length"]
    I = np.array([[m * l**2 / 3, 0.0, m * l / 2], [0.0, m, 0.0], [m * l / 2, 0.0, m]])
    w, (vx, vy) = n["w"], n["v"]
    velocity_terms = np.array([0.0, vy * n["rate"], -vx * n["rate"]])
    L = I @ [w, vx, vy]
    B = quadratic * np.array([vx * L[2] - vy * L[1], -w * L[2], w * L[1]])
    held = eta * I @ velocity_terms
    lacking = motor * n["tau"] - held[0] - bias_in_excess * B[0]
    yields = 0.0 if locked else excess * lacking / (I[0, 0] if divided else 1.0)
    return {"eta": velocity_terms[1:], "beta": (B + held + I[:, 0] * yields)[1:]}


def of_beta(**changes):
    return lambda n: {"beta": beta(n, **changes)["beta"]}


GIVES_WAY = Exercise(
    name="a_joint_gives_way", chapter="aba", stars=3, kind="number", title="What the parent feels",
    text=r"""A uniform bar of <mass> kg and <length> m hangs on its parent by a hinge at its end, and nothing hangs on the bar. Its frame is at the
hinge, with x along the bar and z along the axis. All motion is in the plane. Its twist is \f$w_z\f$ = <w> rad/s,
\f$(v_x, v_y)\f$ = <v> m/s; the hinge turns at <rate> rad/s, and its motor exerts <tau> N m. No wrench acts from outside.
Find the linear half of \f$\eta\f$, and the force \f$(f_x, f_y)\f$ of the bias \f$\beta\f$ that the parent feels when it does not
accelerate. Both are along the axes of the bar.""",
    asks={"eta": "linear half of eta, x and y (m/s^2)", "beta": "force of beta, x and y (N)"},
    hints=["eta is the bracket of V and S q'. The bias of a tip is -ad*_V I V.",
           "First hold the joint: it has to transmit I eta + B. By how much does the motor exceed the moment of that? Divide by the pivot."],
    draw=lambda source: {"mass": source.number(1.1, 3.9, 1), "length": source.number(0.41, 0.89), "w": source.signed(1.1, 3.8, 1),
                         "v": source.vector(0.4, 1.9, 1, length=2), "rate": source.signed(0.8, 2.9, 1), "tau": source.signed(1.2, 5.9, 1)},
    solve=beta,
    mistakes=[
        Mistake("eta_reversed", "The bracket has the wrong order: eta is [V, S q'].", lambda n: {"eta": -beta(n)["eta"], "beta": beta(n, eta=-1.0)["beta"]}),
        Mistake("all_of_w_in_eta", "The bracket has the rate of the joint, not all of w.", lambda n: beta_with_w_in_eta(n)),
        Mistake("eta_forgotten", "The velocity terms eta are missing from beta.", of_beta(eta=0.0)),
        Mistake("motor_forgotten", "The parent feels the child's motor: it is missing from beta.", of_beta(motor=0.0)),
        Mistake("bias_forgotten", "The term -ad*_V I V of the bar is missing.", of_beta(quadratic=0.0)),
        Mistake("bias_with_the_wrong_sign", "The term with ad*_V I V has the wrong sign.", of_beta(quadratic=-1.0)),
        Mistake("locked", "This is what a locked joint would transmit: it has to give way.", of_beta(locked=True)),
        Mistake("not_divided_by_the_pivot", "The division by the pivot is missing.", of_beta(divided=False)),
        Mistake("excess_with_the_wrong_sign", "The motor's excess has the wrong sign: it is the motor's moment minus what the held joint would transmit.",
                of_beta(excess=-1.0)),
    ],
)  # fmt: skip


def beta_with_w_in_eta(n):
    return beta({**n, "rate": n["w"]})


# --- the motion -----------------------------------------------------------------------------------------------------


def motion(n, force=None):
    force = force or (lambda n: bias(n))
    return {"qdd": np.linalg.solve(mass_matrix(n), np.array([n["t1"], n["t2"]]) - force(n))}


def each_by_itself(n):
    return {"qdd": (np.array([n["t1"], n["t2"]]) - bias(n)) / np.diag(mass_matrix(n))}


def forearm_alone(n):
    """The motion of the second bar as if the first did not move."""
    qdd = motion(n)["qdd"]
    return {"qdd": [qdd[0], each_by_itself(n)["qdd"][1]]}


def multiplied(n):
    return {"qdd": mass_matrix(n) @ (np.array([n["t1"], n["t2"]]) - bias(n))}


MOTION = Exercise(
    name="which_way_it_moves", chapter="aba", stars=2, kind="number", title="Which way does it move?",
    text=BARS + r"""Shoulder and elbow turn at <r1> and <r2> rad/s, and their motors exert <t1> and <t2> N m. Find the accelerations of
both joints.""",
    asks={"qdd": "accelerations of shoulder and elbow (rad/s^2)"},
    hints=["Either three sweeps, as in the chapter by hand, or the mass matrix and the bias of two bars.",
           "The elbow gives way first: eliminate its acceleration, and put it back at the end."],
    draw=lambda source: {**bars(source), **rates(source), "t1": source.signed(4, 19, 1), "t2": source.signed(1.1, 5.9, 1)},
    solve=motion,
    mistakes=[
        degrees_as_radians(motion, "q1", "q2"),
        Mistake("rates_forgotten", "The velocity terms are missing.", lambda n: motion(n, gravity_force)),
        Mistake("gravity_forgotten", "Gravity is missing.", lambda n: motion(n, coriolis_force)),
        Mistake("gravity_with_the_wrong_sign", "Gravity has the wrong sign.", lambda n: motion(n, lambda n: coriolis_force(n) - gravity_force(n))),
        Mistake("velocity_terms_with_the_wrong_sign", "The velocity terms have the wrong sign.", lambda n: motion(n, lambda n: gravity_force(n) - coriolis_force(n))),
        Mistake("bias_added", "The bias is subtracted from the torques before the division.", lambda n: motion(n, lambda n: -bias(n))),
        Mistake("others_locked", "Each joint was moved as if the other did not give way: only the diagonal of the mass matrix was used.", each_by_itself),
        Mistake("shoulder_not_carried_to_the_elbow", "The elbow's acceleration is that on a first bar at rest: the third sweep has to carry the shoulder's outward.",
                forearm_alone),
        Mistake("motors_forgotten", "The motors are missing: this is how the bars fall.", without(motion, "t1", "t2")),
        Mistake("multiplied_by_the_mass_matrix", "The forces were multiplied by the mass matrix instead of by its inverse.", multiplied),
    ],
)  # fmt: skip


# --- pivots ---------------------------------------------------------------------------------------------------------


def symmetric(n):
    return np.array([[n["M11"], n["M12"], n["M13"]], [n["M12"], n["M22"], n["M23"]], [n["M13"], n["M23"], n["M33"]]])


def eliminated(M, order):
    """The pivots of a Gaussian elimination in this order, listed by joints."""
    M, pivots = M.copy(), np.zeros(len(M))
    for k in order:
        pivots[k] = M[k, k]
        M -= np.outer(M[:, k], M[k]) / M[k, k]
    return pivots


def pivots(n):
    M = symmetric(n)
    return {"pivots": eliminated(M, (2, 1, 0)), "mobility": np.linalg.inv(M)[2, 2]}


def of_pivots(function):
    return lambda n: {"pivots": function(symmetric(n))}


def first_pair_only(M):
    """The last joint is eliminated, the middle one is not."""
    return np.array([M[0, 0] - M[0, 2] ** 2 / M[2, 2], M[1, 1] - M[1, 2] ** 2 / M[2, 2], M[2, 2]])


def behind_only(M):
    """The middle pivot is right; of the first, each entry was reduced by the old ones."""
    return np.array([M[0, 0] - M[0, 1] ** 2 / M[1, 1] - M[0, 2] ** 2 / M[2, 2], M[1, 1] - M[1, 2] ** 2 / M[2, 2], M[2, 2]])


PIVOTS = Exercise(
    name="pivots_of_three_joints", chapter="aba", stars=1, kind="number", title="A finger on each joint",
    text=r"""The mass matrix of three hinges in a row has the diagonal entries <M11>, <M22> and <M33> kg m\f$^2\f$, with joint 1 at the base and
joint 3 at the tip. Its other entries are \f$M_{12}\f$ = <M12>, \f$M_{13}\f$ = <M13> and \f$M_{23}\f$ = <M23> kg m\f$^2\f$. What inertia
does a finger that turns one of the joints feel, with those behind it free and those before it held? What acceleration does each newton metre
at joint 3 give to joint 3 if all joints are free?""",
    asks={"pivots": "pivots of joints 1, 2 and 3 (kg m^2)", "mobility": "acceleration of joint 3 per torque at joint 3 (1/(kg m^2))"},
    hints=["Eliminate the last joint first, then the one before.", "The mobility is an entry of the inverse of the whole matrix."],
    draw=lambda source: {"M11": source.number(2.4, 3.9), "M22": source.number(1.15, 1.85), "M33": source.number(0.43, 0.58),
                         "M12": source.number(0.51, 0.89), "M13": source.number(0.16, 0.29), "M23": source.number(0.21, 0.34)},
    solve=pivots,
    mistakes=[
        Mistake("eliminated_from_the_base", "The elimination began at the base: a finger then feels the joints before as free, and those behind as locked.",
                of_pivots(lambda M: eliminated(M, (0, 1, 2)))),
        Mistake("joints_behind_locked", "These are the diagonal entries: inertias with all other joints locked.", of_pivots(np.diag)),
        Mistake("all_others_free", "These are the inverses of the diagonal of the inverse: all other joints are free, even those before.",
                of_pivots(lambda M: 1 / np.diag(np.linalg.inv(M)))),
        Mistake("only_the_last_eliminated", "Joint 2 was not eliminated before the pivot of joint 1 was taken.", of_pivots(first_pair_only)),
        Mistake("middle_eliminated_with_old_entries", "Joint 2 was eliminated with entries from before joint 3 was.", of_pivots(behind_only)),
        Mistake("square_roots", "These are the square roots of the pivots, as they stand in a factor of Cholesky.", of_pivots(lambda M: np.sqrt(eliminated(M, (2, 1, 0))))),
        Mistake("term_added", "What gives way makes a joint lighter: its term is subtracted.", of_pivots(lambda M: 2 * np.diag(M) - eliminated(M, (2, 1, 0)))),
        Mistake("inverse_of_the_last_pivot", "This is one over the last pivot, with the joints before held: they give way, too.",
                lambda n: {"mobility": 1 / n["M33"]}),
    ],
)  # fmt: skip


# --- derivations ----------------------------------------------------------------------------------------------------

LEAST_RESISTANCE = Exercise(
    name="least_resistance", chapter="aba", stars=2, kind="derive", title="Free joints choose the least resistance",
    text=r"""Let \f$\mathcal I\f$ be symmetric and positive semidefinite, \f$S\f$ a column with \f$S^{\T}\mathcal IS > 0\f$, and
\f$\Pi = \mathcal I - \mathcal IS(S^{\T}\mathcal IS)^{-1}S^{\T}\mathcal I\f$. Show that for every \f$X\f$
\f[ X^{\T}\Pi X = \min_s\,(X + Ss)^{\T}\mathcal I(X + Ss) , \f]
and at which \f$s\f$ the minimum is attained. Conclude that \f$\Pi\f$ is symmetric and positive semidefinite, that it is never larger than
\f$\mathcal I\f$, and that every pivot of a robot is at most the corresponding diagonal entry of its mass matrix. When are both equal?""",
    hints=["The right side is a quadratic function of one number.", "Do not multiply out more than needed: complete the square.",
           "Both the pivot and the diagonal entry start from the inertias of the bodies behind. What is subtracted on the way in?"],
    solution=r"""With \f$d = S^{\T}\mathcal IS > 0\f$ and \f$u = S^{\T}\mathcal IX\f$, by the symmetry of \f$\mathcal I\f$,
\f[ (X + Ss)^{\T}\mathcal I(X + Ss) = X^{\T}\mathcal IX + 2su + s^2d = X^{\T}\mathcal IX - \frac{u^2}{d} + d\left(s + \frac ud\right)^2 . \f]
The last term vanishes for \f$s = -u/d\f$ and is positive otherwise, and \f$u^2/d = X^{\T}\mathcal IS\,d^{-1}S^{\T}\mathcal IX\f$, so what remains is
\f$X^{\T}\Pi X\f$. This \f$s\f$ is the acceleration of the joint without a motor and without velocity terms, \eq{kim,45}: the joint accelerates so
that the resistance is least.
\f$\Pi\f$ is symmetric by its form. As the minimum of numbers that are not negative, \f$X^{\T}\Pi X\ge 0\f$. With \f$s = 0\f$ the same minimum is at
most \f$X^{\T}\mathcal IX\f$.
A robot's \f$\hat{\mathcal I}_i\f$ is \f$\mathcal I_i\f$ plus the \f$\Pi_k\f$ of its children, carried inward. With all joints behind locked, \f$\hat{\mathcal I}_k\f$ itself would be
carried instead of \f$\Pi_k\f$, and the sum would be the inertia of the composite body, \f$\mathcal I_i^c\f$. Inward from the tips, by induction,
\f$X^{\T}\hat{\mathcal I}_iX \le X^{\T}\mathcal I_i^cX\f$: at a tip both are \f$\mathcal I_i\f$, and \f$X^{\T}\Pi_kX \le X^{\T}\hat{\mathcal I}_kX \le X^{\T}\mathcal I_k^cX\f$ for each child.
A change of frame on both sides replaces \f$X\f$ by \f$\Ad X\f$, and changes nothing in this. With \f$X = S_i\f$ the left side is the pivot and the right side
\f$M_{ii}\f$, the inertia that joint \f$i\f$ moves alone.
Both are equal exactly if no joint behind would accelerate. For the nearest free joint behind, the minimum is then taken at \f$s = 0\f$, so that
\f$u = 0\f$, and so on outward. In the mass matrix this means that \f$M_{ik} = 0\f$ for all joints \f$k\f$ behind \f$i\f$. The last joint has none behind.""",
)  # fmt: skip

LOOSE_HINGE = Exercise(
    name="behind_a_loose_hinge", chapter="aba", stars=1, kind="derive", title="Any body behind a loose hinge",
    text=r"""A body of mass \f$m\f$ moves in a plane. Its centre of mass is at the distance \f$c\f$ from the hinge by which it hangs, and its moment of inertia about the centre is
\f$mk^2\f$ with \f$k > 0\f$. Write its planar inertia at the hinge, with x towards the centre of mass, as a 3x3 matrix for twists \f$(w_z;\ v_x, v_y)\f$, and find
\f$\Pi\f$. How heavy does the body feel along x and along y? Which body feels like nothing along y, and which like all of its mass?""",
    hints=["The velocity of the centre of mass is (vx, vy + c w).", "The hinge gives way along S = (1; 0, 0)."],
    solution=r"""The kinetic energy is \f$\tfrac12mk^2w_z^2 + \tfrac12m\left(v_x^2 + (v_y + cw_z)^2\right)\f$, so that
\f[ \mathcal I = m\begin{bmatrix} k^2 + c^2 & 0 & c \\ 0 & 1 & 0 \\ c & 0 & 1 \end{bmatrix} , \qquad U = \mathcal IS = m\begin{bmatrix} k^2 + c^2 \\ 0 \\ c \end{bmatrix} , \qquad
\Pi = \mathcal I - \frac{UU^{\T}}{m(k^2 + c^2)} = m\begin{bmatrix} 0 & 0 & 0 \\ 0 & 1 & 0 \\ 0 & 0 & \frac{k^2}{k^2 + c^2} \end{bmatrix} . \f]
Moments are not felt at all. Along x the body feels like \f$m\f$, since a push through the centre of mass does not turn it; along y it feels like \f$mk^2/(k^2 + c^2)\f$.
That is next to nothing if \f$k\f$ is small compared with \f$c\f$, as for a small ball on a long string. It is all of \f$m\f$ for \f$c = 0\f$, a wheel on its axle. A uniform bar
has \f$c = \ell/2\f$ and \f$k^2 = \ell^2/12\f$, and feels like a quarter of its mass.""",
)  # fmt: skip

EXERCISES = [FELT, RAMP, GIVES_WAY, MOTION, PIVOTS, LEAST_RESISTANCE, LOOSE_HINGE]
