#include "shard/mds/mds_format.h"

#include <algorithm>
#include <limits>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/digest.h"

namespace bertprep {
namespace {

constexpr unsigned kVersion = 2;

constexpr MdsNumberType kTypes[] = {
    {"uint8", 8, 1},           {"int8", 9, 1},    {"uint16", 16, 2},        {"int16", 17, 2},
    {"float16", 18, 2, false}, {"uint32", 32, 4}, {"int32", 33, 4},         {"float32", 34, 4, false},
    {"uint64", 64, 8},         {"int64", 65, 8},  {"float64", 66, 8, false}};
constexpr std::array<std::string_view, 5> kSelfSized = {"bytes", "str", "str_int", "json", kMdsArray};

[[noreturn]] void refuse(std::string_view encoding) {
  throw ConfigError("'" + std::string(encoding) + "' is not an encoding of MDS that can be written");
}

// Of "4,5", each at least 1.
std::uint64_t count_of_shape(std::string_view shape, std::string_view encoding) {
  std::uint64_t count = 1;
  for (const std::string_view dimension : split(shape, ',')) {
    const auto size = number_in<std::uint32_t>(dimension);
    if (!size || *size == 0) refuse(encoding);
    count *= *size;
    if (count > std::numeric_limits<std::uint32_t>::max()) refuse(encoding);
  }
  return count;
}

constexpr std::uint64_t kIndexVersion = 2;
constexpr std::size_t kMinDigits = 5;

Json file_entry(const MdsFile& file) {
  Json hashes = Json::object();
  for (const auto& [name, digest] : file.hashes) hashes.add(name, digest);
  return Json::object({{"basename", file.basename}, {"bytes", file.bytes}, {"hashes", std::move(hashes)}});
}

// `file` in `folder`: the entry "raw_data" or "zip_data".
Json moved(const Json& file, const std::string& folder) {
  if (file.kind() == Json::Kind::Null) return file;
  Json result = Json::object();
  for (const auto& [name, value] : file.members()) {
    result.add(name, name == "basename" ? folder + "/" + value.text() : value);
  }
  return result;
}

}  // namespace

std::optional<std::uint32_t> mds_value_bytes(std::string_view encoding) {
  if (std::ranges::find(kSelfSized, encoding) != kSelfSized.end()) return std::nullopt;
  if (encoding == "int") return 8;
  if (const MdsNumberType* type = find_mds_type(encoding)) return type->bytes;
  if (!encoding.starts_with(kMdsArray) || encoding[kMdsArray.size()] != ':') refuse(encoding);
  const std::string_view rest = encoding.substr(kMdsArray.size() + 1);
  const std::size_t name_end = std::min(rest.find(':'), rest.size());
  const MdsNumberType* type = find_mds_type(rest.substr(0, name_end));
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

const MdsNumberType* find_mds_type(std::string_view name) {
  const auto* const found = std::ranges::find(kTypes, name, &MdsNumberType::name);
  return found == std::end(kTypes) ? nullptr : found;
}

const MdsNumberType* find_mds_type(std::uint8_t code) {
  const auto* const found = std::ranges::find(kTypes, code, &MdsNumberType::code);
  return found == std::end(kTypes) ? nullptr : found;
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
      throw ConfigError("'" + hashes[i] + "' is not a digest that can be written", {},
                        "give one or more of " + joined(kDigestNames));
    }
    if (i != 0 && hashes[i] <= hashes[i - 1]) {
      throw ConfigError(
          "the digests must be different, and in order: '" + hashes[i] + "' follows '" + hashes[i - 1] + "'", {},
          "give each once, by the alphabet");
    }
  }
}

Json MdsFormat::configuration() const {
  const auto size_of = [](const MdsColumn& column) {
    const auto bytes = mds_value_bytes(column.encoding);
    return bytes ? Json(*bytes) : Json();
  };
  return Json::object({{"column_encodings", Json::array_of(columns, &MdsColumn::encoding)},
                       {"column_names", Json::array_of(columns, &MdsColumn::name)},
                       {"column_sizes", Json::array_of(columns, size_of)},
                       {"compression", compression.empty() ? Json() : compression},
                       {"format", "mds"},
                       {"hashes", Json::array_of(hashes)},
                       {"size_limit", size_limit ? *size_limit : Json()},
                       {"version", kVersion}});
}

Json mds_index_entry(const MdsFormat& format, const MdsShardFacts& shard) {
  return mds_index_entry(format.configuration().members(), shard);
}

Json mds_index_entry(Json::Members members, const MdsShardFacts& shard) {
  members.emplace_back("raw_data", file_entry(shard.raw));
  members.emplace_back("samples", shard.samples);
  members.emplace_back("zip_data", shard.zip ? file_entry(*shard.zip) : Json());
  std::ranges::sort(members, {}, &Json::Members::value_type::first);
  Json entry = Json::object();
  for (auto& [name, value] : members) entry.add(std::move(name), std::move(value));
  return entry;
}

std::string mds_index(const std::vector<Json>& entries) {
  return Json::object({{"shards", Json::array_of(entries)}, {"version", kIndexVersion}}).dump_python();
}

std::string merged_mds_index(const std::vector<Json>& entries) {
  return Json::object({{"version", kIndexVersion}, {"shards", Json::array_of(entries)}}).dump_python();
}

std::string merge_mds_indexes(std::span<const MdsIndexPart> parts) {
  std::vector<Json> entries;
  for (const MdsIndexPart& part : parts) {
    const Json index = Json::parse(part.index, part.folder + "/" + kMdsIndexName);
    for (const Json& shard : index.at("shards").items()) {
      Json entry = Json::object();
      for (const auto& [name, value] : shard.members()) {
        entry.add(name, name == "raw_data" || name == "zip_data" ? moved(value, part.folder) : value);
      }
      entries.push_back(std::move(entry));
    }
  }
  return merged_mds_index(std::move(entries));
}

std::string mds_shard_name(std::uint64_t number) {
  return "shard." + padded_number(number, kMinDigits) + ".mds";
}

}  // namespace bertprep
