#!/usr/bin/env python3
"""Measures bertprep.Rows against the way NVIDIA's BERT trainer reads shards, in turns, in one process.

    scripts/bench_dataset.py NVIDIA_FOLDER [FOLDER...]

NVIDIA_FOLDER holds shards of `bertprep run --layout reference`, which the reference's reader goes through file by file:
all of a file into memory, then shuffled rows, one by one, in batches by DataLoader. bertprep.Rows reads the same
folder, and each FOLDER. BATCH (64), ROUNDS (3) and WORKERS (0) of loaders may be set in the environment. `wall` wants
an idle machine; `cpu` is by seconds of the processor, and stands noise better. Each counts the best round.
"""

import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python" / "bertprep"))

try:
    import h5py
    import numpy as np
    import torch
    from torch.utils.data import DataLoader, Dataset, RandomSampler
    from rows import OrderedBatches, Rows, shards_of
except ImportError as missing:
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    sys.exit(f"needs h5py, numpy and torch: {missing}")

BATCH, ROUNDS, WORKERS = (int(os.environ.get(*default)) for default in (("BATCH", "64"), ("ROUNDS", "3"),
                                                                        ("WORKERS", "0")))
COLUMNS = ("input_ids", "input_mask", "segment_ids", "masked_lm_positions", "masked_lm_ids", "next_sentence_labels")


class RowByRow(Dataset):
    """Restates what the reference's dataset does for a file and for a row."""

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            self.columns = [file[name][:] for name in COLUMNS]

    def __len__(self):
        return len(self.columns[0])

    def __getitem__(self, row):
        ids, mask, segments, positions, masked, label = (torch.from_numpy(np.asarray(column[row].astype(np.int64)))
                                                         for column in self.columns)
        labels = torch.ones(ids.shape, dtype=torch.long) * -1
        padding = (positions == 0).nonzero()
        count = padding[0].item() if len(padding) else len(positions)
        labels[positions[:count]] = masked[:count]
        return [ids, segments, mask, labels, label]


def reference(folder):
    rows = 0
    for path in shards_of(folder):
        dataset = RowByRow(path)
        for batch in DataLoader(dataset, sampler=RandomSampler(dataset), batch_size=BATCH, num_workers=WORKERS):
            rows += len(batch[0])
    return rows


def ours(folder):
    dataset = Rows(folder)
    batches = OrderedBatches(dataset, BATCH, steps=len(dataset) // BATCH)
    loader = DataLoader(dataset, sampler=batches, batch_size=None, num_workers=WORKERS)
    return sum(len(batch["input_ids"]) for batch in loader)


def rates(read, folder):
    """Rows per second of elapsed time and of CPU time, that of workers too."""
    wall, processor = time.monotonic(), sum(os.times()[:4])
    rows = read(folder)
    return rows / (time.monotonic() - wall), rows / (sum(os.times()[:4]) - processor)


def main(folders):
    torch.set_num_threads(1)
    contestants = [("reference, row by row", reference, folders[0])]
    contestants += [(f"bertprep.Rows, {folder}", ours, folder) for folder in folders]
    best = [(0.0, 0.0)] * len(contestants)
    for _ in range(ROUNDS):
        for i, (_, read, folder) in enumerate(contestants):
            best[i] = tuple(map(max, best[i], rates(read, folder)))
    print("| reader | rows/s, wall | | rows/s, cpu | |", "| --- | ---: | ---: | ---: | ---: |", sep="\n")
    for (name, _, _), (wall, processor) in zip(contestants, best):
        print(f"| {name} | {wall:,.0f} | {wall / best[0][0]:.1f} x | {processor:,.0f} | "
              f"{processor / best[0][1]:.1f} x |")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
