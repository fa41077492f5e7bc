// The passes of an optimizer step over a span of values in the memory of the machine, by the loops of
// trainer/kernels.h in all threads. Tensors are f32, contiguous and of equal size. Other devices: update_lists.h.
//
// Norms are kept run by run. Hence they do not depend on the number of threads, nor on who has done the other
// spans.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <span>

#include "trainer/kernels.h"

namespace bertprep {

// Values that a run of update_runs.h has at most. On CPUs the number of processes has no part in it.
std::int64_t run_values(const at::Device& device, std::size_t processes);

// The sum of squares of each run.
void squares(const at::Tensor& values, std::span<double> sums);
// See trainer/kernels.h; the gradient's memory becomes that of the direction.
void make_lamb_direction(at::Tensor& grad, at::Tensor& m, at::Tensor& v, const at::Tensor& w, const MomentStep& step,
                         std::span<UpdateNorms> norms);
void make_lans_direction(at::Tensor& grad, at::Tensor& m, at::Tensor& v, const at::Tensor& w, at::Tensor& second,
                         const MomentStep& step, std::span<UpdateNorms> norms);
void subtract(at::Tensor& w, const at::Tensor& u, double rate);
void do_adamw_step(at::Tensor& w, const at::Tensor& grad, at::Tensor& m, at::Tensor& v, const MomentStep& step,
                   double lr);

}  // namespace bertprep
