#include "wiki/nowiki_parts.h"

namespace bertprep {
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
