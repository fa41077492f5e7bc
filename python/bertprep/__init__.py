"""Data for pretraining BERT-like encoders: bertprep's library for Python.

    import bertprep
    bertprep.build(documents, output="dataset", vocab="bert-base-uncased", phases=[1, 2], name="tickets")

Functions take the options of the program's commands as keywords: --seq-len is seq_len, --for is trainer;
options(function) lists them. They raise subclasses of bertprep.Error, print nothing, and return the dataclasses of
bertprep.results. Long calls take `progress`: a callable that is given ProgressEvents, or True for bars of tqdm. Ctrl-C
stops them, and the same call resumes.
"""

from __future__ import annotations

import functools
from collections import namedtuple

from bertprep import _native
from bertprep._native import __version__
from bertprep.errors import Cancelled, ConfigError, Error, FormatError, IoError, MissingError, OfflineError
from bertprep.results import RowsInOrder

__all__ = [
    "Cancelled", "ConfigError", "Error", "FormatError", "IoError", "MissingError", "OfflineError", "OrderedBatches",
    "Rows", "SentenceSplitter", "Tokenizer", "__version__", "build", "clean_wikitext", "compare", "component",
    "doctor", "explain", "export_vocab", "extract", "extract_page", "format", "inspect", "options", "order", "plan",
    "read", "report", "reshard", "run", "sequences", "split_sentences", "train_vocab", "verify"]

Option = namedtuple("Option", "name type default choices help")


def __getattr__(name):
    if name in ("OrderedBatches", "Rows"):  # they need h5py and numpy
        from bertprep import rows

        return getattr(rows, name)
    raise AttributeError(f"module 'bertprep' has no attribute '{name}'")


def options(function):
    """The keyword options of a function or class, in order, as (name, type, default, choices, help)."""
    name = function if isinstance(function, str) else function.__name__
    listed = _native.options.get("SentenceSplitter" if name == "split_sentences" else name, list)
    return [Option(*option) for option in listed()]


def component(name, version):
    """Decorates a callable as a splitter (text to a list of its sentences), a normalizer (text to text), or a tokenizer
    (sentence to ids). Name and version are part of what decides a dataset: change the version with the results."""

    def decorate(function):
        @functools.wraps(function)
        def named(*arguments):
            return function(*arguments)

        named.name, named.version = name, version
        return named

    return decorate


def _prepared(given):
    """The options with `phases` as `phase`, and `progress=True` as bars."""
    given = dict(given)
    if given.get("progress") is True:
        from bertprep.bars import ProgressBars

        given["progress"] = ProgressBars()
    elif given.get("progress") is False:
        del given["progress"]
    phases = given.pop("phases", None)
    if phases is not None:
        if given.get("phase") is not None:
            raise TypeError("give phase or phases, not both")
        wanted = {str(phase) for phase in ([phases] if isinstance(phases, (int, str)) else phases)}
        given["phase"] = "both" if wanted == {"1", "2"} else wanted.pop() if len(wanted) == 1 else str(phases)
    return given


def _call(name, options, **arguments):
    return getattr(_native, name)({**_prepared(options), **arguments})


def _documents(documents):
    """pandas' frames and pyarrow's tables by rows; other iterables as they are."""
    if hasattr(documents, "to_batches"):  # pyarrow.Table
        return (row for batch in documents.to_batches() for row in batch.to_pylist())
    if hasattr(documents, "to_pylist"):  # pyarrow.RecordBatch, Array
        return documents.to_pylist()
    if hasattr(documents, "itertuples") and hasattr(documents, "columns"):  # pandas.DataFrame
        names = list(documents.columns)
        return (dict(zip(names, row)) for row in documents.itertuples(index=False, name=None))
    return documents


def build(documents, output, **options):
    """Makes the dataset of an iterable of documents in the folder `output`, and returns a BuildReport.

    A document is a str, (title, text), a mapping with its text at `text_field`, or an object with a `text`, such as
    read() gives. They are taken in batches, in the thread that calls. The vocabulary `vocab` and Punkt's parameters
    are downloaded if they are missing, unless offline=True. `work` is the folder for text and downloads.
    `phases=[1, 2]` are both phases; `trainer` or `to` makes token sequences instead. `splitter`, `normalizer` and
    `tokenizer` are components of yours. An exception of the iterable ends the call; a second call resumes."""
    return _call("build", options, documents=_documents(documents), output=output)


