"""The reading map: which chapter builds on which, which are written, and how much of their ledger is verified.

A chapter builds on an earlier one if its text refers to a place in it. An arrow is left out where others lead the same
way. Graphviz finds the places of the boxes and the curves between them.
"""
import re
import subprocess
from html import escape

WIDTH, HEIGHT, MARGIN = 152, 44, 6  # pixels
INCH = 72  # pixels; what Graphviz counts in
INK, GREEN = "#000000", "#3c9a52"


# --- what builds on what ---------------------------------------------------------------------------------------------


def references(texts):
    """{chapter: earlier chapters that its text refers to}, of {chapter: text} in reading order."""
    home = {
        anchor: chapter
        for chapter, text in texts.items()
        for anchor in re.findall(r"\{#(\w+)\}|\\anchor (\w+)", text)
        for anchor in anchor
        if anchor
    }
    earlier, found = set(), {}
    for chapter, text in texts.items():
        found[chapter] = {home[name] for name in re.findall(r"\\ref (\w+)", text) if home.get(name) in earlier}
        earlier.add(chapter)
    return found


def reduced(before):
    """The same graph without the arrows that a longer way along others replaces."""
    ancestors = {}
    for chapter, direct in before.items():
        ancestors[chapter] = direct.union(*(ancestors[one] for one in direct))
    return {
        chapter: {one for one in direct if not any(one in ancestors[other] for other in direct)}
        for chapter, direct in before.items()
    }


# --- places ----------------------------------------------------------------------------------------------------------


def layout(chapters, before):
    """(size, {chapter: its centre}, [points of the curve of each arrow]) in pixels, x to the right and y down.

    A chapter that is to come has no text and so no arrows; it stands below the one before it.
    """
    arrows = [(one, chapter) for chapter in chapters for one in sorted(before.get(chapter, ()), key=chapters.index)]
    unseen = [(chapters[k - 1], chapter) for k, chapter in enumerate(chapters) if k and chapter not in before]
    lines = [
        "digraph {",
        f"node [shape=box fixedsize=true width={WIDTH / INCH} height={HEIGHT / INCH}]",
        f"nodesep={24 / INCH} ranksep={28 / INCH}",
        *chapters,
        *(f"{one} -> {other}" for one, other in arrows),
        *(f"{one} -> {other} [style=invis]" for one, other in unseen),
        "}",
    ]
    said = subprocess.run(["dot", "-Tplain"], input="\n".join(lines), text=True, check=True, capture_output=True)
    places, curves = {}, {}
    for kind, *words in map(str.split, said.stdout.splitlines()):
        if kind == "graph":
            width, height = (float(word) * INCH for word in words[1:3])
        elif kind == "node":
            places[words[0]] = (float(words[1]) * INCH, height - float(words[2]) * INCH)
        elif kind == "edge":
            numbers = [float(word) * INCH for word in words[3 : 3 + 2 * int(words[2])]]
            curves[words[0], words[1]] = [(x, height - y) for x, y in zip(numbers[::2], numbers[1::2])]
    return (width, height), places, [curves[arrow] for arrow in arrows]


# --- drawing ---------------------------------------------------------------------------------------------------------


def arrow(points):
    """A curve of Bézier, which ends where the tip of the arrow begins."""
    start, *rest = (f"{x:.1f},{y:.1f}" for x, y in points)
    return (
        f"<path d=\"M{start} C{' '.join(rest)}\" fill=\"none\" stroke=\"{INK}\" stroke-opacity=\"0.6\" "
        f"stroke-width=\"1.4\" marker-end=\"url(#tip)\"/>"
    )


def box(name, number, centre, written, verified, rows):
    x, y = round(centre[0] - WIDTH / 2, 1), round(centre[1] - HEIGHT / 2, 1)
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


def reading_map(chapters, texts, progress):
    """An SVG of `chapters`, in reading order; `texts` of those written, `progress` as {chapter: (verified, rows)}."""
    (width, height), places, curves = layout(chapters, reduced(references(texts)))
    boxes = "\n".join(
        box(name, number, places[name], name in texts, *progress[name]) for number, name in enumerate(chapters, 1)
    )
    across, down = round(width + 2 * MARGIN), round(height + 2 * MARGIN)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {across} {down}" width="{across}"
     height="{down}" font-family="sans-serif" role="img" aria-label="Which chapter builds on which">
<defs><marker id="tip" viewBox="0 0 8 8" refX="0" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0,0 L8,4 L0,8 z" fill="{INK}"/></marker></defs>
{chr(10).join(map(arrow, curves))}
{boxes}
</svg>
"""
