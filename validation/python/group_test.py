"""Poses, rotations, twists and wrenches: numpy's matrices are the witness, and the laws of a group."""
import math
import unittest

import numpy as np
from agreement import assert_agree

import articulate as a

DRAW = np.random.default_rng(20240)
# Rotation vectors at the identity, near it, at random, and near half a turn on both sides.
AXIS = np.array([0.48, -0.6, 0.64])
TURNS = [np.zeros(3), 1e-8 * AXIS, *DRAW.uniform(-1.7, 1.7, (5, 3)), (math.pi - 1e-6) * AXIS, (math.pi + 1e-6) * AXIS]
TWISTS = [np.concatenate([w, DRAW.uniform(-2, 2, 3)]) for w in TURNS]


def skew(w):
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def hat(x):
    H = np.zeros((4, 4))
    H[:3, :3], H[:3, 3] = skew(x[:3]), x[3:]
    return H


def ad(x):
    return np.block([[skew(x[:3]), np.zeros((3, 3))], [skew(x[3:]), skew(x[:3])]])


def expm(A):
    """The exponential of a matrix: its series at A / 2^10, squared ten times."""
    term = total = np.eye(len(A))
    for k in range(1, 20):
        term = term @ A / (1024 * k)
        total = total + term
    for _ in range(10):
        total = total @ total
    return total


def dexp(A, x):
    """Sum of (-A)^k x / (k + 1)!"""
    term, total = x, x
    for k in range(1, 60):
        term = -A @ term / (k + 1)
        total = total + term
    return total


def Ad(xi):
    H = expm(hat(xi))
    R = H[:3, :3]
    return np.block([[R, np.zeros((3, 3))], [skew(H[:3, 3]) @ R, R]])


def pose(xi):
    return a.exp(a.to_twist(xi))


class Exponentials(unittest.TestCase):
    def test_exp_is_the_exponential_of_the_matrix(self):
        for xi in TWISTS:
            assert_agree(self, lambda w: a.exp(w).R, lambda w: expm(skew(w)), xi[:3])
            assert_agree(self, lambda x: pose(x).matrix(), lambda x: expm(hat(x)), xi)

    def test_a_screw_moves_by_its_angle(self):
        for screw in (np.array([*AXIS, 0.3, -2, 1]), np.array([0, 0, 0, 1, 2, -3.0])):
            for q in (0.0, 1e-8, 0.7, 3.1, -20.0):
                assert_agree(
                    self, lambda x, q: a.exp(a.to_twist(x), q).matrix(), lambda x, q: expm(hat(x) * q), screw, q
                )

    def test_log_undoes_exp_up_to_half_a_turn(self):
        for xi in TWISTS[:-1]:
            assert_agree(self, lambda w: a.log(a.exp(w)), lambda w: w, xi[:3])
            assert_agree(self, lambda x: a.log(pose(x)), lambda x: x, xi)

    def test_beyond_half_a_turn_log_takes_the_short_way(self):
        assert_agree(self, lambda w: a.log(a.exp(w)), lambda w: w - 2 * math.pi * w / np.linalg.norm(w), TURNS[-1])

    def test_dexp_is_its_series(self):
        for xi in TWISTS:
            rate = DRAW.uniform(-1, 1, 6)
            assert_agree(self, a.dexp, lambda w, r: dexp(skew(w), r), xi[:3], rate[:3])
            assert_agree(self, lambda x, r: a.dexp(a.to_twist(x), a.to_twist(r)), lambda x, r: dexp(ad(x), r), xi, rate)

    def test_a_quaternion_is_its_rotation(self):
        for w in TURNS:
            q = a.quaternion(a.exp(w))
            self.assertGreaterEqual(q[3], 0)
            half = np.linalg.norm(w) / 2
            if 0 < half < math.pi / 2:
                assert_agree(
                    self,
                    lambda w: a.quaternion(a.exp(w)),
                    lambda w: np.array([*(math.sin(half) / (2 * half) * w), math.cos(half)]),
                    w,
                )
            assert_agree(self, lambda w: a.SO3.from_quaternion(-3 * q).R, lambda w: expm(skew(w)), w)
            for size in (1e-200, 1e160):
                assert_agree(self, lambda w: a.SO3.from_quaternion(size * q).R, lambda w: expm(skew(w)), w)


