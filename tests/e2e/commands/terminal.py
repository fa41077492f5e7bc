"""A terminal of any width, in which a program runs, and its content at each moment."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

SEQUENCE = re.compile(rb"\x1b\[([0-9;?]*)([A-Za-z])")


class Screen:
    """The content of each line. Handles \\r, \\n, and the sequences that clear; a line that is too long is wrapped."""

    def __init__(self, columns):
        self.columns = columns
        self.lines = [""]
        self.row = 0
        self.column = 0
        self.wrapped = False
        self.sequences = set()
        self.erased = []
        self.rest = b""

    def feed(self, data):
        data = self.rest + data
        self.rest = b""
        while data:
            if data[:1] == b"\x1b":
                match = SEQUENCE.match(data)
                if not match:
                    self.rest = data
                    return
                self.sequences.add(match[2].decode())
                if match[2] == b"J" and self.lines[self.row] and self.lines[self.row:] != self.erased[-1:]:
                    self.erased.append(self.lines[self.row])
                if match[2] in b"JK":
                    self.lines[self.row] = self.lines[self.row][:self.column]
                if match[2] == b"J":
                    del self.lines[self.row + 1:]
                data = data[match.end():]
                continue
            self.put(data[:1].decode("latin-1"))
            data = data[1:]

    def put(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.next_line()
        else:
            if self.column == self.columns:
                self.wrapped = True
                self.column = 0
                self.next_line()
            line = self.lines[self.row].ljust(self.column)
            self.lines[self.row] = line[:self.column] + character + line[self.column + 1:]
            self.column += 1

    def next_line(self):
        self.row += 1
        if self.row == len(self.lines):
            self.lines.append("")


class Run:
    """A program that has ended: its screen, every state of the line of progress, and how it ended.

    A state is what a clearing sequence erased: whatever else stands on the screen may be read half written.
    """

    def __init__(self, screen, states, status, stdout):
        self.screen = screen
        self.states = states
        self.status = status
        self.stdout = stdout

    @property
    def text(self):
        return "\n".join(self.screen.lines)


def run(command, columns=80, environment=None, watch=None, resize_to=None, timeout=300):
    """Runs `command` with stderr and stdin on a terminal, stdout in a pipe. `watch(line, pid)` sees each state."""
    out_read, out_write = os.pipe()
    pid, terminal = pty.fork()
    if pid == 0:
        os.dup2(out_write, 1)
        os.close(out_read)
        # Wait for the size to be set.
        os.read(0, 1)
        os.execvpe(command[0], command, {**os.environ, "TERM": "xterm-256color", "NO_COLOR": "", **(environment or {})})
    os.close(out_write)
    resize(terminal, columns)
    attributes = termios.tcgetattr(terminal)
    attributes[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, attributes)
    os.write(terminal, b"\n")
    screen = Screen(columns)
    seen = ""
    stdout = b""
    end = time.time() + timeout
    open_ends = {terminal, out_read}
    while open_ends:
        if time.time() > end:
            os.kill(pid, signal.SIGKILL)
            raise TimeoutError(command)
        for ready in select.select(list(open_ends), [], [], 1)[0]:
            try:
                data = os.read(ready, 65536)
            except OSError:
                data = b""
            if not data:
                open_ends.discard(ready)
            elif ready == out_read:
                stdout += data
            else:
                # The line is redrawn each time after the sequence that clears it.
                for piece in re.split(rb"(?=\r\x1b\[J)", data):
                    screen.feed(piece)
                    line = screen.lines[screen.row]
                    if not line or line == seen:
                        continue
                    seen = line
                    if resize_to:
                        resize(terminal, resize_to)
                        screen.columns = resize_to
                    if watch:
                        watch(line, pid)
    _, status = os.waitpid(pid, 0)
    return Run(screen, screen.erased, status, stdout.decode())


def output_of(command, environment=None):
    """The bytes that `command` writes to a terminal as its stdout."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(command[0], command, {**os.environ, "TERM": "xterm-256color", "NO_COLOR": "", **(environment or {})})
    written = b""
    while True:
        try:
            data = os.read(terminal, 65536)
        except OSError:  # the program has closed it
            data = b""
        if not data:
            break
        written += data
    os.close(terminal)
    os.waitpid(pid, 0)
    return written


def resize(terminal, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
