#include "pipeline/sequences/reindex.h"

#include <algorithm>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "pipeline/records/damage.h"
#include "quality/doctor/set_tokenizer.h"
#include "quality/sequences/any_doctor.h"
#include "quality/sequences/mds_files.h"
#include "shard/megatron/megatron_set.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRemakeHint = "fetch the file again, or make the set from its text with bertprep sequences";

// Returns whether it had to be written.
bool put_index(const fs::path& index, const std::string& bytes, Progress& progress) {
  if (fs::exists(index)) {
    if (read_file(index) == bytes) return false;
    keep_aside(index, progress);
  }
  const OutputFolder folder(folder_of(index));
  folder.publish_small(index.filename().string(), bytes);
  return true;
}

MdsFile facts_of(const fs::path& name, std::string_view bytes, const Json* hashes) {
  MdsFile file{.basename = name.string(), .bytes = bytes.size(), .hashes = {}};
  if (hashes == nullptr || hashes->kind() != Json::Kind::Array) return file;
  for (const Json& hash : hashes->items()) {
    if (auto digest = digest_by_name(hash.text(), bytes)) file.hashes.emplace_back(hash.text(), std::move(*digest));
  }
  std::ranges::sort(file.hashes);
  return file;
}

Json entry_of(const fs::path& folder, const fs::path& name, std::uint64_t& samples) {
  constexpr std::uint64_t kMaxShardBytes = 0xFFFFFFFF;
  const bool is_compressed = name.extension() != ".mds";
  MdsSetShard shard{.entry = {}, .file = folder / name, .is_compressed = is_compressed};
  shard.entry.facts.raw.bytes = kMaxShardBytes;
  try {
    const MdsShardBytes content(shard);
    const MdsShardView view(content.bytes());
    if (view.end() != content.bytes().size()) {
      throw FormatError("has " + counted(content.bytes().size(), "byte") + ", but its samples end at " +
                        grouped(view.end()));
    }
    const Json header = view.header_json();
    const Json* hashes = header.find("hashes");
    fs::path raw = name;
    MdsShardFacts facts{.raw = facts_of(is_compressed ? raw.replace_extension() : raw, content.bytes(), hashes),
                        .zip = std::nullopt,
                        .samples = view.samples()};
    if (is_compressed) facts.zip = facts_of(name, MappedFile(shard.file).bytes(), hashes);
    samples += facts.samples;
    return mds_index_entry(header.members(), facts);
  } catch (const FormatError& error) {
    throw FormatError(error.what(), shard.file, kRemakeHint);
  }
}

// Other writers may separate or order the members differently.
bool says_the_same(const fs::path& index, const std::string& bytes) {
  const Json wanted = Json::parse(bytes, index.string());
  try {
    const Json found = read_json(index);
    return found.at("version").text() == wanted.at("version").text() &&
           found.at("shards").dump_line() == wanted.at("shards").dump_line();
  } catch (const Error&) {
    return false;
  }
}

ReindexReport reindex_mds(const fs::path& folder, Progress& progress) {
  const std::vector<fs::path> names = mds_shards_below(folder);
  for (const fs::path& name : names) {
    fs::path split;
    for (const fs::path& part : name.parent_path()) {
      split /= part;
      if (!is_split_name(part.string())) continue;
      throw FormatError("holds the split " + split.string() + ", which has an index of its own", folder,
                        "give the folder of one split: " + (folder / split).string());
    }
  }
  ReindexReport report{.index = folder / kMdsIndexName};
  const auto set = set_with(folder);
  const RecordedFiles recorded = set ? RecordedFiles(*set) : RecordedFiles();
  std::vector<Json> entries;
  progress.begin("reindex", names.size(), "shards");
  for (const fs::path& name : names) {
    if (progress.cancelled()) throw Cancelled();
    // An index of changed bytes would make them look sound.
    recorded.require_unchanged(folder / name, progress, kRemakeHint);
    fs::path raw = name;
    const bool is_packed_again =
        name.extension() != ".mds" && std::ranges::binary_search(names, raw.replace_extension());
    if (!is_packed_again) entries.push_back(entry_of(folder, name, report.sequences));
    progress.advance(1);
  }
  progress.end();
  report.files = entries.size();
  const bool is_merged = std::ranges::any_of(names, [](const fs::path& name) { return name.has_parent_path(); });
  const std::string bytes = is_merged ? merged_mds_index(std::move(entries)) : mds_index(std::move(entries));
  report.is_new = !says_the_same(report.index, bytes) && put_index(report.index, bytes, progress);
  return report;
}

