// Array jobs: the stages of a run as arrays of tasks, which any process on any machine with access to the folders can
// do.
//
//   fetch ─→ format[] ─→ place ─→ shard[] ─→ instances[] ─→ finish
//   plan     pieces of    which     pieces'     shards        manifest.json
//            the input    article   articles
//                         where     by shard
//
// An engine (Slurm, AWS Batch) starts the processes and orders the stages; the records on disk say what is done. A
// stage is a list of units, given by the plan; task t of N does units t, t + N, ... For any N, repetition, or number of
// simultaneous attempts at a task, the bytes are those of one build() (docs/formats/array-job.md).
//
// All functions throw IoError, FormatError, ConfigError, and Cancelled.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/build.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/pipeline/stages.h"
#include "pipeline/work/progress_report.h"

namespace bertprep {

enum class ArrayStage { kFetch, kFormat, kPlace, kShard, kInstances, kFinish };

inline constexpr ArrayStage kArrayStages[] = {ArrayStage::kFetch, ArrayStage::kFormat,    ArrayStage::kPlace,
                                              ArrayStage::kShard, ArrayStage::kInstances, ArrayStage::kFinish};

std::string_view name_of(ArrayStage stage);
// Throws ConfigError for an unknown name.
ArrayStage array_stage(std::string_view name);
// False: the stage is one task.
bool is_array(ArrayStage stage);

// Throws ConfigError for options that can't be combined with an array job.
void check_array(const PipelineOptions& options);

// What all processes of one job share because they have the same command line.
struct ArrayJob {
  BuildFolders folders;
  std::string name;     // of the dataset, as given
  std::string request;  // array_request(): separates jobs with different requests
  // Makes sure that these files are on this machine; for jobs planned with CorpusPart::unfetched.
  std::function<void(std::span<const std::filesystem::path> files, Progress& progress)> fetch{};
};

// The stage `fetch` after the download: hashes the input, unless tasks fetch it, divides it into pieces of about
// `piece_bytes` and writes the plan with everything that decides bytes. Replaces an older plan of the same job if the
// input has changed.
StageReport plan_array(const ArrayJob& job, std::span<const CorpusPart> parts, const PipelineOptions& options,
                       std::uint64_t piece_bytes, Progress& progress);

// Does one task of any other stage; skips finished units. `work` applies to this call, except `keep`, which is the
// plan's. Throws FormatError, naming what is missing, if an earlier stage is incomplete.
StageReport run_array_task(const ArrayJob& job, ArrayStage stage, const ArrayShare& share, const WorkOptions& work,
                           const AttemptOrigin& origin, Progress& progress);

// The tasks of `count` with unfinished units of `stage`, in order. Throws as run_array_task() without a plan.
std::vector<std::uint64_t> unfinished_tasks(const ArrayJob& job, ArrayStage stage, std::uint64_t count);

// The first stage with unfinished units; nothing if all is done. Throws as run_array_task() without a plan.
std::optional<ArrayStage> unfinished_stage(const ArrayJob& job);

// The folders of shards at or below `root` that tasks of an array fill and finish_shards() has not finished.
std::vector<std::filesystem::path> unfinished_shard_folders(const std::filesystem::path& root);

// Writes manifest.json of such a folder (for an array job: of all its folders, as the stage `finish` does), or throws
// FormatError, which names what is missing. Ignores a folder that no array fills.
std::vector<DatasetReport> finish_shards(const std::filesystem::path& folder, Progress& progress);

}  // namespace bertprep
