"""What the functions of bertprep return. Sizes are in bytes, times in seconds; paths are pathlib.Path."""

from __future__ import annotations

import dataclasses
import html
import pathlib
from typing import Any, Optional

_result = dataclasses.dataclass(frozen=True)


@_result
class ProgressEvent:
    """An event of a long call: `kind` is begin, progress, end, note, rejected or remark."""

    kind: str
    stage: str
    done: int  # in `unit`
    total: int  # 0: unknown
    unit: str
    fraction: float  # of the whole call, from 0 to 1
    seconds_left: Optional[float]
    where: str  # of a rejected record, or what a remark is about
    text: str


@_result
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


@_result
class DataWarning:
    about: str
    text: str


@_result
class DatasetReport:
    folder: pathlib.Path
    data: str  # a JSON object (docs/formats/data.md)
    warnings: list[DataWarning]


@_result
class StageReport:
    """A stage; its counts are of the whole result, whether made now or by an earlier call."""

    stage: str
    tasks_made: int
    tasks_found: int
    articles: int
    sentences: int
    tokens: int
    rows: int
    rejected: int
    rejected_by_reason: dict[str, int]
    rejects_file: Optional[pathlib.Path]
    bytes_in: int
    bytes_out: int
    seconds: float
    peak_bytes: int
    left_out: dict[str, int]
    data: list[DatasetReport]


def _framed(page: str) -> str:
    return f'<iframe sandbox srcdoc="{html.escape(page)}" style="width: 100%; height: 40em; border: 0"></iframe>'


@_result
class Report:
    """The page of `bertprep report`; a notebook shows it."""

    html: str = dataclasses.field(repr=False)
    sets: list[ReportedSet]

    def save(self, path: Any) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        return _framed(self.html)


@_result
class BuildReport:
    stages: list[StageReport]
    shard_folders: list[pathlib.Path]  # one for each phase, or that of the sequences
    rows: int
    shards: int
    notes: list[str]

    @property
    def warnings(self) -> list[str]:
        return [warning.text for stage in self.stages for data in stage.data for warning in data.warnings]

    def _repr_html_(self) -> str:
        from bertprep import report

        return "".join(report(folder)._repr_html_() for folder in self.shard_folders)


@_result
class PlannedPhase:
    seq_len: int  # 0: token sequences
    rows: int
    bytes: int


@_result
class PlannedStage:
    stage: str
    seconds: float


@_result
class PlannedDisk:
    folder: pathlib.Path
    peak_bytes: int
    kept_bytes: int
    free_bytes: int


@_result
class Plan:
    """Estimates for a run; errors are relative, 0.05 is 5 %."""

    dataset: str
    from_sample: bool
    input_bytes: int
    sample_bytes: int
    size_error: float
    time_error: float
    download_bytes: int
    articles: int
    sentences: int
    tokens: int
    formatted_bytes: int
    text_shard_bytes: int
    shards: int
    phases: list[PlannedPhase]
    stages: list[PlannedStage]
    seconds: float
    threads: int
    largest_text_shard_bytes: int
    memory_of_one_thread: int
    memory_of_all_threads: int
    memory_allowed: int
    threads_within_memory: int
    disks: list[PlannedDisk]
    warnings: list[str]
    notes: list[str]


@_result
class SequenceCounts:
    articles: int
    sequences: int
    tokens: int
    dropped: int  # tokens in no sequence
    bytes: int


@_result
class SequenceReport:
    splits: dict[str, SequenceCounts]
    stage: StageReport
    notes: list[str]


@_result
class VocabReport:
    """Of the letters that occur often enough, how many got no piece; of the words, how many were changed."""

    pieces: int
    stage: StageReport
    letters_left_out: int
    letter_uses_left_out: int
    letter_uses: int
    words_changed: int
    words_too_long: int
    words: int


@_result
class ReshardReport:
    name: str
    training_shards: int
    test_shards: int
    training_rows: int
    test_rows: int
    dropped: int
    repeated: int
    made: int
    found: int


@_result
class VerifyReport:
    """`kind` is shards, sequences, or files: text and vocabularies. `files` counts those, or the shards."""

    path: pathlib.Path
    kind: str
    files: int
    rows: int
    bytes: int
    problems: list[str]

    @property
    def is_sound(self) -> bool:
        return not self.problems


@_result
class InspectedRow:
    row: int
    columns: dict[str, Any]  # arrays of one row
    pieces: Optional[list[str]]  # None: the vocabulary is not known


@_result
class Inspection:
    file: pathlib.Path
    rows: int
    seq_len: int  # 0: rows of any length
    max_predictions: int
    bytes: int
    shown: list[InspectedRow]
    html: Optional[str] = dataclasses.field(default=None, repr=False)

    def _repr_html_(self) -> Optional[str]:
        return self.html and _framed(self.html)


@_result
class ExplainedSentence:
    """Its tokens [first_token, last_token) are in the row."""

    text: str
    line: int  # in the text shard, from 1
    tokens: int
    first_token: int
    last_token: int


@_result
class ExplainedSegment:
    """A or B: `number` is that of the article in the formatted file, from 1; `origin` where it comes from."""

    formatted: Optional[pathlib.Path]
    number: int
    origin: Optional[dict[str, Any]]
    why_not: str
    first_line: int
    last_line: int
    sentences: list[ExplainedSentence]
    cut_tokens: int


@_result
class ExplainedMask:
    position: int
    original: str
    shown: str
    how: str  # mask, same or random


@_result
class ExplainedRow:
    shard: pathlib.Path
    row: int
    text_shard: pathlib.Path
    pieces: list[str]
    next_sentence: str  # following, other article, or same article
    pass_number: int  # over the articles, from 1
    passes: int
    aimed_tokens: int
    a: ExplainedSegment
    b: ExplainedSegment
    masks: list[ExplainedMask]


@_result
class RowDifference:
    place_a: str
    place_b: str
    what: str


@_result
class RowsCompared:
    part: str  # training, test, other or all
    rows_a: int
    rows_b: int
    same_order: bool
    same_rows: bool
    first: Optional[RowDifference]
    common: int  # of the rows counted, one in `one_in`
    common_of: int
    one_in: int


@_result
class RecipeDifference:
    name: str
    a: str
    b: str


@_result
class Comparison:
    parts: list[RowsCompared]
    recipes: list[RecipeDifference]
    same_order: bool
    same_rows: bool


@_result
class TrapEffect:
    trainer: str
    severity: str
    text: str


@_result
class Finding:
    trap: str  # its name in docs/cli/doctor.md
    severity: str  # remark, crash, crash late, silent or hang
    what: str
    fix: str
    file: Optional[str]
    row: Optional[int]
    rows: int  # with this trap
    files: int
    effects: list[TrapEffect]


@_result
class Diagnosis:
    path: pathlib.Path
    format: str  # hdf5, mds or megatron
    files: int
    training_files: int
    rows: int
    tokens: int
    findings: list[Finding]  # worst first
    serious: int  # findings that are no remarks


@_result
class ReportedSet:
    diagnosis: Diagnosis
    rows: int
    warnings: list[DataWarning]


@_result
class RowsInOrder:
    """Row `numbers[i]` of `shards[shard_numbers[i]]` is at position `first + i`; both arrays are int64."""

    shards: list[pathlib.Path]
    shard_numbers: Any
    numbers: Any
    first: int
    rows_per_epoch: int
    steps: Any = None  # with a batch_size: of each row, from 1
    ranks: Any = None  # with a world_size
