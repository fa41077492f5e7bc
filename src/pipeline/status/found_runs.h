// FoundRun: a run whose traces lie below a folder: its journal, or at least records of shards.
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
  std::optional<std::filesystem::path> state;  // nothing: the folder is gone
  Json recipe;                                 // of its shards; null: not known
};

struct FoundRun {
  std::string dataset;
  std::filesystem::path root;
  std::optional<RunDescription> description{};  // nothing: no journal
  std::vector<FoundPhase> phases{};
  std::optional<ProgressReport> report{};  // of the process that works or worked on it, the newest
};

// Ordered by dataset and folder. Hidden folders that hold neither a journal nor records of shards are no run.
std::vector<FoundRun> find_runs(const std::filesystem::path& root);

}  // namespace bertprep
