"""Layout: all C++ sources are as clang-format leaves them. Skipped without the version of the program that decides."""

import re
import shutil
import subprocess

import frame

MAJOR_VERSION = "14"


def formatter():
    """The program of the version whose layout counts: others differ in details."""
    for name in (f"clang-format-{MAJOR_VERSION}", "clang-format"):
        program = shutil.which(name)
        if program:
            version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
            if re.search(rf"version {MAJOR_VERSION}\.", version):
                return program
    raise frame.Skip(f"no clang-format {MAJOR_VERSION} here")


def faults(root):
    program = formatter()
    names = frame.project_files(root, ".cpp", ".h")
    if not names:
        return ["no sources found"]
    run = subprocess.run([program, "--dry-run", "--Werror", "--ferror-limit=1", "--style=file", *names], cwd=root,
                         capture_output=True, text=True)
    badly = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error:", run.stderr, re.MULTILINE)))
    if run.returncode != 0 and not badly:
        return [f"clang-format failed: {run.stderr}"]
    return [f"{name}: not laid out by clang-format; run scripts/format.sh" for name in badly]


STYLE = "BasedOnStyle: Google\nColumnLimit: 120\n"
CASES = [
    frame.Case({".clang-format": STYLE, "a.cpp": "int twice(int value) { return 2 * value; }\n"}),
    frame.Case({".clang-format": STYLE, "src/a.cpp": "int twice( int value ){return 2*value;}\n"},
               "src/a.cpp: not laid"),
]

if __name__ == "__main__":
    frame.main(faults, CASES)
