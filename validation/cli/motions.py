#!/usr/bin/env python3
"""Runs published machines by the command line alone, against references that share nothing with the library.

usage: motions.py PROGRAM [CHECK...] [--jobs N]

PROGRAM is articulate-cli. The checks are a02, a04, slider_crank, drawn, a05, a01, andrews and adaptive; all of them run
unless some are named. The model of forty loops is in the folder ARTICULATE_BENCHMARKS, or in ../shared/benchmarks
beside the repository; without it, it is skipped, which is said. The references are the machines' own equations:
elliptic functions, or one or two equations in as many unknowns, with all constraints solved by hand. numpy is needed.

Prints a line for each figure with its bar, then a count, and ends with 1 if a bar was missed.
"""
import argparse
import concurrent.futures
import functools
import json
import math
import os
import random
import re
import subprocess
import sys
from math import asin, cos, exp, hypot, log, pi, sin, sqrt
from pathlib import Path

import andrews
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
BENCHMARKS = Path(os.environ.get("ARTICULATE_BENCHMARKS", ROOT.parent / "shared" / "benchmarks"))
MACHINES = ROOT / "validation" / "motion" / "machines"
G = 9.81

# ---- solvers -------------------------------------------------------------------------------------------------------


def runge_kutta(rates, y, times, step):
    """The states at the times, multiples of the step, by the classic method of order 4."""
    states, done = [], 0
    for t in times:
        for _ in range(round(t / step) - done):
            k1 = rates(y)
            k2 = rates([a + step / 2 * b for a, b in zip(y, k1)])
            k3 = rates([a + step / 2 * b for a, b in zip(y, k2)])
            k4 = rates([a + step * b for a, b in zip(y, k3)])
            y = [a + step / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]
        done = round(t / step)
        states.append(y)
    return states


def extrapolated(rates, y, times, longest):
    """The states at the times by Gragg's midpoint rule, whose first six errors are removed.

    What is extrapolated is the change in a step, so that rounding is that of the change and not of the state.
    """
    states, now, y = [], 0, np.array(y, dtype=float)
    for t in times:
        parts = math.ceil((t - now) / longest)
        for _ in range(parts):
            table = []
            for i in range(1, 8):
                h = (t - now) / parts / (2 * i)
                a, b = 0, h * np.array(rates(y))
                for _ in range(2 * i - 1):
                    a, b = b, a + 2 * h * np.array(rates(y + b))
                row = [(a + b + h * np.array(rates(y + b))) / 2]
                for k, before in enumerate(table, 1):
                    row.append(row[-1] + (row[-1] - before) / ((i / (i - k)) ** 2 - 1))
                table = row
            y = y + table[-1]
        now = t
        states.append(y)
    return states


def radau(rates, y, times, longest, stages=5):
    """The states at the times by Radau IIA of order 9, for stiff equations; the first steps are short.

    Rates take arrays with a state in each column, and complex ones, as the Jacobian is found by complex steps.
    """
    nodes = np.polynomial.legendre.legroots([0] * (stages - 1) + [-1, 1])
    c, powers = (nodes + 1) / 2, np.arange(stages)
    A = np.linalg.solve((c[:, None] ** powers).T, (c[:, None] ** (powers + 1) / (powers + 1)).T).T
    n, y = len(y), np.array(y, dtype=float)
    states, now, h = [], 0.0, longest / 500
    for t in times:
        while now < t:
            h = min(1.1 * h, longest)
            step = (t - now) / math.ceil((t - now) / h - 1e-9)
            J = np.imag(rates(y[:, None] + 1e-30j * np.eye(n))) / 1e-30
            newton = np.linalg.inv(np.eye(n * stages) - step * np.kron(A, J))
            Y = np.tile(y, (stages, 1))
            for _ in range(20):
                residual = y + step * A @ rates(Y.T).T - Y
                change = (newton @ residual.ravel()).reshape(Y.shape)
                Y = Y + change
                if np.abs(change).max() <= 1e-15 * np.abs(Y).max():
                    break
            y = Y[-1]
            now = t if t - now - step < 1e-12 else now + step
        states.append(y)
    return states


