#include "trainer/torch/blas.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>

#include <algorithm>

#if AT_PARALLEL_OPENMP && !defined(_OPENMP)
#error "without OpenMP at::parallel_for() would do everything in one thread"
#endif

namespace bertprep {
namespace {

// Parts of a result begin at multiples of this, so that the inner loops of the library get whole tiles.
constexpr std::int64_t kTile = 32;

template <class Function>
Function function_named(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
}

MatrixPart from_row(MatrixPart a, std::int64_t row) {
  a.values += a.is_transposed ? row : row * a.stride;
  return a;
}

MatrixPart from_column(MatrixPart b, std::int64_t column) {
  b.values += b.is_transposed ? column * b.stride : column;
  return b;
}

}  // namespace

Blas::Blas() : sgemm_(function_named<Sgemm>("sgemm_")) {}

void Blas::use_threads(int threads) const {
  using SetThreads = void (*)(int);
  if (const auto set = function_named<SetThreads>("openblas_set_num_threads")) set(threads);
}

// The library is column-major: it sees all matrices transposed, so the order of the product is reversed.
void Blas::multiply(const ProductSize& size, const MatrixPart& a, const MatrixPart& b, float* c, std::int64_t c_stride,
                    float scale, bool adds) const {
  const auto number = [](std::int64_t value) { return static_cast<int>(value); };
  const int rows = number(size.rows);
  const int columns = number(size.columns);
  const int inner = number(size.inner);
  const int a_stride = number(a.stride);
  const int b_stride = number(b.stride);
  const int stride = number(c_stride);
  const float before = adds ? 1 : 0;
  sgemm_(b.is_transposed ? "T" : "N", a.is_transposed ? "T" : "N", &columns, &rows, &inner, &scale, b.values, &b_stride,
         a.values, &a_stride, &before, c, &stride);
}

void Blas::multiply_together(const ProductSize& size, const MatrixPart& a, const MatrixPart& b, float* c,
                             std::int64_t c_stride, bool adds) const {
  const bool by_rows = size.rows >= size.columns;
  const std::int64_t length = by_rows ? size.rows : size.columns;
  at::parallel_for(0, (length + kTile - 1) / kTile, 1, [&](std::int64_t first, std::int64_t last) {
    const std::int64_t begin = first * kTile;
    ProductSize part = size;
    (by_rows ? part.rows : part.columns) = std::min(last * kTile, length) - begin;
    if (by_rows) {
      multiply(part, from_row(a, begin), b, c + begin * c_stride, c_stride, 1, adds);
    } else {
      multiply(part, a, from_column(b, begin), c + begin, c_stride, 1, adds);
    }
  });
}

}  // namespace bertprep
