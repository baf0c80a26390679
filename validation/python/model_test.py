"""Mechanisms, models, states and kinematics: descriptions made in Python, laws, and the sentences of refusals."""
import math
import pathlib
import pickle
import tempfile
import unittest

import derivatives_test
import numpy as np
from agreement import assert_agree

import articulate as a

MODELS = pathlib.Path(__file__).parent.parent / "models"


def pendulum(**options):
    """A point of 2 kg, 0.5 m below a hinge about y that stands 1 m above the ground."""
    link = a.Link("bob", mass=2, center_of_mass=[0, 0, -0.5])
    hinge = a.Joint("hinge", "revolute", "ground", "bob", position=[0, 0, 1], axis=[0, 1, 0])
    return a.Mechanism("pendulum", links=[a.Link("ground"), link], joints=[hinge], **options)


class Descriptions(unittest.TestCase):
    def test_a_mechanism_made_in_python_swings(self):
        model = a.Model(pendulum())
        for q in (0.0, 0.4, 2.0):
            k = a.ForwardKinematics(model)
            k([q], [3.0])
            assert_agree(
                self,
                lambda q: (k([q], [3.0]), k.center_of_mass())[1],
                lambda q: [-0.5 * math.sin(q), 0, 1 - 0.5 * math.cos(q)],
                q,
            )
            self.assertAlmostEqual(k.kinetic_energy(), 0.5 * 2 * (0.5 * 3) ** 2, delta=600 * 2**-53 * 2.25)
            assert_agree(
                self,
                lambda q: (k([q], [3.0]), k.potential_energy())[1],
                lambda q: 2 * 9.81 * (1 - 0.5 * math.cos(q)),
                q,
            )
            self.assertEqual(k.mass(), 2)
            self.assertEqual(k.potential_energy([0, 0, 0]), 0)

    def test_its_parts_can_be_read_and_changed(self):
        m = pendulum(gravity=[0, 1, -9])
        link, hinge = m.links[1], m.joints[0]
        self.assertEqual((m.name, m.source, m.warnings), ("pendulum", "pendulum", []))
        self.assertEqual((link.name, link.mass, list(link.center_of_mass)), ("bob", 2, [0, 0, -0.5]))
        self.assertEqual((list(link.inertia), list(link.inertial_quaternion)), ([0] * 6, [0, 0, 0, 1]))
        self.assertEqual(
            (hinge.name, hinge.type, hinge.parent, hinge.child, hinge.pitch),
            ("hinge", a.JointType.revolute, "ground", "bob", 0),
        )
        self.assertEqual(
            [list(x) for x in (hinge.position, hinge.quaternion, hinge.axis)], [[0, 0, 1], [0, 0, 0, 1], [0, 1, 0]]
        )
        self.assertEqual(list(m.gravity), [0, 1, -9])
        link.mass, link.center_of_mass, link.inertia = 3, [0, 0, -1], np.diag([1, 2, 2])
        link.inertial_quaternion, hinge.type, hinge.pitch = [0, 0, 1, 0], "helical", 0.5
        hinge.position, hinge.quaternion, hinge.axis, m.gravity = [1, 1, 1], [1, 0, 0, 0], [2, 0, 0], [0, 0, -1]
        m.source, m.name, hinge.name, link.name, hinge.child, hinge.parent = (
            "here",
            "new",
            "screw",
            "tip",
            "tip",
            "base",
        )
        m.links[0] = a.Link("base")
        m.links.append(a.Link("hand", 1, inertia=[1, 0, 0, 1, 0, 1]))
        m.joints.append(a.Joint("wrist", a.JointType.ball, "tip", "hand"))
        model = a.Model(m, floating_base=False)
        self.assertEqual((model.nq, model.nv, model.bodies), (5, 4, 2))
        self.assertEqual((model.body(1).I.mass, model.body(1).slide), (3, 0.5))
        self.assertEqual(list(model.gravity), [0, 0, -1])
        again = model.mechanism
        self.assertEqual([l.name for l in again.links], ["base", "tip", "hand"])
        self.assertEqual(
            [(j.name, j.type.name, j.parent, j.child) for j in again.joints],
            [("screw", "helical", "base", "tip"), ("wrist", "ball", "tip", "hand")],
        )
        np.testing.assert_array_equal(again.links[1].inertia, [1, 0, 0, 2, 0, 2])
        self.assertEqual(repr(again), "Mechanism('new', 3 links, 2 joints)")
        self.assertEqual(repr(link) + repr(hinge), "Link('tip', mass=3.0)Joint('screw', 'helical', 'base', 'tip')")

    def test_a_link_outlives_its_list(self):
        m = pendulum()
        link = m.links[1]
        m.links = [a.Link(str(k)) for k in range(1000)]
        m.joints = []
        self.assertEqual((link.name, link.mass), ("bob", 2))

    def test_files_and_texts_are_read_alike(self):
        path = MODELS / "ur5.urdf"
        for m in (
            a.read_urdf(path),
            a.read_urdf(str(path)),
            a.parse_urdf(path.read_text(), "ur5"),
            a.parse_urdf(path.read_text()),
        ):
            self.assertEqual([l.name for l in m.links], [l.name for l in a.built_in_model("ur5").links])

    def test_a_mechanism_is_written_and_read_in_either_format(self):
        m = pendulum()
        for text, read in (a.urdf_text(m), a.parse_urdf), (a.mjcf_text(m), a.parse_mjcf):
            for again in read(text), a.parse_robot(text, "mine"):
                self.assertEqual([(l.name, l.mass) for l in again.links], [(l.name, l.mass) for l in m.links])
                self.assertEqual([j.name for j in again.joints], [j.name for j in m.joints])
            model = a.Model.parse(text, "mine", floating_base=read == a.parse_urdf)
            self.assertEqual((model.mechanism.source, model.floating_base), ("mine", read == a.parse_urdf))
        for floats in a.urdf_text(m, floating_base=True), a.mjcf_text(m, floating_base=True):
            self.assertIn("floating_base", floats)
            for given, found in (None, True), (True, True), (False, False):
                model = a.Model.parse(floats, "mine", floating_base=given)
                self.assertEqual((model.floating_base, model.nv), (found, a.Model(m).nv + 6 * found))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "robot.xml"
            a.write_urdf(path, m, floating_base=True)
            self.assertEqual(path.read_text(), a.urdf_text(m, floating_base=True))
            self.assertEqual(a.Model.load(path).nv, a.Model(m).nv + 6)
            a.write_mjcf(path, m)
            self.assertEqual(path.read_text(), a.mjcf_text(m))
            self.assertEqual(a.Model.load(path).nv, a.Model(m).nv)
            for read in a.read_mjcf, a.read_robot:
                self.assertEqual(read(path).source, str(path))
        for refused in lambda: a.Model.parse("<robot/>", "mine"), lambda: a.parse_mjcf("<mujoco/>", "mine"):
            with self.assertRaisesRegex(a.ModelError, "^mine: "):
                refused()
        with self.assertRaisesRegex(a.ModelError, "helical"):
            a.mjcf_text(a.built_in_model("screw_arm"))
        m.joints[0].lower = m.joints[0].upper = 0.5
        with self.assertWarnsRegex(RuntimeWarning, "two equal limits, 0.5"):
            self.assertNotIn("range", a.mjcf_text(m))
        with self.assertRaisesRegex(a.ModelError, "Model.parse"):
            a.Model.load("-")

    def test_every_built_in_model_loads_as_the_command_line_does(self):
        models = a.built_in_models()
        self.assertGreaterEqual(len(models), 18)
        for entry in models:
            name, summary, floats = entry
            self.assertEqual((name, summary, floats), (entry.name, entry.summary, entry.floating_base))
            self.assertEqual(a.Model.load(name).floating_base, floats)
            self.assertFalse(a.Model.load(name, floating_base=False).floating_base)
            self.assertTrue(a.Model.load(name, floating_base=True).floating_base)
        self.assertEqual(a.Model.load(MODELS / "ur5.urdf").nv, 6)
        self.assertEqual(a.Model.load("planar_arm:7").nv, 7)


