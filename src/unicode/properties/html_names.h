// The names of characters in HTML, as in &nbsp; (case matters).
#pragma once

#include <optional>
#include <string_view>

namespace bertprep::unicode {

// One or two characters as UTF-8, of the 2,125 names of HTML 5; empty for an unknown name.
std::string_view html5_characters(std::string_view name);

// For the 252 names of HTML 4, two of which (lang, rang) stand for different characters there.
std::optional<char32_t> html4_character(std::string_view name);

// A reference behind its & to a character that XML must escape: nearly all references of a dump.
struct CommonReference {
  std::string_view text;
  char character;
};

// The one that `text` begins with; its text is empty if there is none.
inline CommonReference common_reference(std::string_view text) {
  constexpr CommonReference kCommon[] = {{"lt;", '<'}, {"gt;", '>'}, {"quot;", '"'}, {"amp;", '&'}};
  for (const CommonReference& reference : kCommon) {
    if (text.starts_with(reference.text)) return reference;
  }
  return {};
}

}  // namespace bertprep::unicode
