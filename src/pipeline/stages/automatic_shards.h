// Numbers of shards that nobody gave: they are known when the articles are counted.
#pragma once

#include <cstdint>
#include <string>

#include "bertprep/pipeline/pipeline_options.h"

namespace bertprep {

// `options` with the numbers of shards for so many articles.
PipelineOptions with_shards(PipelineOptions options, std::uint64_t articles);

// What to tell the user of numbers that were not given; empty when they are the reference's, or were given.
std::string note_on_shards(const ShardingOptions& given, std::uint64_t articles);

}  // namespace bertprep
