#include "pipeline/records/manifest_of_folder.h"

#include <array>
#include <optional>

#include "bertprep/base/error.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/dataset_vocab.h"
#include "shard/shard_names.h"

namespace bertprep {
namespace {

// The value of `name` in `recipe`, for comparison and messages.
std::string entry_of(const Json& recipe, const std::string& name) {
  const Json* value = recipe.find(name);
  return value == nullptr ? "absent" : value->text();
}

void require_same_recipe(const Json& left, const std::string& left_file, const Json& right,
                         const std::string& right_file, const OutputFolder& folder) {
  for (const Json* recipe : {&left, &right}) {
    for (const auto& [name, value] : recipe->members()) {
      if (entry_of(left, name) == entry_of(right, name)) continue;
      throw FormatError("its shards would have two recipes: " + name + " is " + entry_of(left, name) + " for " +
                            left_file + " and " + entry_of(right, name) + " for " + right_file,
                        folder.path(), "remake all of them with `force`, or choose another folder");
    }
  }
}

// The record of `task` if it is that of an existing shard.
std::optional<CompletionRecord> record_of_shard(const OutputFolder& folder, const std::string& task) {
  auto record = folder.record(task);
  if (!record || record->outputs.empty()) return std::nullopt;
  const std::string& name = record->outputs.front().name;
  if (!name.ends_with(".hdf5") || !std::filesystem::exists(folder.path() / name)) return std::nullopt;
  return record;
}

// Members of recipes only if they differ from the reference.
constexpr std::array kOnDemand = {"strip-accents", "tokenizer"};

std::optional<std::string> value_in(const Provenance& entries, std::string_view name) {
  for (const auto& [key, value] : entries) {
    if (key == name) return value;
  }
  return std::nullopt;
}

// The first entry that both have and that differs, in words; empty if there is none.
std::string difference(const Manifest& finished, const Provenance& today) {
  for (const char* name : kOnDemand) {
    const auto before = finished.recipe_value(name), now = value_in(today, name);
    if (before.has_value() == now.has_value()) continue;
    return std::string(name) + (now ? " was absent and is '" + *now + "'" : " was '" + *before + "' and is absent");
  }
  for (const auto& [name, value] : today) {
    const auto before = finished.recipe_value(name);
    if (!value.empty() && before && *before != value) return name + " was '" + *before + "' and is '" + value + "'";
  }
  return {};
}

// Whether records show that a manifest.json in this folder is ours.
bool has_records(const std::filesystem::path& folder) {
  const auto found = OutputFolder::find_shared(folder);
  std::error_code error;
  const std::filesystem::path records = found ? found->state_folder() / "records" : std::filesystem::path();
  return found && std::filesystem::exists(records, error) && !std::filesystem::is_empty(records, error);
}

// Nothing if there is no manifest, or a damaged one of ours, which is remade from the records. Throws FormatError if
// the file is not ours.
std::optional<Manifest> find_manifest(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / Manifest::kFileName;
  if (!std::filesystem::exists(file)) return std::nullopt;
  try {
    return Manifest::load(file);
  } catch (const FormatError&) {
    if (has_records(folder)) return std::nullopt;
    throw;
  }
}

}  // namespace

void refuse_other_dataset(const std::filesystem::path& folder, const Json& recipe, const Provenance& provenance,
                          const WorkOptions& work) {
  if (work.force) return;
  const auto manifest = find_manifest(folder);
  if (!manifest) return;
  Provenance today;
  for (const auto& [name, value] : recipe.members()) today.emplace_back(name, value.text());
  today.insert(today.end(), provenance.begin(), provenance.end());
  const std::string what = difference(*manifest, today);
  if (what.empty()) return;
  throw FormatError("contains a finished dataset with another recipe: " + what, folder,
                    "give this one another name with `name` or another folder, or replace it with `force`");
}

// Manifests of rows and of sequences have the member `recipe`.
std::optional<std::string> text_of_dataset(const std::filesystem::path& folder) try {
  const Json manifest = read_sealed(folder / Manifest::kFileName);
  const Json* recipe = manifest.find("recipe");
  const Json* text = recipe != nullptr ? recipe->find("formatted-sha256") : nullptr;
  return text != nullptr ? std::optional(text->text()) : std::nullopt;
} catch (const Error&) {
  return std::nullopt;
}

void refuse_other_text(const OutputFolder& folder, const std::string& task, const std::string& text_sha256) {
  if (!std::filesystem::exists(folder.path() / Manifest::kFileName)) return;
  const auto record = record_of_shard(folder, task);
  const Json* before = record ? record->counts.find("text_sha256") : nullptr;
  if (before == nullptr || before->text() == text_sha256) return;
  throw FormatError("belongs to a finished dataset and was made from another text: text_sha256 was '" + before->text() +
                        "' and is '" + text_sha256 + "'",
                    folder.path() / record->outputs.front().name, "choose another folder, or replace it with `force`");
}

void withdraw_manifest(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / Manifest::kFileName;
  if (!std::filesystem::exists(file)) return;
  find_manifest(folder);  // throws if it is not ours
  std::filesystem::remove(file);
}

void refuse_other_recipes(const OutputFolder& folder, const Json& recipe, const std::set<std::string>& planned) {
  for (const std::string& task : folder.recorded_tasks()) {
    const auto record = record_of_shard(folder, task);
    if (!record || planned.contains(record->outputs.front().name)) continue;
    require_same_recipe(recipe, *planned.begin(), record->recipe, record->outputs.front().name, folder);
  }
}

void refuse_foreign_shards(const OutputFolder& folder, const std::set<std::string>& planned, const WorkOptions& work) {
  if (work.force || is_empty_folder(folder.path())) return;
  for (const std::string& name : planned) {
    folder.refuse_foreign(std::filesystem::path(name).stem().string(), std::array{name});
  }
}

std::size_t count_outdated(const OutputFolder& folder, const Json& recipe, const std::set<std::string>& planned) {
  const std::string today = recipe.dump_line();
  std::size_t count = 0;
  for (const std::string& task : folder.recorded_tasks()) {
    const auto record = record_of_shard(folder, task);
    if (record && planned.contains(record->outputs.front().name) && record->recipe.dump_line() != today) ++count;
  }
  return count;
}

void RecordSums::add(const OutputFolder& folder, const std::string& task, const CompletionRecord& record) {
  const OutputEntry& output = record.outputs.front();
  const Json* vocab = record.counts.find(kVocabName);
  const Json* data = record.counts.find(kShardCounts);
  const StageCounts counts = counts_of(record);
  ManifestShard entry{output.name, counts.rows, output.size_bytes, output.sha256, counts.text_sha256};
  const std::lock_guard lock(mutex_);
  if (shards_.empty()) {
    recipe_ = record.recipe;
    first_file_ = output.name;
  } else {
    require_same_recipe(record.recipe, output.name, recipe_, first_file_, folder);
  }
  is_counted_ = is_counted_ && data != nullptr;
  if (is_counted_) counts_.add_shard(output.name, *data);
  shards_.insert_or_assign(
      natural_key(task), Shard{std::move(entry), vocab == nullptr ? "" : vocab->text(), counts_.take_unknown_words()});
}

bool RecordSums::contains(const std::string& task) const {
  return shards_.contains(natural_key(task));
}

Manifest RecordSums::manifest(const OutputFolder& folder, const std::string& dataset, const Provenance& provenance,
                              const DroppedDocuments& dropped) {
  Manifest manifest;
  manifest.dataset = dataset;
  std::string vocab_name;
  for (auto& [key, shard] : shards_) {
    if (vocab_name.empty()) vocab_name = shard.vocab_name;
    manifest.shards.push_back(std::move(shard.entry));
    counts_.add_unknown_words(shard.unknown_words);
  }
  manifest.vocabulary = copied_vocab(folder, recipe_, vocab_name);
  for (const auto& [name, value] : recipe_.members()) manifest.recipe.emplace_back(name, value.text());
  manifest.recipe.insert(manifest.recipe.end(), provenance.begin(), provenance.end());
  manifest.rejected_by_reason = dropped.rejected;
  counts_.set_dropped(dropped.left_out, dropped.rejected);
  if (is_counted_) add_data(counts_, manifest);
  return manifest;
}

Manifest merge_records(const OutputFolder& folder, const std::string& dataset, const Provenance& provenance,
                       const DroppedDocuments& dropped, RecordSums& sums) {
  for (const std::string& task : folder.recorded_tasks()) {
    if (sums.contains(task)) continue;
    if (const auto record = record_of_shard(folder, task)) sums.add(folder, task, *record);
  }
  return sums.manifest(folder, dataset, provenance, dropped);
}

Manifest merge_records(const OutputFolder& folder, const std::string& dataset, const Provenance& provenance,
                       const DroppedDocuments& dropped) {
  RecordSums sums;
  return merge_records(folder, dataset, provenance, dropped, sums);
}

void publish_manifest(const OutputFolder& folder, const Manifest& manifest) {
  const std::filesystem::path path = folder.path() / Manifest::kFileName;
  const std::string bytes = manifest.to_json();
  folder.compact_records();
  if (read_file_if_any(path) == bytes) return;
  sync_file_system(folder.path());
  folder.publish_small(Manifest::kFileName, bytes);
}

}  // namespace bertprep
