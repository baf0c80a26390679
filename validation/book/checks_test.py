#!/usr/bin/env python3
"""Breaks a small book in every way that its checks watch, and sees them fail; and tries what makes its pages."""
import json
import re
import sys
import tempfile
import unittest
from datetime import date
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from unittest.mock import patch

import counts
import english
import faces
import links
import quoted
import rows

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))
import bibliography
import breaks
import engine_pages
import finish_pages
import library_pages
import speed_pages
from concordance import place_in_paper, section_title
from make_pages import Book, long_runs
from markup import heading
from pictures.reading_map import layout, reduced, references
from places import Mutant
from text_index import sections

LEDGER = """<table id="ledger_table">
<tr data-paper="kim" data-chapter="group" data-status="verified" data-ground="legible">
<td class="paper">Kim</td><td class="number"><a class="anchor" id="eq_kim_1"></a><b>(1)</b></td>
<td class="formula"><a href="group.html#eqdef_kim_1">its place</a> <a href="concordance_kim.html#row_kim_1">in order</a></td>
<td class="symbol"><a href="code.html#a1">SO3</a></td>
<td class="proofs"><a href="proofs.html#proof_law">law</a> <a href="group.html#evidence_law">1e-16</a></td>
<td class="state"><span>verified</span></td></tr>
<tr data-paper="ma" data-chapter="mechanisms" data-status="open" data-ground="reconstructed">
<td class="paper">Ma</td><td class="number"><a class="anchor" id="eq_ma_90"></a><b>(90)</b></td>
<td class="formula"><a href="papers.html#paper_ma">the paper</a> <a href="concordance_ma.html#row_ma_90">in order</a></td>
<td class="symbol"></td><td class="proofs">none yet</td>
<td class="state"><span>open</span></td></tr></table>
<a href="ledger.html#paper=kim&amp;status=verified">a choice</a>"""
TO_CONCORDANCE = "<a href=\"concordance_kim.html#row_kim_1\">in order</a>"
BACK = f"<a href=\"ledger.html#eq_kim_1\">(kim 1)</a> {TO_CONCORDANCE}"
GROUP = f"""<script src="local.js"></script><h1>Derivation</h1>{BACK}<a class="anchor" id="eqdef_kim_1"></a>formula
<h1>Evidence</h1><table><tr id="evidence_law"><td>{BACK}</td></tr></table><a href="#evidence_law">below</a>"""
CODE = f"""<a id="a1"></a><h2 class="memtitle">SO3</h2><div class="memitem"><div class="memdoc">{BACK}</div></div>
<h2 class="memtitle">next</h2>"""
PROOF = "<a href=\"proofs.html#proof_law\">law</a> <a href=\"group.html#evidence_law\">1e-16</a>"
KIM = f"""<tr data-key="kim:1"><td><a class="anchor" id="row_kim_1"></a><a href="ledger.html#eq_kim_1">(1)</a></td>
<td><a href="group.html#eqdef_kim_1">its place</a><a href="code.html#a1">SO3</a></td>
<td><ul><li>right {PROOF}</li><li>left {PROOF}</li></ul></td></tr>"""
MA = """<tr data-key="ma:90"><td><a class="anchor" id="row_ma_90"></a><a href="ledger.html#eq_ma_90">(90)</a></td>
<td><a href="papers.html#paper_ma">the paper</a></td><td>none</td></tr>"""
PAGES = {
    "index.html": "<a href=\"group.html\">start</a> <a href=\"https://example.org/\">the world</a>",
    "ledger.html": LEDGER,
    "group.html": GROUP,
    "code.html": CODE,
    "concordance_kim.html": KIM,
    "concordance_ma.html": MA,
    "proofs.html": f"<h2><a class=\"anchor\" id=\"proof_law\"></a>Law</h2>{BACK}",
    "papers.html": "<h2 id=\"paper_ma\">Ma</h2>",
    "local.js": "var tree = [['start', 'group.html#evidence_law']]",
}
STATUSES = {"kim:1": "verified", "ma:90": "open"}
CLAUSES = {"kim:1": 2, "ma:90": 1}


