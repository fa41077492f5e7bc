// RunPlaces: the inputs and the work folder of a run, kept beside its shards (docs/formats/run-journal.md), so that
// they are found again without being named again.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bertprep/pipeline/build.h"
#include "io/json.h"
#include "pipeline/records/run_description.h"

namespace bertprep {

struct RunPlaces {
  static constexpr const char* kFileName = "places.json";

  std::filesystem::path work;            // absolute
  std::filesystem::path work_from_root;  // relative to ROOT: still right if both are moved together
  std::vector<std::string> inputs;       // absolute paths; empty: not from files

  Json to_json() const;
  // Throws FormatError.
  static RunPlaces from_json(const Json& json);
  // That in the hidden folder `state`; nothing where there is none, or a damaged one.
  static std::optional<RunPlaces> find(const std::filesystem::path& state);
};

// As they are recorded: absolute, in order.
std::vector<std::string> recorded_inputs(std::span<const CorpusPart> parts);

// Writes them for all phases of `run` whose folders exist; with `replace`, also over those of an earlier call. Ignores
// write errors.
void write_run_places(const BuildFolders& folders, const RunDescription& run, std::span<const CorpusPart> parts,
                      bool replace);

// The work folder of the run whose shards have the hidden folder `state`, below `root`: of those recorded and the
// default, the first for which `has_text` is true; else the recorded one, or without one the default.
std::filesystem::path find_work(const std::filesystem::path& root, const std::filesystem::path& state,
                                const std::function<bool(const std::filesystem::path&)>& has_text);

}  // namespace bertprep
