#include "wiki/clean/markup/formula_line.h"

#include <algorithm>

#include "unicode/properties/properties.h"
#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {
namespace {

constexpr std::ptrdiff_t kMostLineEnds = 3;

bool is_indentation(char byte) {
  return is_blank(byte) || byte == ':';
}

// Behind the line's text; npos when there is more in the line than an indentation.
std::size_t indentation_begin(std::string_view text) {
  std::size_t at = text.size();
  while (at > 0 && is_indentation(text[at - 1])) --at;
  return at > 0 && text[at - 1] == '\n' ? at : std::string_view::npos;
}

bool ends_sentence(std::string_view text) {
  for (const std::string_view sign : {".", "!", "?", "。", "！", "？", "।", "؟", "}", "|", "="}) {
    if (text.ends_with(sign)) return true;
  }
  return false;
}

}  // namespace

std::size_t bare_line_end(std::string_view source, std::size_t at) {
  const std::size_t end = std::min(source.find_first_not_of(" \t\r.,;", at), source.size());
  return end == source.size() || source[end] == '\n' ? end : std::string_view::npos;
}

bool ends_in_open_sentence(std::string_view text) {
  const std::size_t line = indentation_begin(text);
  if (line == std::string_view::npos) return false;
  const std::size_t last = text.substr(0, line).find_last_not_of(" \t\r\n");
  if (last == std::string_view::npos || text[last] == kBlockMark) return false;
  const std::string_view before = text.substr(0, last + 1);
  if (std::count(text.begin() + static_cast<std::ptrdiff_t>(last), text.end(), '\n') > kMostLineEnds) return false;
  const std::size_t begin = before.find_last_of("\n\x01") + 1;
  return std::string_view("*#:;|!= ").find(before[begin]) == std::string_view::npos && !ends_sentence(before);
}

void drop_indentation(std::string& text) {
  text.resize(std::min(indentation_begin(text), text.size()));
  text.resize(text.find_last_not_of(" \t\r\n") + 1);
}

bool continues(std::string_view rest) {
  const std::size_t at = rest.find_first_not_of(" \t\r\n['");
  if (at == std::string_view::npos) return false;
  const char32_t c = unicode::code_point_at(rest, at).value;
  return unicode::is_lower(c) || (unicode::is_word_not_digit(c) && !unicode::is_upper(c));
}

}  // namespace bertprep::clean