class Actions(unittest.TestCase):
    def test_adjoints_are_their_matrices(self):
        for xi in TWISTS:
            x = DRAW.uniform(-1, 1, 6)
            assert_agree(self, lambda t, x: a.Ad(pose(t), a.to_twist(x)), lambda t, x: Ad(t) @ x, xi, x)
            assert_agree(
                self, lambda t, x: a.AdInv(pose(t), a.to_twist(x)), lambda t, x: np.linalg.inv(Ad(t)) @ x, xi, x
            )
            assert_agree(self, lambda t, x: a.coAd(pose(t), a.to_wrench(x)), lambda t, x: Ad(t).T @ x, xi, x)
            assert_agree(
                self, lambda t, x: a.coAdInv(pose(t), a.to_wrench(x)), lambda t, x: np.linalg.inv(Ad(t)).T @ x, xi, x
            )
            assert_agree(self, lambda t, x: a.ad(a.to_twist(t), a.to_twist(x)), lambda t, x: ad(t) @ x, xi, x)
            assert_agree(self, lambda t, x: a.coad(a.to_twist(t), a.to_wrench(x)), lambda t, x: ad(t).T @ x, xi, x)
            assert_agree(self, lambda t: a.Ad_matrix(pose(t)), Ad, xi)
            np.testing.assert_array_equal(a.ad_matrix(a.to_twist(xi)), ad(xi))
            np.testing.assert_array_equal(a.hat(a.to_twist(xi)), hat(xi))
            np.testing.assert_array_equal(a.skew(xi[:3]), skew(xi[:3]))
            np.testing.assert_array_equal(a.coordinates(a.vee(hat(xi))), xi)

    def test_poses_multiply_as_their_matrices(self):
        for s, t in zip(TWISTS, TWISTS[::-1]):
            r = DRAW.uniform(-1, 1, 3)
            assert_agree(
                self, lambda s, t: (pose(s) * pose(t)).matrix(), lambda s, t: expm(hat(s)) @ expm(hat(t)), s, t
            )
            assert_agree(self, lambda s, r: pose(s) * r, lambda s, r: (expm(hat(s)) @ [*r, 1])[:3], s, r)
            assert_agree(self, lambda s: a.inverse(pose(s)).matrix(), lambda s: expm(-hat(s)), s)
            assert_agree(
                self, lambda v, w: (a.exp(v) * a.exp(w)).R, lambda v, w: expm(skew(v)) @ expm(skew(w)), s[:3], t[:3]
            )
            assert_agree(self, lambda w, r: a.exp(w) * r, lambda w, r: expm(skew(w)) @ r, s[:3], r)
            np.testing.assert_array_equal(a.inverse(a.exp(s[:3])).R, a.exp(s[:3]).R.T)

    def test_power_does_not_depend_on_the_frame(self):
        for xi in TWISTS:
            x, f = DRAW.uniform(-1, 1, (2, 6))
            terms = np.abs(f) @ np.abs(x)  # beside the sum, for it may cancel
            moved = lambda t, x, f: a.pairing(a.coAdInv(pose(t), a.to_wrench(f)), a.Ad(pose(t), a.to_twist(x)))
            assert_agree(self, lambda *s: [moved(*s), terms], lambda t, x, f: [f @ x, terms], xi, x, f)

    def test_a_force_has_the_moment_of_its_arm(self):
        F = a.wrench_of_force([1, 2, 3], [4, 5, 6])
        np.testing.assert_array_equal(a.coordinates(F), [-3, 6, -3, 4, 5, 6])


