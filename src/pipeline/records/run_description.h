// RunDescription: what a run makes and where, stored as run.json (docs/formats/run-journal.md).
//
// It holds no time and no path outside of the output and work folders, so that equal runs leave equal bytes anywhere.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bertprep/pipeline/build.h"
#include "io/json.h"
#include "pipeline/records/run_layout.h"

namespace bertprep {

struct RunPhase {
  std::string folder;  // below the output folder: hdf5_.../NAME
  Json recipe;         // of its shards, or of the set of sequences, without the text
};

struct RunDescription {
  static constexpr const char* kFileName = "run.json";

  std::string dataset;
  std::string formatted;    // the file, below the work folder
  std::string text_shards;  // the folder, below the work folder; empty while the numbers of shards are unknown
  std::uint64_t train_shards = 0;
  std::uint64_t test_shards = 0;
  std::vector<RunPhase> phases{};

  std::uint64_t shards() const { return train_shards + test_shards; }

  Json to_json() const;
  // Converts to and from the sealed bytes of the file. Throws FormatError with `name`.
  std::string to_bytes() const;
  static RunDescription from_bytes(const std::string& bytes, const std::string& name);
  // That in the hidden folder `state`; nothing where there is none, or a damaged one: the next call mends it.
  static std::optional<RunDescription> find(const std::filesystem::path& state);
  // Throws FormatError.
  static RunDescription from_json(const Json& json);
};

// RunPlaces: the inputs and the work folder of a run, kept beside its shards (docs/formats/run-journal.md), so that
// they are found again without being named again.
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
