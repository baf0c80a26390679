#!/usr/bin/env python3
"""Walks every page of the book: does each link lead somewhere, and is everything that a page loads part of the book?

usage: links.py HTML

A link with a fragment needs an element with this id on the page it leads to. ledger.html#paper=kim&status=open is a
choice of rows: its fields and values must exist in the table. What the menus, the tree and the search of Doxygen
open is read from their JavaScript.
"""
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {
    ("script", "src"),
    ("link", "href"),
    ("img", "src"),
    ("object", "data"),
    ("iframe", "src"),
    ("embed", "src"),
    ("source", "src"),
    ("video", "src"),
    ("audio", "src"),
    ("image", "href"),
    ("use", "href"),
}
# Pages that Doxygen's scripts open carry their addresses in strings.
IN_SCRIPT = re.compile(r"['\"](?:\.\./)?([\w%-]+\.html(?:#[^'\"]*)?)['\"]")
FIELDS = ("paper", "chapter", "status", "ground")


class Page(HTMLParser):
    """The ids of a page, its links, and what it loads."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.ids, self.links, self.loads, self.rows = set(), [], [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids |= {attributes[name] for name in ("id", "name") if attributes.get(name)}
        if "data-paper" in attributes:
            self.rows.append({field: attributes.get("data-" + field) for field in FIELDS})
        for name, value in attributes.items():
            name = name.rpartition(":")[2]
            if value and (tag, name) in LOADED:
                self.loads.append(value)
            elif value and tag in ("a", "area") and name == "href":
                self.links.append(value)
        self.loads += re.findall(r"url\((?!['\"]?(?:#|data:))['\"]?([^)'\"]+)", attributes.get("style") or "")


class Book:
    def __init__(self, folder):
        self.folder = folder.resolve()
        self.pages = {path.resolve(): Page(path) for path in folder.rglob("*.html")}

    def fault(self, origin, link, loaded):
        """Why a link of the page `origin` is dead, or nothing."""
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            return "is loaded from outside the book" if loaded and parts.scheme != "data" else None
        target = (origin.parent / unquote(parts.path)).resolve() if parts.path else origin
        if not target.is_relative_to(self.folder) or not target.exists():
            return "leads to no file of the book"
        fragment = unquote(parts.fragment)
        if not fragment or target not in self.pages:
            return None
        if "=" in fragment:
            return self.selection_fault(self.pages[target], fragment)
        return None if fragment in self.pages[target].ids else "leads to a page that has no such place"

    @staticmethod
    def selection_fault(page, fragment):
        wanted = dict(part.partition("=")[::2] for part in fragment.split("&"))
        if not set(wanted) <= {*FIELDS, "text"}:
            return "asks for a field that the ledger does not have"
        hit = any(all(row[field] == wanted[field] for field in FIELDS if field in wanted) for row in page.rows)
        return None if hit else "selects no row of the ledger"

    def faults(self):
        for path, page in sorted(self.pages.items()):
            for links, loaded in ((page.links, False), (page.loads, True)):
                for link in dict.fromkeys(links):
                    fault = None if link.startswith("javascript:") else self.fault(path, link, loaded)
                    if fault:
                        yield f"{path.relative_to(self.folder)}: {link} {fault}"
        for script in sorted([*self.folder.glob("*.js"), *self.folder.glob("search/*.js")]):
            for link in dict.fromkeys(IN_SCRIPT.findall(script.read_text(encoding="utf-8"))):
                fault = self.fault(self.folder / script.name, link, False)
                if fault:
                    yield f"{script.relative_to(self.folder)}: {link} {fault}"
        for style in sorted(self.folder.rglob("*.css")):
            for link in re.findall(r"url\(['\"]?((?:https?:)?//[^)'\"]+)", style.read_text(encoding="utf-8")):
                yield f"{style.relative_to(self.folder)}: {link} is loaded from outside the book"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    book = Book(Path(sys.argv[1]))
    if not (book.folder / "index.html").exists():
        sys.exit(f"links: {sys.argv[1]} holds no book")
    sentences = list(book.faults())
    if sentences:
        sys.exit(
            "\n".join("links: " + sentence for sentence in sentences[:50]) + f"\nlinks: {len(sentences)} dead links"
        )
    print(
        f"links: {sum(len(page.links) + len(page.loads) for page in book.pages.values())} links "
        f"of {len(book.pages)} pages lead somewhere"
    )
