#include "quality/row_view.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "bertprep/shard/schema.h"
#include "io/digest.h"

namespace bertprep {
namespace {

// Of the widest column. Widened, all columns of this many rows fit the cache of a core, as each is read repeatedly.
constexpr std::size_t kBytesAtOnce = std::size_t{1} << 17U;
constexpr std::size_t kChunksAtOnce = std::size_t{1} << 14U;

template <class Stored>
void widen_each(std::string_view bytes, std::vector<std::int64_t>& values) {
  values.resize(bytes.size() / sizeof(Stored));
  for (std::size_t i = 0; i < values.size(); ++i) {
    Stored value;
    std::memcpy(&value, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    values[i] = static_cast<std::int64_t>(value);
  }
}

// No early exit, which would prevent vectorization.
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

// The library's search for a byte checks many at once.
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

// In the order of RowView's members.
enum PartIndex : std::size_t { kIds, kMask, kSegments, kPositions, kMaskedIds, kLabels, kNextSentence, kParts };
using PartNames = std::array<const char*, kParts>;

constexpr PartNames kBertNames{kInputIds,    kInputMask, kSegmentIds,        kMaskedLmPositions,
                               kMaskedLmIds, nullptr,    kNextSentenceLabels};
constexpr PartNames kHuggingFaceNames{kInputIds, "attention_mask", "token_type_ids",     nullptr,
                                      nullptr,   "labels",         "next_sentence_label"};

using OnesNumbers = std::array<std::int64_t, 3>;

// The numbers that describe zeros and ones; other values go into `digest`.
OnesNumbers numbers_of(std::span<const std::int64_t> values, std::optional<OnesRun> ones, std::uint64_t& digest) {
  const auto size = static_cast<std::int64_t>(values.size());
  if (!ones) ones = find_ones(values);
  if (ones) return {size, static_cast<std::int64_t>(ones->begin), static_cast<std::int64_t>(ones->end)};
  digest = checksum_of(bytes_in_memory(values), digest);
  return {size, -1, -1};
}

}  // namespace

std::string fault_text(const Error& error, const std::filesystem::path& file) {
  const std::string what = error.what();
  const std::string prefix = file.string() + ": ";
  return what.starts_with(prefix) ? what.substr(prefix.size()) : what;
}

void widen(std::string_view bytes, unsigned width, bool is_signed, std::vector<std::int64_t>& values) {
  switch (width) {
    case 1:
      return is_signed ? widen_each<std::int8_t>(bytes, values) : widen_each<std::uint8_t>(bytes, values);
    case 2:
      return is_signed ? widen_each<std::int16_t>(bytes, values) : widen_each<std::uint16_t>(bytes, values);
    case 4:
      return is_signed ? widen_each<std::int32_t>(bytes, values) : widen_each<std::uint32_t>(bytes, values);
    default:
      return widen_each<std::int64_t>(bytes, values);
  }
}

ShardColumns::ShardColumns(const std::filesystem::path& path) : file_(path), names_(file_.dataset_names()) {
  for (const std::string& name : names_) {
    try {
      const auto column = columns_.try_emplace(name, file_, name).first;
      if (!column->second.shape().empty()) continue;
      columns_.erase(column);
      unreadable_.emplace(name, "dataset '" + name + "' is a single value");
    } catch (const FormatError& error) {
      unreadable_.emplace(name, fault_text(error, path));
    }
  }
}

const Hdf5InputDataset* ShardColumns::find(const std::string& name) const {
  const auto found = columns_.find(name);
  return found == columns_.end() ? nullptr : &found->second;
}

std::size_t ShardColumns::width(const Hdf5InputDataset& column) {
  std::size_t values = 1;
  for (std::size_t i = 1; i < column.shape().size(); ++i) values *= column.shape()[i];
  return values;
}

std::size_t ShardColumns::rows_at_once() const {
  std::size_t rows = std::size_t{1} << 16U;
  for (const auto& [name, column] : columns_) rows = std::min(rows, column.rows_within(kBytesAtOnce, kChunksAtOnce));
  return rows;
}

std::span<const std::byte> ShardColumns::read(const Hdf5InputDataset& column, std::size_t first, std::size_t count,
                                              std::vector<std::int64_t>& values) {
  std::vector<std::size_t> start(column.shape().size(), 0);
  std::vector<std::size_t> size = column.shape();
  start.front() = first;
  size.front() = count;
  IntegerType wanted = column.type();
  wanted.big_endian = false;
  if (wanted.bytes == 8) wanted.is_signed = true;  // ids of 2^63 or more are damage
  buffer_.resize(count * width(column) * wanted.bytes);
  column.read(start, size, wanted, buffer_);
  widen(bytes_in_memory(buffer_), static_cast<unsigned>(wanted.bytes), wanted.is_signed, values);
  return buffer_;
}

std::optional<OnesRun> find_ones(std::span<const std::uint8_t> values) {
  return find_ones_in(values);
}

std::optional<OnesRun> find_ones(std::span<const std::int64_t> values) {
  return find_ones_in(values);
}

RowKind kind_of(const ShardColumns& columns) {
  const auto has_any = [&](std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* name) { return columns.has(name); });
  };
  if (has_any({kInputMask, kSegmentIds, kMaskedLmPositions, kMaskedLmIds, kNextSentenceLabels})) return RowKind::kBert;
  if (has_any({"attention_mask", "token_type_ids", "labels", "next_sentence_label"})) return RowKind::kHuggingFace;
  return RowKind::kOther;
}

