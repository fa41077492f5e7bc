"""Calls that are stopped: by the user's code, by Ctrl-C, by a kill; and what they leave in memory."""

import gc
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import bertprep
import pytest


class Oops(Exception):
    pass


def failing(texts, at):
    yield from texts[:at]
    raise Oops(at)


@pytest.mark.parametrize("at", [0, 1, 17, 511, 512, 513, 1500])
def test_an_exception_of_the_documents_ends_the_call_and_it_resumes(texts, small, digests, tmp_path, at):
    many = texts * (2000 // len(texts) + 1)
    assert len(many) > 1500
    options = {**small, "phase": 1, "work": tmp_path / "work"}
    with pytest.raises(Oops) as caught:
        bertprep.build(failing(many, at), tmp_path / "out", **options)
    assert caught.value.args == (at,)
    bertprep.build(many, tmp_path / "out", **options)
    bertprep.build(many, tmp_path / "whole", **{**options, "work": tmp_path / "other"})
    assert digests(tmp_path / "out") == digests(tmp_path / "whole") != {}


@pytest.mark.parametrize("at", [1, 2, 5])
def test_an_exception_of_the_callback_ends_the_call(texts, small, digests, tmp_path, at):
    seen = []

    def observe(event):
        seen.append(event)
        if len(seen) == at:
            raise Oops(at)

    with pytest.raises(Oops):
        bertprep.build(texts * 20, tmp_path / "out", work=tmp_path / "work", progress=observe, **small)
    assert len(seen) == at
    bertprep.build(texts * 20, tmp_path / "out", work=tmp_path / "work", **small)
    assert digests(tmp_path / "out")


@pytest.mark.parametrize("role", ["splitter", "normalizer", "tokenizer"])
def test_an_exception_of_a_component_ends_the_call(texts, small, tmp_path, role):
    count = iter(range(1000))

    def fail(text):
        if next(count) == 40:
            raise Oops(role)
        return {"splitter": [text], "normalizer": text, "tokenizer": [7] * 9}[role]

    options = {**small, role: bertprep.component("fails", "1")(fail), "threads": 3}
    if role == "splitter":
        del options["sentences"]
    with pytest.raises(Oops, match=role):
        bertprep.build(texts, tmp_path / "out", work=tmp_path / "work", **options)


def test_reports_its_progress_in_the_thread_of_the_call(texts, small, tmp_path):
    events, threads = [], set()

    def documents():
        threads.add(threading.get_ident())
        yield from texts

    def observe(event):
        threads.add(threading.get_ident())
        events.append(event)

    report = bertprep.build(documents(), tmp_path / "out", work=tmp_path / "work", progress=observe, **small)
    assert threads == {threading.get_ident()}
    assert [event.stage for event in events if event.kind == "begin"] == ["format", "text shards", "instances"]
    fractions = [event.fraction for event in events]
    assert fractions == sorted(fractions) and all(0 <= fraction <= 1 for fraction in fractions)
    assert all(isinstance(note, str) for note in report.notes)


def test_bars_need_no_tqdm(texts, small, tmp_path, capsys):
    bertprep.build(texts, tmp_path / "a", work=tmp_path / "work", progress=False, **small)
    assert capsys.readouterr() == ("", "")
    bertprep.build(texts, tmp_path / "b", work=tmp_path / "work-b", progress=True, **small)


def test_calls_run_beside_each_other(texts, small, digests, tmp_path):
    def call(number):
        bertprep.build(texts, tmp_path / str(number), work=tmp_path / f"work{number}", **small)

    threads = [threading.Thread(target=call, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({tuple(digests(tmp_path / str(number)).values()) for number in range(4)}) == 1


SCRIPT = """
import sys, time, bertprep
def documents():
    for i in range(100_000_000):
        if i == 3000: print("begun", flush=True)
        if i > 3000: time.sleep(0.0005)
        yield f"Document number {i} is here. It has two sentences."
try:
    bertprep.build(documents(), sys.argv[1], work=sys.argv[2], vocab="sample-uncased", sentences="icu", name="small")
except KeyboardInterrupt:
    print("interrupted")
"""


def start(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, tmp_path / "out", tmp_path / "work"],
                               stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    return process


def test_ctrl_c_stops_a_call(texts, small, tmp_path):
    process = start(tmp_path)
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "interrupted\n" and process.returncode == 0
    assert time.monotonic() - begun < 10
    assert not list(tmp_path.rglob("*.partial"))
    assert bertprep.build(texts, tmp_path / "out", work=tmp_path / "work", **small).rows > 0


def test_a_killed_call_resumes(texts, small, tmp_path, digests):
    process = start(tmp_path)
    process.kill()
    process.communicate()
    assert bertprep.build(texts, tmp_path / "out", work=tmp_path / "work", **small).rows > 0
    bertprep.build(texts, tmp_path / "whole", work=tmp_path / "other", **small)
    assert digests(tmp_path / "out") == digests(tmp_path / "whole")


def resident_bytes():
    gc.collect()
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_memory_stays_flat():
    """Of ten thousand calls each; those that write files are fewer, as a disk takes its time."""
    tokenizer, text = bertprep.Tokenizer("sample-uncased"), "A few words to look at. And more."

    def call():
        tokenizer.encode_batch([text, "caf\u00e9"])
        bertprep.split_sentences(text)
        bertprep.clean_wikitext("'''A''' sentence that is long enough to be one.")
        with pytest.raises(bertprep.FormatError):
            tokenizer.encode("\ud800")

    for _ in range(1000):
        call()
    before = resident_bytes()
    for _ in range(10_000):
        call()
    assert resident_bytes() - before < 2_000_000


def test_memory_of_builds_stays_flat(small, tmp_path):
    builds = int(os.environ.get("BERTPREP_TEST_BUILDS", "300"))

    def call(number):
        with pytest.raises(bertprep.Error):  # one document is too little for a training and a test shard
            bertprep.build([f"One document, number {number}. It is short."], tmp_path / "out", work=tmp_path / "work",
                           **small)

    for number in range(100):
        call(number)
    before = resident_bytes()
    for number in range(builds):
        call(number)
    assert resident_bytes() - before < 4_000_000
