// Numbers as texts, as Python reads and prints them. A door to ICU.
#pragma once

#include <string>
#include <string_view>

#include "wiki/templates/python_number.h"

namespace bertprep {

// Reads the longest literal of an integer or a real number that `text` begins with and removes it. Nothing: there is
// none, or it is out of range.
MaybeNumber read_number(std::string_view& text);

// As repr() writes a string: 'text', or "text" where that saves escapes; what Unicode 14 does not print becomes \n,
// \x1f, \u200b and the like.
void append_python_repr(std::string_view text, std::string& out);

// As {{urlencode:...}}: every byte but ASCII letters, digits and "_.-~/" becomes %XX.
void append_percent_encoded(std::string_view text, std::string& out);

}  // namespace bertprep
