// For builds without NCCL; apart from no_nccl.cpp as nccl_version.cpp is from nccl.cpp.
#include "trainer/distributed/device_group.h"

namespace bertprep {

std::optional<LibraryVersion> version_of_nccl() {
  return std::nullopt;
}

}  // namespace bertprep
