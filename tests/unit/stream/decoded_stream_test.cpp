#include "stream/decoded_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "stream/zstd_codec.h"
#include "support/packed.h"
#include "support/stream_bytes.h"

namespace bertprep {
namespace {

using testing::HasSubstr;

// Bytes that compress moderately.
std::string text_of(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; text.size() < size; ++i) text += std::to_string(i * i * 7919) + (i % 13 == 0 ? "\n" : " ");
  text.resize(size);
  return text;
}

class DecodedStreamTest : public testing::TestWithParam<const char*> {
 protected:
  static bool is_gzip() { return std::string_view(GetParam()) == "gzip"; }

  static std::string pack(std::string_view bytes) {
    if (is_gzip()) return test::compress("gzip", bytes);
    std::string frame;
    append_zstd_frame(bytes, 3, frame);
    return frame;
  }

  static test::PartRead unpack(const std::string& packed, std::size_t block_bytes = 1000) {
    DecodedStream stream("x", std::make_unique<test::BlockStream>(packed, block_bytes),
                         is_gzip() ? make_gzip_codec() : make_zstd_codec());
    return test::read_as_far_as_possible(stream);
  }
};

TEST_P(DecodedStreamTest, GivesTheSameForAnyBlocks) {
  const std::string text = text_of(20'000);
  const std::string packed = pack(text);
  for (const std::size_t block : {std::size_t{1}, std::size_t{2}, std::size_t{17}, std::size_t{4096}, packed.size()}) {
    const auto part = unpack(packed, block);
    EXPECT_EQ(part.bytes, text);
    EXPECT_FALSE(part.damage) << block;
  }
}

TEST_P(DecodedStreamTest, ReadsMembersInARowAsOne) {
  const std::string packed = pack("one\n") + pack("") + pack(text_of(300'000)) + pack("two");
  for (const std::size_t block : {std::size_t{1}, packed.size()}) {
    const auto part = unpack(packed, block);
    EXPECT_EQ(part.bytes, "one\n" + text_of(300'000) + "two");
    EXPECT_FALSE(part.damage);
  }
}

TEST_P(DecodedStreamTest, UnpacksMuchFromLittle) {
  const std::string text(5'000'000, 'a');
  EXPECT_EQ(unpack(pack(text)).bytes, text);
}

TEST_P(DecodedStreamTest, ATruncatedStreamFailsAfterAllThatCouldBeRead) {
  const std::string text = text_of(3000);
  const std::string packed = pack(text);
  for (std::size_t size = 4; size < packed.size(); size += 7) {
    const auto part = unpack(packed.substr(0, size), 64);
    EXPECT_TRUE(text.starts_with(part.bytes));
    ASSERT_TRUE(part.damage) << size;
    EXPECT_EQ(part.damage->where(), "x");
    EXPECT_THAT(part.damage->what(), HasSubstr("ends within its " + std::string(GetParam()) + " data at byte " +
                                               std::to_string(size) + ", after " + std::to_string(part.bytes.size())));
  }
  // A block of zstd is decoded whole.
  if (is_gzip()) {
    EXPECT_GT(unpack(packed.substr(0, packed.size() - 3)).bytes.size(), 2000U);
  }
}

TEST_P(DecodedStreamTest, DamageFailsOrChangesNothing) {
  const std::string text = text_of(3000);
  const std::string packed = pack(text);
  std::size_t found = 0;
  for (std::size_t at = 0; at < packed.size(); at += 3) {
    std::string bad = packed;
    bad[at] = static_cast<char>(bad[at] ^ 0x55);
    const auto part = unpack(bad);
    if (part.damage) {
      ++found;
      EXPECT_THAT(part.damage->what(), HasSubstr("at byte "));
    } else {
      EXPECT_EQ(part.bytes, text) << at;  // in the header: time, system, name
    }
  }
  EXPECT_GT(found, packed.size() / 3 * 8 / 10);
}

TEST_P(DecodedStreamTest, TrailingBytesMustBeCompressed) {
  const auto part = unpack(pack("one") + "garbage that is long enough");
  EXPECT_EQ(part.bytes, "one");
  EXPECT_TRUE(part.damage);
}

INSTANTIATE_TEST_SUITE_P(All, DecodedStreamTest, testing::Values("gzip", "zstd"));

TEST(GzipStream, ZerosAfterTheLastMemberArePadding) {
  const std::string padded = test::compress("gzip", "one") + std::string(1000, '\0');
  for (const bool has_more : {false, true}) {
    const std::string packed = padded + (has_more ? test::compress("gzip", "two") : "");
    DecodedStream stream("x", std::make_unique<test::BlockStream>(packed, 100), make_gzip_codec());
    const auto part = test::read_as_far_as_possible(stream);
    EXPECT_EQ(part.bytes, "one");
    EXPECT_EQ(part.damage.has_value(), has_more);
  }
}

TEST(ZstdStream, SkipsSkippableFrames) {
  const std::string skippable("\x53\x2A\x4D\x18\x05\0\0\0zstd!", 13);
  const std::string packed = skippable + test::compress("zstd", "one") + skippable + test::compress("zstd", "two");
  DecodedStream stream("x", std::make_unique<test::BlockStream>(packed + skippable, 5), make_zstd_codec());
  EXPECT_EQ(test::bytes_of(stream), "onetwo");
}

}  // namespace
}  // namespace bertprep
