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

What is not broken: the reading and refusing of wrong input (tree.hpp, error.hpp, urdf; functions named check, require,
refuse; moved_mass.hpp and singularity.hpp; throw), which the tests of bad files and states watch; indices and sizes of
arrays, where a wrong one is no wrong formula but a wrong address; types, loop headers and declarations; steps in time,
which are no identities of a state: integrators_test proves them.

The checkout is never changed: the sources are copied to the build directory and broken there.
"""
import argparse
import collections
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHAPTERS = [page.stem[3:] for page in sorted((ROOT / "chapters").glob("[0-9][0-9]_*.md"))]
KINDS = ["sign", "transpose", "inverse", "dropped term", "component", "constant"]
NOT_FORMULAS = {"tree.hpp", "error.hpp", "mechanism.hpp", "urdf.hpp", "moved_mass.hpp", "singularity.hpp"}
STEPS_IN_TIME = {"runge_kutta.hpp", "variational.hpp", "pull_back.hpp", "dexp_inverse.hpp"}
JUDGES_OF_INPUT = r"\b(?:check_\w+|require_\w+|refuse)\("
PATIENCE = 120  # seconds for a checker that needs six at most

Mutant = collections.namedtuple("Mutant", "chapter kind file line start end text before after")


# Reading C++ just well enough -----------------------------------------------------------------------------------------

def blank(text, start, end):
    """The text with a part replaced by spaces; lines stay where they are."""
    return text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]


def closing(text, opening):
    """The position of the bracket that closes the one at the given position."""
    depth = 0
    for position in range(opening, len(text)):
        depth += (text[position] in "([{") - (text[position] in ")]}")
        if depth == 0:
            return position
    raise ValueError("a bracket is not closed")


def formulas(text):
    """The text with all but its formulas blanked."""
    for match in re.finditer(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|^#[^\n]*|\bstatic constexpr\b[^;]*;'
                             r"|^ *(?:using|template|throw|enum)\b[^\n]*", text, re.S | re.M):
        text = blank(text, *match.span())
    for match in re.finditer(JUDGES_OF_INPUT, text):
        end = closing(text, match.end() - 1) + 1
        body = re.match(r"(?:\s|const)*\{", text[end:])
        text = blank(text, match.start(), closing(text, end + body.end() - 1) + 1 if body else end)
    for match in re.finditer(r"\bfor \(", text):
        text = blank(text, match.end(), closing(text, match.end() - 1))
    for match in re.finditer(r"^.*\b(?:throw|smallest_|warnings_)\b[^;]*;", text, re.M):
        text = blank(text, *match.span())
    return text


def is_index(left, right):
    """Whether a sum of these operands is an index or an address, not a number of the formula."""
    return (re.match(r"(?:\d+|[ijk]|body\.\w+|joint->\w+)(?![\w.(])", right)
            or re.search(r"\b(?:size|bodies)\(\)$", left))


def term_after(code, position):
    """The end of the term that starts at a position."""
    depth = 0
    for match in re.finditer(r"[(\[{]|[)\]}]|[,;?]|(?<!:):(?!:)| [-+]\s| [<>=!]=? |\n\n", code[position:]):
        token = match.group()
        if depth == 0 and token not in ("(", "[", "{"):
            return position + match.start()
        depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
    return len(code)


def term_before(code, position):
    """The start of the term that ends at a position, if it is the first of its sum; else None."""
    depth = 0
    for start in range(position - 1, 0, -1):
        if code[start] in ")]}":
            depth += 1
        elif code[start] in "([{" and depth:
            depth -= 1
        elif depth == 0:
            if code[start] in "([{,;":
                return start + 1 + (code[start] in ",;")
            if re.match(r"(?:=|\?|:|return) ", code[start:]):
                return code.index(" ", start) + 1
            if re.match(r" [-+]\s", code[start:]):
                return None
    return None


# The ways to be wrong -------------------------------------------------------------------------------------------------

def wrong_signs(code):
    for match in binary_sums(code):
        yield match.start(1), match.end(1), "+-"["+-".index(match[1]) - 1]
    for match in re.finditer(r"(?<!nq_ )(?<!nv_ )([-+])= ", code):
        yield match.start(1), match.end(1), "+-"["+-".index(match[1]) - 1]
    for match in re.finditer(r"(?:[({]|[,=?:] |return )(-)(?=[A-Za-z(])", code):
        yield match.start(1), match.end(1), ""
    for match in re.finditer(r"^(?!.*(?:\b(?:int|bool|auto)\b|[&*] ?\w+ = |[&*] const)).*(?: = |\breturn )"
                             r"([^-{;=\n][^;{}?]*);", code, re.M):
        if not re.fullmatch(r"default|\*this|[ijk]|\w+_|.*\w<.*", match[1]):
            yield match.start(1), match.end(1), f"-({match[1]})"
    for match in re.finditer(r"\bcross\((?!const )", code):
        yield swapped(code, match.end() - 1)


def binary_sums(code):
    for match in re.finditer(r"(?<=[\w)\]}]) ([-+])\s+(?=[\w(*-])", code):
        left = re.search(r"\S*$", code[:match.start()]).group()
        if not is_index(left, code[match.end():]):
            yield match


def swapped(code, opening):
    """The two arguments in a bracket, exchanged."""
    end = closing(code, opening)
    first, second = re.match(r"((?:[^(),{}]|\([^()]*\)|\{[^{}]*\})*), (.*)", code[opening + 1:end], re.S).groups()
    return opening + 1, end, f"{second}, {first}"


def wrong_transposes(code):
    yield from unwrapped(code, "transpose")
    for match in re.finditer(r"\bouter\((?!const )", code):
        yield swapped(code, match.end() - 1)
    for match in re.finditer(r"\w\(([ijk]|\d), ([ijk]|\d)\)", code):
        if match[1] != match[2]:
            yield match.start(1), match.end(2), f"{match[2]}, {match[1]}"


def unwrapped(code, function):
    for match in re.finditer(rf"(?<![\w:])(?:{function})\((?!const )", code):
        end = closing(code, match.end() - 1)
        yield match.start(), end + 1, code[match.end() - 1:end + 1]


def wrong_inverses(code):
    yield from unwrapped(code, "inverse")
    for match in re.finditer(r"\b((?:co)?Ad)(Inv)?\((?!const )", code):
        yield match.start(), match.end(), match[1] + ("(" if match[2] else "Inv(")
    for match in re.finditer(r"(?<=[\w)\]]) ([*/]=|/) ", code):
        yield match.start(1), match.end(1), {"*=": "/=", "/=": "*=", "/": "*"}[match[1]]


def dropped_terms(code):
    for match in binary_sums(code):
        yield match.start(), term_after(code, match.end()), ""
        first = term_before(code, match.start())
        if first is not None:
            yield first, match.end(), "-" * (match[1] == "-")
    lvalue = r"\*?(?:\w|->|\.|\[[^\]\n]*\]|\([^()\n]*\))+"
    for match in re.finditer(r"^ *(?:for \( *\) |if \([^\n]*?\) |else )?"
                             rf"({lvalue} [-+*/]?= (?!default)[^;]*;|this->\w+\([^;]*;"
                             r"|\w[\w.\[\]]*\.(?:solve|project|eliminate|give_way)\([^;]*;)", code, re.M):
        yield match.start(1), match.end(1), ";"


def wrong_components(code):
    for match in re.finditer(r"(?<![ ]d)(?<!_)\[(\d)\](?!\[)(?! *[{;]\n)", code):
        if not re.search(r"\b(?:Scalar|double|int|char) \w+$", code[:match.start()]):
            yield match.start(1), match.end(1), str(abs(int(match[1]) - 1))
    parts = {"w": "v", "v": "w", "m": "f", "f": "m"}
    for match in re.finditer(r"(?<!body)(?<!\))\.([wvmf])\b(?!\()", code):
        yield match.start(1), match.end(1), parts[match[1]]
    entries = ["xx", "xy", "xz", "yy", "yz", "zz"]
    for match in re.finditer(r"\.([xyz]{2})\b", code):
        yield match.start(1), match.end(1), entries[entries.index(match[1]) - 1]


def wrong_constants(code):
    for match in re.finditer(r"\bScalar(?: \w+)?\((\d+)\)", code):
        yield match.start(1), match.end(1), str(int(match[1]) + 1)


WAYS = dict(zip(KINDS, [wrong_signs, wrong_transposes, wrong_inverses, dropped_terms, wrong_components,
                        wrong_constants]))


def mutants(root):
    """Every mutant of the sources, in a fixed order."""
    for chapter in CHAPTERS:
        for path in sorted((root / "src/articulate" / chapter).glob("*.hpp")):
            if path.name in NOT_FORMULAS | STEPS_IN_TIME:
                continue
            text = path.read_text()
            code = formulas(text)
            for kind, way in WAYS.items():
                for start, end, new in way(code):
                    first, last = text.rfind("\n", 0, start) + 1, text.index("\n", end)
                    before, after = (" ".join(re.sub("//.*", "", part).split()) for part in
                                     (text[first:last], text[first:start] + new + text[end:last]))
                    yield Mutant(chapter, kind, path.relative_to(root).as_posix(), text.count("\n", 0, start) + 1,
                                 start, end, new, before, after)


def draw(everything, seed):
    """The mutants in random order, chapter by chapter and kind by kind in turn."""
    piles = collections.defaultdict(list)
    for mutant in everything:
        piles[mutant.kind, mutant.chapter].append(mutant)
    dice = random.Random(seed)
    for pile in piles.values():
        dice.shuffle(pile)
    while any(piles.values()):
        for kind in KINDS:
            for chapter in CHAPTERS:
                if piles[kind, chapter]:
                    yield piles[kind, chapter].pop()


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


def shown_equivalent():
    """{(file, before, after): reason} from equivalent.tsv."""
    lines = (pathlib.Path(__file__).parent / "equivalent.tsv").read_text().splitlines()[1:]
    return {(file, before, after): reason for file, before, after, reason in (line.split("\t") for line in lines)}


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


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--sample", type=int, default=60, help="how many broken lines to try")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--only", choices=CHAPTERS, help="break lines of one chapter")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/mutation", help="where to work")
    parser.add_argument("--jobs", type=int, default=1, help="compilers at a time")
    parser.add_argument("--list", action="store_true", help="print all mutants and stop")
    arguments = parser.parse_args()

    everything = [m for m in mutants(ROOT) if arguments.only in (None, m.chapter)]
    if arguments.list:
        for m in everything:
            print(f"{m.file}:{m.line}\t{m.kind}\t{m.before}\t{m.after}")
        return 0

    arguments.build.mkdir(parents=True, exist_ok=True)
    workshop = Workshop(arguments.build, arguments.jobs)
    everything = [m for m in mutants(workshop.source) if arguments.only in (None, m.chapter)]
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
