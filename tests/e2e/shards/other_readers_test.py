"""What readers that are not ours find in the sets that the program writes: h5py in HDF5, plain numpy in MDS and
Megatron sets, for which no package has a reader, HuggingFace's library in folders of tokenizers.

    python3 other_readers_test.py BERTPREP SAMPLES sequences|tokenizers

Skipped where Debian's python3 has no numpy or h5py, or where BERTPREP_NODE_MODULES names no folder with
@huggingface/tokenizers (npm install @huggingface/tokenizers).
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77
PYTHON = "/usr/bin/python3"
HERE = pathlib.Path(__file__).resolve().parent

BERTPREP = ""
SAMPLES = pathlib.Path()


def output_of(*command, text=None):
    run = subprocess.run([str(word) for word in command], input=text, capture_output=True, text=True)
    if run.returncode != 0:
        raise AssertionError(f"{command}: {run.stderr}")
    return run.stdout


def setUpModule():
    global FOLDER, TEXTS, temporary
    temporary = tempfile.TemporaryDirectory()
    FOLDER = pathlib.Path(temporary.name)
    output_of(BERTPREP, "run", "--input", SAMPLES / "sample.wikitext", "--name", "sample", "--vocab", "sample-uncased",
              "--sentences", "icu", "--train-shards", "3", "--test-shards", "1", "--phase", "1", "-o", FOLDER / "root",
              "-w", FOLDER / "work", "-q")
    TEXTS = sorted((FOLDER / "work").glob("sharded*/sample/*.txt"))


def tearDownModule():
    temporary.cleanup()


def articles(split):
    """The ids of the sentences of each article, text shard by text shard."""
    found = []
    for text in TEXTS:
        if ("_training_" in text.name) != (split == "train"):
            continue
        lines = text.read_text(encoding="utf-8").split("\n")
        ids = output_of(BERTPREP, "tokenize", text, "--ids", "--vocab", "sample-uncased").split("\n")
        article = []
        for line, tokens in zip(lines, ids):
            if line:
                article.append([int(token) for token in tokens.split()])
            elif article:
                found.append(article)
                article = []
    return found


def make(trainer, *options):
    folder = FOLDER / ("-".join((trainer, *options)).replace("/", "_"))
    if not folder.exists():
        output_of(BERTPREP, "sequences", *TEXTS, "--vocab", "sample-uncased", "--name", "s", "--for", trainer, *options,
                  "-o", folder, "-q")
    return folder


def read(*arguments):
    return [json.loads(line) for line in output_of(PYTHON, HERE / "read_with_numpy.py", *arguments).splitlines()]


def joined(article):
    return [token for sentence in article for token in sentence]


def chunks(ids, size):
    return [ids[begin:begin + size] for begin in range(0, len(ids), size)]


class SequencesTest(unittest.TestCase):
    def test_mds_holds_the_rows_of_the_text(self):
        cls, sep = special_ids()
        for trainer, options in (("modernbert", ()), ("modernbert-streaming", ("--max-tokens", "64")),
                                 ("modernbert", ("--size-limit", "4K", "--hashes", "none", "--max-tokens", "128"))):
            size = int(options[options.index("--max-tokens") + 1]) if "--max-tokens" in options else 1024
            for split in ("train", "validation"):
                expected = [[cls, *chunk, sep] for article in articles(split) for chunk in chunks(joined(article),
                                                                                                  size - 2)]
                self.assertEqual(read("mds", make(trainer, *options) / split, "input_ids"), expected)

    def test_mds_holds_blocks(self):
        rows = read("mds", make("eurobert", "--blocks", "48") / "validation", "tokens")
        self.assertTrue(all(len(row) == 48 for row in rows))
        stream = [token for article in articles("validation") for token in [*joined(article), special_ids()[1]]]
        self.assertEqual(joined(rows), stream[:len(stream) // 48 * 48])

    def test_megatron_holds_sentences_and_documents(self):
        for split in ("train", "validation"):
            sentences = make("megatron-bert") / f"s_{split}_text_sentence"
            self.assertEqual(read("megatron", sentences), articles(split))
            documents = make("megatron-gpt") / f"s_{split}_text_document"
            end = special_ids()[1]
            self.assertEqual(read("megatron", documents), [[[*joined(article), end]] for article in articles(split)])
        wide = make("megatron-gpt", "--dtype", "int32") / "s_train_text_document"
        self.assertEqual(read("megatron", wide), read("megatron", make("megatron-gpt") / "s_train_text_document"))

    def test_hdf5_holds_blocks_and_padded_rows(self):
        cls, sep = special_ids()
        text = articles("validation")
        stream = [token for article in text for token in [*joined(article), sep]]
        self.assertEqual(joined(read("hdf5", make("gpt2", "--blocks", "64") / "s_test_0.hdf5", "input_ids")),
                         stream[:len(stream) // 64 * 64])
        rows = read("hdf5", make("neobert", "--max-tokens", "96") / "s_test_0.hdf5", "input_ids")
        self.assertEqual(rows, [[cls, *joined(article)[:94], sep] for article in text])


def special_ids():
    """Those of [CLS] and [SEP]."""
    pieces = (make("modernbert") / "tokenizer" / "vocab.txt").read_text(encoding="utf-8").split("\n")
    return pieces.index("[CLS]"), pieces.index("[SEP]")


class TokenizersTest(unittest.TestCase):
    def encode(self, folder, text):
        library = pathlib.Path(os.environ["BERTPREP_NODE_MODULES"]) / "@huggingface/tokenizers"
        return output_of("node", HERE / "encode_with_huggingface.mjs", folder, library, text=text)

    def test_wordpiece_folder_gives_the_same_ids(self):
        text = "".join(line + "\n" for file in TEXTS for line in file.read_text(encoding="utf-8").split("\n") if line)
        (FOLDER / "lines.txt").write_text(text, encoding="utf-8")
        for options in ((), ("--strip-accents", "no")):
            vocab = ("--vocab", "sample-uncased", *options)
            folder = FOLDER / ("tokenizer" + "".join(options))
            output_of(BERTPREP, "vocab", "export", folder, "--to", "huggingface", *vocab)
            ours = output_of(BERTPREP, "tokenize", FOLDER / "lines.txt", "--ids", *vocab).splitlines()
            cls, sep = special_ids()
            expected = [" ".join([str(cls), *line.split(), str(sep)]) for line in ours]
            self.assertEqual(self.encode(folder, text).splitlines(), expected, options)

    def test_byte_pairs_folder_gives_the_same_ids(self):
        text = "".join(line + "\n" for line in TEXTS[0].read_text(encoding="utf-8").split("\n") if line)
        (FOLDER / "pairs.txt").write_text(text, encoding="utf-8")
        vocab = ("--vocab", SAMPLES / "byte-pairs")
        folder = FOLDER / "byte-pairs"
        output_of(BERTPREP, "vocab", "export", folder, "--to", "huggingface", *vocab)
        ours = output_of(BERTPREP, "tokenize", FOLDER / "pairs.txt", "--ids", *vocab).splitlines()
        self.assertEqual(self.encode(folder, text).splitlines(), ours)


def missing(part):
    """Why the part can't be tested here; empty where it can."""
    if part == "sequences":
        has = os.path.exists(PYTHON) and subprocess.run([PYTHON, "-c", "import numpy, h5py"],
                                                        capture_output=True).returncode == 0
        return "" if has else f"{PYTHON} has no numpy and h5py"
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
    tests = {"sequences": SequencesTest, "tokenizers": TokenizersTest}[sys.argv[3]]
    unittest.main(argv=sys.argv[:1], defaultTest=tests.__name__, module=sys.modules["__main__"])
