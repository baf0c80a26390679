"""Exercises of chapter 03: from joints to poses, twists and Jacobians."""
import math

import numpy as np

from ..exercise import Exercise
from ..mistakes import Mistake, degrees_as_radians, negated, radians_as_degrees, without
from ..vectors import Ad, cross, inverse, product, turn_x, turn_y, turn_z

X, Y, Z = np.eye(3)


# --- two bars in a plane --------------------------------------------------------------------------------------------


def two_bars(n, absolute=False):
    first = math.radians(n["q1"])
    second = math.radians(n["q2"]) if absolute else first + math.radians(n["q2"])
    a, b = n["l1"] * np.array([math.cos(first), math.sin(first)]), n["l2"] * np.array([math.cos(second), math.sin(second)])
    tip = a + b
    lever = a if absolute else tip
    return {"p": tip, "J": np.array([[-lever[1], -b[1]], [lever[0], b[0]]])}


def elbow_column(n):
    """The lever of the second hinge taken from the first, and the other way round."""
    J = two_bars(n)["J"]
    return {"J": J[:, ::-1]}


def in_the_link(n):
    """Along the axes of the second bar."""
    second = math.radians(n["q1"] + n["q2"])
    c, s = math.cos(second), math.sin(second)
    return {"J": np.array([[c, s], [-s, c]]) @ two_bars(n)["J"]}


def perpendicular_forgotten(n):
    J = two_bars(n)["J"]
    return {"J": np.array([J[1], -J[0]])}


TWO_BARS = Exercise(
    name="jacobian_of_two_bars", chapter="model", stars=1, kind="number", title="The Jacobian of two bars",
    text=r"""Two bars of <l1> and <l2> m move in a plane. The first is hinged at the origin, and makes the angle \f$q_1\f$ = <q1>
degrees with x; the second is hinged at its end, and turned by \f$q_2\f$ = <q2> degrees from the direction of the first. Where is the tip?
Which matrix maps the rates of the two joints to the velocity of the tip, along the axes of the world?""",
    asks={"p": "tip in the world, x and y (m)", "J": "velocity of the tip (rows x, y) per rate of each joint (columns) (m)"},
    hints=["The second bar makes the angle q1 + q2 with x.", "A column is the lever from a joint to the tip, turned by a right angle."],
    draw=lambda source: {"l1": source.number(0.55, 0.95), "l2": source.number(0.25, 0.5), "q1": source.number(20, 70, 0),
                         "q2": source.signed(25, 80, 0)},
    solve=two_bars,
    mistakes=[
        degrees_as_radians(two_bars, "q1", "q2"),
        Mistake("angle_of_the_second_bar", "The second angle is between the bars: it was taken from the x axis.", lambda n: two_bars(n, absolute=True)),
        Mistake("angle_of_the_second_bar_in_both_levers", "The second angle is between the bars: it was taken from the x axis.",
                lambda n: two_bars({**n, "q2": n["q2"] - n["q1"]})),
        Mistake("rows_exchanged", "The rows are exchanged: the first is the velocity along x.", lambda n: {"J": two_bars(n)["J"][::-1]}),
        Mistake("columns_exchanged", "The columns of the two joints are exchanged.", elbow_column),
        Mistake("along_the_second_bar", "The velocity is along the axes of the second bar instead of those of the world.", in_the_link),
        Mistake("lever_not_turned", "The columns are levers that were not turned by a right angle.", perpendicular_forgotten),
        Mistake("first_joint_moves_the_elbow_only", "The first joint moves both bars: its lever reaches to the tip, not to the elbow.",
                lambda n: {"J": two_bars(n, absolute=False)["J"] - np.array([[1.0, 0.0]]) * two_bars(n)["J"][:, 1:]}),
        Mistake("second_angle_negative", "The second angle has the wrong sign.", negated(two_bars, "q2")),
        Mistake("from_the_y_axis", "Sine and cosine are exchanged: the angle is from x.", lambda n: {"p": two_bars(n)["p"][::-1]}),
    ],
)  # fmt: skip


