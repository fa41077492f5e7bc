// Blas: products of f32 matrices in host memory by the BLAS library that libtorch has loaded, each in one thread. ATen
// passes its products to the same library, which divides each among its own threads; for the many small products of a
// model, it is faster to divide them here.
#pragma once

#include <cstdint>

namespace bertprep {

// A row-major matrix; `stride` is the distance between rows in values.
struct MatrixPart {
  const float* values = nullptr;
  std::int64_t stride = 0;
  bool is_transposed = false;  // the stored matrix is the transpose
};

struct ProductSize {
  std::int64_t rows = 0, columns = 0;  // of the result
  std::int64_t inner = 0;
};

class Blas {
 public:
  // Looks for the Fortran interface (sgemm_) among the libraries of this process.
  Blas();
  // False if libtorch has a built-in BLAS: use ATen's products then.
  bool is_available() const { return sgemm_ != nullptr; }
  // Sets the number of OpenBLAS's own threads for each product, for all its users.
  void use_threads(int threads) const;

  // c = scale a b, or c += scale a b; c is row-major.
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
