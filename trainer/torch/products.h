// Products: the matrix products of linear maps on CPUs, in f32 or with operands in bfloat16.
#pragma once

#include <ATen/ATen.h>

#include "trainer/torch/blas.h"

namespace bertprep {

enum class ProductPrecision {
  F32,
  Bf16,      // operands are bfloat16, products by ATen: for processors with instructions for it
  Bf16AsF32  // operands are f32 rounded to bfloat16: the same products, at f32 speed on any processor
};

class Products {
 public:
  explicit Products(ProductPrecision precision = ProductPrecision::F32) : precision_(precision) {}

  const Blas& blas() const { return blas_; }

  // The values (f32) as multiply() expects them: bfloat16 or f32, contiguous; with F32 the same tensor if it can be.
  at::Tensor operand(const at::Tensor& values) const;
  // The same for values that are no longer needed: may overwrite them.
  at::Tensor last_operand(const at::Tensor& values) const;

  // An operand, or its transpose.
  struct Factor {
    const at::Tensor& matrix;
    bool is_transposed = false;
  };
  // result (f32, contiguous) = a b, or += a b. In ATen's threads.
  void multiply(const Factor& a, const Factor& b, at::Tensor& result, bool adds = false) const;

 private:
  Blas blas_;
  ProductPrecision precision_;
};

}  // namespace bertprep
