// Patterns of member paths: * stands for any characters, slashes too.
#pragma once

#include <string_view>

namespace bertprep {

bool matches_pattern(std::string_view text, std::string_view pattern);

}  // namespace bertprep
