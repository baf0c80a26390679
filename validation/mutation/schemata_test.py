#!/usr/bin/env python3
"""The wrapping of breaks, on small texts."""
import re
import unittest

from contextlib import redirect_stdout
from io import StringIO

from matrix import Break, Judge, Matrix, audit, key_of, told_apart
from places import Mutant, dropped_terms, places, without_place, wrong_components, wrong_inverses, wrong_signs
from schemata import Structure, blamed, nonsense, rewritten


def mutant(text, old, new, of=0):
    """The break that replaces the text between the first and last > < of `old`, as in `a >+< b`."""
    before, place, _ = re.split(r"»|«", old)
    start = text.index(old.replace("»", "").replace("«", "")) + len(before)
    return Mutant("group", "sign", "x.hpp", 1, start, start + len(place), new, "", "")


def flat(text):
    return " ".join(text.split())


def wrap(text, *breaks, ways={}):
    mutants = {k: mutant(text, *b) for k, b in enumerate(breaks, 1)}
    result, taken, lines = rewritten(text, mutants, ways)
    return flat(result), [taken[k] for k in mutants], lines, result


class Wrapping(unittest.TestCase):
    def test_returned_expression(self):
        text = "int f(int a, int b)\n{\n  return a + b;  // a - b\n}\n"
        got, ways, lines, result = wrap(text, ("a »+« b", "-"))
        self.assertEqual(ways, ["expression"])
        self.assertIn("return (::articulate::whole(1, 1) ? (a + b) : ::articulate::broken(1) ? (a - b) : (a + b));",
                      got)
        self.assertEqual([result.split("\n")[n - 1][:21] for n in lines if n > 0], ["::articulate::broken("])

    def test_entry_of_a_list(self):
        text = "T f()\n{\n  return {cross(r, f), g + f};\n}\n"
        got, ways, _, _ = wrap(text, ("cross(»r, f«)", "f, r"), ("g »+« f", "-"))
        self.assertEqual(ways, ["expression"] * 2)
        self.assertIn("{(::articulate::whole(1, 1) ? (cross(r, f)) : ::articulate::broken(1) ? (cross(f, r)) : ", got)

    def test_nested_parts_repeat_nothing(self):
        text = "T f()\n{\n  return a + g(b - c);\n}\n"
        got, ways, _, _ = wrap(text, ("a »+« g", "-"), ("b »-« c", "+"))
        self.assertEqual(ways, ["expression"] * 2)
        self.assertEqual(got.count("broken(2)"), 1)
        self.assertIn("whole(1, 1) ? (a + g((::articulate::whole(2, 2) ? (b - c) :", got)

    def test_declared_numbers(self):
        text = "T f()\n{\n  const Scalar x = a[0] * b, y = a[1] - b;\n}\n"
        got, ways, _, _ = wrap(text, ("a[»0«]", "1"), ("a[1] »-« b", "+"))
        self.assertEqual(ways, ["expression"] * 2)
        self.assertIn("x = a[(::articulate::whole(1, 1) ? (0) :", got)
        self.assertIn("y = (::articulate::whole(2, 2) ? (a[1] - b) : ::articulate::broken(2) ? (a[1] + b)", got)

    def test_assignment_is_a_statement(self):
        text = "T f()\n{\n  if (a < b) x += y;\n  else x = z;\n}\n"
        got, ways, _, _ = wrap(text, ("x »+=« y", "-="), ("»x = z;«", ";"))
        self.assertEqual(ways, ["statement"] * 2)
        self.assertIn("if (a < b) { if (::articulate::broken(1)) { x -= y; } else { x += y; } }", got)
        self.assertIn("else { if (::articulate::broken(2)) { ; } else { x = z; } }", got)

    def test_place_that_is_assigned_to(self):
        text = "void f()\n{\n  I(i, j) = J(i, j), I(j, k) = H(i, j);\n}\n"
        got, ways, _, _ = wrap(text, ("»j, k«", "k, j"))
        self.assertEqual(ways, ["expression"])
        self.assertIn(", (::articulate::whole(1, 1) ? (I(j, k)) : ::articulate::broken(1) ? (I(k, j)) : (I(j, k))) = ",
                      got)

    def test_degraded_to_statement(self):
        text = "T f()\n{\n  return a + b;\n}\n"
        got, ways, lines, _ = wrap(text, ("a »+« b", "-"), ways={1: "statement"})
        self.assertEqual(ways, ["statement"])
        self.assertIn("{ { if (::articulate::broken(1)) { return a - b; } else { return a + b; } } }", got)
        self.assertEqual(lines, {4: 1, -5: [1]})

    def test_degraded_to_value(self):
        text = "T f()\n{\n  const auto W = g(a + b), V = W * W;\n}\n"
        got, ways, lines, _ = wrap(text, ("a »+« b", "-"), ways={1: "statement"})
        self.assertEqual(ways, ["value"])
        self.assertIn("W = g(([&]() -> ::articulate::Value<decltype(a + b)> { if (::articulate::broken(1)) return a - b; "
                      "return a + b; }())),", got)
        self.assertEqual(lines, {4: 1, -3: [1], -5: [1]})

    def test_what_is_assigned_to_has_no_value(self):
        text = "struct A {\n  void f(int i) { x(i).y[j] = 1; }\n};\n"
        self.assertIsNone(Structure(text).part(mutant(text, "x(i)».y«[j]", ".z"), "value"))

    def test_left_alone(self):
        text = "T f()\n{\n  const auto W = a + b;\n}\n"
        got, ways, lines, _ = wrap(text, ("a »+« b", "-"), ways={1: "alone"})
        self.assertEqual((ways, lines), (["alone"], {}))
        self.assertIn("const auto W = a + b;", got)

    def test_choice_within_a_choice(self):
        text = "T f()\n{\n  return a ? b + c : d - e;\n}\n"
        got, ways, _, _ = wrap(text, ("d »-« e", "+"))
        self.assertIn("return a ? b + c : (::articulate::whole(1, 1) ? (d - e) :", got)

    def test_member_initialiser(self):
        text = "struct A {\n  A(T x)\n      : a_(x + y), b_{inverse(x)}\n  {\n    c = x - y;\n  }\n};\n"
        got, ways, _, _ = wrap(text, ("x »+« y", "-"), ("»inverse(x)«", "(x)"), ("x »-« y", "+"))
        self.assertEqual(ways, ["expression"] * 3)
        self.assertIn("a_((::articulate::whole(1, 1) ? (x + y) :", got)
        self.assertIn("b_{(::articulate::whole(2, 2) ? (inverse(x)) :", got)

    def test_templates_are_brackets(self):
        text = "T f()\n{\n  g(Matrix<S, 3, 1>(a, b));\n  const Map<S, 2> m = x < y ? a : -b;\n}\n"
        got, ways, _, _ = wrap(text, ("»a, b«", "b, a"), ("»-«b", ""))
        self.assertIn("g((::articulate::whole(1, 1) ? (Matrix<S, 3, 1>(a, b)) :", got)
        self.assertIn("x < y ? a : (::articulate::whole(2, 2) ? (-b) :", got)

    def test_all_of_the_library(self):
        import places
        from schemata import numbered
        texts, counts = {}, {}
        everything = list(places.mutants(places.ROOT))
        for number, one in numbered(everything, {m.file: (places.ROOT / m.file).read_text() for m in everything}).items():
            texts.setdefault(one.file, {})[number] = one
        for file, mutants in texts.items():
            result, taken, lines = rewritten((places.ROOT / file).read_text(), mutants, {})
            self.assertEqual(sorted(n for line, n in lines.items() if line > 0), sorted(n for n in mutants if taken[n] != "alone"), file)
            for way in taken.values():
                counts[way] = counts.get(way, 0) + 1
        self.assertLess(counts.get("alone", 0), 0.05 * sum(counts.values()), counts)


