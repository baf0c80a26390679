"""How a figure looks: black ink that a page turns into its own text colour, and colours seen on white and on black.

The text of an SVG stays text, and the same figure makes the same bytes.
"""
import io
import math
import os
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

BLUE, ORANGE, GREEN, RED = "#3d7fd0", "#cc7722", "#3c9a52", "#d9534f"
PURPLE, TEAL, GREY = "#9a68c8", "#2b93a0", "#848d97"
INK = "#000000"

SETTINGS = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.titlesize": 10,
    "axes.labelsize": 10,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "legend.fontsize": 9,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": matplotlib.cycler(color=[BLUE, ORANGE, GREEN, RED, PURPLE, TEAL]),
    "axes.grid": True,
    "grid.color": GREY,
    "grid.alpha": 0.3,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.handlelength": 2.6,
    "lines.linewidth": 1.6,
    "lines.markersize": 4,
}


def figure(width=6.0, height=3.6):
    """An empty figure of that size in inches, which is its size on a wide page."""
    matplotlib.rcdefaults()  # not the settings of the person who runs this
    matplotlib.rcParams.update(SETTINGS)
    return Figure(figsize=(width, height), layout="constrained")


def powers_of_ten(*axes):
    """Ticks of logarithmic axes (`axes.xaxis`, ...) as plain text: 10⁻¹⁶."""
    raised = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    for axis in axes:
        axis.set_major_formatter(lambda value, _: "10" + str(round(math.log10(value))).translate(raised))
        axis.set_minor_formatter(NullFormatter())


def legend_below(figure, panel, ncols, room):
    """One legend for all panels, taken from one of them, in a strip below: `room` is its part of the height."""
    handles, labels = panel.get_legend_handles_labels()
    figure.get_layout_engine().set(rect=(0, room, 1, 1 - room))
    figure.legend(handles, labels, loc="lower center", ncols=ncols)


def scale():
    """Colours for a quantity that grows, none of them as dark or as light as a page."""
    viridis = matplotlib.colormaps["viridis"]
    return ListedColormap(viridis(np.linspace(0.2, 0.9, 64)))


def svg(figure, name):
    """The text of the figure's SVG; the name goes into its ids, so that two figures can stand on one page.

    What is a text already stays as it is.
    """
    if isinstance(figure, str):
        return figure
    matplotlib.rcParams["svg.hashsalt"] = name
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


def write(figure, folder, name):
    """The figure as FOLDER/NAME.svg."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.svg").write_text(svg(figure, name), encoding="utf-8")


def publish(figure, name):
    """What a notebook shows in its last cell. The runner says where the file goes: $ARTICULATE_FIGURES."""
    from IPython.display import SVG

    if folder := os.environ.get("ARTICULATE_FIGURES"):
        write(figure, folder, name)
    return SVG(svg(figure, name).replace(INK, "currentColor"))
