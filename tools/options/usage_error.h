// What a program answers to a command line that it does not understand.
#pragma once

#include <CLI/CLI.hpp>

namespace bertprep::cli {

// Says on stderr what is wrong, what may have been meant, and where help is; where a command is missing, the help
// itself. Returns an ExitStatus.
int report_usage_error(const CLI::App& program, const CLI::ParseError& error);

}  // namespace bertprep::cli
