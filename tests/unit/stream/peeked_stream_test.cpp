#include "stream/byte_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/stream_bytes.h"

namespace bertprep {
namespace {

const std::string kBytes = "abcdefghijklmnopqrstuvwxyz";

TEST(PeekedStream, GivesAllBytesAfterAnyPeek) {
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

// Small blocks, each with its own position; every third comes after a gap.
class PlacedBlocks final : public ByteStream {
 public:
  std::string_view next_block() override {
    block_ = count_ < 9 ? std::string(1, static_cast<char>('a' + count_)) : std::string();
    ++count_;
    return block_;
  }
  BlockPlace place() const override {
    return {.gap = count_ % 3 == 0 ? std::optional(FileBytes{count_, count_ + 1}) : std::nullopt,
            .file_byte = 100 * count_};
  }

 private:
  std::string block_;
  std::uint64_t count_ = 0;
};

TEST(PeekedStream, ForwardsTheRemarksOfEachBlock) {
  for (std::size_t wanted = 0; wanted < 12; ++wanted) {
    PeekedStream stream(std::make_unique<PlacedBlocks>());
    stream.peek(wanted);
    for (std::uint64_t i = 1; i <= 9; ++i) {
      EXPECT_EQ(stream.next_block(), std::string(1, static_cast<char>('a' + i - 1)));
      EXPECT_EQ(stream.place().gap.has_value(), i % 3 == 0) << wanted << ' ' << i;
      EXPECT_EQ(stream.place().gap.value_or(FileBytes{i, 0}).begin, i);
      EXPECT_EQ(stream.place().file_byte, 100 * i);
    }
    EXPECT_TRUE(stream.next_block().empty());
  }
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
