"""What the module returns for the numbers of chapter 03."""
from math import radians

import numpy as np

import articulate as a

X, Y, Z = np.eye(3)


def arm(*joints, tip=(0.0, 0.0, 0.0)):
    """A chain of links of 1 kg: joints (type, position, axis, quaternion), and a tip that is fixed to the last link."""
    links = [a.Link("link0")] + [a.Link(f"link{k}", 1.0, [0.1, 0.2, 0.3], np.eye(3)) for k in range(1, len(joints) + 1)] + [a.Link("tip")]
    chain = [a.Joint(f"joint{k}", kind, f"link{k - 1}", f"link{k}", position=position, axis=axis, quaternion=quaternion)
             for k, (kind, position, axis, quaternion) in enumerate(joints, 1)]  # fmt: skip
    chain.append(a.Joint("end", "fixed", f"link{len(joints)}", "tip", position=list(tip)))
    return a.ForwardKinematics(a.Model(a.Mechanism("arm", links=links, joints=chain)))


STRAIGHT = [0.0, 0.0, 0.0, 1.0]


def two_bars(n):
    at = arm(("continuous", [0, 0, 0], Z, STRAIGHT), ("continuous", [n["l1"], 0, 0], Z, STRAIGHT), tip=(n["l2"], 0, 0))
    at(np.radians([n["q1"], n["q2"]]), [0.0, 0.0])
    return {"p": at.link_pose("tip").p[:2], "J": at.link_jacobian("tip", "mixed")[3:5]}


def urdf_joint(n):
    """Read from a URDF text."""
    words = {name: " ".join(map(repr, n[name])) for name in ("xyz", "rpy")}
    model = a.Model.parse(
        '<robot name="r"><link name="base"/><link name="child"><inertial><mass value="1"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="continuous">'
        f'<parent link="base"/><child link="child"/><axis xyz="0 0 1"/><origin xyz="{words["xyz"]}" rpy="{words["rpy"]}"/>'
        "</joint></robot>", "text",
    )  # fmt: skip
    at = a.ForwardKinematics(model)
    at([n["q"]], [0.0])
    return {"x": at.link_pose("child") * np.array(n["r"])}


def link_of_a_table(n):
    T = a.DenavitHartenbergRow(n["a"], radians(n["alpha"]), n["d"], radians(n["theta"])).pose("standard", 0.0)
    return {"p": T.p, "z": T.R[:, 2]}


def velocity(n):
    """A free parent that carries a hinge."""
    links = [a.Link("world"), a.Link("parent", 1.0, inertia=np.eye(3)), a.Link("child", 1.0, inertia=np.eye(3))]
    joints = [a.Joint("free", "floating", "world", "parent"), a.Joint("hinge", "continuous", "parent", "child", position=n["p"], axis=Z)]
    at = a.ForwardKinematics(a.Model(a.Mechanism("two", links=links, joints=joints)))
    at([0, 0, 0, 0, 0, 0, 1, radians(n["q"])], [*n["w"], *n["v"], n["rate"]])
    V = at.link_twist("child")
    return {"w_child": V.w, "v_child": V.v}


def tip_by_screws(n):
    """The screws as joints, each in the frame of the one before."""
    at = arm(("continuous", [0, 0, 0], Z, STRAIGHT), ("continuous", n["r"], Y, STRAIGHT), ("prismatic", [0, 0, 0], X, STRAIGHT),
             tip=np.array(n["tip"]) - n["r"])  # fmt: skip
    at([radians(n["q1"]), radians(n["q2"]), n["q3"]], [0.0] * 3)
    return {"x": at.link_pose("tip").p}


def three_angles(n):
    at = arm(("euler_ball", [0, 0, 0], Z, STRAIGHT))
    at(n["q"], n["rates"])
    return {"omega": at.link_twist("link1").w}


def column(n):
    """A hinge, and a frame that its link carries."""
    at = arm(("continuous", n["r"], Z, STRAIGHT))
    at([0.0], [1.0])
    R = a.exp(radians(n["a"]) * Z) * a.exp(radians(n["b"]) * X)
    offset = a.SE3(R, np.array(n["p"]) - n["r"])
    link, mixed, world = (at.link_jacobian("link1", frame, offset)[:, 0] for frame in ("link", "mixed", "world"))
    return {"w_link": link[:3], "v_link": link[3:], "v_mixed": mixed[3:], "v_world": world[3:]}


AGREEMENT = {
    "jacobian_of_two_bars": two_bars,
    "joint_of_a_urdf_file": urdf_joint,
    "link_of_a_table": link_of_a_table,
    "velocity_of_a_link": velocity,
    "tip_by_screws": tip_by_screws,
    "rates_of_three_angles": three_angles,
    "column_in_three_frames": column,
}
