"""Draws a trajectory of `simulate`: coordinates, energies, and by how much what should stay has changed.

usage: plot_trajectory.py TRAJECTORY PICTURE     where TRAJECTORY is CSV or JSON lines, PICTURE an .svg, .png or .pdf
"""
import csv
import json
import os
import sys
from pathlib import Path

import matplotlib
import numpy as np
import style  # of the notebooks, installed beside this

MOMENTA = [quantity + "_momentum." + axis for quantity in ("angular", "linear") for axis in "xyz"]
LEGEND = {"loc": "lower center", "bbox_to_anchor": (0.5, 1), "ncols": 4, "columnspacing": 1.2}


def flat(row):
    """The entries of a JSON line under the names of a table's columns; coordinates are counted."""
    base = row["state"].get("base", {})
    q = base.get("position", []) + base.get("quaternion_xyzw", []) + row["state"]["q"]
    entries = {"t": row["t"], **{f"q.{k}": x for k, x in enumerate(q)}}
    entries |= {key: x for key, x in row.items() if isinstance(x, float | int)}
    return entries | {
        f"{key}.{axis}": x for key in ("angular_momentum", "linear_momentum") for axis, x in zip("xyz", row[key])
    }


def read(path):
    """The columns of a trajectory, each an array over time, by name."""
    text = Path(path).read_text(encoding="utf-8")
    if text.startswith("{"):
        rows = [flat(row) for row in map(json.loads, text.splitlines()[1:]) if "state" in row]
        return {name: np.array([row[name] for row in rows], dtype=float) for name in rows[0]}
    names, *rows = csv.reader(line for line in text.splitlines() if not line.startswith("#"))
    return dict(zip(names, np.array(rows, dtype=float).T))


def change(values):
    """How far a quantity, maybe a vector by rows, is from its first value; zeros are left out of logarithmic axes."""
    away = np.linalg.norm(np.atleast_2d(values) - np.atleast_2d(values)[:, :1], axis=0)
    return np.where(away > 0, away, np.nan)


def picture(columns):
    """Three panels over time."""
    t = columns["t"]
    figure = style.figure(7.2, 7.5)
    motion, energy, drift = figure.subplots(3, sharex=True)
    coordinates = [name for name in columns if name.startswith("q.")]
    for name in coordinates:
        motion.plot(t, columns[name], label=name[2:], linewidth=1)
    motion.set(ylabel="coordinates (rad, m)")
    if len(coordinates) <= 8:
        motion.legend(**LEGEND)
    for name, colour in (("kinetic_energy", style.BLUE), ("potential_energy", style.ORANGE), ("energy", style.INK)):
        energy.plot(t, columns[name], color=colour, label=name.replace("_", " "), linewidth=1)
    energy.set(ylabel="energy (J)")
    energy.legend(**LEGEND)

    lines = [
        ("energy (J)", change(columns["energy"])),
        ("angular momentum (N m s)", change([columns[name] for name in MOMENTA[:3]])),
        ("linear momentum (N s)", change([columns[name] for name in MOMENTA[3:]])),
    ]
    if "violation" in columns:
        lines += [
            ("loops open (m, rad)", columns["violation"]),
            ("loops opening (m/s, rad/s)", columns["violation_rate"]),
        ]
    for name, values in lines:
        values = np.where(np.asarray(values) > 0, values, np.nan)
        if not np.all(np.isnan(values)):
            drift.semilogy(t, values, label=name, linewidth=1)
    drift.set(xlabel="time (s)", ylabel="change from the start")
    if drift.lines:
        style.powers_of_ten(drift.yaxis)
        drift.legend(**LEGEND | {"ncols": 2})
    return figure


def main(trajectory, target):
    figure = picture(read(trajectory))
    matplotlib.rcParams["svg.hashsalt"] = "trajectory"
    partial = f"{target}.partial-{os.getpid()}"
    try:
        metadata = {"Date": None} if target.endswith(".svg") else None
        figure.savefig(partial, format=target.rsplit(".", 1)[1], metadata=metadata, dpi=150, facecolor="white")
        os.replace(partial, target)
    finally:
        Path(partial).unlink(missing_ok=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
