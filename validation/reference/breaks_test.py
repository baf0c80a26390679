"""One line of an arithmetic, or of a formalism, is broken: no case may be generated.

usage: breaks_test.py BUILD [--jobs N]

BUILD holds articulate-reference. What holds the broken line is compiled beside it, and linked in place of what is right.
"""
import argparse
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TREES, LOOPS = ["lagrange_top", "six_joint_arm"], ["two_loops"]  # in space, where every term counts
TWO = "[](Number& z, const Number& x, const Number& y)"
# (what is broken, the file, what stands there, what then does, what is compiled, the cases that ask for it if not all do)
BREAKS = [
    ("Arb multiplies to 100 bits and says so to no one", "validation/reference/arb.cpp", "of_two<arb_mul>",
     TWO + " { arb_mul(at(z), at(x), at(y), 100); mag_zero(arb_radref(at(z))); }", "validation/reference/arb.cpp"),
    ("MPFI forgets the upper bound of a sum", "validation/reference/mpfi.cpp", "of_two<mpfi_add>",
     TWO + " { mpfi_add(at(z), at(x), at(y)); mpfr_set(&at(z)->right, &at(z)->left, MPFR_RNDN); }",
     "validation/reference/mpfi.cpp"),
    ("the library turns inertial forces round", "src/articulate/rnea/inverse_dynamics.hpp",
     "newton_euler(body.I, V[i], Vdot[i])", "newton_euler(body.I, -V[i], -Vdot[i])",
     "validation/reference/by_the_library.cpp"),
    ("the library turns a link the wrong way to differentiate its Jacobian",
     "src/articulate/derivatives/kinematic_hessian.hpp", "ad(against(frame, J[j]), J[k])",
     "-ad(against(frame, J[j]), J[k])", "validation/reference/derivatives_by_the_library.cpp"),
    ("the library forgets that a displaced momentum is another one",
     "src/articulate/derivatives/centroidal_derivatives.hpp", "I * x.c_q - coad(J, L_[i])", "I * x.c_q",
     "validation/reference/derivatives_by_the_library.cpp", TREES),
    ("the library holds the line along which the first link of a loop is pushed",
     "src/articulate/constrained/loops.hpp", "lambda(m) * (dW - coad(zeta, wrench(row, cut)))", "lambda(m) * dW",
     "validation/reference/derivatives_by_the_library.cpp", LOOPS),
    ("vector mechanics takes the impulse for a plastic one",
     "validation/reference/differences_by_vector_mechanics.cpp", "lacking = I(1 + impulse_restitution) * before",
     "lacking = before", "validation/reference/differences_by_vector_mechanics.cpp", LOOPS),
    ("vector mechanics forgets Euler's gyroscopic moment", "validation/witnesses/newton_euler.hpp",
     "body.inertia_times(alpha) + cross(w, body.inertia_times(w))", "body.inertia_times(alpha)",
     "validation/reference/by_vector_mechanics.cpp"),
    ("vector mechanics forgets that bodies on an arc accelerate", "validation/witnesses/newton_euler.hpp",
     "cross(alpha, arm) + cross(w, cross(w, arm))", "cross(alpha, arm)", "validation/reference/by_vector_mechanics.cpp"),
]  # fmt: skip


def run(*command):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)


def command_of(build, target):
    """How ninja makes a file, as one command of the shell."""
    return run("ninja", "-C", build, "-t", "commands", "-s", target).stdout.strip()


def cases_of(broken):
    return broken[5] if len(broken) > 5 else TREES + LOOPS


def survivors(build, broken):
    """The cases that are generated although a line is broken."""
    words, path, right, wrong, source = broken[:5]
    text = (ROOT / path).read_text(encoding="utf-8")
    assert text.count(right) == 1, f"{path} has '{right}' {text.count(right)} times"
    owner = "articulate-intervals" if Path(source).stem in ("arb", "mpfi") else "articulate-cases"
    object_file = f"validation/reference/CMakeFiles/{owner}.dir/{Path(source).name}.o"
    with tempfile.TemporaryDirectory() as folder:
        overlay, made = Path(folder) / "overlay", Path(folder) / "broken.o"
        place = overlay / Path(path).relative_to(Path(path).parts[0] if path.startswith("validation") else "src")
        place.parent.mkdir(parents=True)
        place.write_text(text.replace(right, wrong), encoding="utf-8")
        compiling = command_of(build, object_file)
        # The overlay comes first where headers are looked for; a source that is broken is compiled itself.
        compiling = re.sub(r" -MD -MT \S+ -MF \S+", "", compiling)
        compiling = compiling.replace(f"-o {object_file}", f"-o {made}").replace(" -I", f" -I{overlay} -I", 1)
        if source == path:
            compiling = compiling.replace(str(ROOT / source), str(place))
        done = subprocess.run(compiling, shell=True, cwd=build, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        program = "-o bin/articulate-reference"
        linking = command_of(build, "bin/articulate-reference").replace(program, f"{made} -o {folder}/program")
        done = subprocess.run(linking, shell=True, cwd=build, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        found = []
        for name in cases_of(broken):
            generated = run(f"{folder}/program", "generate", folder, "--case", name)
            print(f"{words}: {generated.stderr.strip()}", flush=True)
            if generated.returncode == 0:
                found.append(f"{words}, and {name} is generated")
        return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    with ThreadPoolExecutor(given.jobs) as pool:
        found = sum(pool.map(lambda broken: survivors(given.build.resolve(), broken), BREAKS), [])
    print(*found, f"{len(found)} tests failed out of {sum(len(cases_of(broken)) for broken in BREAKS)}", sep="\n")
    return 1 if found else 0


sys.exit(main())
