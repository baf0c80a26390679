"""The ledger in Python: the numbers of the command line bit for bit, a bar on a terminal, and Ctrl-C."""
import collections
import json
import os
import pathlib
import pty
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from articulate import Error, Model, ModelError, ledger

COMMAND = os.path.join(os.environ["ARTICULATE_BUILD"], "bin", "articulate-cli")
ROBOTS = pathlib.Path(os.environ["ARTICULATE_ROBOTS"])


def by_command(*arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "ledger.json")
        result = subprocess.run([COMMAND, "verify", *arguments, "--json", path], capture_output=True, text=True)
        if result.returncode != 0:
            raise AssertionError(result.stdout + result.stderr)
        with open(path) as file:
            return file.read()


def text(value):
    return json.dumps(value, indent=2, ensure_ascii=False)


class SameNumbers(unittest.TestCase):
    def check(self, model, states, seed, floating_base=False):
        arguments = ["--model", str(model), "--states", str(states), "--seed", str(seed)]
        theirs = json.loads(by_command(*arguments, *["--floating-base"] * floating_base))
        ours = ledger.verify(model, floating_base=floating_base, states=states, seed=seed, progress=False)
        # The text of a number tells all of its bits, the sign of a zero included.
        self.assertEqual(text(ours), text(theirs))
        residuals = [i["residual_double"] for row in ours["rows"] for i in row["identities"]]
        self.assertGreater(len(residuals), 100)
        self.assertTrue(any(residuals))

    def test_on_park_2r(self):
        self.check("park_2r", states=2, seed=3)

    def test_on_every_joint_on_a_floating_base(self):
        self.check("every_joint", states=1, seed=1, floating_base=True)

    def test_on_a_shared_arm_that_floats(self):
        self.check(self.shared("ur5_robot.urdf"), states=1, seed=5, floating_base=True)

    def shared(self, name):
        if not (ROBOTS / name).exists():
            self.skipTest(f"{ROBOTS / name} is not there")
        return ROBOTS / name

    def test_a_model_is_proved_as_its_name_is_but_for_the_errata(self):
        # A slip that a model shows may hide on another: only what is named as built in is asked for errata.
        loaded = ledger.verify(Model.load("park_2r"), states=1, progress=False)
        named = ledger.verify("park_2r", states=1, progress=False)
        self.assertTrue(any(one["printed_residual"] for one in named.pop("errata")))
        self.assertFalse(any(one["printed_residual"] for one in loaded.pop("errata")))
        for row in loaded["rows"] + named["rows"]:
            row.pop("erratum")
        self.assertEqual(text(loaded), text(named))


class Tables(unittest.TestCase):
    def test_nothing_can_be_read_of_a_row_that_was_not_made(self):
        for cls, name in ((ledger.Row, "key"), (ledger.Erratum, "id"), (ledger.Identity, "name")):
            with self.assertRaisesRegex(TypeError, r"^An object whose __init__\(\) has not run is given"):
                getattr(cls.__new__(cls), name)

    def test_rows_are_those_of_the_proof(self):
        proof = ledger.verify("park_2r", states=1, progress=False)
        rows = ledger.rows()
        self.assertEqual([row.key for row in rows], [row["key"] for row in proof["rows"]])
        for row, proved in zip(rows, proof["rows"]):
            self.assertEqual(
                (row.paper, row.section, row.kind, row.statement, row.chapter, row.ground, row.claim),
                tuple(proved[k] for k in ("paper", "section", "kind", "statement", "chapter", "ground", "claim")),
            )
            self.assertEqual(row.clauses, [(clause["key"], clause["says"]) for clause in proved["clauses"]])
            self.assertEqual(row.symbol, proved["symbol"] or "-")
            self.assertEqual(bool(row.errata), proved["erratum"] is not None)
            self.assertTrue(row.note)
        self.assertEqual(repr(rows[0]), f"Row({rows[0].key})")

    def test_errata_name_rows(self):
        keys = {row.key for row in ledger.rows()}
        for erratum in ledger.errata():
            self.assertLessEqual(set(erratum.keys), keys)
            self.assertIn(erratum.kind, ("author", "reading", "convention", "undecided", "remark"))
            self.assertTrue(erratum.printed and erratum.corrected and erratum.reason)
            self.assertEqual(repr(erratum), f"Erratum({erratum.id})")

    def test_identities_prove_clauses(self):
        keys = {key for row in ledger.rows() for key, _ in row.clauses}
        identities = ledger.identities()
        for identity in identities:
            self.assertLessEqual(set(identity.keys), keys)
            self.assertTrue(identity.method and identity.symbols and identity.chapter)
            self.assertEqual(repr(identity), f"Identity({identity.name})")
        self.assertEqual(max(collections.Counter(identity.name for identity in identities).values()), 1)


