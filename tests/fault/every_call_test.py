"""Every n-th call fails, falls short or is the last one: no wrong file gets a final name, and the next run is whole.

usage: every_call_test.py PROGRAM TRAINER LIBRARY [SECONDS [WAY [COMMAND]]]     TRAINER may be '-'
Without SECONDS, or with '-', every call is tried; WAY (see ways.py) and the number of a COMMAND in it leave out others.
"""

import random
import sys

from fault_lab import CALLS, FAILED, KILLED, TRY_LATER, Fault, expect
from fault_main import main
from ways import ways

KINDS = ("EIO", "ENOSPC", "EACCES", "ENOMEM", "ESTALE", "EMFILE", "SHORT", "KILL", "KILL_AFTER")
# What a fault may end with: 0 where the call doesn't matter, an error that says so, or the kill itself.
STATUSES = {0, FAILED, TRY_LATER, KILLED}
PASSING = {"EIO", "ESTALE"}
WRITES = "write,sync,sync_all,rename,link,mkdir,truncate"
SEED = 13


def trial(lab, way, number, fault):
    def disturb(worker):
        bench = lab.bench(way, worker)
        bench.fill(number)
        status, text = bench.run(number, fault)
        expect(status in STATUSES, f"ended with {status}: {text}")
        expect(status != FAILED or fault.kind not in PASSING, f"{fault.kind} may pass, and ended with 1: {text}")
        expect(status != KILLED or fault.kind.startswith("KILL"), f"was killed: {text}")
        expect(status in (0, KILLED) or "\n" in text, "failed without a word")
        bench.expect_nothing_wrong()
        if status == 0:
            bench.succeed_from(number + 1)
            bench.expect_results()
        bench.succeed_from(number)
        bench.expect_good()

    return f"{way.name}, command {number}, {fault}", disturb


def faults_of(lab, way, number):
    bench = lab.bench(way, 0)
    calls = bench.trace_of(number)
    for call in calls:
        for kind in KINDS:
            if kind != "SHORT" or call.name in ("read", "write"):
                yield Fault(kind, call.number)
    # A disk that stays full, or broken.
    for at in range(1, sum(call.name in WRITES.split(",") for call in calls) + 1):
        yield Fault("ENOSPC", at, WRITES, sticky=True)
        yield Fault("EIO", at, CALLS, sticky=True)
    allocations = bench.allocations_of(number)
    for at in range(1, allocations + 1, max(1, allocations // 200)):
        yield Fault("ENOMEM", at, "allocation")


def chosen_commands(trainer):
    names, numbers = set(sys.argv[5:6]), {int(number) for number in sys.argv[6:7]}
    return [(way, number) for way in ways(trainer) if not names or way.name in names
            for number in range(len(way.commands)) if not numbers or number in numbers]


def test(lab, seconds):
    trials = [trial(lab, way, number, fault) for way, number in chosen_commands(lab.trainer)
              for fault in faults_of(lab, way, number)]
    if seconds is not None:
        random.Random(SEED).shuffle(trials)
    lab.all(trials, seconds)
    lab.report("faults")


if __name__ == "__main__":
    main(test)
