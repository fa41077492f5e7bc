// The words of a text as NLTK's PunktLanguageVars.word_tokenize finds them, with Punkt's annotations.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// The character classes of Punkt's word and sentence patterns, over bytes of UTF-8.
//
// Every class is ASCII, and no byte of a longer character equals an ASCII one, so text can be scanned byte by byte.
namespace bertprep::punkt {

enum CharacterClass : std::uint8_t {
  kBlank = 1,        // string.whitespace, narrower than str.isspace()
  kNonWord = 2,      // ends a word anywhere
  kNoWordStart = 4,  // is a separate token at the start of a word
  kCloser = 8,       // belongs to the preceding sentence
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
  add("\"')]}", kCloser);
  return classes;
}

inline constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

inline bool is_a(std::uint8_t classes, char c) {
  return (kClasses[static_cast<unsigned char>(c)] & classes) != 0;
}

}  // namespace bertprep::punkt

namespace bertprep {

class PunktWords {
 public:
  // `text` must be valid UTF-8 and outlive the object.
  explicit PunktWords(std::string_view text) : text_(text) {}

  // The next token, a non-empty view into the text; false at the end.
  bool next(std::string_view& word);

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// PunktToken: a word with its type and Punkt's annotations.
class PunktToken {
 public:
  // `text` must not be empty and must outlive the object. Resets all annotations. Reused objects keep their memory.
  void assign(std::string_view text);

  std::string_view text() const { return text_; }
  bool ends_in_period() const { return text_.back() == '.'; }
  bool is_ellipsis() const;
  // One letter (of any script) and a period.
  bool is_initial() const;
  bool starts_upper() const;
  bool starts_lower() const;

  // The text in lower case.
  std::string_view lowered() const;
  // "##number##" for a number, else the text in lower case.
  std::string_view type() const;
  // The type without a final period, unless it is only the period.
  std::string_view type_without_period() const;
  // The same, but a period that does not end a sentence stays.
  std::string_view type_without_sentence_period() const { return sentence_break ? type_without_period() : type(); }

  bool sentence_break = false;
  bool abbreviation = false;

 private:
  void lower() const;

  std::string_view text_;
  // Most tokens are decided without their lower case.
  mutable std::string lowered_;
  mutable bool is_lowered_ = false;
  mutable bool is_number_ = false;
};

}  // namespace bertprep