class Symbols(unittest.TestCase):
    def test_class_and_function(self):
        text = ("namespace articulate {\ntemplate <typename S>\nstruct A {\n  S x = S(1);\n  explicit A(S y)\n      : x(y + 1)\n  {\n  }\n"
                "  friend A operator+(A a, A b) { return {a.x + b.x}; }\n  S f(S a)\n  {\n    if (a) return a + 2;\n"
                "    const auto g = [&](S b) { return b + 3; };\n  }\n};\n\ntemplate <typename S>\nS A<S>::h(const B<S>& b) const\n"
                "{\n  for (int i : b) x += b;\n}\ninline double k(T t, const F& f = {}) { return -t; }\n}\n")
        structure = Structure(text)
        for place, symbol in {"S(1)": "A", "y + 1": "A::A", "a.x +": "A::operator+", "a + 2": "A::f", "b + 3": "A::f",
                              "x += b": "A::h", "-t": "k"}.items():
            self.assertEqual(structure.symbol(text.index(place)), symbol, place)


class Places(unittest.TestCase):
    def broken_at(self, way, code):
        return [code[:start] + new + code[end:] for start, end, new in way(code)]

    def test_a_sign_changes_one_value_of_a_declaration(self):
        self.assertEqual(self.broken_at(wrong_signs, "  const Scalar k = f(a, b) * c, zero(0);\n"),
                         ["  const Scalar k = -(f(a, b) * c), zero(0);\n"])

    def test_a_statement_goes_with_the_lambdas_in_it(self):
        self.assertEqual(self.broken_at(dropped_terms, "  x = f([](int k) { return k; });\n  y();\n"), ["  ;\n  y();\n"])

    def test_the_first_term_is_dropped_where_the_formula_begins_a_line(self):
        self.assertEqual(self.broken_at(dropped_terms, "  return {};\n  x =\n      a + b;\n")[:2],
                         ["  return {};\n  x =\n      a;\n", "  return {};\n  x =\n      b;\n"])

    def test_a_declared_value_is_no_statement(self):
        self.assertEqual(self.broken_at(dropped_terms, "  const Scalar x = f(y),\n               z = g(y);\n"), [])

    def test_a_type_is_no_formula(self):
        self.assertEqual(list(places("S f()\n{\n  decltype(a[0] * b[0]) sum{};\n  return sum;\n}\n")),
                         list(places("S f()\n{\n                        sum{};\n  return sum;\n}\n")))

    def test_names_sizes_and_places_are_no_formulas(self):
        self.assertEqual(self.broken_at(wrong_inverses, "const Scalar& inverse(int k) const\nvoid inverse(int k)\n"), [])
        self.assertEqual(self.broken_at(wrong_components, "  Twist<Scalar> S[6];\n"), [])
        self.assertEqual(self.broken_at(wrong_signs, "  f(next - list.begin());\n"), [])

    def test_a_body_has_a_parent(self):
        self.assertEqual(self.broken_at(wrong_components, "  add_body(joint, parent.body, place, frame);\n"),
                         ["  add_body(joint, 0, place, frame);\n"])

    def of_a_class(self, function):
        return f"namespace articulate {{\nclass A {{\npublic:\n  {function}\n}};\n}}\n"

    def answers(self, function, nothing="return {};"):
        text = self.of_a_class(function)
        return [text[start:end] for kind, start, end, new in places(text) if kind == "answer" and new == nothing]

    def test_a_function_that_only_calls_others_answers_with_nothing(self):
        for value in ("G<Scalar>(model)(q)", "{a, b}", "i < k ? f(i) : Twist<Scalar>{}"):
            self.assertEqual(self.answers(f"MatrixX<Scalar> f(const Model<Scalar>& model) {{ return {value}; }}"),
                             [f"return {value};"])

    def test_a_function_whose_value_has_no_negative_answers_with_nothing(self):
        for function in ("SE3<Scalar> f() const { return T[i] * X; }", "LinkFrame<Scalar> f() { return g(a); }",
                         "SE3<S> f() const { const SE3<S> X = g(a); return h(X); }",
                         "SE3<S> f(int i) { for (const A& a : all_)\n  if (a.i == i) return a.X; return {}; }",
                         "Scalar f() { g(a); return a_; }"):
            self.assertEqual(len(self.answers(function)), 1, function)
        self.assertEqual(self.answers("SE3<S> f() const { return {R * X, transpose(R)}; }"), [])
        nothing = "{ static const std::remove_cvref_t<decltype(found(a_))> nothing{}; return nothing; }"
        self.assertEqual(self.answers("const Scalar& f() const { return found(a_); }", nothing), ["return found(a_);"])

    def test_what_can_be_broken_otherwise_or_is_no_number_of_its_own_answers(self):
        for function in ("Scalar f() const { return g(a) + h(b); }", "Scalar f() const { return a_; }",
                         "const Scalar& f(int i) const { return a_[at(i)]; }", "int f() const { return g(a); }",
                         "void f() { g(a); }", "bool f() const { return g(a); }",
                         "Parameter f(int k) { return {kind, k}; }"):
            self.assertEqual(self.answers(function), [], function)

    def test_what_cannot_be_broken_is_told(self):
        for function in ("Scalar f() { if (a) return a_; g(a); return b_; }", "Scalar f() { if (a) return G<S>(a); return G<S>(b); }"):
            self.assertEqual([*without_place(self.of_a_class(function))], ["A::f"], function)

    def test_what_says_what_stands_elsewhere_need_not_be_broken(self):
        for function in ("const Scalar& f() const { return a_[at(i) + 1]; }", "Scalar f() { return g(a); }",
                         'const Scalar& f() const { this->require_run("number"); return a_; }',
                         'const Scalar& f() const { first_.require("number"); return a_; }', "void f() { g(a); }"):
            self.assertEqual([*without_place(self.of_a_class(function))], [], function)


