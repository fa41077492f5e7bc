// The words of one white-space token, the plain way: what basic_tokens() is made of, and the tokenizer's
// answer to tokens whose characters can't be folded one by one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/token/vocab.h"
#include "unicode/properties/properties.h"
#include "unicode/white_space.h"

namespace bertprep {

// The special pieces that a text may spell out: a white-space token that is exactly one of them stays whole.
inline constexpr std::string_view kSpecialPieces[] = {"[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"};

inline bool is_special_piece(std::string_view token) {
  for (const std::string_view piece : kSpecialPieces) {
    if (token == piece) return true;
  }
  return false;
}

inline bool starts_with_special_piece(std::string_view text) {
  for (const std::string_view piece : kSpecialPieces) {
    if (text.starts_with(piece)) return true;
  }
  return false;
}

// What the cleaning of a text does with a character.
enum class CharacterKind { Dropped, Space, Cjk, Other };

// Controls vanish without splitting a word, except the three that are white space; U+FFFD counts as a
// control. Line and paragraph separators pass the reference's cleaning, and its split at white space then
// takes them.
inline CharacterKind character_kind(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return CharacterKind::Space;
  if (c == 0xFFFD || unicode::is_control(c)) return CharacterKind::Dropped;
  if (unicode::is_space(c)) return CharacterKind::Space;
  return unicode::is_cjk(c) ? CharacterKind::Cjk : CharacterKind::Other;
}

// Lower-cased, decomposed and without nonspacing marks.
std::u32string fold(std::u32string_view token);

// Appends the words of `token` (cleaned, without white space) to `words`: the token itself when it spells a
// special piece, otherwise its folded text (only where `lower_case`) cut around every punctuation character.
void append_words(std::u32string_view token, bool lower_case, std::vector<std::string>& words);

}  // namespace bertprep