# ---- machines with their constraints solved by hand ----------------------------------------------------------------


def amplitude(u, m):
    """Jacobi's am(u|m) by descending Landen transformations, and the quarter period K(m)."""
    a, b, c, levels = 1.0, sqrt(1 - m), sqrt(m), []
    while c > 1e-9:  # the next one is c^2 / 4 a
        a, b, c = (a + b) / 2, sqrt(a * b), (a - b) / 2
        levels.append(c / a)
    phi = 2 ** len(levels) * a * u
    for ratio in reversed(levels):
        phi = (phi + asin(ratio * sin(phi))) / 2
    return phi, pi / (2 * a)


def swinging(t):
    """A01: the angle of a pendulum of 1 m, let go when level."""
    quarter = amplitude(0, 0.5)[1]
    return -2 * asin(sqrt(0.5) * sin(amplitude(sqrt(G) * t + quarter, 0.5)[0]))


def bars(n):
    """A02: gravity's torque over the inertia, of n + 1 bars that turn and n couplers that do not."""
    return G * ((n + 1) / 2 + n) / ((n + 1) / 3 + n)


def circling(n, t):
    """A02: the angle of the bars from the upright, which they leave with 1 rad/s."""
    rate = sqrt(0.25 + bars(n))
    m = bars(n) / rate**2
    return 2 * amplitude(rate * t - amplitude(0, m)[1], m)[0] + pi


def along(u, v, k):
    return (u[0] + k * v[0], u[1] + k * v[1], u[2] + k * v[2])


def cross(u, v):
    return (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])


def dot(u, v):
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


def bricard_angle(a):
    """The ring of six right angles closes where its pins stand at a, -b, a, -b, a, -b with (1 + sin a)(1 - sin b) = 1."""
    return asin(sin(a) / (1 + sin(a)))


BRICARD = ((1, 0, 1), (2, 1, -1), (0, 2, 1), (1, 0, -1), (2, 1, 1))  # axis of the pin, that of the rod and its sense
ACROSS, ALONG = 1 / 12 + 0.1**2 / 12, 0.1**2 / 6


def bricard(y):
    """A04: rates of (a, b, s), where s is the speed along the curve in the plane of a and b.

    With M(sigma) twice the kinetic energy at unit speed: M ds/dt + M' s^2 / 2 + V' = 0, where the primes come from the
    velocities and accelerations of a passage with unit speed.
    """
    a, b, s = y
    n = (cos(b) * (1 + sin(a)), cos(a) * (1 - sin(b)))
    size = hypot(*n)
    da, db = n[0] / size, n[1] / size
    dn = (cos(a) * cos(b) * da - sin(b) * (1 + sin(a)) * db, -sin(a) * (1 - sin(b)) * da - cos(a) * cos(b) * db)
    stretch = da * dn[0] + db * dn[1]
    odd, even = (a, da, (dn[0] - da * stretch) / size), (-b, -db, -(dn[1] - db * stretch) / size)
    R = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
    w = alpha = v = acceleration = (0.0, 0.0, 0.0)
    M = dM = dV = 0
    for (axis, rod, sense), (angle, rate, second) in zip(BRICARD, (odd, even, odd, even, odd)):
        e = R[axis]
        alpha = along(along(alpha, e, second), cross(w, e), rate)
        w = along(w, e, rate)
        i, j = (axis + 1) % 3, (axis + 2) % 3
        x, z = R[i], R[j]
        R[i] = along(tuple(cos(angle) * k for k in x), z, sin(angle))
        R[j] = along(tuple(cos(angle) * k for k in z), x, -sin(angle))
        r = tuple(sense * k for k in R[rod])
        tip = cross(w, r)
        bend = along(cross(alpha, r), cross(w, tip), 1)
        middle = along(v, tip, 0.5)
        M += dot(middle, middle) + ACROSS * dot(w, w) - (ACROSS - ALONG) * dot(w, r) ** 2
        dM += dot(middle, along(acceleration, bend, 0.5)) + ACROSS * dot(w, alpha)
        dM -= (ACROSS - ALONG) * dot(w, r) * dot(alpha, r)
        dV += G * middle[1]
        v, acceleration = along(v, tip, 1), along(acceleration, bend, 1)
    return [s * da, s * db, -(dM * s**2 + dV) / M]


