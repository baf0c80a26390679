"""Carry a twist from parent to child: T is the pose of the body in its parent."""
import numpy as np


def carry_velocity(T, V_parent, S, qd):
    R, p = T[:3, :3], T[:3, 3]
    w, v = V_parent[:3], V_parent[3:]
    V = np.zeros(6)
    # Here goes what you derived. The body has its own motion, too.
    return V
