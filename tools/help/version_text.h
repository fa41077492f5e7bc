// What --version prints.
#pragma once

#include <string>
#include <vector>

#include "base/library_version.h"

namespace bertprep::cli {

// The program's version and those of `libraries` and CLI11, a line each: words, or with `as_json` an event. The last
// line is without its end.
std::string version_text(const std::string& program, bool as_json, std::vector<LibraryVersion> libraries);

}  // namespace bertprep::cli
