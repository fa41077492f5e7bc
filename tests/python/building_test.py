"""bertprep.build and its kin: the same data as the program's, from whatever holds the documents."""

import functools
import http.server
import json
import pathlib
import threading

import bertprep
import pytest


def articles(texts, path):
    """The texts as a file with one article a line."""
    joined = (" ".join(line.strip() for line in text.split("\n") if line.strip()) for text in texts)
    path.write_text("".join(line + "\n" for line in joined), encoding="utf-8")
    return path


@pytest.fixture
def expected(texts, program, digests, tmp_path):
    """What the program makes of the same text."""
    program("run", "--input", articles(texts, tmp_path / "articles.txt"), "--format", "articles", "--vocab",
            "sample-uncased", "--sentences", "icu", "--train-shards", 2, "--test-shards", 1, "--name", "small", "-w",
            tmp_path / "program-work", "-o", tmp_path / "program")
    found = digests(tmp_path / "program")
    assert len(found) == 6
    return found


class Frame:
    """As pandas' DataFrame: iterating over it gives the names of its columns."""

    def __init__(self, **columns):
        self._columns, self.columns = columns, list(columns)

    def __iter__(self):
        return iter(self.columns)

    def itertuples(self, index=True, name="Pandas"):
        return zip(*self._columns.values())


class Table:
    """As pyarrow's Table."""

    def __init__(self, rows):
        self._rows = rows

    def to_batches(self):
        return [Table(self._rows[:7]), Table(self._rows[7:])]

    def to_pylist(self):
        return self._rows


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_makes_the_data_of_the_program(texts, small, expected, digests, tmp_path, threads):
    report = bertprep.build(texts, tmp_path / "out", work=tmp_path / "work", phases=[1, 2], threads=threads, **small)
    assert digests(tmp_path / "out") == expected
    assert report.shards == 6 and len(report.shard_folders) == 2
    assert [stage.stage for stage in report.stages] == ["format", "shard", "instances"]
    assert report.stages[0].articles == len(texts)


@pytest.mark.parametrize("kind", ["generator", "pairs", "dicts", "objects", "frame", "table", "fields"])
def test_takes_documents_of_many_kinds(texts, small, expected, digests, tmp_path, kind):
    options = {"text_field": "body"} if kind in ("fields", "frame") else {}
    documents = {
        "generator": (text for text in texts), "pairs": [("a title", text) for text in texts],
        "dicts": [{"text": text, "id": 7} for text in texts],
        "objects": [bertprep.results.Document("", text) for text in texts],
        "frame": Frame(number=range(len(texts)), body=texts), "table": Table([{"text": text} for text in texts]),
        "fields": [{"text": "no", "body": text} for text in texts]}[kind]
    bertprep.build(documents, tmp_path / "out", work=tmp_path / "work", **options, **small)
    assert digests(tmp_path / "out") == expected


def test_run_makes_the_data_of_the_program(texts, small, expected, digests, tmp_path):
    report = bertprep.run(input=tmp_path / "articles.txt", output=tmp_path / "out", work=tmp_path / "work",
                          format="articles", **small)
    assert digests(tmp_path / "out") == expected
    again = bertprep.run(input=[tmp_path / "articles.txt"], output=str(tmp_path / "out"), work=tmp_path / "work",
                         format="articles", **small)
    assert again.rows == report.rows and not any(stage.tasks_made for stage in again.stages)
    plan = bertprep.plan(input=tmp_path / "articles.txt", output=tmp_path / "plan", format="articles", **small)
    assert plan.dataset == "small" and plan.articles > 0 and plan.phases[0].rows > 0 and plan.seconds > 0


def test_does_the_stages_of_an_array_job(texts, small, expected, digests, tmp_path):
    def stage(name, **options):
        made = bertprep.run(input=tmp_path / "articles.txt", output=tmp_path / "out", work=tmp_path / "work",
                            format="articles", stage=name, **small, **options)
        assert [one.stage for one in made.stages] == [name]

    with pytest.raises(bertprep.ConfigError, match="does one stage"):
        bertprep.run(input=tmp_path / "articles.txt", output=tmp_path / "out", array_task=0, **small)
    stage("fetch", piece_size="20K")
    with pytest.raises(bertprep.ConfigError, match="the stage 'place' is one task, not an array"):
        stage("place", array_task=0)
    for name in ("format", "place", "shard", "instances"):
        for task in range(2):
            stage(name, **({} if name == "place" else {"array_task": task, "array_count": 2}))
    assert digests(tmp_path / "out") == expected and not list((tmp_path / "out").rglob("manifest.json"))
    assert all(one.is_sound for one in bertprep.verify(tmp_path / "out", finish=True))
    assert len(list((tmp_path / "out").rglob("manifest.json"))) == 2


