// Text without meaning, for measuring the speed of a machine where there is no other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/pipeline/stages.h"

namespace bertprep {

// Writes about `bytes` of articles, the same ones every time, and what they need to be tokenized and split, into
// `folder`, which exists. `options` get the vocabulary and sentence parameters that lie there.
CorpusPart write_generated_text(const std::filesystem::path& folder, std::uint64_t bytes, PipelineOptions& options);

}  // namespace bertprep
