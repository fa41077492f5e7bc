"""Makes a file that claims to be a shard: broken_shard.py KIND FILE."""

import os
import sys

import h5py
import numpy

SHAPES = {"input_ids": ("<i4", 16), "input_mask": ("|i1", 16), "segment_ids": ("|i1", 16),
          "masked_lm_positions": ("<i4", 4), "masked_lm_ids": ("<i4", 4), "next_sentence_labels": ("|i1", 0)}
FILL = {"input_ids": 7, "input_mask": 1}


def unwritten(file, name, rows):
    """Chunks that were never written, so that all rows are sound and take no room."""
    dtype, columns = SHAPES[name]
    shape = (rows, columns) if columns else (rows,)
    chunk = (256, columns) if columns else (256,)
    file.create_dataset(name, shape, dtype, chunks=chunk, fillvalue=FILL.get(name, 0))


def sound_rows(file_number, rows=300):
    """Columns of rows that no trainer stumbles over, other ones in each file."""
    ids = numpy.fromiter((7 + (i * 7919 + file_number * 31) % 20000 for i in range(rows * 16)), "<i4")
    positions = numpy.zeros((rows, 4), "<i4")
    positions[:, :2] = (3, 9)
    segments = numpy.zeros((rows, 16), "|i1")
    segments[:, 8:] = 1
    return {"input_ids": ids.reshape(rows, 16), "input_mask": numpy.ones((rows, 16), "|i1"), "segment_ids": segments,
            "masked_lm_positions": positions, "masked_lm_ids": numpy.where(positions > 0, 21000, 0).astype("<i4"),
            "next_sentence_labels": (numpy.arange(rows) % 2).astype("|i1")}


def huggingface(columns, left_out):
    labels = numpy.full(columns["input_ids"].shape, left_out, "<i8")
    labels[:, 3] = labels[:, 9] = 21000
    return {"input_ids": columns["input_ids"], "attention_mask": columns["input_mask"],
            "token_type_ids": columns["segment_ids"], "labels": labels,
            "next_sentence_label": columns["next_sentence_labels"]}


def changed(kind, columns):
    """The columns of a set that is valid except for the fault `kind`; None for other kinds."""
    if kind == "boolean":
        return columns | {"input_mask": columns["input_mask"].astype(bool)}
    if kind == "wide":
        return {name: values.astype("<i8") for name, values in columns.items()} | {"num_tokens": numpy.ones(300)}
    if kind in ("huggingface", "minus-one"):
        return huggingface(columns, -100 if kind == "huggingface" else -1)
    if kind == "short-labels":
        return columns | {"next_sentence_labels": columns["next_sentence_labels"][:-1]}
    if kind == "no-mask":
        return {name: values for name, values in columns.items() if name != "input_mask"}
    if kind == "text-mask":
        return columns | {"input_mask": columns["input_mask"].astype("S1")}
    return None


def make(kind, path):
    columns = changed(kind, sound_rows(int("training_1" in path)))
    if columns is not None:
        with h5py.File(path, "w") as file:
            for name, values in columns.items():
                file[name] = values
        return
    # As many rows as take hours to look at. The file is sparse, and large enough to hold them in theory.
    rows = 1 << 36 if kind == "endless" else 300
    with h5py.File(path, "w") as file:
        for name in SHAPES:
            if kind == "virtual" and name == "input_ids":
                layout = h5py.VirtualLayout((rows, 16), "<i4")
                layout[:] = h5py.VirtualSource("/etc/passwd", "input_ids", (rows, 16), "<i4")
                file.create_virtual_dataset(name, layout)
            elif kind == "external" and name == "input_ids":
                file.create_dataset(name, (rows, 16), "<i4", external=[("/etc/passwd", 0, h5py.h5f.UNLIMITED)])
            elif kind == "link" and name == "input_ids":
                file[name] = h5py.ExternalLink("/etc/passwd", "/input_ids")
            else:
                unwritten(file, name, 1 << 60 if kind == "absurd" else rows)
    if kind == "endless":
        os.truncate(path, rows * 64 // 1000)


if __name__ == "__main__":
    make(*sys.argv[1:3])
