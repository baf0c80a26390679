"""Which identity notices which break of the library, and where its line stands: validation/mutation/matrix.py."""
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "validation" / "mutation"))
import matrix
from places import OBJECTS, mutants, shown_equivalent


@dataclass
class Break(matrix.Break):
    reason: str = ""  # why nothing can notice it
    line: int = 0  # where it stands today

    @property
    def chapter(self):
        return OBJECTS.get(self.file) or self.file.split("/")[2]

    @property
    def verdict(self):
        if self.noticed is None:
            return "not judged"
        return "noticed" if self.noticed else "equivalent" if self.reason else "survived"


class Breaks:
    """All breaks whose places are still there, and by the name of each identity those that it notices."""

    def __init__(self):
        stored, reasons = matrix.Matrix.read(), shown_equivalent()
        self.commit, self.by_identity, self.all = stored.updated, defaultdict(list), []
        self.gone = 0  # how many are in the table, and their places no longer
        # Like lines are told apart by their order.
        lines = {key[:2]: one.line for one, key in told_apart(list(mutants(ROOT)))}
        for one, key in told_apart(stored.breaks):
            if one.way == "stillborn":  # what does not compile is no wrong library
                continue
            if key[:2] not in lines:
                self.gone += 1
                continue
            reason = reasons.get((one.file, one.before, one.after), "")
            self.all.append(Break(**vars(one), reason=reason, line=lines[key[:2]]))
            for name in one.noticed or []:
                self.by_identity[name].append(self.all[-1])


def told_apart(places):
    """Each place or break with (what it is called, its number among those that are called so, how many they are)."""
    return zip(places, matrix.told_apart([matrix.key_of(one) for one in places]))