class Models(unittest.TestCase):
    def test_it_says_where_everything_is(self):
        model = a.Model.load("every_joint", floating_base=True)
        q = v = 0
        for joint in model.joints:
            body = model.body(joint.body)
            self.assertEqual((joint.q, joint.v), (q, v), joint.name)
            self.assertEqual((joint.nq, joint.nv, joint.q, joint.v), (body.nq, body.nv, body.q, body.v))
            self.assertLess(body.parent, body.index)
            q, v = q + joint.nq, v + joint.nv
        self.assertEqual((q, v, len(model.joints)), (model.nq, model.nv, model.bodies))
        self.assertEqual((model.joints[0].type, model.body(1).kind), (a.JointType.floating, a.JointKind.free))
        self.assertEqual(
            {model.body(i).kind.name for i in range(1, model.bodies + 1)}, {"screw", "chart", "ball", "free"}
        )
        self.assertEqual({j.type.name for j in model.joints}, set(a.JointType.__members__) - {"fixed"})
        self.assertTrue(any(model.body(i).turn == 1 and model.body(i).M.p.any() for i in range(1, model.bodies + 1)))
        for link in model.links:
            self.assertEqual(model.link(link.name).body, link.body)
            self.assertEqual(link.X.matrix().shape, (4, 4))
        for part in (model, model.joints[0], model.links[0], model.body(1)):
            self.assertIn(type(part).__name__, repr(part))
        self.assertTrue(any("ignored" in w or "damping" in w for w in a.Model.load("mimic_hand").warnings))

    def test_what_a_joint_says_of_its_own_dynamics_is_kept_and_ignored(self):
        joint = a.Joint("hinge", "continuous", "ground", "bob", damping=0.1, friction=0.2)
        joint.armature = 0.3
        self.assertEqual((joint.lower, joint.upper), (-math.inf, math.inf))
        joint.lower, joint.upper = -0.5, 1.5
        again = pickle.loads(pickle.dumps(joint))
        self.assertEqual((again.damping, again.friction, again.armature), (0.1, 0.2, 0.3))
        self.assertEqual((again.lower, again.upper), (-0.5, 1.5))
        machine = a.Mechanism("machine", [a.Link("ground"), a.Link("bob", 1, inertia=[1, 0, 0, 1, 0, 1])], [joint])
        (warning,) = a.Model(machine).warnings
        self.assertEqual(warning, "damping, friction and armature of joint 'hinge' are ignored.")
        joint.damping = joint.friction = 0
        machine = a.Mechanism("machine", [a.Link("ground"), a.Link("bob", 1, inertia=[1, 0, 0, 1, 0, 1])], [joint])
        self.assertEqual(a.Model(machine).warnings, ["armature of joint 'hinge' is ignored."])

    def test_parts_keep_their_model_alive(self):
        body, link = a.Model.load("ur5").body(3), a.Model.load("ur5").link("wrist_3_link")
        scratch = [a.Model.load("park_2r") for _ in range(50)]
        self.assertEqual((body.index, link.name, len(scratch)), (3, "wrist_3_link", 50))

    def test_zero_coordinates_are_the_drawing(self):
        model = a.Model.load("every_joint", floating_base=True)
        q = model.zero_coordinates()
        self.assertEqual((q.shape, q.sum()), ((model.nq,), sum(j.nq > j.nv for j in model.joints)))

    def test_displaced_follows_the_twist_of_a_free_joint(self):
        model = a.Model.load("drone_arm", floating_base=True)
        s = a.random_state(model, 4)
        k = a.ForwardKinematics(model)

        def moved(q, delta):
            k(a.displaced(model, q, delta), np.zeros(model.nv))
            return k.pose(1).matrix()

        def witness(q, delta):
            k(q, np.zeros(model.nv))
            return (k.pose(1) * a.exp(a.to_twist(delta[:6]))).matrix()

        assert_agree(self, moved, witness, s.q, s.qd)

    def test_states_are_drawn_from_their_seed(self):
        model = a.Model.load("every_joint")
        s, again, other = (a.random_state(model, seed) for seed in (7, 7, 8))
        for x in ("q", "qd", "qdd", "tau", "gravity"):
            np.testing.assert_array_equal(getattr(s, x), getattr(again, x))
            self.assertTrue((getattr(s, x) != getattr(other, x)).any())
        self.assertEqual((s.q.shape, s.qd.shape, s.qdd.shape, s.tau.shape), ((model.nq,), *[(model.nv,)] * 3))
        self.assertEqual(set(s.Fext), {link.name for link in model.links})
        strength = np.linalg.norm(model.gravity)
        self.assertAlmostEqual(np.linalg.norm(s.gravity), strength, delta=600 * 2**-53 * strength)
        for joint in model.joints:
            if joint.nq > joint.nv:
                x = s.q[joint.q + joint.nq - 4 : joint.q + joint.nq]
                self.assertAlmostEqual(np.linalg.norm(x), 1, delta=600 * 2**-53)


