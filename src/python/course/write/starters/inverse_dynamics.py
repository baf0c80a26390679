"""Inverse dynamics of a chain. Body i has the pose T[i] in the body before it, the first one in the world."""
import numpy as np


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def inverse_dynamics(T, S, I, qd, qdd, gravity):
    n = len(T)
    F = [np.zeros(6)] * n
    tau = np.zeros(n)
    # Outward: twist and its rate, and what each body alone needs.
    for i in range(n):
        pass
    # Inward: what each joint transmits, and what its motor feels of it.
    for i in reversed(range(n)):
        pass
    return tau
