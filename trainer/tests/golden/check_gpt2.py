#!/usr/bin/env python3
"""Loads an exported GPT-2 into plain PyTorch, compares logits, and prints its loss on blocks of tokens.

    check_gpt2.py FOLDER BLOCKS [LOGITS]

LOGITS holds f32 values at all positions but the last of each block. safetensors is read by hand.
"""

import json
import pathlib
import sys

import h5py
import numpy
import torch

import check_export
import plain_gpt2


def main(folder, blocks, logits=None):
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    model = plain_gpt2.GPT2LMHeadModel(plain_gpt2.Config(
        vocab_size=config["vocab_size"], hidden_size=config["n_embd"], layers=config["n_layer"],
        attention_heads=config["n_head"], intermediate_size=config["n_inner"], max_positions=config["n_positions"],
        tanh_gelu=config["activation_function"] == "gelu_new",
        scale_by_layer=config["scale_attn_by_inverse_layer_idx"]))
    model.load_state_dict(check_export.read_safetensors(folder / "model.safetensors"), strict=True)
    with h5py.File(blocks) as file:
        ids = torch.from_numpy(file["input_ids"][:].astype(numpy.int64))
    with torch.no_grad():
        if logits is not None:
            ours = model.logits(ids)[:, :-1].reshape(-1).numpy()
            distance = float(numpy.abs(ours - numpy.fromfile(logits, dtype="<f4")).max())
            if not distance < 1e-4:
                sys.exit(f"logits differ by {distance}")
        print(float(model(ids)))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), *sys.argv[2:])
