#!/usr/bin/env python3
"""The parts of gpu_check.sh that need PyTorch for Python: what a machine lacks, 20 steps and speeds beside it."""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
STEPS = 20
# On GPUs sums have no fixed order, and products may be rounded otherwise.
TOLERANCE = {"cpu": 1e-4, "cuda": 5e-3}
SIZES = {"tiny": {}, "base": {"hidden_size": 768, "layers": 12, "attention_heads": 12, "intermediate_size": 3072}}
# model, tokens: rows of a step
BATCHES = {"cuda": {("tiny", 128): 256, ("tiny", 512): 64, ("base", 128): 64, ("base", 512): 16},
           "cpu": {("tiny", 128): 8}}


def missing_parts(device):
    lacks = []
    for module in ("numpy", "h5py"):
        try:
            __import__(module)
        except ImportError:
            lacks.append(f"{module} for {sys.executable}")
    try:
        import torch
    except ImportError:
        return lacks + [f"torch for {sys.executable}"]
    if device == "cpu":
        return lacks
    if torch.version.cuda is None:
        lacks.append(f"a PyTorch with CUDA: torch {torch.__version__} has none")
    elif not torch.cuda.is_available():
        lacks.append("a GPU that PyTorch can use: torch.cuda.is_available() is false; see nvidia-smi")
    for program in ("cmake", "ninja", "nvcc"):
        if shutil.which(program) is None:
            lacks.append(f"{program} in PATH")
    if not has_nccl(torch):
        lacks.append("nccl.h: pip install nvidia-nccl-cu12, or the package libnccl-dev")
    return lacks


def has_nccl(torch):
    beside = pathlib.Path(torch.__file__).resolve().parent.parent / "nvidia" / "nccl" / "include" / "nccl.h"
    return beside.exists() or any(pathlib.Path(folder, "nccl.h").exists()
                                  for folder in ("/usr/include", "/usr/local/include", "/usr/local/cuda/include"))


def shard_of(rows, tokens):
    """A folder with the training shard alone: without a manifest, the model keeps the vocabulary of its shape."""
    found = next(rows.glob(f"*seq_len_{tokens}_*/*/*_training_0.hdf5"))
    folder = rows / f"bare_{tokens}"
    if not folder.exists():
        folder.mkdir()
        shutil.copy(found, folder / "x_training_0.hdf5")
    return folder


def read_rows(folder):
    import h5py
    with h5py.File(folder / "x_training_0.hdf5") as file:
        return {name: dataset[:] for name, dataset in file.items()}


def berttrain(args, folder, *more):
    log = args.work / "log.jsonl"
    log.unlink(missing_ok=True)
    command = [args.berttrain, "--data", folder, "--device", args.device, "--optimizer", "adamw", "--schedule",
               "constant", "--warmup", 0, "--no-shuffle", "--incomplete", "--log-json", log, "-q", *more]
    subprocess.run([str(word) for word in command], check=True)
    lines = [json.loads(line)["data"] for line in log.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if "learning_rate" in line]


def plain_model(args, size, dropout=0.0):
    import torch
    sys.path.insert(0, str(ROOT / "trainer" / "tests" / "golden"))
    import plain_bert
    model = plain_bert.BertForPreTraining(plain_bert.Config(dropout=dropout, **SIZES[size])).to(args.device)
    decayed = [value for name, value in model.named_parameters() if plain_bert.decays(name)]
    others = [value for name, value in model.named_parameters() if not plain_bert.decays(name)]
    optimizer = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}],
                                  lr=1e-4, eps=1e-6, **({"fused": True} if args.device == "cuda" else {}))
    return plain_bert, model, optimizer


def on_device(args, batch):
    return {name: values.to(args.device) for name, values in batch.items()}


