// guess_encoding: which encoding bytes are in, where nothing says so.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bertprep {

// Encodings that can be seen without a guess at letters: by marks, escapes and the places of blanks.

// By a byte order mark: "UTF-8", "UTF-16", "UTF-32".
std::optional<std::string> encoding_by_mark(std::string_view bytes);

// "UTF-16LE", "UTF-16BE": every twentieth unit or more is a blank or a line feed in one order of bytes, and none or few
// in the other.
std::optional<std::string> utf16_without_mark(std::string_view bytes);

// "ISO-2022-JP", "ISO-2022-KR", "ISO-2022-CN", "HZ": bytes that are all ASCII, with escapes.
std::optional<std::string> encoding_by_escapes(std::string_view bytes);

// guess_east_asian: Shift-JIS, EUC-JP, EUC-KR, Big5 and GB 18030.

// ICU's detector names one of them, all bytes are valid in it, and what they give is East Asian.
std::optional<std::string> guess_east_asian(std::string_view bytes);

struct EncodingGuess {
  std::string name;       // as Decoder takes it
  bool is_known = false;  // a byte order mark or valid UTF-8 leaves no doubt
};

// In this order:
//   1. a byte order mark of UTF-8, UTF-16 or UTF-32;
//   2. UTF-16 without one, by where blanks and line feeds lie;
//   3. ISO-2022-JP, -KR, -CN and HZ, by their escapes in 7-bit text;
//   4. UTF-8 where the bytes are valid;
//   5. nothing, where they are UTF-8 with a few bytes that are not: it is damaged;
//   6. Shift-JIS, EUC-JP, EUC-KR, Big5 and GB 18030, where all bytes are valid in it, ICU's detector thinks it likely
//      and nearly all of what it gives is East Asian;
//   7. the 8-bit encoding whose letters are most likely (letters.h).
// An encoding that no rule knows is taken for one that looks like it.
std::optional<EncodingGuess> guess_encoding(std::string_view bytes);

}  // namespace bertprep
