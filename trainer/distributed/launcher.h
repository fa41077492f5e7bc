// The variables that a launcher of several processes sets, and the version of MPI.
#pragma once

#include <cstdlib>
#include <optional>
#include <string_view>

#include "base/library_version.h"

namespace bertprep {

// Whether a launcher started this process as one of several, or may have.
inline bool has_launcher() {
  if (const char* const size = std::getenv("OMPI_COMM_WORLD_SIZE")) return std::string_view(size) != "1";
  // srun and other PMI launchers set a rank but not the number of processes.
  const char* const tasks = std::getenv("SLURM_NTASKS");
  const bool several = tasks == nullptr || std::string_view(tasks) != "1";
  return several && (std::getenv("PMIX_RANK") != nullptr || std::getenv("PMI_RANK") != nullptr);
}

// Of MPI; nothing in builds without it.
std::optional<LibraryVersion> version_of_mpi();

}  // namespace bertprep
