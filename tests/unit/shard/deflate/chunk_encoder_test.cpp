// For any input, zlib's inflate must give the output of HDF5's shuffle.
#include "shard/deflate/chunk_encoder.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <limits>
#include <random>

#include "unit/shard/shard_rows.h"

namespace bertprep {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes inflated(std::span<const std::byte> stream, std::size_t size) {
  Bytes out(size + 1);
  uLongf out_size = out.size();
  const Bytes in(reinterpret_cast<const std::uint8_t*>(stream.data()),
                 reinterpret_cast<const std::uint8_t*>(stream.data()) + stream.size());
  EXPECT_EQ(::uncompress(out.data(), &out_size, in.data(), in.size()), Z_OK);
  out.resize(out_size);
  return out;
}

Bytes shuffled(const std::vector<std::int32_t>& values) {
  Bytes out;
  for (unsigned plane = 0; plane < 4; ++plane) {
    for (const std::int32_t value : values) {
      out.push_back(static_cast<std::uint8_t>(static_cast<std::uint32_t>(value) >> 8 * plane));
    }
  }
  return out;
}

void expect_inflates(Int32ChunkEncoder& encoder, const std::vector<std::int32_t>& values, std::size_t row_length) {
  const auto stream = encoder.encode(std::as_bytes(std::span(values)), row_length);
  EXPECT_EQ(inflated(stream, 4 * values.size()), shuffled(values)) << row_length;
}

void expect_inflates(Int8ChunkEncoder& encoder, const std::vector<std::int8_t>& values) {
  const auto stream = encoder.encode(std::as_bytes(std::span(values)), values.size());
  EXPECT_EQ(inflated(stream, values.size()), Bytes(values.begin(), values.end()));
}

enum class Kind { kZero, kSame, kIds, kLargeIds, kPadded, kPositions, kNegative, kAnything, kMixed };
constexpr Kind kKinds[] = {Kind::kZero,      Kind::kSame,     Kind::kIds,      Kind::kLargeIds, Kind::kPadded,
                           Kind::kPositions, Kind::kNegative, Kind::kAnything, Kind::kMixed};

std::int32_t value_of(Kind kind, std::size_t column, std::size_t row_length, std::mt19937& generator) {
  const auto draw = [&](std::uint32_t below) { return static_cast<std::int32_t>(generator() % below); };
  switch (kind) {
    case Kind::kZero:
      return 0;
    case Kind::kSame:
      return 30521;
    case Kind::kIds:
      return draw(65536);
    case Kind::kLargeIds:
      return draw(250002);
    case Kind::kPadded:
      return column < row_length / 3 ? draw(30522) : 0;
    case Kind::kPositions:
      return static_cast<std::int32_t>(column * 13);
    case Kind::kNegative:
      return -1 - draw(100);
    case Kind::kAnything:
      return static_cast<std::int32_t>(generator());
    case Kind::kMixed:
      return draw(50) > 0 ? draw(3) : static_cast<std::int32_t>(generator());
  }
  return 0;
}

std::vector<std::int32_t> values_of(Kind kind, std::size_t rows, std::size_t row_length, std::mt19937& generator) {
  std::vector<std::int32_t> values;
  for (std::size_t i = 0; i < rows * row_length; ++i) {
    values.push_back(value_of(kind, i % row_length, row_length, generator));
  }
  return values;
}

TEST(Int32ChunkEncoder, InflatesToTheInputForEveryShape) {
  std::mt19937 generator(1);
  for (const Kind kind : kKinds) {
    for (const std::size_t rows : {1U, 2U, 5U, 64U}) {
      for (const std::size_t row_length : {1U, 2U, 3U, 4U, 5U, 7U, 20U, 128U, 259U, 260U, 261U, 512U}) {
        Int32ChunkEncoder encoder;
        expect_inflates(encoder, values_of(kind, rows, row_length, generator), row_length);
      }
    }
  }
}

TEST(Int32ChunkEncoder, CodesValuesMissingInItsFirstChunk) {
  std::mt19937 generator(2);
  for (const Kind first : kKinds) {
    for (const Kind second : kKinds) {
      Int32ChunkEncoder encoder;
      expect_inflates(encoder, values_of(first, 16, 64, generator), 64);
      expect_inflates(encoder, values_of(second, 16, 64, generator), 64);
      expect_inflates(encoder, values_of(first, 16, 64, generator), 64);
    }
  }
}

TEST(Int32ChunkEncoder, CodesTheLimits) {
  Int32ChunkEncoder encoder;
  using Limits = std::numeric_limits<std::int32_t>;
  expect_inflates(encoder, {Limits::min(), Limits::max(), -1, 0, 65535, 65536, 16777215, 16777216, 255, 256}, 10);
}

TEST(Int32ChunkEncoder, StreamsOfNothingAreValid) {
  Int32ChunkEncoder encoder;
  expect_inflates(encoder, {}, 128);
}

TEST(Int32ChunkEncoder, SameChunksGiveSameBytes) {
  std::mt19937 generator(3);
  const auto values = values_of(Kind::kPadded, 64, 128, generator);
  Int32ChunkEncoder a;
  Int32ChunkEncoder b;
  const auto first = a.encode(std::as_bytes(std::span(values)), 128);
  const auto second = b.encode(std::as_bytes(std::span(values)), 128);
  EXPECT_TRUE(std::equal(first.begin(), first.end(), second.begin(), second.end()));
}

TEST(Int32ChunkEncoder, RemembersNoFileThatItForgot) {
  const auto encoded = [](Int32ChunkEncoder& encoder, Kind kind, std::size_t rows) {
    std::mt19937 generator(8);
    const auto values = values_of(kind, rows, 128, generator);
    const auto stream = encoder.encode(std::as_bytes(std::span(values)), 128);
    return std::vector<std::byte>(stream.begin(), stream.end());
  };
  Int32ChunkEncoder used;
  for (const Kind kind : kKinds) {
    for (const Kind kind_after : kKinds) {
      encoded(used, kind, 50);
      used.forget();
      Int32ChunkEncoder fresh;
      EXPECT_EQ(encoded(used, kind_after, 20), encoded(fresh, kind_after, 20));
      used.forget();
    }
  }
}

// Rare values would need codes too long for four to a word: lengths must be limited.
TEST(Int32ChunkEncoder, SteepCountsKeepCodesShort) {
  std::vector<std::int32_t> values;
  std::size_t count = 1;
  for (std::int32_t value = 0; value < 24; ++value, count += count / 2 + 1) values.insert(values.end(), count, value);
  Int32ChunkEncoder encoder;
  expect_inflates(encoder, values, values.size());
}

TEST(Int32ChunkEncoder, BeatsZlibOnPaddedIds) {
  const ShardShape shape{256, 128, 20};
  const Batch rows = test::valid_rows(shape, 4);
  Int32ChunkEncoder ours;
  ZlibChunkEncoder zlib(4);
  const auto bytes = std::as_bytes(std::span(rows.input_ids));
  EXPECT_LT(ours.encode(bytes, 128).size(), zlib.encode(bytes, 128).size());
}

TEST(Int8ChunkEncoder, InflatesToTheInput) {
  std::mt19937 generator(5);
  for (const unsigned values : {1U, 2U, 3U, 128U, 256U}) {
    for (const unsigned repeat : {1U, 2U, 30U, 1000U}) {
      for (const std::size_t size : {0U, 1U, 2U, 7U, 8U, 9U, 63U, 257U, 258U, 259U, 32768U}) {
        std::vector<std::int8_t> bytes(size);
        for (std::size_t i = 0; i < size; ++i) {
          bytes[i] = i > 0 && generator() % repeat != 0 ? bytes[i - 1] : static_cast<std::int8_t>(generator() % values);
        }
        Int8ChunkEncoder encoder;
        expect_inflates(encoder, bytes);
      }
    }
  }
}

TEST(Int8ChunkEncoder, CodesValuesMissingInItsFirstChunk) {
  Int8ChunkEncoder encoder;
  expect_inflates(encoder, {0, 0, 0, 0});
  expect_inflates(encoder, {0, 1, 0, 1, 1});
  expect_inflates(encoder, {-128, 127, -1, 3, 0});
  expect_inflates(encoder, std::vector<std::int8_t>(5000, 1));
}

TEST(ZlibChunkEncoder, IsZlib) {
  ZlibChunkEncoder encoder(4);
  std::vector<std::uint8_t> data(5000, 7);
  const auto stream = encoder.encode(std::as_bytes(std::span(data)), data.size());
  EXPECT_EQ(inflated(stream, data.size()), data);
}

}  // namespace
}  // namespace bertprep
