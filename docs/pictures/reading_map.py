"""The reading map: which chapter builds on which, which are written, and how much of their ledger is verified."""
from html import escape

BUILDS_ON = {
    "group": [],
    "body": ["group"],
    "model": ["body"],
    "rnea": ["model"],
    "aba": ["rnea"],
    "skew_symmetry": ["rnea"],
    "lagrange": ["rnea"],
    "mechanisms": ["lagrange"],
    "hybrid": ["aba"],
    "oracle": ["aba"],
    "constrained": ["hybrid"],
    "derivatives": ["hybrid"],
    "higher_order": ["hybrid"],
}
PLACES = {  # column, row
    "group": (0, 0),
    "body": (1, 0),
    "model": (2, 0),
    "rnea": (3, 0),
    "lagrange": (1, 1),
    "skew_symmetry": (2, 1),
    "aba": (3, 1),
    "mechanisms": (1, 2),
    "oracle": (2, 2),
    "hybrid": (3, 2),
    "constrained": (1, 3),
    "derivatives": (2, 3),
    "higher_order": (3, 3),
}
WIDTH, HEIGHT, STEP_X, STEP_Y = 152, 44, 174, 72
INK, GREEN = "#000000", "#3c9a52"


def corner(name):
    column, row = PLACES[name]
    return 4 + column * STEP_X, 4 + row * STEP_Y


def arrow(before, after):
    """Along a row from side to side; to a lower row from the bottom through the gap between the rows."""
    (x0, y0), (x1, y1) = corner(before), corner(after)
    if y0 == y1:
        path = f"M{x0 + WIDTH},{y0 + HEIGHT / 2} H{x1 - 3}"
    else:
        x0, x1 = x0 + WIDTH / 2, x1 + WIDTH / 2
        path = f"M{x0},{y0 + HEIGHT} V{y1 - 16} H{x1} V{y1 - 3}"
    return (
        f"<path d=\"{path}\" fill=\"none\" stroke=\"{INK}\" stroke-opacity=\"0.6\" "
        f"stroke-width=\"1.4\" marker-end=\"url(#tip)\"/>"
    )


def box(name, number, written, verified, rows):
    x, y = corner(name)
    title = f"{number:02} {name.replace('_', ' ')}"
    state = f"{verified} of {rows} rows of the ledger verified" if rows else "no rows of the ledger"
    dash = "" if written else " stroke-dasharray=\"4 4\" stroke-opacity=\"0.6\""
    faint = "" if written else " fill-opacity=\"0.7\""
    bar = (
        (
            f"<rect x=\"{x + 12}\" y=\"{y + 32}\" width=\"{WIDTH - 24}\" height=\"5\" rx=\"2.5\" "
            f"fill=\"{INK}\" fill-opacity=\"0.15\"/>"
            f"<rect x=\"{x + 12}\" y=\"{y + 32}\" width=\"{(WIDTH - 24) * verified / rows:.1f}\" height=\"5\" "
            f"rx=\"2.5\" fill=\"{GREEN}\"/>"
        )
        if rows
        else ""
    )
    inside = (
        f"<title>{escape(title)}: {state}{'' if written else ', the chapter is to come'}</title>"
        f"<rect x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"7\" "
        f"fill=\"{INK}\" fill-opacity=\"0.04\" stroke=\"{INK}\" stroke-width=\"1.2\"{dash}/>"
        f"<text x=\"{x + WIDTH / 2}\" y=\"{y + 23}\" text-anchor=\"middle\" "
        f"font-size=\"14.5\"{faint}>{escape(title)}</text>{bar}"
    )
    return f"<a href=\"{name}.html\">{inside}</a>" if written else f"<g>{inside}</g>"


def reading_map(chapters, written, progress):
    arrows = "\n".join(arrow(before, after) for after, needs in BUILDS_ON.items() for before in needs)
    boxes = "\n".join(box(name, number, name in written, *progress[name]) for number, name in enumerate(chapters, 1))
    width, height = 3 * STEP_X + WIDTH + 8, 3 * STEP_Y + HEIGHT + 8
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"
     font-family="sans-serif" role="img" aria-label="Which chapter builds on which">
<defs><marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0,0 L8,4 L0,8 z" fill="{INK}"/></marker></defs>
{arrows}
{boxes}
</svg>
"""