# --- a joint of a URDF file -----------------------------------------------------------------------------------------


def rpy(n):
    roll, pitch, yaw = n["rpy"]
    return turn_z(yaw) @ turn_y(pitch) @ turn_x(roll)


def urdf_joint(n):
    return {"x": np.array(n["xyz"]) + rpy(n) @ turn_z(n["q"]) @ n["r"]}


def rpy_about_own_axes(n):
    roll, pitch, yaw = n["rpy"]
    return {"x": np.array(n["xyz"]) + turn_x(roll) @ turn_y(pitch) @ turn_z(yaw) @ turn_z(n["q"]) @ n["r"]}


URDF_JOINT = Exercise(
    name="joint_of_a_urdf_file", chapter="model", stars=2, kind="number", title="What a URDF file says",
    text=r"""A joint of a URDF file has the origin xyz = <xyz> m and rpy = <rpy> rad, its axis is z, and it stands at <q> rad. Roll, pitch
and yaw are turns about the fixed axes x, y and z of the parent, in this order. A point of the child is at <r> m in its frame. Where is
it in the frame of the parent?""",
    asks={"x": "the point in the frame of the parent (m)"},
    hints=["First the place of the joint, then the motion of the joint: T = M exp(S q).", "Turns about fixed axes multiply from the left."],
    draw=lambda source: {"xyz": source.vector(0.2, 0.7), "rpy": source.vector(0.3, 1.2), "q": source.signed(0.4, 1.3), "r": source.vector(0.1, 0.8)},
    solve=urdf_joint,
    mistakes=[
        radians_as_degrees(urdf_joint, "rpy", "q"),
        Mistake("rpy_about_own_axes", "Roll, pitch and yaw were taken about moving axes: the order of the three turns is reversed.", rpy_about_own_axes),
        Mistake("joint_before_its_place", "The joint turns about its own z axis, after its frame has been placed: the turn was made first.",
                lambda n: {"x": np.array(n["xyz"]) + turn_z(n["q"]) @ rpy(n) @ n["r"]}),
        Mistake("place_turned_by_the_joint", "The joint does not move its own origin: xyz was turned with it.",
                lambda n: {"x": rpy(n) @ turn_z(n["q"]) @ (np.array(n["r"]) + n["xyz"])}),
        Mistake("joint_at_zero", "The angle of the joint is missing.", without(urdf_joint, "q")),
        Mistake("joint_turned_back", "The joint is turned the opposite way.", negated(urdf_joint, "q")),
        Mistake("roll_and_yaw_exchanged", "Roll and yaw are exchanged: rpy lists the turn about x first.",
                lambda n: urdf_joint({**n, "rpy": n["rpy"][::-1]})),
        Mistake("inverse_pose", "This is the inverse pose: a point of the parent, seen from the child.",
                lambda n: {"x": (rpy(n) @ turn_z(n["q"])).T @ (np.array(n["r"]) - n["xyz"])}),
        Mistake("no_rpy", "The rotation of the origin is missing.", without(urdf_joint, "rpy")),
        Mistake("no_xyz", "The position of the origin is missing.", without(urdf_joint, "xyz")),
        Mistake("rotation_transposed", "The rotation is transposed: coordinates go from the child to the parent.",
                lambda n: {"x": np.array(n["xyz"]) + (rpy(n) @ turn_z(n["q"])).T @ n["r"]}),
    ],
)  # fmt: skip


# --- Denavit and Hartenberg -----------------------------------------------------------------------------------------


def slide(x, y, z):
    return np.eye(3), np.array([x, y, z])


def spin(R):
    return R, np.zeros(3)


def standard(n):
    alpha, theta = math.radians(n["alpha"]), math.radians(n["theta"])
    R, p = product(spin(turn_z(theta)), slide(0, 0, n["d"]), slide(n["a"], 0, 0), spin(turn_x(alpha)))
    return {"p": p, "z": R[:, 2]}


