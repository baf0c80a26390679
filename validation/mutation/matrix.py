#!/usr/bin/env python3
"""Make every break of the library in one program and ask every identity, alone, whether it notices.

    validation/mutation/matrix.py --judges group,body --only group

Writes the matrix to the build directory: one line per break with its place, its text before and after, how it was
wrapped, and the identities that notice it. With --alone, what cannot be wrapped is compiled one break at a time, and the
checkers of the chapters, that of the break first, are asked until one of their identities notices.

With --stored nothing is made: what the matrix in the repository says is told, and with --audit what it lacks.

With --update that matrix is brought up to date: judged are the breaks that it does not know, those that nothing noticed
or nobody judged, and those in symbols that new judges name; of the others it keeps what it says, as far as their lines
and judges still exist.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import gzip
import hashlib
import json
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import time

from places import CHAPTERS, KINDS, OBJECTS, ROOT, broken_files, mutants, shown_equivalent, without_place
from schemata import DECLARATION, HEADER, LEFT_OUT, Structure, WAYS, blamed, nonsense, numbered, rewritten

NOTICED = "ftcem"
NOT_JUDGED = "?"  # in the place of the judges
PREPARING = "p"  # in the place of a judge: a case cannot be prepared, which shows the break, but no judge has noticed it
PREPARED = "the preparation of a case"
WHOLE = 0.99  # of all breaks, what part must be noticed; of a sample each
TABLE = ROOT / "validation/mutation/matrix.tsv.gz"
# A choice between what has an address and what has none is a copy, to which no function must return a reference. What a
# break leaves without a value is no number, whatever stood there before.
FLAGS = ["-O1", "-Wno-everything", "-ftrivial-auto-var-init=pattern",
         *(f"-Werror={name}" for name in ("return-stack-address", "dangling", "dangling-gsl", "dangling-field"))]


def write_if_new(path, text):
    """A file whose text has not changed keeps its date, and what was compiled from it."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def included(texts):
    """{file: all that it includes, and what that includes}; texts: {file: text}"""
    direct = {file: {f"src/{name}" for name in re.findall(r"#include <(articulate/[^>]+)>", text)} & texts.keys()
              for file, text in texts.items()}

    def below(file):
        return direct[file].union(*map(below, direct[file]))

    return {file: below(file) for file in texts}


Judge = collections.namedtuple("Judge", "what chapter name symbols clauses sound")  # sound: its letter on the sound library


@dataclasses.dataclass
class Break:
    """A place that is broken, how the break was wrapped, and who notices it."""

    file: str
    symbol: str
    kind: str
    way: str
    before: str
    after: str
    seconds: str
    noticed: set  # names of judges; None: it was not judged


def key_of(one):
    """What a place to break, or a break in the matrix, is called as long as its line stays what it is."""
    return "\t".join([one.file, one.before, one.after])


def told_apart(keys):
    """Each key with its place among those that are like it, and how many they are."""
    of, seen = collections.Counter(keys), collections.Counter()
    for key in keys:
        seen[key] += 1
        yield key, seen[key], of[key]


