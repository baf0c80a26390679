"""With the matrix of dexp^-1 and the simple iteration with I for the derivative."""
import numpy as np


def dexp_inverse(x):
    angle = np.linalg.norm(x)
    c = 1 / 12 if angle < 1e-4 else (1 - angle / 2 / np.tan(angle / 2)) / angle**2
    X = np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])
    return np.eye(3) + X / 2 + c * X @ X


def variational_steps(I, w, h, steps):
    for _ in range(int(steps)):
        p = I @ w
        xi = w
        for _ in range(100):
            xi = xi - np.linalg.solve(I, dexp_inverse(-h * xi).T @ I @ xi - p)
        w = np.linalg.solve(I, dexp_inverse(h * xi).T @ I @ xi)
    return w
