"""Exercises of chapter 06: some accelerations are prescribed, some forces are given, and the others are asked."""
import math

import numpy as np

from ..early_tools import BARS, G, bars, bias, coriolis_force, gravity_force, mass_matrix, rates
from ..exercise import Exercise
from ..mistakes import Mistake, degrees_as_radians, negated, with_changed

# --- a driven block on a wagon --------------------------------------------------------------------------------------


def wagon(n, recoil=1.0, weight=1.0, coupling=1.0):
    """The block is driven up the ramp; the wagon is pushed."""
    slope = math.radians(n["slope"])
    mixed = n["block"] * math.cos(slope)
    a = (n["push"] - recoil * mixed * n["acceleration"]) / (n["wagon"] + n["block"])
    tau = n["block"] * n["acceleration"] + weight * n["block"] * G * math.sin(slope) + coupling * mixed * a
    return {"a": a, "tau": tau}


def wagon_if_absolute(n):
    """The acceleration along the ramp taken for that in the room."""
    slope = math.radians(n["slope"])
    mixed = n["block"] * math.cos(slope)
    a = (n["push"] - mixed * n["acceleration"]) / (n["wagon"] + n["block"] - mixed * math.cos(slope))
    return {"a": a, "tau": n["block"] * (n["acceleration"] + G * math.sin(slope))}


def wagon_without_block(n):
    mixed = n["block"] * math.cos(math.radians(n["slope"]))
    return {"a": (n["push"] - mixed * n["acceleration"]) / n["wagon"]}


def wagon_with_idle_motor(n):
    slope = math.radians(n["slope"])
    mixed = n["block"] * math.cos(slope)
    right = n["push"] + mixed * G * math.sin(slope)
    return {"a": right / (n["wagon"] + n["block"] - mixed * math.cos(slope)), "tau": 0.0}


WAGON = Exercise(
    name="driven_up_a_ramp", chapter="hybrid", stars=1, kind="number", title="A plan for one, a push for the other",
    text=r"""A wagon of <wagon> kg rolls on level ground along x without friction. It carries a ramp that rises by <slope> degrees towards
\f$+x\f$. A motor drives a block of <block> kg up the ramp at <acceleration> m/s\f$^2\f$ relative to the ramp, whatever the wagon does.
The wagon is pushed along x with <push> N. Gravity is 9.81 m/s\f$^2\f$. Find the acceleration of the wagon, and the force that the motor
exerts along the ramp.""",
    asks={"a": "acceleration of the wagon along x (m/s^2)", "tau": "force of the motor along the ramp (N)"},
    hints=["Coordinates: the place of the wagon, and the travel of the block along the ramp. What is the mass matrix?",
           "The row of the wagon has one unknown. Insert it in the row of the block, whose weight has a part along the ramp."],
    draw=lambda source: {"wagon": source.number(6.2, 14.8, 1), "block": source.number(2.1, 5.8, 1), "slope": source.number(14, 38, 0),
                         "acceleration": source.number(1.1, 3.9, 1), "push": source.signed(11, 39, 0)},
    solve=wagon,
    mistakes=[
        degrees_as_radians(wagon, "slope"),
        Mistake("recoil_forgotten", "The wagon recoils from the block that is driven: the term with the prescribed acceleration is missing.",
                lambda n: wagon(n, recoil=0.0)),
        Mistake("recoil_with_the_wrong_sign", "The wagon recoils in the opposite direction.", lambda n: wagon(n, recoil=-1.0)),
        Mistake("weight_forgotten", "The motor has to carry the part of the weight along the ramp, too.", lambda n: {"tau": wagon(n, weight=0.0)["tau"]}),
        Mistake("wagon_taken_to_rest", "The block also shares the acceleration of the wagon: this part of the motor's force is missing.",
                lambda n: {"tau": wagon(n, coupling=0.0)["tau"]}),
        Mistake("relative_taken_for_absolute", "The plan is relative to the ramp, and was taken for the acceleration in the room.", wagon_if_absolute),
        Mistake("block_not_moved_along", "A driven block does not give way: the push moves both masses.", wagon_without_block),
        Mistake("motor_idle", "This is the motion with an idle motor: a prescribed acceleration is not a force of zero.", wagon_with_idle_motor),
        Mistake("sine_and_cosine_exchanged", "Sine and cosine of the slope are exchanged.", with_changed(wagon, slope=lambda x: 90 - x)),
        Mistake("ramp_downwards", "The ramp rises towards +x, here it falls.", negated(wagon, "slope")),
    ],
)  # fmt: skip


