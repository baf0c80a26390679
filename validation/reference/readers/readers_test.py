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


def lines(output):
    """(name, numbers) of every line, in hexadecimal or in seventeen digits."""
    for line in output.splitlines():
        words = line.split(" ")
        texts = words[2:] if words[1:2] == ["digits"] else words[1:]
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
        for row in answer["double_digits"]:
            yield f"{name} digits", row


def in_python(path):
    case = articulate_case.read(path)
    for key in ("q", "qd", "qdd", "tau"):
        yield key, case["state"][key]
    for link in case["machine"]["links"]:
        yield "mass", [link["mass"]]
    for name, answer in case["answers"].items():
        for row in answer:
            yield name, row
        for row in case["digits"][name]:
            yield f"{name} digits", row


def by_name(pairs):
    """Some libraries sort the keys of an object; the rows of a quantity keep their order."""
    return sorted(pairs, key=lambda pair: pair[0])


def run(*command):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


octave = shutil.which("octave-cli")
with tempfile.TemporaryDirectory() as folder:
    run(PROGRAM, "generate", folder, *(word for name in NAMES for word in ("--case", name)))
    for name in NAMES:
        file = Path(folder) / f"{name}.json"
        expected = by_name(in_file(file))
        assert by_name(in_python(file)) == expected, f"{name} in Python"
        assert by_name(lines(run(PRINT_CASE, file))) == expected, f"{name} in C++"
        if octave:
            found = run(octave, "--norc", "--no-history", "--path", HERE, "--eval", f"print_case('{file}')")
            assert by_name(lines(found)) == expected, f"{name} in Octave"
        print(f"{name}: {sum(len(numbers) for _, numbers in expected)} numbers are read as they are")
if not octave:
    print("octave-cli is not installed: the reader for Octave and MATLAB was not run")
    sys.exit(77)