// The type of ids that matches the size of the file.
IdType type_of(const MegatronView& view, std::uint64_t ids, const MegatronPaths& paths) {
  const std::uint64_t bytes = fs::file_size(paths.bin);
  for (const IdType type : {IdType::kUint16, IdType::kInt32}) {
    if (ids > 0 && bytes == ids * bytes_of(type)) return type;
  }
  throw FormatError("has " + counted(bytes, "byte") + ", its index counts " + counted(ids, "id") + " in " +
                        counted(view.sequences(), "sequence"),
                    paths.bin, kRemakeHint);
}

// Ends of documents. In a set appended to others without shifting, they restart: they are relative to the end of the
// previous set. Keeps empty documents.
std::vector<std::uint64_t> ends_of(const MegatronView& view, const fs::path& idx) {
  std::vector<std::uint64_t> ends;
  std::uint64_t before = 0;  // sequences of previous sets
  std::int64_t last = 0;
  for (std::uint64_t i = 1; i < view.document_ends(); ++i) {
    const std::int64_t end = view.document_end(i);
    const bool begins_anew = end < last;
    if (begins_anew) before = ends.back();
    last = end;
    if (begins_anew && end == 0) continue;  // the leading 0 of an appended set
    ends.push_back(before + static_cast<std::uint64_t>(std::max<std::int64_t>(end, 0)));
  }
  if (ends.empty() || ends.back() < view.sequences()) ends.push_back(view.sequences());
  if (ends.back() > view.sequences()) {
    throw FormatError("has a document that ends at sequence " + std::to_string(ends.back()) + " of " +
                          std::to_string(view.sequences()),
                      idx, kRemakeHint);
  }
  return ends;
}

ReindexReport reindex_megatron(const fs::path& prefix, Progress& progress) {
  const MegatronPaths paths(prefix);
  std::string bytes;
  ReindexReport report{.index = paths.idx, .files = 1};
  try {
    const MappedFile old(paths.idx);
    const MegatronView view(old.bytes());
    std::uint64_t ids = 0;
    for (std::uint64_t i = 0; i < view.sequences(); ++i) {
      if (view.length(i) < 0) throw FormatError("has a sequence of negative length");
      ids += static_cast<std::uint64_t>(view.length(i));
    }
    MegatronIndex index(type_of(view, ids, paths));
    std::uint64_t sequence = 0;
    for (const std::uint64_t end : ends_of(view, paths.idx)) {
      for (; sequence < end; ++sequence) index.add_sequence(static_cast<std::uint64_t>(view.length(sequence)));
      index.end_document();
    }
    bytes = index.bytes();
    report.sequences = view.sequences();
  } catch (const FormatError& error) {
    const std::string what = error.what();
    if (what.starts_with(prefix.string())) throw;
    throw FormatError(what, paths.idx, kRemakeHint);
  }
  report.is_new = put_index(paths.idx, bytes, progress);
  return report;
}

}  // namespace

ReindexReport reindex(const fs::path& given, Progress& progress) {
  const fs::path path = given.has_filename() ? given : given.parent_path();
  if (fs::is_directory(path)) {
    if (!mds_shards_below(path).empty()) return reindex_mds(path, progress);
    throw FormatError("contains no MDS shard, and no folder below it does", path,
                      "give the folder of an MDS set, or the PREFIX of PREFIX.bin and PREFIX.idx");
  }
  fs::path prefix = path;
  if (path.extension() == ".idx" || path.extension() == ".bin") prefix.replace_extension();
  return reindex_megatron(prefix, progress);
}

}  // namespace bertprep
