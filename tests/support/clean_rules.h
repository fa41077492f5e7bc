// Rules that clean text must keep for any markup; for random tests and the fuzz target.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace bertprep::test {

// Whether a tag of that name is left, with or without `>`; <brown> and <div.x> are not tags.
inline bool holds_tag(std::string_view lines, std::string_view opening) {
  for (std::size_t at = lines.find(opening); at != std::string_view::npos; at = lines.find(opening, at + 1)) {
    const char next = at + opening.size() < lines.size() ? lines[at + opening.size()] : '\n';
    const bool is_letter = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
    const bool is_other_name = is_letter || (next >= '0' && next <= '9') || next == '-' || next == '_';
    const bool is_address = opening != "<br" && (next == ':' || next == '.' || next == '@');
    if (!is_other_name && !is_address) return true;
  }
  return false;
}

// The first rule that `lines` breaks; empty if it keeps all. `lines` ends each paragraph by LF.
inline std::string broken_rule(std::string_view lines) {
  constexpr std::array<std::string_view, 15> kNever = {"{{", "}}",  "[[",       "]]", "{|", "|}", "<ref", "</ref",
                                                       "()", "( )", "\xC2\xA0", "  ", " ,", " ;", "\n\n"};
  constexpr std::array<std::string_view, 5> kTags = {"<br", "<div", "</div", "<span", "</nowiki"};
  for (const std::string_view part : kNever) {
    if (lines.find(part) != std::string_view::npos) return "holds \"" + std::string(part) + "\"";
  }
  for (const std::string_view tag : kTags) {
    if (holds_tag(lines, tag)) return "holds the tag " + std::string(tag);
  }
  if (!lines.empty() && lines.back() != '\n') return "does not end with LF";
  if (lines.starts_with('\n')) return "begins with LF";
  for (const char byte : lines) {
    if (static_cast<unsigned char>(byte) < ' ' && byte != '\n') return "holds a control character";
  }
  return {};
}

}  // namespace bertprep::test
