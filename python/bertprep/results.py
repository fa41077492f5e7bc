"""What the functions of bertprep return. Sizes are in bytes, times in seconds; paths are pathlib.Path.

Most are in bertprep.records, which is written from the structs of the library; here are those with methods.
"""

from __future__ import annotations

import dataclasses
import html
import pathlib
from typing import Any, Optional

from bertprep import records
from bertprep.records import *  # noqa: F401, F403


@dataclasses.dataclass(frozen=True)
class Document:
    """An article, as read() gives it and build() takes it."""

    title: str
    text: str
    source: str = ""  # the file or archive member
    page_id: str = ""
    revision_id: str = ""
    timestamp: str = ""
    url: str = ""
    line: int = 0  # in `source`, from 1; 0: unknown


def _framed(page: str) -> str:
    return f'<iframe sandbox srcdoc="{html.escape(page)}" style="width: 100%; height: 40em; border: 0"></iframe>'


@dataclasses.dataclass(frozen=True)
class Report:
    """The page of `bertprep report`; a notebook shows it."""

    html: str = dataclasses.field(repr=False)
    sets: list[records.ReportedSet]

    def save(self, path: Any) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        return _framed(self.html)


class BuildReport(records.BuildReport):
    __doc__ = records.BuildReport.__doc__

    @property
    def warnings(self) -> list[str]:
        return [warning.text for stage in self.stages for data in stage.data for warning in data.warnings]

    def _repr_html_(self) -> str:
        from bertprep import report

        return "".join(report(folder)._repr_html_() for folder in self.shard_folders)


class VerifyReport(records.VerifyReport):
    __doc__ = records.VerifyReport.__doc__

    @property
    def is_sound(self) -> bool:
        return not self.problems


@dataclasses.dataclass(frozen=True)
class Inspection:
    file: pathlib.Path
    rows: int
    seq_len: int  # 0: rows of any length
    max_predictions: int
    bytes: int
    shown: list[records.InspectedRow]
    html: Optional[str] = dataclasses.field(default=None, repr=False)

    def _repr_html_(self) -> Optional[str]:
        return self.html and _framed(self.html)


@dataclasses.dataclass(frozen=True)
class RowsInOrder:
    """Row `numbers[i]` of `shards[shard_numbers[i]]` is at position `first + i`; both arrays are int64."""

    shards: list[pathlib.Path]
    shard_numbers: Any
    numbers: Any
    first: int
    rows_per_epoch: int
    steps: Any = None  # with a batch_size: of each row, from 1
    ranks: Any = None  # with a world_size
