"""Built-in robots as the graders of programs need them, from the module.

usage: PYTHONPATH=build/release/python robots.py     writes src/python/course/write/robots.json anew
"""
import json
from pathlib import Path

import articulate

NAMES = ["ur5", "screw_arm", "forked_arm", "puma560", "panda", "tree:3x4"]


def table(name):
    """Joints are single screws about or along z."""
    model = articulate.Model(articulate.built_in_model(name))
    bodies = [model.body(i) for i in range(1, model.bodies + 1)]
    return {
        "gravity": list(model.gravity),
        "parent": [body.parent - 1 for body in bodies],
        "M": [body.M.matrix().tolist() for body in bodies],
        "S": [[0.0, 0.0, body.turn, 0.0, 0.0, body.slide] for body in bodies],
        "I": [body.I.matrix().tolist() for body in bodies],
    }


def text():
    """A line for each array."""
    lines = []
    for name in NAMES:
        entries = []
        for key, value in table(name).items():
            nested = isinstance(value[0], list)
            entries.append(f'  "{key}": ' + ("[\n" + ",\n".join(f"   {json.dumps(one)}" for one in value) + "]" if nested else json.dumps(value)))
        lines.append(f' "{name}": {{\n' + ",\n".join(entries) + "}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    path = Path(__file__).parents[3] / "src" / "python" / "course" / "write" / "robots.json"
    path.write_text(text(), encoding="utf-8")
