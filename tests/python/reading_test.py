"""bertprep.read, split_sentences and clean_wikitext."""

import bz2
import os
import threading

import bertprep
import pytest

PAGE = """<page><title>{}</title><ns>0</ns><id>{}</id><revision><id>9</id><timestamp>2020-01-01T00:00:00Z</timestamp>
<text>{}</text></revision></page>"""
DUMP = """<mediawiki xml:lang="en"><siteinfo><dbname>enwiki</dbname><base>https://en.wikipedia.org/wiki/Main_Page</base>
<namespaces><namespace key="0" /><namespace key="10">Template</namespace></namespaces></siteinfo>{}</mediawiki>"""


@pytest.fixture
def dump(tmp_path):
    prose = "'''Rivers''' carry water for {{convert|5|km|mi}} and more. They end in the sea, as most of them do."
    pages = PAGE.format("Rivers", 1, prose) + PAGE.format("Stream", 2, "#REDIRECT [[Rivers]]")
    path = tmp_path / "enwiki-20200101-pages-articles.xml.bz2"
    path.write_bytes(bz2.compress(DUMP.format(pages).encode()))
    return path


def test_reads_clean_pages(dump):
    with bertprep.read(dump, clean=True) as pages:
        found = list(pages)
    assert [page.title for page in found] == ["Rivers"]
    assert found[0].text.startswith("Rivers carry water for 5 kilometres (3.1 mi) and more.")
    assert (found[0].page_id, found[0].timestamp) == ("1", "2020-01-01T00:00:00Z")
    assert pages.left_out == {"redirect": 1}


def test_reads_as_the_program_formats(samples, program, tmp_path):
    program("format", samples / "sample.wikitext", "-o", tmp_path / "articles.txt")
    lines = (tmp_path / "articles.txt").read_text(encoding="utf-8").splitlines()
    found = [" ".join(line.strip() for line in page.text.split("\n") if line.strip())
             for page in bertprep.read(samples / "sample.wikitext")]
    assert found == lines


def test_counts_bad_records_and_can_stop(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "one"}\n{"txt": 1}\n{"text": "three", "title": "T"}\n')
    documents = bertprep.read(path)
    assert [(one.title, one.text, one.line) for one in documents] == [("", "one", 1), ("T", "three", 3)]
    assert sum(documents.rejected.values()) == 1
    with pytest.raises(bertprep.FormatError, match="a.jsonl:2"):
        list(bertprep.read(path, strict=True))


def test_closes_its_files(tmp_path):
    paths = [tmp_path / f"{i}.txt" for i in range(3)]
    for path in paths:
        path.write_text("One article a line.\n" * 100_000)

    def is_open():
        targets = (os.path.realpath(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd"))
        return any(target in map(str, paths) for target in targets)

    documents = bertprep.read(*paths, format="articles")
    next(documents)
    assert is_open()
    documents.close()
    assert not is_open() and list(documents) == []


def test_threads_may_share_a_reader(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("".join(f"Article number {i}.\n" for i in range(20_000)))
    reader, found = bertprep.read(path, format="articles")._reader, []

    def take():
        while batch := reader.next_batch():
            found.extend(one.text for one in batch)

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted(f"Article number {i}." for i in range(20_000))


def test_says_what_can_not_be_read(tmp_path):
    with pytest.raises(FileNotFoundError):
        bertprep.read(tmp_path / "missing.txt")
    with pytest.raises(TypeError, match="no option 'fromat'"):
        bertprep.read(tmp_path, fromat="jsonl")
    with pytest.raises(bertprep.ConfigError, match="format is 'pdf', it must be one of"):
        bertprep.read(tmp_path, format="pdf")


def test_splits_sentences(program, tmp_path):
    text = "Dr. Smith came to the U.S. in May. He sat down! Did he? Yes."
    (tmp_path / "text.txt").write_text(text + "\n")
    printed = program("sentences", "--sentences", "icu", tmp_path / "text.txt").split("\n")
    assert bertprep.split_sentences(text) == [line for line in printed if line]
    assert bertprep.split_sentences("one\n\n two \nthree", rules="lines") == ["one", "two", "three"]
    hindi = "यह एक वाक्य है। दूसरा वाक्य।"
    assert len(bertprep.split_sentences(hindi, rules="icu", language="hi")) == 2
    assert bertprep.split_sentences(" \n ") == []
    assert repr(bertprep.SentenceSplitter("icu")).startswith("<bertprep.SentenceSplitter icu")
    with pytest.raises(bertprep.ConfigError):
        bertprep.split_sentences("a", rules="icu", punkt="somewhere")


def test_cleans_wiki_markup():
    text = bertprep.clean_wikitext("'''Bold''' words are {{convert|5|km|mi}} away from a town, [[Paris|they]] say.")
    assert text == "Bold words are 5 kilometres (3.1 mi) away from a town, they say."
    assert bertprep.clean_wikitext("A is < B & C, as everyone knows who reads this sentence.") == \
        "A is < B & C, as everyone knows who reads this sentence."
    assert bertprep.clean_wikitext("#REDIRECT [[A]]") == ""
    with pytest.raises(bertprep.ConfigError, match="language"):
        bertprep.clean_wikitext("a", language="../x")
    with pytest.raises(TypeError, match="no option 'list'"):
        bertprep.clean_wikitext("a", list=True)
