// What the launcher of several processes tells each of them.
#pragma once

#include <optional>

#include "base/library_version.h"

namespace bertprep {

// Whether a launcher started this process as one of several, or may have.
bool has_launcher();

// Of MPI; nothing in builds without it.
std::optional<LibraryVersion> version_of_mpi();

}  // namespace bertprep
