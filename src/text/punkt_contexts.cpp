#include "text/punkt_contexts.h"

#include <utility>

#include "text/punkt_characters.h"

namespace bertprep {

bool PunktContexts::next(PunktContext& context) {
  PunktContext candidate;
  while (find_candidate(candidate)) {
    const bool is_apart = has_pending_ && pending_.mark <= candidate.word_begin;
    context = std::exchange(pending_, candidate);
    has_pending_ = true;
    if (is_apart) return true;
  }
  context = pending_;
  return std::exchange(has_pending_, false);
}

bool PunktContexts::find_candidate(PunktContext& candidate) {
  for (at_ = punkt::find_mark(article_, at_); at_ < article_.size(); at_ = punkt::find_mark(article_, at_ + 1)) {
    candidate.mark = at_;
    if (!complete_after_mark(candidate)) continue;
    candidate.word_begin = find_word_begin(at_);
    ++at_;
    return true;
  }
  return false;
}

bool PunktContexts::complete_after_mark(PunktContext& candidate) const {
  const std::size_t after = candidate.mark + 1;
  if (after == article_.size()) return false;
  if (punkt::is_a(punkt::kNonWord, article_[after])) {
    candidate.context_end = after + 1;
    candidate.next_begin = after;
    return true;
  }
  const std::size_t word = punkt::skip_space(article_, after);
  if (word == after || word == article_.size()) return false;
  candidate.context_end = punkt::find_space(article_, word);
  candidate.next_begin = word;
  return true;
}

// Looks back to the previous candidate at most. As in the reference, white space right at the start of that
// stretch is not seen; where none is found the word is the one before the previous candidate.
std::size_t PunktContexts::find_word_begin(std::size_t mark) const {
  const std::size_t stretch_begin = pending_.mark;
  std::size_t begin = mark;
  while (begin > stretch_begin + 1 && !punkt::is_a(punkt::kBlank, article_[begin - 1])) --begin;
  return begin > stretch_begin + 1 ? begin : pending_.word_begin;
}

}  // namespace bertprep
