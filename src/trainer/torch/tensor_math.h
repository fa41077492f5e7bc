// The passes of an optimizer step over one tensor: on CPUs by the loops of trainer/kernels.h in all threads, elsewhere
// by ATen. Sums do not depend on the number of threads. Tensors are f32, contiguous and of equal size.
#pragma once

#include <ATen/ATen.h>

#include "trainer/kernels.h"

namespace bertprep {

double squares(const at::Tensor& values);
// See trainer/kernels.h; the gradient's memory becomes that of the direction.
UpdateNorms make_lamb_direction(at::Tensor& grad, at::Tensor& m, at::Tensor& v, const at::Tensor& w,
                                const MomentStep& step);
UpdateNorms make_lans_direction(at::Tensor& grad, at::Tensor& m, at::Tensor& v, const at::Tensor& w, at::Tensor& second,
                                const MomentStep& step);
void subtract(at::Tensor& w, const at::Tensor& u, double rate);
void do_adamw_step(at::Tensor& w, const at::Tensor& grad, at::Tensor& m, at::Tensor& v, const MomentStep& step,
                   double lr);

}  // namespace bertprep
