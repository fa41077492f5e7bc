// Integers as Python's int() reads them.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// Appends str(int(text)): blanks around, a sign, underscores between digits and digits of any script are taken. Nothing
// when it is no integer, or one of more than 4300 digits.
void append_integer(std::string_view text, std::string& out);

}  // namespace bertprep
