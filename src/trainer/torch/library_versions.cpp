#include <torch/version.h>

#include "bertprep/trainer/train.h"
#include "trainer/distributed/device_group.h"
#include "trainer/distributed/launcher.h"
#include "trainer/machine.h"

namespace bertprep {

std::vector<LibraryVersion> trainer_library_versions() {
  std::vector<LibraryVersion> versions = {{"libtorch", TORCH_VERSION, TORCH_VERSION}};
  if (const auto mpi = version_of_mpi()) versions.push_back(*mpi);
  if (const auto nccl = version_of_nccl()) versions.push_back(*nccl);
  return versions;
}

}  // namespace bertprep
