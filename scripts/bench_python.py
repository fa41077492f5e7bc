#!/usr/bin/env python3
"""Measures the Python package against the program, the C++ tokenizer, sentencepiece and NVIDIA's reader, as ratios.

    scripts/bench_python.py BUILD TEXT

BUILD is a build folder with the program, the package and tokenizer_bench. TEXT, of some 10 MB, is a file that
`bertprep format` reads; VOCAB in the environment a vocabulary. Those of tokenizer_bench are WikiText-2 and
bert-large-uncased. Contestants run in turns, ROUNDS (5) times; the best of each counts. Above 1, Python is the faster
one. That of two threads is of elapsed time, and wants an idle machine; the others are of seconds of the processor.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROUNDS = int(os.environ.get("ROUNDS", "5"))
CALLS = 20  # as many as tokenizer_bench's, more or less
OPTIONS = {"phase": 1, "vocab": "sample-uncased", "sentences": "icu", "train_shards": 15, "test_shards": 1, "name": "x"}


def processor():
    """Seconds, those of ended processes too."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def seconds(work):
    """Elapsed, and of the processor."""
    wall, cpu = time.monotonic(), processor()
    work()
    return time.monotonic() - wall, processor() - cpu


def best(*contestants):
    """The least seconds of each, in turns."""
    times = [[seconds(work) for work in contestants] for _ in range(ROUNDS)]
    return [tuple(map(min, zip(*one))) for one in zip(*times)]


def building(bertprep, program, articles, scratch):
    texts = articles.read_text(encoding="utf-8").splitlines()
    flags = [word for name, value in OPTIONS.items() for word in (f"--{name.replace('_', '-')}", str(value))]

    def folders(call):
        place = pathlib.Path(tempfile.mkdtemp(dir=scratch))
        call(place / "out", place / "work")

    def run(out, work):
        subprocess.run([program, "run", "--input", articles, "--format", "articles", "-j1", "-q", "-o", out, "-w", work,
                        *flags], check=True)

    def build(threads):
        return lambda: folders(lambda out, work: bertprep.build(texts, out, work=work, threads=threads, **OPTIONS))

    (_, by_program), (one, by_build), (two, _) = best(lambda: folders(run), build(1), build(2))
    yield "build() from a list / program", by_program / by_build, f"{by_build:.2f} s, {by_program:.2f} s"
    yield "build() with two threads / with one", one / two, f"{two:.2f} s, {one:.2f} s elapsed"


def encoding(bertprep, build, text, articles, scratch):
    lines = text.read_text(encoding="utf-8").split("\n")
    size = len("\n".join(lines).encode())
    tokenizer = bertprep.Tokenizer(os.environ.get("VOCAB", "sample-uncased"))

    def encode():
        for _ in range(CALLS):  # keeps no ids, as tokenizer_bench
            tokenizer.encode_batch(lines, threads=1)

    found = [("encode_batch", encode)]
    try:
        import sentencepiece

        sentencepiece.SentencePieceTrainer.train(
            input=str(articles), model_prefix=str(scratch / "model"), vocab_size=8000, input_sentence_size=100000,
            max_sentence_length=100000, minloglevel=2)
        pieces = sentencepiece.SentencePieceProcessor(model_file=str(scratch / "model.model"))
        found.append(("sentencepiece", lambda: pieces.encode(lines, num_threads=1)))
    except ImportError:
        pass
    bench, rates = build / "bin" / "tokenizer_bench", []
    if bench.exists():
        command = [bench, "--benchmark_filter=encode/english$", "--benchmark_format=json"]

        def native():
            said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            rates.append(json.loads(said)["benchmarks"][0]["bytes_per_second"] / 1e6)

        found.append(("C++ tokenizer", native))
    (_, ours), *others = best(*(work for _, work in found))
    ours /= CALLS
    rate = size / ours / 1e6
    if rates:
        yield "encode_batch / C++ tokenizer", rate / max(rates), f"{rate:.0f} MB/s, {max(rates):.0f} MB/s"
    for _, theirs in others[:len(found) - 1 - bool(rates)]:
        yield "encode_batch / sentencepiece", theirs / ours, f"{rate:.0f} MB/s, {size / theirs / 1e6:.1f} MB/s"


def reading(bertprep, articles, scratch, build):
    texts = articles.read_text(encoding="utf-8").splitlines()
    made = [bertprep.build(texts, scratch / str(layout), work=scratch / "work", layout=layout, **OPTIONS)
            for layout in ("reference", None)]
    folders = [one.shard_folders[0] for one in made]
    for workers in ("0", "2"):
        said = subprocess.run([sys.executable, ROOT / "scripts/bench_dataset.py", *folders], check=True,
                              capture_output=True, text=True,
                              env={**os.environ, "WORKERS": workers, "PYTHONPATH": str(build / "python")}).stdout
        rows = [[word.strip() for word in line.split("|")] for line in said.splitlines()[2:]]
        for name, ours in zip(("in its layout", "in the default layout"), rows[1:]):
            yield (f"Rows {name} / NVIDIA's reader, {workers} workers", float(ours[5].split()[0]),
                   f"{ours[4]}, {rows[0][4]} rows a second of the processor")


def main(build, text):
    sys.path.insert(0, str(build / "python"))
    import bertprep

    program = build / "bin" / "bertprep"
    with tempfile.TemporaryDirectory() as folder:
        scratch, articles = pathlib.Path(folder), pathlib.Path(folder) / "articles.txt"
        subprocess.run([program, "format", text, "-o", articles, "-q"], check=True)
        for measured in (building(bertprep, program, articles, scratch),
                         encoding(bertprep, build, text, articles, scratch),
                         reading(bertprep, articles, scratch, build)):
            for name, ratio, facts in measured:
                print(f"{name}: {ratio:.2f} ({facts})", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
