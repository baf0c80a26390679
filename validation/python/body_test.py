"""One rigid body: a cloud of points in numpy is the witness."""
import unittest

import numpy as np
from agreement import assert_agree
from group_test import Ad, ad, pose, skew

import articulate as a

DRAW = np.random.default_rng(20241)


def cloud_matrix(masses, points):
    """The integral of the 6 x 6 matrix over points, from its definition."""
    total = np.zeros((6, 6))
    for mass, r in zip(masses, points):
        reach = np.hstack([skew(r).T, np.eye(3)])  # the velocity of the point: reach @ (w, v)
        total += mass * reach.T @ reach
    return total


def draw_cloud():
    return DRAW.uniform(0.1, 2, 5), DRAW.uniform(-1, 1, (5, 3))


def two_points(half):
    """The points that integrate cubics exactly along each edge of a box."""
    at = half / np.sqrt(3)
    return np.array([[x, y, z] for x in (-at[0], at[0]) for y in (-at[1], at[1]) for z in (-at[2], at[2])])


class Body(unittest.TestCase):
    def test_a_cloud_has_the_matrix_of_its_integral(self):
        for _ in range(5):
            assert_agree(self, lambda m, r: a.Inertia.of_cloud(m, r).matrix(), cloud_matrix, *draw_cloud())

    def test_the_ten_numbers_are_those_of_the_matrix(self):
        I = a.Inertia.of_cloud(*draw_cloud())
        M = I.matrix()
        np.testing.assert_array_equal(I.second_moment, M[:3, :3])
        np.testing.assert_array_equal(skew(I.first_moment), M[:3, 3:])
        self.assertEqual(I.mass, M[3, 3])
        np.testing.assert_array_equal(a.Inertia(I.mass, I.first_moment, I.second_moment).matrix(), M)
        np.testing.assert_array_equal(eval(repr(I), vars(a)).matrix(), M)
        self.assertIs(I.first_moment.base, I)

    def test_inertia_about_the_centre_moves_to_the_origin(self):
        masses, points = draw_cloud()
        center = masses @ points / masses.sum()
        w = DRAW.uniform(-2, 2, 3)
        turned = lambda w: (points - center) @ a.exp(w).R  # the points in the axes that R turns into the body's
        assert_agree(
            self,
            lambda w: a.Inertia.about_center_of_mass(
                masses.sum(), center, cloud_matrix(masses, turned(w))[:3, :3], a.exp(w)
            ).matrix(),
            lambda w: cloud_matrix(masses, points),
            w,
        )

    def test_products_are_those_of_the_matrix(self):
        for _ in range(5):
            masses, points = draw_cloud()
            body = lambda m: a.Inertia.of_cloud(m, points)
            xi, x, y = DRAW.uniform(-1, 1, (3, 6))
            M = lambda m: cloud_matrix(m, points)
            assert_agree(self, lambda m, x: body(m) * a.to_twist(x), lambda m, x: M(m) @ x, masses, x)
            assert_agree(
                self, lambda m, x: a.kinetic_energy(body(m), a.to_twist(x)), lambda m, x: x @ M(m) @ x / 2, masses, x
            )
            assert_agree(
                self,
                lambda m, x, y: a.newton_euler(body(m), a.to_twist(x), a.to_twist(y)),
                lambda m, x, y: M(m) @ y - ad(x).T @ M(m) @ x,
                masses,
                x,
                y,
            )
            numbers = lambda I: np.array([I.mass, *I.first_moment, *I.second_moment[np.triu_indices(3)]])
            assert_agree(
                self,
                lambda m, x, y: a.body_regressor(a.to_twist(x), a.to_twist(y)) @ numbers(body(m)),
                lambda m, x, y: M(m) @ y - ad(x).T @ M(m) @ x,
                masses,
                x,
                y,
            )
            assert_agree(
                self, lambda m, x: a.coad(a.to_twist(x), body(m)).matrix(), lambda m, x: ad(x).T @ M(m) + M(m) @ ad(x), masses, x
            )
            assert_agree(
                self, lambda m, t: a.coAd(pose(t), body(m)).matrix(), lambda m, t: Ad(t).T @ M(m) @ Ad(t), masses, xi
            )
            assert_agree(self, lambda m: (body(m) + body(2 * m)).matrix(), lambda m: 3 * M(m), masses)

    def test_solids_are_their_integrals(self):
        mass, size = 2.5, np.array([0.3, 1.1, 0.7])
        assert_agree(
            self,
            lambda s: a.solid_box(mass, *s).matrix(),
            lambda s: cloud_matrix(np.full(8, mass / 8), two_points(s / 2)),
            size,
        )
        # An ellipsoid is a stretched ball, whose mean square along an axis is a fifth of the radius squared.
        assert_agree(
            self,
            lambda s: a.solid_ellipsoid(mass, *s).matrix(),
            lambda s: cloud_matrix(np.full(8, mass / 8), two_points(s * np.sqrt(3 / 5))),
            size,
        )
        # A disc's mean square along a diameter is a quarter of the radius squared.
        cylinder = lambda r, l: cloud_matrix(
            np.full(8, mass / 8), two_points(np.array([r / 2, r / 2, l / np.sqrt(12)]) * np.sqrt(3))
        )
        assert_agree(self, lambda r, l: a.solid_cylinder(mass, r, l).matrix(), cylinder, 0.2, 0.9)
        assert_agree(self, lambda l: a.thin_rod(mass, l).matrix(), lambda l: cylinder(0, l), 0.9)


class Misuse(unittest.TestCase):
    def test_what_cannot_be_meant_is_refused_in_one_sentence(self):
        for wrong, sentence in (
            (
                lambda: a.Inertia(1, [0, 0, 0], [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]),
                "A matrix that is not symmetric is given where an inertia is needed.",
            ),
            (
                lambda: a.Inertia(1, [0, 0, 0], [1, 1, 1]),
                "An array of shape (3,) is given where one of shape (3, 3) is needed.",
            ),
            (
                lambda: a.Inertia.of_cloud([1, 2], [[0, 0, 0]]),
                "An array of shape (1, 3) is given where one of shape (2, 3) is needed.",
            ),
            (lambda: a.thin_rod(float("inf"), 1), "The number inf is given where a finite one is needed."),
        ):
            with self.assertRaises(a.Error) as caught:
                wrong()
            self.assertEqual(str(caught.exception), sentence)

    def test_a_body_turns_a_twist_into_a_momentum_and_nothing_else(self):
        for wrong in (lambda: a.thin_rod(1, 1) * a.Wrench(), lambda: a.thin_rod(1, 1) * 2, lambda: a.thin_rod("1", 1)):
            with self.assertRaises(TypeError):
                wrong()


if __name__ == "__main__":
    unittest.main()
