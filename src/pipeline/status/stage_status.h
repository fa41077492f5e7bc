// The state of each stage of one run.
#pragma once

#include <vector>

#include "pipeline/status/found_runs.h"
#include "pipeline/status/status.h"

namespace bertprep {

// The state of downloads for `dataset`, if any: WORK/download/DATASET and its hidden sibling.
std::optional<StageStatus> fetch_status(const std::filesystem::path& work, const std::string& dataset);

// From `format` to `manifest`. Stages that can't be checked, as the work folder is elsewhere, count as done if a later
// one is.
std::vector<StageStatus> stages_of(const FoundRun& run, const std::filesystem::path& work);

}  // namespace bertprep
