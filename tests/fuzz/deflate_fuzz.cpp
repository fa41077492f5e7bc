// Arbitrary bytes as int32 rows and as int8: our encoders' output must inflate to their input, also if the code was
// learned from a different chunk.
#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "shard/deflate/chunk_encoder.h"

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes shuffled(const Bytes& data) {
  Bytes out;
  for (std::size_t plane = 0; plane < 4; ++plane) {
    for (std::size_t i = plane; i < data.size(); i += 4) out.push_back(data[i]);
  }
  return out;
}

void check_deflate(std::span<const std::byte> stream, const Bytes& expected) {
  Bytes out(expected.size() + 1);
  uLongf size = out.size();
  Bytes in(stream.size());
  std::memcpy(in.data(), stream.data(), stream.size());
  if (::uncompress(out.data(), &size, in.data(), in.size()) != Z_OK) std::abort();
  out.resize(size);
  if (out != expected) std::abort();
}

void check_int32(const Bytes& first, const Bytes& second, std::size_t row_length) {
  bertprep::Int32ChunkEncoder encoder;
  for (const Bytes* part : {&first, &second}) {
    Bytes data = *part;
    data.resize(data.size() / (4 * row_length) * (4 * row_length));
    check_deflate(encoder.encode(std::as_bytes(std::span(data)), row_length), shuffled(data));
  }
}

void check_int8(const Bytes& first, const Bytes& second) {
  bertprep::Int8ChunkEncoder encoder;
  for (const Bytes* part : {&first, &second}) {
    check_deflate(encoder.encode(std::as_bytes(std::span(*part)), part->size()), *part);
  }
}

}  // namespace

// Two bytes for the row length and for where the second chunk starts, then the data.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t row_length = 1 + data[0] % 64;
  const Bytes bytes(data + 2, data + size);
  const auto middle = bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() * data[1] / 256);
  const Bytes first(bytes.begin(), middle);
  const Bytes second(middle, bytes.end());
  check_int32(first, second, row_length);
  check_int8(first, second);
  return 0;
}
