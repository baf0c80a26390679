#!/usr/bin/env python3
"""Opens the book in a browser, as a reader would: from its files, in both themes, on a wide window and on a phone.

usage: browser_test.py HTML VERIFY_JSON SCREENSHOTS AXE

Needs chromium, chromium-driver and python3-selenium of Debian. The pages are dealt to as many browsers as there are
processors, four at most. Every page that is looked at is kept as a picture in SCREENSHOTS. AXE is axe.min.js of axe-core;
where it is missing, what it would find is not looked for, and the test says so.
"""
import collections
import json
import os
import random
import re
import subprocess
import sys
import time
import unittest
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
from stems import STEMS

PAGES = [
    "index",
    "chapters",
    "group",
    "aba",
    "conventions",
    "concordance_ali",
    "ledger",
    "errata",
    "proofs_rnea",
    "classarticulate_1_1InverseDynamics",
]
WITH_FORMULAS = {"group", "aba", "conventions", "concordance_ali", "ledger", "errata", "classarticulate_1_1InverseDynamics"}
# With ARTICULATE_LONG_TESTS=ON every page is looked at; otherwise another part of most of them with each commit.
ALL = os.environ.get("ARTICULATE_LONG_TESTS") == "ON"
# What axe-core looks at in both themes and at both widths, and of all other pages by hand and some of Doxygen's a part.
ACCESSIBLE = PAGES + ["concordance_kim", "terms", "bibliography", "libraries", "inverse__dynamics_8hpp_source"]
MADE_BY_DOXYGEN = 12  # how many are drawn, besides those that had faults once
HAD_FAULTS = ["functions_h", "namespacemembers_func_d", "concordance_park"]
CHAPTERS = Path(__file__).parents[2] / "chapters"
WIDTHS = {"desktop": (1280, 900), "phone": (390, 844)}
PATIENCE = 60  # s; a page that takes longer is unusable on a slow machine too
# The tests whose pages are dealt to all browsers.
DEALT = {"test_pages_are_well_in_both_themes_and_at_both_widths", "test_every_page_has_its_place_in_the_tree"}

SETTLED = """
  const done = arguments[0];
  if (window.MathJax) MathJax.Hub.Queue(() => setTimeout(done, 100)); else setTimeout(done, 100);
"""
# What is displayed and is not waiting for its turn, as one string.
VISIBLE_TEXT = """
  const walker = document.createTreeWalker(document.querySelector('#doc-content'), NodeFilter.SHOW_TEXT);
  let text = '';
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (!node.parentElement.closest('.lazy, script, .fragment, code')) text += node.data;
  return text;
"""
# Empties the drawings of formulas: thousands of paths and no word, whose names and colours are those of the box around them.
EMPTY_FORMULAS = "document.querySelectorAll('.MathJax_SVG svg > g').forEach(drawing => drawing.replaceChildren())"
# What axe-core finds, a line for each kind. It does not see that MathML in the head of a column is text.
VIOLATIONS = """
  const done = arguments[0];
  axe.run(document, {resultTypes: ['violations']}).then(found => done(found.violations.flatMap(one => {
    const nodes = one.nodes.filter(node => one.id !== 'empty-table-header' || !document.querySelector(node.target[0]).querySelector('math'));
    return nodes.length ? [`${one.id}: ${nodes.length} times, first ${nodes[0].html.slice(0, 120)}`] : [];
  })));
"""
# Contrast of the text with what is behind it, by the formula of the Web Content Accessibility Guidelines.
CONTRAST = """
  const luminance = colour => {
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map(c => c / 255)
      .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const text = luminance(getComputedStyle(document.querySelector(arguments[0])).color);
  const paper = luminance(getComputedStyle(document.body).backgroundColor);
  return [paper, (Math.max(text, paper) + 0.05) / (Math.min(text, paper) + 0.05)];
"""

