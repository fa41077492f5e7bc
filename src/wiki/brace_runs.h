// Search for runs of braces: the one loop of the brace stage that sees every byte.
#pragma once

#include <bit>
#include <cstddef>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace bertprep {

// Which characters form runs. Bit 5 of a character tells { from [ and } from ].
enum class BraceSet : unsigned char {
  kCurly = 0xFF,           // { }
  kCurlyAndSquare = 0xDF,  // { } [ ]
};

// The first position from `from` on and before `bound` at which a character of the set stands twice in a row, for any
// processor; `bound` when there is none. `bound` <= text.size(); the second character may stand at `bound`.
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

}  // namespace bertprep
