// What a plan asks of memory and disks, and what is wrong with that.
#pragma once

#include "pipeline/plan/plan.h"

namespace bertprep {

// Fills in memory, disks and warnings of a plan that has its sizes. `index_bytes` is what lies beside the formatted
// file until the text shards are written.
void add_needs(const BuildFolders& folders, const PipelineOptions& options, std::uint64_t index_bytes, Plan& plan);

}  // namespace bertprep
