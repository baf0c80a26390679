#!/usr/bin/env python3
"""Breaks the steps in time, one break after the other, and asks the account of the energy whether it notices.

usage: sabotages.py BUILD [--jobs N] [NUMBER...]

BUILD is a build folder in which articulate-cli is built by ninja. The headers of motion are copied with all breaks in
them, of which the number in the variable SABOTAGE chooses one, and the simulation is compiled once more against these.
A break is caught if one of the runs below ends with an error; unbroken, all of them must end well. Models of the
benchmarks are needed, see motions.py. Prints what the account said of each, then a count; ends with 1 if one was missed.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from math import pi
from pathlib import Path

from motions import BENCHMARKS, MACHINES, ROOT, four_bars

SOURCE = ROOT / "src"

# (what is broken, header of motion, statement, what stands there instead; or the whole, with {broken} for the choice)
SABOTAGES = [
    # Runge and Kutta's steps
    ("a stage's acceleration is dropped", "runge_kutta", "sum_qd_ += weight[s] * a_;", "if (s != 2) sum_qd_ += weight[s] * a_;"),
    ("a stage's rates are dropped", "runge_kutta", "sum_theta_ += weight[s] * w_;", "if (s != 1) sum_theta_ += weight[s] * w_;"),
    ("the rates of a stage are those of the start", "runge_kutta", "rates_ = qd + stage[s] * a_;", "rates_ = qd;"),
    ("the places of the stages are those of the start", "runge_kutta", "theta_ = stage[s] * w_;", "theta_.setZero();"),
    ("the slope of a stage is the one before", "runge_kutta", "a_ = qdd(moved_, rates_, t + stage[s]);",
     "if (s != 3) a_ = qdd(moved_, rates_, t + stage[s]);"),
    ("dexp inverse is forgotten", "runge_kutta", "pull_back_rates(model_, theta_, w_);", ";"),
    ("the end is not projected", "runge_kutta", "    settle(moved_, rates_);\n    q = moved_;", "q = moved_;"),
    # Loops
    ("what the loops do by turning is forgotten", "closed_motion", "asked_ = loops_.Adot_qd;", "asked_.setZero();"),
    ("rates are not projected", "closed_motion", "qd += change_;", ";"),
    ("rates are projected halfway", "closed_motion", "    if (!run_here(q, none_, none_, {})) return false;\n    remove_opening(qd);",
     "if (!run_here(q, none_, none_, {})) return false; respond(loops_.A * qd); qd += change_ / Scalar(2);"),
    ("a rank is forced that is too low", "closed_motion", "  held_ = rank;\n  system_.hold_rank(rank);",
     "held_ = rank - 1; system_.hold_rank(rank - 1);"),
    ("the rank of the singular position is held", "closed_motion", "rank = std::max(rank, system_.rank());", ";"),
    # Implicit steps
    ("a stage of an implicit step is dropped", "radau", "theta = w_ * hA.transpose() - theta_;",
     "theta = w_ * hA.transpose() - theta_; theta.col(2) -= hA(2, 1) * w_.col(1);"),
    ("a weight of an implicit step is wrong by a hundredth", "radau", "gain = a_ * hA.transpose() - gain_;",
     "gain = Scalar(1.01) * a_ * hA.transpose() - gain_;"),
    ("Newton's method stops after one correction", "radau", "if (correction == 50) refuse(h);", "break;"),
    ("dexp inverse is forgotten in an implicit step", "radau", "pull_back_rates(model_, theta, w);", ";"),
    # Variational steps
    ("the force at the start of a variational step is dropped", "variational",
     "excess_ = momentum_ + half * (start_.force + tau0(start_, q)) - carried_;", "excess_ = momentum_ - carried_;"),
    ("the force at its end is dropped", "variational", "momentum_ = mean_ + half * (end_.force + tau1(end_, next_));", "momentum_ = mean_;"),
    ("momenta are not carried", "variational", "      pull_back_momenta(model(), way_, carried_);", ";"),
    ("the momentum of a variational step is that of its start", "variational",
     "mean_ = (start_.momentum + end_.momentum) / Scalar(2) + armature_.cwiseProduct(xi_);", "mean_ = start_.momentum + armature_.cwiseProduct(xi_);"),
    ("the loops of a variational step stay as open as they are", "variational", "open_ = loops_.violation / h;", "open_.setZero();"),
    # Steps that find their length
    ("the gain of a step is wrong by a thousandth", "dormand_prince", "gain_ = rates_ - qd;", "gain_ = Scalar(1.001) * (rates_ - qd);"),
    ("the end of a step is not the last stage", "dormand_prince", "way_ = displacement(model_, q, moved_);", "way_ = h * w_[5];"),
    # Impacts
    ("an impulse moves nine tenths of what it should", "impulse", "qd += W.col(rows[k]) * impulse(k);",
     "qd += Scalar(0.9) * W.col(rows[k]) * impulse(k);"),
    ("an impact takes no energy", "impulse", "lost -= impulse(k) * (u(rows[k]) + after(rows[k])) / Scalar(2);", ";"),
    ("its impulse works along the rates before", "impulse", "const VectorX<Scalar> after = J * qd;",
     "const VectorX<Scalar> after = {broken} ? u : VectorX<Scalar>(J * qd);"),
    ("a rebound is faster than what came", "impulse", "target(i) = -e(i) * u(i);", "target(i) = -(Scalar(1) + e(i)) * u(i);"),
    ("a stop feels one kilogram", "stopped_motion", "W.col(k) = closed_.answer(q, VectorX<Scalar>(stops_.J.row(rows[k]).transpose()));",
     "W.col(k) = stops_.J.row(rows[k]).transpose();"),
    ("the rates of an impact are not those that go on", "stopped_motion", "    qd = impact.qd;", "qd = impact.qd / Scalar(2);"),
    ("what an impact took is told twice", "stopped_motion", "    lost = impact.lost;", "lost = Scalar(2) * impact.lost;"),
]  # fmt: skip

STOPPED = """<robot name="flail">
  <link name="post"/>
  <link name="arm"><inertial><origin xyz="0.4 0.1 0"/><mass value="2"/>
    <inertia ixx="0.02" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="club"><inertial><origin xyz="0.3 0 0.1"/><mass value="1.5"/>
    <inertia ixx="0.02" iyy="0.06" izz="0.06" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="post"/><child link="arm"/><axis xyz="0 0 1"/>
    <limit lower="-1.2" upper="1.2" effort="1" velocity="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="arm"/><child link="club"/><origin xyz="0.8 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-0.7" upper="0.7" effort="1" velocity="1"/></joint>
