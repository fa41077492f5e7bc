"""Runs that never have peace: of random recipes, killed, with faults, two at once, with power cuts and flipped bits,
until one is left alone. It has to end with the bytes of a run that nothing disturbed.

usage: crash_loop_test.py PROGRAM TRAINER LIBRARY [SECONDS [SEED]]     60 seconds; with SEED that round alone

Every round has a seed of its own, which repeats its recipe and its disturbances. Where processes run at the same time,
who comes first stays a matter of chance.
"""

import os
import random
import subprocess
import sys

from fault_lab import CALLS, FAILED, KILLED, TRY_LATER, Failure, Fault, expect, read_trace
from fault_main import main
from flip_test import flip
from power_loss import MODES, lose
from ways import MODELS, Way, array_commands, first_articles

SECONDS = 60
MOST_EVENTS = 6


def random_way(draw):
    """A run or an array job of a random recipe."""
    recipe = ["--input", "in.wikitext", "--format", "wikitext", "--name", "s", *MODELS, "-o", "root", "-w", "work",
              "-q",
              "--train-shards", draw.randint(1, 4), "--test-shards", draw.randint(1, 2),
              "--phase", draw.choice(["1", "2", "both"]), "--random-seed", draw.randrange(1 << 40),
              "--dupe-factor", draw.randint(1, 5), "-j", draw.randint(1, 3)]
    if draw.random() < 0.5:
        return Way("run", first_articles, [["bertprep", "run", *recipe]])
    return Way("array", first_articles, array_commands(recipe))


class Round:
    def __init__(self, lab, worker, seed):
        self.lab, self.draw, self.events, self.flipped = lab, random.Random(seed), [], []
        way = random_way(self.draw)
        lab.benches.pop((way.name, worker), None)
        self.bench = lab.bench(way, worker)
        self.bench.fill(0)
        self.calls = [len(self.bench.trace_of(0))] * len(way.commands)
        self.bench.fill(0)

    def play(self):
        for number in range(len(self.bench.way.commands)):
            for _ in range(self.draw.randrange(MOST_EVENTS)):
                event = self.draw.choice([self.kill, self.fault, self.pair, self.power_cut, self.flip_bit])
                self.events.append(f"{event.__name__} in command {number}")
                event(number)
        self.calm()
        self.remove_kept()
        self.bench.expect_good_or_told()

    def calm(self):
        """Undisturbed runs, as often as they say that something has to be made again: each finds the damage of one
        stage.
        """
        for _ in range(max(3, len(self.bench.way.commands))):
            statuses = []
            for number in range(len(self.bench.way.commands)):
                statuses.append(self.bench.run(number))
                expect(statuses[-1][0] in (0, FAILED, TRY_LATER), f"ended with {statuses[-1]}")
            if all(status == 0 for status, _ in statuses):
                return
        raise Failure(f"undisturbed runs fail: {statuses}")

    def remove_kept(self):
        """A flipped bit looks like an edit where an equal process wrote the file after its record: then it is kept."""
        for path in self.flipped:
            for kept in path.parent.glob(f"{path.name}.changed-*"):
                kept.unlink()

    def disturbed(self, number, fault, trace=None):
        status, text = self.bench.run(number, fault, trace)
        allowed = {0, FAILED, TRY_LATER} | ({KILLED} if fault.kind.startswith("KILL") else set())
        expect(status in allowed, f"{fault}: ended with {status}: {text}")

    def any_call(self):
        return self.draw.randint(1, self.calls[0])

    def kill(self, number):
        self.disturbed(number, Fault("KILL", self.any_call()))

    def fault(self, number):
        kind = self.draw.choice(["EIO", "ENOSPC", "ESTALE", "SHORT", "ENOMEM"])
        self.disturbed(number, Fault(kind, self.any_call(), CALLS, self.draw.random() < 0.2))

    def pair(self, number):
        kill = Fault("KILL", self.any_call()) if self.draw.random() < 0.3 else None
        first, second = self.bench.start(number, kill), self.bench.start(number)
        for process in (first, second):
            text = "".join(process.communicate(timeout=60))
            expect(process.returncode in (0, FAILED, TRY_LATER, KILLED), f"ended with {process.returncode}: {text}")

    def power_cut(self, number):
        trace = self.bench.folder / "trace.txt"
        trace.unlink(missing_ok=True)
        self.disturbed(number, Fault("KILL_AFTER", self.any_call()), trace)
        lose(self.bench.case, read_trace(trace), self.draw.choice(MODES))

    def flip_bit(self, number):
        files = [path for path in sorted(self.bench.case.rglob("*"))
                 if path.is_file() and path.stat().st_size > 0 and path.name != "in.wikitext"]
        if files:
            self.flipped.append(self.draw.choice(files))
            self.events[-1] += f": {flip(self.flipped[-1], self.draw)}"


def play(lab, worker, seed):
    current = None
    try:
        current = Round(lab, worker, seed)
        current.play()
    except (Failure, subprocess.TimeoutExpired) as failure:
        events = "; ".join(current.events) if current else "the recipe itself"
        raise Failure(f"{failure}\n  after: {events}\n  again: crash_loop_test.py … {SECONDS} {seed}") from failure


def test(lab, seconds):
    if len(sys.argv) > 5:
        return play(lab, 0, int(sys.argv[5]))
    base = int.from_bytes(os.urandom(4), "little")
    lab.all(((f"seed {base + count}", lambda worker, seed=base + count: play(lab, worker, seed))
             for count in range(1_000_000)), seconds or SECONDS)
    lab.report("rounds")


if __name__ == "__main__":
    main(test)