class SmallBook(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        for name, text in PAGES.items():
            (self.root / name).write_text(text, encoding="utf-8")

    def tearDown(self):
        self.folder.cleanup()

    def change(self, name, old, new):
        text = (self.root / name).read_text(encoding="utf-8")
        self.assertIn(old, text)
        (self.root / name).write_text(text.replace(old, new), encoding="utf-8")


class Links(SmallBook):
    def faults(self):
        return list(links.Book(self.root).faults())

    def assert_found(self, part):
        self.assertTrue(any(part in fault for fault in self.faults()), self.faults())

    def test_a_whole_book_has_no_fault(self):
        self.assertEqual(self.faults(), [])

    def test_a_missing_page_is_found(self):
        self.change("index.html", "group.html", "groups.html")
        self.assert_found("groups.html leads to no file")

    def test_a_missing_place_is_found(self):
        self.change("group.html", "\"#evidence_law\"", "\"#evidence_lore\"")
        self.assert_found("#evidence_lore leads to a page that has no such place")

    def test_a_link_out_of_the_book_into_the_disk_is_found(self):
        self.change("index.html", "group.html", "../../etc/hosts")
        self.assert_found("leads to no file of the book")

    def test_a_choice_of_no_row_is_found(self):
        self.change("ledger.html", "status=verified", "status=proved")
        self.assert_found("selects no row")

    def test_a_choice_by_an_unknown_field_is_found(self):
        self.change("ledger.html", "#paper=kim", "#author=kim")
        self.assert_found("a field that the ledger does not have")

    def test_a_script_from_outside_is_found(self):
        self.change("group.html", "src=\"local.js\"", "src=\"https://example.org/local.js\"")
        self.assert_found("is loaded from outside the book")

    def test_a_picture_in_a_style_from_outside_is_found(self):
        (self.root / "book.css").write_text("body { background: url(//example.org/paper.png) }", encoding="utf-8")
        self.assert_found("is loaded from outside the book")

    def test_a_dead_place_in_a_script_is_found(self):
        self.change("local.js", "evidence_law", "evidence_lore")
        self.assert_found("local.js: group.html#evidence_lore")


class Rows(SmallBook):
    def faults(self, statuses=None):
        return list(rows.Walk(self.root).faults(statuses or STATUSES, CLAUSES))

    def test_a_whole_book_has_no_fault(self):
        self.assertEqual(self.faults(), [])

    def test_each_missing_way_there_is_found(self):
        for link, what in (
            ("group.html#eqdef_kim_1", "formula"),
            ("code.html#a1", "code"),
            ("proofs.html#proof_law", "proof"),
            ("group.html#evidence_law", "residual"),
        ):
            with self.subTest(what=what):
                self.change("ledger.html", f"href=\"{link}\"", "name=\"nothing\"")
                self.assertIn(f"kim:1: no link to its {what}", self.faults())
                self.change("ledger.html", "name=\"nothing\"", f"href=\"{link}\"")

    def test_each_missing_way_back_is_found(self):
        for name, what in (("code.html", "code"), ("proofs.html", "proof")):
            with self.subTest(what=what):
                self.change(name, BACK, "")
                self.assertTrue(
                    any(f"kim:1: {what}" in fault and "does not lead back" in fault for fault in self.faults())
                )
        self.change("group.html", f"<td>{BACK}</td>", f"<td></td></tr><tr><td>{BACK}</td>")
        self.assertIn("kim:1: residual group.html#evidence_law does not lead back", self.faults())
        self.change("group.html", f"<h1>Derivation</h1>{BACK}", f"{BACK}<h1>Derivation</h1>")
        self.assertIn("kim:1: formula group.html#eqdef_kim_1 does not lead back", self.faults())

    def test_each_fault_of_a_concordance_is_found(self):
        for name, old, new, fault in (
            ("concordance_ma.html", "data-key", "data-row", "ma:90: no row in concordance_ma.html"),
            ("concordance_kim.html", "href=\"ledger.html#eq_kim_1\"", "", "kim:1: its row in the concordance does not lead to the ledger"),
            ("concordance_kim.html", "row_kim_1", "row_kim_2", "kim:1: concordance_kim.html#row_kim_1 leads nowhere"),
            ("concordance_kim.html", "code.html#a1", "", "kim:1: code.html#a1 is linked in the ledger, and not in the concordance"),
            ("concordance_kim.html", f"<li>left {PROOF}</li>", "", "kim:1: 2 clauses, 1 in the concordance"),
            ("concordance_kim.html", f"left {PROOF}", "left", "kim:1: clause 2 has no proof or no residual in the concordance"),
            ("ledger.html", "concordance_kim.html#row_kim_1", "", "kim:1: its row in the ledger does not lead to the concordance"),
            ("proofs.html", TO_CONCORDANCE, "", "kim:1: proofs.html#proof_law does not lead to the concordance"),
            ("code.html", TO_CONCORDANCE, "", "kim:1: code.html#a1 does not lead to the concordance"),
            ("group.html", f"</h1>{BACK}", "</h1>", "kim:1: group.html#eqdef_kim_1 does not lead to the concordance"),
            ("group.html", f"<td>{BACK}", "<td>", "kim:1: group.html#evidence_law does not lead to the concordance"),
        ):
            with self.subTest(fault=fault):
                text = (self.root / name).read_text(encoding="utf-8")
                self.change(name, old, new)
                self.assertIn(fault, self.faults())
                (self.root / name).write_text(text, encoding="utf-8")

    def test_an_open_row_without_a_place_or_the_word_is_found(self):
        self.change("papers.html", "paper_ma", "paper_park")
        self.assertIn("ma:90: no link to its formula, chapter or paper", self.faults())
        self.change("ledger.html", "<span>open</span>", "<span>almost</span>")
        self.assertTrue(any("measured as open, shown as almost" in fault for fault in self.faults()))

    def test_a_row_too_few_or_with_another_status_is_found(self):
        self.assertIn("kim:2: no row in the book", self.faults({**STATUSES, "kim:2": "open"}))
        self.assertTrue(
            any("ma:90: measured as failed" in fault for fault in self.faults({**STATUSES, "ma:90": "failed"}))
        )


class Counts(unittest.TestCase):
    ROWS = [
        {"status": "verified", "ground": "legible"},
        {"status": "verified", "ground": "ours"},
        {"status": "definition", "ground": "legible"},
    ]
    TABLE = "| | legible | ours |\n| --- | ---: | ---: |\n| verified | 1 | 1 |\n| definition | 1 | 0 |"

    def said(self, readme, found=ROWS):
        with tempfile.TemporaryDirectory() as folder:
            page, measured = Path(folder) / "README.md", Path(folder) / "verify.json"
            page.write_text(readme, encoding="utf-8")
            measured.write_text(json.dumps({"rows": found, "summary": {"rows": 3, "verified": 2, "definition": 1}}))
            return counts.main(page, measured)

    def test_the_table_of_the_measurement_is_found(self):
        self.assertEqual(self.said(f"3 rows:\n\n{self.TABLE}\n"), 0)

    def test_another_number_or_another_count_of_rows_is_a_fault(self):
        self.assertIn(self.TABLE, self.said(f"3 rows:\n\n{self.TABLE.replace('1 | 0', '0 | 1')}\n"))
        self.assertIn("3 rows", self.said(self.TABLE))

    def test_a_ground_that_does_not_exist_is_refused(self):
        with self.assertRaisesRegex(ValueError, "hearsay"):
            self.said(self.TABLE, [{"status": "verified", "ground": "hearsay"}])


class Faces(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        text = "# Group {#group}\n" + "".join(f"## {heading} {{#x}}\n" for heading in faces.HEADINGS)
        for name in (
            "src/articulate/group/se3.hpp",
            "chapters/01_group.md",
            "validation/group/identities.cpp",
            "notebooks/01_group.py",
        ):
            (self.root / name).parent.mkdir(parents=True)
            (self.root / name).write_text(text, encoding="utf-8")

    def tearDown(self):
        self.folder.cleanup()

    def test_a_whole_chapter_has_no_fault(self):
        self.assertEqual(faces.faults(self.root), [])

    def test_each_missing_face_is_found(self):
        for name in ("chapters/01_group.md", "validation/group/identities.cpp", "notebooks/01_group.py"):
            with self.subTest(name=name):
                text = (self.root / name).read_text(encoding="utf-8")
                (self.root / name).unlink()
                self.assertEqual(faces.faults(self.root), [f"chapter group has code and no {name}"])
                (self.root / name).write_text(text, encoding="utf-8")

    def test_a_face_without_code_and_a_stranger_are_found(self):
        (self.root / "chapters/05_aba.md").write_text("", encoding="utf-8")
        (self.root / "notebooks/04_aba.py").write_text("", encoding="utf-8")
        (self.root / "src/articulate/misc").mkdir()
        found = "\n".join(faces.faults(self.root))
        for part in (
            "chapters/05_aba.md exists, but src/articulate/aba/ does not",
            "notebooks/04_aba.py belongs to no chapter",
            "src/articulate/misc belongs to no chapter",
        ):
            self.assertIn(part, found)

    def test_a_link_with_the_number_of_another_chapter_is_found(self):
        page = self.root / "chapters/01_group.md"
        text = page.read_text(encoding="utf-8")
        right = "\\ref group \"01\" \\ref group \"chapter 01\" \\ref paper_kim \"2012\""
        page.write_text(text + right, encoding="utf-8")
        self.assertEqual(faces.faults(self.root), [])
        page.write_text(text + "\\ref group \"chapter 02\"", encoding="utf-8")
        expected = "chapters/01_group.md: \\ref group \"chapter 02\" leads to chapter 01"
        self.assertEqual(faces.faults(self.root), [expected])
        (self.root / "chapters/doors.md").write_text("# Doors {#doors}\n", encoding="utf-8")
        page.write_text(text + "\\ref doors \"chapter 01\"", encoding="utf-8")
        expected = "chapters/01_group.md: \\ref doors \"chapter 01\" leads to the page doors"
        self.assertEqual(faces.faults(self.root), [expected])

    def test_a_formula_before_the_first_figure_of_the_derivation_is_found(self):
        page = self.root / "chapters/01_group.md"
        text = page.read_text(encoding="utf-8")
        figure, formula = "\\image html door.svg \"A door.\"\n", "\\f[ x = y \\f]\n"
        fault = ["chapters/01_group.md has no figure before the first displayed formula of its derivation"]
        for parts, expected in (
            (("", figure + formula, ""), []),
            (("", formula + figure, ""), fault),
            (("", formula.replace("[", "{align*}{"), ""), fault),
            ((figure, formula, figure), fault),  # figures of other sections do not count
            ((formula, figure, formula), []),
        ):
            with self.subTest(parts=parts):
                before, within, after = parts
                whole = text.replace("## Derivation {#x}\n", f"{before}## Derivation {{#x}}\n{within}")
                page.write_text(whole.replace("## Algorithm {#x}\n", f"## Algorithm {{#x}}\n{after}"), encoding="utf-8")
                self.assertEqual(faces.faults(self.root), expected)

    def test_a_missing_heading_is_found(self):
        page = self.root / "chapters/01_group.md"
        page.write_text(page.read_text(encoding="utf-8").replace("## Algorithm {#x}\n", ""), encoding="utf-8")
        self.assertIn("has the headings", faces.faults(self.root)[0])


class Quoted(unittest.TestCase):
    CODE = "a;\n// [sum]\nx = y\n    + z;\n// [sum]\nb;\n"

    def quoted(self, page):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "chapters").mkdir()
            (root / "src/articulate").mkdir(parents=True)
            (root / "src/articulate/a.hpp").write_text(self.CODE, encoding="utf-8")
            (root / "chapters/01_a.md").write_text(page, encoding="utf-8")
            return quoted.quoted_lines(root)

    def test_the_lines_between_the_markers_are_quoted_and_no_others(self):
        self.assertEqual(self.quoted("\\snippet articulate/a.hpp sum\n"), {"src/articulate/a.hpp": {3, 4}})
        self.assertEqual(self.quoted("No code.\n"), {})

    def test_a_snippet_that_is_not_there_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "01_a.md: src/articulate/a.hpp has 0 lines"):
            self.quoted("\\snippet articulate/a.hpp product\n")

    def test_too_few_quoted_lines_are_a_fault(self):
        with patch.object(quoted, "quoted_lines", return_value={"a.hpp": {1}}), patch("builtins.print"):
            for lines, fault in (({1, 2}, 0), ({1, 2, 3}, 1)):
                with patch.object(quoted, "lines_with_formulas", return_value={("a", "a.hpp", n) for n in lines}):
                    self.assertEqual(quoted.main(ROOT), fault)


