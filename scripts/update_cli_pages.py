#!/usr/bin/env python3
"""Writes what --help prints into the pages of docs/cli: the first ```text block of a page is the help of its command.

    scripts/update_cli_pages.py PROGRAM            rewrites the blocks
    scripts/update_cli_pages.py --check PROGRAM    says which pages differ or are missing; exit status 1 if any does

The page of `bertprep vocab train` is vocab-train.md, that of the program itself is index.md. The page of berttrain,
which lies beside PROGRAM where it was built, is trainer/docs/berttrain.md.
"""

import pathlib
import re
import subprocess
import sys

PAGES = pathlib.Path(__file__).resolve().parent.parent / "docs" / "cli"
TRAINER_PAGE = "../../trainer/docs/berttrain.md"  # from PAGES
BLOCK = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = re.compile(r"^Commands:\n((?:  .*\n)+)", re.MULTILINE)


def help_of(program, command):
    run = subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True)
    return run.stdout.rstrip("\n") + "\n"


def helps(program, command=()):
    """The help text of every page, by the page's name."""
    text = help_of(program, command)
    listed = COMMANDS.search(text)
    if not command:
        pages = {"index.md": text}
    else:
        pages = {} if listed else {"-".join(command) + ".md": text}
    for line in listed[1].splitlines() if listed else []:
        if re.match(r"  \S", line):
            pages |= helps(program, (*command, line.split()[0]))
    return pages


def all_helps(program):
    trainer = pathlib.Path(program).with_name("berttrain")
    return helps(program) | ({TRAINER_PAGE: help_of(str(trainer), ())} if trainer.is_file() else {})


def faults(expected, folder):
    found = []
    for name, text in sorted(expected.items()):
        page = folder / name
        block = BLOCK.search(page.read_text(encoding="utf-8")) if page.is_file() else None
        if block is None:
            found.append(f"docs/cli/{name}: missing, or without a ```text block")
        elif block[1] != text:
            found.append(f"docs/cli/{name}: differs from --help; run scripts/update_cli_pages.py PROGRAM")
    found += [f"docs/cli/{page.name}: there is no such command" for page in sorted(folder.glob("*.md"))
              if page.name not in expected]
    return found


def rewrite(expected, folder):
    for name, text in expected.items():
        page = folder / name
        old = page.read_text(encoding="utf-8")
        new = BLOCK.sub(lambda _: f"```text\n{text}```", old, count=1)
        if new != old:
            page.write_text(new, encoding="utf-8")
            print(f"docs/cli/{name}: rewritten")


def main(arguments):
    check = "--check" in arguments
    programs = [argument for argument in arguments if argument != "--check"]
    if len(programs) != 1:
        sys.exit(__doc__)
    expected = all_helps(programs[0])
    if not check:
        rewrite(expected, PAGES)
    found = faults(expected, PAGES)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
