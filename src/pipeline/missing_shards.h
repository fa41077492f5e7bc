// How much of the instance stage is still to be done.
#pragma once

#include <cstddef>

#include "bertprep/pipeline/stages.h"

namespace bertprep {

// The number of shards of all phases that are not there, made by today's recipe from the text shards that `task.known`
// describes. Throws as make_instances() does for the vocabulary.
std::size_t count_missing_shards(const InstanceTask& task, const PipelineOptions& options);

}  // namespace bertprep
