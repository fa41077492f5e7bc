// Braces: runs of them, and which match.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace bertprep {

// The search for runs of braces is the one loop of the brace stage that visits every byte.

// Which characters form runs. Bit 5 of a character tells { from [ and } from ].
enum class BraceSet : unsigned char {
  kCurly = 0xFF,           // { }
  kCurlyAndSquare = 0xDF,  // { } [ ]
};

// The first position from `from` on and before `bound` at which a character of the set occurs twice in a row, for any
// processor; `bound` if there is none. `bound` <= text.size(); the second character may be at `bound`.
template <BraceSet kSet>
std::size_t find_doubled_portably(std::string_view text, std::size_t from, std::size_t bound) {
  constexpr auto kMask = static_cast<unsigned char>(kSet);
  for (std::size_t i = from; i < bound && i + 1 < text.size(); ++i) {
    const auto masked = static_cast<unsigned char>(static_cast<unsigned char>(text[i]) & kMask);
    if ((masked == ('{' & kMask) || masked == ('}' & kMask)) && text[i] == text[i + 1]) return i;
  }
  return bound;
}

#if defined(__SSE2__)
template <BraceSet kSet>
std::size_t find_doubled(std::string_view text, std::size_t from, std::size_t bound) {
  constexpr auto kMask = static_cast<unsigned char>(kSet);
  const __m128i mask = _mm_set1_epi8(static_cast<char>(kMask));
  const __m128i open = _mm_set1_epi8(static_cast<char>('{' & kMask));
  const __m128i close = _mm_set1_epi8(static_cast<char>('}' & kMask));
  for (; from < bound && from + 17 <= text.size(); from += 16) {
    const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + from));
    const __m128i next = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + from + 1));
    const __m128i masked = _mm_and_si128(here, mask);
    const __m128i braces = _mm_or_si128(_mm_cmpeq_epi8(masked, open), _mm_cmpeq_epi8(masked, close));
    const int hits = _mm_movemask_epi8(_mm_and_si128(braces, _mm_cmpeq_epi8(here, next)));
    if (hits == 0) continue;
    const std::size_t at = from + static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(hits)));
    return at < bound ? at : bound;
  }
  return from < bound ? find_doubled_portably<kSet>(text, from, bound) : bound;
}
#else
template <BraceSet kSet>
std::size_t find_doubled(std::string_view text, std::size_t from, std::size_t bound) {
  return find_doubled_portably<kSet>(text, from, bound);
}
#endif

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

}  // namespace bertprep
