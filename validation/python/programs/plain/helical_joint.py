import numpy as np


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def turned(a, angle):
    return np.eye(3) + np.sin(angle) * skew(a) + (1 - np.cos(angle)) * skew(a) @ skew(a)


def helical_joint(M, axis, point, pitch, q):
    advance = pitch
    moment = np.cross(point, axis)
    S = np.concatenate([axis, moment + advance * axis])
    R = turned(axis, q)
    # About an axis through the point that is next to the origin: a cross moment.
    foot = np.cross(axis, moment)
    motion = np.eye(4)
    motion[:3, :3], motion[:3, 3] = R, foot - R @ foot + advance * q * axis
    return M @ motion, S
