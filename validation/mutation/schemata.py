#!/usr/bin/env python3
"""One library that holds all wrong ones: every break becomes a branch on a number that is read at run time.

A break is wrapped in the narrowest part of its formula that can stand as a choice, by the first way that compiles:

  expression   (whole(1, 2) ? (right) : broken(1) ? (wrong) : broken(2) ? (other wrong) : (right))
  statement    { if (broken(1)) wrong; else if (broken(2)) other wrong; else right; }
  value        ([&]() -> Value<decltype(right)> { if (broken(1)) return wrong; return right; }())

The first chooses between forms of one type; the last evaluates either, where wrong and right are matrix expressions of
different types or numbers and their expressions, and no place of an assignment.

Each wrong form stands on a line of its own, so that what the compiler says of the line is said of the break. A break
that fits none of the ways is left to be compiled alone; one that the compiler refuses for what it says itself, such as
the negative of a pose, is stillborn. A part that holds wrapped parts repeats them in its right form
only, since one break is made at a time: the text grows with the number of breaks, not with their products.
"""
import collections
import re

WAYS = ["expression", "statement", "value"]
LEFT_OUT = ["alone", "stillborn"]
HEADER = "articulate/mutant.hpp"
DECLARATION = """#pragma once
#include <type_traits>

namespace articulate {

inline unsigned mutant = 0;               // which break is made: 0 is none
inline unsigned char* reached = nullptr;  // where a run of the sound library notes the breaks that it passes

/// Whether the formula with the breaks from first to last is right.
inline bool whole(unsigned first, unsigned last)
{
  for (unsigned n = first; reached && n <= last; ++n) reached[n] = 1;
  return mutant - first > last - first;
}

/// What an expression is evaluated to: of a matrix expression the matrix.
template <typename T>
struct Evaluated {
  using type = T;
};
template <typename T>
  requires requires { typename T::PlainObject; }
struct Evaluated<T> {
  using type = typename T::PlainObject;
};
template <typename T>
using Value = typename Evaluated<std::remove_cvref_t<T>>::type;

/// Whether a break is made.
inline bool broken(unsigned n)
{
  if (reached) reached[n] = 1;
  return mutant == n;
}

}  // namespace articulate
"""

Part = collections.namedtuple("Part", "start end way")


# Reading C++ ----------------------------------------------------------------------------------------------------------

def blanked(pattern, text):
    return re.sub(pattern, lambda match: re.sub(r"[^\n]", " ", match.group()), text, flags=re.S | re.M)


def without_comments(text):
    """The text with its comments blanked; all else stays where it is."""
    kept = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)
    return kept.sub(lambda m: m.group() if m.group()[0] in "\"'" else re.sub(r"[^\n]", " ", m.group()), text)


