// guess_by_letters: the 8-bit encoding in which bytes are most likely to be text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace bertprep {

// What the bytes of a text in an 8-bit encoding are, and what they stand beside.
struct ByteStatistics {
  std::array<std::uint64_t, 256> count{};
  // Of bytes from 80 on:
  std::array<std::uint64_t, 256> in_word{};      // between ASCII letters
  std::array<std::uint64_t, 256> after_lower{};  // behind a small ASCII letter
  std::array<std::uint64_t, 256> alone{};        // beside neither ASCII letters nor other bytes from 80 on
  std::uint64_t ascii_letters = 0;
  std::uint64_t high_bytes = 0;

  explicit ByteStatistics(std::string_view bytes);
};

// Every pair of an encoding and a language that is written in it is a hypothesis. Its score is the logarithm of how
// likely the bytes from 80 (hexadecimal) on are under it: letters by the language's frequencies (alphabets.h),
// marks by how common they are; signs between letters, capitals behind small letters, unassigned bytes, and letters of
// another script cost. A language without a list is a hypothesis for the encodings of Western Europe: its letters
// have the frequencies that are seen, at a price. The best score counts.
std::string guess_by_letters(std::string_view bytes);

}  // namespace bertprep
