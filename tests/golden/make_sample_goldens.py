#!/usr/bin/env python3
"""Makes data/RUN/*.tsv from the sample corpus with the independent Python model of the reference.

  make_sample_goldens.py REFERENCE_MODEL.py

wikitext_articles.py is expected beside the model. Needs numpy. data/runs.tsv and data/punkt are written by hand, the
vocabulary by `bertprep vocab train`; the tables are written again, the same each time.
"""
import csv
import hashlib
import importlib.util
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DATA = HERE / "data"
NAME = "sample"
PHASES = {"both": [(128, 20), (512, 80)]}


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def load_model(path):
    spec = importlib.util.spec_from_file_location("reference_model", path)
    model = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(model)
    return model


def sentences_of(model, text):
    """The sentences of every article, as the model's own `shard` finds them, with the parameters of data/punkt."""
    parameters = model.Punkt(str(DATA / "punkt"))
    articles = []
    for line in text.decode("utf-8").split("\n"):
        points = [ord(c) for c in line]
        points = points[: model.rstrip_len(points)]
        if points:
            articles.append(["".join(map(chr, s)) for s in model.sentences(points, parameters)])
    return articles


def text_shards(model, articles, run):
    counts = int(run["train_shards"]), int(run["test_shards"])
    placed = model.distribute([len(a) for a in articles], *counts, float(run["test_fraction"]))
    for split, shards in zip(("training", "test"), placed):
        for i, members in enumerate(shards):
            lines = (line for a in members for line in articles[a] + [""])
            yield f"{NAME}_{split}_{i}", "".join(line + "\n" for line in lines).encode("utf-8")


def folder_name(run, seq_len, predictions):
    return (
        f"hdf5_lower_case_{run['lower_case']}_seq_len_{seq_len}_max_pred_{predictions}"
        f"_masked_lm_prob_{float(run['masked_lm_prob'])}_random_seed_{int(run['random_seed'])}"
        f"_dupe_factor_{run['dupe_factor']}"
    )


def shard_rows(model, text_file, run, seq_len, predictions):
    arrays, _ = model.create(
        str(text_file), str(ROOT / "vocab" / "sample-uncased-vocab.txt"), None, seq_len, predictions,
        int(run["random_seed"]), int(run["dupe_factor"]), run["lower_case"] == "1", float(run["masked_lm_prob"]),
        float(run["short_seq_prob"]))
    for name, array in sorted(arrays.items()):
        yield name, array.dtype.str, "x".join(map(str, array.shape)), sha256(array.tobytes())


def phases_of(run):
    return PHASES.get(run["phase"], [(int(run["seq_len"]), int(run["max_predictions"]))])


def write_table(path, header, rows):
    path.parent.mkdir(exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows([header] + rows)


def formatted_text(model_path, scratch):
    tool = pathlib.Path(model_path).resolve().parent / "wikitext_articles.py"
    articles = scratch / "articles.txt"
    subprocess.run([sys.executable, tool, articles, ROOT / "samples" / "sample.wikitext"], check=True)
    return articles.read_bytes()


def write_run(model, run, text, scratch):
    texts = [[f"formatted_one_article_per_line/{NAME}_one_article_per_line.txt", len(text), sha256(text)]]
    shards = []
    folder = (
        f"sharded_training_shards_{run['train_shards']}_test_shards_{run['test_shards']}"
        f"_fraction_{float(run['test_fraction'])}/{NAME}"
    )
    model.CACHE.clear()  # it keeps words without the case mode they were split in
    for stem, content in text_shards(model, sentences_of(model, text), run):
        texts.append([f"{folder}/{stem}.txt", len(content), sha256(content)])
        text_file = scratch / f"{stem}.txt"
        text_file.write_bytes(content)
        for seq_len, predictions in phases_of(run):
            file = f"{folder_name(run, seq_len, predictions)}/{NAME}/{stem}.hdf5"
            shards += [[file, *row] for row in shard_rows(model, text_file, run, seq_len, predictions)]
    write_table(DATA / run["run"] / "texts.tsv", ["file", "bytes", "sha256"], texts)
    write_table(DATA / run["run"] / "shards.tsv", ["file", "dataset", "dtype", "shape", "sha256"], sorted(shards))


def main(model_path):
    model = load_model(model_path)
    with open(DATA / "runs.tsv", encoding="utf-8") as file:
        runs = list(csv.DictReader(file, delimiter="\t"))
    with tempfile.TemporaryDirectory() as scratch:
        text = formatted_text(model_path, pathlib.Path(scratch))
        for run in runs:
            write_run(model, run, text, pathlib.Path(scratch))


if __name__ == "__main__":
    main(sys.argv[1])
