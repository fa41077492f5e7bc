// What the closing summary says of the data: its counts, and warnings where one is out of its range.
#pragma once

#include <CLI/CLI.hpp>
#include <span>

#include "bertprep/pipeline/stages.h"
#include "console/console.h"

namespace bertprep::cli {

// A few lines for each dataset that the stages finished, then the warnings; events with --json.
void print_data(std::span<const StageReport> stages, Console& console);

// Adds --strict-data, which status_for_data() takes.
void add_strict_data(CLI::App& app, bool& strict);

// The exit status for these warnings: `status` unless they count as errors.
int status_for_data(std::span<const StageReport> stages, bool strict, int status);

}  // namespace bertprep::cli
