"""Rows written by bertprep, for training loops in Python: a dataset, and a sampler with berttrain's order.

The module bertprep.rows also stands alone, as one file that may be copied. It needs h5py and numpy; with torch the
items are tensors, and both classes go into torch.utils.data.DataLoader:

    dataset = Rows("hdf5_dataset/hdf5_.../books")
    batches = OrderedBatches(dataset, batch_size=256, seed=42, rank=rank, world_size=world_size)
    loader = torch.utils.data.DataLoader(dataset, sampler=batches, batch_size=None, num_workers=2)

Rows for BERT give the inputs of BertForPreTraining: input_ids, attention_mask, token_type_ids, labels (-100 if not to
be predicted), next_sentence_label. Token sequences give input_ids, and labels equal to them; a batch of MDS or Megatron
sets, which bertprep.token_files reads, is filled up to its longest row, with attention_mask 0.

Rows are read by number, so whole shards are not compared with the digests of their manifest: bertprep.verify(folder)
does that, as often as a dataset is copied.

The order of rows depends only on the shards, seed, epoch and position (docs/formats/randomness.md): it is the same for
any number of processes, and any position can be reached at once.
"""

import collections
import contextlib
import ctypes
import fcntl
import functools
import glob
import itertools
import mmap
import multiprocessing.util
import operator
import os
import random
import re
import threading
import time
import weakref
import zlib

import numpy as np

try:
    from bertprep import _native  # decodes twice as fast, without h5py
except ImportError:
    _native = None
try:
    import h5py
except ImportError:
    if _native is None:
        raise
try:
    from bertprep import token_files  # of MDS and Megatron
except ImportError:
    token_files = None
try:
    import torch
except ImportError:
    torch = None

POOL_ROWS, POOL_TOKENS = 32768, 1 << 25  # at most
MOST_CHUNKS, LEAST_CHUNKS = 128, 8  # of a pool
BLOCK_ROWS_V1 = 32768
MOST_ROWS = 1 << 20  # at once
IGNORED = -100
MOST_FILES = 64  # open at once
SHARED_MEMORY, CLAIM_SECONDS, MOST_TRIES = "/dev/shm", 30, 3
SLOTS, SLOT_BYTES, LEAST_BYTES = 16, 1 << 26, 1 << 15  # of batches that workers send
_SHARD = re.compile(r".*(training|test).*\.(?:hdf5|h5)$", re.DOTALL)


def shards_of(folder, split="training"):
    """The paths of the shards of a split, in berttrain's order: by the bytes of their names."""
    names = [name for name in os.listdir(folder) if not name.startswith(".") and split in _SHARD.findall(name)]
    return [os.path.join(folder, name) for name in sorted(names, key=os.fsencode)]


def _dataset_at(folder, split):
    """Its folder, this or the only one below it, as in the ROOT of a run; and its index if it is MDS or Megatron."""
    found = [] if os.path.isdir(folder) or not token_files else [(folder, token_files.index_of_prefix(folder))]
    for below, folders, _ in os.walk(folder):
        sets = [None] if shards_of(below, split) else token_files.sets_of(below, split) if token_files else []
        found += [(below, index) for index in sets]
        folders[:] = [] if sets else sorted(name for name in folders if not name.startswith("."))
    if not found:
        raise FileNotFoundError(f"{folder}: holds no shards with '{split}' in their names")
    if len(found) > 1:
        raise ValueError(f"{folder}: holds {len(found)} datasets: give one of "
                         f"{', '.join(index[:-4] if index else below for below, index in found)}")
    return found[0]


