#include "stream/bzip2_scan.h"

#include <algorithm>
#include <array>

namespace bertprep {
namespace {

// Whatever bit a mark begins at, the five bytes after its first one hold nothing else: four pairs of neighbours, of
// which a search that looks at every fourth pair sees one. The set of all such pairs:
constexpr std::size_t kPairsOfMark = 4;

struct PairSet {
  std::array<std::uint64_t, 1024> words{};

  constexpr void add(std::uint64_t mark) {
    for (int shift = 0; shift < 8; ++shift) {
      const std::uint64_t bits = mark << static_cast<unsigned>(16 - shift);
      for (std::size_t pair = 1; pair <= kPairsOfMark; ++pair) {
        const std::uint64_t value = bits >> (48 - 8 * pair) & 0xFFFFU;
        words[value >> 6U] |= std::uint64_t{1} << (value & 63U);
      }
    }
  }
  constexpr bool has(std::uint32_t value) const { return (words[value >> 6U] >> (value & 63U) & 1U) != 0; }
};

constexpr PairSet make_pairs() {
  PairSet set;
  set.add(kBzip2BlockMark);
  set.add(kBzip2EndMark);
  return set;
}

constexpr PairSet kPairs = make_pairs();

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

std::uint64_t word_at(std::string_view bytes, std::size_t at) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 8; ++i) word = word << 8U | byte_at(bytes, at + i);
  return word;
}

void check_byte(std::string_view bytes, std::size_t at, std::uint64_t first_byte, std::vector<Bzip2Mark>& marks) {
  const std::uint64_t word = word_at(bytes, at);
  for (unsigned shift = 0; shift < 8; ++shift) {
    const std::uint64_t bits = word << shift >> 16U;
    if (bits == kBzip2BlockMark || bits == kBzip2EndMark) {
      marks.push_back({(first_byte + at) * 8 + shift, bits == kBzip2EndMark});
    }
  }
}

}  // namespace

void find_bzip2_marks(std::string_view bytes, std::size_t begin, std::size_t end, std::uint64_t first_byte,
                      std::vector<Bzip2Mark>& marks) {
  for (std::size_t pair = begin + 1; pair < end + kPairsOfMark; pair += kPairsOfMark) {
    if (!kPairs.has(byte_at(bytes, pair) << 8U | byte_at(bytes, pair + 1))) continue;
    const std::size_t first = pair < begin + kPairsOfMark ? begin : pair - kPairsOfMark;
    for (std::size_t at = first; at < std::min(pair, end); ++at) check_byte(bytes, at, first_byte, marks);
  }
}

}  // namespace bertprep
