// ChunkEncoder: one chunk of a dataset -> the bytes that HDF5's filters would have made of it.
//
// The encoders of the layout `rows` are our own, for two reasons. Their output is the same on every machine, which
// libraries that choose their code by processor don't promise. And they know the data: split into planes, ids have no
// repetitions worth searching for; padding and 0/1 arrays are all runs. So they write literals and runs with one
// prefix code per dataset, learned from its first chunk, at some 3 GB/s, where zlib at level 4 reaches 0.09, and
// smaller. The output is an ordinary zlib stream (RFC 1950, 1951) that any inflate reads. They are correct for all
// values, and best for those of shards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "shard/deflate/block_code.h"
#include "shard/deflate/byte_planes.h"
#include "shard/deflate/byte_runs.h"

namespace bertprep {

// Rows of `row_length` bytes; row r has only zeros from used[r] on.
struct PaddedRows {
  std::span<const std::uint8_t> bytes;
  std::size_t row_length;
  std::span<const std::uint32_t> used;
};

// LiteralBlock: writes one byte plane of padded rows as a deflate block: literals, then a run of zeros up to the row's
// end. The code is learned from the first plane; every byte has a code, even if it first occurs later.
class LiteralBlock {
 public:
  void write(const PaddedRows& rows, bool last, BitWriter& writer);

 private:
  std::optional<BlockCode> code_;
};

// The frame of a zlib stream (RFC 1950): two bytes before the deflate stream, the Adler-32 of the data after it.

// Room for any stream of RowBlocks and RunBlocks over `data_bytes` bytes: a symbol takes at most 15 bits per byte, a
// header at most 400 bytes, and there are at most three blocks.
std::size_t max_stream_bytes(std::size_t data_bytes);

// Grows `buffer` to `size` if it is smaller; otherwise does not touch it.
inline void make_room(std::size_t size, std::vector<std::uint8_t>& buffer) {
  if (buffer.size() < size) buffer.resize(size);
}

void begin_stream(BitWriter& writer);
// Returns the stream, which began at `begin`.
std::span<const std::byte> end_stream(BitWriter& writer, std::uint8_t* begin, std::uint32_t adler);

// Adler-32, the checksum of a zlib stream (RFC 1950, 8.2).

// By libdeflate: with zlib's adler32(), checksums would be a third of the work of a chunk.
std::uint32_t adler32_of(std::span<const std::uint8_t> bytes);

// The checksum of data with checksum `adler` followed by `count` zeros.
std::uint32_t adler32_with_zeros(std::uint32_t adler, std::size_t count);

class ChunkEncoder {
 public:
  virtual ~ChunkEncoder() = default;
  // `chunk` has whole rows of `row_length` elements, as in memory. The result is valid until the next call, and depends
  // only on the chunks since forget() and their order.
  virtual std::span<const std::byte> encode(std::span<const std::byte> chunk, std::size_t row_length) = 0;
  // Resets the encoder for another file; keeps memory.
  virtual void forget() = 0;
};

// Shuffle and deflate for int32.
class Int32ChunkEncoder final : public ChunkEncoder {
 public:
  std::span<const std::byte> encode(std::span<const std::byte> chunk, std::size_t row_length) override;
  void forget() override;

 private:
  PaddedRows padded_plane(std::size_t plane, std::size_t row_length) const;
  void choose_literal_planes();
  void collect_high_runs();
  std::uint32_t checksum() const;

  BytePlanes planes_;
  ByteRuns high_runs_;
  // The lowest planes are written row by row as literals, the rest as runs.
  std::size_t literal_planes_ = 0;
  LiteralBlock literal_blocks_[2];
  RunBlock run_block_;
  std::vector<std::uint8_t> out_;
};

// Only deflate, for int8, whose shuffle changes nothing.
class Int8ChunkEncoder final : public ChunkEncoder {
 public:
  std::span<const std::byte> encode(std::span<const std::byte> chunk, std::size_t row_length) override;
  void forget() override { run_block_.forget(); }

 private:
  ByteRuns runs_;
  RunBlock run_block_;
  std::vector<std::uint8_t> out_;
};

// Deflate by zlib, as HDF5's own filter does it: for the layout `reference`.
class ZlibChunkEncoder final : public ChunkEncoder {
 public:
  explicit ZlibChunkEncoder(int level) : level_(level) {}
  std::span<const std::byte> encode(std::span<const std::byte> chunk, std::size_t row_length) override;
  void forget() override {}

 private:
  int level_;
  std::vector<std::uint8_t> out_;
};

}  // namespace bertprep
