"""The library keeps no mutable globals: its archives hold no writable data but constants.

    python3 globals.py NM LIBRARY...
    python3 globals.py --self-test NM CXX

A name k… is a constant that the loader fills in (it holds addresses). Any other one is named here with its reason.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

CONSTANT = re.compile(r"(?:^|::)k[A-Z]\w*$")
ALLOWED = {
    r"::fields\(\)::list$": "a list of constants joined at the first call",
    r"::unicode::\(anonymous namespace\)::table\(\)::instance$": "ICU's properties of every character, made once",
    r"::library_has_locks\(\)::has$": "what HDF5 says about itself",
    r"[\w>]\(\)::functions$": "the functions of a library that is loaded when it is needed",
    r"::hdf5\(\)::is_open$": "whether HDF5 could start",
    r"::gate\(\)::mutex$": "HDF5 keeps globals of its own, so its calls take turns",
}
WRITABLE = re.compile(r"^\S*\s+[bBdDgGsSC] (.*)$")
# C.1.0 and so on are the arrays of initializer lists, which are constants.
OF_THE_COMPILER = re.compile(
    r"^(guard variable for|vtable for|typeinfo|VTT for|C\.\d+\.\d+$|DW\.ref\.|construction vtable)")


def faults(nm, library):
    listing = subprocess.run([nm, "-C", library], capture_output=True, text=True, check=True).stdout
    names = {match[1] for match in map(WRITABLE.match, listing.splitlines()) if match}
    names = {re.sub(r"\[abi:\w+\]", "", name) for name in names if not OF_THE_COMPILER.match(name)}
    archive = pathlib.Path(library).name
    return [f"{archive}: {name} is writable and lives as long as the process" for name in sorted(names)
            if not CONSTANT.search(name) and not any(re.search(pattern, name) for pattern in ALLOWED)]


PLANTED = {
    "int counter = 3; int next() { return ++counter; }": "counter",
    "static int calls; int next() { return ++calls; }": "calls",
    "int next() { static int state = 7; return ++state; }": "state",
    "namespace { const char* const kNames[] = {\"a\", \"b\"}; } const char* f(int n) { return kNames[n]; }": "",
    "#include <vector>\nint f(int n) { const std::vector<int> list(9, n); return list[3]; }": "",
}


def self_test(nm, compiler):
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        source, part = pathlib.Path(folder) / "part.cpp", pathlib.Path(folder) / "part.o"
        for text, name in PLANTED.items():
            source.write_text(text)
            subprocess.run([compiler, "-std=c++20", "-O1", "-fPIC", "-c", str(source), "-o", str(part)], check=True)
            found = faults(nm, str(part))
            if bool(name) != bool(found) or not all(name in fault for fault in found):
                wrong.append(f"self-test: planted '{name}', found: {found}")
    return wrong


def main(arguments):
    if len(arguments) < 2:
        sys.exit("usage: globals.py NM LIBRARY... | globals.py --self-test NM CXX")
    if arguments[0] == "--self-test":
        found = self_test(*arguments[1:3])
    else:
        found = [fault for library in arguments[1:] for fault in faults(arguments[0], library)]
    for fault in found:
        print(fault)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
