#!/usr/bin/env python3
"""Finishes the pages that Doxygen made: pictures inside the page, links back to the ledger and from chapter to chapter,
a tree at the side that finds every page, a search that finds words, answers that are folded away, lines that end between words, and
what a screen reader and a phone need.

usage: finish_pages.py HTML PICTURES

Doxygen shows an SVG as a document of its own, which knows nothing of the theme. Put into the page, black becomes the
colour of the text and white that of the page, links in it work, and its words can be found.
A row of the ledger links the symbols of its equation; here each of these gets a line that leads back, to the ledger and to
the concordance of the paper. So does the place of each formula, and the line of each proof in an evidence. A line of the
library that has been broken gets links to the proofs that noticed it.
"""
import re
import sys
from html import escape, unescape
from pathlib import Path

from breaks import Breaks
from text_index import text_index

PICTURE = re.compile(
    r"<object type=\"image/svg\+xml\" data=\"([^\"]+)\"[^>]*></object>(?=\s*(?:<div class=\"caption\">(.*?)</div>)?)", re.DOTALL
)
SEARCH_SCRIPTS = ["text_index", "text_search"]
ROW = re.compile(r"<tr\b[^>]*data-paper=.*?</tr>", re.DOTALL)


# --- pictures --------------------------------------------------------------------------------------------------------


def in_theme(svg):
    """Black is ink, white is paper."""
    svg = re.sub(r"(?<=[\"':\s])(#000000|#000|black)(?=[\"';\s])", "currentColor", svg)
    return re.sub(r"(?<=[\"':\s])(#ffffff|#fff|white)(?=[\"';\s])", "var(--page-background-color)", svg)


