#include "io/shell_words.h"

#include <algorithm>

#include "base/number_text.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

bool is_plain(char c) {
  const std::string_view marks = "_-./,:+@%=";
  return is_ascii_alphanumeric(c) || marks.find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_word(std::string_view argument) {
  const bool is_word = !argument.empty() && std::all_of(argument.begin(), argument.end(), is_plain);
  return is_word ? std::string(argument) : shell_quoted(argument);
}

std::string shell_quoted(std::string_view argument) {
  std::string word = "'";
  for (const char c : argument) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

std::string shell_line(const std::vector<std::string>& command) {
  return joined(command, " ", shell_word);
}

std::string shell_lines(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& argument : command) {
    if (!text.empty()) text += argument.starts_with('-') ? "\n  " : " ";
    text += shell_word(argument);
  }
  return text;
}

}  // namespace bertprep
