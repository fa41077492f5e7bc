#include "wiki/templates/brace_matcher.h"

#include <algorithm>

namespace bertprep {

template <BraceKind kKind>
void BraceMatcher<kKind>::find_run(std::size_t from, std::size_t bound) {
  constexpr BraceSet kSet = kKind == BraceKind::kParts ? BraceSet::kCurlyAndSquare : BraceSet::kCurly;
  run_begin_ = run_end_ = find_doubled<kSet>(text_, from, bound);
  if (run_begin_ >= bound) return;
  const char brace = text_[run_begin_];
  run_end_ += 2;
  while (run_end_ < text_.size() && text_[run_end_] == brace) ++run_end_;
}

// Moves to the next opening run before `bound`.
template <BraceKind kKind>
bool BraceMatcher<kKind>::find_opening(std::size_t bound) {
  while (at_ < bound) {
    find_run(at_, bound);
    at_ = run_end_;
    if (run_begin_ >= bound) return false;
    const char brace = text_[run_begin_];
    if ((brace == '{' && run_length() >= kSmallestOpening) || brace == '[') return true;
  }
  return false;
}

template <BraceKind kKind>
auto BraceMatcher<kKind>::close_curly(std::int64_t count) -> Step {
  while (!stack_.empty()) {
    const std::int64_t open = stack_.back();
    stack_.pop_back();
    if (open > count) {
      stack_.push_back(open - count);
      break;
    }
    count -= open;  // negative for square brackets
    if (count <= 1) break;
  }
  if (stack_.empty()) {
    span_end_ = run_end_ - static_cast<std::size_t>(count);
    return Step::kClosed;
  }
  const bool too_little_is_left = stack_.size() == 1 && stack_[0] > 0 && stack_[0] < kSmallestRest;
  return too_little_is_left ? Step::kGivenUp : Step::kOpen;
}

template <BraceKind kKind>
auto BraceMatcher<kKind>::close_square(std::int64_t count) -> Step {
  while (!stack_.empty() && stack_.back() < 0) {
    const std::int64_t open = -stack_.back();
    stack_.pop_back();
    if (open > count) {
      stack_.push_back(count - open);
      break;
    }
    count -= open;
    if (count <= 1) break;
  }
  if (!stack_.empty()) return Step::kOpen;
  span_end_ = run_end_ - static_cast<std::size_t>(count);
  return Step::kClosed;
}

template <BraceKind kKind>
auto BraceMatcher<kKind>::take_run() -> Step {
  switch (text_[run_begin_]) {
    case '{':
      stack_.push_back(run_length());
      return Step::kOpen;
    case '[':
      stack_.push_back(-run_length());
      return Step::kOpen;
    case '}':
      return close_curly(run_length());
    default:
      return close_square(run_length());
  }
}

template <BraceKind kKind>
std::optional<BraceSpan> BraceMatcher<kKind>::next(std::size_t bound) {
  bound = std::min(bound, text_.size());
  while (find_opening(bound)) {
    const std::size_t begin = run_begin_;
    stack_.clear();
    Step step = take_run();
    while (step == Step::kOpen) {
      find_run(run_end_, text_.size());
      if (run_begin_ == text_.size()) {
        // Never closed: nothing after it counts.
        at_ = text_.size();
        return std::nullopt;
      }
      step = take_run();
    }
    at_ = run_end_;
    if (step == Step::kClosed) return BraceSpan{begin, span_end_};
  }
  return std::nullopt;
}

template class BraceMatcher<BraceKind::kTemplates>;
template class BraceMatcher<BraceKind::kArguments>;
template class BraceMatcher<BraceKind::kParts>;

}  // namespace bertprep
