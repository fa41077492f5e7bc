"""A stand-in for AWS Batch on loopback, for tests: not AWS, but its behaviour according to AWS's documentation.

It takes the requests of the real aws CLI (--endpoint-url) when batch_model finds nothing wrong with them, and runs each
job as a process of this machine (batch_attempt):

  array jobs     a child has AWS_BATCH_JOB_ARRAY_INDEX and the like in its environment; the array has failed when all
                 its children have ended and one of them failed
  dependsOn      starts when all named jobs have succeeded; N_TO_N child by child, SEQUENTIAL child after child; fails
                 when one of them fails
  retryStrategy  attempts, and the first rule of evaluateOnExit that fits; where none fits, another attempt; none after
                 a time-out or a termination
  timeout        for each attempt: SIGTERM, and SIGKILL after the notice
  Spot           lose(job, attempt) says after how many seconds the attempt's host is reclaimed: SIGTERM, and SIGKILL
                 after the notice
  volumes        an EFS volume is a folder of this machine, by its path in commands and variables
"""

import dataclasses
import http.server
import json
import threading
import uuid

from batch_attempt import EXITED, LOST, milliseconds
from batch_model import MODEL, validate, validate_job

ACCOUNT = "arn:aws:batch:us-east-1:111122223333:"
ENDED = ("SUCCEEDED", "FAILED")


class Refused(Exception):
    """A request that AWS Batch would answer with a ClientException."""


@dataclasses.dataclass(eq=False)
class Job:
    """A job, an array of jobs, or a child of one."""

    job_id: str
    request: dict
    definition: dict
    parent: object = None
    index: int = None
    children: list = dataclasses.field(default_factory=list)
    status: str = "SUBMITTED"
    reason: str = ""
    attempts: list = dataclasses.field(default_factory=list)
    created: int = dataclasses.field(default_factory=milliseconds)
    started: int = 0
    stopped: int = 0
    terminated: str = ""

    @property
    def name(self):
        return self.request["jobName"]

    def setting(self, key):
        """What the job says itself, else its definition."""
        return self.request.get(key) or self.definition.get(key) or {}

    def has_started(self, time):
        self.status, self.started = "RUNNING", self.started or time

    def end(self, status, reason):
        self.status, self.reason, self.stopped = status, reason, milliseconds()
        siblings = self.parent.children if self.parent else []
        if siblings and all(child.status in ENDED for child in siblings):
            if all(child.status == "SUCCEEDED" for child in siblings):
                self.parent.end("SUCCEEDED", "")
            else:
                self.parent.end("FAILED", "Array Child Job failed")

    def needed(self):
        """The ids of the jobs that must succeed before this one, or this child, starts."""
        for dependency in self.request.get("dependsOn", []):
            kind = dependency.get("type")
            if kind == "N_TO_N":
                yield f"{dependency['jobId']}:{self.index}"
            elif kind is None:
                yield dependency["jobId"]
            elif self.index > 0:
                yield f"{self.parent.job_id}:{self.index - 1}"

    def tries_again(self, ending):
        """Whether there is another attempt after one that ended so."""
        strategy = self.setting("retryStrategy")
        if len(self.attempts) >= strategy.get("attempts", 1) or ending["reason"] not in (EXITED, LOST):
            return False
        actions = [rule["action"].upper() for rule in strategy.get("evaluateOnExit", []) if fits(rule, ending)]
        return (actions or ["RETRY"])[0] == "RETRY"

    def view(self):
        """As DescribeJobs shows it."""
        shown = {"jobId": self.job_id, "jobName": self.name, "jobQueue": self.request["jobQueue"],
                 "jobDefinition": self.request["jobDefinition"], "dependsOn": self.request.get("dependsOn", []),
                 "status": self.status, "statusReason": self.reason, "createdAt": self.created,
                 "startedAt": self.started, "stoppedAt": self.stopped,
                 "attempts": [{"startedAt": attempt["started"], "stoppedAt": attempt["stopped"],
                               "statusReason": attempt["reason"], "container": container(attempt)}
                              for attempt in self.attempts]}
        if self.attempts:
            shown["container"] = container(self.attempts[-1])
        if self.children:
            states = [child.status for child in self.children]
            shown["arrayProperties"] = {"size": len(states),
                                        "statusSummary": {state: states.count(state) for state in states}}
        if self.index is not None:
            shown["arrayProperties"] = {"index": self.index}
        return shown


def container(attempt):
    return {"logStreamName": attempt["log"], **({} if attempt["exit"] is None else {"exitCode": attempt["exit"]})}


def fits(rule, ending):
    """Whether a rule of evaluateOnExit fits: all its patterns do, a '*' at their end standing for anything."""
    for key, found in (("onExitCode", ending["exit"]), ("onReason", None), ("onStatusReason", ending["reason"])):
        pattern, text = rule.get(key), "" if found is None else str(found)
        if pattern is not None and not (text.startswith(pattern[:-1]) if pattern[-1:] == "*" else text == pattern):
            return False
    return True


