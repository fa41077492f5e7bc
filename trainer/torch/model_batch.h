// ModelBatch: rows of shards as a model's input tensors.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

#include "bertprep/shard/schema.h"
#include "bertprep/trainer/train.h"

namespace bertprep {

struct ModelBatch {
  at::Tensor input_ids;    // i64 rows x tokens
  at::Tensor segment_ids;  // i64 rows x tokens; for BERT
  at::Tensor mask;         // f32 rows x 1 x 1 x tokens: 0 for tokens, -10000 for padding
  at::Tensor label_rows;   // i64: row x tokens + position of each prediction
  at::Tensor label_ids;    // i64: the token id to predict
  at::Tensor next_labels;  // i64 rows; for BERT

  std::int64_t rows() const { return input_ids.size(0); }
  std::int64_t tokens() const { return input_ids.size(1); }
};

// All predictions of `rows`. BERT: the masked tokens; the first position 0 of a row ends its list. GPT-2: each token
// after the first of its row, except padding.
std::int64_t count_predictions(ModelKind kind, const Batch& rows);

// Rows [first, first + count) of `batch`.
ModelBatch make_model_batch(ModelKind kind, const Batch& batch, std::size_t first, std::size_t count,
                            const at::Device& device);

}  // namespace bertprep
