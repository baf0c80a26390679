"""What goes wrong in any exercise, and pieces from which the mistakes of one exercise are made."""
import math
from dataclasses import dataclass
from typing import Callable

import numpy as np


@dataclass(frozen=True)
class Mistake:
    """A typical wrong answer.

    `numbers -> {quantity: value}` is what comes out when it is made. Quantities that it leaves right may be left out. The
    feedback is one or two sentences about what was done, without the right numbers.
    """

    name: str
    feedback: str
    answers: Callable


def with_changed(solve, **changes):
    """The answers when something else is put in: each change is a function of the number of that name."""
    return lambda numbers: solve({**numbers, **{name: change(numbers[name]) for name, change in changes.items()}})


def mapped(function):
    """The same function on a number and on each number of a list."""
    return lambda value: [function(x) for x in value] if isinstance(value, (list, tuple)) else function(value)


def degrees_as_radians(solve, *names):
    """For numbers printed in degrees: the sine of 30 is taken of 30 rad."""
    mistaken = with_changed(solve, **{name: mapped(math.degrees) for name in names})
    return Mistake("degrees_as_radians", "An angle in degrees was used as if it were in radians.", mistaken)


def radians_as_degrees(solve, *names):
    """For numbers printed in radians: a calculator in the wrong mode."""
    mistaken = with_changed(solve, **{name: mapped(math.radians) for name in names})
    return Mistake("radians_as_degrees", "An angle in radians was used as if it were in degrees.", mistaken)


def negated(solve, *names):
    """Answers in which these numbers have the other sign."""
    return with_changed(solve, **{name: mapped(lambda x: -x) for name in names})


def without(solve, *names):
    """Answers in which these numbers are zero: a term was dropped."""
    return with_changed(solve, **{name: mapped(lambda x: 0.0) for name in names})


def _of_each(function):
    """The function applied to each quantity; None where it has no meaning."""

    def answers(right):
        changed = {quantity: function(np.asarray(value, dtype=float)) for quantity, value in right.items()}
        return {quantity: value for quantity, value in changed.items() if value is not None}

    return answers


def _transposed(x):
    return x.T if x.ndim == 2 and x.shape[0] == x.shape[1] else None


def _reversed(x):
    return x[::-1] if x.ndim == 1 and len(x) > 1 else None


def _signs_lost(x):
    return abs(x) if (x > 0).any() else None  # what has only minus signs has the opposite sign instead


def _halves_exchanged(x):
    return np.concatenate([x[3:], x[:3]]) if x.shape == (6,) else None


def _lines_exchanged(right):
    """The first two quantities of one size, in each other's place."""
    shapes = {}
    for quantity, value in right.items():
        first = shapes.setdefault(np.shape(value), quantity)
        if first != quantity:
            return {first: right[quantity], quantity: right[first]}
    return {}


# Each is (name, feedback, right answers -> wrong ones). They are tried where no mistake of the exercise itself fits.
GENERAL = [
    ("sign", "Every sign is the opposite of what is asked.", _of_each(lambda x: -x)),
    ("signs_lost", "The magnitudes are right, but signs are lost.", _of_each(_signs_lost)),
    ("transposed", "Rows and columns are exchanged: this is the transpose.", _of_each(_transposed)),
    ("order_reversed", "The numbers are right, but they stand in the reverse order.", _of_each(_reversed)),
    ("halves_exchanged", "The angular and the linear half are exchanged: the angular half comes first.",
     _of_each(_halves_exchanged)),
    ("lines_exchanged", "This is what another line asks for.", _lines_exchanged),
    ("twice", "Each number is twice the right one: a factor 1/2 is missing.", _of_each(lambda x: 2 * x)),
    ("half", "Each number is half of the right one: there is a factor 1/2 too many.", _of_each(lambda x: x / 2)),
    ("in_degrees", "The numbers were converted from radians to degrees, which was not asked.", _of_each(np.degrees)),
    ("converted_to_radians", "The numbers were multiplied by pi/180, as if degrees had to become radians.",
     _of_each(np.radians)),
    ("thousand_times", "The numbers are a thousand times too large: millimetres or grams instead of SI units.",
     _of_each(lambda x: 1000 * x)),
    ("thousandth", "The numbers are a thousand times too small: a prefix was converted twice.",
     _of_each(lambda x: x / 1000)),
]
