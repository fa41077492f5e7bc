// The frame of a zlib stream (RFC 1950): two bytes before the deflate stream, the Adler-32 of the data after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shard/deflate/bit_writer.h"

namespace bertprep {

// Room for any stream of RowBlocks and RunBlocks over `data_bytes` bytes: a symbol takes at most 15 bits per byte, a
// header at most 400 bytes, and there are at most three blocks.
std::size_t max_stream_bytes(std::size_t data_bytes);

// Grows `buffer` to `size` if it is smaller; otherwise does not touch it.
inline void make_room(std::size_t size, std::vector<std::uint8_t>& buffer) {
  if (buffer.size() < size) buffer.resize(size);
}

void begin_stream(BitWriter& writer);
// Returns the stream, which began at `begin`.
std::span<const std::byte> end_stream(BitWriter& writer, std::uint8_t* begin, std::uint32_t adler);

// Adler-32, the checksum of a zlib stream (RFC 1950, 8.2).

// By libdeflate: with zlib's adler32(), checksums would be a third of the work of a chunk.
std::uint32_t adler32_of(std::span<const std::uint8_t> bytes);

// The checksum of data with checksum `adler` followed by `count` zeros.
std::uint32_t adler32_with_zeros(std::uint32_t adler, std::size_t count);

}  // namespace bertprep
