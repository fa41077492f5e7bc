#include "shard/mds/mds_reader.h"

#include <cstring>
#include <limits>

#include "base/number_text.h"
#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kWordBytes = 4;

std::uint32_t word_at(std::string_view bytes, std::uint64_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, kWordBytes);
  return value;
}

bool is_null(const Json& json) {
  return json.kind() == Json::Kind::Null;
}

MdsFile file_of(const Json& json) {
  MdsFile file{.basename = json.at("basename").text(), .bytes = json.at("bytes").as_unsigned(), .hashes = {}};
  const Json* hashes = json.find("hashes");
  if (hashes == nullptr || is_null(*hashes)) return file;
  for (const auto& [name, digest] : hashes->members()) file.hashes.emplace_back(name, digest.text());
  return file;
}

std::vector<MdsColumnEntry> columns_of(const Json& json) {
  const auto& names = json.at("column_names").items();
  const auto& encodings = json.at("column_encodings").items();
  const auto& sizes = json.at("column_sizes").items();
  if (names.size() != encodings.size() || names.size() != sizes.size()) {
    throw FormatError("names, encodings and sizes of columns differ in number");
  }
  std::vector<MdsColumnEntry> columns;
  for (std::size_t i = 0; i < names.size(); ++i) {
    columns.push_back({names[i].text(), encodings[i].text(),
                       is_null(sizes[i]) ? std::nullopt : std::optional(sizes[i].as_unsigned())});
  }
  return columns;
}

// The part of a shard's description that is in the index and in the shard itself.
MdsShardEntry configuration_of(const Json& json) {
  MdsShardEntry entry;
  entry.format = json.at("format").text();
  if (entry.format != "mds") return entry;
  entry.columns = columns_of(json);
  if (const Json* compression = json.find("compression"); compression != nullptr && !is_null(*compression)) {
    entry.compression = compression->text();
  }
  if (const Json* hashes = json.find("hashes"); hashes != nullptr && !is_null(*hashes)) {
    entry.hashes = texts_in(*hashes);
  }
  const Json* limit = json.find("size_limit");
  if (limit != nullptr && limit->kind() == Json::Kind::Number) entry.size_limit = limit->as_unsigned();
  return entry;
}

// Of "uint16" and "uint16:4,5", of integers alone.
const MdsNumberType* integer_type(std::string_view type_and_shape) {
  const MdsNumberType* type = find_mds_type(type_and_shape.substr(0, type_and_shape.find(':')));
  return type != nullptr && type->is_integer ? type : nullptr;
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

std::vector<MdsShardEntry> parse_mds_index(std::string_view bytes, const std::string& name) try {
  const Json index = Json::parse(bytes, name);
  std::vector<MdsShardEntry> entries;
  for (const Json& json : index.at("shards").items()) {
    MdsShardEntry entry = configuration_of(json);
    entry.facts.samples = json.at("samples").as_unsigned();
    if (entry.format == "mds") {
      entry.facts.raw = file_of(json.at("raw_data"));
      const Json* zip = json.find("zip_data");
      if (zip != nullptr && !is_null(*zip)) entry.facts.zip = file_of(*zip);
    }
    entries.push_back(std::move(entry));
  }
  return entries;
} catch (const FormatError& error) {
  const std::string what = error.what();
  throw FormatError("is not an MDS index: " + (what.starts_with(name + ": ") ? what.substr(name.size() + 2) : what),
                    name);
}

MdsShardView::MdsShardView(std::string_view bytes) : bytes_(bytes) {
  if (bytes.size() < 2 * kWordBytes) throw FormatError("is not an MDS shard: it has " + counted(bytes.size(), "byte"));
  samples_ = word_at(bytes, 0);
  if ((samples_ + 2) * kWordBytes > bytes.size()) {
    throw FormatError("says it holds " + counted(samples_, "sample") + ", but ends within their offsets");
  }
}

std::uint64_t MdsShardView::offset(std::uint64_t i) const {
  return word_at(bytes_, (i + 1) * kWordBytes);
}

Json MdsShardView::header_json() const {
  const std::uint64_t begin = (samples_ + 2) * kWordBytes;
  const std::uint64_t end = offset(0);
  if (end < begin || end > bytes_.size()) {
    throw FormatError("has no header: its first sample begins at " + std::to_string(end));
  }
  return Json::parse(bytes_.substr(begin, end - begin), "its header");
}

MdsShardEntry MdsShardView::header() const {
  return configuration_of(header_json());
}

std::string_view MdsShardView::sample(std::uint64_t i) const {
  const std::uint64_t begin = offset(i);
  const std::uint64_t end = offset(i + 1);
  if (begin < (samples_ + 2) * kWordBytes || end < begin || end > bytes_.size()) {
    throw FormatError("extends from byte " + std::to_string(begin) + " to " + std::to_string(end) + " of a shard of " +
                      std::to_string(bytes_.size()));
  }
  return bytes_.substr(begin, end - begin);
}

void MdsShardView::read(std::uint64_t i, const std::vector<MdsColumnEntry>& columns,
                        std::vector<std::string_view>& values) const {
  std::string_view rest = sample(i);
  std::uint64_t lengths_end = 0;
  for (const MdsColumnEntry& column : columns) lengths_end += column.bytes ? 0 : kWordBytes;
  if (lengths_end > rest.size()) throw FormatError("is too short for its columns");
  const std::string_view lengths = rest.substr(0, lengths_end);
  rest.remove_prefix(lengths_end);
  values.clear();
  std::uint64_t next_length = 0;
  for (const MdsColumnEntry& column : columns) {
    std::uint64_t bytes = column.bytes.value_or(0);
    if (!column.bytes) {
      bytes = word_at(lengths, next_length);
      next_length += kWordBytes;
    }
    if (bytes > rest.size()) throw FormatError("is shorter than its values");
    values.push_back(rest.substr(0, bytes));
    rest.remove_prefix(bytes);
  }
  if (!rest.empty()) throw FormatError("has " + counted(rest.size(), "byte") + " after its values");
}

bool is_mds_array(std::string_view encoding) {
  if (encoding == kMdsArray) return true;
  if (!encoding.starts_with(kMdsArray) || encoding[kMdsArray.size()] != ':') return false;
  return integer_type(encoding.substr(kMdsArray.size() + 1)) != nullptr;
}

MdsNumbers mds_numbers(std::string_view encoding, std::string_view value) {
  if (!is_mds_array(encoding)) throw FormatError("'" + std::string(encoding) + "' is not an array of integers");
  const MdsNumberType* type = nullptr;
  bool has_shape = true;
  MdsNumbers numbers;
  numbers.dimensions = 1;
  if (encoding == kMdsArray) {
    type = find_mds_type(take_byte(value));
    if (type == nullptr || !type->is_integer) throw FormatError("an array holds values that are not integers");
  } else {
    const std::string_view name = encoding.substr(kMdsArray.size() + 1);
    type = integer_type(name);
    has_shape = name.find(':') == std::string_view::npos;
    for (const char c : name) numbers.dimensions += c == ',' ? 1 : 0;
  }
  const std::uint64_t count = has_shape ? take_shape(value, numbers.dimensions) : value.size() / type->bytes;
  if (count > value.size() || count * type->bytes != value.size()) {
    throw FormatError("an array of " + std::to_string(count) + " numbers has " + std::to_string(value.size()) +
                      " bytes");
  }
  numbers.bytes = type->bytes;
  numbers.is_signed = type->is_signed();
  numbers.values = value;
  return numbers;
}

}  // namespace bertprep
