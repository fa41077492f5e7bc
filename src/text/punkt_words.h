// PunktWords: the word tokens of a stretch of text, as NLTK's PunktLanguageVars.word_tokenize finds them.
#pragma once

#include <cstddef>
#include <string_view>

namespace bertprep {

class PunktWords {
 public:
  // `text` is valid UTF-8 and outlives the object.
  explicit PunktWords(std::string_view text) : text_(text) {}

  // The next token, a non-empty view into the text; false at the end.
  bool next(std::string_view& word);

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace bertprep
