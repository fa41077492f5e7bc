#!/usr/bin/env python3
"""trainer/scripts/torch_to_safetensors.py: conversions and refusals, that nothing in a file runs, and the files left.

    torch_to_safetensors_test.py         exit status 77 where PyTorch for Python is missing
"""

import argparse
import collections
import contextlib
import importlib.util
import inspect
import io
import json
import operator
import os
import pathlib
import pickle
import random
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import zipfile

DEBIANS = "/usr/bin/python3"  # the one that has Debian's packages
if importlib.util.find_spec("torch") is None:
    if os.path.exists(DEBIANS) and not os.path.samefile(sys.executable, DEBIANS):
        os.execv(DEBIANS, [DEBIANS, *sys.argv])
    print("skipped: no PyTorch for Python")
    sys.exit(77)

import numpy
import torch

ROOT = pathlib.Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "trainer/scripts/torch_to_safetensors.py"
sys.path[:0] = [str(SCRIPT.parent), str(ROOT / "trainer/tests/golden")]
import make_state_dicts
import torch_to_safetensors

OLD = {"_use_new_zipfile_serialization": False}
LAYOUTS = ({}, OLD, {"pickle_protocol": 4}, {"pickle_protocol": 4, **OLD})


class Call:
    """Is pickled as a call of a function."""

    def __init__(self, function, *arguments):
        self.parts = function, arguments

    def __reduce__(self):
        return self.parts


def read_safetensors(path):
    """The notes; dtype, shape and bytes by name."""
    content = path.read_bytes()
    end = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:end])
    notes = header.pop("__metadata__", None)
    data, at, found = content[end:], 0, {}
    for name, entry in header.items():
        begin, behind = entry["data_offsets"]
        assert begin == at, (name, begin, at)
        at = behind
        found[name] = entry["dtype"], entry["shape"], data[begin:behind]
    assert at == len(data)
    return notes, found


