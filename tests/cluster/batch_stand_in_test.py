"""Whether the stand-in for AWS Batch does what AWS's documentation says, asked by botocore's own client."""

import pathlib
import sys
import tempfile

from array_case import Failure, expect, skip_unless, wait_for

skip_unless(modules=["botocore"])

import botocore.session  # noqa: E402
from botocore.exceptions import ClientError  # noqa: E402

from batch_attempt import LOST, TIMED_OUT, Host  # noqa: E402
from batch_stand_in import BatchStandIn  # noqa: E402

RETRY = {"attempts": 3, "evaluateOnExit": [{"onStatusReason": "Host EC2*", "action": "RETRY"},
                                           {"onExitCode": "75", "action": "RETRY"},
                                           {"onReason": "*", "action": "EXIT"}]}
DEFINITION = {
    "jobDefinitionName": "shell", "type": "container", "parameters": {"script": "exit 9"}, "retryStrategy": RETRY,
    "containerProperties": {
        "image": "image", "command": ["-c", "Ref::script"],
        "resourceRequirements": [{"type": "VCPU", "value": "1"}, {"type": "MEMORY", "value": "100"}],
        "environment": [{"name": "HERE", "value": "/mnt/efs/here"}, {"name": "OTHER", "value": "/mnt/efs2"}],
        "volumes": [{"name": "efs", "efsVolumeConfiguration": {"fileSystemId": "fs-01234567"}}],
        "mountPoints": [{"sourceVolume": "efs", "containerPath": "/mnt/efs"}]}}


class Shell:
    """Jobs that are shell scripts, on a stand-in."""

    def __init__(self, url, folder):
        session = botocore.session.get_session()
        session.set_credentials("name", "secret")
        self.client = session.create_client("batch", region_name="us-east-1", endpoint_url=url)
        self.folder, self.ids = folder, {}

    def submit(self, name, script, **more):
        answer = self.client.submit_job(jobName=name, jobQueue="queue", jobDefinition="shell",
                                        parameters={"script": script}, **more)
        self.ids[name] = answer["jobId"]
        return answer["jobId"]

    def look(self, name, index=None):
        job_id = self.ids[name] + ("" if index is None else f":{index}")
        return self.client.describe_jobs(jobs=[job_id])["jobs"][0]

    def is_running(self, name):
        return self.look(name)["status"] == "RUNNING"

    def have_ended(self):
        jobs = self.client.describe_jobs(jobs=list(self.ids.values()))["jobs"]
        return all(job["status"] in ("SUCCEEDED", "FAILED") for job in jobs)

    def text(self, name):
        path = self.folder / name
        return path.read_text() if path.exists() else None


def submit_all(shell):
    first = shell.submit("first", "echo $AWS_BATCH_JOB_ARRAY_INDEX of $AWS_BATCH_JOB_ARRAY_SIZE, "
                         "attempt $AWS_BATCH_JOB_ATTEMPT >/mnt/efs/first-$AWS_BATCH_JOB_ARRAY_INDEX",
                         arrayProperties={"size": 3})
    second = shell.submit("second", "cp /mnt/efs/first-$AWS_BATCH_JOB_ARRAY_INDEX "
                          "/mnt/efs/second-$AWS_BATCH_JOB_ARRAY_INDEX", arrayProperties={"size": 3},
                          dependsOn=[{"jobId": first, "type": "N_TO_N"}])
    shell.submit("last", "cat /mnt/efs/second-? >/mnt/efs/last", dependsOn=[{"jobId": second}])
    shell.submit("row", "sleep 0.$((3 - AWS_BATCH_JOB_ARRAY_INDEX)); echo $AWS_BATCH_JOB_ARRAY_INDEX >>/mnt/efs/row",
                 arrayProperties={"size": 3}, dependsOn=[{"type": "SEQUENTIAL"}])
    shell.submit("again", "echo x >>/mnt/efs/again; test $(wc -l </mnt/efs/again) -ge 3 || exit 75")
    shell.submit("always", "exit 75")
    bad = shell.submit("bad", "test $AWS_BATCH_JOB_ARRAY_INDEX != 1", arrayProperties={"size": 2})
    shell.submit("behind", "echo ran >/mnt/efs/behind", dependsOn=[{"jobId": bad}])
    # Deaf to SIGTERM the first time.
    shell.submit("lost", "test $AWS_BATCH_JOB_ATTEMPT = 1 || exit 0; trap '' TERM; while :; do sleep 0.01; done")
    shell.submit("polite", "test $AWS_BATCH_JOB_ATTEMPT = 1 || exit 0; trap 'exit 143' TERM; "
                 "while :; do sleep 0.01; done")
    shell.submit("long", "exec sleep 100", timeout={"attemptDurationSeconds": 60})
    shell.submit("paths", "echo $HERE $OTHER >/mnt/efs/paths")


