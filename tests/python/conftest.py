"""What the tests of the Python package share."""

import hashlib
import os
import pathlib
import subprocess

import pytest

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"


@pytest.fixture(scope="session")
def program():
    """Runs the program with these arguments and returns its standard output."""
    path = os.environ["BERTPREP_PROGRAM"]
    if not os.path.exists(path):
        pytest.skip(f"{path} is not built")

    def run(*arguments, status=0):
        ended = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True)
        assert ended.returncode == status, ended.stderr
        return ended.stdout

    return run


@pytest.fixture(scope="session")
def samples():
    return SAMPLES


@pytest.fixture(scope="session")
def texts():
    """A few hundred documents, some of several lines, in several scripts."""
    lines = (SAMPLES / "sample.wikitext").read_text(encoding="utf-8").splitlines()
    paragraphs = [line.strip() for line in lines if len(line) > 40]
    documents = ["\n".join(paragraphs[i:i + 3]) for i in range(0, len(paragraphs), 3)]
    return documents + ["Ein Satz. Noch ein Satz über Äpfel.", "यह एक वाक्य है। दूसरा।"]


@pytest.fixture
def small():
    """Options of a small dataset that needs no download."""
    return {"vocab": "sample-uncased", "sentences": "icu", "train_shards": 2, "test_shards": 1, "name": "small"}


@pytest.fixture(scope="session")
def digests():
    """The digests of the shards below a folder, by name."""

    def of(folder):
        return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
                for path in sorted(pathlib.Path(folder).rglob("*.hdf5"))}

    return of
