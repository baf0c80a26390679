"""Read a certified case: inputs and answers in double, as nested lists.

    case = read("puma560.json")
    case["state"]["q"], case["machine"]["links"][1]["mass"], case["answers"]["mass_matrix"][0][5]

Answers are rounded to the nearest double; `case["digits"]` has how many decimal digits of each, relative to the largest of
its quantity and unit, arithmetic in double can attain. numpy.array() takes any of them.
"""
import json


def exact(value):
    """Inputs stand in decimal and in hexadecimal: the hexadecimal form is exact in every language."""
    if isinstance(value, dict):
        if "hexadecimal" in value:
            return exact(value["hexadecimal"])
        return {key: exact(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [exact(entry) for entry in value]
    if isinstance(value, str) and value.lstrip("-").startswith("0x"):
        return float.fromhex(value)
    return value


def read(path):
    """The case of a file: names, machine, state, answers, digits."""
    with open(path, encoding="utf-8") as file:
        case = json.load(file)
    if case["format"] != "articulate reference case 1":
        raise ValueError(f"{path}: the format is {case['format']!r}, not 'articulate reference case 1'")
    return {
        "case": case["case"],
        "machine": exact(case["machine"]),
        "state": exact(case["state"]),
        "answers": {
            name: [[float(x) for x in row] for row in answer["value"]] for name, answer in case["answers"].items()
        },
        "digits": {name: answer["double_digits"] for name, answer in case["answers"].items()},
    }
