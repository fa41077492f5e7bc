#!/usr/bin/env python3
"""Makes the numbers that the trainer is held against, by PyTorch and the plain restatements beside this file.

    make_numbers.py traces                 data/traces.tsv: 20 steps of small models on drawn rows
    make_numbers.py shard SHARD OUTPUT     20 steps of the model tiny on the first 320 rows of a shard
    make_numbers.py gpt2                   data/gpt2_traces.tsv: 20 steps of small GPT-2s on drawn rows
    make_numbers.py steps                  data/steps.tsv: single tensors under each optimizer; rates of the schedules

Needs Debian's python3-torch, python3-h5py.
"""

import pathlib
import sys

import numpy
import torch

import drawn_weights
import plain_bert
import plain_gpt2
import plain_steps

DATA = pathlib.Path(__file__).resolve().parent / "data"
STEPS = 20
SMALL = {"vocab_size": 96, "hidden_size": 32, "layers": 2, "attention_heads": 4, "intermediate_size": 64,
         "max_positions": 32}
# name: model, optimizer, its options, highest rate
TRACES = {
    "post_erf_nvlamb": ({}, "nvlamb", {}, 0.02),
    "post_tanh_lans": ({"tanh_gelu": True}, "lans", {"max_grad_norm": 0}, 0.02),
    "pre_erf_lans": ({"pre_norm": True}, "lans", {}, 0.02),
    "post_erf_adamw": ({}, "adamw", {}, 0.002),
    "post_erf_nvlamb_partition": ({}, "nvlamb", {"partition": 1}, 0.02),
    "pre_tanh_lans_partition": ({"pre_norm": True, "tanh_gelu": True}, "lans", {"partition": 1}, 0.02),
}
# The same of GPT-2. Half of the rows are padded.
GPT2_TRACES = {
    "gpt2_adamw": ({}, "adamw", {}, 0.002),
    "gpt2_erf_nvlamb": ({"tanh_gelu": False}, "nvlamb", {}, 0.02),
    "gpt2_scaled_lans": ({"scale_by_layer": True, "layers": 3}, "lans", {"partition": 1}, 0.02),
}
# As under ZeRO with this many processes.
PARTITIONED_STEPS = {
    "nvlamb_partition_of_2": ("nvlamb", {"partition": 2}),
    "nvlamb_partition_of_3": ("nvlamb", {"partition": 3}),
    "lans_partition_of_3": ("lans", {"partition": 3}),
}


def trace(config, kind, options, rate, rows, batch_rows):
    torch.manual_seed(0)
    model = plain_bert.BertForPreTraining(config)
    parameters = drawn_weights.ordered_parameters(model, config.layers, plain_bert.decays)
    drawn_weights.set_weights(model, parameters, 1)
    optimizer = plain_steps.Optimizer(kind, [(parameter, decays) for _, parameter, decays in parameters], **options)
    for step in range(1, STEPS + 1):
        batch = plain_bert.batch_of(rows, (step - 1) * batch_rows, batch_rows)
        model.zero_grad()
        mlm, nsp = model(batch)
        (mlm + nsp).backward()
        length = optimizer.step(plain_steps.habana_poly(rate, step, STEPS, 0.1, 0, 1))
        yield f"{step}\t{float(mlm):.8g}\t{float(nsp):.8g}\t{length:.8g}"


def gpt2_trace(config, kind, options, rate, rows, batch_rows):
    model = plain_gpt2.GPT2LMHeadModel(config)
    parameters = plain_gpt2.ordered_parameters(model, config.layers)
    plain_gpt2.set_weights(parameters, config.layers, 1, drawn_weights.normal)
    optimizer = plain_steps.Optimizer(kind, [(parameter, decays) for _, parameter, decays in parameters], **options)
    for step in range(1, STEPS + 1):
        part = slice((step - 1) * batch_rows, step * batch_rows)
        model.zero_grad()
        loss = model(torch.from_numpy(rows["input_ids"][part]), torch.from_numpy(rows["input_mask"][part]))
        loss.backward()
        length = optimizer.step(plain_steps.habana_poly(rate, step, STEPS, 0.1, 0, 1))
        yield f"{step}\t{float(loss):.8g}\t{length:.8g}"


def make_gpt2_traces():
    lines = []
    for name, (sizes, kind, options, rate) in GPT2_TRACES.items():
        config = plain_gpt2.Config(**sizes)
        rows = drawn_weights.drawn_rows(STEPS * 8, config.max_positions, 5, config.vocab_size)
        lines += [f"{name}\t{line}" for line in gpt2_trace(config, kind, options, rate, rows, 8)]
    write(DATA / "gpt2_traces.tsv", lines)


def write(path, lines):
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{path.name}: {len(lines)} lines")


def make_traces():
    rows = drawn_weights.drawn_rows(STEPS * 8, 32, 5, SMALL["vocab_size"])
    lines = []
    for name, (sizes, kind, options, rate) in TRACES.items():
        config = plain_bert.Config(**{**SMALL, **sizes})
        lines += [f"{name}\t{line}" for line in trace(config, kind, options, rate, rows, 8)]
    write(DATA / "traces.tsv", lines)


def make_shard_trace(shard, output):
    import h5py
    with h5py.File(shard) as file:
        rows = {name: dataset[:STEPS * 16] for name, dataset in file.items()}
    write(pathlib.Path(output), list(trace(plain_bert.Config(), "nvlamb", {}, 0.005, rows, 16)))


def make_steps():
    lines = []
    optimizers = {name: (kind, options) for name, (_, kind, options, _) in TRACES.items()} | PARTITIONED_STEPS
    for name, (kind, options) in optimizers.items():
        sizes = [7, 40, 3, 65]
        tensors = [torch.from_numpy(drawn_weights.normal(size, 0.5, 2, i)) for i, size in enumerate(sizes)]
        optimizer = plain_steps.Optimizer(kind, [(tensor, i < 2) for i, tensor in enumerate(tensors)], **options)
        for step in range(1, 7):
            scale = 0.01 if step % 2 else 3.0
            for i, tensor in enumerate(tensors):
                tensor.grad = torch.from_numpy(drawn_weights.normal(sizes[i], scale, 3, step * 10 + i))
            optimizer.step(0.1)
            values = numpy.concatenate([tensor.numpy() for tensor in tensors])
            lines.append("\t".join([name, str(step)] + [f"{value:.9g}" for value in values]))
    for step in range(1, 41):
        rates = [plain_steps.habana_poly(0.0015, step, 40, 0.05, 0.25, 1.0),
                 plain_steps.habana_poly(0.006, step, 40, 0.2843, 0, 1.0),
                 plain_steps.nvidia_poly(0.006, step, 40, 0.2843, 0.5),
                 plain_steps.linear(0.0001, step, 40, 0.1)]
        lines.append("\t".join(["rates", str(step)] + [repr(rate) for rate in rates]))
    write(DATA / "steps.tsv", lines)


def main(arguments):
    torch.set_num_threads(1)
    if arguments[:1] == ["traces"]:
        make_traces()
    elif arguments[:1] == ["gpt2"]:
        make_gpt2_traces()
    elif arguments[:1] == ["steps"]:
        make_steps()
    elif arguments[:1] == ["shard"] and len(arguments) == 3:
        make_shard_trace(*arguments[1:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
