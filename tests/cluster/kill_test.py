"""200 tasks over 300 shards, killed at random in every stage: the same digests, nothing lost, nothing left over.

Also what a task costs that has nothing to do, and what the tasks cost beyond the work of a single process.
"""

import collections
import concurrent.futures
import os
import pathlib
import random
import re
import signal
import statistics
import subprocess
import threading
import time

from array_case import ARRAY_STAGES, STAGES, Job, digests, environment, expect, expect_same, main, write_corpus

TASKS, TRAIN_SHARDS, TEST_SHARDS = 200, 200, 100
COPIES_OF_SAMPLE = 10  # 640 articles
SEED = 20
MOST_SECONDS_OF_A_TASK = 0.2
MOST_SECONDS_TO_LEAVE = 10
# How an attempt ends; "twice" is two attempts at once, of which one may be killed.
FATES = {"whole": 55, "kill": 25, "terminate": 10, "twice": 10}
MOST_ATTEMPTS = 8


class Attempt:
    """A process that runs a task."""

    def __init__(self, job, stage, task, log):
        self.log = log
        self.begun = time.monotonic()
        self.process = subprocess.Popen(job.stage(stage, task), env=environment(), stdin=subprocess.DEVNULL,
                                        stdout=log, stderr=log)

    def send(self, what):
        # It is not waited for yet, so its id is its own even if it has ended.
        os.kill(self.process.pid, what)

    def end(self):
        """Waits for it; returns its status, the negative signal if one ended it."""
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.seconds = time.monotonic() - self.begun
        self.processor_seconds = usage.ru_utime + usage.ru_stime
        return self.process.returncode

    def expect_end(self, *statuses):
        status = self.end()
        expect(status in statuses, f"{' '.join(map(str, self.process.args))}\nended with {status}:\n"
                                   f"{pathlib.Path(self.log.name).read_text()}")
        return status


def in_parallel(workers, call, items):
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        return list(pool.map(call, items))


class Undisturbed:
    """All tasks once, each to its end, as many at a time as there are processors."""

    def __init__(self, job):
        self.job, self.attempts = job, collections.defaultdict(list)
        begun = time.monotonic()
        for stage in STAGES[:-1]:
            self.stage(stage)
        self.seconds = time.monotonic() - begun
        self.idle = [attempt.seconds for stage in ARRAY_STAGES for attempt in self.once(stage, range(0, TASKS, 10), 1)]
        begun = time.monotonic()
        self.stage("finish")
        self.seconds += time.monotonic() - begun

    def stage(self, stage):
        self.attempts[stage] = self.once(stage, self.job.tasks_of(stage), 2)

    def once(self, stage, tasks, workers):
        def attempt(task):
            with (self.job.folder / f"{stage}-{task}.txt").open("wb") as log:
                done = Attempt(self.job, stage, task, log)
                done.expect_end(0)
                return done
        return in_parallel(workers, attempt, tasks)

    def typical_seconds(self, stage):
        return statistics.median(attempt.seconds for attempt in self.attempts[stage])

    def processor_seconds(self):
        return sum(attempt.processor_seconds for attempts in self.attempts.values() for attempt in attempts)


