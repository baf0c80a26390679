"""Engines for the tests of `check`: one that answers by `compute`, and others that do what no engine should.

usage: engines.py KIND PROGRAM     where PROGRAM is the built command line
"""
import json
import os
import subprocess
import sys
import tempfile
import time

KIND, PROGRAM = sys.argv[1:3]
QUANTITIES = {"inverse_dynamics": lambda x: x["inverse_dynamics"]["tau"], "mass_matrix": lambda x: x["mass_matrix"],
              "kinetic_energy": lambda x: x["kinetic_energy"], "forward_dynamics": lambda x: x["forward_dynamics"]["qdd"]}
CLOSES = KIND in ("closing", "open")
if CLOSES:
    QUANTITIES |= {"closed_forward_dynamics": lambda x: x["constrained"]["forward_dynamics"]["qdd"],
                   "constraint_force": lambda x: constraint_force(x["constrained"])}
JACOBIANS = {"jacobians": "jacobian:", "one_jacobian": "jacobian:forearm_link"}
LISTED = {
    **dict.fromkeys(JACOBIANS, [*QUANTITIES, JACOBIANS.get(KIND)]),
    "typos": ["massmatrix", *QUANTITIES, "jacobian:nolink"],
    "nothing": ["massmatrix"],
}.get(KIND, list(QUANTITIES))
WRONG = sys.argv[3].split(",") if KIND in JACOBIANS else []  # the links whose Jacobians are multiplied by -7


def say(message):
    print(json.dumps(message), flush=True)


def constraint_force(closed):
    multipliers = closed["forward_dynamics"]["lambda"]
    return [sum(a * force for a, force in zip(column, multipliers)) for column in zip(*closed["A"])]


def start_computing(message):
    """A `compute` that answers line by line about the model of the message."""
    with tempfile.NamedTemporaryFile("w", suffix="." + message["format"]) as file, tempfile.NamedTemporaryFile("w") as loops:
        file.write(message["text"])
        file.flush()
        json.dump({"loops": message.get("loops", [])}, loops)
        loops.flush()
        closed = ["--loops", loops.name] if "loops" in message else []
        floating = ["--floating-base"] if message["floating_base"] else []
        mixed = ["--frame", "mixed"] if KIND in JACOBIANS else []
        process = subprocess.Popen(
            [PROGRAM, "compute", "--model", file.name, *floating, *closed, *mixed, "--accept-unphysical", "--state", "-"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        ask(process, {"q": [], "qd": []})  # it has read the file when it answers, be it with an error
    return process


def ask(process, state):
    process.stdin.write(json.dumps(state) + "\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def answers(process, message):
    results = ask(process, message["state"])
    return {name: jacobian(results, name) if ":" in name else QUANTITIES[name](results) for name in message["quantities"]}


def jacobian(results, name):
    link = name.partition(":")[2]
    return [[(-7 if link in WRONG else 1) * x for x in row] for row in results["jacobians"]["links"][link]]


def bomb():
    """At most 200 processes, for at most 10 s."""
    for _ in range(200):
        if os.fork() == 0:
            time.sleep(10)
            os._exit(0)


def misbehave(message, good):
    """What is said instead of a good answer, or done before it."""
    first = message["number"] == 0
    if KIND == "nan":
        good["inverse_dynamics"][1] = float("nan")
    elif KIND == "null":
        good["inverse_dynamics"][1] = None
    elif KIND == "short":
        good["mass_matrix"].pop()
    elif KIND == "missing":
        del good["mass_matrix"]
    elif KIND == "joint":
        good["inverse_dynamics"] = {"shoulder": 1.0}
    elif KIND == "number":
        message["number"] += 1
    elif KIND == "cannot" and first:
        good["mass_matrix"] = {"cannot": "no mass matrices on the first day"}
    elif KIND == "escapes":
        good["mass_matrix"] = {"cannot": "no\x1b[31m mass\nmatrices\x9b7m"}
    elif KIND == "blank":
        print(flush=True)
    elif KIND == "chatty":
        print("hello\x1b[31m, I am here", flush=True)
    elif KIND == "other":
        print('{"message": "hello"}', flush=True)
    elif KIND == "brackets":
        for _ in range(1000):
            sys.stdout.write("[" * 2**20)
    elif KIND == "deep":
        print("[" * 100000, flush=True)
    elif KIND == "open":
        good["closed_forward_dynamics"] = good["forward_dynamics"]
    elif KIND == "hang":
        time.sleep(10)
    elif KIND == "flood":
        end = time.time() + 10
        while time.time() < end:
            sys.stderr.write("x" * 2**16)
    elif KIND == "dies" and first:
        print("out of luck", file=sys.stderr)
        sys.exit(3)
    elif KIND == "crashes":
        os.kill(os.getpid(), 11)
    elif KIND == "forks":
        bomb()
        time.sleep(10)
    elif KIND == "orphan" and first:
        if os.fork() == 0:  # leaves the session, closes what it has, and its parent
            os.setsid()
            open(sys.argv[3], "w").write(str(os.getpid()))
            os.closerange(0, 100)
            time.sleep(10)
            os._exit(0)
    elif KIND == "memory":
        for _ in range(3):  # none of them has much
            if os.fork() == 0:
                held = bytearray(28 * 2**20)
                held[::4096] = b"x" * len(held[::4096])
                time.sleep(10)
                os._exit(0)
        time.sleep(10)


process = None
for line in sys.stdin:
    message = json.loads(line)
    if message["message"] == "start":
        if KIND == "silent":
            say({"message": "start"})
            continue
        say({"message": "start", "name": "compute", "version": "1", "quantities": LISTED,
             "formats": ["mjcf", "urdf"], **({"loops": True} if CLOSES else {})})
    elif message["message"] == "model":
        process = start_computing(message)
        say({"message": "model"})
    elif message["message"] == "state":
        good = answers(process, message)
        misbehave(message, good)
        say({"message": "answer", "number": message["number"], "answers": good})
    elif message["message"] == "stop":
        break
if process:
    process.stdin.close()
    process.wait()
