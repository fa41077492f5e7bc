#include "shard/deflate/byte_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace bertprep {
namespace {

std::vector<std::uint8_t> spelled_out(const ByteRuns& runs) {
  std::vector<std::uint8_t> bytes;
  for (const ByteRun& run : runs.runs()) bytes.insert(bytes.end(), run.length, run.value);
  return bytes;
}

bool are_maximal(const ByteRuns& runs) {
  const auto same = [](const ByteRun& a, const ByteRun& b) { return a.value == b.value; };
  return std::adjacent_find(runs.runs().begin(), runs.runs().end(), same) == runs.runs().end();
}

TEST(ByteRuns, SpellTheBytes) {
  std::mt19937 generator(1);
  for (int round = 0; round < 500; ++round) {
    ByteRuns runs;
    std::vector<std::uint8_t> bytes(generator() % 200);
    const unsigned values = 1 + generator() % 256;
    const unsigned repeat = 1 + generator() % 20;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = i > 0 && generator() % repeat != 0 ? bytes[i - 1] : static_cast<std::uint8_t>(generator() % values);
    }
    runs.append(bytes);
    EXPECT_EQ(spelled_out(runs), bytes);
    EXPECT_TRUE(are_maximal(runs));
    std::uint8_t used = 0;
    for (const std::uint8_t byte : bytes) used |= byte;
    EXPECT_EQ(runs.used_bits(), used);
  }
}

TEST(ByteRuns, JoinPieces) {
  ByteRuns runs;
  runs.append(std::vector<std::uint8_t>{1, 0, 0});
  runs.append_run(0, 5);
  runs.append(std::vector<std::uint8_t>{0, 7});
  runs.append_run(7, 0);
  ASSERT_EQ(runs.runs().size(), 3U);
  EXPECT_EQ(runs.runs()[1].length, 8U);
  EXPECT_EQ(runs.used_bits(), 7);
  runs.clear();
  EXPECT_TRUE(runs.runs().empty());
  EXPECT_EQ(runs.used_bits(), 0);
}

TEST(RunPieces, CoverEveryLengthWithRepetitionsThatDeflateKnows) {
  for (std::size_t length = 1; length < 2000; ++length) {
    std::size_t covered = 0;
    std::size_t literals = 0;
    for_each_piece(
        length,
        [&](std::size_t count) {
          covered += count;
          literals += count;
        },
        [&](std::size_t piece) {
          EXPECT_GE(piece, kMinRepeat);
          EXPECT_LE(piece, kMaxRepeat);
          covered += piece;
        });
    EXPECT_EQ(covered, length);
    EXPECT_LE(literals, length <= kMinRepeat ? length : 1) << length;
  }
}

}  // namespace
}  // namespace bertprep
