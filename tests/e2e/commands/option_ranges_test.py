"""Every option of every command that takes a number refuses what is none, and what its help excludes; no option takes
an empty value in silence. What an option of the same help refuses elsewhere too is tried in part.

usage: option_ranges_test.py PROGRAM     bertprep or berttrain
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
NO_NUMBERS = ("0x3", "+5", " 5")
NO_FRACTIONS = ("nan", "1e400")
NO_NUMBER_NAMES = ("FILE", "DIR", "PATH", "VOCAB", "NAME", "NAMES", "KEY", "TAG", "GLOBS", "SQL", "URL")
HUGE = "9" * 400
USAGE = 2
# Any integer; as Python takes them, also with a sign.
SEEDS = ("random-seed", "shuffle-seed")
LEAST_NUMBERS = 20


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
    listing = re.search(r"^Commands:\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL)
    for line in listing[1].splitlines() if listing else ():
        name = COMMAND.match(line)
        if name and name[1] not in ("help", "man", "completion"):
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
    if words and words[0] in ("run", "plan", "submit", "retry-list"):
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


class Place:
    """A command that has an option."""

    def __init__(self, folder, program, words, text):
        self.folder, self.program, self.words = folder, program, words
        self.arguments = arguments_of(words, text)

    def given(self, name, value):
        given = [f"--{name}={value}"] if value else [f"--{name}", value]
        return call(self.folder, self.program, *self.words, *self.arguments, *given)


class Option:
    """An option of one help, in all commands that have it."""

    def __init__(self, name, description):
        self.name, self.description, self.places = name, description, []
        self.faults, self.count, self.is_number = [], 0, False

    def given(self, place, value):
        self.count += 1
        return place.given(self.name, value)

    def is_refused(self, answer):
        status, text = answer
        return status == USAGE and f"--{self.name}" in text

    def refuses(self, place, value):
        answer = self.given(place, value)
        if not self.is_refused(answer):
            shown = value if len(value) < 40 else f"{len(value)} digits"
            self.fault(place, f"'{shown}' is not refused: {answer}")

    def fault(self, place, what):
        self.faults.append(f"{' '.join([place.program.rsplit('/', 1)[-1], *place.words])} --{self.name}: {what}")

    def ends_itself(self, place, value):
        """The value is allowed: whatever else is wrong, no signal ends the call and nothing says it is out of range."""
        status, text = self.given(place, value)
        if status < 0 or status > 128 or "it must be" in text and f"--{self.name} " in text or "too long" in text:
            self.fault(place, f"'{value[:30]}' ended with {status}: {text}")

    def run(self):
        first = self.places[0]
        is_list = re.match(r"\S+ [a-z]+,", self.description.split("--", 1)[1]) is not None  # of which '' has none
        if not is_list:
            self.refuses(first, "")
        if self.takes_words():
            return self
        word = self.given(first, "five")
        self.is_number = self.is_refused(word) and re.search(r"number|size|integer|share", word[1]) is not None
        below, least, most, above = self.limits()
        if not self.is_number:
            return self
        for place in self.places[1:]:
            self.refuses(place, above or "0x3")
        is_seed = self.name in SEEDS
        for value in NO_NUMBERS + (NO_FRACTIONS if least and "." in self.description else ()):
            if not is_seed or value not in ("+5", " 5"):
                self.refuses(first, value)
        self.ends_itself(first, HUGE) if is_seed else self.refuses(first, HUGE)
        for value in (below, above):
            if value is not None:
                self.refuses(first, value)
        for value in (least, most):
            if value is not None:
                self.ends_itself(first, value)
        return self

    def takes_words(self):
        value_name = self.description.split("--", 1)[1].split(" ", 2)[1]
        return "|" in value_name or value_name.rstrip(".") in NO_NUMBER_NAMES

    def limits(self):
        """What is just below the range, its ends, what is just above; None where the help does not say."""
        found = None if self.name in SEEDS else RANGE.search(self.description)
        if found is None:
            return None, None, None, None
        least, most = found[1] or found[2], found[3]
        return beside(least, -1), least, most, most and beside(most, 1)


def beside(number, step):
    return str(float(number) + step) if re.search("[.e]", number) else str(int(number) + step)


def options_in(folder, program):
    options = {}
    for words in commands_of(program):
        text = help_of(program, words)
        for name, description in options_of(text).items():
            option = options.setdefault((name, description), Option(name, description))
            option.places.append(Place(folder, program, words, text))
    return list(options.values())


def main():
    with tempfile.TemporaryDirectory(prefix="bertprep-") as folder:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            done = list(pool.map(Option.run, options_in(folder, os.path.abspath(sys.argv[1]))))
    faults = [fault for option in done for fault in option.faults]
    numbers = sum(option.is_number for option in done)
    print("\n".join(faults))
    print(f"option ranges: {sum(option.count for option in done)} calls, {numbers} numbers among {len(done)} options, "
          f"{len(faults)} faults")
    sys.exit(1 if faults or numbers < LEAST_NUMBERS else 0)


if __name__ == "__main__":
    main()
