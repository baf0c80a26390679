"""Grade a program: compile it, run it on drawn numbers, both in confinement, and judge the numbers that come back.

The program has the numbers of its cases and nothing else: no key, no student, no right answer. What it prints is taken for
answers, and can be nothing else. Whether they are right, which law they break and which mistake makes them is found here.
"""
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from . import answers, library
from .confined import Confinement, Limits
from .draw import Source
from .grading import POINTS, Refusal
from .mistakes import GENERAL

MOST_BYTES = 100_000
HARNESS = Path(__file__).parent / "write" / "harness"
READY = "/course"  # where the folder of ready() is, inside
FLAGS = ["-std=c++20", "-O1", "-pipe", "-w", "-fdiagnostics-color=never", "-fmax-errors=3", "-ftemplate-depth=200", "-isystem", "/usr/include/eigen3"]
COMPILING = Limits(seconds=20, waiting=60.0, memory=1 << 30, output=16 << 20)
RUNNING = Limits(memory=512 << 20, processes=16)
LAW = 1e-7  # a law is broken by more than this
ALIKE = 10.0  # so many tolerances may lie between answers and those that a mistake makes


# --- what is compiled once ------------------------------------------------------------------------------------------


def folder_for_builds():
    """build/course of the checkout, or a cache of the user where there is no checkout."""
    for parent in Path(__file__).resolve().parents:
        if (parent / "articulate").is_file() and (parent / "CMakeLists.txt").is_file():
            return parent / "build" / "course"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "articulate" / "course"


def compiler():
    found = shutil.which("g++", path="/usr/bin")
    if found is None:
        raise Refusal("C++ is not graded here, since g++ is missing: `apt-get install g++ libeigen3-dev` brings it; Python is")
    if not Path("/usr/include/eigen3/Eigen/Dense").exists():
        raise Refusal("C++ is not graded here, since Eigen is missing: `apt-get install libeigen3-dev` brings it; Python is")
    return found


