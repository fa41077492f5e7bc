"""An attempt of a job of the Batch stand-in: a process of this machine instead of a container on a host of AWS."""

import dataclasses
import os
import pathlib
import re
import signal
import subprocess
import time

from batch_model import PLACEHOLDER

EXITED = "Essential container in task exited"
LOST = "Host EC2 (instance i-0123456789abcdef0) terminated."
TIMED_OUT = "Job attempt duration exceeded timeout"


def milliseconds():
    return int(time.time() * 1000)


@dataclasses.dataclass
class Host:
    """Where attempts run.

    folder: for their output, in FOLDER/NAME-INDEX-ATTEMPT.txt
    efs: the folder that stands for every EFS file system
    entry_point: what the container's image runs in front of a job's command
    notice: seconds between SIGTERM and SIGKILL (30 at AWS, two minutes at the loss of a Spot host)
    minute: how long a minute of a time-out lasts, in seconds
    """

    folder: pathlib.Path
    efs: pathlib.Path
    entry_point: list
    notice: float = 2
    minute: float = 60

    def run(self, job, number, lost_after, stop_reason):
        """Runs attempt `number` of the job to its end: a dict of started, stopped, log, reason, exit (None: unknown).

        lost_after: seconds after which its host is reclaimed, or None; stop_reason(): why it is to be stopped, or "".
        """
        log = self.folder / f"{job.name}-{job.index or 0}-{number}.txt"
        with log.open("wb") as output:
            process = subprocess.Popen(self.entry_point + self.command(job), env=self.variables(job, number),
                                       stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                       start_new_session=True, cwd="/")
            started = milliseconds()
            job.has_started(started)
            limit = job.setting("timeout").get("attemptDurationSeconds", float("inf")) * self.minute / 60
            reason = self.wait(process, lost_after, limit, stop_reason)
        kill_group(process)
        status = process.returncode if process.returncode >= 0 else 128 - process.returncode
        # A lost host reports no exit code.
        unknown = reason == LOST and process.returncode == -signal.SIGKILL
        return {"started": started, "stopped": milliseconds(), "log": str(log), "reason": reason,
                "exit": None if unknown else status}

    def wait(self, process, lost_after, limit, stop_reason):
        """Waits for the end of the process, or brings it about; returns the reason."""
        started, told, reason = time.monotonic(), None, EXITED
        while process.poll() is None:
            passed = time.monotonic() - started
            if told is None:
                if lost_after is not None and passed >= lost_after:
                    reason = LOST
                elif passed >= limit:
                    reason = TIMED_OUT
                else:
                    reason = stop_reason() or EXITED
                if reason != EXITED:
                    told = passed
                    process.terminate()
            elif passed >= told + self.notice:
                kill_group(process)
            time.sleep(0.005)
        return reason

    def command(self, job):
        container = job.definition["containerProperties"]
        words = job.request.get("containerOverrides", {}).get("command") or container.get("command", [])
        parameters = {**job.definition.get("parameters", {}), **job.request.get("parameters", {})}
        words = [PLACEHOLDER.sub(lambda match: parameters.get(match[1], match[0]), word) for word in words]
        return [self.on_this_machine(word, container) for word in words]

    def variables(self, job, number):
        container, overrides = job.definition["containerProperties"], job.request.get("containerOverrides", {})
        given = {entry["name"]: self.on_this_machine(entry["value"], container)
                 for entry in container.get("environment", []) + overrides.get("environment", [])}
        array = {} if job.index is None else {"AWS_BATCH_JOB_ARRAY_INDEX": str(job.index),
                                              "AWS_BATCH_JOB_ARRAY_SIZE": str(len(job.parent.children))}
        return {"PATH": os.environ["PATH"], "HOME": str(self.folder), **given, **array,
                "AWS_BATCH_JOB_ID": job.job_id, "AWS_BATCH_JOB_ATTEMPT": str(number),
                "AWS_BATCH_JQ_NAME": job.request["jobQueue"], "AWS_BATCH_CE_NAME": "stand-in"}

    def on_this_machine(self, text, container):
        """The text with the folders of the container's EFS volumes replaced; /mnt/efs is not a prefix of /mnt/efs2."""
        shared = {volume["name"] for volume in container.get("volumes", []) if "efsVolumeConfiguration" in volume}
        for mount in container.get("mountPoints", []):
            if mount["sourceVolume"] in shared:
                text = re.sub(re.escape(mount["containerPath"]) + r"(?![\w.-])", str(self.efs), text)
        return text


def kill_group(process):
    """Kills the remaining processes of a container."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
