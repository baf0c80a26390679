"""A type of joint: the screw. The axis and its point are in the body's frame, the pitch is in metres per radian."""
import numpy as np


def helical_joint(M, axis, point, pitch, q):
    S = np.zeros(6)
    T = np.zeros((4, 4))
    # The screw first: it does not depend on q. Then the pose, in which M comes first.
    return T, S
