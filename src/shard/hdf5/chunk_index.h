// The index of a dataset's chunks: a B-tree of version 1, which every HDF5 reads.
// Source: HDF5 File Format Specification, III.A.1 "Disk Format: Level 1A1 - Version 1 B-trees", node type 1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "shard/hdf5/object_header.h"
#include "shard/hdf5/shard_layout.h"

namespace bertprep {

// The position of a chunk in the file and in its dataset.
struct StoredChunk {
  std::uint64_t address;
  std::uint32_t size_bytes;
  std::array<std::uint64_t, 2> offset;  // of its first element: row, column
};

// The undefined address.
inline constexpr std::uint64_t kNoAddress = ~std::uint64_t{0};

// Half of the entries that a node has room for. One number for the whole file: with the usual 32, small shards would be
// mostly empty space.
std::size_t index_half_entries(std::size_t max_chunks);

// Appends the tree over `chunks`, which are in ascending order, to `out`, whose first byte will be at `address`.
// Returns the address of its root, or kNoAddress without chunks.
std::uint64_t append_chunk_index(std::span<const StoredChunk> chunks, const DatasetPlan& plan, std::size_t half_entries,
                                 std::uint64_t address, LittleEndianBytes& out);

}  // namespace bertprep
