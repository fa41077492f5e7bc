"""Names: files are snake_case and say what they hold; a header is guarded by #pragma once.

Code has one word for one thing: names have none of the words that meant the same as another one.
"""

import re

import frame

SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*(\.h)?\.[a-z]+")
FIND_MODULE = re.compile(r"cmake/Find\w+\.cmake")  # CMake wants this name
PYTHON_NAME = re.compile(r"__(?:init|main)__\.py")  # Python these
EMPTY_WORDS = {"util", "utils", "utility", "common", "helper", "helpers", "manager", "misc", "stuff", "shared", "tools"}
CODE = (".cpp", ".h", ".h.in", ".py", ".cmake")
# Each with the project's word for it.
OTHER_WORDS = {
    "stretch": "step, run or span",
    "stranger": "foreign file",
    "finisher": "deferred work",
    "Border": "Boundary",
    "Folding": "Normalization",
}
OTHER_WORD = re.compile("|".join(OTHER_WORDS))


def other_words(root, name):
    return [f"{name}:{number}: '{word}': say {OTHER_WORDS[word]}"
            for number, line in frame.lines_of(root, name) for word in OTHER_WORD.findall(line)]


def faults(root):
    found = []
    for name in frame.project_files(root, *CODE):
        file = name.split("/")[-1]
        if not SNAKE_CASE.fullmatch(file) and not FIND_MODULE.fullmatch(name) and not PYTHON_NAME.fullmatch(file):
            found.append(f"{name}: not snake_case")
        empty = EMPTY_WORDS.intersection(re.split(r"[_.]", file))
        if empty:
            found.append(f"{name}: '{empty.pop()}' does not say what the file holds")
        if name.endswith((".h", ".h.in")) and "#pragma once" not in (text for _, text in frame.lines_of(root, name)):
            found.append(f"{name}: no #pragma once")
        if frame.is_product(name):
            found += other_words(root, name)
    return found


CASES = [
    frame.Case({"src/io/line_reader.h": "// A reader.\n#pragma once\n", "src/io/digest.cpp": "", "tests/a_b.py": "",
                "python/x/__init__.py": "",
                "cmake/Findx.cmake": ""}),
    frame.Case({"src/io/LineReader.cpp": ""}, "src/io/LineReader.cpp: not snake_case"),
    frame.Case({"src/Findx.cmake": ""}, "src/Findx.cmake: not snake_case"),
    frame.Case({"src/io/line-reader.py": ""}, "not snake_case"),
    frame.Case({"src/io/string_utils.cpp": ""}, "'utils' does not say"),
    frame.Case({"src/io/a.cpp": "RowBorders borders;\n"}, "src/io/a.cpp:1: 'Border': say Boundary"),
    frame.Case({"src/io/line_reader.h": "// #pragma once\n"}, "src/io/line_reader.h: no #pragma once"),
]

if __name__ == "__main__":
    frame.main(faults, CASES)