# --- two sets -------------------------------------------------------------------------------------------------------


def matrix(n):
    return np.array([[n["M11"], n["M12"], n["M13"]], [n["M12"], n["M22"], n["M23"]], [n["M13"], n["M23"], n["M33"]]])


def completed(n, qdd_v):
    """With these accelerations in v, the force in u."""
    return {"qdd": qdd_v, "tau": matrix(n)[0] @ [n["a"], *qdd_v] + n["b"][0]}


def two_sets(n, coupling=1.0, bias=1.0):
    M, b = matrix(n), np.array(n["b"])
    return completed(n, np.linalg.solve(M[1:, 1:], n["tau_v"] - bias * b[1:] - coupling * M[1:, 0] * n["a"]))


def block_of_the_inverse(n):
    M = matrix(n)
    return completed(n, np.linalg.inv(M)[1:, 1:] @ (np.array(n["tau_v"]) - n["b"][1:] - M[1:, 0] * n["a"]))


def diagonal_only(n):
    M = matrix(n)
    return completed(n, (np.array(n["tau_v"]) - n["b"][1:] - M[1:, 0] * n["a"]) / np.diag(M)[1:])


def loose_in_u(n):
    """The first joint without a motor."""
    return {"qdd": np.linalg.solve(matrix(n), np.r_[0.0, n["tau_v"]] - n["b"])[1:], "tau": 0.0}


TWO_SETS = Exercise(
    name="three_joints_in_two_sets", chapter="hybrid", stars=2, kind="number", title="Half known, half unknown",
    text=r"""In some state the mass matrix of three hinges has the diagonal entries <M11>, <M22> and <M33> kg m\f$^2\f$, and the others
\f$M_{12}\f$ = <M12>, \f$M_{13}\f$ = <M13> and \f$M_{23}\f$ = <M23> kg m\f$^2\f$. The bias is \f$b\f$ = <b> N m. Joint 1 is driven
at <a> rad/s\f$^2\f$; the motors of joints 2 and 3 exert <tau_v> N m. How do joints 2 and 3 accelerate, and which torque drives
joint 1?""",
    asks={"qdd": "accelerations of joints 2 and 3 (rad/s^2)", "tau": "torque of joint 1 (N m)"},
    hints=["The rows of joints 2 and 3 have two unknowns.", "Invert the block of M, which is not the block of the inverse."],
    draw=lambda source: {"M11": source.number(2.4, 3.9), "M22": source.number(1.15, 1.85), "M33": source.number(0.43, 0.68),
                         "M12": source.number(0.51, 0.89), "M13": source.number(0.18, 0.29), "M23": source.number(0.22, 0.34),
                         "b": source.vector(0.6, 4.8, 1), "a": source.signed(1.2, 3.8, 1), "tau_v": source.vector(0.7, 4.9, 1, length=2)},
    solve=two_sets,
    mistakes=[
        Mistake("prescribed_acceleration_forgotten", "The driven joint shakes the others: the term with M_vu is missing.", lambda n: two_sets(n, coupling=0.0)),
        Mistake("prescribed_acceleration_with_the_wrong_sign", "The term with M_vu has the wrong sign.", lambda n: two_sets(n, coupling=-1.0)),
        Mistake("block_of_the_inverse", "This is the block of the inverse of M, with which joint 1 would give way: invert the block.", block_of_the_inverse),
        Mistake("bias_forgotten", "The bias is missing from the rows of joints 2 and 3.", lambda n: two_sets(n, bias=0.0)),
        Mistake("bias_with_the_wrong_sign", "The bias is subtracted from the given torques.", lambda n: two_sets(n, bias=-1.0)),
        Mistake("others_locked", "Joints 2 and 3 move together: their block was taken to be diagonal.", diagonal_only),
        Mistake("motor_idle", "Joint 1 was taken to have no motor: a prescribed acceleration is not a force of zero.", loose_in_u),
        Mistake("motion_of_the_others_forgotten", "The motion of joints 2 and 3 pulls at joint 1, too.", lambda n: {"tau": n["M11"] * n["a"] + n["b"][0]}),
        Mistake("bias_forgotten_in_the_torque", "The torque of joint 1 lacks its bias.", lambda n: {"tau": two_sets(n)["tau"] - n["b"][0]}),
    ],
)  # fmt: skip


