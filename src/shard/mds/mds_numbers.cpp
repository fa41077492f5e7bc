// Arrays of integers as values in MDS.
#include <limits>

#include "bertprep/base/error.h"
#include "shard/mds/mds_reader.h"

namespace bertprep {
namespace {

constexpr std::string_view kArray = "ndarray";

struct NumberType {
  unsigned bytes = 0;  // 0: not an integer type
  bool is_signed = false;
};

// Of "uint16".
NumberType type_of_name(std::string_view name) {
  const bool is_signed = name.starts_with("int");
  if (!is_signed && !name.starts_with("uint")) return {};
  const std::string_view bits = name.substr(is_signed ? 3 : 4);
  for (const unsigned bytes : {1U, 2U, 4U, 8U}) {
    if (bits == std::to_string(8 * bytes)) return {bytes, is_signed};
  }
  return {};
}

// From the byte before an "ndarray".
NumberType type_of_code(std::uint8_t code) {
  for (const std::uint8_t bytes : {1, 2, 4, 8}) {
    if (code == 8 * bytes) return {bytes, false};
    if (code == 8 * bytes + 1) return {bytes, true};
  }
  return {};
}

std::uint8_t take_byte(std::string_view& value) {
  if (value.empty()) throw FormatError("an array ends within its shape");
  const auto byte = static_cast<std::uint8_t>(value.front());
  value.remove_prefix(1);
  return byte;
}

// Removes the shape from the front of `value` and returns the number of elements.
std::uint64_t take_shape(std::string_view& value, std::uint64_t& dimensions) {
  const std::uint8_t first = take_byte(value);
  dimensions = first / 4;
  const unsigned width = 1U << (first & 3U);
  std::uint64_t count = 1;
  for (std::uint64_t i = 0; i < dimensions; ++i) {
    std::uint64_t dimension = 0;
    for (unsigned byte = 0; byte < width; ++byte) dimension |= std::uint64_t{take_byte(value)} << (8 * byte);
    if (dimension != 0 && count > std::numeric_limits<std::uint64_t>::max() / dimension) {
      throw FormatError("an array has an impossible shape");
    }
    count *= dimension;
  }
  return count;
}

}  // namespace

bool is_mds_array(std::string_view encoding) {
  if (encoding == kArray) return true;
  if (!encoding.starts_with(kArray) || encoding[kArray.size()] != ':') return false;
  const std::string_view name = encoding.substr(kArray.size() + 1);
  return type_of_name(name.substr(0, name.find(':'))).bytes != 0;
}

MdsNumbers mds_numbers(std::string_view encoding, std::string_view value) {
  if (!is_mds_array(encoding)) throw FormatError("'" + std::string(encoding) + "' is not an array of integers");
  NumberType type;
  bool has_shape = true;
  MdsNumbers numbers;
  numbers.dimensions = 1;
  if (encoding == kArray) {
    type = type_of_code(take_byte(value));
    if (type.bytes == 0) throw FormatError("an array holds values that are not integers");
  } else {
    const std::string_view name = encoding.substr(kArray.size() + 1);
    type = type_of_name(name.substr(0, name.find(':')));
    has_shape = name.find(':') == std::string_view::npos;
    for (const char c : name) numbers.dimensions += c == ',' ? 1 : 0;
  }
  const std::uint64_t count = has_shape ? take_shape(value, numbers.dimensions) : value.size() / type.bytes;
  if (count > value.size() || count * type.bytes != value.size()) {
    throw FormatError("an array of " + std::to_string(count) + " numbers has " + std::to_string(value.size()) +
                      " bytes");
  }
  numbers.bytes = type.bytes;
  numbers.is_signed = type.is_signed;
  numbers.values = value;
  return numbers;
}

}  // namespace bertprep