class Rows:
    """All rows of a split by number, shard after shard. `folder` holds the shards, or only one folder that does, or is
    the PREFIX of a Megatron set, whose rows are its sequences.

    Rows are decompressed in their stored chunks, and the newest ones cached, by default as many as a pool of
    OrderedBatches has: in its order, each chunk is read once per epoch. It takes 32 MB for rows of 128 tokens, 125 MB
    for 512, at most 380 MB; plus 100 bytes for each chunk seen. The workers of a DataLoader share one cache, half as
    large again, in /dev/shm; each has its own if that is too small. Each process opens the shards that it reads, so the
    dataset may be created before workers are forked, and it can be pickled.

    With `order_seed`, row i is the i-th in berttrain's order of the epoch that set_epoch() chose, at first 0.
    """

    def __init__(self, folder, split="training", kept_rows=None, order_seed=None, order="v2"):
        (self.folder, index), self.split = _dataset_at(folder, split), split
        if index:  # of rows of several lengths: 0
            self.paths, self.rows = token_files.files_of(index)
            self.stored_chunk_rows, self.seq_len = (0,) * len(self.paths), 0
        else:
            self.paths = shards_of(self.folder, split)
            self.rows, self.stored_chunk_rows, (self.seq_len, *_) = zip(*map(_shape_of, self.paths))
        self._grid = _ChunkGrid(self.rows, _chunk_rows(self.stored_chunk_rows, _pool_rows(self.seq_len)))
        self.kept_rows = kept_rows or _pool_rows(self.seq_len) + 4 * int(self._grid.chunk_rows.max())
        self._order = order_seed if order_seed is None else RowOrder(
            self.rows, self.stored_chunk_rows, self.seq_len, order_seed, order)
        self.epoch, self._token = 0, f"{os.getpid()}-{id(self)}-{time.monotonic_ns()}"
        self._process = self._files = self._kept = self._shared = None
        weakref.finalize(self, _remove_shared, self._token, os.getpid())

    def set_epoch(self, epoch):
        """With order_seed: the rows are those of this epoch, in its order."""
        self.epoch = epoch

    def close(self):
        """Frees the cache and closes the files; a further row opens them again."""
        self._process = self._files = self._kept = self._shared = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __len__(self):
        return int(self._grid.row_ends[-1])

    def __repr__(self):
        return (f"Rows({os.fspath(self.folder)!r}, {self.split!r}): {len(self):,} rows of {self.seq_len or 'their'} "
                f"tokens in {len(self.paths):,} shard{'s' if len(self.paths) != 1 else ''}")

    def __getitem__(self, numbers):
        """The row with this number, from the end if negative; for a slice, or a list, range or array of numbers, a
        batch with an array or tensor for each column."""
        if isinstance(numbers, slice):
            numbers = range(*numbers.indices(len(self)))
        is_batch = hasattr(numbers, "__len__") and getattr(numbers, "ndim", 1) != 0
        numbers = self._row_numbers(numbers if is_batch else [operator.index(numbers)])
        columns = self._read(numbers if len(numbers) else np.zeros(1, np.int64))
        inputs = _model_inputs({name: column[:len(numbers)] for name, column in columns.items()})
        if torch is not None:
            inputs = _Tensors((name, torch.from_numpy(column)) for name, column in inputs.items())
        return inputs if is_batch else type(inputs)((name, column[0]) for name, column in inputs.items())

    def __getitems__(self, numbers):
        """For DataLoader with a batch_size: a list of rows, read at once."""
        batch = self[numbers]
        return [type(batch)((name, column[i]) for name, column in batch.items()) for i in range(len(numbers))]

    def _row_numbers(self, given):
        """As an array of numbers from 0."""
        if len(given) > MOST_ROWS:
            raise ValueError(f"{len(given):,} rows at once are too many: take at most {MOST_ROWS:,}")
        numbers = np.asarray(given)
        if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
            raise TypeError(f"row numbers are one list of integers, not {type(given).__name__} of {numbers.dtype}")
        least, most = (int(numbers.min()), int(numbers.max())) if numbers.size else (0, 0)
        if least < -len(self) or most >= len(self):
            raise IndexError(f"there is no row {most if most >= len(self) else least}: "
                             f"the dataset has {len(self):,} rows")
        numbers = numbers.astype(np.int64, copy=False)
        numbers = np.where(numbers < 0, numbers + len(self), numbers) if least < 0 else numbers
        return numbers if self._order is None else self._order.of(numbers + self.epoch * len(self))

    def _read(self, numbers):
        if self._process != os.getpid():
            self._begin_process()
        if self.seq_len == 0:
            return token_files.columns_of(self.paths, self._grid.row_ends, numbers, self._files)
        chunks, rows = self._grid.places(numbers)
        for _ in range(MOST_TRIES if self._shared else 0):
            batch = self._shared.take(chunks, rows)
            if batch is not None:
                return batch
            for chunk in np.unique(chunks).tolist():
                if self._shared.claim(chunk):
                    self._shared.put(chunk, self._decoded(chunk))
        begins = self._kept.begins[chunks]
        is_kept = begins >= 0
        if is_kept.all():  # the usual case in the order of OrderedBatches
            return self._kept.take(begins + rows)
        # Cached chunks come first: the others may evict them.
        batch = self._kept.scatter({}, chunks, rows, is_kept) if is_kept.any() else {}
        missing = np.unique(chunks[~is_kept])
        for begin in range(0, len(missing), self._kept.chunks):
            loaded = missing[begin:begin + self._kept.chunks]
            for chunk in loaded.tolist():
                self._kept.put(chunk, self._decoded(chunk))
            at = ~is_kept & (chunks >= loaded[0]) & (chunks <= loaded[-1])
            self._kept.scatter(batch, chunks, rows, at)
        return batch

    def _begin_process(self):
        self._process, self._files, self._shared = os.getpid(), {}, None
        self._kept = _KeptChunks(self._grid, self.kept_rows)
        worker = torch and torch.utils.data.get_worker_info()
        is_from_here = self._token.startswith(f"{self._process}-")  # its end would remove what others read
        if not worker or is_from_here or not os.path.isdir(SHARED_MEMORY):
            return
        name = os.path.join(SHARED_MEMORY, f"bertprep-rows-{self._token}-{os.getppid()}")
        with contextlib.suppress(OSError):  # too little memory
            _Tensors.outbox = _Outbox(f"{name}-{self._process}")
            if worker.num_workers > 1 and self.seq_len:
                # Some workers are still in a pool when others begin the next one.
                rows = self.kept_rows + _pool_rows(self.seq_len) // 2
                self._shared = _SharedChunks(self._grid, rows, self._decoded(0), name, worker.num_workers)

    def _decoded(self, chunk):
        """The columns of a chunk; with the extension, until the next call."""
        shard, first, rows = self._grid.span(chunk)
        if shard not in self._files:
            self._files[shard] = _open(self.paths[shard], self._files)
        if _native is not None:
            columns = self._files[shard].read(first, rows)
        else:
            columns = {name: np.empty((rows,) + column.shape[1:], column.dtype)
                       for name, column in self._files[shard].items()}
            with open(self.paths[shard], "rb", buffering=0) as file:
                for name, out in columns.items():
                    self._files[shard][name].read(file.fileno(), first, out)
        if "masked_lm_positions" in columns:
            positions = columns["masked_lm_positions"]
            if positions.min(initial=0) < 0 or positions.max(initial=0) >= self.seq_len:
                raise ValueError(f"{self.paths[shard]}: masked_lm_positions are not below {self.seq_len}")
            positions *= np.logical_and.accumulate(positions != 0, axis=1)  # the first 0 ends them
        return columns

    def __getstate__(self):
        return {**self.__dict__, "_process": None, "_files": None, "_kept": None, "_shared": None}


