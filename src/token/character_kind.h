// What the cleaning of a text does with a character.
#pragma once

#include "text/unicode.h"

namespace bertprep {

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

}  // namespace bertprep
