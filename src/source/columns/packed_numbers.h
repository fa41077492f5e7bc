// Numbers in the pages of Parquet and the batches of Arrow: levels and places in dictionaries, integers and lengths.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bertprep {

// Little-endian, of at most 8 bytes.
inline std::uint64_t number_in(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << 8 * i;
  return value;
}

// The first `count` of `bytes`, which are removed from them. Throws FormatError that names no place if there are fewer.
std::string_view take_bytes(std::string_view& bytes, std::uint64_t count);

// HybridReader: runs of one number, and groups of eight packed bit by bit.
class HybridReader {
 public:
  HybridReader() = default;
  // Numbers of `width` bits, at most 32.
  HybridReader(std::string_view bytes, unsigned width) : bytes_(bytes), width_(width) {}

  // Throws FormatError that names no place if the bytes end.
  std::uint32_t next();

 private:
  void begin_run();

  std::string_view bytes_;  // after the run
  unsigned width_ = 0;
  std::uint64_t left_ = 0;  // of the run
  bool is_packed_ = false;
  std::uint32_t value_ = 0;  // of a run of one number
  std::string_view packed_;
  std::uint64_t bit_ = 0;  // of packed_
};

// DeltaReader: integers as differences (DELTA_BINARY_PACKED).
class DeltaReader {
 public:
  DeltaReader() = default;
  // Throws FormatError that names no place, as next() does: the bytes end, or make no sense.
  explicit DeltaReader(std::string_view bytes);

  // How many integers there are, and are left.
  std::uint64_t left() const { return left_; }
  // Requires left() > 0.
  std::int64_t next();

  // What follows the integers. They must not have been read.
  std::string_view rest() const;

 private:
  void begin_block();
  void begin_miniblock();

  std::string_view bytes_;
  std::uint64_t miniblocks_ = 0;  // a block
  std::uint64_t miniblock_values_ = 0;
  std::uint64_t left_ = 0;
  std::uint64_t value_ = 0;  // the next one
  bool is_first_ = true;
  std::uint64_t least_ = 0;  // difference in the block
  std::string_view widths_;  // of the miniblocks to come in the block
  std::string_view packed_;  // the miniblock
  unsigned width_ = 0;
  std::uint64_t in_miniblock_ = 0;  // values left
  std::uint64_t bit_ = 0;
};

}  // namespace bertprep
