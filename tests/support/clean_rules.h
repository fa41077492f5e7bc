// What holds for clean text whatever the markup was; for random tests and the fuzz target.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace bertprep::test {

// The first rule that `lines` breaks; empty when it keeps all. `lines` ends each paragraph by LF.
inline std::string broken_rule(std::string_view lines) {
  constexpr std::array<std::string_view, 16> kNever = {"{{",  "}}", "[[",  "]]",       "{|", "|}", "<ref", "</ref",
                                                       "<br", "()", "( )", "\xC2\xA0", "  ", " ,", " ;",   "\n\n"};
  for (const std::string_view part : kNever) {
    if (lines.find(part) != std::string_view::npos) return "holds \"" + std::string(part) + "\"";
  }
  if (!lines.empty() && lines.back() != '\n') return "does not end with LF";
  if (lines.starts_with('\n')) return "begins with LF";
  for (const char byte : lines) {
    if (static_cast<unsigned char>(byte) < ' ' && byte != '\n') return "holds a control character";
  }
  return {};
}

}  // namespace bertprep::test
