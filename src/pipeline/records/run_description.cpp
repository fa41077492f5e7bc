#include "pipeline/records/run_description.h"

#include <utility>

#include "bertprep/base/error.h"
#include "bertprep/token/vocab.h"
#include "io/input_file.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/run_layout.h"

namespace bertprep {
namespace {

constexpr const char* kFormat = "bertprep-run";
constexpr std::uint64_t kVersion = 1;

// Must be an object; of its members, readers convert only this one to a number.
const Json& checked_recipe(const Json& recipe) {
  if (const Json* seq_len = recipe.find("seq-len")) Json::number_text(seq_len->text()).as_unsigned();
  return recipe;
}

}  // namespace

Json RunDescription::to_json() const {
  Json list = Json::array();
  for (const RunPhase& phase : phases) {
    list.push(Json::object().add("folder", Json::string(phase.folder)).add("recipe", phase.recipe));
  }
  return Json::object()
      .add("format", Json::string(kFormat))
      .add("version", Json::number(kVersion))
      .add("dataset", Json::string(dataset))
      .add("formatted", Json::string(formatted))
      .add("text-shards", Json::string(text_shards))
      .add("train-shards", Json::number(train_shards))
      .add("test-shards", Json::number(test_shards))
      .add("phases", std::move(list));
}

std::optional<RunDescription> RunDescription::find(const std::filesystem::path& state) try {
  const auto bytes = read_file_if_any(state / kFileName);
  return bytes ? std::optional(from_bytes(*bytes, (state / kFileName).string())) : std::nullopt;
} catch (const Error&) {
  return std::nullopt;
}

RunDescription RunDescription::from_json(const Json& json) {
  if (json.at("format").text() != kFormat) throw FormatError("is not the description of a run");
  if (json.at("version").as_unsigned() > kVersion) {
    throw FormatError("was written by a newer program", {}, "use that one");
  }
  RunDescription run;
  run.dataset = json.at("dataset").text();
  run.formatted = json.at("formatted").text();
  run.text_shards = json.at("text-shards").text();
  run.train_shards = json.at("train-shards").as_unsigned();
  run.test_shards = json.at("test-shards").as_unsigned();
  for (const Json& phase : json.at("phases").items()) {
    run.phases.push_back({phase.at("folder").text(), checked_recipe(phase.at("recipe"))});
  }
  return run;
}

std::string RunDescription::to_bytes() const {
  return seal(to_json());
}

RunDescription RunDescription::from_bytes(const std::string& bytes, const std::string& name) {
  return from_json(parse_sealed(bytes, name));
}

RunDescription describe_run(const BuildFolders& folders, const PipelineOptions& options, const Vocab& vocab) {
  const RunLayout layout = layout_of(folders, options);
  std::vector<RunPhase> phases;
  for (const InstancePhase& phase : layout.phases) {
    phases.push_back({phase.folder.lexically_relative(folders.output).generic_string(),
                      instance_recipe(phase.options, options, vocab).json()});
  }
  return describe_run(layout, options, std::move(phases));
}

RunDescription describe_run(const RunLayout& layout, const PipelineOptions& options, std::vector<RunPhase> phases) {
  RunDescription run;
  run.dataset = options.corpus.name;
  run.formatted = layout.formatted.lexically_relative(layout.work).generic_string();
  if (!layout.text_shards.empty())
    run.text_shards = layout.text_shards.lexically_relative(layout.work).generic_string();
  run.train_shards = static_cast<std::uint64_t>(options.sharding.train_shards);
  run.test_shards = static_cast<std::uint64_t>(options.sharding.test_shards);
  run.phases = std::move(phases);
  return run;
}

}  // namespace bertprep
