// Searches for bytes, 16 at a time: most of a text is prose that a stage leaves unchanged.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace bertprep {

// 16 bytes, or 16 answers to a question about them.
class ByteBlock {
 public:
  static constexpr std::size_t kBytes = 16;

#if defined(__SSE2__)
  static ByteBlock load(const char* bytes) {
    return ByteBlock(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
  }
  ByteBlock operator==(char c) const {
    return ByteBlock(_mm_cmpeq_epi8(bytes_, _mm_set1_epi8(c)));
  }
  ByteBlock operator==(ByteBlock other) const {
    return ByteBlock(_mm_cmpeq_epi8(bytes_, other.bytes_));
  }
  ByteBlock operator&(ByteBlock other) const {
    return ByteBlock(_mm_and_si128(bytes_, other.bytes_));
  }
  ByteBlock operator|(ByteBlock other) const {
    return ByteBlock(_mm_or_si128(bytes_, other.bytes_));
  }
  ByteBlock without(ByteBlock other) const {
    return ByteBlock(_mm_andnot_si128(other.bytes_, bytes_));
  }
  // Compares bytes as unsigned numbers.
  ByteBlock at_most(char c) const {
    return *this == ByteBlock(_mm_min_epu8(bytes_, _mm_set1_epi8(c)));
  }
  // One bit per byte, the lowest for the first byte.
  std::uint32_t answers() const {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(bytes_));
  }

 private:
  explicit ByteBlock(__m128i bytes) : bytes_(bytes) {}

  __m128i bytes_;
#else
  static ByteBlock load(const char* bytes) {
    ByteBlock block;
    std::memcpy(block.bytes_.data(), bytes, kBytes);
    return block;
  }
  ByteBlock operator==(char c) const {
    return each([c](unsigned char a, unsigned char) { return a == static_cast<unsigned char>(c) ? 0xFF : 0; }, *this);
  }
  ByteBlock operator==(ByteBlock other) const {
    return each([](unsigned char a, unsigned char b) { return a == b ? 0xFF : 0; }, other);
  }
  ByteBlock operator&(ByteBlock other) const {
    return each([](unsigned char a, unsigned char b) { return a & b; }, other);
  }
  ByteBlock operator|(ByteBlock other) const {
    return each([](unsigned char a, unsigned char b) { return a | b; }, other);
  }
  ByteBlock without(ByteBlock other) const {
    return each([](unsigned char a, unsigned char b) { return a & ~b; }, other);
  }
  ByteBlock at_most(char c) const {
    return each([c](unsigned char a, unsigned char) { return a <= static_cast<unsigned char>(c) ? 0xFF : 0; }, *this);
  }
  std::uint32_t answers() const {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < kBytes; ++i) bits |= static_cast<std::uint32_t>(bytes_[i] >> 7) << i;
    return bits;
  }

 private:
  template <typename Operation>
  ByteBlock each(Operation operation, const ByteBlock& other) const {
    ByteBlock result;
    for (std::size_t i = 0; i < kBytes; ++i) {
      result.bytes_[i] = static_cast<unsigned char>(operation(bytes_[i], other.bytes_[i]));
    }
    return result;
  }

  std::array<unsigned char, kBytes> bytes_;
#endif
};

// The first position from `from` on where `asks(here, next)` answers yes, or npos. `next` is `here` shifted by one
// byte. The text is padded with NULs, where no position is found.
template <typename Question>
std::size_t find_bytes(std::string_view text, std::size_t from, Question asks) {
  const auto place = [&](const char* bytes) {
    return asks(ByteBlock::load(bytes), ByteBlock::load(bytes + 1)).answers();
  };
  for (; from + ByteBlock::kBytes < text.size(); from += ByteBlock::kBytes) {
    const std::uint32_t answers = place(text.data() + from);
    if (answers != 0) return from + static_cast<std::size_t>(std::countr_zero(answers));
  }
  if (from >= text.size()) return std::string_view::npos;
  std::array<char, 2 * ByteBlock::kBytes + 1> rest{};
  std::memcpy(rest.data(), text.data() + from, text.size() - from);
  const std::uint32_t answers = place(rest.data()) & ((1U << (text.size() - from)) - 1);
  if (answers == 0) return std::string_view::npos;
  return from + static_cast<std::size_t>(std::countr_zero(answers));
}

// text.find() for one byte, and the like for two in a row (neither of them NUL).
inline std::size_t find_byte(std::string_view text, char c, std::size_t from = 0) {
  return text.find(c, from);
}
inline std::size_t find_pair(std::string_view text, char first, char second, std::size_t from = 0) {
  return find_bytes(text, from, [=](ByteBlock here, ByteBlock next) { return (here == first) & (next == second); });
}

// text.find_first_of() for few bytes.
template <char... kBytes>
std::size_t find_any(std::string_view text, std::size_t from = 0) {
  return find_bytes(text, from, [](ByteBlock here, ByteBlock) { return (... | (here == kBytes)); });
}

}  // namespace bertprep
