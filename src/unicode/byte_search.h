// Searches for bytes, 16 at a time: most of a text is prose that a stage leaves unchanged. ByteBlock: these 16, as a
// vector of the compiler's.
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
class ByteBlock {
 public:
  static constexpr std::size_t kBytes = 16;
  // Bits of answers() per byte.
#if defined(__aarch64__)
  static constexpr unsigned kAnswerBits = 4;
#else
  static constexpr unsigned kAnswerBits = 1;
#endif

  static ByteBlock load(const char* bytes) {
    Vector vector;
    std::memcpy(&vector, bytes, kBytes);
    return ByteBlock(vector);
  }
  ByteBlock operator==(char c) const {
    return *this == all(c);
  }
  ByteBlock operator==(ByteBlock other) const {
    return ByteBlock(reinterpret_cast<Vector>(bytes_ == other.bytes_));
  }
  ByteBlock operator&(char c) const {
    return *this & all(c);
  }
  ByteBlock operator&(ByteBlock other) const {
    return ByteBlock(bytes_ & other.bytes_);
  }
  ByteBlock operator|(char c) const {
    return *this | all(c);
  }
  ByteBlock operator|(ByteBlock other) const {
    return ByteBlock(bytes_ | other.bytes_);
  }
  ByteBlock without(ByteBlock other) const {
    return ByteBlock(bytes_ & ~other.bytes_);
  }
  // Compare bytes as unsigned numbers.
  ByteBlock at_most(char c) const {
    return ByteBlock(reinterpret_cast<Vector>(bytes_ <= all(c).bytes_));
  }
  ByteBlock within(char first, char last) const {
    return ByteBlock(bytes_ - all(first).bytes_).at_most(static_cast<char>(last - first));
  }
  // kAnswerBits equal bits per byte, the lowest for the first byte.
  std::uint64_t answers() const {
#if defined(__SSE2__)
    return static_cast<std::uint32_t>(_mm_movemask_epi8(reinterpret_cast<__m128i>(bytes_)));
#elif defined(__aarch64__)
    // There is no instruction for one bit per byte; half of every byte is one narrowing shift.
    return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(reinterpret_cast<uint16x8_t>(bytes_), 4)), 0);
#else
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < kBytes; ++i) bits |= static_cast<std::uint64_t>(bytes_[i] >> 7) << i;
    return bits;
#endif
  }
  // One bit per byte of four blocks of answers.
  static std::uint64_t answers_of(ByteBlock a, ByteBlock b, ByteBlock c, ByteBlock d) {
#if defined(__aarch64__)
    // Each byte keeps the bit of its place among eight, and neighbours are added until eight bytes are one.
    const uint8x16_t place = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201U));
    const uint8x16_t ab = vpaddq_u8(a.bytes_ & place, b.bytes_ & place);
    const uint8x16_t cd = vpaddq_u8(c.bytes_ & place, d.bytes_ & place);
    const uint8x16_t all_four = vpaddq_u8(ab, cd);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all_four, all_four)), 0);
#else
    return a.answers() | b.answers() << 16 | c.answers() << 32 | d.answers() << 48;
#endif
  }

 private:
  using Vector = std::uint8_t __attribute__((vector_size(kBytes)));

  explicit ByteBlock(Vector bytes) : bytes_(bytes) {}
  static ByteBlock all(char c) {
    return ByteBlock(Vector{} | static_cast<std::uint8_t>(c));
  }

  Vector bytes_;
};

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
