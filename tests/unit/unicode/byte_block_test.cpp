#include "unicode/byte_search.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "twins/plain_byte_block.h"

namespace bertprep {
namespace {

// What every question answers about 64 bytes, one bit per byte.
template <class Block>
std::vector<std::uint64_t> answers_about(const std::array<char, 65>& bytes, char c, char other) {
  const auto ask = [&](auto question) {
    const auto of = [&](std::size_t i) {
      return question(Block::load(&bytes[i * Block::kBytes]), Block::load(&bytes[i * Block::kBytes + 1]));
    };
    return Block::answers_of(of(0), of(1), of(2), of(3));
  };
  const bool in_order = static_cast<unsigned char>(c) <= static_cast<unsigned char>(other);
  const char first = in_order ? c : other;
  const char last = in_order ? other : c;
  return {
      ask([&](Block here, Block) { return here == c; }),
      ask([&](Block here, Block next) { return here == next; }),
      ask([&](Block here, Block) { return (here & c) == other; }),
      ask([&](Block here, Block) { return (here | c) == other; }),
      ask([&](Block here, Block next) { return (here & next) == c; }),
      ask([&](Block here, Block next) { return (here | next) == c; }),
      ask([&](Block here, Block next) { return here.without(next) == c; }),
      ask([&](Block here, Block) { return here.at_most(c); }),
      ask([&](Block here, Block) { return here.within(first, last); }),
  };
}

TEST(ByteBlock, AnswersLikeThePlainOne) {
  std::mt19937 draws(3);
  for (int round = 0; round < 5000; ++round) {
    // Few values, from both ends and the middle, so that answers differ.
    const auto draw = [&] { return static_cast<char>((draws() % 3) * 0x7F + draws() % 4 - draws() % 2); };
    std::array<char, 65> bytes{};
    for (char& byte : bytes) byte = draw();
    const char c = draw();
    const char other = draw();
    ASSERT_EQ(answers_about<ByteBlock>(bytes, c, other), answers_about<test::PlainByteBlock>(bytes, c, other)) << round;
  }
}

TEST(ByteBlock, GivesTheAnswerOfEachByte) {
  for (unsigned mask = 0; mask < 1U << ByteBlock::kBytes; mask += 37) {
    std::array<char, ByteBlock::kBytes> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = (mask >> i & 1) != 0 ? 'x' : '\xF8';
    const std::uint64_t answers = (ByteBlock::load(bytes.data()) == 'x').answers();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      ASSERT_EQ(answers >> (i * ByteBlock::kAnswerBits) & 1, mask >> i & 1) << mask << ", byte " << i;
    }
  }
}

}  // namespace
}  // namespace bertprep