class Values(unittest.TestCase):
    def test_a_pose_is_the_identity_unless_told(self):
        np.testing.assert_array_equal(a.SE3().matrix(), np.eye(4))
        np.testing.assert_array_equal(a.SO3().R, np.eye(3))
        turned = a.exp([0, 0, 1.0])
        for T in (a.SE3(turned, [1, 2, 3]), a.SE3(turned.R, [1, 2, 3]), a.SE3(R=turned, p=(1, 2, 3))):
            np.testing.assert_array_equal(T.R, turned.R)
            np.testing.assert_array_equal(T.p, [1, 2, 3])
        np.testing.assert_array_equal(a.SO3(turned.R).R, turned.R)

    def test_twists_and_wrenches_are_vector_spaces(self):
        x, y = np.arange(6.0), np.array([2.0, -1, 4, 0.5, 3, 7])
        for kind, make, first, second in ((a.Twist, a.to_twist, "w", "v"), (a.Wrench, a.to_wrench, "m", "f")):
            X, Y = make(x), kind.from_array(y)
            self.assertIs(type(X), kind)
            for combined, numbers in (
                (X + Y, x + y),
                (X - Y, x - y),
                (-X, -x),
                (2 * X, 2 * x),
                (X * 2, 2 * x),
                (np.float64(2) * X, 2 * x),
                (kind(x[:3], x[3:]), x),
                (kind(), 0 * x),
            ):
                self.assertIs(type(combined), kind)
                np.testing.assert_array_equal(np.asarray(combined), numbers)
                np.testing.assert_array_equal(a.coordinates(combined), numbers)
            np.testing.assert_array_equal(getattr(X, first), x[:3])
            np.testing.assert_array_equal(getattr(X, second), x[3:])
            self.assertEqual(np.asarray(X, dtype=np.float32).dtype, np.float32)

    def test_parts_are_views_that_cannot_be_written(self):
        T, V, F = pose(TWISTS[3]), a.to_twist(TWISTS[3]), a.to_wrench(TWISTS[3])
        for part, owner in ((T.R, T), (T.p, T), (V.w, V), (V.v, V), (F.m, F), (F.f, F), (a.exp(AXIS).R, None)):
            with self.assertRaisesRegex(ValueError, "read-only"):
                part[0] = 1
            if owner is not None:
                self.assertIs(part.base, owner)

    def test_they_are_shown_as_they_are_made(self):
        for value in (a.SE3(p=[1, 2, 3]), a.SO3(), a.Twist([1, 2, 3]), a.Wrench(f=[1, 2, 3])):
            again = eval(repr(value), vars(a))
            self.assertEqual(repr(again), repr(value))


class Misuse(unittest.TestCase):
    def test_a_wrench_is_no_twist(self):
        T, V, F = a.SE3(), a.Twist(), a.Wrench()
        for wrong in (
            lambda: a.Ad(T, F),
            lambda: a.AdInv(T, F),
            lambda: a.coAd(T, V),
            lambda: a.coAdInv(T, V),
            lambda: a.ad(V, F),
            lambda: a.coad(V, V),
            lambda: a.pairing(V, F),
            lambda: V + F,
            lambda: F - V,
            lambda: a.hat(F),
            lambda: a.exp(F.__class__),
            lambda: a.skew("abc"),
            lambda: a.skew(["1", "2", "3"]),
            lambda: a.skew([1j, 0, 0]),
            lambda: a.skew(None),
        ):
            with self.assertRaises(TypeError):
                wrong()

    def test_what_cannot_be_meant_is_refused_in_one_sentence(self):
        nan = math.nan
        for wrong, sentence in (
            (lambda: a.skew([1, 2]), "An array of shape (2,) is given where one of shape (3,) is needed."),
            (lambda: a.to_twist([[1] * 6]), "An array of shape (1, 6) is given where one of shape (6,) is needed."),
            (lambda: a.vee(np.eye(3)), "An array of shape (3, 3) is given where one of shape (4, 4) is needed."),
            (lambda: a.exp([0, nan, 0]), "An array of shape (3,) holds nan where finite numbers are needed."),
            (lambda: a.Twist(w=[0, 0, math.inf]), "An array of shape (3,) holds inf where finite numbers are needed."),
            (lambda: nan * a.Twist(), "The number nan is given where a finite one is needed."),
            (lambda: a.SO3(2 * np.eye(3)), "R is no rotation: R^T R differs from 1 by 3.000000 where 1e-6 is allowed."),
            (lambda: a.SE3(np.diag([1, 1, -1])), "R is no rotation: it mirrors, for its determinant is -1."),
            (lambda: a.SO3.from_quaternion([0, 0, 0, 0]), "The quaternion 0 0 0 0 is no rotation; one has length one."),
            (
                lambda: a.exp(a.Twist([0, 0, 2]), 1),
                "The screw has |w| = 2.000000 where 1 or 0 is needed; exp(q * twist) takes any twist.",
            ),
        ):
            with self.assertRaises(a.Error) as caught:
                wrong()
            self.assertEqual(str(caught.exception), sentence)


if __name__ == "__main__":
    unittest.main()
