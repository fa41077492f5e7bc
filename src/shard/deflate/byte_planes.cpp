#include "shard/deflate/byte_planes.h"

#include <bit>
#include <cstring>

#include "base/clones.h"

namespace bertprep {
namespace {

std::uint32_t load(const std::byte* at) {
  std::uint32_t value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

std::uint64_t load_two(const std::byte* at) {
  std::uint64_t values;
  std::memcpy(&values, at, sizeof(values));
  return values;
}

// Two neighbouring planes in one pass over plain, disjoint arrays: a loop that becomes packed instructions on any
// processor. Returns the bitwise or of all values.
template <unsigned kPlane>
std::uint32_t split_two_planes(const std::byte* __restrict values, std::size_t count, std::uint8_t* __restrict out) {
  std::uint8_t* __restrict next_out = out + count;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t value = load(values + 4 * i);
    bits |= value;
    out[i] = static_cast<std::uint8_t>(value >> (8 * kPlane));
    next_out[i] = static_cast<std::uint8_t>(value >> (8 * kPlane + 8));
  }
  return bits;
}

std::uint32_t used_length(const std::byte* row, std::size_t length) {
  while (length >= 4 && (load_two(row + 4 * length - 8) | load_two(row + 4 * length - 16)) == 0) length -= 4;
  while (length > 0 && load(row + 4 * length - 4) == 0) --length;
  return static_cast<std::uint32_t>(length);
}

}  // namespace

BERTPREP_CLONES
void BytePlanes::split(std::span<const std::byte> values, std::size_t row_length) {
  const std::byte* data = values.data();
  const std::size_t count = values.size() / sizeof(std::int32_t);
  plane_size_ = count;
  if (bytes_.size() < kPlanes * count) bytes_.resize(kPlanes * count);
  const std::uint32_t bits = split_two_planes<0>(data, count, bytes_.data());
  used_planes_ = (static_cast<std::size_t>(std::bit_width(bits)) + 7) / 8;
  if (used_planes_ > 2) split_two_planes<2>(data, count, bytes_.data() + 2 * count);

  used_lengths_.resize(row_length == 0 ? 0 : count / row_length);
  for (std::size_t r = 0; r < used_lengths_.size(); ++r) {
    used_lengths_[r] = used_length(data + 4 * r * row_length, row_length);
  }
}

void join_planes(std::span<const std::byte> planes, std::span<std::byte> values) {
  const std::size_t size = planes.size() / BytePlanes::kPlanes;
  const std::byte* __restrict plane = planes.data();
  std::byte* __restrict out = values.data();
  for (std::size_t i = 0; i < values.size() / BytePlanes::kPlanes; ++i) {
    const auto byte = [&](std::size_t of_plane) { return std::to_integer<std::uint32_t>(plane[of_plane * size + i]); };
    const std::uint32_t value = byte(0) | byte(1) << 8U | byte(2) << 16U | byte(3) << 24U;
    std::memcpy(out + 4 * i, &value, sizeof(value));
  }
}

}  // namespace bertprep
