import numpy as np


def carry_velocity(T, V_parent, S, qd):
    R, p = T[:3, :3], T[:3, 3]
    w, v = V_parent[:3], V_parent[3:]
    Rt = R.T
    moved = v + np.cross(w, p)
    return np.concatenate([Rt @ w, Rt @ moved]) + S * qd
