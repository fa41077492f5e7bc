"""bertprep.Rows of MDS and Megatron sets, and what the workers of a DataLoader share."""

import multiprocessing
import os
import pickle
import struct

import bertprep
import numpy as np
import pytest


@pytest.fixture(scope="module")
def sets(tmp_path_factory, texts):
    """A run for each kind of trainer, by name: its ROOT, and the ids of its documents."""
    root = tmp_path_factory.mktemp("sets")
    for trainer in ("modernbert", "megatron-gpt"):
        bertprep.build(texts * 3, root / trainer, work=root / "work", trainer=trainer, vocab="sample-uncased",
                       sentences="icu", train_shards=3, test_shards=1, name="small", size_limit="20KB"
                       if trainer == "modernbert" else None)
    return root


def ids_of(rows):
    return [np.asarray(rows[i]["input_ids"]).tolist() for i in range(len(rows))]


def test_reads_mds(sets, texts):
    training, test = bertprep.Rows(sets / "modernbert"), bertprep.Rows(sets / "modernbert" / "small", "test")
    assert len(training.paths) > 3 and training.rows and sum(training.rows) == len(training)
    tokenizer = bertprep.Tokenizer("sample-uncased")
    cls, sep = tokenizer.specials["cls"], tokenizer.specials["sep"]
    expected = {(cls, *tokenizer.encode(text).tolist(), sep) for text in texts}
    found = ids_of(training) + ids_of(test)
    assert {tuple(row) for row in found if len(row) < 1024} <= expected and len(found) >= len(texts) * 3
    batch = {name: np.asarray(column) for name, column in training[[5, 0, -1]].items()}
    assert list(batch) == ["input_ids", "attention_mask", "labels"] and batch["input_ids"].dtype == np.int64
    for row, number in enumerate((5, 0, -1)):
        count = int(batch["attention_mask"][row].sum())
        assert batch["input_ids"][row, :count].tolist() == np.asarray(training[number]["input_ids"]).tolist()
        assert batch["labels"][row, :count].tolist() == batch["input_ids"][row, :count].tolist()
        assert (batch["labels"][row, count:] == -100).all() and not batch["input_ids"][row, count:].any()


def test_reads_megatron(sets):
    folder = sets / "megatron-gpt" / "small"
    prefix, = (path.with_suffix("") for path in folder.glob("*_train_*.idx"))
    content = prefix.with_suffix(".idx").read_bytes()
    count, = struct.unpack_from("<Q", content, 18)
    lengths = struct.unpack_from(f"<{count}i", content, 34)
    stored = np.fromfile(prefix.with_suffix(".bin"), "<u2")
    ends = np.cumsum(lengths)
    for rows in (bertprep.Rows(folder), bertprep.Rows(prefix), bertprep.Rows(sets / "megatron-gpt")):
        assert ids_of(rows) == [stored[end - length:end].tolist() for end, length in zip(ends, lengths)]
    assert len(bertprep.Rows(folder, "test")) > 0


def test_sequences_come_in_an_order(sets):
    plain, ordered = bertprep.Rows(sets / "modernbert"), bertprep.Rows(sets / "modernbert", order_seed=7)
    assert ids_of(plain) != ids_of(ordered) and sorted(ids_of(plain)) == sorted(ids_of(ordered))
    batches = bertprep.OrderedBatches(plain, 8, seed=7, steps=2)
    assert [number for batch in batches for number in batch] == \
        bertprep.rows.RowOrder(plain.rows, plain.stored_chunk_rows, plain.seq_len, 7).at(0, 16).tolist()


def first_ids(rows):
    return np.asarray(rows[0]["input_ids"]).tolist()


def test_sequences_can_be_pickled(sets):
    rows = bertprep.Rows(sets / "megatron-gpt")
    again = pickle.loads(pickle.dumps(rows))
    assert repr(again) == repr(rows) and first_ids(again) == first_ids(rows)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(first_ids, [rows, rows]) == [first_ids(rows)] * 2


def test_damaged_sets_are_refused(sets, tmp_path):
    shard = bertprep.Rows(sets / "modernbert").paths[0]
    whole = open(shard, "rb").read()
    copy = tmp_path / "shard.00000.mds"
    index = ('{"shards": [{"format": "mds", "raw_data": {"basename": "shard.00000.mds"}, "samples": 3}], "version": 2}')
    (tmp_path / "index.json").write_text(index)
    with pytest.raises(FileNotFoundError, match="zstd -d"):
        bertprep.Rows(tmp_path)
    for damaged in (whole[:-1], whole[:7], b"\xff" * 100):
        copy.write_bytes(damaged)
        with pytest.raises(ValueError, match="is no shard of MDS"):
            bertprep.Rows(tmp_path)[0]
    (tmp_path / "index.json").write_text('{"shards": 1}')
    with pytest.raises(ValueError, match="is no index of MDS"):
        bertprep.Rows(tmp_path)
    prefix = tmp_path / "x_train_document"
    prefix.with_suffix(".idx").write_bytes(b"MMIDIDX\0\0" + struct.pack("<QBQQiiqq", 1, 8, 1, 2, 9, 0, 0, 1))
    prefix.with_suffix(".bin").write_bytes(b"\1\0")
    with pytest.raises(ValueError, match="beyond the end"):
        bertprep.Rows(prefix)[0]


