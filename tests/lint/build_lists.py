"""Build lists: every source belongs to a target, every public header to an installed header set, and no more.

A source that no CMakeLists.txt names is never compiled, and a test among them never run.
"""

import re

import frame



def lists_for(root, name):
    """The build files that may name a source: its folder's and those above; all for what several tests share."""
    if name.startswith(("tests/support/", "tests/twins/", "tests/fuzz/")):
        return [root / path for path in frame.project_files(root, ".cmake", "CMakeLists.txt")]
    folders = [folder for folder in (root / name).parents if folder.is_relative_to(root)]
    builds = [path for folder in folders for path in (folder / "CMakeLists.txt", *folder.glob("*.cmake"))]
    return [path for path in builds if path.is_file()]


def is_named(root, name):
    """Whether a build file names the source, by file name or, for a fuzz target, by the name it is made from."""
    word = name.split("/")[-1].removesuffix("_fuzz.cpp")
    return any(re.search(rf"(?<!\w){re.escape(word)}\b", build.read_text()) for build in lists_for(root, name))


def sources_faults(root):
    names = frame.project_files(root, ".cpp")
    return [f"{name}: named by no CMakeLists.txt" for name in names
            if not name.startswith(("tests/lint/", "docs/")) and not is_named(root, name)]


def headers_faults(root):
    return (set_faults(root, "src/CMakeLists.txt", "include_folder", "include/")
            + set_faults(root, "trainer/CMakeLists.txt", "trainer_include", "trainer/include/"))


def set_faults(root, build, variable, folder):
    """A header set names each header of its folder as ${VARIABLE}/NAME."""
    text = (root / build).read_text() if (root / build).is_file() else ""
    installed = set(re.findall(rf"\$\{{{variable}\}}/([\w/]+\.h)", text))
    present = {name.removeprefix(folder) for name in frame.project_files(root, ".h") if name.startswith(folder)}
    return ([f"{folder}{name}: in no header set of {build}" for name in sorted(present - installed)]
            + [f"{build}: {name} does not exist" for name in sorted(installed - present)])


def faults(root):
    return sources_faults(root) + headers_faults(root)


SOUND = {
    "src/CMakeLists.txt": "add_library(a FILES\n  ${include_folder}/bertprep/io/a.h)\n",
    "src/io/CMakeLists.txt": "bertprep_add_room(NAME io SOURCES a.cpp)\n",
    "src/io/a.cpp": "",
    "include/bertprep/io/a.h": "",
    "tests/fuzz/io.cmake": "bertprep_add_fuzz(NAME json ROOMS io)\n",
    "tests/fuzz/json_fuzz.cpp": "",
}
CASES = [
    frame.Case(SOUND),
    frame.Case(SOUND | {"src/io/extra_a.cpp": ""}, "src/io/extra_a.cpp: named by no"),
    frame.Case(SOUND | {"tests/unit/io/json_test.cpp": ""}, "tests/unit/io/json_test.cpp: named by no"),
    frame.Case(SOUND | {"tests/fuzz/utf8_fuzz.cpp": ""}, "tests/fuzz/utf8_fuzz.cpp: named by no"),
    frame.Case(SOUND | {"include/bertprep/io/b.h": ""}, "include/bertprep/io/b.h: in no header set"),
    frame.Case(SOUND | {"src/CMakeLists.txt": "${include_folder}/bertprep/io/a.h ${include_folder}/bertprep/io/c.h"},
               "bertprep/io/c.h does not exist"),
]

if __name__ == "__main__":
    frame.main(faults, CASES)
