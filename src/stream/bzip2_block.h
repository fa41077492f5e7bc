// Bzip2Block: one block of a bzip2 file, decoded (stream/bzip2) and checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "stream/bzip2/block_decoder.h"
#include "stream/bzip2_frame.h"
#include "stream/bzip2_libbz2.h"

namespace bertprep {

// RunExpansion: undoes the first step of bzip2, where four equal bytes are followed by the number of further ones.
class RunExpansion {
 public:
  // Four equal bytes and 255 more: up to this many bytes may be written beyond `room`.
  static constexpr std::size_t kSlackBytes = 272;

  explicit RunExpansion(std::span<const std::uint8_t> packed) : packed_(packed) {}

  // Writes at least `room` bytes to `out`, or all that remain, and returns their number.
  std::size_t expand(char* out, std::size_t room);
  bool is_at_end() const { return at_ == packed_.size(); }
  // The last run lacks its count.
  bool is_truncated() const { return is_truncated_; }

 private:
  std::span<const std::uint8_t> packed_;
  std::size_t at_ = 0;
  bool is_truncated_ = false;
};

// The checksum of bzip2: CRC-32 of IEEE 802.3, most significant bit first. `crc` is that of the preceding bytes, or 0.
std::uint32_t bzip2_checksum(std::uint32_t crc, std::string_view bytes);

class Bzip2Block {
 public:
  // A block has at most 18,002 groups of 50 codes of 20 bits and some tables.
  static constexpr std::uint64_t kMaxBytes = 18'002ULL * 50 * 20 / 8 + 16'384;

  // Copies the block whose mark begins at bit `first_bit` (0 to 7) of `bytes` and which ends before bit `end_bit`.
  void set(std::string_view bytes, unsigned first_bit, std::uint64_t end_bit);
  // Decodes the block set before. No other call may use `decoder` meanwhile.
  void decode(Bzip2Decoder& decoder);

  Bzip2State state() const { return state_; }
  std::uint32_t checksum() const { return frame_.checksum(); }  // as stored in the block
  // Of an undamaged block: its length, including the mark.
  std::uint64_t bits() const { return bits_; }
  // The decoded bytes in pieces of at most 2 MB, empty after the last; not for a damaged block. A block of long runs
  // has up to 46 MB, so runs are expanded piece by piece.
  std::string_view next_piece();

 private:
  bool expand(std::span<const std::uint8_t> packed);
  char* buffer();

  Bzip2Frame frame_;
  bool is_set_ = false;
  Bzip2State state_ = Bzip2State::kDamaged;
  std::uint64_t bits_ = 0;
  std::unique_ptr<char[]> buffer_;
  std::size_t kept_bytes_ = 0;              // in the buffer, if it holds the whole block
  std::unique_ptr<std::uint8_t[]> packed_;  // of a block that does not fit into the buffer
  RunExpansion rest_{{}};                   // of that block
  std::unique_ptr<Libbz2Block> libbz2_;     // null until it is needed
  bool is_of_libbz2_ = false;
  bool is_served_ = false;
};

}  // namespace bertprep
