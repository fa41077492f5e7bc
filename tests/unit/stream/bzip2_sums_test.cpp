#include "stream/bzip2_scan.h"

#include <gtest/gtest.h>

#include <string>

#include "stream/bzip2_stream.h"
#include "support/temp_folder.h"
#include "unit/stream/bzip2_file.h"

namespace bertprep {
namespace {

std::string mixed_bytes(std::size_t size) {
  std::string bytes;
  for (std::uint32_t value = 1; bytes.size() < size; value = value * 1664525U + 1013904223U)
    bytes += static_cast<char>(value >> 24U);
  return bytes;
}

bool agree(const std::string& packed) {
  const test::TempFolder folder;
  return bzip2_sums_agree(folder.write("x.bz2", packed), {});
}

TEST(Bzip2Sums, OfValidFilesAgree) {
  EXPECT_TRUE(agree(test::bzip2_stream("")));
  EXPECT_TRUE(agree(test::bzip2_stream("a") + test::bzip2_stream("") + test::bzip2_stream("bc")));
  for (std::size_t size = 99'000; size < 99'008; ++size)
    EXPECT_TRUE(agree(test::bzip2_stream(mixed_bytes(2 * size), 1)));
}

TEST(Bzip2Sums, OfAFileWithoutABlockDoNot) {
  std::string packed = test::bzip2_stream(mixed_bytes(350'000), 1);
  const auto at = [&](std::size_t byte, char bits) {
    std::string other = packed;
    other[byte] = static_cast<char>(other[byte] ^ bits);
    return agree(other);
  };
  EXPECT_FALSE(at(4, 1));                  // the mark of the first block
  EXPECT_FALSE(at(11, 1));                 // its checksum
  EXPECT_FALSE(at(packed.size() - 2, 1));  // that of the stream
  EXPECT_TRUE(at(5000, 1));                // data
  EXPECT_TRUE(agree(packed.substr(0, packed.size() - 20)));
}

}  // namespace
}  // namespace bertprep
