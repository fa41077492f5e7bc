"""Runs a file of tests against the package in a build folder: python3 run_pytest.py BUILD TEST.py [OPTION...]

The distribution's packages belong to the distribution's Python. Skipped without pytest or numpy.
"""

import os
import pathlib
import sys

SKIPPED = 77
PYTHON = "/usr/bin/python3"

try:
    import numpy  # noqa: F401
    import pytest
except ImportError as missing:
    if sys.executable != PYTHON and os.path.exists(PYTHON):
        os.execv(PYTHON, [PYTHON, *sys.argv])
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

if __name__ == "__main__":
    build = pathlib.Path(sys.argv[1])
    if not list((build / "python/bertprep").glob(f"_native.cpython-3{sys.version_info[1]}-*.so")):
        print(f"skipped: the module is built for another Python than {sys.version.split()[0]}")
        sys.exit(SKIPPED)
    os.environ["BERTPREP_PROGRAM"] = str(build / "bin/bertprep")
    os.environ["PYTHONPATH"] = str(build / "python")  # for processes that tests start
    sys.path.insert(0, str(build / "python"))
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--tb=short", *sys.argv[2:]]))
