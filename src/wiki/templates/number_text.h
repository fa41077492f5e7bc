// Numbers as texts, as Python reads and prints them. Uses ICU.
#pragma once

#include <string>
#include <string_view>

#include "wiki/templates/python_number.h"

namespace bertprep {

// Reads the longest literal of an integer or a real number at the start of `text` and removes it. Nothing if there is
// none, or it is out of range.
MaybeNumber read_number(std::string_view& text);

// Appends a string as by Python's repr(): 'text', or "text" if that saves escapes; characters not printable in Unicode
// 14 become \n, \x1f, \u200b and the like.
void append_python_repr(std::string_view text, std::string& out);

// As {{urlencode:...}}: every byte but ASCII letters, digits and "_.-~/" becomes %XX.
void append_percent_encoded(std::string_view text, std::string& out);

}  // namespace bertprep
