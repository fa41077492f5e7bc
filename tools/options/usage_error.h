// Reports errors in the command line.
#pragma once

#include <CLI/CLI.hpp>

namespace bertprep::cli {

// Prints to stderr what is wrong, what may have been meant, and how to get help; if a command is missing, the help
// itself. Returns an ExitStatus.
int report_usage_error(const CLI::App& program, const CLI::ParseError& error);

}  // namespace bertprep::cli
