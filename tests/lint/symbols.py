"""The library neither prints nor ends the process, nor changes what belongs to the whole process.

    python3 symbols.py NM CHECKED LIBRARY...          CHECKED: "release" where assertions are compiled out, else "debug"
    python3 symbols.py --self-test NM CXX

Looks at the symbols that the archives leave undefined. std::terminate and the C++ runtime's own symbols are no calls of
the project. An assertion is allowed where the build has assertions: it reports a fault of the library's own code.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

PRINTS = """puts putchar putc fputc fputs printf fprintf vprintf vfprintf dprintf perror psignal fwrite stdout stderr
    __printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk __dprintf_chk syslog err errx warn warnx std::cout std::cerr
    std::clog std::wcout std::wcerr std::wclog""".split()
ENDS = "exit _exit _Exit quick_exit abort raise longjmp __assert_fail".split()
PROCESS_WIDE = """signal sigaction setlocale setenv putenv unsetenv srand rand random umask chdir fork system popen
    std::locale::global""".split()
FORBIDDEN = {name: words for names, words in ((PRINTS, "prints"), (ENDS, "ends the process"),
                                              (PROCESS_WIDE, "changes or reads the state of the process"))
             for name in names}
MEMBER = re.compile(r"^(?:.*:)?(\S+\.o(?:bj)?):\s+[Uw] (.*)$")


def undefined_symbols(nm, library):
    """(object, symbol) for each undefined symbol of an archive."""
    listing = subprocess.run([nm, "-C", "-A", "-u", library], capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        match = MEMBER.match(line)
        if match:
            yield match[1], re.sub(r"(\[abi:\w+\])|(@.*)", "", match[2])


def faults(nm, library, allowed):
    found, seen = [], 0
    for member, symbol in undefined_symbols(nm, library):
        seen += 1
        name = symbol.split("(")[0]
        if name in FORBIDDEN and name not in allowed:
            found.append(f"{pathlib.Path(library).name}({member}): {symbol} {FORBIDDEN[name]}")
    if seen == 0:
        found.append(f"{library}: no undefined symbols at all; nm's listing was not understood")
    return found


def compile_library(compiler, folder, text):
    source, library = folder / "part.cpp", folder / "part.cpp.o"
    source.write_text(text)
    subprocess.run([compiler, "-std=c++20", "-O1", "-c", str(source), "-o", str(library)], check=True)
    return str(library)


PLANTED = {
    '#include <cstdio>\nvoid f() { std::printf("%d", 1); }': "printf",
    '#include <cstdio>\nvoid f() { std::puts("x"); }': "puts",
    '#include <iostream>\nvoid f() { std::cerr << 1; }': "std::cerr",
    "#include <cstdlib>\nvoid f() { std::exit(1); }": "exit",
    "#include <cstdlib>\nvoid f() { std::abort(); }": "abort",
    "#include <csignal>\nvoid f() { std::signal(SIGINT, SIG_IGN); }": "signal",
    "#include <cassert>\nvoid f(int n) { assert(n > 0); }": "__assert_fail",
    "#include <string>\nstd::string f() { return std::to_string(12345) + std::string(40, 'x'); }": "",
}


def self_test(nm, compiler):
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for text, symbol in PLANTED.items():
            found = faults(nm, compile_library(compiler, pathlib.Path(folder), text), set())
            if symbol and not any(f": {symbol}" in fault for fault in found):
                wrong.append(f"self-test: {symbol} is planted, found: {found}")
            if not symbol and found:
                wrong.append(f"self-test: nothing is wrong, found: {found}")
    return wrong


def main(arguments):
    if arguments[:1] == ["--self-test"] and len(arguments) == 3:
        found = self_test(*arguments[1:])
    elif len(arguments) >= 3 and arguments[1] in ("release", "debug"):
        allowed = {"__assert_fail"} if arguments[1] == "debug" else set()
        found = [fault for library in arguments[2:] for fault in faults(arguments[0], library, allowed)]
    else:
        sys.exit("usage: symbols.py NM release|debug LIBRARY... | symbols.py --self-test NM CXX")
    for fault in found:
        print(fault)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
