// The closing summary of a run.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <span>

#include "bertprep/pipeline/stages.h"
#include "console/console.h"

namespace bertprep::cli {

// A line a stage: articles, sentences, tokens, rows, bytes, seconds, MB/s; and events with --json.
void print_summary(std::span<const StageReport> stages, Console& console);

// Adds --max-rejects, which status_for_rejects() takes; -1: no limit.
void add_max_rejects(CLI::App& app, std::int64_t& max_rejects);

// Says how many records the stage rejected, why, and which file names them; the exit status for so many.
int status_for_rejects(const StageReport& stage, std::int64_t max_rejects, Console& console);

}  // namespace bertprep::cli
