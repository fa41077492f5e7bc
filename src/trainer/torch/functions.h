// Differentiable functions that ATen lacks or has only slowly on CPUs.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace bertprep {

// Dropout that is a function of `key`: on CPUs directly, so that nothing is kept for the backward pass; elsewhere by
// the device's generator, which is seeded with it.
at::Tensor dropout(const at::Tensor& values, double p, std::uint64_t key);

struct LabelLoss {
  at::Tensor sum;            // f32 scalar, times the scale that was asked for; differentiable
  double plain_sum = 0;      // without the scale
  std::int64_t correct = 0;  // rows whose largest logit is that of the label
};
// The sum over rows of -log softmax(logits)[label], times `scale`. On CPUs the logits' memory becomes that of their
// gradient: nobody else may read them.
LabelLoss label_loss(const at::Tensor& logits, const at::Tensor& labels, double scale);

}  // namespace bertprep
