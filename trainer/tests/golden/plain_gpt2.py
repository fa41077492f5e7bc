"""GPT2LMHeadModel in plain PyTorch, written for reading: what the trainer's model is held against.

State names are those of HuggingFace's transformers; its Conv1D has one row an input.
"""

import math

import numpy
import torch
from torch import nn
from torch.nn import functional

import plain_bert

SMALL = {"vocab_size": 96, "hidden_size": 32, "attention_heads": 4, "intermediate_size": 128, "max_positions": 32,
         "tanh_gelu": True}


class Config(plain_bert.Config):
    def __init__(self, **sizes):
        super().__init__(**{**SMALL, **sizes})


class Conv1D(nn.Module):
    def __init__(self, width_in, width_out):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(width_in, width_out))
        self.bias = nn.Parameter(torch.zeros(width_out))

    def forward(self, values):
        return values @ self.weight + self.bias


class Attention(nn.Module):
    def __init__(self, config, layer):
        super().__init__()
        self.c_attn = Conv1D(config.hidden_size, 3 * config.hidden_size)
        self.c_proj = Conv1D(config.hidden_size, config.hidden_size)
        self.heads = config.attention_heads
        self.divisor = layer + 1 if config.scale_by_layer else 1

    def forward(self, hidden):
        rows, tokens, width = hidden.shape
        query, key, value = (part.view(rows, tokens, self.heads, width // self.heads).permute(0, 2, 1, 3)
                             for part in self.c_attn(hidden).split(width, dim=2))
        scores = query @ key.transpose(-1, -2) / math.sqrt(width // self.heads) / self.divisor
        later = torch.ones(tokens, tokens, dtype=torch.bool, device=hidden.device).triu(1)
        mixed = scores.masked_fill(later, float("-inf")).softmax(-1) @ value
        return self.c_proj(mixed.permute(0, 2, 1, 3).reshape(hidden.shape))


class Mlp(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.c_fc = Conv1D(config.hidden_size, config.intermediate_size)
        self.c_proj = Conv1D(config.intermediate_size, config.hidden_size)
        self.tanh_gelu = config.tanh_gelu

    def forward(self, hidden):
        inner = self.c_fc(hidden)
        if not self.tanh_gelu:
            return self.c_proj(functional.gelu(inner))
        return self.c_proj(0.5 * inner * (1 + torch.tanh(math.sqrt(2 / math.pi) * (inner + 0.044715 * inner ** 3))))


class Block(nn.Module):
    def __init__(self, config, layer):
        super().__init__()
        self.ln_1 = nn.LayerNorm(config.hidden_size, eps=1e-5)
        self.attn = Attention(config, layer)
        self.ln_2 = nn.LayerNorm(config.hidden_size, eps=1e-5)
        self.mlp = Mlp(config)

    def forward(self, hidden):
        hidden = hidden + self.attn(self.ln_1(hidden))
        return hidden + self.mlp(self.ln_2(hidden))


class Transformer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.wte = nn.Embedding(config.vocab_size, config.hidden_size)
        self.wpe = nn.Embedding(config.max_positions, config.hidden_size)
        self.h = nn.ModuleList(Block(config, layer) for layer in range(config.layers))
        self.ln_f = nn.LayerNorm(config.hidden_size, eps=1e-5)


class GPT2LMHeadModel(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.transformer = Transformer(config)

    def logits(self, ids):
        parts = self.transformer
        hidden = parts.wte(ids) + parts.wpe(torch.arange(ids.shape[1], device=ids.device))
        for block in parts.h:
            hidden = block(hidden)
        return functional.linear(parts.ln_f(hidden), parts.wte.weight)

    def forward(self, ids, mask=None):
        """The mean loss of the next tokens, without padding."""
        labels = ids[:, 1:].clone()
        if mask is not None:
            labels[mask[:, 1:] == 0] = -100
        logits = self.logits(ids)[:, :-1]
        return functional.cross_entropy(logits.reshape(-1, logits.shape[-1]), labels.reshape(-1))


def decays(name):
    return "bias" not in name and "ln_" not in name


def ordered_parameters(model, layers):
    """The parameters in the order of the C++ model: those with decay first, each kind from the bottom to the top."""
    names = ["transformer.wte.weight", "transformer.wpe.weight"]
    for layer in range(layers):
        for part in ("ln_1", "attn.c_attn", "attn.c_proj", "ln_2", "mlp.c_fc", "mlp.c_proj"):
            names += [f"transformer.h.{layer}.{part}.{kind}" for kind in ("weight", "bias")]
    names += ["transformer.ln_f.weight", "transformer.ln_f.bias"]
    named = dict(model.named_parameters())
    if set(named) != set(names):
        raise SystemExit(f"other parameters: {set(named) ^ set(names)}")
    listed = [(name, named[name], decays(name)) for name in names]
    return [entry for entry in listed if entry[2]] + [entry for entry in listed if not entry[2]]


def set_weights(parameters, layers, seed, normal):
    """`normal` draws as the C++ model does; what adds to the residual stream starts smaller."""
    for number, (name, parameter, decays_too) in enumerate(parameters):
        if decays_too:
            scale = 1 / math.sqrt(2 * layers) if name.endswith("c_proj.weight") else 1
            values = normal(parameter.numel(), 0.02 * scale, seed, number)
        else:
            values = numpy.full(parameter.numel(), float(name.endswith("weight")), dtype=numpy.float32)
        parameter.data = torch.from_numpy(values).view(parameter.shape).clone()
