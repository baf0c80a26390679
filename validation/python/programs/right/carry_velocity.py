"""By 4 x 4 matrices: T^-1 [V] T."""
import numpy as np


def hat(V):
    return np.array([[0, -V[2], V[1], V[3]], [V[2], 0, -V[0], V[4]], [-V[1], V[0], 0, V[5]], [0, 0, 0, 0]])


def carry_velocity(T, V_parent, S, qd):
    X = np.linalg.inv(T) @ hat(V_parent) @ T
    return np.array([X[2, 1], X[0, 2], X[1, 0], *X[:3, 3]]) + qd * S
