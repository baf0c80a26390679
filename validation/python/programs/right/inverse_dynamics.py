"""All in the world's frame: twists of bodies as seen from the origin of the world, and no frame is ever changed on the way."""
import numpy as np


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def ad(V):
    return np.block([[skew(V[:3]), np.zeros((3, 3))], [skew(V[3:]), skew(V[:3])]])


def Ad(T):
    R = T[:3, :3]
    return np.block([[R, np.zeros((3, 3))], [skew(T[:3, 3]) @ R, R]])


def inverse_dynamics(T, S, I, qd, qdd, gravity):
    n = len(T)
    pose, V, Vdot = np.eye(4), np.zeros(6), np.concatenate([np.zeros(3), -gravity])
    screws, needs = [], []
    for i in range(n):
        pose = pose @ T[i]
        s = Ad(pose) @ S[i]
        back = Ad(np.linalg.inv(pose))
        inertia = back.T @ I[i] @ back
        Vdot = Vdot + ad(V) @ s * qd[i] + s * qdd[i]
        V = V + s * qd[i]
        needs.append(inertia @ Vdot - ad(V).T @ (inertia @ V))
        screws.append(s)
    return np.array([screws[i] @ sum(needs[i:]) for i in range(n)])
