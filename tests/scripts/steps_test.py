#!/usr/bin/env python3
"""scripts/steps.sh: how far a build is, on a terminal and elsewhere, its log and its failure, with CMake played by a
script; the digest of a tree.

    steps_test.py
"""

import os
import pathlib
import pty
import shutil
import subprocess
import tempfile
import unittest

STEPS = pathlib.Path(__file__).resolve().parents[2] / "scripts/steps.sh"
LINES = "".join(f"[{done}/40] Building {done}.o\n" for done in range(1, 41))
CMAKE = """#!/bin/bash
case $* in
  *--build*) cat lines; exit "$(cat status)" ;;
  *) echo configured ;;
esac
"""


class Build(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "cmake").write_text(CMAKE)
        (self.folder / "cmake").chmod(0o755)

    def start(self, setting=":", status=0, lines=LINES, **streams):
        (self.folder / "status").write_text(str(status))
        (self.folder / "lines").write_text(lines)
        script = f"set -euo pipefail; . '{STEPS}'; {setting}; build release one two; echo built"
        environment = {"PATH": f"{self.folder}:{os.environ['PATH']}"}
        return subprocess.run(["bash", "-c", script], cwd=self.folder, env=environment, text=True, check=False,
                              **streams)

    def build(self, *arguments, **options):
        return self.start(*arguments, capture_output=True, **options)

    def log(self):
        return (self.folder / "build/logs/build-release.log").read_text()

    def test_says_little_away_from_a_terminal(self):
        run = self.build()
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "built\n", "building release\n"))
        self.assertEqual(self.log(), LINES)

    def test_says_plain_lines_now_and_then(self):
        run = self.build("progress_seconds=0")
        percents = [f"building release: {100 * done // 40}%" for done in range(1, 41)]
        self.assertEqual(run.stderr.splitlines(), ["building release", *percents])

    def test_overwrites_one_line_on_a_terminal(self):
        ours, theirs = pty.openpty()
        run = self.start(stdout=subprocess.PIPE, stderr=theirs)
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 65536):
                shown += piece
        except OSError:  # how a terminal ends
            pass
        os.close(ours)
        self.assertEqual((run.returncode, run.stdout), (0, "built\n"))
        self.assertEqual(shown.count(b"\n"), 1)
        self.assertTrue(shown.startswith(b"building release\rbuilding release: 2%\x1b[K\r"), shown)
        self.assertTrue(shown.endswith(b"\rbuilding release: 100%\x1b[K\r\n"), shown)
        self.assertEqual(self.log(), LINES)

    def test_shows_the_end_of_a_build_that_failed_and_ends(self):
        run = self.build(status=1, lines=LINES + "a.cpp:1: error: no\n")
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("a.cpp:1: error: no\nfailed: cmake --build --preset release --target one two", run.stderr)
        self.assertTrue(self.log().endswith("a.cpp:1: error: no\n"))

    def test_has_nothing_to_say_of_a_build_with_nothing_to_do(self):
        run = self.build("progress_seconds=0", lines="ninja: no work to do.\n")
        self.assertEqual((run.returncode, run.stderr), (0, "building release\n"))


class TreeDigest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "a.cpp").write_text("int a;")

    def digest(self):
        script = f"set -euo pipefail; . '{STEPS}'; tree_digest"
        run = subprocess.run(["bash", "-c", script], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(len(run.stdout), 65)
        return run.stdout

    def sees_changes(self):
        before = self.digest()
        self.assertEqual(self.digest(), before)
        (self.folder / "a.cpp").write_text("int b;")
        self.assertNotEqual(self.digest(), before)

    def test_is_of_the_files_where_there_is_no_repository(self):
        self.sees_changes()

    @unittest.skipIf(shutil.which("git") is None, "no git")
    def test_is_of_the_files_of_a_repository(self):
        subprocess.run(["git", "init", "-q"], cwd=self.folder, check=True)
        self.sees_changes()

    @unittest.skipIf(shutil.which("git") is None or os.geteuid() != 0, "no git, or not root")
    def test_is_of_the_files_of_another_user(self):
        subprocess.run(["git", "init", "-q"], cwd=self.folder, check=True)
        (self.folder / ".gitignore").write_text("ignored\n")
        subprocess.run(["chown", "-R", "1234", self.folder], check=True)
        self.sees_changes()
        before = self.digest()
        (self.folder / "ignored").write_text("new")
        self.assertEqual(self.digest(), before)


if __name__ == "__main__":
    unittest.main(verbosity=2)
