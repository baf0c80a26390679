import numpy as np


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def dexp_inverse_transposed(x, p):
    angle = np.linalg.norm(x)
    c = 1 / 12 if angle < 1e-4 else (1 - angle / 2 / np.tan(angle / 2)) / angle**2
    X = skew(x)
    return p - X @ p / 2 + c * X @ X @ p


def variational_steps(I, w, h, steps):
    now = w
    for _ in range(int(steps)):
        p = I @ now
        xi = now
        for _ in range(40):
            gap = dexp_inverse_transposed(-h * xi, I @ xi) - p
            xi = xi - np.linalg.solve(I, gap)
            if np.abs(gap).max() < 1e-15 * np.abs(p).max():
                break
        now = np.linalg.solve(I, dexp_inverse_transposed(h * xi, I @ xi))
    return now
