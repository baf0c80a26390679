#!/usr/bin/env python3
"""Proves every identity on robots that nobody chose for it: all shared ones, chains, degenerate and aligned ones.

usage: robots.py VERIFY [--long-chains] [--trees FIRST-LAST] [--states N] [--seeds FIRST-LAST] [--jobs N] [--passed FILE]

VERIFY is the program articulate-verify, which measures kappa where a comparison does not hold with kappa = 1, the
strictest tolerance that there is. The shared robots are in the folder ARTICULATE_ROBOTS. Chains of 40 links and more
are left to --long-chains, which tries nothing else. Nor does --trees: it tries the random trees of these numbers, with
joints of all kinds, every other one on a free base. --seeds are those of the states. Prints each run that does not pass
with what the program says, then a count, and ends with 1 if there was one. FILE remembers what passed, so that hours can
be interrupted: the same run of the same program on the same robot is not made twice.
"""
import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

CHAINS = [10, 20]
LONG_CHAINS = [40, 60, 80, 100]

# Links as URDF has them: mass, principal moments, where the mass is.
BODIES = {
    "points": (1.5, (0, 0, 0), "0.1 -0.2 0.3"),
    "rods": (1.5, (0.02, 0.02, 0), "0 0 0.25"),
    "plates": (1.5, (0.02, 0.03, 0.05), "0.1 0.2 0"),
}
AXES = ["0 0 1", "1 0 0", "0 1 0", "0 0.6 0.8", "1 0 0", "0 1 0"]


def degenerate(kind, away):
    """An arm of six links of a kind, its base some metres from the world's origin."""
    mass, (x, y, z), center = BODIES[kind]
    inertial = (
        f'<inertial><origin xyz="{center}"/><mass value="{mass}"/>'
        f'<inertia ixx="{x}" ixy="0" ixz="0" iyy="{y}" iyz="0" izz="{z}"/></inertial>'
    )
    # The last link has moments in any case: a point at the end of an arm could turn without moving any mass.
    whole = inertial.replace('ixx="0"', 'ixx="0.01"').replace('iyy="0"', 'iyy="0.01"').replace('izz="0"', 'izz="0.01"')
    parts = [f'<link name="world"/><link name="link0">{inertial}</link>']
    parts.append(
        f'<joint name="mount" type="fixed"><origin xyz="{away} {-away} 0"/><parent link="world"/><child link="link0"/></joint>'
    )
    for k, axis in enumerate(AXES, 1):
        parts.append(f'<link name="link{k}">{whole if k == len(AXES) else inertial}</link>')
        parts.append(
            f'<joint name="joint{k}" type="continuous"><origin xyz="0.1 0 0.4" rpy="0.3 -0.2 {0.1 * k}"/>'
            f'<parent link="link{k - 1}"/><child link="link{k}"/><axis xyz="{axis}"/></joint>'
        )
    return f'<robot name="{kind}">{"".join(parts)}</robot>'


# What the links of fingers weigh (kg), the last of them apart; none of them has moments.
FINGERS = {"hand of points": (0.02, 0.02), "hand with light tips": (0, 0.01)}


def hand(kind):
    """A wrist and four fingers of three links, as hands are published whose makers had no inertias of them."""
    mass, at_tip = FINGERS[kind]
    parts = ['<link name="world"/>']
    whole = '<inertial><origin xyz="0.01 0 0.05"/><mass value="{}"/>{}</inertial>'
    moments = '<inertia ixx="0.003" ixy="0.0001" ixz="0" iyy="0.002" iyz="0.0002" izz="0.0025"/>'
    none = '<inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>'

    def add(name, parent, origin, axis, inertial):
        parts.append(f'<link name="{name}">{inertial}</link>')
        parts.append(
            f'<joint name="to_{name}" type="continuous"><origin xyz="{origin}" rpy="0.1 -0.2 0.3"/>'
            f'<parent link="{parent}"/><child link="{name}"/><axis xyz="{axis}"/></joint>'
        )

    add("wrist", "world", "0 0 0.5", "0 0 1", whole.format(1.2, moments))
    add("palm", "wrist", "0 0 0.1", "1 0 0", whole.format(0.6, moments))
    for finger in range(4):
        parent = "palm"
        for k, axis in enumerate(["1 0 0", "0 1 0", "0 1 0"]):
            weight = at_tip if k == 2 else mass
            name = f"finger{finger}_{k}"
            add(name, parent, f"{0.02 * finger} 0 0.04", axis, whole.format(weight, none) if weight else "")
            parent = name
    return f'<robot name="{kind.replace(" ", "_")}">{"".join(parts)}</robot>'


# Machines whose axes line up, as those of workshops do: much that others feel vanishes in them. (type, axis) of each joint
ALIGNED = {
    "gantry": [("prismatic", "1 0 0"), ("prismatic", "0 1 0"), ("prismatic", "0 0 1")],
    "scara": [("continuous", "0 0 1"), ("continuous", "0 0 1"), ("prismatic", "0 0 1"), ("continuous", "0 0 1")],
    "cylindrical": [("continuous", "0 0 1"), ("prismatic", "0 0 1"), ("prismatic", "1 0 0")],
}


