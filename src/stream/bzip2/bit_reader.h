// BitReader: reads numbers of a few bits, most significant bit first, as bzip2 packs them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace bertprep {

class BitReader {
 public:
  // Up to this many bytes after the last bit may be read. Callers must check position() at least once every
  // kMaxUncheckedBits bits, and stop after the end.
  static constexpr std::size_t kSlackBytes = 512;
  static constexpr std::uint64_t kMaxUncheckedBits = 2048;
  static constexpr unsigned kFilledBits = 56;

  BitReader(const char* bytes, std::uint64_t first_bit) : bytes_(bytes), next_(bytes + first_bit / 8) {
    fill();
    drop(static_cast<unsigned>(first_bit % 8));
  }

  // Makes the next kFilledBits bits ready.
  void fill() {
    std::uint64_t word = 0;
    std::memcpy(&word, next_, sizeof(word));
    if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
    ready_ |= word >> ready_bits_;
    next_ += (63 - ready_bits_) / 8;
    ready_bits_ |= 56U;
  }
  // The next `count` of the ready bits, 1 to kFilledBits.
  std::uint64_t peek(unsigned count) const { return ready_ >> (64 - count); }
  void drop(unsigned count) {
    ready_ <<= count;
    ready_bits_ -= count;
  }
  std::uint64_t take(unsigned count) {
    fill();
    const std::uint64_t value = peek(count);
    drop(count);
    return value;
  }

  // The index of the next bit in `bytes`.
  std::uint64_t position() const { return static_cast<std::uint64_t>(next_ - bytes_) * 8 - ready_bits_; }

 private:
  const char* bytes_;
  const char* next_;         // the byte after the ready ones
  std::uint64_t ready_ = 0;  // from the top
  unsigned ready_bits_ = 0;
};

}  // namespace bertprep
