// Names on a network file system: its client remembers for a while that a name was absent, though another machine has
// made the file meanwhile.
#pragma once

#include <filesystem>

namespace bertprep {

// Makes the client ask the server for the names in `folder` when it is next asked for one.
void look_again(const std::filesystem::path& folder);

// Whether there is something of this name now; never throws.
bool exists_now(const std::filesystem::path& path);

}  // namespace bertprep
