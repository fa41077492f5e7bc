#!/usr/bin/env python3
"""The project configures with each part left out: without tests, with benchmarks all the same, and without the program.

    options_test.py CMAKE COMPILER
"""

import pathlib
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parents[2]
CHOICES = [
    {"BERTPREP_BUILD_TESTS": "OFF", "BERTPREP_BUILD_BENCHMARKS": "ON"},
    {"BERTPREP_BUILD_TESTS": "ON", "BERTPREP_BUILD_TOOLS": "OFF"},
]

for choice in CHOICES:
    with tempfile.TemporaryDirectory() as folder:
        options = {"CMAKE_CXX_COMPILER": sys.argv[2], "BERTPREP_BUILD_TRAINER": "OFF", **choice}
        run = subprocess.run([sys.argv[1], "-G", "Ninja", "-S", PROJECT, "-B", folder,
                              *(f"-D{name}={value}" for name, value in options.items())],
                             capture_output=True, text=True, check=False)
        if run.returncode != 0:
            sys.exit(f"{choice}: status {run.returncode}\n{run.stdout}{run.stderr}")
