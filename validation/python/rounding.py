"""Whether copies of one formula gave the same numbers.

Where a processor fuses a product and a sum, and the compiler may use it, the compiler chooses in each copy of a formula
which of them to fuse. There the numbers may differ by 100 n u of the largest: the rule of `agreement` with the least
condition, 1. Elsewhere they have the same bits.
"""
import os

import numpy as np
from agreement import U

FUSES = os.environ.get("ARTICULATE_FUSES") == "1"


def assert_copies_agree(ours, theirs):
    """Two numbers or arrays that copies of one formula have made."""
    np.testing.assert_equal(np.shape(ours), np.shape(theirs))
    if FUSES:
        ours = np.asarray(ours, dtype=float)
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=100 * max(6, ours.size) * U * np.abs(ours).max(initial=0))
    else:
        np.testing.assert_array_equal(ours, theirs)
