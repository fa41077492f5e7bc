// For builds without NCCL.
#include "bertprep/base/error.h"
#include "trainer/distributed/device_group.h"

namespace bertprep {
namespace {

[[noreturn]] void refuse() {
  throw ConfigError("this program was built without NCCL, which GPUs need to exchange values", "`device` cuda",
                    "install NCCL and build it again against a CUDA PyTorch, with -DNCCL_ROOT=... if NCCL is not found "
                    "automatically; a single process needs no NCCL");
}

}  // namespace

std::unique_ptr<DeviceGroup> join_device_group(ProcessGroup&, int) {
  refuse();
}

int count_devices() {
  refuse();
}

std::string device_address(int) {
  refuse();
}

std::unique_ptr<DeviceValues> make_device_values(int, std::size_t) {
  refuse();
}

}  // namespace bertprep
