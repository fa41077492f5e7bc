// RunDescription: what a run makes and where, stored as run.json (docs/formats/run-journal.md).
//
// It holds no time and no path outside of the output and work folders, so that equal runs leave equal bytes anywhere.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
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
  std::vector<RunPhase> phases;

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

RunDescription describe_run(const RunLayout& layout, const PipelineOptions& options, std::vector<RunPhase> phases);
// The description of a run that makes rows.
RunDescription describe_run(const BuildFolders& folders, const PipelineOptions& options, const Vocab& vocab);

}  // namespace bertprep
