"""Programs grade themselves: right ones pass, wrong ones fail under their own names, and hostile ones change and learn nothing."""
import contextlib
import errno
import hashlib
import inspect
import io
import json
import os
import re
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from functools import cache
from pathlib import Path

import numpy as np
from rounding import FUSES, assert_copies_agree

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "src" / "python"))  # the package needs no build

from course import __main__ as command
from course import confined, draw, grading, library, programs, sheet, submission
from course.confined import Confinement, Limits
from course.grading import POINTS, Refusal
from course.write import NAMES, robots

try:
    import articulate
except ImportError:  # where nothing is built
    articulate = None

HERE = Path(__file__).parent / "programs"
WRONG = runpy.run_path(str(HERE / "wrong.py"))["WRONG"]
HARNESS = runpy.run_path(str(programs.HARNESS / "harness.py"))
STARTERS = programs.HARNESS.parent / "starters"
WRITE = [library.find(name) for name in NAMES]
KEY = bytes(range(32))
SECRETS = [draw.seed(KEY, f"s{k}", "programs") for k in range(50)]
SECONDS = 2  # of a processor, in which a loop without end is stopped here


@cache
def missing():
    """What keeps programs from being run here, or nothing."""
    try:
        programs.confinement()
        programs.compiler()
        return ""
    except Refusal as refusal:
        return str(refusal)


class Confined(unittest.TestCase):
    """What needs a confinement; where there is none, the reason is said."""

    def setUp(self):
        if missing():
            self.skipTest(missing())
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def file(self, name, contents):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
        return path

    def grade(self, name, contents, secret=SECRETS[0]):
        """Of a program {carry_velocity.py: text}."""
        return programs.grade(Path(name).stem, self.file(name, contents), secret)


def changed(name):
    """Each wrong program: the name of its mistake, and its text."""
    plain = (HERE / "plain" / f"{name}.py").read_text(encoding="utf-8")
    for mistake, *passages in WRONG[name]:
        text = plain
        for old, new in zip(passages[::2], passages[1::2]):
            assert old in text, f"{name}, {mistake}: nothing to change"
            text = text.replace(old, new)
        yield mistake, text


def here(name, text, cases):
    """The answers of a program of ours, which needs no confinement, given its numbers as the harness gives them."""
    names = {}
    with np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
        exec(compile(text, name, "exec"), names)
        tokens, found = iter(programs.given(cases).decode().split()), []
        for _ in range(int(next(tokens))):
            found.append(HARNESS["flattened"](names[name](*[HARNESS["argument"](tokens) for _ in range(int(next(tokens)))])))
    return found


@cache
def judged(name, text, secret):
    """The verdict on a program of ours, reached as the grader reaches it."""
    exercise = library.find(name)
    cases = exercise.cases(draw.Source(secret))
    right = [np.asarray(exercise.right(case.numbers), dtype=float) for case in cases]
    found = [x.reshape(r.shape) for x, r in zip(here(name, text, cases), right)]
    return programs.verdict(exercise, cases, right, found)


def named(mistake, name):
    return name is not None and mistake in re.split(" or | and ", name)


