#include <zlib.h>

#include "bertprep/base/error.h"
#include "shard/chunk_encoder.h"

namespace bertprep {

std::span<const std::byte> ZlibChunkEncoder::encode(std::span<const std::byte> chunk, std::size_t /*row_length*/) {
  const auto* data = static_cast<const Bytef*>(static_cast<const void*>(chunk.data()));
  const auto size = static_cast<uLong>(chunk.size());
  out_.resize(::compressBound(size));
  uLongf compressed_size = out_.size();
  if (::compress2(out_.data(), &compressed_size, data, size, level_) != Z_OK) {
    throw Error("zlib can't compress a chunk of " + std::to_string(size) + " bytes", {}, "is memory short?");
  }
  return std::as_bytes(std::span<const std::uint8_t>(out_).first(compressed_size));
}

}  // namespace bertprep
