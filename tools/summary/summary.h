// The closing summary of a run.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <span>

#include "bertprep/pipeline/stages.h"
#include "console/console.h"

namespace bertprep::cli {

// Prints one line per stage: articles, sentences, tokens, rows, bytes, seconds, MB/s; and events with --json.
void print_summary(std::span<const StageReport> stages, Console& console);

// Adds --max-rejects, for status_for_rejects(); -1: no limit.
void add_max_rejects(CLI::App& app, std::int64_t& max_rejects);

// Prints how many records the stage rejected, why, and which file lists them; returns the exit status for this number.
int status_for_rejects(const StageReport& stage, std::int64_t max_rejects, Console& console);

}  // namespace bertprep::cli
