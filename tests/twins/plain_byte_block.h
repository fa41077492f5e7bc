// ByteBlock byte by byte.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace bertprep::test {

// 16 bytes, or 16 answers to a question about them: all bits of a byte for yes, none for no.
class PlainByteBlock {
 public:
  static constexpr std::size_t kBytes = 16;
  // Bits of answers() per byte.
  static constexpr unsigned kAnswerBits = 1;

  static PlainByteBlock load(const char* bytes) {
    PlainByteBlock block;
    std::memcpy(block.bytes_.data(), bytes, kBytes);
    return block;
  }
  PlainByteBlock operator==(char c) const {
    return each([c](unsigned char a, unsigned char) { return a == static_cast<unsigned char>(c) ? 0xFF : 0; }, *this);
  }
  PlainByteBlock operator==(PlainByteBlock other) const {
    return each([](unsigned char a, unsigned char b) { return a == b ? 0xFF : 0; }, other);
  }
  PlainByteBlock operator&(char c) const {
    return each([c](unsigned char a, unsigned char) { return a & static_cast<unsigned char>(c); }, *this);
  }
  PlainByteBlock operator&(PlainByteBlock other) const {
    return each([](unsigned char a, unsigned char b) { return a & b; }, other);
  }
  PlainByteBlock operator|(char c) const {
    return each([c](unsigned char a, unsigned char) { return a | static_cast<unsigned char>(c); }, *this);
  }
  PlainByteBlock operator|(PlainByteBlock other) const {
    return each([](unsigned char a, unsigned char b) { return a | b; }, other);
  }
  PlainByteBlock without(PlainByteBlock other) const {
    return each([](unsigned char a, unsigned char b) { return a & ~b; }, other);
  }
  // Compare bytes as unsigned numbers.
  PlainByteBlock at_most(char c) const {
    return each([c](unsigned char a, unsigned char) { return a <= static_cast<unsigned char>(c) ? 0xFF : 0; }, *this);
  }
  PlainByteBlock within(char first, char last) const {
    const auto is_within = [first, last](unsigned char a, unsigned char) {
      return a >= static_cast<unsigned char>(first) && a <= static_cast<unsigned char>(last) ? 0xFF : 0;
    };
    return each(is_within, *this);
  }
  // kAnswerBits equal bits per byte, the lowest for the first byte.
  std::uint64_t answers() const {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < kBytes; ++i) bits |= static_cast<std::uint64_t>(bytes_[i] >> 7) << i;
    return bits;
  }
  // One bit per byte of four blocks of answers.
  static std::uint64_t answers_of(PlainByteBlock a, PlainByteBlock b, PlainByteBlock c, PlainByteBlock d) {
    return a.answers() | b.answers() << 16 | c.answers() << 32 | d.answers() << 48;
  }

 private:
  template <typename Operation>
  PlainByteBlock each(Operation operation, const PlainByteBlock& other) const {
    PlainByteBlock result;
    for (std::size_t i = 0; i < kBytes; ++i) {
      result.bytes_[i] = static_cast<unsigned char>(operation(bytes_[i], other.bytes_[i]));
    }
    return result;
  }

  std::array<unsigned char, kBytes> bytes_;
};

}  // namespace bertprep::test
