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
  std::filesystem::path text_shards;  // the folder; empty while the numbers of shards are not known
  std::vector<InstancePhase> phases;
};

RunLayout layout_of(const BuildFolders& folders, const PipelineOptions& options);

// How many shards a run makes; 0 while their numbers are not known.
std::size_t shard_count(const ShardingOptions& options);
// "NAME_training_3": training shards first.
std::string shard_name(const PipelineOptions& options, std::size_t shard);

// The text shards of a run, training first.
std::vector<std::filesystem::path> text_shard_paths(const std::filesystem::path& folder,
                                                    const PipelineOptions& options);

}  // namespace bertprep
