// Hdf5Chunks: reads rows of a dataset from its stored chunks, decoding them outside HDF5: without its lock, and several
// times as fast.
//
// It reads the datasets of shards: one or two dimensions, deflate, with or without shuffle. HDF5 reads the others, and
// damaged chunks, so that the library reports what is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "shard/deflate/inflate.h"
#include "shard/hdf5/hdf5_call.h"

namespace bertprep {

// ChunkSource: where the stored chunks of a dataset come from: HDF5's library, or a container of ours.
class ChunkSource {
 public:
  virtual ~ChunkSource() = default;
  // The chunk whose first element is at this row and column, compressed; valid until the next call. Empty if there is
  // none, or not all filters were applied to it. Throws IoError.
  virtual std::span<const std::byte> load(std::size_t row, std::size_t column) = 0;
};

struct ChunkGrid {
  std::vector<std::size_t> shape;
  std::vector<std::size_t> chunk;  // of the same rank
  std::size_t element_bytes = 0;
};

class Hdf5Chunks {
 public:
  // Nothing if the dataset is stored differently. `dataset` must outlive the result.
  static std::unique_ptr<Hdf5Chunks> of(const Hdf5Handle& dataset, const ChunkGrid& grid, std::uint64_t file_bytes);
  // Chunks that are deflated, and shuffled before that or not. Nothing if they are too large to be held.
  static std::unique_ptr<Hdf5Chunks> of(std::unique_ptr<ChunkSource> source, const ChunkGrid& grid, bool shuffled);

  // Reads whole rows [first, first + count), with values as stored, into `out`. False if a chunk is missing or damaged;
  // `out` is then unspecified.
  bool read(std::size_t first, std::size_t count, std::span<std::byte> out);

 private:
  Hdf5Chunks(std::unique_ptr<ChunkSource> source, const ChunkGrid& grid, bool shuffled);

  std::size_t columns() const { return grid_.shape.size() > 1 ? grid_.shape[1] : 1; }
  std::size_t chunk_columns() const { return grid_.chunk.size() > 1 ? grid_.chunk[1] : 1; }
  std::size_t chunk_rows() const { return grid_.chunk[0]; }
  std::size_t row_bytes() const { return columns() * grid_.element_bytes; }
  std::size_t chunk_bytes() const { return chunk_rows() * chunk_columns() * grid_.element_bytes; }

  bool decode_band(std::size_t band, std::span<std::byte> out);
  // Decodes the first values of the chunk, or all, into `out`.
  bool decode_chunk(std::size_t row, std::size_t column, std::span<std::byte> out);

  static constexpr std::size_t kNoBand = ~std::size_t{0};

  std::unique_ptr<ChunkSource> source_;
  ChunkGrid grid_;
  bool shuffled_;
  Inflater inflater_;
  std::vector<std::byte> inflated_;  // if it can't be inflated in place
  std::vector<std::byte> chunk_;     // if several are side by side
  // The rows of one row of chunks, kept for readers that take fewer at a time.
  std::vector<std::byte> band_;
  std::size_t band_held_ = kNoBand;
};

}  // namespace bertprep
