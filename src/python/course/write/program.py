"""An exercise that asks for a program, and what the grader knows of it.

To add one, add `write/<name>.py` with a `Program` named EXERCISE, its starters `starters/<name>.cpp` and `.py`, and its name to
`__init__.py`. The tests want a right solution in both languages and ten wrong ones: validation/python/programs/.

The student's function gets the numbers of each case in the order in which `cases` names them, and returns one array, or in C++
an Eigen matrix. Nothing else comes back, and everything that is said of it is found from these numbers, outside.
"""
from dataclasses import dataclass, field
from typing import Callable

from ..exercise import Exercise


@dataclass(frozen=True)
class Case:
    """Numbers {argument: number, array or list of arrays} and where they are from: 'ur5, body 3'.

    If only such cases are wrong that have the same `special`, (name of a mistake, feedback), this is what is said.
    """

    where: str
    numbers: dict
    special: tuple = ()


@dataclass(frozen=True)
class Law:
    """What right answers obey. `residual(numbers, answer)` compares with 1; `broken` says in a clause what does not hold."""

    broken: str
    residual: Callable


@dataclass(frozen=True)
class Program(Exercise):
    kind: str = field(default="write", kw_only=True)
    declaration: str = ""  # of the function in C++
    cases: Callable = None  # source of numbers -> list of Case
    right: Callable = None  # numbers -> array
    laws: list = field(default_factory=list)
    tolerance: float = 1e-9  # of the largest number of the right answer
