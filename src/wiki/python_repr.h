// Strings as Python's repr() writes them. A door to ICU.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// 'text', or "text" where that saves escapes; what Unicode 14 does not print becomes \n, \x1f, \u200b and the like.
void append_python_repr(std::string_view text, std::string& out);

}  // namespace bertprep