class Exercises(unittest.TestCase):
    """What is asked, and how it is judged: nothing here is run in confinement."""

    def test_right_programs_of_two_structures_pass_whoever_the_student_is(self):
        for exercise in WRITE:
            with self.subTest(exercise.name):
                for folder, secrets in (("plain", SECRETS), ("right", SECRETS[:5])):
                    text = (HERE / folder / f"{exercise.name}.py").read_text(encoding="utf-8")
                    for secret in secrets:
                        found = judged(exercise.name, text, secret)
                        self.assertEqual((found["points"], found["name_of_mistake"]), (POINTS, None), (folder, found))

    def test_ten_wrong_programs_fail_with_their_names(self):
        for exercise in WRITE:
            with self.subTest(exercise.name):
                self.assertGreaterEqual(len({mistake for mistake, *_ in WRONG[exercise.name]}), 10)
                for mistake, text in changed(exercise.name):
                    for secret in SECRETS[1:3]:
                        found = judged(exercise.name, text, secret)
                        self.assertLess(found["points"], POINTS, mistake)
                        self.assertTrue(named(mistake, found["name_of_mistake"]), (mistake, found))
                        self.assertRegex(found["feedback"], r"\AOn [a-z0-9_: ]+")

    def test_right_answers_obey_the_laws_and_each_law_is_broken_by_a_program(self):
        for exercise in WRITE:
            with self.subTest(exercise.name):
                self.assertIsNone(exercise.laws[-1].residual)  # said of what is wrong and breaks none of the others
                said = " ".join(judged(exercise.name, text, SECRETS[1])["feedback"] for _, text in changed(exercise.name))
                said += " ".join(self.tampered(exercise))
                for law in exercise.laws[:-1]:
                    self.assertIn(law.broken, said)
                    for secret in SECRETS[:5]:
                        for case in exercise.cases(draw.Source(secret)):
                            self.assertLess(law.residual(case.numbers, exercise.right(case.numbers)), 0.01 * programs.LAW, law.broken)

    def tampered(self, exercise):
        """What is said of right answers with one number changed, for each number of the first case."""
        case = exercise.cases(draw.Source(SECRETS[1]))[0]
        right = np.asarray(exercise.right(case.numbers), dtype=float)
        for k in range(right.size):
            for by in (1.0, np.nan):
                answer = right.copy()
                answer.flat[k] += by
                yield programs.broken_law(exercise, case, answer)

    @unittest.mock.patch.object(programs, "explained", lambda *_: ("", []))
    def test_a_verdict_depends_on_every_number(self):
        for exercise in WRITE:
            with self.subTest(exercise.name):
                cases = exercise.cases(draw.Source(SECRETS[2]))
                right = [np.asarray(exercise.right(case.numbers), dtype=float) for case in cases]
                for k, answer in enumerate(right):
                    for place in range(answer.size):
                        found = [x.copy() for x in right]
                        found[k].flat[place] += 1e-6 * np.abs(answer).max() or 1e-6
                        self.assertLess(programs.verdict(exercise, cases, right, found)["points"], POINTS, (cases[k].where, place))

    def test_what_is_not_filled_in_is_said_to_be_empty(self):
        for exercise in WRITE:
            with self.subTest(exercise.name):
                found = judged(exercise.name, (STARTERS / f"{exercise.name}.py").read_text(encoding="utf-8"), SECRETS[3])
                self.assertEqual((found["points"], found["name_of_mistake"]), (0, "not_filled_in"), found)

    def test_starters_ask_for_what_is_graded(self):
        for exercise in WRITE:
            with self.subTest(exercise.name):
                case = exercise.cases(draw.Source(SECRETS[0]))[0]
                self.assertEqual(re.findall(r" (\w+)[,)]", exercise.declaration.split("(", 1)[1]), list(case.numbers))
                names = {}
                exec((STARTERS / f"{exercise.name}.py").read_text(encoding="utf-8"), names)
                self.assertEqual(list(inspect.signature(names[exercise.name]).parameters), list(case.numbers))
                text = (STARTERS / f"{exercise.name}.cpp").read_text(encoding="utf-8")
                self.assertIn(" ".join(exercise.declaration.split()), " ".join(text.split()))

    def test_students_have_numbers_of_their_own(self):
        for exercise in WRITE:
            with self.subTest(exercise.name):
                self.assertEqual(len({programs.given(exercise.cases(draw.Source(secret))) for secret in SECRETS[:10]}), 10)

    def test_two_difficulties_at_once_are_both_named(self):
        naive = (HERE / "plain" / "exp_twist.py").read_text(encoding="utf-8").replace("if angle > 1e-3", "if True")
        found = judged("exp_twist", naive, SECRETS[0])
        self.assertEqual((found["points"], found["name_of_mistake"]), (1, "slide_fails and digits_lost_near_zero"))

    def test_the_sheet_says_what_is_asked_and_where_to_begin(self):
        for exercise in WRITE:
            with self.subTest(exercise.name):
                text = sheet.sheet([exercise], KEY, "s1")
                self.assertIn(f"./articulate course starter {exercise.name}.py", text)
                self.assertNotRegex(text, r"\\f|\\ref|[{}]")


@unittest.skipIf(articulate is None, "the module is not built")
class Agreement(unittest.TestCase):
    """Right answers are those of the module, which shares no line with them."""

    def close(self, found, right):
        found, right = np.ravel(found), np.ravel(right)
        self.assertLess(np.abs(found - right).max(), 1e-12 * np.abs(right).max())

    def test_the_robots_are_those_of_the_module(self):
        made = runpy.run_path(str(HERE / "robots.py"))["text"]()
        kept = (programs.HARNESS.parent / "robots.json").read_text(encoding="utf-8")
        for name, table in json.loads(kept).items():
            for key, numbers in json.loads(made)[name].items():
                with self.subTest(name, key=key):
                    assert_copies_agree(numbers, table[key])
        if not FUSES:
            self.assertEqual(made, kept)

    def test_maps_and_steps(self):
        functions = runpy.run_path(str(HERE / "agreement.py"))["AGREEMENT"]
        for name, function in functions.items():
            exercise = library.find(name)
            for secret in SECRETS[:5]:
                for case in exercise.cases(draw.Source(secret)):
                    with self.subTest(name, where=case.where):
                        self.close(function(case.numbers), exercise.right(case.numbers))
        self.assertEqual(set(NAMES) - set(functions), {"inverse_dynamics", "mass_matrix", "close_four_bar"})

    def test_sweeps(self):
        """Whatever the frames of the bodies are, joints move and feel the same."""
        for name in ("inverse_dynamics", "mass_matrix"):
            exercise, source, again = library.find(name), draw.Source(SECRETS[0]), draw.Source(SECRETS[0])
            for case in exercise.cases(source):
                model = articulate.Model(articulate.built_in_model(case.where))
                _, q, qd, qdd = robots.drawn(case.where, again)
                if name == "mass_matrix":
                    theirs = articulate.mass_matrix(model, q)
                else:
                    rnea = articulate.InverseDynamics(model)
                    rnea.set_gravity(np.array(again.vector(1.0, 9.0, 4)))
                    theirs = rnea(q, qd, qdd)
                with self.subTest(name, robot=case.where):
                    self.close(theirs, exercise.right(case.numbers))


