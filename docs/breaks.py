"""Reads which identity notices which break of the library: validation/mutation/matrix.tsv.gz, see matrix.py there."""
import csv
import gzip
import re
from collections import defaultdict
from dataclasses import dataclass


@dataclass
class Break:
    file: str
    symbol: str
    kind: str
    before: str
    after: str
    noticed: list  # names of the identities and tests; None: it was not judged
    reason: str = ""  # why nothing can notice it
    line: int = 0  # where it stands today; 0: its line has changed since

    @property
    def chapter(self):
        return self.file.split("/")[2]

    @property
    def verdict(self):
        if self.noticed is None:
            return "not judged"
        return "noticed" if self.noticed else "equivalent" if self.reason else "survived"


def plain(line):
    return " ".join(re.sub("//.*", "", line).split())


def line_of(text, lines):
    """The first line of a text of one or several lines; 0: it does not stand there."""
    for start, line in enumerate(lines):
        end, joined = start, line
        while joined and len(joined) < len(text) and end + 1 < len(lines):
            end += 1
            joined = f"{joined} {lines[end]}".strip()
        if joined == text:
            return start + 1
    return 0


class Breaks:
    """All breaks, and by the name of each identity those that it notices."""

    def __init__(self, source):
        self.commit, self.all, self.by_identity = "", [], defaultdict(list)
        path = source / "validation" / "mutation" / "matrix.tsv.gz"
        if not path.exists():
            return
        with open(source / "validation" / "mutation" / "equivalent.tsv", encoding="utf-8", newline="") as file:
            reasons = {
                (row["file"], row["before"], row["after"]): row["reason"]
                for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            }
        judges, texts = {"p": "the preparation of a case"}, {}
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for word, *fields in (line.rstrip("\n").split("\t") for line in file):
                if word == "commit":
                    self.commit = fields[0]
                elif word == "judge":
                    judges[fields[0]] = fields[3]
                elif fields[3] != "stillborn":  # what does not compile is no wrong library
                    self.all.append(self.read(fields, judges, reasons))
        for one in self.all:
            if one.file not in texts:
                place = source / one.file
                texts[one.file] = [plain(line) for line in place.read_text().splitlines()] if place.exists() else []
            one.line = line_of(one.before, texts[one.file])
            for name in one.noticed or []:
                self.by_identity[name].append(one)

    @staticmethod
    def read(fields, judges, reasons):
        file, symbol, kind, _, before, after, _, noticed = fields
        names = None if noticed == "?" else [judges[k] for k in noticed.split()]
        return Break(file, symbol, kind, before, after, names, reasons.get((file, before, after), ""))
