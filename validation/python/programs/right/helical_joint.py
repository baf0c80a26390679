"""By points: the body turns about the point and then advances."""
import numpy as np


def helical_joint(M, axis, point, pitch, q):
    a = axis
    A = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    R = np.outer(a, a) + np.cos(q) * (np.eye(3) - np.outer(a, a)) + np.sin(q) * A
    motion = np.eye(4)
    motion[:3, :3] = R
    motion[:3, 3] = point - R @ point + pitch * q * a
    return M @ motion, [a, pitch * a - A @ point]