def modified(n):
    alpha, theta = math.radians(n["alpha"]), math.radians(n["theta"])
    R, p = product(spin(turn_x(alpha)), slide(n["a"], 0, 0), spin(turn_z(theta)), slide(0, 0, n["d"]))
    return {"p": p, "z": R[:, 2]}


def inverted(n):
    alpha, theta = math.radians(n["alpha"]), math.radians(n["theta"])
    R, p = inverse(product(spin(turn_z(theta)), slide(n["a"], 0, n["d"]), spin(turn_x(alpha))))
    return {"p": p, "z": R[:, 2]}


def slide_after_the_twist(n):
    """d along the new z axis."""
    alpha, theta = math.radians(n["alpha"]), math.radians(n["theta"])
    return {"p": product(spin(turn_z(theta)), slide(n["a"], 0, 0), spin(turn_x(alpha)), slide(0, 0, n["d"]))[1]}


def third_row(n):
    alpha = math.radians(n["alpha"])
    return {"z": [0.0, math.sin(alpha), math.cos(alpha)]}


DH_LINK = Exercise(
    name="link_of_a_table", chapter="model", stars=2, kind="number", title="A line of a table",
    text=r"""A table of Denavit and Hartenberg, in the standard form in which the frame of a link sits at its far end, has the line
\f$\theta\f$ = <theta> degrees, \f$d\f$ = <d> m, \f$a\f$ = <a> m, \f$\alpha\f$ = <alpha> degrees: turn about z by \f$\theta\f$, slide along z by
\f$d\f$, slide along the new x by \f$a\f$, turn about this x by \f$\alpha\f$. Where is the origin of the next frame, and along which unit vector
does its z axis point, both in the frame before it?""",
    asks={"p": "origin of the next frame (m)", "z": "direction of its z axis"},
    hints=["Four poses multiply, each in the frame that the one before it has reached.", "The z axis is the last column of the rotation."],
    draw=lambda source: {"theta": source.signed(25, 70, 0), "d": source.signed(0.1, 0.4), "a": source.number(0.45, 0.75), "alpha": source.signed(25, 70, 0)},
    solve=standard,
    mistakes=[
        degrees_as_radians(standard, "theta", "alpha"),
        Mistake("modified_convention", "This is the modified form, in which the frame sits at the near end: alpha and a come first there.", modified),
        Mistake("inverse_pose", "This is the inverse pose: the frame before, seen from the next one.", inverted),
        Mistake("theta_negative", "The angle theta has the wrong sign.", negated(standard, "theta")),
        Mistake("alpha_negative", "The angle alpha has the wrong sign.", negated(standard, "alpha")),
        Mistake("angles_exchanged", "The two angles are exchanged.", lambda n: standard({**n, "theta": n["alpha"], "alpha": n["theta"]})),
        Mistake("lengths_exchanged", "The lengths a and d are exchanged.", lambda n: standard({**n, "a": n["d"], "d": n["a"]})),
        Mistake("d_along_the_new_z", "The slide by d was made along the new z axis: it is along the old one.", slide_after_the_twist),
        Mistake("a_not_turned", "The slide by a is along the x axis that theta has turned: it was made along the old one.",
                lambda n: {"p": standard({**n, "theta": 0.0})["p"]}),
        Mistake("x_axis_instead_of_z", "This is the direction of the new x axis.",
                lambda n: {"z": turn_z(math.radians(n["theta"]))[:, 0]}),
        Mistake("row_instead_of_column", "The z axis is the last column of the rotation: this is its last row.", third_row),
    ],
)  # fmt: skip


# --- the velocity of a link -----------------------------------------------------------------------------------------


def joint_pose(n):
    return turn_z(math.radians(n["q"])), np.array(n["p"])


def link_velocity(n, pose=joint_pose, carry=inverse):
    w, v = Ad(carry(pose(n)), (n["w"], n["v"]))
    return {"w_child": w + n["rate"] * Z, "v_child": v}


