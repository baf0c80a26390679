"""Close a four-bar linkage: the angles of coupler (to the crank) and rocker (to the x axis), from a guess."""
import numpy as np


def close_four_bar(lengths, q1, guess):
    a, b, c, d = lengths
    q = np.zeros(2)
    # The gap between the tips, its derivatives with respect to both angles, and a step; again, until it is closed.
    return q
