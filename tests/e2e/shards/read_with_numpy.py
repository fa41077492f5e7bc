"""Reads a set of token sequences with numpy or h5py alone, as the formats are published, and prints it as JSON lines.

    read_with_numpy.py mds FOLDER COLUMN     a sample a line; MosaicML Streaming's MDS, version 2
    read_with_numpy.py megatron PREFIX       a document a line, as a list of sequences; Megatron-LM's indexed dataset
    read_with_numpy.py hdf5 FILE COLUMN      a row a line, without what attention_mask hides

Of Debian's packages and npm's none reads MDS or Megatron sets; this knows nothing of bertprep.
"""

import json
import pathlib
import struct
import sys

import numpy

MEGATRON_TYPES = {1: "u1", 2: "i1", 3: "<i2", 4: "<i4", 5: "<i8", 8: "<u2"}


def array_of(encoding, value):
    kind, _, _ = encoding.removeprefix("ndarray:").partition(":")
    dimensions, width = value[0] >> 2, 1 << (value[0] & 3)
    shape = [int.from_bytes(value[1 + i * width:1 + (i + 1) * width], "little") for i in range(dimensions)]
    return numpy.frombuffer(value[1 + dimensions * width:], numpy.dtype(kind).newbyteorder("<")).reshape(shape)


def samples_of(shard, entry):
    data = shard.read_bytes()
    assert len(data) == entry["raw_data"]["bytes"]
    count, = struct.unpack_from("<I", data)
    assert count == entry["samples"]
    offsets = struct.unpack_from(f"<{count + 1}I", data, 4)
    header = json.loads(data[4 * (count + 2):offsets[0]])
    assert all(entry[key] == value for key, value in header.items()) and offsets[-1] == len(data)
    for begin in offsets[:-1]:
        sizes = []
        for size in header["column_sizes"]:
            if size is None:
                size, = struct.unpack_from("<I", data, begin)
                begin += 4
            sizes.append(size)
        sample = {}
        for name, encoding, size in zip(header["column_names"], header["column_encodings"], sizes):
            sample[name] = array_of(encoding, data[begin:begin + size])
            begin += size
        yield sample


def read_mds(folder, column):
    index = json.loads((pathlib.Path(folder) / "index.json").read_text())
    assert index["version"] == 2
    for entry in index["shards"]:
        for sample in samples_of(pathlib.Path(folder) / entry["raw_data"]["basename"], entry):
            yield sample[column].tolist()


def read_megatron(prefix):
    index = pathlib.Path(prefix + ".idx").read_bytes()
    assert index[:9] == b"MMIDIDX\x00\x00"
    version, code, sequences, ends = struct.unpack_from("<QBQQ", index, 9)
    assert version == 1
    lengths = numpy.frombuffer(index, "<i4", sequences, 34)
    offsets = numpy.frombuffer(index, "<i8", sequences, 34 + 4 * sequences)
    documents = numpy.frombuffer(index, "<i8", ends, 34 + 12 * sequences)
    assert len(index) == 34 + 12 * sequences + 8 * ends and documents[0] == 0 and documents[-1] == sequences
    ids = pathlib.Path(prefix + ".bin").read_bytes()
    for begin, end in zip(documents, documents[1:]):
        yield [numpy.frombuffer(ids, MEGATRON_TYPES[code], lengths[i], offsets[i]).tolist()
               for i in range(begin, end)]


def read_hdf5(file, column):
    import h5py
    with h5py.File(file, "r") as data:
        rows = data[column][...]
        mask = data["attention_mask"][...] if "attention_mask" in data else numpy.ones_like(rows)
    for row, shown in zip(rows, mask):
        yield row[shown == 1].tolist()


if __name__ == "__main__":
    reader = {"mds": read_mds, "megatron": read_megatron, "hdf5": read_hdf5}[sys.argv[1]]
    for line in reader(*sys.argv[2:]):
        print(json.dumps(line))
