"""What one student, or each student of a class, handed in, with its marks."""
import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from . import answers, draw, library
from .grading import POINTS, Refusal, clipped, mark

STUDENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@+-]{0,63}")
PROGRAMS = (".cpp", ".py")
MOST_FILES = 100


@dataclass
class Marks:
    """Of one student: {exercise: {points, of, feedback, mistakes}}, and sentences about what could not be read."""

    student: str
    exercises: dict = field(default_factory=dict)
    said: list = field(default_factory=list)
    file: str = ""  # that is being marked
    answered: dict = field(default_factory=dict)  # {exercise: the file whose answer counts}
    seconds: float = 0.0  # that marking took

    @property
    def points(self):
        return sum(one["points"] for one in self.exercises.values())

    @property
    def of(self):
        return sum(one["of"] for one in self.exercises.values())

    def __str__(self):
        total = f"{self.points} of {self.of} points" if self.exercises or self.said else "no answers"
        lines = [f"{self.student}: {total}", *(f"  {sentence}" for sentence in self.said)]
        lines += [f"  {name}  {one['points']} of {one['of']}: {one['feedback']}" for name, one in self.exercises.items()]
        return "\n".join(lines)

    __repr__ = __str__

    def add(self, name, marked):
        """Of two answers to one exercise the first counts."""
        if name in self.exercises:
            of = f"that of {clipped(self.answered[name], 60)}" if self.answered[name] else "the first answer"
            self.said.append(f"{name} was answered twice; {of} counts.")
        else:
            self.answered[name] = self.file
            found = {"points": marked["points"], "of": POINTS, "feedback": marked["feedback"], "mistakes": marked["mistakes"]}
            self.exercises[name] = found

    def only(self, names):
        """With nothing for the exercises of a set that were not answered, and without what does not belong to it."""
        missing = {"points": 0, "of": POINTS, "feedback": "No answer.", "mistakes": []}
        self.exercises = {name: self.exercises.get(name, dict(missing)) for name in names}

    def table(self):
        return {"student": self.student, "points": self.points, "of": self.of, "said": self.said, "exercises": self.exercises}


def checked_student(name):
    """An ID that can stand in a file, a table and on a terminal."""
    if not isinstance(name, str):
        raise TypeError(f"{clipped(name)} is given where the ID of a student, a text, is needed.")
    if not STUDENT.fullmatch(name):
        raise Refusal(f"{clipped(name)} is no ID of a student: letters, digits and _.@+- are, at most 64, the first a letter or digit")
    return name


def mark_table(marks, table, key):
    """Marks for {exercise: {quantity: numbers}}."""
    for name, given in table.items():
        exercise = library.exercises().get(name)
        if exercise is None or exercise.kind != "number":
            marks.said.append(f"There is no exercise {clipped(name)} that is answered by numbers.")
        elif _has_answer(given):
            marks.add(name, mark(exercise, key, marks.student, given))


def _has_answer(given):
    """Is there more than the empty brackets of the sheet?"""
    return not isinstance(given, Mapping) or any(not isinstance(value, (list, tuple)) or len(value) for value in given.values())


def mark_program(marks, path, key):
    """Marks for a program, which is named as its exercise."""
    name = Path(path).stem
    try:
        from . import programs
    except ImportError:
        raise Refusal("programs are not graded here") from None
    found = programs.grade(name, str(path), draw.seed(key, marks.student, name))
    mistake = found.get("name_of_mistake")
    marks.add(name, {"points": found["points"], "feedback": found["feedback"], "mistakes": [mistake] if mistake else []})


def mark_file(marks, path, key):
    """Marks for one file, which adds a sentence and nothing else where it cannot be read."""
    marks.file = os.path.basename(path)
    try:
        if Path(path).suffix.lower() in PROGRAMS:
            mark_program(marks, path, key)
            return
        table, about = answers.read(path)
        if about["student"] not in (None, marks.student):
            raise Refusal(f"it says that it is of {clipped(about['student'])}")
        check_course(about["course"], key)
        mark_table(marks, table, key)
    except Refusal as refusal:
        marks.said.append(f"{clipped(os.path.basename(path), 60)} is not graded: {refusal}.")
    except Exception as error:  # a fault of ours must not take the others' marks
        marks.said.append(f"{clipped(os.path.basename(path), 60)} is not graded: {type(error).__name__} in the grader.")