</robot>"""


def runs(folder):
    """The words of each run, and its state where that is no file."""
    (folder / "flail.urdf").write_text(STOPPED)
    drone = {"base": {"position": [0.1, 0.2, 0.3], "quaternion_xyzw": [0.1, -0.5, 0.7, 0.5]}, "q": [0.3, -0.4, 0.5, 0.2],
             "qd": [2.1, -1.3, 3.2, 0.6, -0.4, 1.5, 0.7, -0.9, 0.4, 1.1], "gravity": [0, 0, -9.81]}  # fmt: skip
    line = {"q": four_bars(2, pi / 2), "qd": four_bars(2, 4), "gravity": [0, -9.81, 0]}
    swing = {"q": [0.5, 0.2], "qd": [1.0, 2.0], "gravity": [0, -9.81, 0]}

    def machine(name, where, *options, state=None):
        start = where / (f"{name}_start.json" if where == MACHINES else f"{name}.json")
        loops = where / f"{name}_loops.json"
        return (["--model", where / f"{name}.urdf", "--loops", loops, "--state", "-" if state else start, *options], state)

    rk4, radau, variational = (("--integrator", name) for name in ("rk4", "radau", "variational"))
    body = ["--model", "drone_arm", "--state", "-"]
    slider, bricard = ("slider_crank", BENCHMARKS), ("a04", BENCHMARKS)
    return [
        ([*body, *rk4, "--step", 0.01, "--duration", 0.8], drone),
        ([*body, *radau, "--step", 0.02, "--duration", 1.6], drone),
        ([*body, *variational, "--step", 0.002, "--duration", 0.2], drone),
        ([*body, "--tolerance", 1e-6, "--step", 0.1, "--duration", 1], drone),
        machine(*slider, *rk4, "--step", 0.002, "--duration", 0.4),
        machine(*slider, *rk4, "--step", 0.002, "--duration", 0.4, "--stabilisation", "rates"),
        machine(*slider, *radau, "--step", 0.004, "--duration", 0.4),
        machine(*slider, *variational, "--step", 0.001, "--duration", 0.2),
        machine(*slider, "--tolerance", 1e-7, "--step", 0.1, "--duration", 1),
        machine(*bricard, *rk4, "--step", 0.02, "--duration", 2),
        machine(*bricard, *variational, "--step", 0.005, "--duration", 0.5),
        machine("a02_2", BENCHMARKS, *rk4, "--step", 0.01, "--duration", 2, state=line),
        machine("a02_2", BENCHMARKS, "--tolerance", 1e-7, "--step", 0.1, "--duration", 2),
        machine("a05", MACHINES, *radau, "--step", 0.005, "--duration", 0.3),
        machine("a05", MACHINES, *rk4, "--step", 1e-4, "--duration", 0.02),
        (["--model", folder / "flail.urdf", "--state", "-", "--tolerance", 1e-8, "--step", 0.1, "--duration", 3, "--stops", 0.5], swing),
    ]  # fmt: skip


def compiled(build, folder):
    """The command line with all breaks in it."""
    texts = {}
    for number, (what, header, there, instead) in enumerate(SABOTAGES, 1):
        file = f"articulate/motion/{header}.hpp"
        text = texts.setdefault(file, (SOURCE / file).read_text(encoding="utf-8"))
        if text.count(there) != 1:
            sys.exit(f"sabotages: '{there}' stands {text.count(there)} times in {file}, where '{what}' needs it once")
        broken = f"(sabotage == {number})"
        chosen = instead.replace("{broken}", broken) if "{broken}" in instead else f"if {broken} {{ {instead} }} else {{ {there} }}"
        texts[file] = text.replace(there, chosen)
    chooser = folder / "include" / "articulate" / "motion" / "sabotage.hpp"
    chooser.parent.mkdir(parents=True)
    chooser.write_text('#pragma once\n#include <cstdlib>\nnamespace articulate {\n'
                       'inline const int sabotage = std::getenv("SABOTAGE") ? std::atoi(std::getenv("SABOTAGE")) : 0;\n}\n')  # fmt: skip
    for file, text in texts.items():
        included = text.replace("#pragma once\n", f'#pragma once\n#include "{chooser}"\n', 1)
        (folder / "include" / file).write_text(included, encoding="utf-8")
    commands = subprocess.run(["ninja", "-C", build, "-t", "commands", "articulate-cli"], check=True, capture_output=True, text=True).stdout
    (compile_it,) = [line for line in commands.splitlines() if line.endswith("simulation/simulation.cpp")]
    (link,) = [line for line in commands.splitlines() if "-o bin/articulate-cli" in line]
    words, program, thing = shlex.split(compile_it), folder / "articulate-cli", folder / "simulation.o"
    words[words.index("-o") + 1], words[words.index("-MF") + 1] = str(thing), str(folder / "simulation.d")
    subprocess.run([words[0], f"-I{folder / 'include'}", *words[1:]], cwd=build, check=True)
    words = [word for word in shlex.split(link) if word not in (":", "&&")]
    words[words.index("-o") + 1] = str(program)
    at = next(k for k, word in enumerate(words) if word.endswith(".o"))  # of templates the linker takes the first
    subprocess.run([*words[:at], str(thing), *words[at:]], cwd=build, check=True)
    return program


def said(program, number, run):
    """What ended the run, or nothing."""
    words, state = run
    command = [str(word) for word in (program, "simulate", *words)]
    done = subprocess.run(command, input=json.dumps(state) if state else "", env=os.environ | {"SABOTAGE": str(number)},
                          capture_output=True, text=True, check=False, timeout=300)  # fmt: skip
    if done.returncode == 0:
        return None
    ends = [json.loads(line).get("end", {}) for line in done.stdout.splitlines()[-1:]]
    if not (ends and ends[0].get("reason")):
        raise RuntimeError(f"a run does not begin: {done.stderr.strip()}")
    return f"t = {ends[0]['t']:.3g} s: {ends[0]['reason']}"


def caught(program, number, all_runs):
    for run in all_runs:
        reason = said(program, number, run)
        if reason:
            return run, reason
    return None, None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("numbers", nargs="*", type=int, metavar="NUMBER", help="of breaks; all, if none are given")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    if not (BENCHMARKS / "a04.urdf").exists():
        print(f"SKIPPED: there is no {BENCHMARKS / 'a04.urdf'}\n0 tests failed out of 0")
        return 0
    numbers = arguments.numbers or range(1, len(SABOTAGES) + 1)
    failed = 0
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        folder = Path(name)
        program, all_runs = compiled(arguments.build, folder), runs(folder)
        for run in all_runs:
            reason = said(program, 0, run)
            if reason:
                failed += 1
                print(f"FAILED unbroken: {reason}: {' '.join(map(str, run[0]))}", flush=True)
        for number, (run, reason) in zip(numbers, pool.map(lambda k: caught(program, k, all_runs), numbers)):
            failed += run is None
            word = "caught" if run else "MISSED"
            with_what = " ".join(re.sub(r"^.*/", "", str(x)) for x in run[0] if str(x) not in ("--state", "-")) if run else ""
            print(f"{word} {number}, {SABOTAGES[number - 1][0]}: {reason or 'all runs end well'} [{with_what}]", flush=True)
    print(f"{failed} tests failed out of {len(all_runs) + len(numbers)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
