"""BertForPreTraining in plain PyTorch, written for reading: what the trainer's model is held against.

State names are those of HuggingFace's transformers. Logits are made at the masked positions only, as NVIDIA's newer
versions do.
"""

import math

import numpy
import torch
from torch import nn
from torch.nn import functional


class Config:
    def __init__(self, **sizes):
        self.vocab_size = 30528
        self.hidden_size = 128
        self.layers = 2
        self.attention_heads = 2
        self.intermediate_size = 512
        self.max_positions = 512
        self.dropout = 0.0
        self.tanh_gelu = False
        self.pre_norm = False
        self.scale_by_layer = False  # of GPT-2
        self.__dict__.update(sizes)


class SelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.query = nn.Linear(config.hidden_size, config.hidden_size)
        self.key = nn.Linear(config.hidden_size, config.hidden_size)
        self.value = nn.Linear(config.hidden_size, config.hidden_size)
        self.heads = config.attention_heads
        self.drop = nn.Dropout(config.dropout)

    def split(self, values):
        rows, tokens, width = values.shape
        return values.view(rows, tokens, self.heads, width // self.heads).permute(0, 2, 1, 3)

    def forward(self, hidden, mask):
        query, key, value = (self.split(part(hidden)) for part in (self.query, self.key, self.value))
        scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1]) + mask
        mixed = self.drop(scores.softmax(-1)) @ value
        return mixed.permute(0, 2, 1, 3).reshape(hidden.shape)


class Output(nn.Module):
    def __init__(self, size, config):
        super().__init__()
        self.dense = nn.Linear(size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=1e-12)
        self.drop = nn.Dropout(config.dropout)


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.self = SelfAttention(config)
        self.output = Output(config.hidden_size, config)


class Intermediate(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.intermediate_size)


class Layer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attention = Attention(config)
        self.intermediate = Intermediate(config)
        self.output = Output(config.intermediate_size, config)
        self.gelu = gelu_of(config)
        self.pre_norm = config.pre_norm

    def forward(self, hidden, residual, mask):
        """The hidden values, and the residual stream of the form with the norm before each block."""
        first, second = self.attention.output, self.output
        residual = first.drop(first.dense(self.attention.self(hidden, mask))) + residual
        attended = first.LayerNorm(residual)
        if not self.pre_norm:
            residual = attended
        residual = second.drop(second.dense(self.gelu(self.intermediate.dense(attended)))) + residual
        hidden = second.LayerNorm(residual)
        return hidden, residual if self.pre_norm else hidden


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.word_embeddings = nn.Embedding(config.vocab_size, config.hidden_size, padding_idx=0)
        self.position_embeddings = nn.Embedding(config.max_positions, config.hidden_size)
        self.token_type_embeddings = nn.Embedding(2, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=1e-12)
        self.drop = nn.Dropout(config.dropout)

    def forward(self, ids, segments):
        positions = torch.arange(ids.shape[1], device=ids.device)
        total = (self.word_embeddings(ids) + self.position_embeddings(positions)
                 + self.token_type_embeddings(segments))
        return self.drop(self.LayerNorm(total))


class Bert(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = Embeddings(config)
        self.encoder = nn.ModuleDict({"layer": nn.ModuleList(Layer(config) for _ in range(config.layers))})
        self.pooler = nn.ModuleDict({"dense": nn.Linear(config.hidden_size, config.hidden_size)})
        self.pre_norm = config.pre_norm

    def forward(self, ids, segments, mask):
        hidden = self.embeddings(ids, segments)
        residual = torch.zeros_like(hidden) if self.pre_norm else hidden
        for layer in self.encoder["layer"]:
            hidden, residual = layer(hidden, residual, mask)
        return hidden, torch.tanh(self.pooler["dense"](hidden[:, 0]))


class Transform(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=1e-12)


class Predictions(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))
        self.transform = Transform(config)


class BertForPreTraining(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.bert = Bert(config)
        self.cls = nn.ModuleDict({"predictions": Predictions(config),
                                  "seq_relationship": nn.Linear(config.hidden_size, 2)})
        self.gelu = gelu_of(config)

    def logits(self, batch):
        """Of masked tokens, one row a prediction, and of next sentences."""
        mask = (1 - batch["input_mask"][:, None, None, :].float()) * -10000
        sequence, pooled = self.bert(batch["input_ids"], batch["segment_ids"], mask)
        head = self.cls["predictions"]
        picked = sequence.reshape(-1, sequence.shape[-1])[batch["masked_rows"]]
        picked = head.transform.LayerNorm(self.gelu(head.transform.dense(picked)).float())
        tokens = functional.linear(picked, self.bert.embeddings.word_embeddings.weight, head.bias)
        return tokens.float(), self.cls["seq_relationship"](pooled).float()

    def forward(self, batch):
        """The losses of masked tokens and of next sentences."""
        tokens, sentences = self.logits(batch)
        return (functional.cross_entropy(tokens, batch["masked_ids"]),
                functional.cross_entropy(sentences, batch["next_labels"]))


def gelu_of(config):
    return (lambda x: functional.gelu(x, approximate="tanh")) if config.tanh_gelu else functional.gelu


def decays(name):
    return "bias" not in name and "LayerNorm" not in name


def batch_of(rows, first, count):
    """Rows of the six datasets (a mapping of arrays) as the model takes them. The first position 0 ends a row's."""
    part = {name: numpy.asarray(values[first:first + count]).astype(numpy.int64) for name, values in rows.items()}
    places, ids = [], []
    for row in range(part["input_ids"].shape[0]):
        for position, token in zip(part["masked_lm_positions"][row], part["masked_lm_ids"][row]):
            if position == 0:
                break
            places.append(row * part["input_ids"].shape[1] + position)
            ids.append(token)
    batch = {name: torch.from_numpy(part[name]) for name in ("input_ids", "segment_ids", "input_mask")}
    batch["masked_rows"] = torch.tensor(places, dtype=torch.int64)
    batch["masked_ids"] = torch.tensor(ids, dtype=torch.int64)
    batch["next_labels"] = torch.from_numpy(part["next_sentence_labels"])
    return batch
