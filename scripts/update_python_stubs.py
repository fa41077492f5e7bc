#!/usr/bin/env python3
"""Writes what python/bertprep repeats from the library: __init__.pyi, functions with the options of its fields as
keywords; records.py, its results with the fields of its structs.

    scripts/update_python_stubs.py BUILD            writes them, with the module of this build folder
    scripts/update_python_stubs.py BUILD --check    fails if they are not what this would write
"""

import pathlib
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "python/bertprep"
WIDTH = 120

HEAD = '''# Written by scripts/update_python_stubs.py: types of the package, with the library's options as keywords.
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Optional, TypeVar, Union, overload

import numpy as np
import numpy.typing as npt

from bertprep.errors import Cancelled as Cancelled, ConfigError as ConfigError, Error as Error
from bertprep.errors import FormatError as FormatError, IoError as IoError, MissingError as MissingError
from bertprep.errors import OfflineError as OfflineError
from bertprep.results import BuildReport, Comparison, Diagnosis, Document, Inspection, Plan, ProgressEvent
from bertprep.results import Report, ReshardReport, RowsInOrder, SequenceReport, StageReport, VerifyReport, VocabReport
from bertprep.rows import OrderedBatches as OrderedBatches, Rows as Rows

__version__: str

_Path = Union[str, os.PathLike[str]]
_Paths = Union[_Path, Sequence[_Path]]
_Progress = Union[bool, Callable[[ProgressEvent], object]]
_Documents = Union[Iterable[str], Iterable[tuple[Optional[str], str]], Iterable[Mapping[Any, Any]], Iterable[Any]]
_F = TypeVar("_F", bound=Callable[..., Any])

class Option(NamedTuple):
    name: str
    type: str
    default: str
    choices: str
    help: str

def options(function: Union[str, Callable[..., Any]]) -> list[Option]: ...
def component(name: str, version: str) -> Callable[[_F], _F]: ...
'''

PROGRESS = ["progress: Optional[_Progress] = None"]
PHASES = ["phases: Union[None, int, str, Iterable[Union[int, str]]] = None"]
COMPONENTS = [f"{role}: Optional[Callable[..., Any]] = None" for role in ("splitter", "normalizer", "tokenizer")]
WORK = ["work: Optional[_Path] = None"]
VOCAB = ["vocab: Optional[_Path] = None"]
TRAINER = ["trainer: Union[None, str, Sequence[str]] = None", "world_size: Optional[int] = None"]
DOCTOR = [f"{name}: Optional[int] = None" for name in ("micro_batch", "max_predictions", "vocab_size", "max_tokens",
                                                       "cache_limit")]

# Name, leading parameters, further keywords besides the options of the fields, result.
FUNCTIONS = [
    ("build", ["documents: _Documents", "output: _Path", "*"], WORK + PHASES + COMPONENTS + PROGRESS, "BuildReport"),
    ("run", ["dataset: Optional[str] = None", "*", "input: Optional[_Paths] = None", "output: _Path"],
     WORK + PHASES + COMPONENTS + PROGRESS, "BuildReport"),
    ("plan", ["dataset: Optional[str] = None", "*", "input: Optional[_Paths] = None", "output: _Path"],
     WORK + PHASES + PROGRESS, "Plan"),
    ("format", ["input: _Paths", "output: _Path", "*"], [COMPONENTS[1]] + PROGRESS, "StageReport"),
    ("extract", ["dumps: _Paths", "output: _Path", "*"], PROGRESS, "StageReport"),
    ("extract_page", ["dumps: _Paths", "page: Union[str, int]", "*"], ["index: Optional[_Path] = None"] + PROGRESS,
     "str"),
    ("sequences", ["texts: _Paths", "output: _Path", "*"], ["validation: Optional[_Paths] = None"] + PROGRESS,
     "SequenceReport"),
    ("train_vocab", ["documents: Optional[_Documents] = None", "*", "input: Optional[_Paths] = None", "output: _Path"],
     PROGRESS, "VocabReport"),
    ("export_vocab", ["folder: _Path", "max_tokens: int = 512", "*"], [], "list[os.PathLike[str]]"),
    ("reshard", ["folder: _Path", "output: _Path", "*"], ["name: Optional[str] = None"] + PROGRESS, "ReshardReport"),
    ("verify", ["*paths: _Path"], WORK + ["finish: Optional[bool] = None"] + PROGRESS, "list[VerifyReport]"),
    ("inspect", ["path: _Path", "rows: Union[int, slice, range] = 3"] + VOCAB + ["html: bool = False"], None,
     "Inspection"),
    ("compare", ["a: _Path", "b: _Path", "progress: Optional[_Progress] = None"], None, "Comparison"),
    ("doctor", ["path: _Path", "*"], TRAINER + DOCTOR + VOCAB + ["split: Union[None, str, Sequence[str]] = None"]
     + PROGRESS, "list[Diagnosis]"),
    ("report", ["path: _Path", "rows: int = 20", "*"], TRAINER + VOCAB + ["events: Optional[_Path] = None"] + PROGRESS,
     "Report"),
    ("order", ["folder: _Path", "seed: int = 42", "epoch: int = 0", "position: int = 0", "rows: int = 10",
               'order: Literal["v2", "v1", "none"] = "v2"', "test: bool = False", "batch_size: Optional[int] = None",
               "world_size: Optional[int] = None"], None, "RowsInOrder"),
    ("split_sentences", ["text: str", "rules: Optional[str] = None", "*"], [], "list[str]"),
    ("clean_wikitext", ["markup: str", "language: str = 'en'", "title: str = ''", "*"], [], "str"),
]
EXPLAIN = ["*", *VOCAB, *WORK, "text: Optional[_Path] = None", *PROGRESS]
METHODS = '''    def __iter__(self) -> Iterator[Document]: ...
    def __next__(self) -> Document: ...
    def __enter__(self) -> read: ...
    def __exit__(self, *_: object) -> None: ...
    def close(self) -> None: ...
    @property
    def rejected(self) -> dict[str, int]: ...
    @property
    def left_out(self) -> dict[str, int]: ...
'''
TOKENIZER = '''    def encode(self, text: str) -> npt.NDArray[np.int32]: ...
    def encode_batch(
        self, texts: Iterable[str], threads: int = 0
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]: ...
    def token(self, id: int) -> str: ...
    def __len__(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def sha256(self) -> str: ...
    @property
    def lower_case(self) -> bool: ...
    @property
    def specials(self) -> dict[str, int]: ...
'''


