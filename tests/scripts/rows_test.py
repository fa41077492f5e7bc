"""python/bertprep/rows.py, alone, against plain twins, with Debian's h5py, numpy and, where it is installed, torch.

    python3 rows_test.py BERTPREP SAMPLES SHARED
"""

import bisect
import contextlib
import hashlib
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

SKIPPED = 77
PYTHON = "/usr/bin/python3"  # the distribution's packages belong to the distribution's Python
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "python" / "bertprep"))

try:
    import h5py
    import numpy as np
    import rows as rows_module
    from rows import OrderedBatches, RowOrder, Rows
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
    for path in rows_module.shards_of(folder):
        with h5py.File(path, "r") as file:
            columns = {name: file[name][:] for name in file}
        for row in range(len(columns["input_ids"])):
            yield {name: column[row] for name, column in columns.items()}


class Dataset(unittest.TestCase):
    def test_gives_every_row_as_a_model_takes_it(self):
        dataset = Rows(FOLDER)
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
        dataset = Rows(BLOCKS)
        rows = list(raw_rows(BLOCKS))
        self.assertEqual(len(dataset), len(rows))
        for number, row in enumerate(rows):
            self.assertEqual(as_list(dataset[number]["input_ids"]), row["input_ids"].tolist())
            self.assertEqual(as_list(dataset[number]["labels"]), row["input_ids"].tolist())

    def test_gives_batches_of_any_rows(self):
        dataset = Rows(FOLDER, kept_rows=1)
        numbers = [len(dataset) - 1, 0, len(dataset) // 2, 0, 300, 700, 1100, 5]
        batch = dataset[numbers]
        for name in batch:
            self.assertEqual(as_list(batch[name]), [as_list(dataset[number][name]) for number in numbers], name)

    def test_reads_whatever_the_storage(self):
        columns = {}
        with h5py.File(rows_module.shards_of(FOLDER)[0], "r") as file:
            columns = {name: file[name][:] for name in file}
        rows, width = columns["input_ids"].shape
        numbers = [rows - 1, 0, 100, 99, 101, 200]
        zlib_only = unittest.mock.patch.object(rows_module, "_LIBDEFLATE", None)
        for storage in ({}, {"compression": "gzip"}, {"compression": "gzip", "shuffle": True}, {"compression": "lzf"},
                        {"chunks": (100, 40), "compression": "gzip", "shuffle": True}, {"chunks": (7, width)},
                        {"compression": "gzip", "fletcher32": True}):
            for dtype in (np.int32, np.int64, np.int16):
                patched = zlib_only if dtype == np.int64 else contextlib.nullcontext()
                with tempfile.TemporaryDirectory() as folder, patched:
                    with h5py.File(os.path.join(folder, "a_training_0.hdf5"), "w") as file:
                        for name, column in columns.items():
                            guessed = {"chunks": True} if "chunks" in storage and name != "input_ids" else {}
                            file.create_dataset(name, data=column.astype(dtype), **{**storage, **guessed})
                    found, expected = Rows(folder)[numbers], Rows(FOLDER)[numbers]
                    for name in expected:
                        self.assertEqual(as_list(found[name]), as_list(expected[name]), (storage, dtype, name))

    def test_gives_rows_in_the_order_of_an_epoch(self):
        dataset, plain = Rows(FOLDER, order_seed=7), Rows(FOLDER)
        count = len(plain)
        for epoch in (0, 2):
            dataset.set_epoch(epoch)
            order = RowOrder(plain.rows, plain.stored_chunk_rows, plain.seq_len, 7).at(epoch * count, count).tolist()
            self.assertEqual(sorted(order), list(range(count)))
            picked = [3, count - 1, 0, 3, -2]
            self.assertEqual(as_list(dataset[picked]["input_ids"]),
                             as_list(plain[[order[row] for row in picked]]["input_ids"]))
            self.assertEqual(as_list(dataset.__getitems__([5])[0]["labels"]), as_list(plain[order[5]]["labels"]))

    def test_shared_memory_keeps_the_newest_chunks(self):
        dataset = Rows(FOLDER, kept_rows=1)
        self.assertGreater(len(dataset[0]), 0)
        with tempfile.TemporaryDirectory() as folder:
            one, other = (rows_module._SharedChunks(dataset._grid, 1, dataset._decoded(0), f"{folder}/x", 3)
                          for _ in range(2))
            for chunk in [*range(len(dataset._grid.sizes)), 0, 3, 1, 0]:
                if one.claim(chunk):
                    one.put(chunk, dataset._decoded(chunk))
                self.assertFalse(other.claim(chunk))
                rows = np.arange(dataset._grid.sizes[chunk])
                found = other.take(np.full(len(rows), chunk), rows)
                for name, column in dataset._decoded(chunk).items():
                    self.assertTrue(np.array_equal(found[name], column), (chunk, name))
            self.assertIsNone(other.take(np.arange(len(dataset._grid.sizes)), 0))  # the ring is too small for all

    def test_workers_decode_each_chunk_once(self):
        if rows_module.torch is None:
            self.skipTest("no torch")
        dataset, decoded = Rows(FOLDER), tempfile.NamedTemporaryFile("ab", buffering=0)
        decode = dataset._decoded
        dataset._decoded = lambda chunk: (decoded.write(b"%d\n" % chunk), decode(chunk))[1]
        batches = OrderedBatches(dataset, 8, steps=len(dataset) // 8)
        loader = rows_module.torch.utils.data.DataLoader(dataset, sampler=batches, batch_size=None, num_workers=3)
        found = [as_list(batch["input_ids"]) for batch in loader]
        self.assertEqual(found, [as_list(Rows(FOLDER)[numbers]["input_ids"]) for numbers in batches])
        lines = pathlib.Path(decoded.name).read_text().split()
        self.assertLessEqual(len(lines), len(dataset._grid.sizes) + 3)  # each worker looks at the columns of chunk 0
        self.assertEqual([name for name in os.listdir("/dev/shm") if dataset._token in name], [])

    def test_names_positions_outside_a_row(self):
        with tempfile.TemporaryDirectory() as folder:
            path = shutil.copy(rows_module.shards_of(FOLDER)[0], folder)
            with h5py.File(path, "r+") as file:
                width = file["input_ids"].shape[1]
                file["masked_lm_positions"][3, 1] = width
            with self.assertRaisesRegex(ValueError, f"masked_lm_positions are not below {width}"):
                Rows(folder)[5]

    def test_reads_the_test_shards_by_themselves(self):
        self.assertGreater(len(Rows(FOLDER, "test")), 0)
        self.assertRaises(FileNotFoundError, Rows, FOLDER, "validation")
        self.assertRaises(IndexError, Rows(FOLDER).__getitem__, 10**9)

    def test_is_found_in_the_root_of_one_phase(self):
        for above in (FOLDER.parent, FOLDER.parent.parent, str(FOLDER.parent.parent) + os.sep):
            self.assertEqual(Rows(above).paths, Rows(FOLDER).paths)
        with tempfile.TemporaryDirectory() as root:
            self.assertRaises(FileNotFoundError, Rows, root)
            for name in ("phase1", "phase2"):
                os.makedirs(os.path.join(root, name, "sample"))
                shutil.copy(rows_module.shards_of(FOLDER)[0], os.path.join(root, name, "sample"))
            with self.assertRaisesRegex(ValueError, "holds 2 datasets: give one of .*phase1.sample, .*phase2.sample"):
                Rows(root)

    def test_says_what_it_is(self):
        dataset = Rows(FOLDER.parent)
        self.assertEqual(repr(dataset), f"Rows({str(FOLDER)!r}, 'training'): {len(dataset):,} rows of 128 "
                                        "tokens in 3 shards")
        self.assertEqual(repr(OrderedBatches(dataset, 8, rank=1, world_size=2)),
                         f"OrderedBatches: 8 of {len(dataset):,} rows, rank 1 of 2, seed 42, order v2, without end, "
                         "from position 0")

    def test_takes_numbers_as_a_list_does(self):
        dataset = Rows(FOLDER)
        count, whole = len(dataset), list(range(len(dataset)))
        for number in (-1, -count, np.int64(3), np.array(3)):
            self.assertEqual(as_list(dataset[number]["input_ids"]), as_list(dataset[whole[number]]["input_ids"]))
        for cut in (slice(3, 9), slice(-3, None), slice(None, None, 97), slice(5, 1, -1), slice(7, 7),
                    slice(10**9, None)):
            self.assertEqual(as_list(dataset[cut]["labels"]), [as_list(dataset[row]["labels"]) for row in whole[cut]])
        for numbers in ([4, -1, 4], (4, -1, 4), np.array([4, -1, 4], np.int8)):
            self.assertEqual(as_list(dataset[numbers]["input_ids"]), as_list(dataset[[4, count - 1, 4]]["input_ids"]))
        self.assertEqual(as_list(dataset[range(3)]["input_ids"]), as_list(dataset[:3]["input_ids"]))
        self.assertEqual(dataset[[]]["input_ids"].shape, (0, 128))
        for outside in (count, -count - 1, [0, count], [-count - 1]):
            with self.assertRaisesRegex(IndexError, f"the dataset has {count:,} rows"):
                dataset[outside]
        for other in (1.0, "1", [0.0], [True], [[1]], None):
            self.assertRaises(TypeError, dataset.__getitem__, other)
        with self.assertRaisesRegex(ValueError, "at once"):
            dataset[range(10**9)]


def places_of(order, position, count):
    """Shard and row of each place."""
    ends = list(itertools.accumulate(order.rows_per_shard))
    begins = [0, *ends]
    for number in order.at(position, count).tolist():
        shard = bisect.bisect_right(ends, number)
        yield shard, number - begins[shard]


def order_of(rows, chunks=None, seq_len=128, seed=42, order="v2"):
    made = RowOrder(rows, chunks or [min(256, count) for count in rows], seq_len, seed, order)
    made.rows_per_shard = rows
    return made


class Order(unittest.TestCase):
    def require_golden(self, case, order):
        lines = "".join(f"{shard} {row}\n" for shard, row in places_of(order, case["epoch"] * order.rows, order.rows))
        self.assertEqual(hashlib.sha256(lines.encode()).hexdigest(), case["sha256_of_places"], case)

    def test_v2_is_that_of_the_plain_restatement(self):
        golden = HERE.parent / "golden" / "data" / "row_order" / "v2.jsonl"
        for line in golden.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            self.require_golden(case, order_of(case["rows_per_shard"], case["chunk_rows_per_shard"], case["seq_len"],
                                               case["seed"]))

    def test_v1_is_that_of_version_0_2(self):
        golden = SHARED / "goldens" / "outputs" / "row-order.json"
        if not golden.is_file():
            self.skipTest(f"needs {golden}")
        for case in json.loads(golden.read_text(encoding="utf-8")):
            self.require_golden(case, order_of(case["rows_per_shard"], seed=case["seed"],
                                               order="v1" if case["shuffle"] else None))

    def test_has_every_row_once_an_epoch_and_starts_anywhere(self):
        rows = [5, 0, rows_module.POOL_ROWS + 3, 11, 9000]
        for seed, kind in itertools.product(SEEDS, ("v2", "v1")):
            whole = order_of(rows, seed=seed, order=kind).at(0, 2 * sum(rows)).tolist()
            for epoch in (0, 1):
                self.assertEqual(sorted(whole[epoch * sum(rows):][:sum(rows)]), list(range(sum(rows))))
            self.assertNotEqual(whole[:sum(rows)], whole[sum(rows):])
            for position in (1, sum(rows) // 2 - 7, sum(rows) - 2, sum(rows) + 7):
                self.assertEqual(order_of(rows, seed=seed, order=kind).at(position, 20).tolist(),
                                 whole[position:position + 20])

    def test_is_what_bertprep_order_prints(self):
        kinds = (("v2", True), ("v1", True), ("none", False))
        for folder, (kind, shuffle) in itertools.product((FOLDER, BLOCKS), kinds):
            dataset = Rows(folder)
            order = OrderedBatches(dataset, 8, seed=7, shuffle=shuffle, order=kind if shuffle else "v2").order
            order.rows_per_shard = dataset.rows
            printed = subprocess.run([BERTPREP, "order", folder, "--seed", "7", "--epoch", "1", "--position", "11",
                                      "--rows", "2000", "--order", kind, "--json"], check=True, capture_output=True)
            events = [json.loads(line) for line in printed.stdout.splitlines()]
            names = [os.path.basename(path) for path in dataset.paths]
            self.assertEqual([(event["shard"], event["row"]) for event in events],
                             [(names[shard], row) for shard, row in places_of(order, order.rows + 11, 2000)])

    def test_mixes_many_shards_in_a_batch(self):
        order = order_of([1000] * 200)
        for position in range(0, 2 * order.rows, 9973):
            self.assertGreaterEqual(len({shard for shard, _ in places_of(order, position, 64)}), 30)

    def test_reaches_any_place_of_large_sets_within_a_second(self):
        order = order_of([488281] * 205)  # 10^8 rows
        start = time.process_time()
        order.at(123 * order.rows + 87654321, 256)
        self.assertLess(time.process_time() - start, 1)


class Batches(unittest.TestCase):
    def test_of_all_ranks_are_those_of_one_process_stopped_anywhere(self):
        dataset = Rows(FOLDER)
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
        dataset = Rows(FOLDER)
        self.assertRaises(ValueError, OrderedBatches, dataset, 9, world_size=2)
        state = OrderedBatches(dataset, 8, seed=1).state_dict(3)
        self.assertEqual(state["order"], "v2")
        for other in ({"seed": 2}, {"seed": 1, "order": "v1"}, {"seed": 1, "shuffle": False}):
            self.assertRaises(ValueError, OrderedBatches(dataset, 8, **other).load_state_dict, state)
        self.assertRaises(ValueError, OrderedBatches, dataset, 8, order="v3")
        self.assertRaises(TypeError, len, OrderedBatches(dataset, 8))
        for size in (0, -8, 10**9, len(dataset) + 1):
            with self.assertRaisesRegex(ValueError, "give at least 1, at most the .* rows of the dataset"):
                OrderedBatches(dataset, size)
        self.assertRaises(TypeError, OrderedBatches, dataset, 8.0)
        self.assertRaises(ValueError, OrderedBatches, dataset, 8, rank=2, world_size=2)

    def test_come_through_a_loader_with_workers(self):
        if rows_module.torch is None:
            self.skipTest("needs torch")
        from torch.utils.data import DataLoader
        dataset = Rows(FOLDER)
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