def made(path, make):
    """The file, made beside itself and renamed, so that no one sees half of it."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            new = Path(folder) / path.name
            make(new)
            new.chmod(0o755 if new.is_dir() else 0o644)  # anyone may read it: the program runs as no one
            new.replace(path)
    return path


def compiled(*arguments):
    done = subprocess.run([compiler(), *FLAGS, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise Refusal(f"C++ is not graded here, since the harness does not compile: {first_lines(done.stderr)}")


@cache
def ready():
    """The folder with the harness, under a name that changes with it and with the compiler."""
    texts = b"".join(path.read_bytes() for path in sorted(HARNESS.iterdir()) if path.is_file())
    version = subprocess.run([compiler(), "--version"], capture_output=True).stdout if shutil.which("g++", path="/usr/bin") else b""
    name = hashlib.sha256(texts + version + repr(FLAGS).encode()).hexdigest()[:16]
    try:
        folder = folder_for_builds() / name
        for path in HARNESS.iterdir():
            if path.is_file():
                made(folder / path.name, lambda new, path=path: new.write_bytes(path.read_bytes()))
        folder.chmod(0o755)
    except OSError as error:
        raise Refusal(f"programs are not graded here, since {folder_for_builds()} cannot be written: {error.strerror}") from None
    return folder


def ready_for(exercise):
    """The names of what is linked: the harness of this exercise and the solvers. The header is precompiled."""
    folder = ready()
    made(folder / "solvers.o", lambda new: compiled("-c", folder / "solvers.cpp", "-o", new))
    made(folder / "course.hpp.gch", lambda new: compiled("-x", "c++-header", folder / "course.hpp", "-o", new))
    text = f'#include "harness.hpp"\n{exercise.declaration};\nint main() {{ return each_case(&{exercise.name}); }}\n'
    name = f"{exercise.name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"

    def harness(new):
        source = new.with_suffix(".cpp")
        source.write_text(text)
        compiled("-I", folder, "-c", source, "-o", new)

    return made(folder / f"{name}.o", harness).name, "solvers.o"


@cache
def confinement():
    return Confinement({READY: ready()})


# --- running --------------------------------------------------------------------------------------------------------


class Failed(Exception):
    """The program has no answers; in sentences for the student."""


def compiled_by_student(exercise, text):
    """The bytes of the linked program."""
    linked = " ".join(f"{READY}/{name}" for name in ready_for(exercise))
    flags = " ".join(FLAGS)
    command = f"g++ {flags} -I {READY} -c submission.cpp -o submission.o && g++ submission.o {linked} -s -o program && cat program"
    outcome = confinement().run(["/bin/sh", "-c", command], files={"submission.cpp": text}, limits=COMPILING)
    ended_by = outcome.ended_by or ("time" if b"CPU time limit exceeded" in outcome.said else "")  # of one that g++ started
    if ended_by:
        raise Failed(f"The compiler was stopped by the limit of {ended_by}.")
    if outcome.code != 0:
        said = first_lines(outcome.said.decode("utf-8", "replace"))
        if "undefined reference" in said:
            said = f"it does not define {' '.join(exercise.declaration.split())}"
        raise Failed(f"It does not compile: {said}")
    return outcome.stdout


def first_lines(said, most=3):
    """Of what a compiler said: errors, without what a terminal would obey."""
    lines = [line for line in said.splitlines() if "error" in line or "undefined" in line or "multiple definition" in line] or said.splitlines()
    return " | ".join(re.sub(r"[^\x20-\x7e]", "?", line)[:160] for line in lines[:most])


def run(exercise, path, text, input):
    """The outcome of the program on this input."""
    if path.suffix == ".py":
        command, files = ["/usr/bin/python3", "-I", "-B", f"{READY}/harness.py", exercise.name], {"submission.py": text}
    else:
        command, files = ["./program"], {"program": compiled_by_student(exercise, text)}
    return confinement().run(command, input, files, RUNNING)


def given(cases):
    """Cases as the harness reads them."""
    lines = [str(len(cases))]
    for case in cases:
        lines.append(str(len(case.numbers)))
        for value in case.numbers.values():
            array, rank = np.asarray(value, dtype=float), np.ndim(value) + (10 if isinstance(value, list) else 0)
            lines.append(" ".join([str(rank), *map(str, array.shape), *(f"{x:.17g}" for x in array.ravel())]))
    return ("\n".join(lines) + "\n").encode()


def taken(outcome, cases, right, python):
    """The answers, one array for each case. Anything else than their numbers is refused."""
    lines = outcome.stdout.decode("ascii", "replace").splitlines()
    if len(lines) < len(cases):
        raise Failed(unfinished(outcome, cases[len(lines)].where, python))
    if outcome.ended_by or outcome.code != 0 or len(lines) > len(cases):
        raise Failed(f"It printed more than its answers, or did not end well after them{': ' + outcome.ended_by if outcome.ended_by else ''}.")
    found = []
    for case, line, value in zip(cases, lines, right):
        try:
            count, *numbers = line.split(" ")
            numbers = [float(number) for number in numbers]
            good = int(count) == len(numbers)
        except ValueError:
            good = False
        if not good:
            raise Failed("What it printed is not answers: they are written by the harness, and by nothing else.")
        if len(numbers) != value.size:
            raise Failed(f"On {case.where} it returned {len(numbers)} numbers instead of {value.size}.")
        found.append(np.array(numbers).reshape(value.shape))
    return found


# What the codes of write/harness/harness.py mean.
REASONS = {
    81: "It is no Python: run it yourself, and Python names the line.",
    82: "It does not define the function that is asked for, under its name.",
    83: "On {where} it returned nothing: does each way through it end with a `return`?",
    84: "On {where} it returned complex numbers, where real ones are asked for.",
}


def unfinished(outcome, where, python):
    """Why the answer to this case is missing. What the program said is not passed on: it has seen numbers."""
    if outcome.ended_by == "time":
        return f"It was still running after {RUNNING.seconds} s of a processor, or {RUNNING.waiting:g} s of a clock, on {where}: does its loop end?"
    if outcome.ended_by == "memory":
        return f"It took more than {RUNNING.memory >> 20} MB of memory, on {where}."
    if outcome.ended_by == "output":
        return "It printed far more than its answers."
    if python and outcome.code in REASONS:
        return REASONS[outcome.code].format(where=where)
    if outcome.code == 0:
        return f"It ended by itself before it answered on {where}."
    return f"It ended with an error on {where}: try it on numbers of your own, for each case that the text names."


# --- the verdict ----------------------------------------------------------------------------------------------------


def alike(a, b, tolerance):
    """Within the tolerance of the larger; what is not finite is like what is not."""
    finite = np.all(np.isfinite(a)), np.all(np.isfinite(b))
    if not all(finite):
        return not any(finite)
    return np.abs(a - b).max() <= tolerance * max(np.abs(a).max(), np.abs(b).max())


def verdict(exercise, cases, right, found):
    """Points, what is said, and the mistake's name."""
    close = [bool(np.all(np.isfinite(x))) and np.abs(x - r).max() <= exercise.tolerance * np.abs(r).max() for x, r in zip(found, right)]
    if all(close):
        return result(POINTS, f"Right, on {len(cases)} cases: {', '.join(dict.fromkeys(place(case) for case in cases))}.")
    wrong = [k for k, good in enumerate(close) if not good]
    points = 1 if 2 * len(wrong) <= len(cases) else 0
    said = [f"On {cases[wrong[0]].where} {broken_law(exercise, cases[wrong[0]], found[wrong[0]])}."]
    if len(wrong) < len(cases):
        said.append(f"{len(cases) - len(wrong)} of {len(cases)} cases are right.")
    names, reasons = explained(exercise, cases, right, found, wrong)
    return result(points, " ".join(said + reasons), names)


