#include "pipeline/records/resumption.h"

#include "base/fields.h"
#include "bertprep/base/error.h"

namespace bertprep {

namespace fs = std::filesystem;

std::string difference(const Json& before, const Json& now) {
  for (const auto& [name, value] : now.members()) {
    const Json* old = before.find(name);
    if (old == nullptr) return name + " is new";
    if (old->text() != value.text()) return name + " was '" + old->text() + "' and is '" + value.text() + "'";
  }
  return before.members().size() == now.members().size() ? "its input changed" : "its options changed";
}

void refuse_other_result(const OutputFolder& folder, const std::string& task, const Recipe& recipe,
                         const std::string& key) {
  const auto record = folder.record(task);
  if (!record || record->key == key || !folder.finished(task, record->key)) return;
  throw FormatError("is finished and was made with another recipe: " + difference(record->recipe, recipe.json()),
                    folder.path() / record->outputs.front().name,
                    "give the new one another name or folder, or replace this one with `force`");
}

bool checks_input(const RunLayout& layout, const PipelineOptions& options) {
  if (options.work.force) return false;
  const auto folder = OutputFolder::find_shared(layout.formatted.parent_path());
  return folder && folder->record(layout.formatted.filename().string());
}

std::size_t count_missing_shards(const InstanceStep& task, const PipelineOptions& options, const Vocab& vocab) {
  std::size_t missing = 0;
  for (const InstancePhase& phase : task.phases) {
    const OutputFolder folder(phase.folder);
    const Recipe recipe = instance_recipe(phase.options, options, vocab);
    for (std::size_t i = 0; i < task.text_shards.size(); ++i) {
      if (!folder.finished(task.text_shards[i].stem().string(), recipe.key(task.known[i].sha256))) ++missing;
    }
  }
  return missing;
}

InstanceStep instance_step(const RunLayout& layout, const PipelineOptions& options, const SentenceSplitter& splitter,
                           const std::optional<CompletionRecord>& shard, const std::string& text_sha256) {
  InstanceStep task;
  for (const fs::path& path : text_shard_paths(layout.text_shards, options)) {
    task.text_shards.push_back(path);
  }
  // The text shards are in the same order in the record.
  if (shard) {
    for (const OutputEntry& output : shard->outputs)
      task.known.push_back({output.size_bytes, output.sha256, output.xxh3});
  }
  task.name = options.corpus.name;
  task.phases = layout.phases;
  task.whole_dataset = true;
  task.provenance = {{"formatted-sha256", text_sha256}, {"sentences", identity_of(splitter)}};
  if (options.normalizer != nullptr) task.provenance.emplace_back("normalizer", identity_of(*options.normalizer));
  // Default numbers are unknown until the articles are counted.
  if (!options.sharding.is_resolved()) return task;
  for (const FieldValue& field : recipe_of(options.sharding)) task.provenance.emplace_back(field.name, field.value);
  return task;
}

}  // namespace bertprep
