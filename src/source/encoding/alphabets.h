// The letters beyond ASCII that languages use, most frequent first; they distinguish 8-bit encodings.
#pragma once

#include <span>
#include <string_view>

namespace bertprep {

enum class Script { kLatin, kCyrillic, kGreek, kHebrew, kArabic, kThai };

struct Alphabet {
  std::string_view language;
  Script script;
  // Lower-case letters in UTF-8, each followed by its approximate frequency among 1000 letters beyond ASCII. From
  // general knowledge of the languages; made for this table.
  std::string_view letters;
};

std::span<const Alphabet> known_alphabets();

}  // namespace bertprep
