#include "shard/mds/mds_format.h"

#include <algorithm>
#include <array>
#include <limits>

#include "bertprep/base/error.h"
#include "io/digest.h"

namespace bertprep {
namespace {

constexpr int kVersion = 2;

struct NumberType {
  std::string_view name;
  std::uint8_t code;
  std::uint32_t bytes;
};
constexpr std::array<NumberType, 11> kTypes = {{{"uint8", 8, 1},
                                                {"int8", 9, 1},
                                                {"uint16", 16, 2},
                                                {"int16", 17, 2},
                                                {"float16", 18, 2},
                                                {"uint32", 32, 4},
                                                {"int32", 33, 4},
                                                {"float32", 34, 4},
                                                {"uint64", 64, 8},
                                                {"int64", 65, 8},
                                                {"float64", 66, 8}}};
constexpr std::array<std::string_view, 5> kSelfSized = {"bytes", "str", "str_int", "json", kMdsArray};

const NumberType* find_type(std::string_view name) {
  const auto found = std::ranges::find(kTypes, name, &NumberType::name);
  return found == kTypes.end() ? nullptr : &*found;
}

[[noreturn]] void refuse(std::string_view encoding) {
  throw ConfigError("'" + std::string(encoding) + "' is not an encoding of MDS that can be written");
}

// Of "4,5", each at least 1.
std::uint64_t count_of_shape(std::string_view shape, std::string_view encoding) {
  std::uint64_t count = 1;
  while (true) {
    const std::size_t end = std::min(shape.find(','), shape.size());
    std::uint64_t dimension = 0;
    for (const char digit : shape.substr(0, end)) {
      if (digit < '0' || digit > '9' || dimension > std::numeric_limits<std::uint32_t>::max()) refuse(encoding);
      dimension = dimension * 10 + static_cast<std::uint64_t>(digit - '0');
    }
    if (dimension == 0) refuse(encoding);
    count *= dimension;
    if (count > std::numeric_limits<std::uint32_t>::max()) refuse(encoding);
    if (end == shape.size()) return count;
    shape.remove_prefix(end + 1);
  }
}

}  // namespace

std::optional<std::uint32_t> mds_value_bytes(std::string_view encoding) {
  if (std::ranges::find(kSelfSized, encoding) != kSelfSized.end()) return std::nullopt;
  if (encoding == "int") return 8;
  if (const NumberType* type = find_type(encoding)) return type->bytes;
  if (!encoding.starts_with(kMdsArray) || encoding[kMdsArray.size()] != ':') refuse(encoding);
  const std::string_view rest = encoding.substr(kMdsArray.size() + 1);
  const std::size_t name_end = std::min(rest.find(':'), rest.size());
  const NumberType* type = find_type(rest.substr(0, name_end));
  if (type == nullptr) refuse(encoding);
  if (name_end == rest.size()) return std::nullopt;
  const std::uint64_t bytes = count_of_shape(rest.substr(name_end + 1), encoding) * type->bytes;
  if (bytes > std::numeric_limits<std::uint32_t>::max()) refuse(encoding);
  return static_cast<std::uint32_t>(bytes);
}

void append_mds_shape(std::span<const std::uint64_t> shape, std::string& out) {
  const std::uint64_t largest = shape.empty() ? 0 : *std::ranges::max_element(shape);
  const unsigned width = largest <= 0xFF ? 0U : largest <= 0xFFFF ? 1U : largest <= 0xFFFFFFFF ? 2U : 3U;
  out += static_cast<char>(shape.size() * 4 + width);
  for (const std::uint64_t dimension : shape) {
    for (unsigned i = 0; i < 1U << width; ++i) out += static_cast<char>(dimension >> (8 * i) & 0xFFU);
  }
}

std::uint8_t mds_type_byte(std::string_view type) {
  const NumberType* found = find_type(type);
  return found == nullptr ? 0 : found->code;
}

void MdsFormat::check() {
  std::ranges::sort(columns, {}, &MdsColumn::name);
  if (columns.empty()) throw ConfigError("a set needs a column");
  for (std::size_t i = 0; i < columns.size(); ++i) {
    mds_value_bytes(columns[i].encoding);
    if (i != 0 && columns[i].name == columns[i - 1].name) {
      throw ConfigError("two columns are named '" + columns[i].name + "'");
    }
  }
  if (size_limit && (*size_limit == 0 || *size_limit > std::numeric_limits<std::uint32_t>::max())) {
    throw ConfigError("the size limit of a shard is " + std::to_string(*size_limit) + " bytes", {},
                      "give one from 1 to 4294967295: offsets in a shard have 32 bits");
  }
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (std::ranges::find(kDigestNames, hashes[i]) == kDigestNames.end()) {
      std::string names;
      for (const std::string_view name : kDigestNames) names.append(names.empty() ? "" : ", ").append(name);
      throw ConfigError("'" + hashes[i] + "' is not a digest that can be written", {}, "give one or more of " + names);
    }
    if (i != 0 && hashes[i] <= hashes[i - 1]) {
      throw ConfigError(
          "the digests must be different, and in order: '" + hashes[i] + "' follows '" + hashes[i - 1] + "'", {},
          "give each once, by the alphabet");
    }
  }
}

Json MdsFormat::configuration() const {
  Json encodings = Json::array(), names = Json::array(), sizes = Json::array(), digests = Json::array();
  for (const MdsColumn& column : columns) {
    encodings.push(Json::string(column.encoding));
    names.push(Json::string(column.name));
    const auto bytes = mds_value_bytes(column.encoding);
    sizes.push(bytes ? Json::number(*bytes) : Json());
  }
  for (const std::string& hash : hashes) digests.push(Json::string(hash));
  return Json::object()
      .add("column_encodings", std::move(encodings))
      .add("column_names", std::move(names))
      .add("column_sizes", std::move(sizes))
      .add("compression", compression.empty() ? Json() : Json::string(compression))
      .add("format", Json::string("mds"))
      .add("hashes", std::move(digests))
      .add("size_limit", size_limit ? Json::number(*size_limit) : Json())
      .add("version", Json::number(kVersion));
}

}  // namespace bertprep
