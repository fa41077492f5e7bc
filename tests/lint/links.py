"""Links: relative links in Markdown lead to files and headings that exist; so do pages that code and scripts name, and
sources and folders that pages name. The code has every name of docs/architecture.md.
"""

import re

import frame

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|!\[[^\]]*\]\(([^)\s]+)")
REFERENCE = re.compile(r"^\[[^\]]+\]:\s+(\S+)")
PAGE = re.compile(r"(?<![\w/.])docs(?:/[\w-]+)+\.md")
SOURCE = re.compile(r"`((?:[a-z0-9_-]+/)*[a-z0-9_-]+\.(?:cpp|h))`")
# A path from the root of the project, unless a word in capitals represents a part of it.
PATH = re.compile(r"`((?:cmake|datasets|docs|include|samples|scripts|src|tests|tools|vocab)(?:/[\w.-]+)+)/?`")
PLACEHOLDER = re.compile(r"[A-Z]{2,}")
# `DumpReader`, `MediawikiSource::next`, `write_text_shards`, `build()`, `open_corpus` (`corpus.cpp`)
NAME = re.compile(r"`(?=\w*(?:_|::|\(\)|[a-z][A-Z]))((?:\w+::)*)([A-Za-z]\w*)(?:\(\))?`(?: \(`([\w/]+\.(?:cpp|h))`\))?")
WALKS = "docs/architecture.md"
CODE = (".cpp", ".h", ".h.in", ".py", ".sh", ".cmake", "CMakeLists.txt")


def prose_lines(root, name):
    """The lines of a page without its blocks of code."""
    inside = False
    for number, line in frame.lines_of(root, name):
        if re.match(r"\s*(```|~~~)", line):
            inside = not inside
        elif not inside:
            yield number, line


def anchors_of(root, name):
    """The fragments that a page's headings can be reached by, as code hosts make them."""
    anchors = set()
    for _, line in prose_lines(root, name):
        heading = re.match(r"#+\s+(.*?)\s*#*$", line)
        if heading:
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            anchors.add(re.sub(r"[^\w\- ]", "", text).replace(" ", "-"))
    return anchors


def faults_of_link(root, name, place, target):
    path, _, fragment = target.partition("#")
    base = root if path.startswith("/") else (root / name).parent
    file = (base / path.lstrip("/")).resolve() if path else root / name
    if not file.is_relative_to(root) and path:
        return [f"{place}: {target} leads out of the project"]
    if not file.exists():
        return [f"{place}: {target} does not exist"]
    if fragment and file.suffix == ".md" and fragment not in anchors_of(root, file):
        return [f"{place}: {target}: no such heading"]
    return []


def faults_of_page(root, name):
    found = []
    for number, line in prose_lines(root, name):
        text = re.sub(r"`[^`]*`", "", line)
        targets = [first or second for first, second in LINK.findall(text)] + REFERENCE.findall(text)
        for target in targets:
            if not re.match(r"[a-z][a-z0-9+.-]*:", target):
                found += faults_of_link(root, name, f"{name}:{number}", target)
    return found


def faults_of_sources(root, name, sources):
    """A page may name a source by its path or by its name alone."""
    return [f"{name}:{number}: {source} does not exist" for number, line in prose_lines(root, name)
            for source in SOURCE.findall(line)
            if source not in sources and not ("/" not in source and any(s.endswith("/" + source) for s in sources))]


def faults_of_paths(root, name):
    return [f"{name}:{number}: {path} does not exist" for number, line in prose_lines(root, name)
            for path in PATH.findall(line) if not PLACEHOLDER.search(path) and not (root / path).exists()]


def faults_of_names(root, name, sources):
    """A name is in the code; a name before a file in parentheses is in this file."""
    words = {source: set(re.findall(r"\w+", (root / source).read_text(encoding="utf-8"))) for source in sources}
    found = []
    for number, line in prose_lines(root, name):
        for _, word, file in NAME.findall(line):
            named = [source for source in sources if not file or ("/" + source).endswith("/" + file)]
            if not any(word in words[source] for source in named):
                found.append(f"{name}:{number}: {word} is not in {file or 'any source'}")
    return found


def faults_of_code(root, name):
    return [f"{name}:{number}: {page} does not exist" for number, line in frame.lines_of(root, name)
            for page in PAGE.findall(line) if not (root / page).is_file()]


def faults(root):
    found = []
    sources = set(map(str, frame.project_files(root, ".cpp", ".h")))
    for name in frame.project_files(root, ".md"):
        found += faults_of_page(root, name)
        if name != "CHANGELOG.md":
            found += faults_of_sources(root, name, sources)
            found += faults_of_paths(root, name)
        if name == WALKS:
            found += faults_of_names(root, name, sources)
    for name in frame.project_files(root, *CODE):
        if not name.startswith("tests/lint/"):
            found += faults_of_code(root, name)
    return found


PAGES = {"README.md": "# A house\nSee [shard](docs/shard.md#the-six-data-sets), [a](https://x.org/y), [b](#a-house).\n"
                      "```\n[not](a-link.md)\n```\n`[nor](this.md)`\n",
         "docs/shard.md": "## The six `data` sets\n[back](../README.md)\n", "src/a.h": "// docs/shard.md says more\n"}
WALK = PAGES | {"src/a.h": "class Reader { bool next(); };\nReader open_it();\n", "src/b.h": "int b;\n"}
CASES = [
    frame.Case(PAGES),
    frame.Case(PAGES | {"docs/b.md": "[gone](gone.md)\n"}, "docs/b.md:1: gone.md does not exist"),
    frame.Case(PAGES | {"docs/b.md": "\n[x](shard.md#nothing)\n"}, "docs/b.md:2: shard.md#nothing: no such heading"),
    frame.Case(PAGES | {"docs/b.md": "![plot](plot.png)\n"}, "plot.png does not exist"),
    frame.Case(PAGES | {"docs/b.md": "[x](../../other/y.md)\n"}, "leads out of the project"),
    frame.Case(PAGES | {"docs/b.md": "`src/a.h`, `a.h`, `a.b.h`, `NAME_test.cpp`\n"}),
    frame.Case(PAGES | {"docs/b.md": "\nin `c.h`\n"}, "docs/b.md:2: c.h does not exist"),
    frame.Case(PAGES | {"docs/b.md": "in `src/b/a.h`\n"}, "docs/b.md:1: src/b/a.h does not exist"),
    frame.Case(PAGES | {"docs/b.md": "`src`, `src/a.h`, `docs/`, `tests/unit/ROOM`, `scripts/x.sh FILE`, `tests/*`\n"}),
    frame.Case(PAGES | {"docs/b.md": "in `src/gone`\n"}, "docs/b.md:1: src/gone does not exist"),
    frame.Case(WALK | {"docs/architecture.md": "`Reader::next` (`a.h`), `open_it()`, `run`, `Reader` (`src/a.h`)\n"}),
    frame.Case(WALK | {"docs/architecture.md": "\n`OldReader`\n"}, "architecture.md:2: OldReader is not in any source"),
    frame.Case(WALK | {"docs/architecture.md": "`Reader::last`\n"}, "last is not in any source"),
    frame.Case(WALK | {"docs/architecture.md": "`open_it` (`b.h`)\n"}, "docs/architecture.md:1: open_it is not in b.h"),
    frame.Case(PAGES | {"src/b.h": "// see docs/formats/none.md\n"}, "docs/formats/none.md does not exist"),
]

if __name__ == "__main__":
    frame.main(faults, CASES)