class Blame(unittest.TestCase):
    def test_line_in_which_parts_begin(self):
        said = "/s/a.hpp:12:3: error: fields must have a constant size\n"
        self.assertEqual(blamed(said, {"/s/a.hpp": {-12: [5, 6], 13: 5}}), {5, 6})

    def test_innermost_line_of_each_error(self):
        said = ("/eigen/x.h:7:2: error: no match\n/s/a.hpp:12:3: note: in instantiation\n/s/a.hpp:40:3: note: requested\n"
                "/s/a.hpp:40:1: warning: unused\n/s/a.hpp:41:1: note: here\n/s/b.hpp:3:1: error: no such\n")
        self.assertEqual(blamed(said, {"/s/a.hpp": {12: 5, 40: 6, 41: 7}, "/s/b.hpp": {3: 8}}), {5, 8})


    def test_innermost_part_even_if_a_wrong_form_calls_it(self):
        said = "/s/a.hpp:12:3: error: incompatible operand types\n/s/b.hpp:40:3: note: in instantiation\n"
        self.assertEqual(blamed(said, {"/s/a.hpp": {-12: [5, 6], 13: 5, 14: 6}, "/s/b.hpp": {40: 7}}), {5, 6})

    def test_what_means_nothing_is_stillborn(self):
        said = ("/s/a.hpp:12:3: error: no matching function for call to 'cross'\n"
                "/s/a.hpp:40:3: error: incompatible operand types ('A' and 'B')\n"
                "/s/a.hpp:50:3: error: returning reference to local temporary object\n")
        lines, ways = {"/s/a.hpp": {12: 5, 40: 6, 50: 7}}, {5: "expression", 6: "expression", 7: "expression"}
        self.assertEqual(nonsense(said, lines, ways), {5})
        self.assertEqual(nonsense(said, lines, ways | {7: "statement"}), {5, 7})


