// Hdf5Chunks: rows of a dataset from its chunks as they lie in the file, decoded outside of HDF5: without its lock, and
// several times as fast.
//
// It reads what shards are made of: one or two dimensions, deflate, shuffle before it or not. HDF5 reads the rest, and
// whatever is not sound: what is wrong is for the library to say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "shard/deflate/inflate.h"
#include "shard/hdf5/hdf5_call.h"

namespace bertprep {

struct ChunkGrid {
  std::vector<std::size_t> shape;
  std::vector<std::size_t> chunk;  // as many numbers
  std::size_t element_bytes = 0;
};

class Hdf5Chunks {
 public:
  // Nothing where the dataset is stored in another way.
  static std::unique_ptr<Hdf5Chunks> of(const Hdf5Handle& dataset, const ChunkGrid& grid, std::uint64_t file_bytes);

  // Reads whole rows [first, first + count), as the file holds their values, into `out`. False when a chunk is missing
  // or not sound; what `out` holds then does not matter.
  bool read(const Hdf5Handle& dataset, std::size_t first, std::size_t count, std::span<std::byte> out);

 private:
  Hdf5Chunks(const ChunkGrid& grid, bool shuffled, std::uint64_t file_bytes);

  std::size_t columns() const { return grid_.shape.size() > 1 ? grid_.shape[1] : 1; }
  std::size_t chunk_columns() const { return grid_.chunk.size() > 1 ? grid_.chunk[1] : 1; }
  std::size_t chunk_rows() const { return grid_.chunk[0]; }
  std::size_t row_bytes() const { return columns() * grid_.element_bytes; }
  std::size_t chunk_bytes() const { return chunk_rows() * chunk_columns() * grid_.element_bytes; }

  bool decode_band(const Hdf5Handle& dataset, std::size_t band, std::span<std::byte> out);
  // `out` takes the first values of the chunk, or all.
  bool decode_chunk(const Hdf5Handle& dataset, std::size_t row, std::size_t column, std::span<std::byte> out);
  bool load_chunk(const Hdf5Handle& dataset, std::size_t row, std::size_t column);
  bool inflate_stored(std::span<std::byte> out);

  static constexpr std::size_t kNoBand = ~std::size_t{0};

  ChunkGrid grid_;
  bool shuffled_;
  std::uint64_t file_bytes_;
  Inflater inflater_;
  std::vector<std::byte> stored_;  // a chunk as the file holds it
  std::size_t stored_bytes_ = 0;
  std::vector<std::byte> inflated_;  // where it can't be inflated to its place
  std::vector<std::byte> chunk_;     // where several lie side by side
  // The rows that one row of chunks holds, kept for readers that take fewer at a time.
  std::vector<std::byte> band_;
  std::size_t band_held_ = kNoBand;
};

}  // namespace bertprep
