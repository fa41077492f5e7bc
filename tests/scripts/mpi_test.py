#!/usr/bin/env python3
"""cmake/mpi.cmake: where only MPI's runtime is installed, whose wrapper names headers that are not there, a project is
configured without MPI.

    mpi_test.py CMAKE
"""

import os
import pathlib
import subprocess
import sys
import tempfile

MODULE = pathlib.Path(__file__).resolve().parents[2] / "cmake/mpi.cmake"
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(probe LANGUAGES C)
include({MODULE})
bertprep_find_mpi()
message(STATUS "MPI: ${{MPI_C_FOUND}}")
"""
WRAPPER = """#!/bin/sh
case $1 in
  -showme:compile) echo -I/nonexistent/openmpi/include ;;
  -showme:link) echo -L/nonexistent/openmpi/lib ;;
  -showme:incdirs) echo /nonexistent/openmpi/include ;;
  -showme*) echo ;;
  *) exec cc -nostdinc -I/nonexistent/openmpi/include "$@" ;;
esac
"""

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "CMakeLists.txt").write_text(PROJECT)
    (folder / "bin").mkdir()
    for wrapper in ("mpicc", "mpiexec"):
        (folder / "bin" / wrapper).write_text(WRAPPER)
        (folder / "bin" / wrapper).chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    run = subprocess.run([sys.argv[1], "-G", "Ninja", "-S", folder, "-B", folder / "build"], env=environment,
                         capture_output=True, text=True, check=False)
    if run.returncode != 0 or "-- MPI: FALSE\n" not in run.stdout:
        sys.exit(f"status {run.returncode}\n{run.stdout}{run.stderr}")
