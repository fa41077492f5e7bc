// The frame around a deflate stream (RFC 1950): two bytes before it, the Adler-32 of the data behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shard/bit_writer.h"

namespace bertprep {

// Room for any stream of RowBlocks and RunBlocks over so many bytes: no symbol takes more than 15 bits a
// byte, no header more than 400 bytes, and there are three blocks at most.
std::size_t max_stream_bytes(std::size_t data_bytes);

// Grows `buffer` to `size` where it is smaller: it is never touched in vain.
inline void make_room(std::size_t size, std::vector<std::uint8_t>& buffer) {
  if (buffer.size() < size) buffer.resize(size);
}

void begin_stream(BitWriter& writer);
// Returns the stream, which began at `begin`.
std::span<const std::byte> end_stream(BitWriter& writer, std::uint8_t* begin, std::uint32_t adler);

}  // namespace bertprep
