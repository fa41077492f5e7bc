// Default numbers of shards, which are known after counting the articles.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "bertprep/pipeline/pipeline_options.h"

namespace bertprep {

// `options` with the numbers of shards for this number of articles.
PipelineOptions with_shards(PipelineOptions options, std::uint64_t articles);

// A note to the user about default numbers; empty if they are the reference's, or were given.
std::string note_on_shards(const ShardingOptions& given, std::uint64_t articles);

// A warning before any text is tokenized; empty unless hardly any end of a sentence was found in long articles.
// `sentences` are those of each article, `bytes` the size of the text.
std::string note_on_sentences(std::span<const std::uint32_t> sentences, std::uint64_t bytes);

}  // namespace bertprep
