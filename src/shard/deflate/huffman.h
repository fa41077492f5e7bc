// Huffman codes for deflate: lengths under a limit, and their canonical codes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bertprep {

inline constexpr unsigned kMaxCodeBits = 15;
inline constexpr std::size_t kMaxCodeSymbols = 288;

// The lengths of a complete prefix code in which no length exceeds `max_bits`; 0 for symbols that never occur. A lone
// symbol gets length 1. If the limit does not matter, the code is Huffman's, and optimal; otherwise, codes that are too
// long are shortened and the longest of the shorter ones grow. Ties are broken by symbol number, so the result is the
// same everywhere. `max_bits` must leave room for the symbols: at most 2^max_bits. At most kMaxCodeBits and
// kMaxCodeSymbols are allowed.
std::vector<std::uint8_t> code_lengths(std::span<const std::uint64_t> counts, unsigned max_bits);

// The canonical code of these lengths (RFC 1951, 3.2.2), each with its bits reversed as deflate sends them.
std::vector<std::uint16_t> canonical_codes(std::span<const std::uint8_t> lengths);

}  // namespace bertprep
