// The marks that parser functions put around what they could not evaluate.
#pragma once

#include <string_view>

namespace bertprep {

// Whether `text` holds a <span>, <strong>, <p> or <div> whose class names "error".
bool holds_error_mark(std::string_view text);

}  // namespace bertprep
