#!/usr/bin/env python3
"""Loads an exported model into plain PyTorch, compares logits, and prints its loss on a shard.

    check_export.py FOLDER SHARD [LOGITS]

LOGITS holds f32 values: those of all predictions, then those of all next sentences.
The model comes from a state dict that must match name for name. safetensors is read by hand.
"""

import json
import pathlib
import sys

import h5py
import numpy
import torch

import plain_bert


def read_safetensors(path):
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + length])
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = (8 + length + offset for offset in entry["data_offsets"])
            values = numpy.frombuffer(data[begin:end], dtype="<f4").reshape(entry["shape"])
            tensors[name] = torch.from_numpy(values.copy())
    return tensors


def main(folder, shard, logits=None):
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    model = plain_bert.BertForPreTraining(plain_bert.Config(
        vocab_size=config["vocab_size"], hidden_size=config["hidden_size"], layers=config["num_hidden_layers"],
        attention_heads=config["num_attention_heads"], intermediate_size=config["intermediate_size"],
        max_positions=config["max_position_embeddings"]))
    tensors = read_safetensors(folder / "model.safetensors")
    decoder = tensors.pop("cls.predictions.decoder.weight")
    bias = tensors.pop("cls.predictions.decoder.bias")
    if not decoder.equal(tensors["bert.embeddings.word_embeddings.weight"]):
        sys.exit("the decoder is not tied")
    if not bias.equal(tensors["cls.predictions.bias"]):
        sys.exit("the decoder's bias is not tied")
    model.load_state_dict(tensors, strict=True)
    with h5py.File(shard) as file:
        rows = {name: dataset[:] for name, dataset in file.items()}
    count = rows["input_ids"].shape[0]
    batch = plain_bert.batch_of(rows, 0, count)
    with torch.no_grad():
        if logits is not None:
            ours = numpy.concatenate([part.reshape(-1).numpy() for part in model.logits(batch)])
            distance = float(numpy.abs(ours - numpy.fromfile(logits, dtype="<f4")).max())
            if not distance < 1e-4:
                sys.exit(f"logits differ by {distance}")
        print(float(sum(model(batch))))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), *sys.argv[2:])
