#!/usr/bin/env python3
"""Trains the model tiny in plain PyTorch, as what berttrain is measured against (trainer/scripts/bench_trainer.py).

    plain_train.py SHARD STEPS BATCH_ROWS THREADS [fused] [compiled]

THREADS 0: what PyTorch takes by itself. From PyTorch 2.0 on, fused: attention at once; compiled: torch.compile.
"""

import pathlib
import sys

import h5py
import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "golden"))
import plain_bert  # noqa: E402


def fused_attention(self, hidden, mask):
    query, key, value = (self.split(part(hidden)) for part in (self.query, self.key, self.value))
    mixed = torch.nn.functional.scaled_dot_product_attention(query, key, value, mask, self.drop.p)
    return mixed.permute(0, 2, 1, 3).reshape(hidden.shape)


class Lamb:
    """NVLAMB in place, tensor by tensor, as the reference trainers have it in Python."""

    def __init__(self, parameters):
        self.parameters = [(parameter, 0.01 if decays else 0.0) for parameter, decays in parameters]
        self.m = [torch.zeros_like(parameter) for parameter, _ in self.parameters]
        self.v = [torch.zeros_like(parameter) for parameter, _ in self.parameters]
        self.steps = 0

    @torch.no_grad()
    def step(self, rate):
        self.steps += 1
        total = torch.sqrt(sum(parameter.grad.pow(2).sum() for parameter, _ in self.parameters)).item()
        for (parameter, decay), m, v in zip(self.parameters, self.m, self.v):
            gradient = parameter.grad.div_(max(1.0, total))
            m.mul_(0.9).add_(gradient, alpha=0.1)
            v.mul_(0.999).addcmul_(gradient, gradient, value=0.001)
            divisor = (v / (1 - 0.999 ** self.steps)).sqrt_().add_(1e-6)
            update = (m / (1 - 0.9 ** self.steps)).div_(divisor)
            ratio = 1.0
            if decay != 0:
                update.add_(parameter, alpha=decay)
                weight, length = parameter.norm().item(), update.norm().item()
                ratio = weight / length if weight > 0 and length > 0 else 1.0
            parameter.add_(update, alpha=-rate * ratio)


def main(shard, steps, batch_rows, threads, ways):
    if threads > 0:
        torch.set_num_threads(threads)
    with h5py.File(shard) as file:
        rows = {name: dataset[:] for name, dataset in file.items()}
    if "fused" in ways:
        plain_bert.SelfAttention.forward = fused_attention
    model = plain_bert.BertForPreTraining(plain_bert.Config(dropout=0.1))
    call = torch.compile(model, dynamic=True) if "compiled" in ways else model
    optimizer = Lamb([(parameter, plain_bert.decays(name)) for name, parameter in model.named_parameters()])
    count = rows["input_ids"].shape[0] // batch_rows
    for step in range(steps):
        batch = plain_bert.batch_of(rows, step % count * batch_rows, batch_rows)
        model.zero_grad(set_to_none=True)
        sum(call(batch)).backward()
        optimizer.step(0.001)


if __name__ == "__main__":
    if len(sys.argv) < 5 or not {"fused", "compiled"}.issuperset(sys.argv[5:]):
        sys.exit(__doc__)
    main(sys.argv[1], *map(int, sys.argv[2:5]), sys.argv[5:])
