// IdType: the width of the ids of token sequences in a file. Numbers are little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bertprep {

enum class IdType { kUint16, kInt32, kInt64 };

std::string_view name_of(IdType type);  // "uint16", numpy's name
std::size_t bytes_of(IdType type);
// The largest id that fits.
std::uint64_t largest_id(IdType type);

// Appends `ids` to `out`. Throws FormatError for an id that does not fit.
void append_ids(std::span<const std::int32_t> ids, IdType type, std::string& out);

// Appends a number, little-endian.
template <class Number>
void append_little_endian(Number value, std::string& out) {
  for (std::size_t i = 0; i < sizeof(Number); ++i) {
    out += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xFFU);
  }
}

}  // namespace bertprep
