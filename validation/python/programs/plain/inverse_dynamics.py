import numpy as np


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def Ad(T):
    R = T[:3, :3]
    return np.block([[R, np.zeros((3, 3))], [skew(T[:3, 3]) @ R, R]])


def ad(V):
    return np.block([[skew(V[:3]), np.zeros((3, 3))], [skew(V[3:]), skew(V[:3])]])


def inverse_dynamics(T, S, I, qd, qdd, gravity):
    n = len(T)
    F = [np.zeros(6)] * n
    tau = np.zeros(n)
    V, Vdot = np.zeros(6), np.concatenate([np.zeros(3), -gravity])
    for i in range(n):
        carry = Ad(np.linalg.inv(T[i]))
        before = V
        V = carry @ V + S[i] * qd[i]
        Vdot = carry @ Vdot + ad(V) @ S[i] * qd[i] + S[i] * qdd[i]
        F[i] = I[i] @ Vdot - ad(V).T @ I[i] @ V
    for i in reversed(range(n)):
        tau[i] = S[i] @ F[i]
        if i > 0:
            F[i - 1] = F[i - 1] + Ad(np.linalg.inv(T[i])).T @ F[i]
    return tau
