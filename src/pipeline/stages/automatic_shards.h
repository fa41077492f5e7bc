// Default numbers of shards, which are known after counting the articles.
#pragma once

#include <cstdint>
#include <string>

#include "bertprep/pipeline/pipeline_options.h"

namespace bertprep {

// `options` with the numbers of shards for this number of articles.
PipelineOptions with_shards(PipelineOptions options, std::uint64_t articles);

// A note to the user about default numbers; empty if they are the reference's, or were given.
std::string note_on_shards(const ShardingOptions& given, std::uint64_t articles);

}  // namespace bertprep
