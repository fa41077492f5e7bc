// Inflater against zlib: the same bytes for every valid stream, and none for damaged ones.
#include "shard/deflate/inflate.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <optional>
#include <random>

#include "shard/deflate/chunk_encoder.h"
#include "unit/shard/shard_rows.h"

namespace bertprep {
namespace {

using InflatedBytes = std::vector<std::uint8_t>;
using Result = std::optional<InflatedBytes>;

struct ZlibWay {
  int level;
  int strategy;
};
constexpr ZlibWay kZlibWays[] = {{0, Z_DEFAULT_STRATEGY},
                                 {1, Z_DEFAULT_STRATEGY},
                                 {4, Z_DEFAULT_STRATEGY},
                                 {9, Z_DEFAULT_STRATEGY},
                                 {6, Z_FIXED},
                                 {6, Z_HUFFMAN_ONLY},
                                 {6, Z_RLE},
                                 {6, Z_FILTERED}};

InflatedBytes deflated(const InflatedBytes& data, ZlibWay way) {
  z_stream stream{};
  deflateInit2(&stream, way.level, Z_DEFLATED, 15, 8, way.strategy);
  InflatedBytes out(deflateBound(&stream, data.size()) + 64);
  stream.next_in = const_cast<Bytef*>(data.data());
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

Result by_zlib(const InflatedBytes& stream, std::size_t size) {
  InflatedBytes out(size + 1);
  uLongf length = out.size();
  if (uncompress(out.data(), &length, stream.data(), stream.size()) != Z_OK || length != size) return {};
  out.resize(size);
  return out;
}

// In memory of exactly its size, so that AddressSanitizer detects overruns.
Result by_inflater(Inflater& inflater, const InflatedBytes& stream, std::size_t size) {
  const InflatedBytes in(stream);
  InflatedBytes out(size);
  if (!inflater.inflate(std::as_bytes(std::span(in)), std::as_writable_bytes(std::span(out)))) return {};
  return out;
}

// Noise of a few values, long runs, and copies from afar.
InflatedBytes some_bytes(std::size_t size, std::mt19937& random) {
  InflatedBytes bytes;
  while (bytes.size() < size) {
    const std::size_t length = random() % 700 + 1;
    const unsigned kind = random() % 3;
    const auto value = static_cast<std::uint8_t>(random());
    const unsigned values = 1U << random() % 9;
    for (std::size_t i = 0; i < length; ++i) {
      if (kind == 0) bytes.push_back(value);
      if (kind == 1) bytes.push_back(static_cast<std::uint8_t>(random() % values));
      if (kind == 2)
        bytes.push_back(bytes.empty() ? value : bytes[bytes.size() - std::min<std::size_t>(bytes.size(), length)]);
    }
  }
  bytes.resize(size);
  return bytes;
}

TEST(Inflater, ReadsStreamsOfZlib) {
  std::mt19937 random(1);
  Inflater inflater;
  for (const std::size_t size : {1U, 2U, 3U, 100U, 4096U, 65535U, 65536U, 300000U}) {
    for (int round = 0; round < 3; ++round) {
      const InflatedBytes data = some_bytes(size, random);
      for (const ZlibWay way : kZlibWays) {
        EXPECT_EQ(by_inflater(inflater, deflated(data, way), size), Result(data)) << size << " level " << way.level;
      }
    }
  }
}

TEST(Inflater, ReadsStreamsOfTheEncoders) {
  const ShardShape shape{700, 128, 20};
  const Batch valid = test::valid_rows(shape, 1);
  const Batch arbitrary = test::arbitrary_rows(shape, 1);
  Inflater inflater;
  const auto check = [&](ChunkEncoder& encoder, std::span<const std::byte> chunk) {
    for (int time = 0; time < 2; ++time) {
      const auto stream = encoder.encode(chunk, shape.seq_len);
      const InflatedBytes bytes(reinterpret_cast<const std::uint8_t*>(stream.data()),
                                reinterpret_cast<const std::uint8_t*>(stream.data()) + stream.size());
      const Result expected = by_zlib(bytes, chunk.size());
      ASSERT_TRUE(expected);
      EXPECT_EQ(by_inflater(inflater, bytes, chunk.size()), expected);
    }
  };
  for (const Batch* batch : {&valid, &arbitrary, &valid}) {
    Int32ChunkEncoder ids;
    check(ids, std::as_bytes(std::span(batch->input_ids)));
    Int8ChunkEncoder masks;
    check(masks, std::as_bytes(std::span(batch->segment_ids)));
  }
}

// One reader for all of them: damage must not affect its state.
TEST(Inflater, ReadsDamageAsZlibDoesOrToTheValidBytes) {
  std::mt19937 random(2);
  Inflater inflater;
  std::size_t taken = 0;
  std::size_t refused = 0;
  for (const ZlibWay way : kZlibWays) {
    const InflatedBytes data = some_bytes(900, random);
    const InflatedBytes stream = deflated(data, way);
    for (std::size_t bit = 0; bit < 8 * stream.size(); ++bit) {
      InflatedBytes damaged = stream;
      damaged[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
      const Result result = by_inflater(inflater, damaged, data.size());
      const Result expected = by_zlib(damaged, data.size());
      ++(result ? taken : refused);
      EXPECT_TRUE(result == expected || (!expected && result == Result(data))) << bit;
    }
    EXPECT_EQ(by_inflater(inflater, stream, data.size()), Result(data));
  }
  EXPECT_GT(taken, 0U);  // some bits have no effect
  EXPECT_GT(refused, 50 * taken);
}

// As above, but not detectable by the final checksum: it is set to that of zlib's output up to the first bad code.
TEST(Inflater, TakesDamagedCodesAsZlibDoes) {
  std::mt19937 random(3);
  Inflater inflater;
  std::size_t taken = 0;
  std::size_t refused = 0;
  for (int round = 0; round < 20000; ++round) {
    const InflatedBytes data = some_bytes(200, random);
    InflatedBytes stream = deflated(data, kZlibWays[round % 8]);
    for (unsigned flips = random() % 3 + 1; flips > 0; --flips) {
      stream[2 + random() % (stream.size() - 6)] ^= static_cast<std::uint8_t>(1U << random() % 8);
    }
    z_stream raw{};
    inflateInit2(&raw, -15);
    InflatedBytes out(4000);
    raw.next_in = stream.data() + 2;
    raw.avail_in = static_cast<uInt>(stream.size() - 6);
    raw.next_out = out.data();
    raw.avail_out = static_cast<uInt>(out.size());
    const bool valid = ::inflate(&raw, Z_FINISH) == Z_STREAM_END;
    const std::size_t size = raw.total_out;
    stream.resize(2 + raw.total_in);
    inflateEnd(&raw);
    if (size == 0) continue;
    const auto adler = static_cast<std::uint32_t>(adler32(1, out.data(), static_cast<uInt>(size)));
    for (unsigned shift = 32; shift > 0; shift -= 8) stream.push_back(static_cast<std::uint8_t>(adler >> (shift - 8)));
    const Result result = by_inflater(inflater, stream, size);
    out.resize(size);
    EXPECT_EQ(result, valid ? Result(out) : Result()) << round;
    ++(valid ? taken : refused);
  }
  EXPECT_GT(taken, 1000U);
  EXPECT_GT(refused, 1000U);
}

TEST(Inflater, WantsTheWholeStreamAndItsSize) {
  std::mt19937 random(4);
  Inflater inflater;
  const InflatedBytes data = some_bytes(1000, random);
  for (const ZlibWay way : kZlibWays) {
    const InflatedBytes stream = deflated(data, way);
    for (std::size_t size = 0; size < stream.size(); ++size) {
      EXPECT_EQ(by_inflater(inflater, InflatedBytes(stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(size)),
                            1000),
                Result());
    }
    for (const std::size_t size : {1U, 999U, 1001U, 5000U}) EXPECT_EQ(by_inflater(inflater, stream, size), Result());
  }
}

}  // namespace
}  // namespace bertprep