class Conversion(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def save(self, value, name="x.pt", **how):
        torch.save(value, self.folder / name, **how)
        return self.folder / name

    def start(self, *arguments):
        return subprocess.run([sys.executable, "-B", SCRIPT, *arguments], capture_output=True, text=True, check=False)

    def convert(self, path, *options):
        """What the script prints and the tensors that it writes, or its refusal; in this process, which is faster."""
        output = self.folder / "converted.safetensors"
        shown = io.StringIO()
        argv, sys.argv = sys.argv, [str(SCRIPT), str(path), "--force", "-o", str(output), *options]
        try:
            with contextlib.redirect_stdout(shown):
                torch_to_safetensors.main()
            assert output.read_bytes()[0] % 8 == 0, "tensors are not aligned"
            return shown.getvalue(), read_safetensors(output)[1]
        except SystemExit as refusal:
            return str(refusal.code), None
        finally:
            sys.argv = argv

    def converted(self, path):
        shown, tensors = self.convert(path)
        self.assertIsNotNone(tensors, shown)
        return tensors

    def refusal(self, path):
        shown, tensors = self.convert(path)
        self.assertIsNone(tensors, shown)
        return shown

    def changed(self, path, **records):
        """The zip file with other records."""
        with zipfile.ZipFile(path) as archive:
            found = {info.filename.split("/", 1)[1]: archive.read(info) for info in archive.infolist()}
        found |= {name.replace("__", "/"): content for name, content in records.items()}
        with zipfile.ZipFile(self.folder / "changed.pt", "w") as archive:
            for name, content in found.items():
                if content is not None:
                    archive.writestr(f"modèle/{name}", content)
        return self.folder / "changed.pt"


class Tensors(Conversion):
    def test_every_layout_equals_its_twin(self):
        make_state_dicts.write(self.folder)
        old = (("LayerNorm.gamma", "LayerNorm.weight"), ("LayerNorm.beta", "LayerNorm.bias"), ("dense_act.", "dense."),
               ("module.", ""))
        saved = sorted(self.folder.glob("*.pt"))
        self.assertEqual(len(saved), 16)
        for path in saved:
            with self.subTest(path.name):
                found = {}
                for name, tensor in self.converted(path).items():
                    for was, now in old:
                        name = name.replace(was, now)
                    found[name] = tensor
                _, twin = read_safetensors(path.with_suffix(".safetensors"))
                self.assertEqual({name: found[name] for name in twin}, twin)
                self.assertLessEqual(found.keys() - twin.keys(), {
                    "cls.predictions.decoder.weight", "cls.predictions.decoder.bias", "bert.embeddings.position_ids"})

    def test_all_dtypes_and_shapes(self):
        six = torch.arange(6, dtype=torch.float32).view(2, 3)
        many = torch.arange(10, dtype=torch.float32)
        state = collections.OrderedDict(
            flag=torch.tensor([True, False]), u8=torch.tensor([255]).byte(), i8=torch.tensor([-1]).char(),
            i16=torch.tensor([-2]).short(), i32=torch.tensor([-3]).int(), i64=torch.tensor([3, -4]),
            f16=torch.tensor([1, -2]).half(), bf16=torch.tensor([1, -2]).bfloat16(), f64=torch.tensor([0.5]).double(),
            f32=six, transposed=six.t(), tied=six, every_second=many[2:8:2], last=many[7:], empty=torch.zeros(0, 3),
            parameter=torch.nn.Parameter(torch.tensor([7.0])), scalar=torch.tensor(5.0),
            expanded=torch.ones(1).expand(3))
        expected = {name: (torch_to_safetensors.DTYPES[value.dtype], list(value.shape),
                           value.detach().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())
                    for name, value in state.items() if value.dim()}
        expected["scalar"] = "F32", [], numpy.float32(5).tobytes()
        for how in LAYOUTS:
            self.assertEqual(self.converted(self.save(state, **how)), expected)

    def test_tensors_of_accelerators_are_arrays(self):
        values = numpy.array([[1, -130, 2], [0.5, 3, 4]])
        rebuild = torch._utils._rebuild_device_tensor_from_numpy
        state = {"f32": Call(rebuild, values.astype("<f4"), torch.float32, "hpu:0", False),
                 "bf16": Call(rebuild, values.astype("<f4"), torch.bfloat16, "hpu:0", False),
                 "columns": Call(rebuild, numpy.asfortranarray(values), torch.float64, "hpu:0", False),
                 "none": Call(rebuild, values[:0], torch.float64, "xla:0", False), "cpu": torch.tensor([1.0])}
        bf16 = torch.tensor(values).bfloat16().view(torch.int16).numpy().tobytes()
        for how in LAYOUTS:
            found = self.converted(self.save(state, **how))
            self.assertEqual(found["f32"], ("F32", [2, 3], values.astype("<f4").tobytes()))
            self.assertEqual(found["bf16"], ("BF16", [2, 3], bf16))
            self.assertEqual(found["columns"], ("F64", [2, 3], values.tobytes()))
            self.assertEqual(found["none"], ("F64", [0, 3], b""))
        state["f32"] = Call(rebuild, values.astype(">f4"), torch.float32, "hpu:0", False)
        self.assertIn("big-endian", self.refusal(self.save(state)))

    def test_storages_were_views_once(self):
        found = self.converted(ROOT / "trainer/tests/scripts/torch_files/old_views.bin")
        self.assertEqual(found["whole"], ("F32", [8], numpy.arange(8, dtype="<f4").tobytes()))
        self.assertEqual(found["part"], ("F32", [2], numpy.array([5, 6], dtype="<f4").tobytes()))

    def test_what_stands_beside_a_model_does_not_matter(self):
        weights = {"weight": torch.nn.Parameter(torch.tensor([[1.0, 2.0]]))}
        optimizer = torch.optim.Adam(weights.values())
        weights["weight"].grad = torch.ones(1, 2)
        optimizer.step()
        model = {"weight": torch.ones(2), "step": 3, 7: torch.ones(1), "function": os.getcwd}
        around = {"model": {"module": model}, "step": torch.tensor(4), "optimizer": optimizer.state_dict(),
                  "arguments": argparse.Namespace(seed=1), "random": random.Random(1).getstate(), "set": {1},
                  "big": 2 ** 70, "long": -2 ** 40, "bytes": b"\0", "tuple": ((), (1, 2, 3, 4)), "path": self.folder,
                  "generator": numpy.random.RandomState(1), "scalar": numpy.float64(1), "layout": torch.strided,
                  "device": torch.device("cpu"), "counter": collections.Counter("ab"),
                  "factory": collections.defaultdict(list, {"a": [1]}), "loader": torch.utils.data.DataLoader([1])}
        for how in LAYOUTS:
            shown, found = self.convert(self.save(around, **how))
            self.assertEqual(list(found or shown), ["weight"])
            self.assertRegex(shown, r"1 tensors of .*x\.pt\['model'\]\['module'\], .* 3 entries that are not tensors")


class Harm(Conversion):
    def test_nothing_in_a_file_runs(self):
        marker = self.folder / "ran"
        touch = f"touch {marker}"
        weight = torch.ones(1)
        attacks = {
            "a command": Call(os.system, touch),
            "code": Call(exec, f"open({str(marker)!r}, 'w').close()"),
            "a method": Call(operator.methodcaller("touch"), marker),
            "an array": Call(torch._utils._rebuild_device_tensor_from_numpy, Call(os.system, touch), torch.float32,
                             "cpu", False),
            "a subclass": Call(torch._tensor._rebuild_from_type_v2, os.system, torch.Tensor, (touch,), None),
        }
        for attack, value in attacks.items():
            for state in ({"weight": weight, "x": value}, {"model": {"weight": weight}, "x": value}, value,
                          {"model": value}, {value: weight, "weight": weight}):
                for how in LAYOUTS:
                    path = self.save(state, **how)
                    with contextlib.suppress(Exception):
                        torch.load(path, weights_only=False)
                    self.assertTrue(marker.exists(), f"{attack} does no harm to anyone")
                    marker.unlink()
                    self.convert(path)
                    self.assertFalse(marker.exists(), attack)

    def test_a_torch_that_takes_its_own_unpickler_is_refused(self):
        path = self.save({"model": {"weight": torch.ones(1)}, "x": Call(os.system, f"touch {self.folder}/ran")})
        load = torch.load
        by_pickle = {"weights_only": False} if "weights_only" in inspect.signature(load).parameters else {}

        def load_by_pickle(file, **_):
            with unittest.mock.patch.object(torch.serialization, "pickle", pickle):
                return load(file, **by_pickle)
        with unittest.mock.patch.object(torch, "load", load_by_pickle):
            self.assertIn("cannot read files without running them", self.refusal(path))
        self.assertFalse((self.folder / "ran").exists())


class Refusals(Conversion):
    def test_tensors_that_the_format_lacks_are_named(self):
        quantized = torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8)
        for name, value, words in (("s", torch.eye(2).to_sparse(), "is sparse"), ("q", quantized, "is quantized"),
                                   ("c", torch.ones(1, dtype=torch.complex64), "has values of type torch.complex64"),
                                   ("__metadata__", torch.ones(1), "reserve")):
            refusal = self.refusal(self.save({"ok": torch.ones(1), name: value}))
            self.assertRegex(refusal, rf"x\.pt: .*'{name}'.*{words}.*; ")

    def test_files_without_a_state_dict(self):
        for value, words in ((torch.nn.Linear(1, 1), "holds torch.nn.modules.linear.Linear, not a state dict; save"),
                             ([1], "holds list, not"),
                             ({"epoch": 1, "o": {"a": torch.ones(1)}}, "but 'epoch', 'o'; save"),
                             ({}, "but nothing"), ({"model": {"model": {"a": 1}}}, "but 'a'")):
            for how in LAYOUTS:
                self.assertIn(words, self.refusal(self.save(value, **how)))

    def test_other_files(self):
        small = self.save({"a": torch.ones(2)})
        for records, words in (({"constants.pkl": b"\x80\2)."}, "is a TorchScript program"),
                               ({"byteorder": b"big"}, "big-endian"), ({"data.pkl": None}, "not one of torch.save"),
                               ({"data__0": bytes(4)}, "fewer values than its length"), ({"data__0": None}, "data/0")):
            self.assertIn(words, self.refusal(self.changed(small, **records)))
        self.assertEqual(list(self.converted(self.changed(small))), ["a"])
        (self.folder / "text").write_text("some text")
        words = "text: is not a file of torch.save, or only part of one; give"
        self.assertIn(words, self.refusal(self.folder / "text"))
        (self.folder / "none").touch()
        self.assertIn("is not a file of torch.save", self.refusal(self.folder / "none"))
        self.assertIn("nowhere: does not exist", self.refusal(self.folder / "nowhere"))

    def test_tensors_stay_within_their_storage(self):
        rebuild, storage = torch._utils._rebuild_tensor_v2, torch.ones(6).storage()
        for first, shape, strides in ((0, (7,), (1,)), (5, (2,), (1,)), (0, (2, 4), (4, 1)), (-1, (1,), (1,)),
                                      (0, (2 ** 40, 2 ** 40), (1, 2 ** 40)), (0, (2,), (-1,)), (0, (2, 2), (1,))):
            state = {"a": Call(rebuild, storage, first, shape, strides, False, collections.OrderedDict())}
            for how in LAYOUTS:
                self.assertIn("beyond its storage", self.refusal(self.save(state, **how)))

    def test_parts_of_files(self):
        for how in ({}, OLD):
            whole = self.save({"model": {"a": torch.arange(5)}, "b": 1}, **how).read_bytes()
            self.converted(self.folder / "x.pt")
            for size in range(0, len(whole), 1 if how else 7):
                (self.folder / "cut.pt").write_bytes(whole[:size])
                self.assertIn("cut.pt: ", self.refusal(self.folder / "cut.pt"))

    def test_damaged_values(self):
        path = self.save({"a": torch.ones(4)})
        ones = numpy.ones(4, "<f4")
        path.write_bytes(path.read_bytes().replace(ones.tobytes(), (-ones).tobytes()))
        self.assertRegex(self.refusal(path), r"x\.pt: the checksum of .*data/0 is wrong; .*again")