def slide(angle):
    """The slider's place where the crank stands at an angle."""
    return sqrt(0.3**2 - (0.1 - 0.08 * sin(angle)) ** 2 - (0.12 + 0.08 * cos(angle)) ** 2)


def slider_crank(state):
    """The spatial slider-crank: rates of the crank's angle and rate, by M(angle) as for the ring of Bricard.

    The rod's axes are u along it, d across it and across the rail, as the universal joint wants it, and n = u x d.
    """
    angle, rate = state
    s, c = 0.08 * sin(angle), 0.08 * cos(angle)
    (y, dy, ddy), (z, dz, ddz) = (0.1 - s, -c, s), (0.12 + c, -s, -c)
    x = slide(angle)
    dx = -(y * dy + z * dz) / x
    ddx = -(dx**2 + dy**2 + dz**2 + y * ddy + z * ddz) / x
    u, du, ddu = ((x / 0.3, -y / 0.3, -z / 0.3), (dx / 0.3, -dy / 0.3, -dz / 0.3), (ddx / 0.3, -ddy / 0.3, -ddz / 0.3))
    rho = hypot(y, z)
    turn = (y * dz - z * dy) / rho**2
    dturn = (y * ddz - z * ddy) / rho**2 - 2 * turn * (y * dy + z * dz) / rho**2
    d, m = (0, z / rho, -y / rho), (0, y / rho, z / rho)
    dd = tuple(turn * k for k in m)
    ddd = along(tuple(dturn * k for k in m), d, -(turn**2))
    n, dn = cross(u, d), along(cross(du, d), cross(u, dd), 1)
    w = (dot(dd, n), -dot(du, n), dot(du, d))
    dw = (dot(ddd, n) + dot(dd, dn), -dot(ddu, n) - dot(du, dn), dot(ddu, d) + dot(du, dd))
    M = 1e-4 + 0.12 * 0.04**2 + 2 * dx**2 + 0.5 * (dx**2 + dy**2 + dz**2) / 4
    dM = 2 * dx * ddx + 0.5 * (dx * ddx + dy * ddy + dz * ddz) / 4
    for inertia, k, dk in zip((4e-4, 4e-3, 4e-3), w, dw):
        M += inertia * k**2
        dM += inertia * k * dk
    dV = G * (0.12 * -s / 2 + 0.5 * dz / 2)
    return [rate, -(dM * rate**2 + dV) / M]


def governor(y):
    """A05: rates of (turn, angle of the rods, height of the slider over 0.5 m, the latter's rates); columns are states.

    The angular momentum about the shaft keeps the value that it has at the start.
    """

    def inertia(angle):
        """About the shaft, and its derivative."""
        s, c = np.sin(angle), np.cos(angle)
        rods = 0.0250025 * s**2 + 5e-6 * c**2 + 0.3 * (0.05 + s / 2) ** 2 + 5 * (0.05 + s) ** 2
        bend = 2 * s * c * (0.0250025 - 5e-6) + 0.3 * (0.05 + s / 2) * c + 10 * (0.05 + s) * c
        return 5e-6 + 0.005 + 2 * rods, 2 * bend

    _, angle, lift, rate, climb = y
    J, dJ = inertia(angle)
    turn = 2 * pi * inertia(pi / 3)[0] / J
    out, up = np.sin(angle) / 2, 0.5 - lift - np.cos(angle) / 2
    length = np.sqrt(out**2 + up**2)
    by_angle, by_lift = (out * np.cos(angle) + up * np.sin(angle)) / 2 / length, -up / length
    pull = 8e5 * (length - 0.5) + 4e4 * (by_angle * rate + by_lift * climb)
    swing = dJ * turn**2 / 2 - 2 * G * (0.15 + 5) * np.sin(angle) - 2 * pull * by_angle
    return np.array([turn, rate, climb, swing / 2 / (0.0250025 + 0.3 / 4 + 5), -G - 2 * pull * by_lift / 3])


