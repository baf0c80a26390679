"""Exercises that grade themselves: numbers drawn for each student, answers checked, mistakes named."""
import os
from typing import Any, Dict, List, Mapping, Optional, Union

CHAPTERS: List[str]

class Refusal(Exception):
    """One sentence that says why something cannot be graded."""

class Marks:
    """Of one student."""

    student: str
    exercises: Dict[str, Dict[str, Any]]
    said: List[str]
    @property
    def points(self) -> int: ...
    @property
    def of(self) -> int: ...

def grade(
    given: Union[Mapping[str, Mapping[str, Any]], str, "os.PathLike[str]"],
    student: str = ...,
    key: Optional[Union[str, "os.PathLike[str]"]] = ...,
) -> Marks:
    """Marks for answers {exercise: {quantity: numbers}}, or for the file at a path. Raises TypeError, Refusal."""

def exercises() -> Dict[str, Any]:
    """{name: Exercise}, in the order of the book."""