class ReadingMap(unittest.TestCase):
    TEXTS = {
        "group": "# Group {#group}\n## Ad {#group_Ad}\nsee \\ref rnea",
        "body": "# Body {#body}\n\\anchor body_inertia \\ref group_Ad \\ref paper_kim",
        "rnea": "# Inverse {#rnea}\n\\ref group \\ref body_inertia \"02\" \\ref rnea",
    }

    def test_only_references_to_earlier_chapters_count(self):
        self.assertEqual(references(self.TEXTS), {"group": set(), "body": {"group"}, "rnea": {"group", "body"}})

    def test_an_arrow_that_a_longer_way_replaces_is_left_out(self):
        self.assertEqual(reduced(references(self.TEXTS))["rnea"], {"body"})

    def test_a_chapter_stands_below_those_it_builds_on_and_one_to_come_below_the_one_before(self):
        before = reduced(references(self.TEXTS))
        _, places, curves = layout(["group", "body", "rnea", "oracle"], before)
        heights = [places[name][1] for name in ("group", "body", "rnea", "oracle")]
        self.assertEqual(heights, sorted(set(heights)))
        self.assertEqual(len(curves), 2)


class Words(unittest.TestCase):
    def test_titles_of_identities_have_their_apostrophes_and_capitals(self):
        for name, said in (
            ("lagranges_equations_need_newton_euler", "Lagrange's equations need Newton-Euler"),
            ("the_tree_s_forces_gathered", "The tree's forces gathered"),
            ("a_pose_and_its_twist_have_each_others_derivatives", "A pose and its twist have each other's derivatives"),
            ("joints_turn_as_printed", "Joints turn as printed"),
        ):
            self.assertEqual(heading(name), said)

    def test_the_index_has_the_words_of_each_section_without_formulas(self):
        page = (
            "<div class=\"textblock\"><p>First \\(x_1\\) words.</p><h1><a class=\"anchor\" id=\"group_Ad\"></a>\n"
            "It&#39;s Ad</h1><p>Then <b>more</b></p><div class=\"fragment\">code</div><!-- fragment -->"
            "<table class=\"doxtable ledger concordance\"><tr><td>a row</td></tr></table>"
            "</div></div><!-- contents -->"
        )
        self.assertEqual(
            sections("group.html", "Group", page),
            [
                ("group.html", "Group", "Group", "First words."),
                ("group.html#group_Ad", "Group", "It's Ad", "Then more"),
            ],
        )


