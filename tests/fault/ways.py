"""The ways through the program that the tests of faults disturb: every stage, a whole run, an array job, a training."""

import json
import re

from fault_lab import PROJECT, SAMPLES, Way

ARTICLES = 12
VOCAB = PROJECT / "vocab" / "sample-uncased-vocab.txt"
STAGES = ("fetch", "format", "place", "shard", "instances", "finish")
ARRAY_STAGES = ("format", "shard", "instances")
TASKS = 2


def first_articles(case):
    """A part of the sample: enough for every shard, and soon done."""
    text = (SAMPLES / "sample.wikitext").read_text(encoding="utf-8")
    heads = [head.start() for head in re.finditer(r"^ = [^=].* = $", text, re.MULTILINE)]
    (case / "in.wikitext").write_text(text[:heads[ARTICLES]], encoding="utf-8", newline="")


def first_pages(case):
    text = (SAMPLES / "sample_wiki.xml").read_text(encoding="utf-8")
    pages = [page.end() for page in re.finditer(r"</page>\n", text)]
    (case / "in.xml").write_text(text[:pages[ARTICLES]] + "</mediawiki>\n", encoding="utf-8", newline="")


def articles_and_model(case):
    """The smallest model for the vocabulary: its checkpoints are soon written."""
    first_articles(case)
    model = {"vocab_size": len(VOCAB.read_text(encoding="utf-8").splitlines()), "hidden_size": 8,
             "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16, "max_position_embeddings": 128}
    (case / "model.json").write_text(json.dumps(model), encoding="utf-8")


MODELS = ["--vocab", "sample-uncased", "--sentences", "icu"]
PLACES = ["--name", "s", *MODELS, "--train-shards", 2, "--test-shards", 1, "-o", "root", "-w", "work", "-q", "-j", 1]
RUN = ["--input", "in.wikitext", "--format", "wikitext", *PLACES]
DUMP_RUN = ["--input", "in.xml", "--format", "mediawiki", *PLACES, "--phase", 1, "--keep", "extracted"]
FORMAT = ["bertprep", "format", "in.wikitext", "--format", "wikitext", "-o", "formatted/s.txt", "-q", "-j", 1]
SHARD = ["bertprep", "shard", "formatted/s.txt", "--name", "s", "--sentences", "icu", "--train-shards", 2,
         "--test-shards", 1, "-o", "text", "-q", "-j", 1]
TEXT = ["text/s_training_0.txt", "text/s_training_1.txt", "text/s_test_0.txt"]
INSTANCES = ["bertprep", "instances", *TEXT, "--vocab", "sample-uncased", "-o", "rows", "-q", "-j", 1]

SEQUENCES = ["bertprep", "sequences", *TEXT, "--vocab", "sample-uncased", "--name", "s", "-q", "-j", 1]
MDS = [*SEQUENCES, "--for", "modernbert", "--max-tokens", 64, "--size-limit", "4K", "-o", "mds"]
MEGATRON = [*SEQUENCES, "--for", "megatron-bert", "-o", "megatron"]


def array_command(recipe, stage, task):
    place = ["--array-task", task, "--array-count", TASKS] if stage in ARRAY_STAGES else []
    pieces = ["--piece-size", "4K"] if stage == "fetch" else []
    return ["bertprep", "run", *recipe, "--stage", stage, *place, *pieces]


def array_commands(recipe):
    return [array_command(recipe, stage, task) for stage in STAGES
            for task in range(TASKS if stage in ARRAY_STAGES else 1)]


PHASE1 = "root/hdf5_lower_case_1_seq_len_128_max_pred_20_masked_lm_prob_0.15_random_seed_12345_dupe_factor_5/s"


def train(*more):
    """A training in two parts, so that the second one reads what the first has left."""
    return ["berttrain", "--data", PHASE1, "--model", "model.json", "--max-steps", 4, "--save-every", 1, "--keep", 2,
            "--batch-size", 4, "--output", "trained", "-q", "-j", 1, *more]


def ways(trainer):
    every = [
        Way("extract", first_pages, [["bertprep", "extract", "in.xml", "-o", "extracted", "-q", "-j", 1]]),
        Way("stages", first_articles, [FORMAT, SHARD, INSTANCES]),
        Way("vocab-train", first_articles, [FORMAT, ["bertprep", "vocab", "train", "formatted/s.txt", "--vocab-size",
                                                     400, "-o", "vocab/vocab.txt", "-q"]]),
        Way("sequences", first_articles, [FORMAT, SHARD, MDS]),
        Way("sequences-array", first_articles, [
            FORMAT, SHARD, *([*MEGATRON, "--array-task", task, "--array-count", TASKS] for task in range(TASKS)),
            MEGATRON]),
        Way("run", first_articles, [["bertprep", "run", *RUN]]),
        Way("run-sequences", first_articles, [["bertprep", "run", *RUN, "--for", "modernbert"]]),
        Way("array", first_articles, array_commands(RUN)),
        Way("array-extracted", first_pages, array_commands(DUMP_RUN)),
    ]
    if trainer is not None:
        every.append(Way("train", articles_and_model, [
            ["bertprep", "run", *RUN, "--phase", 1], train("--steps-this-run", 2), train("--export", "model")]))
    return every
