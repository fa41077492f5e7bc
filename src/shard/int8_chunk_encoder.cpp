#include "shard/adler32.h"
#include "shard/chunk_encoder.h"
#include "shard/zlib_frame.h"

namespace bertprep {

std::span<const std::byte> Int8ChunkEncoder::encode(std::span<const std::byte> chunk, std::size_t /*row_length*/) {
  const std::span bytes(static_cast<const std::uint8_t*>(static_cast<const void*>(chunk.data())), chunk.size());
  runs_.clear();
  runs_.append(bytes);

  make_room(max_stream_bytes(chunk.size()), out_);
  BitWriter writer(out_.data());
  begin_stream(writer);
  run_block_.write(runs_, true, writer);
  return end_stream(writer, out_.data(), adler32_of(bytes));
}

}  // namespace bertprep
