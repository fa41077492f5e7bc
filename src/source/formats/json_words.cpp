#include "source/formats/json_words.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "unicode/ascii.h"

namespace bertprep {
namespace {

// The word that the text begins with, if it ends there.
std::string_view word_of(std::string_view text) {
  constexpr std::array<std::string_view, 3> kWords = {"NaN", "Infinity", "-Infinity"};
  const auto word = std::find_if(kWords.begin(), kWords.end(), [&](auto one) { return text.starts_with(one); });
  if (word == kWords.end()) return {};
  const std::string_view after = text.substr(word->size());
  const bool is_over = after.empty() || after.front() == ',' || after.front() == ']' || after.front() == '}' ||
                       is_ascii_blank(after.front());
  return is_over ? *word : std::string_view{};
}

// After the string whose opening quote is at `at`.
std::size_t end_of_string(std::string_view json, std::size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
  }
  return at + 1;
}

}  // namespace

bool replace_python_numbers(std::string& json) {
  bool has_word = false;
  char before = ':';  // the last byte outside of strings other than blanks
  for (std::size_t at = 0; at < json.size();) {
    const char c = json[at];
    const bool may_begin = before == ':' || before == ',' || before == '[';
    const std::string_view word = may_begin ? word_of(std::string_view(json).substr(at)) : std::string_view{};
    if (!is_ascii_blank(c)) before = c;
    if (c == '"') {
      at = end_of_string(json, at);
    } else if (word.empty()) {
      ++at;
    } else {
      const std::size_t size = word.size();
      json.replace(at, size, "[]" + std::string(size - 2, ' '));
      at += size;
      before = ']';
      has_word = true;
    }
  }
  return has_word;
}

}  // namespace bertprep