LINK_VELOCITY = Exercise(
    name="velocity_of_a_link", chapter="model", stars=2, kind="number", title="One step of the recursion",
    text=r"""A hinge about z sits at <p> m in the frame of the parent, with axes along those of the parent at \f$q = 0\f$, and the frame of
the child sits at the hinge. The parent has the body twist \f$w\f$ = <w> rad/s, \f$v\f$ = <v> m/s. The hinge stands at <q> degrees and turns
at <rate> rad/s. What is the body twist of the child?""",
    asks={"w_child": "angular half of the child's twist, in its frame (rad/s)", "v_child": "linear half of the child's twist, in its frame (m/s)"},
    hints=["The parent's twist, seen from the child, plus what the joint adds.", "Seen from the child means Ad of the inverse of the child's pose."],
    draw=lambda source: {"p": source.vector(0.2, 0.8), "w": source.vector(0.4, 2.2, 1), "v": source.vector(0.3, 1.9, 1), "q": source.signed(25, 70, 0),
                         "rate": source.signed(0.5, 2.5, 1)},
    solve=link_velocity,
    mistakes=[
        degrees_as_radians(link_velocity, "q"),
        Mistake("carried_with_the_wrong_inverse", "The parent's twist was carried with Ad of the child's pose instead of its inverse.",
                lambda n: link_velocity(n, carry=lambda T: T)),
        Mistake("no_joint_rate", "What the joint adds is missing.", without(link_velocity, "rate")),
        Mistake("joint_rate_subtracted", "The joint's rate was subtracted.", negated(link_velocity, "rate")),
        Mistake("no_lever", "The hinge moves, too: the lever from the parent's origin is missing.", without(link_velocity, "p")),
        Mistake("lever_with_the_wrong_sign", "The velocity of the hinge is v + w x p, in this order.", negated(link_velocity, "p")),
        Mistake("along_the_parents_axes", "The twist is along the axes of the parent: the turn of the hinge is missing.", without(link_velocity, "q")),
        Mistake("turned_the_wrong_way", "The components are turned with R instead of its transpose.", negated(link_velocity, "q")),
        Mistake("joint_rate_before_the_lever", "The joint's rate was added before the lever was taken: the joint does not move its own origin.",
                lambda n: pair_of_child(Ad(inverse(joint_pose(n)), (np.array(n["w"]) + n["rate"] * Z, n["v"])))),
    ],
)  # fmt: skip


def pair_of_child(V):
    return {"w_child": V[0], "v_child": V[1]}


# --- products of exponentials ---------------------------------------------------------------------------------------


def about_line(turn, r, angle):
    """A turn about the line through r."""
    R = turn(angle)
    r = np.array(r)
    return R, r - R @ r


def tip_by_screws(n, order=1):
    first = about_line(turn_z, [0.0] * 3, math.radians(n["q1"]))
    second = about_line(turn_y, n["r"], math.radians(n["q2"]))
    third = slide(n["q3"], 0, 0)
    R, p = product(*[first, second, third][::order])
    return {"x": R @ n["tip"] + p}


def without_constants(n):
    """The second turn about the y axis of the base."""
    return tip_by_screws({**n, "r": [0.0] * 3})


def constants_of_v(n):
    """The screw of the second joint with v = w x r."""
    return tip_by_screws({**n, "r": [-x for x in n["r"]]})


def slide_before_the_second(n):
    """Along x of the first joint's frame."""
    return {"x": tip_by_screws({**n, "q3": 0.0})["x"] + turn_z(math.radians(n["q1"]))[:, 0] * n["q3"]}


