"""`./articulate grade` and `./articulate course`."""
import argparse
import os
import secrets
import sys
from pathlib import Path

from . import library, notebook, report, submission
from .draw import PRACTICE_KEY
from .exercise import shown
from .grading import Marking, Refusal, clipped
from .sheet import about, plain, sheet, stars, wrapped


def write(path, text):
    """To a file, which is new or replaced as a whole; to what a link, a device or a pipe leads to; or to standard output."""
    if path is None or path == "-":
        sys.stdout.write(text)
        return
    replaced = not os.path.islink(path) and (os.path.isfile(path) or not os.path.exists(path))
    try:
        with open(path + ".new" if replaced else path, "w", encoding="utf-8") as file:
            file.write(text)
        if replaced:
            os.replace(path + ".new", path)
    except OSError as error:
        raise Refusal(f"{path} cannot be written: {error.strerror}") from None


# --- subcommands ----------------------------------------------------------------------------------------------------


def grade(options):
    """Mark what was handed in, by one student or by a class."""
    key = submission.read_key(options.key)
    names = [exercise.name for exercise in library.chosen(options.set.split(",")) if exercise.kind in ("number", "write")] if options.set else None
    folders = [path for path in options.files if os.path.isdir(path)]
    if folders and (options.student or len(options.files) > 1):
        raise Refusal("a folder holds a class, whose students are the names in it: give it alone and without --student")
    if options.students and not folders:
        raise Refusal("--students is for a folder, which holds a class")
    for path in options.files:
        if not os.path.lexists(path):
            raise Refusal(f"there is no file {path}")
    if folders:
        marking = submission.mark_class(folders[0], key, submission.listed_students(options.students) if options.students else None)
    else:
        named = options.student or submission.named_student(options.files)
        marking = [submission.mark_student(submission.checked_student(named or "practice"), options.files, key)]
        if not named and marking[0].said and not marking[0].exercises:  # of no one that is known
            marking[0].student = clipped(os.path.basename(options.files[0]), 60)
    all_marks, aloud = [], "-" not in (options.json, options.csv, options.junit)
    for marks in marking:
        if names is not None:
            marks.only(names)
        all_marks.append(marks)
        if aloud:  # at once: a class takes minutes
            print(marks, flush=True)
    if aloud and key == PRACTICE_KEY:
        print("These are marks for practice numbers: no key was given.")
    for path, form in ((options.json, report.as_json), (options.csv, report.as_csv), (options.junit, report.as_junit)):
        if path:
            write(path, form(all_marks))
    return 1 if any(marks.said for marks in all_marks) else 0


def list_exercises(options):
    """Names, stars and titles."""
    for exercise in library.chosen(options.exercises):
        print(f"{library.numbered(exercise.chapter):16} {exercise.kind:7} {stars(exercise):3} {exercise.name:28} {exercise.title}")
    return 0


def sheets(options):
    """A sheet for one student, or one for each line of a file."""
    key = submission.read_key(options.key)
    exercises = library.chosen(options.exercises)
    make, ending = (notebook.notebook, ".ipynb") if options.subcommand == "notebook" else (sheet, ".toml")
    if not options.students:
        write(options.output, make(exercises, key, submission.checked_student(options.student or "practice")))
        return 0
    if not options.output or options.student:
        raise Refusal("--students needs --output FOLDER, and goes without --student")
    students = submission.listed_students(options.students)
    try:
        os.makedirs(options.output, exist_ok=True)
    except OSError as error:
        raise Refusal(f"{options.output} cannot be made a folder: {error.strerror}") from None
    for student in students:
        write(os.path.join(options.output, student + ending), make(exercises, key, student))
    print(f"{options.output} holds sheets for {len(students)} students.")
    return 0


def starter(options):
    """The file that a program is begun with, under a name that says which exercise and which language."""
    path = Path(options.file)
    exercise = library.find(path.stem)
    begun = Path(__file__).parent / "write" / "starters" / path.name
    if exercise.kind != "write" or not begun.is_file():
        raise Refusal(f"there is no starter {path.name}; those of {', '.join(programs_to_write())} end with .py or .cpp")
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(begun.read_text(encoding="utf-8"))
    except FileExistsError:
        raise Refusal(f"{path} exists, and a program of yours is never overwritten") from None
    except OSError as error:
        raise Refusal(f"{path} cannot be written: {error.strerror}") from None
    print(f"{path} is there to be filled in. Then: ./articulate grade {path}")
    return 0


def programs_to_write():
    return [exercise.name for exercise in library.exercises().values() if exercise.kind == "write"]


def hints(options):
    """As many hints as are asked for, the first being the gentlest."""
    if options.number < 1:
        raise Refusal(f"--number is {options.number} where at least 1 is needed")
    for exercise in library.chosen([options.exercise]):
        for number, hint in enumerate(exercise.hints[: options.number], 1):
            print(*wrapped(f"{number} of {len(exercise.hints)}: {plain(hint)}", ""), sep="\n")
    return 0


NO_NUMBERS = {
    "derive": "its derivation is on the page of the exercises",
    "write": "a program, which is tried on drawn cases",
    "project": "a project, whose report a person reads",
}


