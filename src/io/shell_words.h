// Shell words: arguments as text that a POSIX shell takes apart into the same arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bertprep {

// As it is where a shell sees nothing in it, else in single quotes.
std::string shell_word(std::string_view argument);
// In single quotes, whatever is in it.
std::string shell_quoted(std::string_view argument);
// The words of a command on one line, or with a line for each flag and its values, indented by two blanks.
std::string shell_line(const std::vector<std::string>& command);
std::string shell_lines(const std::vector<std::string>& command);

}  // namespace bertprep
