// Blas: products of f32 matrices in the memory of the host by the BLAS library that libtorch has loaded, each by one
// thread alone. ATen hands its own products to the same library, which divides each of them among threads of its own;
// for the many small products of a model it is faster to divide them here.
#pragma once

#include <cstdint>

namespace bertprep {

// Values of a matrix, row by row; `stride` values from one row to the next.
struct MatrixPart {
  const float* values = nullptr;
  std::int64_t stride = 0;
  bool is_transposed = false;  // what is stored is the transpose
};

struct ProductSize {
  std::int64_t rows = 0, columns = 0;  // of the result
  std::int64_t inner = 0;
};

class Blas {
 public:
  // Looks for the Fortran interface (sgemm_) among the libraries of this process.
  Blas();
  // False where libtorch has a BLAS inside itself: ATen's products are to be used then.
  bool is_there() const { return sgemm_ != nullptr; }
  // OpenBLAS, which has threads of its own, uses so many for a product from now on, whoever asks for it.
  void use_threads(int threads) const;

  // c = scale a b, or c += scale a b; c is stored row by row.
  void multiply(const ProductSize& size, const MatrixPart& a, const MatrixPart& b, float* c, std::int64_t c_stride,
                float scale = 1, bool adds = false) const;
  // The same in all of ATen's threads. None of the sizes may be 0.
  void multiply_together(const ProductSize& size, const MatrixPart& a, const MatrixPart& b, float* c,
                         std::int64_t c_stride, bool adds = false) const;

 private:
  using Sgemm = void (*)(const char*, const char*, const int*, const int*, const int*, const float*, const float*,
                         const int*, const float*, const int*, const float*, float*, const int*);
  Sgemm sgemm_ = nullptr;
};

}  // namespace bertprep
