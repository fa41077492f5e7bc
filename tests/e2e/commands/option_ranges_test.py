"""Every option of every command that takes a number refuses what is none, and what its help excludes; no option takes
an empty value in silence.

usage: option_ranges_test.py PROGRAM...     bertprep, and berttrain where it was built
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

OPTION = re.compile(r"^  (?:-\w,)?--([a-z0-9-]+) ([A-Za-z][\w:|,.-]*)(?:\s|$)")
COMMAND = re.compile(r"^  ([a-z-]+)  ")
RANGE = re.compile(r"\((?:at least ([-\d.e]+)|([-\d.e]+) to ([-\d.e]+))[,)]")
NO_NUMBERS = ("0x3", "+5", " 5", "5 ", "nan", "inf", "-inf", "1e400", "five", "--5", "5,0")
HUGE = "9" * 400
USAGE = 2
# Any integer; as Python takes them, also with a sign.
SEEDS = ("random-seed", "shuffle-seed")


def call(folder, program, *arguments):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "SLURM_"))}
    done = subprocess.run([program, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL, text=True,
                          errors="replace", capture_output=True, check=False, timeout=60)
    return done.returncode, done.stderr


def help_of(program, words):
    return subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout


def commands_of(program, words=()):
    """Lists of words, "vocab train" as two."""
    text = help_of(program, words)
    usage = re.search(r"^Usage: .*$", text, re.MULTILINE)[0]
    found = [] if " COMMAND" in usage and "[COMMAND]" not in usage else [list(words)]
    listing = False
    for line in text.splitlines():
        listing = listing and line.startswith(" ") or bool(re.match(r"^(\w.*[Cc]ommands?|.*):$", line))
        name = COMMAND.match(line)
        if listing and name and name[1] not in ("help", "man", "completion"):
            found += commands_of(program, [*words, name[1]])
    return found


def arguments_of(words, text):
    """What a call needs besides options, so that only these are wrong."""
    usage = re.search(r"^Usage: \S+ (.*)$", text, re.MULTILINE)[1].split()[len(words):]
    arguments, skip = [], False
    for number, word in enumerate(usage):
        if skip or word.startswith("["):
            skip = False
        elif word.startswith("-"):
            arguments += [word, "out"]
            skip = True
        else:
            arguments.append(word.split("|")[0] if "|" in word else f"absent-{number}")
    if words and words[0] in ("run", "plan", "submit"):
        arguments += ["--input", "absent.txt"]
    if words and words[0] == "submit":
        arguments += ["--dry-run"] if "--dry-run" in text else []
    return arguments


def options_of(text):
    """Name -> its help in one line."""
    options, name = {}, None
    for line in text.splitlines():
        match = OPTION.match(line)
        if match:
            name = match[1]
            options[name] = ""
        elif not line.startswith("   "):
            name = None
        if name:
            options[name] += " " + line.strip()
    return options


class Checks:
    def __init__(self, folder, program, words):
        self.folder, self.program, self.words = folder, program, words
        self.text = help_of(program, words)
        self.arguments = arguments_of(words, self.text)
        self.faults, self.count = [], 0

    def given(self, name, value):
        self.count += 1
        return call(self.folder, self.program, *self.words, *self.arguments, f"--{name}={value}")

    def names(self, name, answer):
        status, text = answer
        return status == USAGE and f"--{name}" in text

    def refuses(self, name, value):
        answer = self.given(name, value)
        if not self.names(name, answer):
            shown = value if len(value) < 40 else f"{len(value)} digits"
            self.fault(name, f"'{shown}' is not refused: {answer}")

    def fault(self, name, what):
        self.faults.append(f"{' '.join([self.program.rsplit('/', 1)[-1], *self.words])} --{name}: {what}")

    def ends_itself(self, name, value):
        """The value is allowed: whatever else is wrong, no signal ends the call and nothing says it is out of range."""
        status, text = self.given(name, value)
        if status < 0 or status > 128 or "it must be" in text and f"--{name} " in text or "too long" in text:
            self.fault(name, f"'{value[:30]}' ended with {status}: {text}")

    def run(self):
        for name, description in options_of(self.text).items():
            self.refuses(name, "")
            word = self.given(name, "five")
            if not (self.names(name, word) and re.search(r"number|size|integer|share", word[1])):
                continue
            for value in NO_NUMBERS:
                if name not in SEEDS or value not in ("+5", " 5", "5 "):
                    self.refuses(name, value)
            if name in SEEDS:
                self.ends_itself(name, HUGE)
                continue
            self.refuses(name, HUGE)
            limits = RANGE.search(description)
            if limits is None:
                continue
            least, most = limits[1] or limits[2], limits[3]
            self.refuses(name, str(float(least) - 1) if "." in least else str(int(least) - 1))
            self.ends_itself(name, least)
            if most is not None:
                self.refuses(name, str(float(most) + 1) if "." in most or "e" in most else str(int(most) + 1))
                self.ends_itself(name, most)
        return self


def main():
    with tempfile.TemporaryDirectory(prefix="bertprep-") as folder:
        checks = [Checks(folder, program, words) for program in map(os.path.abspath, sys.argv[1:])
                  for words in commands_of(program)]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            done = list(pool.map(Checks.run, checks))
    faults = [fault for check in done for fault in check.faults]
    print("\n".join(faults))
    print(f"option ranges: {sum(check.count for check in done)} calls of {len(done)} commands, {len(faults)} faults")
    sys.exit(1 if faults or len(done) < 25 else 0)


if __name__ == "__main__":
    main()
