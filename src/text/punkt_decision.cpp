#include "text/punkt_decision.h"

#include <utility>

namespace bertprep {
namespace {

bool is_one_of(std::string_view text, std::string_view characters) {
  return text.size() == 1 && characters.find(text.front()) != std::string_view::npos;
}

}  // namespace

bool PunktDecision::contains_break(std::string_view context) {
  PunktWords words(context);
  std::string_view word;
  if (!words.next(word)) return false;
  current_.assign(word);
  judge_alone(current_);
  while (words.next(word)) {
    following_.assign(word);
    judge_alone(following_);
    judge_with_next(current_, following_);
    if (current_.sentence_break) return true;
    std::swap(current_, following_);
  }
  return false;
}

void PunktDecision::judge_alone(PunktToken& token) const {
  if (is_one_of(token.text(), ".?!")) {
    token.sentence_break = true;
  } else if (token.ends_in_period() && !token.text().ends_with("..")) {
    token.abbreviation = is_abbreviation(token);
    token.sentence_break = !token.abbreviation;
  }
}

bool PunktDecision::is_abbreviation(const PunktToken& token) const {
  // A final period does not affect final sigma, so the lower case of the word is that of the token without it.
  std::string_view word = token.lowered();
  word.remove_suffix(1);
  if (parameters_.is_abbreviation(word)) return true;
  const std::size_t hyphen = word.rfind('-');
  return hyphen != std::string_view::npos && parameters_.is_abbreviation(word.substr(hyphen + 1));
}

void PunktDecision::judge_with_next(PunktToken& token, const PunktToken& next) const {
  if (!token.ends_in_period()) return;
  const std::string_view next_type = next.type_without_sentence_period();
  if (parameters_.is_collocation(token.type_without_period(), next_type)) {
    token.sentence_break = false;
    token.abbreviation = true;
    return;
  }
  if ((token.abbreviation || token.is_ellipsis()) && !token.is_initial()) {
    if (starts_sentence(next) == StartsSentence::Yes ||
        (next.starts_upper() && parameters_.is_sentence_starter(next_type))) {
      token.sentence_break = true;
      return;
    }
  }
  judge_initial_or_number(token, next);
}

void PunktDecision::judge_initial_or_number(PunktToken& token, const PunktToken& next) const {
  const bool is_initial = token.is_initial();
  if (!is_initial && token.type_without_period() != "##number##") return;
  const StartsSentence starts = starts_sentence(next);
  const auto never_lower = [&] {
    return (parameters_.orthographic_context(next.type_without_sentence_period()) & kAnyLower) == 0;
  };
  if (starts == StartsSentence::No ||
      (starts == StartsSentence::Unknown && is_initial && next.starts_upper() && never_lower())) {
    token.sentence_break = false;
    token.abbreviation = true;
  }
}

PunktDecision::StartsSentence PunktDecision::starts_sentence(const PunktToken& token) const {
  if (is_one_of(token.text(), ";:,.!?")) return StartsSentence::No;
  const std::uint8_t seen = parameters_.orthographic_context(token.type_without_sentence_period());
  if (token.starts_upper() && (seen & kAnyLower) != 0 && (seen & kMiddleUpper) == 0) return StartsSentence::Yes;
  if (token.starts_lower() && ((seen & kAnyUpper) != 0 || (seen & kBeginLower) == 0)) return StartsSentence::No;
  return StartsSentence::Unknown;
}

}  // namespace bertprep