def compare_steps(args):
    import torch
    if args.device == "cuda":
        torch.backends.cuda.matmul.allow_tf32 = False
    folder = shard_of(args.rows, 128)
    common = ["--model", "tiny", "--batch-size", 8, "--dropout", 0, "--learning-rate", 1e-4, "--log-every", 1]
    # A run of no step writes the first weights.
    berttrain(args, folder, *common, "--max-steps", 0, "--export", args.work / "start")
    ours = [line["loss"] for line in berttrain(args, folder, *common, "--max-steps", STEPS)]
    plain_bert, model, optimizer = plain_model(args, "tiny")
    import check_export
    start = check_export.read_safetensors(args.work / "start" / "model.safetensors")
    own = set(model.state_dict())
    model.load_state_dict({name: value for name, value in start.items() if name in own}, strict=True)
    rows = read_rows(folder)
    worst = 0.0
    for step in range(STEPS):
        batch = on_device(args, plain_bert.batch_of(rows, step * 8, 8))
        optimizer.zero_grad()
        loss = sum(model(batch))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        worst = max(worst, abs(float(loss) - ours[step]))
    print(f"largest difference of a loss: {worst:.2g}, allowed {TOLERANCE[args.device]:g}")
    return 0 if len(ours) == STEPS and worst < TOLERANCE[args.device] else 1


def fused_attention(plain_bert):
    from torch.nn import functional
    if not hasattr(functional, "scaled_dot_product_attention"):
        return False

    def forward(self, hidden, mask):
        query, key, value = (self.split(part(hidden)) for part in (self.query, self.key, self.value))
        mixed = functional.scaled_dot_product_attention(query, key, value, mask.to(query.dtype),
                                                        self.drop.p if self.training else 0.0)
        return mixed.permute(0, 2, 1, 3).reshape(hidden.shape)
    plain_bert.SelfAttention.forward = forward
    return True


def plain_speed(args, folder, size, count, steps, bf16):
    """Sequences a second, and how."""
    import torch
    plain_bert, model, optimizer = plain_model(args, size, 0.1)
    how = "fused attention" if fused_attention(plain_bert) else "plain"
    call = model
    if args.device == "cuda" and hasattr(torch, "compile"):
        call, how = torch.compile(model, dynamic=True), how + ", compiled"
    rows = read_rows(folder)
    most = len(rows["input_ids"]) // count
    batches = [on_device(args, plain_bert.batch_of(rows, i % most * count, count)) for i in range(4)]

    def step(i):
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(args.device, torch.bfloat16, enabled=bf16):
            loss = sum(call(batches[i % 4]))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    def wait():
        if args.device == "cuda":
            torch.cuda.synchronize()
    for i in range(4):
        step(i)
    wait()
    start = time.monotonic()
    for i in range(steps):
        step(i)
    wait()
    return steps * count / (time.monotonic() - start), how


def measure(args):
    import torch
    end = time.monotonic() + args.seconds
    name = torch.cuda.get_device_name() if args.device == "cuda" else "CPU"
    print(f"\n{name}, PyTorch {torch.__version__}: sequences a second\n")
    print("| model | tokens | rows | precision | berttrain | PyTorch | ratio | PyTorch's way |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    steps = 40 if args.device == "cuda" else 3
    for (size, tokens), count in BATCHES[args.device].items():
        for precision in ("f32", "bf16"):
            if time.monotonic() > end - (60 if args.device == "cuda" else 0):
                print(f"| {size} | {tokens} | {count} | {precision} | no time left | | | |", flush=True)
                continue
            folder = shard_of(args.rows, tokens)
            ours = berttrain(args, folder, "--model", size, "--batch-size", count, "--max-steps", 2 * steps,
                             "--log-every", steps, "--precision", precision)[-1]["sequences_per_second"]
            theirs, how = plain_speed(args, folder, size, count, steps, precision == "bf16")
            print(f"| {size} | {tokens} | {count} | {precision} | {ours:.1f} | {theirs:.1f} | {ours / theirs:.2f} "
                  f"| {how} |", flush=True)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("look", "steps", "speed"))
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cuda")
    parser.add_argument("--berttrain", type=pathlib.Path)
    parser.add_argument("--rows", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=300)
    args = parser.parse_args()
    if args.what == "look":
        lacks = missing_parts(args.device)
        print("\n".join(f"  {part}" for part in lacks))
        return 1 if lacks else 0
    return compare_steps(args) if args.what == "steps" else measure(args)


if __name__ == "__main__":
    sys.exit(main())
