// PreTokens: text cut into words by GPT-2's regular expression,
//
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
//
// written out by hand: at each place the first alternative that matches.
#pragma once

#include <array>
#include <cstdint>

#include "unicode/code_points.h"
#include "unicode/properties/letter_kinds.h"

namespace bertprep {

class PreTokens {
 public:
  PreTokens();

  // The end of the word that begins at `at`, which is not `end`. The text up to `end` is valid UTF-8.
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

  const char* end_of_run(const char* at, const char* end, Kind kind) const {
    while (at != end) {
      const char* next = at;
      if (take(next) != kind) break;
      at = next;
    }
    return at;
  }

  // White space up to the last one before a word, which is the word's own; alone it is a word by itself.
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
