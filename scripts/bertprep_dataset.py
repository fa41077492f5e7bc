"""Rows that bertprep wrote, for training loops in Python: a dataset, and a sampler with the order that berttrain takes.

Needs h5py and numpy; with torch the items are tensors, and both classes go into torch.utils.data.DataLoader:

    dataset = ShardDataset("hdf5_dataset/hdf5_.../books")
    batches = OrderedBatches(dataset, batch_size=256, seed=42, rank=rank, world_size=world_size)
    for batch in torch.utils.data.DataLoader(dataset, sampler=batches, batch_size=None, num_workers=2):
        loss = model(**batch).loss

Rows for BERT give what BertForPreTraining takes: input_ids, attention_mask, token_type_ids, labels (-100 where nothing
is to be predicted), next_sentence_label. Shards of token sequences give their input_ids, and labels equal to them.

The order of rows is a function of seed, epoch and position alone (docs/how-to/pytorch.md): the same for any number of
processes, and reached from anywhere at once.
"""

import bisect
import itertools
import os
import random
import re

import h5py
import numpy as np

try:
    import torch
except ImportError:
    torch = None

ROWS_PER_BLOCK = 32768
IGNORED = -100
_SHARD = re.compile(r".*(training|test).*\.(hdf5|h5)$", re.DOTALL)


def shards_of(folder, split="training"):
    """The paths of the shards of a split, in the order that berttrain numbers them: by the bytes of their names."""
    names = [name for name in os.listdir(folder) if not name.startswith(".") and _kind(name) == split]
    return [os.path.join(folder, name) for name in sorted(names, key=os.fsencode)]


def _kind(name):
    match = _SHARD.match(name)
    return match and match.group(1)


class ShardDataset:
    """All rows of a split by their number, shard after shard.

    A whole block of rows is decompressed at once and kept: rows in the order of OrderedBatches cost one read of each
    block. `blocks` is how many a process keeps (a block of 128 tokens takes 30 MB, of 512 tokens 110 MB). Shards are
    opened by the process that reads them, so the dataset may be made before workers are forked.
    """

    def __init__(self, folder, split="training", blocks=2):
        self.paths = shards_of(folder, split)
        if not self.paths:
            raise FileNotFoundError(f"{folder}: holds no shards with '{split}' in their names")
        self.rows = [self._count(path) for path in self.paths]
        self.ends = list(itertools.accumulate(self.rows))
        self._begins = np.array([0] + self.ends[:-1])
        self.blocks = blocks
        self._process, self._kept = None, {}

    @staticmethod
    def _count(path):
        with h5py.File(path, "r") as file:
            counts = {name: file[name].shape[0] for name in file}
        if len(set(counts.values())) != 1:
            raise ValueError(f"{path}: its columns have different numbers of rows: {counts}")
        return next(iter(counts.values()))

    def __len__(self):
        return self.ends[-1]

    def __getitem__(self, numbers):
        """A row of this number; of a list of numbers the batch, an array or tensor for each column."""
        if isinstance(numbers, (list, tuple)):
            return _as_tensors(self._read(numbers))
        return _as_tensors({name: column[0] for name, column in self._read([numbers]).items()})

    def _read(self, numbers):
        numbers = np.asarray(numbers, dtype=np.int64)
        if numbers.size and not 0 <= numbers.min() <= numbers.max() < len(self):
            raise IndexError(f"rows {numbers.min()} to {numbers.max()} of {len(self)}")
        shards = np.searchsorted(self.ends, numbers, side="right")
        blocks, rows = np.divmod(numbers - self._begins[shards], ROWS_PER_BLOCK)
        keys = list(zip(shards.tolist(), blocks.tolist()))
        if len(set(keys)) == 1:  # the usual case in the order of OrderedBatches
            return _model_inputs({name: column.take(rows, axis=0) for name, column in self._block(keys[0]).items()})
        parts = {}
        for key in dict.fromkeys(keys):
            at = np.flatnonzero([other == key for other in keys])
            for name, column in self._block(key).items():
                whole = parts.setdefault(name, np.empty((len(numbers),) + column.shape[1:], column.dtype))
                whole[at] = column.take(rows[at], axis=0)
        return _model_inputs(parts)

    def _block(self, block):
        if self._process != os.getpid():
            self._process, self._kept = os.getpid(), {}
        if block not in self._kept:
            while len(self._kept) >= self.blocks:
                del self._kept[next(iter(self._kept))]
            shard, number = block
            first = number * ROWS_PER_BLOCK
            with h5py.File(self.paths[shard], "r") as file:
                self._kept[block] = {name: file[name][first:first + ROWS_PER_BLOCK] for name in file}
        self._kept[block] = self._kept.pop(block)  # used last
        return self._kept[block]

    def __getstate__(self):
        return {**self.__dict__, "_process": None, "_kept": {}}


