"""Two machines on NFS that do every task at once, one of which is lost in the middle: the same digests.

The clock of one is hours ahead. The clients are real Linux kernels, the server is a real one (nfs_lab).
"""

import threading
import time

from array_case import STAGES, Job, digests, expect, expect_same, main, wait_for, write_corpus
from nfs_lab import NfsLab, enter_namespaces

TASKS = 6
CLOCKS = (0, 3 * 3600)
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HDF5_USE_FILE_LOCKING": "FALSE"}


class Workers:
    """All tasks of a stage, on several clients at once."""

    def __init__(self, clients, job, stage):
        self.job, self.stage, self.failures = job, stage, []
        self.at = {client: None for client in clients}  # the task that each does, or did when it was lost
        self.lost = []
        self.threads = [threading.Thread(target=self.work, args=(client,)) for client in clients]
        for thread in self.threads:
            thread.start()

    def work(self, client):
        try:
            for self.at[client] in self.job.tasks_of(self.stage):
                status, output = client.run(self.job.stage(self.stage, self.at[client]), ENVIRONMENT)
                if status is None:
                    self.lost.append(client)
                    return
                expect(status == 0, f"client {client.index}, {self.stage}, task {self.at[client]} ended with {status}:"
                                    f"\n{output}")
        except BaseException as failure:
            self.failures.append(failure)

    def join(self):
        for thread in self.threads:
            thread.join()
        if self.failures:
            raise self.failures[0]


def test(program, folder):
    write_corpus(folder / "lab/export/corpus", 2)
    single = Job(program, folder / "lab/export/corpus", folder / "single", 6, 4, TASKS)
    single.run()
    reference = digests(single.root)
    begun = time.monotonic()
    with NfsLab(folder / "lab", CLOCKS) as lab:
        print(f"two clients are up after {time.monotonic() - begun:.1f} s")
        job = Job(program, "/mnt/corpus", "/mnt", 6, 4, TASKS)
        clients = list(lab.clients)
        for stage in STAGES:
            workers = Workers(clients, job, stage)
            if stage == "instances":
                victim = clients.pop()
                wait_for(lambda: workers.at[victim] == TASKS // 2, 60, "client in the middle of its tasks", pause=0.002)
                time.sleep(0.02)
                victim.lose()
                workers.join()
                expect(workers.lost == [victim], f"clients {workers.lost} were lost")
            workers.join()
        expect_same(lab.export / "root", reference)
        left = [path for path in lab.export.rglob("*") if path.name.startswith(".nfs") or "partial" in path.parts]
        expect(not [path for path in left if path.is_file()], f"left over: {left}")
    print(f"every task on both clients, one lost in task {TASKS // 2} of instances: "
          f"{time.monotonic() - begun:.1f} s in all")


if __name__ == "__main__":
    enter_namespaces()
    main(test)
