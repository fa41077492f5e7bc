"""Sizes: a file has at most 700 lines, a line at most 120 characters.

Data and prose are free: samples, corpora, Markdown. So is the width of shell scripts, which name long folders.
"""

import frame

CODE = (".cpp", ".h", ".h.in", ".py", ".sh", ".cmake", "CMakeLists.txt")
MOST_LINES = 700
MOST_COLUMNS = 120


def faults(root):
    found = []
    for name in frame.project_files(root, *CODE):
        lines = frame.lines_of(root, name)
        if len(lines) - 1 > MOST_LINES:
            found.append(f"{name}: {len(lines) - 1} lines, at most {MOST_LINES}")
        found += [f"{name}:{number}: {len(line)} characters, at most {MOST_COLUMNS}"
                  for number, line in lines if len(line) > MOST_COLUMNS and not name.endswith(".sh")]
    return found


CASES = [
    frame.Case({"src/io/a.cpp": "\n" * 700, "src/io/b.h": "x" * 120 + "\n",
                "docs/a.md": "x" * 200, "src/io/c.h": "\u00e9" * 120, "scripts/a.sh": "x" * 130}),
    frame.Case({"src/io/a.cpp": "\n" * 701}, "src/io/a.cpp: 701 lines"),
    frame.Case({"src/io/b.h": "\n" + "x" * 121 + "\n"}, "src/io/b.h:2: 121 characters"),
    frame.Case({"src/io/CMakeLists.txt": "x" * 121}, "121 characters"),
]

if __name__ == "__main__":
    frame.main(faults, CASES)
