#include "pipeline/sequences/sequence_set.h"

#include <algorithm>
#include <set>

#include "base/number_text.h"
#include "io/digest.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/reject_file.h"
#include "quality/sequences/any_doctor.h"
#include "shard/mds/mds_format.h"
#include "shard/megatron/megatron_set.h"
#include "shard/token_set.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kManifestVersion = 1;
constexpr int kLevels = 3;  // SET/SPLIT/PART

void add_reasons(const char* name, const ReasonCounts& reasons, Json& manifest) {
  if (!reasons.is_empty()) manifest.add(name, json_of(reasons));
}

Json load_manifest(const fs::path& folder) {
  const fs::path file = folder / Manifest::kFileName;
  return read_sealed(file);
}

// What is wrong with a file in the manifest; empty: nothing.
std::string fault_of(const fs::path& file, const Json& entry, const Progress& progress) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  if (error) return "is missing";
  if (size != entry.at("bytes").as_unsigned()) {
    return "has " + counted(size, "byte") + " instead of " + grouped(entry.at("bytes").as_unsigned());
  }
  if (sha256_of_file(file, progress) != entry.at("sha256").text()) return "differs from what was written";
  return {};
}

// Reports missing shards of an MDS index.
void check_mds_index(const fs::path& index, VerifyReport& report) {
  const Json json = read_json(index);
  for (const Json& shard : json.at("shards").items()) {
    const Json& zip = shard.at("zip_data");
    const Json& data = zip.kind() == Json::Kind::Null ? shard.at("raw_data") : zip;
    const fs::path file = index.parent_path() / data.at("basename").text();
    std::error_code error;
    if (fs::file_size(file, error) == data.at("bytes").as_unsigned()) continue;
    report.problems.push_back(index.string() + ": names " + file.string() +
                              ", which is missing or has another size; run the "
                              "command of the set again");
  }
}

// Folders around a set may have the records of other results.
bool has_parts_on_record(const fs::path& folder) {
  const auto state = find_state_folder(folder);
  if (!state) return false;
  return std::ranges::any_of(RecordFiles(*state).tasks(),
                             [](const std::string& task) { return is_split_name(task.substr(0, task.find('-'))); });
}

// Of the folders that had the files `names`.
void remove_empty_folders(const fs::path& root, std::span<const std::string> names) {
  for (const std::string& name : names) {
    std::error_code not_empty;
    for (fs::path folder = fs::path(name).parent_path(); !folder.empty(); folder = folder.parent_path()) {
      if (!fs::remove(root / folder, not_empty)) break;
    }
  }
}

// Removes the files of a part, and its record.
void remove_part(const OutputFolder& folder, const std::string& task) {
  const auto record = folder.record(task);
  std::vector<std::string> names;
  for (const OutputEntry& output : record ? record->outputs : std::vector<OutputEntry>()) names.push_back(output.name);
  folder.remove_task(task, names);
  remove_empty_folders(folder.path(), names);
}

}  // namespace

Json json_of(const SequenceCounts& counts) {
  Json json = Json::object()
                  .add("articles", Json::number(counts.articles))
                  .add("sequences", Json::number(counts.sequences))
                  .add("tokens", Json::number(counts.tokens))
                  .add("dropped_tokens", Json::number(counts.dropped));
  if (counts.text_bytes != 0) {
    json.add("text_bytes", Json::number(counts.text_bytes)).add("line_breaks", Json::number(counts.line_breaks));
  }
  add_reasons(kRejectedByReason, counts.documents.rejected, json);
  add_reasons(kLeftOut, counts.documents.left_out, json);
  return json;
}

SequenceCounts sequence_counts(const Json& counts) {
  const auto count = [&](const char* name) { return counts.at(name).as_unsigned(); };
  const auto count_if_any = [&](const char* name) {
    const Json* found = counts.find(name);
    return found == nullptr ? 0 : found->as_unsigned();
  };
  return {.articles = count("articles"),
          .sequences = count("sequences"),
          .tokens = count("tokens"),
          .dropped = count("dropped_tokens"),
          .text_bytes = count_if_any("text_bytes"),
          .line_breaks = count_if_any("line_breaks"),
          .documents = {reasons_in(counts, kRejectedByReason), reasons_in(counts, kLeftOut)}};
}

