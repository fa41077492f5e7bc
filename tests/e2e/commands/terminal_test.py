"""The output of a run on a terminal, and to a program or a file.

    python3 terminal_test.py BERTPREP SAMPLES
"""

import bz2
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest

import terminal

BERTPREP = ""
SAMPLES = pathlib.Path()

PERCENT = re.compile(r"(\d+) %")
AMOUNT = re.compile(r"([\d.,]+) (B|kB|MB|GB) of ([\d.,]+) (B|kB|MB|GB)")
UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}


def setUpModule():
    global FOLDER, CORPUS, temporary
    temporary = tempfile.TemporaryDirectory()
    FOLDER = pathlib.Path(temporary.name)
    CORPUS = FOLDER / "corpus.wikitext.bz2"
    text = (SAMPLES / "sample.wikitext").read_bytes()
    CORPUS.write_bytes(b"".join(bz2.compress(text * 10) for _ in range(8)))  # 7 MB in 8 streams


def tearDownModule():
    temporary.cleanup()


class Terminal(unittest.TestCase):
    def setUp(self):
        self.work = tempfile.TemporaryDirectory(dir=FOLDER)

    def tearDown(self):
        self.work.cleanup()

    def command(self, *more):
        return [BERTPREP, "run", "--input", str(CORPUS), "--name", "c", "--vocab", "sample-uncased", "--sentences",
                "icu", "--train-shards", "6", "--test-shards", "2", "-o", self.work.name + "/root", "-w",
                self.work.name + "/work", "-j", "1", "--phase", "1", *more]

    def check_states(self, run, columns):
        self.assertFalse([line for line in run.states if len(line) > columns])
        percents = [int(PERCENT.search(line)[1]) for line in run.states if PERCENT.search(line)]
        self.assertGreater(len(set(percents)), 1)
        self.assertEqual(percents, sorted(percents))
        self.assertLessEqual(percents[-1], 100)
        self.assertLess(percents[0], 50)

    def test_one_line_that_is_written_over_and_goes_at_the_end(self):
        run = terminal.run(self.command(), columns=100)
        self.assertEqual(run.status, 0)
        self.assertEqual(run.stdout, "")
        self.check_states(run, 99)
        shown = "\n".join(run.states)
        for part in ("/3 format  [", "/3 instances  [", " left"):
            self.assertIn(part, shown)
        self.assertRegex(shown, AMOUNT)
        for line in run.states:
            amount = AMOUNT.search(line)
            if amount:
                self.assertLessEqual(float(amount[1]) * UNITS[amount[2]], float(amount[3]) * UNITS[amount[4]])
        self.assertNotIn("[#", run.text)
        self.assertIn("stage ", run.text)
        self.assertIn("m", run.screen.sequences)

    def test_never_wider_than_the_terminal(self):
        for columns in (40, 20, 8):
            with self.subTest(columns=columns):
                run = terminal.run(self.command("--force"), columns=columns)
                self.assertEqual(run.status, 0)
                self.check_states(run, columns - 1)

    def test_a_terminal_that_is_made_narrower(self):
        run = terminal.run(self.command(), columns=100, resize_to=40)
        self.assertEqual(run.status, 0)
        self.assertFalse([line for line in run.states[2:] if len(line) > 39])
        self.assertNotIn("[#", run.text)

    def test_no_colour(self):
        run = terminal.run(self.command(), columns=100, environment={"NO_COLOR": "1"})
        self.assertEqual(run.screen.sequences, {"J"})
        self.check_states(run, 99)

    def test_rows_have_colours_on_a_terminal_alone(self):
        subprocess.run([BERTPREP, "run", "--input", str(SAMPLES / "sample.wikitext"), "--name", "c", "--vocab",
                        "sample-uncased", "--sentences", "icu", "--phase", "1", "-o", self.work.name + "/root", "-w",
                        self.work.name + "/work", "-q"], check=True)
        inspect = [BERTPREP, "inspect", self.work.name + "/root", "--rows", ":20", "-q"]
        coloured = terminal.output_of(inspect)
        plain = subprocess.run(inspect, check=True, capture_output=True).stdout
        self.assertNotIn(b"\x1b", plain)
        self.assertIn(b"\x1b[1;33m[MASK]\x1b[0m", coloured)
        self.assertIn(b"\x1b[2m  padding: ", coloured)
        uncoloured = re.sub(rb"\x1b\[2m  padding: \d+\x1b\[0m\n", b"", coloured.replace(b"\r\n", b"\n"))
        self.assertEqual(re.sub(rb"\x1b\[[0-9;]*m", b"", uncoloured), plain)
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertEqual(terminal.output_of(inspect, environment).replace(b"\r\n", b"\n"), plain)

    def test_a_terminal_without_a_cursor_gets_lines(self):
        run = terminal.run(self.command(), environment={"TERM": "dumb"})
        self.assertEqual(run.screen.sequences, set())
        self.assertEqual(run.status, 0)

    def test_notes_stand_on_lines_of_their_own(self):
        records = "".join('{"text":"%s"}\n' % ("Some words stand here. " * 40) + '{"body":1}\n' for _ in range(3000))
        file = pathlib.Path(self.work.name) / "r.jsonl"
        file.write_text(records)
        run = terminal.run([BERTPREP, "format", str(file), "--format", "jsonl", "-o", self.work.name + "/out.txt"],
                           columns=200)
        self.assertEqual(run.status, 0)
        for line in run.screen.lines:
            self.assertNotIn("MB/s left", line)
            self.assertNotRegex(line, r"\[[#-]{10}")
            if "rejected: " in line:
                self.assertRegex(line, "^(3,000 records were )?rejected: ")

    def test_a_signal_leaves_a_clean_line(self):
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            sent = []

            def stop(line, pid):
                if not sent and "format" in line:
                    sent.append(os.kill(pid, number))

            run = terminal.run(self.command("--force"), columns=100, watch=stop)
            self.assertTrue(sent)
            self.assertEqual(os.waitstatus_to_exitcode(run.status), status)
            self.assertNotIn("[#", run.text)
            self.assertNotIn("B of ", run.text)
            self.assertTrue(run.screen.lines[-2].startswith("bertprep: "), run.text)

    def test_elsewhere_plain_lines(self):
        run = subprocess.run(self.command(), capture_output=True, text=True)
        self.assertEqual(run.returncode, 0)
        self.assertNotIn("\x1b", run.stderr)
        self.assertNotIn("\r", run.stderr)
        self.assertEqual(run.stdout, "")

    def test_events_have_the_same_figures(self):
        run = terminal.run(self.command("--json"), columns=100)  # stdout is not a terminal: both appear
        self.assertEqual(run.status, 0)
        events = [json.loads(line) for line in run.stdout.splitlines()]
        fractions = [event["run_fraction"] for event in events if event["event"] == "progress"]
        self.assertGreater(len(fractions), 1)
        self.assertEqual(fractions, sorted(fractions))
        totals = {}
        for event in events:
            if event["event"] == "begin":
                totals[event["stage"]] = event["total"]
            if event["event"] in ("progress", "end"):
                self.assertLessEqual(event["done"], totals[event["stage"]])
            if event["event"] == "progress":
                self.assertLessEqual(event["step"], event["steps"])
        ends = {event["stage"]: event["done"] for event in events if event["event"] == "end"}
        self.assertEqual(ends, totals)
        self.assertEqual(totals["format"], CORPUS.stat().st_size)
        # A line may be read before all of it is written.
        shown = [int(PERCENT.search(line)[1]) for line in run.states if PERCENT.search(line)]
        self.assertTrue(set(shown) <= {int(fraction * 100) for fraction in fractions})

    def test_status_says_what_the_line_says(self):
        asked = []

        def ask(line, _):
            if " left" in line and not asked:
                status = subprocess.run([BERTPREP, "status", self.work.name + "/root", "--json"], capture_output=True,
                                        text=True)
                events = [json.loads(event) for event in status.stdout.splitlines()]
                asked.append((int(PERCENT.search(line)[1]), events[-1]))

        self.assertEqual(terminal.run(self.command("--force"), columns=100, watch=ask).status, 0)
        self.assertTrue(asked)
        shown, event = asked[0]
        self.assertEqual(event["state"], "running")
        # The report on the disk is at most two seconds old.
        self.assertLessEqual(event["run_fraction"] * 100, shown + 30)


if __name__ == "__main__":
    BERTPREP, SAMPLES = sys.argv[1], pathlib.Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
