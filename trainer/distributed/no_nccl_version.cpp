// For builds without NCCL; separate from no_nccl.cpp like nccl_version.cpp from nccl.cpp.
#include "trainer/distributed/device_group.h"

namespace bertprep {

std::optional<LibraryVersion> version_of_nccl() {
  return std::nullopt;
}

}  // namespace bertprep
