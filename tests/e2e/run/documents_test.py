"""Sequences of documents hold their text as it is: the ids are those of HuggingFace's own library for the same text,
and, for byte-level BPE, spell it.

    python3 documents_test.py BERTPREP SAMPLES spelling|shown|explained|large|tokenizers

`tokenizers` is skipped where BERTPREP_NODE_MODULES names no folder with @huggingface/tokenizers (npm install
@huggingface/tokenizers). GPT-2's and OLMo's tokenizers are those of BERTPREP_SHARED, where it has them.
"""

import array
import itertools
import json
import os
import pathlib
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77
HERE = pathlib.Path(__file__).resolve().parent
SHARED = pathlib.Path(os.environ.get("BERTPREP_SHARED") or HERE.parents[2].parent / "shared")

BERTPREP = ""
SAMPLES = pathlib.Path()

WORDS = ("the keeper of Lights didn't see 1,024 ships; naïve Ångström cafe\u0301 東京の天気 नमस्ते สวัสดी 👩‍🚀 🇳🇴 "
         "don't we'll if(x>=10){return\\n} <b>bold</b> &amp; \"quoted\" \\\\server\\share $a_1 — … ... #tag @user "
         "x\u200by \u00ad- e.g. Dr. 3.14 1e-9 snake_case CamelCase ﬁne ½ ² Ω ΣΑΣ İstanbul ß \x7f \x01").split(" ")
GAPS = (" ", " ", " ", " ", " ", "  ", "   ", "\t", "\n", "\n\n", "\n    ", "\n\t\t", "\r\n", " \n", "\u00a0", "\u3000",
        ". ", ".\n", "\u2028", "\x0b", "\x0c", "\n\n\n\n", "\r", "", "        ",
        "\n- ", "\n| a | b |\n|---|---|\n", "\n# ", "```\n")


def random_documents(count, seed):
    """Words and what may be between them, at the beginning and at the end, too."""
    draw = random.Random(seed)
    documents = []
    for _ in range(count):
        text = draw.choice(GAPS)
        for _ in range(draw.choice((1, 3, 10, 40, 200))):
            text += draw.choice(WORDS) + draw.choice(GAPS)
        documents.append(text)
    return documents


def written_documents():
    """Code, Markdown, verse and tables as people write them."""
    root = HERE.parents[2]
    files = [*sorted((root / "src/token").glob("*.cpp"))[:6], *sorted((root / "docs/how-to").glob("*.md"))[:6],
             root / "CMakeLists.txt", root / "README.md", HERE / "documents_test.py"]
    texts = [file.read_text(encoding="utf-8") for file in files]
    verse = "Tyger Tyger, burning bright,\n   In the forests of the night;\n\nWhat immortal hand or eye,\n"
    table = "a\tb\tc\n1\t2\t3\n\n| x | y |\n| --- | ---: |\n| 1 |   2 |\n"
    return [*texts, verse, table, texts[0].replace("\n", "\r\n"), "  \n leading and trailing \n\t ", "x"]


def bertprep(*words, **options):
    run = subprocess.run([BERTPREP, *(str(word) for word in words)], capture_output=True, text=True, **options)
    if run.returncode != 0:
        raise AssertionError(f"{words}: {run.stderr}")
    return run.stderr


def tokenizers():
    """Names and folders: the sample's, and those of BERTPREP_SHARED."""
    found = {"sample": SAMPLES / "byte-pairs"}
    for name in ("gpt2", "olmo-neox"):
        folder = SHARED / "models/bpe" / name
        if folder.is_dir():
            found[name] = folder
    return found


