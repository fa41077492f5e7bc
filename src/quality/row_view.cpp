#include "quality/row_view.h"

#include <algorithm>
#include <array>
#include <limits>

#include "bertprep/shard/schema.h"
#include "io/digest.h"

namespace bertprep {
namespace {

// In the order of RowView's members.
enum PartIndex : std::size_t { kIds, kMask, kSegments, kPositions, kMaskedIds, kLabels, kNextSentence, kParts };
using PartNames = std::array<const char*, kParts>;

constexpr PartNames kBertNames{kInputIds,    kInputMask, kSegmentIds,        kMaskedLmPositions,
                               kMaskedLmIds, nullptr,    kNextSentenceLabels};
constexpr PartNames kHuggingFaceNames{kInputIds, "attention_mask", "token_type_ids",     nullptr,
                                      nullptr,   "labels",         "next_sentence_label"};

std::string_view bytes_of(std::span<const std::int64_t> values) {
  const auto bytes = std::as_bytes(values);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

using OnesNumbers = std::array<std::int64_t, 3>;

// What tells of zeros and ones; the values themselves go into `digest` where they are others.
OnesNumbers numbers_of(std::span<const std::int64_t> values, std::optional<OnesRun> ones, std::uint64_t& digest) {
  const auto size = static_cast<std::int64_t>(values.size());
  if (!ones) ones = find_ones(values);
  if (ones) return {size, static_cast<std::int64_t>(ones->begin), static_cast<std::int64_t>(ones->end)};
  digest = checksum_of(bytes_of(values), digest);
  return {size, -1, -1};
}

}  // namespace

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

// Stored as bytes, as most are, they are looked at as such.
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
  std::uint64_t digest = checksum_of(bytes_of(row.ids), 0);
  for (const auto& values : {row.positions, row.masked_ids, row.labels}) {
    if (!values.empty()) digest = checksum_of(bytes_of(values), digest);
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
  return checksum_of(bytes_of(numbers), digest);
}

}  // namespace bertprep
