"""Matrices of SE(3), angular part first: 4 x 4 for poses, 6 x 6 for what they do to twists."""
import math

import numpy as np

from ..vectors import skew


def pose(R, p):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


def inverse(T):
    R = T[:3, :3]
    return pose(R.T, -R.T @ T[:3, 3])


def Ad(T):
    R = T[:3, :3]
    A = np.zeros((6, 6))
    A[:3, :3] = A[3:, 3:] = R
    A[3:, :3] = skew(T[:3, 3]) @ R
    return A


def ad(V):
    A = np.zeros((6, 6))
    A[:3, :3] = A[3:, 3:] = skew(V[:3])
    A[3:, :3] = skew(V[3:])
    return A


def powers(A, coefficient, x=None):
    """sum of coefficient(k) A^k, or of that times x, until nothing is added: no formula that fails at zero."""
    term = np.eye(len(A)) if x is None else np.asarray(x, dtype=float)
    total = coefficient(0) * term
    for k in range(1, 200):
        term = A @ term
        added = coefficient(k) * term
        if not np.any(np.abs(added) > 1e-18 * max(1.0, np.abs(total).max())) and k > 4:
            break
        total = total + added
    return total


def exp(S, q=1.0):
    """e^([S] q), 4 x 4."""
    xi = np.zeros((4, 4))
    xi[:3, :3], xi[:3, 3] = skew(S[:3]) * q, np.asarray(S[3:]) * q
    return powers(xi, lambda k: 1.0 / math.factorial(k))


def turn(w):
    """e^[w], 3 x 3."""
    return exp(np.concatenate([w, np.zeros(3)]))[:3, :3]


def dexp(S, sign=-1.0):
    """The 6 x 6 matrix with T^-1 dT/dt = dexp dS/dt for T = e^[S]; that of dT/dt T^-1 with the other sign."""
    return powers(ad(S), lambda k: sign**k / math.factorial(k + 1))


def inertia(mass, center, about_center):
    """6 x 6 in the frame in which the centre of mass is given."""
    c = skew(center)
    I = np.zeros((6, 6))
    I[:3, :3] = about_center - mass * c @ c
    I[:3, 3:], I[3:, :3] = mass * c, -mass * c
    I[3:, 3:] = mass * np.eye(3)
    return I
