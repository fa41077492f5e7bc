#include "unicode/properties/html_names.h"

#include <unordered_map>

#include "base/number_text.h"
#include "unicode/code_points.h"
#include "unicode/properties/embedded.h"

namespace bertprep::unicode {
namespace {

struct Meaning {
  std::string characters;
  char32_t in_html4 = 0;  // 0: no name there
};

using Meanings = std::unordered_map<std::string_view, Meaning>;

char32_t code_of(std::string_view digits) {
  return number_in<std::uint32_t>(digits, 16).value_or(0);
}

Meaning meaning_of(std::string_view codes) {
  Meaning meaning;
  const std::size_t star = codes.find('*');
  const std::string_view of_html5 = codes.substr(0, star);
  const std::size_t plus = of_html5.find('+');
  append_utf8(code_of(of_html5.substr(0, plus)), meaning.characters);
  if (plus != of_html5.npos) append_utf8(code_of(of_html5.substr(plus + 1)), meaning.characters);
  if (star != codes.npos) meaning.in_html4 = code_of(star + 1 < codes.size() ? codes.substr(star + 1) : of_html5);
  return meaning;
}

// HTML 5's (html.spec.whatwg.org, section 13.5) by name: code points in hexadecimal, two joined by '+'. '*' if HTML 4
// has the name, followed by its code point there if it differs.
Meanings read_names() {
  Meanings meanings;
  for (std::string_view rest = embedded::kHtmlNames; !rest.empty();) {
    const std::size_t name_end = rest.find(' ');
    const std::size_t codes_end = rest.find('\n', name_end + 1);
    meanings.emplace(rest.substr(0, name_end), meaning_of(rest.substr(name_end + 1, codes_end - name_end - 1)));
    rest.remove_prefix(codes_end + 1);
  }
  return meanings;
}

const Meaning* find_meaning(std::string_view name) {
  static const Meanings kMeanings = read_names();
  const auto found = kMeanings.find(name);
  return found == kMeanings.end() ? nullptr : &found->second;
}

}  // namespace

std::string_view html5_characters(std::string_view name) {
  const Meaning* const meaning = find_meaning(name);
  return meaning == nullptr ? std::string_view() : meaning->characters;
}

std::optional<char32_t> html4_character(std::string_view name) {
  const Meaning* const meaning = find_meaning(name);
  return meaning == nullptr || meaning->in_html4 == 0 ? std::nullopt : std::optional(meaning->in_html4);
}

}  // namespace bertprep::unicode