def test_workers_share_what_they_decode(texts, small, tmp_path, monkeypatch):
    """Each chunk is decoded by one of three workers."""
    data = pytest.importorskip("torch.utils.data")
    folder = bertprep.build(texts * 20, tmp_path / "out", work=tmp_path / "work", phase=1, **small).shard_folders[0]
    rows, log = bertprep.Rows(folder), tmp_path / "log"
    decode = bertprep.rows.Rows._decoded

    def logged(self, chunk):
        with open(log, "a") as file:
            file.write(f"{chunk}\n")
        return decode(self, chunk)

    monkeypatch.setattr(bertprep.rows.Rows, "_decoded", logged)
    batches = bertprep.OrderedBatches(rows, 64, steps=len(rows) // 64)
    loader = data.DataLoader(rows, sampler=batches, batch_size=None, num_workers=3)
    assert sum(len(batch["input_ids"]) for batch in loader) == len(rows) // 64 * 64
    chunks = [int(line) for line in log.read_text().split()]
    assert max(chunks) > 3
    # Each worker decodes the first chunk to learn the columns.
    assert all(chunks.count(chunk) == 1 for chunk in set(chunks) - {0}) and chunks.count(0) <= 4


@pytest.mark.parametrize("is_full", [False, True])
def test_workers_send_large_batches_in_shared_memory(texts, small, tmp_path, monkeypatch, is_full):
    data = pytest.importorskip("torch.utils.data")
    folder = bertprep.build(texts * 5, tmp_path / "out", work=tmp_path / "work", phase=1, **small).shard_folders[0]
    rows = bertprep.Rows(folder)

    def refuse(*_):
        raise OSError("no memory is left")

    if is_full:
        monkeypatch.setattr(os, "pwritev", refuse)
        monkeypatch.setattr(os, "posix_fallocate", refuse)
    batches = [list(range(first, first + 64)) for first in range(0, len(rows) - 64, 64)]
    loader = data.DataLoader(rows, sampler=batches, batch_size=None, num_workers=2, prefetch_factor=12)
    for numbers, batch in zip(batches, loader, strict=True):
        assert all(column.equal(rows[numbers][name]) for name, column in batch.items())
    assert is_full or not [name for name in os.listdir("/dev/shm") if rows._token in name]


def test_a_batch_in_shared_memory_is_read_once(tmp_path, monkeypatch):
    torch = pytest.importorskip("torch")
    tensors = bertprep.rows._Tensors(ids=torch.arange(8192).reshape(64, 128), more=torch.ones(2))
    monkeypatch.setattr(bertprep.rows._Tensors, "outbox", bertprep.rows._Outbox(str(tmp_path / "slots")))
    sent = [pickle.dumps(tensors) for _ in range(bertprep.rows.SLOTS + 1)]
    assert len(sent[0]) < 1000 < 65536 < len(sent[-1])  # no slot is free for the last one
    for one in sent:
        found = pickle.loads(one)
        assert found["ids"].equal(tensors["ids"]) and found["more"].equal(tensors["more"])
    again = pickle.dumps(tensors)
    assert len(again) < 1000
    with pytest.raises(RuntimeError, match="once only"):
        pickle.loads(sent[0])
    assert pickle.loads(again)["ids"].equal(tensors["ids"])


def test_workers_send_batches_as_they_are(sets):
    data = pytest.importorskip("torch.utils.data")
    rows = bertprep.Rows(sets / "modernbert")
    for loader in (data.DataLoader(rows, sampler=[range(8)], batch_size=None, num_workers=1),
                   data.DataLoader(rows, batch_size=8, num_workers=1)):
        batch, expected = next(iter(loader)), rows[:8]
        assert list(batch) == list(expected)
        assert all(batch[name].equal(expected[name]) and batch[name].dtype == expected[name].dtype for name in batch)
    changed = pickle.loads(pickle.dumps(type(expected)(expected, more=expected["labels"].float(), name="x")))
    assert changed["name"] == "x" and changed["more"].equal(expected["labels"].float())
    assert pickle.loads(pickle.dumps(rows[3]))["input_ids"].equal(rows[3]["input_ids"])
