"""scripts/bertprep_dataset.py against plain twins, with Debian's h5py, numpy and, where it is installed, torch.

    python3 bertprep_dataset_test.py BERTPREP SAMPLES SHARED
"""

import hashlib
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77
PYTHON = "/usr/bin/python3"  # the distribution's packages belong to the distribution's Python
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts"))

try:
    import h5py
    import numpy as np
    import bertprep_dataset
    from bertprep_dataset import OrderedBatches, RowOrder, ShardDataset
except ImportError as missing:
    if sys.executable != PYTHON and os.path.exists(PYTHON):
        os.execv(PYTHON, [PYTHON, *sys.argv])
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

BERTPREP, SAMPLES, SHARED = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
SEEDS = (0, 42, 2**64 - 1)


def setUpModule():
    global temporary, FOLDER, BLOCKS
    temporary = tempfile.TemporaryDirectory()
    root = pathlib.Path(temporary.name)
    make = [BERTPREP, "run", "--input", SAMPLES / "sample.wikitext", "--sentences", "icu", "--train-shards", 3,
            "--test-shards", 1, "-w", root / "work", "-q"]
    run(*make, "--name", "sample", "--vocab", "sample-uncased", "--phase", 1, "-o", root / "rows")
    run(*make, "--name", "blocks", "--vocab", SAMPLES / "byte-pairs", "--for", "gpt2", "--blocks", 64, "-o",
        root / "sequences")
    FOLDER = next((root / "rows").glob("hdf5_*")) / "sample"
    BLOCKS = root / "sequences" / "blocks"


def tearDownModule():
    temporary.cleanup()


def run(*command):
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)


def as_list(value):
    return np.asarray(value).tolist()


def raw_rows(folder):
    for path in bertprep_dataset.shards_of(folder):
        with h5py.File(path, "r") as file:
            columns = {name: file[name][:] for name in file}
        for row in range(len(columns["input_ids"])):
            yield {name: column[row] for name, column in columns.items()}


class Dataset(unittest.TestCase):
    def test_gives_every_row_as_a_model_takes_it(self):
        dataset = ShardDataset(FOLDER)
        rows = list(raw_rows(FOLDER))
        self.assertEqual(len(dataset), len(rows))
        for number, row in enumerate(rows):
            labels = [-100] * len(row["input_ids"])
            for position, token in zip(row["masked_lm_positions"], row["masked_lm_ids"]):
                if position == 0:
                    break
                labels[position] = token
            item = dataset[number]
            self.assertEqual(as_list(item["input_ids"]), row["input_ids"].tolist())
            self.assertEqual(as_list(item["attention_mask"]), row["input_mask"].tolist())
            self.assertEqual(as_list(item["token_type_ids"]), row["segment_ids"].tolist())
            self.assertEqual(as_list(item["labels"]), labels)
            self.assertEqual(as_list(item["next_sentence_label"]), int(row["next_sentence_labels"]))

    def test_gives_blocks_of_tokens(self):
        dataset = ShardDataset(BLOCKS)
        rows = list(raw_rows(BLOCKS))
        self.assertEqual(len(dataset), len(rows))
        for number, row in enumerate(rows):
            self.assertEqual(as_list(dataset[number]["input_ids"]), row["input_ids"].tolist())
            self.assertEqual(as_list(dataset[number]["labels"]), row["input_ids"].tolist())

    def test_gives_batches_of_any_rows(self):
        dataset = ShardDataset(FOLDER, blocks=1)
        numbers = [len(dataset) - 1, 0, len(dataset) // 2, 0]
        batch = dataset[numbers]
        for name in batch:
            self.assertEqual(as_list(batch[name]), [as_list(dataset[number][name]) for number in numbers], name)

    def test_reads_the_test_shards_by_themselves(self):
        self.assertGreater(len(ShardDataset(FOLDER, "test")), 0)
        self.assertRaises(FileNotFoundError, ShardDataset, FOLDER.parent)
        self.assertRaises(IndexError, ShardDataset(FOLDER).__getitem__, 10**9)


class Order(unittest.TestCase):
    def test_is_that_of_berttrain(self):
        golden = SHARED / "goldens" / "outputs" / "row-order.json"
        if not golden.is_file():
            self.skipTest(f"needs {golden}")
        for case in json.loads(golden.read_text(encoding="utf-8")):
            rows = case["rows_per_shard"]
            order = RowOrder(rows, case["seed"], case["shuffle"])
            ends = list(itertools.accumulate(rows))
            lines = hashlib.sha256()
            for number in order.at(case["epoch"] * order.rows, order.rows):
                shard = next(i for i, end in enumerate(ends) if number < end)
                lines.update(f"{shard} {number - ends[shard] + rows[shard]}\n".encode())
            self.assertEqual(lines.hexdigest(), case["sha256_of_places"], case)

    def test_has_every_row_once_an_epoch_and_starts_anywhere(self):
        rows = [5, 0, bertprep_dataset.ROWS_PER_BLOCK + 3, 11]
        for seed in SEEDS:
            whole = RowOrder(rows, seed).at(0, 2 * sum(rows))
            for epoch in (0, 1):
                self.assertEqual(sorted(whole[epoch * sum(rows):][:sum(rows)]), list(range(sum(rows))))
            for position in (1, sum(rows) - 2, sum(rows) + 7):
                self.assertEqual(RowOrder(rows, seed).at(position, 20), whole[position:position + 20])


class Batches(unittest.TestCase):
    def test_of_all_ranks_are_those_of_one_process_stopped_anywhere(self):
        dataset = ShardDataset(FOLDER)
        batch, steps = 8, 2 * len(dataset) // 8
        for seed in SEEDS:
            alone = list(OrderedBatches(dataset, batch, seed, steps=steps))
            for first, second in ((1, 1), (steps // 3, steps // 2), (steps - 2, 1)):
                seen, state = [], None
                for world_size, count in ((1, first), (4, second), (2, steps - first - second)):
                    ranks = [OrderedBatches(dataset, batch, seed, rank, world_size, steps=count)
                             for rank in range(world_size)]
                    for sampler in ranks:
                        if state is not None:
                            sampler.load_state_dict(state)
                    for parts in zip(*ranks):
                        seen.append([number for part in parts for number in part])
                    state = ranks[-1].state_dict(count)
                self.assertEqual(seen, alone)

    def test_refuse_what_can_not_go_on(self):
        dataset = ShardDataset(FOLDER)
        self.assertRaises(ValueError, OrderedBatches, dataset, 9, world_size=2)
        state = OrderedBatches(dataset, 8, seed=1).state_dict(3)
        self.assertRaises(ValueError, OrderedBatches(dataset, 8, seed=2).load_state_dict, state)
        self.assertRaises(TypeError, len, OrderedBatches(dataset, 8))

    def test_come_through_a_loader_with_workers(self):
        if bertprep_dataset.torch is None:
            self.skipTest("needs torch")
        from torch.utils.data import DataLoader
        dataset = ShardDataset(FOLDER)
        expected = [dataset[numbers] for numbers in OrderedBatches(dataset, 8, steps=12)]
        for workers in (0, 3):
            loader = DataLoader(dataset, sampler=OrderedBatches(dataset, 8, steps=12), batch_size=None,
                                num_workers=workers)
            found = list(loader)
            self.assertEqual(len(found), 12)
            for one, other in zip(found, expected):
                for name in other:
                    self.assertEqual(as_list(one[name]), as_list(other[name]), name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
