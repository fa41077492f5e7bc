#include "shard/deflate/zlib_frame.h"

#include <array>

namespace bertprep {

std::size_t max_stream_bytes(std::size_t data_bytes) {
  return 2 * data_bytes + 2048 + BitWriter::kSlackBytes;
}

void begin_stream(BitWriter& writer) {
  writer.put(0x78, 8);  // deflate with a window of 32 KiB
  writer.put(0x5E, 8);  // made by a fast method; completes the check of the first two bytes
}

std::span<const std::byte> end_stream(BitWriter& writer, std::uint8_t* begin, std::uint32_t adler) {
  std::uint8_t* end = writer.align();
  for (unsigned shift = 32; shift > 0; shift -= 8) *end++ = static_cast<std::uint8_t>(adler >> (shift - 8));
  return std::as_bytes(std::span<const std::uint8_t>(begin, end));
}

namespace {

constexpr std::uint32_t kModulus = 65521;
constexpr std::size_t kBlockBytes = 512;

// In a block, a byte counts in the running sum once for itself and once for every byte after it.
constexpr auto kWeights = [] {
  std::array<std::int16_t, kBlockBytes> weights{};
  for (std::size_t i = 0; i < kBlockBytes; ++i) weights[i] = static_cast<std::int16_t>(kBlockBytes - i);
  return weights;
}();

// The sum of all bytes, and the sum of its values after each byte.
struct Sums {
  std::uint64_t plain = 1;
  std::uint64_t running = 0;
};

void add_one_by_one(std::span<const std::uint8_t> bytes, Sums& sums) {
  for (const std::uint8_t byte : bytes) {
    sums.plain += byte;
    sums.running += sums.plain;
  }
}

// Two sums of products of 16-bit numbers, which compilers vectorize.
void add_block(const std::uint8_t* bytes, Sums& sums) {
  std::int32_t plain = 0;
  std::int32_t weighted = 0;
  for (std::size_t i = 0; i < kBlockBytes; ++i) {
    const std::int16_t byte = bytes[i];
    plain += byte;
    weighted += byte * kWeights[i];
  }
  sums.running += kBlockBytes * sums.plain + static_cast<std::uint64_t>(weighted);
  sums.plain += static_cast<std::uint64_t>(plain);
}

}  // namespace

std::uint32_t adler32_of(std::span<const std::uint8_t> bytes) {
  Sums sums;
  for (; bytes.size() >= kBlockBytes; bytes = bytes.subspan(kBlockBytes)) {
    add_block(bytes.data(), sums);
    sums.running %= kModulus;
  }
  add_one_by_one(bytes, sums);
  sums.plain %= kModulus;
  sums.running %= kModulus;
  return static_cast<std::uint32_t>(sums.running << 16U | sums.plain);
}

std::uint32_t adler32_with_zeros(std::uint32_t adler, std::size_t count) {
  const std::uint64_t plain = adler & 0xFFFFU;
  const std::uint64_t running = ((adler >> 16U) + count % kModulus * plain) % kModulus;
  return static_cast<std::uint32_t>(running << 16U | plain);
}

}  // namespace bertprep
