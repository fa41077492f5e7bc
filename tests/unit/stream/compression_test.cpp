#include "stream/open_stream.h"

#include <gtest/gtest.h>

#include "support/packed.h"

namespace bertprep {
namespace {

TEST(Compression, IsDetectedByTheFirstBytes) {
  EXPECT_EQ(compression_of(test::compress("gzip", "a")), Compression::kGzip);
  EXPECT_EQ(compression_of(test::compress("bzip2", "a")), Compression::kBzip2);
  EXPECT_EQ(compression_of(test::compress("bzip2", "")), Compression::kBzip2);
  EXPECT_EQ(compression_of(test::compress("zstd", "a")), Compression::kZstd);
  EXPECT_EQ(compression_of(test::compress("xz", "a")), Compression::kXz);
  EXPECT_EQ(compression_of("\x5A\x2A\x4D\x18\1\0\0\0x"), Compression::kZstd);
}

TEST(Compression, TextThatBeginsAlikeIsText) {
  for (const char* text :
       {"", "B", "BZh", "BZh9", "BZh9 is a rocket", "BZh0\x31\x41\x59\x26\x53\x59", "\x1F\x8B", "(", "P*M", "7zXZ"}) {
    EXPECT_EQ(compression_of(text), Compression::kNone) << text;
  }
}

}  // namespace
}  // namespace bertprep
