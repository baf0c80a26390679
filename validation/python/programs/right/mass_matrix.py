"""By Jacobians in the world's frame: M is the sum of J^T I J over the bodies."""
import numpy as np


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def Ad(T):
    R = T[:3, :3]
    return np.block([[R, np.zeros((3, 3))], [skew(T[:3, 3]) @ R, R]])


def mass_matrix(parent, T, S, I):
    n = len(T)
    M, poses, jacobians = np.zeros((n, n)), [], []
    for i in range(n):
        p = int(parent[i])
        pose = T[i] if p < 0 else poses[p] @ T[i]
        J = np.zeros((6, n)) if p < 0 else jacobians[p].copy()
        J[:, i] = Ad(pose) @ S[i]
        poses.append(pose)
        jacobians.append(J)
        own = np.linalg.solve(Ad(pose), J)
        M += own.T @ I[i] @ own
    return M
