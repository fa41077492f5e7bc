// Letter case as Python's str methods change it (full mappings of Unicode 14). A door to ICU.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// All take UTF-8. The first letter's mapping may be several characters.
void append_lower(std::string_view text, std::string& out);
void append_upper(std::string_view text, std::string& out);
void append_lower_first(std::string_view text, std::string& out);
void append_upper_first(std::string_view text, std::string& out);

}  // namespace bertprep
