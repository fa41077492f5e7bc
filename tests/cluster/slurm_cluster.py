"""A real Slurm on this machine for the length of a test: munged, slurmctld and some slurmd on loopback.

Everything lies in one folder, and nothing outlives the process that made it: the daemons are its children and die with
it. Needs Debian's slurm-wlm and munge, and root or any one user. No cgroups and no accounting.
"""

import ctypes
import getpass
import os
import pathlib
import signal
import socket
import subprocess
import time

from array_case import Failure, environment, expect, finished, wait_for

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel")
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LIBC = ctypes.CDLL(None, use_errno=True)

CONFIGURATION = """\
ClusterName=loopback
SlurmctldHost=localhost(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={port}
AuthType=auth/munge
CredType=cred/munge
# A requeued task waits until its old credential has expired: 120 seconds by default, 5 at least.
AuthInfo=socket={folder}/munge.socket,cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/ended.txt
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,sched_min_interval=0,bf_interval=1,batch_sched_delay=0
MaxArraySize=1001
KillWait=12
SlurmctldTimeout=30
SlurmdTimeout=30
MessageTimeout=10
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
NODE = "NodeName={name} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} CPUs={cpus} RealMemory=65536\n"


def die_with_parent():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def free_ports(count):
    """Free ports; all are held until the last is found, so that they differ."""
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [holder.getsockname()[1] for holder in held]
    for holder in held:
        holder.close()
    return ports


def children():
    """The processes whose parent is this one."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == os.getpid():
                found.append(int(folder.name))
        except OSError:
            pass  # It has ended meanwhile.
    return found


def end_children():
    """Kills and reaps all children of this process, and those that they leave to it."""
    while left := children():
        for process in left:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


class SlurmCluster:
    """with SlurmCluster(folder, nodes, cpus) as slurm: jobs go to `nodes` nodes of `cpus` processors each."""

    def __init__(self, folder, nodes, cpus):
        self.folder, self.nodes = pathlib.Path(folder), [f"n{index}" for index in range(nodes)]
        self.cpus, self.daemons = cpus, []

    def environment(self):
        return environment(SLURM_CONF=str(self.folder / "slurm.conf"))

    def __enter__(self):
        # Processes of a step that slurmd leaves become children of this process, which ends them.
        LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1)
        try:
            self.configure()
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def configure(self):
        for name in ("state", "spool", "log"):
            (self.folder / name).mkdir(parents=True)
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        port, *node_ports = free_ports(1 + len(self.nodes))
        text = CONFIGURATION.format(user=getpass.getuser(), folder=self.folder, port=port)
        for name, node_port in zip(self.nodes, node_ports):
            (self.folder / "spool" / name).mkdir()
            text += NODE.format(name=name, port=node_port, cpus=self.cpus)
        (self.folder / "slurm.conf").write_text(text)
        # slurmd loads a plugin for cgroups even where nothing uses one, and the automatic choice fails in containers.
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")

    def start(self):
        at = self.folder
        self.daemon("munged", "--foreground", "--force", f"--key-file={at}/munge.key", f"--socket={at}/munge.socket",
                    f"--pid-file={at}/munged.pid", f"--log-file={at}/log/munged", f"--seed-file={at}/munge.seed")
        wait_for((at / "munge.socket").exists, 30, "socket of munged")
        self.daemon("slurmctld", "-D", "-c")
        for name in self.nodes:
            self.daemon("slurmd", "-D", "-c", "-N", name)
        wait_for(self.is_ready, 60, "idle Slurm cluster")

    def daemon(self, *command):
        log = (self.folder / "log" / f"{command[0]}-{len(self.daemons)}.txt").open("wb")
        self.daemons.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                             env=self.environment(), preexec_fn=die_with_parent))

    def is_ready(self):
        for daemon in self.daemons:
            expect(daemon.poll() is None, f"{daemon.args[0]} ended:\n{self.logs()}")
        idle = subprocess.run(["sinfo", "--noheader", "--Node", "--states=idle", "--format=%N"], text=True,
                              env=self.environment(), capture_output=True)
        return len(idle.stdout.split()) == len(self.nodes)

    def logs(self):
        """The ends of the daemons' logs."""
        texts = []
        for log in sorted((self.folder / "log").iterdir()):
            lines = log.read_text(errors="replace").splitlines()
            texts.append(f"--- {log.name}\n" + "\n".join(lines[-15:]))
        return "\n".join(texts)

    def call(self, *command):
        return finished(command, env=self.environment(), timeout=30)

    def queue(self, columns):
        """The tasks that have not ended, a list of columns each, arrays taken apart."""
        return [line.split("|") for line in
                self.call("squeue", "--noheader", "--array", f"--format={'|'.join(columns)}").splitlines()]

    def ended(self):
        """What has ended so far: a dict of Slurm's completion log each (JobId, Name, JobState, NodeList ...)."""
        log = self.folder / "ended.txt"
        lines = log.read_text().splitlines() if log.exists() else []
        return [dict(word.split("=", 1) for word in line.split() if "=" in word) for line in lines]

    def wait_until_empty(self, seconds):
        end = time.monotonic() + seconds
        while waiting := self.queue(["%i", "%j", "%T", "%r"]):
            expect(time.monotonic() < end, f"after {seconds} s these have not ended: {waiting}\n{self.logs()}")
            time.sleep(0.2)

    def stop(self):
        if self.daemons and all(daemon.poll() is None for daemon in self.daemons):
            self.end_jobs()
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(5)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        end_children()

    def end_jobs(self):
        try:
            jobs = [job for job, in self.queue(["%A"])]
            if jobs:
                self.call("scancel", "--full", "--signal=KILL", *jobs)
                self.call("scancel", *jobs)
                self.wait_until_empty(10)
        except (Failure, subprocess.TimeoutExpired):
            pass  # The daemons and their children are killed anyway.
