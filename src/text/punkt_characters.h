// The character classes of Punkt's word and sentence patterns, over bytes of UTF-8.
//
// Every class is ASCII, and no byte of a longer character equals an ASCII one, so text can be scanned byte by byte.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace bertprep::punkt {

enum CharacterClass : std::uint8_t {
  kBlank = 1,        // string.whitespace, narrower than str.isspace()
  kNonWord = 2,      // ends a word anywhere
  kNoWordStart = 4,  // is a separate token at the start of a word
  kMark = 8,         // may end a sentence
  kCloser = 16,      // belongs to the preceding sentence
};

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  const auto add = [&](std::string_view characters, CharacterClass kind) {
    for (const char c : characters) {
      auto& bits = classes[static_cast<unsigned char>(c)];
      bits = static_cast<std::uint8_t>(bits | kind);
    }
  };
  add(" \t\n\r\v\f", kBlank);
  add(")\";}]*:@'({[?!", kNonWord);
  add("(\"`{[:;&#*@)}]-,", kNoWordStart);
  add(".?!", kMark);
  add("\"')]}", kCloser);
  return classes;
}

inline constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

inline bool is_a(std::uint8_t classes, char c) {
  return (kClasses[static_cast<unsigned char>(c)] & classes) != 0;
}

}  // namespace bertprep::punkt
