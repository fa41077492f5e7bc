"""A real NFSv4.1 server and real Linux clients of it, on a machine whose own kernel has no NFS.

The server is nfs-ganesha, without delegations, as EFS. A client is a kernel of its own (User-Mode Linux) that sees the
files of this machine, read-only, and the server's folder at /mnt. Everything lies in namespaces that end with the
process that made them (enter_namespaces()).
"""

import ctypes
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys

from array_case import expect, finished, skip, skip_unless, wait_for
from nfs_client import PORT, SERVER

PROGRAMS = ("ganesha.nfsd", "linux.uml", "insmod", "ip", "unshare")
INSIDE = "BERTPREP_NFS_LAB"
CONFIGURATION = """\
NFS_CORE_PARAM {{
  Protocols = 4;
  Bind_addr = {server};
  Enable_NLM = false;
  Enable_RQUOTA = false;
  allow_set_io_flusher_fail = true;
}}
NFSv4 {{
  Graceless = true;
  Delegations = false;
  RecoveryBackend = fs;
  RecoveryRoot = {folder}/recovery;
  Minor_Versions = 1;
}}
EXPORT {{
  Export_Id = 1;
  Path = {folder}/export;
  Pseudo = /;
  Access_Type = RW;
  Squash = No_Root_Squash;
  SecType = sys;
  Transports = TCP;
  FSAL {{ Name = VFS; }}
}}
LOG {{ Default_Log_Level = EVENT; }}
"""


def enter_namespaces():
    """Starts this program again in namespaces of its own, or ends it where that can't be done."""
    if os.environ.get(INSIDE):
        return
    skip_unless(programs=PROGRAMS, install="--nfs")
    if os.geteuid() != 0 or not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        skip("needs root and /dev/net/tun")
    unshare = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if subprocess.run([*unshare, "true"], stderr=subprocess.DEVNULL).returncode != 0:
        skip("no namespaces can be made here")
    os.environ[INSIDE] = "1"
    os.execvp("unshare", [*unshare, sys.executable, *sys.argv])


class Client:
    """A machine of its own with the server's folder at /mnt."""

    def __init__(self, folder, index, ahead_seconds):
        self.index, self.log = index, folder / f"client{index}.txt"
        tap = f"tap{index}"
        finished(["ip", "tuntap", "add", tap, "mode", "tap"])
        finished(["ip", "link", "set", tap, "master", "bridge"])
        finished(["ip", "link", "set", tap, "up"])
        script = pathlib.Path(__file__).with_name("nfs_client.py")
        with self.log.open("wb") as log:
            self.kernel = subprocess.Popen(
                ["linux.uml", "mem=512M", "quiet", "rootfstype=hostfs", "rootflags=/", "ro", f"eth0=tuntap,{tap}",
                 "con=null", "con0=null,fd:1", f"uml_dir={folder}", f"umid=client{index}", "init=/usr/bin/python3",
                 "--", str(script), str(index), str(ahead_seconds)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    @property
    def address(self):
        return f"10.78.0.{10 + self.index}", PORT

    def is_up(self):
        expect(self.kernel.poll() is None, f"client {self.index} ended:\n{self.log.read_text(errors='replace')}")
        try:
            socket.create_connection(self.address, timeout=1).close()
        except OSError:
            return False
        return True

    def run(self, command, environment):
        """Status and output of a command; status None: the client was lost."""
        request = {"command": [str(word) for word in command], "environment": environment}
        answer = b""
        with socket.socket() as connection:
            connection.settimeout(1)
            try:
                connection.connect(self.address)
                connection.sendall(json.dumps(request).encode() + b"\n")
            except OSError:
                expect(self.kernel.poll() is not None, f"client {self.index} does not answer")
            # A machine that is lost says nothing, not even that a connection is at its end.
            while not answer.endswith(b"\n") and self.kernel.poll() is None:
                try:
                    answer += connection.recv(1 << 20)
                except TimeoutError:
                    pass
        if not answer.endswith(b"\n"):
            return None, ""
        answer = json.loads(answer)
        return answer["status"], answer["output"]

    def lose(self):
        """As a machine whose power is cut."""
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                session = int((folder / "stat").read_text().rpartition(")")[2].split()[3])
                if session == self.kernel.pid:
                    os.kill(int(folder.name), signal.SIGKILL)
            except (OSError, ValueError):
                pass  # It has ended meanwhile.
        self.kernel.wait()
        finished(["ip", "link", "set", f"tap{self.index}", "down"])


class NfsLab:
    """with NfsLab(folder, clocks) as lab: a client for each clock, which goes that many seconds wrong.

    lab.export is the served folder on this machine, lab.clients are those who see it at /mnt.
    """

    def __init__(self, folder, clocks):
        self.folder, self.clocks, self.export = folder, clocks, folder / "export"

    def __enter__(self):
        for name in ("export", "recovery"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        finished(["ip", "link", "set", "lo", "up"])
        finished(["ip", "link", "add", "bridge", "type", "bridge"])
        finished(["ip", "address", "add", f"{SERVER}/24", "dev", "bridge"])
        finished(["ip", "link", "set", "bridge", "up"])
        configuration = self.folder / "ganesha.conf"
        configuration.write_text(CONFIGURATION.format(server=SERVER, folder=self.folder))
        self.server = subprocess.Popen(
            ["ganesha.nfsd", "-F", "-f", str(configuration), "-L", str(self.folder / "ganesha.txt"), "-p",
             str(self.folder / "ganesha.pid"), "-N", "NIV_EVENT"], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self.serves, 60, "NFS server")
        self.clients = [Client(self.folder, index, ahead) for index, ahead in enumerate(self.clocks)]
        for client in self.clients:
            wait_for(client.is_up, 200, f"client {client.index}")
        return self

    def serves(self):
        expect(self.server.poll() is None, "the NFS server ended")
        try:
            socket.create_connection((SERVER, 2049), timeout=1).close()
        except OSError:
            return False
        return True

    def __exit__(self, *_):
        for client in self.clients:
            if client.kernel.poll() is None:
                client.lose()
        self.server.kill()
        self.server.wait()
