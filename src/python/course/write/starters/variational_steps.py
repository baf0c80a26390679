"""Variational steps of a body that turns about a point; I and w are in its own frame."""
import numpy as np


def dexp_inverse_transposed(x, p):
    """The transpose of dexp^-1 of x, times p."""
    return np.zeros(3)


def variational_steps(I, w, h, steps):
    now = np.zeros(3)
    for _ in range(int(steps)):
        # Solve for xi by Newton's method, then find the angular velocity at the end.
        pass
    return now
