// guess_encoding: which encoding bytes are in, where nothing says so.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bertprep {

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
//   7. the 8-bit encoding whose letters are most likely (encoding_letters.h).
// An encoding that no rule knows is taken for one that looks like it.
std::optional<EncodingGuess> guess_encoding(std::string_view bytes);

}  // namespace bertprep
