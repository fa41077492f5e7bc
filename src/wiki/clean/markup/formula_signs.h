// Commands of TeX by name, without their backslash: signs, accents, and those that only shape.
#pragma once

#include <string_view>

namespace bertprep::clean {

// "α" of alpha, "sin" of sin; empty: no sign.
std::string_view sign_of(std::string_view command);

// The combining mark that follows what the command is put before; empty: no accent.
std::string_view accent_of(std::string_view command);

// Whether the command only shapes what it is put before: mathrm, left.
bool only_shapes(std::string_view command);

}  // namespace bertprep::clean
