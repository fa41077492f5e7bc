// RunLayout: where everything of one run lies.
#pragma once

#include <filesystem>
#include <vector>

#include "bertprep/pipeline/build.h"
#include "bertprep/pipeline/stages.h"

namespace bertprep {

struct RunLayout {
  std::filesystem::path work;
  std::filesystem::path extracted;    // the folder, used only when it is to be kept
  std::filesystem::path formatted;    // the file
  std::filesystem::path text_shards;  // the folder
  std::vector<InstancePhase> phases;
};

RunLayout layout_of(const BuildFolders& folders, const PipelineOptions& options);

// The text shards of a run, training first.
std::vector<std::filesystem::path> text_shard_paths(const std::filesystem::path& folder,
                                                    const PipelineOptions& options);

}  // namespace bertprep