# --- a driven shoulder ----------------------------------------------------------------------------------------------


def driven_shoulder(n, force=bias, coupling=1.0, back=1.0):
    M, b = mass_matrix(n), force(n)
    elbow = -(b[1] + coupling * M[0, 1] * n["a1"]) / M[1, 1]
    return {"elbow": elbow, "torque": M[0, 0] * n["a1"] + back * M[0, 1] * elbow + b[0]}


def elbow_held(n):
    return {"elbow": 0.0, "torque": mass_matrix(n)[0, 0] * n["a1"] + bias(n)[0]}


def shoulder_loose(n):
    return {"elbow": -np.linalg.solve(mass_matrix(n), bias(n))[1], "torque": 0.0}


DRIVEN_SHOULDER = Exercise(
    name="driven_shoulder_loose_elbow", chapter="hybrid", stars=2, kind="number", title="The shoulder is driven, the elbow is loose",
    text=BARS + r"""The joints turn at <r1> and <r2> rad/s. A motor drives the shoulder at <a1> rad/s\f$^2\f$; the elbow has no motor and no
friction. How does the elbow accelerate, and which torque does the motor exert?""",
    asks={"elbow": "acceleration of the elbow (rad/s^2)", "torque": "torque of the shoulder (N m)"},
    hints=["The equation of the elbow has one unknown.", "What the elbow does comes back to the shoulder, by the off-diagonal entry of the mass matrix."],
    draw=lambda source: {**bars(source), **rates(source), "a1": source.signed(1.6, 6.9, 1)},
    solve=driven_shoulder,
    mistakes=[
        degrees_as_radians(driven_shoulder, "q1", "q2"),
        Mistake("elbow_held", "The elbow was taken to be held. It is loose: its torque is zero, not its acceleration.", elbow_held),
        Mistake("shoulder_loose", "The shoulder was taken to be loose: a prescribed acceleration is not a force of zero.", shoulder_loose),
        Mistake("prescribed_acceleration_forgotten", "The acceleration of the shoulder is missing from the equation of the elbow.",
                lambda n: driven_shoulder(n, coupling=0.0)),
        Mistake("elbow_not_felt_by_the_shoulder", "The motor also feels the acceleration of the elbow.", lambda n: {"torque": driven_shoulder(n, back=0.0)["torque"]}),
        Mistake("rates_forgotten", "The velocity terms are missing.", lambda n: driven_shoulder(n, gravity_force)),
        Mistake("gravity_forgotten", "Gravity is missing.", lambda n: driven_shoulder(n, coriolis_force)),
        Mistake("gravity_with_the_wrong_sign", "Gravity has the wrong sign.", lambda n: driven_shoulder(n, lambda n: coriolis_force(n) - gravity_force(n))),
        Mistake("velocity_terms_with_the_wrong_sign", "The velocity terms have the wrong sign.",
                lambda n: driven_shoulder(n, lambda n: gravity_force(n) - coriolis_force(n))),
    ],
)  # fmt: skip


# --- what a motor moves ---------------------------------------------------------------------------------------------


def moved(n):
    M = mass_matrix(n)
    return {"held": M[0, 0], "loose": M[0, 0] - M[0, 1] ** 2 / M[1, 1], "recoil": -M[0, 1] / M[1, 1]}


def of_matrix(function):
    return lambda n: function(mass_matrix(n))


def without_mixed_term(n):
    """The coupling by the angle of the elbow dropped."""
    return moved({**n, "q2": 90.0})


