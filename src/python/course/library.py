"""All exercises, found by the chapters that hold them."""
import importlib
from functools import cache
from pathlib import Path

from .grading import Refusal, clipped

# The chapters of the book by their stems, in reading order; a test holds them against the book.
CHAPTERS = [
    "group", "body", "model", "rnea", "aba", "hybrid", "constrained", "derivatives", "lagrange", "skew_symmetry", "motion",
    "higher_order", "mechanisms", "oracle",
]  # fmt: skip
FOLDER = Path(__file__).parent / "chapters"


def of_chapter(stem):
    """Its exercises in the order of its file; none where it has no file yet."""
    if not (FOLDER / f"{stem}.py").exists():
        return []
    return importlib.import_module(f".chapters.{stem}", __package__).EXERCISES


@cache
def exercises():
    """{name: Exercise}, in the order of the book."""
    found = {}
    for stem in CHAPTERS:
        for exercise in of_chapter(stem):
            if exercise.name in found or exercise.chapter != stem:
                raise ValueError(f"the exercise {exercise.name} in chapters/{stem}.py has a name or a chapter that is not its own")
            found[exercise.name] = exercise
    return found


def numbered(stem):
    """As the book names its chapters: 04_rnea"""
    return f"{CHAPTERS.index(stem) + 1:02}_{stem}"


def find(name):
    try:
        return exercises()[name]
    except KeyError:
        raise Refusal(f"there is no exercise {clipped(name)}; `./articulate course list` names them") from None


def chosen(words):
    """The exercises that are named by themselves or by their chapter (`rnea`, `04_rnea`, `4`); all if none is."""
    if not words:
        return list(exercises().values())
    found = {}
    for word in words:
        stems = [stem for stem in CHAPTERS if word in (stem, numbered(stem), numbered(stem)[:2], numbered(stem)[:2].lstrip("0"))]
        of_word = of_chapter(stems[0]) if stems else [find(word)]
        found.update({exercise.name: exercise for exercise in of_word})
    return list(found.values())
