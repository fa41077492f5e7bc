"""What the tests of faults share: ways to run the program over a small corpus, faults put into them, what must hold.

A way is a list of commands that turn inputs into results. A trial makes the folder of a way anew as it was before one
of its commands, disturbs that command, and runs the rest undisturbed: then every file under a final name must have the
bytes of a run that nothing disturbed. docs/how-to/resume-and-verify.md says what is promised.
"""

import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time

PROJECT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = PROJECT / "samples"
ENGINE_VARIABLE = re.compile(r"(AWS|SLURM|SBATCH|SGE|PBS|LSB|LSF|BERT_PREP)_?|JOB_ID$|TASK_")
ATTEMPT = re.compile(r"^work/array/[^/]*/attempts/")
FAILED, TRY_LATER = 1, 75
TRIALS_PER_WORD = 1000
KILLED = -9
CALLS = "open_read,open_write,read,write,sync,sync_all,rename,link,unlink,mkdir,truncate,close,map,list"


class Failure(Exception):
    """What a test found wrong."""


def expect(holds, text):
    if not holds:
        raise Failure(text)


@dataclasses.dataclass(frozen=True)
class Fault:
    """The `at`-th of `calls` ends as `kind` says (fault_calls.cpp lists both)."""
    kind: str
    at: int
    calls: str = CALLS
    sticky: bool = False

    def __str__(self):
        calls = "" if self.calls == CALLS else f" of {self.calls}"
        return f"{self.kind} at call {self.at}{' and later' if self.sticky else ''}{calls}"


@dataclasses.dataclass(frozen=True)
class Call:
    """One line of a trace."""
    number: int
    name: str
    inode: int
    size: int
    path: str
    old_path: str


def read_trace(file):
    if not file.exists():
        return []
    calls = []
    for line in file.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        number, name, inode, size, path, old_path = line.split("\t")
        calls.append(Call(int(number), name, int(inode), int(size), path, old_path))
    return calls


def results(folder):
    """The bytes of every file outside of hidden folders, by path, without the reports of attempts of an array."""
    places = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {place: path.read_bytes() for place, path in places.items()
            if "/." not in f"/{place}" and not ATTEMPT.search(place)}


def unfinished(folder):
    return [str(path.relative_to(folder)) for path in folder.rglob("*.partial")]


class Way:
    """Commands over the inputs of `prepare`, which all work in the folder `case`. Made once for each worker. A command
    that ends in ">NAME" writes its stdout to that file.
    """

    def __init__(self, name, prepare, commands):
        self.name, self.prepare, self.commands = name, prepare, commands


