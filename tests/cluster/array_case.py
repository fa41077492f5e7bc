"""What the tests of array jobs share: a corpus made from the sample, the job over it, and digests to compare.

A test is called with the program as its argument. What it can't do on a machine it says in a line and ends with 77.
"""

import hashlib
import importlib.util
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
PROJECT = pathlib.Path(__file__).resolve().parents[2]
STAGES = ("fetch", "format", "place", "shard", "instances", "finish")
ARRAY_STAGES = ("format", "shard", "instances")
ENGINE_VARIABLE = re.compile(r"(AWS|SLURM|SBATCH|SGE|PBS|LSB|LSF|BERT_PREP)_?|JOB_ID$|TASK_")
NAME = "sample"


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def skip_unless(programs=(), modules=(), install="--tests"):
    missing = [program for program in programs if shutil.which(program) is None]
    missing += [module for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        skip(f"no {', '.join(missing)} (scripts/install-deps.sh {install})")


class Failure(Exception):
    """What a test found wrong."""


def expect(holds, text):
    if not holds:
        raise Failure(text)


def environment(**more):
    """This process's environment without anything that an engine of array jobs has put there."""
    kept = {name: value for name, value in os.environ.items() if not ENGINE_VARIABLE.match(name)}
    return {**kept, **more}


def write_corpus(folder, copies):
    """The sample `copies` times over, a file each, with other words in its articles; the same bytes in every run."""
    sample = (PROJECT / "samples/sample.wikitext").read_text(encoding="utf-8")
    words = sorted(set(re.findall(r"\b[a-z]{3,}\b", sample)))
    folder.mkdir(parents=True)
    for copy in range(copies):
        draw = random.Random(copy)
        text = re.sub(r"\b[a-z]{3,}\b", lambda word: draw.choice(words) if draw.random() < 0.3 else word[0], sample)
        (folder / f"{copy:02}.wikitext").write_text(text, encoding="utf-8", newline="")
    return folder


class Job:
    """A run over `corpus`, in one process or stage by stage, to FOLDER/root with work in FOLDER/work."""

    def __init__(self, program, corpus, folder, train_shards, test_shards, tasks, piece_size="16K"):
        self.program, self.corpus, self.folder, self.tasks = program, corpus, pathlib.Path(folder), tasks
        self.shards, self.piece_size = (train_shards, test_shards), piece_size

    @property
    def root(self):
        return self.folder / "root"

    @property
    def work(self):
        return self.folder / "work"

    def options(self):
        """What `run`, `submit` and `retry-list` take alike."""
        train, test = self.shards
        return ["--input", self.corpus, "--format", "wikitext", "--name", NAME, "--vocab", "sample-uncased",
                "--sentences", "icu", "--train-shards", train, "--test-shards", test,
                "--output", self.root, "--work", self.work]

    def arguments(self, command, *more):
        return [str(argument) for argument in (self.program, command, *self.options(), *more)]

    def run(self, *more):
        """In one process."""
        finished(self.arguments("run", "-q", "-j", 2, *more))

    def stage(self, stage, task=0):
        """The command of a task of a stage."""
        more = ["--array-task", task, "--array-count", self.tasks] if stage in ARRAY_STAGES else []
        if stage == "fetch":
            more = ["--piece-size", self.piece_size]
        return self.arguments("run", "-q", "-j", 1, "--memory", "300M", "--stage", stage, *more)

    def tasks_of(self, stage):
        return range(self.tasks) if stage in ARRAY_STAGES else range(1)


def finished(arguments, status=0, timeout=300, **options):
    """Runs a program to its end and returns what it wrote to stdout; another status than `status` is a failure."""
    options.setdefault("env", environment())
    run = subprocess.run([str(argument) for argument in arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, timeout=timeout, **options)
    expect(run.returncode == status,
           f"{' '.join(map(str, arguments))}\nended with {run.returncode}:\n{run.stdout}{run.stderr}")
    return run.stdout


def digests(root):
    """SHA-256 of what trainers see: every file of ROOT that is not in a hidden folder, by its place."""
    return {str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(root.rglob("*"))
            if path.is_file() and not any(part.startswith(".") for part in path.relative_to(root).parts)}


def expect_same(root, reference):
    """The shards and manifests of `root` are those of `reference`, as digests() has them."""
    found = digests(root)
    lost, more = sorted(set(reference) - set(found)), sorted(set(found) - set(reference))
    other = sorted(name for name in set(reference) & set(found) if reference[name] != found[name])
    expect(not (lost or more or other), f"not the files of a single process: lost {lost}, other bytes {other}, "
                                        f"too many {more}")


def wait_for(condition, seconds, what, pause=0.05):
    """What condition() returns, as soon as that is true."""
    end = time.monotonic() + seconds
    while True:
        result = condition()
        if result:
            return result
        expect(time.monotonic() < end, f"after {seconds} s there is still no {what}")
        time.sleep(pause)


def main(test):
    """Calls test(program, folder) with a temporary folder and ends the process with the result."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} PROGRAM")
    try:
        with tempfile.TemporaryDirectory(prefix="bertprep-") as folder:
            test(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(folder))
    except Failure as failure:
        sys.exit(f"failed: {failure}")
