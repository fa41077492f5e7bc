// BitReader: takes apart what BitWriter packs, bits from the lowest of each byte up.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace bertprep {

class BitReader {
 public:
  // After refill() at least so many bits are there.
  static constexpr unsigned kBits = 56;
  // refill() loads whole words: so many bytes behind the last one must be readable. What they hold does not matter.
  static constexpr std::size_t kSlackBytes = 32;

  BitReader(const std::uint8_t* begin, const std::uint8_t* end) : next_(begin), end_(end) {}

  // Goes beyond the end without a word: ask overrun() before every second one.
  void refill() {
    static_assert(std::endian::native == std::endian::little, "words are loaded as they stand in memory");
    std::uint64_t word;
    std::memcpy(&word, next_, sizeof(word));
    waiting_ |= word << waiting_bits_;
    next_ += (63 - waiting_bits_) / 8;
    waiting_bits_ |= kBits;
  }

  std::uint64_t peek() const { return waiting_; }
  void skip(unsigned bits) {
    assert(bits <= waiting_bits_);
    waiting_ >>= bits;
    waiting_bits_ -= bits;
  }
  std::uint32_t take(unsigned bits) {
    const auto value = static_cast<std::uint32_t>(waiting_ & ((std::uint64_t{1} << bits) - 1));
    skip(bits);
    return value;
  }

  // Whether more was taken than there is.
  bool overrun() const { return next_ - waiting_bits_ / 8 > end_; }

  // Skips to the next whole byte and takes `count` of them, or nothing and no bytes where fewer are left.
  std::span<const std::uint8_t> take_bytes(std::size_t count) {
    next_ -= waiting_bits_ / 8;
    waiting_ = 0;
    waiting_bits_ = 0;
    if (next_ > end_ || static_cast<std::size_t>(end_ - next_) < count) return {};
    return {std::exchange(next_, next_ + count), count};
  }

 private:
  const std::uint8_t* next_;
  const std::uint8_t* end_;
  std::uint64_t waiting_ = 0;
  unsigned waiting_bits_ = 0;
};

}  // namespace bertprep
