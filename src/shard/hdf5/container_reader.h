// Reads what a container that we wrote holds, without HDF5's library, which takes longer to load than most shards to
// read. Never guesses: what was read is written again by Container and compared, byte for byte, with the file.
#pragma once

#include <cstdint>
#include <optional>

#include "io/input_file.h"
#include "shard/hdf5/container.h"
#include "shard/hdf5/shard_layout.h"

namespace bertprep {

struct StoredShard {
  ShardPlan plan;
  StoredChunks chunks;

  // The chunk of dataset `number` whose first element is at this row and column; null if there is none.
  const StoredChunk* find(std::size_t number, std::size_t row, std::size_t column) const;
};

// Nothing if the bytes around the chunks are not those that Container writes for them: a file of another origin, or a
// damaged one. Throws IoError.
std::optional<StoredShard> read_container(InputFile& file);

}  // namespace bertprep
