// LetterKinds: which characters byte-level BPE counts as letters, numbers and white space.
//
// The pre-tokenizer is a regular expression, and its \p{L} and \p{N} are those of the library that runs it: Unicode 16
// in HuggingFace's tokenizers 0.23. These are the same, whatever ICU is installed; the kind of a character never
// changes.
#pragma once

#include <cstdint>
#include <vector>

namespace bertprep::unicode {

// Categories L*, N*; the property White_Space.
enum class LetterKind : std::uint8_t { kOther, kLetter, kNumber, kSpace };

// Two bits per character. Construction takes milliseconds; const calls are thread-safe.
class LetterKinds {
 public:
  LetterKinds();

  LetterKind operator[](char32_t c) const { return static_cast<LetterKind>(bits_[c / 4] >> (c % 4 * 2) & 3); }

 private:
  std::vector<std::uint8_t> bits_;
};

}  // namespace bertprep::unicode
