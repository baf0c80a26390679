"""Read a certified case: inputs and answers in double, as nested lists.

    case = read("puma560.json")
    case["state"]["q"], case["machine"]["links"][1]["mass"], case["answers"]["mass_matrix"][0][5]

Answers are rounded to the nearest double; by the same names and in the same rows `case["digits"]` has how many decimal digits
of each, relative to the largest of its quantity and unit, arithmetic in double can attain, `case["units"]` the units,
`case["exact_zero"]` whether it is zero nearby, too, and `case["radii"]` how far the right number is at most from the fifty
digits in the file. numpy.array() takes any of them.
"""
import json
import math
import re

HEXADECIMAL = re.compile(r"-?0x[01](\.[0-9a-f]{1,13})?p[+-][0-9]{1,4}")
DECIMAL = re.compile(r"0|-?[1-9](\.[0-9]+)?e-?[0-9]+")


def numbers(texts, form):
    """Texts of one form as finite numbers, in the lists in which they stand."""
    if isinstance(texts, list):
        return [numbers(text, form) for text in texts]
    if not isinstance(texts, str) or not form.fullmatch(texts):
        raise ValueError(f"{texts!r} is no number of the form {form.pattern}")
    x = float.fromhex(texts) if form is HEXADECIMAL else float(texts)
    if not math.isfinite(x):
        raise ValueError(f"{texts!r} is beyond double precision")
    return x


def exact(value):
    """Inputs stand in decimal and in hexadecimal: the hexadecimal form is exact in every language."""
    if isinstance(value, dict) and "hexadecimal" in value:
        x = numbers(value["hexadecimal"], HEXADECIMAL)
        if x != value["decimal"]:
            raise ValueError(f"{value['hexadecimal']} is not the same as the decimal {value['decimal']}")
        return x
    if isinstance(value, dict):
        return {key: exact(entry) for key, entry in value.items()}
    return [exact(entry) for entry in value] if isinstance(value, list) else value


def read(path):
    """The case of a file: names, machine, state, answers, digits, units, exact_zero, radii."""
    with open(path, encoding="utf-8") as file:
        case = json.load(file)
    form = case.get("format") if isinstance(case, dict) else None
    if form != "articulate reference case 1":
        raise ValueError(f"{path}: the format is {form!r}, not 'articulate reference case 1'")

    def column(key, convert=lambda rows: rows):
        return {name: convert(answer[key]) for name, answer in case["answers"].items()}

    return {
        "case": case["case"],
        "machine": exact(case["machine"]),
        "state": exact(case["state"]),
        "answers": column("value", lambda rows: numbers(rows, DECIMAL)),
        "radii": column("radius", lambda rows: numbers(rows, DECIMAL)),
        "digits": column("double_digits"),
        "units": column("unit"),
        "exact_zero": column("exact_zero"),
    }
