"""A few lines of numpy from which exercises are solved: rotations, poses as pairs (R, p), twists and wrenches as pairs too."""
import math

import numpy as np


def cross(a, b):
    """Faster than numpy's for three numbers."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def skew(a):
    """The matrix with skew(a) @ x = a x x."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def turn(axis, angle):
    """The rotation about a unit vector, by Rodrigues' formula."""
    W = skew(axis)
    return np.eye(3) + math.sin(angle) * W + (1 - math.cos(angle)) * W @ W


def turn_x(angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def turn_y(angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def turn_z(angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def product(*poses):
    """T1 T2 ... of poses (R, p)."""
    R, p = np.eye(3), np.zeros(3)
    for R_next, p_next in poses:
        R, p = R @ R_next, p + R @ np.asarray(p_next, dtype=float)
    return R, p


def inverse(T):
    R, p = T
    return R.T, -R.T @ np.asarray(p, dtype=float)


def Ad(T, V):
    """A twist (w, v) that is given in the frame with pose T, seen from where T is given."""
    R, p = T
    w = R @ np.asarray(V[0], dtype=float)
    return w, cross(p, w) + R @ np.asarray(V[1], dtype=float)


def coAd(T, F):
    """A wrench (m, f) in the frame with pose T, when it is known where T is given."""
    R, p = T
    return R.T @ (np.asarray(F[0], dtype=float) - cross(p, F[1])), R.T @ np.asarray(F[1], dtype=float)
