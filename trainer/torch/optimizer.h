// Optimizer: NVLAMB, LANS and AdamW, with the arithmetic of the reference trainers.
//
// NVLAMB (You et al. 2019, NVIDIA's form): the whole gradient is clipped to max_grad_norm; moments are bias-corrected;
// decay is part of the direction; tensors with decay are scaled by |w| / |direction|.
// LANS (Zheng et al. 2020): gradients are normalized tensor by tensor; the step is the sum of the moment's and the
// gradient's own direction, each scaled by its trust ratio, with or without decay.
// AdamW (Loshchilov and Hutter 2019) as in PyTorch.
// `norms` "partition": norms are computed over flat partitions of all tensors with decay, and of all without, one per
// process, as with DeepSpeed's ZeRO; the gradient is clipped before, and the bias correction lags one step.
//
// With ZeRO (Rajbhandari et al. 2020, stages 1 and 2) each process keeps only the moments of its own runs, does their
// part of the step, and gets the other parameters from the other processes. On CPUs, results are the same to the last
// bit.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "bertprep/trainer/train.h"
#include "trainer/distributed/gradient_buckets.h"
#include "trainer/distributed/update_runs.h"
#include "trainer/kernels.h"
#include "trainer/torch/flat_values.h"
#include "trainer/torch/model.h"
#include "trainer/torch/update_lists.h"

namespace bertprep {

// How the work is divided, and this process's share of it.
struct UpdatePlan {
  std::vector<UpdateRun> runs;
  FlatPlaces places;  // of the parameters, and of the moments in Moments

  // Only for ZeRO; must outlive the optimizer.
  Peers peers{};
  const BucketPlan* buckets = nullptr;
  at::Tensor values{};  // the array of the parameters
  // ZeRO 2: this process's values [begin, begin + count) of a tensor's gradient; otherwise the gradient is with the
  // parameter.
  std::function<at::Tensor(std::uint32_t tensor, std::int64_t begin, std::int64_t count)> gradient{};

  // Use the algorithm for other devices (update_lists.h) on CPUs, too.
  bool as_on_devices = false;
};
// Divides the work according to `options` for this number of processes.
std::vector<UpdateRun> update_runs(const OptimizerOptions& options, const std::vector<Parameter>& parameters,
                                   std::size_t processes);

// Both moments of all parameters, in the model's layout.
struct Moments {
  at::Tensor m, v;
  std::int64_t steps = 0;
};

class Optimizer {
 public:
  // The moments begin at 0.
  Optimizer(const OptimizerOptions& options, const std::vector<Parameter>& parameters, UpdatePlan plan);
  // For a single process.
  Optimizer(const OptimizerOptions& options, const std::vector<Parameter>& parameters);

  // With ZeRO, all processes must make these calls. Returns the norm of the whole gradient. A parameter without a
  // gradient counts as one with a gradient of zeros.
  double gradient_norm();
  // Updates the parameters and overwrites the gradients. Call gradient_norm() first.
  void step(double learning_rate);
  // For checkpoints. Memory: with ZeRO, that of all moments.
  Moments moments();

  void set_moments(const Moments& moments);

 private:
  // Consecutive runs of one tensor and one norm group, all computed by this process.
  struct Span {
    std::size_t tensor = 0;
    std::int64_t begin = 0, count = 0;
    std::size_t first_run = 0, runs = 0;
    std::uint32_t norm_group = 0;
    bool decays = true;
    at::Tensor w{}, m{}, v{}, second{}, grad{};  // second: LANS's direction of the gradient
  };
  // Spans whose norms are complete after them; with ZeRO, and on devices, all spans.
  struct Wave {
    std::size_t first = 0, last = 0;  // spans
    std::size_t first_run = 0, last_run = 0;
  };
  bool is_shared() const { return plan_.buckets != nullptr; }
  bool is_listed() const;
  void make_spans();
  void make_moments();
  void make_waves();
  void make_lists();
  void list_gradients();
  std::span<UpdateNorms> norms_of(const Span& span) { return std::span(norms_).subspan(span.first_run, span.runs); }
  void share_norms();
  void add_up_norms(const Wave& wave);
  void clear_norms(const Wave& wave);
  void set_norms(const std::vector<UpdateNorms>& of_spans);
  template <class Number>
  std::vector<double> of_spans(Number number) const;
  double clip_factor() const;
  MomentStep moment_step(bool decays) const;
  MomentSteps moment_steps() const { return {moment_step(true), moment_step(false)}; }
  double lamb_rate(const Span& span, double learning_rate) const;
  float lans_scale(const Span& span, float grad_scale) const;
  double lans_rate(const Span& span, double learning_rate) const;
  double lans_second_rate(const Span& span, double learning_rate) const;
  void lamb_step(const Wave& wave, double learning_rate);
  void lans_step(const Wave& wave, double learning_rate);
  void adamw_steps(double learning_rate);

  OptimizerOptions options_;
  std::vector<Parameter> parameters_;
  UpdatePlan plan_;
  std::vector<Span> spans_;
  std::vector<Wave> waves_;
  std::optional<UpdateLists> lists_;      // of the spans, on devices
  at::Tensor m_, v_, second_;             // of the spans, concatenated, or in the model's layout
  std::vector<double> squares_;           // of the gradient, run by run
  std::vector<UpdateNorms> norms_;        // run by run
  std::vector<double> group_squares_;     // of the gradient, by norm group
  std::vector<UpdateNorms> group_norms_;  // sums of squares
  std::int64_t steps_ = 0;
  double gradient_norm_ = 0;
};

}  // namespace bertprep