def megatron_documents(prefix):
    """The ids of each document of a Megatron set, its sentences joined."""
    index = pathlib.Path(f"{prefix}.idx").read_bytes()
    kind = "H" if index[17] == 8 else "i"
    sequences, ends = struct.unpack_from("<QQ", index, 18)
    lengths = struct.unpack_from(f"<{sequences}i", index, 34)
    last = struct.unpack_from(f"<{ends}q", index, 34 + 12 * sequences)
    ids = array.array(kind, pathlib.Path(f"{prefix}.bin").read_bytes())
    documents, at = [], 0
    for begin, end in zip(last, last[1:]):
        size = sum(lengths[begin:end])
        documents.append(list(ids[at:at + size]))
        at += size
    return documents


def letters_of_bytes():
    """GPT-2's letters for bytes, and back."""
    kept = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in kept]
    return {**{chr(byte): byte for byte in kept}, **{chr(0x100 + i): byte for i, byte in enumerate(others)}}


def spelling_of(folder):
    """The bytes of each id, from the tokenizer's folder in the set."""
    model = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    added = {token["id"]: token["content"] for token in model["added_tokens"]}
    letters = letters_of_bytes()
    spelling = {id: bytes(letters[letter] for letter in token) for token, id in model["model"]["vocab"].items()
                if id not in added}
    return {**spelling, **{id: content.encode() for id, content in added.items()}}


class DocumentsTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, name, documents):
        lines = "".join(json.dumps({"text": text}, ensure_ascii=len(text) % 2 == 0) + "\n" for text in documents)
        (self.folder / name).write_text(lines, encoding="utf-8")
        return self.folder / name

    def sequences(self, file, name, vocab, *options, trainer="megatron-gpt"):
        html = () if file.suffix == ".md" else ("--html", "keep")
        bertprep("sequences", file, "--vocab", vocab, "--name", "s", "--for", trainer, "-o", self.folder / name, "-q",
                 *html, *options)
        return self.folder / name


