// The 252 named character references of HTML 4.
#pragma once

#include <optional>
#include <string_view>

namespace bertprep {

// The character that `name` stands for, as in &name; upper and lower case are told apart.
std::optional<char32_t> html_entity(std::string_view name);

}  // namespace bertprep
