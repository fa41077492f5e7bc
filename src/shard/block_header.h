// The header of a dynamic deflate block: how it tells the reader its code.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shard/bit_writer.h"

namespace bertprep {

// Everything between the bit "last block" and the first symbol, for a literal/length code of these lengths
// and a distance code that knows distance 1 alone, as the bit 0 (RFC 1951, 3.2.7).
std::vector<BitCode> block_header(std::span<const std::uint8_t> literal_lengths);

}  // namespace bertprep
