// Rules that clean text must keep for any markup; for random tests and the fuzz target.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "unicode/ascii.h"

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

// f() is the name of a function; other empty brackets are left of something.
inline bool holds_empty_brackets(std::string_view lines) {
  for (std::size_t at = lines.find("()"); at != std::string_view::npos; at = lines.find("()", at + 1)) {
    const char before = at > 0 ? lines[at - 1] : ' ';
    const bool is_letter = (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z');
    const bool is_digit = before >= '0' && before <= '9';
    if (!is_letter && !is_digit && std::string_view("_=>)]").find(before) == std::string_view::npos) return true;
  }
  return false;
}

// Whether tags may be text: there is code or a formula.
inline bool holds_code(std::string_view wikitext) {
  std::string lower(wikitext);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char byte) { return ascii_lower(byte); });
  constexpr std::array<std::string_view, 9> kCode = {"code",   "tt",   "kbd",  "samp", "nowiki",
                                                     "inline", "math", "chem", "ce"};
  return std::any_of(kCode.begin(), kCode.end(),
                     [&](std::string_view name) { return lower.find(name) != std::string::npos; });
}

// The first rule that the clean text of `wikitext` breaks; empty if it keeps all. `lines` ends each paragraph by LF.
inline std::string broken_rule(std::string_view wikitext, std::string_view lines) {
  constexpr std::array<std::string_view, 12> kNever = {"{{",  "}}",       "[[", "]]", "{|", "|}",
                                                       "( )", "\xC2\xA0", "  ", " ,", " ;", "\n\n"};
  constexpr std::array<std::string_view, 7> kTags = {"<ref", "</ref", "<br", "<div", "</div", "<span", "</nowiki"};
  for (const std::string_view part : kNever) {
    if (lines.find(part) != std::string_view::npos) return "holds \"" + std::string(part) + "\"";
  }
  if (holds_empty_brackets(lines)) return "holds empty brackets";
  for (const std::string_view tag : kTags) {
    if (!holds_code(wikitext) && holds_tag(lines, tag)) return "holds the tag " + std::string(tag);
  }
  if (!lines.empty() && lines.back() != '\n') return "does not end with LF";
  if (lines.starts_with('\n')) return "begins with LF";
  for (const char byte : lines) {
    if (static_cast<unsigned char>(byte) < ' ' && byte != '\n') return "holds a control character";
  }
  return {};
}

}  // namespace bertprep::test
