"""How well causes are found, and how far each moves each certified case: from what the campaign and the sensitivity wrote."""
import json

from markup import table, words

KINDS = {
    "one": "one cause",
    "two": "two causes at a time",
    "torques": "one cause, torques alone",
    "nothing": "nothing hidden",
    "noise": "random noise",
    "unlisted": "an error that is on no list",
}
SIDES = {"drawn_from_the_list": "by the program", "made_outside": "by the script"}
NOT_MADE = "This has not been measured yet.\n"


def read(source, name):
    path = source / "validation" / "oracle" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def confusion(source):
    """What came of hidden causes, and which was taken for which."""
    told = read(source, "confusion")
    if told is None:
        return NOT_MADE
    lines = []
    for kind, sides in told["outcomes"].items():
        for side, counts in sides.items():
            fields = ["named", "in_class", "wrong", "unexplained", "agreement"]
            lines.append([KINDS[kind], SIDES[side], counts["count"], *(counts[field] for field in fields)])
    head = ["hidden", "hidden how", "comparisons", "named", "named with others", "another named", "unexplained", "agreement"]
    said = [
        f"Measured at <code>{told['commit'][:7]}</code> on {len(told['models'])} models. *Named with others* are causes that "
        "the numbers cannot tell apart.",
        table(head, lines, "campaign"),
        "What was named for what, one cause at a time, by kinds of cause (rows: hidden; columns: named):",
        matrix(told["confusion"]["one"]),
    ]
    return "\n\n".join(said)


def matrix(sides):
    hidden, named, counts = set(), set(), {}
    for found in sides.values():
        for one, others in found.items():
            hidden.add(one)
            for other, count in others.items():
                named.add(other)
                counts[one, other] = counts.get((one, other), 0) + count
    columns = sorted(named & hidden) + sorted(named - hidden)
    lines = [[f"<code>{words(one)}</code>", *(counts.get((one, other), "") for other in columns)] for one in sorted(hidden)]
    return table(["", *(words(other) for other in columns)], lines, "confusion")


def causes_in(told):
    """{cause: {case: digits}}, without cases that have nothing to misread so."""
    return {
        cause: {case: row[k] for case, row in told["cases"].items() if row[k] is not None}
        for k, cause in enumerate(told["causes"])
    }


def sensitivity(source):
    """How many cases notice each kind of cause."""
    told = read(source, "sensitivity")
    if told is None:
        return NOT_MADE
    kinds = {}
    for cause, digits in causes_in(told).items():
        kinds.setdefault(cause.split("/")[0], []).append(digits)
    lines = []
    for kind, causes in sorted(kinds.items()):
        seen = [sum(most >= 1 for most in digits.values()) for digits in causes]
        has = [len(digits) for digits in causes]
        fewest = min(range(len(causes)), key=lambda k: seen[k])
        lines.append([f"<code>{words(kind)}</code>", len(causes), sum(has), sum(seen), f"{seen[fewest]} of {has[fewest]}"])
    head = ["kind of cause", "causes", "pairs of a cause and a case", "pairs that move a digit or more", "fewest, of one cause"]
    blind = told["the_set_is_blind_to"]
    end = f"The set is blind to {', '.join(map(words, blind))}." if blind else "There is no cause to which the set is blind."
    return "\n\n".join([table(head, lines, "sensitivity"), end + " \\ref sensitivity has all of them, case by case."])


def sensitivity_page(source):
    """Every cause by every case."""
    told = read(source, "sensitivity")
    text = "# How far each cause moves each case {#sensitivity}\n"
    if told is None:
        return text + NOT_MADE
    cases = list(told["cases"])
    lines = [
        [f"<code>{words(cause)}</code>", *("" if case not in digits else f"{digits[case]:.0f}" for case in cases)]
        for cause, digits in causes_in(told).items()
    ]
    numbered = ", ".join(f"{k} {words(case)}" for k, case in enumerate(cases, 1))
    return text + "\n\n".join(
        [
            "The digits by which a cause moves the quantity that it moves most; 0 where the case is blind to it, and nothing "
            "where the machine has nothing that could be misread so. \\ref diagnosis_states says what this is good for.",
            "The columns are the certified cases: " + numbered + ".",
            table(["cause", *map(str, range(1, len(cases) + 1))], lines, "sensitivity"),
        ]
    )