def check_course(named, key):
    """Answers to other numbers than those of this key would be called wrong one by one."""
    if named in (None, draw.course(key)):
        return
    if key == draw.PRACTICE_KEY:
        raise Refusal("its numbers were drawn with a teacher's key, and only with that key can they be graded")
    raise Refusal("its numbers are for practice" if named == draw.course(draw.PRACTICE_KEY) else "its numbers were drawn with another key")


def named_student(paths):
    """Of whom the first file that says so says that it is."""
    return next(filter(None, map(answers.student_named, paths)), None)


def mark_student(student, paths, key):
    """Marks for all that one student handed in."""
    marks, begun = Marks(student), time.monotonic()
    if len(paths) > MOST_FILES:
        marks.said.append(f"These are {len(paths)} files, of which the first {MOST_FILES} are read.")
    for path in paths[:MOST_FILES]:
        mark_file(marks, path, key)
    marks.seconds = time.monotonic() - begun
    return marks


def entries(folder):
    """What lies in a folder, in a fixed order."""
    try:
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if not name.startswith(".")]
    except OSError as error:
        raise Refusal(f"the folder {clipped(os.path.basename(folder), 60)} cannot be read: {error.strerror}") from None


def files_of(path):
    """The files of a student: the file itself, or what lies in the folder."""
    return [path] if os.path.islink(path) or not os.path.isdir(path) else entries(path)


def listed_students(path):
    """The IDs of a file, one on each line."""
    try:
        lines = [line.strip() for line in answers.text(path).splitlines()]
        return list(dict.fromkeys(checked_student(line) for line in lines if line))
    except Refusal as refusal:
        raise Refusal(f"{path}: {refusal}") from None


def mark_class(folder, key, students=None):
    """Marks for each student of a folder that holds a file `ID.toml` or a folder `ID` for each, and for each of a list."""
    found = {student: [] for student in students or []}
    for path in entries(folder):
        name = os.path.basename(path)
        found.setdefault(name if os.path.isdir(path) else os.path.splitext(name)[0], []).append(path)
    for student, paths in sorted(found.items()):
        try:
            if students is not None and checked_student(student) not in students:
                raise Refusal(f"{student} is not on the list of students")
            yield mark_student(checked_student(student), [file for path in paths for file in files_of(path)], key)
        except Refusal as refusal:
            yield Marks(clipped(student), said=[f"{refusal}."])


def grade(given, student="practice", key=None):
    """Marks for answers: a table {exercise: {quantity: numbers}}, or the path of a file.

    `key` is the path of the teacher's key; without one the numbers are those of the practice sheet. What is returned prints as
    its feedback, and has `points`, `of`, `exercises` and `said`. Raises TypeError for arguments of another kind, Refusal for an ID
    or a key that cannot be used.
    """
    secret = read_key(key)
    checked_student(student)
    if isinstance(given, (str, os.PathLike)):
        return mark_student(student, [os.fsdecode(given)], secret)
    if not isinstance(given, Mapping):
        raise TypeError(f"{clipped(given)} is given where answers, {{exercise: {{quantity: numbers}}}}, or the path of their file is needed.")
    marks = Marks(student)
    mark_table(marks, given, secret)
    return marks


def read_key(path):
    """The teacher's key, which is never said, or that of the practice sheet."""
    if path is None:
        return draw.PRACTICE_KEY
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"{clipped(path)} is given where the path of the teacher's key, or None, is needed.")
    try:
        key = bytes.fromhex(answers.text(path).strip())
    except ValueError:
        key = b""
    except Refusal as refusal:
        raise Refusal(f"the key cannot be used: {refusal}") from None
    if len(key) != 32:
        raise Refusal("the key cannot be used: it is not 64 hexadecimal digits, which `./articulate course key FILE` writes")
    return key