class _Tensors(dict):
    """By name. Workers of a DataLoader send them in shared memory, or as arrays if they are small: a pipe takes several
    times as long, and so does PyTorch, which opens a shared file for each tensor."""

    outbox = None  # in a worker

    def __reduce__(self):
        ours = {name: value.numpy() for name, value in self.items() if isinstance(value, torch.Tensor)
                and value.device.type == "cpu" and value.dtype == torch.int64 and value.is_contiguous()}
        others = [(name, value) for name, value in self.items() if name not in ours]
        sent = _Tensors.outbox.put(list(ours.values())) if _Tensors.outbox else None
        if sent:
            return _received, (*sent, [(name, value.shape) for name, value in ours.items()], others)
        return _tensors, (list(ours.items()), others)


def _tensors(arrays, others):
    return _Tensors([*((name, torch.from_numpy(value)) for name, value in arrays), *others])


def _received(name, slot, number, shapes, others):
    """The tensors of a slot of an _Outbox, which is free then."""
    arrays = [(name, np.empty(shape, np.int64)) for name, shape in shapes]
    file = os.open(name, os.O_RDWR)
    try:
        count = os.preadv(file, [array for _, array in arrays], SLOT_BYTES * (slot + 1))
        if count != sum(array.nbytes for _, array in arrays) or os.pread(file, 8, 8 * slot) != number:
            raise RuntimeError("a batch of a worker of DataLoader can be unpickled once only")
        os.pwrite(file, bytes(8), 8 * slot)
    finally:
        os.close(file)
    return _tensors(arrays, others)


