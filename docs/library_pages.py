"""The conventions of other libraries: a table for the page of each, and one of all, from docs/library_conventions.tsv."""
import csv
import json
import re
import sys

from markup import table, words

LIBRARIES = {
    "pinocchio": "Pinocchio",
    "rbdl": "RBDL",
    "drake": "Drake",
    "mujoco": "MuJoCo",
    "kdl": "Orocos KDL",
    "dart": "DART",
    "bullet": "Bullet",
    "simbody": "Simbody",
    "idyntree": "iDynTree",
    "toolbox": "Robotics Toolbox",
    "modern_robotics": "Modern Robotics",
    "spatial_v2": "spatial\\_v2",
}
# What decides most comparisons, in the table of all.
FIRST_OF_ALL = ["quaternion", "base velocity", "twist order", "Jacobian", "gravity"]


def conventions(source):
    """{library: {aspect: (what, where it was read)}}, the same aspects for each; `ours` is ours."""
    found = {}
    with open(source / "docs" / "library_conventions.tsv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if not (row["what"] and row["read in"]):
                sys.exit(f"library_pages.py: {row['library']}, {row['aspect']}: a cell says where it was read")
            found.setdefault(row["library"], {})[row["aspect"]] = (row["what"], row["read in"])
    if set(found) != {"ours", *LIBRARIES}:
        sys.exit("library_pages.py: docs/library_conventions.tsv has other libraries than library_pages.py")
    for library, aspects in found.items():
        if list(aspects) != list(found["ours"]):
            sys.exit(f"library_pages.py: {library} has other aspects than ours, or another order")
    return found


def shown(what):
    return "–" if what == "-" else words(what)


def unknown_causes(source):
    """Names of causes in the pages of libraries that diagnose() does not have."""
    measured = json.loads((source / "validation" / "oracle" / "sensitivity.json").read_text(encoding="utf-8"))["causes"]
    code = "\n".join(path.read_text(encoding="utf-8") for path in (source / "src" / "articulate" / "oracle").glob("*.cpp"))
    kinds = {cause.partition("/")[0] for cause in measured}
    chapters = source / "chapters"
    for page in [chapters / "your_library.md", *sorted(chapters.glob("library_*.md")), *chapters.glob("engines.md")]:
        for kind, name in re.findall(r"`([a-z_]+)/([a-z_0-9.]+)(?::LINK)?`", page.read_text(encoding="utf-8")):
            key = f"{kind}/{name}"
            told = re.escape(name.removeprefix("counted_")) if name.startswith("counted_") else rf"{re.escape(key)}:?"
            member = f'std::string("{kind}/") + ' in code and f'"{name}"' in code  # of a family with names of its own
            if kind in kinds and key not in measured and not member and not re.search(rf"\"{told}\"", code):
                yield f"chapters/{page.name} names the cause {key}, which diagnose does not know"


def fragments(source):
    """What the pages of the libraries include."""
    wrong = list(unknown_causes(source))
    if wrong:
        sys.exit("library_pages.py: " + "; ".join(wrong))
    found = conventions(source)
    ours, pages = found["ours"], {}
    for library, title in LIBRARIES.items():
        lines = [
            [f"<b>{words(aspect)}</b>", words(ours[aspect][0]), shown(what), f"<small>{words(where)}</small>"]
            for aspect, (what, where) in found[library].items()
        ]
        pages[f"conventions_{library}"] = table(["", "Articulate", title, "read in"], lines, "libraries")
    lines = [
        [f"<a href=\"library_{library}.html\">{title}</a>", *(shown(found[library][aspect][0]) for aspect in FIRST_OF_ALL)]
        for library, title in {"ours": "Articulate", **LIBRARIES}.items()
    ]
    lines[0][0] = "Articulate"
    pages["conventions_of_all"] = table(["", *FIRST_OF_ALL], lines, "libraries")
    return pages
