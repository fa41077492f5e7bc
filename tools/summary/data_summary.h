// The closing summary's part about the data: counts, and warnings for those out of range.
#pragma once

#include <CLI/CLI.hpp>
#include <span>

#include "bertprep/pipeline/stages.h"
#include "console/console.h"

namespace bertprep::cli {

// Prints a few lines for each dataset finished by the stages, then the warnings; events with --json.
void print_data(std::span<const StageReport> stages, Console& console);

// Adds --strict-data, for status_for_data().
void add_strict_data(CLI::App& app, bool& strict);

// The exit status for these warnings: `status` unless they count as errors.
int status_for_data(std::span<const StageReport> stages, bool strict, int status);

}  // namespace bertprep::cli
