// UpdateLists: the passes of an optimizer step on devices other than CPUs, by ATen's operations on lists of tensors.
//
// On a GPU each of them is a few launches for all tensors of a model. Norms stay there until all are there, and come
// over once a pass: the host waits for the device as often as the methods below say, however many tensors there are.
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "trainer/kernels.h"

namespace bertprep {

// A run of update_runs.h: f32, contiguous, of equal size.
struct ListedRun {
  at::Tensor w, m, v, second;  // second: for LANS alone
  bool decays = true;
};

// For runs with decay, and for those without.
struct MomentSteps {
  MomentStep decaying, other;
};

class UpdateLists {
 public:
  explicit UpdateLists(const std::vector<ListedRun>& runs);

  // Run by run, as everything below. They are changed.
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
  // Runs that are worked on together.
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
