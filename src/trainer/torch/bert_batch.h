// BertBatch: rows of shards as the tensors that the model takes.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

#include "bertprep/shard/schema.h"

namespace bertprep {

struct BertBatch {
  at::Tensor input_ids;    // i64 rows x tokens
  at::Tensor segment_ids;  // i64 rows x tokens
  at::Tensor mask;         // f32 rows x 1 x 1 x tokens: 0 where there is a token, -10000 on padding
  at::Tensor masked_rows;  // i64: row x tokens + position of each prediction
  at::Tensor masked_ids;   // i64: its token id
  at::Tensor next_labels;  // i64 rows

  std::int64_t rows() const { return input_ids.size(0); }
  std::int64_t tokens() const { return input_ids.size(1); }
};

// All predictions of `rows`: the first position 0 of a row ends its own.
std::int64_t count_predictions(const Batch& rows);

// Rows [first, first + count) of `batch`. The first position 0 of a row ends its predictions.
BertBatch make_bert_batch(const Batch& batch, std::size_t first, std::size_t count, const at::Device& device);

}  // namespace bertprep
