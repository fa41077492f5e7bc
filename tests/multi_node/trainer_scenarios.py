"""berttrain on three hosts, over shards of the sample."""

import pathlib
import shutil
import signal
import subprocess
import tempfile

import scenarios
from mnp_job import Job, expect, expect_status, expect_words

ROOT = pathlib.Path(__file__).resolve().parents[2]


def make_shards(bertprep, folder):
    """The folder with the shards of phase 1."""
    subprocess.run([bertprep, "run", "--input", ROOT / "samples" / "sample.wikitext", "--format", "wikitext",
                    "--name", "sample", "--vocab", "sample-uncased", "--sentences", "icu", "--train-shards", "4",
                    "--test-shards", "2", "--phase", "1", "--quiet", "-o", folder / "dataset",
                    "--work", folder / "work"], check=True)
    return next((folder / "dataset").glob("*/sample"))


def training(berttrain, data, steps):
    return [berttrain, "--data", data, "--model", "tiny", "--max-steps", str(steps), "--batch-size", "12",
            "--log-every", "1", "--output", "/mnt/run", "--threads", "1"]


def bench_adds_up(name, berttrain, _):
    with Job(name, [berttrain, "allreduce-bench", "-e", "64K", "-f", "64", "-n", "3", "-w", "1"]) as job:
        main = job.start_all()[0]
        for host in job.hosts:
            expect_status(host, 0, 120)
        expect_words(main, "# Out of bounds values : 0 OK", *(f"on      host{index}" for index in range(3)))


def stops_and_goes_on(name, berttrain, data):
    """After a request to stop on one host, all save; the same command resumes, on fewer hosts, from the next step."""
    with tempfile.TemporaryDirectory(prefix="bertprep-run-") as kept:
        saved = stop_on_three_hosts(name, training(berttrain, data, 400), kept)
        go_on_on_two_hosts(name, training(berttrain, data, saved + 2), kept, saved)


def stop_on_three_hosts(name, program, kept):
    """The step of the checkpoint, which is put into the folder `kept`."""
    with Job(name, program) as job:
        job.start_all()
        job.hosts[0].says("step 3 of", 120)
        job.hosts[2].signal(signal.SIGTERM)
        for host in job.hosts:
            expect_status(host, 143, 120)
        steps = [int(file.stem.split("_")[1]) for file in (job.shared / "run").glob("checkpoint_*.safetensors")]
        expect(len(steps) == 1 and steps[0] >= 3, f"checkpoints of the steps {steps}")
        shutil.copytree(job.shared / "run", kept, dirs_exist_ok=True)
    return steps[0]


def go_on_on_two_hosts(name, program, kept, saved):
    with Job(name, program, nodes=2) as job:
        shutil.copytree(kept, job.shared / "run")
        main = job.start_all()[0]
        for host in job.hosts:
            expect_status(host, 0, 120)
        expect_words(main, f"step {saved + 1} of", "2 processes")
        expect(f"step {saved} of" not in main.text(), "a step was done twice")


def lost_host_ends_training(name, berttrain, data):
    """Gradients are under way when the host vanishes. The limit is low because the other ranks wait busily."""
    with Job(name, training(berttrain, data, 1_000_000), MNP_LOST_SECONDS="4") as job:
        main, other, unplugged = job.start_all()
        main.says("step 3 of", 120)
        job.unplug(unplugged)
        status = main.wait(60)
        expect(status not in (0, 143), f"the main node ended with {status}")
        expect_status(other, status, 20)


def trainer_scenarios(berttrain, bertprep):
    """They take shards from a folder that goes with the process of the scenarios' last."""
    folder = tempfile.TemporaryDirectory(prefix="bertprep-shards-")
    data = make_shards(bertprep, pathlib.Path(folder.name))

    def bound(function):
        # The folder lives as long as a scenario holds it.
        return scenarios.named(function.__name__, lambda name, _=folder: function(name, berttrain, data))

    return [bound(function) for function in (lost_host_ends_training, stops_and_goes_on, bench_adds_up)]
