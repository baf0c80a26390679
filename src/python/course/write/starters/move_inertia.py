"""The inertia of a body in another frame: T is the pose of the body's own frame there."""
import numpy as np


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def move_inertia(T, mass, center, about_center):
    R, p = T[:3, :3], T[:3, 3]
    I = np.zeros((6, 6))
    # Where is the centre of mass? Then fill four blocks of 3 x 3.
    return I
