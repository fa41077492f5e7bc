// Bzip2Frame: the bits of one block of a bzip2 file, followed by the end of a stream, as if it were the only block.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bertprep {

// The outcome of decoding a block.
enum class Bzip2State {
  kComplete,    // decoded, its checksum is right, and it ends at the expected bit
  kWithoutEnd,  // decoded, its checksum is right, but not followed by the next mark
  kDamaged,
};

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

}  // namespace bertprep
