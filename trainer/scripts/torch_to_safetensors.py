#!/usr/bin/env python3
"""Converts a model that torch.save wrote to a safetensors file, which `berttrain --init-from` and other programs read.

    torch_to_safetensors.py ckpt_7038.pt                           writes ckpt_7038.safetensors
    torch_to_safetensors.py bert-base-uncased                      writes bert-base-uncased/model.safetensors
    torch_to_safetensors.py pytorch_model.bin -o bert.safetensors

INPUT is a file, or a folder with pytorch_model.bin, ckpt_STEP.pt (the newest is taken), or DeepSpeed's
mp_rank_00_model_states.pt, also in the folder named in the file `latest`. The file has a dict of names and tensors,
by itself or as 'model', 'state_dict', 'module' or 'model_state_dict' of another dict.

Nothing in the file runs: only the functions that build tensors and dicts are called, and every other class in it
(optimizers, options, data loaders) is replaced by one that does nothing. So a file from an unknown source does no harm.

Needs PyTorch for Python (Debian: python3-torch); the package safetensors is not needed.
"""

import argparse
import collections
import contextlib
import ctypes
import inspect
import io
import json
import os
import pathlib
import pickle
import re
import signal
import sys
import tempfile
import types
import unittest.mock
import warnings
import zipfile

try:
    import torch
except ImportError as error:
    sys.exit(f"torch_to_safetensors.py: PyTorch for Python is missing ({error}); install it: apt-get install "
             "python3-torch, or pip install torch")

DTYPES = {torch.float64: "F64", torch.int64: "I64", torch.float32: "F32", torch.int32: "I32", torch.float16: "F16",
          torch.bfloat16: "BF16", torch.int16: "I16", torch.int8: "I8", torch.uint8: "U8", torch.bool: "BOOL"}
NUMPY_DTYPES = {"f8": torch.float64, "i8": torch.int64, "f4": torch.float32, "i4": torch.int32, "f2": torch.float16,
                "i2": torch.int16, "i1": torch.int8, "u1": torch.uint8, "b1": torch.bool}
KEYS_OF_MODELS = ("model", "state_dict", "module", "model_state_dict")
MOST_NESTED_DICTS = 4
DEEPSPEED_FILE = "mp_rank_00_model_states.pt"
SAVE_STATE_DICT = "save model.state_dict() with torch.save"
DAMAGED = "the file is damaged: get it again"


class WrongFile(Exception):
    """An error: what is wrong, where, and what to do."""

    def __init__(self, path, what, advice):
        super().__init__(f"{path}: {what}; {advice}")


# torch.load gets an unpickler that only calls the functions named here.


class Inert:
    """Represents an object of an unknown class. Accepts all arguments and does nothing."""

    def __new__(cls, *_, **__):
        return object.__new__(cls)

    def __init__(self, *_, **__):
        pass

    def ignore(self, *_):
        pass

    __setstate__ = __setitem__ = append = extend = add = ignore


class NumpyDtype:
    def __init__(self, code, *_):
        self.code, self.order = code, "<"

    def __setstate__(self, state):
        self.order = state[1]


class NumpyArray:
    """The parts of an array, as pickled by numpy."""

    def __init__(self, *_):
        pass

    def __setstate__(self, state):
        _, self.shape, self.dtype, self.by_columns, self.content = state

    def to_tensor(self):
        if self.dtype.order not in "<|":
            raise ValueError("an array is big-endian")
        dtype = NUMPY_DTYPES[self.dtype.code]
        if not self.content:
            return torch.empty(self.shape, dtype=dtype)
        values = torch.frombuffer(bytearray(self.content), dtype=dtype)
        return values.reshape(self.shape[::-1]).permute(*range(len(self.shape))[::-1]) if self.by_columns else \
            values.reshape(self.shape)


def rebuild(function):
    """torch's function, which would enlarge a storage that is too small for the tensor."""
    def checked(storage, first, shape, strides, *others):
        values = storage.nbytes() // storage.element_size()
        end = first + 1 + sum((length - 1) * stride for length, stride in zip(shape, strides)) if all(shape) else first
        if min((first, *shape, *strides)) < 0 or len(shape) != len(strides) or end > values:
            raise ValueError(f"a tensor reaches beyond its storage of {values} values")
        return function(storage, first, shape, strides, *others)
    return checked