class Programs(Confined):
    """The whole way: compiled, run and judged."""

    def test_right_ones_pass_in_both_languages(self):
        for path in sorted((HERE / "right").iterdir()):
            with self.subTest(path.name):
                found = programs.grade(path.stem, path, SECRETS[6])
                self.assertEqual((found["points"], found["name_of_mistake"]), (POINTS, None), found)
                self.assertRegex(found["feedback"], r"\ARight, on \d+ cases: ")
        self.assertEqual({path.name for path in (HERE / "right").iterdir() if path.is_file()}, {f"{name}{ending}" for name in NAMES for ending in (".cpp", ".py")})

    def test_wrong_ones_get_the_same_verdict_as_outside(self):
        """Two of each exercise: in all of them the harness is the same."""
        for name in NAMES:
            for mistake, text in list(changed(name))[::7]:
                with self.subTest(name, mistake=mistake):
                    self.assertEqual(self.grade(f"{name}.py", text), judged(name, text, SECRETS[0]))

    def test_a_wrong_one_in_cpp_has_the_name_that_it_has_in_python(self):
        text = (HERE / "right" / "carry_velocity.cpp").read_text(encoding="utf-8").replace("w.cross(p)", "p.cross(w)")
        found = self.grade("carry_velocity.cpp", text)
        self.assertEqual((found["points"], found["name_of_mistake"]), (0, "lever_sign"))
        self.assertRegex(found["feedback"], r"\AOn ur5, body 1 the twist of the body is not what Ad\(T\^-1\) carries")

    def test_starters_compile(self):
        folder = programs.ready()
        for name in NAMES:
            programs.compiled("-I", folder, "-fsyntax-only", STARTERS / f"{name}.cpp")

    def test_what_takes_a_compiler_long_is_compiled_once(self):
        """A submission only asks for it: otherwise an inverse differential took five seconds, and a second without them."""
        programs.ready_for(library.find("dexp_inverse"))
        source = self.file("inverses.cpp", '#include "course.hpp"\n' + "".join(
            f"{matrix} inverse(const {matrix}& A, const {vector}& b, {vector}& x) {{ x = A.partialPivLu().solve(b); return A.partialPivLu().inverse(); }}\n"
            for matrix, vector in (("Matrix2", "Vector2"), ("Matrix3", "Vector3"), ("Matrix4", "Vector4"), ("Matrix6", "Vector6"), ("MatrixX", "VectorX"))))  # fmt: skip
        programs.compiled("-I", programs.ready(), "-c", source, "-o", self.folder / "inverses.o")
        symbols = subprocess.run(["nm", "-C", self.folder / "inverses.o"], capture_output=True, text=True, check=True).stdout
        for name, count in ((r"PartialPivLU<.*>::compute\(\)", 5), (r"triangular_solve_matrix<.*>::run\(", 1)):
            kinds = re.findall(rf" (\w) [^\n]*{name}", symbols)
            self.assertEqual(set(kinds), {"U"}, name)
            self.assertGreaterEqual(len(kinds), count, name)

    def test_what_does_not_answer_is_told_why(self):
        begin = "import numpy as np\ndef carry_velocity(T, V_parent, S, qd):\n    "
        for body, said in (
            ("return S[:5]", "On ur5, body 1 it returned 5 numbers instead of 6."),
            ("return np.eye(99)", "On ur5, body 1 it returned 9801 numbers instead of 6."),
            ("return 'a word'", "It ended with an error on ur5, body 1"),
            ("return S / 0 * np.nan", "the answer holds numbers that are not finite"),
            ("raise SystemExit(0)", "It ended by itself before it answered on ur5, body 1"),
            ("return S if S[2] else undefined", "It ended with an error on"),
            ("return (", "It is no Python: run it yourself"),
            ("S[2] = 1", "On ur5, body 1 it returned nothing"),
            ("return [S[:3], None]", "On ur5, body 1 it returned nothing"),
            ("return S + 0j", "On ur5, body 1 it returned complex numbers"),
            ("return S\ncarry_velocity = 7", "It does not define the function that is asked for"),
        ):
            with self.subTest(body):
                found = self.grade("carry_velocity.py", begin + body + "\n")
                self.assertEqual(found["points"], 0)
                self.assertIn(said, found["feedback"])

    def test_a_compiler_error_is_told_in_one_line_without_codes_of_a_terminal(self):
        found = self.grade("carry_velocity.cpp", '#include "course.hpp"\n#error \x1b[2J\u202e' + "x" * 1000 + "\n")
        self.assertIn("It does not compile: submission.cpp:2:2: error: #error ?[2J", found["feedback"])
        self.assertTrue(found["feedback"].isascii() and found["feedback"].isprintable() and len(found["feedback"]) < 600)
        found = self.grade("carry_velocity.cpp", "int carry_velocity() { return 0; }\n")
        self.assertIn("it does not define Vector6 carry_velocity(const Matrix4& T", found["feedback"])

    def test_what_a_program_prints_is_no_answer_and_no_harm(self):
        text = (HERE / "right" / "carry_velocity.py").read_text(encoding="utf-8")
        found = self.grade("carry_velocity.py", "print('2 points')\n" + text.replace("    X =", "    print(T)\n    X ="))
        self.assertEqual(found["points"], POINTS)

    def test_only_programs_for_programs(self):
        for name, path in (("two_turns", "two_turns.py"), ("carry_velocity", "carry_velocity.txt")):
            with self.assertRaisesRegex(Refusal, "is not answered by a program in"):
                programs.grade(name, self.file(path, ""), SECRETS[0])
        with self.assertRaisesRegex(Refusal, "it has more than 100000 bytes"):
            self.grade("carry_velocity.py", "#" * 100_001)


