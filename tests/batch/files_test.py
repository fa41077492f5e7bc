#!/usr/bin/env python3
"""The files in scripts/batch: shells read them, AWS Batch and Kubernetes would take them."""

import importlib
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import kubernetes_model

PROJECT = pathlib.Path(__file__).resolve().parents[2]
BATCH = PROJECT / "scripts/batch"
STUB = """#!/bin/bash
echo "$*" >>calls
count=$(wc -l <calls)
read -r kind status < <(sed -n "${count}p" endings)
[ "$kind" = exit ] && exit "$status"
[ "$kind" = kill ] && kill -9 $$
trap 'exit 143' TERM
kill -TERM $PPID
/bin/sleep 20 >/dev/null 2>&1 & wait
"""


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


class Shells(unittest.TestCase):
    def test_read_every_script(self):
        scripts = [path for path in BATCH.rglob("*") if path.suffix in (".sh", ".sbatch")]
        self.assertGreater(len(scripts), 8)
        for script in scripts:
            self.assertEqual(run(["bash", "-n", script]).stderr, "", script)


class Attempts(unittest.TestCase):
    """The end of a Slurm job file, with programs that end in different ways, and Slurm played by scripts."""

    def attempt(self, endings, state="RUNNING"):
        """Status, the number of calls, and whether the task went back into the queue."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            tools = {"program": STUB, "sleep": "#!/bin/sh\n",
                     "squeue": f"#!/bin/sh\necho {state}\n", "scontrol": "#!/bin/sh\necho \"$*\" >requeued\n"}
            for tool, text in tools.items():
                (folder / tool).write_text(text)
                (folder / tool).chmod(0o755)
            (folder / "endings").write_text("\n".join(endings) + "\n")
            script = "command=(./program run)\n" + (BATCH / "slurm/attempts.sh").read_text()
            (folder / "job").write_text(script)
            ended = run(["bash", "job"], cwd=folder, env={"PATH": f"{folder}:/usr/bin:/bin", "SLURM_JOB_ID": "9",
                                                          "SLURM_ARRAY_JOB_ID": "7", "SLURM_ARRAY_TASK_ID": "2"})
            requeued = folder / "requeued"
            return (ended.returncode, len((folder / "calls").read_text().splitlines()),
                    requeued.read_text().strip() if requeued.exists() else None)

    def test_end_with_success_and_with_failures_of_the_data(self):
        self.assertEqual(self.attempt(["exit 0"]), (0, 1, None))
        self.assertEqual(self.attempt(["exit 1"]), (1, 1, None))
        self.assertEqual(self.attempt(["exit 3"]), (3, 1, None))

    def test_go_on_where_that_can_help(self):
        self.assertEqual(self.attempt(["exit 75", "kill 9", "exit 0"]), (0, 3, None))
        self.assertEqual(self.attempt(["exit 75", "exit 2"]), (2, 2, None))

    def test_give_up(self):
        self.assertEqual(self.attempt(["exit 75"] * 20), (75, 8, None))

    def test_put_a_task_that_was_told_to_stop_back_into_the_queue(self):
        self.assertEqual(self.attempt(["stop 0", "exit 0"]), (143, 1, "requeue 7_2"))

    def test_leave_a_cancelled_task_alone(self):
        self.assertEqual(self.attempt(["stop 0", "exit 0"], state="COMPLETING"), (143, 1, None))


class Requests(unittest.TestCase):
    @unittest.skipUnless(importlib.util.find_spec("botocore") and (PROJECT / "tests/cluster/batch_model.py").is_file(),
                         "skipped: no botocore (scripts/install-deps.sh --tests)")
    def test_are_what_aws_batch_takes(self):
        sys.path.insert(0, str(PROJECT / "tests/cluster"))
        model = importlib.import_module("batch_model")
        requests = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in (BATCH / "aws").glob("*.json")}
        stages = {"fetch", "format", "place", "shard", "instances", "finish"}
        definition = requests.pop("definition")
        self.assertEqual(model.validate("RegisterJobDefinition", definition), [])
        for stage in stages:
            self.assertEqual(model.validate_job(requests[stage], definition), [], stage)


class Manifests(unittest.TestCase):
    STAGES = {"fetch": 1, "format": 64, "place": 1, "shard": 64, "instances": 64, "finish": 1}

    def manifests(self):
        files = (BATCH / "kubernetes").glob("*.json")
        return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in files}

    def test_are_what_kubernetes_takes(self):
        manifests = self.manifests()
        self.assertEqual(set(manifests), set(self.STAGES))
        for stage, tasks in self.STAGES.items():
            self.assertEqual(kubernetes_model.validate(manifests[stage]), [], stage)
            spec = manifests[stage]["spec"]
            self.assertEqual((spec["completions"], spec["completionMode"]),
                             (tasks, "Indexed" if tasks > 1 else "NonIndexed"))

    def test_the_model_refuses_what_kubernetes_refuses(self):
        changes = {"unknown key backOffLimit": lambda job: job["spec"].update(backOffLimit=3),
                   "FailIndex needs": lambda job: job["spec"].pop("backoffLimitPerIndex"),
                   "no template": lambda job: job["spec"].pop("template"),
                   "completions: '64'": lambda job: job["spec"].update(completions="64"),
                   "the names of the pods": lambda job: job["metadata"].update(generateName="x" * 60),
                   "a mount without": lambda job: job["spec"]["template"]["spec"].update(volumes=[]),
                   "restartPolicy": lambda job: job["spec"]["template"]["spec"].update(restartPolicy="Always")}
        for fault, change in changes.items():
            job = self.manifests()["format"]
            change(job)
            self.assertIn(fault, "\n".join(kubernetes_model.validate(job)))


class Container(unittest.TestCase):
    def test_runs_commands_of_the_program_and_others(self):
        with tempfile.TemporaryDirectory() as name:
            program = pathlib.Path(name) / "bertprep"
            program.write_text("#!/bin/sh\necho bertprep \"$@\" $HDF5_USE_FILE_LOCKING\n")
            program.chmod(0o755)
            environment = {"PATH": f"{name}:/usr/bin:/bin"}
            for arguments, said in ((["run", "a b"], "bertprep run a b FALSE\n"), ([], "bertprep FALSE\n"),
                                    (["bertprep", "x"], "bertprep x FALSE\n"), (["echo", "y"], "y\n"),
                                    (["--version"], "bertprep --version FALSE\n")):
                ended = run([BATCH / "entrypoint.sh", *arguments], env=environment)
                self.assertEqual((ended.stdout, ended.stderr), (said, ""))


if __name__ == "__main__":
    unittest.main()
