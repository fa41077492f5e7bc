// Bzip2Frame: the bits of one block of a bzip2 file, and behind them the end of a stream, as if it were the only block.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bertprep {

// What became of a block.
enum class Bzip2State {
  kWhole,       // decoded, its checksum is right, and it ends where it was said to end
  kWithoutEnd,  // decoded, its checksum is right, but something else than the next mark follows it
  kDamaged,
};

class Bzip2Frame {
 public:
  // Copies the block whose mark begins at bit `first_bit` (0 to 7) of `bytes` and which ends before bit `end_bit`.
  // False when that is too short for a block, or not all there: what seemed to be a mark stands in a block that was
  // read, and its bytes were given up.
  bool set(std::string_view bytes, unsigned first_bit, std::uint64_t end_bit);

  // From the mark on; behind end_of_stream() are BitReader::kSlackBytes zeros.
  const char* bytes() const { return bytes_.data(); }
  unsigned first_bit() const { return first_bit_; }
  std::uint64_t end_bit() const { return end_bit_; }              // of the block
  std::uint64_t end_of_stream() const { return end_of_stream_; }  // with the mark and checksum of its end
  std::uint32_t checksum() const { return checksum_; }            // as the block says it
  // As a file of its own.
  std::string as_file() const;

 private:
  void put_bits(std::uint64_t bit, std::uint64_t value, unsigned count);

  std::string bytes_;
  unsigned first_bit_ = 0;
  std::uint64_t end_bit_ = 0;
  std::uint64_t end_of_stream_ = 0;
  std::uint32_t checksum_ = 0;
};

}  // namespace bertprep
