#include "base/random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

std::uint32_t first_output(const std::string& seed) {
  return Random(seed).next_u32();
}

// The key {0x123, 0x234, 0x345, 0x456} of the generator's published test output, as one number.
TEST(RandomTest, ReproducesTheAuthorsTestOutput) {
  Random random("87943260406273339520951041130787");
  EXPECT_EQ(random.next_u32(), 1067595299U);
  EXPECT_EQ(random.next_u32(), 955945823U);
  EXPECT_EQ(random.next_u32(), 477289528U);
}

TEST(RandomTest, SignAndSpellingOfTheSeedDoNotMatter) {
  EXPECT_EQ(first_output("-12345"), first_output("12345"));
  EXPECT_EQ(first_output("+0012345"), first_output("12345"));
  EXPECT_EQ(first_output("-0"), first_output("0"));
}

TEST(RandomTest, EveryWordOfALongSeedCounts) {
  const std::string long_seed(20000, '7');  // more than 624 words
  std::string other = long_seed;
  other.back() = '8';
  EXPECT_NE(first_output(long_seed), first_output(other));
  other = long_seed;
  other.front() = '8';
  EXPECT_NE(first_output(long_seed), first_output(other));
  EXPECT_EQ(first_output(long_seed), 2387228076U);  // as CPython
  EXPECT_NE(first_output("4294967296"), first_output("0"));
}

TEST(RandomTest, CountsOutputsFromTheFirst) {
  Random random("1");
  EXPECT_EQ(random.draws(), 0U);
  random.next_u32();
  EXPECT_EQ(random.draws(), 1U);
  for (int k = 0; k < 700; ++k) random.real();
  EXPECT_EQ(random.draws(), 1401U);
}

TEST(RandomTest, RefusesOtherTexts) {
  for (const char* seed : {"", "-", "12.5", "abc", "1 2", "0x10"}) {
    try {
      Random random{std::string_view(seed)};
      FAIL() << seed;
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("random seed")) << seed;
    }
  }
}

}  // namespace
}  // namespace bertprep
