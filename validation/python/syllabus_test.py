"""The answers to the questions of the syllabus: each number that it prints is the library's, rounded to what is printed."""
import re
import unittest
from pathlib import Path

import numpy as np

import articulate as a

SOURCE = Path(__file__).resolve().parents[2]
TEXT = (SOURCE / "chapters" / "syllabus.md").read_text(encoding="utf-8")
ARM = a.Model.load(str(SOURCE / "docs" / "tutorials" / "two_points.urdf"))
NUMBER = r"\{?(-?\d+(?:\.\d+)?(?:/\d+)?)\}?"
MATRIX = r"\\begin\{bmatrix\} *" + NUMBER + r" *& *" + NUMBER + r" *\\\\ *" + NUMBER + r" *& *" + NUMBER + r" *\\end\{bmatrix\}"
X, Y, Z = np.eye(3)


def weeks():
    """{number: the question with its answer}"""
    parts = re.split(r"^### (\d+)\. ", TEXT.split("## In six weeks")[0], flags=re.MULTILINE)
    return {int(number): text.split("*The question:*")[1] for number, text in zip(parts[1::2], parts[2::2])}


def value(text):
    numerator, _, denominator = text.partition("/")
    return float(numerator) / float(denominator or 1)


def rate_of_mass_matrix(q, qd):
    metric = a.InertiaMetric(ARM)
    metric(q)
    return np.array([[sum(metric.dm(i, j, k) * qd[k] for k in range(2)) for j in range(2)] for i in range(2)])


class Syllabus(unittest.TestCase):
    def says(self, week, *texts):
        """The week's answer holds each text with the numbers in place of @, in this order."""
        answer = weeks()[week].split("*Answer:*")[1]
        for text, *numbers in texts:
            found = re.search(re.escape(text).replace("@", NUMBER), answer)
            self.assertIsNotNone(found, f"week {week} does not say: {text}")
            self.assertEqual(len(found.groups()), len(numbers), text)
            for printed, number in zip(found.groups(), numbers):
                digits = len(printed.partition(".")[2])
                within = 0.5 * 10.0**-digits if digits else 1e-9
                self.assertLessEqual(abs(value(printed) - number), within, f"week {week}: {text}")

    def test_every_week_has_a_question(self):
        self.assertEqual(list(weeks()), list(range(1, 13)))

    def test_1_the_wheel(self):
        at_hub = a.Twist(10 * Y, 3 * X)  # rolls along x, z is up
        at_ground = a.AdInv(a.SE3(a.SO3(), -0.3 * Z), at_hub)
        self.says(1, ("@ m/s and @. The angular half, @ rad/s,", 3, np.linalg.norm(at_ground.v), np.linalg.norm(at_ground.w)))

    def test_2_two_quarter_turns(self):
        quarter = np.pi / 2
        turned = a.log(a.exp(quarter * X) * a.exp(quarter * Y))
        summed = a.log(a.exp(quarter * (X + Y)))
        np.testing.assert_allclose(turned / turned[0], [1, 1, 1], rtol=1e-12)
        np.testing.assert_allclose(summed / summed[0], [1, 1, 0], atol=1e-12)
        angles = np.degrees([np.linalg.norm(turned), np.linalg.norm(summed)])
        self.says(2, (r"through @ degrees about \f$(1,1,1)\f$.", angles[0]), (r"by @ degrees about \f$(1,1,0)\f$.", angles[1]))

    def test_3_no_moment(self):
        I = a.Inertia(1, np.zeros(3), np.diag([1.0, 2.0, 3.0]))
        V = a.Twist([1, 1, 1], [0, 0, 0])
        rate = np.linalg.solve(I.matrix(), a.coordinates(a.coad(V, I * V)))
        self.says(3, (r"\f$(@, @, @)\f$ rad/s²", *rate[:3]))

    def test_4_the_spatial_twist(self):
        at = a.ForwardKinematics(ARM)
        at(np.zeros(2), np.array([1.0, 0]))
        spatial = a.Ad(at.pose(2), a.Twist(*np.split(at.V[2], 2)))
        self.assertIn(r"\f$v\f$ is zero", weeks()[4])
        np.testing.assert_allclose(spatial.v, 0, atol=1e-15)
        hand = at.pose(2).p + at.pose(2).R @ X
        velocity = np.array(spatial.v) + np.cross(spatial.w, hand)
        self.says(4, ("it moves at @ m/s along y", velocity[1]))

    def test_5_an_accelerometer(self):
        at = a.InverseDynamics(ARM)
        at.set_gravity(-9.81 * Z)
        at(np.array([0.3, 0.4]), np.zeros(2), np.zeros(2))
        for i in (1, 2):
            np.testing.assert_allclose(at.Vdot[i][3:], 9.81 * Z, atol=1e-14)  # z is the axis of both hinges
        self.says(5, ("upward at @ m/s²", 9.81))

    def test_6_the_loose_elbow(self):
        straight, still = np.zeros(2), np.zeros(2)
        flat = a.read_robot(str(SOURCE / "docs" / "tutorials" / "two_points.urdf"))  # gravity is along its axes: a table
        loose = a.forward_dynamics(a.Model(flat), straight, still, np.array([1.0, 0]))[0]
        locked = 1 / a.mass_matrix(ARM, straight)[0, 0]
        self.says(6, ("@ rad/s² and @ rad/s².", loose, locked))
        self.assertAlmostEqual(loose / locked, 5, delta=1e-12)

    def test_8_columns(self):
        drone = a.Model(a.built_in_model("drone_arm"), floating_base=True)
        arm = drone.nv - 6
        self.assertEqual(drone.nq, drone.nv + 1)
        self.assertEqual(arm, 4)
        self.says(8, ("Ten, one for each direction",), ("`q` has eleven numbers",))
        self.assertEqual((drone.nv, drone.nq), (10, 11))

    def test_9_and_10_the_arm_in_motion(self):
        q, qd = np.array([0.3, np.pi / 2]), np.array([1.0, 2.0])
        M_rate = rate_of_mass_matrix(q, qd)
        force = a.coriolis_force(ARM, q, qd)
        rates = M_rate @ qd
        for text, numbers in ((r"\f$(@, @)\f$ and", rates), (r"and \f$(@, @)\f$ N m", force),
                              (r"here \f$(@, @)\f$", rates - force)):
            answer = weeks()[9].split("*Answer:*")[1]
            printed = re.search(re.escape(text).replace("@", NUMBER), answer)
            np.testing.assert_allclose([float(x) for x in printed.groups()], numbers, atol=1e-12)
        question, answer = weeks()[10].split("*Answer:*")
        candidates = [np.array(found, dtype=float).reshape(2, 2) for found in re.findall(MATRIX, question)]
        self.assertEqual(len(candidates), 3)
        for C in candidates:
            np.testing.assert_allclose(C @ qd, force, atol=1e-12)
        asymmetry = [np.abs((M_rate - 2 * C) + (M_rate - 2 * C).T).max() for C in candidates]
        self.assertLess(asymmetry[0], 1e-12)
        self.assertGreater(min(asymmetry[1:]), 1)
        self.assertIn("the first alone", answer)


if __name__ == "__main__":
    unittest.main()
