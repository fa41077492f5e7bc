// The ends of lines of different systems.
#pragma once

#include <string>

namespace bertprep {

// CR LF and CR become LF.
void end_lines_at_feeds(std::string& text);

}  // namespace bertprep
