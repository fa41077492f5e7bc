"""What every lint shares: which files belong to the project, how a lint is called, and how it proves itself.

    python3 LINT.py ROOT           prints one line a fault; exit status 1 when there are any
    python3 LINT.py --self-test    runs the lint over small trees made for it; fails unless it finds what is planted
"""

import dataclasses
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77


class Skip(Exception):
    """The lint can't say anything on this machine."""


@dataclasses.dataclass
class Case:
    """A small tree (path -> text) and the words of the fault that must be found in it; "" where nothing is wrong."""

    files: dict
    finds: str = ""


def project_files(root, *suffixes):
    """The files of the project with one of the suffixes: what git tracks or would track, else all but build folders."""
    listed = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-co", "--exclude-standard", "-z"], cwd=root,
                            capture_output=True)
    names = [name for name in listed.stdout.decode("utf-8", "surrogateescape").split("\0") if name]
    if listed.returncode != 0 or not names:
        below = (path.relative_to(root) for path in root.rglob("*"))
        names = [path.as_posix() for path in below if path.parts[0] not in ("build", "out", ".git")]
    return sorted(name for name in set(names) if name.endswith(suffixes) and (root / name).is_file())


def is_product(name):
    """Whether a file is of the libraries or the programs: neither a test nor a script."""
    return name.startswith(("include/", "src/", "tools/")) or (name.startswith("trainer/") and
                                                               name.split("/")[1] not in ("tests", "scripts", "docs"))


def lines_of(root, name):
    """(number, text) of the lines of a text file; bytes that are not UTF-8 are kept as surrogates."""
    text = (root / name).read_text(encoding="utf-8", errors="surrogateescape")
    return list(enumerate(text.split("\n"), start=1))


def write_tree(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def prove(faults_of, cases):
    """The faults that the cases bring to light in the lint itself."""
    wrong = []
    for number, case in enumerate(cases, start=1):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            write_tree(root, case.files)
            found = faults_of(root)
        if case.finds and not any(case.finds in fault for fault in found):
            wrong.append(f"self-test {number}: '{case.finds}' is planted, found: {found}")
        if not case.finds and found:
            wrong.append(f"self-test {number}: nothing is wrong, found: {found}")
    if not any(case.finds for case in cases) or all(case.finds for case in cases):
        wrong.append("self-test: needs a tree with a fault and one without")
    return wrong


def main(faults_of, cases):
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} ROOT | --self-test")
    try:
        if sys.argv[1] == "--self-test":
            found = prove(faults_of, cases)
        else:
            found = faults_of(pathlib.Path(sys.argv[1]).resolve())
    except Skip as reason:
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    for fault in found:
        print(fault)
    sys.exit(1 if found else 0)
