// ArrayState: an array job as stored on disk, and its progress.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/array/array_job.h"
#include "pipeline/array/array_plan.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/progress_journal.h"

namespace bertprep {

// Where the state of an array job lies (docs/formats/array-job.md).
struct ArrayLayout {
  std::filesystem::path folder;    // WORK/array/NAME-REQUEST
  std::filesystem::path plan;      // the file
  std::filesystem::path finished;  // a file, once all is done: the key of the plan
  std::filesystem::path inputs;    // a file: what the tasks fetched, of a plan that is_listed
  std::filesystem::path attempts;  // one small file for each running or failed attempt
  std::filesystem::path format;    // pieces of formatted text
  std::filesystem::path shard;     // the assignment, and the pieces' articles by shard
};

ArrayLayout array_layout(const ArrayJob& job);
// The same for a job whose folder is known.
ArrayLayout array_layout(const std::filesystem::path& folder);

// All folders of array jobs below a work folder.
std::filesystem::path array_folder(const std::filesystem::path& work);

struct ArrayState {
  ArrayLayout layout;
  ArrayPlan plan;
  RunPlan run;               // the plan's, with the numbers of shards, once the articles are counted
  bool is_finished = false;  // the passing data are removed, the shards exist

  bool knows_shards() const { return run.options.sharding.is_resolved(); }
  // Loads the models, which tasks use even if a file changes meanwhile. Throws as ArrayPlan::require_keys().
  void load_models();
};

// What the job read. Of files that tasks fetch, known once their articles are placed; empty before.
std::string input_digest_of(const ArrayState& state);
std::vector<ManifestSource> sources_of(const ArrayState& state);

// Throws FormatError without a plan.
ArrayState open_array(const ArrayLayout& layout);

inline constexpr const char* kAssignmentTask = "placement";
inline constexpr const char* kAssignmentFile = "placement.bin";

// Whether the units of a stage are done. Opens the folders of the stage once.
class StageUnits {
 public:
  // `state` is kept by reference. With `is_read_only`, writes nothing, and does not complete the renames of a killed
  // attempt.
  StageUnits(const ArrayState& state, ArrayStage stage, bool is_read_only = false);

  std::size_t count() const { return count_; }
  // Of a unit: "piece_00012", "NAME_training_3".
  std::string name(std::size_t unit) const;
  // Reads one small file or two. Throws IoError, FormatError.
  bool is_done(std::size_t unit) const;
  std::vector<std::size_t> missing() const;

 private:
  bool has_kept_text_shard(std::size_t shard) const;

  const ArrayState& state_;
  ArrayStage stage_;
  std::size_t count_ = 1;
  std::vector<std::string> parts_;     // of sequences, by text shard
  std::vector<OutputFolder> folders_;  // empty: a folder is missing, so nothing is done
};

// Throws FormatError naming unfinished units of `stage`, if there are any.
void require_stage(const ArrayState& state, ArrayStage stage);

// Attempt: a process's attempt at a task of an array, described by a small file while it runs and after it failed.
//
// Only for display (`bertprep status`): completion records decide what is done.
class Attempt final : public ProgressJournal {
 public:
  // `observer` is kept by reference.
  Attempt(const std::filesystem::path& folder, std::string_view stage, const ArrayAttempt& attempt, Progress& observer);
  // Removes the report, unless fail() was called.
  ~Attempt() override;
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  void fail(const std::string& error);

 private:
  bool has_failed_ = false;
};

// All readable reports of attempts in a folder.
std::vector<ProgressReport> read_attempts(const std::filesystem::path& folder);

}  // namespace bertprep
