// Inflater: reads zlib streams (RFC 1950, 1951), several times as fast as zlib those that ChunkEncoder writes.
//
// It takes what is sound beyond doubt. Whatever it refuses is for HDF5 and zlib to read, or to name what is wrong with
// it: nothing that they refuse comes out of here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "shard/bit_reader.h"
#include "shard/inflate_code.h"

namespace bertprep {

class Inflater {
 public:
  static constexpr std::size_t kInputSlackBytes = BitReader::kSlackBytes;

  // Decodes `stream`, behind which kInputSlackBytes more may be read, into `size` bytes, which live until the next
  // call. No bytes when it is damaged, holds more or less, or is no such stream. `size` is above 0.
  std::span<const std::uint8_t> inflate(std::span<const std::uint8_t> stream, std::size_t size);

 private:
  using CodeLengths = std::array<std::uint8_t, kMaxCodeSymbols + 32>;
  struct BlockCodes {
    CodeLengths lengths{};  // of literals, then of distances
    std::size_t literals_sent = 0;
    InflateCode<kLiteralAlphabet> literals;
    InflateCode<kDistanceAlphabet> distances;
  };
  // Blocks of a stream from the start whose codes are kept for the next one.
  static constexpr std::size_t kMaxCodes = 4;

  bool read_blocks(BitReader& reader);
  BlockCodes& codes_of(std::size_t block);
  bool read_stored(BitReader& reader);
  bool read_codes(BitReader& reader, BlockCodes& codes);
  bool take_fixed_codes(BlockCodes& codes);
  bool take_codes(const CodeLengths& lengths, std::size_t literals, std::size_t all, BlockCodes& codes);
  bool read_symbols(BitReader& reader, const BlockCodes& codes);

  InflateCode<kLengthAlphabet> lengths_;
  std::vector<std::unique_ptr<BlockCodes>> codes_;
  std::vector<std::uint8_t> bytes_;  // with some to spare
  std::size_t size_ = 0;
  std::size_t done_ = 0;
};

}  // namespace bertprep
