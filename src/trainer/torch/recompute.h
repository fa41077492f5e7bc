// Activation checkpointing (Chen et al. 2016): a span of layers keeps only its input and is computed again in the
// backward pass. Dropout is a function of its key, so the second time is the same as the first.
#pragma once

#include "trainer/torch/model.h"

namespace bertprep {

// `model` must live until the backward pass is over.
Model::Stream recomputed_layers(const Model& model, const Model::Stream& stream, std::int64_t first, std::int64_t last,
                                const Model::PassContext& context);

}  // namespace bertprep