def run(dataset=None, *, input=None, output, **options):
    """build() from a dataset by name, such as "wikitext-2", or from files: what `bertprep run` does. With `stage`, one
    task of an array job: its report is that of the stage."""
    return _call("run", options, dataset=dataset, input=input, output=output)


def plan(dataset=None, *, input=None, output, **options):
    """What run() would need and make, as a Plan: rows, bytes, memory, disk and time."""
    return _call("plan", options, dataset=dataset, input=input, output=output)


def format(input, output, **options):
    """Writes the articles of files to the file `output`, one a line; returns a StageReport."""
    return _call("format", options, input=input, output=output)


def extract(dumps, output, **options):
    """Extracts dumps of wikis into the folder `output`, as `bertprep extract`; returns a StageReport."""
    return _call("extract", options, dumps=dumps, output=output)


def extract_page(dumps, page, **options):
    """The page with this title or id as a <doc> element. `index` is that of a multistream dump."""
    return _call("extract_page", options, dumps=dumps, page=str(page))


def sequences(texts, output, **options):
    """Makes token sequences of text shards or formatted files for `trainer`; returns a SequenceReport."""
    return _call("sequences", options, texts=texts, output=output)


def train_vocab(documents=None, *, input=None, output, **options):
    """Trains a WordPiece vocabulary on documents, as build() takes them, or on files, and writes it to `output`."""
    documents = None if documents is None else _documents(documents)
    return _call("train_vocab", options, documents=documents, input=input, output=output)


def export_vocab(folder, max_tokens=512, **options):
    """Writes the tokenizer of `vocab` as HuggingFace's programs load it; returns the paths of its files."""
    return _call("export_vocab", options, folder=folder, max_tokens=max_tokens)


def reshard(folder, output, **options):
    """Distributes the rows of shards over others, without the text; returns a ReshardReport."""
    return _call("reshard", options, folder=folder, output=output)


def verify(*paths, **options):
    """Checks folders of shards or sequences, text and vocabularies, and the folder `work` of runs: a list of
    VerifyReport, whose `problems` are empty if all is well. With `finish`, it first writes manifest.json in folders
    that the tasks of an array have filled."""
    return _call("verify", options, paths=list(paths))


def inspect(path, rows=3, vocab=None, html=False):
    """The first rows of a shard or set of token sequences, or those of a slice or range, as an Inspection. A folder
    stands for the first one below it. With `html`, the Inspection has a page, too, which a notebook shows."""
    if isinstance(rows, int):
        rows = slice(rows)
    first, last = rows.start or 0, rows.stop
    if (rows.step or 1) != 1 or first < 0 or (last is not None and last < 0):
        raise ValueError("rows are a number, or a slice or range that counts up from 0 by 1")
    last = 2**62 if last is None else last
    return _call("inspect", {"vocab": vocab, "html": html}, path=path, first=first, last=last)


def explain(path, rows, **options):
    """Where rows come from: articles, sentences and masks; of token sequences, the documents. For a number an
    ExplainedRow or ExplainedSequence, for several a list."""
    explained = _call("explain", options, path=path, rows=[rows] if isinstance(rows, int) else list(rows))
    return explained[0] if isinstance(rows, int) else explained


def compare(a, b, progress=None):
    """Whether two sets of HDF5 files have the same rows, as a Comparison."""
    return _call("compare", {"progress": progress}, a=a, b=b)


def doctor(path, **options):
    """What in a set would hang, crash or mislead a trainer: a list of Diagnosis with findings, one for each set."""
    return _call("doctor", options, path=path)


def report(path, rows=20, **options):
    """The page of `bertprep report`, with this number of rows of each set."""
    return _call("report", options, path=path, rows=rows)


