#!/usr/bin/env python3
"""Measures berttrain against the same model in Debian's PyTorch for Python, in turns, on the shards of a folder.

    scripts/bench_trainer.py FOLDER [PROGRAM]       PROGRAM: build/release/bin/berttrain

ROUNDS (3), STEPS (8) and BATCH (32) may be set in the environment. A contestant takes part twice in a round, with 3
steps and with 3 + STEPS; the difference is the time of STEPS steps. The median of the rounds counts. `wall` wants an
idle machine; `cpu` is sequences by second of all threads together, and stands noise better. "as installed" has no
variables set, "by hand" has threads, allocator and OpenBLAS's core type set as well as one can from outside.
"""

import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLAIN = ROOT / "tests" / "bench" / "plain_train.py"
WARM_UP = 3
SPEED_VARIABLES = ("OPENBLAS_CORETYPE", "OMP_WAIT_POLICY", "MALLOC_MMAP_MAX_", "MALLOC_TRIM_THRESHOLD_",
                   "MALLOC_TOP_PAD_", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def core_type():
    flags = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    return "SkylakeX" if "avx512bw" in flags else "Haswell"


def contestants(folder, program, batch):
    shard = sorted(folder.glob("*training*.hdf5"))[0]
    python = "/usr/bin/python3"
    threads = len(os.sched_getaffinity(0))
    tuned = {"OPENBLAS_CORETYPE": core_type(), "OMP_WAIT_POLICY": "passive", "MALLOC_MMAP_MAX_": "0",
             "MALLOC_TRIM_THRESHOLD_": "17179869184", "MALLOC_TOP_PAD_": "67108864"}

    def plain(count):
        return lambda steps: [python, "-B", PLAIN, shard, steps, batch, count]

    def ours(precision):
        return lambda steps: [program, "--data", folder, "--model", "tiny", "--batch-size", batch, "--max-steps", steps,
                              "--precision", precision, "--no-check-data", "--gelu", "erf", "-q"]

    return {"python as installed": (plain(0), {}), "python by hand": (plain(threads), tuned),
            "berttrain f32": (ours("f32"), {}), "berttrain bf16": (ours("bf16"), {})}


def seconds_of(command, variables):
    """Seconds by the clock and of all threads."""
    environment = {name: value for name, value in os.environ.items() if name not in SPEED_VARIABLES} | variables
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    subprocess.run([str(word) for word in command], env=environment, check=True)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rates_of(make_command, variables, steps, batch):
    short = seconds_of(make_command(WARM_UP), variables)
    long = seconds_of(make_command(WARM_UP + steps), variables)
    return [steps * batch / max(1e-9, b - a) for a, b in zip(short, long)]


def main(folder, program):
    rounds, steps, batch = (int(os.environ.get(name, value))
                            for name, value in (("ROUNDS", 3), ("STEPS", 8), ("BATCH", 32)))
    entries = contestants(folder, program, batch)
    rates = {name: [] for name in entries}
    for _ in range(rounds):
        for name, (make_command, variables) in entries.items():
            rates[name].append(rates_of(make_command, variables, steps, batch))
    medians = {name: [statistics.median(column) for column in zip(*values)] for name, values in rates.items()}
    base = medians["python as installed"]
    print(f"{'':22}{'wall, seq/s':>12}{'ratio':>8}{'cpu, seq/s':>12}{'ratio':>8}")
    for name, (wall, cpu) in medians.items():
        print(f"{name:22}{wall:12.1f}{wall / base[0]:8.2f}{cpu:12.1f}{cpu / base[1]:8.2f}")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    given = sys.argv[2] if len(sys.argv) == 3 else ROOT / "build/release/bin/berttrain"
    main(pathlib.Path(sys.argv[1]), pathlib.Path(given))