class Problem:
    """A machine in files, its equations, and what the coordinates of those say of the machine's."""

    def __init__(self, name, folder, start, solve, reads, *, seconds=10.0, integrator="rk4", moves=None):
        self.model = folder / f"{name}.urdf"
        self.state = folder / (f"{name}_start.json" if folder == MACHINES else f"{name}.json")
        self.loops = [] if name == "a01" else ["--loops", folder / f"{name}_loops.json"]
        self.integrator = ["--integrator", integrator]
        self.start, self.solve, self.reads, self.seconds = start, solve, reads, seconds
        self.moves = moves or [[x + 1e-7 * (i == k) for i, x in enumerate(start)] for k in range(len(start))]
        self.times = [seconds * k / 10 for k in range(1, 11)]

    def at(self, y=None, refined=1):
        """The machine's coordinates at the times, from a start."""
        return [self.reads(state) for state in self.solve(self.start if y is None else y, self.times, refined)]

    @functools.cached_property
    def truth(self):
        """The coordinates at the times, and how far a solution with steps of half the length is from them."""
        rough, fine = self.at(), self.at(refined=2)
        return fine, distance(rough, fine)

    @functools.cached_property
    def growth(self):
        """By how much an error of the start has grown at most; a start is moved in each direction that is free."""
        return max(1.0, *(distance(self.at(moved), self.truth[0]) / 1e-7 for moved in self.moves))


def distance(some, others):
    return max(abs(a[name] - b[name]) for a, b in zip(some, others) for name in b)


def explicit(rates, longest):
    return lambda y, times, refined: extrapolated(rates, y, times, longest / refined)


def four_bars(n, angle, sign=-1):
    return {f"{kind}_{k:02}": turn * angle for kind, turn in (("a", sign), ("b", -sign)) for k in range(n + (kind == "a"))}


def pendulum(strength):
    return lambda y: [y[1], strength * sin(y[0])]


def andrews_start():
    """The start, and it moved as far as the loops let it: in the angles, then in their rates."""
    state = json.loads((MACHINES / "andrews_start.json").read_text(encoding="utf-8"))
    q = np.array([state["q"][name] for name in andrews.ANGLES])
    free = np.linalg.svd(andrews.constraints(q, np.zeros(7))[0])[2][-1]
    free, still = 1e-7 * free / np.abs(free).max(), np.zeros(7)
    return np.concatenate([q, still]), [np.concatenate([q + free, still]), np.concatenate([q, free])]


def problems():
    rest, moved = andrews_start()
    pins = lambda y: {f"pin_{k}": angle for k, angle in enumerate((y[0], -y[1], y[0], -y[1], y[0]), 1)}
    governed = lambda y: {"turn": y[0], "left": y[1], "right": y[1], "lift": y[2]}
    return {
        "a01": Problem("a01", MACHINES, [-pi / 2, 0], explicit(pendulum(-G), 0.05), lambda y: {"hinge": y[0]}),
        "a02": Problem("a02_2", MACHINES, [0, 1], explicit(pendulum(bars(2)), 0.02), lambda y: four_bars(2, y[0])),
        "a04": Problem(
            "a04", MACHINES, [0, 0, 0], explicit(bricard, 0.05), pins,
            moves=[[1e-7, bricard_angle(1e-7), 0], [0, 0, 1e-7]],
        ),
        "a05": Problem(
            "a05", MACHINES, [0, pi / 3, 0, 0, 0],
            lambda y, times, refined: radau(governor, y, times, 0.005 / refined), governed, integrator="radau",
        ),
        "slider_crank": Problem(
            "slider_crank", MACHINES, [0, 6], explicit(slider_crank, 0.005),
            lambda y: {"crank_pin": y[0], "slide": slide(y[0])}, seconds=5.0,
        ),
        "andrews": Problem(
            "andrews", MACHINES, rest, explicit(andrews.rates, 0.03 / 100),
            lambda y: dict(zip(andrews.ANGLES, y)), seconds=0.03, moves=moved,
        ),
    }


