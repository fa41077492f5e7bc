#include "quality/sequences/mds_files.h"

#include <algorithm>
#include <set>

namespace bertprep {
namespace {

using enum TrainerKind;
using Columns = std::vector<MdsColumnEntry>;

constexpr const char* kInputIdsColumn = "input_ids";
constexpr const char* kTokensColumn = "tokens";
constexpr const char* kLengthColumn = "len";

bool is_one_of(TrainerKind trainer, const std::vector<TrainerKind>& trainers) {
  return std::find(trainers.begin(), trainers.end(), trainer) != trainers.end();
}

bool reads_input_ids(TrainerKind trainer) {
  return trainer == kModernbert || trainer == kModernbertStreaming || trainer == kBioclinical;
}

// The encodings that the Streaming library decodes by default, without trusting the set.
bool is_known(std::string_view encoding) {
  static const std::set<std::string_view> kKnown{
      "bytes",   "str",   "int",     "uint8",   "uint16",     "uint32",    "uint64",    "int8",        "int16",
      "int32",   "int64", "float16", "float32", "float64",    "str_int",   "str_float", "str_decimal", "json",
      "ndarray", "pil",   "jpeg",    "png",     "jpeg_array", "jpegarray", "list[pil]", "list[jpeg]",  "list[png]"};
  return kKnown.contains(encoding) || encoding.starts_with("ndarray:");
}

void find_names(const Columns& columns, const std::vector<TrainerKind>& trainers, Findings& findings) {
  std::string names;
  for (const MdsColumnEntry& column : columns) names += (names.empty() ? "" : ", ") + column.name;
  const bool has_input =
      find_column(columns, kInputIdsColumn) != nullptr || find_column(columns, kTextColumn) != nullptr;
  const bool has_tokens = find_column(columns, kTokensColumn) != nullptr;
  const bool wants_input = !has_input && std::any_of(trainers.begin(), trainers.end(), reads_input_ids);
  const bool wants_tokens = !has_tokens && is_one_of(kEurobert, trainers);
  if (!wants_input && !wants_tokens) return;
  findings.add(Trap::kColumnName, {},
               "samples have " + (names.empty() ? "no columns" : names) + ", not " +
                   (wants_input ? kInputIdsColumn : kTokensColumn),
               {{"{trainer}", wants_input ? "modernbert" : "eurobert"}});
  if (!wants_input) findings.leave_out(Trap::kColumnName, reads_input_ids);
  if (!wants_tokens) findings.leave_out(Trap::kColumnName, [](TrainerKind trainer) { return trainer == kEurobert; });
}

void find_encodings(const Columns& columns, const std::string& type, const std::vector<TrainerKind>& trainers,
                    Findings& findings) {
  const auto is_streaming = [](TrainerKind trainer) { return trainer == kModernbertStreaming; };
  for (const char* name : {kInputIdsColumn, kTokensColumn}) {
    const MdsColumnEntry* column = find_column(columns, name);
    if (column == nullptr) continue;
    const bool is_read = std::any_of(trainers.begin(), trainers.end(), [&](TrainerKind trainer) {
      return name == kInputIdsColumn ? reads_input_ids(trainer) : trainer == kEurobert;
    });
    if (!is_read) continue;
    if (!is_mds_array(column->encoding)) {
      findings.add(Trap::kColumnEncoding, {},
                   std::string(name) + " is " + column->encoding + ", not an array of integers",
                   {{"{trainer}", name == kInputIdsColumn ? "modernbert" : "eurobert"}});
      // With a length column, the bytes are read as int64, padded and truncated.
      const bool has_length = column->encoding == "bytes" && find_column(columns, kLengthColumn) != nullptr;
      if (has_length) findings.leave_out(Trap::kColumnEncoding, is_streaming);
    } else if (name == kInputIdsColumn && !type.empty() && type != "int64" &&
               find_column(columns, kTextColumn) == nullptr) {
      findings.add(Trap::kIdType, {}, "input_ids are " + type + ", not int64");
    }
  }
}

}  // namespace

const MdsColumnEntry* find_column(const Columns& columns, std::string_view name) {
  const auto found = std::ranges::find(columns, name, &MdsColumnEntry::name);
  return found == columns.end() ? nullptr : &*found;
}

const MdsColumnEntry* id_column(const Columns& columns) {
  for (const char* name : {kInputIdsColumn, kTokensColumn}) {
    const MdsColumnEntry* column = find_column(columns, name);
    if (column != nullptr) return is_mds_array(column->encoding) ? column : nullptr;
  }
  const MdsColumnEntry* only = nullptr;
  for (const MdsColumnEntry& column : columns) {
    if (!is_mds_array(column.encoding)) continue;
    if (only != nullptr) return nullptr;
    only = &column;
  }
  return only;
}

std::vector<TrainerKind> readers_of(const Columns& columns) {
  if (const MdsColumnEntry* ids = find_column(columns, kInputIdsColumn)) {
    if (ids->encoding == "bytes" && find_column(columns, kLengthColumn) != nullptr) {
      return {kModernbertStreaming, kStreaming};
    }
    if (ids->encoding.ends_with("int64") || !is_mds_array(ids->encoding)) {
      return {kModernbert, kModernbertStreaming, kStreaming};
    }
    return {kModernbert, kStreaming};
  }
  if (const MdsColumnEntry* ids = find_column(columns, kTokensColumn)) {
    // Torch has no uint16 tensors: such sets are written for ModernBERT.
    if (ids->encoding == "ndarray:uint16") return {kModernbert, kEurobert, kStreaming};
    return is_mds_array(ids->encoding) ? std::vector{kEurobert, kStreaming} : std::vector{kStreaming};
  }
  if (find_column(columns, kTextColumn) != nullptr) return {kModernbert, kModernbertStreaming, kStreaming};
  const bool has_ids = columns.size() == 1 && is_mds_array(columns.front().encoding);
  return has_ids ? std::vector{kModernbert, kEurobert, kStreaming} : std::vector{kStreaming};
}

void find_column_traps(const Columns& columns, const std::string& type, const std::vector<TrainerKind>& trainers,
                       Findings& findings) {
  find_names(columns, trainers, findings);
  find_encodings(columns, type, trainers, findings);
  for (const MdsColumnEntry& column : columns) {
    if (is_known(column.encoding)) continue;
    findings.add(Trap::kUnsafeColumn, {}, "column '" + column.name + "' has the encoding '" + column.encoding + "'");
  }
  if (find_column(columns, kTextColumn) != nullptr && find_column(columns, kInputIdsColumn) != nullptr) {
    findings.add(Trap::kTextAndIds, {}, "samples have text and input_ids");
  }
}

}  // namespace bertprep
