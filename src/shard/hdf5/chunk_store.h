// ChunkStore: decides where and in which order finished chunks are written.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "shard/hdf5/file_digest.h"
#include "shard/hdf5/shard_layout.h"

namespace bertprep {

class ChunkStore {
 public:
  virtual ~ChunkStore() = default;
  // Takes a chunk of one dataset. Throws IoError.
  virtual void store(std::size_t dataset, std::span<const std::size_t> offset, std::span<const std::byte> bytes) = 0;
  // Completes and closes the file. Throws IoError.
  virtual void finish() = 0;
  // Of the finished file. Throws IoError, Cancelled.
  virtual FileDigest digest(const Progress& progress) const = 0;
};

// Writes chunks as they arrive, datasets interleaved, in our own HDF5 format code (container.h). Keeps a reference to
// `file_buffer`, which holds files of up to BufferedFile::kMaxBufferBytes until they are complete.
std::unique_ptr<ChunkStore> store_in_container(const std::filesystem::path& path, const ShardPlan& plan,
                                               unsigned deflate_level, std::vector<std::byte>& file_buffer);

// Makes and fills one dataset after the other with the library, as the reference does; holds all compressed chunks
// until finish().
std::unique_ptr<ChunkStore> store_in_order(const std::filesystem::path& path, const ShardPlan& plan,
                                           unsigned deflate_level);

}  // namespace bertprep
