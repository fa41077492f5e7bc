// Loops over plain arrays that are slow in ATen or take many passes: dropout and optimizer steps. Each call handles one
// run of values; the caller divides the work among threads. Sums of squares are computed in double.
//
// Compiled for several processor levels; the loader picks the best one.
#pragma once

#include <cstdint>

namespace bertprep {

// out[i] = in[i] kept with probability 1 - p and scaled by 1 / (1 - p), else 0. The choice depends only on `key` and
// first + i: the backward pass is the same call on the gradient. `in` may be `out`. At most 2^32 elements per key.
void dropout_values(const float* in, float* out, std::int64_t count, std::int64_t first, double p, std::uint64_t key);

// values[i] += added[i].
void add_values(float* values, const float* added, std::int64_t count);

// out[i] = in[i] rounded to the nearest bfloat16, ties to even. `in` may be `out`.
void round_to_bf16(const float* in, float* out, std::int64_t count);

double sum_of_squares(const float* values, std::int64_t count);

// The numbers of one optimizer step that hold for all values.
struct MomentStep {
  float grad_scale = 1;  // every gradient is multiplied by it first
  float beta1 = 0.9F;
  float beta2 = 0.999F;
  float share1 = 0.1F;    // 1 - beta1, subtracted in double
  float share2 = 0.001F;  // 1 - beta2
  float correction1 = 1;  // 1 / (1 - beta1^t)
  float correction2 = 1;  // 1 / (1 - beta2^t)
  float epsilon = 1e-6F;
  float decay = 0;
};
struct UpdateNorms {
  double update = 0;   // sum of squares
  double update2 = 0;  // LANS: of the second direction
  double weight = 0;
};

// LAMB's direction: updates the moments, grad becomes m c1 / (sqrt(v c2) + eps) + decay w.
UpdateNorms lamb_direction(float* grad, float* m, float* v, const float* w, std::int64_t count, const MomentStep& step);
// LANS: the same with m's direction in `grad` and the gradient's own direction in `second`.
UpdateNorms lans_direction(float* grad, float* m, float* v, const float* w, float* second, std::int64_t count,
                           const MomentStep& step);
// w -= rate u.
void subtract_scaled(float* w, const float* u, std::int64_t count, float rate);
// AdamW with decoupled decay: w -= lr decay w, then w -= lr m c1 / (sqrt(v c2) + eps).
void adamw_step(float* w, const float* grad, float* m, float* v, std::int64_t count, const MomentStep& step, float lr);

// Softmax over rows of f32 values: the loss of masked tokens, and attention weights. Each call handles one row; the
// caller divides rows among threads. Compiled for several processor levels, with the same results.

struct RowLoss {
  double loss = 0;             // -log softmax(logits)[label]
  std::int64_t predicted = 0;  // the index of the largest logit, the first of equal ones
};
// Replaces the logits (one row) by `scale` times the gradient of the loss: softmax, minus 1 at the label.
RowLoss softmax_loss_row(float* logits, std::int64_t classes, std::int64_t label, float scale);
// The same without the gradient.
RowLoss softmax_loss_row_only(const float* logits, std::int64_t classes, std::int64_t label);

// values[i] = softmax(values + added)[i].
void softmax_row(float* values, const float* added, std::int64_t count);
// The gradient of softmax_row()'s input, from that of its results: gradient[i] becomes shares[i] (gradient[i] - sum of
// shares gradient).
void softmax_gradient_row(float* gradient, const float* shares, std::int64_t count);

}  // namespace bertprep
