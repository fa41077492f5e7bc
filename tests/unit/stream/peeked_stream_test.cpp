#include "stream/peeked_stream.h"

#include <gtest/gtest.h>

#include <string>

#include "support/stream_bytes.h"

namespace bertprep {
namespace {

const std::string kBytes = "abcdefghijklmnopqrstuvwxyz";

TEST(PeekedStream, GivesAllBytesWhateverWasLookedAt) {
  for (std::size_t block = 1; block <= 30; ++block) {
    for (std::size_t wanted = 0; wanted <= 30; ++wanted) {
      PeekedStream stream(std::make_unique<test::BlockStream>(kBytes, block));
      const std::string_view first = stream.peek(wanted);
      EXPECT_GE(first.size(), std::min(wanted, kBytes.size()));
      EXPECT_TRUE(kBytes.starts_with(first));
      EXPECT_EQ(test::bytes_of(stream), kBytes) << block << ' ' << wanted;
      EXPECT_TRUE(stream.next_block().empty());
    }
  }
}

TEST(PeekedStream, MayBeLookedAtTwice) {
  PeekedStream stream(std::make_unique<test::BlockStream>(kBytes, 3));
  EXPECT_GE(stream.peek(2).size(), 2U);
  EXPECT_GE(stream.peek(10).size(), 10U);
  EXPECT_EQ(test::bytes_of(stream), kBytes);
}

TEST(PeekedStream, ThrowsDamageWhereItIs) {
  for (const std::size_t wanted : {0, 5, 26, 100}) {
    PeekedStream stream(std::make_unique<test::BlockStream>(kBytes, 7, true));
    stream.peek(wanted);
    const auto part = test::read_as_far_as_possible(stream);
    EXPECT_EQ(part.bytes, kBytes);
    EXPECT_TRUE(part.damage.has_value());
  }
}

}  // namespace
}  // namespace bertprep
