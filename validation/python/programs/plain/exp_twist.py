import numpy as np


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def exp_twist(S, q):
    w, v = S[:3] * q, S[3:] * q
    W, angle = skew(w), np.linalg.norm(w)
    a, b, c = 1 - angle**2 / 6, 1 / 2 - angle**2 / 24, 1 / 6 - angle**2 / 120
    if angle > 1e-3:
        a, b, c = np.sin(angle) / angle, (1 - np.cos(angle)) / angle**2, (angle - np.sin(angle)) / angle**3
    R = np.eye(3) + a * W + b * W @ W
    V = np.eye(3) + b * W + c * W @ W
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, V @ v
    return T
