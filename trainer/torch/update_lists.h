// UpdateLists: the passes of an optimizer step on devices other than CPUs, by ATen's operations on lists of tensors.
//
// On a GPU, each pass is a few launches for all tensors of a model. Norms stay on the device until all are complete,
// and are fetched once per pass: the host waits for the device only as often as stated below, for any number of
// tensors.
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "trainer/kernels.h"

namespace bertprep {

// A run of update_runs.h: f32, contiguous, of equal size.
struct ListedRun {
  at::Tensor w, m, v, second;  // second: only for LANS
  bool decays = true;
};

// For runs with decay, and for those without.
struct MomentSteps {
  MomentStep decaying, other;
};

class UpdateLists {
 public:
  explicit UpdateLists(const std::vector<ListedRun>& runs);

  // One per run, as below. They are overwritten.
  void set_gradients(const std::vector<at::Tensor>& gradients);
  void drop_gradients();
  // Waits once.
  std::vector<double> gradient_squares() const;

  // See trainer/kernels.h; the gradients become directions. These wait once.
  std::vector<UpdateNorms> make_lamb_directions(const MomentSteps& steps);
  // Gradients are multiplied by `scales`, not by the steps' grad_scale.
  std::vector<UpdateNorms> make_lans_directions(const MomentSteps& steps, const std::vector<double>& scales);

  // w -= rate x direction, LANS's second one in the other. These don't wait.
  void subtract(const std::vector<double>& rates);
  void subtract_second(const std::vector<double>& rates);
  void do_adamw_steps(const MomentSteps& steps, double learning_rate);

 private:
  using Tensors = std::vector<at::Tensor>;
  // Runs that are processed together.
  struct List {
    bool decays = true;
    std::vector<std::size_t> runs;
    Tensors w, m, v, second, grad;
    const MomentStep& of(const MomentSteps& steps) const { return decays ? steps.decaying : steps.other; }
  };
  std::size_t runs_ = 0;
  std::vector<List> lists_;
};

}  // namespace bertprep
