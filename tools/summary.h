// The closing summary of a run.
#pragma once

#include <span>

#include "bertprep/pipeline/stages.h"
#include "console.h"

namespace bertprep::cli {

// A line a stage: articles, sentences, tokens, rows, bytes, seconds, MB/s; and events with --json.
void print_summary(std::span<const StageReport> stages, Console& console);

// The exit status for this many rejected records.
int status_for_rejects(std::uint64_t rejected, std::int64_t max_rejects, Console& console);

}  // namespace bertprep::cli
