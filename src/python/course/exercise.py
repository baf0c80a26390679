r"""What an exercise is, and how to add one.

To add the exercises of a chapter, add two files and change no other. One is `chapters/<stem>.py`, named as the chapter of the
book is without its number (`rnea.py`), with a list `EXERCISES`: the library finds it, validation/python/course_test.py tests
each exercise in it, and docs/exercise_pages.py writes it into the book. The other, validation/python/course_agreement/<stem>.py,
has a table `AGREEMENT`, {name: numbers -> answers}, of what the module `articulate` computes from the same numbers, for each
exercise whose quantities it has; it shares no line with the exercise. A chapter asks for four or more *number* exercises and at
least one *derive*. While writing, run `PYTHONPATH=build/release/python /usr/bin/python3 validation/python/course_test.py`.

    EXERCISES = [
        Exercise(
            name="handle_in_the_room",           # unique in the whole book; the key of the answer, and a word of HMAC
            chapter="group", stars=1, kind="number",
            title="Where is the handle?",
            text=r"A door is open by <q> degrees, and its handle is <a> m from the hinges, <h> m above the floor ...",
            asks={"p": "position of the handle in the room (m)"},
            hints=["Poses multiply.", "The column of a product is R p + p."],
            draw=lambda source: {"q": source.signed(20, 70, 0), "a": source.number(0.6, 0.9), "h": source.number(0.8, 1.2)},
            solve=handle, mistakes=[Mistake("not_turned", "The door is taken to be shut.", without(handle, "q")), ...]),
    ]

- `kind` is *number* (answers are checked), *derive* (the solution is shown, folded), *write* (a program; these stand together in
  `write/`, with their checkers) or *project* (these stand in `projects.py`). The fields from `asks` on belong to *number*; `solution` to *derive*.
- `text` and `solution` are Markdown as in the chapters, with formulas as \f$...\f$. `<name>` is replaced by the drawn number
  of that name: write every number that `solve` takes, with its unit. Numbers that are the same for all students stand in the
  text. Each quantity that is asked is named in `asks`, with its unit and, of vectors, the frame.
- `draw(source)` returns {name: number, list or text}. See draw.Source. Draw with at most three digits; leave out special values
  (zero, right angles, equal components), which let mistakes pass. Numbers at which a mistake gives the right answer are drawn
  again by themselves, up to 200 times.
- `solve(numbers)` returns {quantity: number or array}: a closed form, or a few lines of numpy, but no call of the module, which
  a bare machine does not have, and which the tests hold against it. It takes angles in the unit in which they are printed.
  It is called some thirty times for each student, so keep it below a millisecond. Split a quantity with two units into two:
  its largest number is what all its numbers are compared with, and it must not be zero.
- `mistakes`: five or more of the exercise itself, so that with the general ones of mistakes.py at least ten differ from the
  right answer. Each needs a name, a sentence that says what was done (and never the right number), and what then comes out.
  `with_changed`, `negated`, `without` and `degrees_as_radians` make most of them from `solve`.

Answers are rounded to four significant digits, and so may be what a student wrote down on the way: grading.py says what
follows from that.
"""
import re
from dataclasses import dataclass, field
from typing import Callable, Optional

from .draw import Source, seed
from .mistakes import GENERAL, Mistake

KINDS = ("derive", "number", "write", "project")
MOST_DRAWS = 200


@dataclass(frozen=True)
class Exercise:
    name: str
    chapter: str
    stars: int
    kind: str
    title: str
    text: str
    hints: list = field(default_factory=list)
    asks: dict = field(default_factory=dict)
    draw: Optional[Callable] = None
    solve: Optional[Callable] = None
    mistakes: list = field(default_factory=list)
    solution: str = ""

    def numbers(self, key, student):
        """The numbers of this student: the first drawn at which each mistake can be told from the right answer."""
        from .grading import Marking  # which is about exercises

        if self.draw is None:
            return {}
        source = Source(seed(key, student, self.name))
        for _ in range(MOST_DRAWS):
            numbers = self.draw(source)
            if Marking(self, numbers).tells_mistakes():
                return numbers
        raise RuntimeError(f"the exercise {self.name} draws no numbers at which each mistake differs from the right answer")

    def statement(self, numbers):
        """The text with these numbers in it."""
        return re.sub(r"<(\w+)>", lambda found: shown(numbers[found[1]]), self.text)

    def general_mistakes(self, right):
        """Those of any exercise, with what they make of these answers."""
        return [(Mistake(name, feedback, None), wrong(right)) for name, feedback, wrong in GENERAL]


def shown(number):
    """As a student reads it: the shortest decimal that is this number."""
    if isinstance(number, (list, tuple)):
        return "(" + ", ".join(map(shown, number)) + ")"
    return repr(number).removesuffix(".0") if isinstance(number, float) else str(number)
