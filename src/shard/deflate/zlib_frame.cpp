#include "shard/deflate/zlib_frame.h"

#include <libdeflate.h>

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

std::uint32_t adler32_of(std::span<const std::uint8_t> bytes) {
  return ::libdeflate_adler32(1, bytes.data(), bytes.size());
}

std::uint32_t adler32_with_zeros(std::uint32_t adler, std::size_t count) {
  constexpr std::uint32_t kModulus = 65521;
  const std::uint64_t plain = adler & 0xFFFFU;
  const std::uint64_t running = ((adler >> 16U) + count % kModulus * plain) % kModulus;
  return static_cast<std::uint32_t>(running << 16U | plain);
}

}  // namespace bertprep
