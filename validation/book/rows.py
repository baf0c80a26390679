#!/usr/bin/env python3
"""Walks all rows of the ledger through the pages of the book.

usage: rows.py HTML VERIFY_JSON

From a verified row one click reaches formula, code, proof and residual, and from each of these places one click leads
back to the row. Any other row has a link to its formula, its chapter or its paper, and says in words that it is not
verified. Every row stands in the concordance of its paper too, with all these links and a proof and a residual for each clause, and
ledger, derivation, code, proofs and evidence lead there.
"""
import json
import re
import sys
from functools import cache
from html import unescape
from pathlib import Path

ROW = re.compile(r"<tr\b[^>]*data-paper=.*?</tr>", re.DOTALL)
IN_CONCORDANCE = re.compile(r"<tr\b[^>]*data-key=\"([\w.:]+)\".*?</tr>", re.DOTALL)
CLAUSE = re.compile(r"<li>.*?</li>", re.DOTALL)
CELL = re.compile(r"<td class=\"([\w-]+)[^\"]*\">(.*?)</td>", re.DOTALL)
HREF = re.compile(r"href=\"([^\"]+)\"")


def anchor(key):
    return "eq_" + re.sub(r"\W", "_", key)


def words(html):
    return unescape(re.sub(r"<[^>]*>", "", html)).strip()


class Walk:
    def __init__(self, html):
        self.html = html

    @cache
    def text(self, file):
        path = self.html / file
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    def part(self, link):
        """What a link shows: a page as a whole, a table row, the text of a function, or a section."""
        file, _, name = unescape(link).partition("#")
        page = self.text(file)
        start = page.find(f"id=\"{name}\"") if name else 0
        if start < 0:
            return ""
        if not name:
            return page
        if name.startswith("evidence_"):
            return page[start : page.find("</tr>", start)]
        if name.startswith("eqdef_"):  # the formula's place is in the text of a section
            headings = [match.start() for match in re.finditer(r"<h[12]\b", page)] + [len(page)]
            return page[max(at for at in headings if at < start) : min(at for at in headings if at > start)]
        if name.startswith("proof_"):
            return page[start : page.find("<a class=\"anchor\" id=\"proof_", start + 1)]
        return page[start : page.find("<h2 class=\"memtitle\">", page.find("<div class=\"memitem\">", start))]

    def leads_back(self, link, key):
        return f"href=\"ledger.html#{anchor(key)}\"" in self.part(link)

    def faults_of_verified(self, key, cells):
        """One click there and one click back, for each of the four."""
        links = {
            "formula": [link for link in HREF.findall(cells["formula"]) if f"#eqdef_{anchor(key)[3:]}" in link],
            "code": HREF.findall(cells["symbol"]),
            "proof": [link for link in HREF.findall(cells["proofs"]) if "#proof_" in link],
            "residual": [link for link in HREF.findall(cells["proofs"]) if "#evidence_" in link],
        }
        for what, found in links.items():
            if not found:
                yield f"{key}: no link to its {what}"
            for link in found:
                if not self.part(link):
                    yield f"{key}: {what} {link} leads nowhere"
                elif not self.leads_back(link, key):
                    yield f"{key}: {what} {link} does not lead back"
        if len(links["proof"]) != len(links["residual"]):
            yield f"{key}: {len(links['proof'])} proofs, {len(links['residual'])} residuals"

    def faults_of_other(self, key, status, cells):
        places = [
            link
            for link in HREF.findall(cells["formula"])
            if "#eqdef_" in link or "#paper_" in link or re.fullmatch(r"\w+\.html", link)
        ]
        if not any(self.part(link) for link in places):
            yield f"{key}: no link to its formula, chapter or paper"
        if words(cells["state"]) != status.replace("_", " "):
            yield f"{key}: does not say {status}"

    @cache
    def concordance(self, paper):
        """{key: row}"""
        return {match[1]: match[0] for match in IN_CONCORDANCE.finditer(self.text(f"concordance_{paper}.html"))}

    def faults_of_concordance(self, key, status, clauses, row):
        """Whether the row of the concordance has all that the row of the ledger has, part by part, and both lead to each other."""
        paper = key.split(":")[0]
        there = self.concordance(paper).get(key)
        if not there:
            yield f"{key}: no row in concordance_{paper}.html"
            return
        address = f"concordance_{paper}.html#row_{anchor(key)[3:]}"
        if f"href=\"ledger.html#{anchor(key)}\"" not in there:
            yield f"{key}: its row in the concordance does not lead to the ledger"
        if f"href=\"{address}\"" not in row:
            yield f"{key}: its row in the ledger does not lead to the concordance"
        if not self.part(address):
            yield f"{key}: {address} leads nowhere"
        code = HREF.findall(dict(CELL.findall(row))["symbol"])
        for link in dict.fromkeys(HREF.findall(row)):
            if link != address and f"href=\"{link}\"" not in there:
                yield f"{key}: {link} is linked in the ledger, and not in the concordance"
            leads = link in code or any(place in link for place in ("#proof_", "#eqdef_", "#evidence_"))
            if leads and f"href=\"{address}\"" not in self.part(link):
                yield f"{key}: {link} does not lead to the concordance"
        parts = CLAUSE.findall(there)
        if clauses > 1 and len(parts) != clauses:
            yield f"{key}: {clauses} clauses, {len(parts)} in the concordance"
        if status == "verified":
            for number, part in enumerate(parts, 1):
                if "#proof_" not in part or "#evidence_" not in part:
                    yield f"{key}: clause {number} has no proof or no residual in the concordance"

    def faults(self, statuses, clauses):
        rows = {}
        for row in ROW.findall(self.text("ledger.html")):
            cells = dict(CELL.findall(row))
            rows[re.search(r"id=\"(eq_[\w]+)\"", cells["number"])[1]] = (row, cells)
        if len(rows) != len(statuses):
            yield f"the ledger has {len(rows)} rows in the book and {len(statuses)} in the measurement"
        for key, status in statuses.items():
            row, cells = rows.get(anchor(key), ("", {}))
            if not row:
                yield f"{key}: no row in the book"
            elif f"data-status=\"{status}\"" not in row or words(cells["state"]) != status.replace("_", " "):
                yield f"{key}: measured as {status}, shown as {words(cells['state'])}"
            elif status == "verified":
                yield from self.faults_of_verified(key, cells)
            else:
                yield from self.faults_of_other(key, status, cells)
            if row:
                yield from self.faults_of_concordance(key, status, clauses[key], row)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    measured = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    statuses = {row["key"]: row["status"] for row in measured["rows"]}
    clauses = {row["key"]: len(row["clauses"]) for row in measured["rows"]}
    sentences = list(Walk(Path(sys.argv[1])).faults(statuses, clauses))
    if sentences:
        sys.exit(
            "\n".join("rows: " + sentence for sentence in sentences[:50])
            + f"\nrows: {len(sentences)} faults in {len(statuses)} rows"
        )
    verified = sum(status == "verified" for status in statuses.values())
    print(f"rows: {len(statuses)} rows walked, {verified} of them verified, with four links each way, in ledger and concordances")
