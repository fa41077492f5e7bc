"""Process 1 of a client's kernel: mounts the server's folder at /mnt and runs the commands that the test sends.

    nfs_client.py INDEX AHEAD    INDEX: which client; AHEAD: by how many seconds its clock is wrong

A connection carries one line of JSON, {"command": [...], "environment": {...}}, and brings back one: {"status": ...,
"output": ...}.
"""

import json
import os
import pathlib
import socketserver
import subprocess
import sys
import time

SERVER, PORT = "10.78.0.1", 2020
MODULE = "kernel/fs/nfs/nfsv4.ko"
# What AWS recommends for EFS.
OPTIONS = "vers=4.1,rsize=1048576,wsize=1048576,hard,timeo=600,retrans=2,noresvport"


def call(*command):
    subprocess.run(command, check=True)


def load_module():
    modules = pathlib.Path("/usr/lib/uml/modules") / os.uname().release
    for line in (modules / "modules.dep").read_text().splitlines():
        name, _, needed = line.partition(":")
        if name == MODULE:
            for module in [*reversed(needed.split()), name]:
                call("insmod", str(modules / module))


def prepare(index, ahead):
    address = f"10.78.0.{10 + index}"
    call("mount", "-t", "proc", "proc", "/proc")
    call("mount", "-t", "tmpfs", "tmpfs", "/run")
    call("hostname", f"client{index}")
    call("ip", "link", "set", "lo", "up")
    call("ip", "address", "add", f"{address}/24", "dev", "eth0")
    call("ip", "link", "set", "eth0", "up")
    load_module()
    call("mount", "-i", "-t", "nfs4", "-o", f"{OPTIONS},addr={SERVER},clientaddr={address}", f"{SERVER}:/", "/mnt")
    time.clock_settime(time.CLOCK_REALTIME, time.time() + ahead)


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        line = self.rfile.readline()
        if not line:
            return  # A check whether the client is up.
        request = json.loads(line)
        run = subprocess.run(request["command"], env=request["environment"], stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd="/mnt", errors="replace")
        self.wfile.write(json.dumps({"status": run.returncode, "output": run.stdout}).encode() + b"\n")


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    request_queue_size = 64


if __name__ == "__main__":
    os.environ["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin"
    prepare(int(sys.argv[1]), float(sys.argv[2]))
    with Server(("0.0.0.0", PORT), Handler) as server:
        server.serve_forever()
