// What lies between braces, cut into parts at bars.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "wiki/templates/brace_matcher.h"

namespace bertprep {

// Cuts a text at its |, from left to right. Nothing beyond the part asked for is looked at, but for the braces open in
// it.
class BraceParts {
 public:
  BraceParts(std::string_view text, BraceStack& stack) : text_(text), matcher_(text, stack) {}

  // False after the last part; a text without | is one part.
  bool next(std::string_view& part);

 private:
  std::size_t find_bar(std::size_t from) const;

  std::string_view text_;
  BraceMatcher<BraceKind::kParts> matcher_;
  std::size_t begin_ = 0;
};

std::string_view first_part(std::string_view text, BraceStack& stack);
std::vector<std::string_view> all_parts(std::string_view text, BraceStack& stack);

// A text cut at its <nowiki>...</nowiki>, which keep what they hold from being expanded.
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
