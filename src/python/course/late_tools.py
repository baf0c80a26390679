"""What exercises of chapters 09 to 11 share."""
import numpy as np

from .grading import MOVE, moved

MOST = 8.0


def steady(draw, solve):
    """Numbers drawn again while an answer is so small a difference of large terms that four digits on the way spoil it."""

    def drawn(source):
        numbers = draw(source)
        while growth(solve, numbers) > MOST:
            numbers = draw(source)
        return numbers

    return drawn


def growth(solve, numbers):
    """The largest relative change of an answer, per relative change of an input: what grading.py calls the condition."""
    right = {quantity: np.asarray(value, dtype=float) for quantity, value in solve(numbers).items()}
    largest = 1.0
    for name, number in numbers.items():
        for other in moved(number, MOVE):
            for quantity, value in solve({**numbers, name: other}).items():
                size = np.abs(right[quantity]).max()
                largest = max(largest, np.abs(value - right[quantity]).max() / size / MOVE) if size else np.inf
    return largest