# Words in the heads of tables that are broken over two lines.
BROKEN_HEADS = """
  const broken = [];
  for (const head of document.querySelectorAll('div.contents th')) {
    const walker = document.createTreeWalker(head, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement.closest('.MathJax_SVG, .MathJax_Preview, script')) continue;
      for (const word of node.data.matchAll(/[^\\s-]+/g)) {
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map(one => Math.round(one.top))).size > 1) broken.push(word[0]);
      }
    }
  }
  return broken;
"""
# Text with punctuation behind a formula that begins a line of its own; looked for in what is folded, too.
BEGUN_BY_PUNCTUATION = """
  const folded = document.querySelectorAll('details:not([open])');
  folded.forEach(one => { one.open = true; });
  const walker = document.createTreeWalker(document.querySelector('div.contents'), NodeFilter.SHOW_TEXT), found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const before = node.previousElementSibling;
    if (!/^[.,;:?!)]/.test(node.data) || !before || before.localName !== 'script' || before.type !== 'math/tex') continue;
    const range = document.createRange(), drawn = before.previousElementSibling;
    range.setStart(node, 0);
    range.setEnd(node, 1);
    if (!drawn || !drawn.querySelector('svg')) continue;
    if (range.getBoundingClientRect().top > drawn.getBoundingClientRect().bottom - 2) found.push(before.textContent + node.data.slice(0, 20));
  }
  folded.forEach(one => { one.open = false; });
  return found;
"""
# The title of the entry of the tree that stands for this page, or null; a tree of its root alone is empty.
PLACE_IN_TREE = """
  const chosen = document.querySelector('#nav-tree .item.selected .label');
  if (!chosen || chosen.getBoundingClientRect().height === 0) return null;
  return document.querySelectorAll('#nav-tree .item').length > 1 ? chosen.innerText.trim() : null;
"""


def start_browser():
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--allow-file-access-from-files",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        "--hide-scrollbars",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "SEVERE"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


