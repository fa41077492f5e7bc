// The words of one white-space token, by the simple algorithm: used by basic_tokens(), and for tokens whose characters
// can't be normalized one by one.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/token/tokenizer.h"
#include "token/huggingface/wordpiece_files.h"
#include "unicode/code_points.h"
#include "unicode/properties/properties.h"

namespace bertprep {

// A white-space token that equals a special piece stays whole.
inline bool is_special_piece(std::string_view token) {
  return std::ranges::find(kBertPieces, token) != kBertPieces.end();
}
inline bool starts_with_special_piece(std::string_view text) {
  return std::ranges::any_of(kBertPieces, [&](std::string_view piece) { return text.starts_with(piece); });
}

// How the cleaning of a text treats a character.
enum class CharacterKind { Dropped, Space, Cjk, Other };

// Controls are dropped without splitting a word, except the three that are white space; U+FFFD counts as a control. The
// reference's cleaning keeps line and paragraph separators, and its split at white space then drops them.
inline CharacterKind character_kind(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return CharacterKind::Space;
  if (c == 0xFFFD || unicode::is_control(c)) return CharacterKind::Dropped;
  if (unicode::is_space(c)) return CharacterKind::Space;
  return unicode::is_cjk(c) ? CharacterKind::Cjk : CharacterKind::Other;
}

Normalization normalization_of(const TokenizerOptions& options);

// The values of options for AccentStripping, in its order.
inline constexpr std::string_view kAccentChoices = "auto|yes|no";
inline constexpr std::string_view kAutomaticAccents = "auto";

// Lower-cases, and decomposes and strips nonspacing marks, according to `normalization`.
std::u32string normalize(std::u32string_view token, Normalization normalization);

// Appends the words of `token` (cleaned, without white space) to `words`: the token itself if it is a special piece,
// otherwise its normalized text split around every punctuation character.
void append_words(std::u32string_view token, Normalization normalization, std::vector<std::string>& words);

}  // namespace bertprep