RowReader::RowReader(ShardColumns& columns, RowKind kind) : columns_(columns), parts_(kParts) {
  const PartNames& names = kind == RowKind::kBert ? kBertNames : kHuggingFaceNames;
  std::uint64_t rows = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t i = 0; i < kParts; ++i) {
    if (names[i] == nullptr) continue;
    parts_[i].column = columns.find(names[i]);
    const auto unreadable = columns.unreadable().find(names[i]);
    if (unreadable != columns.unreadable().end() && fault_.empty()) fault_ = unreadable->second;
    if (parts_[i].column == nullptr) continue;
    parts_[i].width = ShardColumns::width(*parts_[i].column);
    rows = std::min<std::uint64_t>(rows, parts_[i].column->shape().front());
  }
  if (rows != std::numeric_limits<std::uint64_t>::max()) rows_ = rows;
}

void RowReader::read(std::uint64_t first, std::size_t count) {
  for (Part& part : parts_) {
    if (part.column == nullptr) continue;
    const auto stored = columns_.read(*part.column, first, count, part.values);
    if (&part == &parts_[kMask] || &part == &parts_[kSegments]) part.find_ones_of(stored, count);
  }
}

// Most are stored as bytes, which are searched directly.
void RowReader::Part::find_ones_of(std::span<const std::byte> stored, std::size_t rows) {
  const bool are_bytes = stored.size() == values.size();
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(stored.data()), stored.size());
  ones.resize(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    ones[i] = are_bytes ? find_ones(bytes.subspan(i * width, width)) : find_ones(row(i));
  }
}

RowView RowReader::row(std::size_t i) const {
  RowView row{parts_[kIds].row(i),
              parts_[kMask].row(i),
              parts_[kSegments].row(i),
              parts_[kPositions].row(i),
              parts_[kMaskedIds].row(i),
              parts_[kLabels].row(i),
              {},
              parts_[kMask].ones_of(i),
              parts_[kSegments].ones_of(i)};
  const auto next_sentence = parts_[kNextSentence].row(i);
  if (!next_sentence.empty()) row.next_sentence = next_sentence.front();
  return row;
}

std::uint64_t digest_of(const RowView& row) {
  std::uint64_t digest = checksum_of(bytes_in_memory(row.ids), 0);
  for (const auto& values : {row.positions, row.masked_ids, row.labels}) {
    if (!values.empty()) digest = checksum_of(bytes_in_memory(values), digest);
  }
  const OnesNumbers mask = numbers_of(row.mask, row.mask_ones, digest);
  const OnesNumbers segments = numbers_of(row.segments, row.segment_ones, digest);
  const std::array<std::int64_t, 10> numbers{static_cast<std::int64_t>(row.positions.size()),
                                             static_cast<std::int64_t>(row.masked_ids.size()),
                                             static_cast<std::int64_t>(row.labels.size()),
                                             mask[0],
                                             mask[1],
                                             mask[2],
                                             segments[0],
                                             segments[1],
                                             segments[2],
                                             row.next_sentence.value_or(-1)};
  return checksum_of(bytes_in_memory(numbers), digest);
}

}  // namespace bertprep