class _Outbox:
    """A sparse file of shared memory: the number of the batch of each slot, 0 once it is read, and the slots."""

    def __init__(self, name):
        self._name, self._sent, self._lock = name, 0, threading.Lock()
        self._file = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
        multiprocessing.util.Finalize(None, _remove, (name,), exitpriority=0)
        os.pwrite(self._file, bytes(8 * SLOTS), 0)

    def put(self, arrays):
        """Name of the file, slot and number; None to send them otherwise."""
        size = sum(array.nbytes for array in arrays)
        if not LEAST_BYTES <= size <= SLOT_BYTES:
            return None
        with self._lock, contextlib.suppress(OSError):  # no memory is left
            numbers = os.pread(self._file, 8 * SLOTS, 0)
            slot = next((slot for slot in range(SLOTS) if numbers[8 * slot:8 * slot + 8] == bytes(8)), None)
            if slot is not None and os.pwritev(self._file, arrays, SLOT_BYTES * (slot + 1)) == size:
                self._sent += 1
                number = self._sent.to_bytes(8, "little")
                os.pwrite(self._file, number, 8 * slot)
                return self._name, slot, number
        return None


def _remove(name):
    with contextlib.suppress(OSError):
        os.unlink(name)


def _open(path, opened):
    """A reader of a shard, or its columns."""
    if _native is not None:
        if len(opened) >= MOST_FILES:
            del opened[next(iter(opened))]
        return _native.ShardReader(path)
    with h5py.File(path, "r") as file:
        return {name: _Column(path, file[name]) for name in file}


def _shape_of(path):
    """Rows, rows of a stored chunk of token ids (0: no chunks), tokens of a row."""
    if _native is not None:
        return _native.ShardReader(path).shape[:3]
    with h5py.File(path, "r") as file:
        counts = {name: file[name].shape[0] for name in file}
        if len(set(counts.values())) != 1:
            raise ValueError(f"{path}: its columns have different numbers of rows: {counts}")
        ids = file["input_ids"]
        return ids.shape[0], ids.chunks[0] if ids.chunks else 0, ids.shape[1]


def _remove_shared(token, process):
    """What fewer workers opened than there were, or killed ones left."""
    for name in glob.glob(os.path.join(SHARED_MEMORY, f"bertprep-rows-{token}-*")) if process == os.getpid() else ():
        _remove(name)