MOVED = Exercise(
    name="what_the_shoulder_moves", chapter="hybrid", stars=2, kind="number", title="What does the motor of the shoulder move?",
    text=BARS + r"""Now the acceleration of the shoulder grows by 1 rad/s\f$^2\f$. By how much does its torque grow if the elbow is
held in place, so that its acceleration stays? By how much if the elbow is loose, so that its torque stays? And by how much does the
acceleration of the loose elbow change?""",
    asks={"held": "torque per acceleration of the shoulder, elbow held (kg m^2)", "loose": "torque per acceleration of the shoulder, elbow loose (kg m^2)",
          "recoil": "acceleration of the loose elbow per acceleration of the shoulder (1)"},
    hints=["Neither rates nor gravity matter: M times the change of the accelerations is the change of the torques.", "The loose elbow adds a Schur complement."],
    draw=bars,
    solve=moved,
    mistakes=[
        degrees_as_radians(moved, "q2"),
        Mistake("held_and_loose_exchanged", "Held and loose are exchanged: what does not give way feels heavier.",
                lambda n: {"held": moved(n)["loose"], "loose": moved(n)["held"]}),
        Mistake("not_squared", "The off-diagonal entry counts twice, once for each direction.", of_matrix(lambda M: {"loose": M[0, 0] - M[0, 1] / M[1, 1]})),
        Mistake("added", "A loose elbow makes the arm lighter: its term is subtracted.", of_matrix(lambda M: {"loose": M[0, 0] + M[0, 1] ** 2 / M[1, 1]})),
        Mistake("second_bar_left_out", "The loose second bar is felt in part: here it was left out.",
                lambda n: {"loose": n["m1"] * n["l1"] ** 2 / 3}),
        Mistake("whole_mass_at_the_elbow", "The second bar was taken for a point mass at the elbow: the bar gives way.",
                lambda n: {"loose": n["m1"] * n["l1"] ** 2 / 3 + n["m2"] * n["l1"] ** 2}),
        Mistake("recoil_with_the_wrong_sign", "The elbow recoils: its acceleration has the opposite sign.", lambda n: {"recoil": -moved(n)["recoil"]}),
        Mistake("divided_by_the_wrong_entry", "The acceleration of the elbow follows from its own row of the mass matrix.", of_matrix(lambda M: {"recoil": -M[0, 1] / M[0, 0]})),
        Mistake("elbow_keeps_its_direction", "This is what it takes for the second bar not to turn in the room: it does turn.", lambda n: {"recoil": -1.0}),
        Mistake("angle_between_the_bars_ignored", "The coupling depends on the angle of the elbow.", without_mixed_term),
        Mistake("angle_inside_the_elbow", "The elbow's angle is zero for a straight arm; here it was taken for the angle between the bars.",
                with_changed(moved, q2=lambda q: 180 - q)),
    ],
)  # fmt: skip


# --- the lift of a drone --------------------------------------------------------------------------------------------


def hover(n, inertia=1 / 3):
    """The arm begins to fall about its hinge; a drone at rest carries the rest of it."""
    q = math.radians(n["q"])
    falls = 0.25 / inertia  # what its centre of mass gains, across the arm, as a part of g cos q
    fx, fy = n["arm"] * G * falls * math.cos(q) * math.sin(q), n["arm"] * G * (1 - falls * math.cos(q) ** 2)
    return {"lift": n["drone"] * G + fy, "sideways": fx, "moment": n["at"] * fy}


def hover_locked(n):
    weight = n["arm"] * G
    lever = n["at"] + n["length"] / 2 * math.cos(math.radians(n["q"]))
    return {"lift": n["drone"] * G + weight, "sideways": 0.0, "moment": lever * weight}


def hover_arm_forgotten(n):
    return {"lift": n["drone"] * G, "sideways": 0.0, "moment": 0.0}