class Bench:
    """The place in which one worker runs the trials of one way: always the same folder, filled anew for each."""

    def __init__(self, lab, way, folder):
        self.lab, self.way, self.folder = lab, way, folder
        self.case = folder / "case"
        self.templates = []  # existing files before each command
        self.passing = {}  # the results of every command, also of those that a later one removes
        shutil.rmtree(folder, ignore_errors=True)
        self.case.mkdir(parents=True)
        way.prepare(self.case)
        for number, _ in enumerate(way.commands):
            self.templates.append(folder / f"before-{number}")
            shutil.copytree(self.case, self.templates[-1], symlinks=True)
            self.succeed(number)
            self.passing |= results(self.case)
        self.good = results(self.case)

    def fill(self, number):
        shutil.rmtree(self.case)
        shutil.copytree(self.templates[number], self.case, symlinks=True)

    def command(self, number):
        program, *arguments = self.way.commands[number]
        if str(arguments[-1]).startswith(">"):
            arguments = arguments[:-1]
        programs = {"bertprep": self.lab.program, "berttrain": self.lab.trainer}
        return [str(part) for part in (programs[program], *arguments)]

    def start(self, number, fault=None, trace=None):
        environment = {name: value for name, value in os.environ.items() if not ENGINE_VARIABLE.match(name)}
        if fault is not None or trace is not None:
            environment |= {"LD_PRELOAD": str(self.lab.library), "FAULT_ROOTS": str(self.case), "FAULT_CALLS": CALLS}
        if fault is not None:
            environment |= {"FAULT_CALLS": fault.calls, "FAULT_AT": str(fault.at), "FAULT_KIND": fault.kind,
                            "FAULT_STICKY": "1" if fault.sticky else "0"}
        if trace is not None:
            environment["FAULT_TRACE"] = str(trace)
        out = str(self.way.commands[number][-1])
        with open(self.case / out[1:] if out.startswith(">") else os.devnull, "wb") as file:
            return subprocess.Popen(self.command(number), cwd=self.case, env=environment, stdin=subprocess.DEVNULL,
                                    stdout=file if out.startswith(">") else subprocess.PIPE, stderr=subprocess.PIPE,
                                    text=True, errors="replace")

    def run(self, number, fault=None, trace=None, timeout=60):
        """Runs a command; returns its status and output."""
        process = self.start(number, fault, trace)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired as late:
            process.kill()
            process.communicate()
            raise Failure(f"{' '.join(self.command(number))}: still running after {timeout} s") from late
        return process.returncode, (out or "") + err

    def succeed(self, number):
        status, text = self.run(number)
        expect(status == 0, f"{' '.join(self.command(number))}\nended with {status}: {text}")

    def succeed_from(self, number):
        for later in range(number, len(self.way.commands)):
            self.succeed(later)

    def trace_of(self, number):
        """All calls of an undisturbed command."""
        self.fill(number)
        trace = self.folder / "trace.txt"
        trace.unlink(missing_ok=True)
        status, text = self.run(number, trace=trace)
        expect(status == 0, f"under the trace: {status}: {text}")
        return read_trace(trace)

    def allocations_of(self, number):
        self.fill(number)
        trace = self.folder / "trace.txt"
        trace.unlink(missing_ok=True)
        self.run(number, Fault("none", 0, "allocation"), trace)
        return len(read_trace(trace))

    def expect_nothing_wrong(self):
        """Every file under a final name is one of the good run's, with its bytes."""
        for name, found in results(self.case).items():
            expect(name in self.passing, f"{name} is no result")
            expect(self.passing[name] == found, f"{name} has other bytes than in a run without a fault")

    def expect_good_or_told(self):
        """The same as expect_good(), but for files that nothing has read again and that `verify` names."""
        wrong = {name for name, found in results(self.case).items() if self.good.get(name, found) != found}
        if not wrong:
            return self.expect_good()
        folders = [name for name in ("root", "resharded") if (self.case / name).is_dir()]
        told = subprocess.run([str(self.lab.program), "verify", "-q", "--work", ".", *folders], cwd=self.case,
                              capture_output=True, text=True, errors="replace", check=False)
        # A page shows what records say of the text, and leaves out what damaged ones no longer say.
        words = told.stdout + told.stderr
        pages = {"report.html"} if "can't be read as a completion record" in words else set()
        unnamed = [name for name in wrong - pages if f"{name}:" not in words]
        expect(told.returncode == FAILED and not unnamed,
               f"{unnamed or wrong}: other bytes than in a run without a fault, and verify ends with "
               f"{told.returncode}: {told.stdout}")
        expect(set(results(self.case)) == set(self.good), "files are lost, or too many")

    def expect_good(self):
        self.expect_results()
        expect(not unfinished(self.case), f"unfinished files stay: {unfinished(self.case)}")

    def expect_results(self):
        """The files of the good run. A fault may have kept an unfinished file from being removed."""
        found = results(self.case)
        expect(set(found) == set(self.good), f"lost {sorted(set(self.good) - set(found))}, "
                                             f"too many {sorted(set(found) - set(self.good))}")
        self.expect_nothing_wrong()


class Lab:
    """The programs, the library that makes faults, and benches for all ways and workers."""

    def __init__(self, program, trainer, library, folder, workers=2):
        self.program, self.trainer, self.library, self.folder = program, trainer, library, folder
        self.workers, self.benches, self.lock = workers, {}, threading.Lock()
        self.failures, self.trials = [], 0

    def bench(self, way, worker):
        with self.lock:
            known = self.benches.get((way.name, worker))
        if known is None:
            known = Bench(self, way, self.folder / f"{way.name}-{worker}")
            with self.lock:
                self.benches[way.name, worker] = known
        return known

    def all(self, trials, seconds=None):
        """Runs trial(worker) for every pair (text, trial); collects what fails. After `seconds` no more are begun."""
        waiting, begun = iter(trials), time.monotonic()

        def work(worker):
            while seconds is None or time.monotonic() - begun < seconds:
                with self.lock:
                    text, trial = next(waiting, (None, None))
                if trial is None:
                    return
                try:
                    trial(worker)
                except Exception as failure:  # pylint: disable=broad-except
                    # An uncaught exception would end the worker and its trials.
                    with self.lock:
                        self.failures.append(f"{text}: {failure}")
                        print(self.failures[-1], file=sys.stderr, flush=True)
                with self.lock:
                    self.trials += 1
                    if self.trials % TRIALS_PER_WORD == 0:
                        print(f"{self.trials} trials so far, {len(self.failures)} failed: {text}",
                              file=sys.stderr, flush=True)

        threads = [threading.Thread(target=work, args=(worker,)) for worker in range(self.workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def report(self, what):
        print(f"{what}: {self.trials} trials, {len(self.failures)} failed")
        expect(self.trials > 0, "nothing was tried")
        expect(not self.failures, f"{len(self.failures)} of {self.trials} trials failed")