def check_refusals(shell):
    for words, arguments in (("2 to 10,000", {"arrayProperties": {"size": 1}}),
                             ("does not exist", {"dependsOn": [{"jobId": "none"}]}),
                             ("no Ref::x", {"parameters": {"x": "y"}}),
                             ("different sizes", {"arrayProperties": {"size": 4}, "dependsOn": [
                                 {"jobId": shell.ids["first"], "type": "N_TO_N"}]}),
                             ("shall does not exist", {"jobDefinition": "shall"})):
        request = {"jobName": "x", "jobQueue": "queue", "jobDefinition": "shell", **arguments}
        try:
            shell.client.submit_job(**request)
        except ClientError as error:
            expect(words in str(error), f"'{words}' expected: {error}")
        else:
            raise Failure(f"{request} was taken")


def check_ends(shell):
    found = {name: shell.look(name)["status"] for name in shell.ids}
    failed = {"always", "bad", "behind", "long", "ended"}
    wrong = {name: status for name, status in found.items() if (status == "FAILED") != (name in failed)}
    expect(not wrong, f"wrong: {wrong}")
    expect(shell.text("last") == "".join(f"{index} of 3, attempt 1\n" for index in range(3)), shell.text("last"))
    expect(shell.text("row") == "0\n1\n2\n", f"not one after the other: {shell.text('row')}")
    expect(shell.text("behind") is None, "a job ran though what it depends on failed")
    expect(shell.text("paths") == f"{shell.folder}/here /mnt/efs2\n", shell.text("paths"))
    for name, attempts in (("again", 3), ("always", 3), ("lost", 2), ("polite", 2), ("long", 1), ("ended", 1)):
        expect(len(shell.look(name)["attempts"]) == attempts, f"{name}: {shell.look(name)['attempts']}")
    expect(len(shell.look("bad", 1)["attempts"]) == 1, "exit status 1 was tried again")
    expect(shell.look("bad", 0)["status"] == "SUCCEEDED" and shell.look("bad", 1)["status"] == "FAILED", "children")
    expect(shell.look("bad", 1)["container"]["exitCode"] == 1, "exit status of a child")
    for name in ("lost", "polite"):
        expect(shell.look(name)["attempts"][0]["statusReason"] == LOST, f"{name}: {shell.look(name)['attempts']}")
    expect("exitCode" not in shell.look("lost")["attempts"][0]["container"], "a lost host told an exit code")
    expect(shell.look("polite")["attempts"][0]["container"]["exitCode"] == 143, "exit code of a polite child")
    expect(shell.look("long")["statusReason"] == TIMED_OUT, shell.look("long")["statusReason"])
    expect(shell.look("ended")["statusReason"] == "enough", shell.look("ended")["statusReason"])
    listed = shell.client.list_jobs(jobQueue="queue", jobStatus="FAILED")["jobSummaryList"]
    expect({job["jobName"] for job in listed} == failed, f"listed as failed: {listed}")
    children = shell.client.list_jobs(arrayJobId=shell.ids["first"], jobStatus="SUCCEEDED")["jobSummaryList"]
    expect(len(children) == 3, f"children: {children}")


def lose(job, attempt):
    return 0.2 if job.name in ("lost", "polite") and attempt == 1 else None


def main():
    with tempfile.TemporaryDirectory(prefix="bertprep-") as temporary:
        efs, logs = pathlib.Path(temporary, "efs"), pathlib.Path(temporary, "logs")
        efs.mkdir()
        with BatchStandIn(Host(logs, efs, ["/bin/sh"], notice=0.2, minute=1), slots=6, lose=lose) as batch:
            shell = Shell(batch.url, efs)
            shell.client.register_job_definition(**DEFINITION)
            shell.submit("ended", "exec sleep 100")
            wait_for(lambda: shell.is_running("ended"), 60, "running job")
            shell.client.terminate_job(jobId=shell.ids["ended"], reason="enough")
            submit_all(shell)
            check_refusals(shell)
            wait_for(shell.have_ended, 100, "end of all jobs")
            check_ends(shell)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"failed: {failure}")
