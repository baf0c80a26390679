import numpy as np


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def ad(S):
    return np.block([[skew(S[:3]), np.zeros((3, 3))], [skew(S[3:]), skew(S[:3])]])


def dexp_inverse(S, X):
    A = ad(S)
    total, term = np.eye(6), np.eye(6)
    for k in range(1, 60):
        term = term @ A / -(k + 1)
        total = total + term
    return np.linalg.solve(total, X)
