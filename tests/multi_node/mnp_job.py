"""A job as AWS Batch starts it on the hosts of a lab: the entry point with Batch's variables on each node."""

import pathlib

import lab

ENTRYPOINT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "batch" / "mnp_entrypoint.sh"


class Job(lab.Lab):
    """Three nodes, a rank each, unless told otherwise, with the key in the shared folder."""

    def __init__(self, name, program, nodes=3, main=0, **settings):
        super().__init__(name)
        self.program = [str(word) for word in program]
        self.nodes = nodes
        self.main = main
        self.settings = {"MNP_SSH_DIR": "/mnt/keys", "MNP_SLOTS": "1", "OMPI_MCA_mpi_yield_when_idle": "1", **settings}

    def batch_variables(self, index):
        variables = {"AWS_BATCH_JOB_ID": f"test-job#{index}", "AWS_BATCH_JOB_ATTEMPT": "1",
                     "AWS_BATCH_JOB_MAIN_NODE_INDEX": str(self.main), "AWS_BATCH_JOB_NODE_INDEX": str(index),
                     "AWS_BATCH_JOB_NUM_NODES": str(self.nodes)}
        if index != self.main:
            variables["AWS_BATCH_JOB_MAIN_NODE_PRIVATE_IPV4_ADDRESS"] = self.address(self.main)
        return variables

    def start_node(self, index, batch=True, **settings):
        """Settings of None are not set."""
        environment = {**(self.batch_variables(index) if batch else {}), **self.settings, **settings}
        return self.start(index, ["bash", str(ENTRYPOINT), *self.program],
                          {name: value for name, value in environment.items() if value is not None})

    def start_all(self):
        return [self.start_node(index) for index in range(self.nodes)]


def expect(fact, what):
    if not fact:
        raise AssertionError(what)


def expect_status(host, status, seconds):
    found = host.wait(seconds)
    expect(found == status, f"host {host.index} ended with {found}, expected {status}")


def expect_words(host, *words):
    for word in words:
        expect(word in host.text(), f"host {host.index} does not say '{word}'")
