// ChunkEncoder: one chunk of a dataset -> the bytes that HDF5's filters would have made of it.
//
// The encoders of the layout `rows` are our own, for two reasons. Their output is the same on every machine,
// while libraries that choose their code by processor don't promise that. And they know the data: ids have no
// repetitions worth a search once their bytes are split into planes, padding and 0/1 arrays are nothing but
// runs. So they write literals and runs with one Huffman code a dataset, learnt from its first chunk, at some
// 3 GB/s where zlib at level 4 makes 0.09, and smaller. What comes out is an ordinary zlib stream (RFC 1950,
// 1951) that any inflate reads. They are correct for all values, and at their best for those that shards
// hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "shard/deflate/byte_planes.h"
#include "shard/deflate/byte_runs.h"
#include "shard/deflate/literal_block.h"

namespace bertprep {

class ChunkEncoder {
 public:
  virtual ~ChunkEncoder() = default;
  // `chunk` holds whole rows of `row_length` elements, as they stand in memory. The result lives until the
  // next call. What comes out depends on the chunks since forget(), in their order, and nothing else.
  virtual std::span<const std::byte> encode(std::span<const std::byte> chunk, std::size_t row_length) = 0;
  // Starts anew, for another file; memory is kept.
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

// Deflate alone for int8, whose shuffle changes nothing.
class Int8ChunkEncoder final : public ChunkEncoder {
 public:
  std::span<const std::byte> encode(std::span<const std::byte> chunk, std::size_t row_length) override;
  void forget() override { run_block_ = {}; }

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
