#include "stream/bzip2_scan.h"

#include <algorithm>
#include <array>
#include <bit>

#include "io/input_file.h"

namespace bertprep {
namespace {

// Whatever bit a mark begins at, the five bytes after its first one belong to it alone: four pairs of neighbours. A
// search that checks every fourth pair finds one of them. The set of all such pairs:
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

constexpr std::uint64_t kChunkBytes = std::uint64_t{16} << 20U;
// A mark at any bit of the last byte of a chunk, and the checksum after it.
constexpr std::uint64_t kReachBytes = 16;

struct Sum {
  bool is_end = false;
  std::uint32_t value = 0;
};

std::uint32_t checksum_after(std::string_view bytes, const Bzip2Mark& mark) {
  const std::uint64_t bit = mark.bit + kBzip2MarkBits;
  std::uint64_t value = 0;
  for (std::uint64_t i = bit / 8; i < bit / 8 + 5; ++i)
    value = value << 8U | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  return static_cast<std::uint32_t>(value >> (8 - bit % 8));
}

std::vector<Sum> sums_in(const std::filesystem::path& file, std::uint64_t begin) {
  InputFile input(file);
  if (begin != 0) input.seek(begin);
  std::string bytes(kChunkBytes + kReachBytes, '\0');
  const std::size_t count = input.read(std::span(bytes));
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(count), bytes.end(), '\0');
  std::vector<Bzip2Mark> marks;
  find_bzip2_marks(bytes, 0, std::min<std::size_t>(count, kChunkBytes), 0, marks);
  std::vector<Sum> sums;
  for (const Bzip2Mark& mark : marks) sums.push_back({mark.is_end, checksum_after(bytes, mark)});
  return sums;
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

bool bzip2_sums_agree(const std::filesystem::path& file, const TaskRunner& runner) {
  const std::uint64_t chunks = (InputFile(file).size_bytes() + kChunkBytes - 1) / kChunkBytes;
  std::vector<std::vector<Sum>> sums(static_cast<std::size_t>(chunks));
  runner.run(sums.size(), [&](std::size_t i) { sums[i] = sums_in(file, i * kChunkBytes); });
  std::uint32_t stream = 0;
  for (const std::vector<Sum>& chunk : sums) {
    for (const Sum& sum : chunk) {
      if (!sum.is_end) {
        stream = std::rotl(stream, 1) ^ sum.value;
      } else if (std::exchange(stream, 0) != sum.value) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace bertprep
