// Splits the text between braces at bars.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "wiki/templates/brace_matcher.h"

namespace bertprep {

// Splits a text at its |, from left to right. Reads nothing after the requested part, except to close its braces.
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

// A text split at its <nowiki>...</nowiki>, whose content must not be expanded.
class NowikiParts {
 public:
  explicit NowikiParts(std::string_view text) : text_(text) {}

  // False after the last part. `kept`: the element after `plain`, including tags, on one line; empty at the end.
  bool next(std::string_view& plain, std::string_view& kept);

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  bool done_ = false;
};

}  // namespace bertprep
