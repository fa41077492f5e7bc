// Numbers as text: as the reference writes them into names of folders, and as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bertprep {

// The shortest decimal that reads back as the same double, in the form of Python's str(): 0.1, 1.0, 1e-05.
std::string shortest_decimal(double value);

// An integer of any size in canonical form: no leading zeros, no plus sign, "-0" is "0". Throws ConfigError if the text
// is not a decimal integer.
std::string canonical_integer(std::string_view text);

std::string grouped(std::uint64_t value);                          // "1,234,567"
std::string counted(std::uint64_t value, std::string_view thing);  // "1 row", "2,000 rows"

// A size in bytes: a decimal number, optionally followed by K, M, G or T (powers of 1024). Throws ConfigError naming
// `option` for other text, less than 1 byte, or more than 4e18.
std::uint64_t size_in_bytes(std::string_view text, std::string_view option);

}  // namespace bertprep
