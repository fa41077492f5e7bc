"""Equal processes at once: each ends well, or says that it is to be tried again, and they leave the bytes of one.

usage: equal_processes_test.py PROGRAM TRAINER LIBRARY [SECONDS]     without SECONDS 150 rounds of each way
"""

import random
import time

from fault_lab import TRY_LATER, expect
from fault_main import main
from ways import FORMAT, INSTANCES, MEGATRON, PHASE1, RUN, SEQUENCES, SHARD, Way, first_articles, first_pages

ROUNDS = 150
SEED = 17
PROCESSES = 3
LONGEST_DELAY = 0.05  # between two starts


def equal_ways():
    text = [FORMAT, SHARD]
    yield Way("extract", first_pages, [["bertprep", "extract", "in.xml", "-o", "extracted", "-q", "-j", 1]])
    yield Way("vocab-train", first_articles, [["bertprep", "vocab", "train", "in.wikitext", "--vocab-size", 400, "-o",
                                               "vocab/vocab.txt", "-q"]])
    yield Way("format", first_articles, [FORMAT])
    yield Way("shard", first_articles, text)
    yield Way("instances", first_articles, [*text, INSTANCES])
    yield Way("run", first_articles, [["bertprep", "run", *RUN]])
    yield Way("reshard", first_articles, [["bertprep", "run", *RUN, "--phase", 1],
                                          ["bertprep", "reshard", PHASE1, "--shards", 3, "-o", "resharded", "-q"]])
    for name in ("modernbert", "megatron-bert"):
        yield Way(f"run-{name}", first_articles, [["bertprep", "run", *RUN, "--for", name]])
    for name, more in (("mds", ["--for", "modernbert", "--max-tokens", 64, "--size-limit", "4K"]),
                       ("megatron", ["--for", "megatron-bert"]), ("hdf5", ["--to", "hdf5", "--max-tokens", 64])):
        yield Way(f"sequences-{name}", first_articles, [*text, [*SEQUENCES, *more, "-o", name]])
    yield Way("sequences-array", first_articles, [*text, [*MEGATRON, "--array-task", 0, "--array-count", 2]])


def trial(lab, way, seed):
    def disturb(worker):
        bench, draw, last = lab.bench(way, worker), random.Random(seed), len(way.commands) - 1
        bench.fill(last)
        processes = []
        for _ in range(PROCESSES):
            processes.append(bench.start(last))
            time.sleep(draw.random() * LONGEST_DELAY)
        for process in processes:
            out, err = process.communicate(timeout=60)
            expect(process.returncode in (0, TRY_LATER), f"ended with {process.returncode}: {out}{err}")
        bench.succeed(last)
        bench.expect_good()

    return f"{way.name}, {seed}", disturb


def test(lab, seconds):
    trials = [trial(lab, way, f"{SEED} {way.name} {count}") for count in range(ROUNDS) for way in equal_ways()]
    lab.all(trials, seconds)
    lab.report("equal processes")


if __name__ == "__main__":
    main(test)
