#include "shard/id_type.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

static_assert(std::endian::native == std::endian::little, "ids are copied as stored in memory");

// In the order of IdType.
struct IdFacts {
  std::string_view name;
  std::size_t bytes;
};
constexpr std::array<IdFacts, 3> kIdFacts = {{{"uint16", 2}, {"int32", 4}, {"int64", 8}}};

const IdFacts& facts_of(IdType type) {
  return kIdFacts[static_cast<std::size_t>(type)];
}

template <class Number>
void append_as(std::span<const std::int32_t> ids, std::string& out) {
  const std::size_t begin = out.size();
  out.resize(begin + ids.size() * sizeof(Number));
  char* at = out.data() + begin;
  for (const std::int32_t id : ids) {
    const auto number = static_cast<Number>(id);
    std::memcpy(at, &number, sizeof(Number));
    at += sizeof(Number);
  }
}

void require_fitting(std::span<const std::int32_t> ids, IdType type) {
  std::uint32_t all = 0;
  for (const std::int32_t id : ids) all |= static_cast<std::uint32_t>(id);
  if (all <= largest_id(type)) return;
  const auto wrong = std::find_if(ids.begin(), ids.end(), [&](std::int32_t id) {
    return id < 0 || static_cast<std::uint64_t>(id) > largest_id(type);
  });
  if (wrong == ids.end()) return;
  throw FormatError("the id " + std::to_string(*wrong) + " does not fit into " + std::string(name_of(type)), {},
                    "choose a wider type: `dtype` int32");
}

}  // namespace

std::string_view name_of(IdType type) {
  return facts_of(type).name;
}

std::size_t bytes_of(IdType type) {
  return facts_of(type).bytes;
}

std::uint64_t largest_id(IdType type) {
  return type == IdType::kUint16 ? std::numeric_limits<std::uint16_t>::max() : std::numeric_limits<std::int32_t>::max();
}

void append_ids(std::span<const std::int32_t> ids, IdType type, std::string& out) {
  require_fitting(ids, type);
  switch (type) {
    case IdType::kUint16:
      return append_as<std::uint16_t>(ids, out);
    case IdType::kInt32:
      return append_as<std::int32_t>(ids, out);
    case IdType::kInt64:
      return append_as<std::int64_t>(ids, out);
  }
}

}  // namespace bertprep