class SpellingTest(DocumentsTest):
    def test_ids_spell_the_text(self):
        documents = [*written_documents(), *random_documents(200, 1)]
        file = self.write("d.jsonl", documents)
        for name, vocab in tokenizers().items():
            made = self.sequences(file, name, vocab, "--eod", "no")
            spelling = spelling_of(made / "tokenizer")
            spelled = [b"".join(spelling[id] for id in ids)
                       for ids in megatron_documents(made / "s_train_text_document")]
            composes = name == "olmo-neox"  # its tokenizer composes characters first
            for text, found in zip(documents, spelled, strict=True):
                if not composes or text.isascii():
                    self.assertEqual(found, text.encode(), name)

    def test_a_run_keeps_every_text(self):
        documents = [*written_documents(), *random_documents(300, 2)]
        file = self.write("d.jsonl", documents)
        vocab = SAMPLES / "byte-pairs"
        bertprep("run", "--input", file, "--html", "keep", "--name", "s", "--vocab", vocab, "--for", "megatron-gpt",
                 "--eod", "no", "-o", self.folder / "root", "-w", self.folder / "work", "--train-shards", "3",
                 "--test-shards", "1", "-q")
        made = self.folder / "root/s"
        spelling = spelling_of(made / "tokenizer")
        spelled = [b"".join(spelling[id] for id in ids) for split in ("train", "validation")
                   for ids in megatron_documents(made / f"s_{split}_text_document")]
        self.assertEqual(sorted(spelled), sorted(text.encode() for text in documents))
        recipe = json.loads((made / "manifest.json").read_text(encoding="utf-8"))["recipe"]
        self.assertEqual(recipe["text"], "as-is")

    def test_sentences_are_spans_of_the_text(self):
        documents = [*written_documents(), *random_documents(200, 3)]
        file = self.write("d.jsonl", documents)
        for name, vocab in tokenizers().items():
            whole = self.sequences(file, name, vocab, "--eod", "no")
            parted = self.sequences(file, name + "-sentences", vocab, "--level", "sentence", "--sentences", "icu",
                                    "--eod", "no")
            self.assertEqual(megatron_documents(parted / "s_train_text_sentence"),
                             megatron_documents(whole / "s_train_text_document"), name)

    def test_other_formats_and_texts(self):
        text = "# Notes\r\n\r\n- one\r\n- two\r\n\r\n\tdef f(x):\r\n\t\treturn x\r\n"
        vocab = SAMPLES / "byte-pairs"
        (self.folder / "a.md").write_bytes(text.encode())
        (self.folder / "a.csv").write_bytes(("id,text\n1,\"" + text + "\"\n").encode())
        self.write("a.jsonl", [text])
        for file, options in (("a.md", ("--format", "books")), ("a.csv", ()), ("a.jsonl", ())):
            made = self.sequences(self.folder / file, file + ".set", vocab, "--eod", "no", *options)
            spelling = spelling_of(made / "tokenizer")
            ids, = megatron_documents(made / "s_train_text_document")
            self.assertEqual(b"".join(spelling[id] for id in ids), text.encode(), file)
        made = self.sequences(self.folder / "a.jsonl", "line", vocab, "--eod", "no", "--text", "one-line")
        ids, = megatron_documents(made / "s_train_text_document")
        self.assertEqual(b"".join(spelling[id] for id in ids), b"# Notes - one - two def f(x): return x")

    def test_format_keeps_the_text_for_sequences(self):
        documents = [*written_documents(), *random_documents(50, 10)]
        file = self.write("d.jsonl", documents)
        bertprep("format", file, "--html", "keep", "--text", "as-is", "-o", self.folder / "kept.jsonl.zst", "-q")
        vocab = SAMPLES / "byte-pairs"
        staged = self.sequences(self.folder / "kept.jsonl.zst", "staged", vocab)
        at_once = self.sequences(file, "at-once", vocab)
        self.assertEqual(megatron_documents(staged / "s_train_text_document"),
                         megatron_documents(at_once / "s_train_text_document"))
        refused = subprocess.run([BERTPREP, "format", file, "--text", "as-is", "-o", self.folder / "kept.txt"],
                                 capture_output=True, text=True)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("give a name that ends in .jsonl", refused.stderr)

    def test_bad_records_are_counted(self):
        file = self.write("d.jsonl", ["good\ntext", ""])
        with open(file, "a", encoding="utf-8") as more:
            more.write("{\"text\": 3}\n")
        made = self.sequences(file, "set", SAMPLES / "byte-pairs")
        manifest = json.loads((made / "manifest.json").read_text(encoding="utf-8"))
        self.assertEqual(sum(manifest["rejected"].values()), 2)
        self.assertEqual(manifest["splits"]["train"]["articles"], 1)
        rejects = (self.folder / ".set.bertprep/train.rejects.jsonl").read_text(encoding="utf-8")
        self.assertIn("d.jsonl:2", rejects)


    def test_line_ends(self):
        documents = ["a\r\nb\rc\n\r\n", "\r\r\n\n\r", *random_documents(50, 6)]
        expected = [text.replace("\r\n", "\n").replace("\r", "\n").encode() for text in documents]
        file = self.write("d.jsonl", documents)
        vocab = SAMPLES / "byte-pairs"
        made = self.sequences(file, "set", vocab, "--eod", "no", "--line-ends", "lf")
        spelling = spelling_of(made / "tokenizer")
        self.assertEqual([b"".join(spelling[id] for id in ids)
                          for ids in megatron_documents(made / "s_train_text_document")],
                         [text for text in expected if text.strip()])
        recipe = json.loads((made / "manifest.json").read_text(encoding="utf-8"))["recipe"]
        self.assertEqual(recipe["line-ends"], "lf")
        run = ("run", "--input", file, "--html", "keep", "--name", "s", "--vocab", vocab, "--for", "megatron-gpt",
               "--eod", "no", "-w", self.folder / "work", "--train-shards", "1", "--test-shards", "1", "-q")
        for options, wanted in ((("--line-ends", "lf"), expected), ((), [text.encode() for text in documents])):
            root = self.folder / f"root{len(options)}"
            bertprep(*run, *options, "-o", root)
            spelled = [b"".join(spelling[id] for id in ids) for split in ("train", "validation")
                       for ids in megatron_documents(root / f"s/s_{split}_text_document")]
            self.assertEqual(sorted(spelled), sorted(text for text in wanted if text.strip()))
            recipe = json.loads((root / "s/manifest.json").read_text(encoding="utf-8"))["recipe"]
            self.assertEqual(recipe.get("line-ends"), "lf" if options else None)
        refused = subprocess.run([BERTPREP, "sequences", file, "--vocab", vocab, "--for", "gpt2", "-o",
                                  self.folder / "refused", "--html", "keep", "--text", "one-line", "--line-ends", "lf"],
                                 capture_output=True, text=True)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--line-ends lf is for text as it is", refused.stderr)