KNOWN = {
    ("collections", "OrderedDict"): collections.OrderedDict,
    ("collections", "defaultdict"): lambda *_: {},
    ("torch", "Size"): torch.Size,
    ("torch._utils", "_rebuild_tensor"): rebuild(torch._utils._rebuild_tensor),
    ("torch._utils", "_rebuild_tensor_v2"): rebuild(torch._utils._rebuild_tensor_v2),
    ("torch._utils", "_rebuild_parameter"): lambda tensor, *_: tensor,
    ("torch._utils", "_rebuild_parameter_with_state"): lambda tensor, *_: tensor,
    ("torch._tensor", "_rebuild_from_type_v2"): lambda function, _, arguments, __: function(*arguments),
    # Tensors of accelerators for which torch has no storages, such as Habana's.
    ("torch._utils", "_rebuild_device_tensor_from_cpu_tensor"): lambda tensor, dtype, *_: tensor.to(dtype),
    ("torch._utils", "_rebuild_device_tensor_from_numpy"): lambda array, dtype, *_: array.to_tensor().to(dtype),
    ("torch._utils", "_rebuild_xla_tensor"): lambda array, dtype, *_: array.to_tensor().to(dtype),
    ("numpy.core.multiarray", "_reconstruct"): NumpyArray,
    ("numpy._core.multiarray", "_reconstruct"): NumpyArray,
    ("numpy", "dtype"): NumpyDtype,
    ("_codecs", "encode"): lambda text, _: text.encode("latin1"),
    ("__builtin__", "bytes"): lambda: b"",
}


class Unpickler(pickle.Unpickler):
    """Its subclass in torch answers for the names of storages and asks this one for all others."""

    record_bytes = {}  # of the zip file's records

    def find_class(self, module, name):
        if (module, name) in KNOWN:
            return KNOWN[module, name]
        if module in ("torch", "torch.storage") and name in ("UntypedStorage", "_UntypedStorage"):
            return getattr(torch, "UntypedStorage", None) or torch.storage._UntypedStorage
        if module == "torch" and isinstance(getattr(torch, name, None), torch.dtype):
            return getattr(torch, name)
        return type(name, (Inert,), {"__module__": module})

    # torch sets persistent_load, and does not compare the bytes it reads with the length of the storage.
    def __setattr__(self, name, value):
        super().__setattr__("load_of_torch" if name == "persistent_load" else name, value)

    def persistent_load(self, saved):
        found = self.record_bytes.get(f"data/{saved[2]}")
        if found is not None:
            _, kind, key, _, count = saved
            dtype = getattr(kind, "dtype", torch.uint8)
            if count * torch.empty(0, dtype=dtype).element_size() > found:
                raise ValueError(f"the storage {key} has fewer values than its length says")
        return self.load_of_torch(saved)


def load_inert(file, record_bytes):
    """The result of torch.load with the unpickler above."""
    class UnpicklerOfFile(Unpickler):
        pass
    UnpicklerOfFile.record_bytes = record_bytes
    module = types.SimpleNamespace(__name__="pickle", Unpickler=UnpicklerOfFile, UnpicklingError=pickle.UnpicklingError,
                                   load=lambda part, **options: UnpicklerOfFile(part, **options).load())
    options = {"map_location": "cpu", "pickle_module": module}
    if "weights_only" in inspect.signature(torch.load).parameters:
        options["weights_only"] = False  # which allows no pickle_module, and fails on optimizers and data loaders
    # torch 1.13 ignores pickle_module and uses its own.
    with unittest.mock.patch.object(torch.serialization, "pickle", module):
        return torch.load(file, **options)


def require_inert_load():
    """Checks that torch used that unpickler; others are a risk."""
    for is_zip in (True, False):
        file = io.BytesIO()
        torch.save(pathlib.PurePosixPath("a"), file, _use_new_zipfile_serialization=is_zip)
        file.seek(0)
        if not isinstance(load_inert(file, {}), Inert):
            sys.exit(f"torch_to_safetensors.py: torch {torch.__version__} cannot read files without running them; "
                     "install another version of PyTorch")


