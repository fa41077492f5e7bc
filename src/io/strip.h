// White space as the reference sees it: Python's str.isspace(), 29 code points.
#pragma once

#include <string_view>

namespace bertprep {

// `strip` removes white space at both ends, as str.strip() does, `strip_end` at the end only. `text` is valid
// UTF-8; the result is a view into it.
std::string_view strip(std::string_view text);
std::string_view strip_end(std::string_view text);

}  // namespace bertprep