class Kinematics(unittest.TestCase):
    def setUp(self):
        self.model = a.Model.load("every_joint", floating_base=True)
        self.state = a.random_state(self.model, 11)
        self.k = a.ForwardKinematics(self.model)

    def at(self, result):
        def run(q, qd):
            self.k(q, qd)
            return result(self.k)

        return run

    def compare(self, library, witness):
        assert_agree(self, self.at(library), self.at(witness), self.state.q, self.state.qd)

    def test_poses_are_products_along_the_tree(self):
        def product(k, i):
            return np.eye(4) if i == 0 else product(k, self.model.body(i).parent) @ k.T[i].matrix()

        self.compare(
            lambda k: [T.matrix() for T in k.poses], lambda k: [product(k, i) for i in range(self.model.bodies + 1)]
        )
        self.compare(lambda k: [k.pose(i).matrix() for i in range(3)], lambda k: [product(k, i) for i in range(3)])

    def test_twists_are_jacobians_times_rates(self):
        for link in self.model.links:
            self.compare(lambda k: k.link_twist(link.name), lambda k: k.link_jacobian(link.name) @ self.state.qd)
            self.compare(
                lambda k: k.link_pose(link.name).matrix(), lambda k: k.poses[link.body].matrix() @ link.X.matrix()
            )

    def test_jacobians_in_other_frames_are_those_of_the_link_carried_there(self):
        for link in self.model.links:

            def carried(k, frame):
                X = k.link_pose(link.name)
                return a.Ad_matrix(X if frame == "world" else a.SE3(X.R)) @ k.link_jacobian(link.name)

            for frame in ("world", "mixed"):
                named = getattr(a.JacobianFrame, frame)
                self.compare(lambda k: k.link_jacobian(link.name, named), lambda k: carried(k, frame))

    def test_rates_of_jacobians_are_exact_differences(self):
        """Of all joints but the helical one, whose entries are no trigonometric polynomials; it stands still."""
        rules = derivatives_test.Jacobians.rules(self.model, self.state)
        qd = self.state.qd * [k in rules for k in range(self.model.nv)]
        e = np.eye(self.model.nv)

        def library(read, frame):
            return lambda q, qd: (self.k(q, qd), [read(link.name, qd, frame) for link in self.model.links])[1]

        for frame in a.JacobianFrame.__members__.values():
            jacobians = library(lambda name, qd, frame: self.k.link_jacobian(name, frame), frame)

            def witness(q, qd):
                column = lambda k: rules[k](lambda p: np.array(jacobians(a.displaced(self.model, q, p * e[k]), qd)))
                return sum(qd[k] * column(k) for k in rules)

            assert_agree(self, library(self.k.link_jacobian_rate, frame), witness, self.state.q, qd)

    def test_sums_are_over_the_bodies(self):
        def inertias():
            return [(i, self.model.body(i).I) for i in range(1, self.model.bodies + 1)]

        def moment(k):
            return sum(k.poses[i].R @ I.first_moment + I.mass * k.poses[i].p for i, I in inertias())

        mass = sum(I.mass for _, I in inertias())
        self.compare(lambda k: k.mass(), lambda k: mass)
        self.compare(lambda k: k.center_of_mass(), lambda k: moment(k) / mass)
        self.compare(
            lambda k: k.kinetic_energy(), lambda k: sum(k.V[i] @ I.matrix() @ k.V[i] / 2 for i, I in inertias())
        )
        self.compare(lambda k: k.potential_energy([1, 2, 3]), lambda k: -np.array([1, 2, 3]) @ moment(k))
        self.compare(
            lambda k: k.momentum(),
            lambda k: sum(np.linalg.inv(a.Ad_matrix(k.poses[i])).T @ I.matrix() @ k.V[i] for i, I in inertias()),
        )


