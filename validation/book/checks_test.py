#!/usr/bin/env python3
"""Breaks a small book in every way that its checks watch, and sees them fail."""
import tempfile
import unittest
from pathlib import Path

import faces
import links
import rows

LEDGER = """<table id="ledger_table">
<tr data-paper="kim" data-chapter="group" data-status="verified" data-provenance="legible">
<td class="paper">Kim</td><td class="number"><a class="anchor" id="eq_kim_1"></a><b>(1)</b></td>
<td class="formula"><a href="group.html#eqdef_kim_1">its place</a></td>
<td class="symbol"><a href="code.html#a1">SO3</a></td>
<td class="proofs"><a href="proofs.html#proof_law">law</a> <a href="group.html#evidence_law">1e-16</a></td>
<td class="state"><span>verified</span></td></tr>
<tr data-paper="ma" data-chapter="mechanisms" data-status="open" data-provenance="reconstructed">
<td class="paper">Ma</td><td class="number"><a class="anchor" id="eq_ma_90"></a><b>(90)</b></td>
<td class="formula"><a href="papers.html#paper_ma">the paper</a></td>
<td class="symbol"></td><td class="proofs">none yet</td>
<td class="state"><span>open</span></td></tr></table>
<a href="ledger.html#paper=kim&amp;status=verified">a choice</a>"""
BACK = "<a href=\"ledger.html#eq_kim_1\">(kim 1)</a>"
GROUP = f"""<script src="local.js"></script><h1>Derivation</h1>{BACK}<a class="anchor" id="eqdef_kim_1"></a>formula
<h1>Evidence</h1><table><tr id="evidence_law"><td>{BACK}</td></tr></table><a href="#evidence_law">below</a>"""
CODE = f"""<a id="a1"></a><h2 class="memtitle">SO3</h2><div class="memitem"><div class="memdoc">{BACK}</div></div>
<h2 class="memtitle">next</h2>"""
PAGES = {
    "index.html": "<a href=\"group.html\">start</a> <a href=\"https://example.org/\">the world</a>",
    "ledger.html": LEDGER,
    "group.html": GROUP,
    "code.html": CODE,
    "proofs.html": f"<h2><a class=\"anchor\" id=\"proof_law\"></a>Law</h2>{BACK}",
    "papers.html": "<h2 id=\"paper_ma\">Ma</h2>",
    "local.js": "var tree = [['start', 'group.html#evidence_law']]",
}
STATUSES = {"kim:1": "verified", "ma:90": "open"}


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
        return list(rows.Walk(self.root).faults(statuses or STATUSES))

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

    def test_a_missing_heading_is_found(self):
        page = self.root / "chapters/01_group.md"
        page.write_text(page.read_text(encoding="utf-8").replace("## Algorithm {#x}\n", ""), encoding="utf-8")
        self.assertIn("has the headings", faces.faults(self.root)[0])


if __name__ == "__main__":
    unittest.main()
