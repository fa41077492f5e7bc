// The state of each stage of one run.
#pragma once

#include <vector>

#include "pipeline/status/found_runs.h"
#include "pipeline/status/status.h"

namespace bertprep {

// What was downloaded for `dataset`, if anything: WORK/download/DATASET and its hidden sibling.
std::optional<StageStatus> fetch_status(const std::filesystem::path& work, const std::string& dataset);

// Format to manifest. Stages that can't be seen from here, as the work folder is elsewhere, are done when a later one
// is.
std::vector<StageStatus> stages_of(const FoundRun& run, const std::filesystem::path& work);

}  // namespace bertprep
