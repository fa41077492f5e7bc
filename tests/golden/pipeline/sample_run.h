// Runs of the pipeline on the corpus that the project ships, with the Punkt parameters of tests/golden/data.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bertprep/pipeline/build.h"

namespace bertprep::test {

std::filesystem::path sample_data();

// One line of data/runs.tsv.
struct SampleRun {
  std::string name;
  PipelineOptions options;
};
std::vector<SampleRun> sample_runs();

// Below `folder`: root/ and work/.
BuildReport build_sample(const PipelineOptions& options, const std::filesystem::path& folder);

}  // namespace bertprep::test