class ShownTest(DocumentsTest):
    NOTES = "# Notes\n\n- one\n\n\tdef f(x):\n\t    return x  \r\n\n\n  naïve\x1b[31m 東京"

    def make(self):
        """Sets of each format, with their trainer's options."""
        file = self.write("d.jsonl", [self.NOTES, *random_documents(20, 7)])
        vocab = SAMPLES / "byte-pairs"
        self.sequences(file, "megatron", vocab)
        self.sequences(file, "hdf5", vocab, "--blocks", "128", trainer="gpt2")
        self.sequences(file, "mds", vocab, "--blocks", "128", "--to", "mds", "--size-limit", "4096", trainer="gpt2")
        return ["megatron", "hdf5", "mds"]

    def test_inspect_shows_the_text(self):
        expected = ["|# Notes", "|", "|- one", "|", "|\tdef f(x):", "|\t    return x  \\r", "|", "|",
                    "|  naïve\\x1B[31m 東京<|endoftext|>"]
        for name in self.make():
            run = subprocess.run([BERTPREP, "inspect", self.folder / name, "--rows", "0"], capture_output=True,
                                 encoding="utf-8")
            self.assertEqual(run.returncode, 0, run.stderr)
            lines = [line[2:] for line in run.stdout.split("\n")[4:]]
            self.assertEqual(lines[:8], expected[:8], name)
            self.assertTrue(lines[8].startswith(expected[8]), lines[8])
            page = subprocess.run([BERTPREP, "inspect", self.folder / name, "--rows", "0", "--html"],
                                  capture_output=True, encoding="utf-8").stdout
            self.assertIn(">" + "\n".join(line[1:] for line in expected[:8]) + "\n", page)

    def test_events_have_every_row(self):
        for name in self.make():
            run = subprocess.run([BERTPREP, "inspect", self.folder / name, "--rows", ":", "--json"],
                                 capture_output=True, encoding="utf-8")
            self.assertEqual(run.returncode, 0, run.stderr)
            head, *rows = [json.loads(line) for line in run.stdout.split("\n") if line.startswith("{")]
            self.assertEqual(head["event"], "shard" if name == "hdf5" else "set")
            self.assertEqual([row["row"] for row in rows], list(range(head["rows"])))
            spelling = spelling_of(self.folder / name / "tokenizer")
            for row in rows:
                text = b"".join(spelling[id] for id in row["ids"])
                # Each byte that is no UTF-8 becomes one replacement character.
                self.assertEqual(row["text"].replace("\ufffd", ""), text.decode(errors="ignore"))
            if name == "megatron":
                ids = megatron_documents(self.folder / name / "s_train_text_document")
                self.assertEqual([row["ids"] for row in rows], ids)

    def test_word_pieces_and_files(self):
        file = self.write("d.jsonl", ["one\ntwo", "three"])
        made = self.sequences(file, "set", "sample-uncased", trainer="modernbert")
        for path in (made, made / "train", made / "train/shard.00000.mds"):
            shown = subprocess.run([BERTPREP, "inspect", path], capture_output=True, encoding="utf-8")
            self.assertIn("MDS, 2 rows", shown.stdout, shown.stderr)
            self.assertIn("\nrow 0\n  tokens: [CLS] one two [SEP]\n", shown.stdout)
        with open(made / "train/shard.00000.mds", "r+b") as shard:
            shard.seek(-1, os.SEEK_END)
            shard.write(b"\x7f")
        damaged = subprocess.run([BERTPREP, "inspect", made], capture_output=True, encoding="utf-8")
        self.assertEqual(damaged.returncode, 1)
        self.assertIn("is not the file that the manifest describes", damaged.stderr)

    def test_report(self):
        for name in self.make():
            bertprep("report", self.folder / name, "--rows", "3", "-o", self.folder / f"{name}.html", "-q")
            page = (self.folder / f"{name}.html").read_text(encoding="utf-8")
            self.assertEqual(page.count("<pre "), 3, name)

    def test_doctor_finds_lost_breaks(self):
        file = self.write("d.jsonl", [text * 20 for text in written_documents()])
        for name, options in (("hdf5", ()), ("mds", ("--to", "mds"))):
            for text, count in (("one-line", 1), ("as-is", 0)):
                made = self.sequences(file, f"{name}-{text}", SAMPLES / "byte-pairs", "--blocks", "64", "--text", text,
                                      *options, trainer="gpt2")
                run = subprocess.run([BERTPREP, "doctor", made / "train" if options else made], capture_output=True,
                                     text=True)
                self.assertEqual(run.stdout.count("the text was made one line"), count, run.stdout + run.stderr)


