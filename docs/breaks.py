"""Which identity notices which break of the library, and where its line stands: validation/mutation/matrix.py."""
import re
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "validation" / "mutation"))
import matrix
from places import OBJECTS, shown_equivalent


@dataclass
class Break(matrix.Break):
    reason: str = ""  # why nothing can notice it
    line: int = 0  # where it stands today; 0: its line has changed since

    @property
    def chapter(self):
        return OBJECTS.get(self.file) or self.file.split("/")[2]

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

    def __init__(self):
        stored, reasons, texts = matrix.Matrix.read(), shown_equivalent(), {}
        self.commit, self.by_identity = stored.updated, defaultdict(list)
        self.all = [
            Break(**vars(one), reason=reasons.get((one.file, one.before, one.after), ""))
            for one in stored.breaks
            if one.way != "stillborn"  # what does not compile is no wrong library
        ]
        for one in self.all:
            if one.file not in texts:
                place = ROOT / one.file
                texts[one.file] = [plain(line) for line in place.read_text().splitlines()] if place.exists() else []
            one.line = line_of(one.before, texts[one.file])
            for name in one.noticed or []:
                self.by_identity[name].append(one)
