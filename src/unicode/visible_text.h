// Text of any bytes for display.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// Line feeds and tabs stay; other controls, and bytes that are not UTF-8, are escaped, as \r or \x1B.
std::string visible_text(std::string_view bytes);

}  // namespace bertprep
