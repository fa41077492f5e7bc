// FoundRun: a run found below a folder by its journal or by records of shards.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/records/run_description.h"
#include "pipeline/work/progress_report.h"

namespace bertprep {

struct FoundPhase {
  std::filesystem::path folder;
  std::optional<std::filesystem::path> state;  // nothing: the folder no longer exists
  Json recipe;                                 // of its shards; null: unknown
};

struct FoundRun {
  std::string dataset;
  std::filesystem::path root;
  std::optional<RunDescription> description{};  // nothing: no journal
  std::vector<FoundPhase> phases{};
  std::optional<ProgressReport> report{};  // the newest, of a current or former process of the run
};

// Ordered by dataset and folder. Hidden folders with neither a journal nor records of shards are not runs.
std::vector<FoundRun> find_runs(const std::filesystem::path& root);

}  // namespace bertprep
