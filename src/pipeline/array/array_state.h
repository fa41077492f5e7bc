// ArrayState: an array job as it lies on the disk, and what of it is done.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/array/array_job.h"
#include "pipeline/array/array_layout.h"
#include "pipeline/array/array_plan.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/run_layout.h"

namespace bertprep {

struct ArrayState {
  ArrayLayout layout;
  ArrayPlan plan;
  PipelineOptions options;  // the plan's, with the numbers of shards once the articles are counted
  RunLayout run;
  bool is_finished = false;  // the passing data are gone, the shards are there

  bool knows_shards() const { return options.sharding.is_resolved(); }
};

// Throws FormatError without a plan.
ArrayState open_array(const ArrayLayout& layout);

inline constexpr const char* kAssignmentTask = "placement";
inline constexpr const char* kAssignmentFile = "placement.bin";

// Whether the units of a stage are done. Opens the folders of the stage once.
class StageUnits {
 public:
  // `state` is kept by reference. With `only_look` nothing is written, not even the names that a killed attempt left
  // to be given.
  StageUnits(const ArrayState& state, ArrayStage stage, bool only_look = false);

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
  std::vector<OutputFolder> folders_;  // none: a folder is not there, so nothing is done
};

// Throws FormatError that names units of `stage` that are not done, if there are any.
void require_stage(const ArrayState& state, ArrayStage stage);

}  // namespace bertprep
