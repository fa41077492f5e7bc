// The mark that some programs put in front of UTF-8 (U+FEFF).
#pragma once

#include <string_view>

namespace bertprep {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

inline std::string_view without_byte_order_mark(std::string_view text) {
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

}  // namespace bertprep