def check_archive(path):
    """The bytes of the records in a zip file of torch.save."""
    with zipfile.ZipFile(path) as archive:
        records = {info.filename.partition("/")[2]: info for info in archive.infolist()}
        if "data.pkl" not in records:
            raise WrongFile(path, "is a zip file, but not one of torch.save", SAVE_STATE_DICT)
        if "constants.pkl" in records:
            raise WrongFile(path, "is a TorchScript program, not a state dict", SAVE_STATE_DICT)
        if "byteorder" in records and archive.read(records["byteorder"]) != b"little":
            raise WrongFile(path, "was written on a big-endian machine",
                            "load it with torch 2.1 or newer and save it again on a little-endian machine")
        damaged = archive.testzip()
        if damaged is not None:
            raise WrongFile(path, f"the checksum of {damaged} is wrong", DAMAGED)
        return {name: info.file_size for name, info in records.items()}


def load(path):
    """The object in the file, with its tensors on the CPU."""
    with open(path, "rb") as file:
        head = file.read(4)
    is_pickle = len(head) > 1 and head[0] == 0x80 and 2 <= head[1] <= 5
    if head != b"PK\3\4" and not is_pickle:
        raise WrongFile(path, "is not a file of torch.save, or only part of one",
                        "give pytorch_model.bin, ckpt_STEP.pt or the like")
    try:
        return load_inert(path, {} if is_pickle else check_archive(path))
    except (WrongFile, OSError, MemoryError):
        raise
    except Exception as error:  # damaged pickles raise anything
        words = str(error).partition("\n")[0][:200]
        raise WrongFile(path, f"cannot be read ({type(error).__name__}: {words})", DAMAGED) from error


def class_name(value):
    return f"{type(value).__module__}.{type(value).__qualname__}".removeprefix("builtins.")


def find_state_dict(value, path):
    """The dict of names and tensors, and the keys that lead to it."""
    if not isinstance(value, dict):
        raise WrongFile(path, f"holds {class_name(value)}, not a state dict", SAVE_STATE_DICT)
    keys = []
    while len(keys) < MOST_NESTED_DICTS:
        key = next((key for key in KEYS_OF_MODELS if isinstance(value.get(key), dict)), None)
        if key is None:
            break
        keys.append(key)
        value = value[key]
    if not any(is_tensor(entry) for entry in value.values()):
        names = ", ".join(f"'{str(name)[:80]}'" for name in list(value)[:8]) or "nothing"
        raise WrongFile(path, f"holds no state dict, but {names}", SAVE_STATE_DICT)
    return value, keys


def is_tensor(value):
    return isinstance(value, torch.Tensor) or isinstance(value, Inert) and type(value).__name__.startswith("_rebuild_")


def check_tensor(name, value, path):
    if isinstance(value, Inert):
        kinds = {"_rebuild_sparse_tensor": "sparse", "_rebuild_sparse_csr_tensor": "sparse",
                 "_rebuild_qtensor": "quantized", "_rebuild_meta_tensor_no_storage": "without values"}
        what = kinds.get(type(value).__name__, f"of an unknown kind ({class_name(value)})")
        raise WrongFile(path, f"the tensor '{name}' is {what}", f"save it as {name}: tensor.dequantize()"
                        if what == "quantized" else "save it as a dense tensor on the CPU")
    if value.dtype not in DTYPES:
        raise WrongFile(path, f"the tensor '{name}' has values of type {value.dtype}",
                        "save it with floating-point values of 16, 32 or 64 bits")
    if name == "__metadata__":
        raise WrongFile(path, "a tensor is called '__metadata__', which safetensors reserve", "rename it")


def tensors_of(state, path):
    """By name, those with the widest values first, so that each begins at a multiple of its values' width."""
    tensors = {name: value for name, value in state.items() if isinstance(name, str) and is_tensor(value)}
    for name, value in tensors.items():
        check_tensor(name, value, path)
    return dict(sorted(tensors.items(), key=lambda entry: -entry[1].element_size()))