std::string sequence_manifest(const SequenceTask& task, const Recipe& recipe, const std::string& vocab_name,
                              const std::map<std::string, SequenceCounts>& splits,
                              std::span<const CompletionRecord> parts) {
  Json files = Json::array();
  for (const CompletionRecord& part : parts) {
    for (const OutputEntry& output : part.outputs) {
      files.push(Json::object()
                     .add("name", Json::string(output.name))
                     .add("bytes", Json::number(output.size_bytes))
                     .add("sha256", Json::string(output.sha256)));
    }
  }
  Json made = recipe.json();
  for (const auto& [name, value] : task.provenance) made.add(name, Json::string(value));
  Json counts = Json::object();
  DroppedDocuments dropped = task.dropped;
  for (const auto& [split, one] : splits) {
    counts.add(split, json_of(one).add("bytes", Json::number(one.bytes)));
    dropped.rejected.add(one.documents.rejected);
    dropped.left_out.add(one.documents.left_out);
  }
  Json manifest = Json::object();
  manifest.add("format", Json::string(TokenSet::kFormat))
      .add("version", Json::number(kManifestVersion))
      .add("dataset", Json::string(task.name))
      .add("vocabulary", Json::string(vocab_name))
      .add("recipe", std::move(made))
      .add("splits", std::move(counts));
  if (!task.sources.empty()) manifest.add("sources", json_of(task.sources));
  add_reasons("rejected", dropped.rejected, manifest);
  add_reasons("left_out", dropped.left_out, manifest);
  return seal(std::move(manifest).add("files", std::move(files)));
}

std::vector<SetWithoutManifest> sets_without_manifest(const fs::path& path) {
  std::map<fs::path, bool> found;
  const auto add = [&](const fs::path& place) {
    fs::path own;
    fs::path folder = place;
    for (int level = 0; level < kLevels && !folder.empty(); ++level, folder = folder.parent_path()) {
      if (is_sequence_set(folder)) return;
      if (own.empty() && has_parts_on_record(folder)) own = folder;
    }
    found[own.empty() ? place : own] = !own.empty();
  };
  const SequenceSets sets = find_sequence_sets(path);
  for (const fs::path& folder : sets.mds) add(folder);
  for (const fs::path& prefix : sets.megatron) add(folder_of(prefix));
  std::vector<SetWithoutManifest> list;
  for (const auto& [folder, is_ours] : found) list.push_back({folder, is_ours});
  return list;
}

std::map<std::string, SequenceCounts> splits_of_set(const fs::path& folder) {
  std::map<std::string, SequenceCounts> splits;
  const Json manifest = load_manifest(folder);
  for (const auto& [split, counts] : manifest.at("splits").members()) {
    splits[split] = sequence_counts(counts);
    splits[split].bytes = counts.at("bytes").as_unsigned();
  }
  return splits;
}

VerifyReport verify_sequences(const fs::path& folder, const Progress& progress) {
  const Json manifest = load_manifest(folder);
  VerifyReport report;
  for (const Json& entry : manifest.at("files").items()) {
    const fs::path file = folder / entry.at("name").text();
    ++report.shards;
    report.bytes += entry.at("bytes").as_unsigned();
    const std::string fault = fault_of(file, entry, progress);
    if (fault.empty()) continue;
    report.problems.push_back(file.string() + ": " + fault + "; run the command of the set again, with `force`");
  }
  for (const auto& [split, counts] : manifest.at("splits").members()) {
    report.rows += counts.at("sequences").as_unsigned();
    const fs::path index = folder / split / kMdsIndexName;
    std::error_code error;
    if (fs::is_regular_file(index, error)) {
      check_mds_index(index, report);
    } else if (manifest.at("recipe").at("to").text() == "mds") {
      report.problems.push_back(index.string() + ": is missing; run the command of the set again");
    }
  }
  return report;
}

SequenceCounts sequence_counts(const CompletionRecord& record) {
  SequenceCounts counts = sequence_counts(record.counts);
  for (const OutputEntry& output : record.outputs) counts.bytes += output.size_bytes;
  return counts;
}

