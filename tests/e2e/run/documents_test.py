"""Sequences of documents hold their text as it is: the ids are those of HuggingFace's own library for the same text,
and, for byte-level BPE, spell it.

    python3 documents_test.py BERTPREP SAMPLES spelling|tokenizers

`tokenizers` is skipped where BERTPREP_NODE_MODULES names no folder with @huggingface/tokenizers (npm install
@huggingface/tokenizers). GPT-2's and OLMo's tokenizers are those of BERTPREP_SHARED, where it has them.
"""

import array
import json
import os
import pathlib
import random
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
    if part == "spelling":
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
    tests = {"spelling": SpellingTest, "tokenizers": TokenizersTest}[sys.argv[3]]
    unittest.main(argv=sys.argv[:1], defaultTest=tests.__name__, module=sys.modules["__main__"])