def order(folder, seed=42, epoch=0, position=0, rows=10, order="v2", test=False, batch_size=None, world_size=None):
    """The order in which berttrain and OrderedBatches take the rows, or those of the test shards, as RowsInOrder. With
    `batch_size`, the rows of a step over all processes, it has their steps; with `world_size`, their processes, too."""
    if world_size is not None and (batch_size is None or world_size < 1 or batch_size % world_size):
        raise ConfigError(f"world_size is {world_size}, and batch_size {batch_size}: give a multiple of world_size")
    if batch_size is not None and batch_size < 1:
        raise ConfigError(f"batch_size is {batch_size}, it must be at least 1")
    if order not in ("v2", "v1", "none"):
        raise ConfigError(f"order is {order!r}, it must be one of v2, v1, none")
    import pathlib

    import numpy

    from bertprep.rows import RowOrder, Rows

    try:
        found = Rows(folder, "test" if test else "training")
    except FileNotFoundError as error:
        raise MissingError(str(error)) from error
    places = RowOrder(found.rows, found.stored_chunk_rows, found.seq_len, seed, None if order == "none" else order)
    first = position + epoch * len(found)
    numbers = places.of(first + numpy.arange(rows))
    ends = numpy.cumsum(found.rows)
    shards = numpy.searchsorted(ends, numbers, side="right")
    steps = ranks = None
    if batch_size is not None:
        steps, rest = numpy.divmod(first + numpy.arange(rows), batch_size)
        steps, ranks = steps + 1, None if world_size is None else rest // (batch_size // world_size)
    names = [pathlib.Path(path).relative_to(found.folder) for path in found.paths]
    return RowsInOrder(names, shards, numbers - (ends - found.rows)[shards], first, len(found), steps, ranks)


class read:
    """An iterator over the articles of files: of each a Document. Options are those of `bertprep format`.

        with bertprep.read("enwiki.xml.bz2", clean=True) as pages:
            for page in pages:
                page.title, page.text

    Bad records are skipped and counted in `rejected`, pages that are no articles in `left_out`, by reason; with
    strict=True a bad record is an error. The files are closed at the end, or by close()."""

    def __init__(self, *inputs, **options):
        self._inputs = inputs
        self._reader = _native.Reader(list(inputs), options)
        self._batch = iter(())

    def __iter__(self):
        return self

    def __next__(self):
        for document in self._batch:
            return document
        self._batch = iter(self._reader.next_batch())
        for document in self._batch:
            return document
        raise StopIteration

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._batch = iter(())
        self._reader.close()

    @property
    def rejected(self):
        return self._reader.rejected

    @property
    def left_out(self):
        return self._reader.left_out

    def __repr__(self):
        return f"bertprep.read({', '.join(map(repr, self._inputs))})"


class SentenceSplitter:
    """Splits texts into sentences: `rules` is icu (of `language`), punkt (with its parameters in the folder `punkt`),
    lines, or auto: punkt with `punkt`, else icu."""

    def __init__(self, rules=None, **options):
        self._splitter = _native.SentenceSplitter({"sentences": rules, **options})

    def split(self, text):
        """The sentences of a text, whose lines are first joined by blanks, as build() does."""
        return self._splitter.split(text)

    def __repr__(self):
        return f"<bertprep.SentenceSplitter {self._splitter.identity}>"


@functools.lru_cache(maxsize=16)
def _splitter(rules, options):
    return SentenceSplitter(rules, **dict(options))


def split_sentences(text, rules=None, **options):
    """The sentences of a text, as SentenceSplitter(rules, ...).split(text)."""
    return _splitter(rules, tuple(sorted(options.items()))).split(text)


def clean_wikitext(markup, language="en", title="", **options):
    """The prose of a wiki page as `--clean` extracts it, one paragraph a line; empty for redirects, disambiguation
    pages and pages without prose. `language` is that of the Wikipedia."""
    return _native.clean_wikitext(markup, language, title, options)


class Tokenizer(_native.Tokenizer):
    """A tokenizer: WordPiece, or byte-level BPE. `vocab` is a name, a file of pieces, a tokenizer.json, or a folder.

    Case and accents follow the files unless they are given: lower_case, strip_accents. Threads may share one; it can be
    pickled, by name or path."""

    def __init__(self, vocab, **options):
        super().__init__(vocab, options)

    def encode(self, text):
        """The ids of a text, without special tokens: an int32 array."""
        return super().encode(text)

    def encode_batch(self, texts, threads=0):
        """The ids of all texts in one int32 array, and int64 offsets: text i has ids[offsets[i]:offsets[i + 1]].
        `threads=0`: all of the machine's, for large batches."""
        return super().encode_batch(texts, threads)

    def __repr__(self):
        return f"<bertprep.Tokenizer {self.name}: {len(self):,} tokens>"
