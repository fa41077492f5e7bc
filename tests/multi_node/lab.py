"""Hosts for tests of programs that run on several: namespaces of one machine, each with a network, a name, processes
and folders of its own, on one bridge.

Everything hangs on processes: the lab runs in namespaces that end with the process that entered them, and each host
ends with the first of its processes. Nothing is left behind, however a test ends.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

NAMESPACES = ["--net", "--mount", "--propagation", "private", "--uts", "--pid", "--mount-proc", "--fork",
              "--kill-child"]
PROGRAMS = ["unshare", "ip", "mount", "hostname", "ssh", "ssh-keygen", "mpirun", "setsid"]
INSIDE = "BERTPREP_TEST_LAB"
SKIPPED = 77

# A host waits for its network, then becomes the command. The second interface has the same address on every host, as
# in containers of AWS: using it waits forever.
BOOT = """
hostname "$1"; mount --bind "$2" /mnt
[ ! -e ~root/.bashrc ] || mount --bind /dev/null ~root/.bashrc  # sshd's sessions read it: it is this machine's
for folder in /run /dev/shm; do mount -t tmpfs tmpfs "$folder"; done
read -r _
exec </dev/null
ip link set lo up
ip address add "$3/24" dev eth0 && ip link set eth0 up
ip link add ecs-eth0 type veth peer name ecs-peer && ip link set ecs-peer up
ip address add 169.254.172.2/22 dev ecs-eth0 && ip link set ecs-eth0 up
shift 3
cd /mnt && exec "$@"
"""


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def enter():
    """Starts this program again in namespaces of its own, or skips where that can't be."""
    if os.environ.get(INSIDE):
        Lab.ip("link", "set", "lo", "up")
        return
    if os.geteuid() != 0:
        skip("network namespaces need root")
    missing = [program for program in PROGRAMS if not shutil.which(program)]
    if not (shutil.which("sshd") or os.access("/usr/sbin/sshd", os.X_OK)):
        missing.append("sshd")
    if missing:
        skip(f"missing here: {' '.join(missing)}; scripts/install-deps.sh --tests installs them")
    parts = "ip link add bridge0 type bridge && ip link add port0 type veth peer name port1 && mount -t tmpfs x /mnt"
    trial = subprocess.run(["unshare", *NAMESPACES, "sh", "-c", parts], capture_output=True, text=True)
    if trial.returncode != 0:
        skip(f"no namespaces with a bridge here: {(trial.stderr.strip().splitlines() or ['unshare failed'])[-1]}")
    os.environ[INSIDE] = "1"
    os.execvp("unshare", ["unshare", *NAMESPACES, sys.executable, *sys.argv])


def network_of(pid):
    return os.readlink(f"/proc/{pid}/ns/net")


def wait_until(condition, seconds, what):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"after {seconds} s: not {what}")
        time.sleep(0.05)


class Host:
    """A host whose first process is the command, as in a container."""

    def __init__(self, lab, index, command, environment):
        self.index = index
        self.address = lab.address(index)
        self.log = lab.folder / f"host{index}.log"
        self.port = f"{lab.name}p{index}"
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                ["unshare", *NAMESPACES, "bash", "-c", BOOT, "host", f"host{index}", str(lab.shared), self.address,
                 *command],
                stdin=subprocess.PIPE, stdout=log, stderr=log, env={**lab.environment, **environment})
        pid = self.process.pid
        wait_until(lambda: network_of(pid) != network_of("self"), 10, "a host with a network of its own")
        lab.ip("link", "add", self.port, "type", "veth", "peer", "name", "eth0", "netns", str(pid))
        lab.ip("link", "set", self.port, "master", lab.name, "up")
        self.process.stdin.write(b"go\n")
        self.process.stdin.close()

    def first_process(self):
        pid = self.process.pid
        return int(pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])

    def signal(self, number):
        os.kill(self.first_process(), number)

    def text(self):
        return self.log.read_text(errors="replace")

    def says(self, words, seconds=120):
        wait_until(lambda: words in self.text(), seconds, f"'{words}' from host {self.index}")

    def wait(self, seconds):
        """The exit status of the command."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"host {self.index} did not end within {seconds} s") from None


class Lab:
    """A bridge and a shared folder, which all hosts see as /mnt. Labs with different names may be used at once."""

    def __init__(self, name):
        self.name = name
        self.hosts = []
        self.environment = {"PATH": os.environ["PATH"], "HOME": "/root", "LC_ALL": "C.UTF-8", "TMPDIR": "/run"}

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="bertprep-lab-"))
        self.shared = self.folder / "shared"
        self.shared.mkdir()
        self.ip("link", "add", self.name, "type", "bridge")
        self.ip("link", "set", self.name, "up")
        return self

    def __exit__(self, _, error, __):
        if error:
            error.args = (f"{error}\n{self.texts()}",)
        for host in self.hosts:
            if host.process.poll() is None:
                host.process.kill()
                host.process.wait()
        self.ip("link", "delete", self.name)
        shutil.rmtree(self.folder, ignore_errors=True)

    @staticmethod
    def address(index):
        return f"10.77.0.{10 + index}"

    @staticmethod
    def ip(*arguments):
        subprocess.run(["ip", *arguments], check=True)

    def start(self, index, command, environment):
        host = Host(self, index, command, environment)
        self.hosts.append(host)
        return host

    def unplug(self, host):
        """The host keeps running, but is unreachable."""
        self.ip("link", "set", host.port, "down")

    @staticmethod
    def kill(host):
        """All processes of the host end at once."""
        host.signal(signal.SIGKILL)

    def texts(self):
        return "".join(f"--- host {host.index}\n{host.text()}" for host in self.hosts)
