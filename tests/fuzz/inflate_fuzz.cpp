// Arbitrary bytes as a zlib stream of a given size: streams that zlib accepts give the same bytes, and wrong checksums
// are refused.
#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

#include "shard/deflate/inflate.h"

namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::size_t kHeaderBytes = 2;
constexpr std::size_t kSumBytes = 4;

std::uint32_t sum_of(const Bytes& bytes) {
  return static_cast<std::uint32_t>(::adler32(1, bytes.data(), static_cast<uInt>(bytes.size())));
}

// If zlib decodes this many bytes after the header, inserts their checksum.
std::optional<Bytes> read_by_zlib(Bytes& stream, std::size_t size) {
  Bytes out(size + 1);
  z_stream raw{};
  if (::inflateInit2(&raw, -15) != Z_OK) std::abort();
  raw.next_in = stream.data() + kHeaderBytes;
  raw.avail_in = static_cast<uInt>(stream.size() - kHeaderBytes);
  raw.next_out = out.data();
  raw.avail_out = static_cast<uInt>(out.size());
  const bool valid = ::inflate(&raw, Z_FINISH) == Z_STREAM_END && raw.total_out == size;
  const std::size_t read = raw.total_in;
  ::inflateEnd(&raw);
  if (!valid) return std::nullopt;
  out.resize(size);
  stream.resize(kHeaderBytes + read);
  for (unsigned shift = 32; shift > 0; shift -= 8) {
    stream.push_back(static_cast<std::uint8_t>(sum_of(out) >> (shift - 8)));
  }
  return out;
}

bool has_sum(const Bytes& stream, std::uint32_t sum) {
  for (std::size_t at = kHeaderBytes; at + kSumBytes <= stream.size(); ++at) {
    std::uint32_t found = 0;
    for (std::size_t i = 0; i < kSumBytes; ++i) found = found << 8U | stream[at + i];
    if (found == sum) return true;
  }
  return false;
}

}  // namespace

// Two bytes for the size, then the stream, whose header is corrected, as few inputs would pass it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 8) return 0;
  const std::size_t expected = 1 + data[0] + 256U * data[1];
  Bytes stream(data + 2, data + size);
  stream[0] = 0x78;
  stream[1] = 0x5E;
  const std::optional<Bytes> by_zlib = read_by_zlib(stream, expected);
  bertprep::Inflater inflater;
  for (int time = 0; time < 2; ++time) {
    Bytes out(expected);
    const bool taken = inflater.inflate(std::as_bytes(std::span(stream)), std::as_writable_bytes(std::span(out)));
    if (by_zlib ? !taken || out != *by_zlib : taken && !has_sum(stream, sum_of(out))) std::abort();
  }
  return 0;
}
