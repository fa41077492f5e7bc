#!/usr/bin/env python3
"""Writes small files of torch.save: corpus/torch_file and, of their pickles, corpus/pickle.

    make_torch_files.py        with PyTorch (Debian's python3-torch)

They are seeds of the fuzz targets and what tests/unit/trainer/torch_weights_test.cpp reads.
"""

import argparse
import collections
import io
import pathlib
import pickle
import random
import zipfile

import numpy
import torch

CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"
FILES = CORPUS / "torch_file"
PICKLES = CORPUS / "pickle"


def tensors():
    six = torch.arange(6, dtype=torch.float32).view(2, 3)
    shared = torch.arange(10, dtype=torch.float32)
    found = collections.OrderedDict(
        f32=six, f16=torch.tensor([1, -2, 0.5]).half(), bf16=torch.tensor([1, -2, 0.5]).bfloat16(),
        f64=torch.tensor([1, -2, 0.5]).double(), i64=torch.tensor([3, -4]), transposed=six.t(),
        every_second=shared[2:8:2], last=shared[7:], tied=six, parameter=torch.nn.Parameter(torch.tensor([7.0, 8.0])),
        empty=torch.zeros(0, 3), scalar=torch.tensor(5.0), sparse=torch.eye(2).to_sparse(),
        complex=torch.ones(1, dtype=torch.complex64), expanded=torch.ones(1).expand(4), number=7)
    found._metadata = collections.OrderedDict({"": {"version": 1}})
    return found


def trainer_checkpoint():
    """As NVIDIA's trainers write them: much beside the model."""
    weights = {"weight": torch.nn.Parameter(torch.tensor([[1.0, 2.0]]))}
    optimizer = torch.optim.Adam(weights.values())
    weights["weight"].grad = torch.ones(1, 2)
    optimizer.step()
    return {"model": {"weight": torch.tensor([[1.0, 2.0]])}, "optimizer": optimizer.state_dict(),
            "master params": list(weights.values()), "files": [0, "a.hdf5"], "epoch": 3, "big": 2 ** 70, "none": None,
            "arguments": argparse.Namespace(seed=1), "random": random.Random(1).getstate()[0], "set": {1},
            "bytes": b"\x00", "real": 0.5, "negative": -3, "long": -2 ** 40, "tuple": ((), (1, 2, 3, 4))}


def records_of(path):
    with zipfile.ZipFile(path) as archive:
        return {name.split("/", 1)[1]: archive.read(name) for name in archive.namelist()}


def write_records(path, records, method=zipfile.ZIP_STORED, root="root"):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in records.items():
            archive.writestr(zipfile.ZipInfo(f"{root}/{name}"), content, method)


def swap(content, width):
    return b"".join(content[i:i + width][::-1] for i in range(0, len(content), width))


def write_big_endian():
    """As torch 2.1 and newer write them on such machines."""
    torch.save({"a": torch.tensor([1.0, -2.0]), "b": torch.tensor([3]).short()}, FILES / "big_endian.pt")
    records = records_of(FILES / "big_endian.pt")
    records["data/0"], records["data/1"] = swap(records["data/0"], 4), swap(records["data/1"], 2)
    write_records(FILES / "big_endian.pt", {"byteorder": b"big", ".format_version": b"1", **records})


def write_old_views():
    """As torch 0.3 wrote them: a storage that is a part of another one, tensors without gradients to rebuild."""
    class Pickler(pickle.Pickler):
        def persistent_id(self, obj):
            if not isinstance(obj, View):
                return None
            view = None if obj.first is None else (obj.view, obj.first, 3)
            return ("storage", torch.FloatStorage, "root", "cpu", 8, view)

    rebuild = torch._utils._rebuild_tensor
    value = {"whole": Call(rebuild, (View(None, None), 0, (8,), (1,))),
             "part": Call(rebuild, (View("v1", 4), 1, (2,), (1,)))}
    file = io.BytesIO()
    for part in (0x1950a86a20f9469cfc6c, 1001, {"protocol_version": 1001, "little_endian": True}):
        pickle.dump(part, file, protocol=2)
    Pickler(file, protocol=2).dump(value)
    pickle.dump(["root"], file, protocol=2)
    values = torch.arange(8, dtype=torch.float32).numpy().tobytes()
    (FILES / "old_views.bin").write_bytes(file.getvalue() + (8).to_bytes(8, "little") + values)


class View:
    def __init__(self, view, first):
        self.view, self.first = view, first


class Call:
    def __init__(self, function, arguments):
        self.function, self.arguments = function, arguments

    def __reduce__(self):
        return self.function, self.arguments


class DeviceTensor:
    """As torch writes tensors of accelerators without storages: XLA's, and Habana's for a while."""
    def __init__(self, array, dtype=torch.float32):
        self.array, self.dtype = array, dtype

    def __reduce__(self):
        return torch._utils._rebuild_device_tensor_from_numpy, (self.array, self.dtype, "hpu:0", False)


def device_tensors():
    values = numpy.array([[1, -130], [0.5, 3]])
    return {"f32": DeviceTensor(values.astype("<f4")), "f16": DeviceTensor(values.astype("<f2"), torch.float16),
            "columns": DeviceTensor(numpy.asfortranarray(values)), "big": DeviceTensor(values.astype(">f4")),
            "cpu": torch.tensor([1.0])}


def write_all():
    torch.manual_seed(1)
    torch.save(tensors(), FILES / "state.pt")
    torch.save(tensors(), FILES / "state.bin", _use_new_zipfile_serialization=False)
    torch.save(tensors(), FILES / "protocol4.pt", pickle_protocol=4)
    torch.save(trainer_checkpoint(), FILES / "ckpt.pt")
    torch.save(trainer_checkpoint(), FILES / "ckpt.bin", _use_new_zipfile_serialization=False)
    torch.save({"a": torch.ones(2)}, FILES / "other_root.pt")
    torch.save(device_tensors(), FILES / "device.pt")
    torch.save(device_tensors(), FILES / "device4.pt", pickle_protocol=4)
    torch.save(torch.nn.Linear(1, 1), FILES / "module.pt")
    torch.save({"epoch": 1, "optimizer": {"a": torch.ones(1)}}, FILES / "no_model.pt")
    small = records_of(FILES / "other_root.pt")
    write_records(FILES / "other_root.pt", small, root="modèle")
    write_records(FILES / "deflated.pt", {**small, "data/0": bytes(8)}, zipfile.ZIP_DEFLATED)
    write_records(FILES / "program.pt", {**small, "constants.pkl": b"\x80\x02)."})
    write_records(FILES / "no_pickle.zip", {"readme.txt": b"nothing"})
    write_records(FILES / "no_storage.pt", {name: content for name, content in small.items() if name != "data/0"})
    write_records(FILES / "short_storage.pt", {**small, "data/0": bytes(4)})
    (FILES / "plain_pickle.pkl").write_bytes(pickle.dumps({"a": 1}, protocol=2))
    write_big_endian()
    write_old_views()


def main():
    FILES.mkdir(parents=True, exist_ok=True)
    PICKLES.mkdir(parents=True, exist_ok=True)
    write_all()
    for name in ("state.pt", "ckpt.pt", "protocol4.pt", "module.pt", "device.pt", "device4.pt"):
        (PICKLES / name.removesuffix(".pt")).write_bytes(records_of(FILES / name)["data.pkl"])


if __name__ == "__main__":
    main()
