"""Packages: whatever CMake requires is installed by scripts/install-deps.sh on a machine that has nothing.

What the trainer requires may come with --with-trainer; all else comes without options, as configuring wants it at once.
"""

import re

import frame

SCRIPT = "scripts/install-deps.sh"
PACKAGE = {
    "BZip2": "libbz2-dev", "CLI11": "libcli11-dev", "CURL": "libcurl4-openssl-dev", "EXPAT": "libexpat1-dev",
    "GTest": "libgtest-dev",
    "HDF5": "libhdf5-dev", "ICU": "libicu-dev", "LibArchive": "libarchive-dev", "LibXml2": "libxml2-dev",
    "OpenMP": "g++",
    "Nettle": "nettle-dev", "Python3": "python3", "TBB": "libtbb-dev", "Threads": "g++", "Torch": "libtorch-dev",
    "ZLIB": "zlib1g-dev", "benchmark": "libbenchmark-dev", "libdeflate": "libdeflate-dev",
    "simdjson": "libsimdjson-dev", "zstd": "libzstd-dev",
}
REQUIRED = re.compile(r"find_package\((\w+)[^)]*\bREQUIRED\b")
LISTED = re.compile(r"set\(bertprep_dependencies\s([^)]*)\)")


def required(root):
    """(file, name of the package in CMake) of all that a build of the project can't do without."""
    for name in frame.project_files(root, "CMakeLists.txt", ".cmake"):
        if name.startswith("tests/consumer/"):
            continue
        text = (root / name).read_text()
        found = REQUIRED.findall(text)
        for listed in LISTED.findall(text):
            found += [entry.split()[0] for entry in re.findall(r'"([^"]+)"', listed)]
        yield from ((name, package) for package in found)


def installed(root):
    """What the script installs without options, and with any."""
    arrays = re.findall(r"packages\+?=\(([^)]*)\)", (root / SCRIPT).read_text())
    return set(arrays[0].split()), set(" ".join(arrays).split())


def faults(root):
    always, ever = installed(root)
    found = []
    for name, wanted in required(root):
        if wanted not in PACKAGE:
            found.append(f"{name}: requires {wanted}: say in tests/lint/packages.py which package has it")
        elif PACKAGE[wanted] not in (ever if "trainer" in name else always):
            found.append(f"{name}: requires {wanted}, and {SCRIPT} does not install {PACKAGE[wanted]}")
    presets = root / "CMakePresets.json"
    if presets.exists() and '"Ninja"' in presets.read_text() and "ninja-build" not in always:
        found.append(f"CMakePresets.json: uses Ninja, and {SCRIPT} does not install ninja-build")
    return found


INSTALL = "packages=(g++ zlib1g-dev)\nif x; then\n  packages+=(python3)\nfi\npackages+=(libtorch-dev)\n"
CASES = [
    frame.Case({SCRIPT: INSTALL, "CMakeLists.txt": "find_package(Threads REQUIRED)\nfind_package(MPI QUIET)\n",
                "cmake/trainer.cmake": "find_package(Torch REQUIRED)\n",
                "cmake/dependencies.cmake": 'set(bertprep_dependencies\n  "ZLIB"\n  "Threads")\n',
                "tests/consumer/CMakeLists.txt": "find_package(bertprep REQUIRED)\n"}),
    frame.Case({SCRIPT: INSTALL, "tests/CMakeLists.txt": "find_package(Python3 REQUIRED COMPONENTS Interpreter)\n"},
               "does not install python3"),
    frame.Case({SCRIPT: INSTALL, "cmake/dependencies.cmake": 'set(bertprep_dependencies "ICU COMPONENTS uc")\n'},
               "does not install libicu-dev"),
    frame.Case({SCRIPT: INSTALL, "CMakeLists.txt": "find_package(Boost REQUIRED)\n"}, "requires Boost"),
    frame.Case({SCRIPT: INSTALL, "CMakePresets.json": '{"generator": "Ninja"}\n'}, "does not install ninja-build"),
]

if __name__ == "__main__":
    frame.main(faults, CASES)
