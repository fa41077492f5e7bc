// The letters beyond ASCII that languages use, the frequent ones first: what tells 8-bit encodings apart.
#pragma once

#include <span>
#include <string_view>

namespace bertprep {

enum class Script { kLatin, kCyrillic, kGreek, kHebrew, kArabic, kThai };

struct Alphabet {
  std::string_view language;
  Script script;
  // Small letters in UTF-8, each followed by how often it comes among 1000 letters beyond ASCII, roughly. Written down
  // from general knowledge of the languages; made for this table.
  std::string_view letters;
};

std::span<const Alphabet> known_alphabets();

}  // namespace bertprep