class Files(Conversion):
    def test_a_folder_has_the_best_file(self):
        def chosen(expected):
            shown, found = self.convert(self.folder)
            self.assertEqual(list(found or [shown]), [expected])
        self.assertIn("contains neither", self.refusal(self.folder))
        (self.folder / "pytorch_model.bin.index.json").touch()
        self.assertIn("in several files", self.refusal(self.folder))
        (self.folder / "global_step7").mkdir()
        self.save({"module": {"deepspeed": torch.ones(1)}}, "global_step7/mp_rank_00_model_states.pt")
        for latest in ("", "..", "../x", "other"):
            (self.folder / "latest").write_text(latest)
            self.assertIn("in several files", self.refusal(self.folder))
        (self.folder / "latest").write_text("global_step7\n")
        chosen("deepspeed")
        for step in (9, 10, "x"):
            self.save({f"step_{step}": torch.ones(1)}, f"ckpt_{step}.pt")
        chosen("step_10")
        self.save({"whole": torch.ones(1)}, "pytorch_model.bin")
        chosen("whole")

    def test_the_command(self):
        path = self.save({"model": {"é\n\"": torch.ones(2)}, "epoch": 1}, "ckpt_7.pt")
        run = self.start(path)
        output = self.folder / "ckpt_7.safetensors"
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(run.stdout, f"{output}: 1 tensors of {path}['model'], {output.stat().st_size} bytes\n")
        self.assertEqual(read_safetensors(output), ({"format": "pt"}, {"é\n\"": ("F32", [2], b"\0\0\x80\x3f" * 2)}))
        mask = os.umask(0)
        os.umask(mask)
        self.assertEqual(output.stat().st_mode & 0o777, 0o666 & ~mask)
        run = self.start(self.folder)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual((self.folder / "model.safetensors").read_bytes(), output.read_bytes())

        output.write_text("mine")
        run = self.start(path)
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertEqual(run.stderr, f"torch_to_safetensors.py: {output}: exists already; give another --output, or "
                                     "--force to replace it\n")
        self.assertEqual(output.read_text(), "mine")
        self.assertEqual(self.start(path, "-f").returncode, 0)
        self.assertIn("is the file to convert", self.start(path, "-f", "-o", path).stderr)
        self.assertIn("is not a folder; create it", self.start(path, "-o", self.folder / "new/x").stderr)
        self.assertEqual(self.start().returncode, 2)
        self.assertIn("Nothing in the file runs", self.start("--help").stdout)
        self.assertEqual({entry.name for entry in self.folder.iterdir()},
                         {"ckpt_7.pt", "ckpt_7.safetensors", "model.safetensors"})

    def test_a_file_gets_its_name_when_it_is_whole(self):
        output = self.folder / "out"
        output.write_text("old")
        tensors = {"a": torch.ones(2), "b": None}
        with self.assertRaises(AttributeError), unittest.mock.patch.object(torch_to_safetensors, "header_of",
                                                                           lambda _: b"header"):
            torch_to_safetensors.write_safetensors(output, tensors)
        self.assertEqual(output.read_text(), "old")
        self.assertEqual([entry.name for entry in self.folder.iterdir()], ["out"])


if __name__ == "__main__":
    unittest.main()
