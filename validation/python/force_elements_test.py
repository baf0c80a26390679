"""Force elements from Python: their laws, their derivatives, and what they refuse."""
import unittest

import numpy as np

import articulate as a


def pendulum(**dynamics):
    """2 kg at the end of 0.3 m, about the vertical."""
    bob = a.Link("bob", 2, [0.3, 0, 0], [0.01, 0, 0, 0.01, 0, 0.02])
    hinge = a.Joint("hinge", "continuous", "ground", "bob", **dynamics)
    return a.Model(a.Mechanism("pendulum", [a.Link("ground"), bob], [hinge]))


class ForceElements(unittest.TestCase):
    def assert_forces(self, element, q, qd, expected, t=0.0):
        found = a.ForceElements(pendulum(), [element])([q], [qd], t)
        np.testing.assert_allclose(found, [expected], rtol=1e-13, atol=1e-13)

    def test_each_element_pushes_by_its_law(self):
        self.assert_forces(a.joint_spring("s", "hinge", 4, 0.6, 0.1), 0.3, 2, -4 * 0.2 - 0.6 * 2)
        self.assert_forces(a.joint_friction("f", "hinge", 0.5, 2, 0.1), 0, 0.1, -0.05 - 2 / np.sqrt(2))
        self.assert_forces(a.applied_force("p", ("bob", [0.3, 0, 0]), [0, 5, 0], in_link=True), 0.7, 0, 1.5)
        self.assert_forces(a.applied_force("p", ("bob", [0.3, 0, 0]), [0, 5, 0]), 0.7, 0, 1.5 * np.cos(0.7))
        self.assert_forces(a.applied_joint_force("t", "hinge", [[1], [3]], [0, 1]), 0, 0, 2, t=0.5)
        self.assert_forces(a.user_law("u", lambda q, qd, t: t * qd - q**3), 2, 3, 4 * 3 - 8, t=4)
        # At right angles to the arm, with the lengths 3, 4 and 5: k (5 - 2) 4/5 on the lever 3.
        spring = a.spring_damper("s", ("", [0, 4, 0]), ("bob", [3, 0, 0]), 10, 0, 2)
        self.assert_forces(spring, 0, 0, 10 * 3 * 0.8 * 3)
        # The same triangle: GM m / 25 of 4/5, with the centre of mass at 0.3.
        far = np.hypot(0.3, 4)
        self.assert_forces(a.gravity_field("g", 7, [0, 4, 0]), 0, 0, 7 * 2 / far**2 * 4 / far * 0.3)

    def test_power_and_rotors_are_told(self):
        elements = [
            a.joint_spring("s", "hinge", 4, 0.6),
            a.rotor_inertia("r", "hinge", 0.3),
            a.rotor_inertia("gear", "hinge", 0.2),
        ]
        forces = a.ForceElements(pendulum(), elements)
        forces([0.5], [2])
        self.assertEqual((forces.potential, forces.power), (0.5, -(2 + 1.2) * 2))
        self.assertAlmostEqual(forces.supplied, -2.4, places=15)
        self.assertEqual(forces.armature.tolist(), [0.5])
        self.assertEqual([one.name for one in elements], ["s", "r", "gear"])
        self.assertEqual(repr(elements[0]), "ForceElement('s')")

    def test_jacobians_are_slopes(self):
        model = a.Model.load("ur5")
        links = [link.name for link in model.links]
        elements = [
            a.spring_damper("s", (links[2], [0.1, 0.2, 0.3]), (links[-1], [0.3, -0.1, 0.2]), 50, 7, 0.4),
            a.gravity_field("g", 3, [2, 1, 1]),
        ]
        forces = a.ForceElements(model, elements)
        q, qd, h = np.sin(np.arange(6)), np.cos(np.arange(6)), 1e-5
        by_q, by_qd = forces.jacobians(q, qd)
        for k, one in enumerate(h * np.eye(6)):
            slope = (forces(q + one, qd) - forces(q - one, qd)) / (2 * h)
            np.testing.assert_allclose(by_q[:, k], slope, atol=1e-7 * abs(by_q).max())
            slope = (forces(q, qd + one) - forces(q, qd - one)) / (2 * h)
            np.testing.assert_allclose(by_qd[:, k], slope, atol=1e-7 * abs(by_q).max())

    def test_what_joints_say_becomes_elements(self):
        model = pendulum(damping=0.7, friction=0.2, armature=0.05)
        self.assertEqual(a.joint_dynamics(model), [])
        elements = a.joint_dynamics(model, damping=True, friction=True, armature=True, width=0.25)
        self.assertEqual([one.name for one in elements], ["hinge.damping", "hinge.friction", "hinge.armature"])
        np.testing.assert_allclose(a.ForceElements(model, elements)([0], [0.25]), [-0.175 - 0.2 / np.sqrt(2)])

    def test_what_cannot_be_meant_is_refused(self):
        with self.assertRaisesRegex(a.ModelError, "'s'.*'elbow'"):
            a.ForceElements(pendulum(), [a.joint_spring("s", "elbow", 1)])
        law = a.ForceElements(pendulum(), [a.user_law("u", lambda q, qd, t: [1, 2])])
        with self.assertRaisesRegex(a.StateError, "force.*2 entries"):
            law([0], [0])
        with self.assertRaisesRegex(a.StateError, "'u'.*derivatives"):
            a.ForceElements(pendulum(), [a.user_law("u", lambda q, qd, t: q)]).jacobians([0], [0])
        with self.assertRaisesRegex(ZeroDivisionError, "division"):
            a.ForceElements(pendulum(), [a.user_law("u", lambda q, qd, t: 1 / 0)])([0], [0])
        with self.assertRaisesRegex(a.SizeError, "q has 2 entries"):
            law([0, 1], [0])


if __name__ == "__main__":
    unittest.main()
