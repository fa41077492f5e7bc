"""Makes a file that claims to be a shard: broken_shard.py KIND FILE."""

import os
import sys

import h5py

SHAPES = {"input_ids": ("<i4", 16), "input_mask": ("|i1", 16), "segment_ids": ("|i1", 16),
          "masked_lm_positions": ("<i4", 4), "masked_lm_ids": ("<i4", 4), "next_sentence_labels": ("|i1", 0)}
FILL = {"input_ids": 7, "input_mask": 1}


def unwritten(file, name, rows):
    """Chunks that were never written, so that all rows are sound and take no room."""
    dtype, columns = SHAPES[name]
    shape = (rows, columns) if columns else (rows,)
    chunk = (256, columns) if columns else (256,)
    file.create_dataset(name, shape, dtype, chunks=chunk, fillvalue=FILL.get(name, 0))


def make(kind, path):
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
