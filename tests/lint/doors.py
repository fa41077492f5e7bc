"""Doors: a third-party library, the system's calls and threads are included in the files named here and nowhere else.

A header that no door knows is a fault too: a new library gets a door first. C++ standard headers without threads are
free, and so is what the tests include.
"""

import fnmatch
import re

import frame
import includes

# Door: headers (patterns), files (patterns) that may include them.
DOORS = {
    "ICU": (["unicode/*"], ["src/unicode/properties/*", "src/text/sentences.cpp", "src/source/encoding/*",
             "src/wiki/templates/python_number*"]),
    "HDF5": (["hdf5*.h", "H5*.h"], ["src/shard/hdf5/hdf5*"]),
    "simdjson": (["simdjson*"], ["src/io/json*", "src/source/formats/cirrus*", "src/source/formats/jsonl*"]),
    "folders of the system": (["ftw.h"], ["src/io/folder.cpp"]),
    "patterns of the system": (["fnmatch.h"], ["src/io/file_system.cpp"]),
    "xxHash": (["xxhash.h"], ["src/fetch/s3_signature.cpp", "src/io/digest.cpp"]),
    "Nettle": (["nettle/*"], ["src/fetch/s3_signature.cpp", "src/io/digest.cpp"]),
    "libb2": (["blake2.h"], ["src/fetch/s3_signature.cpp", "src/io/digest.cpp"]),
    "zlib": (["zlib.h"], ["src/shard/deflate/chunk_encoder.cpp", "src/stream/decoded_stream.cpp"]),
    "libdeflate": (["libdeflate.h"], ["src/shard/deflate/inflate*", "src/shard/deflate/chunk_encoder.cpp"]),
    "bzip2": (["bzlib.h"], ["src/stream/bzip2*"]),
    "zstd": (["zstd.h"], ["src/stream/zstd*"]),
    "Snappy": (["snappy-c.h"], ["src/source/columns/page_unpacker.cpp"]),
    "LZ4": (["lz4.h", "lz4frame.h"], ["src/source/columns/page_unpacker.cpp"]),
    "Brotli": (["brotli/*"], ["src/source/columns/page_unpacker.cpp"]),
    "SQLite": (["sqlite3.h"], ["src/source/formats/sqlite_source.cpp"]),
    "libarchive": (["archive.h", "archive_entry.h"], ["src/stream/archive*"]),
    "libxml2": (["libxml/*"], ["src/source/html/html_text.cpp"]),
    "expat": (["expat.h"], ["src/fetch/address/s3_files.cpp", "src/source/formats/pubmed_source.cpp"]),
    "libcurl": (["curl/*"], ["src/fetch/http*"]),
    "oneTBB": (["oneapi/tbb*", "tbb/*"], ["src/pipeline/work/workers.cpp"]),
    "CLI11": (["CLI/*"], ["tools/*", "trainer/program/*"]),
    "libtorch": (["ATen/*", "c10/*", "torch/*"], ["trainer/torch/*"]),
    "MPI": (["mpi.h"], ["trainer/distributed/mpi.cpp"]),
    "NCCL": (["nccl.h"], ["trainer/distributed/nccl*.cpp"]),
    "CUDA": (["cuda*.h"], ["trainer/distributed/nccl.cpp", "trainer/distributed/cuda.cpp"]),
    # hdf5_call holds the lock that HDF5 needs: its C library keeps globals and is not built thread-safe. The trainer
    # reads ahead in a thread, and talks to other processes in one; while a GPU works, it naps. thread_supply tries how
    # many threads there can be.
    "threads": (
        ["thread", "future", "mutex", "shared_mutex", "condition_variable", "atomic", "semaphore", "latch", "barrier",
         "stop_token", "pthread.h"],
        ["src/pipeline/*", "src/io/thread_supply.cpp", "src/shard/hdf5/hdf5_call.cpp", "trainer/background.cpp",
         "trainer/distributed/nccl.cpp", "trainer/machine.cpp",
         "tools/*", "trainer/program/*"]),
    # hdf5_output carries HDF5's bytes to the disk, output_folder makes one level of a folder, the options how much
    # memory the machine has, large_array asks for large pages, the trainer finds the BLAS library.
    "POSIX": (
        ["unistd.h", "fcntl.h", "signal.h", "dirent.h", "poll.h", "spawn.h", "sys/*", "dlfcn.h", "malloc.h"],
        ["src/io/*", "src/shard/hdf5/hdf5_output.cpp", "src/pipeline/records/output_folder.cpp",
         "src/base/large_array.h", "src/pipeline/pipeline_options.cpp", "trainer/machine.cpp",
         "trainer/torch/blas.cpp", "tools/*", "trainer/program/*"]),
    "processor instructions": (
        ["*intrin.h", "arm_neon.h", "cpuid.h"],
        ["src/unicode/byte_search.h", "src/stream/bzip2/recent_bytes.h", "trainer/machine.cpp"]),
}
STANDARD_HEADER = re.compile(r"[a-z_0-9]+")


def matches(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def faults_of_include(place, name, target):
    doors = [door for door, (headers, _) in DOORS.items() if matches(target, headers)]
    if not doors and not STANDARD_HEADER.fullmatch(target):
        return [f"{place}: <{target}> has no door in tests/lint/doors.py"]
    return [f"{place}: <{target}> may be included in {', '.join(DOORS[door][1])} only ({door})"
            for door in doors if not matches(name, DOORS[door][1])]


def faults(root):
    found = []
    for name in includes.code_files(root, "src", "include", "tools", "trainer"):
        for line, kind, target in includes.includes_of(root, name):
            if kind == "angle":
                found += faults_of_include(f"{name}:{line}", name, target)
    return found


CASES = [
    frame.Case({"src/unicode/properties/a.cpp": "#include <unicode/uchar.h>\n",
                "src/pipeline/stage.cpp": "#include <mutex>\n",
                "src/shard/a.cpp": "#include <vector>\n#include <cstdio>\n", "tests/x.cpp": "#include <hdf5.h>\n"}),
    frame.Case({"src/token/words.cpp": "#include <unicode/uchar.h>\n"}, "<unicode/uchar.h> may be included in src/u"),
    frame.Case({"include/bertprep/shard/a.h": "  #  include <hdf5.h>\n"}, "include/bertprep/shard/a.h:1: <hdf5.h>"),
    frame.Case({"src/token/words.cpp": "#include <atomic>\n"}, "(threads)"),
    frame.Case({"src/pipeline/stage.cpp": "#include <oneapi/tbb/parallel_for.h>\n"}, "(oneTBB)"),
    frame.Case({"trainer/torch/a.cpp": "#include <cuda_runtime_api.h>\n"}, "(CUDA)"),
    frame.Case({"src/io/a.cpp": "#include <curve/curve.h>\n"}, "<curve/curve.h> has no door"),
]

if __name__ == "__main__":
    frame.main(faults, CASES)
