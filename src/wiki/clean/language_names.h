// English names of languages by their codes, for "German: Berlin" of {{lang-de|Berlin}}.
#pragma once

#include <string_view>

namespace bertprep::clean {

// Empty when the code is not known. "de", "grc", "zh-hant" (of which "zh" counts).
std::string_view language_name(std::string_view code);

}  // namespace bertprep::clean
