#include "trainer/torch/products.h"

#include <ATen/Parallel.h>

#include "trainer/kernels.h"

namespace bertprep {
namespace {

constexpr std::int64_t kProductsAtOnce = 16384;

void round_all(const at::Tensor& from, at::Tensor& to) {
  const float* const in = from.data_ptr<float>();
  float* const out = to.data_ptr<float>();
  at::parallel_for(0, from.numel(), kProductsAtOnce,
                   [&](std::int64_t begin, std::int64_t end) { round_to_bf16(in + begin, out + begin, end - begin); });
}

MatrixPart part_of(const Products::Factor& factor) {
  return {factor.matrix.data_ptr<float>(), factor.matrix.size(1), factor.is_transposed};
}

at::Tensor view_of(const Products::Factor& factor) {
  return factor.is_transposed ? factor.matrix.t() : factor.matrix;
}

}  // namespace

at::Tensor Products::operand(const at::Tensor& values) const {
  if (precision_ == ProductPrecision::Bf16) return values.contiguous().to(at::kBFloat16);
  const at::Tensor in = values.contiguous();
  if (precision_ == ProductPrecision::F32) return in;
  at::Tensor rounded = at::empty_like(in);
  round_all(in, rounded);
  return rounded;
}

at::Tensor Products::last_operand(const at::Tensor& values) const {
  if (precision_ != ProductPrecision::Bf16AsF32 || !values.is_contiguous()) return operand(values);
  at::Tensor same = values;
  round_all(same, same);
  return same;
}

void Products::multiply(const Factor& a, const Factor& b, at::Tensor& result, bool adds) const {
  if (result.numel() == 0) return;
  const std::int64_t inner = a.matrix.size(a.is_transposed ? 0 : 1);
  if (inner == 0) {
    if (!adds) result.zero_();
  } else if (precision_ == ProductPrecision::Bf16) {
    const at::Tensor product = at::mm(view_of(a), view_of(b));
    adds ? result.add_(product) : result.copy_(product);
  } else {
    blas_.multiply_together({result.size(0), result.size(1), inner}, part_of(a), part_of(b), result.data_ptr<float>(),
                            result.size(1), adds);
  }
}

}  // namespace bertprep
