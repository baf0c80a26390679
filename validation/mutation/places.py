"""The places where a formula of the library can be broken, and how: the list of all mutants.

What is not broken: the reading and writing of files and the refusing of wrong input (tree.hpp, error.hpp, urdf,
xml_reader.hpp; functions named check, require, refuse; moved_mass.hpp and singularity.hpp; throw), which the tests of
files and of bad states watch; indices and sizes of arrays, where a wrong one is no wrong formula but a wrong address;
types, loop headers and declarations.

A function of numbers in which nothing else can be broken, since it only calls others, is broken as a whole: it answers
with nothing. Broken too is what is no part of the library, but the object of a row: see OBJECTS.
"""
import collections
import pathlib
import random
import re

from schemata import Structure

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The oracle judges numbers by what the others compute: its own tests break it.
CHAPTERS = [
    page.stem[3:]
    for page in sorted((ROOT / "chapters").glob("[0-9][0-9]_*.md"))
    if (ROOT / "src" / "articulate" / page.stem[3:]).is_dir() and page.stem[3:] != "oracle"
]
KINDS = ["sign", "transpose", "inverse", "dropped term", "component", "constant", "answer"]
NOT_FORMULAS = {"tree.hpp", "error.hpp", "mechanism.hpp", "urdf.hpp", "xml_reader.hpp", "moved_mass.hpp",
                "singularity.hpp", "pack.hpp"}
# No identities of a state: tests prove them, which judge the matrix only.
STEPS_IN_TIME = {"runge_kutta.hpp", "dormand_prince.hpp", "radau.hpp", "closed_motion.hpp", "energy_balance.hpp",
                 "variational.hpp", "pull_back.hpp", "dexp_inverse.hpp", "event.hpp", "stops.hpp", "stopped_motion.hpp"}
STEPS_IN_TIME |= {"force_elements.hpp", "force_jacobians.hpp", "force_laws.hpp", "placed_elements.hpp"}
# What rows say of a paper's machine and of numbers that are differentiated, and the chapter of the rows.
OBJECTS = {"validation/models/aerial_manipulator.hpp": "higher_order",
           "validation/higher_order/with_rate.hpp": "higher_order"}
# What is a number, or made of numbers and nothing else; without a value it is zero, empty or the identity. Of some a
# minus makes nothing.
NEGATED = r"Scalar|S|double|(?:Vector|Matrix|Symmetric)\w*|Twist|Wrench|Halves|Pair|Point"
NUMBERS = rf"({NEGATED}|SO3|SE3|Inertia|LinkFrame|\w+Jacobians|ImpulseOfLoops|LedMotion)(?:<[^;{{}}()]*>)?"
# What a minus in front does not make a wrong formula: zero, what is true or false, sizes and indices, words.
NO_SIGN = (r"default|\*this|[ijk]|\w+_|.*\w<.*|(?:Scalar\()?0\)?|true|false|.* (?:[=!]=|[<>]|&&|\|\|) .*|.*\bto_string\(.*"
           r"|(?:\w+\.)?(?:closed|is_\w+|run_here|settle_beside)\(.*\)|.*\bsize\(\)(?: - 1)?|body\.(?:index|nq)")
JUDGES_OF_INPUT = r"\b(?:check_\w+|require_\w+|refuse)\("

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
    for match in re.finditer(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|^#[^\n]*|\b(?:static|inline) constexpr\b[^;]*;'
                             r"|^ *(?:using|template|throw|enum)\b[^\n]*|\bdecltype\([^()]*\)", text, re.S | re.M):
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
            or re.search(r"\b(?:size|bodies)\(\)$", left) or re.match(r"[\w.]+\.begin\(\)", right))


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
            if sign := re.match(r"(?:=|\?|:|return)\s+", code[start:]):
                return start + sign.end()
            if re.match(r" [-+]\s", code[start:]):
                return None
    return None


def statement_end(code, position):
    """Behind the semicolon of the statement that starts at a position; those of lambdas in it are not its own."""
    depth = 0
    while depth or code[position] != ";":
        depth += (code[position] in "([{") - (code[position] in ")]}")
        position += 1
    return position + 1


