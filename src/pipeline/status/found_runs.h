// FoundRun: a run found below a folder by its journal or by records of shards, and the state of its stages.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/records/run_description.h"
#include "pipeline/status/status.h"
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

// The state of downloads for `dataset`, if any: WORK/download/DATASET and its hidden sibling.
std::optional<StageStatus> fetch_status(const std::filesystem::path& work, const std::string& dataset);

// Whether `work` holds the text of `run`: for finished phases, that of their manifests.
bool has_text_of(const FoundRun& run, const std::filesystem::path& work);

// From `format` to `manifest`. Of a finished run, text of others in `work` does not count. Stages that can't be
// checked, as the work folder is elsewhere, count as done if a later one is.
std::vector<StageStatus> stages_of(const FoundRun& run, const std::filesystem::path& work);

// The state of a stage with one record for its outputs; not started without one, or where all its files were removed.
StageStatus status_of_task(const char* stage, const std::filesystem::path& folder, const std::string& task);

// What single commands made that is not a set of rows or sequences: extracted or formatted articles, text shards, a
// vocabulary. `path` is its folder, or one file.
std::vector<DatasetStatus> find_results(const std::filesystem::path& path);

// The unfinished array job below `work` that fills the folders of `run`, if there is one.
std::optional<std::filesystem::path> find_array(const FoundRun& run, const std::filesystem::path& work);

// From `format` to `finish`. Reads one record per unit, and the reports of attempts. Those that ended before `since`,
// seconds since 1970, don't count: the jobs submitted then repeat them.
std::vector<StageStatus> stages_of_array(const std::filesystem::path& job, std::uint64_t since = 0);

// The stage that makes the plan of a submission, by the report of its attempt.
StageStatus status_of_plan(const Submission& submission);

// In seconds since 1970; nothing without such a file.
std::optional<std::uint64_t> modified_at(const std::filesystem::path& file);

}  // namespace bertprep
