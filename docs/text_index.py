"""The words of the book, section by section, for the search box; Doxygen's own search knows only names and titles."""
import json
import re
from html import unescape

HEADING = re.compile(r"<h[1-4][^>]*><a class=\"anchor\" id=\"(\w+)\"></a>\s*(.*?)</h[1-4]>", re.DOTALL)
# Mathematics, code and pictures are no words; the rows of the ledger have a search of their own.
SILENT = re.compile(
    r"\\\(.*?\\\)|\\\[.*?\\\]|<div class=\"fragment\">.*?</div><!-- fragment -->|<svg\b.*?</svg>|<script\b.*?</script>"
    r"|<table class=\"doxtable ledger.*?</table>",
    re.DOTALL,
)


def words(html):
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", SILENT.sub(" ", html)))).strip()


def sections(name, title, page):
    """[(address, title of the page, title of the section, its words)]; first what stands before all headings."""
    text = page[page.index("<div class=\"textblock\">") : page.rindex("<!-- contents -->")]
    marks = list(HEADING.finditer(text))
    starts = [(0, name, title), *((mark.start(), f"{name}#{mark[1]}", words(mark[2])) for mark in marks)]
    ends = [mark.start() for mark in marks] + [len(text)]
    return [
        (address, title, heading, words(HEADING.sub(" ", text[start:end])))
        for (start, address, heading), end in zip(starts, ends)
    ]


def text_index(pages, order):
    """The index as a script, of the pages in `order`, [(file, title)], whose text is in `pages`."""
    found = [section for name, title in order for section in sections(name, unescape(title), pages[name])]
    lines = ",\n".join(json.dumps(section, ensure_ascii=False) for section in found)
    return f"// Address, title of the page, title of the section, words.\nvar textIndex = [\n{lines}\n];\n"
