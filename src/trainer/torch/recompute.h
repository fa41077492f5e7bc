// Activation checkpointing (Chen et al. 2016): a span of layers keeps only its input and is computed again in the
// backward pass. Dropout is a function of its key, so the second time is the same as the first.
#pragma once

#include "trainer/torch/bert.h"

namespace bertprep {

// `model` must live until the backward pass is over.
Bert::Stream recomputed_layers(const Bert& model, const Bert::Stream& stream, std::int64_t first, std::int64_t last,
                               const Bert::PassContext& context);

}  // namespace bertprep
