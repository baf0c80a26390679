"""The mass matrix of a tree. parent[i] is the body that carries body i, or -1; parents come first."""
import numpy as np


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def mass_matrix(parent, T, S, I):
    n = len(T)
    parent = [int(p) for p in parent]
    composite = [one.copy() for one in I]
    M = np.zeros((n, n))
    # From the tips inward: what hangs on a body is added to its inertia.
    # Then each joint alone: its wrench, and all joints between it and the world.
    return M