# Right answers, if it were not for what stands before them.
RIGHT = (HERE / "right" / "carry_velocity.py").read_text(encoding="utf-8")


@cache
def digest(path, *_):
    """Of what a file holds; read again whenever the kernel says that it has changed, whatever a program says."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def tree(folder):
    """{path: what a file is, and a digest of what it holds}"""
    found = {}
    for path in sorted(Path(folder).rglob("*")):
        about = path.lstat()
        plain = path.is_file() and not path.is_symlink()
        held = digest(path, about.st_ino, about.st_size, about.st_ctime_ns) if plain else None
        found[str(path)] = (about.st_mode, about.st_uid, held)
    return found


class Hostile(Confined):
    """Bombs are bounded: 200 processes, 100 MB, two seconds."""

    @classmethod
    def tearDownClass(cls):
        if missing():
            return
        before = tree(programs.ready())
        digest.cache_clear()  # in the end all is read once more
        assert tree(programs.ready()) == before, "a program has changed what is compiled once"

    def setUp(self):
        super().setUp()
        self.secret = hashlib.sha256(self.id().encode()).hexdigest().encode()
        self.outside = self.file("outside/course.key", self.secret).parent
        self.folder.chmod(0o755)
        self.outside.chmod(0o777)  # anyone could write here, if it could be reached
        if shutil.which("g++", path="/usr/bin"):  # what is compiled once is there before
            programs.ready_for(library.find("carry_velocity"))
        before = tree(self.outside), tree(programs.ready())
        self.addCleanup(lambda: self.assertEqual((tree(self.outside), tree(programs.ready())), before))
        self.addCleanup(self.assertEqual, self.groups(), [])
        limits = Limits(seconds=SECONDS, waiting=60.0, memory=programs.RUNNING.memory, processes=programs.RUNNING.processes)
        self.enterContext(unittest.mock.patch.object(programs, "RUNNING", limits))

    @staticmethod
    def groups():
        """Control groups that are left, and with them processes."""
        found = {folder / name for folder in confined.own_groups().values() if folder.is_dir() for name in os.listdir(folder)}
        return [str(path) for path in found if path.name.startswith(f"articulate-{os.getpid()}-")]

    def run_python(self, text, limits=None, files=None):
        """The outcome of a program that is not asked for anything."""
        given = {"submission.py": text.encode(), **(files or {})}
        outcome = programs.confinement().run(["/usr/bin/python3", "-I", "-B", "submission.py"], files=given, limits=limits or programs.RUNNING)
        self.assertEqual(self.groups(), [])
        return outcome

    def test_a_bomb_of_processes_stays_below_the_limit(self):
        bomb = """import os, time
started = 0
for _ in range(200):
    try:
        if os.fork() == 0:
            time.sleep(5); os._exit(0)
        started += 1
    except OSError:
        pass
print(started, flush=True)
os._exit(0)
"""
        outcome = self.run_python(bomb)
        started = int(outcome.stdout)
        self.assertGreater(started, 2)
        self.assertLessEqual(started, programs.RUNNING.processes)
        found = self.grade("carry_velocity.py", bomb)
        self.assertEqual(found["points"], 0)

    def test_processes_that_are_left_behind_end(self):
        """In the background, with its output closed, and away from the group of its parent."""
        text = """import os, time
if os.fork() == 0:
    os.setsid()
    for file in range(3): os.close(file)
    time.sleep(5)
    os._exit(0)
print("gone")
"""
        outcome = self.run_python(text)
        self.assertEqual((outcome.stdout, outcome.ended_by), (b"gone\n", ""))

    def test_output_without_end_is_cut(self):
        flood = "import os\nfor _ in range(100):\n    os.write({}, b'x' * 1000000)\n"
        for file in (1, 2):
            outcome = self.run_python(flood.format(file))
            self.assertEqual(outcome.ended_by, "output")
            self.assertLessEqual(len(outcome.stdout) + len(outcome.said), programs.RUNNING.output)
        found = self.grade("carry_velocity.py", flood.format("os.dup(1)") + RIGHT)
        self.assertEqual(found["points"], POINTS)  # it went where nothing reads it
        found = self.grade("carry_velocity.py", flood.format(3))  # where the harness writes
        self.assertEqual((found["points"], found["feedback"]), (0, "It printed far more than its answers."))

    def test_a_loop_without_end_is_ended(self):
        found = self.grade("carry_velocity.py", "def carry_velocity(*_):\n    while True: pass\n")
        self.assertEqual(found["points"], 0)
        self.assertRegex(found["feedback"], r"\AIt was still running after 2 s of a processor, or 60 s of a clock, on ur5, body 1: does its loop end\?\Z")
        loop = "while True: pass\n"
        for text, signal_number in ((loop, signal.SIGXCPU), ("import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\n" + loop, signal.SIGKILL)):
            outcome = self.run_python(text, Limits(seconds=1, waiting=60.0))
            self.assertEqual((outcome.ended_by, outcome.code), ("time", 128 + signal_number))  # by the processor's time, not the clock's
        outcome = self.run_python("import os, time\nos.close(1)\nos.close(2)\ntime.sleep(60)\n", Limits(waiting=2.0))
        self.assertEqual(outcome.ended_by, "time")

    def test_memory_without_end_is_refused(self):
        # On some machines so much memory takes longer to come than a loop without end is given here.
        limits = Limits(waiting=60.0, memory=programs.RUNNING.memory, processes=programs.RUNNING.processes)
        with unittest.mock.patch.object(programs, "RUNNING", limits):
            found = self.grade("carry_velocity.py", "def carry_velocity(*_):\n    kept = []\n    while True: kept.append(b'x' * 10000000)\n")
        self.assertEqual((found["points"], found["feedback"]), (0, "It took more than 512 MB of memory, on ur5, body 1."))
        fill = "with open('big', 'wb') as f:\n    for _ in range(100): f.write(b'x' * 1000000)\n"
        self.assertNotEqual(self.run_python(fill).code, 0)

    def test_deleting_and_writing_reach_nothing(self):
        # Of the whole tree it walks a beginning only: on a busy machine the rest takes longer than a program may.
        text = """import itertools, os, shutil
