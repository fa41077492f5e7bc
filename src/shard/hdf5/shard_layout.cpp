#include "shard/hdf5/shard_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bertprep {
namespace {

constexpr double kBaseBytes = 16 * 1024;
constexpr double kMinBytes = 8 * 1024;
constexpr double kMaxBytes = 1024 * 1024;

// In floating point like the original, as integers may overflow.
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

constexpr std::size_t kTargetChunkBytes = std::size_t{128} << 10U;
constexpr std::size_t kMaxChunkBytes = std::size_t{1} << 20U;
// One label is a byte and compresses to a bit: chunks as small as a few hundred rows would be all overhead.
constexpr std::size_t kLabelRowsFactor = 64;

ShardPlan datasets_of(const ShardShape& shape) {
  const std::vector<std::size_t> tokens{shape.rows, shape.seq_len};
  const std::vector<std::size_t> predictions{shape.rows, shape.max_predictions};
  const std::vector<std::size_t> labels{shape.rows};
  return {
      DatasetPlan{kInputIds, 4, tokens, {}, false},         DatasetPlan{kInputMask, 1, tokens, {}, false},
      DatasetPlan{kSegmentIds, 1, tokens, {}, false},       DatasetPlan{kMaskedLmPositions, 4, predictions, {}, false},
      DatasetPlan{kMaskedLmIds, 4, predictions, {}, false}, DatasetPlan{kNextSentenceLabels, 1, labels, {}, false}};
}

std::size_t rows_a_chunk(const ShardShape& shape) {
  const std::size_t widest = std::max({shape.seq_len, shape.max_predictions, std::size_t{1}});
  return std::max(kTargetChunkBytes / (widest * sizeof(std::int32_t)), std::size_t{1});
}

std::size_t columns_a_chunk(const DatasetPlan& dataset) {
  return std::clamp(dataset.columns(), std::size_t{1}, kMaxChunkBytes / dataset.element_bytes);
}

// HDF5 requires chunks no larger than the dataset; an empty one may have any size.
std::size_t within(std::size_t wanted, std::size_t rows) {
  return rows == 0 ? wanted : std::min(wanted, rows);
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

ShardPlan plan_rows_layout(const ShardShape& shape) {
  const std::size_t rows = rows_a_chunk(shape);
  ShardPlan plan = datasets_of(shape);
  for (DatasetPlan& dataset : plan) {
    dataset.shuffle = dataset.element_bytes > 1;
    if (dataset.shape.size() == 1) {
      dataset.chunk = {within(std::min(rows * kLabelRowsFactor, kTargetChunkBytes), shape.rows)};
    } else {
      dataset.chunk = {within(rows, shape.rows), columns_a_chunk(dataset)};
    }
  }
  return plan;
}

ShardPlan plan_reference_layout(const ShardShape& shape) {
  ShardPlan plan = datasets_of(shape);
  for (DatasetPlan& dataset : plan) dataset.chunk = guess_chunk(dataset.shape, dataset.element_bytes);
  return plan;
}

}  // namespace bertprep
