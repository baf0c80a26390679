"""Numbers in, a student's function, numbers out, as in harness.hpp.

usage: harness.py NAME     of the function, which stands in submission.py in the current folder
"""
import os
import sys

import numpy as np

# Why there is no answer: the code with which this program ends, and nothing else, tells the grader.
NO_PYTHON, NO_FUNCTION, NOTHING, COMPLEX = 81, 82, 83, 84


def argument(tokens):
    """A number, an array, or a list of arrays."""
    rank = int(next(tokens))
    sizes = [int(next(tokens)) for _ in range(rank if rank < 10 else rank - 10)]
    array = np.array([float(next(tokens)) for _ in range(int(np.prod(sizes)))]).reshape(sizes)
    return float(array) if rank == 0 else list(array) if rank > 10 else array


def flattened(result):
    if isinstance(result, (tuple, list)):
        return np.concatenate([flattened(one) for one in result]) if result else np.zeros(0)
    if result is None:
        sys.exit(NOTHING)
    if np.iscomplexobj(result):
        sys.exit(COMPLEX)
    return np.asarray(result, dtype=float).ravel()


def main(name):
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is printed to look at must not get between the numbers
    tokens = iter(sys.stdin.read().split())
    sys.path.insert(0, os.getcwd())
    try:
        import submission
    except SyntaxError:
        sys.exit(NO_PYTHON)
    function = getattr(submission, name, None)
    if not callable(function):
        sys.exit(NO_FUNCTION)
    for _ in range(int(next(tokens))):
        given = [argument(tokens) for _ in range(int(next(tokens)))]
        out = flattened(function(*given))
        print(len(out), *(f"{x:.17g}" for x in out), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
