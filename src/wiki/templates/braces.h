// Braces: runs of them, which match, and the text between them split at bars.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "unicode/byte_search.h"

namespace bertprep {

// The search for runs of braces is the one loop of the brace stage that visits every byte.

// Which characters form runs. Bit 5 of a character tells { from [ and } from ].
enum class BraceSet : unsigned char {
  kCurly = 0xFF,           // { }
  kCurlyAndSquare = 0xDF,  // { } [ ]
};

// The first position from `from` on and before `bound` at which a character of the set occurs twice in a row; `bound`
// if there is none. `bound` <= text.size(); the second character may be at `bound`.
template <BraceSet kSet>
std::size_t find_doubled(std::string_view text, std::size_t from, std::size_t bound) {
  constexpr auto kMask = static_cast<char>(kSet);
  const std::size_t found = find_bytes(text.substr(0, bound + 1), from, [](ByteBlock here, ByteBlock next) {
    const ByteBlock masked = here & kMask;
    return ((masked == static_cast<char>('{' & kMask)) | (masked == static_cast<char>('}' & kMask))) & (here == next);
  });
  return std::min(found, bound);
}

// text[begin, end) from the opening braces to the closing ones.
struct BraceSpan {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool operator==(const BraceSpan&) const = default;
};

// Lengths of open runs, negative for square brackets. It is used only during a call of next(), so all matchers may
// share one.
using BraceStack = std::vector<std::int64_t>;

enum class BraceKind : std::uint8_t {
  kTemplates,  // {{ }}
  kArguments,  // {{{ }}}
  kParts,      // {{ }} and [[ ]]: inside them, | does not separate
};

template <BraceKind kKind>
class BraceMatcher {
 public:
  BraceMatcher(std::string_view text, BraceStack& stack) : text_(text), stack_(stack) {}

  // The next span whose opening begins before `bound`; spans do not overlap. Nothing if there is none; a later call
  // with a higher bound may find more.
  std::optional<BraceSpan> next(std::size_t bound = std::string_view::npos);

 private:
  enum class Step : std::uint8_t { kOpen, kClosed, kGivenUp };

  bool find_opening(std::size_t bound);
  Step take_run();
  Step close_curly(std::int64_t count);
  Step close_square(std::int64_t count);
  void find_run(std::size_t from, std::size_t bound);
  std::int64_t run_length() const { return static_cast<std::int64_t>(run_end_ - run_begin_); }

  static constexpr std::int64_t kSmallestOpening = kKind == BraceKind::kArguments ? 3 : 2;
  // An opening with fewer unclosed braces than this can no longer be one of these spans.
  static constexpr std::int64_t kSmallestRest = kKind == BraceKind::kParts ? 0 : kSmallestOpening;

  std::string_view text_;
  BraceStack& stack_;
  std::size_t at_ = 0;         // where the search continues
  std::size_t run_begin_ = 0;  // the run found last
  std::size_t run_end_ = 0;
  std::size_t span_end_ = 0;
};

extern template class BraceMatcher<BraceKind::kTemplates>;
extern template class BraceMatcher<BraceKind::kArguments>;
extern template class BraceMatcher<BraceKind::kParts>;

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