for top in ("/course", "/usr/lib/python3", "/usr/include/eigen3", "/etc", OUTSIDE):
    shutil.rmtree(top, ignore_errors=True)
for folder, _, names in itertools.islice(os.walk("/"), 500):
    for name in names:
        try:
            os.remove(os.path.join(folder, name))
        except OSError:
            pass
written = []
for top in ("/", "/course", "/usr", "/usr/bin", "/usr/lib", "/etc", "/dev", "/tmp", "/var", "/proc", "/sys", OUTSIDE):
    for path in (top + "/new", top + "/new/folder"):
        try:
            os.makedirs(path); written.append(path)
        except OSError:
            pass
for path in ("/usr/bin/python3", "/course/harness.py"):
    try:
        open(path, "a"); written.append(path)
    except OSError:
        pass
print(written)
""".replace("OUTSIDE", repr(str(self.outside)))
        self.assertEqual(self.run_python(text).stdout, b"[]\n")
        self.assertEqual(self.grade("carry_velocity.py", text + RIGHT)["points"], POINTS)
        self.assertTrue(Path("/usr/lib/python3").is_dir())

    def test_there_is_no_network_and_no_socket_of_others(self):
        with socket.socket() as listener, socket.socket(socket.AF_UNIX) as abstract:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            listener.setblocking(False)
            name = b"\0articulate-" + self.secret[:16]
            abstract.bind(name)
            abstract.listen()
            text = f"""import socket
for family, address in ((socket.AF_INET, {listener.getsockname()!r}), (socket.AF_UNIX, {name!r}), (socket.AF_INET, ("192.0.2.1", 80))):
    try:
        s = socket.socket(family); s.settimeout(1); s.connect(address); print("connected")
    except OSError as error:
        print(error.errno is not None)
"""
            self.assertEqual(self.run_python(text).stdout, b"True\n" * 3)
            with self.assertRaises(BlockingIOError):
                listener.accept()

    def test_links_and_other_things_are_no_submission(self):
        (self.folder / "link").mkdir()
        os.symlink(self.outside / "course.key", self.folder / "link" / "carry_velocity.py")
        os.mkfifo(self.folder / "carry_velocity.cpp")
        (self.folder / "carry_velocity.py").mkdir()
        for path, said in (("link/carry_velocity.py", "it is a link"), ("carry_velocity.cpp", "it is no regular file"), ("carry_velocity.py", "it is no regular file")):
            with self.assertRaisesRegex(Refusal, said):
                programs.grade("carry_velocity", self.folder / path, SECRETS[0])

    def test_links_that_it_makes_lead_nowhere_and_are_gone(self):
        text = f"""import os, socket
os.symlink({str(self.outside / "course.key")!r}, "link")
os.mkfifo("pipe")
socket.socket(socket.AF_UNIX).bind("socket")
os.mkdir("folder")
try:
    print(open("link").read())
except OSError as error:
    print(type(error).__name__)
try:
    os.mknod("device", 0o666 | 0o060000, os.makedev(8, 0))
except OSError as error:
    print(type(error).__name__)
"""
        self.assertEqual(self.run_python(text).stdout, b"FileNotFoundError\nPermissionError\n")
        self.assertEqual(self.run_python("import os\nprint(os.listdir('.'))\n").stdout, b"['submission.py']\n")

    def test_a_key_is_nowhere_to_be_read(self):
        """Neither in a file, nor in the environment, nor in what else the grader has open."""
        text = f"""import os
print(os.path.exists({str(self.outside)!r}), os.path.exists("/proc"), os.path.exists("/root"), os.path.exists("/home"))
print(sorted(os.environ))
found = [path for top, _, names in os.walk("/") for path in names if path == "course.key"]
for file in range(3, 100):
    try:
        os.fstat(file); found.append(file)
    except OSError:
        pass