# ---- the command line ----------------------------------------------------------------------------------------------


class Run:
    """What the command line answered: `code`, `said`, `end` and for each row `rows`, (t, {joint: coordinate})."""

    def __init__(self, problem, *options, seconds=None, state=None):
        command = ["simulate", "--model", problem.model, "--state", "-" if state else problem.state, *problem.loops]
        command = [str(word) for word in (*command, "--duration", seconds or problem.seconds, *options)]
        given = json.dumps(state) if state else ""
        done = subprocess.run([PROGRAM, *command], input=given, capture_output=True, text=True, check=False)
        self.command = " ".join(command) + (f" < {given}" if given else "")
        self.code, self.said = done.returncode, done.stderr.strip()
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.end = lines[-1].get("end", {}) if lines else {}
        self.rows = []
        for line in lines[1:]:
            if "state" in line:
                # A floating joint, which comes first, has seven coordinates, of which the last one is kept.
                q = line["state"]["q"]
                self.rows.append((line["t"], dict(zip(lines[0]["joints"], q[len(q) - len(lines[0]["joints"]) :]))))

    def error(self, truth, times):
        """How far it is from the truth at most, or infinite if it did not get to the end."""
        rows = self.rows[1:]
        if self.code or len(rows) != len(times) or any(abs(t - time) > 1e-9 for (t, _), time in zip(rows, times)):
            return math.inf
        return distance([row for _, row in rows], truth)


class Tally:
    def __init__(self, jobs):
        self.pool, self.failed, self.all = concurrent.futures.ThreadPoolExecutor(jobs), 0, 0

    def note(self, what, figure, bar, told=""):
        self.all += 1
        self.failed += not figure <= bar
        print(f"{'passed' if figure <= bar else 'FAILED'} {what}: {figure:.3g}, bar {bar:.3g}{told and '; '}{told}", flush=True)

    def errors(self, problem, choices):
        """(options, error, refusal) of a problem with each choice of options."""
        runs = self.pool.map(lambda options: Run(problem, *problem.integrator, *options), choices)
        for options, run in zip(choices, runs):
            yield options, run.error(problem.truth[0], problem.times), run.said.splitlines()[-1] if run.code else ""


def fixed(problem, step):
    return ("--step", step, "--every", round(problem.seconds / 10 / step))


# ---- the checks ----------------------------------------------------------------------------------------------------


def check_a01(tally, problem):
    exact = [{"hinge": swinging(t)} for t in problem.times]
    tally.note("a01, the reference against elliptic functions", distance(problem.truth[0], exact), 1e-12)
    choices = [fixed(problem, 1e-3), ("--tolerance", 1e-12, "--step", 1.0)]
    for bar, (options, error, told) in zip((1e-10, 1e-11), tally.errors(problem, choices)):
        tally.note(f"a01, {' '.join(map(str, options[:2]))}", error, bar, told)