class Stored(unittest.TestCase):
    """What a stored matrix still says of breaks, after lines and judges have changed."""

    JUDGES = [Judge("identity", "body", "energy", "kinetic_energy", "2", "0"),
              Judge("identity", "group", "actions", "Ad SE3::inverse", "3", "0")]

    def stored(self, line, noticed=("energy",), way="expression", symbol="kinetic_energy"):
        return Break("a.hpp", symbol, "sign", way, line, line + "!", "0.1", None if noticed is None else set(noticed))

    def known(self, breaks, places=None, judges=None):
        """Of places to break, numbered from 1, those that need not be judged again, and what is said of them."""
        places = places or [(one, one.symbol) for one in breaks]
        given = {n: (key_of(one), symbol) for n, (one, symbol) in enumerate(places, 1)}
        return Matrix("abc", self.JUDGES, breaks).known(given, self.JUDGES if judges is None else judges)

    def test_like_keys_are_told_apart_by_their_order_and_their_number(self):
        self.assertEqual([*told_apart("abacaa")],
                         [("a", 1, 4), ("b", 1, 1), ("a", 2, 4), ("c", 1, 1), ("a", 3, 4), ("a", 4, 4)])

    def test_what_was_noticed_is_known(self):
        first, second = self.stored("x = a;"), self.stored("y = b;", ["actions"])
        found = self.known([first, second])
        self.assertEqual({n: one.noticed for n, one in found.items()}, {1: {"energy"}, 2: {"actions"}})

    def test_what_nobody_noticed_or_judged_is_asked_again(self):
        breaks = [self.stored("x = a;", []), self.stored("y = b;", None), self.stored("z = c;")]
        self.assertEqual([*self.known(breaks)], [3])

    def test_what_means_nothing_stays_so(self):
        self.assertEqual([*self.known([self.stored("x = a;", None, "stillborn")])], [1])

    def test_a_new_line_is_asked_and_a_moved_one_is_not(self):
        old, new = self.stored("x = a;"), self.stored("y = b;")
        found = self.known([old], [(new, "kinetic_energy"), (old, "moved_elsewhere")])
        self.assertEqual({n: one.symbol for n, one in found.items()}, {2: "moved_elsewhere"})

    def test_of_like_lines_none_is_known_where_one_was_added(self):
        one, other = self.stored("x = a;"), self.stored("x = a;", ["actions"])
        same = self.known([one, other])
        self.assertEqual({n: each.noticed for n, each in same.items()}, {1: {"energy"}, 2: {"actions"}})
        self.assertEqual(self.known([one, other], [(one, "f")] * 3), {})

    def test_a_judge_who_is_gone_has_noticed_nothing(self):
        both, lost = self.stored("x = a;", ["energy", "actions"]), self.stored("y = b;", ["actions"])
        found = self.known([both, lost], judges=self.JUDGES[:1])
        self.assertEqual({n: one.noticed for n, one in found.items()}, {1: {"energy"}})

    def test_a_new_judge_is_asked_about_the_symbols_that_it_names(self):
        named, other = self.stored("x = a;"), self.stored("y = b;", symbol="momentum")
        new = Judge("identity", "body", "work", "kinetic_energy", "1", "0")
        self.assertEqual([*self.known([named, other], judges=[*self.JUDGES, new])], [2])
        renamed = self.JUDGES[1]._replace(symbols="momentum")  # it names something else than before
        self.assertEqual([*self.known([named, other], judges=[self.JUDGES[0], renamed])], [1])

    def test_a_judge_who_names_less_is_not_asked_again(self):
        inverse = self.stored("x = a;", ["actions"], symbol="SE3::inverse")
        self.assertEqual([*self.known([inverse], judges=[self.JUDGES[0], self.JUDGES[1]._replace(symbols="SE3::inverse")])], [1])


