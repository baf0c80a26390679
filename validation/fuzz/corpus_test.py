"""Gives every text of corpus/, those that fuzzers found included, to the command line: it answers, or refuses in a sentence.

usage: corpus_test.py PROGRAM     where PROGRAM is the built command line; the one that checks is beside it
"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
from command import PROGRAM  # noqa: E402: it is in another folder

CHECK = [str(Path(PROGRAM[0]).with_name("articulate-check")), "check"]
MACHINE = ["--model", HERE / "machine.urdf"]
FLOATING = [*MACHINE, "--floating-base"]
STATE = '{"q":[0,0,0,0,0,1],"qd":[0,0,0,0,0]}'


def robot(path):
    return [*PROGRAM, "models", "--export", "urdf", "--accept-unphysical", "--model", path]


def state(path):
    return [*PROGRAM, "compute", *(FLOATING if b'"base"' in path.read_bytes() else MACHINE), "--state", path]


def loops(path):
    return [*PROGRAM, "compute", *MACHINE, "--state", "-", "--loops", path]


def numbers(path):
    text = path.read_bytes()
    coupled = ["--loops", HERE / "corpus" / "loops" / "gear.json"] if b"multipliers" in text else []
    return [*CHECK, path, *(FLOATING if b"base" in text else MACHINE), *coupled, "--no-diagnose"]


def merge(path):
    return [*CHECK, "merge", path, "--junit", "/dev/null", "--html", "/dev/null", "--json", "/dev/null"]


def engine_that_says(path):
    """It says all at once, and then reads what it is asked."""
    return ["--engine", f"sh -c \"cat '{path}'; exec >&-; cat > /dev/null\""]


def certified_case(path):
    return [*CHECK, *engine_that_says(HERE / "engine.jsonl"), "--cases", path, "--no-diagnose"]


def protocol(path):
    return [*CHECK, *engine_that_says(path), *MACHINE, "--states", "6", "--no-diagnose"]


COMMANDS = {"urdf": robot, "mjcf": robot, "state": state, "loops": loops, "numbers": numbers, "merge": merge,
            "certified_case": certified_case, "protocol": protocol}
# What was found, and what is said of it.
FINDINGS = {
    "merge/campaign_is_a_number.jsonl": "line 1: this is no line that `check --output` wrote.",
    "merge/no_states_per_chunk.jsonl": "line 1: this is no line that `check --output` wrote.",
    "merge/chunks_of_no_states.jsonl": "line 1: the campaign has no states in a chunk, or no model",
    "merge/model_is_a_number.jsonl": "line 1: the campaign has no states in a chunk, or no model",
    "merge/end_beyond_memory.jsonl": "999999999999 chunks are missing, the first of them is 1;",
    "merge/end_is_no_integer.jsonl": "line 2: a number of states or of chunks is no whole number from 0 to 2^40",
    "merge/sum_beyond_64_bits.jsonl": "chunk 0: a number of states or of chunks is no whole number from 0 to 2^40",
    "merge/count_beyond_signed.jsonl": "chunk 0: a number of states or of chunks is no whole number from 0 to 2^40",
    "numbers/name_that_is_no_utf8.csv": "the quantity '\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}' is unknown",
}


class Corpus(unittest.TestCase):
    def answered(self, command):
        """What is said to a command that must end soon, by itself, and at most with one sentence on standard error."""
        done = subprocess.run(command, input=STATE.encode(), capture_output=True, timeout=600, check=False)
        said, output = done.stderr.decode(errors="replace"), done.stdout.decode(errors="replace")
        self.assertIn(done.returncode, (0, 1, 2), said)
        self.assertLessEqual(said.count("\n"), 1, said)
        if said:
            self.assertTrue(said.startswith(("articulate: ", "warning: ")) and said.endswith("\n"), said)
        return said + output

    def test_every_text_is_read_or_refused(self):
        files = sorted((HERE / "corpus").glob("*/*"))
        self.assertEqual({path.parent.name for path in files}, set(COMMANDS))
        for path in files:
            with self.subTest(path=path.relative_to(HERE)), tempfile.TemporaryDirectory() as folder:
                given = path
                if path.parent.name == "numbers":  # the fuzzer's have no ending, and a list is a document
                    given = Path(folder) / ("text.json" if path.read_bytes().startswith(b"[") else "text")
                    given.write_bytes(path.read_bytes())
                said = self.answered(COMMANDS[path.parent.name](given))
                self.assertIn(FINDINGS.get("/".join(path.parts[-2:]), ""), said)

    def test_every_finding_is_there(self):
        for name in FINDINGS:
            self.assertTrue((HERE / "corpus" / name).is_file(), name)

    def said_of(self, text, ending, command, limit):
        """What is said of a text within a limit of the shell."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / ("text" + ending)
            path.write_text(text)
            return self.answered(["bash", "-c", f'ulimit {limit}; exec "$@"', "bash", *map(str, command(path))])

    def test_many_attributes_take_no_time(self):
        soon = "-t 10"  # seconds of the processor, where a time that grew with the square was minutes
        many = " ".join(f'a{k}=">"' for k in range(200_000))
        for text in (f'<robot name="r">\n<link name="a" {many}/></robot>', f"<mujoco>\n<worldbody {many}/></mujoco>"):
            self.assertIn("line 2 begins an element of more than 100 attributes;", self.said_of(text, ".urdf", robot, soon))
        few = " ".join(f'a{k}="><!--"' for k in range(99))
        self.assertIn('<link name="a"/>', self.said_of(f'<robot name="r"><link name="a" {few}/></robot>', ".urdf", robot, soon))

    def test_many_names_take_no_time(self):
        gears = ",".join('{"name":"%d","coupling":{"joint":"slide","follows":"hinge"}}' % k for k in range(100_000))
        self.assertIn("loops[100000].first is missing", self.said_of('{"loops":[%s,{"name":"7"}]}' % gears, ".json", loops, "-t 10"))

    def test_many_objects_and_many_keys_take_no_time(self):
        many = '{"q":[%s]}' % ",".join(["{}"] * 400_000)
        self.assertIn("q has 400000 entries where it needs 6", self.said_of(many, ".json", state, "-t 10"))
        many = "{%s}" % ",".join(f'"{k}":0' for k in range(200_000))
        self.assertIn("an object has more than 5000 keys;", self.said_of(many, ".json", state, "-t 10"))

    def test_an_engine_that_starts_again_as_none_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            begun = Path(folder) / "begun"
            good, bad = '{"message":"start","name":"e","version":"1","quantities":["mass_matrix"]}', '{"message":"start","name":"e","version":"1"}'
            for name, lines in (("first", good + '\n{"message":"model"}\nno\n'), ("second", bad + "\n")):
                (Path(folder) / name).write_text(lines)
            words = f"cd '{folder}'; if [ -e begun ]; then cat second; else touch begun; cat first; fi; exec >&-; cat > /dev/null"
            said = self.answered([*CHECK, "--engine", f'sh -c "{words}"', *MACHINE, "--states", "6", "--no-diagnose"])
            self.assertTrue(begun.exists())
            self.assertEqual(said.count("the engine starts without its quantities"), 2, said)

    def test_a_long_chain_takes_no_more_stack_than_a_short_one(self):
        links = "".join(f'<link name="l{k:05}"/>' for k in range(10_000))
        joints = "".join(f'<joint name="j{k}" type="fixed"><parent link="l{k:05}"/><child link="l{k + 1:05}"/></joint>' for k in range(9_999))
        self.assertIn('<link name="l09999"/>', self.said_of(f'<robot name="r">{links}{joints}</robot>', ".urdf", robot, "-s 400"))


if __name__ == "__main__":
    unittest.main()
