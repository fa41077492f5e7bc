// How the six datasets of a shard are divided into chunks, for each layout.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "bertprep/shard/schema.h"

namespace bertprep {

// The chunk shape h5py gives a dataset when none is given, as in shards of the reference.

// The shape for a dataset of `shape` with elements of `element_bytes`. Dimensions of 0 count as 1024.
// Source: what h5py's automatic chunking does (h5py 2 and 3): halve the dimensions in turn, beginning with the first,
// until a chunk is close to a target that grows with the logarithm of the dataset's size.
std::vector<std::size_t> guess_chunk(std::span<const std::size_t> shape, std::size_t element_bytes);

inline constexpr std::size_t kDatasets = 6;

struct DatasetPlan {
  std::string name;
  std::size_t element_bytes;       // signed integers: 1 or 4
  std::vector<std::size_t> shape;  // rows, or rows and columns
  std::vector<std::size_t> chunk;  // of the same rank as `shape`
  bool shuffle;

  std::size_t columns() const { return shape.size() > 1 ? shape[1] : 1; }
  std::size_t chunk_columns() const { return chunk.size() > 1 ? chunk[1] : 1; }
  std::size_t row_bytes() const { return columns() * element_bytes; }
};

// In the order in which the reference creates them.
using ShardPlan = std::array<DatasetPlan, kDatasets>;

// Full-width chunks of equally many rows: 128 KiB in the widest dataset, never above 1 MiB.
ShardPlan plan_rows_layout(const ShardShape& shape);
// The chunks that h5py chooses.
ShardPlan plan_reference_layout(const ShardShape& shape);

}  // namespace bertprep
