"""Marks as tables for other programs: JSON, CSV and the XML of JUnit."""
import csv
import io
import json
from xml.etree import ElementTree


def as_json(all_marks):
    return json.dumps({"students": [marks.table() for marks in all_marks]}, indent=1) + "\n"


def as_csv(all_marks):
    """A line for each student: points in all, then those of each exercise that anyone answered."""
    names = list(dict.fromkeys(name for marks in all_marks for name in marks.exercises))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["student", "points", "of", *names, "said"])
    for marks in all_marks:
        points = [marks.exercises[name]["points"] if name in marks.exercises else "" for name in names]
        writer.writerow([marks.student, marks.points, marks.of, *points, " ".join(marks.said)])
    return text.getvalue()


def as_junit(all_marks):
    """A suite for each student, a case for each exercise, and an error for what could not be read; the root has the sums."""
    root, sums = ElementTree.Element("testsuites"), {"tests": 0, "failures": 0, "errors": 0}
    for marks in all_marks:
        failed = [name for name, one in marks.exercises.items() if one["points"] < one["of"]]
        counts = {"tests": len(marks.exercises) + len(marks.said), "failures": len(failed), "errors": len(marks.said)}
        sums = {key: sums[key] + n for key, n in counts.items()}
        suite = ElementTree.SubElement(root, "testsuite", name=marks.student, **attributes(counts, marks.seconds))
        for name, one in marks.exercises.items():
            case = ElementTree.SubElement(suite, "testcase", classname=marks.student, name=name)
            if name in failed:
                message = f"{one['points']} of {one['of']} points"
                ElementTree.SubElement(case, "failure", message=message).text = one["feedback"]
        for k, sentence in enumerate(marks.said, 1):
            case = ElementTree.SubElement(suite, "testcase", classname=marks.student, name=f"what was handed in, {k}")
            ElementTree.SubElement(case, "error", message=sentence)
    root.attrib.update(name="articulate grade", **attributes(sums, sum(marks.seconds for marks in all_marks)))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def attributes(counts, seconds):
    return {**{key: str(n) for key, n in counts.items()}, "time": f"{seconds:.3f}"}