def aligned(kind):
    """A machine of a kind, mounted askew."""
    parts = ['<link name="link0"/>']
    for k, (joint, axis) in enumerate(ALIGNED[kind], 1):
        askew = ' rpy="0.3 -0.4 0.7"' if k == 1 else ""
        parts.append(
            f'<link name="link{k}"><inertial><origin xyz="0.0{k} -0.02 0.07" rpy="0.1 0.2 0.{k}"/><mass value="1.{k}"/>'
            '<inertia ixx="0.02" ixy="0.001" ixz="-0.002" iyy="0.03" iyz="0.0015" izz="0.025"/></inertial></link>'
            f'<joint name="joint{k}" type="{joint}"><parent link="link{k - 1}"/><child link="link{k}"/>'
            f'<origin xyz="0.3 0.1 0.2"{askew}/><axis xyz="{axis}"/>'
            '<limit lower="-2" upper="2" effort="10" velocity="10"/></joint>'
        )
    return f'<robot name="{kind}">{"".join(parts)}</robot>'


def chains(lengths, states):
    """(what it is called, the options of verify)"""
    return [(f"chain of {n}", [f"planar_arm:{n}", "--states", str(states)]) for n in lengths]


def trees(numbers, states):
    """The same of random trees, of which those with even numbers have a free base."""
    base = {0: ["--floating-base"], 1: []}
    return [
        (f"tree {n}{' on a free base' if base[n % 2] else ''}", [f"random:{n}", "--states", str(states), *base[n % 2]])
        for n in numbers
    ]


def robots(folder, states):
    """The same of all but long chains; files are written to the folder."""
    shared = pathlib.Path(os.environ.get("ARTICULATE_ROBOTS", "nowhere"))
    files = sorted(shared.glob("*.urdf"))
    if not files:
        print(f"SKIPPED the shared robots: there are none in {shared}")
    models = chains(CHAINS, states)
    for kind in BODIES:
        for away in (0, 1000):
            path = folder / f"{kind}_{away}.urdf"
            path.write_text(degenerate(kind, away), encoding="utf-8")
            models.append((f"{kind}, {away} m away", [str(path), "--states", str(states)]))
    for kind in FINGERS:
        path = folder / f"{kind.replace(' ', '_')}.urdf"
        path.write_text(hand(kind), encoding="utf-8")
        models.append((kind, [str(path), "--states", str(states)]))
    for kind in ALIGNED:
        path = folder / f"{kind}.urdf"
        path.write_text(aligned(kind), encoding="utf-8")
        models.append((kind, [str(path), "--states", str(states)]))
    for path in files:
        models.append((path.stem, [str(path), "--states", str(states)]))
        # What is a fixed base may have moments that belong to no body.
        free = [str(path), "--states", str(states), "--floating-base", "--accept-unphysical"]
        models.append((f"{path.stem} on a free base", free))
    return models


def mark_of(program, options):
    """A name for a run of the program: the same for the same program, robot and options, wherever the robot's file is."""
    model = pathlib.Path(options[0])
    robot = model.read_bytes() if model.exists() else options[0].encode()
    return hashlib.sha256(b"\0".join([program, robot, *(option.encode() for option in options[1:])])).hexdigest()


def numbers_from(words):
    """All numbers from the first to the last: 1-20; one number stands for itself."""
    first, _, last = words.partition("-")
    return range(int(first), int(last or first) + 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("verify")
    parser.add_argument("--long-chains", action="store_true")
    parser.add_argument("--trees", type=numbers_from)
    parser.add_argument("--states", type=int, default=10)
    parser.add_argument("--seeds", type=numbers_from, default="1-20")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--passed", type=pathlib.Path)
    arguments = parser.parse_args()

    program = pathlib.Path(arguments.verify).read_bytes()
    passed = arguments.passed or pathlib.Path(os.devnull)
    before = set(passed.read_text(encoding="utf-8").split()) if passed.exists() else set()

    def tried(run):
        name, options = run
        mark = mark_of(program, options)
        if mark in before:
            return name, 0, []
        command = [arguments.verify, "verify", "--quick", "--model", *options]
        said = subprocess.run(command, capture_output=True, text=True)
        if said.returncode == 0:
            with open(passed, "a", encoding="utf-8") as file:
                file.write(f"{mark}\n")
        return name, said.returncode, (said.stdout + said.stderr).strip().splitlines()

    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        states = arguments.states
        if arguments.trees:
            models = trees(arguments.trees, states)
        else:
            models = chains(LONG_CHAINS, states) if arguments.long_chains else robots(pathlib.Path(folder), states)
        seeds = arguments.seeds
        every = [(f"{name}, seed {seed}", [*model, "--seed", str(seed)]) for seed in seeds for name, model in models]
        failed = 0
        for name, code, lines in pool.map(tried, every):
            if code:
                failed += 1
                told = [line for line in lines if line.startswith("FAILED")] or lines[-1:]
                print(name, *told, sep="\n  ", flush=True)
    print(f"{failed} tests failed out of {len(every)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
