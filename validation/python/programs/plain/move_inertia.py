import numpy as np


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def move_inertia(T, mass, center, about_center):
    R, p = T[:3, :3], T[:3, 3]
    c = R @ center + p
    J = R @ about_center @ R.T
    C = skew(c)
    about_origin = J - mass * C @ C
    coupling = mass * C
    return np.block([[about_origin, coupling], [-coupling, mass * np.eye(3)]])
