"""The chain that `bertprep submit aws-batch` writes, by the real aws CLI to a stand-in for AWS Batch: the digests of a
single process, though Spot hosts are lost in every stage.

Then a chain whose corpus can't be read must fail at once, and resume when the corpus is repaired. Never run on AWS.
"""

import collections
import contextlib
import os
import random
import shutil
import time

from array_case import STAGES, Job, digests, environment, expect, expect_same, finished, main, skip_unless, wait_for
from array_case import write_corpus

skip_unless(programs=["aws"], modules=["botocore"])

from batch_attempt import LOST, Host  # noqa: E402
from batch_stand_in import ENDED, BatchStandIn  # noqa: E402

TASKS = 8
SUBMIT = ("--tasks", TASKS, "--piece-size", "32K", "--cpus", 1, "--task-memory", "1G", "--time", "10m",
          "--queue", "spot", "--efs", "fs-0123456789abcdef0", "--access-point", "fsap-0123456789abcdef0",
          "--log-group", "bertprep", "--job-role", "arn:aws:iam::111122223333:role/bertprep", "--region", "us-east-1",
          "--image", "111122223333.dkr.ecr.us-east-1.amazonaws.com/bertprep:1")


def lose(job, attempt):
    """Some attempts as soon as they have begun, in every stage, and more at any moment of their work."""
    if attempt == 1 and (job.index or 0) % 4 == 0:
        return 0
    draw = random.Random(f"{job.name} {job.index} {attempt}")
    return draw.choice([0.02, 0.05, 0.1]) if attempt <= 2 and draw.random() < 0.5 else None


class Account:
    """A user who submits jobs, with an account on the stand-in."""

    def __init__(self, batch, folder):
        self.batch = batch
        self.environment = environment(AWS_ACCESS_KEY_ID="name", AWS_SECRET_ACCESS_KEY="secret", HOME=str(folder),
                                       AWS_EC2_METADATA_DISABLED="true", AWS_PAGER="")

    def submit(self, job, *more):
        """Submits a chain; returns its jobs by stage."""
        lines = finished([job.program, "submit", "aws-batch", *job.options(), *SUBMIT, "--aws-endpoint",
                          self.batch.url, *more], env=self.environment)
        ids = dict(line.split("\t") for line in lines.splitlines())
        return {stage: self.batch.jobs[ids[stage]] for stage in STAGES if stage in ids}

    def wait(self, jobs, seconds=200):
        wait_for(lambda: all(job.status in ENDED for job in jobs.values()), seconds, "end of all jobs")


def output_of(job):
    return [open(attempt["log"], errors="replace").read() for attempt in job.attempts]


def check_chain(account, job):
    """All jobs succeed, and in every stage a host is lost."""
    jobs = account.submit(job, "--jobs", account.batch.host.folder / "jobs")
    account.wait(jobs)
    lost = collections.Counter()
    for stage, each in jobs.items():
        for child in each.children or [each]:
            expect(child.status == "SUCCEEDED", f"{stage} {child.index}: {child.reason}\n{output_of(child)}")
            lost[stage] += sum(attempt["reason"] == LOST for attempt in child.attempts)
    expect(list(jobs) == list(STAGES), f"the jobs are {list(jobs)}")
    expect(all(lost[stage] for stage in STAGES), f"hosts that were lost: {dict(lost)}")
    return lost


def check_unreadable(account, job, corpus):
    """A task that can't read its input is not retried, and no later job starts; then a new chain does it."""
    shutil.copytree(corpus, job.corpus)
    last, away = sorted(job.corpus.iterdir())[-1], job.folder / "away"

    def take_away(attempted, _):
        if "format" in attempted.name:
            with contextlib.suppress(FileNotFoundError):  # another task took it away
                last.rename(away)

    # The file system is mounted also where the jobs are submitted, so results are visible there.
    mount = "--efs-mount", job.folder.parent
    account.batch.lose = take_away
    jobs = account.submit(job, *mount)
    account.wait(jobs)
    failed = [child for child in jobs["format"].children if child.status == "FAILED"]
    expect(failed, f"nobody missed {last.name}")
    for child in failed:
        expect(len(child.attempts) == 1, f"format {child.index} was tried again:\n{output_of(child)}")
    expect(not jobs["finish"].attempts, "a job started behind a failed one")

    account.batch.lose = lambda *_: None
    away.rename(last)
    again = account.submit(job, *mount, "--retry", "format")
    account.wait(again)
    expect(len(again["format"].children) in (0, max(2, len(failed))),
           f"{len(again['format'].children)} tasks again after {len(failed)} failed")
    expect(again["finish"].status == "SUCCEEDED", f"{[(name, one.reason) for name, one in again.items()]}")


def test(program, folder):
    # The image has the program in its PATH.
    os.environ["PATH"] = f"{program.parent}:{os.environ['PATH']}"
    efs = folder / "efs"
    corpus = write_corpus(efs / "corpus", 12)
    single = Job(program, corpus, folder / "single", 12, 4, TASKS)
    single.run()
    reference = digests(single.root)
    with BatchStandIn(Host(folder / "attempts", efs, [], notice=0.05), slots=3, lose=lose) as batch:
        account = Account(batch, folder)
        begun = time.monotonic()
        lost = check_chain(account, Job(program, "/mnt/efs/corpus", "/mnt/efs", 12, 4, TASKS))
        expect_same(efs / "root", reference)
        print(f"a chain of 6 jobs that lost {sum(lost.values())} hosts: {time.monotonic() - begun:.1f} s")
        begun = time.monotonic()
        broken = Job(program, efs / "broken/corpus", efs / "broken", 12, 4, TASKS)
        check_unreadable(account, broken, corpus)
        expect_same(broken.root, reference)
        print(f"a chain that failed, and its second half again: {time.monotonic() - begun:.1f} s")


if __name__ == "__main__":
    main(test)
