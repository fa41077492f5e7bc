// Attention. On CPUs, one head of one row at a time, with its scores in the cache.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

#include "trainer/torch/blas.h"
#include "trainer/torch/functions.h"

namespace bertprep {

struct AttentionSetup {
  std::int64_t heads = 1;
  bool is_causal = false;  // a token attends to itself and earlier ones
  double divisor = 1;      // of the scores, besides the root of the width
  double dropout = 0;      // of the attention weights
  std::uint64_t dropout_key = 0;
  DropoutRows rows;
};

// softmax(query key^T / sqrt(width of a head) + mask) value, head by head. query, key and value: f32 rows tokens x
// hidden, a head's columns side by side; mask: f32 rows x 1 x 1 x tokens. The result has the shape of query.
// Differentiable except for the mask; scores are recomputed in the backward pass. `blas` must live until its end.
at::Tensor attention(const Blas& blas, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                     const at::Tensor& mask, const AttentionSetup& setup);
// The same for query, key and value side by side in one tensor, rows tokens x 3 hidden.
at::Tensor attention(const Blas& blas, const at::Tensor& all, const at::Tensor& mask, const AttentionSetup& setup);

// The same by operations of ATen, for any device, and in bfloat16 if query, key and value are.
at::Tensor attention_by_aten(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                             const at::Tensor& mask, const AttentionSetup& setup);

}  // namespace bertprep