class Matrix:
    """The judges, and for each break those that notice it: on disk a line for the commits, for each judge and each break.

    There are two commits where the matrix was brought up to date after all of it had been made.
    """

    def __init__(self, commit="", judges=(), breaks=(), updated=""):
        self.commit, self.judges, self.breaks, self.updated = commit, list(judges), list(breaks), updated or commit

    @classmethod
    def read(cls, path=TABLE):
        made = cls()
        if path.exists():
            with gzip.open(path, "rt", encoding="utf-8") as table:
                for word, *fields in (line.rstrip("\n").split("\t") for line in table):
                    if word == "commit":
                        made.commit, made.updated = fields[0], fields[-1]
                    elif word == "judge":
                        made.judges.append(Judge(*fields[1:]))
                    else:
                        made.breaks.append(Break(*fields[:-1], made.names(fields[-1].split())))
        return made

    def names(self, numbers):
        if numbers == [NOT_JUDGED]:
            return None
        return {PREPARED if k == PREPARING else self.judges[int(k)].name for k in numbers}

    def write(self, path):
        numbers = {judge.name: str(k) for k, judge in enumerate(self.judges)}
        with gzip.GzipFile(path, "wb", mtime=0) as record:
            def line(*words):
                record.write(("\t".join(map(str, words)) + "\n").encode())

            line("commit", *dict.fromkeys([self.commit, self.updated]))
            for k, judge in enumerate(self.judges):
                line("judge", k, *judge)
            for one in self.breaks:
                who = [NOT_JUDGED] if one.noticed is None else sorted((numbers.get(name, PREPARING) for name in one.noticed),
                                                                     key=lambda k: (len(k), k))
                line("break", one.file, one.symbol, one.kind, one.way, one.before, one.after, one.seconds, " ".join(who))


    def known(self, places, judges):
        """{number: what it says of a break that need not be judged again}; places: {number: (key, symbol)} in their order.

        Judged again is what nothing noticed, and what stands in a symbol that a judge has not named before.
        """
        asked = {(judge.name, name) for judge in self.judges for name in judge.symbols.split()}
        now, symbols = {judge.name for judge in judges} | {PREPARED}, {symbol for _, symbol in places.values()}
        named = {symbol for judge in judges for name in judge.symbols.split() if (judge.name, name) not in asked
                 for symbol in named_by(name, symbols)}
        said = dict(zip(told_apart([key_of(one) for one in self.breaks]), self.breaks))
        left = {}
        for (n, (_, symbol)), key in zip(places.items(), told_apart([key for key, _ in places.values()])):
            one = said.get(key)
            noticed = one and one.noticed and one.noticed & now
            if noticed and symbol not in named or one and one.way == "stillborn":
                left[n] = dataclasses.replace(one, symbol=symbol, noticed=noticed or set())
        return left