class Bibliography(unittest.TestCase):
    WORKS = "key\tauthors\tyear\ttitle\tpublished\nmuller_2021\tMüller, A.\t2021\tRates\tJournal\nlynch_2017\tLynch, K.\t2017\tRobots\tPress\n"
    READING = "# Group {#group}\n## Further reading {#r}\n- Lynch, \\ref cite_lynch_2017 \"Robots\": all.\n- Müller,\n  \\ref cite_muller_2021 \"Rates\".\n"

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        for folder, name, text in (("docs", "bibliography.tsv", self.WORKS), ("chapters", "01_group.md", self.READING)):
            (self.root / folder).mkdir()
            (self.root / folder / name).write_text(text, encoding="utf-8")

    def tearDown(self):
        self.folder.cleanup()

    def faults_with(self, folder, name, text):
        (self.root / folder / name).write_text(text, encoding="utf-8")
        return "\n".join(bibliography.faults(self.root))

    def test_a_whole_bibliography_has_no_fault(self):
        self.assertEqual(list(bibliography.faults(self.root)), [])

    def test_each_fault_is_found(self):
        for name, text, fault in (
            ("01_group.md", self.READING.replace("\\ref cite_lynch_2017", "\\ref group"), "no page refers to lynch_2017"),
            ("01_group.md", self.READING.replace("\\ref cite_lynch_2017", "\\ref group"), "further reading refers to no work"),
            ("01_group.md", self.READING.replace("lynch_2017", "lynch_2016"), "group refers to lynch_2016, which"),
            ("01_group.md", self.READING + "- A book without a key.\n", "to no work by \\ref cite_...: A book without"),
        ):
            self.assertIn(fault, self.faults_with("chapters", name, text))
        self.faults_with("chapters", "01_group.md", self.READING)
        doubled = self.WORKS + self.WORKS.splitlines()[1] + "\n"
        self.assertIn("has muller_2021 twice", self.faults_with("docs", "bibliography.tsv", doubled))

    def test_works_stand_by_name_with_the_pages_that_refer_to_them(self):
        page = bibliography.bibliography_page(self.root)
        self.assertLess(page.index("## L "), page.index("## M "))
        self.assertIn("\\anchor cite_lynch_2017 Lynch, K. (2017). *Robots*. Press. In: \\ref group \"Group\".", page)