@pytest.fixture
def server(tmp_path):
    (tmp_path / "web").mkdir()
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=tmp_path / "web")
    handler.func.log_message = lambda *_: None
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{served.server_address[1]}"
        served.shutdown()


def test_reads_addresses_as_the_program(texts, small, expected, digests, program, server, tmp_path):
    articles(texts, tmp_path / "web/articles.txt")
    address = f"{server}/articles.txt"
    options = {"format": "articles", "work": tmp_path / "work", **small}
    plan = bertprep.plan(input=address, output=tmp_path / "out", **options)
    assert plan.download_bytes == (tmp_path / "web/articles.txt").stat().st_size
    bertprep.run(input=address, output=tmp_path / "out", stage="fetch", **options)
    flags = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    for stage in ("format", "place", "shard", "instances", "finish"):
        program("run", "--input", address, "-o", tmp_path / "out", *flags, "--stage", stage)
    assert digests(tmp_path / "out") == expected


def test_says_what_is_not_accepted(texts, small, tmp_path):
    (tmp_path / "in.jsonl").write_text('{"text": "One. Two."}\n{"no": 1}\n')
    with pytest.raises(bertprep.FormatError, match="1 record was rejected .*more than max_rejects") as refused:
        bertprep.format(tmp_path / "in.jsonl", tmp_path / "out.txt", max_rejects=0)
    assert refused.value.where.endswith(".rejects.jsonl")
    assert bertprep.format(tmp_path / "in.jsonl", tmp_path / "out.txt", max_rejects=1).rejected == 1
    with pytest.raises(bertprep.ConfigError, match="max_rejects is -1"):
        bertprep.format(tmp_path / "in.jsonl", tmp_path / "out.txt", max_rejects=-1)
    options = {"output": tmp_path / "out", "work": tmp_path / "work", "phase": 1, **small}
    bertprep.build(texts, strict_data=True, **options)
    repeated = ["One sentence here. Another sentence here."] * 40
    options["output"] = tmp_path / "repeated"
    with pytest.raises(bertprep.FormatError, match="repeat an earlier one .*strict_data makes it an error"):
        bertprep.build(repeated, strict_data=True, **options)
    assert bertprep.build(repeated, **options).warnings


def test_formats_text_as_it_is(tmp_path):
    (tmp_path / "in.jsonl").write_text(json.dumps({"text": "One.\n\n  Two."}) + "\n")
    with pytest.raises(bertprep.ConfigError, match="is no name for JSON Lines"):
        bertprep.format(tmp_path / "in.jsonl", tmp_path / "out.txt", text="as-is")
    bertprep.format(tmp_path / "in.jsonl", tmp_path / "out.jsonl", text="as-is")
    assert json.loads((tmp_path / "out.jsonl").read_text())["text"] == "One.\n\n  Two."


def test_takes_components_of_the_user(texts, small, digests, tmp_path):
    @bertprep.component("at-stops", "1")
    def split(text):
        return [part for part in text.replace(". ", ".\0").split("\0") if part.strip()]

    @bertprep.component("lower", "1")
    def lower(text):
        return text.lower()

    @bertprep.component("letters", "1")
    def letters(sentence):
        return [5 + ord(character) % 50 for character in sentence]

    options = {**small, "sentences": None, "phase": 1, "threads": 3}
    for name, components in {"a": {"splitter": split, "normalizer": lower}, "b": {"tokenizer": letters}}.items():
        sentences = {} if name == "a" else {"sentences": "icu"}
        bertprep.build(texts, tmp_path / name, work=tmp_path / f"work-{name}", **{**options, **sentences}, **components)
        manifest = next((tmp_path / name).rglob("manifest.json")).read_text()
        assert ("at-stops 1" if name == "a" else "letters 1") in manifest
    with pytest.raises(TypeError, match="splitter has no name"):
        bertprep.build(texts, tmp_path / "c", splitter=len, **options)
    bad = bertprep.component("bad", "1")(lambda text: ["not in it"])
    with pytest.raises(bertprep.FormatError, match="'not in it', which is not in the rest"):
        bertprep.build(texts, tmp_path / "d", work=tmp_path / "work-d", splitter=bad, **options)


