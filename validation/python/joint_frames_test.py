"""Machines by joint frames, tables of Denavit and Hartenberg, and screws: homogeneous matrices in numpy are the witness."""
import re
import unittest
from pathlib import Path

import numpy as np
from agreement import assert_agree

import articulate as a
from articulate import DenavitHartenberg as Convention

RIGHT = np.pi / 2
# d, a, alpha by the standard convention: the numbers of the built-in model.
PUMA = [(0, 0, RIGHT), (0, 0.4318, 0), (0.15005, 0.0203, -RIGHT), (0.4318, 0, RIGHT), (0, 0, -RIGHT), (0, 0, 0)]


def shifted(x, y, z):
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def about(axis, angle):
    T, k, l = np.eye(4), (axis + 1) % 3, (axis + 2) % 3
    T[k, k] = T[l, l] = np.cos(angle)
    T[l, k] = np.sin(angle)
    T[k, l] = -T[l, k]
    return T


def five(joint, q):
    """Formula (21), motion by motion."""
    slides = joint.type == a.JointType.prismatic
    T = shifted(joint.a, joint.b, joint.d)
    if slides:
        T = T @ shifted(*(q * joint.slide))
    return T @ about(0, joint.alpha) @ about(2, joint.theta + (0 if slides else q))


def four(row, convention, q):
    slides = row.type == a.JointType.prismatic
    on_z = about(2, row.theta + (0 if slides else q)) @ shifted(0, 0, row.d + (q if slides else 0))
    on_x = shifted(row.a, 0, 0) @ about(0, row.alpha)
    return on_z @ on_x if convention == Convention.standard else on_x @ on_z


def products(steps):
    T, all_of_them = np.eye(4), []
    for step in steps:
        T = T @ step
        all_of_them.append(T)
    return np.array(all_of_them)


def matrices(poses):
    return np.array([T.matrix() for T in poses])


def drawn_frames(seed=3):
    draw = np.random.default_rng(seed)
    joints = [a.JointFrame(*draw.uniform(-1, 1, 3), *draw.uniform(-3, 3, 2)) for _ in range(4)]
    way = draw.normal(size=3)
    slide = a.JointFrame(0.1, 0.2, 0.3, 0.4, 0.5, "prismatic", way / np.linalg.norm(way))
    return a.JointFrameChain(joints[:2] + [slide] + joints[2:])


def table(convention, rows=PUMA):
    return a.DenavitHartenbergChain(convention, [a.DenavitHartenbergRow(x, alpha, d) for d, x, alpha in rows])


Q = np.array([0.3, -1.1, 0.7, 2.1, -0.4, 0.9])


class Frames(unittest.TestCase):
    def test_poses_are_products_of_five_motions(self):
        chain = drawn_frames()
        assert_agree(
            self,
            lambda q: matrices(chain.poses(q)),
            lambda q: products(five(joint, x) for joint, x in zip(chain.joints, q)),
            Q[:5],
        )
        base, tip = a.exp(a.Twist([0.1, 0.2, 0.3], [1, 2, 3])), a.exp(a.Twist([0.3, 0, 0], [0, 1, 0]))
        moved = a.JointFrameChain(chain.joints, base, tip)
        np.testing.assert_array_equal(moved.base.matrix(), base.matrix())
        np.testing.assert_array_equal(moved.tip.matrix(), tip.matrix())
        assert_agree(
            self,
            lambda q: matrices(moved.poses(q)),
            lambda q: [base.matrix() @ T for T in matrices(chain.poses(q))],
            Q[:5],
        )

    def test_a_joint_is_its_pose_and_its_screw(self):
        for joint in drawn_frames().joints:
            assert_agree(self, lambda q: joint.pose(float(q)).matrix(), lambda q: five(joint, q), 0.7)
            T = lambda q: np.linalg.inv(five(joint, 0)) @ five(joint, q)
            assert_agree(self, lambda q: a.exp(joint.screw() * float(q)).matrix(), T, 0.7)
        self.assertEqual(repr(a.JointFrame(1, alpha=2)), "JointFrame(a=1.0, b=0.0, d=0.0, alpha=2.0, theta=0.0)")

    def test_a_machine_has_the_poses_of_its_frames(self):
        chain = drawn_frames()
        links, parent = [], "base"
        for k, frame in enumerate(chain.joints):
            link = a.Link(f"link_{k}", 1, [0.1, 0, 0], [0.1, 0, 0, 0.1, 0, 0.1])
            links.append(a.FramedLink(f"joint_{k}", frame, parent, link))
            parent = link.name
        one = links[1]
        self.assertEqual(
            (one.joint, one.parent, one.link.name, one.frame.a), ("joint_1", "link_0", "link_1", chain.joints[1].a)
        )
        mechanism = a.mechanism_of("machine", a.Link("base"), links, gravity=[0, 0, -1])
        np.testing.assert_array_equal(mechanism.gravity, [0, 0, -1])
        model = a.Model(mechanism)
        kinematics = a.ForwardKinematics(model)

        def poses(q):
            kinematics(q, 0 * q)
            return matrices(kinematics.link_pose(one.link.name) for one in links)

        assert_agree(self, poses, lambda q: matrices(chain.poses(q)), Q[:5])

    def test_screws_and_frames_are_the_same_chain(self):
        chain = drawn_frames()
        behind = a.offset_behind(a.offsets_between(chain))
        last = lambda c: lambda q: (c.poses(q)[-1] * c.tip).matrix()
        assert_agree(self, lambda q: behind.pose(q).matrix(), last(chain), Q[:5])
        other = a.joint_frames(behind)
        assert_agree(self, last(other), last(chain), Q[:5])
        for convention in (Convention.standard, Convention.modified):
            assert_agree(self, last(a.denavit_hartenberg(other, convention)), last(chain), Q[:5])


