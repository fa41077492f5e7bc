"""Phrases: what users read, pages and messages, has none of the phrases that make a native reader stop.

Pages are all of Markdown, messages the string literals of src and tools.
"""

import re

import frame

# Each with the plain word for it.
PHRASES = {
    r"of one's own": "your own",
    r"(?:goes|go|went|going) on": "resumes, continues",
    r"(?:is|are|was|were) there already": "exists",
    r"what is there": "what exists",
    r"shall": "must, should",
    r"do(?:es)? as well": "works, too",
    r"for ever": "forever",
    r"(?:set|sets|setting) aside": "rejected",
    r"is none|are none": "is not one, there are none",
    r"bearable": "tolerable",
    r"no whole": "not complete",
}
PHRASE = re.compile(rf"\b(?:{'|'.join(PHRASES)})\b", re.IGNORECASE)
# "if there are none" and "there is none" are plain.
PLAIN = re.compile(r"\bthere (?:is|are) none\b", re.IGNORECASE)
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')


def texts_of(name, line):
    if name.endswith(".md"):
        return [line]
    return [] if line.lstrip().startswith(("//", "#include")) else LITERAL.findall(line)


def plain_word(phrase):
    return next(word for pattern, word in PHRASES.items() if re.fullmatch(pattern, phrase, re.IGNORECASE))


def is_read(name):
    return name.endswith(".md") and not name.startswith("samples/") or name.startswith(("src/", "tools/"))


def faults(root):
    found = []
    for name in filter(is_read, frame.project_files(root, ".md", ".cpp", ".h")):
        for number, line in frame.lines_of(root, name):
            for text in texts_of(name, line):
                found += [f"{name}:{number}: '{phrase}': say '{plain_word(phrase)}'"
                          for phrase in PHRASE.findall(PLAIN.sub("", text))]
    return found


CASES = [
    frame.Case({"docs/a.md": "It resumes. There are none.\n", "src/a.cpp": '// It goes on.\nsay("if there is none");\n',
                "tests/a.cpp": 'say("it goes on");\n', "samples/README.md": "It goes on.\n"}),
    frame.Case({"docs/a.md": "one\nIt Goes on.\n"}, "docs/a.md:2: 'Goes on': say 'resumes, continues'"),
    frame.Case({"src/a.cpp": 'fail("is there already");\n'}, "src/a.cpp:1: 'is there already': say 'exists'"),
    frame.Case({"tools/a.h": 'const char* help = "numbers that are none";\n'}, "tools/a.h:1: 'are none': "),
    frame.Case({"README.md": "You shall run it.\n"}, "README.md:1: 'shall': say 'must, should'"),
]

if __name__ == "__main__":
    frame.main(faults, CASES)
