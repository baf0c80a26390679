#!/usr/bin/env python3
"""Break the library one line at a time and ask the proofs whether they notice.

    ./articulate mutate --sample 60 --seed 1

An identity counts for something only if some wrong line makes it fail. This script makes wrong lines: it lists every
place in the formulas of the chapters where a sign, a transpose, an inverse, a term, a component or a constant can be
wrong, draws some of them from a seed, and for each builds and runs the checkers of this folder, which
run the registry's identities in double. The drawn places are spread evenly over chapters and kinds.

Per broken line only what can notice is built: first the proofs of the line's own chapter, then the others until one
fails. A line that does not compile is not counted (stillborn) and the next takes its place. A line that no proof
notices has survived: it is listed, and the exit code is 1, unless equivalent.tsv shows why nothing can notice it.

With --matrix all breaks are compiled into one program, and every identity is asked alone: see matrix.py.

What can be broken, and what is left out, says places.py.

The checkout is never changed: the sources are copied to the build directory and broken there.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import time

import matrix
from places import CHAPTERS, KINDS, STEPS_IN_TIME, draw, mutants, shown_equivalent

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 120  # seconds for a checker that needs six at most

# Building and judging -------------------------------------------------------------------------------------------------

class Workshop:
    """A copy of the sources in which lines are broken and mended."""

    def __init__(self, directory, jobs):
        self.source, self.build, self.jobs = directory / "source", directory / "build", jobs
        shutil.rmtree(self.source, ignore_errors=True)
        for part in ("src", "validation", "chapters"):
            # New dates: what an interrupted run has compiled from a broken line must not count as up to date.
            shutil.copytree(ROOT / part, self.source / part, copy_function=shutil.copy)
        shutil.copy(ROOT / "CMakeLists.txt", self.source)
        configure = ["cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", "-DARTICULATE_MUTATION=ON",
                     "-DCMAKE_BUILD_TYPE="]
        if shutil.which("clang++"):  # compiles these sources in half the time that g++ needs
            configure.append("-DCMAKE_CXX_COMPILER=clang++")
        made = self.run(configure)
        if made.returncode != 0:
            sys.exit(made.stdout)

    @staticmethod
    def run(command, timeout=None):
        return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=timeout)

    def judge(self, chapters):
        """(verdict, what said so): the first chapter whose proofs fail, or that does not compile."""
        for chapter in chapters:
            made = self.run(["ninja", "-C", self.build, f"-j{self.jobs}", f"check-{chapter}"])
            if made.returncode != 0:
                return "stillborn", next((l for l in made.stdout.splitlines() if "error" in l), made.stdout)
            try:
                run = self.run([self.build / "bin" / f"check-{chapter}"], timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                return "killed", f"{chapter}: does not end"
            if run.returncode != 0:
                said = run.stdout.strip().splitlines() or [f"crashes ({run.returncode})"]
                return "killed", f"{chapter}: {said[-1]}"
        return "survived", ""

    def try_out(self, mutant):
        path = self.source / mutant.file
        sound = path.read_text()
        try:
            path.write_text(sound[:mutant.start] + mutant.text + sound[mutant.end:])
            return self.judge([mutant.chapter] + [c for c in CHAPTERS if c != mutant.chapter])
        finally:
            path.write_text(sound)


def table(results):
    """Kinds down, chapters across: killed / survived / shown equivalent."""
    def cell(kind, chapter):
        verdicts = [verdict for mutant, verdict, _, _ in results
                    if kind in (mutant.kind, "all") and chapter in (mutant.chapter, "all")]
        return "/".join(str(verdicts.count(verdict)) for verdict in ("killed", "survived", "equivalent"))

    columns = CHAPTERS + ["all"]
    lines = [f"{'':14}" + "".join(f"{chapter:>10}" for chapter in columns)]
    lines += [f"{kind:14}" + "".join(f"{cell(kind, chapter):>10}" for chapter in columns) for kind in KINDS + ["all"]]
    return "\n".join(lines)


def of_states(everything, chapter):
    """The breaks of a chapter, or of all, that identities of a state can notice."""
    return [m for m in everything if chapter in (None, m.chapter) and m.file.split("/")[-1] not in STEPS_IN_TIME]


def main():
    if "--matrix" in sys.argv:
        sys.argv.remove("--matrix")
        return matrix.main()
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--sample", type=int, default=60, help="how many broken lines to try")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--only", choices=CHAPTERS, help="break lines of one chapter")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/mutation", help="where to work")
    parser.add_argument("--jobs", type=int, default=1, help="compilers at a time")
    parser.add_argument("--matrix", action="store_true", help="compile all breaks into one program: --matrix --help")
    parser.add_argument("--list", action="store_true", help="print all mutants and stop")
    arguments = parser.parse_args()

    everything = of_states(mutants(ROOT), arguments.only)
    if arguments.list:
        for m in everything:
            print(f"{m.file}:{m.line}\t{m.kind}\t{m.before}\t{m.after}")
        return 0

    arguments.build.mkdir(parents=True, exist_ok=True)
    workshop = Workshop(arguments.build, arguments.jobs)
    everything = of_states(mutants(workshop.source), arguments.only)
    verdict, said = workshop.judge(CHAPTERS)
    if verdict != "survived":
        print(f"The sound sources do not pass: {said}")
        return 2

    equivalent, results, stillborn = shown_equivalent(), [], 0
    print(f"{len(everything)} places to break; {arguments.sample} drawn with seed {arguments.seed}.", flush=True)
    with open(arguments.build / "results.tsv", "w") as record:
        record.write("verdict\tchapter\tkind\tplace\tbefore\tafter\tby\tseconds\n")
        for mutant in draw(everything, arguments.seed):
            if len(results) == arguments.sample:
                break
            start = time.monotonic()
            verdict, said = workshop.try_out(mutant)
            seconds = time.monotonic() - start
            if verdict == "survived" and (mutant.file, mutant.before, mutant.after) in equivalent:
                verdict, said = "equivalent", equivalent[mutant.file, mutant.before, mutant.after]
            record.write("\t".join([verdict, mutant.chapter, mutant.kind, f"{mutant.file}:{mutant.line}", mutant.before,
                                    mutant.after, said, f"{seconds:.1f}"]) + "\n")
            record.flush()
            if verdict == "stillborn":
                stillborn += 1
                continue
            results.append((mutant, verdict, said, seconds))
            print(f"{len(results):4} {verdict:10} {seconds:5.1f} s  {mutant.kind:12} {mutant.file}:{mutant.line}"
                  f"  {said}", flush=True)

    print(f"\nkilled / survived / shown equivalent ({stillborn} more did not compile)\n{table(results)}")
    times = [seconds for _, _, _, seconds in results]
    print(f"\n{sum(times) / len(times):.1f} s per broken line on average, {max(times):.1f} s at most.")
    survivors = [m for m, verdict, _, _ in results if verdict == "survived"]
    for m in survivors:
        print(f"\nsurvived: {m.file}:{m.line} ({m.kind})\n  {m.before}\n  {m.after}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
