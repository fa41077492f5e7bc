#include "quality/sequences/mds_files.h"

#include <algorithm>
#include <set>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/folder.h"
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

void report_missing(const FolderFiles& files, const MdsShardEntry& entry, Findings& findings) {
  const std::string& name = entry.facts.raw.basename;
  findings.add(Trap::kMissingShards, {name}, "is named in the index, but missing",
               {{"{fix}", fix_of_missing(files, name)}});
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
    findings.add(Trap::kUnlistedShards, {name.string()}, "is in the set, but the index does not name it");
  }
}

void find_cache_trap(const std::vector<MdsShardEntry>& entries, const DoctorOptions& options, Findings& findings) {
  constexpr std::uint64_t kMinShards = 4;
  if (options.cache_limit == 0) return;
  const MdsShardEntry* largest = nullptr;
  for (const MdsShardEntry& entry : entries) {
    if (largest == nullptr || entry.facts.raw.bytes > largest->facts.raw.bytes) largest = &entry;
  }
  if (largest == nullptr || options.cache_limit / kMinShards >= largest->facts.raw.bytes) return;
  findings.add(Trap::kCacheLimit, {largest->facts.raw.basename},
               "has " + grouped(largest->facts.raw.bytes) + " bytes, the cache takes " + grouped(options.cache_limit),
               {{"{limit}", std::to_string(options.cache_limit / (2 * kMinShards))}});
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
    if (shard.is_again) findings.add(Trap::kShardTwice, {raw.basename}, "is in the index more than once");
    if (has_raw || has_zip) shard.file = folder / (has_raw ? raw.basename : entry.facts.zip->basename);
    shard.is_compressed = !has_raw && has_zip;
    if (shard.is_compressed) {
      findings.add(Trap::kOnlyCompressed, {entry.facts.zip->basename}, "is there, " + raw.basename + " is not",
                   {{"{unpack}", unpack_command(entry.facts.zip->basename)}});
    } else if (!has_raw) {
      report_missing(files, entry, findings);
    } else if (entry.facts.zip && !has_zip) {
      findings.add(Trap::kOnlyRaw, {raw.basename},
                   "exists without " + entry.facts.zip->basename + ", which the index names");
    }
  }
  // If paths in the index are wrong, unlisted files may be the missing ones.
  if (!findings.has(Trap::kMissingShards)) find_unlisted(files, listed, findings);
  find_cache_trap(entries, options, findings);
  return shards;
}

std::vector<fs::path> mds_shards_below(const fs::path& folder) {
  std::vector<fs::path> names;
  walk_folder(folder, [&](const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(".")) return false;
    if (entry.is_regular_file() && is_mds_shard(name)) names.push_back(entry.path().lexically_relative(folder));
    return may_be_read(entry);
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

}  // namespace bertprep
