// guess_by_letters: the 8-bit encoding in which bytes are most likely to be text.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bertprep {

// The letters beyond ASCII that languages use, most frequent first; they distinguish 8-bit encodings.

enum class Script { kLatin, kCyrillic, kGreek, kHebrew, kArabic, kThai };

struct Alphabet {
  std::string_view language;
  Script script;
  // Lower-case letters in UTF-8, each followed by its approximate frequency among 1000 letters beyond ASCII. From
  // general knowledge of the languages; made for this table.
  std::string_view letters;
};

// Statistics of the bytes of a text in an 8-bit encoding, and of their neighbours.
struct ByteStatistics {
  std::array<std::uint64_t, 256> count{};
  // Of the bytes from 0x80 on:
  std::array<std::uint64_t, 256> in_word{};      // between ASCII letters
  std::array<std::uint64_t, 256> after_lower{};  // after a lower-case ASCII letter
  std::array<std::uint64_t, 256> alone{};        // next to neither ASCII letters nor other bytes from 0x80 on
  std::uint64_t ascii_letters = 0;
  std::uint64_t high_bytes = 0;

  explicit ByteStatistics(std::string_view bytes);
};

// Every pair of an encoding and a language that is written in it is a hypothesis. Its score is the log-likelihood of
// the bytes from 0x80 on: of letters by the language's frequencies (Alphabet), of marks by how common they are.
// Signs between letters, capitals after lower-case letters, unassigned bytes, and letters of another script lower it. A
// language without a list is a hypothesis for the encodings of Western Europe: its letters have their observed
// frequencies, with a penalty. The best score wins.
std::string guess_by_letters(std::string_view bytes);

}  // namespace bertprep