class _ChunkGrid:
    """The chunks of all shards by number, shard after shard."""

    def __init__(self, rows, chunk_rows):
        rows, self.chunk_rows = np.array(rows, dtype=np.int64), np.array(chunk_rows, dtype=np.int64)
        self.row_ends = np.cumsum(rows)
        self.row_begins = self.row_ends - rows
        counts = -(-rows // self.chunk_rows)
        self.ends = np.cumsum(counts)
        self.begins = self.ends - counts
        shards = np.repeat(np.arange(len(rows)), counts)
        first = (np.arange(len(shards)) - self.begins[shards]) * self.chunk_rows[shards]
        self.firsts = first + self.row_begins[shards]
        self.sizes = np.minimum(self.chunk_rows[shards], rows[shards] - first)

    def places(self, numbers):
        """The chunks of rows, and the positions of the rows in them."""
        shards = np.searchsorted(self.row_ends, numbers, side="right")
        chunks, rows = np.divmod(numbers - self.row_begins[shards], self.chunk_rows[shards])
        return chunks + self.begins[shards], rows

    def span(self, chunk):
        """The shard of a chunk, its first row there, and its number of rows."""
        shard = int(np.searchsorted(self.ends, chunk, side="right"))
        return shard, int(self.firsts[chunk] - self.row_begins[shard]), int(self.sizes[chunk])


class _KeptChunks:
    """The newest chunks: a ring of rows for each column."""

    def __init__(self, grid, rows):
        most = int(grid.chunk_rows.max())
        self.rows = min(max(rows, 2 * most), int(grid.row_ends[-1]) + most)
        self.chunks = max(self.rows // most - 1, 1)  # that fit without evicting each other
        self.begins = np.full(len(grid.sizes), -1, dtype=np.int64)  # of each chunk, in the ring
        self.ring, self.end, self.columns = collections.deque(), 0, None

    def take(self, places):
        return {name: column.take(places, axis=0) for name, column in self.columns.items()}

    def scatter(self, batch, chunks, rows, at):
        for name, column in self.take(self.begins[chunks[at]] + rows[at]).items():
            batch.setdefault(name, np.empty((len(at),) + column.shape[1:], column.dtype))[at] = column
        return batch

    def put(self, chunk, found):
        rows = len(found["input_ids"])
        if self.columns is None:
            self.columns = {name: np.empty((self.rows,) + column.shape[1:], column.dtype)
                            for name, column in found.items()}
        if self.end + rows > self.rows:
            self._drop(self.end, self.rows)
            self.end = 0
        begin, self.end = self.end, self.end + rows
        self._drop(begin, self.end)
        for name, column in self.columns.items():
            column[begin:self.end] = found[name]
        self.begins[chunk] = begin
        self.ring.append(chunk)

    def _drop(self, begin, end):
        while self.ring and begin <= self.begins[self.ring[0]] < end:
            self.begins[self.ring.popleft()] = -1


class _SharedChunks:
    """The newest chunks, in memory that the workers of a DataLoader share, so that one of them decodes each chunk: a
    file of /dev/shm that loses its name as soon as all workers have opened it."""

    def __init__(self, grid, rows, like, name, workers):
        self.rows, count = _KeptChunks(grid, rows).rows, len(grid.sizes)
        shapes = {"state": ((2,), np.int64), "begins": ((count,), np.int64), "readers": ((count,), np.int64)}
        shapes.update({name: ((self.rows,) + column.shape[1:], column.dtype) for name, column in like.items()})
        sizes = [-(-int(np.prod(shape)) * np.dtype(dtype).itemsize // 64) * 64 for shape, dtype in shapes.values()]
        self._file = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
        with self._lock(fcntl.LOCK_EX):
            is_new = os.fstat(self._file).st_size == 0
            os.posix_fallocate(self._file, 0, sum(sizes))  # else a full /dev/shm would kill the process later
            memory = mmap.mmap(self._file, sum(sizes))
            self.columns = {part: np.frombuffer(memory, dtype, int(np.prod(shape)), sum(sizes[:i])).reshape(shape)
                            for i, (part, (shape, dtype)) in enumerate(shapes.items())}
            # The end of the ring, and how many workers have opened it; the place of each chunk; who decodes it.
            self._state, self._begins, self._readers = map(self.columns.pop, ("state", "begins", "readers"))
            if is_new:
                self._begins[:] = -1
            self._state[1] += 1
            if self._state[1] == workers and os.path.exists(name):
                os.unlink(name)

    @contextlib.contextmanager
    def _lock(self, kind):
        fcntl.lockf(self._file, kind)
        try:
            yield
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN)

    def take(self, chunks, rows):
        """The rows; None unless all of the chunks are kept."""
        with self._lock(fcntl.LOCK_SH):
            begins = self._begins[chunks]
            if (begins < 0).any():
                return None
            return {name: column.take(begins + rows, axis=0) for name, column in self.columns.items()}

    def claim(self, chunk):
        """Whether this process must decode the chunk; waits for another one that does."""
        deadline = time.monotonic() + CLAIM_SECONDS
        while True:
            with self._lock(fcntl.LOCK_EX):
                if self._begins[chunk] >= 0:
                    return False
                if self._readers[chunk] in (0, os.getpid()) or time.monotonic() > deadline:
                    self._readers[chunk] = os.getpid()
                    return True
            time.sleep(0.0005)

    def put(self, chunk, found):
        rows = len(next(iter(found.values())))
        with self._lock(fcntl.LOCK_EX):
            begin = int(self._state[0])
            if begin + rows > self.rows:
                self._begins[self._begins >= begin] = -1
                begin = 0
            self._begins[(self._begins >= begin) & (self._begins < begin + rows)] = -1
            for name, column in self.columns.items():
                column[begin:begin + rows] = found[name]
            self._state[0], self._begins[chunk], self._readers[chunk] = begin + rows, begin, 0


def _open_libdeflate():
    """libdeflate's function if installed: some three times as fast as zlib."""
    try:
        # PyDLL keeps the interpreter's lock, so that threads don't share the decompressor.
        library = ctypes.PyDLL("libdeflate.so.0")
        library.libdeflate_alloc_decompressor.restype = ctypes.c_void_p
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        library.libdeflate_zlib_decompress.argtypes = [pointer, ctypes.c_char_p, size, pointer, size, pointer]
        return functools.partial(library.libdeflate_zlib_decompress, library.libdeflate_alloc_decompressor())
    except (OSError, AttributeError):
        return None


_LIBDEFLATE = _open_libdeflate()


class _Column:
    """One dataset of a shard. Deflated chunks are read without HDF5, several times as fast."""

    def __init__(self, path, dataset):
        self.path, self.name, self.shape, self.dtype = path, dataset.name, dataset.shape, dataset.dtype
        self.shuffled, self.places = dataset.shuffle and self.dtype.itemsize > 1, None
        if (dataset.chunks and dataset.compression == "gzip" and not dataset.fletcher32 and dataset.scaleoffset is None
                and self.dtype.kind in "iu" and self.dtype.isnative and dataset.ndim <= 2
                and hasattr(dataset.id, "get_chunk_info_by_coord")):
            self._find_chunks(dataset)

    def _find_chunks(self, dataset):
        steps = [range(0, size, step) for size, step in zip(self.shape, dataset.chunks)]
        found = [dataset.id.get_chunk_info_by_coord(corner) for corner in itertools.product(*steps)]
        self.chunk = (dataset.chunks + (1,))[:2]
        self.chunk_bytes = self.chunk[0] * self.chunk[1] * self.dtype.itemsize
        if all(info.byte_offset is not None and not info.filter_mask for info in found):
            self.places = np.array([info[2:] for info in found], dtype="u8,u4").reshape(len(steps[0]), -1)

    def read(self, file, first, out):
        """Fills `out` with the rows from `first` on."""
        if self.places is None:
            with h5py.File(self.path, "r") as library_file:
                out[:] = library_file[self.name][first:first + len(out)]
            return
        out, (step, width) = out.reshape(len(out), -1), self.chunk
        for band in range(first // step, -(-(first + len(out)) // step)):
            begin, end = max(first, band * step), min(first + len(out), (band + 1) * step)
            for tile, (offset, size) in enumerate(self.places[band].tolist()):
                columns = out[begin - first:end - first, tile * width:(tile + 1) * width]
                values = self._values(os.pread(file, size, offset))
                columns[:] = values[begin - band * step:end - band * step, :columns.shape[1]]

    def _values(self, stored):
        data = np.empty(self.chunk_bytes, np.uint8)
        if not _LIBDEFLATE or _LIBDEFLATE(stored, len(stored), data.ctypes.data, len(data), None) != 0:
            data = np.frombuffer(zlib.decompress(stored, bufsize=len(data)), np.uint8)
        if self.shuffled:
            planes, data = data.reshape(self.dtype.itemsize, -1), np.empty_like(data)
            for plane, values in enumerate(planes):
                data[plane::self.dtype.itemsize] = values
        return data.view(self.dtype).reshape(self.chunk)


def _model_inputs(columns):
    ids = columns["input_ids"].astype(np.int64)
    if "masked_lm_positions" not in columns:
        if "attention_mask" not in columns:
            return {"input_ids": ids, "labels": ids.copy()}
        mask = columns["attention_mask"].astype(np.int64)
        return {"input_ids": ids, "attention_mask": mask, "labels": np.where(mask == 0, IGNORED, ids)}
    positions = columns["masked_lm_positions"]
    labels = np.full(ids.shape, IGNORED, dtype=np.int64)
    masks = np.flatnonzero(positions)
    places = positions.ravel()[masks] + masks // positions.shape[1] * ids.shape[1]
    labels.ravel()[places] = columns["masked_lm_ids"].ravel()[masks]
    return {
        "input_ids": ids,
        "attention_mask": columns["input_mask"].astype(np.int64),
        "token_type_ids": columns["segment_ids"].astype(np.int64),
        "labels": labels,
        "next_sentence_label": columns["next_sentence_labels"].astype(np.int64).reshape(len(ids)),
    }


def _pool_rows(seq_len):
    return min(max(POOL_TOKENS // max(seq_len, 1), 1), POOL_ROWS)


def _chunk_rows(stored, pool):
    """The chunks of each shard, for pools of this many rows: whole stored chunks, unless one is too large."""
    least, most = max(pool // MOST_CHUNKS, 1), max(pool // LEAST_CHUNKS, 1)
    return [least if rows == 0 else min(-(-least // rows) * rows, most) for rows in stored]


def _mixed(counters):
    """SplitMix64's output for each counter."""
    z = np.asarray(counters, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def _drawn_order(seed, epoch, number, count):
    """The numbers below `count`, sorted by the random bits of each."""
    key = functools.reduce(lambda key, value: int(_mixed([(key + value) % 2**64])[0]), (seed, epoch, number), 0)
    return np.argsort(_mixed(np.arange(count, dtype=np.uint64) + np.uint64(key)), kind="stable")


class RowOrder:
    """The row at every position, epoch after epoch: "v2" mixes chunks of all shards, "v1" is the order of version 0.2,
    None does not shuffle."""

    def __init__(self, rows, stored_chunk_rows, seq_len, seed=42, order="v2"):
        if order not in ("v2", "v1", None):
            raise ValueError(f"the order {order!r} is not known; give 'v2', 'v1' or None")
        self.seed, self.order, self.rows = seed, order, sum(rows)
        if not self.rows:
            raise ValueError("there are no rows")
        self._pool_rows = _pool_rows(seq_len)
        self._grid = _ChunkGrid(rows, _chunk_rows(stored_chunk_rows, self._pool_rows) if order == "v2"
                                else [BLOCK_ROWS_V1] * len(rows))
        self._epoch, self._pool = None, None

    def _shuffled_v1(self, numbers, block):
        shuffled = numbers.tolist()
        random.Random(int(f"1{self.seed:020}{self._epoch:020}{block:020}")).shuffle(shuffled)
        return np.array(shuffled)

    def _open_epoch(self, epoch):
        self._epoch, self._pool = epoch, None
        chunks = np.arange(len(self._grid.sizes))
        if self.order == "v1":
            chunks = self._shuffled_v1(chunks, 0)
        elif self.order == "v2":
            chunks = _drawn_order(self.seed, epoch, 0, len(chunks))
        begins = np.cumsum(self._grid.sizes[chunks]) - self._grid.sizes[chunks]
        cuts = np.arange(len(chunks))
        if self.order == "v2":
            step = -(-self.rows // -(-self.rows // self._pool_rows))
            cuts = np.flatnonzero(np.diff(begins // step, prepend=-1))
        self._chunks, self._cuts, self._begins = chunks, np.append(cuts, len(chunks)), begins[cuts]

    def _open_pool(self, pool):
        self._pool = pool
        chunks = self._chunks[self._cuts[pool]:self._cuts[pool + 1]]
        sizes = self._grid.sizes[chunks]
        begins = np.cumsum(sizes) - sizes
        rows = np.repeat(self._grid.firsts[chunks] - begins, sizes) + np.arange(sizes.sum())
        if self.order == "v2":
            rows = rows[_drawn_order(self.seed, self._epoch, pool + 1, len(rows))]
        elif self.order == "v1":
            rows = self._shuffled_v1(rows, int(chunks[0]) + 1)
        self._numbers = rows

    def _rest(self, position):
        """The numbers of the rows from `position` to the end of its pool."""
        epoch, within = divmod(position, self.rows)
        if epoch != self._epoch:
            self._open_epoch(epoch)
        pool = int(np.searchsorted(self._begins, within, side="right")) - 1
        if pool != self._pool:
            self._open_pool(pool)
        return self._numbers[within - int(self._begins[pool]):]

    def of(self, positions):
        """The numbers of the rows at `positions`, in any order."""
        places = np.argsort(positions, kind="stable")
        ascending, numbers = positions[places], np.empty(len(positions), np.int64)
        begin = 0
        while begin < len(ascending):
            first = int(ascending[begin])
            rest = self._rest(first)
            end = int(np.searchsorted(ascending, first + len(rest)))
            numbers[places[begin:end]] = rest[ascending[begin:end] - first]
            begin = end
        return numbers

    def at(self, position, count):
        """The numbers of `count` rows from `position` on. Positions continue from epoch to epoch."""
        parts = []
        while count > 0:
            parts.append(self._rest(position)[:count])
            position += len(parts[-1])
            count -= len(parts[-1])
        return np.concatenate(parts) if len(parts) > 1 else parts[0]


class OrderedBatches:
    """A batch sampler: the row numbers of this process's part of each batch, in berttrain's order, without end.

    `batch_size` counts the rows of all processes together; process `rank` gets the rank-th of `world_size` equal
    parts. With `steps`, it ends after this many batches. `order` is that of berttrain --order: "v2", or "v1" to resume
    training begun with version 0.2; shuffle=False keeps the order of the rows.
    """

    def __init__(self, dataset, batch_size, seed=42, rank=0, world_size=1, shuffle=True, steps=None, order="v2"):
        batch_size, rank, world_size = map(operator.index, (batch_size, rank, world_size))
        if not 0 <= rank < world_size:
            raise ValueError(f"there is no rank {rank} of {world_size} processes")
        if not 1 <= batch_size <= min(sum(dataset.rows), MOST_ROWS * world_size):
            raise ValueError(f"a batch of {batch_size:,} rows: give at least 1, at most the {sum(dataset.rows):,} rows "
                             f"of the dataset and {MOST_ROWS:,} per process")
        if batch_size % world_size != 0:
            raise ValueError(f"a batch of {batch_size} rows can't be shared by {world_size} processes")
        self.order = RowOrder(dataset.rows, dataset.stored_chunk_rows, dataset.seq_len, seed,
                              order if shuffle else None)
        self.batch_size, self.rank, self.world_size, self.steps = batch_size, rank, world_size, steps
        self.position, self.yielded = 0, 0
        self._identity = {"seed": seed, "order": self.order.order, "rows": self.order.rows,
                          "chunks": zlib.crc32(repr((dataset.rows, dataset.stored_chunk_rows)).encode())}

    def __repr__(self):
        share = f", rank {self.rank} of {self.world_size}" if self.world_size > 1 else ""
        end = "without end" if self.steps is None else f"{self.steps:,} steps"
        return (f"OrderedBatches: {self.batch_size:,} of {self.order.rows:,} rows{share}, seed {self.order.seed}, "
                f"order {self.order.order}, {end}, from position {self.position:,}")

    def __iter__(self):
        self.yielded, begin, part = 0, self.position, self.batch_size // self.world_size
        while self.steps is None or self.yielded < self.steps:
            first = begin + self.yielded * self.batch_size + self.rank * part
            self.yielded += 1
            yield self.order.at(first, part).tolist()

    def __len__(self):
        if self.steps is None:
            raise TypeError("batches without end have no length: give steps")
        return self.steps

    def state_dict(self, steps=None):
        """The state after `steps` batches of this iteration, or after all that were requested. Loaders with workers
        request batches ahead: count those that were trained."""
        steps = self.yielded if steps is None else steps
        return {**self._identity, "position": self.position + steps * self.batch_size}

    def load_state_dict(self, state):
        """Continues from this state in the next iteration, with any number of processes and any batch size."""
        for name, mine in self._identity.items():
            if state.get(name) != mine:
                raise ValueError(f"the state is of a training with {name} {state.get(name)}, and this one has {mine}")
        self.position = state["position"]
