"""The power fails after every call of a run or an array job: the next run ends with the right bytes. A stage of an
array may instead say which stage to run again.

usage: power_loss_test.py PROGRAM TRAINER LIBRARY [SECONDS]     TRAINER may be '-'; without SECONDS every call is tried
"""

import random

from fault_lab import FAILED, KILLED, TRY_LATER, Fault, expect, read_trace
from fault_main import main
from power_loss import MODES, lose
from ways import ways

CHANGES = ("open_write", "write", "truncate", "rename", "link", "unlink", "close", "sync", "sync_all", "mkdir")
SEED = 13


def trial(lab, way, number, at, mode):
    def disturb(worker):
        bench = lab.bench(way, worker)
        bench.fill(number)
        trace = bench.folder / "trace.txt"
        trace.unlink(missing_ok=True)
        status, text = bench.run(number, Fault("KILL_AFTER", at), trace)
        expect(status in (0, KILLED), f"ended with {status}: {text}")
        hit = lose(bench.case, read_trace(trace), mode)
        try:
            status, text = bench.run(number)
            expect(status in (0, FAILED, TRY_LATER), f"the next run ended with {status}: {text}")
            if status != 0:
                expect("again" in text, f"the next run does not say what to do: {text}")
                expect(number > 0, f"the next run failed: {text}")
            bench.succeed_from(0 if status != 0 else number + 1)
            bench.expect_good()
        except Exception as problem:
            raise type(problem)(f"{problem}\n  lost: {', '.join(hit)}") from problem

    return f"{way.name}, command {number}, power lost after call {at}, files {mode}", disturb


def test(lab, seconds):
    trials = [trial(lab, way, number, call.number, mode) for way in ways(lab.trainer)
              for number in range(len(way.commands)) for call in lab.bench(way, 0).trace_of(number)
              if call.name in CHANGES for mode in MODES]
    if seconds is not None:
        random.Random(SEED).shuffle(trials)
    lab.all(trials, seconds)
    lab.report("power losses")


if __name__ == "__main__":
    main(test)
