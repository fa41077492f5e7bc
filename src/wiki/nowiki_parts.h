// A text cut at its <nowiki>...</nowiki>, which keep what they hold from being expanded.
#pragma once

#include <cstddef>
#include <string_view>

namespace bertprep {

class NowikiParts {
 public:
  explicit NowikiParts(std::string_view text) : text_(text) {}

  // False after the last part. `kept`: the element after `plain`, tags and all; empty at the end. It lies on one line.
  bool next(std::string_view& plain, std::string_view& kept);

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  bool done_ = false;
};

}  // namespace bertprep
