"""Runs the examples of the documentation: every ```console block of a Markdown page, in a folder made for the page.

    tests/docs/examples_test.py PROGRAM          fails where a command does not print what the page shows
    tests/docs/examples_test.py --show PROGRAM   prints what the commands of each page print

In a block, a line "$ COMMAND" is run by bash, a command that ends in a backslash continues in the next line, and the
lines behind are what it prints, to stdout and stderr. In them "…" stands for any text within a line, and a line with
nothing else for any lines. The blocks of a page are one session; samples/ lies in its folder, and servers have it for
commands with addresses.
"""

import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
END = "=== end of example ==="


def examples(page):
    """(command, expected lines) in the order of the page."""
    found = []
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif not found[-1][1] and found[-1][0].endswith("\\"):
                found[-1] = (found[-1][0] + "\n" + line, [])
            else:
                found[-1][1].append(line)
    return found


@contextlib.contextmanager
def servers(folder, environment, are_needed):
    """Samples as a Hub and as S3, where commands have addresses; the key for S3 is a wrong one."""
    if not are_needed:
        yield
        return
    port = pathlib.Path(folder) / ".port"
    server = subprocess.Popen([sys.executable, ROOT / "tests/support/cloud_server.py", ROOT / "samples", port])
    try:
        while not port.exists() and server.poll() is None:
            time.sleep(0.02)
        url = f"http://127.0.0.1:{port.read_text()}"
        environment |= {"HF_ENDPOINT": url, "AWS_ENDPOINT_URL": url, "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
                        "AWS_SECRET_ACCESS_KEY": "wrong"}
        yield
    finally:
        server.kill()
        server.wait()


def outputs(commands, program):
    """What each command prints, as lines."""
    script = "".join(f"{command}\n__status=$?; echo '{END}'; (exit $__status)\n" for command in commands)
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "samples").symlink_to(ROOT / "samples")
        environment = {"PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": folder, "LC_ALL": "C.UTF-8"}
        with servers(folder, environment, any("://" in command for command in commands)):
            run = subprocess.run(["bash"], input=script, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                 cwd=folder, env=environment, timeout=100)
    return [part.strip("\n").splitlines() for part in run.stdout.split(END + "\n")[:-1]]


def pattern(expected):
    any_lines = r"(?:.*\n)*?"
    return re.compile("".join(any_lines if line == "…" else ".*?".join(map(re.escape, line.split("…"))) + r"\n"
                              for line in expected))


def matches(expected, lines):
    return pattern(expected).fullmatch("".join(line + "\n" for line in lines)) is not None


def faults(page, program):
    shown = examples(page)
    printed = outputs([command for command, _ in shown], program)
    found = []
    for (command, expected), lines in zip(shown, printed):
        while expected and not expected[-1]:
            expected.pop()
        if not matches(expected, lines):
            both = "\n".join(["shown:", *expected, "printed:", *lines])
            found.append(f"{page.relative_to(ROOT)}: $ {command}\n{both}")
    if len(printed) != len(shown):
        found.append(f"{page.relative_to(ROOT)}: {len(printed)} of {len(shown)} examples ran")
    return found


def main(arguments):
    program = pathlib.Path(arguments[-1]).resolve()
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")),
             *sorted((ROOT / "trainer").rglob("*.md"))]
    pages = [page for page in pages if examples(page)]
    if "--show" in arguments:
        for page in pages:
            commands = [command for command, _ in examples(page)]
            print(f"=== {page.relative_to(ROOT)}")
            for command, lines in zip(commands, outputs(commands, program)):
                print("\n".join([f"$ {command}", *lines]))
        return 0
    found = [fault for page in pages for fault in faults(page, program)]
    count = sum(len(examples(page)) for page in pages)
    print("\n\n".join(found) if found else f"{count} examples on {len(pages)} pages print what is shown")
    return 1 if found or not pages else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
