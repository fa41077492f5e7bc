#include "quality/ones_run.h"

#include <algorithm>
#include <cstring>

namespace bertprep {
namespace {

// No way out of the loop, which would keep it from being a packed one.
template <class Value>
Value all_bits(std::span<const Value> values) {
  Value bits = 0;
  for (const Value value : values) bits = static_cast<Value>(bits | value);
  return bits;
}

template <class Value>
std::size_t index_of(std::span<const Value> values, Value value, std::size_t from) {
  return static_cast<std::size_t>(std::find(values.begin() + static_cast<std::ptrdiff_t>(from), values.end(), value) -
                                  values.begin());
}

// The library's search for a byte looks at many at once.
std::size_t index_of(std::span<const std::uint8_t> values, std::uint8_t value, std::size_t from) {
  const auto rest = values.subspan(from);
  if (rest.empty()) return values.size();
  const void* found = std::memchr(rest.data(), value, rest.size());
  if (found == nullptr) return values.size();
  return static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - values.data());
}

template <class Value>
std::optional<OnesRun> find_ones_in(std::span<const Value> values) {
  const Value bits = all_bits(values);
  if (bits == 0) return OnesRun{};
  if (bits != 1) return std::nullopt;
  const std::size_t begin = index_of(values, Value{1}, 0);
  const std::size_t end = index_of(values, Value{0}, begin);
  if (all_bits(values.subspan(end)) != 0) return std::nullopt;
  return OnesRun{begin, end};
}

}  // namespace

std::optional<OnesRun> find_ones(std::span<const std::uint8_t> values) {
  return find_ones_in(values);
}

std::optional<OnesRun> find_ones(std::span<const std::int64_t> values) {
  return find_ones_in(values);
}

}  // namespace bertprep
