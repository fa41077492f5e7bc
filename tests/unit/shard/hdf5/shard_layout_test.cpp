#include "shard/hdf5/shard_layout.h"

#include <gtest/gtest.h>

namespace bertprep {
namespace {

using Shape = std::vector<std::size_t>;

TEST(ChunkGuess, EqualsThatOfH5py) {
  // Read from files that h5py 3.7 wrote.
  EXPECT_EQ(guess_chunk(Shape{3049, 128}, 4), (Shape{382, 16}));
  EXPECT_EQ(guess_chunk(Shape{3049, 128}, 1), (Shape{382, 32}));
  EXPECT_EQ(guess_chunk(Shape{3049, 20}, 4), (Shape{763, 5}));
  EXPECT_EQ(guess_chunk(Shape{3049}, 1), (Shape{3049}));
  EXPECT_EQ(guess_chunk(Shape{927, 512}, 4), (Shape{58, 64}));
  EXPECT_EQ(guess_chunk(Shape{927, 512}, 1), (Shape{116, 128}));
  EXPECT_EQ(guess_chunk(Shape{5, 128}, 4), (Shape{5, 128}));
}

TEST(ChunkGuess, TakesAnEmptyDimensionForAThousand) {
  EXPECT_EQ(guess_chunk(Shape{0, 128}, 4), (Shape{128, 32}));
  EXPECT_EQ(guess_chunk(Shape{0, 128}, 1), (Shape{256, 32}));
  EXPECT_EQ(guess_chunk(Shape{0, 20}, 1), (Shape{512, 20}));
  EXPECT_EQ(guess_chunk(Shape{0}, 1), (Shape{1024}));
}

TEST(ChunkGuess, StaysBelowAMebibyte) {
  for (const std::size_t rows : {1U, 1000U, 1000000U, 100000000U}) {
    const Shape chunk = guess_chunk(Shape{rows, 512}, 4);
    EXPECT_LT(chunk[0] * chunk[1] * 4, std::size_t{1} << 20U);
    EXPECT_LE(chunk[0], rows);
  }
}

}  // namespace
}  // namespace bertprep
