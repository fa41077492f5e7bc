#include "stream/bzip2/recent_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace bertprep {
namespace {

ByteOrder mixed_order(std::mt19937& random) {
  ByteOrder order{};
  std::iota(order.begin(), order.end(), std::uint8_t{0});
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

// Takes places of all sizes from `Recent` and from a plain list.
template <class Recent>
void compare_with_plain_list() {
  std::mt19937 random(1);
  for (const unsigned places : {2U, 3U, 31U, 32U, 33U, 34U, 64U, 65U, 256U}) {
    ByteOrder plain = mixed_order(random);
    ByteOrder order = plain;
    Recent recent(order);
    ASSERT_EQ(recent.first(), plain[0]);
    for (int i = 0; i < 5000; ++i) {
      const unsigned place = 1 + static_cast<unsigned>(random()) % (places - 1);
      std::rotate(plain.begin(), plain.begin() + place, plain.begin() + place + 1);
      ASSERT_EQ(recent.take(place), plain[0]) << "place " << place << " of " << places << ", step " << i;
      ASSERT_EQ(recent.first(), plain[0]);
    }
    for (unsigned place = 255; place > 0; --place) {
      std::rotate(plain.begin(), plain.begin() + place, plain.begin() + place + 1);
      ASSERT_EQ(recent.take(place), plain[0]) << "place " << place << " at the end";
    }
  }
}

TEST(RecentBytes, MovesLikeAPlainList) {
  compare_with_plain_list<RecentBytes>();
}

TEST(RecentVector, MovesLikeAPlainList) {
  compare_with_plain_list<RecentVector>();
}

}  // namespace
}  // namespace bertprep