def with_own_names(svg, prefix):
    """Ids and what refers to them, prefixed: a page may have several pictures."""
    svg = re.sub(r"\bid=\"([^\"]+)\"", rf'id="{prefix}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}-\1)", svg)
    return re.sub(r"href=\"#([^\"]+)\"", rf'href="#{prefix}-\1"', svg)


def scaled_to_page(svg):
    """As wide as it was drawn, and never wider than the page; the view box keeps the proportions."""
    start, end = svg.index("<svg"), svg.index(">", svg.index("<svg"))
    head = svg[start:end]
    width = re.search(r"viewBox=\"[\d.eE+-]+[\s,]+[\d.eE+-]+[\s,]+([\d.eE+-]+)", head)
    unit = 4 / 3 if re.search(r"\bwidth=\"[\d.]+pt\"", head) else 1  # matplotlib measures in points
    head = re.sub(r"\s(?:width|height)=\"[^\"]*\"", "", head)
    pixels = float(width[1]) * unit
    return (
        head + f" class=\"picture{' large' if pixels > 420 else ''}\" style=\"max-width: {pixels:.0f}px\"" + svg[end:]
    )


def with_words(svg, caption):
    """What is read aloud: one picture with its caption for a name, or the links in it if it has some."""
    said = escape(re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>|\\[()]", "", caption or ""))).strip())
    role = "group" if "<a " in svg else "img"
    head = re.sub(r"\s(?:role|aria-label)=\"[^\"]*\"", "", svg[svg.index("<svg") : svg.index(">", svg.index("<svg"))])
    return f"{head} role=\"{role}\" aria-label=\"{said}\"" + svg[svg.index(">", svg.index("<svg")) :]


def inlined(name, caption, pictures):
    svg = (pictures / name).read_text(encoding="utf-8")
    if "viewBox" not in svg:
        sys.exit(f"finish_pages.py: {name} has no viewBox, so that it cannot be scaled to the page")
    if not caption:
        sys.exit(f"finish_pages.py: the picture {name} has no caption, which is what is said of it where it cannot be seen")
    svg = with_words(svg, caption)
    svg = with_own_names(in_theme(scaled_to_page(svg)), re.sub(r"\W", "_", Path(name).stem))
    return f"<div class=\"scrolled\">{svg}</div>"  # without its caption


# --- links back to the ledger ----------------------------------------------------------------------------------------


def numbers_of_rows(ledger):
    """{anchor of a row: its paper and number}, in the order of the ledger."""
    numbers = {}
    for row in ROW.findall(ledger):
        key = re.search(r"id=\"(eq_(\w+?)_(\w+))\"", row)
        numbers[key[1]] = f"({key[2]} {unescape(re.search(r'<b>[(](.*?)[)]</b>', row)[1])})"
    return numbers


def places_of_symbols(ledger):
    """{(file, anchor): [(row's anchor, its text)]} of all rows that link a place in the interface."""
    places, numbers = {}, numbers_of_rows(ledger)
    for row in ROW.findall(ledger):
        key = re.search(r"id=\"(eq_\w+)\"", row)[1]
        code = re.search(r"<td class=\"symbol\">(.*?)</td>", row, re.DOTALL)[1]
        for file, _, anchor in re.findall(r"href=\"([^\"#]+)(#([^\"]+))?\"", code):
            places.setdefault((file, anchor), []).append((key, numbers[key]))
    return places


def in_concordance(anchor, text, words):
    """A link to the row of a concordance, for an equation whose anchor ends like that of its row in the ledger."""
    name = anchor.partition("_")[2]
    return (
        f"<a class=\"in-concordance\" href=\"concordance_{name.partition('_')[0]}.html#row_{name}\" "
        f"aria-label=\"{text} in the concordance\" title=\"{text} in the concordance\">{words}</a>"
    )


def line_of_links(rows):
    rows = dict.fromkeys(rows)
    links = ", ".join(f"<a class=\"el\" href=\"ledger.html#{anchor}\">{text}</a>" for anchor, text in rows)
    others = ", ".join(in_concordance(anchor, text, text) for anchor, text in rows)
    return f"<p class=\"in-ledger\">In the ledger: {links}. In the concordance: {others}</p>"


def with_links_to_concordances(page, numbers):
    """Behind the place of each formula, and behind each link of an evidence to the ledger. numbers: {anchor in the ledger: text}"""

    def marked(match):
        number = numbers.get("eq_" + match[1])
        return match[0] + (in_concordance("eq_" + match[1], number, "&#8644;") if number else "")

    page = re.sub(r"<a class=\"anchor\" id=\"eqdef_(\w+)\"></a>", marked, page)

    def evidence(line):
        return re.sub(r"<a\b[^>]*href=\"ledger\.html#eq_(\w+)\"[^>]*>[^<]*</a>", marked, line[0])

    return re.sub(r"<tr\b[^>]*id=\"evidence_.*?</tr>", evidence, page, flags=re.DOTALL)


def with_links_back(page, anchor, rows, name):
    """A function has its text behind its anchor, a class in its description, or else at the head of its page."""
    if anchor:
        place = re.compile(rf"id=\"{re.escape(anchor)}\".*?<div class=\"memdoc\">", re.DOTALL).search(page)
    else:
        place = re.compile(r"id=\"details\".*?<div class=\"textblock\">", re.DOTALL).search(page) or re.search(
            r"<div class=\"contents\">", page
        )
    if not place:
        sys.exit(f"finish_pages.py: {name}#{anchor} has no place for a link to the ledger")
    return page[: place.end()] + line_of_links(rows) + page[place.end() :]


# --- who guards a line -----------------------------------------------------------------------------------------------

MOST_GUARDS = 8  # of a line: those that notice least else, and so say most about it


def guards_of_lines(breaks):
    """{name of a header: {line: [(page, anchor, name) of each identity that notices a break in it]}}"""
    guards = {}
    for one in breaks.all:
        if one.noticed:
            guards.setdefault(one.file.rsplit("/", 1)[1], {}).setdefault(one.line, set()).update(one.noticed)
    return {
        file: {
            line: sorted(names, key=lambda name: (len(breaks.by_identity[name]), name)) for line, names in lines.items()
        }
        for file, lines in guards.items()
    }


def with_guards(page, lines, proofs):
    """A listing of a header, each broken line with the proofs that noticed; proofs: {name: address}."""

    def marked(match):
        names = [name for name in lines.get(int(match[1]), []) if name in proofs]
        if not names:
            return match[0]
        links = "".join(f"<li><a href=\"{proofs[name]}\">{name.replace('_', ' ')}</a></li>" for name in names[:MOST_GUARDS])
        more = f"<li>and {len(names) - MOST_GUARDS} more</li>" if len(names) > MOST_GUARDS else ""
        guarded = f"<details class=\"guards\"><summary>{len(names)}</summary><ul>{links}{more}</ul></details>"
        return f"{match[0][:-len('</div>')]}{guarded}</div>"

    return re.sub(r"<div class=\"line\"><a id=\"l0*(\d+)\".*?</div>", marked, page)


def proof_addresses(pages):
    """{name of an identity: where its proof stands}"""
    return {
        anchor.removeprefix("proof_"): f"{name}#{anchor}"
        for name, page in pages.items()
        if name.startswith("proofs_")
        for anchor in re.findall(r"id=\"(proof_\w+)\"", page)
    }


# --- what Doxygen leaves dead ----------------------------------------------------------------------------------------


def mend_tree(html, pages):
    """Doxygen 1.9.4 lets the tree look for a function on the page of its file; its text is on that of its namespace."""
    ids = {name: set(re.findall(r"\bid=\"(\w+)\"", page)) for name, page in pages.items()}
    holder = {
        anchor: name for name, found in ids.items() for anchor in found if re.fullmatch(r"a[0-9a-f]{32,}", anchor)
    }

    def mended(match):
        file, anchor = match[1], match[2]
        return match[0] if anchor in ids.get(file, ()) or anchor not in holder else f"{holder[anchor]}#{anchor}"

    for script in html.glob("*.js"):
        text = script.read_text(encoding="utf-8")
        script.write_text(re.sub(r"(\w+\.html)#(a[0-9a-f]{32,})", mended, text), encoding="utf-8")


def sort_tree(html):
    """Doxygen 1.9.4 splits the places of pages in the tree into files, searches these as if they were sorted, and does
    not sort them, so that the tree stays empty beside many pages. One file for all needs no order.
    """
    parts = sorted(html.glob("navtreeindex*.js"))
    places = {}
    for part in parts:
        places.update(re.findall(r"^(\"[^\"]+\"):(\[[\d,]*\])", part.read_text(encoding="utf-8"), re.MULTILINE))
        part.unlink()
    # A folder that holds nothing but prose is in no list of files; it stands where the list begins.
    for page in html.glob("dir_*.html"):
        places.setdefault(f"\"{page.name}\"", places["\"files.html\""])
    lines = ",\n".join(f"{address}:{place}" for address, place in sorted(places.items()))
    (html / "navtreeindex0.js").write_text(f"var NAVTREEINDEX0 =\n{{\n{lines}\n}};\n", encoding="utf-8")
    data = html / "navtreedata.js"
    text, found = re.subn(r"(var NAVTREEINDEX =\n\[)[^\]]*\]", r'\1""]', data.read_text(encoding="utf-8"))
    if not found or not places:
        sys.exit("finish_pages.py: the tree of Doxygen has another form than that of 1.9.4")
    data.write_text(text, encoding="utf-8")


def without_dead_summary(page):
    """Doxygen names a section of nested classes at the head of a page also if all are private and it is not there."""
    return (
        page
        if "id=\"nested-classes\"" in page
        else re.sub(r"<a href=\"#nested-classes\">[^<]*</a> &#124;\s*", "", page)
    )


# --- for those who listen, or use the keyboard -----------------------------------------------------------------------

PARTS_OF_A_PAGE = {
    "<html xmlns": "<html lang=\"en\" xmlns",
    "<div id=\"top\"": "<div id=\"top\" role=\"banner\"",
    "<div id=\"side-nav\"": "<div id=\"side-nav\" role=\"navigation\" aria-label=\"all pages\"",
    "<div id=\"doc-content\"": "<div id=\"doc-content\" role=\"main\"",
    "<div id=\"nav-path\"": "<div id=\"nav-path\" role=\"contentinfo\"",
    "<div class=\"title\"": "<div class=\"title\" role=\"heading\" aria-level=\"1\"",
    "<h3>Table of Contents</h3>": "<h3 role=\"heading\" aria-level=\"2\">Table of Contents</h3>",
    "<iframe src": "<iframe title=\"search results\" src",
}


def with_title(page):
    """Doxygen's lists of functions by their first letter have no title in their text, only in the head of the page; the
    letter stands below it."""
    title, contents = re.search(r"<title>(?:Articulate: )?(.*?)</title>", page), "<div class=\"contents\">"
    if not title or "<div class=\"title\"" in page or "<h1" in page:
        return page
    header = f"<div class=\"header\"><div class=\"headertitle\"><div class=\"title\">{title[1]}</div></div></div>\n"
    page = page.replace("<h3><a id=\"index_", "<h3 role=\"heading\" aria-level=\"2\"><a id=\"index_")
    return page.replace(contents, header + contents, 1)


def accessible(page):
    """A title, the language, the parts of a page by their roles, and no empty head of a column."""
    page = with_title(page)
    for old, new in PARTS_OF_A_PAGE.items():
        page = page.replace(old, new)
    return re.sub(r"<th\b([^>]*)>\s*</th>", r"<td\1></td>", page)


def label_search(html):
    """The box for searching is made by a script of Doxygen, and has no name."""
    script = html / "menu.js"
    text, box = script.read_text(encoding="utf-8"), "<input type=\"text\" id=\"MSearchField\""
    if box not in text:
        sys.exit("finish_pages.py: the search box of Doxygen has another form than that of 1.9.4")
    script.write_text(text.replace(box, f"{box} aria-label=\"search the book\""), encoding="utf-8")


# --- from chapter to chapter -----------------------------------------------------------------------------------------


def reading_order(contents):
    """[(file, title)] of the table of contents, in its order."""
    listed = contents[contents.index("<div class=\"contents\">") : contents.index("<!-- contents -->")]
    return re.findall(r"<li>(?:\d\d )?<a class=\"el\" href=\"(\w+\.html)\">(.*?)</a>", listed)


def with_neighbours(page, name, order):
    """A line at the end of the page: back to the chapter before, on to the next one."""
    files = [file for file, _ in order]
    if name not in files:
        return page
    at = files.index(name)
    before = f"<a href=\"{order[at - 1][0]}\">&larr; {order[at - 1][1]}</a>" if at else ""
    after = f"<a href=\"{order[at + 1][0]}\">{order[at + 1][1]} &rarr;</a>" if at + 1 < len(order) else ""
    end = page.index("</div></div><!-- contents -->")  # within the text, which stands beside its table of contents
    return page[:end] + f"<p class=\"neighbours\"><span>{before}</span><span>{after}</span></p>" + page[end:]


# --- exercises -------------------------------------------------------------------------------------------------------

ANSWER = "<em>Answer:</em>"
EXERCISES = re.compile(r"(?<=_exercises\"></a>).*?(?=<h1>|<!-- contents -->)", re.DOTALL)


def folded(text):
    """Each answer folded away, with what is asked about it: that has its own answer inside."""
    first, *rest = text.split(ANSWER)
    return first + "".join(f"<details class=\"answer\"><summary>Answer</summary>{one}" for one in rest) + "</details>" * len(rest)


def with_folded_answers(page):
    """A paragraph ends before its answer, since none can be in it; an item of a list holds its answer."""

    def exercises(match):
        text = re.sub(
            rf"(<p\b[^>]*>)((?:(?!</p>).)*?)({ANSWER}.*?)</p>",
            lambda one: f"{one[1]}{one[2]}</p>{folded(one[3])}",
            match[0],
            flags=re.DOTALL,
        )
        return re.sub(r"(?<=<li>).*?(?=</li>)", lambda one: folded(one[0]), text, flags=re.DOTALL)

    return EXERCISES.sub(exercises, page)


# --- lines -----------------------------------------------------------------------------------------------------------

PIECE = re.compile(r"<(script|title|pre)\b.*?</\1>|<div class=\"fragment\">.*?</div><!-- fragment -->|<[^>]*>|[^<]+", re.DOTALL)
# A formula with the punctuation behind it; an option of a command; a power of ten.
FORMULA = re.compile(r"\\\(((?:(?!\\\)).)*)\\\)([.,;:?!)]+)", re.DOTALL)
UNBROKEN = re.compile(r"(?<![\w-])--[a-z][a-z-]*|\d+(?:\.\d+)?e-\d+")
LONG = 25  # characters of TeX, from which on a formula may need more than one line of a phone


def with_whole_words(page):
    """No line begins with a comma, and none ends within an option or a number. MathJax breaks long formulas and gives them whole
    lines: these take the punctuation in. Short ones stay on the line of theirs."""

    def punctuated(match):
        if len(match[1]) < LONG:
            return f"<span class=\"whole\">{match[0]}</span>"
        return rf"\({match[1]}{{{match[2]}}}\)"

    def pieces(match):
        if match[0].startswith("<"):
            return match[0]
        # Only outside of formulas are options and numbers looked for.
        parts = re.split(r"(\\\(.*?\\\)|\\\[.*?\\\])", FORMULA.sub(punctuated, match[0]), flags=re.DOTALL)
        parts[::2] = [UNBROKEN.sub("<span class=\"whole\">\\g<0></span>", part) for part in parts[::2]]
        return "".join(parts)

    return PIECE.sub(pieces, page)


# --- menu ------------------------------------------------------------------------------------------------------------

IN_MENU = [("Chapters", "chapters"), ("Course", "syllabus"), ("Exercises", "exercises"), ("Ledger", "ledger")]


def add_to_menu(html):
    """On a phone there is no tree beside the text, and Doxygen's menu leads to its lists alone."""
    script = html / "menudata.js"
    text, first = script.read_text(encoding="utf-8"), "{text:\"Main Page\",url:\"index.html\"},\n"
    if first not in text:
        sys.exit("finish_pages.py: the menu of Doxygen has another form than that of 1.9.4")
    script.write_text(text.replace(first, first + "".join(f"{{text:\"{name}\",url:\"{page}.html\"}},\n" for name, page in IN_MENU)), encoding="utf-8")


# --- search ----------------------------------------------------------------------------------------------------------

# Results that a finger can choose.
TOUCHED = """
@media (pointer: coarse) {
  .SREntry { padding: 0.5em 0.4em; font-size: 15px; }
  .SRSymbol, .SRScope { font-size: 15px; }
}
"""


def search_words(html, pages, order):
    """Lets the search box find the sections of the book by their words, beside what Doxygen finds."""
    own = [("index.html", "Articulate"), *(one for one in order if one[0] != "ledger.html")]
    (html / "text_index.js").write_text(text_index(pages, own), encoding="utf-8")
    scripts = "".join(f"<script type=\"text/javascript\" src=\"../{name}.js\"></script>\n" for name in SEARCH_SCRIPTS)
    search = html / "search"
    for frame in [*search.glob("all_*.html"), *search.glob("pages_*.html"), search / "nomatches.html"]:
        text = frame.read_text(encoding="utf-8")
        frame.write_text(text.replace("</body>", scripts + "</body>"), encoding="utf-8")
    with open(search / "search.css", "a", encoding="utf-8") as style:
        style.write(TOUCHED)
    # What begins with a letter that no symbol begins with has words to be found as well.
    script = search / "search.js"
    text, dropped = script.read_text(encoding="utf-8"), "resultsPageWithSearch = resultsPage;"
    if text.count(dropped) != 1:
        sys.exit("finish_pages.py: the search of Doxygen has another form than that of 1.9.4")
    script.write_text(text.replace(dropped, dropped[:-1] + "+'?'+escape(searchValue);"), encoding="utf-8")


# --- all pages -------------------------------------------------------------------------------------------------------


def main(html, pictures):
    pages = {path.name: path.read_text(encoding="utf-8") for path in sorted(html.glob("*.html"))}
    places, order = places_of_symbols(pages["ledger.html"]), reading_order(pages["chapters.html"])
    numbers = numbers_of_rows(pages["ledger.html"])
    guards, proofs = guards_of_lines(Breaks()), proof_addresses(pages)
    headers = {re.sub("_", "__", file).replace(".", "_8") + "_source.html": file for file in guards}
    for name, old in pages.items():
        page = without_dead_summary(PICTURE.sub(lambda match: inlined(match[1], match[2], pictures), old))
        for (file, anchor), rows in places.items():
            if file == name:
                page = with_links_back(page, anchor, rows, file)
        if name != "ledger.html":
            page = with_links_to_concordances(page, numbers)
        if name in headers:
            page = with_guards(page, guards[headers[name]], proofs)
        page = with_whole_words(accessible(with_folded_answers(with_neighbours(page, name, order))))
        if page != old:
            (html / name).write_text(page, encoding="utf-8")
    mend_tree(html, pages)
    sort_tree(html)
    add_to_menu(html)
    label_search(html)
    search_words(html, pages, order)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*map(Path, sys.argv[1:]))
