import numpy as np


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def Ad(T):
    R = T[:3, :3]
    return np.block([[R, np.zeros((3, 3))], [skew(T[:3, 3]) @ R, R]])


def mass_matrix(parent, T, S, I):
    n = len(T)
    parent = [int(p) for p in parent]
    composite = [one.copy() for one in I]
    M = np.zeros((n, n))
    for i in reversed(range(n)):
        if parent[i] >= 0:
            A = Ad(np.linalg.inv(T[i]))
            composite[parent[i]] += A.T @ composite[i] @ A
    for i in range(n):
        F, j = composite[i] @ S[i], i
        M[i, i] = S[i] @ F
        while parent[j] >= 0:
            F = Ad(np.linalg.inv(T[j])).T @ F
            j = parent[j]
            M[i, j] = S[j] @ F
            M[j, i] = S[j] @ F
    return M
