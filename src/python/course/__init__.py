"""Exercises that grade themselves: numbers drawn for each student, answers checked, mistakes named.

    import articulate
    articulate.grade({"handle_in_the_room": {"p": [0.69, 0.4, 1.0]}})   # of the practice sheet
    articulate.grade("answers.toml", student="s123", key="course.key")  # with a teacher's key

It needs numpy and nothing that is compiled. exercise.py says how to add exercises.
"""
from .grading import Refusal  # noqa: F401
from .library import CHAPTERS, exercises  # noqa: F401
from .submission import Marks, grade  # noqa: F401
