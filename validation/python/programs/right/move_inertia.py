"""By the energy: the inertia is a sum over unit twists of what the body's own inertia makes of them."""
import numpy as np


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def move_inertia(T, mass, center, about_center):
    # The velocity of the centre of mass and the angular velocity, in the body's frame, of a twist that is given in the other.
    R, p = T[:3, :3], T[:3, 3]
    c = R @ center + p
    turning = np.hstack([R.T, np.zeros((3, 3))])
    moving = np.hstack([-skew(c), np.eye(3)])
    return turning.T @ about_center @ turning + mass * moving.T @ moving