void SequenceSet::refuse_other_recipes(bool one_is_enough) const {
  const std::string today = recipe_.json().dump_line();
  for (const std::string& task : folder_.recorded_tasks()) {
    const auto record = folder_.record(task);
    // The tokenizer's recipe is that of the parts.
    if (!record || task == TokenSet::kTokenizerFolder || record->outputs.empty()) continue;
    if (record->recipe.dump_line() == today) {
      if (one_is_enough) return;
      continue;
    }
    if (record->stage() == kSequenceStage) refuse_other_result(folder_, task, recipe_, {});
  }
}

void SequenceSet::refuse_other_parts(std::span<const SequenceUnit> units, std::span<const SequenceUnit> splits) const {
  std::set<std::string> planned{TokenSet::kTokenizerFolder};
  for (const SequenceUnit& unit : units) planned.insert(unit.task());
  for (const SequenceUnit& split : splits) planned.insert(split.task());
  std::vector<std::string> others;
  for (const std::string& task : folder_.recorded_tasks()) {
    if (!planned.contains(task)) others.push_back(task);
  }
  if (others.empty()) return;
  for (const std::string& task : others) {
    const auto record = folder_.record(task);
    if (!record || record->outputs.empty() || record->stage() == recipe_.json().at("stage").text()) {
      continue;
    }
    throw FormatError("holds results of another stage, such as " + record->outputs.front().name, folder_.path(),
                      "choose another folder");
  }
  if (!force_) {
    throw FormatError("holds " + counted(others.size(), "part") + " of other inputs, such as " + others.front(),
                      folder_.path(), "choose another folder, or give `force` to remove them");
  }
  for (const std::string& task : others) remove_part(folder_, task);
}

void remove_sequences(const OutputFolder& folder) {
  if (is_sequence_set(folder.path())) fs::remove(folder.path() / Manifest::kFileName);
  for (const std::string& task : folder.recorded_tasks()) {
    const auto record = folder.record(task);
    if (record && record->stage() == kSequenceStage) remove_part(folder, task);
  }
}

void SequenceSet::add_plan(const SequenceUnit& unit, CompletionRecord& record) const {
  record.plan_key = plan_key_;
  record.counts.add(kTextShardDigest, Json::string(unit.known.front().sha256));
}

void SequenceSet::claim(const SequenceUnit& unit, CompletionRecord& record) const {
  if (record.plan_key == plan_key_) return;
  add_plan(unit, record);
  folder_.write_record(unit.task(), record);
}

std::optional<CompletionRecord> SequenceSet::find(const SequenceUnit& unit, const std::string& text_sha256) const {
  if (force_) return std::nullopt;
  const std::string key = recipe_.key(text_sha256);
  auto found = folder_.finished(unit.task(), key);
  if (!found) {
    refuse_other_result(folder_, unit.task(), recipe_, key);
    return std::nullopt;
  }
  // Only the last one, the index, is read again, for that of the split.
  const OutputEntry& index = found->outputs.back();
  if (rule_.options.format != SequenceFormat::kMds || sha256_of_file(folder_.path() / index.name) == index.sha256) {
    return found;
  }
  folder_.withdraw_record(unit.task());
  return std::nullopt;
}

void SequenceSet::refuse_foreign_manifest() const {
  const fs::path manifest = folder_.path() / Manifest::kFileName;
  if (!fs::exists(manifest) || is_sequence_set(folder_.path())) return;
  throw FormatError("is not the manifest of a set of token sequences", manifest,
                    "move it away, or choose another folder");
}

void SequenceSet::withdraw(std::span<const SequenceUnit> splits) const {
  refuse_foreign_manifest();
  std::error_code ignored;
  fs::remove(folder_.path() / Manifest::kFileName, ignored);
  // For Megatron, it is a part, which is replaced.
  if (rule_.options.format == SequenceFormat::kMegatron) return;
  for (const SequenceUnit& split : splits) {
    if (has_record(split)) remove_part(folder_, split.task());
  }
}

