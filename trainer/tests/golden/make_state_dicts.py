#!/usr/bin/env python3
"""Writes the same small model in every layout of a state dict, with PyTorch.

    make_state_dicts.py FOLDER          all of them; for each NAME.pt a NAME.safetensors with the same values, and what
                                        trainer/scripts/torch_to_safetensors.py makes of it, NAME.converted
    make_state_dicts.py --committed     old_names.safetensors, converted, and new_names.safetensors, its twin, in data/

The tests compare them, where PyTorch is there. safetensors is written by hand.
"""

import argparse
import collections
import json
import pathlib
import sys
import tempfile

import torch

import plain_bert

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "scripts"))
import torch_to_safetensors

DTYPES = {torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.float64: "F64"}
SIZES = {"hidden_size": 4, "layers": 2, "attention_heads": 2, "intermediate_size": 8, "max_positions": 8}


def weights(vocab_size):
    torch.manual_seed(vocab_size)
    model = plain_bert.BertForPreTraining(plain_bert.Config(vocab_size=vocab_size, **SIZES))
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return collections.OrderedDict((name, value.clone()) for name, value in model.state_dict().items())


def with_decoder(state):
    state["cls.predictions.decoder.weight"] = state["bert.embeddings.word_embeddings.weight"]
    state["cls.predictions.decoder.bias"] = state["cls.predictions.bias"]
    return state


def renamed(state, *pairs):
    found = collections.OrderedDict()
    for name, value in state.items():
        for old, new in pairs:
            name = name.replace(old, new)
        found[name] = value
    return found


def cast(state, dtype):
    return collections.OrderedDict((name, value.to(dtype)) for name, value in state.items())


def huggingface(state):
    """As the first published models: old names of the layer norms, buffers, versions of the modules."""
    state = renamed(with_decoder(state), ("LayerNorm.weight", "LayerNorm.gamma"), ("LayerNorm.bias", "LayerNorm.beta"))
    state["bert.embeddings.position_ids"] = torch.arange(8).expand((1, -1))
    state._metadata = collections.OrderedDict({"": {"version": 1}, "bert": {"version": 1}})
    return state


def nvidia(state):
    """As NVIDIA's and Habana's trainers: layers with an activation of their own, and much beside the model."""
    state = renamed(with_decoder(state), ("intermediate.dense.", "intermediate.dense_act."),
                    ("pooler.dense.", "pooler.dense_act."), ("transform.dense.", "transform.dense_act."))
    parameters = [torch.nn.Parameter(value.clone()) for value in state.values()]
    optimizer = torch.optim.Adam(parameters)
    sum(parameter.sum() for parameter in parameters).backward()
    optimizer.step()
    return {"model": state, "optimizer": optimizer.state_dict(), "master params": parameters,
            "files": [1, "a_training_1.hdf5"], "epoch": 2, "data_loader": torch.utils.data.DataLoader([1, 2, 3])}


def deepspeed(state):
    return {"module": state, "optimizer": None, "ds_version": "0.14.0", "skipped_steps": 0,
            "param_shapes": [collections.OrderedDict((name, value.shape) for name, value in state.items())]}


def in_one_storage(state):
    flat = torch.cat([torch.full((3,), 9.0)] + [value.reshape(-1) for value in state.values()])
    found, at = collections.OrderedDict(), 3
    for name, value in state.items():
        found[name] = flat[at:at + value.numel()].view(value.shape)
        at += value.numel()
    return found


def with_strides(state):
    """Matrices are column-major, vectors have a stride of three."""
    def spread(value):
        if value.dim() == 2:
            return value.t().contiguous().t()
        return torch.stack([value, value + 1, value + 2], dim=1)[:, 0]
    return collections.OrderedDict((name, spread(value)) for name, value in state.items())


def layouts():
    """Name, weights, what is saved, how."""
    old = {"_use_new_zipfile_serialization": False}
    for name, how in (("zip", {}), ("legacy", old), ("protocol4", {"pickle_protocol": 4})):
        state = weights(21)
        yield f"huggingface_{name}", state, huggingface(weights(21)), how
        state = weights(24)
        yield f"nvidia_{name}", state, nvidia(weights(24)), how
    yield "plain_dict", weights(21), dict(weights(21)), {}
    yield "distributed", weights(24), renamed(weights(24), ("bert.", "module.bert."), ("cls.", "module.cls.")), {}
    half, brain, double = (cast(weights(24), dtype) for dtype in (torch.float16, torch.bfloat16, torch.float64))
    yield "lightning_f16", half, {"state_dict": half, "epoch": 1}, {}
    yield "deepspeed_bf16", brain, deepspeed(brain), {}
    yield "nested_f64", double, {"model": {"module": double}}, {}
    yield "one_storage", weights(24), in_one_storage(weights(24)), {}
    yield "one_storage_legacy", weights(24), in_one_storage(weights(24)), old
    yield "strides", weights(24), with_strides(weights(24)), {}
    yield "strides_legacy", weights(24), with_strides(weights(24)), old
    parameters = {name: torch.nn.Parameter(value) for name, value in weights(24).items()}
    yield "parameters", weights(24), parameters, {}


def write_safetensors(path, state):
    header, data = {}, b""
    for name, value in state.items():
        content = bytes(value.contiguous().view(torch.uint8).reshape(-1).tolist()) if value.dim() else b""
        header[name] = {"dtype": DTYPES[value.dtype], "shape": list(value.shape),
                        "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def write(folder):
    for name, state, saved, how in layouts():
        write_safetensors(folder / f"{name}.safetensors", state)
        torch.save(saved, folder / f"{name}.pt", **how)


def convert(saved, converted):
    torch_to_safetensors.convert(argparse.Namespace(input=saved, output=converted, force=True))


def write_committed():
    folder = HERE / "data" / "state_dicts"
    write_safetensors(folder / "new_names.safetensors", weights(21))
    with tempfile.TemporaryDirectory() as temporary:
        saved = pathlib.Path(temporary) / "model.pt"
        torch.save(huggingface(weights(21)), saved)
        convert(saved, folder / "old_names.safetensors")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--committed":
        write_committed()
    else:
        write(pathlib.Path(sys.argv[1]))
        for path in sorted(pathlib.Path(sys.argv[1]).glob("*.pt")):
            convert(path, path.with_suffix(".converted"))
