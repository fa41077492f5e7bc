#include "pipeline/records/run_description.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/run_layout.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlacesFormat = "bertprep-places";
constexpr std::uint64_t kPlacesVersion = 1;

fs::path real_path(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(fs::absolute(path), error);
  return error ? fs::absolute(path).lexically_normal() : real;
}

// JSON holds no other bytes.
std::string as_text(std::string path) {
  if (!find_invalid_utf8(path)) return path;
  std::ranges::replace_if(
      path, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
  return path;
}

constexpr const char* kFormat = "bertprep-run";
constexpr std::uint64_t kVersion = 1;

// Must be an object; of its members, readers convert only this one to a number.
const Json& checked_recipe(const Json& recipe) {
  if (const Json* seq_len = recipe.find("seq-len")) Json::number_text(seq_len->text()).as_unsigned();
  return recipe;
}

}  // namespace

Json RunPlaces::to_json() const {
  Json list = Json::array();
  for (const std::string& input : inputs) list.push(Json::string(input));
  return Json::object()
      .add("format", Json::string(kPlacesFormat))
      .add("version", Json::number(kPlacesVersion))
      .add("work", Json::string(as_text(work.string())))
      .add("work-from-root", Json::string(as_text(work_from_root.string())))
      .add("inputs", std::move(list));
}

RunPlaces RunPlaces::from_json(const Json& json) {
  if (json.at("format").text() != kPlacesFormat) throw FormatError("does not hold the places of a run");
  if (json.at("version").as_unsigned() > kPlacesVersion) {
    throw FormatError("was written by a newer program", {}, "use that one");
  }
  RunPlaces places;
  places.work = json.at("work").text();
  places.work_from_root = json.at("work-from-root").text();
  for (const Json& input : json.at("inputs").items()) places.inputs.push_back(input.text());
  return places;
}

std::optional<RunPlaces> RunPlaces::find(const fs::path& state) try {
  const auto bytes = read_file_if_any(state / kFileName);
  return bytes ? std::optional(from_json(parse_sealed(*bytes, (state / kFileName).string()))) : std::nullopt;
} catch (const Error&) {
  return std::nullopt;
}

std::vector<std::string> recorded_inputs(std::span<const CorpusPart> parts) {
  std::vector<std::string> inputs;
  for (const CorpusPart& part : parts) {
    for (const fs::path& input : part.inputs) {
      const fs::path path = fs::absolute(input).lexically_normal();
      inputs.push_back(as_text((path.has_filename() ? path : path.parent_path()).string()));
    }
  }
  return inputs;
}

void write_run_places(const BuildFolders& folders, const RunDescription& run, std::span<const CorpusPart> parts,
                      bool replace) {
  const fs::path work = real_path(work_folder(folders));
  const RunPlaces places{work, work.lexically_relative(real_path(folders.output)), recorded_inputs(parts)};
  const std::string bytes = seal(places.to_json());
  for (const RunPhase& phase : run.phases) {
    try {
      const auto folder = OutputFolder::find_shared(folders.output / phase.folder);
      if (!folder) continue;
      const auto before = read_file_if_any(folder->state_folder() / RunPlaces::kFileName);
      if (before == bytes || (before && !replace)) continue;
      folder->publish_state(RunPlaces::kFileName, bytes);
    } catch (const std::exception&) {
      continue;
    }
  }
}

fs::path find_work(const fs::path& root, const fs::path& state, const std::function<bool(const fs::path&)>& has_text) {
  std::vector<fs::path> candidates;
  if (const auto places = RunPlaces::find(state)) {
    if (!places->work_from_root.empty()) {
      candidates.push_back((real_path(root) / places->work_from_root).lexically_normal());
    }
    candidates.push_back(places->work);
  }
  const auto exists = [](const fs::path& folder) {
    std::error_code error;
    return fs::is_directory(folder, error);
  };
  const fs::path usual = default_work_folder(root);
  if (const auto found = std::ranges::find_if(candidates, has_text); found != candidates.end()) return *found;
  if (candidates.empty() || has_text(usual)) return usual;
  const auto found = std::ranges::find_if(candidates, exists);
  return found != candidates.end() ? *found : candidates.back();
}

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

}  // namespace bertprep
