// For builds without MPI.
#include "bertprep/base/error.h"
#include "bertprep/trainer/process_group.h"
#include "trainer/distributed/launcher.h"

namespace bertprep {

std::unique_ptr<ProcessGroup> join_process_group() {
  if (has_launcher()) {
    throw ConfigError("a launcher started several processes, but this program was built without MPI", {},
                      "install libopenmpi-dev and build it again, or start it alone");
  }
  return lone_process();
}

std::optional<LibraryVersion> version_of_mpi() {
  return std::nullopt;
}

}  // namespace bertprep
