"""The package itself: what it exports, what it does at import, and that its options are the program's."""

import inspect
import os
import pathlib
import re
import subprocess
import sys

import bertprep
import pytest


def test_every_name_is_documented():
    for name in bertprep.__all__:
        if name in ("Rows", "OrderedBatches", "__version__"):
            continue
        assert inspect.getdoc(getattr(bertprep, name)), name


def test_import_does_little():
    code = "import sys, bertprep; print([m for m in ('numpy', 'h5py', 'torch', 'tqdm') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


# What is said otherwise: by results, exceptions, another function, or the arguments of the interpreter.
NO_KEYWORDS = {"any-order", "config", "dry-run", "force", "help", "ids", "index", "json", "output", "page",
               "print-config", "quiet", "to", "verbose", "version"}


@pytest.mark.parametrize("function, command", [
    ("run", "run"), ("plan", "plan"), ("format", "format"), ("extract", "extract"), ("Tokenizer", "tokenize"),
    ("split_sentences", "sentences"), ("reshard", "reshard"), ("sequences", "sequences"),
    ("train_vocab", "vocab train"), ("export_vocab", "vocab export"), ("verify", "verify"), ("inspect", "inspect"),
    ("explain", "explain"), ("compare", "compare"), ("doctor", "doctor"), ("report", "report"), ("order", "order")])
def test_options_are_those_of_the_program(program, function, command):
    shown = program(*command.split(), "--help")
    flags = set(re.findall(r"--([a-z]+(?:-[a-z]+)*)", shown))
    options = {{"trainer": "for"}.get(option.name, option.name.replace("_", "-"))
               for option in bertprep.options(function)}
    assert options <= flags
    parameters = {name.replace("_", "-") for name in inspect.signature(getattr(bertprep, function)).parameters}
    own = set(re.findall(r"^ +(?:-[a-z], ?)?--([a-z]+(?:-[a-z]+)*)", shown, re.MULTILINE))
    assert own - options - parameters - {name for name in own if name.startswith("no-")} <= NO_KEYWORDS


def test_the_program_can_be_run(program):
    run = subprocess.run([sys.executable, "-m", "bertprep", "--version"], capture_output=True, text=True,
                         env={**os.environ, "PATH": f"{pathlib.Path(os.environ['BERTPREP_PROGRAM']).parent}:/usr/bin"})
    assert run.stdout.startswith(f"bertprep {bertprep.__version__}")