# The ways to be wrong -------------------------------------------------------------------------------------------------

def wrong_signs(code):
    for match in binary_sums(code):
        yield match.start(1), match.end(1), "+-"["+-".index(match[1]) - 1]
    for match in re.finditer(r"(?<!nq_ )(?<!nv_ )([-+])= (?:([^;,={}]*);)?", code):
        if match[2]:  # what can be added need not be what can be taken away
            yield match.start(2), match.end(2), f"-({match[2]})"
        else:
            yield match.start(1), match.end(1), "+-"["+-".index(match[1]) - 1]
    for match in re.finditer(r"(?:[({]|[,=?:] |return )(-)(?=[A-Za-z(])", code):
        yield match.start(1), match.end(1), ""
    for match in re.finditer(r"^(?!.*(?:\b(?:int|bool|auto)\b|[&*] ?\w+ = |[&*] const)).*(?: = |\breturn )"
                             r"([^-{;=\n][^;{}?]*);", code, re.M):
        end = declarator_end(code, match.start(1), match.end(1))
        value = code[match.start(1):end]
        if not re.fullmatch(NO_SIGN, value, re.S) and " += " not in value and " -= " not in value:
            yield match.start(1), end, f"-({value})"
    for match in re.finditer(r"\bcross\((?!const )", code):
        yield swapped(code, match.end() - 1)


def binary_sums(code):
    for match in re.finditer(r"(?<=[\w)\]}]) ([-+])\s+(?=[\w(*-])", code):
        left = re.search(r"\S*$", code[:match.start()]).group()
        if not is_index(left, code[match.end():]):
            yield match


def declarator_end(code, start, end):
    """Where a value ends that stands in a declaration of several: at the comma."""
    depth = 0
    for position in range(start, end):
        depth += (code[position] in "([{") - (code[position] in ")]}")
        if depth == 0 and code[position] == ",":
            return position
    return end


def swapped(code, opening):
    """The two arguments in a bracket, exchanged."""
    end = closing(code, opening)
    first, second = re.match(r"((?:[^(),{}]|\([^()]*\)|\{[^{}]*\})*), (.*)", code[opening + 1:end], re.S).groups()
    return opening + 1, end, f"{second}, {first}"


def wrong_transposes(code):
    yield from unwrapped(code, r"(?<!\.)transpose")
    for match in re.finditer(r"\.transpose\(\)", code):
        yield match.start(), match.end(), ""
    for match in re.finditer(r"\bouter\((?!const )", code):
        yield swapped(code, match.end() - 1)
    # The arguments of std::min and std::max are not in order.
    for match in re.finditer(r"(?<!std::mi)(?<!std::ma)\w\(([ijk]|\d), ([ijk]|\d)\)", code):
        if match[1] != match[2]:
            yield match.start(1), match.end(2), f"{match[2]}, {match[1]}"


def unwrapped(code, function):
    for match in re.finditer(rf"(?<![\w:])(?<!\w& )(?<!void )(?:{function})\((?!const )", code):
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
                             r"|\w[\w.\[\]]*\.(?:solve|project|eliminate|give_way)\([^;]*;"
                             r"|articulate_at\([^;]*;)", code, re.M):
        if not code[:match.start(1)].rstrip().endswith(","):  # the next of several that are declared
            yield match.start(1), statement_end(code, match.start(1)), ";"


def wrong_components(code):
    for match in re.finditer(r"\bparent\.body\b", code):
        yield *match.span(), "0"
    for match in re.finditer(r"(?<![ ]d)(?<!_)\[(\d)\](?!\[)(?! *[{;]\n)", code):
        if not re.search(r"\b(?:Scalar|Number|double|int|char|bool|\w+<\w+>) \w+$", code[:match.start()]):
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

