"""All exercises, found by the chapters that hold them."""
import difflib
import importlib
import importlib.util
from functools import cache

from .grading import Refusal, clipped

# The chapters of the book by their stems, in reading order; a test holds them against the book.
CHAPTERS = [
    "group", "body", "model", "rnea", "aba", "hybrid", "constrained", "derivatives", "lagrange", "skew_symmetry", "motion",
    "higher_order", "mechanisms", "oracle",
]  # fmt: skip
# Where exercises of all chapters stand together: what takes a week, and programs to write.
TOGETHER = {"write": "EXERCISES", "projects": "PROJECTS"}


def _those_of(module, name):
    """A list in a module of this package, empty where it does not exist."""
    if importlib.util.find_spec(f".{module}", __package__) is None:
        return []
    return getattr(importlib.import_module(f".{module}", __package__), name, [])


@cache
def of_chapter(stem):
    """Its exercises in the order of its file, then programs to write and projects."""
    together = [exercise for module, name in TOGETHER.items() for exercise in _those_of(module, name) if exercise.chapter == stem]
    return [*_those_of(f"chapters.{stem}", "EXERCISES"), *together]


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
        raise Refusal(f"there is no exercise {clipped(name)}{nearest(name, exercises())}; `./articulate course list` names them") from None


def nearest(name, names):
    """A guess at what was meant, if there is one."""
    found = difflib.get_close_matches(name[:100], list(names), n=1, cutoff=0.7)
    return f" (is {found[0]} meant?)" if found else ""


def chosen(words):
    """The exercises that are named by themselves or by their chapter (`rnea`, `04_rnea`, `4`); all if none is."""
    if not words:
        return list(exercises().values())
    found = {}
    for word in words:
        stems = [stem for stem in CHAPTERS if word in (stem, numbered(stem), numbered(stem)[:2], numbered(stem)[:2].lstrip("0"))]
        if not stems and word not in exercises():
            chapters = [numbered(stem) for stem in CHAPTERS]
            guess = nearest(word, [*chapters, *CHAPTERS, *exercises()])
            raise Refusal(
                f"there is no chapter and no exercise {clipped(word)}{guess}; the chapters are {', '.join(chapters)}, and "
                "`./articulate course list` names the exercises"
            )
        of_word = of_chapter(stems[0]) if stems else [find(word)]
        found.update({exercise.name: exercise for exercise in of_word})
    return list(found.values())
