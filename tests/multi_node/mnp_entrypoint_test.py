"""The entry point of jobs over several hosts, on three hosts made of namespaces. Scenarios run side by side.

    tests/multi_node/mnp_entrypoint_test.py [--sum MPI_SUM] [--train BERTTRAIN BERTPREP] [SCENARIO...]

MPI_SUM adds up the ranks over MPI (mpi_sum.cpp). What needs a program that is not named is left out, and said.
"""

import argparse
import base64
import os
import signal
import subprocess
import tempfile
import time

import lab
import scenarios
from mnp_job import ENTRYPOINT, Job, expect, expect_status, expect_words
from trainer_scenarios import trainer_scenarios

RANK = 'echo "rank $OMPI_COMM_WORLD_RANK of $OMPI_COMM_WORLD_SIZE on $(hostname)'
FOR_EVER = ["bash", "-c", 'echo "rank $OMPI_COMM_WORLD_RANK works"; while :; do sleep 0.2; done']
SAVES = ["bash", "-c", """
trap 'sleep 2; echo "rank $OMPI_COMM_WORLD_RANK saved"; exit 143' TERM
echo "rank $OMPI_COMM_WORLD_RANK works"
while :; do sleep 0.2; done"""]


def ends_with(job, status):
    for host in job.hosts:
        expect_status(host, status, 60)
    keys = job.shared / "keys"
    expect(not keys.exists() or not any(keys.iterdir()), "a key was left in the shared folder")


def all_work(job):
    for rank in range(job.nodes):
        job.hosts[0].says(f"rank {rank} works")


def ranks_go_by_node(name):
    """Children may be there before the main node; slots and environment are each host's own; words stay whole."""
    program = ["bash", "-c", RANK + ': $1, $OWN, $PWD"', "_", "two words, *, $HOME"]
    with Job(name, program) as job:
        late = job.start_node(2, OWN="c's \"own\"\nlines", SHELLOPTS="braceexpand")
        time.sleep(1)
        main = job.start_node(0, OWN="a")
        job.start_node(1, OWN="b", MNP_SLOTS="2")
        ends_with(job, 0)
        for rank, host, own in ((0, 0, "a"), (1, 1, "b"), (2, 1, "b"), (3, 2, "c's \"own\"\nlines")):
            expect_words(main, f"rank {rank} of 4 on host{host}: two words, *, $HOME, {own}, /mnt\n")
        expect_words(main, "hosts: 10.77.0.10 slots=1;10.77.0.11 slots=2;10.77.0.12 slots=1\n")
        expect_words(late, "the main node ended with 0")


def mpi_adds_up(name, program):
    with Job(name, [program]) as job:
        main = job.start_all()[0]
        ends_with(job, 0)
        expect_words(main, "sum 3 of 3 ranks on 3 hosts")


def status_of_a_rank_is_kept(name):
    with Job(name, ["bash", "-c", '[ "$OMPI_COMM_WORLD_RANK" != 2 ] || exit 37; sleep 60']) as job:
        job.start_all()
        ends_with(job, 37)


def main_node_need_not_be_the_first(name):
    """mpirun gives its own host the first rank."""
    with Job(name, ["bash", "-c", RANK + '"'], main=1) as job:
        job.start_all()
        ends_with(job, 0)
        for rank, host in ((0, 1), (1, 0), (2, 2)):
            expect_words(job.hosts[1], f"rank {rank} of 3 on host{host}\n")


def one_node_needs_no_key(name):
    with Job(name, ["bash", "-c", RANK + '"; exit 5'], nodes=1, MNP_SSH_DIR=None, MNP_SLOTS="2") as job:
        main = job.start_node(0)
        expect_status(main, 5, 60)
        expect_words(main, "rank 0 of 2 on host0")


def plain_hosts(name):
    """The variables of the entry point, without those of AWS Batch; the address of the main node is a name."""
    with Job(name, ["bash", "-c", RANK + '"']) as job:
        for index in range(3):
            job.start_node(index, batch=False, MNP_NODE_INDEX=str(index), MNP_NODES="3", MNP_SSH_PORT="2200",
                           MNP_MAIN_ADDRESS="10.77.10", MNP_INTERFACE="10.77.0.0/16")
        ends_with(job, 0)
        expect_words(job.hosts[0], "rank 2 of 3 on host2\n")


