#!/usr/bin/env python3
"""How long commands take to start, beside an empty program of Python in the same run.

    scripts/bench_start.py [PROGRAM] [--times N]

PROGRAM is bertprep, by default that of the release build. Each command runs N times (15) in turns; the least counts. A
line each: milliseconds, the multiple of `python3 -S -E -c pass`, and the multiple that is wanted at most.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "samples" / "sample.wikitext"
WANTED = {"--version": 0.4, "--help": 0.4, "status": 0.8, "inspect": 0.8, "tokenize": 1.2}


def dataset_in(folder, program):
    """A small set of the sample that `status` and `inspect` can read."""
    arguments = ["run", "--input", SAMPLE, "--format", "wikitext", "--name", "sample", "--vocab", "sample-uncased",
                 "--sentences", "icu", "--train-shards", "2", "--test-shards", "1", "-o", "set", "--quiet"]
    subprocess.run([program, *arguments], cwd=folder, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    return folder / "set"


def commands_of(program, dataset):
    shard = next(path for path in sorted(dataset.rglob("*.hdf5")))
    return {
        "python3 -S -E -c pass": ["/usr/bin/python3", "-S", "-E", "-c", "pass"],
        "--version": [program, "--version"],
        "--help": [program, "--help"],
        "status": [program, "status", dataset],
        "inspect": [program, "inspect", shard, "--rows", "1"],
        "tokenize": [program, "tokenize", "--vocab", "sample-uncased"],
    }


def milliseconds(command, folder):
    start = time.perf_counter()
    done = subprocess.run(command, cwd=folder, input=b"The quick brown fox.\n", capture_output=True)
    spent = (time.perf_counter() - start) * 1e3
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}: {done.stderr.decode()}")
    return spent


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", nargs="?", default=ROOT / "build" / "release" / "bin" / "bertprep")
    parser.add_argument("--times", type=int, default=15)
    options = parser.parse_args()
    program = pathlib.Path(options.program).resolve(strict=True)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        commands = commands_of(program, dataset_in(folder, program))
        least = {}
        for _ in range(options.times):
            for title, command in commands.items():
                spent = milliseconds(command, folder)
                least[title] = min(spent, least.get(title, spent))
    python = least.pop("python3 -S -E -c pass")
    print(f"python3 -S -E -c pass  {python:6.2f} ms")
    for title, spent in least.items():
        print(f"{title:<21}  {spent:6.2f} ms  {spent / python:.2f} x  (wanted {WANTED[title]})")


if __name__ == "__main__":
    main()
