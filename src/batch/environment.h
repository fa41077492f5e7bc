// Environment: the variables that an engine sets, looked up by name.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace bertprep {

// Gives nullptr for what is not set, as std::getenv does.
using Environment = std::function<const char*(const char*)>;

// Empty: not set, or set to nothing.
std::string text_of(const Environment& environment, const char* variable);

// Nothing when the variable is not set, empty, or "undefined" (SGE's word). Throws ConfigError for what is no number.
std::optional<std::uint64_t> number_of(const Environment& environment, const char* variable);

}  // namespace bertprep
