#include "trainer/distributed/launcher.h"

#include <cstdlib>
#include <string_view>

namespace bertprep {

bool has_launcher() {
  if (const char* const size = std::getenv("OMPI_COMM_WORLD_SIZE")) return std::string_view(size) != "1";
  // srun and others that speak PMI tell a rank and keep the number of processes to themselves.
  const char* const tasks = std::getenv("SLURM_NTASKS");
  const bool several = tasks == nullptr || std::string_view(tasks) != "1";
  return several && (std::getenv("PMIX_RANK") != nullptr || std::getenv("PMI_RANK") != nullptr);
}

}  // namespace bertprep