class Concordance(unittest.TestCase):
    def test_sections_have_their_titles_and_stand_in_the_order_of_the_paper(self):
        for section, title in (
            ("4.3.1", "Section 4.3.1"), ("App", "Appendix"), ("App.B", "Appendix B"), ("C", "Appendix C"), ("impulses", "Impulses"),
        ):
            self.assertEqual(section_title(section), title)
        printed = ["2", "7.1", "7", "B", "10", "7.2-7.5", "1", "A"]
        rows = sorted(({"paper": "ali", "section": section} for section in printed), key=place_in_paper)
        self.assertEqual([one["section"] for one in rows], ["1", "2", "7", "7.1", "7.2-7.5", "10", "A", "B"])


class Finish(unittest.TestCase):
    """What is done to a page after Doxygen."""

    def test_each_answer_is_folded_with_what_is_asked_about_it(self):
        page = (
            "<h1><a class=\"anchor\" id=\"x_exercises\"></a>\nExercises</h1>\n"
            "<ol><li>Why? <em>Answer:</em> A. And then? <em>Answer:</em> B.</li><li>Prove it.</li></ol>"
            "<p >Who? <em>Answer:</em> C.</p><p>End.</p><h1>Further</h1><p>No <em>Answer:</em> here</p>"
        )
        fold = "<details class=\"answer\"><summary>Answer</summary>"
        self.assertEqual(
            finish_pages.with_folded_answers(page).split("Exercises</h1>\n")[1],
            f"<ol><li>Why? {fold} A. And then? {fold} B.</details></details></li><li>Prove it.</li></ol>"
            f"<p >Who? </p>{fold} C.</details><p>End.</p><h1>Further</h1><p>No <em>Answer:</em> here</p>",
        )

    def test_formulas_symbols_and_evidence_lead_to_the_concordance(self):
        numbers = finish_pages.numbers_of_rows(LEDGER)
        self.assertEqual(numbers, {"eq_kim_1": "(kim 1)", "eq_ma_90": "(ma 90)"})
        link, address = "<a href=\"ledger.html#eq_ma_90\">(ma 90)</a>", "href=\"concordance_ma.html#row_ma_90\""
        for page, found in (
            ("<a class=\"anchor\" id=\"eqdef_ma_90\"></a> x", 1),
            ("<a class=\"anchor\" id=\"eqdef_ma_91\"></a> x", 0),  # no row
            (f"<tr id=\"evidence_law\"><td>{link}</td></tr>", 1),
            (f"<p>{link}</p>", 0),  # a mention
        ):
            with self.subTest(page=page):
                self.assertEqual(finish_pages.with_links_to_concordances(page, numbers).count(address), found)
        self.assertIn(address, finish_pages.line_of_links([("eq_ma_90", "(ma 90)")]))

    def test_lines_end_between_words(self):
        long = r"R_1 + R_2\cdot(p\times w) = a + b"
        for page, whole in (
            (r"<p>With \(x\), then</p>", r'<p>With <span class="whole">\(x\),</span> then</p>'),
            (rf"<p>With \({long}\). Then</p>", rf"<p>With \({long}{{.}}\) Then</p>"),
            (r"<p>\(x\) and \[ y - 3e-4 , \]</p>", r"<p>\(x\) and \[ y - 3e-4 , \]</p>"),
            ("<code>a --key K</code>, 4.5e-17", '<code>a <span class="whole">--key</span> K</code>, <span class="whole">4.5e-17</span>'),
            ('<a title="--key \\(x\\),">a-b--c</a>', '<a title="--key \\(x\\),">a-b--c</a>'),
            ("<script>f(1e-3) --key</script><title>--key</title><pre>--key</pre>", "<script>f(1e-3) --key</script><title>--key</title><pre>--key</pre>"),
            ('<div class="fragment"><div class="line">1e-3</div></div><!-- fragment -->', '<div class="fragment"><div class="line">1e-3</div></div><!-- fragment -->'),
        ):
            self.assertEqual(finish_pages.with_whole_words(page), whole)

    def test_the_menu_gets_what_doxygen_leaves_out(self):
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "menudata.js"
            script.write_text('var menudata={children:[\n{text:"Main Page",url:"index.html"},\n{text:"Files",url:"files.html"}]}\n', encoding="utf-8")
            finish_pages.add_to_menu(Path(folder))
            self.assertEqual(re.findall(r'text:"([^"]*)"', script.read_text(encoding="utf-8")), ["Main Page", "Chapters", "Course", "Exercises", "Ledger", "Files"])
            script.write_text("another form", encoding="utf-8")
            with self.assertRaises(SystemExit):
                finish_pages.add_to_menu(Path(folder))

    def test_a_picture_is_named_by_its_caption_and_shows_its_links(self):
        svg = "<?xml?><svg viewBox=\"0 0 1 1\" role=\"img\" aria-label=\"old\"><path/></svg>"
        said = finish_pages.with_words(svg, "The <b>arm</b>\n at \\(q = 0\\) &amp; \"rest\"")
        self.assertIn(" role=\"img\" aria-label=\"The arm at q = 0 &amp; &quot;rest&quot;\"><path/></svg>", said)
        self.assertNotIn("old", said)
        self.assertIn("role=\"group\"", finish_pages.with_words(svg.replace("<path/>", "<a href=\"x\"/>"), "links"))

    def test_a_picture_without_a_caption_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "arm.svg").write_text("<svg viewBox=\"0 0 1 1\"></svg>", encoding="utf-8")
            with self.assertRaisesRegex(SystemExit, "arm.svg has no caption"):
                finish_pages.inlined("arm.svg", None, Path(folder))

    def test_a_page_has_its_language_its_parts_and_no_empty_head(self):
        page = "<html xmlns=\"x\"><div id=\"doc-content\"><th class=\"a\">\n</th><th>b</th>"
        self.assertEqual(
            finish_pages.accessible(page),
            "<html lang=\"en\" xmlns=\"x\"><div id=\"doc-content\" role=\"main\"><td class=\"a\"></td><th>b</th>",
        )


    def test_a_list_without_a_title_gets_that_of_its_head(self):
        head, contents = "<title>Articulate: Functions</title>", "<div class=\"contents\">a</div>"
        heading = "<div class=\"title\" role=\"heading\" aria-level=\"1\">Functions</div>"
        self.assertEqual(finish_pages.accessible(head + contents).count(heading), 1)
        letter = "<h3><a id=\"index_h\"></a>- h -</h3>"
        self.assertIn("<h3 role=\"heading\" aria-level=\"2\"><a id=\"index_h\"", finish_pages.accessible(head + contents + letter))
        for title in ("<div class=\"title\">Group</div>", "<h1>Group</h1>"):
            self.assertNotIn(heading, finish_pages.accessible(head + title + contents))


