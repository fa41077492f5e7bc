// Arbitrary bytes as a zlib stream that is to hold so many bytes: what is read of it is what zlib reads.
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "shard/inflate.h"

// Two bytes for the size, then the stream. The checksum at its end is made right: no input would get past it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 8) return 0;
  const std::size_t expected = 1 + data[0] + 256U * data[1];
  std::vector<std::uint8_t> stream(data + 2, data + size);
  std::vector<std::uint8_t> by_zlib(expected + 1);
  z_stream raw{};
  if (::inflateInit2(&raw, -15) != Z_OK) std::abort();
  raw.next_in = stream.data() + 2;
  raw.avail_in = static_cast<uInt>(stream.size() - 2);
  raw.next_out = by_zlib.data();
  raw.avail_out = static_cast<uInt>(by_zlib.size());
  const bool sound = ::inflate(&raw, Z_FINISH) == Z_STREAM_END && raw.total_out == expected;
  if (sound) {
    stream.resize(2 + raw.total_in);
    const auto adler = static_cast<std::uint32_t>(::adler32(1, by_zlib.data(), static_cast<uInt>(expected)));
    for (unsigned shift = 32; shift > 0; shift -= 8) stream.push_back(static_cast<std::uint8_t>(adler >> (shift - 8)));
  }
  ::inflateEnd(&raw);

  const std::size_t length = stream.size();
  stream.resize(length + bertprep::Inflater::kInputSlackBytes, 0xA5);
  bertprep::Inflater inflater;
  for (int time = 0; time < 2; ++time) {
    const auto bytes = inflater.inflate(std::span(stream).first(length), expected);
    if (!bytes.empty() && (!sound || !std::equal(bytes.begin(), bytes.end(), by_zlib.begin()))) std::abort();
  }
  return 0;
}