TIP_BY_SCREWS = Exercise(
    name="tip_by_screws", chapter="model", stars=2, kind="number", title="A tip by its screws",
    text=r"""In its home position an arm has three joints, seen from the base: a hinge about the z axis through the origin, a hinge along y
through <r> m, and a slide along x. Its tip is then at <tip> m. The joints, in this order from the base, now move to <q1> degrees, <q2>
degrees and <q3> m. Where is the tip?""",
    asks={"x": "the tip in the base's frame (m)"},
    hints=["The product of exponentials: exp(A1 q1) exp(A2 q2) exp(A3 q3), applied to the tip at home.",
           "Start with the last joint: it moves the tip while all joints before it are still at home."],
    draw=lambda source: {"r": source.vector(0.2, 0.6), "tip": source.vector(0.4, 0.95), "q1": source.signed(25, 70, 0), "q2": source.signed(25, 70, 0),
                         "q3": source.signed(0.1, 0.35)},
    solve=tip_by_screws,
    mistakes=[
        degrees_as_radians(tip_by_screws, "q1", "q2"),
        Mistake("order_of_the_joints_reversed", "The product is in the reverse order: the last joint must act on the tip first.", lambda n: tip_by_screws(n, order=-1)),
        Mistake("axis_through_the_origin", "The second axis was taken to pass through the origin.", without_constants),
        Mistake("v_is_w_times_r", "The screw of the second hinge has the wrong linear half: it is -w x r.", constants_of_v),
        Mistake("first_turned_back", "The first joint is turned the opposite way.", negated(tip_by_screws, "q1")),
        Mistake("second_turned_back", "The second joint is turned the opposite way.", negated(tip_by_screws, "q2")),
        Mistake("slide_in_the_base", "The slide moves with the two hinges before it: it was made along the x axis of the base.",
                lambda n: {"x": tip_by_screws({**n, "q3": 0.0})["x"] + [n["q3"], 0, 0]}),
        Mistake("slide_not_turned_by_the_second", "The slide moves with the second hinge, too: only the first has turned it.",
                slide_before_the_second),
        Mistake("no_slide", "The slide is missing.", without(tip_by_screws, "q3")),
        Mistake("slide_backwards", "The slide goes the opposite way.", negated(tip_by_screws, "q3")),
    ],
)  # fmt: skip


# --- the columns of a ball joint ------------------------------------------------------------------------------------


def ball(n, order="zyx"):
    """The body's angular velocity: each rate about its axis, carried by the turns behind it."""
    about = {"z": (turn_z, Z), "y": (turn_y, Y), "x": (turn_x, X)}
    omega = np.zeros(3)
    for axis, angle, rate in zip(order, n["q"], n["rates"]):
        turn, unit = about[axis]
        omega = turn(angle).T @ omega + rate * unit
    return {"omega": omega}


def ball_in_the_room(n):
    a, b, c = n["q"]
    return {"omega": turn_z(a) @ turn_y(b) @ turn_x(c) @ ball(n)["omega"]}


def fixed_axes(n):
    """Rates about the three axes as they were at home."""
    return {"omega": n["rates"][::-1]}


def first_column_in_the_wrong_order(n):
    _, b, c = n["q"]
    return {"omega": ball({**n, "rates": [0.0, *n["rates"][1:]]})["omega"] + turn_y(b).T @ turn_x(c).T @ Z * n["rates"][0]}


BALL_WITH_ANGLES = Exercise(
    name="rates_of_three_angles", chapter="model", stars=2, kind="number", title="Rates of angles, and how fast it turns",
    text=r"""A ball joint has the angles of the chapter's ball with angles: first about z, then about the new y, then about the new x. They are <q> rad, in this order, with
the rates <rates> rad/s. What is the angular velocity of the child relative to the parent, along the axes of the child?""",
    asks={"omega": "angular velocity along the axes of the child (rad/s)"},
    hints=["Each column is an axis, seen from the child: the turns behind it carry it there.", "The last column is constant, (1, 0, 0)."],
    draw=lambda source: {"q": source.vector(0.3, 1.2), "rates": source.vector(0.4, 2.2, 1)},
    solve=ball,
    mistakes=[
        radians_as_degrees(ball, "q"),
        Mistake("rates_as_components", "The rates are not the components of the angular velocity: their axes are turned.", fixed_axes),
        Mistake("rates_as_given", "The rates are not the components of the angular velocity, and the first is about z.", lambda n: {"omega": n["rates"]}),
        Mistake("angles_reversed", "The angles are in the reverse order: the first is about z.", lambda n: ball({**n, "q": n["q"][::-1]})),
        Mistake("rates_reversed", "The rates are in the reverse order: the first is about z.", lambda n: ball({**n, "rates": n["rates"][::-1]})),
        Mistake("inverse_in_the_wrong_order", "The inverse of two turns has them in the opposite order, for the column of the first rate.",
                first_column_in_the_wrong_order),
        Mistake("along_the_parents_axes", "This is the angular velocity along the axes of the parent.", ball_in_the_room),
        Mistake("turned_back", "The axes are carried with the turns instead of their inverses.", lambda n: ball({**n, "q": [-x for x in n["q"]]})),
        Mistake("order_of_axes_reversed", "The order of the axes is reversed: z comes first.", lambda n: ball(n, order="xyz")),
        Mistake("last_turn_forgotten", "The last turn carries the first two axes: it was left out.", lambda n: ball({**n, "q": [*n["q"][:2], 0.0]})),
        Mistake("middle_turn_forgotten", "The turn about y carries the z axis: it was left out.", lambda n: ball({**n, "q": [n["q"][0], 0.0, n["q"][2]]})),
        Mistake("no_rate_of_the_first_angle", "The rate of the first angle is missing.", lambda n: ball({**n, "rates": [0.0, *n["rates"][1:]]})),
    ],
)  # fmt: skip


