"""Phrases: pages, messages and comments have none of the phrases that make a native reader stop.

Pages are all of Markdown, messages the string literals of src and tools, comments those of include, src and tools.
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
    r"in no time": "fast",
}
# In comments only, each with the plain word for it.
COMMENT_PHRASES = {
    r"(?:is|are) no such": "is not such a",
    r"what is no": "text that is not a",
    r"nobody|somebody": "name the process, user or reader",
    r"whoever": "name the caller, reader or writer",
}
PHRASE = re.compile(rf"\b(?:{'|'.join(PHRASES)})\b", re.IGNORECASE)
COMMENT_PHRASE = re.compile(rf"\b(?:{'|'.join([*PHRASES, *COMMENT_PHRASES])})\b", re.IGNORECASE)
# "if there are none" and "there is no such file" are plain, also with a line end after "there".
PLAIN = re.compile(r"(?:\bthere|^) *(?:is|are) no(?:ne| such)\b", re.IGNORECASE)
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
COMMENT = re.compile(r"(?:^|\s)//(.*)")


def phrases_in(name, line):
    if name.endswith(".md"):
        return PHRASE.findall(PLAIN.sub("", line))
    comment = COMMENT.search(LITERAL.sub('""', line))
    found = COMMENT_PHRASE.findall(PLAIN.sub("", comment.group(1))) if comment else []
    if line.lstrip().startswith(("//", "#include")) or name.startswith("include/"):
        return found
    return found + [phrase for text in LITERAL.findall(line) for phrase in PHRASE.findall(PLAIN.sub("", text))]


def plain_word(phrase):
    plain_words = {**PHRASES, **COMMENT_PHRASES}
    return next(word for pattern, word in plain_words.items() if re.fullmatch(pattern, phrase, re.IGNORECASE))


def is_read(name):
    return name.endswith(".md") and not name.startswith("samples/") or frame.is_product(name)


def faults(root):
    found = []
    for name in filter(is_read, frame.project_files(root, ".md", ".cpp", ".h")):
        for number, line in frame.lines_of(root, name):
            found += [f"{name}:{number}: '{phrase}': say '{plain_word(phrase)}'" for phrase in phrases_in(name, line)]
    return found


CASES = [
    frame.Case({"docs/a.md": "It resumes. There are none.\n",
                "src/a.cpp": '// If there\n// is none.\nsay("if there is none");\n',
                "tests/a.cpp": 'say("it goes on");\n', "samples/README.md": "It goes on.\n"}),
    frame.Case({"docs/a.md": "one\nIt Goes on.\n"}, "docs/a.md:2: 'Goes on': say 'resumes, continues'"),
    frame.Case({"src/a.cpp": 'fail("is there already");\n'}, "src/a.cpp:1: 'is there already': say 'exists'"),
    frame.Case({"tools/a.h": 'const char* help = "numbers that are none";\n'}, "tools/a.h:1: 'are none': "),
    frame.Case({"src/a.cpp": "// It goes on.\n"}, "src/a.cpp:1: 'goes on': say 'resumes, continues'"),
    frame.Case({"include/a.h": 'f("going on");  // for what is no file\n'}, "include/a.h:1: 'what is no': "),
    frame.Case({"README.md": "You shall run it.\n"}, "README.md:1: 'shall': say 'must, should'"),
]

if __name__ == "__main__":
    frame.main(faults, CASES)
