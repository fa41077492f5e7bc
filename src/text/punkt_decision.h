// PunktDecision: decides by the surrounding words whether a mark ends a sentence.
//
// NLTK 3.8, PunktSentenceTokenizer.text_contains_sentbreak, after Kiss and Strunk (2006), "Unsupervised Multilingual
// Sentence Boundary Detection": first every token is judged alone, then each with its successor.
#pragma once

#include <string_view>

#include "text/punkt_parameters.h"
#include "text/punkt_words.h"

namespace bertprep {

class PunktDecision {
 public:
  // `parameters` must outlive the object. Not thread-safe: two tokens are reused.
  explicit PunktDecision(const PunktParameters& parameters) : parameters_(parameters) {}

  // True if some word of `context` ends a sentence and another word follows.
  bool contains_break(std::string_view context);

 private:
  enum class StartsSentence { Yes, No, Unknown };

  void judge_alone(PunktToken& token) const;
  void judge_with_next(PunktToken& token, const PunktToken& next) const;
  void judge_initial_or_number(PunktToken& token, const PunktToken& next) const;
  bool is_abbreviation(const PunktToken& token) const;
  StartsSentence starts_sentence(const PunktToken& token) const;

  const PunktParameters& parameters_;
  PunktToken current_;
  PunktToken following_;
};

}  // namespace bertprep
