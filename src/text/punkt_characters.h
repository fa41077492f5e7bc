// The character classes of Punkt's word and sentence patterns, over bytes of UTF-8.
//
// Every class but white space is ASCII, and no byte of a longer character equals an ASCII one, so text can be
// walked byte by byte.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bertprep::punkt {

enum CharacterClass : std::uint8_t {
  kSpace = 1,        // ASCII part of str.isspace()
  kBlank = 2,        // string.whitespace, narrower than kSpace
  kNonWord = 4,      // ends a word wherever it stands
  kNoWordStart = 8,  // is a token of its own at the start of a word
  kMark = 16,        // may end a sentence
  kCloser = 32,      // belongs to the sentence that it follows
};

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  const auto add = [&](std::string_view characters, CharacterClass kind) {
    for (const char c : characters) {
      auto& bits = classes[static_cast<unsigned char>(c)];
      bits = static_cast<std::uint8_t>(bits | kind);
    }
  };
  add(" \t\n\r\v\f\x1c\x1d\x1e\x1f", kSpace);
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

// Bytes of the white space character of two or three bytes that starts at text[at], or 0.
std::size_t wide_space_bytes(std::string_view text, std::size_t at);

// Bytes of the white space character (str.isspace()) that starts at text[at], or 0; `at` may lie inside a
// character.
inline std::size_t space_bytes(std::string_view text, std::size_t at) {
  if (static_cast<unsigned char>(text[at]) < 0x80) return is_a(kSpace, text[at]) ? 1 : 0;
  return wide_space_bytes(text, at);
}

// The first . ? or ! from `at` on, or the end of the text.
std::size_t find_mark(std::string_view text, std::size_t at);

// The first place from `at` on that is not white space, and that is.
inline std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const std::size_t bytes = space_bytes(text, at);
    if (bytes == 0) break;
    at += bytes;
  }
  return at;
}

inline std::size_t find_space(std::string_view text, std::size_t at) {
  while (at < text.size() && space_bytes(text, at) == 0) ++at;
  return at;
}

}  // namespace bertprep::punkt
