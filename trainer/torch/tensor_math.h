// The passes of an optimizer step over a span of values in host memory, by the loops of trainer/kernels.h in all
// threads. Tensors are f32, contiguous and of equal size. Other devices: update_lists.h.
//
// Norms are kept per run, so they do not depend on the number of threads, nor on which process computed the other
// spans.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <span>

#include "trainer/kernels.h"

namespace bertprep {

// Maximum number of values in a run of update_runs.h. On CPUs, it does not depend on the number of processes.
std::int64_t run_values(const at::Device& device, std::size_t processes);

// The sum of squares of each run.
void squares(const at::Tensor& values, std::span<double> sums);
// See trainer/kernels.h; the direction overwrites the gradient.
void make_lamb_direction(at::Tensor& grad, at::Tensor& m, at::Tensor& v, const at::Tensor& w, const MomentStep& step,
                         std::span<UpdateNorms> norms);
void make_lans_direction(at::Tensor& grad, at::Tensor& m, at::Tensor& v, const at::Tensor& w, at::Tensor& second,
                         const MomentStep& step, std::span<UpdateNorms> norms);
void subtract(at::Tensor& w, const at::Tensor& u, double rate);
void do_adamw_step(at::Tensor& w, const at::Tensor& grad, at::Tensor& m, at::Tensor& v, const MomentStep& step,
                   double lr);

}  // namespace bertprep
