"""One rule for every comparison of a result with an independent one.

A result agrees when it differs from the independent one by at most 100 n u kappa of its size. n counts the numbers
that go in (at least 6), u = 2^-53 is the rounding unit, and kappa is measured: how much the independent result moves,
relative to its size and to u, when all that goes in is moved up or down by one unit in the last place. kappa is at
least 1, for the result itself is rounded.
"""
import numpy as np

U = 2.0**-53


def kappa(witness, inputs):
    """The measured growth of a change of all inputs by one unit in the last place, the worst of three draws."""
    at = np.asarray(witness(*inputs), dtype=float)
    size = np.abs(at).max(initial=0)
    worst = 1.0
    for seed in range(3):
        draw = np.random.default_rng(seed)
        moved = [np.nextafter(x, np.where(draw.random(np.shape(x)) < 0.5, -np.inf, np.inf)) for x in inputs]
        change = np.abs(np.asarray(witness(*moved), dtype=float) - at).max(initial=0)
        worst = max(worst, change / size / U if size else 1.0)
    return worst


def assert_agree(case, library, witness, *inputs, beside=0.0):
    """library(*inputs) and witness(*inputs), in numbers of one unit each, agree; the inputs are arrays.

    beside is a size of terms of which both are made, where these may cancel altogether.
    """
    inputs = [np.asarray(x, dtype=float) for x in inputs]
    left, right = (np.asarray(f(*inputs), dtype=float) for f in (library, witness))
    case.assertEqual(left.shape, right.shape)
    size = max(np.abs(left).max(initial=0), np.abs(right).max(initial=0), beside)
    n = max(6, sum(x.size for x in inputs))
    bound = 100 * n * U * kappa(witness, inputs) * size
    gap = np.abs(left - right)
    where = np.unravel_index(gap.argmax(), gap.shape) if gap.size else ()
    case.assertLessEqual(gap.max(initial=0), bound, f"at {where}:\n{left}\nagainst\n{right}")