class Tree(SmallBook):
    def test_unsorted_parts_become_one_table(self):
        data = "var NAVTREEINDEX =\n[\n\"rnea.html\",\n\"aba.html\"\n];\n"
        (self.root / "navtreedata.js").write_text(data, encoding="utf-8")
        parts = "\"index.html\":[],\n\"rnea.html\":[2,3]", "\"aba.html\":[2,4],\n\"aba.html#x\":[2,4,0]"
        for number, line in enumerate(parts):
            text = f"var NAVTREEINDEX{number} =\n{{\n{line}\n}};\n"
            (self.root / f"navtreeindex{number}.js").write_text(text, encoding="utf-8")
        finish_pages.sort_tree(self.root)
        self.assertEqual([path.name for path in self.root.glob("navtreeindex*")], ["navtreeindex0.js"])
        table = json.loads((self.root / "navtreeindex0.js").read_text(encoding="utf-8").partition("=")[2].strip(" \n;"))
        self.assertEqual(table, {"aba.html": [2, 4], "aba.html#x": [2, 4, 0], "index.html": [], "rnea.html": [2, 3]})
        self.assertIn("[\"\"];", (self.root / "navtreedata.js").read_text(encoding="utf-8"))

    def test_a_tree_of_another_form_is_refused(self):
        (self.root / "navtreedata.js").write_text("var TREE = []", encoding="utf-8")
        with self.assertRaises(SystemExit):
            finish_pages.sort_tree(self.root)


class LongRun(SmallBook):
    STEP = {
        "what": "all tests, built by g++",
        "outcome": "passed",
        "tests_passed": 60,
        "tests": 60,
        "seconds": 1500,
        "commit": "0123456789abcdef",
        "date": "2026-11-20",
        "processor": "x86_64",
        "avx512": True,
        "processors": 2,
    }

    def setUp(self):
        super().setUp()
        loader = SourceFileLoader("long", str(ROOT / ".ci" / "long"))
        self.long = module_from_spec(spec_from_loader("long", loader))
        with patch.object(sys, "dont_write_bytecode", True):
            loader.exec_module(self.long)
        self.long.RESULT, self.long.BUILD = self.root / "long.json", self.root / "build"

    def test_a_step_replaces_its_own_result_and_no_other(self):
        self.long.record("native", self.STEP)
        self.long.record("gcc", {**self.STEP, "seconds": 1})
        self.long.record("gcc", self.STEP)
        told = json.loads(self.long.RESULT.read_text(encoding="utf-8"))
        self.assertEqual(told, {"gcc": self.STEP, "native": self.STEP})

    def test_the_outcome_names_the_command_that_failed_and_counts_the_tests(self):
        said = "echo '90% tests passed, 2 tests failed out of 20'"
        skipped = "echo '2/20 Test  #2: mujoco_peer_test .......***Skipped   0.01 sec'; "
        for commands, outcome in (
            ({"build": ["true"], "test": ["sh", "-c", said]}, ("passed", (18, 20))),
            ({"build": ["true"], "test": ["sh", "-c", said + "; exit 8"]}, ("failed at test", (18, 20))),
            ({"build": ["true"], "test": ["sh", "-c", skipped + said]}, ("passed", (17, 20))),
            ({"build": ["false"], "test": ["true"]}, ("failed at build", None)),
        ):
            with patch.object(self.long, "commands", lambda step: commands), patch("sys.stderr"):
                self.assertEqual(self.long.run("gcc"), outcome)

    def test_an_unknown_step_and_what_is_not_committed_are_refused(self):
        with self.assertRaisesRegex(self.long.Refusal, "no step 'gccc'; the steps are gcc, native, sanitized"):
            self.long.main(["gccc"])
        with patch.object(self.long, "output_of", lambda *command: " M src/a.hpp\n M validation/long.json"):
            with self.assertRaisesRegex(self.long.Refusal, "src/a.hpp is not committed"):
                self.long.commit()

    def test_the_book_shows_each_step_with_its_commit_and_its_age(self):
        self.assertEqual(long_runs(self.long.RESULT, date(2026, 11, 22)), "It has not been run yet.")
        self.long.record("gcc", self.STEP)
        said = long_runs(self.long.RESULT, date(2026, 11, 22))
        for part in ("all tests, built by g++", "passed", "60 of 60", "25 min", "0123456", "2 days", "with AVX-512"):
            self.assertIn(part, said)
        self.long.record("gcc", {**self.STEP, "outcome": "failed at build", "tests": None, "date": "2026-11-22"})
        said = long_runs(self.long.RESULT, date(2026, 11, 22))
        for part in ("class=\"status failed\"", "failed at build", "none", "today"):
            self.assertIn(part, said)


