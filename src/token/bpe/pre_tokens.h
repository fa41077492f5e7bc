// PreTokens: text cut into words by GPT-2's regular expression,
//
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
//
// implemented by hand: at each place the first alternative that matches.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "unicode/code_points.h"
#include "unicode/properties/properties.h"

namespace bertprep {

class PreTokens {
 public:
  PreTokens();

  // The end of the word that begins at `at`, which must not be `end`. The text up to `end` must be valid UTF-8.
  const char* end_of_word(const char* at, const char* end) const {
    if (*at == '\'') {
      if (const int bytes = contraction_bytes(at, end); bytes != 0) return at + bytes;
    }
    const char* const word = *at == ' ' && at + 1 != end ? at + 1 : at;
    const char* next = word;
    const Kind kind = take(next);
    if (kind != Kind::kSpace) return end_of_run(next, end, kind);
    return end_of_spaces(at, next, end);
  }

  unicode::LetterKind kind_of(char32_t c) const { return kinds_[c]; }

 private:
  using Kind = unicode::LetterKind;

  Kind take(const char*& at) const {
    const auto byte = static_cast<unsigned char>(*at);
    if (byte >= 0x80) return kinds_[unicode::next_code_point(at)];
    ++at;
    return ascii_[byte];
  }

  // Skips ASCII letters eight at a time, without a branch for each: the length of words is hard to predict.
  static const char* skip_ascii_letters(const char* at, const char* end) {
    if constexpr (std::endian::native != std::endian::little) return at;
    constexpr std::uint64_t kOnes = 0x0101010101010101U;
    while (end - at >= 8) {
      std::uint64_t bytes;
      std::memcpy(&bytes, at, sizeof bytes);
      const std::uint64_t small = (bytes & 0x7F * kOnes) | 0x20 * kOnes;
      // The highest bit of each byte: set from 'a' on; set after 'z'.
      const std::uint64_t from_a = small + (0x80 - 'a') * kOnes, above_z = small + (0x7F - 'z') * kOnes;
      const std::uint64_t others = (~from_a | above_z | bytes) & 0x80 * kOnes;
      if (others != 0) return at + std::countr_zero(others) / 8;
      at += 8;
    }
    return at;
  }

  const char* end_of_run(const char* at, const char* end, Kind kind) const {
    if (kind == Kind::kLetter) at = skip_ascii_letters(at, end);
    while (at != end) {
      const char* next = at;
      if (take(next) != kind) break;
      at = next;
    }
    return at;
  }

  // White space up to the last one before a word, which belongs to the word; a single one is a word itself.
  const char* end_of_spaces(const char* begin, const char* at, const char* end) const {
    at = end_of_run(at, end, Kind::kSpace);
    if (at == end) return end;
    const char* last = at;
    unicode::previous_code_point(last);
    return last == begin ? at : last;
  }

  static int contraction_bytes(const char* at, const char* end) {
    if (end - at < 2) return 0;
    const char second = at[1];
    if (second == 's' || second == 't' || second == 'm' || second == 'd') return 2;
    if (end - at < 3) return 0;
    const char third = at[2];
    return ((second == 'r' || second == 'v') && third == 'e') || (second == 'l' && third == 'l') ? 3 : 0;
  }

  unicode::LetterKinds kinds_;
  std::array<Kind, 0x80> ascii_;
};

inline PreTokens::PreTokens() {
  for (char32_t c = 0; c < 0x80; ++c) ascii_[c] = kinds_[c];
}

}  // namespace bertprep