class Misuse(unittest.TestCase):
    def refused(self, kind, wrong, sentence):
        with self.assertRaises(kind) as caught:
            wrong()
        self.assertIs(type(caught.exception), kind)
        self.assertEqual(str(caught.exception), sentence)

    def test_exceptions_stand_below_each_other_as_in_the_library(self):
        self.assertEqual(a.SizeError.__mro__[1:4], (a.StateError, a.Error, ValueError))
        self.assertEqual(a.ModelError.__mro__[1:3], (a.Error, ValueError))
        self.assertEqual(a.SizeError.__module__, "articulate")

    def test_a_model_that_cannot_be_meant(self):
        def changed(change):
            m = pendulum()
            change(m)
            return lambda: a.Model(m)

        self.refused(
            a.ModelError,
            lambda: a.Model(a.Mechanism("nothing")),
            "nothing: the mechanism has no link; it needs at least one.",
        )
        self.refused(
            a.ModelError,
            changed(lambda m: setattr(m.links[1], "mass", -1)),
            "pendulum: link 'bob' has a negative mass; a mass is zero or more.",
        )
        self.refused(
            a.ModelError,
            changed(lambda m: setattr(m.joints[0], "axis", [0, 0, 0])),
            "pendulum: joint 'hinge' has the axis 0 0 0; a turning joint needs a direction of non-zero length.",
        )
        self.refused(
            a.Error,
            lambda: a.Joint("j", "elastic", "a", "b"),
            "There is no JointType 'elastic'; there are fixed, revolute, continuous, prismatic, helical, universal, "
            "cylindrical, planar, euler_ball, euler_free, ball, floating.",
        )
        self.refused(a.ModelError, lambda: a.Model.load("no.urdf"), "no.urdf: there is no such file.")
        for name in "\udcff.urdf", pathlib.Path("\udcff.urdf"):  # a byte that is no UTF-8, as os.fsdecode has it
            self.refused(a.ModelError, lambda: a.Model.load(name), "\udcff.urdf: there is no such file.")
        with self.assertRaisesRegex(a.ModelError, "There is no built-in model 'ur6'"):
            a.built_in_model("ur6")
        with self.assertRaisesRegex(a.ModelError, "^nonsense: "):
            a.parse_urdf("<robot", "nonsense")
        m = pendulum()
        m.links[1].inertia = [1, 0, 0, 1, 0, 9]
        with self.assertRaisesRegex(a.ModelError, "an inertia that no mass distribution has"):
            a.Model(m)
        self.assertEqual(len(a.Model(m, accept_unphysical=True).warnings), 1)

    def test_arguments_of_the_wrong_kind(self):
        m = pendulum()
        m.links.append("bob")
        with self.assertRaisesRegex(TypeError, "The list links holds 'bob' where a Link is needed"):
            a.Model(m)
        for wrong in (
            lambda: a.Model("ur5"),
            lambda: a.Link(3),
            lambda: a.Joint("j", 3, "a", "b"),
            lambda: a.Body(),
            lambda: a.Model.load(3),
            lambda: a.random_state(a.Model.load("ur5"), -1),
        ):
            with self.assertRaises(TypeError):
                wrong()
        self.refused(
            a.Error, lambda: a.Link("l", mass=math.nan), "The number nan is given where a finite one is needed."
        )
        self.refused(
            a.Error,
            lambda: setattr(m.joints[0], "axis", [0, 1]),
            "An array of shape (2,) is given where one of shape (3,) is needed.",
        )

    def test_arguments_that_do_not_fit_the_model(self):
        model = a.Model.load("park_2r")
        k = a.ForwardKinematics(model)
        self.refused(a.SizeError, lambda: k([1], [0, 0]), "q has 1 entry where the model needs 2.")
        self.refused(a.SizeError, lambda: k([1, 2], []), "qd has 0 entries where the model needs 2.")
        self.refused(a.StateError, lambda: k([[1, 2]], [0, 0]), "q has the shape (1, 2) where the model needs (2,).")
        self.refused(a.StateError, lambda: k([1, 2], [0, math.inf]), "qd[1] is inf where a finite number is needed.")
        self.refused(
            a.SizeError, lambda: a.displaced(model, [1, 2], [1]), "delta has 1 entry where the model needs 2."
        )
        self.refused(a.StateError, lambda: k.link_pose("tail"), "park_2r: there is no link 'tail'.")
        self.refused(a.StateError, lambda: model.link("tail"), "park_2r: there is no link 'tail'.")
        for i in (-1, 3):
            for wrong in (lambda: model.body(i), lambda: k.pose(i)):
                self.refused(IndexError, wrong, f"There is no body {i}; the model has the world, 0, and bodies 1 to 2.")
        post = a.Model(a.Mechanism("post", [a.Link("post", 1)]))
        k = a.ForwardKinematics(post)
        k([], [])
        self.refused(a.StateError, k.center_of_mass, "post: no mass moves, so there is no centre of mass.")


if __name__ == "__main__":
    unittest.main()
