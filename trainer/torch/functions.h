// Functions that ATen lacks or that are slow on CPUs: dropout, losses, linear layers, attention.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

#include "trainer/torch/blas.h"
#include "trainer/torch/products.h"

namespace bertprep {

// The consecutive rows of a batch in a tensor.
struct DropoutRows {
  std::uint64_t first = 0;  // its index in the whole batch
  std::int64_t count = 1;
};
// Dropout that is a function of `key` and the number of the row: on CPUs directly, without saved data for the backward
// pass, and independent of the division of the batch; elsewhere by the device's generator, seeded with the key and the
// first row.
at::Tensor dropout(const at::Tensor& values, double p, std::uint64_t key, const DropoutRows& rows = {});

// On devices: seeds the generator with `key` and the first row.
void seed_dropout(const at::Device& device, std::uint64_t key, const DropoutRows& rows);

struct LabelLoss {
  at::Tensor sum;            // f32 scalar, times the requested scale; differentiable
  double plain_sum = 0;      // without the scale
  std::int64_t correct = 0;  // rows whose largest logit is that of the label
};
// The sum over rows of -log softmax(logits)[label], times `scale`. On CPUs, the gradient overwrites the logits: nothing
// else may read them.
LabelLoss label_loss(const at::Tensor& logits, const at::Tensor& labels, double scale);

struct RowSums {
  double loss = 0;
  std::int64_t correct = 0;  // rows whose largest logit is that of the label
};
// Sums over the rows of `logits` (f32, contiguous, on the CPU), with `bias` (one value per column, or undefined) added
// to each. With `with_gradient` the logits are replaced by `scale` times their gradient, else only the bias is added.
// Rows are summed in their order, for any number of ATen's threads.
RowSums row_losses(at::Tensor& logits, const at::Tensor& bias, const at::Tensor& labels, double scale,
                   bool with_gradient);

// Linear maps on CPUs, with their gradients.

// How the matrix of a linear map is stored: one row per output, as in PyTorch's Linear, or one row per input, as in
// Conv1D of HuggingFace's GPT-2.
enum class WeightLayout { kOutByIn, kInByOut };

// input (f32 rows x in) times weight (f32), plus bias: f32 rows x out. Differentiable.
// `products` must live until the end of the backward pass.
at::Tensor linear(const Products& products, const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                  WeightLayout layout = WeightLayout::kOutByIn);

// label_loss() of linear() with a weight of out x in, and a bias that may be undefined: the gradient overwrites the
// results, which nothing else reads.
LabelLoss linear_label_loss(const Products& products, const at::Tensor& input, const at::Tensor& weight,
                            const at::Tensor& bias, const at::Tensor& labels, double scale);

// Attention. On CPUs, one head of one row at a time, with its scores in the cache.

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

// The same by operations of ATen, for any device, and in bfloat16 if query, key and value are. On CPUs, dropout does
// not depend on the division of the batch.
at::Tensor attention_by_aten(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                             const at::Tensor& mask, const AttentionSetup& setup);
// The same in one operation of ATen, if libtorch has it: dropout is that of the device's generator.
at::Tensor device_attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                            const at::Tensor& mask, const AttentionSetup& setup);

}  // namespace bertprep
