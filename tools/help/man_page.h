// Manual pages, generated from the commands' options.
#pragma once

#include <string>

#include "help/command_facts.h"

namespace bertprep::cli {

// The page of one command of `program` in section 1, for man(1). The program's own page lists its commands.
std::string man_page(const CommandFacts& command, const CommandFacts& program, const std::string& version);

// "bertprep-vocab-train": the name of the page.
std::string man_page_name(const CommandFacts& command);

}  // namespace bertprep::cli