class ExplainTest(DocumentsTest):
    SPECIAL = ("<|endoftext|>", "[CLS]", "[SEP]")
    GPT2 = ("--vocab", "byte-pairs", "--for", "gpt2")
    MODERNBERT = ("--vocab", "sample-uncased", "--for", "modernbert", "--max-tokens", "64")

    def setUp(self):
        super().setUp()
        draw = random.Random(11)
        parts = ("one", "two\n\n\t", "three  four", "five,", "six\n    ")
        self.texts = [f"document {i}\n" + " ".join(draw.choice(parts) for _ in range(draw.choice((2, 30, 300))))
                      for i in range(24)]
        lines = [json.dumps({"id": f"d{i}", "title": f"Title {i}", "text": text}) + "\n"
                 for i, text in enumerate(self.texts)]
        (self.folder / "d.jsonl").write_text("".join(lines), encoding="utf-8")

    def run_for(self, name, *options):
        words = [SAMPLES / word if word == "byte-pairs" else word for word in options]
        bertprep("run", "--input", self.folder / "d.jsonl", "--name", "s", "--train-shards", "2", "--test-shards", "1",
                 "-o", self.folder / name, "-w", self.folder / "work", "-q", *words)
        return self.folder / name / "s"

    def explain(self, *words):
        return subprocess.run([BERTPREP, "explain", *(str(word) for word in words)], capture_output=True, text=True)

    def explained(self, path):
        """The pieces and the documents of all rows."""
        head = subprocess.run([BERTPREP, "inspect", path, "--rows", "0", "--json", "-q"],
                              capture_output=True, text=True)
        rows = next(event["rows"] for event in map(json.loads, head.stdout.splitlines()) if "rows" in event)
        run = self.explain("--json", "-q", f"{path}:0:{rows}")
        self.assertEqual(run.returncode, 0, run.stderr)
        events = [event for event in map(json.loads, run.stdout.splitlines()) if event["event"] == "explanation"]
        self.assertEqual([event["row"] for event in events], list(range(rows)))
        for event in events:
            self.assertEqual(event.get("text", "".join(event["pieces"])), "".join(event["pieces"]))
        return [(event["pieces"], event["documents"]) for event in events]

    def require_documents(self, paths, is_text, is_whole):
        """The rows hold the text of each document that is named, in its order, and nothing else."""
        found = {}
        for path in paths:
            for pieces, documents in self.explained(path):
                others = list(pieces)
                for document in documents:
                    count = document["last_token"] - document["first_token"]
                    begin = document["position"]
                    others[begin:begin + count] = [""] * count
                    before = found.setdefault(document["origin"]["page_id"], [])
                    self.assertEqual(len(before), document["first_token"])
                    before += pieces[begin:begin + count]
                    self.assertLessEqual(len(before), document["tokens"])
                    self.assertEqual(f"d{document['origin']['line'] - 1}", document["origin"]["page_id"])
                self.assertEqual([piece for piece in others if piece and piece not in self.SPECIAL], [])
        self.assertGreater(len(found), 15)
        for page, pieces in found.items():
            text = self.texts[int(page[1:])]
            expected = text if is_text else "".join(text.split())
            spelled = "".join(pieces) if is_text else "".join(piece.removeprefix("##") for piece in pieces)
            self.assertTrue(expected == spelled if is_whole else expected.startswith(spelled), page)

    def test_documents_hold_the_text(self):
        blocks = self.run_for("blocks", *self.GPT2, "--blocks", "128")
        self.require_documents([blocks / f"s_training_{i}.hdf5" for i in (0, 1)], True, False)
        rows = self.run_for("rows", *self.MODERNBERT, "--to", "hdf5")
        self.require_documents([rows / f"s_training_{i}.hdf5" for i in (0, 1)], False, True)
        self.require_documents([self.run_for("mds", *self.MODERNBERT)], False, True)
        parts = self.run_for("mds-blocks", *self.GPT2, "--blocks", "128", "--to", "mds") / "train"
        self.require_documents([parts / "00000", parts / "00001"], True, False)

    def test_text_of_a_row(self):
        made = self.run_for("blocks", *self.GPT2, "--blocks", "128")
        shown = subprocess.run([BERTPREP, "inspect", made, "--rows", "1"], capture_output=True, text=True).stdout
        run = self.explain(f"{made}:1")
        self.assertEqual(run.returncode, 0, run.stderr)
        row = shown.split("row 1\n")[1]
        self.assertIn(row, run.stdout)
        self.assertRegex(run.stdout, r"from token 1 on, tokens \d+ to \d+ of [\d,]+ of\n"
                                     r"    'Title \d+', page d\d+, .*d.jsonl, line \d+, byte \d+\n"
                                     r"    article \d+ of .*\n    line \d+ of .*s_training_0.jsonl\n")

    def test_refusals(self):
        made = self.run_for("blocks", *self.GPT2, "--blocks", "128")
        megatron = self.run_for("megatron", "--vocab", "byte-pairs", "--for", "megatron-gpt")
        one_line = self.run_for("line", *self.GPT2, "--blocks", "128", "--text", "one-line")
        files = self.sequences(self.folder / "d.jsonl", "files", SAMPLES / "byte-pairs", "--blocks", "128",
                               trainer="gpt2")
        text, = (self.folder / "work").rglob("s_training_0.jsonl")
        expected = [(made, "no row is given"), (f"{made}:10000", "there is no row 10000"),
                    (f"{megatron}:0", "is a Megatron set"), (f"{one_line}:0", "was made of articles in one line each"),
                    (f"{files}:0", "was made from files by bertprep sequences")]
        for requested, message in expected:
            run = self.explain(requested)
            self.assertNotEqual(run.returncode, 0)
            self.assertIn(message, run.stderr)
        text.write_text(text.read_text(encoding="utf-8").replace("one", "six", 1), encoding="utf-8")
        self.assertIn("is not the text that the rows were made from", self.explain(f"{made}:0").stderr)
        text.unlink()
        gone = self.explain(f"{made}:0")
        self.assertEqual(gone.returncode, 1)
        self.assertIn("the text that the rows were made from is gone", gone.stderr)


