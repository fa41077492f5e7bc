#include "quality/sequences/mds_files.h"

#include <algorithm>
#include <set>

#include "base/number_text.h"
#include "io/shell_words.h"
#include "quality/sequences/any_doctor.h"
#include "stream/open_stream.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// An index may only name files inside its folder.
bool is_inside(const std::string& basename) {
  const fs::path path = fs::path(basename).lexically_normal();
  return !path.empty() && path.is_relative() && path.begin()->string() != "..";
}

struct FolderFiles {
  fs::path folder;
  std::set<fs::path> names;

  bool has(const std::string& basename) const {
    return is_inside(basename) && names.contains(fs::path(basename).lexically_normal());
  }
};

// For a file deeper than the index says: after a merge over two levels, only the last folder's name is kept.
std::string fix_of_missing(const FolderFiles& files, const std::string& basename) {
  const fs::path wanted = fs::path(basename).lexically_normal();
  for (const fs::path& name : files.names) {
    const std::string text = name.string();
    if (!text.ends_with("/" + wanted.string())) continue;
    const fs::path above = text.substr(0, text.size() - wanted.string().size() - 1);
    if (!wanted.has_parent_path()) break;
    const fs::path moved = *wanted.begin();
    return "mv " + shell_word((files.folder / above / moved).string()) + " " +
           shell_word((files.folder / moved).string()) + ", and likewise the others, or bertprep reindex {dir}";
  }
  return "fetch the files again, or write an index of those that exist: bertprep reindex {dir}";
}

std::string unpack_command(const std::string& name) {
  if (name.ends_with(".zstd") || name.ends_with(".zst")) {
    return "find {dir} -name '*.mds.zst*' -exec sh -c 'zstd -dc \"$1\" >\"${1%.zst*}\"' _ {} ';'";
  }
  if (name.ends_with(".gz")) return "find {dir} -name '*.mds.gz' -exec gunzip -k {} ';'";
  if (name.ends_with(".bz2")) return "find {dir} -name '*.mds.bz2' -exec bunzip2 -k {} ';'";
  return "make the set again without compression: bertprep sequences TEXT --vocab VOCAB -o NEW";
}

void find_unlisted(const FolderFiles& files, const std::set<fs::path>& listed, Findings& findings) {
  for (const fs::path& name : files.names) {
    fs::path raw = name;
    if (listed.contains(name) || (name.extension() != ".mds" && listed.contains(raw.replace_extension()))) continue;
    findings.add(Trap("unlisted-shards"), {name.string()}, "is in the set, but the index does not name it");
  }
}

void find_cache_trap(const std::vector<MdsShardEntry>& entries, const DoctorOptions& options, Findings& findings) {
  constexpr std::uint64_t kMinShards = 4;
  if (options.cache_limit == 0) return;
  const auto by_bytes = [](const MdsShardEntry& entry) { return entry.facts.raw.bytes; };
  const auto largest = std::ranges::max_element(entries, {}, by_bytes);
  if (largest == entries.end() || options.cache_limit / kMinShards >= largest->facts.raw.bytes) return;
  findings.add(Trap("cache-limit"), {largest->facts.raw.basename},
               "has " + grouped(largest->facts.raw.bytes) + " bytes, the cache takes " + grouped(options.cache_limit),
               {{"{limit}", std::to_string(options.cache_limit / (2 * kMinShards))}});
}

using enum TrainerKind;
using Columns = std::vector<MdsColumnEntry>;

constexpr const char* kInputIdsColumn = "input_ids";
constexpr const char* kTokensColumn = "tokens";
constexpr const char* kLengthColumn = "len";

constexpr std::array kInputIdsReaders{kModernbert, kModernbertStreaming, kBioclinical};
constexpr std::array kTokensReaders{kEurobert};

bool is_read(const Findings& findings, Trainers readers) {
  return std::ranges::find_first_of(findings.trainers(), readers) != findings.trainers().end();
}

// The encodings that the Streaming library decodes by default, without trusting the set.
bool is_known(std::string_view encoding) {
  static const std::set<std::string_view> kKnown{
      "bytes",   "str",   "int",     "uint8",   "uint16",     "uint32",    "uint64",    "int8",        "int16",
      "int32",   "int64", "float16", "float32", "float64",    "str_int",   "str_float", "str_decimal", "json",
      "ndarray", "pil",   "jpeg",    "png",     "jpeg_array", "jpegarray", "list[pil]", "list[jpeg]",  "list[png]"};
  return kKnown.contains(encoding) || encoding.starts_with("ndarray:");
}

void find_names(const Columns& columns, Findings& findings) {
  const std::string names = joined(columns, ", ", &MdsColumnEntry::name);
  const bool has_input = has_column(columns, kInputIdsColumn) || has_column(columns, kTextColumn);
  const bool has_tokens = has_column(columns, kTokensColumn);
  const bool wants_input = !has_input && is_read(findings, kInputIdsReaders);
  const bool wants_tokens = !has_tokens && is_read(findings, kTokensReaders);
  if (!wants_input && !wants_tokens) return;
  findings.add(Trap("column-name"), {},
               "samples have " + (names.empty() ? "no columns" : names) + ", not " +
                   (wants_input ? kInputIdsColumn : kTokensColumn),
               {{"{trainer}", wants_input ? "modernbert" : "eurobert"}});
  if (!wants_input) findings.leave_out(Trap("column-name"), kInputIdsReaders);
  if (!wants_tokens) findings.leave_out(Trap("column-name"), kTokensReaders);
}

