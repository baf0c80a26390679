"""Reads what the library declares, and which of several functions of one name an equation means."""
import re
from dataclasses import dataclass

NAMESPACE = re.compile(r"^namespace (articulate[\w:]*) \{", re.MULTILINE)
TYPE = re.compile(r"^(?:class|struct|enum class|using)\s+(\w+)", re.MULTILINE)
# Documentation, template line, result type, name, parameters.
FUNCTION = re.compile(
    r"(?P<text>/\*\*(?:(?!\*/).)*\*/\n|(?:^///[^\n]*\n)+)?(?:^template[^\n]*\n)?"
    r"^(?:inline )?\w[\w:<>, ]*[ &*](?P<name>\w+)\((?P<parameters>[^()]*)\)(?: noexcept)?$",
    re.MULTILINE | re.DOTALL,
)


@dataclass
class Function:
    space: str  # the namespace
    chapter: str
    types: str  # of the parameters, as Doxygen tells functions of one name apart
    keys: list  # the equations that its documentation cites


def types_of(parameters):
    """const SE3<Scalar>& T, const Twist<Scalar>& V  ->  const SE3<Scalar>&,const Twist<Scalar>&"""
    return ",".join(
        re.sub(r"\s*\w+(?:\s*=.*)?$", "", one.strip()) for one in re.split(r",(?![^<]*>)", parameters) if one.strip()
    )


class Symbols:
    def __init__(self, library, chapters):
        self.types, self.functions = {}, {}
        for path in (path for chapter in chapters for path in sorted((library / chapter).glob("*.hpp"))):
            text = path.read_text(encoding="utf-8")
            space = (NAMESPACE.findall(text) or ["articulate"])[0]
            self.types.update((name, space) for name in TYPE.findall(text))
            for match in FUNCTION.finditer(text):
                keys = [
                    f"{paper}:{number}" for paper, number in re.findall(r"\\eq\{(\w+),([\w.]+)\}", match["text"] or "")
                ]
                self.functions.setdefault(match["name"], []).append(
                    Function(space, path.parent.name, types_of(match["parameters"]), keys)
                )

    def target(self, name, key, chapter):
        """What to link for a name in a row: of several functions that of the equation, else one of its chapter."""
        if name in self.types:
            return f"{self.types[name]}::{name}"
        found = self.functions.get(name, [])
        if len(found) < 2:
            return f"{found[0].space}::{name}" if found else None
        best = next((one for one in found if key in one.keys), None) or next(
            (one for one in found if one.chapter == chapter), found[0]
        )
        return f"{best.space}::{name}({best.types})"
