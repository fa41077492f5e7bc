#include "wiki/templates/brace_parts.h"

#include <algorithm>

namespace bertprep {

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

namespace {

constexpr std::string_view kOpen = "<nowiki>";
constexpr std::string_view kClose = "</nowiki>";

}  // namespace

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