HOVER = Exercise(
    name="lift_of_a_falling_arm", chapter="hybrid", stars=3, kind="number", title="Hovering while the arm falls",
    text=r"""A drone of <drone> kg hovers at rest, and is to stay at rest: all its accelerations are prescribed to be zero. Its arm is a
uniform bar of <arm> kg and <length> m, which hangs on a hinge <at> m beside the centre of mass of the drone, in the direction of \f$+x\f$, and
points away from the drone at <q> degrees above the horizontal (below, if negative). The arm, at rest, is released. Gravity is
9.81 m/s\f$^2\f$ along \f$-y\f$. What force must the propellers exert on the drone at the first moment, and what moment about its centre of
mass, counted from x towards y?""",
    asks={"lift": "vertical force of the propellers (N)", "sideways": "horizontal force along x (N)", "moment": "moment about the centre of mass of the drone (N m)"},
    hints=["The arm has its torque given, zero: how does it begin to fall?",
           "The hinge exerts on the arm what its centre of mass needs, and the propellers exert that in addition to the weight of the drone.",
           "At the hinge no moment is transmitted, but the force has a lever."],
    draw=lambda source: {"drone": source.number(2.1, 5.8, 1), "arm": source.number(0.6, 1.9, 1), "length": source.number(0.41, 0.89),
                         "at": source.number(0.12, 0.38), "q": source.signed(17, 58, 0)},
    solve=hover,
    mistakes=[
        degrees_as_radians(hover, "q"),
        Mistake("arm_locked", "The arm was taken to be locked: what falls need not be carried.", hover_locked),
        Mistake("arm_forgotten", "The arm is missing: a falling bar still pulls at its hinge.", hover_arm_forgotten),
        Mistake("arm_as_a_point", "The arm was taken for a point mass at its middle.", lambda n: hover(n, inertia=1 / 4)),
        Mistake("inertia_about_the_middle", "The bar turns about its end: m l^2/3, not m l^2/12.", lambda n: hover(n, inertia=1 / 12)),
        Mistake("sideways_with_the_wrong_sign", "The horizontal force has the wrong sign: in which direction does the middle of the arm begin to move?",
                lambda n: {"sideways": -hover(n)["sideways"]}),
        Mistake("sideways_forgotten", "The middle of the arm moves on a circle that is inclined: it needs a horizontal force, too.", lambda n: {"sideways": 0.0}),
        Mistake("lever_to_the_middle", "The force acts at the hinge: the lever ends there, since the hinge transmits no moment.",
                lambda n: {"moment": hover(n)["moment"] / n["at"] * (n["at"] + n["length"] / 2 * math.cos(math.radians(n["q"])))}),
        Mistake("weight_of_the_drone_forgotten", "The lift also carries the drone itself.", lambda n: {"lift": hover(n)["lift"] - n["drone"] * G}),
        Mistake("moment_with_the_wrong_sign", "The moment has the wrong sign: a force upwards beside the centre turns from x towards y.",
                lambda n: {"moment": -hover(n)["moment"]}),
        Mistake("sine_and_cosine_exchanged", "Sine and cosine of the angle are exchanged.", with_changed(hover, q=lambda q: math.copysign(90 - abs(q), q))),
    ],
)  # fmt: skip


# --- derivations ----------------------------------------------------------------------------------------------------

