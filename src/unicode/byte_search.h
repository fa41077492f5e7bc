// Searches for bytes, 16 at a time: most of a text is prose that a stage leaves unchanged. ByteBlock: these 16, for
// processors with vector instructions, and for all others.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace bertprep {

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

#if defined(__SSE2__)

class ByteBlock {
 public:
  static constexpr std::size_t kBytes = 16;
  static constexpr unsigned kAnswerBits = 1;

  static ByteBlock load(const char* bytes) {
    return ByteBlock(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
  }
  ByteBlock operator==(char c) const { return *this == all(c); }
  ByteBlock operator==(ByteBlock other) const { return ByteBlock(_mm_cmpeq_epi8(bytes_, other.bytes_)); }
  ByteBlock operator&(char c) const { return *this & all(c); }
  ByteBlock operator&(ByteBlock other) const { return ByteBlock(_mm_and_si128(bytes_, other.bytes_)); }
  ByteBlock operator|(char c) const { return *this | all(c); }
  ByteBlock operator|(ByteBlock other) const { return ByteBlock(_mm_or_si128(bytes_, other.bytes_)); }
  ByteBlock without(ByteBlock other) const { return ByteBlock(_mm_andnot_si128(other.bytes_, bytes_)); }
  ByteBlock at_most(char c) const { return *this == ByteBlock(_mm_min_epu8(bytes_, all(c).bytes_)); }
  ByteBlock within(char first, char last) const {
    return ByteBlock(_mm_sub_epi8(bytes_, all(first).bytes_)).at_most(static_cast<char>(last - first));
  }
  std::uint64_t answers() const { return static_cast<std::uint32_t>(_mm_movemask_epi8(bytes_)); }
  static std::uint64_t answers_of(ByteBlock a, ByteBlock b, ByteBlock c, ByteBlock d) {
    return a.answers() | b.answers() << 16 | c.answers() << 32 | d.answers() << 48;
  }

 private:
  explicit ByteBlock(__m128i bytes) : bytes_(bytes) {}
  static ByteBlock all(char c) { return ByteBlock(_mm_set1_epi8(c)); }

  __m128i bytes_;
};

#elif defined(__aarch64__)

class ByteBlock {
 public:
  static constexpr std::size_t kBytes = 16;
  static constexpr unsigned kAnswerBits = 4;

  static ByteBlock load(const char* bytes) { return ByteBlock(vld1q_u8(reinterpret_cast<const std::uint8_t*>(bytes))); }
  ByteBlock operator==(char c) const { return *this == all(c); }
  ByteBlock operator==(ByteBlock other) const { return ByteBlock(vceqq_u8(bytes_, other.bytes_)); }
  ByteBlock operator&(char c) const { return *this & all(c); }
  ByteBlock operator&(ByteBlock other) const { return ByteBlock(vandq_u8(bytes_, other.bytes_)); }
  ByteBlock operator|(char c) const { return *this | all(c); }
  ByteBlock operator|(ByteBlock other) const { return ByteBlock(vorrq_u8(bytes_, other.bytes_)); }
  ByteBlock without(ByteBlock other) const { return ByteBlock(vbicq_u8(bytes_, other.bytes_)); }
  ByteBlock at_most(char c) const { return ByteBlock(vcleq_u8(bytes_, all(c).bytes_)); }
  ByteBlock within(char first, char last) const {
    return ByteBlock(vsubq_u8(bytes_, all(first).bytes_)).at_most(static_cast<char>(last - first));
  }
  // There is no instruction for one bit per byte; half of every byte is one narrowing shift.
  std::uint64_t answers() const {
    return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(bytes_), 4)), 0);
  }
  // Each byte keeps the bit of its place among eight, and neighbours are added until eight bytes are one.
  static std::uint64_t answers_of(ByteBlock a, ByteBlock b, ByteBlock c, ByteBlock d) {
    const uint8x16_t place = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201U));
    const uint8x16_t ab = vpaddq_u8(vandq_u8(a.bytes_, place), vandq_u8(b.bytes_, place));
    const uint8x16_t cd = vpaddq_u8(vandq_u8(c.bytes_, place), vandq_u8(d.bytes_, place));
    const uint8x16_t all_four = vpaddq_u8(ab, cd);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all_four, all_four)), 0);
  }

 private:
  explicit ByteBlock(uint8x16_t bytes) : bytes_(bytes) {}
  static ByteBlock all(char c) { return ByteBlock(vdupq_n_u8(static_cast<std::uint8_t>(c))); }

  uint8x16_t bytes_;
};

#else

using ByteBlock = PlainByteBlock;

#endif

// The first position from `from` on where `asks(here, next)` answers yes, or npos. `next` is `here` shifted by one
// byte. The text is padded with NULs, where no position is found.
template <typename Question>
std::size_t find_bytes(std::string_view text, std::size_t from, Question asks) {
  const auto place = [&](const char* bytes) {
    return asks(ByteBlock::load(bytes), ByteBlock::load(bytes + 1)).answers();
  };
  const auto first = [](std::uint64_t answers) {
    return static_cast<unsigned>(std::countr_zero(answers)) / ByteBlock::kAnswerBits;
  };
  for (; from + ByteBlock::kBytes < text.size(); from += ByteBlock::kBytes) {
    const std::uint64_t answers = place(text.data() + from);
    if (answers != 0) return from + first(answers);
  }
  if (from >= text.size()) return std::string_view::npos;
  std::array<char, 2 * ByteBlock::kBytes + 1> rest{};
  std::memcpy(rest.data(), text.data() + from, text.size() - from);
  const std::uint64_t answers = place(rest.data());
  if (answers == 0 || first(answers) >= text.size() - from) return std::string_view::npos;
  return from + first(answers);
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
