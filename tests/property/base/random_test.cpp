// Random: the branch-free ways of drawing equal the plain ones, at any position of the generator in its block.
#include "base/random.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bertprep {
namespace {

std::vector<std::uint16_t> plain_partners(Random& random, std::uint32_t n) {
  std::vector<std::uint16_t> partners;
  for (std::uint32_t bound = n; bound >= 2; --bound) {
    partners.push_back(static_cast<std::uint16_t>(random.below(bound)));
  }
  return partners;
}

void expect_same_partners(Random& random, std::uint32_t n) {
  Random twin = random;
  constexpr std::uint16_t kUntouched = 0xffff;
  std::vector<std::uint16_t> partners(n + 1, kUntouched);
  random.shuffle_partners(n, partners.data());
  std::vector<std::uint16_t> expected = plain_partners(twin, n);
  expected.resize(n + 1, kUntouched);
  ASSERT_EQ(partners, expected) << n;
  ASSERT_EQ(random.draws(), twin.draws()) << n;
  ASSERT_EQ(random.next_u32(), twin.next_u32()) << n;
}

TEST(RandomProperty, PartnersAreThoseOfAShuffle) {
  Random random("20240131");
  Random places("7");
  for (int round = 0; round < 8; ++round) {
    for (std::uint32_t n = 0; n <= 600; ++n) {
      for (std::uint32_t skip = places.below(700); skip > 0; --skip) random.next_u32();
      ASSERT_NO_FATAL_FAILURE(expect_same_partners(random, n));
    }
  }
}

TEST(RandomProperty, PartnersOfLongShuffles) {
  Random random("-3");
  for (const std::uint32_t n : {623U, 624U, 625U, 1023U, 1024U, 1025U, 4096U, 32767U, 32768U, 32769U, 65534U, 65535U}) {
    ASSERT_NO_FATAL_FAILURE(expect_same_partners(random, n));
  }
}

TEST(RandomProperty, CoinIsRealBelowHalf) {
  Random random("11");
  Random twin = random;
  for (int k = 0; k < 10000; ++k) ASSERT_EQ(random.coin(), twin.real() < 0.5);
  EXPECT_EQ(random.draws(), twin.draws());
}

TEST(RandomProperty, ValuesStayBelowTheirBound) {
  Random random("12");
  for (int k = 0; k < 10000; ++k) {
    const std::uint32_t bound = 1 + random.below(100);
    ASSERT_LT(random.below(bound), bound);
    const double real = random.real();
    ASSERT_GE(real, 0.0);
    ASSERT_LT(real, 1.0);
  }
}

}  // namespace
}  // namespace bertprep