class Book(unittest.TestCase):
    html = verify = shots = axe = browser = None  # set from the command line
    part, parts = 0, 1  # of the pages and of the tests of one page: those that this browser looks at

    @classmethod
    def setUpClass(cls):
        cls.shots.mkdir(parents=True, exist_ok=True)
        cls.rows = json.loads(cls.verify.read_text(encoding="utf-8"))["rows"]
        cls.browser = start_browser()
        cls.browser.set_script_timeout(PATIENCE)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def open(self, address, width="desktop"):
        pixels, height = WIDTHS[width]
        self.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": pixels, "height": height, "deviceScaleFactor": 1, "mobile": width == "phone"},
        )
        self.browser.get("about:blank")
        page, _, fragment = address.partition("#")
        self.browser.get((self.html / f"{page}.html").as_uri() + (f"#{fragment}" if fragment else ""))
        self.settle()

    def settle(self):
        self.browser.execute_async_script(SETTLED)

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def set_theme(self, dark):
        self.script("DoxygenAwesomeDarkModeToggle.userPreference = arguments[0]", dark)

    def ask_ledger(self, text):
        field = self.browser.find_element(By.CSS_SELECTOR, ".ledger-filter input")
        field.clear()
        field.send_keys(text)

    def shown_rows(self):
        """The number that the ledger tells, after a look at the rows themselves."""
        said = self.browser.find_element(By.CSS_SELECTOR, ".ledger-filter output").text
        displayed = self.script(
            "return [...document.querySelectorAll('tr[data-paper]')].filter(row => row.offsetHeight > 0).length"
        )
        self.assertEqual(said, f"{displayed} of {len(self.rows)} rows")
        return displayed

    # Every page

    def dealt(self, pages):
        return pages[self.part :: self.parts]

    def test_pages_are_well_in_both_themes_and_at_both_widths(self):
        for (page, width), looks in self.dealt(self.visits()):
            self.open(page, width)
            for look in looks:
                look(page, width)

    def visits(self):
        """What is looked at on each page in each width; it is opened once, since formulas take their time."""
        looks = collections.defaultdict(list)
        for page in PAGES:
            for width in WIDTHS:
                looks[page, width].append(self.check_reading)
        for page in [*(stem for stem in STEMS if (self.html / f"{stem}.html").exists()), "notation", "proofs"]:
            looks[page, "phone"].append(self.check_heads_of_tables)
        for page in ("exercises", *STEMS[:3]):
            looks[page, "phone"].append(self.check_beginnings_of_lines)
        if self.axe.exists():
            for page in ACCESSIBLE:
                for width in WIDTHS:
                    looks[page, width].append(self.check_by_axe)
            for page in self.looked_at_once():
                looks[page, "desktop"].append(self.check_by_axe)
        return sorted(looks.items(), key=lambda visit: visit[0][1])  # each browser has its share of the wide ones

    def check_reading(self, page, width):
        for theme in ("light", "dark"):
            with self.subTest(page=page, width=width, theme=theme):
                self.set_theme(theme == "dark")
                self.settle()
                self.browser.save_screenshot(str(self.shots / f"{page}-{width}-{theme}.png"))
                self.check_layout(width)
                self.check_theme(theme)
        with self.subTest(page=page, width=width):
            self.check_formulas(page)
            self.assertEqual([entry["message"] for entry in self.browser.get_log("browser")], [])

    def check_layout(self, width):
        self.assertLessEqual(
            self.script("return document.documentElement.scrollWidth"),
            WIDTHS[width][0],
            "the page is wider than the window",
        )
        self.assertEqual(
            self.script(
                "const text = document.querySelector('#doc-content'); return text.scrollWidth - text.clientWidth"
            ),
            0,
            "the text is wider than its place",
        )
        self.assertEqual(
            self.script(
                "return [...document.querySelectorAll('svg.picture')]"
                ".filter(one => one.getBoundingClientRect().height < 50).length"
            ),
            0,
            "a picture has no height",
        )

    def check_heads_of_tables(self, page, width):
        with self.subTest("a word in the head of a table is broken", page=page):
            self.assertEqual(self.script(BROKEN_HEADS), [])
            self.check_layout(width)

    def check_beginnings_of_lines(self, page, width):
        with self.subTest("a line begins with punctuation", page=page, width=width):
            self.assertEqual(self.script(BEGUN_BY_PUNCTUATION), [])

    def check_by_axe(self, page, width):
        self.script(self.axe.read_text(encoding="utf-8"))
        # Colours do not depend on the width.
        for theme in ("light", "dark") if page in ACCESSIBLE and width == "desktop" else ("light",):
            with self.subTest("axe finds a violation", page=page, width=width, theme=theme):
                self.set_theme(theme == "dark")
                self.settle()  # a formula that is being drawn has no name yet
                self.script(EMPTY_FORMULAS)
                self.assertEqual(self.browser.execute_async_script(VIOLATIONS), [])

    # On a phone

    def touch(self, selector):
        """A finger in the middle of what is seen of it."""
        x, y = self.script(
            "const one = document.querySelector(arguments[0]); one.scrollIntoView({block: 'center'});"
            "const place = one.getBoundingClientRect(); return [place.left + place.width / 2, place.top + place.height / 2]",
            selector,
        )
        self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def open_by_hand(self, page):
        """As on a telephone, which has fingers and no mouse."""
        self.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.setTouchEmulationEnabled", {"enabled": False})
        self.open(page, "phone")

    def until(self, script):
        WebDriverWait(self.browser, PATIENCE).until(lambda browser: browser.execute_script(script))

    def test_hints_open_by_touch_and_what_is_touched_has_room(self):
        self.open_by_hand("exercises")
        self.touch("details > summary")
        self.until("return document.querySelector('details').open")
        for place, height in (("details > summary", 40), ("div.toc li a", 32)):
            self.assertGreaterEqual(self.script(f"return Math.min(...[...document.querySelectorAll('{place}')].map(one => one.offsetHeight))"), height, place)

    def test_the_menu_of_a_phone_leads_to_the_chapters_and_the_exercises(self):
        self.open_by_hand("index")
        for page in ("chapters", "syllabus", "exercises", "ledger"):
            self.assertEqual(self.script(f"return document.querySelector('#main-menu a[href$=\"{page}.html\"]').offsetHeight"), 0)
        self.touch(".main-menu-btn")
        self.until("return document.querySelector('#main-menu a[href$=\"exercises.html\"]').offsetHeight >= 36")
        time.sleep(1)  # it slides
        self.touch("#main-menu a[href$='exercises.html']")
        WebDriverWait(self.browser, PATIENCE).until(lambda browser: browser.current_url.endswith("exercises.html"))

    def test_the_map_begins_in_its_middle_and_captions_stay(self):
        self.open_by_hand("index")
        left, right, caption = self.script(
            "const box = document.querySelector('svg.picture a').getBoundingClientRect();"
            "return [box.left, box.right, document.querySelector('.image .caption').getBoundingClientRect().left]"
        )
        self.assertTrue(0 <= left and right <= WIDTHS["phone"][0], (left, right))
        self.assertGreaterEqual(caption, 0)

    def test_every_page_has_its_place_in_the_tree(self):
        self.open("index")
        self.browser.execute_cdp_cmd("Network.enable", {})
        self.browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*MathJax.js*"]})  # not what is looked for
        try:
            by_hand = self.pages_by_hand()
            others = [path for path in sorted(self.html.glob("*.html")) if path.stem not in by_hand]
            pages = [self.html / f"{page}.html" for page in sorted(by_hand)] + self.part_of(others, 10)
            for path in self.dealt(pages):
                with self.subTest(page=path.name):
                    self.browser.get(path.as_uri())
                    place = WebDriverWait(self.browser, 5, poll_frequency=0.05).until(
                        lambda browser: browser.execute_script(PLACE_IN_TREE), "no entry of the tree is selected"
                    )
                    if path.stem in {*STEMS, "ledger", "errata", "conventions"}:
                        self.assertEqual(self.browser.title, f"Articulate: {place}")
        finally:
            self.browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
            self.browser.get_log("browser")  # forget that the formulas were not there

    def check_theme(self, theme):
        for place in ("body", "div.contents", "div.title"):
            paper, contrast = self.script(CONTRAST, place)
            self.assertEqual(paper < 0.2, theme == "dark", "the paper does not follow the theme")
            self.assertGreaterEqual(contrast, 4.5, f"the text of {place} is hard to read")

    def check_formulas(self, page):
        text = self.script(VISIBLE_TEXT)
        for leftover in ("Math Processing Error", "\\f$", "\\f[", "\\(", "\\[", "\\ref", "\\eq{"):
            self.assertNotIn(leftover, text)
        if page in WITH_FORMULAS:
            # On a short window the first formula may be below the fold, and is typeset when it comes near.
            self.script(
                "const first = document.querySelector('.formulaDsp, .MathJax_SVG, .lazy');"
                "first && first.scrollIntoView()"
            )
            time.sleep(0.3)
            self.settle()
            self.assertGreater(
                self.script("return document.querySelectorAll('.MathJax_SVG svg').length"), 0, "no formula is rendered"
            )
        self.assertEqual(
            self.script("return document.querySelectorAll('.MathJax_SVG .merror, .MathJax_Error').length"),
            0,
            "a formula has an error",
        )

    # For those who listen, or use the keyboard, or have scripts off

    def pages_by_hand(self):
        """Those that are made from chapters/*.md, with the proofs and what is said of the papers beside them."""
        texts = [page.read_text(encoding="utf-8") for page in sorted(CHAPTERS.glob("*.md"))]
        names = [re.match(r"# .*\{#(\w+)\}", text)[1] for text in texts]
        proofs = [path.stem for path in self.html.glob("proofs*.html")]
        return {"index" if name == "mainpage" else name for name in names} | {*proofs, "ledger", "errata", "papers"}

    def looked_at_once(self):
        """Pages written by hand and a few that Doxygen makes of the library, those always the same."""
        by_hand = self.pages_by_hand()
        others = sorted({path.stem for path in self.html.glob("*.html")} - by_hand - set(ACCESSIBLE))
        drawn = random.Random(22).sample(others, min(MADE_BY_DOXYGEN, len(others)))
        had_faults = [page for page in HAD_FAULTS if (self.html / f"{page}.html").exists()]
        return self.part_of(sorted({*by_hand, *drawn, *had_faults} - set(ACCESSIBLE)), 6)

    @staticmethod
    def part_of(pages, parts):
        """One of so many parts, another one with each commit, or all."""
        if ALL:
            return pages
        counted = subprocess.run(["git", "rev-list", "--count", "HEAD"], cwd=CHAPTERS, capture_output=True, text=True)
        return pages[int(counted.stdout or 0) % parts :: parts]

    def test_axe_is_asked(self):
        if not self.axe.exists():
            self.skipTest("SKIPPED: accessibility is not checked, since axe-core cannot be had without npm and a network")
        asked = {view for view, looks in self.visits() if self.check_by_axe in looks}
        self.assertLessEqual({(page, width) for page in ACCESSIBLE for width in WIDTHS}, asked)
        self.assertLessEqual({(page, "desktop") for page in self.looked_at_once()}, asked)

    def press(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def focused(self):
        return self.script("const one = document.activeElement; return one.name || one.type || one.localName")

    def test_the_filters_of_the_ledger_work_by_keys_alone(self):
        self.open("ledger")
        self.script("document.querySelector('.ledger-filter input').focus()")
        self.press("mass", Keys.TAB)
        self.assertLess(self.shown_rows(), len(self.rows) / 2)
        self.assertEqual(self.focused(), "paper")
        self.press("park")
        self.assertTrue(self.browser.current_url.endswith("#paper=park&text=mass"), self.browser.current_url)
        self.assertLess(0, self.shown_rows())
        for name in ("chapter", "status", "ground", "button"):
            self.press(Keys.TAB)
            self.assertEqual(self.focused(), name)
        self.press(Keys.ENTER)
        self.assertEqual(self.shown_rows(), len(self.rows))

    def test_answers_are_folded_open_by_keys_and_are_printed(self):
        height = "return document.querySelector('details.answer').getBoundingClientRect().height"
        self.open("rnea")
        self.assertEqual(self.script("return document.querySelectorAll('details.answer[open]').length"), 0)
        closed = self.script(height)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        try:
            self.assertGreater(self.script(height), 1.5 * closed)
        finally:
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        self.assertEqual(self.script(height), closed)
        self.script("document.querySelector('details.answer > summary').focus()")
        self.press(Keys.ENTER)
        self.assertGreater(self.script(height), 1.5 * closed)
        sizes = self.script(
            "return ['details.answer', '.textblock > p'].map(place => document.querySelector(place + ' .MathJax_SVG svg'))"
            ".map(svg => svg.querySelector('g').getBoundingClientRect().height / svg.viewBox.baseVal.height)"
        )
        self.assertAlmostEqual(sizes[0] / sizes[1], 1, delta=0.1, msg="a formula in an answer has another size than in the text")

    def test_what_scrolls_is_reached_by_the_tab_key(self):
        self.open("rnea", "phone")
        places = self.script(
            "return [...document.querySelectorAll('.fragment')].filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.tabIndex)"
        )
        self.assertGreater(len(places), 0)
        self.assertEqual(set(places), {0})

    def test_without_scripts_a_page_has_its_words_and_its_formulas_as_text(self):
        self.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        try:
            for page, formula in (("rnea", "\\dot V_i"), ("ledger", "\\begin{bmatrix}"), ("concordance_kim", "\\begin{bmatrix}")):
                with self.subTest(page=page):
                    self.browser.get((self.html / f"{page}.html").as_uri())
                    text = self.browser.find_element(By.CSS_SELECTOR, "div.contents")
                    self.assertTrue(text.is_displayed())
                    self.assertIn(formula, text.text)
                    self.browser.save_screenshot(str(self.shots / f"{page}-without-scripts.png"))
        finally:
            self.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})

    # The ledger

    def test_filters_of_the_ledger_show_the_rows_that_are_asked_for(self):
        self.open("ledger")
        self.assertEqual(self.shown_rows(), len(self.rows))
        for field, value in (("paper", "park"), ("status", "verified")):
            Select(self.browser.find_element(By.NAME, field)).select_by_value(value)
        self.assertEqual(
            self.shown_rows(), sum(row["paper"] == "park" and row["status"] == "verified" for row in self.rows)
        )
        self.assertTrue(self.browser.current_url.endswith("#paper=park&status=verified"))
        self.browser.find_element(By.CSS_SELECTOR, ".ledger-filter button").click()
        self.assertEqual(self.shown_rows(), len(self.rows))

    def test_an_address_chooses_rows(self):
        self.open("ledger#chapter=rnea&paper=ma")
        self.assertEqual(self.shown_rows(), sum(row["chapter"] == "rnea" and row["paper"] == "ma" for row in self.rows))
        for field in ("paper", "chapter", "status", "ground"):
            for value in sorted({row[field] for row in self.rows}):
                with self.subTest(field=field, value=value):
                    self.script("window.location.hash = arguments[0]", f"{field}={value.replace(' ', '%20')}")
                    expected = f"{sum(row[field] == value for row in self.rows)} of {len(self.rows)} rows"
                    WebDriverWait(self.browser, PATIENCE).until(
                        lambda browser: browser.find_element(By.CSS_SELECTOR, ".ledger-filter output").text == expected,
                        f"not {expected}",
                    )
                    self.shown_rows()

    def test_search_finds_words_symbols_and_numbers(self):
        self.open("ledger")
        for text, key in (
            ("columns of a rotation", "eq_kim_1"),
            ("newton_euler", "eq_kim_31"),
            ("kim (41)", "eq_kim_41"),
            ("mathcal{I}", "eq_kim_20"),
        ):
            with self.subTest(text=text):
                self.ask_ledger(text)
                self.assertLess(0, self.shown_rows())
                self.assertLess(self.shown_rows(), len(self.rows) / 4)
                self.assertTrue(
                    self.script("return document.getElementById(arguments[0]).closest('tr').offsetHeight > 0", key)
                )
        self.ask_ledger("no such words")
        self.assertEqual(self.shown_rows(), 0)

    def test_a_link_to_a_row_shows_it_with_its_formula(self):
        for width in WIDTHS:
            with self.subTest(width=width):
                self.open("ledger#eq_ali_20", width)
                time.sleep(1)
                self.settle()
                place = self.script(
                    "return document.getElementById('eq_ali_20').closest('tr').getBoundingClientRect().top"
                )
                # A window is scrolled by whole pixels, a row may begin between two.
                self.assertTrue(-1 < place < WIDTHS[width][1], f"the row is at {place} pixels")
                self.assertTrue(
                    self.script(
                        "return document.getElementById('eq_ali_20').closest('tr')"
                        ".querySelector('.MathJax_SVG svg') !== null"
                    )
                )

    def test_only_formulas_near_the_window_are_typeset(self):
        self.open("ledger")
        time.sleep(0.5)
        self.settle()
        typeset = self.script("return document.querySelectorAll('table.ledger .typeset').length")
        self.assertLess(0, typeset)
        self.assertLess(typeset, len(self.rows) / 10)

    # Search, theme, map

    def test_the_search_box_finds_symbols_sections_and_words_offline(self):
        for text, target in (
            ("mass matrix", "rnea.html#rnea_mass_matrix"),
            ("composite-rigid-body", "lagrange.html#lagrange_composite"),
            ("racket flips", "body.html#body_flight"),
            ("6x6 matrix", "group.html"),  # no symbol begins with a digit
            ("InverseDynamics", "classarticulate_1_1InverseDynamics.html"),
            ("Forward dynamics", "aba.html"),
            ("conventions", "conventions.html"),
        ):
            with self.subTest(text=text):
                self.open("index")
                self.browser.find_element(By.ID, "MSearchField").send_keys(text)
                frame = WebDriverWait(self.browser, PATIENCE).until(
                    lambda browser: browser.find_element(By.ID, "MSearchResults")
                )
                self.browser.switch_to.frame(frame)
                try:
                    WebDriverWait(self.browser, PATIENCE).until(
                        lambda browser: any(
                            one.is_displayed() and target in one.get_attribute("href")
                            for one in browser.find_elements(By.CSS_SELECTOR, ".SRResult a[href]")
                        )
                    )
                finally:
                    self.browser.switch_to.default_content()

    def test_the_toggle_changes_the_theme_and_the_next_page_keeps_it(self):
        self.open("index")
        self.set_theme(False)
        light = self.script(CONTRAST, "body")[0]
        WebDriverWait(self.browser, PATIENCE).until(
            lambda browser: browser.find_element(By.TAG_NAME, "doxygen-awesome-dark-mode-toggle")
        ).click()
        dark = self.script(CONTRAST, "body")[0]
        self.assertGreater(light - dark, 0.5)
        self.open("group")
        self.assertEqual(self.script(CONTRAST, "body")[0], dark)

    def test_the_ink_of_a_picture_is_that_of_the_text(self):
        self.open("conventions")
        for dark in (False, True):
            self.set_theme(dark)
            ink, text = self.script(
                """return ['svg.picture text[fill=currentColor]', 'div.contents'].map(
              (place, index) => getComputedStyle(document.querySelector(place))[index ? 'color' : 'fill'])"""
            )
            self.assertEqual(ink, text)

    def test_a_box_of_the_reading_map_leads_to_its_chapter(self):
        self.open("index")
        self.browser.find_element(By.CSS_SELECTOR, "svg.picture a[href='rnea.html']").click()
        WebDriverWait(self.browser, PATIENCE).until(lambda browser: browser.current_url.endswith("rnea.html"))


def of_this_part(name):
    """Tests that deal their pages are run by every part, each other one by one of them."""
    names = [one for one in unittest.defaultTestLoader.getTestCaseNames(Book) if one not in DEALT]
    return name in DEALT or names.index(name) % Book.parts == Book.part


def in_parts(arguments):
    """Runs a browser on each part and shows what they said, one after the other; whether all is well."""
    parts = min(len(os.sched_getaffinity(0)), 4)
    command = [sys.executable, __file__, *arguments]
    running = [
        subprocess.Popen([*command, f"{part}/{parts}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for part in range(parts)
    ]
    for one in running:
        print(one.communicate()[0], flush=True)
    return all(one.returncode == 0 for one in running)


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    if len(sys.argv) == 5:
        sys.exit(0 if in_parts(sys.argv[1:]) else 1)
    Book.html, Book.verify, Book.shots, Book.axe = (Path(argument).resolve() for argument in sys.argv[1:5])
    Book.part, Book.parts = map(int, sys.argv[5].split("/"))
    suite = unittest.TestSuite(
        Book(name) for name in unittest.defaultTestLoader.getTestCaseNames(Book) if of_this_part(name)
    )
    sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())
