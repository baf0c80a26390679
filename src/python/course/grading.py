"""Is an answer right, and if not, which mistake was made?

The numbers of an exercise are exact, so that an answer can differ from the solution only by rounding: its own, to the four
digits that are asked, and that of what was written down on the way. Both are at most 5e-4 of the largest number of a quantity,
the second times what the problem makes of it. This is measured: each input that is no whole number is moved by 5e-5 of itself,
and the largest relative change of the answer, over 5e-5, is the condition. It counts at least once and at most ten times.
"""
from collections.abc import Mapping

import numpy as np

DIGITS = 4
ROUNDING = 5 * 10.0**-DIGITS
MOVE = 5e-5
MOST_CONDITION = 10.0
APART = 3.0  # so many tolerances lie between a mistake and the right answer
POINTS = 2


class Refusal(Exception):
    """One sentence that says why something cannot be graded."""


def clipped(thing, most=40):
    """What came from outside, as it may be printed."""
    text = ascii(thing)
    return text if len(text) <= most else text[: most - 3] + "..."


def flattened(value, depth=0):
    """The numbers in a number, a list or lists of lists, in their order. Anything else is refused."""
    if isinstance(value, np.ndarray):
        if np.ma.is_masked(value):
            raise Refusal("a number is masked")
        value = np.asarray(value)  # of a matrix, whose rows are matrices again
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            number = np.inf
        if not np.isfinite(number):
            raise Refusal("a number is infinite or not a number")
        return [number]
    if depth > 3:
        raise Refusal("the lists are nested too deeply")
    if not isinstance(value, (list, tuple, np.ndarray)):
        raise Refusal(f"{clipped(value)} is no number and no list of numbers")
    return [number for one in value for number in flattened(one, depth + 1)]


def moved(number, by):
    """A number, or the numbers of a list one by one, moved; whole numbers and words are exact by nature."""
    if isinstance(number, float):
        yield number * (1 + by)
    elif isinstance(number, (list, tuple)):
        for k, one in enumerate(number):
            if isinstance(one, float):
                yield [*number[:k], one * (1 + by), *number[k + 1 :]]