def test_makes_token_sequences(texts, small, tmp_path):
    options = {name: value for name, value in small.items() if name != "sentences"}
    report = bertprep.build(texts, tmp_path / "out", work=tmp_path / "work", trainer="modernbert", sentences="icu",
                            **options)
    assert list((tmp_path / "out").rglob("index.json")) and report.rows > 0
    shards = sorted((tmp_path / "work").rglob("*_training_*.jsonl"))
    made = bertprep.sequences(shards, tmp_path / "mds", trainer="modernbert", vocab="sample-uncased", name="small")
    assert made.splits["train"].tokens > 0
    with pytest.raises(bertprep.ConfigError, match="dupe_factor has no effect on token sequences"):
        bertprep.build(texts, tmp_path / "x", trainer="modernbert", dupe_factor=2, **small)
    with pytest.raises(bertprep.ConfigError, match="blocks is for token sequences"):
        bertprep.build(texts, tmp_path / "x", blocks=64, **small)


def test_line_breaks_and_text_are_as_asked(texts, small, samples, program, digests, tmp_path):
    """As the program takes the same records of JSON Lines."""
    records = [{"text": text.replace(". ", "\n") + "\n\n  End\n"} for text in texts]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    made = {}
    for breaks in (None, "space", "paragraph", "line"):
        out = tmp_path / f"out-{breaks}"
        bertprep.build(records, out, work=tmp_path / "work", phase=1, line_breaks=breaks, **small)
        made[breaks] = digests(out)
    assert made[None] == made["paragraph"] and len({str(files) for files in made.values()}) == 3
    flags = [word for name, value in small.items() for word in (f"--{name.replace('_', '-')}", value)]
    program("run", "--input", tmp_path / "a.jsonl", "--phase", 1, "--line-breaks", "line", "-o", tmp_path / "program",
            "-w", tmp_path / "program-work", *flags)
    assert digests(tmp_path / "program") == made["line"]
    ids = {}
    for text in ("as-is", "one-line"):
        made = bertprep.sequences(tmp_path / "a.jsonl", tmp_path / text, trainer="megatron-gpt", text=text, eod=False,
                                  vocab=samples / "byte-pairs", text_field="text", name="x")
        ids[text] = made.splits["train"].tokens
        bertprep.build(records, tmp_path / f"run-{text}", work=tmp_path / "work", trainer="megatron-gpt", text=text,
                       name="x", vocab=samples / "byte-pairs", train_shards=2, test_shards=1)
    assert ids["as-is"] > ids["one-line"]


def test_trains_vocabularies(texts, program, tmp_path):
    program("vocab", "train", articles(texts, tmp_path / "articles.txt"), "--format", "articles", "--vocab-size", 300,
            "-o", tmp_path / "program.txt")
    report = bertprep.train_vocab(texts, output=tmp_path / "vocab.txt", vocab_size=300)
    assert (tmp_path / "vocab.txt").read_text() == (tmp_path / "program.txt").read_text()
    assert report.pieces == 300 and report.stage.articles == len(texts)
    bertprep.train_vocab(input=tmp_path / "articles.txt", output=tmp_path / "files.txt", format="articles",
                         vocab_size=300)
    assert (tmp_path / "files.txt").read_text() == (tmp_path / "program.txt").read_text()
    with pytest.raises(bertprep.FormatError, match="force=True"):
        bertprep.train_vocab(texts, output=tmp_path / "vocab.txt", vocab_size=300)
    files = bertprep.export_vocab(tmp_path / "tokenizer", vocab=tmp_path / "vocab.txt")
    assert json.loads((tmp_path / "tokenizer" / "tokenizer_config.json").read_text()) and len(files) > 1