def header_of(tensors):
    header, offset = {"__metadata__": {"format": "pt"}}, 0
    for name, tensor in tensors.items():
        end = offset + tensor.numel() * tensor.element_size()
        header[name] = {"dtype": DTYPES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text


def bytes_of(tensor):
    """A view of the values of a tensor in C order."""
    size = tensor.numel() * tensor.element_size()
    return memoryview((ctypes.c_char * size).from_address(tensor.data_ptr())) if size else b""


@contextlib.contextmanager
def new_file(path):
    """A temporary file next to `path`, renamed once it is complete and on disk."""
    mask = os.umask(0)
    os.umask(mask)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with open(handle, "wb") as file:
            yield file
            file.flush()
            os.fchmod(file.fileno(), 0o666 & ~mask)
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def write_safetensors(path, tensors):
    with new_file(path) as file:
        file.write(header_of(tensors))
        for tensor in tensors.values():
            values = tensor.detach().resolve_conj().resolve_neg().contiguous()
            file.write(bytes_of(values))


def find_file(path):
    """The path itself, or the file of torch.save in the folder."""
    if not path.exists():
        raise WrongFile(path, "does not exist", "name a file of torch.save, or a folder with one")
    if not path.is_dir():
        return path
    if (path / "pytorch_model.bin").exists():
        return path / "pytorch_model.bin"
    steps = {int(match[1]): entry for entry in path.iterdir() if (match := re.fullmatch(r"ckpt_(\d+)\.pt", entry.name))}
    if steps:
        return steps[max(steps)]
    tag = (path / "latest").read_text().strip() if (path / "latest").is_file() else ""
    is_name = pathlib.PurePath(tag).name == tag != ".."
    for folder in (path, path / tag) if is_name else (path,):
        if (folder / DEEPSPEED_FILE).exists():
            return folder / DEEPSPEED_FILE
    if (path / "pytorch_model.bin.index.json").exists():
        raise WrongFile(path, "contains a model in several files",
                        "write it as one: save_pretrained(..., max_shard_size='100GB')")
    raise WrongFile(path, f"contains neither pytorch_model.bin, ckpt_STEP.pt nor {DEEPSPEED_FILE}",
                    "name the file itself")


def output_of(arguments, file):
    if arguments.output is not None:
        return arguments.output / "model.safetensors" if arguments.output.is_dir() else arguments.output
    return arguments.input / "model.safetensors" if arguments.input.is_dir() else file.with_suffix(".safetensors")


def check_output(output, file, force):
    if output.exists() and output.samefile(file):
        raise WrongFile(output, "is the file to convert", "give another --output")
    if output.exists() and not force:
        raise WrongFile(output, "exists already", "give another --output, or --force to replace it")
    if not output.parent.is_dir():
        raise WrongFile(output.parent, "is not a folder", "create it")


def convert(arguments):
    if sys.byteorder != "little":
        raise WrongFile(arguments.input, "cannot be converted on a big-endian machine", "take a little-endian one")
    file = find_file(arguments.input)
    output = output_of(arguments, file)
    check_output(output, file, arguments.force)
    state, keys = find_state_dict(load(file), file)
    tensors = tensors_of(state, file)
    check_output(output, file, arguments.force)
    write_safetensors(output, tensors)
    place = "".join(f"['{key}']" for key in keys)
    skipped = len(state) - len(tensors)
    print(f"{output}: {len(tensors)} tensors of {file}{place}, {output.stat().st_size:,} bytes"
          + (f"; {skipped} entries that are not tensors were skipped" if skipped else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", metavar="INPUT", type=pathlib.Path, help="file or folder to convert")
    parser.add_argument("-o", "--output", metavar="FILE", type=pathlib.Path,
                        help="file to write (default: INPUT with the suffix .safetensors, or INPUT/model.safetensors)")
    parser.add_argument("-f", "--force", action="store_true", help="replace the output if it exists")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        require_inert_load()
        convert(arguments)
    except (WrongFile, OSError) as error:
        sys.exit(f"torch_to_safetensors.py: {error}")
    except MemoryError:
        sys.exit(f"torch_to_safetensors.py: {arguments.input}: does not fit into memory; take a larger machine")


if __name__ == "__main__":
    main()