print(found)
"""
        with unittest.mock.patch.dict(os.environ, COURSE_KEY=self.secret.decode()), open(self.outside / "course.key", "rb") as key:
            os.set_inheritable(key.fileno(), True)
            said = self.run_python(text).stdout.decode().splitlines()
        self.assertEqual(said[0], "False False False False")
        self.assertEqual(said[1], "['LC_CTYPE', 'OPENBLAS_NUM_THREADS', 'PATH', 'PWD', 'TMPDIR']")
        self.assertEqual(said[2], "[]")

    def test_a_compiler_reads_no_foreign_files(self):
        text = self.secret.decode()
        key = self.outside / "course.key"
        self.file("outside/course.hpp", f"#error {text}\n").unlink()
        for source in (f'#include "{key}"\n', '#include "/etc/passwd"\n', '#include "../../../../etc/passwd"\n', "#include </proc/self/environ>\n",
                       f'asm(".incbin \\"{key}\\"");\n', f'asm(".include \\"{key}\\"");\n', f'#pragma GCC dependency "{key}"\n'):  # fmt: skip
            with self.subTest(source):
                found = self.grade("carry_velocity.cpp", source)
                self.assertEqual(found["points"], 0)
                self.assertRegex(found["feedback"], r"\AIt does not compile: ")
                for word in (text, "root:", "/bin/"):
                    self.assertNotIn(word, found["feedback"])

    def test_a_bomb_of_templates_is_ended(self):
        bomb = "template <int n, int m> struct Bomb { static const int x = Bomb<n - 1, 2 * m>::x + Bomb<n - 1, 2 * m + 1>::x; };\n"
        bomb += "template <int m> struct Bomb<0, m> { static const int x = m; };\nint x = Bomb<30, 0>::x;\n"
        with unittest.mock.patch.object(programs, "COMPILING", Limits(seconds=SECONDS, memory=programs.COMPILING.memory)):
            found = self.grade("carry_velocity.cpp", bomb)
        self.assertEqual(found["points"], 0)
        self.assertRegex(found["feedback"], r"\AThe compiler was stopped by the limit of (time|memory)\.\Z")

    def test_a_verdict_cannot_be_printed(self):
        numbers = "0 " * 6
        for printed in ("right", '{"points": 2, "feedback": "Right."}', "2\n" * 7, "6 right\n" * 7, f"6 {numbers.strip()}\n" * 8, "6 nan nan nan nan nan nan\n" * 7,
                        f"6 {numbers.strip()}\n" * 7, "6" + " 1e999" * 6 + "\n", "-1\n" * 7, "6  \n" * 7, "\x00" * 100, "0\n" * 7):  # fmt: skip
            text = f"import os\nfor file in (1, 2, 3, 4):\n    try: os.write(file, {printed.encode()!r})\n    except OSError: pass\nos._exit(0)\n"
            with self.subTest(printed):
                found = self.grade("carry_velocity.py", text)
                self.assertEqual(found["points"], 0)
                self.assertNotIn("Right", found["feedback"])
                self.assertNotIn("points", found["feedback"])

    def test_right_numbers_with_more_after_them_are_refused(self):
        for after in ("os.write(answers, b'6 0 0 0 0 0 0\\n')", "os._exit(1)", "os.kill(os.getpid(), 9)"):
            begin = f"import os, atexit\nanswers = os.dup(3)  # where the harness writes\natexit.register(lambda: {after})\n"
            found = self.grade("carry_velocity.py", begin + RIGHT)
            self.assertEqual(found["points"], 0)
            self.assertRegex(found["feedback"], r"\AIt printed more than its answers, or did not end well after them")

    def test_calls_of_the_kernel_are_closed(self):
        """It is no one, gets no more rights, and leaves no key of the kernel for the next."""
        calls = confined.CALLS[os.uname().machine]
        text = f"""import ctypes, os, signal
