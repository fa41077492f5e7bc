// Shell words: quotes arguments so that a POSIX shell splits them into the same arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bertprep {

// Unchanged if it has no special characters, else in single quotes.
std::string shell_word(std::string_view argument);
// Always in single quotes.
std::string shell_quoted(std::string_view argument);
// The words of a command on one line, or with a line for each flag and its values, indented by two blanks.
std::string shell_line(const std::vector<std::string>& command);
std::string shell_lines(const std::vector<std::string>& command);

}  // namespace bertprep
