// Python's literals of integers and real numbers.
#pragma once

#include <string_view>

#include "wiki/python_number.h"

namespace bertprep {

// Reads the longest literal that `text` begins with and removes it. Nothing: there is none, or it is out of range.
MaybeNumber read_number(std::string_view& text);

}  // namespace bertprep