def _model_inputs(columns):
    ids = columns["input_ids"].astype(np.int64)
    if "masked_lm_positions" not in columns:
        inputs = {"input_ids": ids, "labels": ids.copy()}
        if "attention_mask" in columns:
            inputs["attention_mask"] = columns["attention_mask"].astype(np.int64)
            inputs["labels"][inputs["attention_mask"] == 0] = IGNORED
        return inputs
    positions = columns["masked_lm_positions"].astype(np.int64)
    is_mask = np.logical_and.accumulate(positions != 0, axis=1)  # the first 0 ends them
    labels = np.full_like(ids, IGNORED)
    rows, masks = np.nonzero(is_mask)
    labels[rows, positions[rows, masks]] = columns["masked_lm_ids"][rows, masks]
    return {
        "input_ids": ids,
        "attention_mask": columns["input_mask"].astype(np.int64),
        "token_type_ids": columns["segment_ids"].astype(np.int64),
        "labels": labels,
        "next_sentence_label": columns["next_sentence_labels"].astype(np.int64).reshape(len(ids)),
    }


def _as_tensors(columns):
    if torch is None:
        return columns
    return {name: torch.as_tensor(np.asarray(column)) for name, column in columns.items()}


class RowOrder:
    """The row at every position: epoch after epoch, in each of them block after block, each shuffled."""

    def __init__(self, rows_per_shard, seed=42, shuffle=True):
        self.seed, self.shuffle = seed, shuffle
        self.rows = sum(rows_per_shard)
        if self.rows == 0:
            raise ValueError("there are no rows")
        begins = itertools.accumulate(rows_per_shard, initial=0)
        self.blocks = [(begin + first, min(ROWS_PER_BLOCK, rows - first))
                       for begin, rows in zip(begins, rows_per_shard) for first in range(0, rows, ROWS_PER_BLOCK)]
        self._epoch, self._block = None, None

    def _random(self, epoch, block):
        return random.Random(int(f"1{self.seed:020}{epoch:020}{block:020}"))

    def _open_epoch(self, epoch):
        if self._epoch != epoch:
            self._order = list(range(len(self.blocks)))
            if self.shuffle:
                self._random(epoch, 0).shuffle(self._order)
            self._ends = list(itertools.accumulate(self.blocks[block][1] for block in self._order))
            self._epoch, self._block = epoch, None

    def _open_block(self, block):
        if self._block != block:
            first, rows = self.blocks[block]
            self._numbers = list(range(first, first + rows))
            if self.shuffle:
                self._random(self._epoch, block + 1).shuffle(self._numbers)
            self._block = block

    def at(self, position, count):
        """The numbers of `count` rows from `position` on. Positions go on from epoch to epoch."""
        numbers = []
        while len(numbers) < count:
            epoch, within = divmod(position + len(numbers), self.rows)
            self._open_epoch(epoch)
            place = bisect.bisect_right(self._ends, within)
            block = self._order[place]
            self._open_block(block)
            begin = within - (self._ends[place] - self.blocks[block][1])
            numbers += self._numbers[begin:begin + count - len(numbers)]
        return numbers


class OrderedBatches:
    """A batch sampler: the row numbers of this process's part of each batch, in berttrain's order, without end.

    `batch_size` counts the rows of all processes together; process `rank` takes the rank-th of `world_size` equal
    parts. With `steps` it ends after so many batches.
    """

    def __init__(self, dataset, batch_size, seed=42, rank=0, world_size=1, shuffle=True, steps=None):
        if batch_size % world_size != 0:
            raise ValueError(f"a batch of {batch_size} rows can't be shared by {world_size} processes")
        self.order = RowOrder(dataset.rows, seed, shuffle)
        self.batch_size, self.rank, self.world_size, self.steps = batch_size, rank, world_size, steps
        self.position, self.yielded = 0, 0

    def __iter__(self):
        self.yielded = 0
        begin = self.position
        part = self.batch_size // self.world_size
        while self.steps is None or self.yielded < self.steps:
            first = begin + self.yielded * self.batch_size + self.rank * part
            self.yielded += 1
            yield self.order.at(first, part)

    def __len__(self):
        if self.steps is None:
            raise TypeError("batches without end have no length: give steps")
        return self.steps

    def state_dict(self, steps=None):
        """What goes on after `steps` batches of this iteration, or after all that were asked for. Loaders with workers
        ask for batches ahead: count what was trained."""
        steps = self.yielded if steps is None else steps
        return {"seed": self.order.seed, "rows": self.order.rows, "position": self.position + steps * self.batch_size}

    def load_state_dict(self, state):
        """Goes on from there in the next iteration, with any number of processes and any batch size."""
        for name, mine in (("seed", self.order.seed), ("rows", self.order.rows)):
            if state[name] != mine:
                raise ValueError(f"the state is of a training with {name} {state[name]}, and this one has {mine}")
        self.position = state["position"]
