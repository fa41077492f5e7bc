"""First weights and rows that are functions of counters, the same here and in the C++ tests."""

import numpy


def mixed_bits(counter):
    with numpy.errstate(over="ignore"):
        z = numpy.asarray(counter, dtype=numpy.uint64) * numpy.uint64(0x9E3779B97F4A7C15)
        z = z + numpy.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        return z ^ (z >> numpy.uint64(31))


def normal(count, deviation, seed, stream):
    with numpy.errstate(over="ignore"):
        key = mixed_bits(mixed_bits(seed) + numpy.uint64(stream))
        counters = key + numpy.arange(0, count + count % 2, dtype=numpy.uint64)
    uniform = (mixed_bits(counters) >> numpy.uint64(11)).astype(numpy.float64) * 2.0 ** -53
    radius = deviation * numpy.sqrt(-2 * numpy.log(1 - uniform[0::2]))
    angle = 2 * numpy.pi * uniform[1::2]
    values = numpy.stack([radius * numpy.cos(angle), radius * numpy.sin(angle)], axis=1).reshape(-1)
    return values[:count].astype(numpy.float32)


def set_weights(model, parameters, seed):
    """`parameters`: (name, parameter, decays) in the order of the C++ model."""
    import torch
    for number, (name, parameter, _) in enumerate(parameters):
        if name.endswith("LayerNorm.weight"):
            values = numpy.ones(parameter.numel(), dtype=numpy.float32)
        elif "bias" in name:
            values = numpy.zeros(parameter.numel(), dtype=numpy.float32)
        else:
            values = normal(parameter.numel(), 0.02, seed, number)
        parameter.data = torch.from_numpy(values).view(parameter.shape).clone()


def ordered_parameters(model, layers, decays):
    """The parameters in the order of the C++ model: those with decay first, each kind from the bottom to the top."""
    names = [f"bert.embeddings.{part}" for part in
             ("word_embeddings.weight", "position_embeddings.weight", "token_type_embeddings.weight")]
    names += both("bert.embeddings.LayerNorm")
    for layer in range(layers):
        for part in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
                     "attention.output.LayerNorm", "intermediate.dense", "output.dense", "output.LayerNorm"):
            names += both(f"bert.encoder.layer.{layer}.{part}")
    names += both("bert.pooler.dense") + ["cls.predictions.bias"] + both("cls.predictions.transform.dense")
    names += both("cls.predictions.transform.LayerNorm") + both("cls.seq_relationship")
    named = dict(model.named_parameters())
    if set(named) != set(names):
        raise SystemExit(f"other parameters: {set(named) ^ set(names)}")
    listed = [(name, named[name], decays(name)) for name in names]
    return [entry for entry in listed if entry[2]] + [entry for entry in listed if not entry[2]]


def both(name):
    return [f"{name}.weight", f"{name}.bias"]


def drawn_rows(count, tokens, predictions, vocab):
    """Rows with the shape of real ones. Every value is a function of the row's number."""
    rows = {"input_ids": numpy.zeros((count, tokens), numpy.int64),
            "input_mask": numpy.zeros((count, tokens), numpy.int64),
            "segment_ids": numpy.zeros((count, tokens), numpy.int64),
            "masked_lm_positions": numpy.zeros((count, predictions), numpy.int64),
            "masked_lm_ids": numpy.zeros((count, predictions), numpy.int64),
            "next_sentence_labels": numpy.zeros(count, numpy.int64)}
    for row in range(count):
        def draw(place, below):
            return int(mixed_bits(row * 1000 + place) % numpy.uint64(below))
        length = tokens // 2 + draw(0, tokens // 2 + 1)
        rows["input_mask"][row, :length] = 1
        rows["segment_ids"][row, length // 2:length] = 1
        for i in range(length):
            rows["input_ids"][row, i] = 5 + draw(1 + i, vocab - 5)
        for k in range(1 + draw(500, predictions)):
            rows["masked_lm_positions"][row, k] = 1 + k * (length - 2) // predictions
            rows["masked_lm_ids"][row, k] = 5 + draw(600 + k, vocab - 5)
        rows["next_sentence_labels"][row] = draw(700, 2)
    return rows
