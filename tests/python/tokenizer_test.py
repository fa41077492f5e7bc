"""bertprep.Tokenizer against the program, with threads, pickles and texts that are none."""

import concurrent.futures
import pickle

import bertprep
import numpy as np
import pytest


def split(ids, offsets):
    return [ids[begin:end].tolist() for begin, end in zip(offsets[:-1], offsets[1:])]


@pytest.fixture(scope="module")
def tokenizer():
    return bertprep.Tokenizer("sample-uncased")


def test_gives_the_ids_of_the_program(tokenizer, texts, program, tmp_path):
    lines = [text.replace("\n", " ") for text in texts]
    (tmp_path / "lines.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    printed = program("tokenize", "--ids", "--vocab", "sample-uncased", tmp_path / "lines.txt").splitlines()
    ids, offsets = tokenizer.encode_batch(lines)
    assert ids.dtype == np.int32 and offsets.dtype == np.int64 and len(offsets) == len(lines) + 1
    assert split(ids, offsets) == [list(map(int, line.split())) for line in printed]
    assert tokenizer.encode(lines[3]).tolist() == split(ids, offsets)[3]


def test_batches_do_not_depend_on_threads(tokenizer, texts):
    many = texts * 40
    assert sum(map(len, many)) > 1 << 19  # enough for several threads
    one, several = tokenizer.encode_batch(many, threads=1), tokenizer.encode_batch(many, threads=7)
    assert all(np.array_equal(a, b) for a, b in zip(one, several))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: tokenizer.encode_batch(many, threads=2), range(8)):
            assert np.array_equal(found[0], one[0])


def test_takes_empty_batches_and_texts(tokenizer):
    ids, offsets = tokenizer.encode_batch([])
    assert ids.size == 0 and offsets.tolist() == [0]
    assert split(*tokenizer.encode_batch(["", "the", ""])) == [[], tokenizer.encode("the").tolist(), []]
    assert tokenizer.encode("").size == 0


def test_refuses_what_is_no_text(tokenizer):
    for wrong in (None, 1, b"bytes", ["list"]):
        with pytest.raises(TypeError, match="must be str"):
            tokenizer.encode(wrong)
    with pytest.raises(TypeError, match="text 1 must be str, not int"):
        tokenizer.encode_batch(["a", 1])
    with pytest.raises(TypeError, match="a list of str"):
        tokenizer.encode_batch("abc")
    with pytest.raises(bertprep.FormatError, match="text 1: half of a surrogate pair at character 2"):
        tokenizer.encode_batch(["a", "ab\ud800"])


def test_can_be_pickled(tokenizer, samples, tmp_path):
    for made in (tokenizer, bertprep.Tokenizer(samples / "byte-pairs"),
                 bertprep.Tokenizer("sample-uncased", strip_accents=False)):
        again = pickle.loads(pickle.dumps(made))
        assert type(again) is bertprep.Tokenizer and repr(again) == repr(made)
        assert again.encode("Caf\u00e9 na\u00efve words").tolist() == made.encode("Caf\u00e9 na\u00efve words").tolist()
    vocab = tmp_path / "vocab.txt"
    vocab.write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\n")
    pickled = pickle.dumps(bertprep.Tokenizer(vocab))
    vocab.write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nb\na\n")
    with pytest.raises(bertprep.FormatError, match="another vocabulary"):
        pickle.loads(pickled)


def test_tells_its_tokens(tokenizer):
    assert tokenizer.specials["cls"] == tokenizer.encode("[CLS]")[0]
    assert tokenizer.token(tokenizer.specials["mask"]) == "[MASK]"
    assert tokenizer.token(tokenizer.encode("the")[0]) == "the"
    assert repr(tokenizer) == f"<bertprep.Tokenizer sample-uncased: {len(tokenizer):,} tokens>"
    for wrong in (-1, len(tokenizer)):
        with pytest.raises(IndexError):
            tokenizer.token(wrong)


def test_refuses_unknown_vocabularies_and_options(samples, tmp_path):
    with pytest.raises(bertprep.IoError, match="neither a file nor a known name") as caught:
        bertprep.Tokenizer("no-such-vocabulary")
    assert isinstance(caught.value, OSError)
    with pytest.raises(TypeError, match=r"no option 'lower_cas' \(did you mean 'lower_case'\?\)"):
        bertprep.Tokenizer("sample-uncased", lower_cas=True)
    with pytest.raises(TypeError, match="lower_case must be True or False, not int"):
        bertprep.Tokenizer("sample-uncased", lower_case=1)
    with pytest.raises(bertprep.ConfigError, match="lower_case has no effect"):
        bertprep.Tokenizer(samples / "byte-pairs", lower_case=False)
