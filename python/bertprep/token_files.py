"""Token sequences of MDS and Megatron sets, in place: files are mapped, so all processes share their pages.

Of bertprep.rows, which opens them; it needs numpy alone. Formats: docs/formats/sequences.md.
"""

import glob
import json
import mmap
import os
import struct

import numpy as np

SPLITS = {"training": ("train", "training"), "test": ("validation", "val", "test")}
MOST_FILES = 128  # open at once
IDS = ("input_ids", "tokens")  # columns of MDS
MEGATRON_TYPES = {1: "u1", 2: "i1", 3: "<i2", 4: "<i4", 5: "<i8", 8: "<u2"}
ARRAY_TYPES = {8: "u1", 9: "i1", 16: "<u2", 17: "<i2", 32: "<u4", 33: "<i4", 64: "<u8", 65: "<i8"}  # of MDS


def sets_of(folder, split):
    """The indexes of a split in a folder: index.json of MDS, or PREFIX.idx of Megatron."""
    names = SPLITS.get(split, (split,))
    mds = [os.path.join(folder, name, "index.json") for name in ("", *names)]
    return [index for index in mds if os.path.isfile(index)][:1] or sorted(
        index for index in glob.glob(os.path.join(glob.escape(os.fspath(folder)), "*.idx"))
        if any(f"_{name}_" in os.path.basename(index) for name in names))


def index_of_prefix(prefix):
    if not os.path.isfile(os.fspath(prefix) + ".idx"):
        raise FileNotFoundError(f"{prefix}: is neither a folder nor the prefix of an .idx file")
    return os.fspath(prefix) + ".idx"


def files_of(index):
    """The paths of a set's files of rows, and the number of rows of each."""
    if index.endswith(".idx"):
        return [index], [len(MegatronFile(index))]
    with open(index, encoding="utf-8") as file:
        shards = json.load(file).get("shards")
    if not isinstance(shards, list) or any(shard.get("format") != "mds" for shard in shards):
        raise ValueError(f"{index}: is no index of MDS")
    paths = [os.path.join(os.path.dirname(index), shard["raw_data"]["basename"]) for shard in shards]
    for path in paths:
        if not os.path.exists(path):
            raise FileNotFoundError(f"{path}: is missing; if it is compressed, decompress it: zstd -d")
    return paths, [shard["samples"] for shard in shards]


def _mapped(path):
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


class MdsFile:
    """A shard of MDS, whose column of ids has arrays of integers."""

    def __init__(self, path):
        self.path, self._bytes = path, _mapped(path)
        try:
            rows, = struct.unpack_from("<I", self._bytes)
            self._offsets = np.frombuffer(self._bytes, "<u4", rows + 1, 4).astype(np.int64)
            columns = json.loads(self._bytes[8 + 4 * rows:int(self._offsets[0])])
            if self._offsets[-1] != len(self._bytes) or (np.diff(self._offsets) < 0).any():
                raise ValueError("its offsets are not those of a whole file")
        except (struct.error, ValueError) as error:
            raise ValueError(f"{path}: is no shard of MDS: {error}") from error
        names, self._sizes = columns["column_names"], columns["column_sizes"]
        arrays = [name for name, encoding in zip(names, columns["column_encodings"]) if encoding.startswith("ndarray")]
        name = next((name for name in IDS if name in arrays), arrays[0] if arrays else None)
        if name is None:
            raise ValueError(f"{path}: has no arrays of ids, but {dict(zip(names, columns['column_encodings']))}")
        self._column = names.index(name)
        _, *rest = columns["column_encodings"][self._column].split(":")
        self._dtype = np.dtype(rest[0]).newbyteorder("<") if rest else None
        self._has_shape = len(rest) < 2

    def __len__(self):
        return len(self._offsets) - 1

    def ids(self, row):
        """Of a row, as they are stored."""
        begin, end = self._offsets[row:row + 2].tolist()
        varying = [i for i, size in enumerate(self._sizes) if size is None]
        stored = iter(struct.unpack_from(f"<{len(varying)}I", self._bytes, begin))
        sizes = [next(stored) if size is None else size for size in self._sizes]
        at = begin + 4 * len(varying) + sum(sizes[:self._column])
        last = at + sizes[self._column]
        dtype = self._dtype
        if dtype is None:
            if self._bytes[at] not in ARRAY_TYPES:
                raise ValueError(f"{self.path}: sample {row} has no array of integers")
            dtype, at = np.dtype(ARRAY_TYPES[self._bytes[at]]), at + 1
        if self._has_shape:  # dimensions * 4 + the power of 2 of the bytes of each
            at += 1 + (self._bytes[at] >> 2) * (1 << (self._bytes[at] & 3))
        if last > end or at > last:
            raise ValueError(f"{self.path}: sample {row} extends beyond itself")
        return np.frombuffer(self._bytes, dtype, (last - at) // dtype.itemsize, at)


class MegatronFile:
    """PREFIX.idx with PREFIX.bin."""

    def __init__(self, path):
        self.path, index = path, _mapped(path)
        try:
            magic, version, code, rows, _ = struct.unpack_from("<9sQBQQ", index)
            if magic != b"MMIDIDX\0\0" or version != 1 or code not in MEGATRON_TYPES:
                raise ValueError("its first bytes are of something else")
            self._dtype = np.dtype(MEGATRON_TYPES[code])
            self._lengths = np.frombuffer(index, "<i4", rows, 34)
            self._offsets = np.frombuffer(index, "<i8", rows, 34 + 4 * rows)
        except (struct.error, ValueError) as error:
            raise ValueError(f"{path}: is no index of Megatron: {error}") from error
        self._bytes = _mapped(path[:-3] + "bin")

    def __len__(self):
        return len(self._lengths)

    def ids(self, row):
        """Of a row, as they are stored."""
        at, count = int(self._offsets[row]), int(self._lengths[row])
        if at < 0 or count < 0 or at + count * self._dtype.itemsize > len(self._bytes):
            raise ValueError(f"{self.path}: sequence {row} is beyond the end of the .bin file")
        return np.frombuffer(self._bytes, self._dtype, count, at)


def columns_of(paths, row_ends, numbers, opened):
    """Rows by number as columns, filled up with 0 to the longest. `opened`: files by number, the newest ones."""
    rows = []
    for file, number in zip(np.searchsorted(row_ends, numbers, side="right").tolist(), numbers.tolist()):
        if file not in opened:
            if len(opened) >= MOST_FILES:
                del opened[next(iter(opened))]
            opened[file] = (MegatronFile if paths[file].endswith(".idx") else MdsFile)(paths[file])
        rows.append(opened[file].ids(number - (int(row_ends[file - 1]) if file else 0)))
    lengths = np.array([len(row) for row in rows])
    mask = np.arange(lengths.max(initial=0)) < lengths[:, None]
    ids = np.zeros(mask.shape, np.int64)
    ids[mask] = np.concatenate(rows)
    return {"input_ids": ids, "attention_mask": mask}
