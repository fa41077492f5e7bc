"""The stubs are up to date, and mypy accepts them and what they promise."""

import importlib.util
import os
import pathlib
import subprocess
import sys

import bertprep
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

GOOD = """
import pathlib
import bertprep
report = bertprep.build(["a"], "out", vocab="sample-uncased", phases=[1, 2], sentences="icu", threads=2, splitter=None)
rows: int = report.rows
folder: pathlib.Path = report.shard_folders[0]
ids, offsets = bertprep.Tokenizer("x", lower_case=False).encode_batch(["a"])
for page in bertprep.read("a.xml", clean=True):
    title: str = page.title
try:
    finding = bertprep.doctor(folder, trainer="nvidia")[0].findings[0]
    text: str = finding.what + bertprep.explain(folder, 3).a.sentences[0].text
except bertprep.MissingError as error:
    name: str = error.where
"""
BAD = """
import bertprep
bertprep.build(["a"], "out", sentences="punctuation")
bertprep.build(["a"], "out", seqlen=3)
bertprep.Tokenizer("x", lower_case="no")
bertprep.split_sentences(3)
"""


def test_stubs_are_up_to_date():
    build = pathlib.Path(bertprep.__file__).parents[1].parent
    subprocess.run([sys.executable, ROOT / "scripts/update_python_stubs.py", build, "--check"], check=True)


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")  # of mypy, which reads the stubs of numpy once


def mypy(code, tmp_path, cache):
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    (tmp_path / "code.py").write_text(code)
    package = pathlib.Path(bertprep.__file__).parent
    return subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", cache, "--ignore-missing-imports",
                           "--follow-imports", "silent", "code.py"], cwd=tmp_path, capture_output=True, text=True,
                          env={**os.environ, "MYPYPATH": str(package.parent)}).stdout


def test_mypy_accepts_what_is_right(tmp_path, cache):
    said = mypy(GOOD, tmp_path, cache)
    assert "Success" in said, said


def test_mypy_finds_what_is_wrong(tmp_path, cache):
    lines = {int(line.split(":")[1]) for line in mypy(BAD, tmp_path, cache).splitlines() if ": error:" in line}
    assert lines == {3, 4, 5, 6}
