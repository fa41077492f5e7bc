// Array jobs: the stages of a run as arrays of tasks, each done by any process on any machine that sees the folders.
//
//   fetch ─→ format[] ─→ place ─→ shard[] ─→ instances[] ─→ finish
//   plan     pieces of    which     pieces'     shards        manifest.json
//            the input    article   articles
//                         where     by shard
//
// An engine (Slurm, AWS Batch) starts the processes and orders the stages; the records on the disk decide what is done.
// A stage is a list of units known from the plan; task t of N does units t, t + N, ... Any N, any repetition, and any
// number of attempts at one task at once give the bytes of one build() (docs/formats/array-job.md).
//
// All functions throw IoError, FormatError, ConfigError, or Cancelled when the progress asks them to stop.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/build.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/pipeline/stages.h"

namespace bertprep {

enum class ArrayStage { kFetch, kFormat, kPlace, kShard, kInstances, kFinish };

inline constexpr ArrayStage kArrayStages[] = {ArrayStage::kFetch, ArrayStage::kFormat,    ArrayStage::kPlace,
                                              ArrayStage::kShard, ArrayStage::kInstances, ArrayStage::kFinish};

std::string_view name_of(ArrayStage stage);
// Throws ConfigError for a name that is none.
ArrayStage array_stage(std::string_view name);
// False: the stage is one task.
bool is_array(ArrayStage stage);

// Throws ConfigError for options that don't go with an array job.
void check_array(const PipelineOptions& options);

// A task's share of the units.
struct ArrayShare {
  std::uint64_t task = 0;
  std::uint64_t count = 1;
};

// What all processes of one job agree upon because they have the same command line.
struct ArrayJob {
  BuildFolders folders;
  std::string name;     // of the dataset, as it was asked for
  std::string request;  // array_request(): jobs with other requests never meet
};

// Everything that decides bytes, as text. `inputs` are the paths, or the dataset's name, as they were asked for;
// `options` as they are before models and datasets are looked up.
std::string array_request(std::span<const std::string> inputs, const SourceOptions& source, const WikiOptions& wiki,
                          const PipelineOptions& options);

// Who makes an attempt, for `status`.
struct AttemptOrigin {
  std::string engine{};   // "Slurm"; empty: none
  std::string job{};      // its name for the task
  std::string attempt{};  // its number, as the engine counts
};

// The stage `fetch`, of which the downloading is done: hashes the input, cuts it into pieces of about `piece_bytes` and
// writes the plan with everything that decides bytes. An older plan of the same job is replaced where the input is
// another one.
StageReport plan_array(const ArrayJob& job, std::span<const CorpusPart> parts, const PipelineOptions& options,
                       std::uint64_t piece_bytes, Progress& progress);

// One task of any other stage. Units that are done are not done again. `work` is how it is done here; what is kept is
// the plan's. Throws FormatError when an earlier stage is not whole, naming what is missing.
StageReport run_array_task(const ArrayJob& job, ArrayStage stage, const ArrayShare& share, const WorkOptions& work,
                           const AttemptOrigin& origin, Progress& progress);

// The tasks of `count` that have units of `stage` left, in their order. Throws as run_array_task() without a plan.
std::vector<std::uint64_t> unfinished_tasks(const ArrayJob& job, ArrayStage stage, std::uint64_t count);

// The folders of shards at or below `root` that tasks of an array fill, and of which finish_shards() is still to come.
std::vector<std::filesystem::path> unfinished_shard_folders(const std::filesystem::path& root);

// Writes manifest.json of such a folder (for an array job: of all its folders, as the stage `finish` does), or throws
// FormatError that names what is missing. Does nothing to a folder that no array fills.
std::vector<DatasetReport> finish_shards(const std::filesystem::path& folder, Progress& progress);

}  // namespace bertprep
