// What stays of a run's intermediate files.
#pragma once

#include "bertprep/pipeline/pipeline_options.h"
#include "pipeline/run_layout.h"

namespace bertprep {

// Whether `what` is among those of the comma-separated list that options.work.keep is.
bool keeps(const WorkOptions& work, std::string_view what);

// Removes the formatted file and the text shards of a finished run unless they are to be kept. Their completion records
// stay, so that the run is known to be done.
void remove_unkept(const RunLayout& layout, const PipelineOptions& options);

}  // namespace bertprep
