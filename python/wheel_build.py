"""Builds the wheel by CMake: a backend of PEP 517 of the standard library alone, as Debian 12 has none for CMake.

One wheel for each version of Python. It holds the module, the program for `python -m bertprep`, and no libraries: those
of the system that it needs are named in docs/how-to/python.md. Config settings: "build-dir", and "cmake-args", which
are passed on.
"""

import base64
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def version():
    return re.search(r'kVersion = "([^"]+)"', (ROOT / "include/bertprep/version.h").read_text())[1]


def metadata():
    return "\n".join([
        "Metadata-Version: 2.1", "Name: bertprep", f"Version: {version()}",
        "Summary: Data preparation for BERT pretraining", "License: Apache-2.0", "Requires-Python: >=3.9",
        "Requires-Dist: numpy", "Provides-Extra: rows", 'Requires-Dist: h5py; extra == "rows"', ""])


def tag():
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def wheel_file():
    return f"Wheel-Version: 1.0\nGenerator: bertprep\nRoot-Is-Purelib: false\nTag: {tag()}\n"


def pybind11_folder():
    """Of the package of PyPI in an isolated build; CMake finds Debian's itself."""
    try:
        import pybind11

        return [f"-Dpybind11_DIR={pybind11.get_cmake_dir()}"]
    except ImportError:
        return []


def run(*command):
    subprocess.run([str(word) for word in command], check=True)


def install(settings, stage):
    settings = settings or {}
    build = pathlib.Path(settings.get("build-dir", ROOT / "build" / f"wheel-{tag()}"))
    generator = [] if (build / "CMakeCache.txt").exists() else ["-G", "Ninja"]
    run("cmake", "-S", ROOT, "-B", build, *generator, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON",
        "-DCMAKE_UNITY_BUILD_BATCH_SIZE=40", "-DBERTPREP_BUILD_TESTS=OFF", "-DBERTPREP_BUILD_TRAINER=OFF",
        "-DBERTPREP_WITH_PYTHON=ON", "-DBERTPREP_PYTHON_FOLDER=.", f"-DPython3_EXECUTABLE={sys.executable}",
        *pybind11_folder(), *shlex.split(settings.get("cmake-args", "")))
    run("cmake", "--build", build, "--target", "bertprep_python", "bertprep_program")
    run("cmake", "--install", build, "--prefix", stage, "--component", "python", "--strip")
    (stage / "bertprep/bin").mkdir()
    program = stage / "bertprep/bin/bertprep"
    program.write_bytes((build / "bin/bertprep").read_bytes())
    program.chmod(0o755)
    run("strip", program)


def write_wheel(path, stage, info):
    """The files of the stage and the metadata, with their digests; the same bytes for the same files."""
    names = sorted(file.relative_to(stage).as_posix() for file in stage.rglob("*") if file.is_file())
    files = [(name, (stage / name).read_bytes(), (stage / name).stat().st_mode) for name in names]
    files += [(f"{info}/{name}", text.encode(), 0o100644)
              for name, text in (("METADATA", metadata()), ("WHEEL", wheel_file()))]
    files.append((f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes(), 0o100644))
    record = ""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content, mode in [*files, (f"{info}/RECORD", None, 0o100644)]:
            if content is None:
                content = (record + f"{name},,\n").encode()
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (mode | 0o100000) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(content)}\n"


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    info = pathlib.Path(metadata_directory, f"bertprep-{version()}.dist-info")
    info.mkdir()
    (info / "METADATA").write_text(metadata())
    (info / "WHEEL").write_text(wheel_file())
    return info.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"bertprep-{version()}-{tag()}.whl"
    with tempfile.TemporaryDirectory() as folder:
        stage = pathlib.Path(folder)
        install(config_settings, stage)
        write_wheel(os.path.join(wheel_directory, name), stage, f"bertprep-{version()}.dist-info")
    return name


def build_sdist(sdist_directory, config_settings=None):
    """The files of the last commit."""
    name = f"bertprep-{version()}"
    path = os.path.join(sdist_directory, name + ".tar.gz")
    run("git", "-C", ROOT, "archive", "--format=tar.gz", f"--prefix={name}/", "-o", os.path.abspath(path), "HEAD")
    return os.path.basename(path)
