#!/usr/bin/env python3
"""scripts/test.sh --room: which test programs it builds and runs, with CMake played by a script.

    room_test.py
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
LISTS = """bertprep_add_test(NAME dump_test ROOMS wiki LABELS unit
  SOURCES
    dump/reader_test.cpp)
bertprep_add_test(NAME clean_test ROOMS wiki LABELS unit SOURCES clean/tidy_test.cpp)
"""
CMAKE = """#!/bin/bash
[ "$1" = --build ] || exit 0
while [ "$1" != --target ]; do shift; done
shift
mkdir -p build/dev/tests
for name; do
  printf '#!/bin/sh\\necho ran %s\\n[ ! -e broken ]\\n' "$name" >"build/dev/tests/$name"
  chmod +x "build/dev/tests/$name"
done
"""


class Room(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "scripts").mkdir()
        for name in ("test.sh", "steps.sh"):
            shutil.copy(SCRIPTS / name, self.folder / "scripts")
        lists = self.folder / "tests/unit/wiki/CMakeLists.txt"
        lists.parent.mkdir(parents=True)
        lists.write_text(LISTS)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/cmake").write_text(CMAKE)
        (self.folder / "bin/cmake").chmod(0o755)

    def start(self, *arguments):
        environment = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        return subprocess.run([self.folder / "scripts/test.sh", *arguments], env=environment, capture_output=True,
                              text=True, check=False)

    def test_runs_all_tests_of_a_room(self):
        run = self.start("--room", "wiki")
        self.assertEqual((run.stdout, run.returncode), ("ran dump_test\nran clean_test\n", 0))

    def test_runs_the_tests_of_a_room_in_a_room(self):
        self.assertEqual(self.start("--room", "wiki/clean").stdout, "ran clean_test\n")
        self.assertEqual(self.start("--room", "wiki/dump").stdout, "ran dump_test\n")

    def test_fails_where_a_test_fails(self):
        (self.folder / "broken").write_text("")
        run = self.start("--room", "wiki")
        self.assertEqual((run.stdout, run.returncode), ("ran dump_test\nran clean_test\n", 1))

    def test_says_what_is_no_room(self):
        for arguments in (["--room", "kitchen"], ["--room", "wiki/kitchen"], ["--room"]):
            run = self.start(*arguments)
            self.assertEqual(run.returncode, 2, arguments)
            self.assertNotEqual(run.stderr, "")


if __name__ == "__main__":
    unittest.main(verbosity=2)
