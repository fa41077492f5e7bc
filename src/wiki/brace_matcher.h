// BraceMatcher: where the outermost {{...}}, {{{...}}} or [[...]] of a text begin and end.
//
// The rules are those of the reference (docs/formats/wiki-braces.md), its oddities included: an opening run of braces
// may be closed in pieces, closing braces run through unclosed square brackets, and the first opening that is never
// closed ends the search. Every byte is looked at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "wiki/brace_runs.h"

namespace bertprep {

// text[begin, end) from the opening braces to the closing ones.
struct BraceSpan {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool operator==(const BraceSpan&) const = default;
};

// Lengths of open runs, negative for square brackets. It lives for one call of next(), so that all matchers may share
// one.
using BraceStack = std::vector<std::int64_t>;

enum class BraceKind : std::uint8_t {
  kTemplates,  // {{ }}
  kArguments,  // {{{ }}}
  kParts,      // {{ }} and [[ ]]: inside them, | does not cut
};

template <BraceKind kKind>
class BraceMatcher {
 public:
  BraceMatcher(std::string_view text, BraceStack& stack) : text_(text), stack_(stack) {}

  // The next span whose opening begins before `bound`; spans do not overlap. Nothing: there is none; after that, a
  // higher bound may give more.
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
  // An opening that is closed down to fewer braces than this can't be one of these spans any more.
  static constexpr std::int64_t kSmallestRest = kKind == BraceKind::kParts ? 0 : kSmallestOpening;

  std::string_view text_;
  BraceStack& stack_;
  std::size_t at_ = 0;         // where the search goes on
  std::size_t run_begin_ = 0;  // the run found last
  std::size_t run_end_ = 0;
  std::size_t span_end_ = 0;
};

extern template class BraceMatcher<BraceKind::kTemplates>;
extern template class BraceMatcher<BraceKind::kArguments>;
extern template class BraceMatcher<BraceKind::kParts>;

}  // namespace bertprep