TWO_BLOCKS_OF_AN_INVERSE = Exercise(
    name="two_blocks_of_an_inverse", chapter="hybrid", stars=2, kind="derive", title="A machine that is held resists more",
    text=r"""Push the degrees of freedom \f$v\f$ of a machine at rest, without gravity, with forces \f$x\f$. If \f$u\f$ is held, \f$v\f$ accelerates with
\f$M_{vv}^{-1}x\f$; if \f$u\f$ is loose, with \f$(M^{-1})_{vv}x\f$. Show that
\f[ \left((M^{-1})_{vv}\right)^{-1} = M_{vv} - M_{vu}M_{uu}^{-1}M_{uv} , \f]
and that \f$x^{\T}(M^{-1})_{vv}\,x \ge x^{\T}M_{vv}^{-1}x\f$.
For which \f$x\f$ are both accelerations equal?""",
    hints=["For the first part let u be loose, and eliminate its acceleration.",
           "For the second part: the acceleration with u loose is that with u held, and what follows when the force that holds u is taken away.",
           "Which quadratic form appears, and why is it not negative?"],
    solution=r"""*Loose.* \f$M_{uu}\ddot q_u + M_{uv}\ddot q_v = 0\f$ gives \f$\ddot q_u = -M_{uu}^{-1}M_{uv}\ddot q_v\f$; with this the rows of \f$v\f$ read
\f$(M_{vv} - M_{vu}M_{uu}^{-1}M_{uv})\,\ddot q_v = x\f$. Since \f$\ddot q_v = (M^{-1})_{vv}x\f$ for every \f$x\f$, the matrix in the bracket is the inverse of
\f$(M^{-1})_{vv}\f$.
*Held.* The force \f$h = M_{uv}M_{vv}^{-1}x\f$ holds \f$u\f$. Take it away by adding \f$-h\f$ on \f$u\f$: the machine responds with
\f$-M^{-1}(h; 0)\f$, whose part in \f$v\f$ is \f$-(M^{-1})_{vu}h\f$. From the columns \f$v\f$ of \f$M^{-1}M = \mathbf 1\f$ in the rows of \f$u\f$,
\f$(M^{-1})_{uu}M_{uv} + (M^{-1})_{uv}M_{vv} = 0\f$, so that \f$(M^{-1})_{uv} = -(M^{-1})_{uu}M_{uv}M_{vv}^{-1}\f$, and \f$(M^{-1})_{vu}\f$ is its transpose.
Hence
\f[ (M^{-1})_{vv}\,x = M_{vv}^{-1}x + M_{vv}^{-1}M_{vu}(M^{-1})_{uu}h , \qquad x^{\T}(M^{-1})_{vv}\,x = x^{\T}M_{vv}^{-1}x + h^{\T}(M^{-1})_{uu}h . \f]
The last term is not negative, because a diagonal block of a positive definite matrix is positive definite. It vanishes only if
\f$h = 0\f$: both accelerations are equal exactly for those \f$x\f$ at which nothing is needed to hold \f$u\f$. For one finger on one
joint this says that held neighbours make the joint heavier, or leave it as it is.""",
)  # fmt: skip

RECIPROCITY = Exercise(
    name="pushed_back", chapter="hybrid", stars=1, kind="derive", title="A motor that pushes forward is pushed back",
    text=r"""Consider two changes of the forces and accelerations in the same position, \f$M\,\delta \ddot q = \delta \tau\f$ and
\f$M\,\delta' \ddot q = \delta' \tau\f$. Show, using nothing but the symmetry of \f$M\f$, that
\f$\delta \tau^{\T}\delta' \ddot q = \delta' \tau^{\T}\delta \ddot q\f$. Conclude, without inverting anything, that the loose joint \f$k\f$ of \f$v\f$ answers
one unit of acceleration of the driven joint \f$j\f$ with minus the number by which the motor of \f$j\f$ feels one unit of force at \f$k\f$.""",
    hints=["Insert one equation into each side.", "As the first change, let only the acceleration of j change, of all that is given; as the second one, only the force of k."],
    solution=r"""\f$\delta \tau^{\T}\delta' \ddot q = \delta \ddot q^{\T}M^{\T}\delta' \ddot q = \delta \ddot q^{\T}M\,\delta' \ddot q = \delta \ddot q^{\T}\delta' \tau\f$, which is the right side.
In the first change, the acceleration of \f$j\f$ grows by 1, while the other accelerations in \f$u\f$ and all forces in \f$v\f$ stay: \f$\delta \tau_v = 0\f$ and
\f$\delta \ddot q_u = e_j\f$. In the second one, the force at \f$k\f$ grows by 1: \f$\delta' \tau_v = e_k\f$ and \f$\delta' \ddot q_u = 0\f$. On the left side remains
\f$\delta \tau_u^{\T}\,\delta' \ddot q_u + \delta \tau_v^{\T}\,\delta' \ddot q_v = 0\f$, on the right side
\f$\delta' \tau_u^{\T}e_j + e_k^{\T}\,\delta \ddot q_v\f$. So the k-th entry of \f$\delta \ddot q_v\f$ is minus the j-th of \f$\delta' \tau_u\f$.""",
)  # fmt: skip

EXERCISES = [WAGON, TWO_SETS, DRIVEN_SHOULDER, MOVED, HOVER, TWO_BLOCKS_OF_AN_INVERSE, RECIPROCITY]
