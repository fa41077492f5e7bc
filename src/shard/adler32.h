// Adler-32, the checksum of a zlib stream (RFC 1950, 8.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bertprep {

// Equal to zlib's adler32(1, ...), several times as fast: checksums would otherwise be a third of the work of
// a chunk.
std::uint32_t adler32_of(std::span<const std::uint8_t> bytes);

// The checksum of data with checksum `adler` followed by `count` zeros.
std::uint32_t adler32_with_zeros(std::uint32_t adler, std::size_t count);

}  // namespace bertprep
