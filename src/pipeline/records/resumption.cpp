#include "pipeline/records/resumption.h"

#include <algorithm>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "io/process.h"
#include "pipeline/records/run_description.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".inputs.json";
constexpr const char* kStandardInput = "/dev/stdin";

std::string note_on(const std::vector<std::string>& inputs) {
  Json list = Json::array();
  for (const std::string& input : inputs) list.push(Json::string(input));
  return seal(Json::object().add("inputs", std::move(list)));
}

// Nothing without a note, or with a damaged one.
std::optional<std::vector<std::string>> noted_inputs(const fs::path& note) try {
  const auto bytes = read_file_if_any(note);
  if (!bytes) return std::nullopt;
  const Json json = parse_sealed(*bytes, note.string());
  std::vector<std::string> inputs;
  for (const Json& input : json.at("inputs").items()) inputs.push_back(input.text());
  return inputs;
} catch (const Error&) {
  return std::nullopt;
}

bool is_of_others(const std::optional<std::vector<std::string>>& noted, const std::vector<std::string>& mine,
                  const std::optional<CompletionRecord>& record, const std::string& digest) {
  if (!record) return noted && *noted != mine;
  if (recipe_key(record->recipe, digest) == record->key) return false;
  const bool is_stream = std::ranges::count(mine, kStandardInput) != 0;
  return noted != mine || is_stream;
}

}  // namespace

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

TextClaim::TextClaim(const OutputFolder& folder, const fs::path& file, std::span<const CorpusPart> parts,
                     const std::optional<CompletionRecord>& record, const std::string& digest, bool force,
                     const Progress& progress)
    : folder_(folder), note_(file.filename().string() + kEnding) {
  const std::vector<std::string> mine = recorded_inputs(parts);
  // Of runs that start at once, the first continues.
  const FolderLock lock(folder.state_folder(), progress);
  const auto noted = noted_inputs(folder.state_folder() / note_);
  if (!force && is_of_others(noted, mine, record, digest)) {
    const bool is_named = noted && !noted->empty() && *noted != mine;
    throw FormatError("is the text of another input" + (is_named ? ", " + noted->front() : std::string()), file,
                      "give this run another `name` or `work`; `force` replaces that text");
  }
  if (noted == mine) return;
  is_new_ = !noted;
  folder.publish_state(note_, note_on(mine));
}

void TextClaim::withdraw() const {
  if (is_new_) folder_.remove_state(note_);
}

}  // namespace bertprep
