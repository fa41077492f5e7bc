// Softmax over rows of f32 values: the loss of masked tokens, and the shares of attention. Each call works on one row;
// the caller divides rows among threads. Compiled for several levels of the processor, with the same results.
#pragma once

#include <cstdint>

namespace bertprep {

struct RowLoss {
  double loss = 0;             // -log softmax(logits)[label]
  std::int64_t predicted = 0;  // the index of the largest logit, the first of equals
};
// Replaces the logits (one row) by `scale` times the gradient of the loss: softmax, less 1 at the label.
RowLoss softmax_loss_row(float* logits, std::int64_t classes, std::int64_t label, float scale);
// The same without the gradient.
RowLoss softmax_loss_row_only(const float* logits, std::int64_t classes, std::int64_t label);

// values[i] = softmax(values + added)[i].
void softmax_row(float* values, const float* added, std::int64_t count);
// The gradient of what softmax_row() was given, from that of its results: gradient[i] becomes
// shares[i] (gradient[i] - sum of shares gradient).
void softmax_gradient_row(float* gradient, const float* shares, std::int64_t count);

}  // namespace bertprep
