// guess_east_asian: Shift-JIS, EUC-JP, EUC-KR, Big5 and GB 18030.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bertprep {

// ICU's detector names one of them, all bytes are valid in it, and what they give is East Asian.
std::optional<std::string> guess_east_asian(std::string_view bytes);

}  // namespace bertprep
