"""python -m bertprep: the program, of this package or in the PATH."""

import os
import pathlib
import shutil
import sys


def main():
    own = pathlib.Path(__file__).parent / "bin" / "bertprep"
    program = own if own.exists() else shutil.which("bertprep")
    if not program:
        sys.exit("bertprep: the program is neither in this package nor in the PATH; install the package bertprep")
    os.execv(program, ["bertprep", *sys.argv[1:]])


if __name__ == "__main__":
    main()