class LargeTest(DocumentsTest):
    def test_a_document_of_50_megabytes(self):
        draw = random.Random(8)
        parts = [text + gap for text, gap in zip(random_documents(3000, 9), itertools.cycle(GAPS))]
        pieces = []
        size = 0
        while size < 50_000_000:
            pieces.append(draw.choice(parts))
            size += len(pieces[-1].encode())
        text = "\n  \t" + "".join(pieces) + " \n\n "
        file = self.write("d.jsonl", ["before\n", text, "", " \n", "  after  "])
        vocab = SAMPLES / "byte-pairs"
        whole = self.sequences(file, "whole", vocab, "--eod", "no")
        spelling = spelling_of(whole / "tokenizer")
        documents = megatron_documents(whole / "s_train_text_document")
        self.assertEqual(["before\n", "  after  "],
                         [b"".join(spelling[id] for id in documents[i]).decode() for i in (0, 2)])
        self.assertEqual(b"".join(map(spelling.__getitem__, documents[1])), text.encode())
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        self.assertLess(most, 1_500_000_000)
        blocks = self.sequences(file, "blocks", vocab, "--eod", "no", "--blocks", "1024", "--to", "mds",
                                trainer="gpt2")
        manifest = json.loads((blocks / "manifest.json").read_text(encoding="utf-8"))["splits"]["train"]
        stream = [id for document in documents for id in document]
        self.assertEqual(manifest["sequences"], len(stream) // 1024)
        rows = [0, 1, 7, manifest["sequences"] - 1]
        for row in rows:
            shown = subprocess.run([BERTPREP, "inspect", blocks, "--rows", str(row), "--json", "-q"],
                                   capture_output=True, encoding="utf-8").stdout.split("\n")[-2]
            self.assertEqual(json.loads(shown)["ids"], stream[row * 1024:(row + 1) * 1024])


class TokenizersTest(DocumentsTest):
    def theirs(self, folder, documents):
        library = pathlib.Path(os.environ["BERTPREP_NODE_MODULES"]) / "@huggingface/tokenizers"
        lines = "".join(json.dumps(text) + "\n" for text in documents)
        run = subprocess.run(["node", HERE.parent / "shards/encode_with_huggingface.mjs", folder, library, "json"],
                             input=lines, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        return [[int(id) for id in line.split()] for line in run.stdout.split("\n")[:-1]]

    def test_a_thousand_documents(self):
        documents = [*written_documents(), *random_documents(1000, 4)]
        file = self.write("d.jsonl", documents)
        for name, vocab in tokenizers().items():
            made = self.sequences(file, name, vocab, "--eod", "no", "--special-in-text", "control")
            ours = megatron_documents(made / "s_train_text_document")
            for text, ids, expected in zip(documents, ours, self.theirs(made / "tokenizer", documents), strict=True):
                self.assertEqual(ids, expected, f"{name}: {text!r}")

    def test_word_pieces(self):
        documents = random_documents(1000, 5)
        made = self.sequences(self.write("d.jsonl", documents), "set", "sample-uncased", "--eod", "no")
        ours = megatron_documents(made / "s_train_text_document")
        theirs = [ids[1:-1] for ids in self.theirs(made / "tokenizer", documents)]
        self.assertEqual(ours, [ids for ids in theirs if ids])


def missing(part):
    """Why the part can't be tested here; empty where it can."""
    if part != "tokenizers":
        return ""
    modules = os.environ.get("BERTPREP_NODE_MODULES", "")
    library = pathlib.Path(modules) / "@huggingface/tokenizers/dist/tokenizers.mjs"
    if modules and library.exists() and shutil.which("node"):
        return ""
    return "BERTPREP_NODE_MODULES names no node_modules with @huggingface/tokenizers, or there is no node"


if __name__ == "__main__":
    BERTPREP, SAMPLES = sys.argv[1], pathlib.Path(sys.argv[2])
    reason = missing(sys.argv[3])
    if reason:
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    tests = {"spelling": SpellingTest, "shown": ShownTest, "explained": ExplainTest, "large": LargeTest,
             "tokenizers": TokenizersTest}[sys.argv[3]]
    unittest.main(argv=sys.argv[:1], defaultTest=tests.__name__, module=sys.modules["__main__"])
