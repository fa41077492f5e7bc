"""A bit flips in any file that a run leaves: what reads the file next makes it again or refuses it, and never ends well
with other bytes.

usage: flip_test.py PROGRAM TRAINER LIBRARY [SECONDS]     TRAINER may be '-'; without SECONDS 200 flips a file
"""

import os
import random

from fault_lab import FAILED, TRY_LATER, expect
from fault_main import main
from ways import PHASE1, RUN, VOCAB, Way, first_articles, first_pages, ways

FLIPS_A_FILE = 200
OUTPUTS = ("compared", "order", "inspected")  # stdout, which nothing reads
SEED = 13


def flip_ways(trainer):
    """Every stage reads what another command has left."""
    for way in ways(trainer):
        if way.name in ("stages", "vocab-train", "sequences", "sequences-array", "array", "train"):
            yield way
    keeps = Way("phases", first_articles, [["bertprep", "run", *RUN, "--phase", 1], ["bertprep", "run", *RUN]])
    yield keeps
    run = ["bertprep", "run", *RUN, "--phase", 1]
    yield Way("readers", first_articles, [
        run, ["bertprep", "reshard", PHASE1, "--shards", 3, "-o", "resharded", "-q", "-j", 1],
        ["bertprep", "compare", "--any-order", PHASE1, "resharded", ">compared"],
        ["bertprep", "order", PHASE1, "--rows", 1000, ">order"],
        ["bertprep", "inspect", f"{PHASE1}/s_training_1.hdf5", "--vocab", VOCAB, "--rows", ":50", ">inspected"],
        ["bertprep", "report", PHASE1, "-o", "report.html", "-q"]])
    yield Way("extracted", first_pages, [
        ["bertprep", "extract", "in.xml", "-o", "extracted", "-q", "-j", 1],
        ["bertprep", "format", "extracted", "--format", "wikiextractor", "-o", "formatted/s.txt", "-q", "-j", 1]])


def flip(path, draw):
    status = path.stat()
    place, bit = draw.randrange(status.st_size), draw.randrange(8)
    with path.open("r+b") as file:
        byte = os.pread(file.fileno(), 1, place)[0]
        os.pwrite(file.fileno(), bytes([byte ^ 1 << bit]), place)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))  # not written to
    return f"bit {bit} of byte {place}"


def trial(lab, way, number, place, seed):
    def disturb(worker):
        bench = lab.bench(way, worker)
        bench.fill(number)
        name = files_of(bench.templates[number])[place]
        what = f"{name}, {flip(bench.case / name, random.Random(seed))}"
        for later in range(number, len(way.commands)):
            status, text = bench.run(later)
            expect(status in (0, FAILED, TRY_LATER), f"{what}: ended with {status}: {text}")
            if status != 0:
                expect("\n" in text, f"{what}: failed without a word")
                return
        try:
            bench.expect_good_or_told()
        except Exception as problem:
            raise type(problem)(f"{what} was taken for sound: {problem}") from problem

    return f"{way.name}, before command {number}, file {place}", disturb


def inputs_of(case):
    """The user's own files: what a run reads and has not made may hold anything."""
    return {"in.wikitext", "in.xml", "model.json", *OUTPUTS} & {path.name for path in case.iterdir()}


def files_of(template):
    """What a run has left; every worker has the same files in the same order, but jobs are called after its folder."""
    return [str(path.relative_to(template)) for path in sorted(template.rglob("*"))
            if path.is_file() and path.stat().st_size > 0 and path.name not in inputs_of(template)
            and "/attempts/" not in str(path)]


def test(lab, seconds):
    trials = []
    for way in flip_ways(lab.trainer):
        bench = lab.bench(way, 0)
        for number in range(1, len(way.commands)):
            trials += [trial(lab, way, number, place, f"{SEED} {way.name} {number} {place} {count}")
                       for place in range(len(files_of(bench.templates[number]))) for count in range(FLIPS_A_FILE)]
    if seconds is not None:
        random.Random(SEED).shuffle(trials)
    lab.all(trials, seconds)
    lab.report("flips")


if __name__ == "__main__":
    main(test)
