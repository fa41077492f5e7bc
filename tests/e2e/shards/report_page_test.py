"""Pages of report and inspect as browsers see them: sound HTML that asks for nothing from elsewhere; and, where
Chromium is installed, what it shows: text, width, both themes.

    python3 report_page_test.py BERTPREP SAMPLES html|chromium
"""

import html.parser
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

SKIPPED = 77
VOID = {"meta", "br", "hr", "img", "input", "link"}
EVIL = "<script>alert(1)</script>"
SECTIONS = ("What to know before training", "Rows", "Files", "Vocabulary", "Text", "Rows to read", "Recipe")
PHONE, DESK = 360, 1280

BERTPREP = CHROMIUM = ""
SAMPLES = pathlib.Path()


def bertprep(*arguments):
    return subprocess.run([BERTPREP, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def setUpModule():
    global FOLDER, SHARDS, REPORT, ROWS, temporary
    temporary = tempfile.TemporaryDirectory()
    FOLDER = pathlib.Path(temporary.name)
    bertprep("run", "--input", SAMPLES / "sample.wikitext", "--name", "sample", "--vocab", "sample-uncased",
             "--sentences", "icu", "--train-shards", "4", "--test-shards", "1", "--phase", "1", "-o", FOLDER / "root",
             "-w", FOLDER / "work", "-q")
    SHARDS = next((FOLDER / "root").glob("hdf5_*")) / "sample"
    pieces = (SHARDS / "vocab.txt").read_text().split("\n")
    pieces[50:] = [f"{EVIL}{i}" if piece else "" for i, piece in enumerate(pieces[50:])]
    (FOLDER / "evil.txt").write_text("\n".join(pieces))
    REPORT = bertprep("report", SHARDS, "-o", "-", "-q")
    ROWS = bertprep("inspect", SHARDS, "--rows", ":20", "--html", "-q")


def tearDownModule():
    temporary.cleanup()


class Page(html.parser.HTMLParser):
    """Tags in their nesting, with all attributes, and the text between them."""

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.attributes, self.text, self.faults = [], [], [], "", []
        self.feed(page)
        self.close()
        self.faults += [f"<{tag}> is not closed" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes another")

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.text += data


class Html(unittest.TestCase):
    def check(self, page):
        parsed = Page(page)
        self.assertEqual(parsed.faults, [])
        self.assertFalse({"script", "link", "img", "iframe", "object", "embed", "form", "base"} & set(parsed.tags))
        for name, value in parsed.attributes:
            self.assertFalse(name.startswith("on") or name in ("href", "src", "style", "xlink:href"), (name, value))
        self.assertNotRegex(page, r"url\(|@import|https?://")
        self.assertLess(len(page.encode()), 2_000_000)
        return parsed

    def test_a_report_needs_nothing_else(self):
        parsed = self.check(REPORT)
        for section in SECTIONS:
            self.assertIn(section, parsed.text)
        self.assertGreaterEqual(parsed.tags.count("svg"), 8)

    def test_a_page_of_rows_needs_nothing_else(self):
        self.assertIn("row 19", self.check(ROWS).text)

    def test_pieces_of_a_vocabulary_are_text(self):
        for page in (bertprep("report", SHARDS, "-o", "-", "-q", "--vocab", FOLDER / "evil.txt"),
                     bertprep("inspect", SHARDS, "--html", "-q", "--vocab", FOLDER / "evil.txt")):
            self.assertIn(EVIL, self.check(page).text)


def corner_of(png):
    """Red, green and blue of the first pixel, which no filter of PNG changes."""
    data = b"".join(png[place + 4:place + 4 + struct.unpack(">I", png[place - 4:place])[0]]
                    for place in (match.start() for match in re.finditer(b"IDAT", png)))
    return tuple(zlib.decompress(data)[1:4])


def filled_share(pgm):
    """How far down a page, a picture in grey, something is printed."""
    width, height = map(int, pgm.split(maxsplit=3)[1:3])
    grey = pgm[-width * height:]
    return max(row for row in range(height) if min(grey[row * width:(row + 1) * width]) < 250) / height


class Chromium(unittest.TestCase):
    def browse(self, *arguments):
        return subprocess.run(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             f"--user-data-dir={FOLDER}/profile", *arguments], check=True, capture_output=True, timeout=120).stdout

    def facts(self, page, width):
        """What a browser makes of the page in a window so wide: measured from a page around it, as its own policy
        runs no script."""
        frame = json.dumps(page).replace("<", "\\u003c")
        outer = FOLDER / "outer.html"
        outer.write_text(f"""<!DOCTYPE html><meta charset="utf-8">
<body><iframe id="f" width="{width}" height="900"></iframe>
<pre id="facts"></pre><script>
f.onload = () => {{
  const page = f.contentDocument, wide = [];
  for (const e of page.querySelectorAll("body *")) {{
    if (e.getBoundingClientRect().right > {width} + 1) wide.push(e.outerHTML.slice(0, 80));
  }}
  facts.textContent = JSON.stringify({{width: page.documentElement.scrollWidth, wide: wide.slice(0, 3),
    text: page.body.innerText, charts: page.querySelectorAll("svg").length,
    small: [...page.querySelectorAll("figure svg text")].filter(e => e.getBoundingClientRect().height < 9).length}});
}};
f.srcdoc = {frame};
</script>""")
        shown = self.browse("--virtual-time-budget=5000", "--dump-dom", outer.as_uri()).decode()
        facts = html.unescape(re.search(r'<pre id="facts">(.*?)</pre>', shown, re.DOTALL)[1])
        return json.loads(facts)

    def screenshot(self, page, theme):
        file, picture = FOLDER / "page.html", FOLDER / "page.png"
        file.write_text(page)
        picture.unlink(missing_ok=True)
        self.browse(f"--blink-settings=preferredColorScheme={theme}", f"--window-size={DESK},2000",
                    f"--screenshot={picture}", file.as_uri())
        return picture.read_bytes()

    def test_fits_a_phone_and_a_desk(self):
        for page in (REPORT, ROWS):
            for width in (PHONE, DESK):
                facts = self.facts(page, width)
                self.assertLessEqual(facts["width"], width)
                self.assertEqual(facts["wide"], [])
                self.assertEqual(facts["small"], 0)
        self.assertGreaterEqual(facts["charts"] + self.facts(REPORT, PHONE)["charts"], 8)

    def test_shows_the_text(self):
        text = self.facts(REPORT, DESK)["text"]
        for section in SECTIONS:
            self.assertIn(section, text)
        self.assertIn("[CLS]", text)

    def test_runs_no_script_of_the_data(self):
        page = REPORT.replace("</main>", "<script>document.body.innerHTML = 'taken'</script></main>")
        self.assertIn(SECTIONS[0], self.facts(page, DESK)["text"])

    def test_has_two_themes(self):
        dark, light = (self.screenshot(REPORT, theme) for theme in (0, 1))
        self.assertLess(sum(corner_of(dark)), 150)
        self.assertGreater(sum(corner_of(light)), 600)
        for picture in (dark, light):
            self.assertGreater(len(picture), 50_000)  # an empty page has some 10 kB

    def test_prints_without_half_empty_pages(self):
        if not shutil.which("pdftoppm"):
            self.skipTest("pdftoppm is not installed (Debian's package poppler-utils)")
        file, pages = FOLDER / "page.html", FOLDER / "pages"
        file.write_text(REPORT)
        shutil.rmtree(pages, ignore_errors=True)
        pages.mkdir()
        self.browse(f"--print-to-pdf={pages / 'page.pdf'}", "--no-pdf-header-footer", file.as_uri())
        subprocess.run(["pdftoppm", "-r", "20", "-gray", pages / "page.pdf", pages / "p"], check=True)
        filled = [filled_share(picture.read_bytes()) for picture in sorted(pages.glob("*.pgm"))]
        self.assertGreater(len(filled), 2)
        self.assertGreater(sum(filled[:-1]) / len(filled[:-1]), 0.8, filled)


if __name__ == "__main__":
    BERTPREP, SAMPLES = sys.argv[1], pathlib.Path(sys.argv[2])
    CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome") or ""
    if sys.argv[3] == "chromium" and not CHROMIUM:
        print("skipped: Chromium is not installed (Debian's package chromium, 455 MB)")
        sys.exit(SKIPPED)
    wanted = Chromium if sys.argv[3] == "chromium" else Html
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(wanted)
    sys.exit(0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1)
