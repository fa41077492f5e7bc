// BitWriter: codes packed into bytes from the lowest bit up, as deflate (RFC 1951, 3.1.1) requires.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>

namespace bertprep {

// A code, in the order of output, and its length.
struct BitCode {
  std::uint32_t bits = 0;
  std::uint32_t count = 0;
};

class BitWriter {
 public:
  // At most this many bits in one put(): with the up to 7 pending ones they fill one word.
  static constexpr unsigned kMaxPutBits = 56;
  // put() stores whole words: this many bytes after the last one may be overwritten.
  static constexpr std::size_t kSlackBytes = 8;

  // `out` must have room for the output and kSlackBytes more.
  explicit BitWriter(std::uint8_t* out) : out_(out) {}

  // Bits of `bits` above `count` must be 0.
  void put(std::uint64_t bits, unsigned count) {
    static_assert(std::endian::native == std::endian::little, "words are stored as in memory");
    assert(count <= kMaxPutBits && (bits >> count) == 0);
    waiting_ |= bits << waiting_bits_;
    waiting_bits_ += count;
    std::memcpy(out_, &waiting_, sizeof(waiting_));
    out_ += waiting_bits_ / 8;
    waiting_ >>= waiting_bits_ & ~7U;
    waiting_bits_ &= 7U;
  }
  void put(BitCode code) { put(code.bits, code.count); }

  // Fills the last byte with zero bits and returns the end of the output.
  std::uint8_t* align() {
    if (waiting_bits_ > 0) put(0, 8 - waiting_bits_);
    return out_;
  }

 private:
  std::uint8_t* out_;
  std::uint64_t waiting_ = 0;
  unsigned waiting_bits_ = 0;
};

}  // namespace bertprep
