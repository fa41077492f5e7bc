#include "shard/shard_layout.h"

#include <algorithm>

#include "shard/chunk_guess.h"

namespace bertprep {
namespace {

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

// HDF5 wants chunks no larger than the dataset; an empty one may have any.
std::size_t within(std::size_t wanted, std::size_t rows) {
  return rows == 0 ? wanted : std::min(wanted, rows);
}

}  // namespace

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
