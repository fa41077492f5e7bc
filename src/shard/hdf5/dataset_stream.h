// DatasetStream: rows of one dataset in, finished chunks out.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "shard/deflate/chunk_encoder.h"
#include "shard/hdf5/file_digest.h"
#include "shard/hdf5/shard_layout.h"

namespace bertprep {

// ChunkStore: decides where and in which order finished chunks are written.
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

// Takes one encoded chunk and the position of its first element in the dataset.
using StoreChunk = std::function<void(std::span<const std::size_t> offset, std::span<const std::byte> bytes)>;

class DatasetStream {
 public:
  DatasetStream(const DatasetPlan& plan, std::unique_ptr<ChunkEncoder> encoder);

  // Starts the same dataset of another file; encoder and memory are kept.
  void restart(const DatasetPlan& plan);

  // Rows that still fit before the next chunks are finished; never 0.
  std::size_t rows_to_boundary() const { return chunk_rows() - held_rows_; }
  // Takes whole rows, rows_to_boundary() at most.
  void add(std::span<const std::byte> rows, const StoreChunk& store);
  // Finishes partly filled chunks. HDF5 stores whole chunks; the missing rows are 0.
  void finish(const StoreChunk& store);

 private:
  std::size_t chunk_rows() const { return plan_.chunk[0]; }
  void store_band(std::span<const std::byte> band, const StoreChunk& store);
  std::span<const std::byte> tile(std::span<const std::byte> band, std::size_t first_column);

  DatasetPlan plan_;
  std::unique_ptr<ChunkEncoder> encoder_;
  std::size_t stored_rows_ = 0;
  std::size_t held_rows_ = 0;
  std::vector<std::byte> band_;  // chunk_rows() rows of which held_rows_ are filled
  std::vector<std::byte> tile_;
};

}  // namespace bertprep