class Structure:
    """The brackets of a text, and the parts of formulas between them."""

    def __init__(self, text):
        self.text = without_comments(text)
        shape = blanked(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^ *#[^\n]*|^ *template\b[^\n]*', self.text)
        self.shape = shape
        self.close, self.inside, self.block = {}, [-1] * len(shape), {}
        stack = []
        for position, character in enumerate(shape):
            if character in ")]}" or character == ">" and stack and shape[stack[-1]] == "<":
                while stack and shape[stack[-1]] == "<" and character != ">":  # it was no bracket
                    self.close[stack.pop()] = -1
                if stack:
                    self.close[stack.pop()] = position
            self.inside[position] = stack[-1] if stack else -1
            if character in "([{" or character == "<" and self.opens_template(position):
                self.block[position] = character == "{" and self.opens_block(position, stack)
                stack.append(position)
        for opening in [o for o, end in self.close.items() if end == -1]:
            raise ValueError(f"what looks like the bracket of a template is none: {self.line(opening)}")

    def line(self, position):
        return self.text[self.text.rfind("\n", 0, position) + 1:self.text.find("\n", position)].strip()

    def opens_template(self, position):
        """clang-format writes `a < b`, but `Matrix<3>`."""
        return re.match(r"\w<[\w:&*. ()>,]", self.shape[position - 1:position + 2]) is not None

    def opens_block(self, position, stack):
        before = self.shape[:position]
        word = re.search(r"(\S*)\s*$", before[-80:])[1]
        if not before[-1:].isspace() or word.endswith(("=", ",", "(")) or word == "return":
            return False
        return not (word.endswith("{") and stack and not self.block[stack[-1]])

    def end_of(self, opening):
        return self.close[opening] if opening >= 0 else len(self.text)

    def balanced(self, start, end):
        """The part made longer until each bracket that opens in it closes in it, and the bracket that it stands in."""
        changed = True
        while changed:
            changed = False
            for position in range(start, end):
                if position in self.close and self.close[position] >= end:
                    end, changed = self.close[position] + 1, True
        around = self.inside[start]
        while around >= 0 and self.close[around] < end:
            around = self.inside[around]
        return start, end, around

    def expression(self, start, end):
        """The narrowest part between commas, brackets and equals signs that holds a place; None: there is none."""
        start, end, around = self.balanced(start, end)
        while "," in self.own(start, end, around) and around >= 0 and not self.block[around]:
            start, end, around = self.balanced(around, self.close[around] + 1)
        if re.search(r"(?<![<>=!])=(?!=)|[;,]", self.own(start, end, around)):
            return None
        first, by = start, ""
        while first > around + 1:
            if self.inside[first - 1] == around or self.close.get(self.inside_open(first - 1, around)) == first - 1:
                by = self.delimiter_before(first, around)
                if by:
                    break
            first -= 1
        by = by or (self.shape[around] if around >= 0 else "")
        last = end
        limit = self.end_of(around)
        then = ")"
        while last < limit:
            if self.inside[last] == around:
                match = re.match(r"[,;]| \?\s| :\s| [-+*/]?= |\{", self.shape[last:last + 4])
                if match and not (match.group() == "{" and not self.block.get(last)):
                    then = match.group().strip()
                    break
            last += 1
        else:
            if around >= 0 and self.block[around]:
                return None
        in_block = around < 0 or self.block[around]
        if in_block and by in "{;}," and not then.endswith("="):
            return None  # a statement or a declaration
        first, last = self.stripped(first, last)
        part = self.text[first:last]
        if not part or part.startswith("{") or (then.endswith("=") and re.search(r"[\w>&*] +[&*]?\w", part)):
            return None
        return Part(first, last, "expression")

    def own(self, start, end, around):
        """What of a part stands in no bracket of its own."""
        return "".join(self.shape[p] for p in range(start, end) if self.inside[p] == around)

    def inside_open(self, position, around):
        """The bracket that a closing bracket at a position closes, if it stands in a given one."""
        if self.shape[position] not in ")]}>":
            return None
        return next((o for o in reversed(self.opened) if self.close[o] == position and self.inside[o] == around), None)

    @property
    def opened(self):
        if not hasattr(self, "_opened"):
            self._opened = sorted(self.close)
        return self._opened

    def delimiter_before(self, first, around):
        """What ends just before a position and cannot belong to an expression that starts there."""
        before = self.shape[max(0, first - 12):first]
        match = re.search(r"(?:[,;]|(?<=\s)\?\s|(?<=\s):\s|(?<=\s)[-+*/]?=\s|\breturn\s)$", before)
        if match:
            return match.group().strip()
        if before.endswith("}"):
            opening = next((o for o in self.opened if self.close[o] == first - 1), None)
            if opening is not None and self.block[opening]:
                return "}"
        return ""

    def stripped(self, first, last):
        while first < last and self.shape[first].isspace():
            first += 1
        while last > first and self.shape[last - 1].isspace():
            last -= 1
        return first, last

    def statement(self, start, end):
        """The innermost statement that holds a place, without what governs it: its start and the end behind its `;`."""
        start, end, around = self.balanced(start, end)
        while around >= 0 and not self.block[around]:
            start, end, around = around, self.close[around] + 1, self.inside[around]
        if around < 0 or re.search(r"\b(?:namespace|struct|class|union|enum)\b", re.split("[;{}]", self.shape[:around])[-1]):
            return None  # a declaration
        first = start
        while first > around + 1:
            before = first - 1
            if self.shape[before] == ";" and self.inside[before] == around:
                break
            if self.shape[before] == "}":
                opening = next((o for o in self.opened if self.close[o] == before), None)
                if opening is not None and self.inside[opening] == around and self.block[opening]:
                    break
            first -= 1
        while True:
            first, _ = self.stripped(first, end)
            match = re.match(r"(?:if(?: constexpr)?|for|while|switch) \(|else\b|case [\w:]+:|default:|\w+:(?!:)",
                             self.shape[first:])
            if not match:
                break
            if match.group().endswith("("):
                governed = self.close[first + match.end() - 1] + 1
                if governed > start:
                    return None  # the place stands in the head of a loop or of a condition
                first = governed
            else:
                first += match.end()
        last = end
        while last < self.end_of(around) and not (self.shape[last - 1] == ";" and self.inside[last - 1] == around):
            last += 1
        return (first, last) if self.shape[last - 1] == ";" else None

    def symbol(self, position):
        """The class and the function that a place belongs to: Recursion::carry_velocity; what is local has no name."""
        around, chain = self.inside[position], []
        while around >= 0:
            chain.append(around)
            around = self.inside[around]
        names = []
        for opening in [o for o in reversed(chain) if self.block[o]] + [position]:
            if opening == position:
                head = self.head_before(position)
            else:  # an argument that is not given may be {}
                before = re.sub(r"= \{\}(?=[,)])", "", self.shape[max(0, opening - 2000):opening])
                head = re.split(r"[;{}]", before)[-1]
            head = re.sub(r"\b(?:public|private|protected|default):", " ", head)
            head = re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", head))
            kind = re.match(r"\s*(?:friend )?(namespace|struct|class|enum class|union)\b\s*([\w:]*)", head)
            if kind:
                names += [kind[2]] * (kind[1] != "namespace")
                continue
            function = re.search(r"((?:\w+::)*(?:operator\s*[^\s\w(]+|operator\(\)|~?\w+))\s*\(", head)
            if function and function[1] not in ("if", "for", "while", "switch", "catch", "requires", "noexcept"):
                return "::".join(names + [function[1].replace(" ", "")])
        return "::".join(names)

    def head_before(self, position):
        """Between the last declaration of a class or namespace and a place in the initialisers of a constructor."""
        around = position
        while self.inside[around] >= 0 and not self.block[self.inside[around]]:
            around = self.inside[around]
        head = re.split(r"[;}]|(?<=\s)\{", self.shape[:around])[-1]
        return head if re.search(r"\)\s*:\s", head) else ""

    def part(self, mutant, way):
        """The part to wrap for a mutant in a given way; None: it cannot be wrapped so."""
        if way == "expression":
            return self.expression(mutant.start, mutant.end)
        if way == "value":
            part = self.expression(mutant.start, mutant.end)
            assigned = part and re.match(r"\s*[-+*/]?=(?!=)", self.shape[part.end:])
            return None if not part or assigned else part._replace(way=way)
        found = self.statement(mutant.start, mutant.end)
        if not found:
            return None
        first, last = found
        words = self.text[first:last]
        declares = re.match(r"(?:const |static |constexpr |auto\b|using\b|struct\b|[\w:]+(?:<[^;=()]*>)? [&*]?\w+(?:\[| =|;|\(|\{|,))"
                            r"|[\w:]+(?:<[^;=()]*>)?[&*]? [&*]?\w+(?: =|;|\{|\()", words)
        return None if declares and not words.startswith("return") else Part(first, last, way)


# Rewriting ------------------------------------------------------------------------------------------------------------

def broken(text, part, mutant):
    """The wrong form of a part, in one line."""
    wrong = text[part.start:mutant.start] + mutant.text + text[mutant.end:part.end]
    return " ".join(wrong.split())


def wrapped(part, right, wrongs, plain):
    """A part as a choice; wrongs: [(number, wrong form)]; plain: the right form without choices of its own."""
    numbers = [number for number, _ in wrongs]
    if part.way == "expression":
        choices = "".join(f"\n::articulate::broken({n}) ? ({wrong}) :" for n, wrong in wrongs)
        if numbers != list(range(numbers[0], numbers[-1] + 1)):
            return f"({choices}\n({right}))"
        return f"(::articulate::whole({numbers[0]}, {numbers[-1]}) ? ({right}) :{choices}\n({plain}))"
    if part.way == "statement":
        choices = "".join(f"\nif (::articulate::broken({n})) {{ {wrong} }} else" for n, wrong in wrongs)
        return f"{{{choices} {{\n{right} }} }}"
    choices = "".join(f"\nif (::articulate::broken({n})) return {wrong};" for n, wrong in wrongs)
    return f"([&]() -> ::articulate::Value<decltype({plain})> {{{choices}\nreturn {right}; }}())"


def chosen(structure, mutants, ways):
    """{part: its mutants} and the way of each mutant: the first, from the one to try on, that has a part for it."""
    parts, taken = collections.defaultdict(list), {}
    for number, mutant in mutants.items():
        start = len(WAYS) if ways.get(number) in LEFT_OUT else WAYS.index(ways.get(number, WAYS[0]))
        for way in WAYS[start:]:
            part = structure.part(mutant, way)
            if part and part.start <= mutant.start and mutant.end <= part.end:
                parts[part].append(number)
                taken[number] = way
                break
        else:
            taken[number] = ways[number] if ways.get(number) in LEFT_OUT else "alone"
    return parts, taken


def numbered(mutants, texts):
    """The mutants by number, so that those of one part follow each other; texts: {file: text}."""
    structures = {file: Structure(text) for file, text in texts.items()}

    def place(mutant):
        parts, _ = chosen(structures[mutant.file], {0: mutant}, {})
        part = next(iter(parts), None)
        return (mutant.file, part.start, -part.end, mutant.start) if part else (mutant.file, mutant.start, 0, 0)

    return dict(enumerate(sorted(mutants, key=place), 1))


def rewritten(text, mutants, ways):
    """The text with its mutants wrapped, the way of each, and the mutant of each line that holds a wrong form; under the
    negative number of a line the mutants of the parts that begin in it.

    mutants  {number: mutant}, all of this text
    ways     {number: name of the first way to try}; "alone" and "stillborn" leave one out
    """
    structure = Structure(text)
    parts, taken = chosen(structure, mutants, ways)
    order = sorted(parts, key=lambda p: (p.start, -p.end, WAYS.index(p.way) * -1))

    def render(start, end, inner):
        out, position = [], start
        while inner:
            part = inner.pop(0)
            nested = []
            while inner and inner[0].start < part.end:
                nested.append(inner.pop(0))
            plain = " ".join(structure.text[part.start:part.end].split())
            right = render(part.start, part.end, nested) if nested else plain
            wrongs = [(n, broken(structure.text, part, mutants[n])) for n in sorted(parts[part])]
            out += [structure.text[position:part.start], wrapped(part, right, wrongs, plain)]
            position = part.end
        return "".join(out) + structure.text[position:end]

    result = render(0, len(structure.text), order)
    result = result.replace("#pragma once", f"#pragma once\n#include <{HEADER}>", 1)
    lines, around = {}, collections.defaultdict(list)
    for number, line in enumerate(result.split("\n"), 1):
        named = re.match(r"(?:if \()?::articulate::broken\((\d+)\)", line)
        if named:
            lines[number] = int(named[1])
            if re.match(r"if \(\S+ return ", line):  # a value: its type stands before, its right form behind
                around[number - 1].append(int(named[1]))
            if re.match(r"if \(\S+ (?:\{ )?return ", line):  # what is returned has one type
                around[number + 1].append(int(named[1]))
        heads = re.findall(r"::articulate::whole\((\d+), (\d+)\)", line)
        if heads:
            lines[-number] = [n for first, last in heads for n in range(int(first), int(last) + 1)]
    lines.update({-number: numbers for number, numbers in around.items() if number not in lines and -number not in lines})
    return result, taken, lines


def blamed(said, lines):
    """The mutants whose lines the compiler names: of each error, the innermost such line in it or in its notes;
    where there is none, all that begin in the innermost line of a part.

    said   what clang++ says with -fno-caret-diagnostics
    lines  {absolute file: {line: mutant}}
    """
    guilty = set()
    for error in re.split(r"^(?=[^\n]*: (?:fatal )?error: |[^\n]*: warning: )", said, flags=re.M):
        if re.match(r"[^\n]*error: ", error):
            places = re.finditer(r"^(/[^\s:]+):(\d+):\d+: (?:fatal error|error|note): ", error, re.M)
            held = (breaks_of(int(place[2]), lines.get(place[1], {})) for place in places)
            guilty.update(next(filter(None, held), []))
    return guilty


def breaks_of(line, lines):
    """The mutants that a line can be blamed for: that whose wrong form it holds, or those of the parts that begin in it."""
    return [lines[line]] if line in lines else lines.get(-line)


# What a choice can be blamed for, and not the wrong form that stands in it: that it has another type than the right one.
OF_THE_CHOICE = re.compile(r"operand types|conditional expression|returned value|return object|local temporary|local binding"
                           r"|constant size|capture-default")


def nonsense(said, lines, ways):
    """The mutants whose wrong form the compiler refuses for what it says itself; ways: how each is wrapped."""
    found = re.findall(r"^(/[^\s:]+):(\d+):\d+: (?:fatal )?error: ([^\n]*)", said, re.M)
    wrong = [(lines[file][int(line)], words) for file, line, words in found if int(line) in lines.get(file, {})]
    return {number for number, words in wrong if ways[number] == "statement" or not OF_THE_CHOICE.search(words)}
