// guess_encoding: guesses the encoding of bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bertprep {

// By a byte order mark: "UTF-8", "UTF-16", "UTF-32".
std::optional<std::string> encoding_by_mark(std::string_view bytes);

// "UTF-16LE", "UTF-16BE": at least every twentieth unit is a blank or a line feed in one byte order, and few or none in
// the other.
std::optional<std::string> utf16_without_mark(std::string_view bytes);

struct EncodingGuess {
  std::string name;       // as Decoder accepts it
  bool is_known = false;  // a byte order mark or valid UTF-8 makes it certain
};

// In this order:
//   1. a byte order mark of UTF-8, UTF-16 or UTF-32;
//   2. UTF-16 without one, by the positions of blanks and line feeds;
//   3. ISO-2022-JP, -KR, -CN and HZ, by their escapes in 7-bit text;
//   4. UTF-8 if the bytes are valid;
//   5. nothing, if they are UTF-8 with a few invalid bytes: it is damaged;
//   6. Shift-JIS, EUC-JP, EUC-KR, Big5 and GB 18030, if all bytes are valid in it, ICU's detector finds it likely and
//      nearly all of the text is East Asian;
//   7. the 8-bit encoding whose letters are most likely (letters.txt).
// An encoding without a rule is mistaken for a similar one.
std::optional<EncodingGuess> guess_encoding(std::string_view bytes);

}  // namespace bertprep