CompletionRecord SequenceSet::commit(const SequenceUnit& unit, FinishedPart part,
                                     const std::string& text_sha256) const {
  CompletionRecord record{.key = recipe_.key(text_sha256), .outputs = {}, .recipe = recipe_.json()};
  record.counts = json_of(part.counts).add("text_sha256", Json::string(text_sha256));
  if (!plan_key_.empty()) add_plan(unit, record);
  std::vector<std::string> names;
  for (const PendingFile& file : part.files) {
    names.push_back(file.final_path().lexically_relative(folder_.path()).generic_string());
  }
  if (!force_) folder_.refuse_foreign(unit.task(), names);
  for (std::size_t i = 0; i < part.files.size(); ++i) {
    record.outputs.push_back(OutputFolder::describe(part.files[i]));
    record.outputs.back().name = names[i];
    fs::create_directories(part.files[i].final_path().parent_path());
  }
  const auto earlier = folder_.record(unit.task());
  folder_.commit(unit.task(), record, part.files);
  // Additional files of an earlier result are also removed.
  std::vector<std::string> outdated;
  for (const OutputEntry& output : earlier ? earlier->outputs : std::vector<OutputEntry>()) {
    if (std::ranges::find(names, output.name) != names.end()) continue;
    std::error_code ignored;
    fs::remove(folder_.path() / output.name, ignored);
    outdated.push_back(output.name);
  }
  remove_empty_folders(folder_.path(), outdated);
  return record;
}

CompletionRecord SequenceSet::merge_mds(const SequenceUnit& split, std::span<const SequenceUnit> units,
                                        std::span<const CompletionRecord> parts) const {
  std::vector<MdsIndexPart> indexes;
  FinishedPart merged;
  std::string keys;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (units[i].split != split.split) continue;
    indexes.push_back({units[i].folder(), read_file(folder_.path() / mds_folder_of(units[i]) / kMdsIndexName)});
    merged.counts += sequence_counts(parts[i]);
    keys += parts[i].key + "\n";
  }
  merged.files.push_back(small_file(folder_, mds_folder_of(split) + "/" + kMdsIndexName, merge_mds_indexes(indexes)));
  return commit(split, std::move(merged), sha256_of(keys));
}

CompletionRecord SequenceSet::merge_megatron(const SequenceUnit& split, std::span<const SequenceUnit> units,
                                             std::span<const CompletionRecord> parts,
                                             const std::string& text_sha256) const {
  const std::string prefix = megatron_prefix_of(split, rule_);
  MegatronSet set(folder_.begin(prefix + ".bin"), folder_.begin(prefix + ".idx"), rule_.ids);
  FinishedPart merged;
  for (std::size_t i = 0; i < units.size(); ++i) {
    set.append(MegatronPaths(folder_.path() / megatron_prefix_of(units[i], rule_)));
    merged.counts += sequence_counts(parts[i]);
  }
  set.finish();
  require_sequences(merged.counts, split.inputs.front(), rule_);
  merged.files.push_back(std::move(set.bin()));
  merged.files.push_back(std::move(set.idx()));
  return commit(split, std::move(merged), text_sha256);
}

CompletionRecord SequenceSet::put_tokenizer(std::span<const TokenizerFile> files, Progress& progress) const {
  std::string digests;
  const std::string place = std::string(TokenSet::kTokenizerFolder) + "/";
  bool is_present = true;
  for (const TokenizerFile& file : files) {
    digests += sha256_of(file.bytes) + "\n";
    is_present = is_present && read_file_if_any(folder_.path() / (place + file.name)) == file.bytes;
  }
  const std::string sha256 = sha256_of(digests);
  if (is_present) {
    if (auto found = folder_.finished(TokenSet::kTokenizerFolder, recipe_.key(sha256))) return std::move(*found);
  }
  if (!force_) keep_edited(folder_, TokenSet::kTokenizerFolder, progress);
  FinishedPart part;
  for (const TokenizerFile& file : files) part.files.push_back(small_file(folder_, place + file.name, file.bytes));
  return commit({.split = TokenSet::kTokenizerFolder, .is_whole_split = true}, std::move(part), sha256);
}

void SequenceSet::remove_megatron_parts(std::span<const SequenceUnit> units) const {
  for (const SequenceUnit& unit : units) {
    const std::string prefix = megatron_prefix_of(unit, rule_);
    const std::array names{prefix + ".bin", prefix + ".idx"};
    // They may exist without a record; those of another format have one.
    if (folder_.record(unit.task())) remove_part(folder_, unit.task());
    folder_.remove_task(unit.task(), names);
    remove_empty_folders(folder_.path(), names);
  }
}

}  // namespace bertprep
