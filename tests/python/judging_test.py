"""verify, inspect, explain, compare, doctor, report and order, on a dataset of build()."""

import json

import bertprep
import numpy as np
import pytest


@pytest.fixture(scope="module")
def dataset(tmp_path_factory, texts):
    root = tmp_path_factory.mktemp("dataset")
    report = bertprep.build(texts, root / "out", work=root / "work", phase=1, vocab="sample-uncased", sentences="icu",
                            train_shards=2, test_shards=1, name="small")
    return report.shard_folders[0]


def test_verifies(dataset, tmp_path):
    report, = bertprep.verify(dataset)
    assert (report.kind, report.files, report.problems, report.is_sound) == ("shards", 3, [], True)
    with_work = bertprep.verify(dataset.parents[1], work=dataset.parents[2] / "work", threads=2)
    assert [one.kind for one in with_work] == ["files", "shards"] and all(one.is_sound for one in with_work)
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    for path in dataset.iterdir():
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 0xff if path.name == "small_test_0.hdf5" else 0
        (damaged / path.name).write_bytes(content)
    report, = bertprep.verify(damaged)
    assert not report.is_sound and "small_test_0.hdf5" in report.problems[0]
    with pytest.raises(FileNotFoundError):
        bertprep.verify(tmp_path / "missing")


def test_finds_unfinished_sets(texts, tmp_path):
    made = bertprep.build(texts, tmp_path / "out", work=tmp_path / "work", trainer="modernbert", sentences="icu",
                          vocab="sample-uncased", train_shards=2, test_shards=1, name="small")
    folder = made.shard_folders[0]
    report, = bertprep.verify(folder)
    assert report.kind == "sequences" and report.is_sound
    (folder / "manifest.json").unlink()
    assert any("no manifest.json" in report.problems[0] for report in bertprep.verify(folder) if report.problems)


def test_inspects(dataset, program):
    found = bertprep.inspect(dataset)
    assert found.seq_len == 128 and found.max_predictions == 20 and [row.row for row in found.shown] == [0, 1, 2]
    row = bertprep.inspect(dataset, rows=range(4, 6)).shown[0]
    assert row.row == 4 and row.pieces[0] == "[CLS]" and len(row.pieces) == 128
    assert row.columns["input_ids"].shape == (1, 128) and row.columns["next_sentence_labels"].shape == (1,)
    assert bertprep.inspect(dataset, rows=slice(None)).rows == len(bertprep.inspect(dataset, rows=slice(None)).shown)
    page = bertprep.inspect(dataset, html=True)
    program("inspect", dataset)
    assert page.html.count("row 2") and "3 rows" not in repr(page) and "<iframe" in page._repr_html_()
    assert found.html is None and found._repr_html_() is None
    with pytest.raises(ValueError, match="counts up"):
        bertprep.inspect(dataset, rows=slice(5, 1, -1))


def test_inspects_token_sequences(texts, tmp_path):
    made = bertprep.build(texts, tmp_path / "out", work=tmp_path / "work", trainer="megatron-gpt", sentences="icu",
                          vocab="sample-uncased", train_shards=2, test_shards=1, name="small")
    found = bertprep.inspect(made.shard_folders[0], html=True)
    rows = bertprep.Rows(made.shard_folders[0])
    assert found.rows == len(rows) and found.seq_len == 0 and "row 2" in found.html
    assert found.shown[1].columns["input_ids"][0].tolist() == np.asarray(rows[1]["input_ids"]).tolist()
    assert len(found.shown[1].pieces) == found.shown[1].columns["input_ids"].shape[1]


def test_explains(dataset, texts):
    row = bertprep.explain(dataset, 7)
    assert row.row == 7 and row.passes == 5 and row.next_sentence in ("following", "other article", "same article")
    assert row.masks and all(mask.how in ("mask", "same", "random") for mask in row.masks)
    sentence = row.a.sentences[0]
    assert any(sentence.text in " ".join(text.split("\n")) for text in texts)
    assert [one.row for one in bertprep.explain(dataset, range(3), vocab="sample-uncased")] == [0, 1, 2]
    with pytest.raises(IndexError, match="counted from 0"):
        bertprep.explain(dataset, 10**6)


