"""Results of the library. Written by scripts/update_python_stubs.py, from python/native/records.h."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import Any, Optional


@dataclasses.dataclass(frozen=True)
class ProgressEvent:
    """An event of a long call: `kind` is begin, progress, end, note, rejected or remark. `done` and `total` are in
    `unit`; a total of 0 is unknown. `fraction` is that of the whole call, from 0 to 1. `where` is that of a rejected
    record, or what a remark is about."""

    kind: str
    stage: str
    done: int
    total: int
    unit: str
    fraction: float
    seconds_left: Optional[float]
    where: str
    text: str


@dataclasses.dataclass(frozen=True)
class DataWarning:
    about: str
    text: str


@dataclasses.dataclass(frozen=True)
class DatasetReport:
    """`data` is a JSON object (docs/formats/data.md)."""

    folder: pathlib.Path
    data: str
    warnings: list[DataWarning]


@dataclasses.dataclass(frozen=True)
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


@dataclasses.dataclass(frozen=True)
class BuildReport:
    """`shard_folders` has one for each phase, or that of the sequences."""

    stages: list[StageReport]
    shard_folders: list[pathlib.Path]
    rows: int
    shards: int
    notes: list[str]


@dataclasses.dataclass(frozen=True)
class PlannedPhase:
    """Token sequences have seq_len 0."""

    seq_len: int
    rows: int
    bytes: int


@dataclasses.dataclass(frozen=True)
class PlannedStage:
    stage: str
    seconds: float


@dataclasses.dataclass(frozen=True)
class PlannedDisk:
    folder: pathlib.Path
    peak_bytes: int
    kept_bytes: int
    free_bytes: int


@dataclasses.dataclass(frozen=True)
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


@dataclasses.dataclass(frozen=True)
class SequenceCounts:
    """`dropped` are tokens in no sequence."""

    articles: int
    sequences: int
    tokens: int
    dropped: int
    bytes: int


@dataclasses.dataclass(frozen=True)
class SequenceReport:
    splits: dict[str, SequenceCounts]
    stage: StageReport
    notes: list[str]


@dataclasses.dataclass(frozen=True)
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


@dataclasses.dataclass(frozen=True)
class ReshardReport:
    """`made` and `found` count shards, `dropped` and `repeated` rows."""

    name: str
    training_shards: int
    test_shards: int
    training_rows: int
    test_rows: int
    dropped: int
    repeated: int
    made: int
    found: int


@dataclasses.dataclass(frozen=True)
class VerifyReport:
    """`kind` is shards, sequences, or files: text and vocabularies. `files` counts those, or the shards."""

    path: pathlib.Path
    kind: str
    files: int
    rows: int
    bytes: int
    problems: list[str]


@dataclasses.dataclass(frozen=True)
class InspectedRow:
    """`columns` are arrays of one row. `pieces` are None if the vocabulary is not known."""

    row: int
    columns: dict[str, Any]
    pieces: Optional[list[str]]


@dataclasses.dataclass(frozen=True)
class ExplainedSentence:
    """Its tokens [first_token, last_token) are in the row. `line` is that of the text shard, from 1."""

    text: str
    line: int
    tokens: int
    first_token: int
    last_token: int


@dataclasses.dataclass(frozen=True)
class ExplainedSegment:
    """A or B: `number` is that of the article in the formatted file, from 1; `origin` where it comes from, and
    `why_not` why that is not known. Lines are those of the text shard."""

    formatted: Optional[pathlib.Path]
    number: int
    origin: Any
    why_not: str
    first_line: int
    last_line: int
    sentences: list[ExplainedSentence]
    cut_tokens: int


@dataclasses.dataclass(frozen=True)
class ExplainedMask:
    """`how` is mask, same or random."""

    position: int
    original: str
    shown: str
    how: str


@dataclasses.dataclass(frozen=True)
class ExplainedRow:
    """`next_sentence` is following, other article, or same article; `pass_number` that over the articles, from 1."""

    shard: pathlib.Path
    row: int
    text_shard: pathlib.Path
    pieces: list[str]
    next_sentence: str
    pass_number: int
    passes: int
    aimed_tokens: int
    a: ExplainedSegment
    b: ExplainedSegment
    masks: list[ExplainedMask]


@dataclasses.dataclass(frozen=True)
class ExplainedDocument:
    """Its tokens [first_token, last_token), of `tokens`, are in the row, from token `begin` on. The others are as in
    ExplainedSegment."""

    formatted: Optional[pathlib.Path]
    number: int
    origin: Any
    why_not: str
    line: int
    begin: int
    first_token: int
    last_token: int
    tokens: int


@dataclasses.dataclass(frozen=True)
class ExplainedSequence:
    """A row of token sequences. `file` is that of the row, or its set."""

    file: pathlib.Path
    row: int
    pieces: list[str]
    text_shard: pathlib.Path
    documents: list[ExplainedDocument]


@dataclasses.dataclass(frozen=True)
class RowDifference:
    place_a: str
    place_b: str
    what: str


@dataclasses.dataclass(frozen=True)
class RowsCompared:
    """`part` is training, test, other or all. `common` counts the rows that both have, of `common_of`, in one of
    `one_in` rows."""

    part: str
    rows_a: int
    rows_b: int
    same_order: bool
    same_rows: bool
    first: Optional[RowDifference]
    common: int
    common_of: int
    one_in: int


@dataclasses.dataclass(frozen=True)
class RecipeDifference:
    name: str
    a: str
    b: str


@dataclasses.dataclass(frozen=True)
class Comparison:
    parts: list[RowsCompared]
    recipes: list[RecipeDifference]
    same_order: bool
    same_rows: bool


@dataclasses.dataclass(frozen=True)
class TrapEffect:
    trainer: str
    severity: str
    text: str


@dataclasses.dataclass(frozen=True)
class Finding:
    """`trap` is its name in docs/cli/doctor.md; `severity` remark, crash, crash late, silent or hang. `rows` and
    `files` count those with it."""

    trap: str
    severity: str
    what: str
    fix: str
    file: Optional[str]
    row: Optional[int]
    rows: int
    files: int
    effects: list[TrapEffect]


@dataclasses.dataclass(frozen=True)
class Diagnosis:
    """`findings` are sorted, the worst first; `serious` counts those that are no remarks."""

    path: pathlib.Path
    format: str
    files: int
    training_files: int
    rows: int
    tokens: int
    findings: list[Finding]
    serious: int


@dataclasses.dataclass(frozen=True)
class ReportedSet:
    diagnosis: Diagnosis
    rows: int
    warnings: list[DataWarning]
