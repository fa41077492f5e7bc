#include "pipeline/sequences/sequence_set.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "io/output_file.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/resumption.h"
#include "pipeline/sequences/sequence_manifest.h"
#include "pipeline/sequences/sequence_model.h"
#include "shard/mds/mds_index.h"
#include "shard/megatron/megatron_set.h"
#include "shard/token_set.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Of the folders that had the files `names`.
void remove_empty_folders(const fs::path& root, std::span<const std::string> names) {
  for (const std::string& name : names) {
    std::error_code not_empty;
    for (fs::path folder = fs::path(name).parent_path(); !folder.empty(); folder = folder.parent_path()) {
      if (!fs::remove(root / folder, not_empty)) break;
    }
  }
}

OutputEntry describe(const PendingFile& file, const std::string& name) {
  OutputEntry entry = OutputFolder::describe(file);
  entry.name = name;
  return entry;
}

}  // namespace

SequenceCounts sequence_counts(const CompletionRecord& record) {
  SequenceCounts counts = sequence_counts(record.counts);
  for (const OutputEntry& output : record.outputs) counts.bytes += output.size_bytes;
  return counts;
}

void require_sequences(const SequenceCounts& counts, const std::filesystem::path& input, const SequenceRule& rule) {
  if (counts.sequences != 0) return;
  if (counts.articles == 0) throw FormatError("has no text", input, "check the input");
  throw FormatError("fills no block of " + std::to_string(rule.options.blocks) + " tokens", input,
                    "give a smaller `blocks`, or fewer and larger inputs");
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

void remove_part(const OutputFolder& folder, const std::string& task) {
  const auto record = folder.record(task);
  std::vector<std::string> names;
  for (const OutputEntry& output : record ? record->outputs : std::vector<OutputEntry>()) names.push_back(output.name);
  folder.remove_task(task, names);
  remove_empty_folders(folder.path(), names);
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
  if (!force_) folder_.refuse_foreign(unit.task(), part.names);
  std::set<std::string> names(part.names.begin(), part.names.end());
  for (std::size_t i = 0; i < part.files.size(); ++i) {
    record.outputs.push_back(describe(part.files[i], part.names[i]));
    fs::create_directories(part.files[i].final_path().parent_path());
  }
  const auto earlier = folder_.record(unit.task());
  folder_.commit(unit.task(), record, part.files);
  // Additional files of an earlier result are also removed.
  std::vector<std::string> outdated;
  for (const OutputEntry& output : earlier ? earlier->outputs : std::vector<OutputEntry>()) {
    if (names.contains(output.name)) continue;
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
  FinishedPart merged{.files = {}, .names = {mds_folder_of(split) + "/" + kMdsIndexName}, .counts = {}};
  std::string keys;
  for (std::size_t i = 0; i < units.size(); ++i) {
    indexes.push_back({units[i].folder(), read_file(folder_.path() / mds_folder_of(units[i]) / kMdsIndexName)});
    merged.counts += sequence_counts(parts[i]);
    keys += parts[i].key + "\n";
  }
  merged.files.push_back(folder_.begin(merged.names.front()));
  OutputFile file(merged.files.front().path());
  file.write(merge_mds_indexes(indexes));
  file.finish();
  return commit(split, std::move(merged), sha256_of(keys));
}

CompletionRecord SequenceSet::merge_megatron(const SequenceUnit& split, std::span<const SequenceUnit> units,
                                             std::span<const CompletionRecord> parts,
                                             const std::string& text_sha256) const {
  const std::string prefix = megatron_prefix_of(split, rule_);
  MegatronSet set(folder_.begin(prefix + ".bin"), folder_.begin(prefix + ".idx"), rule_.ids);
  FinishedPart merged{.files = {}, .names = {prefix + ".bin", prefix + ".idx"}, .counts = {}};
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
  FinishedPart part;
  bool is_present = true;
  for (const TokenizerFile& file : files) {
    part.names.push_back(std::string(TokenSet::kTokenizerFolder) + "/" + file.name);
    digests += sha256_of(file.bytes) + "\n";
    is_present = is_present && read_file_if_any(folder_.path() / part.names.back()) == file.bytes;
  }
  const std::string sha256 = sha256_of(digests);
  if (is_present) {
    if (auto found = folder_.finished(TokenSet::kTokenizerFolder, recipe_.key(sha256))) return std::move(*found);
  }
  if (!force_) keep_edited(folder_, TokenSet::kTokenizerFolder, progress);
  for (std::size_t i = 0; i < files.size(); ++i) {
    part.files.push_back(folder_.begin(part.names[i]));
    OutputFile file(part.files.back().path());
    file.write(files[i].bytes);
    file.finish();
  }
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
