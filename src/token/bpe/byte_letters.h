// How the files of byte-level BPE spell bytes: a letter for each, so that no token holds white space or a control.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "unicode/code_points.h"

namespace bertprep {

// Printable characters of Latin-1 stand for themselves, the 68 others in order for U+0100 and those behind it.
inline std::array<std::string, 256> byte_letters() {
  std::array<std::string, 256> letters;
  char32_t next = 0x100;
  for (char32_t byte = 0; byte < 256; ++byte) {
    const bool is_printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
    unicode::append_utf8(is_printable ? byte : next, letters[byte]);
    if (!is_printable) ++next;
  }
  return letters;
}

}  // namespace bertprep