def check_a02(tally, problem):
    exact = [circling(2, t) for t in problem.times]
    bars_at = [four_bars(2, angle) for angle in exact]
    tally.note("a02, the reference against elliptic functions", distance(problem.truth[0], bars_at), 1e-11)
    steps = [4e-3, 2.5e-3, 2e-3, 1.6e-3, 1.25e-3, 1e-3, 8e-4, 5e-4, 4e-4, 2.5e-4, 2e-4, 1e-4, 5e-5]
    for options, error, told in tally.errors(problem, [fixed(problem, step) for step in steps]):
        reduced = runge_kutta(pendulum(bars(2)), [0.0, 1.0], problem.times, options[1])
        own = max(abs(y[0] - angle) for y, angle in zip(reduced, exact))
        tally.note(f"a02, step {options[1]} s", error, max(10 * own, 1e-9), told or f"the reduced pendulum's {own:.3g}")
    many = Problem("a02_40", BENCHMARKS, [0, 1], None, None)
    if not many.model.exists():
        print(f"SKIPPED a02, 40 loops: there is no {many.model}")
        return
    before = os.times()
    run = Run(many, *fixed(many, 2.5e-3))
    took = os.times().children_user - before.children_user
    tally.note("a02, 40 loops, step 0.0025 s, seconds of a processor", took, 60)
    truth = [four_bars(40, circling(40, t)) for t in many.times]
    tally.note("a02, 40 loops, step 0.0025 s", run.error(truth, many.times), 1e-7, run.said if run.code else "")


def check_a04(tally, problem):
    tally.note("a04, the reference against itself refined", problem.truth[1], 1e-12)
    decade = (1, 1.25, 1.6, 2, 2.5, 3.125, 4, 5, 6.25, 8)
    steps = [unit * k for unit in (1e-4, 1e-3) for k in decade]
    steps += [1e-2 * k for k in (1, 1.25, 1.5625, 2, 2.5, 3.125, 4, 5)]
    own = math.inf
    for options, error, told in tally.errors(problem, [fixed(problem, step) for step in sorted(steps, reverse=True)]):
        # Once ten times the reduced model's error is below 1e-11, it is at all shorter steps.
        below = own <= 1e-12
        if not below:
            reduced = runge_kutta(bricard, problem.start, problem.times, options[1])
            own = distance([problem.reads(y) for y in reduced], problem.truth[0])
        told = told or f"the reduced model's {'at most ' * below}{own:.3g}"
        tally.note(f"a04, step {options[1]:.6g} s", error, max(10 * own, 1e-11), told)


def check_slider_crank(tally, problem):
    largest = max(abs(row["crank_pin"]) for row in problem.truth[0])
    tally.note("slider_crank, the reference against itself refined, relative", problem.truth[1] / largest, 1e-11)
    for options, error, told in tally.errors(problem, [fixed(problem, 2e-4), ("--tolerance", 1e-11, "--step", 0.5)]):
        tally.note(f"slider_crank, {' '.join(map(str, options[:2]))}, relative", error / largest, 1e-9, told)


def check_a05(tally, problem):
    tally.note("a05, the reference against itself refined", problem.truth[1], 1e-10)
    for options, error, told in tally.errors(problem, [fixed(problem, 5e-3)]):
        tally.note(f"a05, radau, step {options[1]} s", error, 1e-9, told)


def check_andrews(tally, problem):
    largest = problem.truth[0][-1]["beta"]
    tally.note("andrews, the reference against itself refined, relative", problem.truth[1] / largest, 1e-12)
    for options, error, told in tally.errors(problem, [("--tolerance", 1e-12, "--step", 0.003)]):
        tally.note("andrews, tolerance 1e-12, relative to the largest angle", error / largest, 1e-12, told)


def check_adaptive(tally, *every):
    tolerances = [10.0**-k for k in range(4, 13)]
    for problem in every:
        choices = [("--tolerance", tolerance, "--step", problem.seconds / 10) for tolerance in tolerances]
        for options, error, told in tally.errors(problem, choices):
            bar = 10 * options[1] * problem.growth
            told = told or f"growth {problem.growth:.3g}, reference {problem.truth[1]:.1g}"
            tally.note(f"adaptive, {problem.model.stem}, tolerance {options[1]:.0e}", error, bar, told)