class BatchStandIn:
    """with BatchStandIn(host, slots, lose) as batch: the aws CLI reaches it at batch.url.

    slots: attempts that run at a time; lose(job, attempt): seconds after which its host is lost, or None
    """

    def __init__(self, host, slots=4, lose=lambda job, attempt: None):
        self.host, self.free, self.lose = host, slots, lose
        self.definitions, self.jobs, self.requests = {}, {}, []
        self.lock, self.closing, self.threads = threading.RLock(), threading.Event(), []
        handlers = {"RegisterJobDefinition": self.register, "SubmitJob": self.submit, "DescribeJobs": self.describe,
                    "ListJobs": self.list_jobs, "TerminateJob": self.terminate}
        self.operations = {MODEL.operation_model(name).http["requestUri"]: (name, handler)
                           for name, handler in handlers.items()}

    def __enter__(self):
        self.host.folder.mkdir(parents=True, exist_ok=True)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler_for(self))
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.in_thread(self.server.serve_forever)
        self.in_thread(self.schedule)
        return self

    def __exit__(self, *_):
        self.closing.set()
        self.server.shutdown()
        for thread in self.threads:
            thread.join()
        self.server.server_close()

    def in_thread(self, call, *arguments):
        thread = threading.Thread(target=call, args=arguments, daemon=True)
        self.threads.append(thread)
        thread.start()

    def answer(self, path, request):
        """Status and answer of a request."""
        if path not in self.operations:
            return 501, {"message": f"the stand-in has no {path}"}
        operation, handler = self.operations[path]
        with self.lock:
            self.requests.append((operation, request))
            try:
                faults = validate(operation, request)
                if faults:
                    raise Refused("; ".join(faults))
                return 200, handler(request)
            except Refused as refused:
                return 400, {"message": str(refused)}

    def register(self, request):
        name = request["jobDefinitionName"]
        revisions = self.definitions.setdefault(name, [])
        revisions.append(request)
        return {"jobDefinitionName": name, "revision": len(revisions),
                "jobDefinitionArn": f"{ACCOUNT}job-definition/{name}:{len(revisions)}"}

    def definition(self, named):
        name, _, revision = named.rpartition("/")[2].partition(":")
        revisions = self.definitions.get(name, [])
        if not revisions or not 1 <= int(revision or 1) <= len(revisions):
            raise Refused(f"JobDefinition {named} does not exist")
        return revisions[int(revision) - 1 if revision else -1]

    def job(self, job_id):
        if job_id not in self.jobs:
            raise Refused(f"job {job_id} does not exist")
        return self.jobs[job_id]

    def submit(self, request):
        definition = self.definition(request["jobDefinition"])
        faults = validate_job(request, definition)
        if faults:
            raise Refused("; ".join(faults))
        size = request.get("arrayProperties", {}).get("size", 0)
        for needed in request.get("dependsOn", []):
            other = self.job(needed["jobId"]) if "jobId" in needed else None
            if needed.get("type") == "N_TO_N" and len(other.children) != size:
                raise Refused("N_TO_N between arrays of different sizes")
        job = Job(str(uuid.uuid4()), request, definition)
        job.children = [Job(f"{job.job_id}:{index}", request, definition, job, index) for index in range(size)]
        self.jobs.update((each.job_id, each) for each in (job, *job.children))
        return {"jobId": job.job_id, "jobName": job.name, "jobArn": f"{ACCOUNT}job/{job.job_id}"}

    def describe(self, request):
        return {"jobs": [self.jobs[job_id].view() for job_id in request["jobs"] if job_id in self.jobs]}

    def list_jobs(self, request):
        if "arrayJobId" in request:
            jobs = self.job(request["arrayJobId"]).children
        else:
            queue = request.get("jobQueue")
            jobs = [job for job in self.jobs.values() if not job.parent and job.request["jobQueue"] == queue]
        wanted = request.get("jobStatus", "RUNNING")
        return {"jobSummaryList": [{key: job.view()[key] for key in ("jobId", "jobName", "status", "createdAt")}
                                   for job in jobs if job.status == wanted]}

    def terminate(self, request):
        job = self.job(request["jobId"])
        for each in job.children or [job]:
            each.terminated = request["reason"]
            if each.status in ("SUBMITTED", "PENDING", "RUNNABLE"):
                each.end("FAILED", each.terminated)
        return {}

    def schedule(self):
        while not self.closing.wait(0.02):
            with self.lock:
                for job in self.jobs.values():
                    if job.status in ("SUBMITTED", "PENDING"):
                        self.check_dependencies(job)
                    if job.status == "RUNNABLE" and self.free > 0:
                        self.free -= 1
                        job.status = "STARTING"
                        self.in_thread(self.run, job)

    def check_dependencies(self, job):
        if job.children:
            job.status = "PENDING"
            return
        states = [self.jobs[job_id].status for job_id in job.needed()]
        if "FAILED" in states:
            job.end("FAILED", "Dependent Job failed")
        else:
            job.status = "RUNNABLE" if all(state == "SUCCEEDED" for state in states) else "PENDING"

    def run(self, job):
        number = len(job.attempts) + 1
        ending = self.host.run(job, number, self.lose(job, number),
                               lambda: job.terminated or ("closing" if self.closing.is_set() else ""))
        with self.lock:
            self.free += 1
            job.attempts.append(ending)
            if ending["exit"] == 0 and ending["reason"] == EXITED:
                job.end("SUCCEEDED", EXITED)
            elif job.tries_again(ending):
                job.status = "RUNNABLE"
            else:
                job.end("FAILED", ending["reason"])


def handler_for(stand_in):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            status, answer = stand_in.answer(self.path, json.loads(body or b"{}"))
            data = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            if status != 200:
                self.send_header("x-amzn-ErrorType", "ClientException")
            self.end_headers()
            self.wfile.write(data)

    return Handler
