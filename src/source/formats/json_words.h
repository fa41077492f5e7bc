// NaN, Infinity and -Infinity, which Python's json writes and reads though JSON lacks them.
#pragma once

#include <string>

namespace bertprep {

// Replaces each of these words in place of a value by an empty array of the same width; strings and keys stay as they
// are. False if there is none.
bool replace_python_numbers(std::string& json);

}  // namespace bertprep
