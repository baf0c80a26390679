"""The short readers of certified cases, in Python, C++ and Octave: each finds what is in the files.

usage: readers_test.py PROGRAM PRINT_CASE   (77 when all passes but Octave is not installed)
"""
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
import articulate_case

HERE = Path(__file__).parent
PROGRAM, PRINT_CASE = sys.argv[1:]
# Without joints, one joint, joints of every type, loops.
NAMES = ["free_body", "pendulum", "every_joint", "four_bar"]
# What the readers call the entries of an answer, and what the files do.
COLUMNS = {"digits": "double_digits", "radii": "radius", "exact_zero": "exact_zero", "units": "unit"}
# What is no file of a case: what somebody made of a place in it.
BROKEN = {
    "another format": (("format",), "articulate reference case 9"),
    "garbage": (("answers", "bias", "value", 0, 0), "garbage"),
    "not a number": (("answers", "bias", "value", 0, 0), "nan"),
    "beyond double": (("answers", "bias", "value", 0, 0), "1e400"),
    "a comma": (("answers", "bias", "value", 0, 0), "1,5e0"),
    "garbage behind a number": (("state", "q", "hexadecimal", 0), "0x1.8p+0!"),
    "an empty text": (("state", "q", "hexadecimal", 0), ""),
    "an empty list": (("state", "q", "hexadecimal"), []),
}


def lines(output):
    """(name, numbers) of every line, in hexadecimal or in seventeen digits."""
    for line in output.splitlines():
        name, *units = line.split("|")
        if units:
            yield name, units
            continue
        words = line.split(" ")
        texts = words[2:] if words[1:2] and words[1] in COLUMNS else words[1:]
        yield " ".join(words[: len(words) - len(texts)]), [
            float.fromhex(text) if "0x" in text else float(text) for text in texts
        ]


def in_file(path):
    """The same from the file itself."""
    case = json.loads(path.read_text(encoding="utf-8"))
    for key in ("q", "qd", "qdd", "tau"):
        yield key, case["state"][key]["decimal"]
    for link in case["machine"]["links"]:
        yield "mass", [link["mass"]["decimal"]]
    for name, answer in case["answers"].items():
        for row in answer["value"]:
            yield name, [float(text) for text in row]
        for column, key in COLUMNS.items():
            for row in answer[key]:
                yield f"{name} {column}", [float(text) for text in row] if column == "radii" else row


def in_python(path):
    case = articulate_case.read(path)
    for key in ("q", "qd", "qdd", "tau"):
        yield key, case["state"][key]
    for link in case["machine"]["links"]:
        yield "mass", [link["mass"]]
    for name, answer in case["answers"].items():
        for row in answer:
            yield name, row
        for column in COLUMNS:
            for row in case[column][name]:
                yield f"{name} {column}", row


def by_name(pairs):
    """Some libraries sort the keys of an object; the rows of a quantity keep their order."""
    return sorted(pairs, key=lambda pair: pair[0])


def attempt(*command):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)


def run(*command):
    done = attempt(*command)
    assert done.returncode == 0, done.stderr
    return done.stdout


def in_octave(file):
    return [octave, "--norc", "--no-history", "--path", HERE, "--eval", f"print_case('{file}')"]


def is_refused_in_python(file):
    try:
        articulate_case.read(file)
    except ValueError:
        return True
    return False


def test_refusals(file):
    """What is no case is refused, and not read as something else."""
    wrong = file.with_name("wrong.json")
    for what, ((*way, last), instead) in BROKEN.items():
        case = json.loads(file.read_text(encoding="utf-8"))
        place = case
        for key in way:
            place = place[key]
        place[last] = instead
        wrong.write_text(json.dumps(case), encoding="utf-8")
        assert is_refused_in_python(wrong), f"{what} in Python"
        assert attempt(PRINT_CASE, wrong).returncode == 1, f"{what} in C++"
        assert not octave or attempt(*in_octave(wrong)).returncode, f"{what} in Octave"


octave = shutil.which("octave-cli")
with tempfile.TemporaryDirectory() as folder:
    run(PROGRAM, "generate", folder, *(word for name in NAMES for word in ("--case", name)))
    for name in NAMES:
        file = Path(folder) / f"{name}.json"
        expected = by_name(in_file(file))
        assert by_name(in_python(file)) == expected, f"{name} in Python"
        assert by_name(lines(run(PRINT_CASE, file))) == expected, f"{name} in C++"
        if octave:
            assert by_name(lines(run(*in_octave(file)))) == expected, f"{name} in Octave"
        print(f"{name}: {sum(len(entries) for _, entries in expected)} entries are read as they are")
    test_refusals(Path(folder) / "pendulum.json")
if not octave:
    print("octave-cli is not installed: the reader for Octave and MATLAB was not run")
    sys.exit(77)