class Function:
    """A function that returns numbers, from one brace to the other."""

    def __init__(self, structure, opening, kind, by_reference):
        self.symbol, self.start, self.end = structure.symbol(opening + 1), opening, structure.close[opening]
        self.text, self.by_reference = structure.text, by_reference
        self.negated = not by_reference and re.fullmatch(NEGATED, kind)

    def holds(self, start, end, new):
        """Whether a break stands in it that makes something wrong: the negative of a pose or of a reference is none."""
        declared = re.search(r"(?:\breturn|\bS[OE]3<\w+> \w+ =)\s+$", self.text[self.start:start])
        nonsense = not self.negated and declared and new.startswith("-(")
        return self.start < start < self.end and not nonsense

    def is_access(self, code):
        """Whether it says no more than what stands elsewhere, the value of a member or of an element."""
        # It may require that there was a run.
        body = re.sub(r"(?:this->|\w+\.)(?:require\([^;]*\))?\s*;", "", code[self.start + 1:self.end]).strip()
        value = re.fullmatch(r"return\s+([^;]*);", body)
        return not body or value and not re.search(r"[({]| [-+*/?] ", re.sub(r"\[[^\]]*\]", "", value[1]))


def functions_of_numbers(structure):
    """The functions that return numbers, in the order of the text."""
    for opening in sorted(o for o, is_block in structure.block.items() if is_block):
        head = re.split(r"[;{}]|\b(?:public|private|protected):", structure.shape[:opening])[-1]
        found = re.match(rf"\s*(?:(?:inline|static|friend|const)\s+)*{NUMBERS}(&?)\s+"
                         r"(?:\w+(?:<\w+>)?::)*(?:operator *[^\s\w(]+|operator\(\)|\w+)\(", head)
        if found and "](" not in head:
            yield Function(structure, opening, found[1], found[2] == "&")


def unanswered(structure, code, others):
    """How functions of numbers answer with nothing that hold no other break; others: (start, end, what stands there)."""
    for function in functions_of_numbers(structure):
        returns = list(re.finditer(r"\breturn\s+(?!\{\};)[^;]*;", structure.shape[function.start:function.end]))
        if len(returns) == 1 and not function.is_access(code):
            start, end = (function.start + position for position in returns[0].span())
            if code.startswith("return", start) and not any(function.holds(*other) for other in others):
                value = " ".join(structure.text[start + len("return"):end - 1].split())
                yield start, end, (f"{{ static const std::remove_cvref_t<decltype({value})> nothing{{}}; return nothing; }}"
                                   if function.by_reference else "return {};")


def broken_files(root):
    """(chapter, path) of all that is broken, in a fixed order."""
    for chapter in CHAPTERS:
        for path in sorted((root / "src/articulate" / chapter).glob("*.hpp")):
            if path.name not in NOT_FORMULAS:
                yield chapter, path
        for file, of in OBJECTS.items():
            if of == chapter:
                yield chapter, root / file


def places(text):
    """(kind, start, end, what stands there instead) of each place of a text, kind by kind."""
    code, others = formulas(text), []
    for kind, way in WAYS.items():
        for other in way(code):
            others.append(other)
            yield kind, *other
    for answer in unanswered(Structure(text), code, others):
        yield "answer", *answer


def mutants(root):
    """Every mutant of the sources, in a fixed order."""
    for chapter, path in broken_files(root):
        text = path.read_text()
        for kind, start, end, new in places(text):
            first, last = text.rfind("\n", 0, start) + 1, text.index("\n", end)
            before, after = (" ".join(re.sub("//.*", "", part).split()) for part in
                             (text[first:last], text[first:start] + new + text[end:last]))
            yield Mutant(chapter, kind, path.relative_to(root).as_posix(), text.count("\n", 0, start) + 1,
                         start, end, new, before, after)


def without_place(text):
    """The functions of numbers in which nothing can be broken, though they do more than say what stands elsewhere."""
    structure, code, all_places = Structure(text), formulas(text), [place for _, *place in places(text)]
    for function in functions_of_numbers(structure):
        if not function.is_access(code) and not any(function.holds(*place) for place in all_places):
            yield function.symbol


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


def shown_equivalent():
    """{(file, before, after): reason} from equivalent.tsv."""
    lines = (pathlib.Path(__file__).parent / "equivalent.tsv").read_text().splitlines()[1:]
    return {(file, before, after): reason for file, before, after, reason in (line.split("\t") for line in lines)}
