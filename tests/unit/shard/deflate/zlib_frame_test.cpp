#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <vector>

#include "shard/deflate/chunk_encoder.h"

namespace bertprep {
namespace {

std::uint32_t framed_by_zlib(const std::vector<std::uint8_t>& bytes) {
  return static_cast<std::uint32_t>(::adler32_z(1, bytes.data(), bytes.size()));
}

TEST(Adler32, EqualsZlibForEveryLength) {
  std::mt19937 generator(1);
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i < 2100; ++i) {
    EXPECT_EQ(adler32_of(bytes), framed_by_zlib(bytes)) << bytes.size();
    bytes.push_back(static_cast<std::uint8_t>(generator()));
  }
}

TEST(Adler32, HandlesTheLargestValues) {
  const std::vector<std::uint8_t> bytes(std::size_t{5} << 20U, 0xFF);
  EXPECT_EQ(adler32_of(bytes), framed_by_zlib(bytes));
}

TEST(Adler32, AddsZerosWithoutSeeingThem) {
  std::vector<std::uint8_t> bytes{1, 2, 3, 250};
  for (const std::size_t zeros : {0U, 1U, 65520U, 65521U, 65522U, 1000000U}) {
    const std::uint32_t adler = adler32_of(bytes);
    std::vector<std::uint8_t> padded = bytes;
    padded.resize(bytes.size() + zeros);
    EXPECT_EQ(adler32_with_zeros(adler, zeros), framed_by_zlib(padded)) << zeros;
  }
}

}  // namespace

}  // namespace bertprep
