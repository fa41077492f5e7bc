// ByteClasses: the classes that the tokenizer distinguishes, for 64 bytes of text, one bit per byte.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace bertprep {

struct ByteClasses {
  static constexpr std::size_t kBytes = 64;

  std::uint64_t letters = 0;   // ASCII letters and digits
  std::uint64_t spaces = 0;    // blank, TAB, LF, CR
  std::uint64_t odd = 0;       // controls and everything beyond ASCII
  std::uint64_t brackets = 0;  // [

  // The rest: ASCII punctuation, including brackets.
  std::uint64_t punctuation() const { return ~(letters | spaces | odd); }

  bool operator==(const ByteClasses&) const = default;
};

// Of the 64 bytes at `bytes`, for any processor.
inline ByteClasses classify_portably(const char* bytes) {
  enum : unsigned char { kPunctuation = 0, kLetter = 1, kSpace = 2, kOdd = 4, kBracket = 8 };
  static constexpr auto kClassOf = [] {
    std::array<unsigned char, 256> classes{};
    for (unsigned c = 0; c < 256; ++c) {
      const bool letter = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
      const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
      classes[c] = letter                               ? kLetter
                   : space                              ? kSpace
                   : c < 0x20 || c == 0x7F || c >= 0x80 ? kOdd
                   : c == '['                           ? kBracket
                                                        : kPunctuation;
    }
    return classes;
  }();
  ByteClasses classes;
  for (std::size_t i = 0; i < ByteClasses::kBytes; ++i) {
    const std::uint64_t of = kClassOf[static_cast<unsigned char>(bytes[i])];
    classes.letters |= (of & 1) << i;
    classes.spaces |= (of >> 1 & 1) << i;
    classes.odd |= (of >> 2 & 1) << i;
    classes.brackets |= (of >> 3 & 1) << i;
  }
  return classes;
}

#if defined(__SSE2__)
inline ByteClasses classify(const char* bytes) {
  const auto within = [](__m128i v, char first, char last) {
    const __m128i shifted = _mm_sub_epi8(v, _mm_set1_epi8(first));
    return _mm_cmpeq_epi8(_mm_min_epu8(shifted, _mm_set1_epi8(static_cast<char>(last - first))), shifted);
  };
  const auto equals = [](__m128i v, char c) { return _mm_cmpeq_epi8(v, _mm_set1_epi8(c)); };
  const auto bits = [](__m128i v, std::size_t at) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(v))) << at;
  };
  ByteClasses classes;
  for (std::size_t at = 0; at < ByteClasses::kBytes; at += 16) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + at));
    const __m128i small = _mm_or_si128(v, _mm_set1_epi8(0x20));
    const __m128i letters = _mm_or_si128(within(small, 'a', 'z'), within(v, '0', '9'));
    const __m128i spaces = _mm_or_si128(equals(v, ' '), _mm_or_si128(within(v, '\t', '\n'), equals(v, '\r')));
    // As signed numbers, controls and bytes beyond ASCII are below the blank.
    const __m128i low = _mm_or_si128(_mm_cmplt_epi8(v, _mm_set1_epi8(' ')), equals(v, 0x7F));
    classes.letters |= bits(letters, at);
    classes.spaces |= bits(spaces, at);
    classes.odd |= bits(_mm_andnot_si128(spaces, low), at);
    classes.brackets |= bits(equals(v, '['), at);
  }
  return classes;
}
#else
inline ByteClasses classify(const char* bytes) {
  return classify_portably(bytes);
}
#endif

}  // namespace bertprep