class Mutations(unittest.TestCase):
    """The page of breaks, of a table whose library has changed since."""

    FILE = "src/articulate/body/a.hpp"

    def book(self, today):
        """The table has four breaks, two of them alike; (line, text) of each place of today."""
        stored = [
            breaks.matrix.Break(self.FILE, "energy", "sign", "expression", text, text + "!", "0.1", noticed)
            for text, noticed in (("x = a;", {"work"}), ("y = b;", set()), ("z = c;", {"power"}), ("z = c;", {"work"}))
        ]
        places = [Mutant("body", "sign", self.FILE, line, 0, 0, "", text, text + "!") for line, text in today]
        book = Book.__new__(Book)
        with (
            patch.object(breaks.matrix.Matrix, "read", lambda: breaks.matrix.Matrix("0123456789", breaks=stored)),
            patch.object(breaks, "mutants", lambda root: places),
        ):
            book.breaks = breaks.Breaks()
        return book

    def test_each_break_has_the_line_of_today_and_like_lines_keep_their_order(self):
        book = self.book([(9, "x = a;"), (5, "y = b;"), (2, "z = c;"), (7, "z = c;")])
        self.assertEqual([book.place_of(one) for one in book.breaks.all], ["a.hpp:9", "a.hpp:5", "a.hpp:2", "a.hpp:7"])
        page = book.mutation_page()
        for said in ("Of 4 breaks", "3 are noticed", "1 survive", "Survivors: 1", "0 more stood in lines"):
            self.assertIn(said, page)

    def test_a_break_whose_place_is_gone_is_no_survivor_and_counts_for_no_identity(self):
        book = self.book([(1, "x = a;"), (2, "z = c;")])
        page = book.mutation_page()
        for said in ("Of 2 breaks", "2 are noticed", "0 survive", "2 more stood in lines"):
            self.assertIn(said, page)
        self.assertNotIn("Survivors", page)
        self.assertEqual({name: len(of) for name, of in book.breaks.by_identity.items()}, {"work": 1, "power": 1})


class Errata(unittest.TestCase):
    """What the page of errata calls a form that does not hold."""

    def entry(self, printed, kind="remark"):
        return Book.__new__(Book).erratum(
            {"id": "E-kim-1", "keys": "kim:1", "class": kind, "printed": printed, "corrected": "y", "reason": "Why."}, None
        )

    def test_what_no_paper_prints_is_called_tempting_and_what_is_printed_is_not(self):
        for printed in (r"\text{[the print holds; the tempting reading is] } x", r"\text{[lost; the tempting slip is] } x"):
            self.assertIn("tempting</td>", self.entry(printed))
            self.assertNotIn("printed</td>", self.entry(printed))
        for printed, kind in ((r"J^{\T} \lambda", "remark"), (r"\left[ x \right]", "author")):
            self.assertIn("printed</td>", self.entry(printed, kind))
            self.assertNotIn("tempting</td>", self.entry(printed, kind))


class English(unittest.TestCase):
    """Words are read and formulas are not; each fault has its line."""

    PAGE = "# A page {#page}\n\nWhoever reads \\f$shall\\f$ and `somebody`\n\\f[ nobody \n \\f]\nshall turn it by hand, and spares a term.\n"

    def faults(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "chapters").mkdir()
            (root / "README.md").write_text("Plain words.\n", encoding="utf-8")
            (root / "chapters" / name).write_text(text, encoding="utf-8")
            with patch.object(english, "misspelled", lambda path: []), patch.object(english, "style", lambda path: []):
                return list(english.faults(root))

    def test_habits_are_found_in_words_alone(self):
        found = self.faults("page.md", self.PAGE)
        self.assertEqual(
            [fault.split(": ")[:2] for fault in found],
            [["page.md:3", "'Whoever'"], ["page.md:6", "'shall'"], ["page.md:6", "'spares a term'"]],
        )
        self.assertEqual(self.faults("page.md", "Anyone who turns it will see.\n"), [])

    def test_a_chapter_that_is_too_long_is_named(self):
        text = "word " * 6001 + "\n## Exercises {#e}\n" + "word " * 500
        self.assertEqual([fault.split(";")[0] for fault in self.faults("01_page.md", text)],
                         ["01_page.md: 6001 words, at most 6000 without exercises"])
        self.assertEqual(self.faults("page.md", text), [])

    def test_of_a_link_its_words_count(self):
        self.assertEqual(english.words("see \\ref group_Ad \"the adjoint map\" and \\ref body"), 7)


