// What stays of a run's intermediate files.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "bertprep/pipeline/corpus.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "pipeline/records/run_layout.h"

namespace bertprep {

// Whether `what` is among those of the comma-separated list that options.work.keep is.
bool keeps(const WorkOptions& work, std::string_view what);

// Removes what a finished run downloaded for `parts`, its formatted file and its text shards unless they are to be
// kept: below WORK alone, and only what OwnedFiles knows to be the run's own. Their completion records stay, so that
// the run is known to be done.
void remove_unkept(const RunLayout& layout, std::span<const CorpusPart> parts, const PipelineOptions& options);

}  // namespace bertprep