def type_of(option):
    if option.type == "choice":
        choices = ", ".join(f'"{choice}"' for choice in option.choices.split("|"))
        other = "bool" if '"yes"' in choices else "int"  # a phase
        return f"Union[None, {other}, Literal[{choices}]]"
    return {"int": "Union[None, int, str]", "float": "Optional[float]", "bool": "Optional[bool]",
            "str": "Union[None, int, _Paths]"}[option.type]


def signature(name, leading, more, result, options, indent=""):
    taken = {word.split(":")[0] for word in [*leading, *(more or [])]}
    fields = [] if more is None else [f"{option.name}: {type_of(option)} = None" for option in options
                                      if option.name not in taken]
    words = [*leading, *(more or []), *fields]
    if words and words[-1] == "*":
        words.pop()
    line = f"{indent}def {name}({', '.join(words)}) -> {result}: ..."
    if len(line) <= WIDTH:
        return line + "\n"
    lines = "".join(f"{indent}    {word},\n" for word in words)
    return f"{indent}def {name}(\n{lines}{indent}) -> {result}: ...\n"


def stub(bertprep):
    text = HEAD
    for name, leading, more, result in FUNCTIONS:
        options = [] if more is None else bertprep.options(name)
        if name == "split_sentences":
            options = [option for option in options if option.name != "sentences"]
        text += signature(name, leading, more, result, options)
    for rows, result in (("int", "Any"), ("Iterable[int]", "list[Any]")):
        text += "@overload\n" + signature("explain", ["path: _Path", f"rows: {rows}", *EXPLAIN], None, result, [])
    for name, leading, methods in (("read", ["self", "*inputs: _Path"], METHODS),
                                   ("SentenceSplitter", ["self", "rules: Optional[str] = None", "*"],
                                    "    def split(self, text: str) -> list[str]: ...\n"),
                                   ("Tokenizer", ["self", "vocab: _Path", "*"], TOKENIZER)):
        options = [option for option in bertprep.options(name) if option.name != "sentences"]
        text += f"\nclass {name}:\n" + signature("__init__", leading, [], "None", options, "    ") + methods
    return text


RECORDS = '''"""Results of the library. Written by scripts/update_python_stubs.py, from python/native/records.h."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import Any, Optional
'''


def records(bertprep):
    bertprep.results.__getattr__ = lambda _: dict  # for those that are new
    text = RECORDS
    for name, about, fields in bertprep._native.records():
        text += f"\n\n@dataclasses.dataclass(frozen=True)\nclass {name}:\n"
        if about:
            about = textwrap.fill(f'"""{about}"""', WIDTH, initial_indent="    ", subsequent_indent="    ")
            text += about + "\n\n"
        text += "".join(f"    {field}: {kind}\n" for field, kind in fields)
    return text


def main(build, check):
    sys.path.insert(0, str(pathlib.Path(build) / "python"))
    import bertprep

    for name, text in (("__init__.pyi", stub(bertprep)), ("records.py", records(bertprep))):
        path = PACKAGE / name
        if not check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            sys.exit(f"{path.relative_to(ROOT)} is not up to date: run scripts/update_python_stubs.py BUILD")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:] == ["--check"])
