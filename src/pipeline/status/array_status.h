// The progress of an array job by stage.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/status/found_runs.h"
#include "pipeline/status/status.h"

namespace bertprep {

// The unfinished array job below `work` that fills the folders of `run`, if there is one.
std::optional<std::filesystem::path> find_array(const FoundRun& run, const std::filesystem::path& work);

// From `format` to `finish`. Reads one record per unit, and the reports of attempts.
std::vector<StageStatus> stages_of_array(const std::filesystem::path& job);

}  // namespace bertprep