def solutions(options):
    """The teacher's solutions: numbers and answers of each student."""
    if not options.key:
        raise Refusal("solutions are made with the teacher's key only: --key FILE")
    key = submission.read_key(options.key)
    students = submission.listed_students(options.students) if options.students else [submission.checked_student(options.student or "practice")]
    for student in students:
        print(about(key, student).replace("These numbers are for", "Solutions for").replace(" alone.", ":"))
        for exercise in library.chosen(options.exercises):
            if exercise.kind != "number":
                print(f"# {exercise.name}: {NO_NUMBERS[exercise.kind]}")
                continue
            numbers = exercise.numbers(key, student)
            print(f"[{exercise.name}]  # " + ", ".join(f"{name} = {shown(value)}" for name, value in numbers.items()))
            for name, value in Marking(exercise, numbers).shaped.items():
                print(f"{name} = [{', '.join(f'{x:.6g}' for x in value.ravel())}]")
    return 0


def key(options):
    """A new key, which no one else can read."""
    try:
        descriptor = os.open(options.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise Refusal(f"{options.file} exists, and a key is never overwritten") from None
    except OSError as error:
        raise Refusal(f"{options.file} cannot be written: {error.strerror}") from None
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_hex(32) + "\n")
    print(f"{options.file} holds the key of your course: keep it, and keep it to yourself.")
    return 0


# --- the command line -----------------------------------------------------------------------------------------------


def parser():
    top = argparse.ArgumentParser(prog="./articulate course", description="Exercises that grade themselves.")
    subcommands = top.add_subparsers(dest="subcommand", required=True, metavar="SUBCOMMAND")

    def subcommand(name, function, said, prog=None):
        added = subcommands.add_parser(name, help=f"{said}; the same as {prog}" if prog else said, description=said, prog=prog)
        added.set_defaults(run=function)
        return added

    one = subcommand("grade", grade, "mark answers: the file or files of one student, or a folder with one for each", "./articulate grade")
    one.add_argument("files", nargs="+", metavar="FILE", help="answers (.toml, .json, .csv, .ipynb), programs (.cpp, .py), or a folder")
    one.add_argument("--student", metavar="ID", help="the student who gave these answers; without it the ID that the file itself names")
    one.add_argument("--key", metavar="FILE", help="the teacher's key; without one the answers are to the practice numbers")
    one.add_argument("--students", metavar="FILE", help="the IDs of a class: students who handed in nothing get a line too, and no one else is graded")
    one.add_argument("--set", metavar="NAMES", help="exercises or chapters, separated by commas: one that is missing counts as zero points")
    for form in ("json", "csv", "junit"):
        one.add_argument(f"--{form}", metavar="FILE", help=f"write the marks as {form.upper()}; - is standard output")

    one = subcommand("list", list_exercises, "name the exercises with their chapter and kind; * is easy, *** is hard")
    one.add_argument("exercises", nargs="*", metavar="NAME", help="exercises or chapters; all without any")
    for name, said in (("sheet", "a student's sheet, to be filled in"), ("notebook", "the same as a notebook in nbgrader's convention")):
        one = subcommand(name, sheets, said)
        one.add_argument("exercises", nargs="*", metavar="NAME", help="exercises or chapters; all without any")
        one.add_argument("--student", metavar="ID", help="whose numbers; 'practice' without one")
        one.add_argument("--students", metavar="FILE", help="a sheet for each ID in a file, in the folder --output")
        one.add_argument("--key", metavar="FILE", help="the teacher's key; without one these are practice numbers")
        one.add_argument("--output", metavar="PATH", help="where to write; standard output without it")
    one = subcommand("starter", starter, "the file that a program is begun with")
    one.add_argument("file", metavar="FILE", help="NAME.py or NAME.cpp, after the exercise")
    one = subcommand("hints", hints, "hints for an exercise, one by one")
    one.add_argument("exercise", metavar="NAME")
    one.add_argument("--number", type=int, default=1, metavar="N", help="how many; 1 without it")
    one = subcommand("solutions", solutions, "the teacher's solutions")
    one.add_argument("exercises", nargs="*", metavar="NAME", help="exercises or chapters; all without any")
    one.add_argument("--key", metavar="FILE", help="the teacher's key")
    one.add_argument("--student", metavar="ID", help="of whom; of 'practice' without one")
    one.add_argument("--students", metavar="FILE", help="of each ID in a file")
    one = subcommand("key", key, "make the key of a course")
    one.add_argument("file", metavar="FILE")
    return top


def refuse_empty(options):
    """An option without a value, as from a variable of a script that is not set, is not the same as no option."""
    for name in ("student", "students", "key", "set", "json", "csv", "junit", "output"):
        if getattr(options, name, None) == "":
            raise Refusal(f"--{name} is empty; give it a value, or leave it out")


def say_nothing_more():
    """What is still to be printed is given up, so that Python does not fail once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(arguments=None):
    options = parser().parse_args(arguments)
    try:
        refuse_empty(options)
        code = options.run(options)
        sys.stdout.flush()
        return code
    except Refusal as refusal:
        print(f"articulate: {refusal}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader has seen enough
        say_nothing_more()
        return 0
    except OSError as error:
        if error.filename is not None:
            raise
        say_nothing_more()
        print(f"articulate: standard output cannot be written: {error.strerror}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="surrogateescape")  # names of files are said as they are
    sys.exit(main())