# --- one column in three frames -------------------------------------------------------------------------------------


def column(n, sign=1.0):
    """Of a hinge about the world's z axis through r; of the link with the pose (R, p)."""
    R = turn_z(math.radians(n["a"])) @ turn_x(math.radians(n["b"]))
    at_link = cross(Z, sign * (np.array(n["p"]) - n["r"]))
    return {"w_link": R.T @ Z, "v_link": R.T @ at_link, "v_mixed": at_link, "v_world": -cross(Z, sign * np.array(n["r"]))}


def renamed(**names):
    """Answers in which quantities stand in each other's place."""
    return lambda n: {to: column(n)[of] for to, of in names.items()}


COLUMN_IN_THREE_FRAMES = Exercise(
    name="column_in_three_frames", chapter="model", stars=3, kind="number", title="One column, three frames",
    text=r"""A link has the pose \f$(R, p)\f$ in the world, where \f$R\f$ is a turn by <a> degrees about z followed by one by <b> degrees about
the new x, and \f$p\f$ = <p> m. A joint before it is, at present, a hinge along the world's z axis through <r> m. What is its column of the
Jacobian of the link: in the frame of the link (both halves), and the linear half in mixed axes and in the frame of the world?""",
    asks={"w_link": "angular half in the frame of the link", "v_link": "linear half in the frame of the link (m)",
          "v_mixed": "linear half in mixed axes (m)", "v_world": "linear half in the frame of the world, of the spatial twist (m)"},
    hints=["Let the hinge turn at 1 rad/s. How fast does the link's origin move?", "The spatial twist has the velocity of the point that is at the world's origin."],
    draw=lambda source: {"a": source.signed(25, 70, 0), "b": source.signed(25, 70, 0), "p": source.vector(0.3, 0.9), "r": source.vector(0.2, 0.7)},
    solve=column,
    mistakes=[
        degrees_as_radians(column, "a", "b"),
        Mistake("world_and_mixed_exchanged", "Mixed and world are exchanged: mixed has the velocity of the link's own origin.", renamed(v_mixed="v_world", v_world="v_mixed")),
        Mistake("link_and_mixed_exchanged", "Link and mixed are exchanged: mixed has the axes of the world.", renamed(v_link="v_mixed", v_mixed="v_link")),
        Mistake("levers_with_the_wrong_sign", "The levers have the wrong sign: the velocity of a point is w x (point - axis).", lambda n: column(n, sign=-1.0)),
        Mistake("hinge_at_the_origin", "The hinge was taken to pass through the world's origin.",
                lambda n: {"v_link": column({**n, "r": [0.0] * 3})["v_link"], "v_mixed": column({**n, "r": [0.0] * 3})["v_mixed"]}),
        Mistake("link_at_the_origin", "The link was taken to be at the world's origin.",
                lambda n: {"v_link": column({**n, "p": [0.0] * 3})["v_link"], "v_mixed": column({**n, "p": [0.0] * 3})["v_mixed"]}),
        Mistake("turned_the_wrong_way", "The components are turned with R instead of its transpose.", lambda n: turned_with_R(n)),
        Mistake("angular_half_in_the_world", "The angular half is along the axes of the world instead of those of the link.", lambda n: {"w_link": Z}),
        Mistake("no_spatial_half", "The spatial twist has a linear half, unless the hinge passes through the world's origin.",
                lambda n: {"v_world": [0.0] * 3}),
        Mistake("turns_in_the_opposite_order", "The turn about x was made about the old x axis: the two turns are in the opposite order.", lambda n: turned_the_other_order(n)),
        Mistake("spatial_at_the_link", "The spatial twist has the velocity of the point at the world's origin: its lever leads from the hinge, not from the link.",
                lambda n: {"v_world": cross(n["p"], Z)}),
        Mistake("second_turn_forgotten", "The turn about x is missing.", without(column, "b")),
        Mistake("world_turned_into_the_link", "The linear half in the frame of the link has no lever: the spatial one was only turned.",
                lambda n: {"v_link": turn_x(math.radians(n["b"])).T @ turn_z(math.radians(n["a"])).T @ column(n)["v_world"]}),
    ],
)  # fmt: skip


