#include "wiki/templates/braces.h"

namespace bertprep {
namespace {

constexpr std::string_view kOpen = "<nowiki>";
constexpr std::string_view kClose = "</nowiki>";

}  // namespace

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

std::size_t BraceParts::find_bar(std::size_t from) const {
  return std::min(text_.find('|', from), text_.size());
}

bool BraceParts::next(std::string_view& part) {
  if (begin_ > text_.size()) return false;
  std::size_t bar = find_bar(begin_);
  while (bar < text_.size()) {
    const auto span = matcher_.next(bar);
    if (!span) break;
    if (bar < span->end) bar = find_bar(span->end);
  }
  part = text_.substr(begin_, bar - begin_);
  begin_ = bar + 1;
  return true;
}

std::string_view first_part(std::string_view text, BraceStack& stack) {
  std::string_view part;
  BraceParts(text, stack).next(part);
  return part;
}

std::vector<std::string_view> all_parts(std::string_view text, BraceStack& stack) {
  std::vector<std::string_view> parts;
  BraceParts cutter(text, stack);
  for (std::string_view part; cutter.next(part);) parts.push_back(part);
  return parts;
}

bool NowikiParts::next(std::string_view& plain, std::string_view& kept) {
  if (done_) return false;
  for (auto open = text_.find(kOpen, at_); open != std::string_view::npos;) {
    const auto close = text_.find(kClose, open + kOpen.size());
    if (close == std::string_view::npos) break;
    const auto line = text_.rfind('\n', close);
    if (line != std::string_view::npos && line > open) {
      open = text_.find(kOpen, line);
      continue;
    }
    plain = text_.substr(at_, open - at_);
    at_ = close + kClose.size();
    kept = text_.substr(open, at_ - open);
    return true;
  }
  plain = text_.substr(at_);
  kept = {};
  done_ = true;
  return true;
}

}  // namespace bertprep