void find_encodings(const Columns& columns, const std::string& type, Findings& findings) {
  for (const char* name : {kInputIdsColumn, kTokensColumn}) {
    const bool is_input = name == kInputIdsColumn;
    const MdsColumnEntry* column = find_column(columns, name);
    if (column == nullptr || !is_read(findings, is_input ? Trainers(kInputIdsReaders) : kTokensReaders)) continue;
    if (!is_mds_array(column->encoding)) {
      findings.add(Trap("column-encoding"), {},
                   std::string(name) + " is " + column->encoding + ", not an array of integers",
                   {{"{trainer}", is_input ? "modernbert" : "eurobert"}});
      // With a length column, the bytes are read as int64, padded and truncated.
      const bool has_length = column->encoding == "bytes" && has_column(columns, kLengthColumn);
      if (has_length) findings.leave_out(Trap("column-encoding"), std::array{kModernbertStreaming});
    } else if (is_input && !type.empty() && type != "int64" && !has_column(columns, kTextColumn)) {
      findings.add(Trap("id-type"), {}, "input_ids are " + type + ", not int64");
    }
  }
}

}  // namespace

std::vector<MdsSetShard> find_mds_files(const fs::path& folder, const std::vector<MdsShardEntry>& entries,
                                        const DoctorOptions& options, Findings& findings) {
  const std::vector<fs::path> below = mds_shards_below(folder);
  const FolderFiles files{folder, {below.begin(), below.end()}};
  std::vector<MdsSetShard> shards;
  std::set<fs::path> listed;
  for (const MdsShardEntry& entry : entries) {
    MdsSetShard& shard = shards.emplace_back(MdsSetShard{.entry = entry, .file = {}});
    const MdsFile& raw = entry.facts.raw;
    const bool has_raw = files.has(raw.basename);
    const bool has_zip = entry.facts.zip && files.has(entry.facts.zip->basename);
    shard.is_again = !listed.insert(fs::path(raw.basename).lexically_normal()).second;
    if (entry.facts.zip) listed.insert(fs::path(entry.facts.zip->basename).lexically_normal());
    if (shard.is_again) findings.add(Trap("shard-twice"), {raw.basename}, "is in the index more than once");
    if (has_raw || has_zip) shard.file = folder / (has_raw ? raw.basename : entry.facts.zip->basename);
    shard.is_compressed = !has_raw && has_zip;
    if (shard.is_compressed) {
      findings.add(Trap("only-compressed"), {entry.facts.zip->basename}, "is there, " + raw.basename + " is not",
                   {{"{unpack}", unpack_command(entry.facts.zip->basename)}});
    } else if (!has_raw) {
      findings.add(Trap("missing-shards"), {raw.basename}, "is named in the index, but missing",
                   {{"{fix}", fix_of_missing(files, raw.basename)}});
    } else if (entry.facts.zip && !has_zip) {
      findings.add(Trap("only-raw"), {raw.basename},
                   "exists without " + entry.facts.zip->basename + ", which the index names");
    }
  }
  // If paths in the index are wrong, unlisted files may be the missing ones.
  if (!findings.has(Trap("missing-shards"))) find_unlisted(files, listed, findings);
  find_cache_trap(entries, options, findings);
  return shards;
}

std::vector<fs::path> mds_shards_below(const fs::path& folder) {
  std::vector<fs::path> names;
  visit_files_below(folder, [&](const fs::path& file) {
    if (is_mds_shard(file.filename().string())) names.push_back(file.lexically_relative(folder));
  });
  std::ranges::sort(names);
  return names;
}

MdsShardBytes::MdsShardBytes(const MdsSetShard& shard) {
  if (!shard.is_compressed) {
    mapped_.emplace(shard.file);
    return;
  }
  const auto stream = open_stream(shard.file);
  const std::uint64_t most = shard.entry.facts.raw.bytes;
  for (std::string_view block = stream->next_block(); !block.empty(); block = stream->next_block()) {
    if (unpacked_.size() + block.size() > most) {
      throw FormatError("unpacks to more than the " + std::to_string(most) + " bytes of the index", shard.file);
    }
    unpacked_ += block;
  }
}

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
    if (ids->encoding == "bytes" && has_column(columns, kLengthColumn)) {
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
  if (has_column(columns, kTextColumn)) return {kModernbert, kModernbertStreaming, kStreaming};
  const bool has_ids = columns.size() == 1 && is_mds_array(columns.front().encoding);
  return has_ids ? std::vector{kModernbert, kEurobert, kStreaming} : std::vector{kStreaming};
}

void find_column_traps(const Columns& columns, const std::string& type, Findings& findings) {
  find_names(columns, findings);
  find_encodings(columns, type, findings);
  for (const MdsColumnEntry& column : columns) {
    if (is_known(column.encoding)) continue;
    findings.add(Trap("unsafe-column"), {}, "column '" + column.name + "' has the encoding '" + column.encoding + "'");
  }
  if (has_column(columns, kTextColumn) && has_column(columns, kInputIdsColumn)) {
    findings.add(Trap("text-and-ids"), {}, "samples have text and input_ids");
  }
}

}  // namespace bertprep