class Audited(unittest.TestCase):
    """What the audit of a matrix misses."""

    JUDGE = Judge("identity", "body", "energy", "kinetic_energy", "2", "h")
    KINETIC = Break("a.hpp", "kinetic_energy", "sign", "expression", "x = a;", "x = -a;", "0.1", {"energy"})

    def missed(self, judge, breaks, places=None, silent=()):
        said = StringIO()
        with redirect_stdout(said):
            count = audit([judge], breaks, places or [(key_of(one), one.symbol) for one in breaks], silent)
        lines = [line.strip() for line in said.getvalue().splitlines() if line.startswith("  ")]
        self.assertEqual(len(lines), count)
        return lines

    def test_nothing(self):
        self.assertEqual(self.missed(self.JUDGE, [self.KINETIC]), [])

    def test_an_identity_that_does_not_notice(self):
        other = Break("a.hpp", "work", "sign", "expression", "y = b;", "y = -b;", "0.1", {"power"})
        judge = self.JUDGE._replace(symbols="kinetic_energy work")
        self.assertEqual(self.missed(judge, [self.KINETIC, other]), ["body energy: work, 1 breaks"])
        newer = [(key_of(one), one.symbol) for one in (self.KINETIC, other)] + [("a.hpp\tz = c;\tz = -c;", "work")]
        self.assertEqual(self.missed(judge, [self.KINETIC, other], newer), [])

    def test_a_symbol_without_guard(self):
        self.KINETIC.noticed, kept = set(), self.KINETIC.noticed
        self.addCleanup(setattr, self.KINETIC, "noticed", kept)
        self.assertEqual(self.missed(self.JUDGE._replace(symbols=""), [self.KINETIC]), ["a.hpp: kinetic_energy, 1 breaks"])

    def test_a_name_in_which_nothing_can_be_broken(self):
        judge = self.JUDGE._replace(symbols="kinetic_energy is_admissible")
        self.assertEqual(self.missed(judge, [self.KINETIC]), ["body energy: is_admissible"])
        newer = [(key_of(self.KINETIC), "kinetic_energy"), ("a.hpp\tz = c;\tz = -c;", "is_admissible")]
        self.assertEqual(self.missed(judge, [self.KINETIC], newer), [])

    def test_a_function_in_which_nothing_can_be_broken(self):
        self.assertEqual(self.missed(self.JUDGE, [self.KINETIC], silent=[("b.hpp", "momentum")]), ["b.hpp: momentum"])


if __name__ == "__main__":
    unittest.main()
