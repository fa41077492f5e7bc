"""The chain that `bertprep submit slurm` writes, on a real Slurm: the digests of a single process, kills and all.

Of the tasks of `instances`, one is killed in the middle of its work and one is put back into the queue. Then a chain
whose corpus can't be read must end instead of waiting forever, and resume when the corpus is repaired.
"""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import time

from array_case import Failure, Job, digests, expect, expect_same, main, skip, skip_unless, wait_for, write_corpus
from slurm_cluster import PROGRAMS, SlurmCluster

TASKS = 8
SUBMIT = ("--tasks", TASKS, "--piece-size", "32K", "--cpus", 1, "--task-memory", "1G", "--time", "10m")


def environment_of(process):
    entries = (process / "environ").read_bytes().split(b"\0")
    return dict(entry.decode(errors="replace").split("=", 1) for entry in entries if b"=" in entry)


def running_tasks(job, stage):
    """(process, Slurm's name of the task) of the programs that do tasks of a stage now."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
            if words[0] != str(job.program).encode() or stage.encode() not in words:
                continue
            variables = environment_of(process)
        except (OSError, ValueError):
            continue  # It has ended meanwhile.
        if str(job.root).encode() in words and "SLURM_ARRAY_TASK_ID" in variables:
            found.append((int(process.name),
                          f"{variables['SLURM_ARRAY_JOB_ID']}_{variables['SLURM_ARRAY_TASK_ID']}"))
    return sorted(found)


def stop(process):
    """Stops a process; False: it has come to its end before."""
    try:
        os.kill(process, signal.SIGSTOP)
        while (state := pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]) != "T":
            if state in "ZX":
                return False
            time.sleep(0.001)
        return True
    except OSError:
        return False


def stop_one(job, stage, but):
    """Stops a program in the middle of a task, another than `but`; returns it as running_tasks() does."""
    def try_all():
        return next((found for found in running_tasks(job, stage) if found[1] != but and stop(found[0])), None)
    return wait_for(try_all, 100, f"task of {stage} to be stopped", pause=0.005)


def submit(slurm, job, *more):
    """Submits a chain; returns the ids of its jobs by stage."""
    lines = slurm.call(job.program, "submit", "slurm", *job.options(), *SUBMIT, *more)
    return dict(line.split("\t") for line in lines.splitlines())


def status(slurm, job, *more):
    """The exit status of `status`: 0 done, 1 failed, 5 running, 6 waiting."""
    return subprocess.run([job.program, "status", "-q", job.root, *more], stdin=subprocess.DEVNULL,
                          env=slurm.environment(), timeout=200).returncode


def states(slurm, ids):
    """The last states of the tasks of jobs: {task: state}, as "12_3" or "12"."""
    found = {}
    for entry in slurm.ended():
        task = f"{entry['ArrayJobId']}_{entry['ArrayTaskId']}" if "ArrayJobId" in entry else entry["JobId"]
        if task.split("_")[0] in ids:
            found[task] = entry["JobState"]
    return found


def check_chain(slurm, job):
    """All tasks of the chain end well though one is killed and one is requeued."""
    ids = submit(slurm, job)
    killed, killed_task = stop_one(job, "instances", but=None)
    requeued, requeued_task = stop_one(job, "instances", but=killed_task)
    os.kill(killed, signal.SIGKILL)
    slurm.call("scontrol", "requeue", requeued_task)
    with contextlib.suppress(ProcessLookupError):  # Slurm may have ended it already
        os.kill(requeued, signal.SIGCONT)
    slurm.wait_until_empty(150)
    ended = states(slurm, ids.values())
    expect(len(ended) == 3 + 3 * TASKS and set(ended.values()) == {"COMPLETED"}, f"not all tasks ended well: {ended}")
    restarts = slurm.call("scontrol", "--oneliner", "show", "job", requeued_task)
    expect("Restarts=1" in restarts.split(), f"task {requeued_task} was not started again: {restarts}")
    logs = "".join(log.read_text() for log in (job.work / "jobs/sample/slurm/logs").glob("instances.*"))
    expect("ended with status 137" in logs, f"no task tells of its kill: {logs}")
    return killed_task, requeued_task


def check_unreadable(slurm, job, corpus, reference):
    """What waits for a job that failed is cancelled; a new chain from there on does the rest."""
    shutil.copytree(corpus, job.corpus)
    ids = submit(slurm, job)
    now = status(slurm, job)
    expect(now in (5, 6), f"status ends with {now} right after submit")
    lost = sorted(job.corpus.iterdir())[-1]
    wait_for(lambda: (job.work / "array").is_dir() and list((job.work / "array").glob("*/plan.json")), 100, "plan",
             pause=0.002)
    text = lost.read_bytes()
    lost.unlink()
    now = status(slurm, job, "--wait")
    expect(now == 1, f"status --wait ends with {now} after a failure")
    slurm.wait_until_empty(150)
    ended = states(slurm, ids.values())
    expect("FAILED" in ended.values(), f"nobody missed {lost.name}: {ended}")
    expect(ended.get(ids["finish"]) != "COMPLETED", f"the chain ended well without {lost.name}: {ended}")
    lost.write_bytes(text)
    submit(slurm, job, "--retry", "format")
    now = status(slurm, job, "--wait")
    expect(now == 0, f"status --wait ends with {now} after the second chain")
    slurm.wait_until_empty(150)
    expect_same(job.root, reference)


def start(folder):
    skip_unless(programs=PROGRAMS)
    cluster = SlurmCluster(folder, nodes=3, cpus=2)
    try:
        return cluster.__enter__()
    except (Failure, OSError, subprocess.SubprocessError) as reason:
        skip(f"Slurm does not start here: {str(reason).splitlines()[0]}")


def test(program, folder):
    corpus = write_corpus(folder / "corpus", 24)
    single = Job(program, corpus, folder / "single", 12, 4, TASKS)
    single.run()
    reference = digests(single.root)
    slurm = start(folder / "slurm")
    try:
        begun = time.monotonic()
        chain = Job(program, corpus, folder / "chain", 12, 4, TASKS)
        killed, requeued = check_chain(slurm, chain)
        expect_same(chain.root, reference)
        print(f"a chain of 6 jobs, with task {killed} killed and task {requeued} put back: "
              f"{time.monotonic() - begun:.1f} s")
        begun = time.monotonic()
        check_unreadable(slurm, Job(program, folder / "broken/corpus", folder / "broken", 12, 4, TASKS), corpus,
                         reference)
        print(f"a chain that failed, and its second half again: {time.monotonic() - begun:.1f} s")
    finally:
        slurm.stop()


if __name__ == "__main__":
    main(test)
