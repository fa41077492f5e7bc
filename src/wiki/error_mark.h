// The marks that parser functions put around what they could not evaluate.
#pragma once

#include <string_view>

namespace bertprep {

// Whether `text` begins with a <span>, <strong>, <p> or <div> whose class names "error". The reference looks no
// farther.
bool begins_with_error_mark(std::string_view text);

}  // namespace bertprep
