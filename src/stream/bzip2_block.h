// Bzip2Block: one block of a bzip2 file, decoded (stream/bzip2, or libbz2) and checked.
#pragma once

#include <string_view>

#include "base/library_version.h"
#include "stream/bzip2/block_decoder.h"

namespace bertprep {

// The outcome of decoding a block.
enum class Bzip2State {
  kComplete,    // decoded, its checksum is right, and it ends at the expected bit
  kWithoutEnd,  // decoded, its checksum is right, but not followed by the next mark
  kDamaged,
};

// Bzip2Frame: the bits of one block of a bzip2 file, followed by the end of a stream, as if it were the only block.
class Bzip2Frame {
 public:
  // Copies the block whose mark begins at bit `first_bit` (0 to 7) of `bytes` and which ends before bit `end_bit`.
  // False if that is too short for a block, or if bytes were released because the apparent mark is inside a block that
  // was read.
  bool set(std::string_view bytes, unsigned first_bit, std::uint64_t end_bit);

  // From the mark on; followed, after end_of_stream(), by BitReader::kSlackBytes zero bytes.
  const char* bytes() const { return bytes_.data(); }
  unsigned first_bit() const { return first_bit_; }
  std::uint64_t end_bit() const { return end_bit_; }              // of the block
  std::uint64_t end_of_stream() const { return end_of_stream_; }  // including the mark and checksum of the end
  std::uint32_t checksum() const { return checksum_; }            // as stored in the block
  // As a separate file.
  std::string as_file() const;

 private:
  void put_bits(std::uint64_t bit, std::uint64_t value, unsigned count);

  std::string bytes_;
  unsigned first_bit_ = 0;
  std::uint64_t end_bit_ = 0;
  std::uint64_t end_of_stream_ = 0;
  std::uint32_t checksum_ = 0;
};

LibraryVersion version_of_bzip2();

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
  Bzip2Block();
  ~Bzip2Block();

  // A block has at most 18,002 groups of 50 codes of 20 bits and some tables.
  static constexpr std::uint64_t kMaxBytes = 18'002ULL * 50 * 20 / 8 + 16'384;

  // Copies the block whose mark begins at bit `first_bit` (0 to 7) of `bytes` and which ends before bit `end_bit`.
  void set(std::string_view bytes, unsigned first_bit, std::uint64_t end_bit);
  // Decodes the block set before. No other call may use `decoder` meanwhile. libbz2 decodes randomized blocks, which
  // stream/bzip2 does not, and all if `decoder` is null or the build has BERTPREP_LIBBZ2.
  void decode(Bzip2Decoder* decoder);

  Bzip2State state() const { return state_; }
  std::uint32_t checksum() const { return frame_.checksum(); }  // as stored in the block
  // Of an undamaged block: its length, including the mark; by libbz2 up to 7 less for one without an end.
  std::uint64_t bits() const { return bits_; }
  // The decoded bytes in pieces of at most 2 MB, empty after the last; not for a damaged block. A block of long runs
  // has up to 46 MB, so runs are expanded piece by piece.
  std::string_view next_piece();

 private:
  class Libbz2;

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
  std::unique_ptr<Libbz2> libbz2_;          // null until it is needed
  bool is_of_libbz2_ = false;
  bool is_served_ = false;
};

}  // namespace bertprep
