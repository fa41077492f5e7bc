"""Makes a program of the examples of docs/api.md: each is a function, called in the order of the page.

    tests/docs/api_page.py PAGE PROGRAM.cpp
    tests/docs/api_page.py --run PROGRAM SAMPLES     runs it, which must print what is expected and no error
"""

import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^## (.*?)$|^```cpp\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FOLDER = re.compile(r"^`kFolder` stands for `(.*)`\.$", re.MULTILINE)
EXPECTED = ["/sample", " rows", "format: ", "", "2 sentences", "the danube flows . ", "|", "400 pieces", "\n",
            "Vienna lies on the Danube.\n", "512 ids", "\n", " shards"]
HEAD = """// Made from docs/api.md.
#include <bertprep/bertprep.h>

#include <iostream>

using namespace bertprep;

namespace {
"""


def program(page):
    text, calls, title = HEAD, "", ""
    text += f'\nconstexpr const char* kFolder = "{FOLDER.search(page)[1]}";\n'
    for number, (heading, code) in enumerate(BLOCK.findall(page)):
        if heading:
            title = heading
            continue
        text += f"\n// {title}\nvoid example_{number}() {{\n{code}}}\n"
        calls += f'  std::cout << "== {title}\\n";\n  example_{number}();\n  std::cout << std::endl;\n'
    return f"{text}\n}}  // namespace\n\nint main() {{\n{calls}}}\n"


def run(built, samples):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "samples").symlink_to(samples)
        done = subprocess.run([built], cwd=folder, capture_output=True, text=True, timeout=100, check=False)
    if done.returncode != 0 or done.stderr:
        sys.exit(f"ended with {done.returncode}: {done.stdout}{done.stderr}")
    outputs = [part.partition("\n")[2] for part in done.stdout.split("== ")[1:]]
    wrong = [f"instead of '{expected}': {output}" for expected, output in zip(EXPECTED, outputs, strict=True)
             if expected not in output]
    if wrong:
        sys.exit("\n".join(wrong))


def main(page, file):
    pathlib.Path(file).write_text(program(pathlib.Path(page).read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1] == "--run":
        run(pathlib.Path(sys.argv[2]).resolve(), sys.argv[3])
    else:
        main(*sys.argv[1:])
