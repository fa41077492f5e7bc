"""A limit of processes or of memory leaves fewer threads than -j asks for: the program says so and works with those
that it can have, with the same bytes. A stack that is too small is raised or named, with which other programs can
still start.

usage: limits_test.py PROGRAM TRAINER LIBRARY [SECONDS]     TRAINER may be '-'

Limits of processes do not bind root, so the test becomes another user; where it can't, they are left out.
"""

import bz2
import os
import resource
import signal
import subprocess

from fault_lab import FAILED, TRY_LATER, expect, results
from fault_main import main
from ways import PHASE1, RUN, articles_and_model, first_pages, train

USER = 54321  # of whom there are no other processes
PROCESSES = (1, 2, 3, 4)
ADDRESSES = 2 << 30
LEAST_STACK = 512 << 10  # tools/console/process.cpp
SMALL_STACKS = (24 << 10, 64 << 10, LEAST_STACK - 1)  # with 16 KiB, a third of all calls of ls end in the loader
ALL = 4096


def limits_of(kind, value, most=None):
    def limit():
        resource.setrlimit(kind, (value, value if most is None else most))
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(USER)
            os.setuid(USER)
    return limit


class Place:
    """A folder of the inputs that the other user may write to."""

    def __init__(self, lab, name):
        self.lab, self.folder = lab, lab.folder / name
        self.folder.mkdir()
        articles_and_model(self.folder)
        first_pages(self.folder)
        dump = self.folder / "in.xml"
        (self.folder / "in.xml.bz2").write_bytes(bz2.compress(dump.read_bytes(), 1))
        self.give_away()

    def give_away(self):
        if os.getuid() == 0:
            for path in (self.folder, *self.folder.rglob("*")):
                os.chown(path, USER, USER)

    def run(self, command, limit=None):
        program, *arguments = command
        programs = {"bertprep": self.lab.program, "berttrain": self.lab.trainer}
        done = subprocess.run([str(part) for part in (programs[program], *arguments)], cwd=self.folder, text=True,
                              errors="replace", capture_output=True, preexec_fn=limit, check=False, timeout=120)
        return done.returncode, done.stderr


COMMANDS = [["bertprep", "run", *RUN[:-3], "--phase", "1"],
            ["bertprep", "extract", "in.xml.bz2", "-o", "extracted"],
            ["bertprep", "reshard", PHASE1, "--shards", "3", "-o", "resharded"],
            ["bertprep", "verify", PHASE1]]


def all_with(place, count, limit=None):
    """The words of all commands."""
    words = []
    for command in COMMANDS:
        status, text = place.run([*command, "-j", count], limit)
        expect(status == 0, f"{command[:2]} -j {count}: ended with {status}: {text}")
        words.append(text)
    return words


def test_stacks(lab, expected):
    """With the least one all works, and with a smaller one that may grow; else the program says so."""
    place = Place(lab, "stack")
    all_with(place, 2, limits_of(resource.RLIMIT_STACK, LEAST_STACK))
    expect(results(place.folder) == expected, "the least stack: other bytes")
    for stack in SMALL_STACKS:
        status, text = place.run(["bertprep", "--version"], limits_of(resource.RLIMIT_STACK, stack, LEAST_STACK))
        expect(status == 0, f"a stack of {stack}, which may grow: {status}: {text}")
        status, text = place.run(["bertprep", "--version"], limits_of(resource.RLIMIT_STACK, stack))
        expect(status == FAILED and f"bertprep: error: the stack is limited to {stack >> 10} KiB" in text,
               f"a stack of {stack}: {status}: {text}")


def test(lab, _):
    lab.folder.chmod(0o755)
    good = Place(lab, "good")
    all_with(good, 2)
    expected = results(good.folder)
    trials = 0
    is_bound = os.getuid() == 0
    for count in PROCESSES if is_bound else ():
        place = Place(lab, f"processes-{count}")
        for words in all_with(place, 8, limits_of(resource.RLIMIT_NPROC, count)):
            expect(f"only {count} of 8 threads can be had" in words, f"{count} processes: no word of it: {words}")
        expect(results(place.folder) == expected, f"{count} processes: other bytes")
        trials += 1
        if lab.trainer is None:
            continue
        # libtorch needs some threads of its own, and OpenBLAS, where it has none, ends the process with its own words
        # before main().
        status, text = place.run(train()[:-3] + ["-j", 8], limits_of(resource.RLIMIT_NPROC, count))
        is_explained = {0: True, 2: "threads can be had" in text, -signal.SIGINT: "RLIMIT_NPROC" in text}
        expect(is_explained.get(status), f"berttrain, {count} processes: ended with {status}: {text}")
    test_stacks(lab, expected)
    place = Place(lab, "addresses")
    for words in all_with(place, ALL, limits_of(resource.RLIMIT_AS, ADDRESSES)):
        expect(f" of {ALL:,} threads can be had" in words, f"no word of it: {words}")
    expect(results(place.folder) == expected, "limited addresses: other bytes")
    status, text = place.run([*COMMANDS[0], "-j", ALL + 1])
    expect(status == 2 and "--threads" in text, f"-j {ALL + 1}: {status}: {text}")
    print(f"limits: {trials + 2} trials, 0 failed" + ("" if is_bound else "; no limits of processes: not root"))


if __name__ == "__main__":
    main(test)
