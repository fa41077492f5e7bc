// Optimizer: NVLAMB, LANS and AdamW, with the arithmetic of the reference trainers.
//
// NVLAMB (You et al. 2019, NVIDIA's form): the whole gradient is cut to max_grad_norm; moments are corrected for their
// start; decay is part of the direction; tensors with decay are scaled by |w| / |direction|.
// LANS (Zheng et al. 2020): gradients are normalized tensor by tensor; the step is the sum of the moment's and the
// gradient's own direction, each scaled by its trust ratio, with decay or without.
// AdamW (Loshchilov and Hutter 2019) as in PyTorch.
// `norms` "partition": norms are taken over all tensors with decay, and over all without, as under DeepSpeed's ZeRO on
// one rank; the gradient is cut before, and the moments' correction lags a step.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bertprep/trainer/train_options.h"
#include "trainer/kernels.h"
#include "trainer/torch/bert.h"

namespace bertprep {

class Optimizer {
 public:
  // The moments begin with 0.
  Optimizer(const OptimizerOptions& options, const std::vector<Parameter>& parameters);

  // The norm of the whole gradient. A parameter without a gradient counts as one with a gradient of zeros.
  double gradient_norm();
  // Changes the parameters. Gradients are used up. gradient_norm() must have been called for them.
  void step(double learning_rate);

  std::int64_t steps() const { return steps_; }

  // For checkpoints: the moments of a parameter.
  struct State {
    at::Tensor m, v;
  };
  std::vector<State>& state() { return state_; }
  const std::vector<State>& state() const { return state_; }
  void set_steps(std::int64_t steps) { steps_ = steps; }

 private:
  struct Tensors {
    at::Tensor w, grad;
    bool decays;
    double grad_squares = 0;
  };
  std::vector<std::vector<std::size_t>> norm_groups() const;
  double clip_factor() const;
  MomentStep moment_step(bool decays) const;
  void lamb_step(const std::vector<std::size_t>& group, double learning_rate);
  void lans_step(const std::vector<std::size_t>& group, double learning_rate);
  void adamw_steps(double learning_rate);

  OptimizerOptions options_;
  std::vector<Tensors> tensors_;
  std::vector<State> state_;
  std::vector<at::Tensor> second_;  // LANS: the gradient's own direction
  std::int64_t steps_ = 0;
  double gradient_norm_ = 0;
};

}  // namespace bertprep