class Marking:
    """The right answers for given numbers, with tolerances, and what each mistake would give."""

    def __init__(self, exercise, numbers):
        self.exercise, self.numbers = exercise, numbers
        self.shaped = {name: np.asarray(value, dtype=float) for name, value in exercise.solve(numbers).items()}
        self.right = {name: value.ravel() for name, value in self.shaped.items()}
        self.condition = self._condition()
        self.tolerance = {name: self._tolerance(name, value) for name, value in self.right.items()}
        self.own = [(mistake, self._wrong(mistake.answers(numbers))) for mistake in exercise.mistakes]
        self.general = [(mistake, self._wrong(wrong)) for mistake, wrong in exercise.general_mistakes(self.shaped)]
        self.general = [(mistake, wrong) for mistake, wrong in self.general if self._differs(wrong)]

    def _condition(self):
        largest = dict.fromkeys(self.right, 1.0)
        for name, number in self.numbers.items():
            for other in moved(number, MOVE):
                for quantity, value in self.exercise.solve({**self.numbers, name: other}).items():
                    right = self.right[quantity]
                    change = np.abs(np.ravel(value) - right).max() / (np.abs(right).max() or 1.0) / MOVE
                    largest[quantity] = max(largest[quantity], change)
        return {quantity: min(value, MOST_CONDITION) for quantity, value in largest.items()}

    def _tolerance(self, quantity, value):
        """An error of the answer's own rounding, and as much as the condition makes of rounding on the way."""
        return ROUNDING * np.abs(value).max() * (1 + self.condition[quantity])

    def _wrong(self, answers):
        """What a mistake makes of the quantities that it does not leave right."""
        flat = {quantity: np.asarray(value, dtype=float).ravel() for quantity, value in answers.items()}
        return {quantity: value for quantity, value in flat.items() if not self._is_right(quantity, value)}

    def _misses(self, quantity, value):
        """The distance from the right answer, in tolerances of whichever is the larger number."""
        right = self.right[quantity]
        if value.shape != right.shape:
            return np.inf
        tolerance = max(self.tolerance[quantity], self._tolerance(quantity, value))
        return np.abs(value - right).max() / tolerance if tolerance else 0.0

    def _differs(self, wrong):
        return any(self._misses(quantity, value) >= APART for quantity, value in wrong.items())

    def tells_mistakes(self):
        """Every answer of use, and every mistake of the exercise far from it: these numbers can be given."""
        values = [*self.right.values(), *(value for _, wrong in self.own for value in wrong.values())]
        return (
            all(np.isfinite(value).all() for value in values)
            and all(tolerance > 0 for tolerance in self.tolerance.values())
            and all(self._differs(wrong) for _, wrong in self.own)
        )

    def mark(self, answers):
        """{points, feedback, mistakes} of the answers {quantity: numbers}; the feedback never holds the solution."""
        given = self._given(answers)
        wrong = [quantity for quantity in self.right if not self._is_right(quantity, given.get(quantity))]
        if not wrong:
            return {"points": POINTS, "feedback": "Right.", "mistakes": []}
        points = POINTS // 2 if len(wrong) < len(self.right) else 0
        said, names = [], []
        for quantities, found in self._explained(wrong, given):
            names += [mistake.name for mistake in found if mistake.name not in names]
            said.append(self._sentence(quantities, found, given))
        return {"points": points, "feedback": " ".join(said), "mistakes": names}

    def _given(self, answers):
        """The numbers of each answered quantity, of which there must be as many as are asked; in the order of the solution."""
        if not isinstance(answers, Mapping):
            raise Refusal(f"the answers to {self.exercise.name} are no table with the names {', '.join(self.right)}")
        given = {}
        for quantity, value in answers.items():
            if quantity not in self.right:
                raise Refusal(f"{clipped(quantity)} is not asked; asked are {', '.join(self.right)}")
            try:
                flat = flattened(value)
            except Refusal as refusal:
                raise Refusal(f"in {quantity} {refusal}") from None
            if not flat:
                continue  # a line of the sheet that was left empty
            if len(flat) != len(self.right[quantity]):
                raise Refusal(f"{quantity} has {len(flat)} numbers instead of {len(self.right[quantity])}")
            given[quantity] = np.array(flat)
        return {quantity: given[quantity] for quantity in self.right if quantity in given}

    def _is_right(self, quantity, value):
        right = self.right[quantity]
        return value is not None and value.shape == right.shape and np.abs(value - right).max() <= self.tolerance[quantity]

    def _fits(self, quantity, value, made):
        """Is this the number that a mistake makes of the quantity?"""
        expected = made.get(quantity)
        return (
            expected is not None
            and expected.shape == value.shape
            and np.abs(value - expected).max() <= self._tolerance(quantity, expected)
        )

    def _explained(self, wrong, given):
        """Pairs of quantities and mistakes: what explains the whole answer, or else each number by itself."""
        answered = [quantity for quantity in wrong if quantity in given]
        missing = [([quantity], []) for quantity in wrong if quantity not in given]
        for mistakes in (self.own, self.general):
            found = [mistake for mistake, made in mistakes if self._explains(made, given, answered)]
            if found and answered:
                return [(answered, found), *missing]
        return [*(([quantity], self._fitting(quantity, given[quantity])) for quantity in answered), *missing]

    def _explains(self, made, given, wrong):
        """Does the mistake make these numbers, and leave right what is right?"""
        return [quantity for quantity in given if quantity in made] == wrong and all(
            self._fits(quantity, given[quantity], made) for quantity in wrong
        )

    def _fitting(self, quantity, value):
        """The mistakes that make this number: those of the exercise, or else the general ones."""
        for mistakes in (self.own, self.general):
            found = [mistake for mistake, made in mistakes if self._fits(quantity, value, made)]
            if found:
                return found
        return []

    @staticmethod
    def _sentence(quantities, found, given):
        names = ", ".join(quantities)
        if not found:
            return f"{names}: no answer." if quantities[0] not in given else f"{names}: not right."
        feedback = list(dict.fromkeys(mistake.feedback for mistake in found))
        if len(feedback) == 1:
            return f"{names}: {feedback[0]}"
        return f"{names}: either: {' Or: '.join(feedback)}"


def mark(exercise, key, student, answers):
    """The same as Marking.mark, where what cannot be read gives no points and says why."""
    try:
        if isinstance(answers, Refusal):
            raise answers
        return Marking(exercise, exercise.numbers(key, student)).mark(answers)
    except Refusal as refusal:
        return {"points": 0, "feedback": f"Not graded: {refusal}.", "mistakes": []}
