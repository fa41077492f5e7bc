"""Text: every file of the project is UTF-8 without a note to finish it later, a mark of a merge or a folder of
somebody's machine.

Code ends its lines without blanks and its files with one line end, and has no tabs.
"""

import re

import frame

CODE = (".cpp", ".h", ".h.in", ".py", ".sh", ".cmake", "CMakeLists.txt", ".json", ".md")
# Inputs of tests hold what inputs hold: any bytes.
INPUTS = re.compile(r"^(samples|tests/(fuzz/corpus|data|golden/\w+/data|e2e/data)|trainer/tests/golden/data)/|"
                    r"\.(png|gz|zst|hdf5|bin)$")
NOTE = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
CONFLICT = re.compile(r"(<{7}|>{7}) ")
MACHINE = re.compile(r"(?<![\w.$}/])/(work|root|home/\w+|Users/\w+|tmp/bash)\w*/")


def faults_of_line(place, line):
    found = []
    if CONFLICT.match(line):
        found.append(f"{place}: '{line[:7]}' is left of a merge")
    if NOTE.search(line):
        found.append(f"{place}: {NOTE.search(line)[1]}: finish it, or tell in the documentation what is missing")
    if MACHINE.search(line):
        found.append(f"{place}: '{MACHINE.search(line)[0]}' is a folder of one machine")
    if any("\udc80" <= character <= "\udcff" for character in line):
        found.append(f"{place}: not UTF-8")
    return found


def faults_of_layout(name, lines):
    found = [f"{name}:{number}: blanks at the end of the line" for number, line in lines
             if line != line.rstrip() and not (name.endswith(".md") and line.endswith("  "))]
    found += [f"{name}:{number}: tab" for number, line in lines if "\t" in line and not name.endswith(".md")]
    texts = [text for _, text in lines]
    if texts != [""] and (texts[-1] or not texts[-2]):
        found.append(f"{name}: does not end with one line end")
    return found


def faults(root):
    found = []
    for name in frame.project_files(root, ""):
        if INPUTS.search(name) or name == "tests/lint/words.py":
            continue
        lines = frame.lines_of(root, name)
        for number, line in lines:
            found += faults_of_line(f"{name}:{number}", line)
        if name.endswith(CODE):
            found += faults_of_layout(name, lines)
    return found


CASES = [
    frame.Case({"src/a.cpp": "// Straße: a pattern of /tmp/bertprep-XXXXXX and ../work/x, $HOME/work/x\n",
                "tests/fuzz/corpus/a/b": b"\xff TODO", "docs/a.md": "one  \n\ttwo\n"}),
    frame.Case({"src/a.cpp": "int a;  // TODO: finish\n"}, "src/a.cpp:1: TODO"),
    frame.Case({"docs/a.md": "one\n" + "<" * 7 + " HEAD\ntwo\n"}, "docs/a.md:2: '<<<<<<<' is left of a merge"),
    frame.Case({"README": "look into /root/x/y\n"}, "'/root/' is a folder"),
    frame.Case({"README": "cd /home/somebody/x\n"}, "is a folder of one machine"),
    frame.Case({"src/a.cpp": b"// \xff\n"}, "src/a.cpp:1: not UTF-8"),
    frame.Case({"src/a.h": "int a; \n"}, "src/a.h:1: blanks at the end"),
    frame.Case({"src/a.h": "\tint a;\n"}, "src/a.h:1: tab"),
    frame.Case({"src/a.h": "int a;"}, "does not end with one line end"),
]

if __name__ == "__main__":
    frame.main(faults, CASES)
