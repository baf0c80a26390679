"""How long our algorithms take beside those of other libraries: tables from validation/bench/bench.json, which bench wrote."""
import json
import sys

from markup import table, words

PROBLEMS = {"inverse": "inverse dynamics", "forward": "forward dynamics", "mass": "mass matrix"}


def beside_peers(run, report):
    """A row for each problem on a model, alone and in a batch, with a column for each peer."""
    peers = [name.split()[0] for name in run["peer"].split(", ")]
    lines = []
    for (model, n, problem, ours), cells in report.fastest_of_peers(run).items():
        ratios = [cells.get(peer) for peer in peers]
        batch = ", batch" if ours == report.BATCHED[problem] else ""
        told = ["–" if cell is None else f"{cell[0]:.2f}{'' if cell[1] else '?'}" for cell in ratios]
        lines.append([f"<code>{words(model)}</code>", str(n), PROBLEMS[problem] + batch, *told])
    return table(["model", "degrees", "problem", *map(words, peers)], lines, "libraries")


def beside_recursion(run):
    lines = [[f"<code>{words(row['model'])}</code>", str(row["n"]),
              f"<code>{words(row['algorithm'].removeprefix('articulate '))}</code>",
              f"<code>{words(row['recursion'].removeprefix('articulate '))}</code>", f"{row['runs_of_recursion']:.2f}"]
             for row in run["multiples"]]  # fmt: skip
    return table(["model", "degrees", "algorithm", "in runs of", "takes"], lines, "libraries")


def fragments(source):
    """What chapters/speed.md includes."""
    sys.path.insert(0, str(source / "validation" / "bench"))
    import report

    told = json.loads((source / "validation" / "bench" / "bench.json").read_text(encoding="utf-8"))["runs"]
    said = {"speed_beside": [], "speed_built_on": []}
    for run in told:
        flags = f"{words(run['compiler'])}, <code>{words(run['flags'])}</code>"
        unknown, within = sum(not row["told"] for row in run["ratios"]), sorted(row["within"] for row in run["ratios"])
        said["speed_beside"] += [f"<b>{flags}</b>", beside_peers(run, report),
                          f"The machine was too noisy to tell who is faster in {unknown} of {len(within)} comparisons. Half of "
                          f"the ratios are known to a factor of {within[len(within) // 2]:.2f}, all to one of {within[-1]:.2f}."]  # fmt: skip
        said["speed_built_on"] += [f"<b>{flags}</b>", beside_recursion(run)]
    said["speed_beside"].append(f"Beside: {words(told[0]['peer'])}. {words(told[0]['limits'])}")
    return {name: "\n\n".join(texts) + "\n" for name, texts in said.items()}
