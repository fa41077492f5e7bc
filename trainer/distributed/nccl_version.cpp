// Separate from nccl.cpp, so that tests can replace NCCL.
#include <nccl.h>

#include <string>

#include "trainer/distributed/device_group.h"

namespace bertprep {
namespace {

// 22105 is 2.21.5; before 2.9, 2804 was 2.8.4.
std::string text_of(int code) {
  const int major = code >= 10000 ? code / 10000 : code / 1000;
  const int rest = code >= 10000 ? code % 10000 : code % 1000;
  return std::to_string(major) + "." + std::to_string(rest / 100) + "." + std::to_string(rest % 100);
}

}  // namespace

std::optional<LibraryVersion> version_of_nccl() {
  int code = 0;
  const bool is_known = ncclGetVersion(&code) == ncclSuccess;
  return LibraryVersion{"NCCL", text_of(NCCL_VERSION_CODE), is_known ? text_of(code) : "unknown"};
}

}  // namespace bertprep
