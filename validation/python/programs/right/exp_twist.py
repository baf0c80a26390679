"""By scaling and squaring: a short series of a small motion, and that motion over and over."""
import numpy as np


def exp_twist(S, q):
    x = S * q
    A = np.array([[0, -x[2], x[1], x[3]], [x[2], 0, -x[0], x[4]], [-x[1], x[0], 0, x[5]], [0, 0, 0, 0]]) / 64
    T, term = np.eye(4), np.eye(4)
    for k in range(1, 16):
        term = term @ A / k
        T = T + term
    for _ in range(6):
        T = T @ T
    return T