def turned_with_R(n):
    R = turn_z(math.radians(n["a"])) @ turn_x(math.radians(n["b"]))
    return {"w_link": R @ Z, "v_link": R @ column(n)["v_mixed"]}


def turned_the_other_order(n):
    R = turn_x(math.radians(n["b"])) @ turn_z(math.radians(n["a"]))
    return {"w_link": R.T @ Z, "v_link": R.T @ column(n)["v_mixed"]}


# --- derivations ----------------------------------------------------------------------------------------------------

COLUMNS_THAT_MOVE = Exercise(
    name="columns_that_move", chapter="model", stars=2, kind="derive", title="Which coordinates move a column?",
    text=r"""A joint has the pose \f$M e^{\hat E_1q_1}\cdots e^{\hat E_kq_k}\f$. Show that its column \f$S_j\f$ depends on the coordinates behind \f$q_j\f$
only, that \f$\partial S_j/\partial q_l = \ad_{S_j}S_l\f$ for \f$l > j\f$, and that \f$S_j\f$ of a joint with one coordinate is constant.""",
    hints=["Write the column as Ad of the inverse of the factors behind it.", "Which twist does the child's frame have when only q_l changes?"],
    solution=r"""Differentiating the product with respect to \f$q_j\f$ puts \f$\hat E_j\f$ before or after its own factor, since a twist commutes with its own
exponential. Multiplied by the inverse of the pose from the left, everything in front of the place cancels:
\f$S_j = \Ad_{U^{-1}}E_j\f$ with \f$U = e^{\hat E_{j+1}q_{j+1}}\cdots e^{\hat E_kq_k}\f$. Only coordinates behind \f$q_j\f$ occur in \f$U\f$; with one coordinate
\f$U\f$ is the identity. For \f$l > j\f$ let only \f$q_l\f$ change. By the same rule \f$U^{-1}\,\partial U/\partial q_l = \hat S_l\f$, because the factors behind \f$q_l\f$ are the same in \f$U\f$
and in the whole product. In matrices \f$\hat S_j = U^{-1}\hat E_jU\f$, so that
\f$\partial\hat S_j/\partial q_l = -\hat S_l\hat S_j + \hat S_j\hat S_l\f$, which is the matrix of \f$[S_j, S_l] = \ad_{S_j}S_l\f$.""",
)  # fmt: skip

EXERCISES = [
    TWO_BARS, URDF_JOINT, DH_LINK, LINK_VELOCITY, TIP_BY_SCREWS, BALL_WITH_ANGLES, COLUMN_IN_THREE_FRAMES, COLUMNS_THAT_MOVE,
]  # fmt: skip
