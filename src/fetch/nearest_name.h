// The name that a mistyped one may have meant.
#pragma once

#include <span>
#include <string>

namespace bertprep {

// By the fewest letters to change; empty when `names` is empty.
std::string nearest_name(const std::string& word, std::span<const std::string> names);

}  // namespace bertprep
