"""The files of the certified cases, made by the program, held against their schema, and read by a second reader.

usage: files_test.py PROGRAM
"""
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
import jsonschema

HERE = Path(__file__).parent
PROGRAM = sys.argv[1]


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)


def of_algorithms(losses):
    """Of each quantity the digits that can be attained, those of the algorithm and what loses them; the digits of double depend
    on the compiler."""
    return {name: [*entry[:2], *entry[3:]] for name, entry in losses.items()}


def tables_of(chapter):
    """The rows of the chapter's section on lost digits, by what is in their first cell."""
    section = chapter.partition("{#oracle_lost}")[2].partition("\n### ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return {row[0].replace("`", ""): row[1:] for row in rows if not row[0].startswith("---")}


def test_chapter(losses):
    """The chapter says of each cause how many entries it has, and of some entries what each step loses; how many there are in
    all, other pages say, too."""
    chapters = HERE.parents[1] / "chapters"
    told = tables_of((chapters / "14_oracle.md").read_text(encoding="utf-8"))
    entries = {(case, name): entry for case, all_of_it in losses.items() for name, entry in all_of_it.items()}
    of_accelerations = sum(name.startswith("forward_dynamics_by_") for _, name in entries)
    for page, said in ((chapters / "14_oracle.md", f"more than one digit, {len(entries)} of "),
                       (HERE / "README.md", f"more than one digit, {len(entries)} of "),
                       (chapters / "subtree_sums.md", f", {of_accelerations} lack more than one digit, ")):
        assert said in page.read_text(encoding="utf-8"), f"{page.name} does not say '{said}'"
    causes = {entry[3] for entry in entries.values()}
    for cause in causes:
        lost, case, name = max((round(e[0] - e[1], 1), *k) for k, e in entries.items() if e[3] == cause)
        right = [str(sum(e[3] == cause for e in entries.values())), f"{lost:g}", f"`{case}`, `{name}`"]
        assert told.get(cause) == right, f"chapter 14 says of '{cause}' {told.get(cause)}, losses.json {right}"
    for head, cells in told.items():
        if ", " in head:
            attainable, algorithm, _, cause, *alone = entries[tuple(head.split(", "))]
            right = [*(f"{x:g}" for x in (attainable, algorithm, *alone)), cause]
            assert cells == right, f"chapter 14 says of {head} {cells}, losses.json {right}"
        else:
            assert head in causes | {"case and quantity", "cause"}, f"chapter 14 has a cause '{head}', and no entry does"
    return causes


def changed(case, place, instead):
    """A case with another entry at a place."""
    case = json.loads(json.dumps(case))
    entry, (*way, last) = case, [int(key) if key.isdigit() else key for key in place.split("/")]
    for key in way:
        entry = entry[key]
    entry[last] = instead
    return case


def written(path, case):
    path.write_text(case if isinstance(case, str) else json.dumps(case), encoding="utf-8")
    return path


# What a file of the pendulum may not say: a place, what stands there, and what is told of it.
TAMPERED = [
    ("conventions/gravity", "downwards is positive", "conventions/gravity is"),
    ("conventions/more", "of one's own", "conventions/more is not asked for"),
    ("set/version", "9.9.9", "set/version is"),
    ("tier", "higher", "tier is"),
    ("title", "another machine", "title is"),
    ("certified_by", "somebody", "certified_by is not asked for"),
    ("machine/name", "another", "machine/name is"),
    ("machine/joints/0/name", "knee", "machine/joints/0/name is"),
    ("machine/joints/0/damping", 5, "machine/joints/0/damping is not asked for"),
    ("machine/links/0/mass", {"decimal": 2, "hexadecimal": "0x1p+1"}, "machine/links/0/mass/decimal is 2"),
    ("state/q/hexadecimal/0", "0.5", "is no number such as 0x1.8p-3"),
    ("state/q/hexadecimal/0", "0x1p+9999", "is beyond binary64"),
    ("state/external_wrenches", {"nobody": {"decimal": [], "hexadecimal": []}}, "lacks the key"),
    ("answers/bias/words", "nonsense", "answers/bias/words is"),
    ("answers/bias/unit/0/0", "lb ft", "answers/bias/unit/0/0 is"),
    ("answers/bias/radius/0/0", "1e-10", "answers/bias/radius/0/0 is"),
    ("answers/bias/more", 1, "answers/bias/more is not asked for"),
    ("answers/more", {}, "answers/more is not asked for"),
]


def test_check(folder):
    """All of a file is compared, each file has its message, and no file ends those behind it."""
    text = (folder / "pendulum.json").read_text(encoding="utf-8")
    case = json.loads(text)
    wrong = [
        (written(folder / f"tampered_{k}.json", changed(case, place, instead)), sentence)
        for k, (place, instead, sentence) in enumerate(TAMPERED)
    ]
    less = {name: answer for name, answer in case["answers"].items() if name != "bias"}
    wrong += [
        (written(folder / "less.json", changed(case, "answers", less)), "answers/bias is missing"),
        (written(folder / "twice.json", text.replace('"answers": {', '"answers": {}, "answers": {', 1)), "stands twice"),
        (written(folder / "mark.json", "\ufeff" + text), "byte order mark"),
        (written(folder / "large.json", text.replace('"decimal": [', '"decimal": [1e400,', 1)), "'1e400' is too large"),
        (written(folder / "open.json", "{"), "the JSON text breaks off"),
        (written(folder / "empty.json", "{}"), "lacks the key 'format'"),
        (folder, "this is a directory"),
        (folder / "none.json", "there is no such file"),
    ]
    found = run("check", *(path for path, _ in wrong), folder / "pendulum.json")
    assert found.returncode == 1, found.stderr
    for path, sentence in wrong:
        lines = [line for line in found.stderr.splitlines() if f"{path}: " in line or f"{path} " in line]
        assert any(sentence in line for line in lines), f"{path.name} has no '{sentence}', but {lines}"
    last = found.stdout.splitlines()[-1]
    assert "all 385 numbers are proved again; the file holds case 'pendulum' of the set" in last, last

    # A file that is not of this version may have less; one that is not of the set has its owner's words.
    older = {key: value for key, value in changed(case, "answers", less).items() if key != "set"}
    found = run("check", written(folder / "older.json", older))
    assert "fewer quantities than the set" in found.stdout and "not bias\n" in found.stdout, found.stdout
    assert "all 384 numbers are proved again" in found.stdout and "set is missing" in found.stderr, found.stdout + found.stderr
    found = run("check", written(folder / "own.json", {**older, "case": "mine", "title": "my own"}))
    assert found.returncode == 0 and "the set has no case 'mine'" in found.stdout, found.stdout + found.stderr
    assert "the folder cannot be made" in run("generate", "/proc/zz", "--case", "pendulum").stderr


def test_printed_test(file):
    """The test that chapter 14 prints runs, also for a quantity whose numbers are all zero."""
    chapter = (HERE.parents[1] / "chapters" / "14_oracle.md").read_text(encoding="utf-8")
    code = chapter.partition("\\code{.py}\nimport json, math")[2].partition("\\endcode")[0]
    answers = json.loads(file.read_text(encoding="utf-8"))["answers"]
    for quantity in ("gravity_force", "coriolis_force"):
        right = [[float(x) for x in row] for row in answers[quantity]["value"]]
        told = "import json, math" + code.replace("gravity_force", quantity).replace("pendulum.json", str(file))
        exec(told, {"my_library": lambda q, right=right: right})
        try:
            exec(told, {"my_library": lambda q, right=right: [[x + 1e-9 for x in row] for row in right]})
        except AssertionError as error:
            assert "digits that double can attain" in str(error)
        else:
            assert False, f"the printed test takes another {quantity}"


def test_schema(schema, case):
    """What a schema can refuse is refused."""
    validator = jsonschema.Draft202012Validator(schema)
    assert "set" in case and validator.is_valid(case)
    number, two = {"decimal": 1, "hexadecimal": "0x1p+0"}, {"decimal": [1, 2], "hexadecimal": ["0x1p+0", "0x1p+1"]}
    for place, instead in (
        ("machine/gravity", two),
        ("machine/gravity", number),
        ("machine/links/1/inertia_xx_xy_xz_yy_yz_zz", two),
        ("machine/links", []),
        ("state/external_wrenches", {"bob": two}),
        ("state/q/hexadecimal/0", "0x1.123456789abcdef01p+0"),
        ("state/q/hexadecimal/0", "0x1p+1024"),
        ("conventions", {}),
        ("set", {}),
        ("answers", {}),
        ("answers/bias/value", []),
        ("answers/bias/value", [[]]),
        ("answers/bias/radius", [["-1e-50"]]),
        ("answers/bias/value", [["1e1000"]]),
        ("answers/bias/double_digits", [[-5e300]]),
    ):
        assert not validator.is_valid(changed(case, place, instead)), f"the schema takes {instead} at {place}"


def test(folder):
    tier_of = dict(line.split("\t")[:2] for line in run("list").stdout.splitlines())
    names = list(tier_of)
    if os.environ.get("ARTICULATE_LONG_TESTS") == "ON":
        made = run("generate", folder)
    else:
        lower = [name for name, tier in tier_of.items() if tier == "lower"]
        names = [*lower, "six_joint_arm", "five_bar", "dead_point"]
        made = run("generate", folder, *(word for name in names for word in ("--case", name)))
    assert made.returncode == 0, made.stderr
    schema = json.loads((HERE / "case.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    for name in names:
        jsonschema.validate(json.loads((folder / f"{name}.json").read_text(encoding="utf-8")), schema)
    test_schema(schema, json.loads((folder / "pendulum.json").read_text(encoding="utf-8")))

    # The bytes are those that the catalogue was made from, on whatever processor, and it says what is in them.
    catalogue = json.loads((HERE / "catalogue.json").read_text(encoding="utf-8"))
    assert [case["case"] for case in catalogue["cases"]] == list(tier_of)
    citation = (HERE.parents[1] / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {catalogue['version']}\n" in citation.partition("type: dataset")[2].partition("- type:")[0]
    sums = {name: hashlib.sha256((folder / f"{name}.json").read_bytes()).hexdigest() for name in names}
    for entry in catalogue["cases"]:
        if entry["case"] in sums:
            assert entry["sha256"] == sums[entry["case"]], f"{entry['case']}: other bytes than the catalogue's"
    if list(tier_of) == names:
        (folder / "SHA256SUMS").write_text("".join(f"{sums[name]}  {name}.json\n" for name in names), encoding="utf-8")
        assert json.loads(run("catalogue", folder).stdout) == catalogue
    else:
        assert "SHA256SUMS: the file cannot be read" in run("catalogue", folder).stderr

    # The library in double, and what its algorithms lack: measured, and no more than is stored.
    held = run("attained", *(folder / f"{name}.json" for name in names))
    assert held.returncode == 0, held.stderr
    stored = json.loads((HERE / "losses.json").read_text(encoding="utf-8"))["lacking_more_than_one"]
    assert test_chapter(stored) == {"inverse", "product", "forces", "places", "sum"}
    measured = json.loads(held.stdout)["lacking_more_than_one"]
    for name in names:
        here, there = (of_algorithms(losses.get(name, {})) for losses in (measured, stored))
        assert here == there, f"{name}: losses.json has {there}, measured {here}"

    # The same bytes once more, and a proof from the file alone.
    again = folder / "again"
    assert run("generate", again, "--case", "planar_2r").returncode == 0
    assert (again / "planar_2r.json").read_bytes() == (folder / "planar_2r.json").read_bytes()
    proved = run("check", *(folder / f"{name}.json" for name in names))
    assert proved.returncode == 0, proved.stderr

    # A digit that is not right, and other files that are not what is generated.
    wrong = again / "wrong.json"
    case = json.loads((folder / "six_joint_arm.json").read_text(encoding="utf-8"))
    value = case["answers"]["forward_dynamics"]["value"][3][0]
    case["answers"]["forward_dynamics"]["value"][3][0] = value[:31] + str((int(value[31]) + 1) % 10) + value[32:]
    wrong.write_text(json.dumps(case), encoding="utf-8")
    found = run("check", wrong)
    assert found.returncode == 1 and "forward_dynamics/value/3/0 is" in found.stderr, found.stderr
    assert "; entries that are not as they would be generated: 1\n" in found.stdout, found.stdout
    (again / "pendulum.json").write_bytes((folder / "pendulum.json").read_bytes())
    test_check(again)
    test_printed_test(again / "pendulum.json")
    assert "the cases are pendulum" in run("generate", folder, "--case", "none").stderr

    # The archive has all of this in one folder.
    for name in ("case.schema.json", "catalogue.json", "losses.json"):
        shutil.copy(HERE / name, folder)
    second = subprocess.run([sys.executable, HERE / "second_reader.py", folder], capture_output=True, text=True, check=False)
    print(second.stdout)
    assert second.returncode == 0, second.stdout + second.stderr
    for path in folder.glob("*.json"):
        path.unlink()
    case = json.loads((again / "pendulum.json").read_text(encoding="utf-8"))
    written(folder / "wide.json", changed(case, "answers/mass_matrix/radius/0/0", "1e3"))
    second = subprocess.run([sys.executable, HERE / "second_reader.py", folder], capture_output=True, text=True, check=False)
    assert second.returncode == 1 and "mass_matrix has the radius 1000" in second.stdout, second.stdout + second.stderr


with tempfile.TemporaryDirectory() as temporary:
    test(Path(temporary))
