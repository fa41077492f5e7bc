#include "shard/deflate/block_code.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace bertprep {
namespace {

std::vector<std::uint8_t> written(const std::vector<BitCode>& codes) {
  std::vector<std::uint8_t> out(codes.size() * 8 + BitWriter::kSlackBytes);
  BitWriter writer(out.data());
  for (const BitCode code : codes) writer.put(code);
  out.resize(static_cast<std::size_t>(writer.align() - out.data()));
  return out;
}

TEST(BitWriter, FillsBytesFromTheLowestBit) {
  EXPECT_EQ(written({{1, 1}, {0, 2}, {3, 2}, {5, 3}}), (std::vector<std::uint8_t>{0b10111001}));
  EXPECT_EQ(written({{1, 1}, {0xFF, 8}}), (std::vector<std::uint8_t>{0xFF, 0x01}));
}

TEST(BitWriter, NothingGivesNothing) {
  EXPECT_TRUE(written({}).empty());
}

TEST(BitWriter, TakesFiftySixBitsWithSevenWaiting) {
  std::vector<std::uint8_t> out(32);
  BitWriter writer(out.data());
  writer.put(0x7F, 7);
  writer.put((std::uint64_t{1} << BitWriter::kMaxPutBits) - 1, BitWriter::kMaxPutBits);
  EXPECT_EQ(writer.align() - out.data(), 8);
  EXPECT_EQ(out[7], 0x7F);
  EXPECT_EQ(out[6], 0xFF);
}

TEST(BitWriter, EqualsBitsPutOneByOne) {
  std::mt19937 generator(1);
  std::vector<BitCode> codes;
  std::vector<std::uint8_t> expected;
  std::size_t bits = 0;
  for (int i = 0; i < 2000; ++i) {
    const unsigned count = generator() % 25;
    const BitCode code{static_cast<std::uint32_t>(generator()) & ((1U << count) - 1), count};
    codes.push_back(code);
    for (unsigned b = 0; b < count; ++b, ++bits) {
      if (bits % 8 == 0) expected.push_back(0);
      expected.back() = static_cast<std::uint8_t>(expected.back() | (code.bits >> b & 1U) << bits % 8);
    }
  }
  EXPECT_EQ(written(codes), expected);
}

}  // namespace
}  // namespace bertprep
