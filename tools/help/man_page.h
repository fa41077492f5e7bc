// Manual pages, made of what the commands take.
#pragma once

#include <string>

#include "help/command_facts.h"

namespace bertprep::cli {

// The page of one command of `program` in section 1, for man(1). The program's own page lists its commands.
std::string man_page(const CommandFacts& command, const CommandFacts& program, const std::string& version);

// "bertprep-vocab-train": how the page is called.
std::string man_page_name(const CommandFacts& command);

}  // namespace bertprep::cli