class Libraries(unittest.TestCase):
    """Pages of other libraries, in a small book of one page."""

    def book(self, page, change=("", "")):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = Path(folder.name)
        for name in ("chapters", "docs", "validation"):
            (root / name).mkdir()
        (root / "src").symlink_to(ROOT / "src")
        (root / "validation" / "oracle").symlink_to(ROOT / "validation" / "oracle")
        table = (ROOT / "docs" / "library_conventions.tsv").read_text(encoding="utf-8")
        self.assertIn(change[0], table)
        (root / "docs" / "library_conventions.tsv").write_text(table.replace(*change, 1), encoding="utf-8")
        (root / "chapters" / "your_library.md").write_text(page, encoding="utf-8")
        return root

    def test_a_cause_must_be_one_that_is_named(self):
        right = "`gravity/sign`, `damping/counted_never`, `inertia/parameters:LINK`, `armature/other`, in `docs/recipes`"
        self.assertEqual(list(library_pages.unknown_causes(self.book(right))), [])
        for wrong in ("gravity/signs", "damping/counted_thrice", "inertia/parameter:LINK", "layout/quaternion"):
            with self.subTest(cause=wrong):
                self.assertEqual(len(list(library_pages.unknown_causes(self.book(f"{right} `{wrong}`")))), 1)
                with self.assertRaises(SystemExit):
                    library_pages.fragments(self.book(f"`{wrong}`"))

    def test_each_library_has_each_aspect_and_a_place_where_it_was_read(self):
        self.assertEqual(len(library_pages.fragments(self.book(""))), len(library_pages.LIBRARIES) + 1)
        for change in [("kdl\tgravity\t", "kdl\tweight\t"), ("kdl\tgravity\t", "lkd\tgravity\t"), ("\tjntarray.hpp\n", "\t\n")]:
            with self.subTest(change=change), self.assertRaises(SystemExit):
                library_pages.fragments(self.book("", change))


class Engines(unittest.TestCase):
    """The report card of the engines, in a small one of a single quantity."""

    ROW = {"engines": ["kdl"], "quantities": ["bias"], "cases": ["x*"], "kind": "documented", "sentence": "Because."}

    def told(self, *lacking):
        lacking = {case: [12.0, 15.0] for case in lacking}
        quantity = {"cases": 3, "lacking": lacking, "cannot": 0, "digits": 12.0, "attainable": 15.0, "case": "x", "entry": ""}
        tiers = {"lower": {"cases": 3, "not_asked": {}, "quantities": {"bias": quantity}}}
        return {"cases": {"lower": ["x", "x_2", "y"]}, "engines": {"kdl": {"name": "KDL", "version": "1", "tiers": tiers}}}

    def test_what_is_missing_has_a_sentence_and_no_other_sentence_is_left(self):
        told = engine_pages.disagreements(self.told("x", "x_2"), [self.ROW])
        self.assertIn("Because.", told)
        self.assertIn("<code>x</code>", told)
        other = self.ROW | {"quantities": ["momentum"]}
        for lacking, rows in ((["x"], []), ([], [self.ROW]), (["x", "y"], [self.ROW]), (["x"], [self.ROW, other]),
                              (["x"], [self.ROW | {"engines": ["kdl", "dart"]}])):  # fmt: skip
            with self.subTest(lacking=lacking, rows=rows), self.assertRaises(SystemExit):
                engine_pages.disagreements(self.told(*lacking), rows)

    def test_a_cell_has_digits_and_cases(self):
        self.assertIn("12.0 of 15.0 <small>(3, lacking in 1)</small>", engine_pages.report_card(self.told("x")))


class Speed(unittest.TestCase):
    """The tables of times, from a run made up."""

    def test_the_fastest_algorithm_of_a_peer_is_told_and_whether_noise_lets_it(self):
        def row(ours, peer, ratio, told):
            return {"model": "ur5", "n": 6, "problem": "inverse", "ours": ours, "peer": peer, "ours_over_peer": ratio,
                    "told": told, "within": 1.1}  # fmt: skip

        ratios = [row("articulate InverseDynamics", "KDL slow", 0.3, True),
                  row("articulate InverseDynamics", "KDL fast", 0.4, False),
                  row("articulate Batch inverse", "KDL fast", 0.1, True)]  # fmt: skip
        multiples = [{"model": "ur5", "n": 6, "algorithm": "articulate Regressor", "recursion": "articulate InverseDynamics",
                      "runs_of_recursion": 2.36}]  # fmt: skip
        run = {"compiler": "g++", "flags": "-O2", "peer": "KDL 1, DART 6", "limits": "KDL floats not.", "ratios": ratios,
               "multiples": multiples}  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            bench = Path(folder, "validation", "bench")
            bench.mkdir(parents=True)
            (bench / "report.py").write_text((ROOT / "validation" / "bench" / "report.py").read_text())
            (bench / "bench.json").write_text(json.dumps({"runs": [run]}))
            told = speed_pages.fragments(Path(folder))
        self.assertRegex(told["speed_beside"], "inverse dynamics</td><td>0.40[?]</td><td>–</td>")
        self.assertRegex(told["speed_beside"], "inverse dynamics, batch</td><td>0.10</td>")
        self.assertIn("too noisy to tell who is faster in 1 of 3 comparisons", told["speed_beside"])
        self.assertIn("2.36", told["speed_built_on"])


if __name__ == "__main__":
    unittest.main()