def place(case):
    return case.where.split(",")[0]


def broken_law(exercise, case, answer):
    if not np.all(np.isfinite(answer)):
        return "the answer holds numbers that are not finite"
    with np.errstate(all="ignore"):
        for law in exercise.laws:
            if law.residual is None or not law.residual(case.numbers, answer) <= LAW:
                return law.broken


def explained(exercise, cases, right, found, wrong):
    """The names of what makes these very answers, and what is said of it."""
    specials = [cases[k].special for k in wrong]
    if all(specials):  # each wrong case has its own difficulty, and the others are right
        names = dict(specials)
        return " and ".join(names), list(names.values())
    own = [(mistake.name, mistake.feedback, lambda k, mistake=mistake: mistake.answers(cases[k].numbers)) for mistake in exercise.mistakes]
    general = [(name, said, lambda k, change=change: changed(change, right[k])) for name, said, change in GENERAL]
    for mistakes in ([("not_filled_in", "It returns zeros: is the body still empty?", lambda k: 0 * right[k])], own, general):
        names = {}
        for name, said, answer in mistakes:
            if makes(answer, found, exercise.tolerance * ALIKE):
                names.setdefault(name, said)
        if names:
            return " or ".join(names), [" Or: ".join(names.values())]
    return "", []


def changed(change, right):
    return change({"answer": right}).get("answer", right)


def makes(answer, found, tolerance):
    """Does the mistake give what was found, in each case?"""
    with np.errstate(all="ignore"):
        for k, x in enumerate(found):
            try:
                y = np.asarray(answer(k), dtype=float)
            except (np.linalg.LinAlgError, ValueError, ZeroDivisionError, OverflowError):
                return False
            if y.size != x.size or not alike(x, y.reshape(x.shape), tolerance):
                return False
    return True


def result(points, feedback, name=""):
    return {"points": points, "feedback": feedback, "name_of_mistake": name or None}


def grade(exercise_name, path, secret):
    """{points, feedback, name_of_mistake} of a program for an exercise, on numbers that follow from the secret."""
    exercise, path = library.find(exercise_name), Path(path)
    if exercise.kind != "write" or path.suffix not in (".cpp", ".py"):
        raise Refusal(f"{exercise_name} is not answered by a program in {path.suffix or 'such a file'}")
    text = answers.contents(path)
    if len(text) > MOST_BYTES:
        raise Refusal(f"it has more than {MOST_BYTES} bytes")
    cases = exercise.cases(Source(secret))
    right = [np.asarray(exercise.right(case.numbers), dtype=float) for case in cases]
    try:
        found = taken(run(exercise, path, text, given(cases)), cases, right, path.suffix == ".py")
    except Failed as failed:
        return result(0, str(failed))
    return verdict(exercise, cases, right, found)