def test_formats_extracts_and_reshards(samples, small, texts, program, digests, tmp_path):
    stage = bertprep.format(samples / "sample.jsonl", tmp_path / "a.txt", format="jsonl")
    program("format", samples / "sample.jsonl", "-o", tmp_path / "b.txt")
    assert (tmp_path / "a.txt").read_bytes() == (tmp_path / "b.txt").read_bytes()
    assert stage.articles == len((tmp_path / "a.txt").read_text().splitlines())
    assert bertprep.extract(samples / "sample_wiki.xml", tmp_path / "extracted").articles > 0
    title = json.loads((tmp_path / "extracted" / "articles.jsonl").read_text().splitlines()[0])["title"]
    assert bertprep.extract_page([samples / "sample_wiki.xml"], title).startswith("<doc id=")
    built = bertprep.build(texts, tmp_path / "out", work=tmp_path / "work", phase=1, **small)
    resharded = bertprep.reshard(built.shard_folders[0], tmp_path / "resharded", shards=3, equal_rows="drop")
    assert resharded.training_shards == 3 and resharded.training_rows % 3 == 0
    assert len(digests(tmp_path / "resharded")) == 4


@pytest.mark.parametrize("documents, error, message", [
    ("one text", TypeError, "one str is no list of documents"), (b"bytes", TypeError, "one bytes is no list"),
    (7, TypeError, "int"), (["a", 7], TypeError, "document 2 must be str, .* not int"),
    ([b"a"], TypeError, "document 1 must be str, .* not bytes"), ([("a", "b", "c")], TypeError, r"\(title, text\)"),
    ([{"body": "a"}], bertprep.FormatError, "document 1: has no field 'text', but .'body'.*text_field"),
    (["a", "b\udc80"], bertprep.FormatError, "document 2: half of a surrogate pair at character 1"),
    ([{"text": None}], TypeError, "document 1 must be str, not NoneType"), ([], bertprep.FormatError, "")])
def test_says_what_is_no_document(small, tmp_path, documents, error, message):
    with pytest.raises(error, match=message):
        bertprep.build(documents, tmp_path / "out", work=tmp_path / "work", **small)
    assert not list(tmp_path.rglob("*.hdf5"))


@pytest.mark.parametrize("options, error, message", [
    ({"seq_len": 3, "phase": "custom"}, bertprep.ConfigError, "seq_len is 3, it must be between 5 and 65535"),
    ({"seqlen": 128}, TypeError, r"build\(\) has no option 'seqlen'"),
    ({"phase": 3}, bertprep.ConfigError, "phase is '3'"), ({"phases": [1, 3]}, bertprep.ConfigError, "phase is"),
    ({"phase": 1, "phases": [1]}, TypeError, "not both"), ({"threads": "many"}, ValueError, "threads"),
    ({"threads": 1.5}, TypeError, "threads must be a whole number, not float"),
    ({"masked_lm_prob": "0.1x"}, bertprep.ConfigError, "masked_lm_prob"),
    ({"force": "yes"}, TypeError, "force must be True or False, not str"),
    ({"threads": True}, TypeError, "threads must be a number"), ({"vocab": "no-such"}, bertprep.IoError, "no-such")])
def test_says_what_is_no_option(texts, small, tmp_path, options, error, message):
    with pytest.raises(error, match=message):
        bertprep.build(texts, tmp_path / "out", work=tmp_path / "work", **{**small, **options})


def test_takes_values_of_python(texts, small, tmp_path):
    report = bertprep.build(texts, tmp_path / "out", work=tmp_path / "work", phase=1, random_seed=-2**70,
                            masked_lm_prob=1 / 4, strip_accents=True, memory=2**30, keep=["formatted"], **small)
    manifest = json.loads((report.shard_folders[0] / "manifest.json").read_text())
    assert str(-2**70) in report.shard_folders[0].parent.name and manifest["recipe"]["masked-lm-prob"] == 0.25


def test_huge_documents_are_no_trouble(small, texts, tmp_path):
    huge = "A sentence of some length that is repeated. " * 400_000  # 17 MB
    report = bertprep.build([huge, *texts], tmp_path / "out", work=tmp_path / "work", phase=1, **small)
    assert report.stages[0].articles + report.stages[0].rejected == len(texts) + 1


def test_shows_its_report(texts, small, tmp_path):
    report = bertprep.build(texts, tmp_path / "out", work=tmp_path / "work", phase=1, **small)
    assert report._repr_html_().startswith("<iframe") and "sandbox" in report._repr_html_()
    assert isinstance(report.shard_folders[0], pathlib.Path) and repr(report).startswith("BuildReport(")
