#include "shard/chunk_guess.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace bertprep {
namespace {

constexpr double kBaseBytes = 16 * 1024;
constexpr double kMinBytes = 8 * 1024;
constexpr double kMaxBytes = 1024 * 1024;

// In floating point as the original, for sizes that no integer holds.
double product(std::span<const std::size_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), 1.0,
                         [](double all, std::size_t size) { return all * static_cast<double>(size); });
}

double target_bytes(double dataset_bytes) {
  const double target = kBaseBytes * std::pow(2.0, std::log10(dataset_bytes / (1024.0 * 1024.0)));
  return std::clamp(target, kMinBytes, kMaxBytes);
}

bool fits(double chunk_bytes, double target) {
  return (chunk_bytes < target || std::abs(chunk_bytes - target) / target < 0.5) && chunk_bytes < kMaxBytes;
}

}  // namespace

std::vector<std::size_t> guess_chunk(std::span<const std::size_t> shape, std::size_t element_bytes) {
  constexpr std::size_t kUnknownSize = 1024;
  std::vector<std::size_t> chunk(shape.begin(), shape.end());
  std::replace(chunk.begin(), chunk.end(), std::size_t{0}, kUnknownSize);
  const auto bytes = static_cast<double>(element_bytes);
  const double target = target_bytes(product(chunk) * bytes);
  for (std::size_t axis = 0; !fits(product(chunk) * bytes, target) && product(chunk) > 1; ++axis) {
    std::size_t& size = chunk[axis % chunk.size()];
    size = (size + 1) / 2;
  }
  return chunk;
}

}  // namespace bertprep
