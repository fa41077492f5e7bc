#include "stream/bzip2_scan.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace bertprep {
namespace {

void put_bits(std::string& bytes, std::size_t bit, std::uint64_t value, int count) {
  for (int i = 0; i < count; ++i, ++bit) {
    const unsigned mask = 0x80U >> bit % 8;
    const unsigned old = static_cast<unsigned char>(bytes[bit / 8]);
    bytes[bit / 8] = static_cast<char>((value >> (count - 1 - i) & 1U) != 0 ? old | mask : old & ~mask);
  }
}

// The same, bit by bit.
std::vector<Bzip2Mark> plain_marks(std::string_view bytes, std::size_t begin, std::size_t end, std::uint64_t first) {
  std::vector<Bzip2Mark> marks;
  for (std::size_t bit = begin * 8; bit < end * 8; ++bit) {
    std::uint64_t value = 0;
    for (std::size_t i = bit; i < bit + 48; ++i) {
      value = value << 1U | (static_cast<unsigned char>(bytes[i / 8]) >> (7 - i % 8) & 1U);
    }
    if (value == kBzip2BlockMark || value == kBzip2EndMark) marks.push_back({first * 8 + bit, value == kBzip2EndMark});
  }
  return marks;
}

TEST(Bzip2Scan, FindsAMarkAtEveryBit) {
  for (std::size_t bit = 0; bit < 160; ++bit) {
    for (const std::uint64_t mark : {kBzip2BlockMark, kBzip2EndMark}) {
      std::string bytes(40, '\x5A');
      put_bits(bytes, bit, mark, 48);
      std::vector<Bzip2Mark> marks;
      find_bzip2_marks(bytes, 0, bytes.size() - kBzip2MarkReach, 1000, marks);
      EXPECT_EQ(marks, (std::vector<Bzip2Mark>{{8000 + bit, mark == kBzip2EndMark}})) << bit;
    }
  }
}

TEST(Bzip2Scan, EqualsASearchOfEveryBit) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string bytes(64 + random() % 400, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    for (int planted = 0; planted < 4; ++planted) {
      put_bits(bytes, random() % (bytes.size() * 8 - 48), random() % 2 ? kBzip2BlockMark : kBzip2EndMark, 48);
    }
    const std::size_t begin = random() % 30;
    const std::size_t end = begin + random() % (bytes.size() - kBzip2MarkReach - begin);
    std::vector<Bzip2Mark> marks;
    find_bzip2_marks(bytes, begin, end, 5, marks);
    EXPECT_EQ(marks, plain_marks(bytes, begin, end, 5));
  }
}

}  // namespace
}  // namespace bertprep