def key_from_the_environment(name):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "key")
        subprocess.run(["ssh-keygen", "-q", "-t", "ecdsa", "-N", "", "-f", file], check=True)
        with open(file, encoding="ascii") as opened:
            key = opened.read()
    coded = base64.b64encode(key.encode()).decode()
    with Job(name, ["bash", "-c", 'echo "key: ${MNP_SSH_KEY-none}"'], nodes=2, MNP_SSH_DIR=None) as job:
        main = job.start_node(0, MNP_SSH_KEY=key)
        job.start_node(1, MNP_SSH_KEY=coded)
        ends_with(job, 0)
        expect(main.text().count("key: none\n") == 2, "the programs can read the key")


def key_of_an_earlier_job_is_passed_over(name):
    with Job(name, ["true"], nodes=2) as job:
        keys = job.shared / "keys"
        keys.mkdir()
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", keys / "test-job.key"], check=True)
        (keys / "test-job.key.pub").unlink()
        child = job.start_node(1)
        time.sleep(1)
        job.start_node(0)
        ends_with(job, 0)


def child_that_never_joins(name):
    """Node 1 has another key, node 2 never starts."""
    with Job(name, ["true"], MNP_JOIN_SECONDS="4") as job:
        (job.shared / "other").mkdir()
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", job.shared / "other/test-job.key"],
                       check=True)
        main = job.start_node(0)
        stranger = job.start_node(1, MNP_SSH_DIR="/mnt/other", MNP_JOIN_SECONDS="2")
        expect_status(main, 75, 60)
        expect_words(main, "of 3 nodes, these have not reported within 4 s: 1 2.", "10.77.0.11")
        expect_status(stranger, 75, 60)
        expect_words(stranger, "the main node 10.77.0.10 was not reached within 2 s: Host key verification failed.")


def main_node_that_never_comes(name):
    with Job(name, ["true"], nodes=2, MNP_JOIN_SECONDS="2") as job:
        child = job.start_node(1)
        expect_status(child, 75, 60)
        expect_words(child, "was not reached within 2 s: no folder /mnt/keys")


def unfit_hosts_are_refused(name):
    with Job(name, ["program", "x"]) as job:
        for folder, text in (("a", "#!/bin/sh\n"), ("b", "#!/bin/sh\n# newer\n")):
            (job.shared / folder).mkdir()
            (job.shared / folder / "program").write_text(text)
            (job.shared / folder / "program").chmod(0o755)
        path = job.environment["PATH"]
        main = job.start_node(0, PATH=f"/mnt/a:{path}")
        job.start_node(1, PATH=f"/mnt/b:{path}")
        job.start_node(2)
        ends_with(job, 75)
        expect_words(main, "node 1 (10.77.0.11) is unfit: it says 'program ",
                     "node 2 (10.77.0.12) is unfit: it says 'no program 'program''")
        expect("mpirun ended" not in main.text(), "mpirun was started on unfit hosts")


def killed_host_ends_the_job(name):
    with Job(name, FOR_EVER) as job:
        main, other, killed = job.start_all()
        all_work(job)
        job.kill(killed)
        status = main.wait(60)
        expect(status not in (0, 143), f"the main node ended with {status}")
        expect_status(other, status, 20)


def unplugged_host_ends_the_job(name):
    """No word from the host, as when a machine is switched off: all notice, with the settings that users have."""
    with Job(name, FOR_EVER) as job:
        main, other, unplugged = job.start_all()
        all_work(job)
        job.unplug(unplugged)
        status = main.wait(60)
        expect(status not in (0, 143), f"the main node ended with {status}")
        expect_status(other, status, 20)
        expect_status(unplugged, 75, 60)
        expect_words(unplugged, "the main node 10.77.0.10 is gone")


def lost_host_that_mpirun_waits_for(name):
    with Job(name, FOR_EVER, MNP_LOST_SECONDS="4", OMPI_MCA_oob_tcp_keepalive_time="300") as job:
        main, _, unplugged = job.start_all()
        all_work(job)
        job.unplug(unplugged)
        expect_status(main, 75, 60)
        expect_words(main, "lost node 2: ends the job")


def main_node_killed(name):
    with Job(name, FOR_EVER, MNP_LOST_SECONDS="4") as job:
        main, *children = job.start_all()
        all_work(job)
        job.kill(main)
        for child in children:
            expect_status(child, 75, 60)
            expect_words(child, "the main node 10.77.0.10 is gone")


def stops(name, node):
    """SIGTERM on any node comes to all ranks, once, and they have their time to save."""
    with Job(name, SAVES) as job:
        main = job.start_all()[0]
        all_work(job)
        job.hosts[node].signal(signal.SIGTERM)
        ends_with(job, 143)
        for rank in range(job.nodes):
            expect(main.text().count(f"rank {rank} saved\n") == 1, f"rank {rank} did not save once")