class Program:
    """A copy of the sources that holds every break, and the program made of it."""

    def __init__(self, directory, judges, runner, again=False):
        self.source, self.build, self.judges, self.runner = directory / "source", directory / "build", judges, runner
        everything = list(mutants(ROOT))
        texts = {m.file: (ROOT / m.file).read_text() for m in everything}
        self.mutants = numbered(everything, texts)
        self.structures = {file: Structure(text) for file, text in texts.items()}
        self.symbols = {n: self.structures[m.file].symbol(m.start) for n, m in self.mutants.items()}
        self.kept = directory / "ways.json"
        stored = json.loads(self.kept.read_text()) if self.kept.exists() else {key_of(one): one.way for one in Matrix.read().breaks}
        known = WAYS if again else WAYS + LEFT_OUT
        self.ways = {n: way for n, m in self.mutants.items() if (way := stored.get(key_of(m))) in known}
        self.below = included(texts)
        self.copy()

    def copy(self):
        for part in ("src", "validation", "chapters"):
            for path in (ROOT / part).rglob("*"):
                file = path.relative_to(ROOT)
                target = self.source / file
                broken = file.as_posix() in OBJECTS or path.suffix == ".hpp" and ROOT / "src/articulate" in path.parents
                if path.is_file() and not broken and (
                        not target.exists() or target.read_bytes() != path.read_bytes()):
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(path, target)
        write_if_new(self.source / "CMakeLists.txt", (ROOT / "CMakeLists.txt").read_text())
        write_if_new(self.source / "src" / HEADER, DECLARATION)

    def rewrite(self):
        """Wraps all breaks anew; self.taken says how, self.lines where."""
        files = collections.defaultdict(dict)
        for number, mutant in self.mutants.items():
            files[mutant.file][number] = mutant
        self.taken, self.lines = {}, {}
        for path in [*sorted((ROOT / "src/articulate").rglob("*.hpp")), *(ROOT / file for file in OBJECTS)]:
            file, text = path.relative_to(ROOT).as_posix(), path.read_text()
            if file in files:
                text, taken, lines = rewritten(text, files[file], self.ways)
                self.taken.update(taken)
                self.lines[str(self.source / file)] = lines
            write_if_new(self.source / file, text)

    def command(self, *words, quiet=False):
        made = subprocess.run([*self.runner, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if made.returncode and not quiet:
            sys.exit(made.stdout[-5000:])
        return made

    def compile(self, jobs):
        """Compiles; a break whose line the compiler refuses is wrapped in the next way, until all compiles."""
        self.rewrite()
        self.command("cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", "-DARTICULATE_MUTATION=ON",
                     f"-DARTICULATE_SCHEMATA={';'.join(self.judges)}", "-DCMAKE_BUILD_TYPE=", f"-DCMAKE_CXX_FLAGS={' '.join(FLAGS)}",
                     "-DCMAKE_CXX_COMPILER=clang++")
        if "no work to do" in self.command("ninja", "-C", self.build, "-n", "judge", quiet=True).stdout:
            return
        # Reading is quicker than making, and what one file refuses most others would: a few at a time, until they pass.
        reading, reads = self.units() if len(self.ways) < 0.99 * len(self.mutants) else [], 0
        while reading:
            now, reading, reads = reading[:jobs], reading[jobs:], reads + len(reading[:jobs])
            with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
                said = list(pool.map(lambda unit: self.command("sh", "-c", unit, quiet=True), now))
            again = [unit for unit, one in zip(now, said) if one.returncode]
            if again:
                self.refuse("\n".join(one.stdout for one in said if one.returncode))
            reading = again + reading
            print(f"{reads} files read, {len(reading)} left", flush=True)
        # What a break does to a file that was read before, the making of it tells.
        while (made := self.command("ninja", "-C", self.build, f"-j{jobs}", "-k0", "judge", quiet=True)).returncode:
            self.refuse(made.stdout)
        self.ways = dict(self.taken)
        self.keep()

    def refuse(self, said):
        """Wraps what the compiler names in the next way."""
        guilty = blamed(said, self.lines)
        if not guilty:
            sys.exit("The compiler refuses what no break has written:\n" +
                     "\n".join(line for line in said.splitlines() if ": error" in line)[:5000])
        dead = nonsense(said, self.lines, self.taken)
        # A header that is refused has its echoes in those that include it, which may be sound.
        files = {self.mutants[n].file for n in guilty | dead}
        for number in {n for n in guilty | dead if not files & self.below[self.mutants[n].file]}:
            self.ways[number] = "stillborn" if number in dead else self.next_way(number)
        print(f"  {len(guilty | dead)} breaks blamed", flush=True)
        self.rewrite()
        self.keep()

    def units(self):
        """The commands that read each source without making anything of it."""
        ready = self.command("ninja", "-C", self.build, "-t", "commands", "judge").stdout.splitlines()
        self.command("ninja", "-C", self.build, "-j1",
                     "validation/mutation/CMakeFiles/articulate-checker.dir/cmake_pch.hxx.pch")
        found = []
        for line in ready:
            if " -c " in line and ".cpp" in line and "arithmetic" not in line:
                words = shlex.split(line.split("&&")[-1] if "&&" in line else line)
                cut = words.index("-o")
                found.append(f"cd {shlex.quote(str(self.build))} && " + shlex.join(
                    words[:cut] + words[cut + 2:] + ["-fsyntax-only", "-fno-caret-diagnostics", "-ferror-limit=0",
                                                     "-ftemplate-backtrace-limit=0", "-fdiagnostics-absolute-paths",
                                                     "-fno-color-diagnostics"]))
        return found

    def next_way(self, number):
        now = self.taken[number]
        following = WAYS[WAYS.index(now) + 1:] if now in WAYS else []
        return following[0] if following and self.fits(number, following) else "alone"

    def fits(self, number, ways):
        mutant = self.mutants[number]
        parts = [self.structures[mutant.file].part(mutant, way) for way in ways]
        return any(part and part.start <= mutant.start and mutant.end <= part.end for part in parts)

    def keep(self):
        self.kept.write_text(json.dumps({key_of(self.mutants[n]): way for n, way in sorted(self.ways.items())}, indent=1))

    def judged(self, numbers, jobs):
        """{number: (a letter for each identity, seconds)}; what this very program has said before it is not asked again."""
        judge, kept = self.build / "bin/judge", self.build / "verdicts.tsv"
        edition = hashlib.sha256(judge.read_bytes()).hexdigest()
        if not kept.exists() or not kept.read_text().startswith(edition + "\n"):
            kept.write_text(edition + "\n")
        verdicts = self.verdicts(kept)
        missing = [n for n in numbers if n not in verdicts]
        children = []
        for k in range(jobs if missing else 0):
            task = self.build / f"task{k}"
            task.write_text("\n".join(map(str, missing[k::jobs])))
            # Each line is written at once, behind those of the others.
            children.append(subprocess.Popen([*self.runner, str(judge), str(len(self.mutants))], stdin=open(task),
                                             stdout=open(kept, "a")))
        for child in children:
            child.wait()
        verdicts = self.verdicts(kept)
        lost = [n for n in missing if n not in verdicts]
        if lost:
            sys.exit(f"The judge stopped before break {lost[0]}; {len(lost)} were not judged.")
        return {n: verdicts[n] for n in numbers}

    def told(self, n, noticed, seconds):
        """A break as the matrix has it: no judge can notice what does not compile."""
        m = self.mutants[n]
        if self.taken[n] == "stillborn":
            noticed = set()
        return Break(m.file, self.symbols[n], m.kind, self.taken[n], m.before, m.after, f"{seconds:g}", noticed)

    @staticmethod
    def verdicts(kept):
        said = [line.split("\t") for line in kept.read_text().splitlines()[1:]]
        return {int(number): (letters, float(took)) for number, letters, took in said}


def noticed_by(letters, judges):
    """The names of the judges that notice a break: not one that misses a print on the sound library."""
    names = {judge.name for judge, letter in zip(judges, letters) if letter in NOTICED and letter != judge.sound}
    return names | {PREPARED} if PREPARING in letters else names


def judged_alone(program, numbers, directory, jobs):
    """{number: the judge that notices it}: each break in a library of its own; what does not compile is stillborn."""
    from mutate import Workshop  # which imports this module

    workshop, noticed = Workshop(directory, jobs), {}
    for n in numbers:
        start = time.monotonic()
        verdict, said = workshop.try_out(program.mutants[n])
        if verdict == "stillborn":
            program.ways[n] = program.taken[n] = verdict
        else:  # said: the chapter, the identity and what became of it
            noticed[n] = {said.split(": ")[1]} if verdict == "killed" else set()
        m = program.mutants[n]
        print(f"alone: {m.file}:{m.line} {verdict} {said[:100]} ({time.monotonic() - start:.0f} s)", flush=True)
    program.keep()
    return noticed


def names(symbol, of):
    """Whether what an identity names is the symbol of a break, its class, or the function whatever its class."""
    return f"::{symbol}::" in f"::{of}::"


def named_by(symbol, found):
    """The symbols of breaks that an identity names; where a name has no place to break, that of its class."""
    return ([s for s in found if names(symbol, s)] or
            [s for s in found if "::" in symbol and names(symbol.rpartition("::")[0], s)])


def audit(judges, breaks, places, silent):
    """Prints each identity that notices no break in a symbol that it names, each symbol that nothing guards, and what
    cannot be broken; how many.

    An identity that misses a print on the sound library cannot notice a break: its row says not_reproduced. Of breaks
    that were not made nobody knows who notices them.

    places  (key, symbol) of each place to break today
    silent  (file, symbol) of each function of numbers in which there is none
    """
    made, symbols = {key_of(one) for one in breaks}, {symbol for _, symbol in places}
    unknown = {symbol for key, symbol in places if key not in made}
    found, guards = collections.Counter(one.symbol for one in breaks), collections.defaultdict(set)
    for one in breaks:
        guards[one.symbol] |= one.noticed
    print("\nIdentities that notice no break in a symbol that they name:")
    missing = 0
    for judge in judges:
        for symbol in judge.symbols.split() if judge.sound != "m" else []:
            own, newer = named_by(symbol, found), unknown.intersection(named_by(symbol, symbols))
            if own and not newer and not any(judge.name in guards[s] for s in own):
                print(f"  {judge.chapter} {judge.name}: {symbol}, {sum(found[s] for s in own)} breaks")
                missing += 1
    print("\nSymbols of which no identity notices a break:")
    for symbol in sorted(found):
        if not guards[symbol]:
            print(f"  {next(one.file for one in breaks if one.symbol == symbol)}: {symbol or 'outside of all'}, "
                  f"{found[symbol]} breaks")
            missing += 1
    print("\nSymbols that identities name in which nothing can be broken:")
    for judge in judges:
        for symbol in judge.symbols.split():
            if not named_by(symbol, symbols):
                print(f"  {judge.chapter} {judge.name}: {symbol}")
                missing += 1
    print("\nFunctions that return numbers in which nothing can be broken:")
    for file, symbol in silent:
        print(f"  {file}: {symbol}")
    return missing + len(silent)


def in_symbols(places):
    """(key, symbol) of each place."""
    structures = {file: Structure((ROOT / file).read_text()) for file in {m.file for m in places}}
    return [(key_of(m), structures[m.file].symbol(m.start)) for m in places]


def unbreakable():
    """(file, symbol) of each function of numbers in which nothing can be broken."""
    return [(path.relative_to(ROOT).as_posix(), symbol) for _, path in broken_files(ROOT)
            for symbol in without_place(path.read_text())]


def lines_of(places):
    """{key of a break: the lines where it can be made}"""
    lines = {}
    for m in places:
        lines.setdefault(key_of(m), []).append(m.line)
    return lines


def report(matrix, lines, audited, least=1.0, elsewhere=frozenset()):
    """Prints what is noticed and what survives; whether anything is missing.

    lines      {key of a break: where its line stands today, in each function that has it}
    audited    (key, symbol) of each place to break today, if what guards the symbols is asked for; else nothing
    least      what part of the breaks must be noticed
    elsewhere  keys of breaks that judges notice who were not asked
    """
    equivalent = shown_equivalent()
    judged = [one for one in matrix.breaks if one.noticed is not None and one.way != "stillborn"]
    wrong = [one for one in judged if (one.file, one.before, one.after) not in equivalent]
    for kind in KINDS:
        here = [one for one in wrong if one.kind == kind]
        print(f"{kind:14} {sum(bool(one.noticed) for one in here):5} of {len(here):5} noticed")
    awake = set().union(*(one.noticed for one in judged))
    print(f"{len(judged) - len(wrong)} are shown equivalent; {sum(judge.name not in awake for judge in matrix.judges)} of "
          f"{len(matrix.judges)} identities notice none of these breaks.")
    shown = {"\t".join(key) for key in equivalent}
    missing = audit(matrix.judges, wrong, [one for one in audited if one[0] not in shown], unbreakable()) if audited else 0
    for file, before, after in sorted(equivalent.keys() - {tuple(key.split("\t")) for key in lines}):
        print(f"\nstale entry of equivalent.tsv: {file}\n  {before}\n  {after}")
    survivors = [one for one in wrong if not one.noticed and key_of(one) not in elsewhere]
    for one in survivors:
        where = " or ".join(map(str, lines.get(key_of(one), "?")))
        print(f"\nsurvived: {one.file}:{where}, in {one.symbol} ({one.kind})\n  {one.before}\n  {one.after}")
    print(f"\n{100 * (1 - len(survivors) / max(1, len(wrong))):.2f} % of the breaks that are not equivalent are noticed.")
    print(f"{len(survivors)} tests failed out of {len(judged)}")  # a break that survives is a test that fails
    return bool(missing) or len(survivors) > (1 - least) * len(wrong)


def changed_lines(commit):
    """{file: lines that have changed since a commit}"""
    said = subprocess.run(["git", "-C", ROOT, "diff", "-U0", commit, "--", "src/articulate", *OBJECTS],
                          capture_output=True, text=True)
    if said.returncode:
        sys.exit(f"--since {commit}: {said.stderr.strip()}")
    lines, file = collections.defaultdict(set), None
    for line in said.stdout.splitlines():
        if line.startswith("+++ "):
            file = line[6:]
        elif found := re.match(r"@@ \S+ \+(\d+)(?:,(\d+))? @@", line):
            first = int(found[1])
            lines[file].update(range(first, first + int(found[2] or 1)))
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--judges", default="all", help="the chapters whose identities judge: group,body")
    parser.add_argument("--only", choices=CHAPTERS, action="append", help="make breaks of this chapter")
    parser.add_argument("--sample", type=int, help="how many breaks to make; without it all")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--since", metavar="COMMIT", help="make breaks only in lines that have changed since")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/matrix", help="where to work")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--runner", default="", help="what runs the compiler and the judge: 'nice -n 15'")
    parser.add_argument("--again", action="store_true", help="try to wrap what could not be wrapped before")
    parser.add_argument("--alone", action="store_true", help="compile by itself what cannot be wrapped: minutes per break")
    parser.add_argument("--audit", action="store_true", help="print which identity misses breaks in what it names")
    parser.add_argument("--update", action="store_true", help="judge what the matrix in the repository does not know")
    parser.add_argument("--stored", action="store_true", help="make nothing: say what the matrix in the repository says")
    arguments = parser.parse_args()
    if arguments.stored:
        places, stored = list(mutants(ROOT)), Matrix.read()
        lines, known = lines_of(places), {key_of(one) for one in stored.breaks}
        hours = sum(float(one.seconds) for one in stored.breaks) / 3600
        stored.breaks = [one for one in stored.breaks if key_of(one) in lines]
        print(f"Of {len(places)} places to break today {sum(key_of(m) not in known for m in places)} were none at "
              f"{stored.updated[:12]}, when the matrix was "
              f"{'made' if stored.updated == stored.commit else f'brought up to date; all of it was made at {stored.commit[:12]}'}.\n"
              f"Judging took {hours:.2f} hours of processor time, compiling and what was compiled alone aside.")
        return report(stored, lines, arguments.audit and in_symbols(places), WHOLE)

    if not shutil.which("clang++"):
        sys.exit("The breaks are compiled by clang++, which is not there: `apt-get install clang` brings it.")
    program = Program(arguments.build.resolve(), arguments.judges.split(","), shlex.split(arguments.runner), arguments.again)
    program.compile(arguments.jobs)
    print(f"{len(program.mutants)} breaks: " + ", ".join(
        f"{count} {way}" for way, count in collections.Counter(program.taken.values()).most_common()), flush=True)

    listed = [line.split("\t") for line in program.command(program.build / "bin/judge", "--list").stdout.splitlines()]
    sound, took = program.judged([0], 1)[0]
    judges = [Judge(*fields, letter) for fields, letter in zip(listed, sound)]
    wrong = [judge.name for judge in judges if judge.sound in NOTICED and judge.sound != "m"]
    if wrong:
        sys.exit("The sound library does not pass: " + "; ".join(wrong))
    print(f"{len(judges)} identities hold on the sound library in {took:.2f} s.", flush=True)

    numbers = [n for n, m in program.mutants.items()
               if program.taken[n] != "stillborn" and (not arguments.only or m.chapter in arguments.only)]
    if arguments.since:
        changed = changed_lines(arguments.since)
        numbers = [n for n in numbers if program.mutants[n].line in changed[program.mutants[n].file]]
    before = Matrix.read() if arguments.update else Matrix()
    known = before.known({n: (key_of(m), program.symbols[n]) for n, m in program.mutants.items()}, judges)
    numbers = [n for n in numbers if n not in known]
    if arguments.sample:
        numbers = sorted(random.Random(arguments.seed).sample(numbers, min(arguments.sample, len(numbers))))
    start = time.monotonic()
    verdicts = program.judged([n for n in numbers if program.taken[n] in WAYS], arguments.jobs)
    noticed = {n: noticed_by(letters, judges) for n, (letters, _) in verdicts.items()}
    if arguments.alone:
        alone = [n for n in numbers if program.taken[n] == "alone"]
        noticed |= judged_alone(program, alone, arguments.build.resolve() / "alone", arguments.jobs)
    print(f"{sum(v[1] for v in verdicts.values()):.0f} s of processor time, {time.monotonic() - start:.0f} s in all.")

    whole = not (arguments.only or arguments.since or arguments.sample)
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
    made = Matrix(before.commit or commit, judges,
                  [known.get(n) or program.told(n, noticed.get(n), verdicts.get(n, ("", 0))[1])
                   for n in (sorted(program.mutants) if whole else numbers)], commit)
    table = arguments.build / "matrix.tsv.gz"
    made.write(table)
    print(f"The matrix is in {table}.")
    # Where not all judges are asked, others may have noticed; of what is newer than the stored matrix nobody knows yet.
    asked, stored = {judge.name for judge in judges}, Matrix.read().breaks
    lines = lines_of(program.mutants.values())
    elsewhere = {key_of(one) for one in stored if one.noticed and not one.noticed & asked}
    if not whole:
        elsewhere |= lines.keys() - {key_of(one) for one in stored}
    places = [(key_of(m), program.symbols[n]) for n, m in program.mutants.items() if program.taken[n] != "stillborn"]
    return report(made, lines, arguments.audit and places, WHOLE if whole else 1.0, elsewhere)


if __name__ == "__main__":
    sys.exit(main())
