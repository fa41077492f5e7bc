// The nearest name, for a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bertprep::cli {

// The candidate with the fewest single-letter edits to `name` (Levenshtein, 1966); the first of equals.
std::string nearest(std::string_view name, std::span<const std::string> candidates);

}  // namespace bertprep::cli