def stop_of_the_main_node(name):
    stops(name, 0)


def stop_of_a_child(name):
    stops(name, 2)


def ranks_that_do_not_stop_are_killed(name):
    deaf = ["bash", "-c", "trap '' TERM; " + FOR_EVER[2]]
    with Job(name, deaf, MNP_STOP_SECONDS="2") as job:
        main = job.start_all()[0]
        all_work(job)
        main.signal(signal.SIGTERM)
        ends_with(job, 143)


def stop_before_all_have_joined(name):
    for node in (0, 1):
        with Job(name, ["true"]) as job:
            job.start_node(0)
            job.start_node(1).says("joined the main node")
            job.hosts[node].signal(signal.SIGTERM)
            ends_with(job, 143)


def wrong_usage(_):
    """Without a lab: nothing is started."""
    right = {"PATH": os.environ["PATH"], "MNP_NODE_INDEX": "0", "MNP_NODES": "2", "MNP_SSH_DIR": "/nowhere"}
    for change, words in (({"MNP_NODE_INDEX": ""}, "NODE_INDEX is '', not a number"),
                          ({"MNP_NODE_INDEX": "2"}, "NODE_INDEX 2 is not below NODES 2"),
                          ({"MNP_NODES": "two"}, "NODES is 'two', not a number of at least 1: set MNP_NODES"),
                          ({"MNP_MAIN_INDEX": "7"}, "MAIN_INDEX 7 is not below"),
                          ({"MNP_NODE_INDEX": "1"}, "set MNP_MAIN_ADDRESS"),
                          ({"MNP_SSH_DIR": ""}, "set MNP_SSH_DIR to a folder that all nodes share, or MNP_SSH_KEY"),
                          ({"MNP_SLOTS": "0"}, "SLOTS is '0'"),
                          ({"MNP_INTERFACE": "none7"}, "no IPv4 address on 'none7'"),
                          ({"MNP_SSH_DIR": "", "MNP_SSH_KEY": "x", "MNP_INTERFACE": "127.0.0.0/8"},
                           "MNP_SSH_KEY is not a private key"),
                          ({"MNP_NODE_INDEX": "1", "MNP_MAIN_ADDRESS": "127.0.0.1", "MNP_SSH_KEY": "bm8=",
                            "MNP_INTERFACE": "lo"}, "MNP_SSH_KEY is not a private key")):
        run = subprocess.run(["bash", ENTRYPOINT, "true"], env={**right, **change}, capture_output=True, text=True)
        expect(run.returncode == 2 and words in run.stderr, f"{change}: {run.returncode}, {run.stderr}")
    run = subprocess.run(["bash", ENTRYPOINT], env=right, capture_output=True, text=True)
    expect(run.returncode == 2 and "usage:" in run.stderr, f"no program: {run.returncode}, {run.stderr}")


def nothing_told_is_one_node(_):
    """As `docker run` starts the image by hand."""
    run = subprocess.run(["bash", ENTRYPOINT, "echo", "here"], env={"PATH": os.environ["PATH"], "MNP_SLOTS": "1"},
                         capture_output=True, text=True)
    expect(run.returncode == 0 and run.stdout == "here\n", f"{run.returncode}, {run.stdout}, {run.stderr}")


SCENARIOS = [unplugged_host_ends_the_job, killed_host_ends_the_job, main_node_killed, lost_host_that_mpirun_waits_for,
             ranks_go_by_node, status_of_a_rank_is_kept, main_node_need_not_be_the_first, one_node_needs_no_key,
             plain_hosts, key_from_the_environment, key_of_an_earlier_job_is_passed_over, child_that_never_joins,
             main_node_that_never_comes, unfit_hosts_are_refused, stop_of_the_main_node, stop_of_a_child,
             ranks_that_do_not_stop_are_killed, stop_before_all_have_joined, wrong_usage,
             nothing_told_is_one_node]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sum")
    parser.add_argument("--train", nargs=2)
    parser.add_argument("scenarios", nargs="*")
    arguments = parser.parse_args()
    lab.enter()
    chosen = list(SCENARIOS)
    if arguments.train:
        chosen = trainer_scenarios(*arguments.train) + chosen
    else:
        print("left out: berttrain, as it is not built with MPI")
    if arguments.sum:
        chosen.append(scenarios.named("mpi_adds_up", lambda name: mpi_adds_up(name, arguments.sum)))
    else:
        print("left out: sums over MPI, as its headers are missing")
    named = arguments.scenarios
    scenarios.run([scenario for scenario in chosen if not named or scenario.__name__ in named])


if __name__ == "__main__":
    main()
