// ChunkSource: where the stored chunks of a dataset come from: HDF5's library, or a container of ours.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace bertprep {

class ChunkSource {
 public:
  virtual ~ChunkSource() = default;
  // The chunk whose first element is at this row and column, compressed; valid until the next call. Empty if there is
  // none, or not all filters were applied to it. Throws IoError.
  virtual std::span<const std::byte> load(std::size_t row, std::size_t column) = 0;
};

}  // namespace bertprep
