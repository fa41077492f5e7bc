#!/usr/bin/env python3
"""Makes data/*.txt and data/instances.tsv with the independent Python model of the reference.

  make_instance_goldens.py REFERENCE_MODEL.py DATA_FOLDER

The texts are words of a small vocabulary between blanks, so every word is one token and no tokenizer is needed to read
them. Word k of vocabulary.txt has the id k. Every text is written from a fixed seed: the script makes the same files
again.
"""
import array
import hashlib
import importlib.util
import pathlib
import random
import sys
import types

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = [a + b for a in "bdfgklmnprst" for b in "aeiou"]
ARRAYS = ["input_ids", "input_mask", "segment_ids", "masked_lm_positions", "masked_lm_ids", "next_sentence_labels"]


def sentence(rng, shortest, longest, special=0.0):
    words = []
    for _ in range(rng.randint(shortest, longest)):
        words.append(rng.choice(SPECIAL if rng.random() < special else WORDS))
    return " ".join(words)


def document(rng, sentences, shortest, longest, special=0.0):
    return [sentence(rng, shortest, longest, special) for _ in range(sentences)]


def texts():
    rng = random.Random(2024)
    yield "prose", [document(rng, rng.randint(1, 40), 3, 40) for _ in range(9)]
    yield "short_sentences", [document(rng, rng.randint(1, 60), 1, 4) for _ in range(12)]
    yield "long_sentences", [document(rng, rng.randint(1, 4), 150, 400) for _ in range(5)]
    yield "special_pieces", [document(rng, rng.randint(1, 30), 1, 30, 0.2) for _ in range(7)]
    yield "only_special_pieces", [document(rng, 6, 1, 20, 1.0) for _ in range(3)] + [["[CLS] [SEP]"], ["[SEP]"]]
    yield "one_document", [document(rng, 25, 1, 30)]
    yield "one_sentence", [document(rng, 1, 20, 20)]
    yield "one_word", [["ba"]]
    yield "single_sentence_documents", [document(rng, 1, 1, 60) for _ in range(20)]
    yield "two_documents", [document(rng, 12, 5, 20), document(rng, 3, 5, 20)]
    yield "empty", []


# seq_len, max_predictions, seed, dupe_factor, masked_lm_prob, short_seq_prob
COMBINATIONS = [
    (128, 20, 12345, 5, 0.15, 0.1),
    (512, 80, 12345, 5, 0.15, 0.1),
    (64, 5, 42, 2, 0.15, 0.5),
    (5, 1, 7, 1, 0.15, 1.0),
    (6, 3, 8, 2, 0.5, 0.0),
    (33, 40, 10**30 + 7, 3, 1.0, 0.1),
    (40, 20, -99, 1, 0.0, 0.1),
    (128, 20, 0, 0, 0.15, 0.1),
]


class Rows:
    """The little of a numpy array that the model needs, so that nothing has to be installed."""

    def __init__(self, shape, kind):
        self.shape = shape if isinstance(shape, tuple) else (shape,)
        self.width = self.shape[1] if len(self.shape) == 2 else 1
        self.values = array.array({"<i4": "i", "i1": "b"}[kind], [0]) * (self.shape[0] * self.width)

    def __len__(self):
        return self.shape[0]

    def __setitem__(self, key, values):
        if not isinstance(key, tuple):
            self.values[key] = int(values)
            return
        row, columns = key
        for column in range(columns.stop):
            self.values[row * self.width + column] = values if isinstance(values, int) else values[column]

    def digest(self):
        return hashlib.sha256(self.values.tobytes()).hexdigest()


def main(model_path, folder):
    spec = importlib.util.spec_from_file_location("reference_model", model_path)
    model = importlib.util.module_from_spec(spec)
    sys.modules["numpy"] = types.SimpleNamespace(zeros=Rows)
    spec.loader.exec_module(model)
    vocabulary = folder / "vocabulary.txt"
    vocabulary.write_text("".join(word + "\n" for word in SPECIAL + WORDS))
    rows = ["\t".join(["# text", "seq_len", "max_predictions", "random_seed", "dupe_factor", "masked_lm_prob",
                       "short_seq_prob", "rows", "draws"] + ARRAYS)]
    for text, documents in texts():
        path = folder / f"{text}.txt"
        path.write_text("".join("".join(line + "\n" for line in lines) + "\n" for lines in documents))
        for seq_len, predictions, seed, dupe, prob, short in COMBINATIONS:
            arrays, draws = model.create(
                str(path), str(vocabulary), None, seq_len, predictions, seed, dupe, True, prob, short)
            cells = [text, seq_len, predictions, seed, dupe, prob, short, len(arrays["input_ids"]), draws]
            rows.append("\t".join(str(cell) for cell in cells + [arrays[name].digest() for name in ARRAYS]))
    (folder / "instances.tsv").write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
