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

    # The bytes are those that the catalogue was made from, on whatever processor, and it says what is in them.
    catalogue = json.loads((HERE / "catalogue.json").read_text(encoding="utf-8"))
    assert [case["case"] for case in catalogue["cases"]] == list(tier_of)
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

    # A digit that is not right, and a file that is no case.
    wrong = again / "wrong.json"
    case = json.loads((folder / "six_joint_arm.json").read_text(encoding="utf-8"))
    value = case["answers"]["forward_dynamics"]["value"][3][0]
    case["answers"]["forward_dynamics"]["value"][3][0] = value[:31] + str((int(value[31]) + 1) % 10) + value[32:]
    wrong.write_text(json.dumps(case), encoding="utf-8")
    found = run("check", wrong)
    assert found.returncode == 1 and "forward_dynamics/value/3/0 is" in found.stderr, found.stderr
    for text, sentence in (("{", "this is no JSON"), ("{}", "lacks the key 'format'")):
        wrong.write_text(text, encoding="utf-8")
        found = run("check", wrong)
        assert found.returncode == 1 and sentence in found.stderr, found.stderr
    assert "cannot be read" in run("check", folder / "none.json").stderr
    assert "the cases are pendulum" in run("generate", folder, "--case", "none").stderr

    # The archive has all of this in one folder.
    for name in ("case.schema.json", "catalogue.json", "losses.json"):
        shutil.copy(HERE / name, folder)
    second = subprocess.run([sys.executable, HERE / "second_reader.py", folder], capture_output=True, text=True, check=False)
    print(second.stdout)
    assert second.returncode == 0, second.stdout + second.stderr


with tempfile.TemporaryDirectory() as temporary:
    test(Path(temporary))