def drawn_state(draw, name):
    """Anywhere in the motion of a machine whose states are known in closed form; of others, the start."""
    gravity = [0, -G, 0]
    if name == "a01":
        return {"q": [draw.uniform(-pi, pi)], "qd": [draw.uniform(-5, 5)], "gravity": gravity}
    if name == "a02":
        angle = draw.choice([draw.uniform(0, 2 * pi), pi / 2, 3 * pi / 2, 0])
        rate = sqrt(1 + 4 * bars(2) * sin(angle / 2) ** 2)
        return {"q": four_bars(2, angle), "qd": four_bars(2, rate), "gravity": gravity}
    if name == "a04":
        a, speed = draw.uniform(-0.5, 1.4), draw.uniform(-3, 3)
        b = bricard_angle(a)
        da, db = speed * cos(b) * (1 + sin(a)), speed * cos(a) * (1 - sin(b))
        return {"q": [a, -b, a, -b, a], "qd": [da, -db, da, -db, da], "gravity": gravity}
    return None


def drawn(draw, problem, name):
    """The options, the duration and the start of a run, of at most 500 steps and the tenth part of the problem."""
    integrator = draw.choice(["rk4", "rk4", "radau", "variational"])
    options = ["--integrator", integrator]
    if integrator != "variational" and problem.loops:
        options += ["--stabilisation", draw.choice(["none", "baumgarte", "rates", "project"])]
    step = problem.seconds * exp(draw.uniform(log(5e-6), log(5e-3)))
    seconds = min(step * draw.randint(1, 500), draw.uniform(0.01, 0.1) * problem.seconds)
    options += ["--step", f"{step:.4g}"]
    if integrator != "variational" and "baumgarte" not in options and draw.random() < 0.25:
        options += ["--tolerance", f"{exp(draw.uniform(log(1e-10), log(1e-3))):.2g}"]
    return options, seconds, drawn_state(draw, name)


def check_drawn(tally, machines):
    """400 runs of a fixed seed."""
    draw, runs = random.Random(19), []
    for _ in range(400):
        name = draw.choice(sorted(machines))
        runs.append((machines[name], *drawn(draw, machines[name], name)))
    good, worst, mute = 0, [], []
    for run in tally.pool.map(lambda one: Run(one[0], *one[1], seconds=one[2], state=one[3]), runs):
        if run.code == 0:
            good += 1
            worst.append((abs(run.end.get("imbalance", math.inf)) / max(run.end.get("bound", 0), 1e-300), run.command))
        elif not (re.search(r"t = [\d.e+-]+ s", run.said) and run.end.get("how") == "failed" and run.end.get("reason")):
            mute.append(f"  {run.said or 'nothing'}: {run.command}")
    beyond = sorted((one for one in worst if not one[0] <= 1), reverse=True)
    parts = np.quantile([ratio for ratio, _ in worst], (0.25, 0.5, 0.75, 0.95))
    told = f"{good} of {len(runs)} end well; a quarter, half, three quarters and 95 % of them are below "
    told += ", ".join(f"{part:.2g}" for part in parts)
    tally.note("drawn, the worst imbalance of a run that ends well, over its bound", max(worst)[0], 1, told)
    tally.note("drawn, refusals without a time or a reason", len(mute), 0, f"{len(runs) - good} refusals")
    print(*[f"  {ratio:.3g} times its bound: {command}" for ratio, command in beyond[:10]], *mute, sep="\n", flush=True)


def main():
    checks = ["a02", "a04", "slider_crank", "drawn", "a05", "a01", "andrews", "adaptive"]
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=", ".join(checks))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    unknown = [name for name in arguments.checks if name not in checks]
    if unknown:
        parser.error(f"there is no check '{unknown[0]}'; the checks are {', '.join(checks)}")
    global PROGRAM
    PROGRAM = arguments.program
    machines, tally = problems(), Tally(arguments.jobs)
    for name in arguments.checks or checks:
        if name == "drawn":
            check_drawn(tally, machines)
        elif name == "adaptive":
            check_adaptive(tally, *machines.values())
        else:
            globals()[f"check_{name}"](tally, machines[name])
    print(f"{tally.failed} tests failed out of {tally.all}")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