class Chaos:
    """All tasks of a job until each has ended well, with attempts that end early."""

    def __init__(self, job, typical_seconds):
        self.job, self.typical_seconds = job, typical_seconds
        self.ends, self.longest_leave, self.lock = collections.Counter(), 0, threading.Lock()
        for stage in STAGES:
            in_parallel(4, lambda task, stage=stage: self.until_done(stage, task), job.tasks_of(stage))

    def until_done(self, stage, task):
        draw = random.Random(f"{SEED} {stage} {task}")
        fates = [draw.choices(list(FATES), FATES.values())[0] for _ in range(MOST_ATTEMPTS)]
        if stage not in ARRAY_STAGES:
            fates = ["kill", "kill", "terminate", "kill", "twice", "kill", "kill", "terminate"]
        for number, fate in enumerate([*fates, "whole"]):
            delay = draw.uniform(0, 1.1 * self.typical_seconds(stage))
            # One task alone may be done before the first signal comes: the first comes at once, the next ones later.
            if stage not in ARRAY_STAGES:
                delay *= number / len(fates)
            with (self.job.folder / f"{stage}-{task}-{number}.txt").open("wb") as log:
                if getattr(self, fate)(stage, task, delay, log) and stage in ARRAY_STAGES:
                    return

    # Each returns whether an attempt has ended well.

    def whole(self, stage, task, _, log):
        return self.count(stage, Attempt(self.job, stage, task, log).expect_end(0))

    def kill(self, stage, task, delay, log):
        attempt = Attempt(self.job, stage, task, log)
        time.sleep(delay)
        attempt.send(signal.SIGKILL)
        return self.count(stage, attempt.expect_end(0, -signal.SIGKILL))

    def terminate(self, stage, task, delay, log):
        attempt = Attempt(self.job, stage, task, log)
        time.sleep(delay)
        attempt.send(signal.SIGTERM)
        told = time.monotonic()
        # Before main() begins, the signal ends the process.
        status = attempt.expect_end(0, 128 + signal.SIGTERM, -signal.SIGTERM)
        with self.lock:
            self.longest_leave = max(self.longest_leave, time.monotonic() - told)
        return self.count(stage, 143 if status < 0 else status)

    def twice(self, stage, task, delay, log):
        first, second = Attempt(self.job, stage, task, log), Attempt(self.job, stage, task, log)
        if int(delay * 1e6) % 2:
            time.sleep(delay)
            first.send(signal.SIGKILL)
        ends = [first.expect_end(0, -signal.SIGKILL), second.expect_end(0)]
        with self.lock:
            self.ends[stage, "twice"] += 1
        return [self.count(stage, end) for end in ends][1]

    def count(self, stage, status):
        with self.lock:
            self.ends[stage, status] += 1
        return status == 0


def names(folder):
    """Everything below a folder, hidden or not, except for what names a job by its folders."""
    return {re.sub(r"^array/[^/]*", "array/job", str(path.relative_to(folder))) for path in folder.rglob("*")}


def expect_same_names(found, expected):
    for left, right in ((found.root, expected.root), (found.work, expected.work)):
        more, lost = sorted(names(left) - names(right)), sorted(names(right) - names(left))
        expect(not more and not lost, f"{left} has, and {right} has not: {more}; the other way round: {lost}")


def make_job(program, corpus, folder, name):
    (folder / name).mkdir()
    return Job(program, corpus, folder / name, TRAIN_SHARDS, TEST_SHARDS, TASKS, piece_size="4K")


def test(program, folder):
    corpus = write_corpus(folder / "corpus", COPIES_OF_SAMPLE)
    single, array, killed = (make_job(program, corpus, folder, name) for name in ("single", "array", "killed"))
    begun = time.monotonic()
    single.run()
    single_seconds = time.monotonic() - begun
    reference = digests(single.root)
    expect(len(reference) == 2 * (TRAIN_SHARDS + TEST_SHARDS + 2), f"{len(reference)} files in one process")

    whole = Undisturbed(array)
    expect_same(array.root, reference)
    tasks = sum(len(attempts) for attempts in whole.attempts.values())
    idle, overhead = statistics.median(whole.idle), (whole.seconds - single_seconds) / tasks
    print(f"one process {single_seconds:.2f} s; {tasks} tasks, two at a time, {whole.seconds:.2f} s "
          f"({whole.processor_seconds():.2f} s of processors): {1000 * overhead:.1f} ms a task more")
    print(f"a task that has nothing to do: {1000 * idle:.1f} ms (median of {len(whole.idle)})")
    expect(overhead <= MOST_SECONDS_OF_A_TASK, f"a task costs {overhead:.3f} s beyond its work")
    expect(idle <= MOST_SECONDS_OF_A_TASK, f"a task with nothing to do takes {idle:.3f} s")

    begun = time.monotonic()
    chaos = Chaos(killed, whole.typical_seconds)
    expect_same(killed.root, reference)
    expect_same_names(killed, array)
    for stage in STAGES:
        print(f"{stage}: {chaos.ends[stage, -signal.SIGKILL]} attempts killed, {chaos.ends[stage, 143]} left at "
              f"SIGTERM, {chaos.ends[stage, 'twice']} times two at once, {chaos.ends[stage, 0]} ended well")
        expect(chaos.ends[stage, -signal.SIGKILL] > 0, f"no attempt of {stage} was killed")
    print(f"{time.monotonic() - begun:.2f} s with kills; the longest leave after SIGTERM: {chaos.longest_leave:.2f} s")
    expect(chaos.longest_leave < MOST_SECONDS_TO_LEAVE, "an attempt took too long to leave after SIGTERM")


if __name__ == "__main__":
    main(test)
