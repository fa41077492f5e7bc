#!/usr/bin/env python3
"""Measures berttrain against the same model in Debian's PyTorch for Python, in turns, on the shards of a folder.

    trainer/scripts/bench_trainer.py FOLDER [PROGRAM]       PROGRAM: build/release/bin/berttrain

ROUNDS (3), STEPS (8) and BATCH (32) may be set in the environment. A contestant takes part twice in a round, with 3
steps and with 3 + STEPS; the difference is the time of STEPS steps. Medians of the rounds count, also of the ratios to
Python in the same round. `wall` wants an idle machine; `cpu` is sequences by second of all threads together, in the
program alone (not in the kernel), and stands noise better. "as installed" has no variables set, "by hand" has threads,
allocator and OpenBLAS's core type set as well as one can from outside, "fused" PyTorch 2's attention too. With COMPILED
in the environment, torch.compile takes part, which compiles for minutes (g++, python3-setuptools): give more STEPS.
"""

import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLAIN = ROOT / "trainer" / "tests" / "bench" / "plain_train.py"
WARM_UP = 3
BY_HAND = "python by hand"
SPEED_VARIABLES = ("OPENBLAS_CORETYPE", "OMP_WAIT_POLICY", "MALLOC_MMAP_MAX_", "MALLOC_TRIM_THRESHOLD_",
                   "MALLOC_TOP_PAD_", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def core_type():
    flags = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    return "SkylakeX" if "avx512bw" in flags else "Haswell"


def torch_version(python):
    text = subprocess.run([python, "-c", "import torch; print(torch.__version__)"], stdout=subprocess.PIPE, text=True,
                          check=True).stdout.strip()
    print(f"PyTorch {text} of {python}")
    return tuple(int(number) for number in text.split("+")[0].split(".")[:2])


def contestants(folder, program, batch):
    shard = sorted(folder.glob("*training*.hdf5"))[0]
    python = "/usr/bin/python3"
    threads = len(os.sched_getaffinity(0))
    tuned = {"OPENBLAS_CORETYPE": core_type(), "OMP_WAIT_POLICY": "passive", "MALLOC_MMAP_MAX_": "0",
             "MALLOC_TRIM_THRESHOLD_": "17179869184", "MALLOC_TOP_PAD_": "67108864"}

    def plain(count, *ways):
        return lambda steps: [python, "-B", PLAIN, shard, steps, batch, count, *ways]

    def ours(precision):
        return lambda steps: [program, "--data", folder, "--model", "tiny", "--batch-size", batch, "--max-steps", steps,
                              "--precision", precision, "--no-check-data", "--gelu", "erf", "-q"]

    entries = {"python as installed": (plain(0), {}), BY_HAND: (plain(threads), tuned)}
    if torch_version(python) >= (2,):
        entries["python fused"] = (plain(threads, "fused"), tuned)
        if "COMPILED" in os.environ:
            entries["python compiled"] = (plain(threads, "compiled"), tuned)
    return entries | {"berttrain f32": (ours("f32"), {}), "berttrain bf16": (ours("bf16"), {})}


def seconds_of(command, variables):
    """Seconds by the clock and of all threads."""
    environment = {name: value for name, value in os.environ.items() if name not in SPEED_VARIABLES} | variables
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    subprocess.run([str(word) for word in command], env=environment, check=True)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime - before.ru_utime


def rates_of(make_command, variables, steps, batch):
    while True:
        short = seconds_of(make_command(WARM_UP), variables)
        long = seconds_of(make_command(WARM_UP + steps), variables)
        if all(b > a for a, b in zip(short, long)):
            return [steps * batch / (b - a) for a, b in zip(short, long)]
        print("more steps took less time: once more; give more STEPS", file=sys.stderr)


def main(folder, program):
    rounds, steps, batch = (int(os.environ.get(name, value))
                            for name, value in (("ROUNDS", 3), ("STEPS", 8), ("BATCH", 32)))
    entries = contestants(folder, program, batch)
    rates = {name: [] for name in entries}
    for _ in range(rounds):
        for name, (make_command, variables) in entries.items():
            rates[name].append(rates_of(make_command, variables, steps, batch))

    def median(of, name, base=None):
        bases = rates[base] if base else [(1, 1)] * rounds
        return statistics.median(own[of] / other[of] for own, other in zip(rates[name], bases))

    print(f"{'':20}{'wall, seq/s':>12}{'installed':>10}{'by hand':>8}{'cpu, seq/s':>12}{'installed':>10}{'by hand':>8}")
    for name in entries:
        print(f"{name:20}" + "".join(f"{median(of, name):12.1f}{median(of, name, 'python as installed'):10.2f}"
                                     f"{median(of, name, BY_HAND):8.2f}" for of in (0, 1)))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    given = sys.argv[2] if len(sys.argv) == 3 else ROOT / "build/release/bin/berttrain"
    main(pathlib.Path(sys.argv[1]), pathlib.Path(given))