class Tables(unittest.TestCase):
    def test_poses_are_products_of_four_motions(self):
        for convention in (Convention.standard, Convention.modified):
            chain = table(convention)
            self.assertEqual(chain.convention, convention)
            assert_agree(
                self,
                lambda q: matrices(chain.poses(q)),
                lambda q: products(four(row, convention, x) for row, x in zip(chain.rows, q)),
                Q,
            )
            slide = a.DenavitHartenbergRow(0.1, 0.2, 0.3, 0.4, "prismatic")
            assert_agree(
                self,
                lambda q: slide.pose(convention, float(q)).matrix(),
                lambda q: four(slide, convention, q),
                0.6,
            )

    def test_a_table_becomes_frames_and_a_table(self):
        chain = table(Convention.standard)
        frames = a.joint_frames(chain)
        last = lambda c: lambda q: (c.base * a.SE3() * c.poses(q)[-1] * c.tip).matrix()
        for other in (
            frames,
            a.denavit_hartenberg(frames, Convention.standard),
            a.denavit_hartenberg(frames, Convention.modified),
            chain.by_convention(Convention.modified),
        ):
            assert_agree(self, last(other), last(chain), Q)
        back = a.denavit_hartenberg(frames, Convention.standard).rows
        for k in range(5):
            for name in ("a", "alpha", "d", "theta"):
                self.assertAlmostEqual(getattr(back[k], name), getattr(chain.rows[k], name), 14)
        self.assertEqual(repr(chain.rows[1]), "DenavitHartenbergRow(a=0.4318, alpha=0.0, d=0.0, theta=0.0)")
        self.assertEqual(chain.rows[1].type, a.JointType.revolute)

    def test_the_built_in_puma_is_its_standard_table(self):
        model = a.Model.load("puma560")
        kinematics = a.ForwardKinematics(model)

        def last(q):
            kinematics(q, 0 * q)
            return kinematics.link_pose("link_6").matrix()

        assert_agree(self, last, lambda q: table(Convention.standard).poses(q)[-1].matrix(), Q)
        wrong = table(Convention.modified).poses(Q)[-1].matrix()
        self.assertGreater(np.abs(wrong - last(Q))[:3, 3].max(), 0.1)

    def test_the_table_of_the_puma_read_as_a_modified_one_is_off_as_the_page_says(self):
        page = (Path(__file__).resolve().parents[2] / "chapters" / "frames.md").read_text(encoding="utf-8")
        off, far = [], []
        for q in (np.zeros(6), 0.3 * np.arange(1, 7)):
            hands = [table(kind).poses(q)[-1].matrix()[:3, 3] for kind in (Convention.standard, Convention.modified)]
            off.append(f"{np.linalg.norm(hands[0] - hands[1]):.3f}")
            far.append([np.linalg.norm(hand) for hand in hands])
        self.assertEqual(re.findall(r"the hand is ([\d.]+) m from its place", page), off)
        self.assertAlmostEqual(*far[0], delta=1e-15)


class Refusals(unittest.TestCase):
    def refused(self, kind, call, *pieces):
        with self.assertRaises(kind) as caught:
            call()
        for piece in pieces:
            self.assertIn(piece, str(caught.exception))

    def test_what_cannot_be_meant(self):
        self.refused(a.SizeError, lambda: drawn_frames().poses(Q), "q has 6 entries where the model needs 5.")
        self.refused(a.SizeError, lambda: table(Convention.standard).poses(Q[:2]), "q has 2 entries")
        self.refused(a.ModelError, lambda: a.JointFrame(type="ball"), "neither turns nor slides")
        self.refused(a.Error, lambda: a.JointFrame(type="hinge"), "There is no JointType 'hinge'")
        self.refused(a.ModelError, lambda: a.JointFrame(type="prismatic", slide=[0, 0, 2]), "length 2.0")
        self.refused(a.Error, lambda: a.JointFrame(np.nan), "nan")
        self.refused(a.ModelError, lambda: a.offsets_between(a.JointFrameChain([])), "no joint")
        self.refused(a.ModelError, lambda: a.joint_frames(a.OffsetBehind([a.Twist([0, 0, 1], [0, 0, 1])])), "screw 1")
        bent = a.JointFrameChain([a.JointFrame(), a.JointFrame(d=0.4, alpha=RIGHT)])
        self.refused(
            a.ModelError,
            lambda: a.denavit_hartenberg(bent, Convention.modified),
            "joint 2 has an axis",
            "passes the x axis of the frame before at a distance of 0.4",
        )
        ball = a.DenavitHartenbergRow(type="ball")
        self.refused(
            a.ModelError, lambda: a.joint_frames(a.DenavitHartenbergChain(Convention.standard, [ball])), "row 1"
        )


if __name__ == "__main__":
    unittest.main()