kernel = ctypes.CDLL(None, use_errno=True)
print(os.getuid(), os.getgid(), os.getgroups(), kernel.prctl(39, 0, 0, 0, 0))
closed = {calls[1]!r}
print(sorted(name for name, number in closed.items() if kernel.syscall(number, 0x10000000, 0, 0, 0, 0) != -1 or ctypes.get_errno() != 1))
print(kernel.syscall({calls[1]["add_key"]}, b"user", b"articulate", b"left", 4, -4))
print(kernel.syscall({calls[2]}, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0), ctypes.get_errno())
print(kernel.syscall({calls[3]}, 0, 0), ctypes.get_errno())
print(kernel.kill(1, 9), os.getpid() < 10)
"""
        outcome = self.run_python(text)
        self.assertEqual(outcome.stdout.decode().splitlines()[:5], ["65534 65534 [] 1", "[]", "-1", "-1 1", "-1 38"], outcome.said)

    def test_the_grades_of_others_stand(self):
        """One of a class hands in what is right, the others a bomb, a kill, a link, and numbers beside an endless loop."""
        self.file("class/ann/carry_velocity.py", RIGHT)
        self.file("class/bob/carry_velocity.py", "import os\nwhile True: os.fork()\n")
        self.file("class/eve/carry_velocity.py", "import os\nos.kill(-1, 9)\n")
        self.file("class/joe/carry_velocity.py", "while True: pass\n")
        self.file("class/joe/exp_twist.py", (HERE / "right" / "exp_twist.py").read_text(encoding="utf-8"))
        self.file("class/sly/none.py", "")
        os.symlink(self.outside / "course.key", self.folder / "class" / "sly" / "carry_velocity.cpp")
        self.file("class/zoe/carry_velocity.py", RIGHT)
        marks = {one.student: one for one in submission.mark_class(self.folder / "class", KEY)}
        self.assertEqual({name: one.points for name, one in marks.items()}, {"ann": 2, "bob": 0, "eve": 0, "joe": 2, "sly": 0, "zoe": 2})
        self.assertEqual(marks["ann"].exercises["carry_velocity"]["mistakes"], [])
        self.assertRegex(" ".join(marks["sly"].said), "'carry_velocity.cpp' is not graded: it is a link")
        self.assertRegex(" ".join(marks["sly"].said), "'none.py' is not graded: there is no exercise 'none'")


class WhereThereIsNoConfinement(unittest.TestCase):
    """Programs are refused in a sentence that says what lacks; answers as numbers are graded."""

    def refused(self, said):
        with self.assertRaisesRegex(Refusal, said) as raised:
            Confinement()
        self.assertNotIn("\n", str(raised.exception))

    def test_without_bwrap(self):
        with unittest.mock.patch.dict(os.environ, PATH=""):
            self.refused("bwrap is missing: `apt-get install bubblewrap` brings it")

    def test_without_namespaces(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(os.environ, PATH=folder):
            fake = Path(folder) / "bwrap"
            fake.write_text("#!/bin/sh\nexit 1\n")
            fake.chmod(0o755)
            if missing() and "bwrap" not in missing():
                self.skipTest(missing())
            self.refused("bwrap can make no namespaces")

    def test_without_control_groups(self):
        for found in ({}, {"pids": Path("/nonexistent"), "memory": Path("/nonexistent")}, {"": Path("/nonexistent")}, {"pids": Path("/proc"), "memory": Path("/proc")}):
            with unittest.mock.patch.object(confined, "own_groups", lambda found=found: found), unittest.mock.patch.object(shutil, "which", lambda *_, **__: "/bin/true"):
                self.refused("no control group can be made for them: as root, or .*systemd-run")

    def test_on_other_processors(self):
        with unittest.mock.patch.object(confined.platform, "machine", lambda: "abacus"), unittest.mock.patch.object(shutil, "which", lambda *_, **__: "/bin/true"):
            self.refused("programs are not graded on abacus, but on x86_64 and aarch64")

    def test_without_a_compiler_only_cpp_is_refused(self):
        with unittest.mock.patch.object(programs.shutil, "which", lambda *_, **__: None), self.assertRaisesRegex(Refusal, "C\\+\\+ is not graded here, since g\\+\\+ is missing.*Python is"):
            programs.compiler()

    def test_numbers_are_graded_all_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "carry_velocity.py").write_text(RIGHT)
            (Path(folder) / "answers.toml").write_text("[two_turns]\nown = [1, 2, 3]\n")
            done = subprocess.run(
                [sys.executable, "-m", "course", "grade", f"{folder}/answers.toml", f"{folder}/carry_velocity.py"],
                capture_output=True, text=True, env={"PATH": "", "PYTHONPATH": str(ROOT / "src" / "python")}, check=False,
            )  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn("'carry_velocity.py' is not graded: programs are not graded here, since bwrap is missing", done.stdout)
        self.assertIn("two_turns  0 of 2: ", done.stdout)

    def test_the_groups_of_a_process_are_found(self):
        """As /proc tells them: version 1, version 2, and a container that sees a part of the tree."""
        mount = "30 23 0:26 {} {} rw,nosuid shared:9 - {}\n"
        for groups, mounts, expected in (
            ("8:pids:/a\n4:memory:/b/c\n0::/\n",
             mount.format("/", "/cg/pids", "cgroup cgroup rw,pids") + mount.format("/", "/cg/memory", "cgroup cgroup rw,memory") + mount.format("/", "/cg/two", "cgroup2 cgroup2 rw"),
             {"pids": "/cg/pids/a", "memory": "/cg/memory/b/c", "": "/cg/two"}),
            ("0::/user.slice/x.scope\n", mount.format("/", "/cg", "cgroup2 cgroup2 rw,nsdelegate"), {"": "/cg/user.slice/x.scope"}),
            ("4:memory:/docker/x/y\n", mount.format("/docker/x", "/cg/memory", "cgroup cgroup rw,memory"), {"memory": "/cg/memory/y"}),
            ("4:memory:/elsewhere\n", mount.format("/docker/x", "/cg/memory", "cgroup cgroup rw,memory"), {"memory": "/cg/memory"}),
        ):  # fmt: skip
            texts = {"/proc/self/cgroup": groups, "/proc/self/mountinfo": mounts + "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"}
            found = {name: str(folder) for name, folder in confined.own_groups(texts.get).items()}
            self.assertEqual(found, expected)

    def test_a_group_that_holds_this_process_hands_its_controllers_on_from_a_leaf(self):
        with tempfile.TemporaryDirectory() as folder:
            own = Path(folder) / "x.scope"
            own.mkdir()
            (own / "cgroup.subtree_control").write_text("")
            self.assertEqual(confined.delegated(own), own)
            self.assertEqual((own / "cgroup.subtree_control").read_text(), "+pids +memory")
            (own / "cgroup.subtree_control").write_text("memory pids\n")
            self.assertEqual(confined.delegated(own), own)
            leaf = own / "articulate-grader"
            leaf.mkdir()
            (leaf / "cgroup.subtree_control").write_text("")
            self.assertEqual(confined.delegated(leaf), own)


    def test_where_other_processes_hold_the_group_the_next_above_is_taken(self):
        """As the shell of a login holds its scope. What was tried is undone."""
        written, complete = Path.write_text, {"user.slice": "cpu memory pids\n", "user.slice/user-0.slice": "memory pids\n"}

        def held(path, text):
            if path.name == "cgroup.subtree_control" and text.startswith("+"):
                raise OSError(errno.EBUSY, "held")
            if path.name == "cgroup.procs":
                entered.append(path.parent.name)
                return 0
            return written(path, text)

        for above, expected in ((complete, "user.slice/user-0.slice"), ({**complete, "user.slice/user-0.slice": "cpu\n"}, "user.slice"), ({}, None)):
            with self.subTest(expected), tempfile.TemporaryDirectory() as folder:
                entered, own = [], Path(folder) / "user.slice" / "user-0.slice" / "session-1.scope"
                own.mkdir(parents=True)
                for name, controllers in {"user.slice/user-0.slice/session-1.scope": "", **above}.items():
                    (Path(folder) / name / "cgroup.subtree_control").write_text(controllers)
                with unittest.mock.patch.object(Path, "write_text", held):
                    if expected:
                        self.assertEqual(confined.delegated(own), Path(folder) / expected)
                    else:
                        self.assertRaisesRegex(Refusal, "no control group can be made", confined.delegated, own)
                self.assertEqual((entered, (own / "articulate-grader").exists()), (["articulate-grader", "session-1.scope"], False))


class Commands(Confined):
    def run_command(self, *arguments):
        said, complained = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
            code = command.main([str(one) for one in arguments])
        return code, said.getvalue(), complained.getvalue()

    def test_from_the_starter_to_the_points(self):
        path = self.folder / "carry_velocity.py"
        code, said, complained = self.run_command("starter", path)
        self.assertEqual((code, said, complained), (0, f"{path} is there to be filled in. Then: ./articulate grade {path}\n", ""))
        self.assertIn("is the body still empty?", self.run_command("grade", path)[1])
        path.write_text(RIGHT)
        code, said, complained = self.run_command("starter", path)
        self.assertEqual((code, said, path.read_text()), (2, "", RIGHT))
        self.assertIn("never overwritten", complained)
        code, said, _ = self.run_command("grade", path)
        self.assertEqual(code, 0)
        self.assertIn("carry_velocity  2 of 2: Right, on 7 cases: ur5, screw_arm, forked_arm.", said)

    def test_starters_that_do_not_exist_are_refused_in_one_line(self):
        for name in ("carry_velocity.txt", "two_turns.py", "none.py", "no/folder/carry_velocity.py"):
            code, said, complained = self.run_command("starter", self.folder / name)
            self.assertEqual((code, said), (2, ""), name)
            self.assertRegex(complained, r"\Aarticulate: [^\n]+\n\Z")

    def test_a_class_is_set_up_as_the_syllabus_says(self):
        """Three students: one is right, one forgot a sign, and one handed in the empty sheet."""
        text = (ROOT / "chapters" / "syllabus.md").read_text(encoding="utf-8").split("{#syllabus_class}")[1]
        lines = re.findall(r"^    \./articulate (.*)$", text, re.M)
        self.assertEqual([line.split()[:2] for line in lines], [["course", "key"], ["course", "sheet"], ["course", "notebook"],
                                                                ["grade", "handed_in"], ["grade", "handed_in/s123/*"], ["course", "solutions"]])  # fmt: skip
        self.file("ids.txt", "s123\ns124\ns125\n")

        def run(line):
            done = subprocess.run(["sh", "-c", f"{ROOT / 'articulate'} {line}"], cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), line)
            return done.stdout

        for line in lines[:3]:
            run(line)
        self.assertEqual({path.name for path in (self.folder / "notebooks").iterdir()}, {"s123.ipynb", "s124.ipynb", "s125.ipynb"})
        (self.folder / "handed_in").mkdir()
        (self.folder / "sheets" / "s125.toml").rename(self.folder / "handed_in" / "s125.toml")
        for student, program in (("s123", RIGHT), ("s124", RIGHT.replace("+ qd * S", "- qd * S"))):
            key = submission.read_key(self.folder / "course.key")
            exercise = library.find("two_turns")
            answers = grading.Marking(exercise, exercise.numbers(key, student)).shaped
            self.file(f"handed_in/{student}/answers.toml", "[two_turns]\n" + "".join(f"{name} = {value.ravel().tolist()}\n" for name, value in answers.items()))
            self.file(f"handed_in/{student}/carry_velocity.py", program)
        said = run(lines[3])
        self.assertRegex(said, "carry_velocity  0 of 2: On ur5, body 1 .* The joint's motion S qd was subtracted.")
        self.assertEqual((self.folder / "marks.csv").read_text(), "student,points,of,two_turns,carry_velocity,said\n"
                         "s123,4,4,2,2,\ns124,2,4,2,0,\ns125,0,4,0,0,\n")  # fmt: skip
        self.assertTrue((self.folder / "marks.json").is_file() and (self.folder / "marks.xml").is_file())
        self.assertIn("s123: 4 of 4 points", run(lines[4]))
        self.assertIn("[two_turns]", run(lines[5]))

    def test_the_limits_that_the_syllabus_prints_are_those_of_the_grader(self):
        text = (ROOT / "chapters" / "syllabus.md").read_text(encoding="utf-8")
        limits = programs.RUNNING
        sentence = next(line for line in text.split(". ") if line.startswith("It may use "))
        numbers = [limits.processes, limits.memory >> 20, limits.seconds, int(limits.waiting), limits.output >> 20]
        self.assertEqual([int(number) for number in re.findall(r"\d+", sentence)], numbers)

    def test_a_student_is_named_by_any_of_the_files(self):
        program = self.file("carry_velocity.py", RIGHT)
        table = self.file("answers.toml", 'student = "s7"\n')
        self.assertIn("s7: 2 of 2 points\n", self.run_command("grade", program, table)[1])


if __name__ == "__main__":
    unittest.main()