class LongRuns(unittest.TestCase):
    RUN = "from articulate import ledger; print('go', flush=True); ledger.verify('{}', states={}, progress={}, quick={})"

    def start(self, model, states, progress=True, quick=False, **options):
        process = subprocess.Popen(
            [sys.executable, "-c", self.RUN.format(model, states, progress, quick)],
            stdout=subprocess.PIPE,
            text=True,
            **options,
        )
        self.addCleanup(process.kill)  # a run that did not stop when told to must not outlive the test
        return process

    def test_ctrl_c_stops_after_the_state_in_hand(self):
        begun = time.monotonic()
        ledger.verify("cart_pendulum", states=3, progress=False)
        state = (time.monotonic() - begun) / 3
        process = self.start("cart_pendulum", 1000000, stderr=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), "go\n")
        time.sleep(2 * state)
        process.send_signal(signal.SIGINT)
        begun = time.monotonic()
        _, stderr = process.communicate(timeout=600)
        # Python ends itself by the signal when nobody catches KeyboardInterrupt.
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertEqual(stderr.strip().splitlines()[-1], "KeyboardInterrupt")
        self.assertLess(time.monotonic() - begun, 100 * state)  # of a million states; the machine may be busy

    def test_the_interpreter_goes_on_after_ctrl_c(self):
        code = (
            "import signal, threading\nfrom articulate import ledger\n"
            "threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()\n"
            "try: ledger.verify('cart_pendulum', states=1000000)\n"
            "except KeyboardInterrupt: print(ledger.verify('park_2r', states=1)['summary']['failed'])"
        )
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "0\n", ""))

    def on_terminal(self, progress):
        master, slave = pty.openpty()
        process = self.start("park_2r", 2, progress, stderr=slave)
        process.communicate(timeout=600)
        os.close(slave)
        shown = b""
        try:
            while part := os.read(master, 1000):
                shown += part
        except OSError:  # how a terminal ends that nobody writes to
            pass
        os.close(master)
        self.assertEqual(process.returncode, 0)
        return shown.decode()

    def test_a_bar_is_shown_on_a_terminal_only(self):
        shown = self.on_terminal(True)
        self.assertIn("[" + "#" * 20 + "." * 20 + "] park_2r", shown)
        self.assertTrue(shown.endswith("\r\033[K"), shown)
        self.assertEqual(self.on_terminal(False), "")
        process = self.start("park_2r", 2, stderr=subprocess.PIPE)
        self.assertEqual(process.communicate(timeout=600)[1], "")

    def test_quick_is_that_of_the_command_line(self):
        theirs = json.loads(by_command("--model", "park_2r", "--states", "1", "--quick"))
        self.assertEqual(text(ledger.verify("park_2r", states=1, progress=False, quick=True)), text(theirs))

    def test_without_a_number_there_are_as_many_states_as_on_the_command_line(self):
        for model, states in (("park_2r", 10), ("planar_arm:60", 2)):
            master, slave = pty.openpty()
            process = self.start(model, None, quick=True, stderr=slave)
            os.close(slave)
            with open(master) as terminal:  # the bar after the first state
                shown = "".join(iter(lambda: terminal.read(1), "]"))
            process.kill()
            process.communicate()
            self.assertEqual(shown.count("#"), 40 // states, shown)


class Misuse(unittest.TestCase):
    def test_what_cannot_be_proved_is_refused_in_one_sentence(self):
        for states in (0, -3):
            with self.assertRaises(Error) as caught:
                ledger.verify("park_2r", states=states)
            self.assertEqual(str(caught.exception), f"states is {states}; it must be at least 1.")
        with self.assertRaisesRegex(ModelError, "^no.urdf: there is no such file.$"):
            ledger.verify(pathlib.Path("no.urdf"))
        for wrong in (
            lambda: ledger.verify(3),
            lambda: ledger.verify("park_2r", seed=-1),
            lambda: ledger.verify("park_2r", states="1"),
        ):
            with self.assertRaises(TypeError):
                wrong()


if __name__ == "__main__":
    unittest.main()