def test_explains_token_sequences(texts, program, tmp_path):
    made = bertprep.build(texts, tmp_path / "out", work=tmp_path / "work", trainer="modernbert", sentences="icu",
                          vocab="sample-uncased", train_shards=2, test_shards=1, name="small", max_tokens=128,
                          text="as-is", keep=["formatted", "sharded"])
    row = bertprep.explain(made.shard_folders[0], 1)
    assert isinstance(row, bertprep.results.ExplainedSequence) and row.row == 1 and row.documents
    said = program("explain", "--json", f"{made.shard_folders[0]}:1", "--work", tmp_path / "work").splitlines()
    event, = [one for one in map(json.loads, said) if one["event"] == "explanation"]
    assert row.pieces == event["pieces"] and str(row.text_shard) == event["text_shard"]
    assert ([(one.line, one.begin, one.first_token, one.last_token, one.tokens) for one in row.documents]
            == [tuple(one[name] for name in ("line", "position", "first_token", "last_token", "tokens"))
                for one in event["documents"]])
    assert [one.row for one in bertprep.explain(made.shard_folders[0], range(2))] == [0, 1]


def test_compares(dataset, texts, tmp_path):
    assert bertprep.compare(dataset, dataset).same_order
    other = bertprep.build(texts[:-9], tmp_path / "out", work=tmp_path / "work", phase=1, vocab="sample-uncased",
                           sentences="icu", train_shards=2, test_shards=1, name="small")
    found = bertprep.compare(dataset, other.shard_folders[0])
    assert not found.same_rows and {part.part for part in found.parts} == {"training", "test"}
    assert found.parts[0].first.what


def test_diagnoses(dataset, program):
    diagnosis, = bertprep.doctor(dataset, trainer="nvidia", world_size=16)
    assert diagnosis.format == "hdf5" and diagnosis.files == 3
    trap = diagnosis.findings[0]
    assert trap.trap == "fewer-files-than-ranks" and trap.fix and trap.effects[0].trainer == "nvidia"
    events = map(json.loads, program("doctor", "--json", dataset, status=1).splitlines())
    printed = [event["trap"] for event in events if event["event"] == "finding"]
    assert [finding.trap for finding in bertprep.doctor(dataset)[0].findings] == printed
    with pytest.raises(bertprep.ConfigError, match="trainer nobody is not one of"):
        bertprep.doctor(dataset, trainer="nobody")
    with pytest.raises(bertprep.ConfigError, match="world_size is 0"):
        bertprep.doctor(dataset, world_size=0)


def test_reports(dataset, program, tmp_path):
    report = bertprep.report(dataset, rows=5)
    program("report", dataset, "--rows", 5, "-o", tmp_path / "report.html")
    assert report.html == (tmp_path / "report.html").read_text()
    report.save(tmp_path / "saved.html")
    assert (tmp_path / "saved.html").read_text() == report.html
    assert report.sets[0].rows > 0 and "<iframe" in report._repr_html_() and "html" not in repr(report)[:20]


def test_orders(dataset, program):
    for options, flags in (({"seed": 7, "rows": 50}, ["--seed", 7, "--rows", 50]),
                           ({"epoch": 2, "position": 3}, ["--epoch", 2, "--position", 3]),
                           ({"order": "v1", "test": True}, ["--order", "v1", "--test"]),
                           ({"position": 5, "batch_size": 4, "world_size": 2},
                            ["--position", 5, "--batch-size", 4, "--world-size", 2])):
        events = [json.loads(line) for line in program("order", "--json", dataset, *flags).splitlines()]
        found = bertprep.order(dataset, **options)
        assert [str(found.shards[shard]) for shard in found.shard_numbers] == [event["shard"] for event in events]
        assert found.numbers.tolist() == [event["row"] for event in events]
        assert found.numbers.dtype == np.int64 and found.first == events[0]["position"]
        for name, places in (("step", found.steps), ("rank", found.ranks)):
            assert (None if places is None else places.tolist()) == \
                ([event[name] for event in events] if name in events[0] else None)
    with pytest.raises(bertprep.ConfigError, match="give a multiple of world_size"):
        bertprep.order(dataset, batch_size=5, world_size=2)
