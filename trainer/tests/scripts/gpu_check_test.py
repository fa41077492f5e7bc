"""gpu_check.sh without a GPU: its messages, its checks, and everything that it runs on a CPU.

    gpu_check_test.py [BUILD]      BUILD: with bin/berttrain; skipped without, or without PyTorch for Python
"""

import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "trainer" / "scripts" / "gpu_check.sh"


def run(*arguments, **variables):
    return subprocess.run(["bash", SCRIPT, *arguments], capture_output=True, text=True,
                          env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **variables}, check=False)


def stub(folder, has_gpu, cuda="'12.8'"):
    """A torch, numpy and h5py with only their versions, and programs that do nothing."""
    modules = folder / "modules"
    (modules / "torch").mkdir(parents=True)
    (modules / "torch" / "__init__.py").write_text(
        "import types\n__version__ = '2.7.0'\n"
        f"version = types.SimpleNamespace(cuda={cuda})\n"
        f"cuda = types.SimpleNamespace(is_available=lambda: {has_gpu})\n", encoding="utf-8")
    for name in ("numpy", "h5py"):
        (modules / f"{name}.py").write_text("", encoding="utf-8")
    (modules / "nvidia" / "nccl" / "include").mkdir(parents=True)
    (modules / "nvidia" / "nccl" / "include" / "nccl.h").write_text("", encoding="utf-8")
    programs = folder / "bin"
    programs.mkdir()
    for name in ("nvcc", "cmake", "ninja"):
        (programs / name).write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    return {"PYTHONPATH": str(modules), "PATH": f"{programs}:{os.environ['PATH']}"}


def expect(condition, finished):
    if not condition:
        sys.exit(f"status {finished.returncode}\n{finished.stdout}\n{finished.stderr}")


def says_what_is_missing(folder):
    for has_gpu, cuda, words in ((False, "'12.8'", "a GPU that PyTorch can use"),
                                 (True, "None", "a PyTorch with CUDA: torch 2.7.0 has none")):
        place = folder / f"{has_gpu}"
        finished = run(**stub(place, has_gpu, cuda))
        expect(finished.returncode == 3 and words in finished.stderr, finished)
        expect("nvcc" not in finished.stderr and "nccl" not in finished.stderr, finished)


def builds_where_all_is_there(folder):
    """As far as the stub of cmake, which fails."""
    finished = run(**stub(folder / "all", True))
    expect(finished.returncode != 0 and "nothing was run" not in finished.stderr, finished)


def refuses_wrong_usage():
    for arguments in (["--devices"], ["--device", "tpu"]):
        finished = run(*arguments)
        expect(finished.returncode == 2, finished)


def runs_on_a_cpu(build):
    finished = run("--device", "cpu", "--build", build, "--seconds", "600")
    if finished.returncode == 3:
        print(f"skipped: {finished.stderr}")
        return 77
    expect(finished.returncode == 0, finished)
    expect("largest difference of a loss: " in finished.stdout, finished)
    expect(finished.stdout.count("| tiny | 128 | 8 |") == 2, finished)
    return 0


def main(arguments):
    if arguments:
        return runs_on_a_cpu(arguments[0])
    with tempfile.TemporaryDirectory() as folder:
        says_what_is_missing(pathlib.Path(folder))
        builds_where_all_is_there(pathlib.Path(folder))
    refuses_wrong_usage()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
