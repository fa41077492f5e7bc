// Runs of the pipeline with the data that the reference was run with.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bertprep/pipeline/build.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"

namespace bertprep::test {

class ReferenceRun : public GoldenTest {
 protected:
  // The reference's vocabulary and Punkt parameters, two threads, defaults otherwise.
  PipelineOptions reference_options() const;

  StageReport shard(const std::vector<std::filesystem::path>& inputs, const PipelineOptions& options,
                    const std::filesystem::path& folder) const;
  // Both phases below root(): 128/ and 512/.
  StageReport instances(const std::vector<std::filesystem::path>& text_shards, const PipelineOptions& options) const;
  std::filesystem::path root() const { return temp_ / "root"; }

  TempFolder temp_;
};

}  // namespace bertprep::test
