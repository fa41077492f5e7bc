"""The command line of the tests of faults."""

import pathlib
import sys
import tempfile

from fault_lab import Failure, Lab


def main(test):
    """Calls test(lab, seconds) in a temporary folder and ends the process with the result."""
    if len(sys.argv) < 4:
        sys.exit(f"usage: {sys.argv[0]} PROGRAM TRAINER LIBRARY [SECONDS|- …]")
    program, trainer, library = sys.argv[1:4]
    seconds = float(sys.argv[4]) if len(sys.argv) > 4 and sys.argv[4] != "-" else None
    try:
        with tempfile.TemporaryDirectory(prefix="bertprep-") as folder:
            test(Lab(pathlib.Path(program).resolve(), None if trainer == "-" else pathlib.Path(trainer).resolve(),
                     pathlib.Path(library).resolve(), pathlib.Path(folder).resolve()), seconds)
    except Failure as failure:
        sys.exit(f"failed: {failure}")
