"""The #include lines of the project's own files."""

import re

import frame

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def includes_of(root, name):
    """(line number, "quote" or "angle", what is included) of each #include of a file."""
    for number, line in frame.lines_of(root, name):
        match = INCLUDE.match(line)
        if match:
            yield number, "quote" if match[1] == '"' else "angle", match[2]


def code_files(root, *folders):
    """Of the product alone: "trainer" without its tests."""
    names = [name for name in frame.project_files(root, ".h", ".cpp", ".h.in")
             if not name.startswith("trainer/") or frame.is_product(name)]
    return [name for name in names if name.startswith(tuple(folder + "/" for folder in folders))]
