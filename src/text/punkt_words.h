// The words of a text as NLTK's PunktLanguageVars.word_tokenize finds them, with Punkt's annotations.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

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
